import { append } from '../../lists.ts'
import { roleChecks } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { listElements, listRoles, usersWith } from './_matches.ts'
import { EVENTS } from './_model/entity-rights.ts'
import { readerWrites, type ReaderWrites } from './_model/reading-roles.ts'
import { entityHandlers } from './_handlers/write-handlers.ts'

/**
 * An entity that its users may write with a role that is for reading by its name, in a project that has another one for writing.
 * Facts: capire, "Authorization" (`@requires` of an entity restricts all events alike: who has one of the roles may read, create, change and delete);
 * @sap/cds 10.1.1, lib/srv/protocols/http.js and generic/auth/requires.js.
 * Impact: users who are meant to read rows change them. Where no descriptor gives the role for reading alone, that somebody has it without the other one is assumed.
 */
export const readRoleMayWrite: Rule = defineRule({
  id: 'cap/read-role-may-write',
  impact: 'data',
  confidence: 'high',
  cwe: [862],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#requires',
  on: 'cap-root',
  extracts: [entityHandlers, roleChecks],

  *check(root, project) {
    const groups = new Map<string, ReaderWrites[]>()
    for (const found of readerWrites(root, project))
      append(groups, `${found.service.place.file} ${found.service.name} ${found.readers.join(' ')}`, found)
    for (const [groupKey, found] of groups) {
      const [first] = found
      if (first === undefined) continue
      const unique = <Item>(items: readonly Item[]): readonly Item[] => [...new Set(items)]
      const args = {
        service: first.service.name,
        users: usersWith(first.readers),
        entities: listElements(found.map(({ element }) => element.name)),
        events: EVENTS.filter((event) => found.some(({ events }) => events.includes(event))).join(', '),
        writers: listRoles(unique(found.flatMap(({ writers }) => writers))),
      }
      for (const { element, service, isShown } of found)
        yield {
          at: element.place,
          args,
          groupKey,
          ...(!isShown && { evidence: 'assumed' as const }),
          // who reads is none of the few
          exposure: { reach: 'user', by: element.access?.place ?? service.access.place ?? service.place },
        }
    }
  },

  text: () => ({
    en: {
      title: 'Read-only role can write a CAP entity',
      message:
        'In {service}, {users:and} can also write {entities:and} ({events:and}): the annotation does not distinguish reading from writing, although the project has {writers:or} for it.',
      why: "@requires on an entity or its service, like grant: '*', applies to all events. A user who should only read the rows can create, change or delete them by a direct OData request.",
      fix: "Annotate {entities:and} with @restrict: [{ grant: 'READ', to: '<read role>' }, { grant: 'WRITE', to: '<write role>' }] instead. If nobody writes these rows by OData requests, add @readonly.",
    },
    fr: {
      title: 'Rôle de lecture autorisé à écrire dans une entité CAP',
      message:
        'Dans {service}, {users:et} peuvent aussi écrire dans {entities:et} ({events:et}) : l’annotation ne distingue pas lecture et écriture, alors que le projet a {writers:ou} pour cela.',
      why: "@requires sur une entité ou son service, comme grant: '*', vaut pour tous les événements. Un utilisateur censé seulement lire les lignes peut les créer, modifier ou supprimer par une requête OData directe.",
      fix: "Annotez plutôt {entities:et} avec @restrict: [{ grant: 'READ', to: '<rôle de lecture>' }, { grant: 'WRITE', to: '<rôle d’écriture>' }]. Si personne n’écrit ces lignes par des requêtes OData, ajoutez @readonly.",
    },
  }),
})
