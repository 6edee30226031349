import { constantOf, resolveValue, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { nameOf } from '../graph/names.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'

const SETS_TYPE = /^(?:type|contentType)$/
const SETS_HEADER = /^(?:set|setHeader|header|append|writeHead)$/
const SAVES = /^(?:attachment|download)$/
const IS_TYPE = /^content-type$/i
const IS_DISPOSITION = /^content-disposition$/i
const IS_POLICY = /^content-security-policy$/i

/**
 * Adds where a response is given its content type: with one that a user chose, what users upload is a page with scripts, unless the browser saves it or runs nothing
 * in it. Facts: RFC 6266, "Content-Disposition"; CSP 3, "sandbox"; Express 5, `res.type`, `res.attachment`, `res.download`.
 */
export function addChosenTypes(draft: FlowDraft): void {
  const { facts, step } = draft
  let harmless: readonly FunctionFact[] | undefined
  for (const call of facts.calls)
    for (const type of typesOf(call)) {
      if (constantOf(type) !== undefined || isBegun(type)) continue
      harmless ??= facts.calls.flatMap((one) => (isHarmless(one) ? one.function : []))
      step(harmless.length)
      if (harmless.some((fact) => isAround(fact, call.function) || isAround(call.function, fact))) continue
      const { callee } = call
      if (callee.kind !== 'member') continue
      draft.sinks.push({
        ...FOUND_SINKS.contentType,
        name: nameOf(callee),
        node: draft.use(type),
        receiver: { node: draft.use(callee.object), origin: 'response' },
        start: type.start,
        end: type.end,
      })
    }
}

/** The types that a call gives a response: `res.type(x)`, `res.set('Content-Type', x)`, `res.writeHead(200, { 'Content-Type': x })`. */
function typesOf({ callee, args }: CallValue): readonly Value[] {
  if (callee.kind !== 'member') return []
  if (SETS_TYPE.test(callee.name ?? '')) return args.slice(0, 1)
  return headersOf({ callee, args }).flatMap(([name, value]) => (IS_TYPE.test(name) ? [value] : []))
}

function headersOf({ callee, args }: Pick<CallValue, 'callee' | 'args'>): readonly (readonly [string, Value])[] {
  if (callee.kind !== 'member' || !SETS_HEADER.test(callee.name ?? '')) return []
  const [first, second] = args
  const name = first && constantOf(first)
  if (typeof name === 'string' && second !== undefined) return [[name, second]]
  return args.flatMap((argument) => {
    const given = resolveValue(argument)
    return given.kind === 'object'
      ? given.fields.flatMap(({ key, value }) => (key === undefined ? [] : [[key, value] as const]))
      : []
  })
}

/** What browsers save, and what runs no scripts; a disposition that nobody can read from the code may be that. */
function isHarmless(call: CallValue): boolean {
  if (call.callee.kind === 'member' && SAVES.test(call.callee.name ?? '')) return true
  return headersOf(call).some(
    ([name, value]) =>
      (IS_DISPOSITION.test(name) && !/^\s{0,4}inline\b/i.test(beginningOf(value))) ||
      (IS_POLICY.test(name) && /sandbox|default-src 'none'/i.test(beginningOf(value))),
  )
}

/** The constant text that a value begins with. */
function beginningOf(value: Value): string {
  const here = resolveValue(value)
  if (here.kind === 'template') return here.texts[0] ?? ''
  const first = here.kind === 'concat' ? here.parts[0] : here
  return String((first && constantOf(first)) ?? '')
}

/** `audio/${codec}`: the code says what it is. */
function isBegun(type: Value): boolean {
  return beginningOf(type) !== ''
}

function isAround(outer: FunctionFact, inner: FunctionFact): boolean {
  return outer === inner || (outer.kind !== 'file' && outer.start <= inner.start && inner.end <= outer.end)
}
