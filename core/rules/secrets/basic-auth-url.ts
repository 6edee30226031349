import { ENCODED_KEYWORDS, limitMatches, matchUrls, URL_KEYWORDS } from '../../secrets/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** `git+https` too: what package managers write; `s3-eu-central-1` of SAP HANA's EXPORT. */
const SCHEME =
  /^(?:(?:[a-z]{1,8}\+)?https?|wss?|ftps?|sftp|ssh|ldaps?|smtps?|imaps?|socks[45]?h?|s3[a-z0-9-]{0,40}|azure|wasbs?|abfss?|gs|smb|cifs|nfs|rtsps?|svn(?:\+ssh)?|git|webdavs?|davs?|rsync|telnet|vnc)$/
/** Object storage: the second part is the secret half of an access key, the host is a bucket or container. */
const STORAGE = /^(?:s3|gs$|azure$|wasbs?$|abfss?$)/
/** What package managers write, with the addresses of the registry's settings. */
const LOCK_FILE = /(?:^|\/)(?:yarn\.lock|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml)$/

/** An address of a server with user and password, that of a website for the most part. What documentation shows, references and placeholders are none; a password of a token table's row is told by that row.
 *  Impact: who reads the project logs in to the server, where its host is reached from outside.
 *  Facts: RFC 3986, 3.2.1 (userinfo; the form with a password is deprecated); RFC 7617; RFC 2606 and RFC 6761 (reserved names). */
export const basicAuthUrl: Rule = defineRule({
  id: 'secrets/basic-auth-url',
  impact: 'takeover',
  reach: 'anyone',
  usage: 'deployed',
  confidence: 'high',
  cwe: [798],
  since: '0.1.0',
  docs: 'https://owasp.org/www-community/vulnerabilities/Use_of_hard-coded_password',
  keywords: [...URL_KEYWORDS, ...ENCODED_KEYWORDS],
  inTests: true,
  on: 'credentials',

  check: (credentials) => limitMatches(nameKinds(matchUrls(credentials, SCHEME))),

  text: () => ({
    en: {
      title: 'Hard-coded password in a URL',
      message: '{name} contains a URL with the password for {host} ({length} characters: {charset}).',
      why: 'Anyone who can read the project or its history and reach this server can log in to it; URLs also end up in logs, error messages and process lists.',
      fix: 'Change the password on {host}, and read the new one from the environment, a pipeline secret or a secret store. Deleting the value here is not enough: the version history may still contain it.',
      variants: {
        storage: {
          title: 'Hard-coded access key in a storage URL',
          message: '{name} contains a URL with the secret access key for {host} ({length} characters: {charset}).',
          why: 'Anyone who can read the project or its history can access this storage with the permissions of the key; URLs also end up in logs, error messages and process lists.',
          fix: 'Replace the key at the storage provider, and keep the new one in the environment, a secret store or, for SAP HANA, a credential (WITH CREDENTIAL). Deleting the value here is not enough: the version history may still contain it.',
        },
        token: {
          title: 'Hard-coded access token in a URL',
          message: '{name} contains a URL with an access token for {host} ({length} characters: {charset}).',
          why: 'Anyone who can read the project or its history and reach this server can use the token with all its permissions; URLs also end up in logs, error messages and process lists.',
          fix: 'Revoke the token on {host}, and read a new one from the environment, a pipeline secret or a secret store. Deleting the value here is not enough: the version history may still contain it.',
        },
        lockFile: {
          fix: 'Change the password on {host}, remove the user name and password from the URLs in {name}, and set the new ones in the .npmrc file of your home directory. Deleting the value here is not enough: the version history may still contain it.',
        },
        hostless: {
          message: '{name} contains a URL with a password ({length} characters: {charset}).',
          fix: 'Change the password on the server, and read the new one from the environment, a pipeline secret or a secret store. Deleting the value here is not enough: the version history may still contain it.',
        },
        'weak-hostless': {
          message: '{name} contains a URL whose password is a well-known default.',
          why: 'An attacker can guess this password: it is in common lists of default passwords.',
          fix: 'Change the password on the server, and read the new one from the environment, a pipeline secret or a secret store. Deleting the value here is not enough: the version history may still contain it.',
        },
        weak: {
          message: '{name} contains a URL whose password for {host} is a well-known default.',
          why: 'An attacker can guess this password: it is in common lists of default passwords. The URL shows where to use it.',
        },
        local: {
          why: 'The URL points to the local machine, but the same password is often used elsewhere, and such a URL is easily copied for production.',
          fix: 'Even for local use, read the password from the environment, for example from a .env file that version control ignores.',
        },
      },
    },
    fr: {
      title: 'Mot de passe en dur dans une URL',
      message: '{name} contient une URL avec le mot de passe pour {host} ({length} caractères : {caracteres}).',
      why: 'Toute personne pouvant lire le projet ou son historique et joindre ce serveur peut s’y connecter ; les URL se retrouvent aussi dans les journaux, les messages d’erreur et les listes de processus.',
      fix: 'Changez le mot de passe sur {host} et lisez le nouveau dans l’environnement, un secret du pipeline ou un gestionnaire de secrets. Supprimer cette valeur ne suffit pas : l’historique des versions peut encore la contenir.',
      variants: {
        storage: {
          title: 'Clé d’accès en dur dans une URL de stockage',
          message: '{name} contient une URL avec la clé d’accès secrète pour {host} ({length} caractères : {caracteres}).',
          why: 'Toute personne pouvant lire le projet ou son historique peut accéder à ce stockage avec les droits de la clé ; les URL se retrouvent aussi dans les journaux, les messages d’erreur et les listes de processus.',
          fix: 'Remplacez la clé chez le fournisseur du stockage et conservez la nouvelle dans l’environnement, un gestionnaire de secrets ou, pour SAP HANA, un objet CREDENTIAL (WITH CREDENTIAL). Supprimer cette valeur ne suffit pas : l’historique des versions peut encore la contenir.',
        },
        token: {
          title: 'Jeton d’accès en dur dans une URL',
          message: '{name} contient une URL avec un jeton d’accès pour {host} ({length} caractères : {caracteres}).',
          why: 'Toute personne pouvant lire le projet ou son historique et joindre ce serveur peut utiliser ce jeton et tous ses droits ; les URL se retrouvent aussi dans les journaux, les messages d’erreur et les listes de processus.',
          fix: 'Révoquez le jeton sur {host} et lisez-en un nouveau dans l’environnement, un secret du pipeline ou un gestionnaire de secrets. Supprimer cette valeur ne suffit pas : l’historique des versions peut encore la contenir.',
        },
        lockFile: {
          fix: 'Changez le mot de passe sur {host}, retirez le nom d’utilisateur et le mot de passe des URL de {name}, puis indiquez le nom d’utilisateur et le nouveau mot de passe dans le fichier .npmrc de votre dossier personnel. Supprimer cette valeur ne suffit pas : l’historique des versions peut encore la contenir.',
        },
        hostless: {
          message: '{name} contient une URL avec un mot de passe ({length} caractères : {caracteres}).',
          fix: 'Changez le mot de passe sur le serveur et lisez le nouveau dans l’environnement, un secret du pipeline ou un gestionnaire de secrets. Supprimer cette valeur ne suffit pas : l’historique des versions peut encore la contenir.',
        },
        'weak-hostless': {
          message: '{name} contient une URL dont le mot de passe est une valeur par défaut connue.',
          why: 'Un attaquant peut deviner ce mot de passe : il figure dans les listes courantes de mots de passe par défaut.',
          fix: 'Changez le mot de passe sur le serveur et lisez le nouveau dans l’environnement, un secret du pipeline ou un gestionnaire de secrets. Supprimer cette valeur ne suffit pas : l’historique des versions peut encore la contenir.',
        },
        weak: {
          message: '{name} contient une URL dont le mot de passe pour {host} est une valeur par défaut connue.',
          why: 'Un attaquant peut deviner ce mot de passe : il figure dans les listes courantes de mots de passe par défaut. L’URL indique où l’utiliser.',
        },
        local: {
          why: 'Cette URL désigne la machine locale, mais le même mot de passe est souvent utilisé ailleurs, et elle peut facilement être recopiée en production.',
          fix: 'Même pour un usage local, lisez le mot de passe dans l’environnement, par exemple dans un fichier .env que la gestion de versions ignore.',
        },
      },
    },
  }),
})

/** Object storage has keys; in a lock file, no program can read the environment. */
function* nameKinds(matches: Iterable<Match>): Generator<Match> {
  for (const match of matches) {
    const { scheme = '', kind: credential } = match.args ?? {}
    const other = LOCK_FILE.test(match.at.file) ? 'lockFile' : credential === 'token' ? credential : undefined
    const kind = STORAGE.test(scheme) ? 'storage' : other
    yield match.variant === undefined && kind !== undefined ? { ...match, variant: kind } : match
  }
}
