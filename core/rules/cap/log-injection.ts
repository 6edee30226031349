import { productionSettings } from '../../model/cap/index.ts'
import { stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { gradeHit } from './_flow-grade.ts'

/**
 * Data of a client that becomes part of a line of the log.
 * Facts: Node.js 24, "console" (line breaks are written as they are); the JSON formatter of cds.log in production encodes them.
 * Severity: forged lines mislead whoever reads the log, and nothing more, LOW; INFO where the formatter of CAP escapes them.
 */
export const logInjection: Rule = defineRule({
  id: 'cap/log-injection',
  severity: 'LOW',
  confidence: 'high',
  cwe: [117],
  since: '0.2.0',
  docs: 'https://owasp.org/www-community/attacks/Log_Injection',
  on: 'flow',

  *check(hit, { capRoots }) {
    // the formatter of production escapes line breaks, unless another one is configured
    const isCds = !hit.sink.startsWith('console.')
    const isEscaped =
      isCds &&
      !capRoots.some((root) => [...productionSettings(root, 'log', 'format')].some(({ node }) => stringOf(node) === 'plain'))
    yield { ...gradeHit(hit, isEscaped ? 'INFO' : 'LOW'), args: { part: hit.part, sink: hit.sink } }
  },

  text: {
    en: {
      title: 'Log injection through request data',
      message: '{part} from the request becomes part of the text that {sink} writes.',
      why: 'With line breaks in that value a client writes log lines of their own, which hide an attack or lay a false trail.',
      fix: 'Log with cds.log(…) and hand the value over as an argument of its own: LOG.info("order", id). In production it is written as JSON.',
    },
    fr: {
      title: 'Injection dans les journaux par des données de la requête',
      message: '{part}, reçu dans la requête, entre dans le texte écrit par {sink}.',
      why: 'Avec des sauts de ligne dans cette valeur, un client écrit ses propres lignes de journal, qui cachent une attaque ou créent une fausse piste.',
      fix: 'Journalisez avec cds.log(…) et passez la valeur comme argument à part : LOG.info("order", id). En production, elle est écrite en JSON.',
    },
  },
})
