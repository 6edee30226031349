import {
  areAmong,
  conditionOf,
  elementPaths,
  grantsEvent,
  handlerRegistrations,
  isGuarded,
  isHandled,
  placeIn,
  privilegesOf,
  restrictionsOf,
  usersOf,
  type CapMember,
  type CapRoot,
  type Privilege,
  type Restriction,
} from '../../model/cap/index.ts'
import type { CdsExpression } from '../../parse/cds/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { nameOf, worstAtPlaces } from './_matches.ts'

/** A condition on the rows of a user that holds for all but those which the user adds.
 *  Facts: @sap/cds 9.9.3 and 10.1.1, generic/auth/restrict.js: with CREATE only a condition without elements is evaluated; capire,
 *  "Authorization", restricting by `where`. CAP Java 4 checks what is created. */
export const createNotInstanceChecked: Rule = defineRule({
  id: 'cap/create-not-instance-checked',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [639],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization',
  on: 'cap-root',
  extracts: [handlerRegistrations],

  *check(root) {
    if (root.runtime === 'java') return
    yield* worstAtPlaces(matchesOf(root))
  },

  text: {
    en: {
      title: 'What is created is not held against the condition',
      message:
        '@restrict on {element} limits users to rows of their own by {elements}, also for CREATE; Node.js does not evaluate that condition then, and no handler here sets or checks {elements}.',
      why: 'A user sends another value for {elements} along and so creates a row in the name, department or country of somebody else.',
      fix: "Set it in a handler, this.before('CREATE', …), or make it @readonly and filled by @cds.on.insert.",
    },
    fr: {
      title: 'Ce qui est créé n’est pas comparé à la condition',
      message:
        '@restrict sur {element} limite les utilisateurs à leurs propres lignes par {elements}, y compris pour CREATE ; Node.js n’évalue alors pas cette condition, et aucun handler ici ne remplit ni ne vérifie {elements}.',
      why: 'Un utilisateur envoie une autre valeur pour {elements} et crée ainsi une ligne au nom, au service ou au pays d’un autre.',
      fix: "Remplissez-le dans un handler, this.before('CREATE', …), ou rendez-le @readonly et rempli par @cds.on.insert.",
    },
  },
})

function* matchesOf(root: CapRoot): Generator<Match> {
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation, element } = restriction
    if (name !== 'restrict' || element?.kind !== 'entity' || !element.writable) continue
    if (element.annotations.has('assert') || isInsertOff(restriction)) continue
    const privileges = privilegesOf(annotation.value)
    for (const privilege of privileges) {
      const { where } = privilege
      if (where === undefined || !grantsEvent(privilege, 'CREATE')) continue
      const free = freeElements(where, restriction, root)
      if (
        free.length === 0 ||
        isGrantedAnyway(privilege, privileges, restriction) ||
        isHandled(root, element.qualified, 'CREATE')
      )
        continue
      const args = { element: nameOf(restriction), elements: free.join(', ') }
      yield { at: placeIn(annotation, where), args, severity: 'LOW' }
    }
  }
}

function isInsertOff({ element }: Restriction): boolean {
  const names = ['Capabilities.InsertRestrictions.Insertable', 'Capabilities.Insertable']
  return names.some((name) => {
    const value = element?.annotations.get(name)?.value
    return value?.kind === 'boolean' && value.value === false
  })
}

/** Elements that a condition compares with the user and that the user sets freely; none where the runtime fills one of them. */
function freeElements(where: NonNullable<Privilege['where']>, { element }: Restriction, root: CapRoot): string[] {
  const condition = conditionOf(where)
  if (element === undefined || condition === undefined || typeof condition === 'string' || !namesUser(condition)) return []
  const members = root.membersOf(element.qualified)
  const names = new Set(
    elementPaths(condition).flatMap(({ path, at }) => (at.base === undefined ? [path.split('.', 1)[0] ?? ''] : [])),
  )
  const free: string[] = []
  for (const name of names) {
    const member = members.get(name) ?? members.get(name.replace(/_[^_]{1,100}$/, ''))
    if (member === undefined || isFilled(member)) return []
    // rows of other entities are not made by this one
    if (!member.toMany && member.type !== 'Composition') free.push(name)
  }
  return free
}

function namesUser({ paths }: CdsExpression): boolean {
  return paths.some(({ name }) => /^\$user\b/.test(name))
}

const FILLED = [
  'cds.on.insert',
  'cds.on.update',
  'readonly',
  'Core.Computed',
  'odata.on.insert',
  'assert',
  'FieldControl.ReadOnly',
]

/** Values from outside are not taken, or are checked: elements of `managed`, calculated ones, and those annotated so. */
function isFilled(member: CapMember): boolean {
  return isGuarded(member) || FILLED.some((name) => member.annotations.has(name))
}

/** Another privilege lets the same users create without a condition: so it is meant. */
function isGrantedAnyway(privilege: Privilege, privileges: readonly Privilege[], { service }: Restriction): boolean {
  return privileges.some(
    (other) =>
      other.where === undefined && grantsEvent(other, 'CREATE') && areAmong(usersOf(privilege, service), usersOf(other, service)),
  )
}
