import { CRUD_EVENT, type CapElement, type CapRoot, type CapService, type ExposedMember } from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'
import type { Span } from '../../../types.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'
import { stateHandlers, type StateHandler } from '../_rows/decided-states.ts'

export const CREATES: readonly string[] = ['CREATE', 'INSERT', 'UPSERT', 'SAVE', 'WRITE', '*']
export const UPDATES: readonly string[] = ['UPDATE', 'PATCH', 'UPSERT', 'SAVE', 'WRITE', '*']

/**
 * Fact: capire, "Fiori Drafts": NEW, and CREATE of drafts, make a draft that PATCH changes before it is activated by CREATE or UPDATE of the entity.
 */
export function runsFor({ events, isForDrafts }: StateHandler, written: 'CREATE' | 'UPDATE'): boolean {
  if (isForDrafts) return events.some((name) => UPDATES.includes(name))
  return events.some((name) => (written === 'CREATE' ? CREATES : UPDATES).includes(name))
}

/** One that only notes the roles of the caller, and neither refuses anything nor stands instead of what CAP does, keeps nobody out. */
export function mayAsk({ isOpen, asksRole, refuses, phase }: StateHandler): boolean {
  return isOpen || (asksRole && (refuses || phase === 'on' || phase === 'prepend'))
}

/** The same of an element: what a handler fills in where clients leave it out, it means to take from them otherwise, whatever it calls beside that. */
export function mayAskFor(handler: StateHandler, element: string): boolean {
  return mayAsk(defaultOf(handler, element) === undefined ? handler : { ...handler, isOpen: false })
}

/** Where a handler fills an element in for clients who leave it out. */
export function defaultOf({ defaults }: StateHandler, element: string): Span | undefined {
  return defaults.find(({ name }) => isNamed(name, element))
}

/** What only reads an element, to fill in another one or to do something besides, lets CAP store what clients send for it. */
export function looksAt({ touches, sets, overwrites, refuses, isOpen, phase }: StateHandler, element: string): boolean {
  const isElement = (name: string): boolean => isNamed(name, element)
  const isInTheWay = refuses || isOpen || phase === 'on' || phase === 'prepend' || overwrites.some(isElement)
  return sets.some((one) => isElement(one.element)) || (isInTheWay && touches.some(isElement))
}

/** A handler looks at the element only where clients send another one, which a change may leave out: keys it can't. */
export function isLate({ touches, lateTouches, sets }: StateHandler, { entity, member }: ExposedMember): boolean {
  if (sets.some(({ element }) => isNamed(element, member.name))) return false
  const isKey = (name: string): boolean => entity.members().some((one) => one.key && isNamed(name, one.name))
  return touches.every((name) => {
    if (!isNamed(name, member.name)) return true
    const needs = lateTouches.find((late) => late.name === name)?.needs
    return needs !== undefined && !needs.some((one) => isNamed(one, member.name) || isKey(one))
  })
}

/**
 * Whether a handler of a service stands in the way of clients who change an element: it refuses requests, looks at the element, stores something itself, or nobody can tell.
 * Needs the extract `stateHandlers`.
 */
export function isChangeHandled(root: CapRoot, service: CapService, { qualified }: CapElement, element: string): boolean {
  const names = projectedNames(root, qualified)
  const handlers = root.scripts.get(stateHandlers)
  root.step(handlers.length)
  return handlers.some(({ file, value }) => {
    if (!isForEntity(value, names) || !runsFor(value, 'UPDATE')) return false
    const isInTheWay =
      value.isOpen || value.refuses || value.phase === 'on' || value.overwrites.includes(element) || looksAt(value, element)
    if (!isInTheWay) return false
    const { services, isCertain } = root.eventOf({ file, ...value, events: [] })
    return !isCertain || services.includes(service)
  })
}

/** A handler is for all entities, or for one of these names (`projectedNames`). */
export function isForEntity({ entities }: Pick<StateHandler, 'entities'>, names: ReadonlySet<string>): boolean {
  return entities === undefined || entities.some((name) => names.has(lastName(name)))
}

/** `status_code` is the key of the association `status`. */
export function isNamed(name: string, element: string): boolean {
  return name === element || (name.startsWith(`${element}_`) && !name.slice(element.length + 1).includes('_'))
}

/** The key of an association that has a condition is an element beside it. */
export function isSame({ entity, member }: ExposedMember, name: string): boolean {
  if (member.type !== 'Association' || name === member.name) return name === member.name
  return isNamed(name, member.name) && !entity.members().some((other) => other.name === name)
}

export function isOf({ source }: ExposedMember, entity: string, { elements }: CapService): boolean {
  const named = elements.filter(({ kind, name }) => kind === 'entity' && name === entity)
  return named.length > 0 ? named.some((one) => one.source?.name === source.name) : lastName(source.name) === entity
}

/** The actions of a service that a handler is for. */
export function actionsOf(
  { elements }: CapService,
  { events, entities }: Pick<StateHandler, 'events' | 'entities'>,
): readonly CapElement[] {
  return elements.filter(
    ({ kind, name, entity }) =>
      kind === 'action' &&
      events.includes(lastName(name)) &&
      (entity === undefined || entities === undefined || entities.includes(lastName(entity))),
  )
}

/** The entities or actions of a service that a handler is for. */
export function handledElements(
  root: CapRoot,
  service: CapService,
  handled: Pick<StateHandler, 'events' | 'entities'>,
): readonly CapElement[] {
  const { events, entities } = handled
  root.step(service.elements.length)
  const rows = events.some((name) => CRUD_EVENT.test(name))
    ? service.elements.filter(({ kind, name }) => kind === 'entity' && entities?.includes(lastName(name)) === true)
    : []
  return [...rows, ...actionsOf(service, handled)]
}
