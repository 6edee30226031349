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
  servedServices,
  usersOf,
  wordsOf,
  type CapElement,
  type CapRoot,
  type CapService,
  type Privilege,
  type Restriction,
} from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { nameOf, worstAtPlaces } from './_matches.ts'

/** A privilege that another one makes void, or an action that does what its entity restricts.
 *  Facts: capire, "Authorization" (privileges are joined by or, unbound actions have their own restrictions alone);
 *  @sap/cds 9.9.3 and 10.1.1, generic/auth/restrict.js (one privilege without `where` is enough). */
export const conflictingWriteGuard: Rule = defineRule({
  id: 'cap/conflicting-write-guard',
  severity: 'LOW',
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization',
  on: 'cap-root',
  extracts: [roleChecks],

  *check(root) {
    yield* worstAtPlaces(voidPrivileges(root))
    for (const service of servedServices(root)) yield* unguardedActions(service, root)
  },

  text: {
    en: {
      title: 'A wider privilege makes a narrower one void',
      message:
        '@restrict on {element} grants {events} to {roles}, but another privilege grants the same to {others} already: the narrower one changes nothing.',
      why: 'Privileges are joined by "or". Who reads the model takes the narrower line for the rule; in fact everybody of the wider one may do it.',
      fix: 'Take {events} out of the wider privilege, or remove this one.',
      variants: {
        filter: {
          title: 'A wider privilege makes a condition void',
          message:
            '@restrict on {element} grants {events} to {roles} for some rows, but another privilege grants the same to {others} without a condition.',
          why: 'Privileges are joined by "or": as the wider one lets through all rows, the condition filters nothing.',
        },
        action: {
          title: 'An action does what its entity restricts',
          message:
            '{element} has no restriction of its own, so {roles} may call it, while {entity} can only be changed by {others}.',
          why: 'An unbound action is not held against the restrictions of the entities that it writes: calling it gets around them.',
          fix: "Write the role at the action: @requires: '<role>'.",
        },
      },
    },
    fr: {
      title: 'Un privilège plus large rend vain un privilège plus étroit',
      message:
        '@restrict sur {element} accorde {events} à {roles}, mais un autre privilège l’accorde déjà à {others} : le plus étroit ne change rien.',
      why: 'Les privilèges sont reliés par « ou ». Qui lit le modèle croit la ligne étroite ; en réalité tous ceux de la plus large le peuvent.',
      fix: 'Retirez {events} du privilège plus large, ou supprimez celui-ci.',
      variants: {
        filter: {
          title: 'Un privilège plus large rend vaine une condition',
          message:
            '@restrict sur {element} accorde {events} à {roles} pour certaines lignes, mais un autre privilège l’accorde à {others} sans condition.',
          why: 'Les privilèges sont reliés par « ou » : le plus large laissant passer toutes les lignes, la condition ne filtre rien.',
        },
        action: {
          title: 'Une action fait ce que son entité restreint',
          message:
            '{element} n’a pas de restriction propre : {roles} peut l’appeler, alors que {entity} n’est modifiable que par {others}.',
          why: 'Une action non liée n’est pas comparée aux restrictions des entités qu’elle écrit : l’appeler les contourne.',
          fix: "Écrivez le rôle sur l’action : @requires: '<rôle>'.",
        },
      },
    },
  },
})

const KEYS: ReadonlySet<string> = new Set(['grant', 'to', 'where'])

/** Lists of more privileges are nobody's, and are not compared. */
const MAX_PRIVILEGES = 50

function* voidPrivileges(root: CapRoot): Generator<Match> {
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation, element } = restriction
    if (name !== 'restrict' || element?.kind !== 'entity' || wordsOf(element.annotations.get('requires')?.value).length > 0)
      continue
    // a misspelt key is the finding of cap/restrict-misspelled
    const privileges = privilegesOf(annotation.value).filter(({ record }) => record.members.every(({ key }) => KEYS.has(key)))
    if (privileges.length > MAX_PRIVILEGES) continue
    for (const narrow of privileges) {
      const broad = privileges.find((other) => other !== narrow && isVoid(narrow, other, restriction))
      if (broad === undefined) continue
      yield {
        at: placeIn(annotation, narrow.record),
        args: { element: nameOf(restriction), events: eventNames(narrow), roles: roleNames(narrow), others: roleNames(broad) },
        severity: 'LOW',
        ...(narrow.where !== undefined && { variant: 'filter' }),
      }
    }
  }
}

/** The narrow one says something that does not hold: a condition, or fewer users for what changes data. */
function isVoid(narrow: Privilege, broad: Privilege, { service }: Restriction): boolean {
  if (!isSubsumed(narrow, broad, service)) return false
  // everything for anybody is the finding of cap/grant-all-to-any
  const isForAnybody = broad.to === undefined || broad.to.includes('any')
  const { kind } = service.access
  if (isForAnybody && grantsMoreThanReading(broad) && (kind === 'public' || kind.startsWith('default'))) return false
  if (narrow.where !== undefined) return true
  return grantsMoreThanReading(narrow) && !areAmong(usersOf(broad, service), usersOf(narrow, service))
}

function eventNames(privilege: Privilege): string {
  return [...(eventsOf(privilege) ?? ['*'])].join(', ')
}

function roleNames({ to }: Privilege): string {
  return (to ?? ['any']).join(', ')
}

const VERBS: readonly (readonly [RegExp, string])[] = [
  [/^(?:create|add|insert|new)(?=[A-Z_])/, 'CREATE'],
  [/^(?:update|change|set|modify|edit|patch|upsert|save)(?=[A-Z_])/, 'UPDATE'],
  [/^(?:delete|remove|purge)(?=[A-Z_])/, 'DELETE'],
]

/** In a service for several roles: actions by whose name an entity is changed, which only some of the roles may change. */
function* unguardedActions(service: CapService, root: CapRoot): Generator<Match> {
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
      roles: roles.join(', '),
      entity: entity.name,
      others: writers.join(', '),
      events: event,
    }
    yield { at: action.place, args, variant: 'action', confidence: 'medium' }
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
