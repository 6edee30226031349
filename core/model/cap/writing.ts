import type { CdsValue } from '../../parse/cds/types.ts'
import { isNearMiss } from '../../near-miss.ts'
import { isTrue, privilegesOf, wordOf, wordsOf, type Privilege } from './access.ts'
import { usersOf } from './privileges.ts'
import type { CapAnnotation, CapElement, CapMember, CapService } from './types.ts'

type Annotations = CapElement['annotations']

/** A value that the runtime takes for true or false: flags, and words that are. */
function flagOf(value: CdsValue | undefined): boolean | undefined {
  return value?.kind === 'boolean' && typeof value.value === 'boolean' ? value.value : undefined
}

/** Neither `null` nor `false`. */
function isSaid(annotations: Annotations, name: string): boolean {
  const value = annotations.get(name)?.value
  return value !== undefined && value.kind !== 'null' && flagOf(value) !== false
}

export type WriteEvent = 'CREATE' | 'UPDATE' | 'DELETE'

const CAPABILITIES: Readonly<Record<WriteEvent, readonly string[]>> = {
  CREATE: ['InsertRestrictions.Insertable', 'Insertable'],
  UPDATE: ['UpdateRestrictions.Updatable', 'Updatable'],
  DELETE: ['DeleteRestrictions.Deletable', 'Deletable'],
}

const WRITING: readonly WriteEvent[] = ['CREATE', 'UPDATE']

const GRANTS: Readonly<Record<WriteEvent, ReadonlySet<string>>> = {
  CREATE: new Set(['*', 'WRITE', 'CREATE', 'NEW', 'INSERT', 'UPSERT']),
  UPDATE: new Set(['*', 'WRITE', 'UPDATE', 'PATCH', 'EDIT', 'UPSERT']),
  DELETE: new Set(['*', 'WRITE', 'DELETE']),
}

/**
 * Whether clients may send an entity such an event at all, as far as the model says.
 * Facts: capire, "Input Validation"; @sap/cds 10.1.1, generic/auth (readOnly.js, insertOnly.js, capabilities.js, restrict.js).
 */
export function accepts({ kind, annotations, access }: CapElement, event: WriteEvent): boolean {
  if (kind !== 'entity' || access?.kind === 'none' || isSaid(annotations, 'readonly') || isSaid(annotations, 'cds.api.ignore'))
    return false
  if (event !== 'CREATE' && isSaid(annotations, 'insertonly')) return false
  if (CAPABILITIES[event].some((name) => flagOf(annotations.get(`Capabilities.${name}`)?.value) === false)) return false
  const privileges = privilegesOf(annotations.get('restrict')?.value)
  return privileges.length === 0 || privileges.some((privilege) => grants(privilege, event))
}

/** Whether clients write its rows by drafts. */
export function isDraftEnabled({ annotations }: Pick<CapElement, 'annotations'>): boolean {
  return isTrue(annotations.get('odata.draft.enabled')?.value)
}

/** Whether clients may read an entity at all, as far as the model says. Facts: those of `accepts`. */
export function isReadable({ annotations }: Pick<CapElement, 'annotations'>): boolean {
  return !isSaid(annotations, 'insertonly') && flagOf(annotations.get('Capabilities.ReadRestrictions.Readable')?.value) !== false
}

/**
 * Capabilities that are denied under a term that does not hold them, `Capabilities.InsertRestirictions.Insertable: false`: what clients may send nevertheless.
 * Facts: OData vocabulary Org.OData.Capabilities.V1; @sap/cds 10.1.1, generic/auth/capabilities.js (reads the names of these terms alone).
 */
export function ineffectiveCapabilities(
  entity: CapElement,
): readonly { readonly word: string; readonly key: string; readonly annotation: CapAnnotation; readonly event: WriteEvent }[] {
  // all privileges of the entity tell this, whatever number of annotations asks
  const accepted = new Map<WriteEvent, boolean>()
  const isAccepted = (event: WriteEvent): boolean => {
    const known = accepted.get(event) ?? accepts(entity, event)
    accepted.set(event, known)
    return known
  }
  return [...entity.annotations].flatMap(([name, annotation]) => {
    const [, word = '', property] = DENIED.exec(name) ?? []
    const event = EVENT_OF.get(property ?? '')
    if (event === undefined || flagOf(annotation.value) !== false || !TERMS.some((term) => isNearMiss(word, term))) return []
    if (!isAccepted(event)) return []
    const [key = ''] = CAPABILITIES[event]
    return [{ word: `Capabilities.${word}`, key: `Capabilities.${key.slice(0, key.indexOf('.'))}`, annotation, event }]
  })
}

/**
 * `@insertOnly`, `@readOnly`: CAP reads both in small letters alone. Undefined where what they would deny is denied anyway.
 * Facts: @sap/cds 5.9.8 and 9.4.4, generic/auth (readOnly.js, insertOnly.js): `entity['@insertonly']`; run with 5.9.8, PATCH of an entity with `@insertOnly` answers 200, with `@insertonly` 405.
 */
export function ineffectiveFlag(
  entity: CapElement,
):
  | { readonly word: string; readonly key: string; readonly annotation: CapAnnotation; readonly events: readonly WriteEvent[] }
  | undefined {
  for (const [word, annotation] of entity.annotations) {
    const key = FLAGS.find((name) => name !== word && name === word.toLowerCase())
    if (key === undefined || !isSaid(entity.annotations, word)) continue
    const denied: readonly WriteEvent[] = key === 'readonly' ? ['CREATE', 'UPDATE', 'DELETE'] : ['UPDATE', 'DELETE']
    const events = denied.filter((event) => accepts(entity, event))
    return events.length > 0 ? { word, key, annotation, events } : undefined
  }
  return undefined
}

const FLAGS: readonly string[] = ['readonly', 'insertonly']

/** Terms that such a word was meant to be; another one is of a vocabulary of the project's own. */
const TERMS: readonly string[] = ['InsertRestrictions', 'UpdateRestrictions', 'DeleteRestrictions']
const DENIED = /^Capabilities\.(\w{1,60})\.((?:Insert|Updat|Delet)able)$/
const EVENT_OF: ReadonlyMap<string, WriteEvent> = new Map([
  ['Insertable', 'CREATE'],
  ['Updatable', 'UPDATE'],
  ['Deletable', 'DELETE'],
])

function grants({ grants }: Privilege, event: WriteEvent): boolean {
  return grants.length === 0 || grants.some((grant) => GRANTS[event].has(grant))
}

/** Data can be put into it. */
export function takesData(entity: CapElement): boolean {
  return accepts(entity, 'CREATE') || accepts(entity, 'UPDATE')
}

/** Roles with which data is put into an entity of a service; `any` and pseudo roles as they are. */
export function writersOf(
  { annotations }: CapElement,
  { access }: CapService,
  events: readonly WriteEvent[] = WRITING,
): readonly string[] {
  const required = wordsOf(annotations.get('requires')?.value)
  const writing = privilegesOf(annotations.get('restrict')?.value).filter((privilege) =>
    events.some((event) => grants(privilege, event)),
  )
  if (writing.length > 0) return [...new Set(writing.flatMap(({ to }) => to ?? (required.length > 0 ? required : ['any'])))]
  if (required.length > 0) return required
  if (access.kind === 'roles') return access.roles
  return [access.kind === 'public' || access.kind === 'default-public' ? 'any' : 'authenticated-user']
}

/** Whether every user whom the service lets in may put data into it, as far as the model says. */
export function doUsersWrite(entity: CapElement, service: CapService): boolean {
  const privileges = privilegesOf(entity.annotations.get('restrict')?.value)
  if (privileges.length === 0) return (entity.access ?? service.access).kind !== 'roles'
  const writing = privileges.filter((privilege) => WRITING.some((event) => grants(privilege, event)))
  return writing.some((privilege) => usersOf(privilege, service) === 'all')
}

/** Names of roles that administer something: whoever has one is trusted with what others are not. */
export function isAdministrative(role: string): boolean {
  return /admin|superuser|root|operator|system-user|internal-user|technical|maintain|steward|emcallback|mtcallback|cds\.subscriber/i.test(
    role,
  )
}

/** Names of roles that all ordinary users of an app have: the employees of a company, the customers of a shop. */
export function isOrdinary(role: string): boolean {
  return /^(?:(?:end|business|portal|app|external|registered|normal|regular|standard|basic)[-_ ]?)?(?:user|employee|customer|member|student|patient|citizen|consumer|guest|visitor)s?(?:[-_. ]?(?:role|scope)|(?<=users?|guests?|visitors?)[-_. ]?access)?$/i.test(
    role,
  )
}

/**
 * What clients send for an element is dropped.
 * Facts: capire, "Input Validation" (`@readonly`, `@Core.Computed`, `@Common.FieldControl: #ReadOnly`, virtual and calculated elements);
 * @sap/cds 10.1.1, lib/req/validate.js; lib/compile/for/flows.js (`@flow.status`).
 */
export function isGuarded({ annotations, virtual, calculated }: CapMember): boolean {
  if (virtual || calculated) return true
  const names = ['readonly', 'Core.Computed', 'cds.on.insert', 'cds.on.update', 'flow.status', 'Common.FieldControl.ReadOnly']
  if (names.some((name) => isSaid(annotations, name))) return true
  const control = annotations.get('Common.FieldControl')?.value
  return control?.kind === 'symbol' && wordOf(control) === 'ReadOnly'
}

/** CAP fills it with who creates the row, whatever it is called. Fact: capire, "Managed Data" (`@cds.on.insert`). */
export function notesUser({ annotations }: CapMember): boolean {
  const value = annotations.get('cds.on.insert')?.value
  return value?.kind === 'path' && value.text.startsWith('$user')
}

/**
 * What clients send for it counts where they create a row alone.
 * Facts: capire, "Input Validation": `@Core.Immutable` (what a change sends is ignored); `@Core.Immutable: false` keeps nothing.
 */
export function isImmutable({ annotations }: CapMember): boolean {
  return isSaid(annotations, 'Core.Immutable')
}

/**
 * `@flow.status: state` at the entity makes this element read-only, where the runtime knows it (`mayKnowFlows`).
 * Facts: capire, "Status-Transition Flows" (since @sap/cds 9.5); @sap/cds 9.9.3, lib/compile/for/flows.js ("propagate @flow.status to respective element and make it @readonly",
 * unless the element has `@readonly` itself).
 */
export function isFlowStatus(
  { annotations }: Pick<CapElement, 'annotations'>,
  member: Pick<CapMember, 'name' | 'annotations'>,
): boolean {
  const value = annotations.get('flow.status')?.value
  const named = value?.kind === 'path' ? value.text : value?.kind === 'expression' ? value.expression.text.trim() : undefined
  return named === member.name && !member.annotations.has('readonly')
}

/** Clients neither read nor write it. */
export function isHidden({ annotations }: CapMember): boolean {
  return isSaid(annotations, 'cds.api.ignore')
}
