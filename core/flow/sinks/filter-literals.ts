import { pathOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { leadingTextOf } from '../../model/script/index.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { addFound } from './sink-parts.ts'

/**
 * A literal of a filter: `emails.value eq "`, `substringof('`. Facts: RFC 7644, "Filtering" (SCIM); OData 4.01, "URL Conventions" ($filter). None of it is SQL or CQL, as `contains(name, '` may be. What stands
 * in an address already, the sinks for addresses tell.
 */
const IN_LITERAL = /(?:^|[\s(])[\w.:/]{1,80}\s(?:eq|ne|co|sw|ew|gt|ge|lt|le)\s(["'])$|substringof\((')$/
const IN_ADDRESS = /[?&]\$?filter=/

/** `emails.value eq "${mail}"`: with a quote of its own the value goes on with the filter, whatever encodes all of it later. */
export function addFilterLiterals(value: Value & { readonly kind: 'template' | 'concat' }, draft: FlowDraft): void {
  let text = 'texts' in value ? (value.texts[0] ?? '') : ''
  for (const [index, part] of value.parts.entries()) {
    const behind =
      'texts' in value ? value.texts[index + 1] : value.parts[index + 1] && leadingTextOf(value.parts[index + 1] ?? part).text
    const [, ...quotes] = ((text.endsWith("'") || text.endsWith('"')) && IN_LITERAL.exec(text.slice(-200))) || []
    const quote = quotes.find((one) => one !== undefined)
    if (quote !== undefined && behind?.startsWith(quote) === true && !IN_ADDRESS.test(text) && !isTold(value, draft)) {
      const written = writtenBy(part, quote)
      // value.replaceAll("'", "''"): what another call makes of it may be escaped
      if (!('callee' in resolveValue(written)))
        addFound(FOUND_SINKS.filterLiteral, part, draft, { name: 'filter', node: draft.use(written) })
    }
    text = `${text}${leadingTextOf(part).text}${'texts' in value ? (value.texts[index + 1] ?? '') : ''}`.slice(-MOST_BEFORE)
  }
}

/** A text for a log, an exception or an answer: `req.reject(404, `, `throw new Error(`, `res.status(404).send(`. No system gets it for a filter. */
const TOLD =
  /(?:\.\s{0,4}(?:reject|log|trace|debug|info|warn|error|notify)|\bnew\s{1,4}\w{0,40}(?:Error|Exception)|\bres(?:ponse)?(?:\.status\(\d{3}\))?\.(?:send|json|end|write))\s{0,4}\([^();]{0,120}$/

export function isTold({ start }: Value, { text }: FlowDraft): boolean {
  return TOLD.test(text.slice(Math.max(0, start - 250), start))
}

const MOST_CALLS = 8

/** What stands in the text where calls keep its quotes: `code` of `String(code).trim()`. */
function writtenBy(part: Value, quote: string): Value {
  let written = part
  for (let count = 0; count < MOST_CALLS; count++) {
    const made = resolveValue(written)
    const kept = 'callee' in made ? keptBy(made, quote) : undefined
    if (kept === undefined) break
    written = kept
  }
  return written
}

const KEEPING = /^(?:trim(?:Start|End)?|to(?:Locale)?(?:Upper|Lower)Case|toString)$/
/** Fact: ECMA-262, "encodeURIComponent": an apostrophe is unreserved there, a quotation mark is not. */
const KEEPS_APOSTROPHE = /^global:encodeURI(?:Component)?$/

function keptBy({ callee, args }: CallValue, quote: string): Value | undefined {
  if ('object' in callee) return KEEPING.test(callee.name ?? '') ? callee.object : undefined
  const path = pathOf(callee)?.join(' ') ?? ''
  return path === 'global:String' || (quote === "'" && KEEPS_APOSTROPHE.test(path)) ? args[0] : undefined
}

/** What stands so far before a part says nothing of it. */
const MOST_BEFORE = 2000
