import type { CdsValue } from '../../parse/cds/types.ts'
import type { Place } from '../../types.ts'
import type { CapAccess, CapAnnotation } from './types.ts'

/** The text of a string, or of a word that stands for one; undefined for everything else. */
export function wordOf(value: CdsValue | undefined): string | undefined {
  if (value?.kind === 'string' && typeof value.value === 'string') return value.value
  return value?.kind === 'path' || value?.kind === 'symbol' ? value.text : undefined
}

/** `'a'` and `['a', 'b']` alike; empty words name nobody. */
export function wordsOf(value: CdsValue | undefined): string[] {
  const values = value?.kind === 'array' ? value.items : [value]
  return values.flatMap((item) => {
    const word = wordOf(item)
    return word === undefined || word === '' ? [] : [word]
  })
}

/** Pseudo roles that any authenticated user has; the second is the older name. */
const AUTHENTICATED: ReadonlySet<string> = new Set(['authenticated-user', 'identified-user'])

/** Roles of each privilege of `@restrict`; one without `to` is for anybody (capire, "Authorization", `to` defaults to `any`). */
function restrictedTo(value: CdsValue | undefined): string[] {
  const privileges = value?.kind === 'array' ? value.items : [value]
  return privileges.flatMap((privilege) => {
    if (privilege?.kind !== 'object') return []
    const to = privilege.members.find(({ key }) => key === 'to')
    return to === undefined ? ['any'] : wordsOf(to.value)
  })
}

/**
 * Who may call a definition by its own `@requires` and `@restrict`: whoever satisfies both. Undefined: neither says anything (an empty list of
 * roles counts as nothing: @sap/cds 9.9.3 then falls back to its default).
 */
export function declaredAccess(annotations: ReadonlyMap<string, CapAnnotation>): CapAccess | undefined {
  const levels: { roles: string[]; place: Place }[] = []
  for (const [name, read] of [
    ['requires', wordsOf],
    ['restrict', restrictedTo],
  ] as const) {
    const annotation = annotations.get(name)
    const roles = annotation === undefined ? [] : read(annotation.value)
    if (annotation !== undefined && roles.length > 0) levels.push({ roles, place: annotation.place })
  }
  const [first] = levels
  if (first === undefined) return undefined
  const narrowing = levels.filter(({ roles }) => !roles.includes('any'))
  const byRole = narrowing.filter(({ roles }) => !roles.some((role) => AUTHENTICATED.has(role)))
  const [strictest] = byRole
  if (strictest !== undefined)
    return { kind: 'roles', roles: [...new Set(byRole.flatMap(({ roles }) => roles))], place: strictest.place }
  const [authenticated] = narrowing
  if (authenticated !== undefined) return { kind: 'authenticated', roles: [], place: authenticated.place }
  return { kind: 'public', roles: [], place: first.place }
}
