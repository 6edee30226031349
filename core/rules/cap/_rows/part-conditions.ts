import { listNames } from '../../../arguments.ts'
import {
  accepts,
  conditionOf,
  grantsEvent,
  placeIn,
  privilegesOf,
  servedServices,
  type CapElement,
  type CapRoot,
  type CapService,
  type Privilege,
  sourceNameOf,
} from '../../../model/cap/index.ts'
import type { Match } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import { createHandledReader } from '../_callers/caller-checks.ts'
import { draftParts } from '../_model/draft-parts.ts'
import { composedOf } from '../_model/entity-rights.ts'
import { usersWith } from '../_matches.ts'
import { createUngrantedReader } from '../_callers/ungranted-roles.ts'
import { isPlain, ownerOf } from './owned-entities.ts'
import { exposureOfRoles } from '../_model/restricted-exposures.ts'
import { handlersFor, unaskedOf } from '../_handlers/write-handlers.ts'

/** An entity that gives users their own rows alone, and one of what these rows are composed of, for all rows. */
interface Part {
  readonly service: CapService
  readonly whole: CapElement
  readonly element: CapElement
}

/**
 * Privileges without a condition for the parts of rows that the same users get under a condition alone: CAP checks the entity that a request addresses. Needs the extracts
 * `entityHandlers`, `givenRoles` and `callerCheckExtracts`.
 */
export function* partsWithoutCondition(root: CapRoot, project: Pick<Project, 'reach' | 'securityOf'>): Generator<Match> {
  const isUngranted = createUngrantedReader(root, project)
  let isHandled: ReturnType<typeof createHandledReader> | undefined
  for (const part of partsOf(root)) {
    const { service, whole, element } = part
    const annotation = element.annotations.get('restrict')
    if (annotation === undefined) continue
    for (const privilege of privilegesOf(annotation.value)) {
      root.step()
      if (privilege.where !== undefined) continue
      const callers = privilege.to ?? (service.access.kind === 'roles' ? service.access.roles : ['authenticated-user'])
      const isLimitedFor = (role: string, event: (typeof EVENTS)[number]): boolean =>
        !TRUSTED.test(role) && isLimited(whole, role, event)
      const own = callers.filter((role) => isLimitedFor(role, 'READ'))
      // who reads rows of others under another condition may still change their own alone
      const roles = own.length > 0 ? own : callers.filter((role) => isLimitedFor(role, 'UPDATE'))
      if (roles.length === 0) continue
      const granted = EVENTS.filter(
        (event) => grantsEvent(privilege, event) && (event === 'READ' ? own.length > 0 : accepts(element, event)),
      )
      const events = granted.length === 0 ? [] : unaskedOf(granted, handlersFor(root, service, element))
      const base = {
        at: placeIn(annotation, privilege.record),
        key: `${service.name}.${element.name}`,
        exposure: exposureOfRoles(service, element, roles, project.reach, { events, isUngranted }),
      }
      const args = {
        entity: `${service.name}.${element.name}`,
        users: usersWith(roles),
        whole: `${service.name}.${whole.name}`,
        events: listNames(events),
      }
      if (events.length > 0) {
        yield { ...base, args: { ...args, condition: conditionFor(part, roles, root) }, variant: 'part' }
        continue
      }
      if (own.length === 0 || granted.length > 0 || !grantsEvent(privilege, 'CREATE') || !accepts(element, 'CREATE')) continue
      if (draftParts(service, root).has(sourceNameOf(element))) continue
      isHandled ??= createHandledReader(root)
      if (isHandled(service, element, 'CREATE')) continue
      // who adds to a row of others has to know its key
      const isGuessable = whole.members().some(({ key, type }) => key && type !== 'UUID')
      yield {
        ...base,
        args: { ...args, part: element.name },
        variant: 'create',
        evidence: isGuessable ? 'shown' : 'assumed',
      }
    }
  }
}

const EVENTS = ['READ', 'UPDATE', 'DELETE'] as const
/** Users who may well get the parts of all rows. */
const TRUSTED = /admin|superuser|audit|support|system-user|internal-user|technical/i

function* partsOf(root: CapRoot): Generator<Part> {
  for (const service of servedServices(root)) {
    const entities = service.elements.filter(({ kind, access }) => kind === 'entity' && access?.kind !== 'none')
    for (const whole of entities) {
      if (!privilegesOf(whole.annotations.get('restrict')?.value).some(limitsToUser)) continue
      const composed = composedOf(whole, root)
      const made = madeBy(whole)
      for (const element of entities) {
        root.step()
        const isPart = composed.has(sourceNameOf(element)) || made.has(endOf(element))
        if (element !== whole && isPart && isPlain(element) && !element.annotations.has('requires'))
          yield { service, whole, element }
      }
    }
  }
}

/** `Orders.items`, what `items : Composition of many { … }` makes, or one of an aspect: no definition has its name. */
function madeBy({ source, members }: CapElement): ReadonlySet<string> {
  const owner = (source?.name ?? '').split('.').at(-1)
  return new Set(members().flatMap(({ name, type }) => (type === 'Composition' ? [`${owner}.${name}`] : [])))
}

/** The last two parts of what a projection reads, where no definition of the project has that name. */
function endOf({ qualified, source, query }: CapElement): string {
  const steps = query?.sources[0]?.path.split('.') ?? []
  return source?.name === qualified && steps.length > 2 ? steps.slice(-2).join('.') : ''
}

/** Whatever a role reads or changes of an entity is under a condition on the user. */
export function isLimited({ annotations }: CapElement, role: string, event: 'READ' | 'UPDATE' | 'DELETE'): boolean {
  const privileges = privilegesOf(annotations.get('restrict')?.value).filter(
    (privilege) => grantsEvent(privilege, event) && (privilege.to?.some((to) => to === role || EVERYBODY.has(to)) ?? true),
  )
  return privileges.length > 0 && privileges.every(limitsToUser)
}

const EVERYBODY: ReadonlySet<string> = new Set(['any', 'authenticated-user', 'identified-user'])

/** `where: 'owner = $user'`: rows of the user alone. */
export function limitsToUser({ where }: Privilege): boolean {
  const condition = where && conditionOf(where)
  return condition !== undefined && typeof condition !== 'string' && condition.paths.some(({ name }) => /^\$user\b/.test(name))
}

/** `session.owner = $user`: the condition of the whole for these roles, as a part would write it. */
function conditionFor({ whole, element }: Part, roles: readonly string[], root: CapRoot): string {
  const limiting = privilegesOf(whole.annotations.get('restrict')?.value).filter(limitsToUser)
  const own = limiting.filter(({ to }) => to?.some((role) => roles.includes(role) || EVERYBODY.has(role)) ?? true)
  const owner = (own.length > 0 ? own : limiting).map(ownerPathOf).find((name) => name !== undefined)
  const chain = new Set(root.projected(whole.qualified))
  const parent = element
    .members()
    .find(({ type, toMany, target }) => type === 'Association' && !toMany && target !== undefined && chain.has(target))
  return `${parent?.name ?? '<parent>'}.${owner ?? '<owner>'} = $user`
}

/** `keeper.login` of `keeper.login = $user`. */
function ownerPathOf(privilege: Privilege): string | undefined {
  const owner = ownerOf(privilege)
  const condition = privilege.where && conditionOf(privilege.where)
  if (owner === undefined || condition === undefined || typeof condition === 'string') return owner
  const names = condition.paths.map(({ base, name }) => (base === undefined ? name : `${base}.${name}`))
  return names.find((name) => name.endsWith(`.${owner}`)) ?? owner
}
