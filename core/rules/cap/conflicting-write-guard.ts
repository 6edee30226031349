import {
  areAmong,
  eventsOf,
  grantsEvent,
  grantsMoreThanReading,
  isCheckedInCode,
  isSubsumed,
  openElements,
  placeIn,
  privilegesOf,
  restrictionsOf,
  roleChecks,
  rowEventsOf,
  servedServices,
  usersOf,
  wordsOf,
  type CapElement,
  type CapRoot,
  type CapService,
  type Privilege,
  type Restriction,
} from '../../model/cap/index.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import type { Match } from '../../types.ts'
import { listNames } from '../../arguments.ts'
import { quoteWord } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'
import { listRoles, nameOf, ofUsers, requiringRoles, worstAtPlaces } from './_matches.ts'

/**
 * A privilege that another one makes ineffective, or an action that does what its entity restricts.
 * Facts: capire, "Authorization" (privileges are joined by or, unbound actions have their own restrictions alone);
 * @sap/cds 9.9.3 and 10.1.1, generic/auth/restrict.js (one privilege without `where` is enough).
 * Impact: data that the narrower privilege seems to reserve; which of both is meant is guessed, and of an action only its name tells what it does.
 */
export const conflictingWriteGuard: Rule = defineRule({
  id: 'cap/conflicting-write-guard',
  impact: 'data',
  evidence: 'guessed',
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#combined-restrictions',
  docsByVariant: { action: 'https://cap.cloud.sap/docs/guides/security/authorization#requires' },
  on: 'cap-root',
  extracts: [roleChecks],
  yieldsTo: ['cap/action-bypasses-restriction'],

  *check(root, { reach }) {
    yield* worstAtPlaces(voidPrivileges(root, reach))
    for (const service of servedServices(root)) yield* unguardedActions(service, root, reach)
  },

  text: () => ({
    en: {
      title: 'Ineffective privilege in @restrict',
      message:
        '@restrict on {element} grants {events:and} to {roles:and}, but another privilege in the list already grants the same to {others:and}: the narrower one has no effect.',
      why: 'CAP combines privileges with OR: users to whom only the broader privilege applies can also do what the narrower one seems to reserve.',
      fix: 'Set grant: {rest} in the broader privilege (for {others:and}). If the broader access is intended, delete the privilege reported here instead.',
      variants: {
        filter: {
          title: 'Ineffective where condition in @restrict',
          message:
            '@restrict on {element} grants {events:and} to {roles:and} with a where condition, but another privilege in the list grants the same to {others:and} without one.',
          why: 'CAP combines privileges with OR: the one without a condition already covers all rows, so users can access rows that the condition should exclude.',
          fix: 'Set grant: {rest} in the privilege without where (for {others:and}). If the broader access is intended, delete the privilege reported here instead.',
        },
        whole: {
          fix: 'Delete the broader privilege (for {others:and}). If the broader access is intended, delete the privilege reported here instead.',
        },
        'filter-whole': {
          title: 'Ineffective where condition in @restrict',
          message:
            '@restrict on {element} grants {events:and} to {roles:and} with a where condition, but another privilege in the list grants the same to {others:and} without one.',
          why: 'CAP combines privileges with OR: the one without a condition already covers all rows, so users can access rows that the condition should exclude.',
          fix: 'Delete the privilege without where (for {others:and}). If the broader access is intended, delete the privilege reported here instead.',
        },
        action: {
          title: 'Missing authorization check on an action',
          message:
            '{element} has no @requires or @restrict of its own: the role {roles:or} is enough to call it, although {entity} grants {events:and} to {others:and} only.',
          why: 'CAP checks an unbound action against its own annotations and those of its service, not against those of entities: if its handler changes this entity, calling the action bypasses the restriction.',
          fix: 'Annotate {element} in the CDS model with @requires: {requires}.',
        },
      },
    },
    fr: {
      title: 'Privilège sans effet dans @restrict',
      message:
        '@restrict sur {element} accorde {events:et} à {roles:et}, mais un autre privilège de la liste accorde déjà les mêmes droits à {others:et} : le privilège le plus restrictif est sans effet.',
      why: 'CAP combine les privilèges par OU : les utilisateurs qui n’ont que le privilège le plus large peuvent faire, eux aussi, ce que le plus restrictif semble réserver à d’autres.',
      fix: 'Définissez grant: {rest} dans le privilège le plus large (accordé à {others:et}). Si l’accès plus large est voulu, supprimez plutôt le privilège signalé ici.',
      variants: {
        filter: {
          title: 'Condition where sans effet dans @restrict',
          message:
            '@restrict sur {element} accorde {events:et} à {roles:et} avec une condition where, mais un autre privilège de la liste accorde les mêmes droits à {others:et} sans condition.',
          why: 'CAP combine les privilèges par OU : celui qui n’a pas de condition couvre déjà toutes les lignes, si bien que les utilisateurs peuvent accéder aux lignes que la condition devait exclure.',
          fix: 'Définissez grant: {rest} dans le privilège sans where (accordé à {others:et}). Si l’accès plus large est voulu, supprimez plutôt le privilège signalé ici.',
        },
        whole: {
          fix: 'Supprimez le privilège le plus large (accordé à {others:et}). Si l’accès plus large est voulu, supprimez plutôt le privilège signalé ici.',
        },
        'filter-whole': {
          title: 'Condition where sans effet dans @restrict',
          message:
            '@restrict sur {element} accorde {events:et} à {roles:et} avec une condition where, mais un autre privilège de la liste accorde les mêmes droits à {others:et} sans condition.',
          why: 'CAP combine les privilèges par OU : celui qui n’a pas de condition couvre déjà toutes les lignes, si bien que les utilisateurs peuvent accéder aux lignes que la condition devait exclure.',
          fix: 'Supprimez le privilège sans where (accordé à {others:et}). Si l’accès plus large est voulu, supprimez plutôt le privilège signalé ici.',
        },
        action: {
          title: 'Absence de contrôle d’autorisation sur une action',
          message:
            '{element} n’a ni @requires ni @restrict qui lui soit propre : le rôle {roles:ou} suffit pour l’appeler, alors que {entity} n’accorde {events:et} qu’à {others:et}.',
          why: 'CAP ne vérifie une action non liée que selon ses propres annotations et celles de son service, pas selon celles des entités : si son gestionnaire modifie cette entité, un appel de l’action contourne la restriction.',
          fix: 'Annotez {element} dans le modèle CDS avec @requires: {requires}.',
        },
      },
    },
  }),
})

const KEYS: ReadonlySet<string> = new Set(['grant', 'to', 'where'])

/** Longer lists are generated, and comparing all pairs of them would cost too much. */
const MAX_PRIVILEGES = 50

function* voidPrivileges(root: CapRoot, reach: ReachModel): Generator<Match> {
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation, element } = restriction
    if (name !== 'restrict' || element?.kind !== 'entity' || wordsOf(element.annotations.get('requires')?.value).length > 0)
      continue
    // a misspelt key is another fault, reported by a rule of its own
    const privileges = privilegesOf(annotation.value).filter(({ record }) => record.members.every(({ key }) => KEYS.has(key)))
    if (privileges.length > MAX_PRIVILEGES) continue
    for (const narrow of privileges) {
      const broad = privileges.find((other) => other !== narrow && isVoid(narrow, other, restriction))
      if (broad === undefined) continue
      // both pieces of advice hold together: what several narrow ones take from the same broad one goes at once
      const narrower = privileges.filter((other) => other !== broad && isVoid(other, broad, restriction))
      const rest = restOf(broad, narrower)
      const whole = narrow.where === undefined ? 'whole' : 'filter-whole'
      const variant = rest === undefined ? whole : narrow.where === undefined ? undefined : 'filter'
      yield {
        at: placeIn(annotation, narrow.record),
        args: {
          element: nameOf(restriction),
          events: eventNames(narrow),
          roles: roleNames(narrow),
          others: roleNames(broad),
          rest: rest ?? '',
        },
        exposure: ofUsers(reach.ofElement(restriction.service, element, [...(eventsOf(narrow) ?? [])].flatMap(rowEventsOf))),
        ...(variant !== undefined && { variant }),
      }
    }
  }
}

/** The narrow one says something that does not hold: a condition, or fewer users for what changes data. */
function isVoid(narrow: Privilege, broad: Privilege, { service }: Restriction): boolean {
  if (!isSubsumed(narrow, broad, service)) return false
  // writing without a login is another fault, reported by a rule of its own
  const isForAnybody = broad.to === undefined || broad.to.includes('any')
  const { kind } = service.access
  if (isForAnybody && grantsMoreThanReading(broad) && (kind === 'public' || kind.startsWith('default'))) return false
  if (narrow.where !== undefined) return true
  return grantsMoreThanReading(narrow) && !areAmong(usersOf(broad, service), usersOf(narrow, service))
}

/** What the broader privilege may keep, as it is written; undefined: nothing. */
function restOf(broad: Privilege, narrower: readonly Privilege[]): string | undefined {
  const taken = narrower.map(eventsOf)
  const rest = [...(eventsOf(broad) ?? ['READ', 'CREATE', 'UPDATE', 'DELETE'])].filter((event) =>
    taken.every((events) => events?.has(event) === false),
  )
  if (rest.length === 0) return undefined
  const names = rest.map((event) => `'${event}'`).join(', ')
  return rest.length === 1 ? names : `[${names}]`
}

function eventNames(privilege: Privilege): string {
  return listNames([...(eventsOf(privilege) ?? ['*'])].map(quoteWord))
}

function roleNames({ to }: Privilege): string {
  return listRoles(to ?? ['any'])
}

const VERBS: readonly (readonly [RegExp, string])[] = [
  [/^(?:create|add|insert|new)(?=[A-Z_])/, 'CREATE'],
  [/^(?:update|change|set|modify|edit|patch|upsert|save)(?=[A-Z_])/, 'UPDATE'],
  [/^(?:delete|remove|purge)(?=[A-Z_])/, 'DELETE'],
]

/** In a service for several roles: actions by whose name an entity is changed, which only some of the roles may change. */
function* unguardedActions(service: CapService, root: CapRoot, reach: ReachModel): Generator<Match> {
  const { roles } = service.access
  if (service.access.kind !== 'roles' || roles.length < 2) return
  const open = openElements(service).filter(({ kind, entity }) => kind === 'action' && entity === undefined)
  for (const action of open) {
    const [verb, event] = VERBS.find(([pattern]) => pattern.test(action.name)) ?? []
    if (verb === undefined || event === undefined) continue
    const rest = action.name.replace(verb, '').replaceAll('_', '')
    const entity = service.elements.find((element) => element.kind === 'entity' && isAbout(rest, element))
    const writers = entity === undefined ? undefined : writersOf(entity, event)
    if (entity === undefined || writers === undefined || roles.every((role) => writers.includes(role))) continue
    if (isCheckedInCode(root, service)) continue
    const args = {
      element: `${service.name}.${action.name}`,
      roles: listRoles(roles),
      entity: entity.name,
      others: listRoles(writers),
      requires: requiringRoles(writers),
      events: event,
    }
    yield { at: action.place, args, variant: 'action', exposure: reach.ofElement(service, action), confidence: 'medium' }
  }
}

/** `Order` and `OrderStatus` are about the entity Orders. */
function isAbout(rest: string, { name }: CapElement): boolean {
  const plural = name.slice(name.lastIndexOf('.') + 1)
  const singular = plural.replace(/(?:ies|s)$/, (ending) => (ending === 'ies' ? 'y' : ''))
  return [plural, singular].some((one) => one.length > 2 && rest.startsWith(one) && /^(?:s|$|[A-Z])/.test(rest.slice(one.length)))
}

/** Roles that may do something with an entity; undefined: it does not restrict that. */
function writersOf({ annotations }: CapElement, event: string): readonly string[] | undefined {
  const required = wordsOf(annotations.get('requires')?.value)
  if (required.length > 0) return required
  const privileges = privilegesOf(annotations.get('restrict')?.value)
  if (privileges.length === 0) return undefined
  const granted = privileges.filter((privilege) => grantsEvent(privilege, event))
  const roles = granted.flatMap(({ to }) => to ?? ['any'])
  return roles.length === 0 || roles.some((role) => role === 'any' || role === 'authenticated-user')
    ? undefined
    : [...new Set(roles)]
}
