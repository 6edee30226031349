import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  constantOf,
  stringConstantOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import type { Span } from '../../../types.ts'
import { isWithin } from '../../../facts/span-index.ts'

/**
 * A part of the code whose answers no browser shows as a page: `method`, since no link and no form sends such a request; `saved`, since the answer is a file
 * to be saved.
 */
export interface UnrenderedAnswer extends Span {
  readonly kind: 'method' | 'saved'
}

/** A path that is written there, or something with a handler behind it: not `map.delete(key)`. */
const TAKES_TEXT = /\.(?:put|patch|delete)\s{0,20}\(\s{0,200}["'`/]/
const TAKES_MORE = /\.(?:put|patch|delete)\s{0,20}\([^(),]{0,200},/
const ATTACHES = /\battachment\s{0,5}\(|content-disposition/i

/** Facts: HTML, form submission (GET and POST alone); RFC 6266 (attachment); Express 5, res.attachment. */
export const unrenderedAnswers: Extract<UnrenderedAnswer> = defineExtract({
  name: 'cap-unrendered-answers',
  keywords: ['.put(', '.patch(', '.delete(', 'attachment'],
  prefilter: (text) => TAKES_TEXT.test(text) || TAKES_MORE.test(text) || ATTACHES.test(text),
  *collect({ facts, step }) {
    for (const call of facts.calls) {
      yield* handlersOf(call)
      if (!isAttachment(call)) continue
      step(facts.guards.length)
      yield { start: call.end, end: endBehind(call, facts), kind: 'saved' }
    }
  },
})

const METHODS: ReadonlySet<string> = new Set(['put', 'patch', 'delete'])

/** `app.put('/tenants/:id', handler)`. */
function* handlersOf({ callee, args }: CallValue): Generator<UnrenderedAnswer> {
  const [path, ...handlers] = args
  if (callee.kind !== 'member' || !METHODS.has(callee.name ?? '') || path === undefined || !isPath(path)) return
  for (const handler of handlers) {
    const { start, end } = functionOf(handler) ?? {}
    if (start !== undefined && end !== undefined) yield { start, end, kind: 'method' }
  }
}

function isPath(value: Value): boolean {
  const path = stringConstantOf(value)
  return path !== undefined ? path.startsWith('/') : resolveValue(value).kind === 'regex'
}

/** `res.attachment(name)`, `res.setHeader('Content-Disposition', 'attachment; …')`, also in an object of headers. */
function isAttachment({ callee, args }: CallValue): boolean {
  if (callee.kind !== 'member') return false
  if (callee.name === 'attachment') return true
  if (!/^(?:setHeader|set|header|writeHead)$/.test(callee.name ?? '')) return false
  const [name, value] = args
  if (name !== undefined && value !== undefined && isDisposition(String(constantOf(name) ?? ''))) return isSaved(value)
  return args.some((headers) => {
    const given = resolveValue(headers)
    const field = given.kind === 'object' ? given.fields.find(({ key }) => key !== undefined && isDisposition(key)) : undefined
    return field !== undefined && isSaved(field.value)
  })
}

function isDisposition(name: string): boolean {
  return name.toLowerCase() === 'content-disposition'
}

function isSaved(value: Value): boolean {
  return /^\s*attachment\b/i.test(beginningOf(value))
}

/** What stands at the beginning of a text. */
function beginningOf(value: Value): string {
  const here = resolveValue(value)
  if (here.kind === 'template') return here.texts[0] ?? ''
  if (here.kind === 'concat') return here.parts[0] === undefined ? '' : beginningOf(here.parts[0])
  return String(constantOf(here) ?? '')
}

/** To the end of the branch that the call stands in, else of its function. */
function endBehind(call: CallValue, { guards }: ScriptFacts): number {
  const branches = guards.filter(({ inside }) => isWithin(call, inside)).map(({ inside }) => inside.end)
  return Math.min(endOf(call.function), ...branches)
}

function endOf({ kind, end }: FunctionFact): number {
  // a file that answers by itself
  return kind === 'file' ? Infinity : end
}
