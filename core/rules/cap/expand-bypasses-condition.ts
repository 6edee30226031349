import {
  areAmong,
  conditionOf,
  grantsEvent,
  isExpandOff,
  placeIn,
  privilegesOf,
  isReadable,
  restrictionsOf,
  servedServices,
  usersOf,
  type CapElement,
  type CapLink,
  type CapRoot,
  type CapService,
  type Privilege,
  type Restriction,
} from '../../model/cap/index.ts'
import { listNames } from '../../arguments.ts'
import { defineRule, type Rule } from '../rule.ts'
import { callerCheckExtracts } from './_callers/caller-checks.ts'
import { createUngrantedReader, givenRoles, type UngrantedReader } from './_callers/ungranted-roles.ts'
import { nameOf, usersWith, worstAtPlaces } from './_matches.ts'
import { ownedEntities, partsOf } from './_rows/owned-entities.ts'
import { areUsers, personOf } from './_rows/person-rows.ts'
import { easiestOf, exposureOfRoles } from './_model/restricted-exposures.ts'
import { rowFilters } from './_rows/row-filters.ts'
import { sensitivityOf, type Sensitivity } from './_secrets/sensitive-data.ts'
import { mayBeLimitedInCode, userHandlers } from './_handlers/user-handlers.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import type { Exposure, Match } from '../../types.ts'

/**
 * Rows of the user alone by a condition of @restrict, while the same user reads the rows of others with $expand.
 * Facts: capire, "Authorization", "Limitations" (Node.js checks neither restrictions nor conditions of what $expand adds); @sap/cds 9.9.3, generic/auth/restrict.js (the
 * condition is added to the query of the target) and expand.js (`@Capabilities.ExpandRestrictions` is what limits $expand). CAP Java checks associations.
 * Impact: users read rows that the project means for others; how much that is worth the model does not tell, but of accounts, papers and the like, and of persons who see their own row alone or own the rows. Little, where another
 * entity gives all users the same rows.
 */
export const expandBypassesCondition: Rule = defineRule({
  id: 'cap/expand-bypasses-condition',
  impact: 'data',
  evidence: 'assumed',
  grades: { open: { impact: 'bounded', evidence: 'shown' } },
  confidence: 'medium',
  cwe: [639],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#limitations',
  on: 'cap-root',
  extracts: [userHandlers, rowFilters, givenRoles, ...callerCheckExtracts],

  *check(root, project) {
    if (root.runtime === 'java' || root.test) return
    const users = { reach: project.reach, isUngranted: createUngrantedReader(root, project) }
    yield* worstAtPlaces([...matchesOf(root, users), ...filtersOf(root, users)])
  },

  text: () => ({
    en: {
      title: 'Instance restriction bypassed through $expand',
      message:
        '@restrict limits {users} to their own rows of {element}, but $expand through {paths:and} returns rows of others: CAP Node.js does not apply the condition to what $expand adds.',
      why: 'A user reads rows of other users, and what these rows are composed of, with one OData request.',
      fix: 'Annotate {from} with @Capabilities.ExpandRestrictions.NonExpandableProperties: [{association}]. Or exclude {paths:and} from the projection.',
      variants: {
        open: {
          why: 'The same users read all of these rows through {open}, which is the worse gap: with that closed, a user still reads the rows of others with one OData request.',
        },
        handler: {
          title: 'Row filter of a handler bypassed through $expand',
          message:
            'This handler limits the rows of {element} for {users}, but $expand through {paths:and} returns rows of others: CAP calls the handlers of the entity that a request names, not of what $expand adds.',
        },
      },
    },
    fr: {
      title: 'Restriction par instance contournée par $expand',
      message:
        '@restrict limite {users} à leurs propres lignes de {element}, mais $expand via {paths:et} renvoie celles d’autres utilisateurs : CAP Node.js n’applique pas la condition à ce que $expand ajoute.',
      why: 'Un utilisateur lit les lignes d’autres utilisateurs, et ce dont elles se composent, en une seule requête OData.',
      fix: 'Annotez {from} avec @Capabilities.ExpandRestrictions.NonExpandableProperties: [{association}]. Ou excluez {paths:et} de la projection.',
      variants: {
        open: {
          why: 'Les mêmes utilisateurs lisent toutes ces lignes par {open}, ce qui est plus grave : une fois cet accès fermé, un utilisateur lit encore les lignes d’autrui en une requête OData.',
        },
        handler: {
          title: 'Filtre de lignes d’un gestionnaire contourné par $expand',
          message:
            'Ce gestionnaire limite les lignes de {element} pour {users}, mais $expand via {paths:et} renvoie celles d’autres utilisateurs : CAP appelle les gestionnaires de l’entité que la requête désigne, pas de ce que $expand ajoute.',
        },
      },
    },
  }),
})

/** What tells who the users with some roles are. */
interface Users {
  readonly reach: ReachModel
  readonly isUngranted: UngrantedReader
}

function* matchesOf(root: CapRoot, users: Users): Generator<Match> {
  const { reach } = users
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation, element, service } = restriction
    if (name !== 'restrict' || element?.kind !== 'entity') continue
    const privileges = privilegesOf(annotation.value)
    for (const privilege of privileges) {
      const { where, to } = privilege
      if (where === undefined || !isForOwnRows(privilege) || isGrantedAnyway(privilege, privileges, restriction)) continue
      const roles = to ?? (service.access.kind === 'roles' ? service.access.roles : ['authenticated-user'])
      const ways = waysTo(element, roles, restriction, root)
      const [first] = ways
      if (first === undefined) continue
      const open = openTwin(element, roles, root, reach)
      yield {
        at: placeIn(annotation, where),
        args: {
          element: nameOf(restriction),
          users: usersWith(roles),
          paths: listNames([...new Set(ways.map(({ path }) => path))]),
          from: first.from.name,
          association: first.association,
          ...(open !== undefined && { open }),
        },
        ...((sensitivityOfAll(element, restriction, root) === 'close' ||
          ways.some((way) => isFromOwners(way, element, root))) && {
          evidence: 'shown' as const,
        }),
        ...(open !== undefined && { variant: 'open' }),
        exposure: exposureOfWays(ways, service, roles, users),
      }
    }
  }
}

/** Another entity by which all users, or those with the same roles, read the same rows with all that they hold: `ShopService.Orders`. */
function openTwin(element: CapElement, roles: readonly string[], root: CapRoot, reach: ReachModel): string | undefined {
  const rows = new Set(root.projected(element.qualified))
  for (const service of servedServices(root)) {
    root.step(service.elements.length)
    for (const other of service.elements) {
      if (other === element || other.rowsOf?.some((name) => rows.has(name)) !== true) continue
      if (!isReadable(other) || !(isOpenToAll(service, other, reach) || isOpenTo(roles, service, other))) continue
      if (mayBeLimitedInCode(root, service, other)) continue
      const isRead = (owner: string): boolean => isReadThrough(owner, service, roles, root)
      if (holdsAll(other, element, isRead)) return `${service.name}.${other.name}`
    }
  }
  return undefined
}

function isOpenToAll(service: CapService, element: CapElement, reach: ReachModel): boolean {
  return readsAll(element, []) && EASY.has(reach.ofElement(service, element, ['READ']).reach)
}

/** Users with any of the roles read all rows of it. */
function isOpenTo(roles: readonly string[], { access }: CapService, element: CapElement): boolean {
  const lets = (role: string): boolean => access.kind !== 'roles' || access.roles.some((one) => one === role || PSEUDO.test(one))
  return access.kind !== 'none' && roles.every((role) => lets(role) && readsAll(element, [role]))
}

/** The service shows these users the rows of a definition in an entity of their own. */
function isReadThrough(owner: string, service: CapService, roles: readonly string[], root: CapRoot): boolean {
  root.step(service.elements.length)
  return service.elements.some(
    (one) =>
      one.kind === 'entity' &&
      one.rowsOf?.includes(owner) === true &&
      isOpenTo(roles, service, one) &&
      !mayBeLimitedInCode(root, service, one),
  )
}

/**
 * It has each element of another projection as that has it: not another value under the same name.
 * @param isRead whether what an association leads to (`house.street`) can be read beside it
 */
function holdsAll(other: CapElement, element: CapElement, isRead: (owner: string) => boolean): boolean {
  const members = new Map(other.members().map((member) => [member.name, member]))
  const own = element.source?.name
  return element.members().every(({ name, place, calculated, owner }) => {
    const same = members.get(name)
    if (same === undefined && calculated && owner !== own && isRead(owner)) return true
    const isSame = same?.place.file === place.file && same.place.span?.start === place.span?.start
    return isSame && (!same.calculated || calculated)
  })
}

const EASY: ReadonlySet<string> = new Set(['anyone', 'user'])

/** The same for entities that a handler limits. Fact: @sap/cds 9.9.3, lib/srv/srv-handlers.js: what $expand adds is read by the database alone. */
function* filtersOf(root: CapRoot, users: Users): Generator<Match> {
  const all = ownedEntities(root)
  const own = new Set(all.map(({ element }) => element))
  for (const owned of all) {
    const { service, element, filter, roles: limited } = owned
    if (filter === undefined || service.access.kind === 'none') continue
    const callers = service.access.kind === 'roles' ? service.access.roles : ['authenticated-user']
    const roles = limited.length > 0 ? limited : callers
    const parts = partsOf(owned, root)
    // what is a part of the rows is told by itself where it is open
    const isOpen = ({ from }: Way): boolean => {
      const isPart = root.projected(from.qualified).some((name) => parts.has(name))
      return !own.has(from) && !isPart && !mayBeLimitedInCode(root, service, from)
    }
    const ways = waysTo(element, roles, { service }, root).filter(isOpen)
    const [first] = ways
    if (first === undefined) continue
    yield {
      at: filter,
      args: {
        element: `${service.name}.${element.name}`,
        users: usersWith(roles),
        paths: listNames([...new Set(ways.map(({ path }) => path))]),
        from: first.from.name,
        association: first.association,
      },
      variant: 'handler',
      ...(ways.some((way) => isFromOwners(way, element, root)) && { evidence: 'shown' as const }),
      exposure: exposureOfWays(ways, service, roles, users),
    }
  }
}

/** Who reads the entity that a request names: what handlers check of the rows that $expand adds, such a request never meets. */
function exposureOfWays(ways: readonly Way[], service: CapService, roles: readonly string[], users: Users): Exposure | undefined {
  const { reach, isUngranted } = users
  return easiestOf(ways.map(({ named }) => exposureOfRoles(service, named, roles, reach, { events: ['READ'], isUngranted })))
}

/** It gives the rows of the user. */
function isForOwnRows(privilege: Privilege): boolean {
  const condition = privilege.where && conditionOf(privilege.where)
  if (condition === undefined || typeof condition === 'string' || !grantsEvent(privilege, 'READ')) return false
  return condition.paths.some(({ name }) => /^\$user\b/.test(name))
}

/** Another privilege lets the same users read all rows. */
function isGrantedAnyway(privilege: Privilege, privileges: readonly Privilege[], { service }: Restriction): boolean {
  return privileges.some(
    (other) =>
      other.where === undefined && grantsEvent(other, 'READ') && areAmong(usersOf(privilege, service), usersOf(other, service)),
  )
}

interface Way {
  readonly path: string
  /** The entity that a request names. */
  readonly named: CapElement
  /** The entity whose projection the last association of the way stands in. */
  readonly from: CapElement
  readonly association: string
}

/** Ways by which $expand leads users with some roles to rows of others. */
function waysTo(
  element: CapElement,
  roles: readonly string[],
  { service }: Pick<Restriction, 'service'>,
  root: CapRoot,
): readonly Way[] {
  const found: Way[] = []
  const chain = new Set(root.projected(element.qualified))
  // employees/manager
  for (const { name, target, type, toMany } of root.membersOf(element.qualified).values())
    if (type === 'Association' && !toMany && target !== undefined && chain.has(target) && !isExpandOff(element))
      found.push({ path: `${element.name}/${name}`, named: element, from: element, association: name })
  const leading = service.links().filter((link) => link.to === element && !isExpandOff(link.from))
  for (const { from, element: association } of leading) {
    root.step(leading.length)
    if (from.access?.kind === 'none') continue
    if (readsAll(from, roles)) found.push({ path: `${from.name}/${association}`, named: from, from, association })
    // of two associations that lead back from the own row at most one is the way that led there
    const there = service.links().find((link) => link.from === element && link.to === from)
    const isBackLink = leading.filter((link) => link.from === from).length < 2 || isNamedLike(association, element)
    if (there !== undefined && !isBackLink && !isExpandOff(element) && !readsAll(from, roles))
      found.push({ path: `${element.name}/${there.element}/${association}`, named: element, from, association })
  }
  return found
}

/** All read the list of users, and $expand leads from there to the rows of each: `Users/timesheets`. */
function isFromOwners({ from, path }: Way, element: CapElement, root: CapRoot): boolean {
  return path.startsWith(`${from.name}/`) && from !== element && areUsers(from) && personOf(element, root) !== undefined
}

/** `employee` of Employees is the way back. */
function isNamedLike(association: string, { name }: CapElement): boolean {
  const last = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return last.startsWith(association.toLowerCase().replace(/y$/, ''))
}

/** Users with one of the roles read all rows of an entity. */
function readsAll({ annotations, query }: CapElement, roles: readonly string[]): boolean {
  if (query?.where?.text.includes('$user') === true) return false
  const privileges = privilegesOf(annotations.get('restrict')?.value)
  if (privileges.length === 0) return !annotations.has('requires') && !annotations.has('restrict')
  return privileges.some(
    (privilege) =>
      privilege.where === undefined &&
      grantsEvent(privilege, 'READ') &&
      (privilege.to === undefined || privilege.to.some((role) => PSEUDO.test(role) || roles.includes(role))),
  )
}

const PSEUDO = /^(?:any|authenticated-user|identified-user)$/

/** Of the rows, of what they are composed of, and of the persons whom $expand leads on to, where each user is to see their own row alone. */
function sensitivityOfAll(element: CapElement, { service }: Restriction, root: CapRoot): Sensitivity {
  const links = service.links().filter(({ from }) => from === element)
  const parts = links.flatMap(({ to, composition }) => (composition ? [to] : []))
  const isPerson = ({ to }: CapLink): boolean => isOwnRow(to) && sensitivityOf(to, root) !== undefined
  const isClose = [element, ...parts].some((one) => sensitivityOf(one, root) === 'close')
  return isClose || (!isExpandOff(element) && links.some(isPerson)) ? 'close' : undefined
}

/** Whoever may read it reads the rows of the user. */
function isOwnRow({ annotations }: CapElement): boolean {
  const reading = privilegesOf(annotations.get('restrict')?.value).filter((privilege) => grantsEvent(privilege, 'READ'))
  return reading.length > 0 && reading.every(isForOwnRows)
}
