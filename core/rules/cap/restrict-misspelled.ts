import {
  grantsActionsOnly,
  placeIn,
  privilegesOf,
  restrictionsOf,
  servedServices,
  wordsOf,
  type CapRoot,
  type Restriction,
} from '../../model/cap/index.ts'
import type { CdsRecord } from '../../parse/cds/types.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { nameOf, worstAtPlaces } from './_matches.ts'
import { isMisspeltPseudoRole, misspeltAnnotation } from '../../model/authorization/index.ts'

/** A key, event or pseudo role of a restriction that CAP does not know.
 *  Facts: @sap/cds 9.9.3, generic/auth/restrictions.js: a missing `to` is any, a missing `grant` is *, and where no grant is for reading or
 *  writing, both are free; capire, "CAP Users", pseudo roles. */
export const restrictMisspelled: Rule = defineRule({
  id: 'cap/restrict-misspelled',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/tools/cds-lint/rules/',
  on: 'cap-root',

  *check(root, project) {
    yield* worstAtPlaces(matchesOf(root, project))
  },

  text: {
    en: {
      title: 'A restriction is misspelt and lets everybody through',
      message: '@restrict on {element} has a key "{word}", which CAP ignores: the privilege is without "{key}".',
      why: 'A privilege without "to" is for anybody, one without "where" for all rows, and one without "grant" for all events.',
      fix: 'Write "{key}" instead of "{word}".',
      variants: {
        name: {
          title: 'The name of a restriction is misspelt',
          message: '@{word} on {element} means nothing to CAP: what should be restricted is as open as without it.',
          why: 'CAP takes every annotation that it does not know for a note of the author; nothing warns.',
          fix: 'Write @{key} instead of @{word}.',
        },
        event: {
          message:
            '@restrict on {element} grants "{word}", which is no event; with no other one granted, CAP restricts neither reading nor writing.',
          why: 'Where no privilege is for reading or writing, CAP takes the restriction for one of actions only and leaves both free.',
          fix: 'Write the event as CAP has it, in capitals: READ, CREATE, UPDATE, DELETE, WRITE or *.',
        },
        dead: {
          title: 'A restriction grants an event that does not exist',
          message: '@restrict on {element} grants "{word}", which is no event: that privilege never applies.',
          why: 'The call is rejected although it should not be, and whoever repairs that in a hurry tends to open too much.',
          fix: 'Write the event as CAP has it, in capitals: READ, CREATE, UPDATE, DELETE, WRITE or *.',
        },
        role: {
          title: 'A pseudo role is misspelt',
          message:
            '@{key} on {element} names "{word}", which is no pseudo role of CAP and no scope of this project: nobody has it.',
          why: 'Calls are rejected although they should not be, and whoever repairs that in a hurry tends to open too much.',
          fix: "Pseudo roles are 'any', 'authenticated-user', 'system-user' and 'internal-user'.",
        },
      },
    },
    fr: {
      title: 'Une restriction mal orthographiée laisse passer tout le monde',
      message: '@restrict sur {element} a une clé « {word} », que CAP ignore : le privilège est sans « {key} ».',
      why: 'Un privilège sans « to » vaut pour n’importe qui, sans « where » pour toutes les lignes, sans « grant » pour tous les événements.',
      fix: 'Écrivez « {key} » au lieu de « {word} ».',
      variants: {
        name: {
          title: 'Le nom d’une restriction est mal orthographié',
          message: '@{word} sur {element} ne dit rien à CAP : ce qui devait être restreint reste ouvert comme sans cette ligne.',
          why: 'CAP prend toute annotation inconnue pour une note de l’auteur ; rien n’avertit.',
          fix: 'Écrivez @{key} au lieu de @{word}.',
        },
        event: {
          message:
            '@restrict sur {element} accorde « {word} », qui n’est pas un événement ; sans autre accordé, CAP ne restreint ni lecture ni écriture.',
          why: 'Quand aucun privilège ne vise la lecture ou l’écriture, CAP croit la restriction réservée aux actions et laisse les deux libres.',
          fix: 'Écrivez l’événement comme CAP, en majuscules : READ, CREATE, UPDATE, DELETE, WRITE ou *.',
        },
        dead: {
          title: 'Une restriction accorde un événement qui n’existe pas',
          message: '@restrict sur {element} accorde « {word} », qui n’est pas un événement : ce privilège ne s’applique jamais.',
          why: 'L’appel est rejeté à tort, et qui répare cela à la hâte ouvre souvent trop.',
          fix: 'Écrivez l’événement comme CAP, en majuscules : READ, CREATE, UPDATE, DELETE, WRITE ou *.',
        },
        role: {
          title: 'Un pseudo-rôle est mal orthographié',
          message:
            '@{key} sur {element} nomme « {word} », qui n’est ni un pseudo-rôle de CAP ni un scope de ce projet : personne ne l’a.',
          why: 'Des appels sont rejetés à tort, et qui répare cela à la hâte ouvre souvent trop.',
          fix: "Les pseudo-rôles sont 'any', 'authenticated-user', 'system-user' et 'internal-user'.",
        },
      },
    },
  },
})

function* matchesOf(root: CapRoot, project: Project): Generator<Match> {
  yield* namesOf(root)
  const scopes = scopesOf(project)
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation } = restriction
    const element = nameOf(restriction)
    const roles = name === 'requires' ? wordsOf(annotation.value) : privilegesOf(annotation.value).flatMap(({ to }) => to ?? [])
    const word = roles.find((role) => isMisspeltPseudoRole(role) && !scopes.has(role))
    if (word !== undefined) {
      const args = { element, word, key: name }
      yield { at: annotation.place, args, severity: 'LOW', variant: 'role' }
    }
    if (name !== 'restrict') continue
    for (const { record, grants } of privilegesOf(annotation.value)) {
      yield* keysOf(record, restriction)
      yield* eventsOf(record, grants, restriction, root)
    }
  }
}

/** Annotations that CAP does not know, at services and at what they expose. */
function* namesOf(root: CapRoot): Generator<Match> {
  for (const service of servedServices(root)) {
    for (const element of [undefined, ...service.elements]) {
      const found = misspeltAnnotation((element ?? service).annotations)
      if (found === undefined) continue
      const { word, key, annotation } = found
      const args = { element: nameOf({ service, ...(element !== undefined && { element }) }), word, key }
      const isBehindRoles = element !== undefined && service.access.kind === 'roles'
      yield { at: annotation.place, args, severity: isBehindRoles ? 'MEDIUM' : 'HIGH', variant: 'name' }
    }
  }
}

/** Keys that stand for another one; what is neither is a note of the author's. */
const MISSPELT: readonly (readonly [RegExp, string])[] = [
  [/^(?:too|tos|tto|t|role|roles|user|users)$/i, 'to'],
  [/^(?:were|wher|whre|wheres|when|condition|filter)$/i, 'where'],
  [/^(?:grants|granted|grand|gran|event|events)$/i, 'grant'],
]

function* keysOf(record: CdsRecord, restriction: Restriction): Generator<Match> {
  const keys = new Set(record.members.map(({ key }) => key))
  for (const { key: word, keySpan } of record.members) {
    if (word === 'to' || word === 'where' || word === 'grant') continue
    const folded = ['to', 'where', 'grant'].find((key) => key === word.toLowerCase())
    const key = folded ?? MISSPELT.find(([pattern]) => pattern.test(word))?.[1]
    if (key === undefined || keys.has(key)) continue
    const { element, service } = restriction
    // what a service grants and filters counts for nothing anyway
    if (element === undefined && key !== 'to') continue
    // the roles of the service stand before it
    const severity = service.access.kind === 'roles' && key !== 'where' ? 'MEDIUM' : 'HIGH'
    yield { at: placeIn(restriction.annotation, keySpan), args: { element: nameOf(restriction), word, key }, severity }
  }
}

const EVENTS: ReadonlySet<string> = new Set(
  '* READ CREATE UPDATE DELETE WRITE INSERT UPSERT NEW PATCH CANCEL EDIT SAVE PREPARE DISCARD SUBSCRIBE'.split(' '),
)

function* eventsOf(record: CdsRecord, grants: readonly string[], restriction: Restriction, root: CapRoot): Generator<Match> {
  const { element, annotation } = restriction
  if (element?.kind !== 'entity') return
  // a name in any other style may be an action, or an event of the project's own
  const word = grants.find((grant) => !EVENTS.has(grant) && (EVENTS.has(grant.toUpperCase()) || /^[A-Z]{3,20}$/.test(grant)))
  const value = record.members.find(({ key }) => key === 'grant')?.value
  if (word === undefined || value === undefined || isAction(word, restriction)) return
  const isOpen = root.runtime === 'node' && grantsActionsOnly(element.annotations)
  const args = { element: nameOf(restriction), word }
  yield { at: placeIn(annotation, value), args, severity: isOpen ? 'HIGH' : 'LOW', variant: isOpen ? 'event' : 'dead' }
}

function isAction(word: string, { service }: Restriction): boolean {
  return service.elements.some(({ name, kind }) => kind !== 'entity' && (name === word || name.endsWith(`.${word}`)))
}

/** Scopes and role templates of the project: what is one of them is a role. */
function scopesOf({ files }: Project): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { kind, content } of files.values()) {
    if (kind.role !== 'xs-security' || content.as !== 'data') continue
    for (const part of ['scopes', 'role-templates'])
      for (const item of itemsOf(at(content.roots[0], part)))
        names.add((stringOf(at(item, 'name')) ?? '').replace(/^\$XSAPPNAME\./, ''))
  }
  return names
}
