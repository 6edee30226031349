import { quoteValue } from '../../quote.ts'
import { unsetCommand } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

const TRACES: readonly (readonly [name: string, bad: RegExp, variant?: string])[] = [
  ['REQUEST_TRACE', /^true$/i, 'urls'],
  ['XS_APP_LOG_LEVEL', /^(?:debug|trace|all)$/i],
  ['CF_NODEJS_LOGGING_LEVEL', /^(?:debug|silly)$/i, 'urls'],
  ['DEBUG', /(?:^|,)\*(?:,|$)/, 'libraries'],
]

/** Tracing in a deployed approuter that writes tokens and requests into the logs.
 *  Facts: @sap/approuter 23.0.0 README, "Troubleshooting": some of these options trace data that is security sensitive; lib/utils/trace-util.js masks
 *  a list of headers; express-session writes the cookies that it sets to its debug output.
 *  Impact: a reader of the log has tokens and sessions of users. */
export const traceEnvOn: Rule = defineRule({
  id: 'approuter/trace-env-on',
  impact: 'takeover',
  // who may read the log, where a request had a token
  reach: 'privileged',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [532],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#troubleshooting',
  on: 'approuter',

  *check(approuter) {
    for (const [name, bad, variant] of TRACES) {
      for (const setting of approuter.environment.settings(name)) {
        const value = String(setting.value.kind === 'object' || setting.value.kind === 'array' ? '' : setting.value.value).trim()
        if (!setting.deployed || !bad.test(value)) continue
        yield {
          at: setting.place,
          args: { setting: name, value: quoteValue(value), file: setting.place.file, unset: unsetCommand(setting) },
          ...(variant !== undefined && { variant }),
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Sensitive data in approuter logs',
      message: '{setting} is {value} in {file}: the approuter logs the URL and the headers of every request.',
      why: 'The approuter masks only some headers, such as Authorization and Cookie. Anyone who can read the logs can find personal data, CSRF tokens or API keys in other headers and in URLs.',
      fix: 'Remove {setting} from {file}. To analyze a problem, set this variable temporarily on the running application{unset}.',
      variants: {
        urls: {
          message: '{setting} is {value} in {file}: the approuter logs the URL of every request.',
          why: 'Anyone who can read the logs can find personal data or tokens that requests pass in the URL.',
        },
        libraries: {
          message:
            '{setting} is {value} in {file}: every library of the approuter that uses the debug package writes debug output.',
          why: 'The output includes session cookies: anyone who can read the logs can use them as long as they are valid.',
        },
      },
    },
    fr: {
      title: 'Données sensibles dans les journaux de l’approuter',
      message: '{setting} vaut {value} dans {file} : l’approuter journalise l’URL et les en-têtes de chaque requête.',
      why: 'L’approuter ne masque que certains en-têtes, comme Authorization et Cookie. Toute personne qui peut lire les journaux peut trouver des données personnelles, des jetons CSRF ou des clés d’API dans d’autres en-têtes et dans les URL.',
      fix: 'Supprimez {setting} de {file}. Pour analyser un problème, définissez temporairement cette variable sur l’application en cours d’exécution{unset}.',
      variants: {
        urls: {
          message: '{setting} vaut {value} dans {file} : l’approuter journalise l’URL de chaque requête.',
          why: 'Toute personne qui peut lire les journaux peut y trouver des données personnelles ou des jetons que des requêtes transmettent dans l’URL.',
        },
        libraries: {
          message:
            '{setting} vaut {value} dans {file} : toutes les bibliothèques de l’approuter qui utilisent le paquet debug écrivent des traces de débogage.',
          why: 'Ces traces contiennent notamment des cookies de session : toute personne qui peut lire les journaux peut s’en servir tant qu’ils sont valides.',
        },
      },
    },
  }),
})
