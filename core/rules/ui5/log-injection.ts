import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin } from './_flow-grade.ts'

/**
 * Data of others in the log of the page.
 * Facts: API reference of SAPUI5, sap/base/Log (entries are kept, shown by tools and handed to listeners). Encoding for markup does not take line breaks out.
 * Impact: a link forges entries in a log that mostly the user alone sees; what the user enters, data of the backend and the console of the browser are worth knowing alone.
 * Owner: the place that logs is reported here, whatever becomes of the entry; the place that sends entries to a server is another fault, of
 * `ui5/log-injection-to-backend`; what has the name of a credential belongs to `ui5/sensitive-log`.
 */
export const browserLogInjection: Rule = defineRule({
  id: 'ui5/log-injection',
  impact: 'hygiene',
  confidence: 'medium',
  cwe: [117],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Logging_Cheat_Sheet.html',
  on: 'flow',

  *check(hit, project) {
    if (hit.origin === 'unknown') return
    const isConsole = hit.api.effects.has('console')
    // developers look at what a server answered
    if (isConsole && hit.origin === 'backend') return
    const isOthers = hit.origin === 'url' || hit.origin === 'referrer' || hit.origin === 'window-message'
    const args = { part: hit.quotedPart, sink: hit.sink }
    yield { ...gradeByOrigin(hit, project), args, ...(isOthers && !isConsole && { impact: 'defence' }) }
  },

  text: () => ({
    en: {
      title: 'Log injection in the browser',
      message: '{sink} writes a value from {part} to the log without removing line breaks.',
      why: 'An attacker can use line breaks in this value to forge log entries, which mislead anyone who analyzes the log, in the browser or on a server that collects it.',
      fix: 'Log only constant strings and codes, or remove line breaks first: String(value).replace(/[\\r\\n]/g, " ").',
    },
    fr: {
      title: 'Injection dans les journaux du navigateur',
      message: '{sink} écrit dans le journal une valeur issue de {part} sans en retirer les sauts de ligne.',
      why: 'Au moyen de sauts de ligne dans cette valeur, un attaquant peut ajouter au journal de fausses entrées, qui trompent ceux qui le lisent dans le navigateur ou sur un serveur où il est collecté.',
      fix: 'Ne journalisez que des chaînes constantes et des codes, ou retirez d’abord les sauts de ligne : String(valeur).replace(/[\\r\\n]/g, " ").',
    },
  }),
})
