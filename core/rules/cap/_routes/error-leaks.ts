import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import type { CallValue, ScriptFacts, Value } from '../../../facts/index.ts'
import type { Span } from '../../../types.ts'

/** One place where a script sends internals of an error to the client. */
export interface ErrorLeak {
  readonly at: Span
  /** `unsanitized`: it tells CAP not to hide it; `stack`: the stack trace is the message. */
  readonly kind: 'unsanitized' | 'stack'
  /** Of a stack: the status that goes with it. */
  readonly status?: number
}

export const errorLeaks: Extract<ErrorLeak> = defineExtract({
  name: 'cap-error-leaks',
  keywords: ['$sanitize', '.stack'],
  prefilter: (text) => text.includes('$sanitize') || /\.(?:reject|error)\s{0,10}\(/.test(text),
  collect: ({ facts }) => findErrorLeaks(facts),
})

/** `error.$sanitize = false`, `req.reject({ …, $sanitize: false })`, `req.reject(400, error.stack)`. */
function* findErrorLeaks(facts: ScriptFacts): Generator<ErrorLeak> {
  for (const { target, value, operator, start, end } of facts.assignments)
    if (target.name === '$sanitize' && operator === '=' && isFalse(value)) yield { at: { start, end }, kind: 'unsanitized' }
  for (const call of facts.calls) {
    for (const argument of call.args) {
      if (argument.kind !== 'object') continue
      const field = argument.fields.find(({ key, value }) => key === '$sanitize' && isFalse(value))
      if (field !== undefined) yield { at: { start: field.start, end: field.value.end }, kind: 'unsanitized' }
    }
    const found = stackIn(call)
    if (found !== undefined) yield { ...found, kind: 'stack' }
  }
}

function isFalse(value: Value): boolean {
  return value.kind === 'literal' && value.value === false
}

/** What a request is rejected with: the message after a status, or in an object. */
function stackIn({ callee, args }: CallValue): { at: Span; status: number } | undefined {
  if (callee.kind !== 'member' || (callee.name !== 'reject' && callee.name !== 'error') || !isRequest(callee.object))
    return undefined
  const [first, ...rest] = args
  const field = (name: string): Value | undefined =>
    first?.kind === 'object' ? first.fields.find(({ key }) => key === name)?.value : undefined
  const status = numberOf(first) ?? numberOf(field('status')) ?? numberOf(field('statusCode')) ?? numberOf(field('code'))
  const message = first?.kind === 'object' ? field('message') : rest.find((argument) => hasStack(argument))
  return status !== undefined && message !== undefined && hasStack(message)
    ? { at: { start: message.start, end: message.end }, status }
    : undefined
}

/** A handler's parameter, which logs and consoles are not, or the facade `cds`. */
function isRequest(value: Value): boolean {
  if (value.kind !== 'reference') return false
  return value.binding?.kind === 'parameter' ? !/log|console/i.test(value.name) : value.name === 'cds'
}

function numberOf(value: Value | undefined): number | undefined {
  const number = value?.kind === 'literal' ? Number(value.value) : Number.NaN
  return number >= 400 && number < 600 ? number : undefined
}

/** `error.stack`, also within a text. */
function hasStack(value: Value, depth: number = 0): boolean {
  if (depth > 3) return false
  if (value.kind === 'member') return value.name === 'stack'
  if (value.kind === 'template' || value.kind === 'concat') return value.parts.some((part) => hasStack(part, depth + 1))
  return value.kind === 'choice' && value.options.some((option) => hasStack(option, depth + 1))
}
