import type { Binding, Definition, Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { leadingAddressOf, leadingTextOf } from '../../model/script/index.ts'
import { PREFIXED, WORDED } from '../tables/web.ts'
import { CLEAN, CONCAT, DECODE, TEXT, IN_QUOTES, IN_TAG, OUTSIDE_QUOTES } from '../types.ts'
import { addBatchLines } from './batch-lines.ts'
import { addFilterLiterals } from './filter-literals.ts'
import { isWrittenOut } from './text-parts.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { placeInMarkup } from './tags.ts'

/** Behind the slash of a host or of a path; or in a relative address, `Orders?$filter=`. */
const BEHIND_HOST = /^(?:[a-z]{2,10}:\/\/[^/]{1,300})?\/(?![/\\])|^[\w.-]{1,300}[/?#]/i

/** What stands behind the host of an address, or behind something else, decides about no host: also where another function composes the address. */
export function connectTexts(value: Value & { readonly kind: 'template' | 'concat' }, to: number, draft: FlowDraft): void {
  const { graph, use } = draft
  addFilterLiterals(value, draft)
  addBatchLines(value, draft)
  let text = value.kind === 'template' ? (value.texts[0] ?? '') : ''
  let isOpen = false
  let isBehind = false
  for (const [index, part] of value.parts.entries()) {
    const isLater = isOpen ? isBehindUnknown(text) : BEHIND_HOST.test(text)
    if (index > 0 && text.endsWith('://') && isOwnAddress(value.parts[index - 1], part)) isBehind = true
    // what a fixed text is behind, all that follows is behind
    isBehind ||= !isOpen && isLater
    if (isLater || isBehind) {
      const joined = graph.derive(use(part), part, CONCAT, placeBehind(text))
      graph.connect(joined, to, CLEAN, PREFIXED)
    } else if (text.endsWith('//')) {
      const joined = graph.derive(use(part), part, CONCAT, placeBehind(text))
      graph.connect(joined, to, DECODE, WORDED)
    } else graph.connect(use(part), to, CONCAT, placeBehind(text))
    // all that an object holds stands in such a text
    if (isWrittenOut(part)) graph.connect(use(part), to, TEXT)
    const lead = leadingAddressOf(part)
    text += lead.text
    isOpen ||= !lead.isWhole
    if (value.kind === 'template') text += value.texts[index + 1] ?? ''
  }
}

/** What stands behind a part that nobody knows and a text that no name of a host has: `${service}('${id}')`. Fact: RFC 3986, "Authority". */
function isBehindUnknown(text: string): boolean {
  return (text === '' || /[^\w.:@-]/.test(text)) && !/\/\/[^/]{0,300}$/.test(text)
}

/** `url += id` where what the name was given before decides about the host: the node at which what is added is marked so. */
export function behindHost(
  { operator, value, start }: Definition,
  { definitions }: Binding,
  node: number,
  draft: FlowDraft,
): number {
  if (operator !== '+=' || value === undefined || /^[.:-]/.test(leadingTextOf(value).text)) return node
  if (!definitions.some((before) => before.start < start && before.value !== undefined && isHostGiven(before.value))) return node
  const added = draft.graph.add(value)
  draft.graph.connect(added, node, CLEAN, PREFIXED)
  return added
}

function isHostGiven(before: Value): boolean {
  const { text, isWhole } = leadingTextOf(before)
  return isWhole ? BEHIND_HOST.test(text) : !/\/\/[^/]{0,300}$/.test(text)
}

/** Whether a quote is open behind a text, and a tag. */
function placeBehind(text: string): string {
  const place = text.split("'").length % 2 === 0 ? IN_QUOTES : OUTSIDE_QUOTES
  return placeInMarkup(text) === undefined ? place : place + IN_TAG
}

/** `${req.headers.host}${req.url}`: a page of the same host. The path of a request begins with a slash. Fact: RFC 9112, "origin-form". */
function isOwnAddress(host: Value | undefined, path: Value): boolean {
  return (
    host !== undefined &&
    /^host(?:name)?$/.test(lastNameOf(host) ?? '') &&
    /^(?:originalUrl|url|path)$/.test(lastNameOf(path) ?? '')
  )
}
