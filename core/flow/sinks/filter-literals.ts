import { resolveValue, type Value } from '../../facts/index.ts'
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
    const [, ...quotes] = (/["']$/.test(text) && IN_LITERAL.exec(text.slice(-200))) || []
    const quote = quotes.find((one) => one !== undefined)
    const made = resolveValue(part)
    // value.replaceAll("'", "''"): what a call makes of it may be escaped
    if (quote !== undefined && behind?.startsWith(quote) === true && !IN_ADDRESS.test(text) && !('callee' in made))
      addFound(FOUND_SINKS.filterLiteral, part, draft, { name: 'filter' })
    text = `${text}${leadingTextOf(part).text}${'texts' in value ? (value.texts[index + 1] ?? '') : ''}`.slice(-MOST_BEFORE)
  }
}

/** What stands so far before a part says nothing of it. */
const MOST_BEFORE = 2000
