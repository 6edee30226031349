import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { asSum, constantOf, findPart, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Span } from '../../types.ts'

/** `/$value` of an OData entity that a page opens by itself, where the server says of which type it is. */
export const openedFiles: Extract<true> = defineExtract({
  name: 'ui5-opened-files',
  keywords: ['$value'],
  prefilter: (text) => /\/\$value["'`]/.test(text) && /\bopen\(|\bredirect\(/.test(text),
  collect: ({ facts }) => (facts.calls.some(opensFile) ? [true] : []),
})

/** `window.open(service + "/Files('1')/$value")`, `URLHelper.redirect(url, true)`. */
function opensFile({ callee, args: [url] }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  const owner = 'object' in callee ? (lastNameOf(callee.object) ?? '') : 'window'
  if (url === undefined || !((name === 'open' && owner === 'window') || (name === 'redirect' && owner === 'URLHelper')))
    return false
  return endOf(url).endsWith('/$value')
}

function endOf(value: Value): string {
  const text = asSum(resolveValue(value))
  if ('texts' in text && text.texts !== undefined) return text.texts.at(-1) ?? ''
  const last = 'parts' in text ? text.parts.at(-1) : text
  return String((last && constantOf(last)) ?? '')
}

const FILE_TYPE =
  /^\.?(?:pdf|png|jpe?g|gif|txt|csv|docx?|xlsx?|pptx?|zip|msg|eml)$|^(?:image|application)\/(?:png|jpe?g|pdf|gif)$/i
const ASKS: ReadonlySet<string> = new Set(['inArray', 'indexOf', 'includes', 'some', 'find'])

/** Conditions by which a page looks at the type of a file that a user chose. */
export const fileTypeChecks: Extract<Span> = defineExtract({
  name: 'ui5-file-type-checks',
  keywords: ['FileUploader', 'FileReader', 'files[0]', '.files'],
  prefilter: (text) => /["'`]\.?pdf["'`]|["'`]application\/pdf["'`]/i.test(text) && /inArray|indexOf|includes/.test(text),
  *collect({ facts, step }) {
    for (const { test } of facts.guards) {
      step()
      if (findPart(test, asksFileType) === undefined) continue
      yield { start: test.start, end: test.end }
      return
    }
  },
})

/** `$.inArray(extension, ["pdf", "png"])`, `TYPES.includes(file.type)`. */
function asksFileType(part: Value): boolean {
  if (!('callee' in part) || !ASKS.has(lastNameOf(part.callee) ?? '')) return false
  const lists = [...part.args, ...('object' in part.callee ? [part.callee.object] : [])]
  return lists.some((given) => {
    const list = resolveValue(given)
    return 'items' in list && list.items.filter((item) => FILE_TYPE.test(String(constantOf(item)))).length > 1
  })
}
