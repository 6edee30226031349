import {
  grantsActionsOnly,
  ineffectiveCapabilities,
  ineffectiveFlag,
  isAdministrative,
  placeIn,
  privilegesOf,
  restrictionsOf,
  servedServices,
  wordsOf,
  writersOf,
  type CapElement,
  type CapRoot,
  type CapService,
  type Restriction,
} from '../../model/cap/index.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import type { CdsRecord } from '../../parse/cds/types.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { listNames } from '../../arguments.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { entityHandlers, handlersFor, mayRefuse } from './_handlers/write-handlers.ts'
import { nameOf, ofUsers, worstAtPlaces } from './_matches.ts'
import { isReadOnlyBySource } from './_model/entity-rights.ts'
import { exposureOf } from './_model/restricted-exposures.ts'
import { isMisspeltPseudoRole, misspeltAnnotation, unevaluatedRecord } from '../../model/authorization/index.ts'

/**
 * A key, event, pseudo role or annotation of authorization that CAP does not know and ignores.
 * Facts: @sap/cds 9.9.3, generic/auth/restrictions.js: a missing `to` is any, a missing `grant` is *, and where no grant is for reading or
 * writing, both are free; capire, "CAP Users", pseudo roles.
 * `@insertOnly` and `@readOnly` with a capital letter deny nothing (`ineffectiveFlag`).
 * Impact: users of the service, or of the role, pass a check that the author wrote; where the mistake denies access instead, it gives nothing.
 */
export const restrictMisspelled: Rule = defineRule({
  id: 'cap/restrict-misspelled',
  impact: 'data',
  grades: {
    role: { impact: 'hygiene' },
    dead: { impact: 'hygiene' },
    capability: { evidence: 'assumed' },
    letters: { evidence: 'assumed' },
  },
  confidence: 'high',
  cwe: [863],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#restrict-annotation',
  on: 'cap-root',
  extracts: [entityHandlers],

  *check(root, project) {
    yield* worstAtPlaces(matchesOf(root, project))
  },

  text: () => ({
    en: {
      title: 'Ineffective @restrict due to a misspelled key',
      message: '@restrict on {element} has the key "{word}", which CAP ignores: the privilege has no "{key}".',
      why: 'A privilege without "to" applies to any user of the service, whatever their roles.',
      fix: 'Replace "{word}" with "{key}" in @restrict on {element}.',
      variants: {
        where: {
          why: 'A privilege without "where" applies to all rows, not only to those that the condition names.',
        },
        grant: {
          why: 'A privilege without "grant" applies to all events: users who should only read, for example, can also change and delete.',
        },
        name: {
          title: 'Misspelled authorization annotation',
          message: '@{word} on {element} is not a CAP annotation: it does not restrict access to {element}.',
          why: 'CAP ignores unknown annotations without a warning, so users without the role can access what should be restricted.',
          fix: 'Replace @{word} with @{key} on {element}.',
        },
        capability: {
          title: 'Ineffective Capabilities annotation due to a misspelled term',
          message:
            'The Capabilities vocabulary does not define {word:and} as used on {element}: CAP ignores the value, and the service accepts the requests it should deny.',
          why: 'Users of the service can create, change or delete rows that the author meant to be read-only.',
          fix: 'Write {key:and} on {element}, or @readonly to deny all changes: CAP then rejects such requests.',
        },
        letters: {
          title: 'Annotation without effect due to a capital letter',
          message: 'CAP reads @{key} in lower case alone: @{word} on {element} has no effect, and changes are accepted.',
          why: 'Users of the service can change and delete rows with plain requests, which the author meant to deny.',
          fix: 'Replace @{word} with @{key} on {element}: CAP then rejects such requests (405).',
        },
        form: {
          title: 'Authorization annotation that CAP does not evaluate',
          message:
            '@{word} on {element} has a record as its value, which CAP does not evaluate: it does not restrict access to {element}.',
          why: 'CAP reads roles from @requires and privileges from the list in @restrict alone, and ignores all else without a warning: users without the role can access what should be restricted.',
          fix: 'Annotate {element} with {key} in place of the record.',
        },
        event: {
          title: 'Ineffective @restrict due to an unknown event',
          message:
            '@restrict on {element} grants only "{word}", which is not a CAP event: reading and writing are not restricted.',
          why: 'If no privilege covers reading or writing, CAP treats @restrict as covering actions only and allows every user of the service to read and write.',
          fix: 'Replace "{word}" in @restrict on {element} with an event that CAP knows: READ, CREATE, UPDATE, DELETE, WRITE or *.',
        },
        dead: {
          title: 'Unknown event in a restriction',
          message: '@restrict on {element} grants "{word}", which is not a CAP event: this privilege never applies.',
          why: 'Users who should have access are denied it.',
          fix: 'Replace "{word}" in @restrict on {element} with an event that CAP knows: READ, CREATE, UPDATE, DELETE, WRITE or *.',
        },
        role: {
          title: 'Misspelled pseudo role',
          message:
            '@{key} on {element} names "{word}", which is neither a CAP pseudo role nor a scope of this project: no user has it.',
          why: 'Users who should have access are denied it.',
          fix: "Replace \"{word}\" with one of the pseudo roles 'authenticated-user', 'system-user' or 'internal-user', or with a role of the project.",
        },
      },
    },
    fr: {
      title: 'Clé mal orthographiée rendant @restrict inopérant',
      message: '@restrict sur {element} contient la clé "{word}", que CAP ignore : le privilège n’a donc pas de "{key}".',
      why: 'Un privilège sans "to" vaut pour tout utilisateur du service, quels que soient ses rôles.',
      fix: 'Remplacez "{word}" par "{key}" dans @restrict sur {element}.',
      variants: {
        where: {
          why: 'Un privilège sans "where" vaut pour toutes les lignes, pas seulement pour celles que la condition désigne.',
        },
        grant: {
          why: 'Un privilège sans "grant" vaut pour tous les événements : des utilisateurs qui devraient seulement lire, par exemple, peuvent aussi modifier et supprimer.',
        },
        name: {
          title: 'Annotation d’autorisation mal orthographiée',
          message: '@{word} sur {element} n’est pas une annotation CAP : elle ne restreint pas l’accès à {element}.',
          why: 'CAP ignore les annotations inconnues sans avertissement : des utilisateurs sans le rôle peuvent accéder à ce qui devrait être restreint.',
          fix: 'Remplacez @{word} par @{key} sur {element}.',
        },
        capability: {
          title: 'Annotation Capabilities sans effet : terme mal orthographié',
          message:
            'Le vocabulaire Capabilities ne définit pas {word:et} tel qu’employé sur {element} : CAP ignore la valeur et le service accepte les requêtes qu’il devrait refuser.',
          why: 'Des utilisateurs du service peuvent créer, modifier ou supprimer des lignes que l’auteur voulait en lecture seule.',
          fix: 'Écrivez {key:et} sur {element}, ou @readonly pour refuser toute modification : CAP rejette alors ces requêtes.',
        },
        letters: {
          title: 'Annotation sans effet à cause d’une majuscule',
          message:
            'CAP ne lit @{key} qu’en minuscules : @{word} sur {element} n’a pas d’effet, et les modifications sont acceptées.',
          why: 'Des utilisateurs du service peuvent modifier et supprimer des lignes par de simples requêtes, ce que l’auteur voulait refuser.',
          fix: 'Remplacez @{word} par @{key} sur {element} : CAP rejette alors ces requêtes (405).',
        },
        form: {
          title: 'Annotation d’autorisation que CAP n’évalue pas',
          message:
            '@{word} sur {element} a pour valeur un enregistrement, que CAP n’évalue pas : l’annotation ne restreint pas l’accès à {element}.',
          why: 'CAP ne lit les rôles que dans @requires et les privilèges que dans la liste de @restrict, et ignore tout le reste sans avertissement : des utilisateurs sans le rôle accèdent à ce qui devrait être restreint.',
          fix: 'Annotez {element} avec {key} à la place de l’enregistrement.',
        },
        event: {
          title: 'Événement inconnu rendant @restrict inopérant',
          message:
            '@restrict sur {element} n’accorde que "{word}", qui n’est pas un événement CAP : la lecture et l’écriture ne sont pas restreintes.',
          why: 'Si aucun privilège ne couvre la lecture ou l’écriture, CAP considère que @restrict ne porte que sur les actions et laisse tout utilisateur du service lire et écrire.',
          fix: 'Remplacez "{word}" dans @restrict sur {element} par un événement que CAP connaît : READ, CREATE, UPDATE, DELETE, WRITE ou *.',
        },
        dead: {
          title: 'Événement inconnu dans une restriction',
          message:
            '@restrict sur {element} accorde "{word}", qui n’est pas un événement CAP : ce privilège ne s’applique jamais.',
          why: 'L’accès est refusé à des utilisateurs qui devraient l’avoir.',
          fix: 'Remplacez "{word}" dans @restrict sur {element} par un événement que CAP connaît : READ, CREATE, UPDATE, DELETE, WRITE ou *.',
        },
        role: {
          title: 'Pseudo-rôle mal orthographié',
          message:
            '@{key} sur {element} nomme "{word}", qui n’est ni un pseudo-rôle CAP ni un scope de ce projet : aucun utilisateur ne possède ce rôle.',
          why: 'L’accès est refusé à des utilisateurs qui devraient l’avoir.',
          fix: "Remplacez \"{word}\" par l’un des pseudo-rôles 'authenticated-user', 'system-user' ou 'internal-user', ou par un rôle du projet.",
        },
      },
    },
  }),
})

function* matchesOf(root: CapRoot, project: Project): Generator<Match> {
  const { reach } = project
  yield* namesOf(root, reach)
  const scopes = scopesOf(project)
  for (const restriction of restrictionsOf(root)) {
    const { name, annotation } = restriction
    const element = nameOf(restriction)
    const roles = name === 'requires' ? wordsOf(annotation.value) : privilegesOf(annotation.value).flatMap(({ to }) => to ?? [])
    const word = roles.find((role) => isMisspeltPseudoRole(role) && !scopes.has(role))
    if (word !== undefined) {
      const args = { element, word, key: name }
      yield { at: annotation.place, args, variant: 'role' }
    }
    if (name !== 'restrict') continue
    for (const { record, grants } of privilegesOf(annotation.value)) {
      yield* keysOf(record, restriction, reach)
      yield* eventsOf(record, grants, restriction, root, reach)
    }
  }
}

/** Annotations that CAP does not know, at services and at what they expose. */
function* namesOf(root: CapRoot, reach: ReachModel): Generator<Match> {
  for (const service of servedServices(root)) {
    for (const element of [undefined, ...service.elements]) {
      const { annotations } = element ?? service
      if (element !== undefined) yield* capabilitiesOf(element, service, root, reach)
      const name = nameOf({ service, ...(element !== undefined && { element }) })
      const record = unevaluatedRecord(annotations)
      if (record !== undefined) {
        // whom the service lets in has the roles anyway
        const isGained = service.access.kind !== 'roles' || !service.access.roles.every((role) => record.roles.includes(role))
        const args = { element: name, word: record.word, key: record.line }
        const exposure = exposureOf(service, undefined, reach)
        yield { at: record.annotation.place, args, exposure, ...(!isGained && { impact: 'hygiene' as const }), variant: 'form' }
        continue
      }
      const found = misspeltAnnotation(annotations)
      if (found === undefined) continue
      const { word, key, annotation } = found
      const args = { element: name, word, key }
      const at = annotation.place
      if (element !== undefined && asksNoMore(wordsOf(annotation.value), service))
        yield { at, args, impact: 'hygiene', variant: 'name' }
      else yield { at, args, exposure: exposureOf(service, undefined, reach), variant: 'name' }
    }
  }
}

/** What the author denied to all under a term that does not exist; that others than administrators gain by it, the name of the entity alone says. */
function* capabilitiesOf(element: CapElement, service: CapService, root: CapRoot, reach: ReachModel): Generator<Match> {
  const denied = ineffectiveCapabilities(element)
  const capital = ineffectiveFlag(element)
  if ((denied.length === 0 && capital === undefined) || writersOf(element, service).every(isAdministrative)) return
  const handlers = handlersFor(root, service, element)
  // a view, or what no table holds, takes no changes either way
  if (isReadOnlyBySource(element, root, handlers)) return
  const found = denied.filter(({ event }) => !mayRefuse(handlers, event))
  const [first] = found
  const flag = capital?.events.every((event) => mayRefuse(handlers, event)) === true ? undefined : capital
  const name = nameOf({ service, element })
  const events = [...(flag?.events ?? []), ...found.map(({ event }) => event)]
  const exposure = exposureOf(service, element, reach, events)
  // that callers need no login is a finding of the service
  if (flag !== undefined)
    yield {
      at: flag.annotation.place,
      args: { element: name, word: flag.word, key: flag.key },
      exposure: ofUsers(exposure),
      variant: 'letters',
    }
  if (first === undefined) return
  const args = {
    element: name,
    word: listNames(found.map(({ word }) => `@${word}`)),
    key: listNames(found.map(({ key }) => `@${key}`)),
  }
  yield { at: first.annotation.place, args, exposure, variant: 'capability' }
}

/** The annotation asks for a login, and the service for that or more. */
function asksNoMore(words: readonly string[], { access }: CapService): boolean {
  return (
    words.length > 0 &&
    words.every((word) => word === 'authenticated-user' || word === 'any') &&
    (access.kind === 'roles' || access.kind === 'authenticated')
  )
}

/** Misspelled keys; any other key is a note of the author's. */
const MISSPELT: readonly (readonly [RegExp, string])[] = [
  [/^(?:too|tos|tto|t|role|roles|user|users)$/i, 'to'],
  [/^(?:were|wher|whre|wheres|when|condition|filter)$/i, 'where'],
  [/^(?:grants|granted|grand|gran|event|events)$/i, 'grant'],
]

function* keysOf(record: CdsRecord, restriction: Restriction, reach: ReachModel): Generator<Match> {
  const keys = new Set(record.members.map(({ key }) => key))
  for (const { key: word, keySpan } of record.members) {
    if (word === 'to' || word === 'where' || word === 'grant') continue
    const folded = ['to', 'where', 'grant'].find((key) => key === word.toLowerCase())
    const key = folded ?? MISSPELT.find(([pattern]) => pattern.test(word))?.[1]
    if (key === undefined || keys.has(key)) continue
    const { element, service } = restriction
    // "grant" and "where" of a service have no effect anyway
    if (element === undefined && key !== 'to') continue
    // without a role in the privilege, those who may call the service have it; its roles are checked first
    const exposure = exposureOf(service, key === 'to' ? undefined : element, reach)
    const args = { element: nameOf(restriction), word, key }
    yield { at: placeIn(restriction.annotation, keySpan), args, exposure, ...(key !== 'to' && { variant: key }) }
  }
}

const EVENTS: ReadonlySet<string> = new Set(
  '* READ CREATE UPDATE DELETE WRITE INSERT UPSERT NEW PATCH CANCEL EDIT SAVE PREPARE DISCARD SUBSCRIBE'.split(' '),
)

function* eventsOf(
  record: CdsRecord,
  grants: readonly string[],
  restriction: Restriction,
  root: CapRoot,
  reach: ReachModel,
): Generator<Match> {
  const { service, element, annotation } = restriction
  if (element?.kind !== 'entity') return
  // a name in any other style may be an action, or an event of the project's own
  const word = grants.find((grant) => !EVENTS.has(grant) && (EVENTS.has(grant.toUpperCase()) || /^[A-Z]{3,20}$/.test(grant)))
  const value = record.members.find(({ key }) => key === 'grant')?.value
  if (word === undefined || value === undefined || isAction(word, restriction)) return
  const isOpen = root.runtime === 'node' && grantsActionsOnly(element.annotations)
  const args = { element: nameOf(restriction), word }
  const at = placeIn(annotation, value)
  if (!isOpen) return yield { at, args, variant: 'dead' }
  const isGained = !asksForRolesOf(element, service)
  yield { at, args, exposure: exposureOf(service, undefined, reach), ...(!isGained && { impact: 'bounded' }), variant: 'event' }
}

/** The service asks for roles that the entity names as well: their users are meant to come in. */
function asksForRolesOf({ annotations }: CapElement, { access }: CapService): boolean {
  const named = new Set(privilegesOf(annotations.get('restrict')?.value).flatMap(({ to }) => to ?? []))
  return access.kind === 'roles' && access.roles.every((role) => named.has(role))
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
