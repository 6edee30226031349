import {
  accepts,
  createAnswers,
  grantsEvent,
  filtersByPolicies,
  privilegesOf,
  PSEUDO_ROLES,
  servedServices,
  toWords,
  uncheckedInCode,
  wordsOf,
  type CapElement,
  type CapMember,
  type CapRoot,
  type CapService,
  sourceNameOf,
} from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'
import type { Exposure } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import { unevaluatedRecord } from '../../../model/authorization/index.ts'
import {
  composedOf,
  decisionOf,
  isClose,
  isCodeList,
  isMasterData,
  isNameList,
  isReadOnlyBySource,
  isTelling,
  operationsOf,
  rolesAmong,
  writeRights,
} from './entity-rights.ts'
import { handlerRegistrations, type HandlerRegistration } from '../_callers/caller-checks.ts'
import { disabledBefore } from './disabled-annotations.ts'
import { ofUsers } from '../_matches.ts'
import { ownerOf, rolesOfOwners } from '../_rows/owned-entities.ts'
import { exposureOf } from './restricted-exposures.ts'
import { draftParts, openDraftPart } from './draft-parts.ts'
import { createEachRoleReader } from './each-role.ts'
import { findOwnRows, rowsOfAll, type OwnRows } from './role-rows-of-all.ts'
import { isForUsers, privateReason, privateRows } from './private-rows.ts'
import { createRightsFacts, isNarrower, type Elsewhere, type RightsFacts } from './rights-facts.ts'
import { isForPlainUsers, personOf } from '../_rows/person-rows.ts'
import { storedCredentials } from './stored-credentials.ts'
import { uncheckedEvents } from '../_rows/unchecked-events.ts'
import { createJavaLimits } from '../_java/service-handlers.ts'
import { isOwnAnswer } from '../_handlers/caller-answers.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'
import { handlersFor, type EntityHandler } from '../_handlers/write-handlers.ts'

/** What the project shows: that others than all users were thought of. */
export interface Reason {
  readonly variant:
    | 'sibling'
    | 'part'
    | 'draftPart'
    | 'same'
    | 'reads'
    | 'action'
    | 'owner'
    | 'handler'
    | 'events'
    | 'roles'
    | 'person'
    | 'private'
    | 'administration'
    | 'operation'
    | 'disabled'
    | 'knowledge'
    | 'added'
    | 'everyone'
    | 'void'
    | 'credentials'
    | 'shared'
    | 'whole'
  /** What is restricted, by its name. */
  readonly restricted: readonly string[]
  readonly roles: readonly string[]
  /** The element that tells the owner, or a decision; the events that no handler checks; the annotation that is commented out; a vector; the key of a credential. */
  readonly element?: string
  /** That not all users were meant to write it, a name alone says. */
  readonly isAssumed?: boolean
  /** The roles of those who may write it, where the entity names them itself. */
  readonly users?: readonly string[]
}

/** An entity that all users of a service may write. */
export interface OpenEntity {
  readonly service: CapService
  readonly element: CapElement
  readonly reason: Reason
  readonly exposure: Exposure
}

/** Entities of services for all users who log in that nothing restricts, where the project shows that not all of them should write these. Needs `openEntityExtracts`. */
export function* openEntities(root: CapRoot, project: Project): Generator<OpenEntity> {
  if (root.test || filtersByPolicies(root)) return
  const facts = createRightsFacts(root, project)
  const mayLimit = createJavaLimits(root)
  const answers = createAnswers(root, project.npm)
  const credentials = new Map(root.scripts.get(storedCredentials).map(({ value }) => [value.entity, reasonOfKey(value.key)]))
  const isForEachRole = createEachRoleReader(root)
  let ownRows: OwnRows | undefined
  for (const service of servedServices(root)) {
    yield* privateRows(service, root, project, isForEachRole)
    yield* rowsOfAll(service, root, project, facts, (ownRows ??= findOwnRows(root)))
    const isOfService = isForUsers(service, project)
    const isOfDefault = service.access.kind === 'default-authenticated'
    if (!isOfService && !isOfDefault) continue
    const all = answers.of(service, service.elements).filter(({ kind }) => kind === 'entity')
    // what says nothing itself is told with the service that says nothing
    const entities = isOfService ? all : all.filter(({ access }) => access?.kind === 'authenticated')
    const parts = draftParts(service, root)
    const plain: OpenEntity[] = []
    let isFound = false
    for (const element of entities) {
      root.step()
      const { by } = writeRights(element)
      // what was written to restrict it is a fault of its own
      if (unevaluatedRecord(element.annotations) !== undefined) continue
      if (by !== 'open' && by !== 'granted') continue
      const handlers = handlersFor(root, service, element)
      if ([element.qualified, element.source?.name ?? ''].some((name) => parts.has(name))) {
        const part = by === 'open' ? openDraftPart(element, handlers, facts.narrowOf(service).written, root, project) : undefined
        const exposure = ofUsers(exposureOf(service, element, project.reach))
        if (part !== undefined && exposure.reach === 'user')
          yield { service, element, exposure: among(service, exposure, facts), reason: { variant: 'draftPart', ...part } }
        continue
      }
      const writing = handlers.filter(({ writes }) => writes)
      const isAsked = writing.some(({ asks }) => asks === 'yes')
      const events = isAsked && by === 'open' ? reasonOfEvents(element, service, writing, root) : undefined
      if (
        isReadOnlyBySource(element, root, handlers) ||
        isOwnAnswer(element, root, handlers) ||
        (isAsked && events === undefined)
      )
        continue
      const known = ofUsers(exposureOf(service, element, project.reach))
      // what handlers check of other events narrows nothing here
      const exposure = events === undefined ? known : { ...known, reach: 'user' as const }
      if (exposure.reach !== 'user') continue
      const kept = by === 'open' ? credentials.get(lastName(element.source?.name ?? element.name)) : undefined
      const reason = events ?? kept ?? reasonFor(element, service, by === 'granted', facts)
      if (reason === undefined && isWrittenByAll(element, by, handlers))
        plain.push({ service, element, exposure, reason: { variant: 'everyone', restricted: [], roles: [] } })
      if (reason === undefined || mayBeCompared(reason, reason.variant === 'private' ? handlers : writing)) continue
      // what handlers check of one entity, and whose rows it has, says nothing of the others
      isFound ||= reason !== events && !OF_ONE.has(reason.variant)
      const isSaidOtherwise = by === 'granted' && reason.variant !== 'reads'
      const isUnseen =
        // what handlers check of changes keeps nobody from reading
        reason.variant !== 'credentials' &&
        writing.some(({ asks }) => asks === 'unknown') &&
        !(reason.variant === 'sibling' && facts.areHandlersSilent)
      const isUnsure = isSaidOtherwise || isUnseen || (root.runtime === 'java' && mayLimit(service))
      const isBare = reason.variant === 'knowledge' && isAddedOnly(element, handlers, root)
      const said = isBare ? { ...reason, variant: 'added' as const } : reason
      yield {
        service,
        element,
        exposure: among(service, exposure, facts),
        reason: isUnsure || (isCodeList(element) && reason !== kept) ? { ...said, isAssumed: true } : said,
      }
    }
    if (!isFound && facts.areRolesAsked && isLoginAlone(service))
      yield* everyone(plain, root, root.runtime === 'java' && mayLimit(service))
  }
}

/** A role that each service asks for may be one that few users have beside that of all of them. */
function among(service: CapService, exposure: Exposure, { isForFew }: RightsFacts): Exposure {
  return exposure.reach === 'user' && isForFew(service) ? { ...exposure, reach: 'privileged' } : exposure
}

/** Reasons that are in what an entity holds: each row is of one person, or has a vector. */
const OF_ONE: ReadonlySet<Reason['variant']> = new Set<Reason['variant']>(['owner', 'person', 'knowledge', 'added'])

/** What nothing but the login of its service protects: that not all users were meant to write it, nothing says but what it holds. */
function everyone(plain: readonly OpenEntity[], root: CapRoot, isLimited: boolean): readonly OpenEntity[] {
  const telling = plain.filter(({ element }) => isTelling(element))
  const close = telling.filter(({ element }) => isClose(element, root))
  const isAssumed = close.length === 0 || isLimited
  return [...new Set([...close, ...telling])].map((one) => ({ ...one, reason: { ...one.reason, isAssumed } }))
}

/** A service lets all users in, and no annotation of what is in it says anything else. */
function isLoginAlone({ access, annotations, elements }: CapService): boolean {
  return access.kind === 'authenticated' && annotations.has('requires') && elements.every((one) => one.access === undefined)
}

/** Neither words of the entity nor handlers say more than the service. */
function isWrittenByAll(element: CapElement, by: string, handlers: readonly EntityHandler[]): boolean {
  // its members are not in the project, or its rows come from somewhere else
  const isUnknown = element.members().length === 0 || (element.query !== undefined && sourceNameOf(element) === element.qualified)
  if (by !== 'open' || isUnknown || handlers.some(({ answers }) => answers)) return false
  return accepts(element, 'UPDATE') && handlers.every(({ asks }) => asks === 'no')
}

/** Roles that `@requires` of a service lists beside what lets all users in: one of the list is enough. */
function voidRoles({ access, annotations }: CapService): readonly string[] {
  return access.kind === 'authenticated' ? rolesAmong(wordsOf(annotations.get('requires')?.value)) : []
}

/** A handler of another file may compare the user. */
function mayBeCompared({ variant }: Reason, handlers: readonly EntityHandler[]): boolean {
  return (variant === 'person' || variant === 'private' || variant === 'reads') && handlers.some(({ asks }) => asks === 'unknown')
}

/** The strongest of what the project shows; of an entity that is granted to all users in words, what contradicts these words alone. */
function reasonFor(element: CapElement, service: CapService, isGranted: boolean, facts: RightsFacts): Reason | undefined {
  const listed = isGranted ? [] : voidRoles(service)
  if (listed.length > 0) return { variant: 'void', restricted: [], roles: listed }
  const strong =
    reasonOfReading(element) ??
    reasonOfRows(element, service, isGranted, facts) ??
    reasonOfDecision(element, service, facts) ??
    reasonOfOperations(element, service, facts)
  if (strong !== undefined || isGranted) return strong
  const { root, files, owners, roles, narrowOf } = facts
  const disabled = disabledBefore(root, files, element, service)
  if (disabled !== undefined) return { variant: 'disabled', restricted: [], roles: disabled.roles, element: `@${disabled.name}` }
  const names = [...projectedNames(root, element.qualified)]
  const owner = names.map((name) => owners.get(name)).find((column) => column !== undefined)
  if (owner !== undefined) return { variant: 'owner', restricted: [], roles: [], element: owner }
  const siblings = narrowOf(service)
  if (siblings.restricted.length > 0) {
    const { restricted, isAssumed } = siblings
    return { variant: 'sibling', restricted, roles: siblings.roles, ...(isAssumed && { isAssumed }) }
  }
  const part = restrictedPart(element, service, facts)
  if (part !== undefined) return { variant: 'whole', restricted: [part.name], roles: part.roles }
  const owning = isNameList(element) ? ownedRowsTo(element, service, root) : undefined
  if (owning !== undefined && owning.restricted.length > 0) return { variant: 'shared', ...owning, roles: [], isAssumed: true }
  const entities = service.elements.filter(({ kind }) => kind === 'entity')
  const unchecked = uncheckedInCode(root, service, entities)
  if (unchecked.length > 0 && unchecked.length < entities.length)
    return { variant: 'handler', restricted: entities.flatMap((one) => (unchecked.includes(one) ? [] : one.name)), roles: [] }
  const others = roles.filter((role) => !service.access.roles.includes(role) && isNarrower([role], service, facts))
  if (isMasterData(element) && others.length > 0) return { variant: 'roles', restricted: [], roles: others }
  if (service.access.kind === 'authenticated' && FOR_ADMINISTRATORS.test(toWords(service.name.split('.').at(-1) ?? '')))
    return { variant: 'administration', restricted: [], roles: [] }
  // what an assistant answers all its users from: texts are found by their vectors
  const vector = vectorOf(element, root)
  if (vector !== undefined) return { variant: 'knowledge', restricted: [], roles: [], element: vector.name }
  if (!isForPlainUsers(service)) return undefined
  const single = privateReason(element, root)
  if (single !== undefined) return single
  const person = personOf(element, root)
  return person === undefined ? undefined : { variant: 'person', restricted: [], roles: [], element: person, isAssumed: true }
}

function vectorOf(element: CapElement, root: CapRoot): CapMember | undefined {
  return [...root.membersOf(sourceNameOf(element)).values()].find(({ type }) => type === 'Vector')
}

/** Rows of a table without a key, whose vector the service leaves out and nothing computes. Fact: OData 4.01, part 2, "Canonical URL": an entity is addressed by its key. */
function isAddedOnly(element: CapElement, handlers: readonly EntityHandler[], root: CapRoot): boolean {
  const members = element.members()
  const source = sourceNameOf(element)
  const vector = vectorOf(element, root)
  if (vector === undefined || vector.calculated || members.some(({ key, name }) => key || name === vector.name)) return false
  // what it includes and is not in the project may have the key
  if (members.length === 0 || root.runtime === 'java' || root.lookUp(source, 'ID') !== 'missing') return false
  const names = new Set([...projectedNames(root, element.qualified)].map((name) => lastName(name)))
  const isForRows = ({ events, entities }: HandlerRegistration): boolean =>
    events.some((name) => name === undefined || ADDS.test(name)) && (entities?.some((name) => names.has(name)) ?? true)
  root.step(handlers.length)
  return (
    !handlers.some(({ events }) => events.some((name) => ADDS.test(name))) &&
    !root.scripts.get(handlerRegistrations).some(({ value }) => value.phase !== 'reject' && isForRows(value))
  )
}

/** Where a handler may compute what the service leaves out. */
const ADDS = /^(?:CREATE|NEW|SAVE|WRITE|UPSERT|INSERT|\*)$/

/** Entities of which users change their own rows alone, and which choose a row of this one; `users`: their roles, where they have some. */
function ownedRowsTo(element: CapElement, { elements }: CapService, root: CapRoot): Pick<Reason, 'restricted' | 'users'> {
  root.step(elements.length)
  const source = sourceNameOf(element)
  const owning = elements.flatMap((one) => {
    const leads = one !== element && one.members().some(({ type, target }) => type === 'Association' && target === source)
    const roles = one.kind === 'entity' && leads ? rolesOfOwners(one) : undefined
    return roles === undefined ? [] : [{ name: one.name, roles }]
  })
  const users = [...new Set(owning.flatMap(({ roles }) => roles))]
  const areNamed = users.every((role) => !PSEUDO_ROLES.has(role))
  return { restricted: owning.map(({ name }) => name), ...(areNamed && users.length > 0 && { users }) }
}

const FOR_ADMINISTRATORS = /(?:^| )(?:admin|administration|administrator|back ?office|super ?user)(?: |$)/

/** The same rows, or those that they are a part of, are written by some roles alone. */
function reasonOfRows(element: CapElement, service: CapService, isGranted: boolean, facts: RightsFacts): Reason | undefined {
  const { root, elsewhere, narrowOf } = facts
  const source = sourceNameOf(element)
  const others = (elsewhere.get(source) ?? []).filter(
    ({ name, roles }) => name !== `${service.name}.${element.name}` && isNarrower(roles, service, facts),
  )
  const own = others.filter(({ isOwn }) => isOwn)
  const changes = accepts(element, 'UPDATE') || accepts(element, 'DELETE')
  if (others.length > 0 && changes) {
    const said = own.length > 0 ? own : others
    return {
      variant: 'same',
      restricted: said.map(({ name }) => name),
      roles: said.flatMap(({ roles }) => roles),
    }
  }
  if (isGranted) return undefined
  const whole = narrowOf(service).written.find((one) => one !== element && composedOf(one, root).has(source))
  return whole && { variant: 'part', restricted: [whole.name], roles: writeRights(whole).roles }
}

/** Rows of a composition that some roles alone write in another service, and whose own entity in this one says nothing: who writes the whole writes them. */
function restrictedPart(element: CapElement, service: CapService, facts: RightsFacts): Elsewhere | undefined {
  const { root, elsewhere } = facts
  if (elsewhere.size === 0 || !accepts(element, 'UPDATE')) return undefined
  for (const source of composedOf(element, root)) {
    const found = elsewhere.get(source)?.find((one) => one.service !== service && isNarrower(one.roles, service, facts))
    root.step(1 + service.elements.length)
    if (found !== undefined && !service.elements.some((one) => sourceNameOf(one) === source && isHeldBack(one))) return found
  }
  return undefined
}

function isHeldBack(element: CapElement): boolean {
  return element.kind === 'entity' && element.query?.where === undefined && writeRights(element).by !== 'open'
}

/** Users read their own rows alone, and the same annotation lets them change all. */
function reasonOfReading(element: CapElement): Reason | undefined {
  const privileges = privilegesOf(element.annotations.get('restrict')?.value)
  const reading = privileges.filter((privilege) => grantsEvent(privilege, 'READ'))
  const owners = reading.map(ownerOf)
  const [owner] = owners
  const grants = (event: 'UPDATE' | 'DELETE'): boolean =>
    privileges.some((privilege) => privilege.where === undefined && grantsEvent(privilege, event))
  const changes = grants('UPDATE')
  if (owner === undefined || owners.includes(undefined) || !(changes || grants('DELETE'))) return undefined
  // nobody guesses the key of a row that nothing shows
  const keys = element.members().filter(({ key }) => key)
  const isAssumed = !changes && keys.length > 0 && keys.every(({ type }) => type === 'UUID' || type === 'cds.UUID')
  return { variant: 'reads', restricted: [], roles: [], element: owner, ...(isAssumed && { isAssumed }) }
}

function reasonOfDecision(element: CapElement, service: CapService, facts: RightsFacts): Reason | undefined {
  const decision = decisionOf(element, service)
  if (decision === undefined || !isNarrower(decision.roles, service, facts) || !accepts(element, 'UPDATE')) return undefined
  return { variant: 'action', restricted: [decision.action], roles: decision.roles, element: decision.element }
}

function reasonOfOperations(element: CapElement, service: CapService, facts: RightsFacts): Reason | undefined {
  const operations = operationsOf(element, service)
  if (operations === undefined || !isNarrower(operations.roles, service, facts)) return undefined
  return { variant: 'operation', restricted: operations.actions, roles: operations.roles }
}

/** Handlers ask for a role where some rows are written, and CAP calls none of them where others are changed or deleted. */
function reasonOfEvents(
  element: CapElement,
  service: CapService,
  writing: readonly EntityHandler[],
  root: CapRoot,
): Reason | undefined {
  const unchecked = uncheckedEvents(element, service, writing, root)
  const checked = unchecked?.checked.filter((event) => event !== 'READ' && event !== 'each') ?? []
  if (unchecked === undefined || checked.length === 0) return undefined
  const left = unchecked.left.filter((event) => event !== 'CREATE')
  return { variant: 'events', restricted: checked, roles: [], element: left.join(', ') }
}

function reasonOfKey(key: string): Reason {
  return { variant: 'credentials', restricted: [], roles: [], element: key }
}
