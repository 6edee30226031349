import { constantOf, stringConstantOf, resolveValue, type FunctionFact, type Value, type CallValue } from '../../facts/index.ts'
import { PLAIN_SENDERS } from '../../server-frameworks.ts'
import type { SinkDetail } from '../types.ts'
import type { CheckingScript } from '../graph/input.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { nameOf } from '../graph/names.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { addFound } from './sink-parts.ts'
import { isWithin } from '../../facts/span-index.ts'

function markupOf(value: Value): SinkDetail | undefined {
  const here = resolveValue(value)
  const texts = here.kind === 'template' ? here.texts : here.kind === 'concat' ? here.parts.map((part) => constantOf(part)) : []
  return texts.some((text) => /<[a-z!/]/i.test(String(text ?? ''))) ? 'markup' : undefined
}

/** Of `res.set({ 'Content-Type': 'text/html' })` what the object holds. */
function textOf(argument: Value): string {
  const given = resolveValue(argument)
  if (given.kind !== 'object') return String(constantOf(argument) ?? '')
  const type = given.fields.find(({ key }) => key?.toLowerCase() === 'content-type')
  return type === undefined ? '' : String(constantOf(type.value) ?? '')
}

const TYPES = /^(?:type|contentType|set|setHeader|header|writeHead|append)$/

/** Where a response is sent: the offset, and the function around. */
interface ResponseSite {
  readonly start: number
  readonly around: FunctionFact
  /** What sends it, as it is written: `res.send`. */
  readonly by: string
}

/** Tells what the text of a response is. What the response says of itself counts more than what the text looks like. */
export function createMarkupReader(
  script: CheckingScript,
): (value: Value, site: ResponseSite | undefined) => SinkDetail | undefined {
  let said: Said | undefined
  return (value, site) => {
    const type = site && contentTypeBefore(site, (said ??= collectSaid(script)), script.step)
    // a script of XS classic has one response: what any of its functions says holds
    if (type === undefined && site?.by === XS_BODY && said !== undefined) return markupOf(value) ?? typeOfScript(said)
    if (type === 'plain' || (type === undefined && site?.by.endsWith('.send') === true && said?.sendsNoMarkup === true))
      return 'plain'
    return markupOf(value) ?? type
  }
}

/** Sends the response of a script of XS classic. */
const XS_BODY = '$.response.setBody'

/** `untyped`: nothing in the script says a type. */
function typeOfScript({ types, isTyped }: Said): SinkDetail {
  if (!isTyped) return 'untyped'
  return types.length > 0 && types.every(({ type }) => type === 'html') ? 'html' : 'plain'
}

/** What a script says of its responses: a script of thousands of calls says little. */
interface Said {
  /** A text that is sent is JSON, where nothing says more. */
  readonly sendsNoMarkup: boolean
  /** It sets some type, whatever it is. */
  readonly isTyped: boolean
  readonly types: readonly { readonly at: number; readonly within: FunctionFact; readonly type: SinkDetail }[]
  /** `res.format({ text: () => res.send(…) })` gives it by a name. */
  readonly forms: readonly { readonly at: number; readonly given: ObjectValue }[]
}

type ObjectValue = Extract<Value, { kind: 'object' }>

function collectSaid({ facts, step }: CheckingScript): Said {
  step(facts.calls.length + facts.assignments.length)
  const forms = facts.calls.flatMap(({ callee, args: [given], start: at }) =>
    callee.kind === 'member' && callee.name === 'format' && given?.kind === 'object' ? { at, given } : [],
  )
  const called = facts.calls.flatMap(({ callee, args, function: within, start: at }) => {
    const type = callee.kind === 'member' && TYPES.test(callee.name ?? '') ? typeOf(args.map(textOf).join(' ')) : undefined
    return type === undefined ? [] : { at, within, type }
  })
  const assigned = facts.assignments.flatMap(({ target, value, function: within, start: at }) => {
    const type = target.name === 'contentType' ? typeOf(String(constantOf(value) ?? '')) : undefined
    return type === undefined ? [] : { at, within, type }
  })
  const isTyped =
    facts.assignments.some(({ target }) => target.name === 'contentType') ||
    facts.calls.some(({ args: [name] }) => name !== undefined && IS_TYPE.test(String(constantOf(name) ?? '')))
  return {
    types: [...called, ...assigned],
    isTyped,
    forms,
    sendsNoMarkup: facts.imports.some(({ source }) => PLAIN_SENDERS.has(source)),
  }
}

function typeOf(text: string): SinkDetail | undefined {
  if (/html|svg|xml/i.test(text)) return 'html'
  return /json|text\/plain|octet|\btext\b|\btxt\b|\bpdf\b|csv/i.test(text) ? 'plain' : undefined
}

/** The function itself, or one that it lies in: `rows.forEach((row) => res.write(row))`. */
function isOrHolds(outer: FunctionFact, inner: FunctionFact): boolean {
  return outer === inner || (outer.kind !== 'file' && isWithin(inner, outer))
}

/** The content type that the function around gives its responses, the last one before a call. */
function contentTypeBefore(
  { start, around }: ResponseSite,
  { types, forms }: Said,
  step: CheckingScript['step'],
): SinkDetail | undefined {
  step(types.length + forms.length)
  let found: { readonly at: number; readonly type: SinkDetail } | undefined
  const say = (at: number, type: SinkDetail | undefined): void => {
    if (type !== undefined && (found === undefined || (at <= start && at > found.at))) found = { at, type }
  }
  for (const { at, within, type } of types) if (isOrHolds(within, around)) say(at, type)
  for (const { at, given } of forms) {
    if (at > start || start >= given.end) continue
    const chosen = given.fields.find(({ value }) => value.kind === 'function' && isOrHolds(value.function, around))
    if (chosen?.key !== undefined) say(start, typeOf(chosen.key))
  }
  return found?.type
}

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
  let shown: readonly FunctionFact[] | undefined
  for (const call of facts.calls)
    for (const type of typesOf(call)) {
      if (constantOf(type) !== undefined || isBegun(type)) continue
      harmless ??= facts.calls.flatMap((one) => (isHarmless(one) ? one.function : []))
      step(harmless.length)
      const isBeside = (fact: FunctionFact): boolean => isOrHolds(fact, call.function) || isOrHolds(call.function, fact)
      if (harmless.some(isBeside)) continue
      shown ??= facts.calls.flatMap((one) => (isShown(one) ? one.function : []))
      const { callee } = call
      if (callee.kind !== 'member') continue
      const receiver = { node: draft.use(callee.object), origin: 'response' } as const
      addFound(shown.some(isBeside) ? FOUND_SINKS.shownType : FOUND_SINKS.contentType, type, draft, {
        name: nameOf(callee),
        only: { receiver },
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
  const name = stringConstantOf(first)
  if (name !== undefined && second !== undefined) return [[name, second]]
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
      (IS_DISPOSITION.test(name) && !mayBeInline(value)) ||
      (IS_POLICY.test(name) && /sandbox|default-src 'none'/i.test(beginningOf(value))),
  )
}

/** What browsers are told to show. */
function isShown(call: CallValue): boolean {
  return headersOf(call).some(([name, value]) => IS_DISPOSITION.test(name) && mayBeInline(value))
}

/** A disposition that begins with `inline`, or with a value that is that in one case: `req.query.save ? 'attachment' : 'inline'`. */
function mayBeInline(value: Value): boolean {
  const begun = beginningOf(value)
  const cases = begun === '' ? casesOf(value).map(beginningOf) : [begun]
  return cases.some((one) => /^\s{0,4}inline\b/i.test(one))
}

/** What the first part of a text may be. */
function casesOf(value: Value): readonly Value[] {
  const here = resolveValue(value)
  const [first] = 'parts' in here ? here.parts : [here]
  const given = first && resolveValue(first)
  if (given === undefined) return []
  return 'options' in given ? given.options : [given]
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
