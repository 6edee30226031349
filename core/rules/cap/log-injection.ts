import { defineRule, type Rule } from '../rule.ts'
import { gradeHit } from './_flow-grade.ts'

/**
 * Data of a client that becomes part of a line of the log.
 * Facts: Node.js 24, "console" (line breaks are written as they are); the JSON formatter of cds.log in production encodes them.
 * Severity: forged lines mislead whoever reads the log, and nothing more, LOW.
 */
export const logInjection: Rule = defineRule({
  id: 'cap/log-injection',
  severity: 'LOW',
  confidence: 'high',
  cwe: [117],
  since: '0.2.0',
  docs: 'https://owasp.org/www-community/attacks/Log_Injection',
  on: 'flow',

  *check(hit) {
    yield { ...gradeHit(hit, 'LOW'), args: { part: hit.part, sink: hit.sink } }
  },

  text: {
    en: {
      title: 'Log injection through request data',
      message: '{part} from the request becomes part of the text that {sink} writes.',
      why: 'With line breaks in that value a client writes log lines of their own, which hide an attack or accuse somebody else.',
      fix: 'Log with cds.log(…) and hand the value over as an argument of its own: LOG.info("order", id). In production it is written as JSON.',
    },
    fr: {
      title: 'Injection dans les journaux par des données de la requête',
      message: '{part}, reçu dans la requête, entre dans le texte écrit par {sink}.',
      why: 'Avec des sauts de ligne dans cette valeur, un client écrit ses propres lignes de journal, qui cachent une attaque ou accusent un tiers.',
      fix: 'Journalisez avec cds.log(…) et passez la valeur comme argument à part : LOG.info("order", id). En production, elle est écrite en JSON.',
    },
  },
})
