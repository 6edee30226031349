import { accessesOf, constantOf, resolveValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { leadingTextOf } from '../../model/script/index.ts'
import { TEXT_KEY } from '../tables/markup.ts'
import { DRAWN, DRAWN_NAMES, MEASURED_NAMES, ROW_KEY, STAMP_NAMES } from '../tables/part-names.ts'
import { KEYED, KEY_NAMES, PREFIXED, TAGGED } from '../tables/web.ts'
import { CLEAN, CONCAT, IN_ADDRESS, IN_ATTRIBUTE, IN_CODE, TEXT } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { FORMULA_CLEANS } from '../models/written-cleaning.ts'
import { placeInMarkup, type MarkupPlace } from './tags.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { isEncoded } from './encoders.ts'
import { addFound } from './sink-parts.ts'

/** `mailto:`, `https://host/`; `/items`, `?q=`; `items/`: what follows cannot lead elsewhere. */
const FIXES = [
  /^(?:mailto|tel|sms):/i,
  /^[a-z][a-z\d+.-]*:\/\/[^/?#]+[/?#]/i,
  /^(?:\/(?:[^/\\]|$)|[?#.])/,
  /^[^:/?#\\][^:/?#\\=]*[/?#=]/,
]

/** Scripts of markup that is put into a page do not run, and what stands in a tag alone is no value of an attribute. */
const PLACES: Readonly<Partial<Record<MarkupPlace, string>>> = { attribute: IN_ATTRIBUTE, address: IN_ADDRESS, code: IN_CODE }

/** How a part of a text is joined to what stands before it: behind a fixed beginning it decides about no address. */
function connectPart(
  part: Value,
  { open, text, from, isMarkup, encodes, isLed }: TextBefore,
  to: number,
  draft: FlowDraft,
): void {
  const { graph, use } = draft
  const isOpen =
    open.length === 0 ? !FIXES.some((start) => start.test(text)) : /^[a-z][a-z\d+.-]{0,20}:\/\/[^/?#]*$|^\/\/[^/?#]*$/i.test(text)
  const name = nameWritten(part)
  const marks = [
    ...(isOpen ? [] : [PREFIXED]),
    ...(isMarkup ? [TAGGED] : []),
    ...(KEY_NAMES.test(name) ? [KEYED] : []),
    ...(DRAWN_NAMES.test(name) || (encodes && isMeasured(part, name)) || isRowKey(part, isMarkup, draft) ? [DRAWN] : []),
    ...(isLed === true ? FORMULA_CLEANS : []),
    ...(TEXT_KEY.before.test(text) ? TEXT_KEY.cleans : []),
  ]
  const operation = isWrittenOut(part) ? TEXT : CONCAT
  const found = operation === CONCAT && isMarkup ? placeInMarkup(text, from) : undefined
  const place = found && PLACES[found]
  if (marks.length === 0) {
    graph.connect(use(part), to, operation, place)
    return
  }
  const joined = graph.derive(use(part), part, operation, place)
  graph.connect(joined, to, CLEAN, marks.join(' '))
}

/** `JSON.stringify(order)`. */
export function isWrittenOut(value: Value): boolean {
  const here = resolveValue(value)
  return here.kind === 'call' && here.callee.kind === 'member' && here.callee.name === 'stringify'
}

/** `orderId` of `order.orderId` and of `context.getProperty('orderId')`. */
function nameWritten(value: Value): string {
  // row.total ?? '-'
  if ('options' in value) {
    const [only, ...more] = new Set(
      value.options.flatMap((option) => (constantOf(option) === undefined ? lastNameOf(option) : [])),
    )
    return more.length === 0 ? (only ?? '') : ''
  }
  const here = value.kind === 'call' ? value.args[0] : undefined
  if (here?.kind === 'literal') return String(here.value)
  return lastNameOf(value) ?? ''
}

/** `row.startDate`, `formatDate(row.startDate)`: a function may hand on any text, whatever its own name promises. */
function isMeasured(part: Value, name: string): boolean {
  if (!('callee' in part)) return MEASURED_NAMES.test(name)
  const [only, ...more] = part.args.filter((given) => constantOf(given) === undefined)
  // context.getProperty('total')
  if (only === undefined) return MEASURED_NAMES.test(name)
  const given = nameWritten(only)
  // a function of another script of the page: what it hands on, is followed there
  if (isOfPage(part.callee) && !STAMP_NAMES.test(given)) return false
  return more.length === 0 && [given, lastNameOf(part.callee) ?? ''].every((one) => MEASURED_NAMES.test(one))
}

/** `shortDate` that no script but another one of the page declares. */
function isOfPage(callee: Value): boolean {
  return accessesOf(callee).some(({ root, steps }) => root.startsWith('global:') && steps.length === 0)
}

/** `row.id` in the markup of a script that encodes what else it shows. */
function isRowKey(part: Value, isMarkup: boolean, { page }: FlowDraft): boolean {
  return isMarkup && page.encodes && 'object' in part && ROW_KEY.test(part.name ?? '')
}

/** What stands before a part of a text, and whether the text has tags. */
interface TextBefore {
  readonly open: readonly Value[]
  readonly text: string
  /** Behind the last part that nobody knows. */
  readonly from: number
  readonly isMarkup: boolean
  /** A part of the markup is encoded: whoever wrote it has thought of the others. */
  readonly encodes: boolean
  /** Something stands before it that makes no formula of it. */
  readonly isLed?: boolean
}

const TAG = /<[a-z/]/i

function holdsTags(value: Value & { readonly kind: 'concat' | 'template' }): boolean {
  if (value.kind === 'template') return value.texts.some((text) => TAG.test(text))
  return value.parts.some((part) => part.kind === 'literal' && typeof part.value === 'string' && TAG.test(part.value))
}

/** A quote or a tab before the text of a cell: a spreadsheet takes it as a text. Fact: OWASP, "CSV Injection". */
const LED = /^["\s]{0,3}['\t]$/

/** A file of a table that is written into its own address. */
const TABLE_ADDRESS = /^data:(?:text|application)\/(?:csv|tab-separated-values|vnd\.ms-excel)/i

/** A filter that is written into the address of a request of its own: `/odata/Books?$filter=title eq '`. Fact: OData 4.01, "URL Conventions". */
const IN_FILTER = /[?&]\$(?:filter|search|orderby)=[^?&]*$/

/** What stands so far before a part says nothing of it. */
const MOST_BEFORE = 20_000

/** The parts of a text with what stands before each. Linear: of a long text with many parts the end alone is looked at. */
export function connectParts(value: Value & { readonly kind: 'concat' | 'template' }, to: number, draft: FlowDraft): void {
  const open: Value[] = []
  const isMarkup = holdsTags(value)
  const encodes = isMarkup && value.parts.some(isEncoded)
  let text = value.kind === 'template' ? (value.texts[0] ?? '') : ''
  const [first] = value.parts
  const written = value.kind === 'template' ? text : first === undefined ? '' : leadingTextOf(first).text
  if (TABLE_ADDRESS.test(written)) addFound(FOUND_SINKS.tableAddress, value, draft, { node: to })
  let isLed = false
  let from = 0
  for (const [index, part] of value.parts.entries()) {
    isLed ||= LED.test(text)
    connectPart(part, { open, text, from, isMarkup, encodes, isLed }, to, draft)
    if (part.kind !== 'literal' && IN_FILTER.test(text)) addFound(FOUND_SINKS.filterText, part, draft, { at: value })
    // (/^[=+\-@]/.test(text) ? "'" : '') + text
    const lead = resolveValue(part)
    isLed ||= lead.kind === 'choice' && lead.test !== undefined && draft.checks.formulas.isTest(lead.test)
    const leading = leadingTextOf(part)
    text += leading.text
    if (!leading.isWhole) {
      open.push(part)
      from = text.length
    }
    if (value.kind === 'template') text += value.texts[index + 1] ?? ''
    if (open.length > 0 && text.length > 2 * MOST_BEFORE) {
      from = Math.max(0, from - (text.length - MOST_BEFORE))
      text = text.slice(-MOST_BEFORE)
    }
  }
}
