import { quoteValue } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'

const TRACES: readonly (readonly [string, RegExp])[] = [
  ['REQUEST_TRACE', /^true$/i],
  ['XS_APP_LOG_LEVEL', /^(?:debug|trace|all)$/i],
  ['CF_NODEJS_LOGGING_LEVEL', /^(?:debug|silly)$/i],
  ['DEBUG', /(?:^|,)\*(?:,|$)/],
]

/** Tracing in a deployed approuter that writes tokens and requests into the logs.
 *  Facts: @sap/approuter 23.0.0 README, "Troubleshooting": some of these options trace data that is security sensitive.
 *  Severity: access to the logs is needed: hygiene, LOW. */
export const traceEnvOn: Rule = defineRule({
  id: 'approuter/trace-env-on',
  severity: 'LOW',
  confidence: 'high',
  cwe: [532],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#troubleshooting',
  on: 'approuter',

  *check(approuter) {
    for (const [name, bad] of TRACES) {
      for (const setting of approuter.environment.settings(name)) {
        const value = String(setting.value.kind === 'object' || setting.value.kind === 'array' ? '' : setting.value.value).trim()
        if (setting.deployed && bad.test(value)) yield { at: setting.place, args: { setting: name, value: quoteValue(value) } }
      }
    }
  },

  text: {
    en: {
      title: 'Sensitive data in approuter logs',
      message: '{setting} is {value} in a deployment descriptor: the approuter logs requests in detail.',
      why: 'Anyone who can read the logs can find users’ headers, cookies and tokens in them, and use these as long as they are valid.',
      fix: 'Remove {setting} from the deployment descriptor. To analyze a problem, set this variable on the running application and remove it afterwards.',
    },
    fr: {
      title: 'Données sensibles dans les journaux de l’approuter',
      message: '{setting} vaut {value} dans un descripteur de déploiement : l’approuter journalise les requêtes en détail.',
      why: 'Toute personne qui peut lire les journaux y trouve des en-têtes, cookies et jetons d’utilisateurs, et peut les utiliser tant qu’ils sont valides.',
      fix: 'Supprimez {setting} du descripteur de déploiement. Pour analyser un problème, définissez cette variable sur l’application en cours d’exécution, puis supprimez-la.',
    },
  },
})
