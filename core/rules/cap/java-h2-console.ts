import { javaSetting, scalarText, type CapRoot } from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * The web console of the database H2 is enabled.
 * Facts: Spring Boot 3, H2 web console (`spring.h2.console.enabled` is false by default).
 * Impact: where it accepts remote requests, which it does not by default, the console runs SQL and Java code for users whom the application lets through.
 * That it is deployed is assumed where nothing in the project says so, and that it is started without a profile.
 */
export const javaH2Console: Rule = defineRule({
  id: 'cap/java-h2-console',
  impact: 'takeover',
  reach: 'user',
  confidence: 'high',
  cwe: [489],
  since: '0.1.0',
  docs: 'https://docs.spring.io/spring-boot/reference/data/sql.html#data.sql.h2-web-console',
  on: 'cap-root',

  *check(root) {
    const setting = javaSetting(root, KEY)
    if (setting === undefined && !root.deployed) return yield* judgeFallback(root)
    if (setting === undefined || scalarText(setting.node) !== 'true') return
    const { key, place, profile = '' } = setting
    const args = { key, file: place.file, profile }
    const variant = setting.variable !== undefined ? 'variable' : profile !== '' ? 'profile' : undefined
    const others = javaSetting(root, OTHERS)
    yield {
      at: place,
      args,
      ...(variant !== undefined && { variant }),
      ...(others === undefined || scalarText(others.node) !== 'true'
        ? { impact: 'defence' as const }
        : !root.deployed && { evidence: 'assumed' as const }),
    }
  },

  text: () => ({
    en: {
      title: 'H2 database console enabled in production',
      message: '{key} is true in {file} for all profiles: the console is served at "/h2-console".',
      why: 'Where remote access is allowed (spring.h2.console.settings.web-allow-others), an attacker who logs in to the console can run any SQL statement, including CREATE ALIAS, which runs Java code on the server; by default, an H2 database has no password.',
      fix: 'Remove {key} from {file}, or move it into a separate document (after ---) of application.yaml with spring.config.activate.on-profile: default, which is inactive once a profile such as cloud is set.',
      variants: {
        profile: {
          message:
            '{key} is true in {file} for the profile "{profile}", which may be active in production: the console is served at "/h2-console".',
        },
        fallback: {
          message:
            '{key} and web-allow-others are true in {file} for the profile "default", which is active wherever no other is set: anyone who reaches the port can open the console.',
          fix: 'Remove spring.h2.console.settings.web-allow-others from {file}: the console then answers requests from the developer’s own machine alone.',
        },
        variable: {
          message: '{key} is true in {file}: the deployed application serves the console at "/h2-console".',
          fix: 'Remove {key} from {file}. For local use, set spring.h2.console.enabled in a separate document (after ---) of application.yaml with spring.config.activate.on-profile: default.',
        },
      },
    },
    fr: {
      title: 'Console de la base de données H2 active en production',
      message: '{key} vaut true dans {file} pour tous les profils : la console est accessible sous "/h2-console".',
      why: 'Si l’accès distant est autorisé (spring.h2.console.settings.web-allow-others), un attaquant qui se connecte à la console peut exécuter n’importe quelle instruction SQL, dont CREATE ALIAS, qui exécute du code Java sur le serveur ; par défaut, une base H2 n’a pas de mot de passe.',
      fix: 'Supprimez {key} de {file}, ou déplacez-le dans un document distinct (après ---) du fichier application.yaml, avec spring.config.activate.on-profile: default ; ce document est ignoré dès qu’un profil tel que cloud est défini.',
      variants: {
        profile: {
          message:
            '{key} vaut true dans {file} pour le profil "{profile}", qui peut être actif en production : la console est accessible sous "/h2-console".',
        },
        fallback: {
          message:
            '{key} et web-allow-others valent true dans {file} pour le profil "default", actif dès qu’aucun autre n’est défini : toute personne atteignant le port peut ouvrir la console.',
          fix: 'Supprimez spring.h2.console.settings.web-allow-others de {file} : la console ne répond alors qu’aux requêtes de la machine du développeur.',
        },
        variable: {
          message: '{key} vaut true dans {file} : l’application déployée expose la console sous "/h2-console".',
          fix: 'Supprimez {key} de {file}. Pour un usage local, définissez spring.h2.console.enabled dans un document distinct (après ---) du fichier application.yaml, avec spring.config.activate.on-profile: default.',
        },
      },
    },
  }),
})

/** Open to other machines in the profile `default`. */
function* judgeFallback(root: CapRoot): Generator<Match> {
  const [setting, others] = [javaSetting(root, KEY, true), javaSetting(root, OTHERS, true)]
  if (setting === undefined || others === undefined) return
  if (scalarText(setting.node) !== 'true' || scalarText(others.node) !== 'true') return
  const args = { key: setting.key, file: others.place.file, profile: '' }
  yield { at: others.place, args, variant: 'fallback', evidence: 'assumed' }
}

const KEY = 'spring.h2.console.enabled'
/** Fact: H2 2.3, org.h2.server.web.WebServlet (`allowOthers`): without it, callers from other machines are refused. */
const OTHERS = 'spring.h2.console.settings.web-allow-others'
