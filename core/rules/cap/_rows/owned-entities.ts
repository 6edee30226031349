import {
  conditionOf,
  grantsEvent,
  privilegesOf,
  PSEUDO_ROLES,
  servedServices,
  type CapElement,
  type CapRoot,
  type CapService,
  type Privilege,
  sourceNameOf,
} from '../../../model/cap/index.ts'
import type { Place } from '../../../types.ts'
import { createRegistrationReader, readingsOf } from '../_model/open-readings.ts'
import { createHandedReader } from '../_handlers/handed-services.ts'
import { rowFilters } from './row-filters.ts'

/** An entity of a service that gives users their own rows alone. */
export interface OwnedEntity {
  readonly service: CapService
  readonly element: CapElement
  /** The element that tells whose row it is. */
  readonly owner: string
  /** It limits what is read, what is changed. */
  readonly reads: boolean
  readonly writes: boolean
  /** By the condition of a projection instead of `@restrict`. */
  readonly byQuery: boolean
  /** The roles that have their own rows alone; empty: every user. */
  readonly roles: readonly string[]
  /** Of one that a handler limits: where it adds the condition. CAP calls it where a request names the entity, and for nothing else. */
  readonly filter?: Place
  /** That handler answers by itself, with rows of the caller alone. */
  readonly isAnswered?: true
  /** The roles that such a handler lets pass; undefined: nobody can tell. */
  readonly exempt?: readonly string[]
}

/**
 * Entities with `where: owner = $user`, in `@restrict` or in the query of the projection, and those that a handler limits to rows of the caller. Needs the extract
 * `rowFilters` and `callerCheckExtracts`.
 */
export function ownedEntities(root: CapRoot): readonly OwnedEntity[] {
  const annotated = annotatedEntities(root)
  const known = new Set(annotated.map(({ element }) => element))
  return [...annotated, ...filteredEntities(root).filter(({ element }) => !known.has(element))]
}

/** Not what all users of a tenant, or of a language, have in common. */
const SHARED = /tenant|locale|country|language/i

/** Entities to whose queries a handler adds a condition about who calls. */
function filteredEntities(root: CapRoot): readonly OwnedEntity[] {
  const filters = root.scripts.get(rowFilters)
  if (root.runtime === 'java' || filters.length === 0) return []
  const registered = createRegistrationReader(root)
  const handed = createHandedReader(root)
  return filters.flatMap(({ file, value }) => {
    root.step()
    const { column, roles, exempt, isUnsure, isAnswer, exported, start, end } = value
    if (column === undefined || isUnsure || SHARED.test(column)) return []
    const handlers = exported === '' ? [{ ...value, file, events: ['READ'] }] : registered(file, exported)
    return handlers.flatMap((handler) =>
      readingsOf(root, handed(handler)).flatMap(({ service, element }) => {
        // a list of one's own rows is a convenience beside one of all
        if (/^(?:[Mm]y|[Oo]wn)(?=[A-Z_])/.test(element.name) && isSharedElsewhere(element, root)) return []
        const filter = { file, span: { start, end } }
        return {
          service,
          element,
          owner: column,
          reads: true,
          writes: false,
          byQuery: false,
          roles,
          filter,
          ...(isAnswer === true && { isAnswered: true as const }),
          ...(exempt !== undefined && { exempt }),
        }
      }),
    )
  })
}

function annotatedEntities(root: CapRoot): readonly OwnedEntity[] {
  return servedServices(root).flatMap((service) =>
    service.elements.flatMap((element): OwnedEntity[] => {
      root.step()
      if (element.kind !== 'entity') return []
      const privileges = privilegesOf(element.annotations.get('restrict')?.value)
      const owner = privileges.flatMap((privilege) => limitOf(privilege) ?? [])[0]
      if (owner !== undefined) {
        const [reads, writes] = [isLimited(privileges, ['READ']), isLimited(privileges, ['UPDATE', 'DELETE'])]
        const roles = privileges.flatMap((privilege) => (limitOf(privilege) === undefined ? [] : (privilege.to ?? [])))
        return [{ service, element, owner, reads, writes, byQuery: false, roles }]
      }
      const filter = ownerIn(element.query?.where?.text)
      if (filter === undefined || isSharedElsewhere(element, root)) return []
      return [{ service, element, owner: filter, reads: true, writes: element.writable, byQuery: true, roles: [] }]
    }),
  )
}

/** Users have such an event for their own rows, and nobody but a role has it for all. */
function isLimited(privileges: readonly Privilege[], events: readonly ('READ' | 'UPDATE' | 'DELETE')[]): boolean {
  const granting = privileges.filter((privilege) => events.some((event) => grantsEvent(privilege, event)))
  const own = granting.filter((privilege) => limitOf(privilege) !== undefined)
  const roles = new Set(own.flatMap(({ to }) => to ?? []))
  const others = granting.filter(({ where }) => where === undefined)
  return own.length > 0 && others.every(({ to }) => to?.every((role) => !PSEUDO_ROLES.has(role) && !roles.has(role)) === true)
}

/** The condition of a projection is a convenience where all rows are shown to the same users on purpose. */
function isSharedElsewhere({ source, qualified }: CapElement, root: CapRoot): boolean {
  return root.services.some(
    ({ elements, access }) =>
      access.kind === 'authenticated' &&
      elements.some(
        (one) => one.kind === 'entity' && one.qualified !== qualified && one.source?.name === source?.name && isPlain(one),
      ),
  )
}

/** It shows all rows of one entity, with all that tells them apart. */
export function isPlain({ query }: CapElement): boolean {
  if (query === undefined) return true
  const { kind, where, sources, columns } = query
  if (kind === 'set' || where !== undefined || sources.length !== 1 || sources[0]?.element !== undefined) return false
  return columns === undefined || columns.some(({ name }) => name === '*')
}

/** `owner = $user`: the element that is compared with the user. */
export function ownerOf({ where }: Privilege): string | undefined {
  const condition = where === undefined ? undefined : conditionOf(where)
  return condition === undefined || typeof condition === 'string' ? undefined : ownerIn(condition.text)
}

/** The roles whose users change their own rows alone; other roles, such as that of a manager, may change all. Undefined: all users may. */
export function rolesOfOwners({ annotations }: CapElement): readonly string[] | undefined {
  const changing = privilegesOf(annotations.get('restrict')?.value).filter((privilege) => grantsEvent(privilege, 'UPDATE'))
  const owned = changing.filter((privilege) => ownerOf(privilege) !== undefined)
  const roles = owned.flatMap(({ to }) => to ?? ['any'])
  const isOfOthers = ({ to }: Privilege): boolean =>
    to?.every((role) => !PSEUDO_ROLES.has(role) && !roles.includes(role)) === true &&
    !roles.some((role) => PSEUDO_ROLES.has(role))
  return owned.length > 0 && changing.every((one) => owned.includes(one) || isOfOthers(one)) ? roles : undefined
}

/** The same, or `exists guest[login = $user]`, where an associated row tells whose it is: `guest.login`. */
export function limitOf(privilege: Privilege): string | undefined {
  const condition = privilege.where === undefined ? undefined : conditionOf(privilege.where)
  if (condition === undefined || typeof condition === 'string') return undefined
  const [, path, owner] = ASSOCIATED.exec(condition.text) ?? []
  return ownerIn(condition.text) ?? (path === undefined || owner === undefined ? undefined : `${path}.${owner}`)
}

const ASSOCIATED = /\bexists\s{1,10}([A-Za-z_][\w.]{0,100})\[\s{0,4}([A-Za-z_]\w{0,60})\s{0,4}=\s{0,4}\$user(?:\.id)?\s{0,4}\]/

function ownerIn(text = ''): string | undefined {
  const found = OWNER.exec(text)
  // `exists members[login = $user]`: whose rows these are, another entity says
  const before = text.slice(0, found?.index ?? 0)
  const isOfOther = before.lastIndexOf('[') > before.lastIndexOf(']') || /\bselect\b/i.test(before)
  return isOfOther ? undefined : found?.slice(1).find((name) => name !== undefined)
}

const OWNER = /\b([A-Za-z_]\w{0,60})\s{0,4}=\s{0,4}\$user(?:\.id)?\b|\$user(?:\.id)?\s{0,4}=\s{0,4}([A-Za-z_]\w{0,60})/

/** An entity, in a service or not. */
export type RowsOf = Pick<CapElement, 'qualified' | 'source'>

/** A definition whose rows belong to those of another one. */
export interface OwnedPart<Whole extends { readonly element: RowsOf }> {
  readonly of: Whole
  /** A composition leads there; else an association to many rows. */
  readonly composition: boolean
  /** An association to many rows leads there from rows that such a one leads to. */
  readonly isFar?: true
}

/**
 * What belongs to the rows of an entity, by its name in the database: all that it is composed of, what refers to its rows from many sides, and what refers to those:
 * bookings of the rooms of a hotel.
 */
export function partsOf<Whole extends { readonly element: RowsOf }>(
  owned: Whole,
  root: CapRoot,
): ReadonlyMap<string, OwnedPart<Whole>> {
  const found = new Map<string, OwnedPart<Whole>>()
  const open = [sourceNameOf(owned.element)]
  const [first] = open
  const sources = new Set(open)
  const associated = new Set<string>()
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    const isFar = associated.has(here)
    for (const { target, type, toMany } of root.membersOf(here).values()) {
      root.step()
      const composition = type === 'Composition' && !isFar
      if (target === undefined || (!composition && !(toMany && (here === first || isFar)))) continue
      const name = root.projected(target).at(-1) ?? target
      if (sources.has(name)) continue
      sources.add(name)
      found.set(name, { of: owned, composition, ...(isFar && { isFar }) })
      if (composition) open.push(name)
      else if (here === first) {
        associated.add(name)
        open.unshift(name)
      }
    }
  }
  return found
}
