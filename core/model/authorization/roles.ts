import type { CdsValue } from '../../parse/cds/types.ts'
import { privilegesOf, PSEUDO_ROLES, wordsOf, type CapAnnotation } from '../cap/index.ts'

/** A role that looks like a pseudo role and is none: `authenticated_user`, `Any`. */
export function isMisspeltPseudoRole(role: string): boolean {
  const folded = role.toLowerCase().replaceAll(/[_ -]/g, '')
  const isMeant = /^(?:authenticated(?:users?)?|identifiedusers?|systemusers?|internalusers?)$/.test(folded)
  return (isMeant || (folded === 'any' && role !== 'any')) && !PSEUDO_ROLES.has(role)
}

/**
 * Scopes of the platform and of CAP's own services, which no descriptor of the project has to define: `cds.Subscriber`, `mtcallback`, `uaa.user`.
 * Facts: @sap/cds-dk 10.1.2, templates of multitenancy and event-mesh; @sap/cds-mtxs 4.1.0 (`cds.Subscriber`, `cds.ExtensionDeveloper`).
 */
export function isPlatformRole(role: string): boolean {
  return (
    /^(?:cds\.|uaa\.|xs_|openid$|(?:mt|em)(?:callback|management|deployment)$|Mtx|JobScheduler$)/i.test(role) ||
    role.includes('!')
  )
}

/** An annotation that CAP does not know, where `@requires` or `@restrict` was meant. */
export interface MisspeltAnnotation {
  readonly word: string
  readonly key: 'requires' | 'restrict'
  readonly annotation: CapAnnotation
}

const MISSPELT_REQUIRES =
  /^(?:requires?|required|requiers?|requries|reqires?|requres?|requireds?|requiredroles?|requiresroles?)$/i
const MISSPELT_RESTRICT = /^(?:restricts?|restricted|restrictions?|restrictto|resricts?|restrcts?|retricts?|restirct)$/i

/** Told by the name and by the value: roles, or records with `grant` or `to`. */
export function misspeltAnnotation(annotations: ReadonlyMap<string, CapAnnotation>): MisspeltAnnotation | undefined {
  if (annotations.has('requires') || annotations.has('restrict')) return undefined
  for (const [written, annotation] of annotations) {
    const { value } = annotation
    const word = written.replaceAll(/^_{1,3}|_{1,3}$/g, '')
    if (MISSPELT_REQUIRES.test(word) && namesRoles(value)) return { word: written, key: 'requires', annotation }
    if (MISSPELT_RESTRICT.test(word) && grants(value)) return { word: written, key: 'restrict', annotation }
  }
  return undefined
}

function namesRoles(value: CdsValue): boolean {
  const items = value.kind === 'array' ? value.items : [value]
  return items.length > 0 && items.every((item) => item.kind === 'string' && item.value !== '')
}

function grants(value: CdsValue): boolean {
  return privilegesOf(value).some(({ record }) => record.members.some(({ key }) => key === 'grant' || key === 'to'))
}

/** An annotation with a record for a value, which CAP does not evaluate. */
export interface UnevaluatedRecord {
  readonly word: string
  readonly annotation: CapAnnotation
  readonly roles: readonly string[]
  /** The annotation of CAP that says the same. */
  readonly line: string
}

/** Annotations that CAP does not have, by the event that their name stands for. */
const EVENTS: ReadonlyMap<string, string> = new Map([
  ['readable', 'READ'],
  ['insertable', 'CREATE'],
  ['updatable', 'UPDATE'],
  ['deletable', 'DELETE'],
])

/**
 * `@requires: { to: 'Clerk' }`, `@restrict: { grant: 'READ', to: 'Clerk' }`, `@insertable: { grant: 'Clerk' }`, where nothing else restricts the definition.
 * Facts: @sap/cds 9.9.3: the compiler makes the annotations `@restrict.grant` and `@restrict.to` of a record; lib/srv/protocols/http.js and generic/auth read `@requires`
 * and the list `@restrict` alone.
 */
export function unevaluatedRecord(annotations: ReadonlyMap<string, CapAnnotation>): UnevaluatedRecord | undefined {
  if (annotations.has('requires') || annotations.has('restrict')) return undefined
  const found = ['requires', 'restrict', ...EVENTS.keys()].flatMap((word) => {
    const [grants, roles] = [annotations.get(`${word}.grant`), annotations.get(`${word}.to`)]
    const [grant, to] = [wordsOf(grants?.value), wordsOf(roles?.value)]
    const annotation = grants ?? roles
    return annotation === undefined || grant.length + to.length === 0 ? [] : [{ word, annotation, grant, to }]
  })
  const [first] = found
  if (first === undefined) return undefined
  const { word, annotation, grant, to } = first
  if (word === 'requires')
    return { word, annotation, roles: [...to, ...grant], line: `@requires: ${listWords([...to, ...grant])}` }
  if (word === 'restrict') return { word, annotation, roles: to, line: restricting([[grant, to]]) }
  const privileges = found.map((one) => [[EVENTS.get(one.word) ?? ''], [...one.to, ...one.grant]] as const)
  return { word, annotation, roles: privileges.flatMap(([, roles]) => roles), line: restricting(privileges) }
}

function restricting(privileges: readonly (readonly [grant: readonly string[], to: readonly string[]])[]): string {
  const records = privileges.map(([grant, to]) =>
    [grant.length > 0 && `grant: ${listWords(grant)}`, to.length > 0 && `to: ${listWords(to)}`].filter(Boolean).join(', '),
  )
  return `@restrict: [${records.map((record) => `{ ${record} }`).join(', ')}]`
}

function listWords(words: readonly string[]): string {
  const quoted = words.map((word) => `'${word}'`)
  return quoted.length === 1 ? quoted.join('') : `[${quoted.join(', ')}]`
}
