import { accessesOf, findOrigin, findPart, resolveValue, valuesOf, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { findCallbacks } from '../../facts/callbacks.ts'
import { isRequestData } from '../../flow/request-data.ts'
import { secretNounOf } from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A signature or key of a request compared by an operator that stops at the first difference.
 *  Facts: Node.js 24, "Crypto", timingSafeEqual. */
export const timingUnsafeCompare: Rule = defineRule({
  id: 'cap/timing-unsafe-compare',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [208],
  since: '0.1.0',
  docs: 'https://nodejs.org/api/crypto.html#cryptotimingsafeequala-b',
  keywords: ['createHmac', 'process.env', 'cds.env'],
  prefilter: (text) =>
    /[!=]==?/.test(text) &&
    /createHmac|headers?\b|\.get\(|\.query\b|\.body\b/.test(text) &&
    /hmac|secret|token|key|passw/i.test(text),
  on: 'server-script',

  *check({ path, content: { facts }, budget }) {
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
      const secret = secretOf(value.operands, isCode, isSent)
      if (secret === undefined) continue
      yield { at: { file: path, span: { start: value.start, end: value.end } }, args: { secret, operator: value.operator } }
    }
  },

  text: {
    en: {
      title: 'A secret is compared character by character',
      message: '{secret} is compared by {operator}, which ends at the first difference.',
      why: 'The time of the answer tells how much of a guess was right: with many tries a caller finds the value bit by bit.',
      fix: 'Compare buffers of the same length with crypto.timingSafeEqual.',
    },
    fr: {
      title: 'Un secret est comparé caractère par caractère',
      message: '{secret} est comparé avec {operator}, qui s’arrête à la première différence.',
      why: 'Le temps de réponse révèle quelle part d’un essai était juste : avec beaucoup d’essais, un appelant trouve la valeur petit à petit.',
      fix: 'Comparez des buffers de même longueur avec crypto.timingSafeEqual.',
    },
  },
})

/** What is compared: a code that a key made, or a key of the configuration with something that the request sends. */
function secretOf(
  operands: readonly Value[],
  isCode: (value: Value) => boolean,
  isSent: (value: Value) => boolean,
): string | undefined {
  for (const [index, own] of operands.entries()) {
    const other = operands[1 - index]
    if (other === undefined || isNothing(other)) continue
    if (isCode(own)) return 'HMAC'
    const name = configuredSecret(own)
    if (name !== undefined && isSent(other)) return name
  }
  return undefined
}

function isNothing(value: Value): boolean {
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
