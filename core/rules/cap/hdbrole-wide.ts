import { at, itemsOf, memberOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { inEachLanguage, listNames } from '../../arguments.ts'
import { defineRule, type Rule } from '../rule.ts'

/** On .hdbgrants; the page of the rule is about .hdbrole. */
const GRANTS_DOCS =
  'https://learning.sap.com/learning-journeys/develop-data-models-with-sap-hana-cloud/enabling-access-to-external-data_f1c1a091-caca-434a-936b-8c58d6b607d7'

/**
 * A role of a database container, or what the deployment grants to the user of the application, with more than access to data.
 * Facts: SAP HANA Cloud, SAP HANA Deployment Infrastructure Reference: .hdbrole (schema_privileges without a reference are those of the container's
 * own schema; SELECT, INSERT, UPDATE, DELETE and EXECUTE are what the default access role has; only roles that end with # have the grant option, and
 * only object owners get these), .hdbgrants (object_owner deploys, application_user runs).
 * Impact: it makes an injection or a stolen binding worse, a second fault; the grant option of a role an object owner alone can get.
 */
export const hdbroleWide: Rule = defineRule({
  id: 'cap/hdbrole-wide',
  impact: 'defence',
  grades: { grant: { reach: 'privileged' } },
  confidence: 'high',
  cwe: [250],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/hana-cloud-database/sap-hana-cloud-sap-hana-database-deployment-infrastructure-hdi-reference/roles-hdbrole-and-hdbroleconfig',
  docsByVariant: { owner: GRANTS_DOCS, 'grant-user': GRANTS_DOCS, foreign: GRANTS_DOCS },
  on: 'data',

  *check({ path: file, kind, content }) {
    for (const root of content.roots) {
      if (kind.role === 'hdbrole') yield* ofRole(file, root)
      else if (kind.role === 'hdbgrants') yield* ofGrants(file, root)
    }
  },

  text: () => ({
    en: {
      title: 'Excessive privileges on a database schema',
      message: '{owner} gets {privileges:and} on an entire schema.',
      why: 'With an SQL injection or the stolen credentials of a user who has this access, an attacker can use {privileges:and} on all present and future objects of the schema.',
      fix: 'Remove {privileges:and} from schema_privileges in {file}: SELECT, INSERT, UPDATE, DELETE and EXECUTE are enough at run time. Or replace schema_privileges with object_privileges for individual objects.',
      variants: {
        grant: {
          title: 'Grant option on an entire database schema',
          message: '{owner} gets {privileges:and} on an entire schema, with grant option.',
          why: 'The grantee has this access to all present and future objects of the schema, and can grant it to any other user.',
          fix: 'Replace "schema_privileges" with "object_privileges" for individual objects: { "name": "<view>", "type": "VIEW", "privileges_with_grant_option": ["SELECT"] }. In a role for users, use "privileges" instead of "privileges_with_grant_option".',
        },
        'grant-user': {
          title: 'Grant option on an entire database schema',
          message: '{owner} gets {privileges:and} on an entire schema, with grant option.',
          why: 'With an SQL injection or stolen binding credentials, an attacker has this access to all present and future objects of the schema, and can grant it to any other user.',
          fix: 'Replace "privileges_with_grant_option" with "privileges" under "application_user" in {file}. Preferably, list individual objects under "object_privileges" instead of the schema.',
        },
        foreign: {
          title: 'Entire schema of another application granted',
          message: '{owner} gets {privileges:and} on an entire schema outside the container.',
          why: 'With an SQL injection or stolen binding credentials, an attacker has this access to all present and future objects of that schema, not only to those that the application needs.',
          fix: 'Replace "schema_privileges" under "application_user" in {file} with "object_privileges" for individual objects: { "name": "<view>", "privileges": ["SELECT"] } or { "name": "<procedure>", "privileges": ["EXECUTE"] }.',
        },
        system: {
          title: 'System privilege granted in a database container',
          message: '{owner} gets {privileges:and} under system_privileges.',
          why: 'System privileges apply to the whole database: with an SQL injection or stolen credentials of a user who has them, an attacker can reach beyond the application’s container.',
          fix: 'Remove {privileges:and} from system_privileges in {file}, and grant system privileges only to the administrator or technical user who needs them.',
        },
        owner: {
          title: 'Role of the object owner granted to the application user',
          message:
            '{owner} gets {privileges:and}: a role whose name ends with # can contain privileges with grant option and is intended for object owners.',
          why: 'With an SQL injection or stolen binding credentials, an attacker may be able to grant other users access to the objects of the other container.',
          fix: 'Grant {privileges:and} to object_owner only, in {file}. Grant application_user the role of the same name without # instead; if it does not exist, define it in the other container.',
        },
      },
    },
    fr: {
      title: 'Privilèges excessifs sur un schéma de base de données',
      message: '{owner} reçoit {privileges:et} sur un schéma entier.',
      why: 'Au moyen d’une injection SQL ou des identifiants volés d’un utilisateur qui dispose de cet accès, un attaquant peut utiliser {privileges:et} sur tous les objets présents et futurs du schéma.',
      fix: 'Retirez {privileges:et} de schema_privileges dans {file} : SELECT, INSERT, UPDATE, DELETE et EXECUTE suffisent à l’exécution. Ou remplacez schema_privileges par object_privileges pour des objets précis.',
      variants: {
        grant: {
          title: 'Option d’octroi sur un schéma entier de la base de données',
          message: '{owner} reçoit {privileges:et} sur un schéma entier, avec option d’octroi (grant option).',
          why: 'Le bénéficiaire dispose de cet accès à tous les objets présents et futurs du schéma, et peut l’accorder à tout autre utilisateur.',
          fix: 'Remplacez "schema_privileges" par "object_privileges" pour des objets précis : { "name": "<vue>", "type": "VIEW", "privileges_with_grant_option": ["SELECT"] }. Dans un rôle pour utilisateurs, écrivez "privileges" au lieu de "privileges_with_grant_option".',
        },
        'grant-user': {
          title: 'Option d’octroi sur un schéma entier de la base de données',
          message: '{owner} reçoit {privileges:et} sur un schéma entier, avec option d’octroi (grant option).',
          why: 'Au moyen d’une injection SQL ou d’identifiants de liaison volés, un attaquant dispose de cet accès à tous les objets présents et futurs du schéma, et peut l’accorder à tout autre utilisateur.',
          fix: 'Remplacez "privileges_with_grant_option" par "privileges" sous "application_user" dans {file}. De préférence, nommez des objets précis dans "object_privileges" au lieu du schéma.',
        },
        foreign: {
          title: 'Schéma entier d’une autre application accordé',
          message: '{owner} reçoit {privileges:et} sur un schéma entier hors du conteneur.',
          why: 'Au moyen d’une injection SQL ou d’identifiants de liaison volés, un attaquant dispose de cet accès à tous les objets présents et futurs de ce schéma, et pas seulement à ceux dont l’application a besoin.',
          fix: 'Remplacez "schema_privileges" sous "application_user" dans {file} par "object_privileges" pour des objets précis : { "name": "<vue>", "privileges": ["SELECT"] } ou { "name": "<procédure>", "privileges": ["EXECUTE"] }.',
        },
        system: {
          title: 'Privilège système accordé dans un conteneur de base de données',
          message: '{owner} reçoit {privileges:et} dans system_privileges.',
          why: 'Les privilèges système valent pour toute la base : au moyen d’une injection SQL ou des identifiants volés d’un utilisateur doté de ces privilèges, un attaquant peut sortir du conteneur de l’application.',
          fix: 'Retirez {privileges:et} de system_privileges dans {file}, et n’accordez de privilèges système qu’à l’administrateur ou à l’utilisateur technique qui en a besoin.',
        },
        owner: {
          title: 'Rôle du propriétaire d’objets accordé à l’utilisateur applicatif',
          message:
            '{owner} reçoit {privileges:et} : un rôle dont le nom finit par # peut contenir des privilèges avec option d’octroi et est destiné aux propriétaires d’objets.',
          why: 'Au moyen d’une injection SQL ou d’identifiants de liaison volés, un attaquant pourrait accorder à d’autres utilisateurs l’accès aux objets de l’autre conteneur.',
          fix: 'N’accordez {privileges:et} qu’à object_owner, dans {file}. Accordez plutôt à application_user le rôle du même nom sans # ; s’il n’existe pas, définissez-le dans l’autre conteneur.',
        },
      },
    },
  }),
})

/** Privileges on what a schema is made of; those on its rows are not among them. */
const WIDE = /^(?:ALL(?: PRIVILEGES)?|ALTER|DROP|CREATE ANY|TRIGGER|UNMASKED|SELECT ANY)$/i

function* ofRole(file: string, root: DataNode): Generator<Match> {
  const role = at(root, 'role')
  const owner = stringOf(at(role, 'name')) ?? file
  yield* ofSchemas(file, owner, role)
  yield* toMatches(file, owner, at(role, 'system_privileges'), () => true, 'system')
}

/** What the user that runs requests gets; the object owner needs all rights on its objects. */
function* ofGrants(file: string, root: DataNode): Generator<Match> {
  for (const { value } of membersOf(root)) {
    const user = at(value, 'application_user')
    yield* ofSchemas(file, 'application_user', user)
    for (const entry of itemsOf(at(user, 'schema_privileges'))) yield* ofForeignSchema(file, entry)
    yield* toMatches(file, 'application_user', at(user, 'system_privileges'), () => true, 'system')
    const isOwners = (name: string): boolean => name.endsWith('#')
    for (const key of ['roles', 'container_roles', 'global_roles'])
      yield* toMatches(file, 'application_user', at(user, key), isOwners, 'owner')
    for (const entry of itemsOf(at(user, 'schema_roles')))
      for (const key of ['roles', 'names']) yield* toMatches(file, 'application_user', at(entry, key), isOwners, 'owner')
  }
}

/** A schema that a service of others grants, whole, with more than reading. */
function* ofForeignSchema(file: string, entry: DataNode): Generator<Match> {
  const list = at(entry, 'privileges')
  if (itemsOf(list).some((item) => WIDE.test(stringOf(item)?.trim() ?? ''))) return
  yield* toMatches(file, 'application_user', list, (name) => CHANGING.test(name), 'foreign')
}

const CHANGING = /^(?:INSERT|UPDATE|DELETE|EXECUTE)$/i

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
  isWide: (name: string) => boolean,
  variant?: string,
): Generator<Match> {
  const wide = itemsOf(list).filter((item) => isWide(stringOf(item)?.trim() ?? '') && stringOf(item) !== undefined)
  const [first] = wide
  if (first === undefined) return
  const privileges = wide.slice(0, 5).map((item) => stringOf(item) ?? '')
  yield {
    at: { file, span: { start: first.start, end: first.end } },
    args: { owner: ownerWords(owner), privileges: listNames(privileges), file },
    variant: variant === 'grant' && owner === 'application_user' ? 'grant-user' : variant,
  }
}

function ownerWords(owner: string): string {
  return owner === 'application_user'
    ? inEachLanguage({ en: 'The application user (application_user)', fr: 'L’utilisateur applicatif (application_user)' })
    : inEachLanguage({ en: `The role ${owner}`, fr: `Le rôle ${owner}` })
}
