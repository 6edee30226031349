import { keyIn, productionSettings } from '../../model/cap/index.ts'
import type { FlowHit } from '../../flow/index.ts'
import { stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { gradeHit } from './_flow-grade.ts'

/**
 * Data of a client that becomes part of a line of the log.
 * Facts: Node.js 24, "console" (line breaks are written as they are); the JSON formatter of cds.log in production encodes them.
 * Impact: forged lines mislead whoever reads the log; nothing where the formatter of CAP escapes them.
 */
export const logInjection: Rule = defineRule({
  id: 'cap/log-injection',
  impact: 'bounded',
  grades: { escaped: { impact: 'hygiene' } },
  confidence: 'high',
  cwe: [117],
  since: '0.2.0',
  docs: 'https://owasp.org/www-community/attacks/Log_Injection',
  yieldsTo: ['cap/sensitive-log'],
  on: 'flow',

  *check(hit, { capRoots, reach }) {
    // Node.js rejects line breaks in headers and addresses
    if (hit.marks.has('sent-address')) return
    if (/\bheaders\b|^(?:req|request|oReq|oRequest)\.(?:get|header)\(/.test(hit.part) || (!hit.concatenated && isOrdinary(hit)))
      return
    // the formatter of production escapes line breaks, unless another one is configured
    const isCds = hit.detail !== 'foreign'
    const plain = isCds
      ? capRoots.flatMap((root) => [...productionSettings(root, 'log', 'format')]).find(({ node }) => stringOf(node) === 'plain')
      : undefined
    const isEscaped = isCds && plain === undefined
    const variant = plain !== undefined ? 'plain' : isEscaped ? 'escaped' : undefined
    const setting = { key: plain === undefined ? '' : keyIn(plain, 'log', 'format'), file: plain?.place.file ?? '' }
    const args = { part: hit.quotedPart, sink: hit.quotedSink, ...setting }
    // of a server that the project doesn't publish it isn't known who gets at it
    const isPublished = hit.isOpen !== true || reach.ofServer(hit.steps[0]?.at.file ?? hit.at.file).isPublished
    yield { ...gradeHit(hit, isPublished ? {} : { evidence: 'assumed' }), args, ...(variant !== undefined && { variant }) }
  },

  text: () => ({
    en: {
      title: 'Log injection through request data',
      message: '{sink} writes {part} from the request to the log without removing line breaks.',
      why: 'With line breaks in that value, an attacker can forge log entries, to hide an attack or lay a false trail.',
      fix: 'Remove line breaks from the value with .replace(/[\\r\\n]/g, " "), or validate it first. Prefer cds.log(…): its JSON formatter escapes line breaks in production.',
      variants: {
        plain: {
          fix: 'Remove line breaks from the value with .replace(/[\\r\\n]/g, " "), or validate it first. Also remove {key} from {file}: the default in production, the JSON format, escapes line breaks.',
        },
        escaped: {
          why: 'In production, the JSON format of cds.log escapes line breaks; with any other format, an attacker can use them to forge log entries, to hide an attack or lay a false trail.',
          fix: 'Remove line breaks from the value with .replace(/[\\r\\n]/g, " "), or validate it first.',
        },
      },
    },
    fr: {
      title: 'Injection dans les journaux par des données de la requête',
      message: '{sink} journalise {part}, issu de la requête, sans en retirer les sauts de ligne.',
      why: 'Avec des sauts de ligne dans cette valeur, un attaquant peut ajouter de fausses entrées au journal, pour masquer une attaque ou créer une fausse piste.',
      fix: 'Retirez les sauts de ligne de la valeur avec .replace(/[\\r\\n]/g, " "), ou validez-la d’abord. Préférez cds.log(…) : son format JSON échappe les sauts de ligne en production.',
      variants: {
        plain: {
          fix: 'Retirez les sauts de ligne de la valeur avec .replace(/[\\r\\n]/g, " "), ou validez-la d’abord. Supprimez aussi {key} de {file} : le format JSON, utilisé par défaut en production, échappe les sauts de ligne.',
        },
        escaped: {
          why: 'En production, le format JSON de cds.log échappe les sauts de ligne ; avec tout autre format, un attaquant peut insérer des sauts de ligne pour ajouter de fausses entrées au journal, afin de masquer une attaque ou de créer une fausse piste.',
          fix: 'Retirez les sauts de ligne de la valeur avec .replace(/[\\r\\n]/g, " "), ou validez-la d’abord.',
        },
      },
    },
  }),
})

/** By itself a key of a row is hardly a text, a header is a matter of cap/sensitive-log, and rows are data of the application. */
function isOrdinary({ part, steps }: FlowHit): boolean {
  return /headers(?:\.(?:authorization|cookie))?$|^req\.params\b/.test(part) || steps.some(isKept)
}

/** What was sent to a service or hung on a request is data of the request still. */
function isKept({ step, args }: FlowHit['steps'][number]): boolean {
  return step === 'store' && !/^(?:service-|emitter-event|request-field)/.test(String(args?.['name']))
}
