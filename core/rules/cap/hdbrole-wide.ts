import { at, itemsOf, memberOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A role of a database container, or what the deployment grants to the user of the application, that reaches further than data.
 *  Facts: SAP HANA Cloud, SAP HANA Deployment Infrastructure Reference: .hdbrole (schema_privileges without a reference are those of the container's
 *  own schema; SELECT, INSERT, UPDATE, DELETE and EXECUTE are what the default access role has), .hdbgrants (object_owner deploys, application_user
 *  runs; roles that end with # may be granted on, and are for the owner). */
export const hdbroleWide: Rule = defineRule({
  id: 'cap/hdbrole-wide',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [250],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/hana-cloud-database/sap-hana-cloud-sap-hana-database-deployment-infrastructure-reference/roles-hdbrole-and-hdbroleconfig',
  on: 'data',

  *check({ path: file, kind, content }) {
    for (const root of content.roots) {
      if (kind.role === 'hdbrole') yield* ofRole(file, root)
      else if (kind.role === 'hdbgrants') yield* ofGrants(file, root)
    }
  },

  text: {
    en: {
      title: 'A database role changes the schema itself',
      message: '{owner} gets {privileges} on a whole schema.',
      why: 'An injection in the application then drops or rewrites tables, or runs code at every change, instead of reading rows.',
      fix: 'Name objects in object_privileges, with SELECT, INSERT, UPDATE, DELETE or EXECUTE as each needs.',
      variants: {
        grant: {
          title: 'A database role hands on a whole schema',
          message: '{owner} gets {privileges} on a whole schema with the right to grant it to others.',
          why: 'Whoever holds the role passes every table of the schema on, to any user, past the owner.',
          fix: 'Name in object_privileges the objects that others need, and their privileges_with_grant_option.',
        },
        system: {
          title: 'The application has a system privilege of the database',
          message: '{owner} gets the system privilege {privileges}.',
          why: 'It holds for the whole database, beyond the container: one injection in the application is then one for all.',
          fix: 'Remove it, and give it to an administrator or to the technical user that needs it.',
        },
        owner: {
          title: 'The application has a role that is meant for the owner',
          message: 'application_user gets {privileges}, a role with the right to grant.',
          why: 'The user that runs requests may hand the objects of the other container on to anybody.',
          fix: 'Give that role to object_owner, and to application_user the role without # at its end.',
        },
      },
    },
    fr: {
      title: 'Un rôle de la base modifie le schéma lui-même',
      message: '{owner} reçoit {privileges} sur un schéma entier.',
      why: 'Une injection dans l’application supprime ou réécrit alors des tables, ou exécute du code à chaque modification, au lieu de lire des lignes.',
      fix: 'Nommez les objets dans object_privileges, avec SELECT, INSERT, UPDATE, DELETE ou EXECUTE selon le besoin.',
      variants: {
        grant: {
          title: 'Un rôle de la base transmet un schéma entier',
          message: '{owner} reçoit {privileges} sur un schéma entier, avec le droit de l’accorder à d’autres.',
          why: 'Qui détient le rôle transmet toutes les tables du schéma à n’importe quel utilisateur, à l’insu du propriétaire.',
          fix: 'Nommez dans object_privileges les objets nécessaires aux autres, avec leurs privileges_with_grant_option.',
        },
        system: {
          title: 'L’application a un privilège système de la base',
          message: '{owner} reçoit le privilège système {privileges}.',
          why: 'Il vaut pour toute la base, au-delà du conteneur : une injection dans l’application en devient une pour tous.',
          fix: 'Retirez-le, et donnez-le à un administrateur ou à l’utilisateur technique qui en a besoin.',
        },
        owner: {
          title: 'L’application a un rôle destiné au propriétaire',
          message: 'application_user reçoit {privileges}, un rôle avec le droit d’accorder.',
          why: 'L’utilisateur qui exécute les requêtes peut transmettre à quiconque les objets de l’autre conteneur.',
          fix: 'Donnez ce rôle à object_owner, et à application_user le rôle sans # final.',
        },
      },
    },
  },
})

/** Privileges on what a schema is made of; those on its rows are not among them. */
const WIDE = /^(?:ALL(?: PRIVILEGES)?|ALTER|DROP|CREATE ANY|TRIGGER|UNMASKED|SELECT ANY)$/i

function* ofRole(file: string, root: DataNode): Generator<Match> {
  const role = at(root, 'role')
  const owner = stringOf(at(role, 'name')) ?? file
  yield* ofSchemas(file, owner, role)
  yield* toMatches(file, owner, at(role, 'system_privileges'), () => true, 'system')
}

/** What the user that runs requests gets; the owner has to own. */
function* ofGrants(file: string, root: DataNode): Generator<Match> {
  for (const { value } of membersOf(root)) {
    const user = at(value, 'application_user')
    yield* ofSchemas(file, 'application_user', user)
    yield* toMatches(file, 'application_user', at(user, 'system_privileges'), () => true, 'system')
    const isOwners = (name: string): boolean => name.endsWith('#')
    for (const key of ['roles', 'container_roles', 'global_roles'])
      yield* toMatches(file, 'application_user', at(user, key), isOwners, 'owner')
    for (const entry of itemsOf(at(user, 'schema_roles')))
      for (const key of ['roles', 'names']) yield* toMatches(file, 'application_user', at(entry, key), isOwners, 'owner')
  }
}

function* ofSchemas(file: string, owner: string, from: DataNode | undefined): Generator<Match> {
  for (const entry of itemsOf(memberOf(from, 'schema_privileges')?.value)) {
    yield* toMatches(file, owner, at(entry, 'privileges'), (name) => WIDE.test(name))
    yield* toMatches(file, owner, at(entry, 'privileges_with_grant_option'), () => true, 'grant')
  }
}

/** One match for each list, at the first name of it. */
function* toMatches(
  file: string,
  owner: string,
  list: DataNode | undefined,
  isMeant: (name: string) => boolean,
  variant?: string,
): Generator<Match> {
  const meant = itemsOf(list).filter((item) => isMeant(stringOf(item)?.trim() ?? '') && stringOf(item) !== undefined)
  const [first] = meant
  if (first === undefined) return
  const privileges = meant.slice(0, 5).map((item) => stringOf(item) ?? '')
  yield {
    at: { file, span: { start: first.start, end: first.end } },
    args: { owner, privileges: privileges.join(', ') },
    variant,
  }
}
