import { constantOf, resolveValue, type FunctionFact, type Value } from '../../facts/index.ts'
import type { SinkDetail } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'

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
}

/** What the response says of itself counts more than what the text looks like. */
export function markupDetail(value: Value, site: ResponseSite | undefined, draft: FlowDraft): SinkDetail | undefined {
  const type = site && contentTypeBefore(site, draft)
  return type === 'plain' ? type : (markupOf(value) ?? type)
}

/** The function itself, or one that it lies in: `rows.forEach((row) => res.write(row))`. */
function isAround(outer: FunctionFact, inner: FunctionFact): boolean {
  return outer === inner || (outer.kind !== 'file' && outer.start <= inner.start && inner.end <= outer.end)
}

/** The content type that the function around gives its responses, the last one before a call; `res.format({ text: () => res.send(…) })` gives it by a name. */
function contentTypeBefore({ start, around }: ResponseSite, { facts, step }: FlowDraft): SinkDetail | undefined {
  step(facts.calls.length)
  let found: { readonly at: number; readonly type: SinkDetail } | undefined
  const say = (at: number, text: string): void => {
    const isHtml = /html|svg|xml/i.test(text)
    if (!isHtml && !/json|text\/plain|octet|\btext\b|\btxt\b|\bpdf\b|csv/i.test(text)) return
    if (found === undefined || (at <= start && at > found.at)) found = { at, type: isHtml ? 'html' : 'plain' }
  }
  for (const { callee, args, function: within, start: at } of facts.calls) {
    if (!isAround(within, around) || callee.kind !== 'member' || !TYPES.test(callee.name ?? '')) continue
    say(at, args.map(textOf).join(' '))
  }
  for (const { callee, args, start: at } of facts.calls) {
    const [forms] = callee.kind === 'member' && callee.name === 'format' ? args : []
    if (forms?.kind !== 'object' || at > start || start >= forms.end) continue
    const chosen = forms.fields.find(({ value }) => value.kind === 'function' && isAround(value.function, around))
    if (chosen?.key !== undefined) say(start, chosen.key)
  }
  for (const { target, value, function: within, start: at } of facts.assignments)
    if (isAround(within, around) && target.name === 'contentType') say(at, String(constantOf(value) ?? ''))
  return found?.type
}
