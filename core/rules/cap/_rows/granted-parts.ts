import {
  accepts,
  AUTHENTICATED_ROLES,
  entityWords,
  grantsEvent,
  isPeople,
  isDraftEnabled,
  isTrue,
  placeIn,
  privilegesOf,
  servedServices,
  type CapElement,
  type CapMember,
  type CapRoot,
  type CapService,
  type Privilege,
  type WriteEvent,
  writersOf,
  sourceNameOf,
  toWords,
} from '../../../model/cap/index.ts'
import type { Place } from '../../../types.ts'
import { singular } from '../_model/entity-rights.ts'
import { isPlain, limitOf } from './owned-entities.ts'

/** An entity whose `@restrict` gives a role all rows to change, although they belong to rows of which the role may change its own ones alone. */
export interface GrantedPart {
  readonly service: CapService
  readonly element: CapElement
  readonly whole: CapElement
  /** The element that tells whose row of the whole it is. */
  readonly owner: string
  readonly roles: readonly string[]
  readonly at: Place
  /**
   * `owned`: a row is nothing without the whole, it is composed of it or has its key · `mine`: it refers to the whole, and the service calls both rows of the user ·
   * `associated`: it refers to the whole, and that to it, or its name says so.
   */
  readonly belonging: 'owned' | 'mine' | 'associated'
}

/** What a role may change in rows of its users alone: for each event the element that tells whose they are. */
type Limits = ReadonlyMap<string, { readonly owner: string; readonly events: readonly WriteEvent[] }>

interface Step {
  readonly to: string
  readonly isOwned: boolean
  readonly isComposed: boolean
}

interface Whole {
  readonly element: CapElement
  readonly limits: Limits
}

/** Rows of a user, by what the service calls them. */
const MINE = /^(?:[Mm]y|[Oo]wn)(?=[A-Z_])/

/** Creating what belongs to rows of others is often meant: comments, requests. */
export const CHANGES: readonly WriteEvent[] = ['UPDATE', 'DELETE']

/** Steps from a part to its whole: a version of an article, a line of that version. */
const FARTHEST = 2

export function* grantedParts(root: CapRoot): Generator<GrantedPart> {
  const free = freeWriters(root)
  for (const service of servedServices(root)) {
    const restricted = service.elements.filter(({ kind, annotations }) => kind === 'entity' && annotations.has('restrict'))
    if (restricted.length < 2) continue
    const wholes = new Map<string, Whole>()
    for (const element of restricted) {
      root.step()
      const others = free.get(sourceNameOf(element))
      const limits = new Map([...limitsOf(element)].filter(([role]) => others?.has(role) !== true))
      if (limits.size > 0 && others?.has('any') !== true && !isOfPeople(element))
        wholes.set(sourceNameOf(element), { element, limits })
    }
    if (wholes.size === 0) continue
    for (const element of restricted) {
      const first = isPlain(element) ? partAmong(element, wholes, root) : undefined
      if (first !== undefined) yield { service, element, ...first }
    }
  }
}

function partAmong(
  element: CapElement,
  wholes: ReadonlyMap<string, Whole>,
  root: CapRoot,
): Omit<GrantedPart, 'service' | 'element'> | undefined {
  const [part] = partsAmong(element, wholes, root, false)
  if (part !== undefined) return part
  // what merely refers to rows of a user may be anything; a name tells what it is to be
  for (const found of partsAmong(element, wholes, root, true)) {
    const isMine = MINE.test(element.name) && MINE.test(found.whole.name)
    if (isMine) return { ...found, belonging: 'mine' }
    if (isNamedPart(element, found.whole, root)) return { ...found, belonging: 'associated' }
  }
  return undefined
}

/** What is made of rows for all, or what rows are sorted by: `TaskTemplates`, `TaskCategories`. */
const OF_ALL =
  /(?:^| )(?:templates?|categor(?:y|ies)|types?|kinds?|groups?|settings?|status(?:es)?|views?|class(?:es)?|tags?|priorit(?:y|ies))$/

/** `ClaimItems` of `Claims`, which refer to it as `claim` or cannot be without it. */
function isNamedPart(part: CapElement, whole: CapElement, root: CapRoot): boolean {
  const words = singular(entityWords(sourceNameOf(whole)))
  const own = entityWords(sourceNameOf(part))
  if (words.length <= 3 || !own.startsWith(`${words} `) || OF_ALL.test(own)) return false
  return [...root.membersOf(sourceNameOf(part)).values()].some((member) => {
    root.step()
    if (member.target === undefined || member.toMany) return false
    const to = root.projected(member.target).at(-1) ?? member.target
    if (to !== sourceNameOf(whole)) return false
    const called = toWords(member.name)
    return (
      called === words ||
      words.endsWith(` ${called}`) ||
      /^(?:parent|up_?|owner)$/.test(member.name) ||
      isTrue(member.annotations.get('mandatory')?.value)
    )
  })
}

function* partsAmong(
  element: CapElement,
  wholes: ReadonlyMap<string, Whole>,
  root: CapRoot,
  isAny: boolean,
): Generator<Omit<GrantedPart, 'service' | 'element'>> {
  const annotation = element.annotations.get('restrict')
  if (annotation === undefined) return
  const source = sourceNameOf(element)
  const seen = new Set([source])
  let here: readonly Step[] = [{ to: source, isOwned: true, isComposed: true }]
  for (let far = 0; far < FARTHEST; far++) {
    here = here.flatMap((from) =>
      stepsFrom(from.to, root, isAny).flatMap((step) => {
        if (seen.has(step.to)) return []
        seen.add(step.to)
        return [{ to: step.to, isOwned: from.isOwned && step.isOwned, isComposed: from.isComposed && step.isComposed }]
      }),
    )
    for (const { to, isOwned, isComposed } of here) {
      const whole = wholes.get(to)
      if (whole === undefined || (isComposed && isDraftEnabled(whole.element))) continue
      const found = freeRoles(element, whole.limits)
      const [first] = found
      if (first === undefined) continue
      yield {
        whole: whole.element,
        owner: first.owner,
        roles: found.map(({ role }) => role),
        at: placeIn(annotation, first.grant.record),
        belonging: isOwned ? 'owned' : 'associated',
      }
    }
  }
}

interface FreeRole {
  readonly role: string
  readonly owner: string
  readonly grant: Privilege
}

/** The roles that change their own rows of the whole and all rows of the part. */
function freeRoles(part: CapElement, limits: Limits): readonly FreeRole[] {
  const privileges = privilegesOf(part.annotations.get('restrict')?.value)
  return [...limits].flatMap(([role, { owner, events }]) => {
    const own = privileges.filter(({ to }) => to?.includes(role) === true)
    // one that asks for the user somewhere tells what its author thought of
    if (own.some((privilege) => limitOf(privilege) !== undefined)) return []
    const accepted = events.filter((event) => accepts(part, event))
    const grant = own.find((one) => one.where === undefined && accepted.some((event) => grantsEvent(one, event)))
    return grant === undefined ? [] : [{ role, owner, grant }]
  })
}

/** Each role to which every grant of an event has a condition on the user. */
function limitsOf({ annotations }: CapElement): Limits {
  const privileges = privilegesOf(annotations.get('restrict')?.value)
  const found = new Map<string, { owner: string; events: readonly WriteEvent[] }>()
  for (const privilege of privileges) {
    const owner = limitOf(privilege)
    if (owner === undefined) continue
    for (const role of privilege.to ?? []) {
      const events = CHANGES.filter((event) => grantsEvent(privilege, event) && !isFreeFor(role, event, privileges))
      if (events.length > 0) found.set(role, { owner, events: [...(found.get(role)?.events ?? []), ...events] })
    }
  }
  return found
}

/** Another grant of the event reaches users with the role, whatever rows it is about. */
function isFreeFor(role: string, event: WriteEvent, privileges: readonly Privilege[]): boolean {
  return privileges.some(
    (privilege) =>
      grantsEvent(privilege, event) &&
      limitOf(privilege) === undefined &&
      (privilege.to === undefined || privilege.to.some((one) => one === role || one === 'any' || one === 'authenticated-user')),
  )
}

/** The roles that change all rows of a table by some entity; `any`: all users do. */
function freeWriters(root: CapRoot): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const service of servedServices(root))
    for (const element of service.elements) {
      root.step()
      if (!CHANGES.some((event) => accepts(element, event))) continue
      const limits = limitsOf(element)
      const roles = writersOf(element, service, CHANGES).filter((role) => !limits.has(role))
      const known = found.get(sourceNameOf(element)) ?? new Set<string>()
      found.set(sourceNameOf(element), known)
      for (const role of roles) known.add(AUTHENTICATED_ROLES.has(role) ? 'any' : role)
    }
  return found
}

/** Where a row of an entity leads by an association to one row that knows it in turn, or whose key it has. */
function stepsFrom(name: string, root: CapRoot, isAny: boolean): readonly Step[] {
  return [...root.membersOf(name).values()].flatMap((member): Step[] => {
    root.step()
    if (member.target === undefined || member.toMany) return []
    const to = root.projected(member.target).at(-1) ?? member.target
    const back = backTo(name, to, root)
    if (!isAny && !member.key && back === undefined) return []
    const isComposed = back?.type === 'Composition'
    return [{ to, isOwned: isComposed || member.key, isComposed }]
  })
}

function backTo(name: string, whole: string, root: CapRoot): CapMember | undefined {
  const backs = [...root.membersOf(whole).values()].filter(({ target, toMany }) => {
    root.step()
    return toMany && target !== undefined && (root.projected(target).at(-1) ?? target) === name
  })
  return backs.find(({ type }) => type === 'Composition') ?? backs[0]
}

/** Everybody may change their own profile: what refers to people does not belong to them. */
function isOfPeople(element: CapElement): boolean {
  return isPeople(entityWords(sourceNameOf(element))) || isPeople(entityWords(element.qualified))
}
