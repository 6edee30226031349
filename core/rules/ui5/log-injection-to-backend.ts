import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin } from './_flow-grade.ts'

/**
 * Data of others that is written to the log of the page and sent to a server from there.
 * Facts: API reference of SAPUI5, sap/base/Log: getLogEntries, addLogListener (onLogEntry).
 * Impact: forged entries reach the log of a server, where others rely on them.
 */
export const logInjectionToBackend: Rule = defineRule({
  id: 'ui5/log-injection-to-backend',
  impact: 'bounded',
  confidence: 'medium',
  cwe: [117],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Logging_Cheat_Sheet.html',
  on: 'flow',

  *check(hit, project) {
    if (hit.origin === 'unknown') return
    // whoever uses the app may send entries as well: a link gives no more
    yield { ...gradeByOrigin(hit, project), reach: 'user', args: { part: hit.quotedPart, sink: hit.sink } }
  },

  text: () => ({
    en: {
      title: 'Log injection: browser log sent to a server',
      message: 'A value from {part} is written to the UI5 log, and {sink} sends the log entries to a server.',
      why: 'An attacker who supplies this value, for example with a crafted link, can put misleading text into the server log to cover their tracks or incriminate others.',
      fix: 'Log only constant strings and codes. If you need the value, check it against a pattern first, or at least remove line breaks: String(value).replace(/[\\r\\n]/g, " ").',
    },
    fr: {
      title: 'Injection dans les journaux envoyés à un serveur',
      message: 'Une valeur issue de {part} est écrite dans le journal d’UI5, et {sink} en envoie les entrées à un serveur.',
      why: 'Un attaquant qui fournit cette valeur, par exemple par un lien forgé, peut introduire un texte trompeur dans le journal du serveur pour dissimuler ses traces ou incriminer d’autres personnes.',
      fix: 'Ne journalisez que des chaînes constantes et des codes. Si la valeur est nécessaire, vérifiez-la d’abord par une expression régulière, ou retirez au moins les sauts de ligne : String(valeur).replace(/[\\r\\n]/g, " ").',
    },
  }),
})
