import { ENCODED_KEYWORDS, limitMatches, matchUrls, URL_KEYWORDS } from '../../secrets/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** `git+https` too: what package managers write. */
const SCHEME = /^(?:(?:[a-z]{1,8}\+)?https?|wss?|ftps?|sftp|ssh|ldaps?|smtps?|imaps?|socks[45]?h?)$/
const WORST = { severity: 'HIGH', confidence: 'high' } as const

/** An address of a server with user and password, that of a website for the most part. What documentation shows, references and placeholders are none; a password of a token table's row is told by that row.
 *  Facts: RFC 3986, 3.2.1 (userinfo; the form with a password is deprecated); RFC 7617; RFC 2606 and RFC 6761 (reserved names). */
export const basicAuthUrl: Rule = defineRule({
  id: 'secrets/basic-auth-url',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [798],
  since: '0.1.0',
  docs: 'https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1',
  keywords: [...URL_KEYWORDS, ...ENCODED_KEYWORDS],
  inTests: true,
  on: 'credentials',

  check: (credentials) => limitMatches(matchUrls(credentials, SCHEME, WORST)),

  text: {
    en: {
      title: 'An address holds a password',
      message: '{name} holds an address with the password for {host} ({length} characters: {charset}).',
      why: 'Anyone who can read the project or its history can log in there; addresses also end up in logs, error messages and process lists.',
      fix: 'Change the password on {host}, and take the new one from the environment, a destination or a secret of the pipeline. To delete it here is not enough, since the history keeps it.',
      variants: {
        weak: {
          message: '{name} holds an address with the password for {host}, and it is one that everybody tries first.',
          why: 'Nobody needs this project to log in there: this password stands at the top of every list. The address tells where to use it.',
        },
        local: {
          why: 'It works on the machine itself alone, but the same password is often used elsewhere, and such an address is what the one of production will be copied from.',
          fix: 'Take the password from the environment on your own machine too, for example from a file that version control ignores.',
        },
      },
    },
    fr: {
      title: 'Une adresse contient un mot de passe',
      message: '{name} contient une adresse avec le mot de passe pour {host} ({length} caractères : {charset}).',
      why: 'Toute personne pouvant lire le projet ou son historique peut s’y connecter ; les adresses se retrouvent aussi dans les journaux, les messages d’erreur et les listes de processus.',
      fix: 'Changez le mot de passe sur {host} et lisez le nouveau dans l’environnement, une destination ou un secret du pipeline. Supprimer cette valeur ne suffit pas, car l’historique la conserve.',
      variants: {
        weak: {
          message:
            '{name} contient une adresse avec le mot de passe pour {host}, l’un de ceux que tout le monde essaie en premier.',
          why: 'Personne n’a besoin de ce projet pour s’y connecter : ce mot de passe est en tête de toutes les listes. L’adresse dit où l’utiliser.',
        },
        local: {
          why: 'Il ne sert que sur la machine elle-même, mais le même mot de passe est souvent utilisé ailleurs, et l’adresse de production sera copiée sur celle-ci.',
          fix: 'Lisez le mot de passe dans l’environnement aussi sur votre propre machine, par exemple dans un fichier que la gestion de versions ignore.',
        },
      },
    },
  },
})
