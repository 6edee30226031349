import type { CdsRecord, CdsValue } from '../../parse/cds/types.ts'
import type { Place } from '../../types.ts'
import type { CapAccess, CapAnnotation } from './types.ts'

/** The text of a string, or of a word that stands for one; undefined for everything else. */
export function wordOf(value: CdsValue | undefined): string | undefined {
  if (value?.kind === 'string' && typeof value.value === 'string') return value.value
  return value?.kind === 'path' || value?.kind === 'symbol' ? value.text : undefined
}

export function isTrue(value: CdsValue | undefined): boolean {
  return value?.kind === 'boolean' && value.value === true
}

/** `'a'` and `['a', 'b']` alike; empty words name nobody. */
export function wordsOf(value: CdsValue | undefined): string[] {
  return wordsIn(value).map(({ word }) => word)
}

/** The same with their places. */
export function wordsIn(value: CdsValue | undefined): { readonly word: string; readonly value: CdsValue }[] {
  const values = value?.kind === 'array' ? value.items : [value]
  return values.flatMap((item) => {
    const word = wordOf(item)
    return item === undefined || word === undefined || word === '' ? [] : [{ word, value: item }]
  })
}

/** The roles that a `@requires` or `@restrict` names, with their places. */
export function rolesIn(name: 'requires' | 'restrict', value: CdsValue): { readonly word: string; readonly value: CdsValue }[] {
  if (name === 'requires') return wordsIn(value)
  return privilegesOf(value).flatMap(({ record }) => wordsIn(record.members.findLast(({ key }) => key === 'to')?.value))
}

/** Roles that every user has, or that the way of logging in decides: nobody is given them. The second and the last ones are older names. */
export const PSEUDO_ROLES: ReadonlySet<string> = new Set([
  'any',
  'identified-user',
  'authenticated-user',
  'system-user',
  'internal-user',
  'registered-user',
  'privileged-user',
])

/** Pseudo roles that any authenticated user has; the second is the older name. */
export const AUTHENTICATED_ROLES: ReadonlySet<string> = new Set(['authenticated-user', 'identified-user'])

/** One record of `@restrict`. */
export interface Privilege {
  readonly record: CdsRecord
  /** Events as written; empty where nothing is said, which is all of them. */
  readonly grants: readonly string[]
  /** Undefined: nothing is said, which is anybody. */
  readonly to?: readonly string[]
  readonly where?: CdsValue
}

/** The privileges of a `@restrict`; what is no record is left out. */
export function privilegesOf(value: CdsValue | undefined): Privilege[] {
  const records = value?.kind === 'array' ? value.items : [value]
  return records.flatMap((record) => {
    if (record?.kind !== 'object') return []
    const memberOf = (key: string): CdsValue | undefined => record.members.findLast((member) => member.key === key)?.value
    const [to, where] = [memberOf('to'), memberOf('where')]
    return [
      {
        record,
        grants: wordsOf(memberOf('grant')),
        ...(to !== undefined && { to: wordsOf(to) }),
        ...(where !== undefined && { where }),
      },
    ]
  })
}

/** `''`, `null` and what is not there are false for the runtime; an empty list is not. */
function isSaid(value: CdsValue | undefined): boolean {
  if (value === undefined) return false
  return value.kind === 'string' || value.kind === 'boolean' ? Boolean(value.value) : value.kind !== 'null'
}

/**
 * Who may call a service by its own annotations. Node.js looks at `@restrict` of a service only where `@requires` says nothing at all, so
 * `@requires: 'any'` or an empty list switches it off; Java wants both.
 * Facts: @sap/cds 9.9.3 and 10.1.1, lib/srv/protocols/http.js (`d['@requires'] || d['@restrict']`).
 */
export function serviceAccess(annotations: ReadonlyMap<string, CapAnnotation>, runtime: 'node' | 'java'): CapAccess | undefined {
  if (runtime === 'java') return declaredAccess(annotations)
  const requires = annotations.get('requires')
  if (requires !== undefined && namesNobody(requires.value)) return { kind: 'none', roles: [], place: requires.place }
  const counting = new Map(annotations)
  if (isSaid(requires?.value)) counting.delete('restrict')
  return declaredAccess(counting, [])
}

/** A list with nothing but empty words: nobody has such a role. */
export function namesNobody(value: CdsValue | undefined): boolean {
  return value?.kind === 'array' && value.items.length > 0 && value.items.every((item) => wordOf(item) === '')
}

/** Roles of each privilege of `@restrict`; one without `to` is for anybody (capire, "Authorization", `to` defaults to `any`). */
function restrictedTo(value: CdsValue | undefined, unnamed: readonly string[]): string[] {
  return privilegesOf(value).flatMap(({ to }) => to ?? unnamed)
}

/**
 * Who may call a definition by its own `@requires` and `@restrict`: whoever satisfies both. Undefined: neither says anything (an empty list of
 * roles counts as nothing: @sap/cds 9.9.3 then falls back to its default). `unnamed`: whom a privilege without `to` is for.
 */
export function declaredAccess(
  annotations: ReadonlyMap<string, CapAnnotation>,
  unnamed: readonly string[] = ['any'],
): CapAccess | undefined {
  const levels: { roles: string[]; place: Place }[] = []
  for (const [name, read] of [
    ['requires', wordsOf],
    ['restrict', restrictedTo],
  ] as const) {
    const annotation = annotations.get(name)
    const roles = annotation === undefined ? [] : read(annotation.value, unnamed)
    if (annotation !== undefined && roles.length > 0) levels.push({ roles, place: annotation.place })
  }
  const [first] = levels
  if (first === undefined) return undefined
  const narrowing = levels.filter(({ roles }) => !roles.includes('any'))
  const byRole = narrowing.filter(({ roles }) => !roles.some((role) => AUTHENTICATED_ROLES.has(role)))
  const [strictest] = byRole
  if (strictest !== undefined)
    return { kind: 'roles', roles: [...new Set(byRole.flatMap(({ roles }) => roles))], place: strictest.place }
  const [authenticated] = narrowing
  if (authenticated !== undefined) return { kind: 'authenticated', roles: [], place: authenticated.place }
  return { kind: 'public', roles: [], place: first.place }
}
