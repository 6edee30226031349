import { constantOf, resolveValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { JSON_SENDERS } from '../../server-frameworks.ts'
import type { SinkDetail } from '../types.ts'
import type { CheckingScript } from '../graph/input.ts'

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
export interface ResponseSite {
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
    if (type === 'plain' || (type === undefined && site?.by.endsWith('.send') === true && said?.sendsJson === true))
      return 'plain'
    return markupOf(value) ?? type
  }
}

/** What a script says of its responses: a script of thousands of calls says little. */
interface Said {
  /** A text that is sent is JSON, where nothing says more. */
  readonly sendsJson: boolean
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
  return { types: [...called, ...assigned], forms, sendsJson: facts.imports.some(({ source }) => JSON_SENDERS.has(source)) }
}

function typeOf(text: string): SinkDetail | undefined {
  if (/html|svg|xml/i.test(text)) return 'html'
  return /json|text\/plain|octet|\btext\b|\btxt\b|\bpdf\b|csv/i.test(text) ? 'plain' : undefined
}

/** The function itself, or one that it lies in: `rows.forEach((row) => res.write(row))`. */
function isAround(outer: FunctionFact, inner: FunctionFact): boolean {
  return outer === inner || (outer.kind !== 'file' && outer.start <= inner.start && inner.end <= outer.end)
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
  for (const { at, within, type } of types) if (isAround(within, around)) say(at, type)
  for (const { at, given } of forms) {
    if (at > start || start >= given.end) continue
    const chosen = given.fields.find(({ value }) => value.kind === 'function' && isAround(value.function, around))
    if (chosen?.key !== undefined) say(start, typeOf(chosen.key))
  }
  return found?.type
}
