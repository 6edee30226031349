import { defineRule, type Rule } from '../rule.ts'

const TRACES: readonly (readonly [string, RegExp])[] = [
  ['REQUEST_TRACE', /^true$/i],
  ['XS_APP_LOG_LEVEL', /^(?:debug|trace|all)$/i],
  ['CF_NODEJS_LOGGING_LEVEL', /^(?:debug|silly)$/i],
  ['DEBUG', /(?:^|,)\*(?:,|$)/],
]

/** Traces in a deployed approuter that write tokens and requests into the log.
 *  Facts: @sap/approuter 23.0.0 README, "Troubleshooting": some of these options trace data that is security sensitive. */
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
        if (setting.deployed && bad.test(value)) yield { at: setting.place, args: { setting: name, value } }
      }
    }
  },

  text: {
    en: {
      title: 'Requests and tokens are traced',
      message: '{setting} is {value} where the approuter is deployed.',
      why: 'Whoever may read the log finds headers, cookies and tokens of users in it.',
      fix: 'Remove {setting}; switch it on by hand while you look for a fault, and off again.',
    },
    fr: {
      title: 'Les requêtes et les jetons sont tracés',
      message: '{setting} vaut {value} là où l’approuter est déployé.',
      why: 'Qui peut lire le journal y trouve des en-têtes, des cookies et des jetons d’utilisateurs.',
      fix: 'Supprimez {setting} ; activez-le à la main le temps de chercher une erreur, puis désactivez-le.',
    },
  },
})
