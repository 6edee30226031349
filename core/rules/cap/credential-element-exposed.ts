import { listNames } from '../../arguments.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, type Value } from '../../facts/index.ts'
import {
  entityWords,
  exposedEntities,
  isAdministrative,
  isCredential,
  isHidden,
  isKeyOfUser,
  isReadable,
  readersOf,
  roleChecks,
  uncheckedInCode,
  type CapElement,
  type CapMember,
  type CapService,
} from '../../model/cap/index.ts'
import { isDeployedCode, isOfUi5App } from '../../model/script/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { hasOwnLogin } from './_callers/caller-gates.ts'
import { rolesAmong } from './_model/entity-rights.ts'
import { pageLogins } from './_secrets/page-logins.ts'
import { isSent, passwordHashes } from './_secrets/password-rows.ts'
import { credentialsReturned, RETURNED_WORDS, returnedCredentials } from './_secrets/returned-credentials.ts'
import { credentialUses, usedCredentials } from './_secrets/used-credentials.ts'
import { lastName } from '../../paths.ts'

const REMOVES = /\bdelete\s|[^=!<>]=\s{0,20}\(?(?:null|undefined|["'`][*.\s-]{0,100}["'`])/

/** Elements that handlers take out of what they answer, or overwrite: `delete user.password`, `row.apiKey = null`. */
const removed: Extract<string> = defineExtract({
  name: 'cap-removed-elements',
  keywords: ['delete ', 'null', 'undefined', '***', "''", '""'],
  prefilter: (text) => REMOVES.test(text),
  isFor: (path) => !isOfUi5App(path),
  collect: ({ facts: { assignments, deletions } }) => [
    ...deletions.flatMap(({ name, object }) => (isSent(object) ? [] : (name ?? ''))),
    ...assignments.flatMap(({ target, value }) => (isNothing(value) && !isSent(target.object) ? (target.name ?? '') : [])),
  ],
})

/** Clients of mail servers, directories and file servers, by their packages. */
const CLIENTS =
  /(?:\brequire\(|\bfrom|\bimport)\s{0,4}\(?["'`](?:imap|imapflow|imap-simple|node-imap|nodemailer|emailjs|emailjs-imap-client|node-pop3|poplib|ssh2|ssh2-sftp-client|basic-ftp|ftp|ldapjs|ldapts)["'`]/

/** One item for each script that logs in at such a server. */
const clients: Extract<true> = defineExtract({
  name: 'cap-clients-with-passwords',
  keywords: ['imap', 'mail', 'pop3', 'poplib', 'ssh2', 'ftp', 'ldap'],
  isFor: isDeployedCode,
  *collectText(text) {
    if (CLIENTS.test(text)) yield true
  },
})

function isNothing(value: Value): boolean {
  if (value.kind === 'reference') return value.name === 'undefined'
  const written = constantOf(value)
  return written === null || (typeof written === 'string' && /^[*.\s-]*$/.test(written))
}

/**
 * An entity of a service whose elements have the names of credentials: OData answers with every element that a projection doesn't leave out.
 * Facts: capire, "CDS Definition Language", "Views & Projections" (`excluding`), "Annotations", `@cds.api.ignore`; `@UI.Hidden` and `@readonly` hide nothing from clients.
 * Impact: whoever reads the entity gets what lets somebody else in; what the element holds is told by its name alone, so one link is missing, unless an operation of the
 * project logs users in, for which passwords are kept. Of their hashes an attacker has to find the passwords first: what is read are data of others.
 * Of other credentials nothing is missing where handlers store them in plain text and compare or verify them, and all users read the entity.
 * The same is shown where a page of the project compares what users enter with the element as the service answers it.
 * A password beside a host and a port is for another system, which takes it as it is: that is shown where the project has a client of such systems.
 */
export const credentialElementExposed: Rule = defineRule({
  id: 'cap/credential-element-exposed',
  impact: 'takeover',
  evidence: 'assumed',
  grades: { hashes: { impact: 'data', evidence: 'shown' }, connection: {}, returned: {}, signed: { impact: 'defence' } },
  confidence: 'medium',
  cwe: [200, 522],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/cds/cdl#excluding-clause',
  on: 'cap-root',
  extracts: [removed, passwordHashes, pageLogins, clients, credentialUses, roleChecks, returnedCredentials],

  *check(root, { reach }) {
    if (root.test) return
    yield* credentialsReturned(root)
    const taken = new Set(root.scripts.get(removed).map(({ value }) => value))
    const handled = root.scripts.get(passwordHashes).map(({ value }) => value)
    const hasClient = root.scripts.get(clients).length > 0
    const used = usedCredentials(root.scripts)
    const asked = new Set(root.scripts.get(pageLogins).map(({ value }) => value))
    const isLogin = handled.includes('compared') || hasOwnLogin(root)
    for (const { service, entity, isDirect, name } of exposedEntities(root)) {
      // what the compiler adds is for cap/sensitive-entity-autoexposed
      if (!isDirect || !isRead(entity) || isForAdministrators(entity, service)) continue
      const elements = entity.members().filter((member) => isShown(member, entity) && !taken.has(lastName(member.name)))
      if (elements.length === 0) continue
      const exposure = reach.ofElement(service, entity, ['READ'])
      const isInUse =
        /^(?:anyone|user)$/.test(exposure.reach) &&
        rolesAmong(rolesFor(entity, service)).length === 0 &&
        elements.some((member) => !PASSWORD.test(member.name) && used.has(lastName(member.name))) &&
        uncheckedInCode(root, service, [entity], 'read').length > 0
      yield {
        at: entity.place,
        args: { entity: name, elements: listNames(elements.map((member) => member.name)) },
        exposure,
        ...(isOfConnection(entity, elements)
          ? { variant: 'connection', ...(hasClient && { evidence: 'shown' as const }) }
          : {
              ...((isInUse || elements.some(({ name: own }) => asked.has(own))) && { evidence: 'shown' as const }),
              ...(isLogin && gradeOf(elements, handled.length > 0, exposure.reach === 'anyone')),
            }),
        groupKey: `${entity.place.file} ${entity.qualified}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'Credentials readable through a CAP service',
      message: 'Every user who may read {entity} can read {elements:and}.',
      why: 'OData returns all elements of an entity, even those that no UI shows: a reader of the entity gets credentials with which they can act as another user.',
      fix: 'Leave the elements out of the service: entity … as projection on … excluding {…}. If clients must be able to set them, use an action with a parameter. Store passwords of users as hashes only.',
      variants: {
        connection: {
          title: 'Password of another system readable through a CAP service',
          message:
            'Every user who may read {entity} can read {elements:and}, beside the host and port of the system that it is for.',
          why: 'OData returns all elements of an entity, even those that no UI shows: a reader of the entity logs in to the other system, such as a mailbox, as its owner.',
          fix: 'Leave the elements out of the service: entity … as projection on … excluding {…}. If clients must be able to set them, use an action with a parameter. Keep the passwords in the credential store or in a destination.',
        },
        ...RETURNED_WORDS.en,
        hashes: {
          title: 'Password hashes readable through a CAP service',
          message: 'Every user who may read {entity} can read {elements:and}, with which the project logs users in.',
          why: 'OData returns all elements of an entity, even those that no UI shows: a reader tries common passwords against the hashes at leisure, and logs in as the users who chose one.',
        },
      },
    },
    fr: {
      title: 'Secrets lisibles par un service CAP',
      message: 'Tout utilisateur qui peut lire {entity} peut lire {elements:et}.',
      why: 'OData renvoie tous les éléments d’une entité, même ceux qu’aucune interface n’affiche : un lecteur de l’entité obtient des secrets qui permettent d’agir au nom d’autrui.',
      fix: 'Retirez ces éléments du service : entity … as projection on … excluding {…}. Si des clients doivent pouvoir les définir, utilisez une action avec un paramètre. N’enregistrez les mots de passe des utilisateurs que sous forme de hachages.',
      variants: {
        connection: {
          title: 'Mot de passe d’un autre système lisible par un service CAP',
          message:
            'Tout utilisateur qui peut lire {entity} peut lire {elements:et}, à côté de l’hôte et du port du système concerné.',
          why: 'OData renvoie tous les éléments d’une entité, même ceux qu’aucune interface n’affiche : un lecteur de l’entité se connecte à l’autre système, par exemple à une boîte aux lettres, au nom de son propriétaire.',
          fix: 'Retirez ces éléments du service : entity … as projection on … excluding {…}. Si des clients doivent pouvoir les définir, utilisez une action avec un paramètre. Conservez les mots de passe dans le Credential Store ou dans une destination.',
        },
        ...RETURNED_WORDS.fr,
        hashes: {
          title: 'Empreintes de mots de passe lisibles par un service CAP',
          message:
            'Tout utilisateur qui peut lire {entity} peut lire {elements:et}, avec lesquels le projet connecte ses utilisateurs.',
          why: 'OData renvoie tous les éléments d’une entité, même ceux qu’aucune interface n’affiche : un lecteur essaie à loisir des mots de passe courants sur les empreintes et se connecte avec les comptes concernés.',
        },
      },
    },
  }),
})

const HOST = /^(?:(?:imap|smtp|mail|pop3?|s?ftp|ldap|server|remote)_?)?(?:host(?:_?name)?|server)$/i
const PORT = /^(?:(?:imap|smtp|mail|pop3?|s?ftp|ldap|server|host|remote)_?)?port$/i

/** What is needed to log in to another system: host, port and password, which is no hash. */
function isOfConnection(entity: CapElement, elements: readonly CapMember[]): boolean {
  const names = entity.members().map(({ name }) => name)
  return (
    names.some((name) => HOST.test(name)) &&
    names.some((name) => PORT.test(name)) &&
    elements.some(({ name }) => PASSWORD.test(name) && !HASH.test(name))
  )
}

const PASSWORD = /pass(?:word|wd|wort|e$)|pwd|kennwort|senha|contrase|wachtwoord|clave/i
const HASH = /hash|digest/i

/** Of passwords with which the project logs users in. */
function gradeOf(elements: readonly CapMember[], areHashed: boolean, isPublic: boolean): Partial<Match> {
  const passwords = elements.filter(({ name }) => PASSWORD.test(name))
  if (passwords.length === 0) return {}
  if (!areHashed && !passwords.every(({ name }) => HASH.test(name))) return { evidence: 'shown' }
  // an API key beside the hash is a credential as it stands
  if (passwords.length < elements.length) return {}
  // who needs no login to read them still has to find a password: not as bad as a credential that is shown
  return { variant: 'hashes', ...(isPublic && { impact: 'takeover', evidence: 'assumed' }) }
}

function isRead(entity: CapElement): boolean {
  return isReadable(entity) && !onlyWrites(entity)
}

/** All that is granted are other events. */
function onlyWrites(entity: CapElement): boolean {
  return entity.annotations.has('restrict') && !entity.annotations.has('requires') && readersOf(entity) === undefined
}

/** Rows of one's own, and entities of administrators, may be meant to show them. */
function isForAdministrators(entity: CapElement, service: CapService): boolean {
  if (readersOf(entity)?.filtered === true) return true
  const roles = rolesFor(entity, service)
  return roles.length > 0 && roles.every(isAdministrative)
}

function rolesFor(entity: CapElement, { access }: CapService): readonly string[] {
  return readersOf(entity)?.roles ?? (access.kind === 'roles' ? access.roles : [])
}

/** A card's code and the like are no way to become somebody else; a virtual element is not stored. */
function isShown(member: CapMember, entity: CapElement): boolean {
  if (member.virtual || isHidden(member)) return false
  return (
    (isCredential(member) && !/(?:code|cvv|cvc)$/i.test(member.name)) || isTokenOf(member, entity) || isUserKey(member, entity)
  )
}

function isUserKey({ name, type }: CapMember, entity: CapElement): boolean {
  return (
    type === 'String' &&
    isKeyOfUser(
      name,
      entity.members().map((member) => member.name),
    )
  )
}

/** `AccessTokens.token`: what the rows of an entity are, that is called like that. */
function isTokenOf({ name, type, isEnum }: CapMember, { qualified, source }: CapElement): boolean {
  if (name !== 'token' || isEnum || type === 'Association' || type === 'Composition') return false
  return [qualified, source?.name ?? ''].some((one) => TOKENS.test(entityWords(one)))
}

const TOKENS =
  /(?:^| )(?:(?:access|refresh|session|auth|login|reset|verification|activation|invitation|bearer|api|user|secure|magic)(?: [a-z]{1,20})? (?:tokens?|links?)|(?:login|user) sessions?|password resets?|invitations?)$/
