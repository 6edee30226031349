import { quoteWord } from '../../quote.ts'
import { accessesOf, excerptOf, findOrigin, findPart, resolveValue, valuesOf, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { findCallbacks } from '../../facts/callbacks.ts'
import { isRequestData } from '../../flow/request-data.ts'
import { secretNounOf } from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** What is compared where no secret has a name of its own. */
const HMAC = 'HMAC'

/**
 * A signature or secret of a request compared by an operator that stops at the first difference.
 * Facts: Node.js 24, "Crypto", timingSafeEqual (throws where the lengths differ).
 * Impact: differences of nanoseconds have to be measured over a network.
 */
export const timingUnsafeCompare: Rule = defineRule({
  id: 'cap/timing-unsafe-compare',
  impact: 'defence',
  confidence: 'medium',
  cwe: [208],
  since: '0.1.0',
  docs: 'https://nodejs.org/api/crypto.html#cryptotimingsafeequala-b',
  keywords: [
    'createHmac',
    'signature',
    'Signature',
    'process.env',
    'cds.env',
    ...['secret', 'Secret', 'token', 'Token', 'password', 'Key'].flatMap((name) => [`${name} ===`, `${name} !==`]),
    ...['secret', 'token', 'password', 'apiKey'].flatMap((name) => [`=== ${name}`, `!== ${name}`]),
  ],
  prefilter: (text) =>
    /[!=]==?/.test(text) &&
    /createHmac|headers?\b|\.get\(|\.query\b|\.body\b|\.data\b/.test(text) &&
    /hmac|secret|token|key|passw|signature/i.test(text),
  on: 'server-script',
  // what is compared stands in the database as it is
  yieldsTo: ['cap/password-plain-text'],

  *check({ path, text, content: { facts }, budget }) {
    const callbacks = findCallbacks(facts)
    const step = (): void => budget.step()
    const isCode = (value: Value): boolean => isCodeOfKey(value, step)
    const isRequest = (value: Value): boolean => accessesOf(value).some((access) => isRequestData(access, callbacks))
    const isSent = (value: Value): boolean =>
      findOrigin(value, (part) => {
        step()
        return isRequest(part) ? 'source' : undefined
      }) !== undefined
    for (const { value } of valuesOf(facts)) {
      step()
      if (value.kind !== 'operation' || !/^[!=]==?$/.test(value.operator) || value.operands.length !== 2) continue
      const found = secretOf(value.operands, isCode, isSent, isRequest)
      if (found === undefined) continue
      const { secret, own, other } = found
      const args = {
        secret: quoteWord(secret),
        operator: value.operator,
        expected: `${quote(text, own, 'expected')}${mayBeUnset(text, own, path) ? '!' : ''}`,
        sent: quote(text, other, 'received'),
      }
      const at = { file: path, span: { start: value.start, end: value.end } }
      const variant = secret === HMAC ? 'hmac' : args.expected.startsWith('process.env') ? 'variable' : undefined
      yield { at, args, ...(variant !== undefined && { variant }) }
    }
  },

  text: () => ({
    en: {
      title: 'Timing attack: secret compared in non-constant time',
      message: '{secret} is compared with the {operator} operator, which does not run in constant time.',
      why: 'An attacker who measures many response times may be able to find the expected value character by character.',
      fix: 'Compare buffers: const a = Buffer.from(String({sent})), b = Buffer.from({expected}), then a.length === b.length && crypto.timingSafeEqual(a, b) from node:crypto.',
      variants: {
        variable: {
          fix: 'Compare buffers: const a = Buffer.from(String({sent})), b = Buffer.from({expected}), then a.length === b.length && crypto.timingSafeEqual(a, b) from node:crypto. Buffer.from throws if the variable is not set.',
        },
        hmac: {
          message: 'The {secret} is compared with the {operator} operator, which does not run in constant time.',
        },
      },
    },
    fr: {
      title: 'Attaque temporelle : secret comparé en temps non constant',
      message: '{secret} est comparé au moyen de l’opérateur {operator}, qui ne s’exécute pas en temps constant.',
      why: 'Un attaquant qui mesure de nombreux temps de réponse peut parvenir à retrouver la valeur attendue caractère par caractère.',
      fix: 'Comparez des tampons : const a = Buffer.from(String({sent})), b = Buffer.from({expected}), puis a.length === b.length && crypto.timingSafeEqual(a, b) de node:crypto.',
      variants: {
        variable: {
          fix: 'Comparez des tampons : const a = Buffer.from(String({sent})), b = Buffer.from({expected}), puis a.length === b.length && crypto.timingSafeEqual(a, b) de node:crypto. Buffer.from lève une erreur si la variable n’est pas définie.',
        },
        hmac: {
          message:
            'L’empreinte {secret} est comparée au moyen de l’opérateur {operator}, qui ne s’exécute pas en temps constant.',
        },
      },
    },
  }),
})

interface Comparison {
  readonly secret: string
  readonly own: Value
  readonly other: Value
}

/** Code as it is written; a name where it is too long to be quoted whole. */
function quote(text: string, value: Value, name: string): string {
  const excerpt = excerptOf(text, value)
  return excerpt.endsWith('…') ? name : excerpt
}

/** TypeScript takes no variable of the environment for a string that is always there. */
function mayBeUnset(text: string, value: Value, path: string): boolean {
  return /\.[cm]?ts$/.test(path) && /^process\.env\b/.test(excerptOf(text, value))
}

/** A message authentication code, or a secret of the configuration that is compared with data of the request. */
function secretOf(
  operands: readonly Value[],
  isCode: (value: Value) => boolean,
  isSent: (value: Value) => boolean,
  isRequest: (value: Value) => boolean,
): Comparison | undefined {
  for (const [index, own] of operands.entries()) {
    const other = operands[1 - index]
    if (other === undefined || isNoSecret(other)) continue
    if (isCode(own) || (isSigning(own) && isSent(other))) return { secret: HMAC, own, other }
    const name = configuredSecret(own) ?? (isRequest(own) ? undefined : keptSecret(own))
    if (name !== undefined && isSent(other)) return { secret: name, own, other }
  }
  return undefined
}

/** `signed(body, key)`, `digests.computeSignature(body)`: what a function of the project makes, by its usual names. */
function isSigning(value: Value): boolean {
  const made = resolveValue(value)
  const called = made.kind === 'await' ? made.value : made
  return called.kind === 'call' && SIGNING.test(lastNameOf(called.callee) ?? '')
}

const SIGNING =
  /^(?:sign(?:ed|ature|Body|Payload|Message|Request)?|(?:compute|create|make|build|get|expected|calc(?:ulate)?|generate)?(?:Hmac|HMAC|Signature|Mac|SignatureOf|HmacOf)|(?:hmac|signature|mac)(?:Of|For|From)?)$/

function isNoSecret(value: Value): boolean {
  const here = resolveValue(value)
  return (
    here.kind === 'literal' ||
    (here.kind === 'reference' && here.name === 'undefined') ||
    here.kind === 'operation' ||
    lastNameOf(here) === 'length'
  )
}

/** `createHmac(…).update(…).digest('hex')`, also with a prefix. */
function isCodeOfKey(value: Value, step: () => void): boolean {
  const digest = findPart(value, (part) => {
    step()
    return part.kind === 'call' && part.callee.kind === 'member' && part.callee.name === 'digest'
  })
  if (digest?.kind !== 'call' || digest.callee.kind !== 'member') return false
  return findPart(digest.callee.object, (part) => part.kind === 'call' && lastNameOf(part.callee) === 'createHmac') !== undefined
}

/** `secret`, `invitation.token`: what was kept, by its name. */
function keptSecret(value: Value): string | undefined {
  if (value.kind !== 'reference' && value.kind !== 'member') return undefined
  const { name } = value
  const noun = name === undefined ? undefined : secretNounOf(name)
  return noun === undefined || /^(?:csrf|xsrf|nonce|salt|jwt)$/.test(noun) ? undefined : name
}

/** A secret of the configuration, also with something before it: `Bearer ${process.env.TOKEN}`. */
function configuredSecret(value: Value): string | undefined {
  const here = resolveValue(value)
  const parts = here.kind === 'template' || here.kind === 'concat' ? here.parts.slice(0, MAX_PARTS) : [value]
  for (const part of parts) {
    const name = configuredName(part)
    if (name !== undefined) return name
  }
  return undefined
}

const MAX_PARTS = 4

function configuredName(value: Value): string | undefined {
  for (const { root, steps } of accessesOf(value)) {
    const isConfigured = (root === 'global:process' || root === 'global:cds' || root === 'module:@sap/cds') && steps[0] === 'env'
    const last = steps.at(-1)
    if (isConfigured && last !== undefined && (secretNounOf(last) !== undefined || /(?:^|_)key$/i.test(last))) return last
  }
  return undefined
}
