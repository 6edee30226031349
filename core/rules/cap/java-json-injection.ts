import { isWritten, type JavaToken } from '../../parse/java-tokens.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { requestMethods, type RequestMethod } from './_java/requests.ts'
import { javaTokens } from './_java/sources.ts'

/**
 * The JSON body of a request to another system that a method puts together with what its own request tells, without escaping.
 * Facts: RFC 8259, section 7 (quotation marks in strings have to be escaped); capire, CAP Java, "Remote Services" (bodies from maps).
 * Impact: callers add members that the system then writes with the rights of the application; which of them it takes is not in the project.
 */
export const javaJsonInjection: Rule = defineRule({
  id: 'cap/java-json-injection',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [74],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/java/cqn-services/remote-services',
  on: 'project',

  *check({ files, step }) {
    for (const { file, tokens } of javaTokens(files.values(), SENDS)) {
      step(tokens.length)
      for (const method of requestMethods(tokens)) {
        if (!method.body.some(({ kind, text }) => kind === 'word' && SENDS.test(text))) continue
        const [first] = membersOf(method)
        if (first === undefined) continue
        yield { at: { file, span: { start: first.start, end: first.end } }, args: { member: first.member } } satisfies Match
      }
    }
  },

  text: () => ({
    en: {
      title: 'JSON body assembled from request data in Java',
      message:
        'The value of {member} comes from the request and is concatenated into the JSON body of another request without escaping.',
      why: 'With a quotation mark, a caller can add members to the body, which the other system then processes with the permissions of the application, beyond the fields of this body.',
      fix: 'Build the body from a Map or a class: new ObjectMapper().writeValueAsString(Map.of("{member}", value)), or use a remote service of CAP: Insert.into(…).entry(data).',
    },
    fr: {
      title: 'Corps JSON composé de données de la requête en Java',
      message:
        'La valeur de {member} vient de la requête et est concaténée sans échappement dans le corps JSON d’une autre requête.',
      why: 'Avec un guillemet, un appelant peut ajouter des membres au corps, que l’autre système traite ensuite avec les droits de l’application, au-delà des champs prévus.',
      fix: 'Construisez le corps à partir d’une Map ou d’une classe : new ObjectMapper().writeValueAsString(Map.of("{member}", value)), ou utilisez un service distant de CAP : Insert.into(…).entry(data).',
    },
  }),
})

/** What makes a body of a text. */
const SENDS = /\b(?:StringEntity|BodyPublishers|HttpEntity|RequestEntity|bodyValue|postForObject|postForEntity|getOutputStream)\b/

/** `"{\"name\":\""`: a member whose value is about to begin; what the token holds is as it is written. */
const OPENED = /\\"([\w.$-]{1,60})\\"\s{0,9}:\s{0,9}\\"$/

/** Texts that end within a string of JSON, and what the client sent behind them. */
function* membersOf({ body, isSent }: RequestMethod): Generator<{ member: string; start: number; end: number }> {
  for (const [at, { kind, text, start, end }] of body.entries()) {
    const member = kind === 'string' ? OPENED.exec(text)?.[1] : undefined
    if (member !== undefined && isWritten(body, at + 1, '+') && isSent(at + 2) && !isEscaped(body, at + 2))
      yield { member, start, end }
  }
}

/** `name.replace("\"", "")`. */
function isEscaped(body: readonly JavaToken[], from: number): boolean {
  for (
    let at = from;
    at < Math.min(body.length, from + MAX_TOKENS) && !isWritten(body, at, '+') && !isWritten(body, at, ';');
    at++
  )
    if (/^(?:replace|replaceAll|escape\w*|getId|matches)$/.test(body[at]?.text ?? '')) return true
  return false
}

/** Tokens of one value. */
const MAX_TOKENS = 40
