import { constantOf, resolveValue, type Value } from '../../facts/index.ts'
import { leadingTextOf } from '../../model/script/index.ts'
import { putForUnlisted, replacementIn } from '../checks/replacements.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { isTold } from './filter-literals.ts'
import { addFound } from './sink-parts.ts'

/** Up to a part of the request line of a batch: `GET Books('`. */
const IN_REQUEST_LINE = /^\s{0,8}(GET|POST|PUT|PATCH|MERGE|DELETE) \S*$/
const ENDS_LINE = /^[^\r\n]{0,2000}? HTTP\/1\.[01][ \t]{0,9}(?:\r?\n|$)/
/** Facts: OData 4.01, "Multipart Batch Format": each part is an HTTP request, of which the first line is the request line. A body may hold any character, which an address of Node.js may not. */
const OF_BATCH = /multipart\/mixed|application\/http/i

/** What sends a text to a system: a line that is only counted or kept is none of a batch. */
const SENDS = /\$batch|\bfetch\s?\(|\b(?:executeHttpRequest|axios|https?\.request)\b|\.\s?(?:send|post|ajax)\s?\(/

function isOfBatch(text: string): boolean {
  return OF_BATCH.test(text) && SENDS.test(text)
}

/** `id.replace(/[^\w-]/g, '')`: neither a line break nor a quote or slash is left, so the value stays one. */
function isListed(piece: Value): boolean {
  const made = resolveValue(piece)
  const replacement = 'callee' in made ? replacementIn(made) : undefined
  const put = replacement && putForUnlisted(replacement)
  return put !== undefined && /^[\w-]*$/.test(put) && replacement?.found.includes('/') === false
}

/** `GET Books(${id}) HTTP/1.1` of a batch: with a line break of its own the value goes on with headers and further requests. */
export function addBatchLines(value: Value & { readonly kind: 'template' | 'concat' }, draft: FlowDraft): void {
  const pieces = piecesOf(value)
  if (!pieces.some((piece) => typeof piece === 'string' && piece.includes(' HTTP/1.')) || !isOfBatch(draft.text)) return
  let line = ''
  for (const [index, piece] of pieces.entries()) {
    if (typeof piece === 'string') {
      line = `${line}${piece}`.slice(-MOST_BEFORE).split('\n').at(-1) ?? ''
      continue
    }
    const verb = IN_REQUEST_LINE.exec(line)?.[1]
    const rest = pieces.slice(index + 1, index + MOST_PIECES).map((one) => (typeof one === 'string' ? one : VALUE))
    if (verb !== undefined && ENDS_LINE.test(rest.join('')) && !isTold(value, draft) && !isListed(piece))
      addFound(verb === 'GET' ? FOUND_SINKS.batchLine : FOUND_SINKS.changeLine, piece, draft, { name: verb })
    line += leadingTextOf(piece).text || VALUE
  }
}

/** What stands for a value in the text of a line. */
const VALUE = 'x'
const MOST_BEFORE = 2000
const MOST_PIECES = 40

/** Fixed texts and values by turns. */
function piecesOf(value: Value & { readonly kind: 'template' | 'concat' }): readonly (string | Value)[] {
  const parts = value.parts.map((part) => {
    const fixed = constantOf(part)
    return fixed === undefined ? part : String(fixed)
  })
  return 'texts' in value
    ? [value.texts[0] ?? '', ...parts.flatMap((part, index) => [part, value.texts[index + 1] ?? ''])]
    : parts
}
