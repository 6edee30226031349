import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, findPart, resolveValue, type CallValue, type FunctionFact, type Value } from '../../../facts/index.ts'
import { toWords, type HandlerFunction } from '../../../model/cap/index.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'
import { isContextRoot, isDeployedCode } from '../../../model/script/index.ts'
import { accessesOf } from '../../../facts/paths.ts'
import { findCallbacks, type Callback } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { changedNumbers, compoundsOf, sentPath, type Compounds } from './changed-numbers.ts'
import { bareNumber } from './read-rows.ts'
import { entityOfUpdate } from './decided-states.ts'
import { workedOutTotals } from './worked-out-totals.ts'

/** An element that scripts of the server keep up by updates of their own: points, a count of orders, a tier, a score, a total of other elements. */
export interface KeptNumber {
  /** The last part of the name of the entity. */
  readonly entity: string
  readonly element: string
  /** Of a total that is a product of others: not only operations set it, but what runs whenever rows are written. */
  readonly isSettled?: boolean
}

export const keptNumbers: Extract<KeptNumber> = defineExtract({
  name: 'cap-kept-numbers',
  keywords: ['UPDATE', '.update('],
  prefilter: (text) => KEPT_IN_TEXT.test(text),
  isFor: isDeployedCode,
  *collect({ facts, step }) {
    let compounds: Compounds | undefined
    let callbacks: Callbacks | undefined
    let handled: ReturnType<typeof findHandledFunctions> | undefined
    for (const call of facts.calls) {
      step()
      const entity = entityOfUpdate(call)?.entity
      if (entity === undefined) continue
      if (call.texts === undefined)
        for (const element of keptIn(call, (compounds ??= compoundsOf(facts, step)), (callbacks ??= findCallbacks(facts))))
          yield { entity, element }
      const handlersOf = (place: CallValue): readonly HandlerFunction[] =>
        (handled ??= findHandledFunctions(facts)).handlersOf(place)
      for (const { element, isSettled } of workedOutTotals(call, entity, handlersOf, step)) yield { entity, element, isSettled }
    }
  },
})

type Callbacks = ReadonlyMap<FunctionFact, Callback>

const KEPT_IN_TEXT =
  /points|balance|credits?|miles|total|amount|price|sum|cost|fee|value|net|gross|lifetime|count|score|tier|verified|average|avg|mean/i
/** What only goes up and down by what happens, in words: nobody enters how many orders there were. */
const COUNTED =
  /(?:^| )(?:points|miles|balance|credits)$|^(?:total|lifetime|number of|num|no of|count of) (?:\w{1,30} )?(?:orders?|purchases?|bookings?|visits?|sales|reviews?|ratings?|likes?|votes?|downloads?|points|miles|spent|spend|spending|redeemed|redemptions?)$|^(?:order|purchase|booking|visit|review|rating|like|vote|download)s? count$/
/** What the server works out from other things. */
const WORKED_OUT =
  /(?:^| )(?:score|tier)$|^(?:average|avg|mean) (?:\w{1,30} )?(?:ratings?|reviews?|stars?|votes?|grades?|marks?|scores?)$|^(?:rating|review|star|vote|score)s? (?:average|avg|mean)$|^(?:is )?(?:kyc )?verified$/

/** The elements of an update that follow from what they were, or that code works out for other rows. */
function keptIn(call: CallValue, compounds: Compounds, callbacks: Callbacks): readonly string[] {
  const changed = changedNumbers(call, compounds).flatMap(({ element, amount }) => (isGiven(amount, callbacks) ? [] : [element]))
  const fields = call.args.flatMap((given) => {
    const row = resolveValue(given)
    return row.kind === 'object' ? row.fields : []
  })
  const worked = fields.flatMap(({ key, value }) => (key !== undefined && isWorkedOut(key, value, callbacks) ? [key] : []))
  return [...new Set([...changed.filter((name) => COUNTED.test(toWords(name))), ...worked])]
}

function isWorkedOut(key: string, written: Value, callbacks: Callbacks): boolean {
  const words = toWords(key)
  const value = resolveValue(written)
  if (COUNTED.test(words)) {
    const [only] = value.kind === 'object' ? value.fields : []
    // { '+=': 1 }
    if (only !== undefined && /^[-+]=$/.test(only.key ?? '')) return !isGiven(only.value, callbacks)
    return only?.key === 'xpr' && isOfItself(key, only.value)
  }
  return WORKED_OUT.test(words) && constantOf(written) === undefined && !isGiven(written, callbacks)
}

/** `{ xpr: [{ ref: ['points'] }, '+', { val: earned }] }`. Fact: capire, "Core Expression Notation (CXN)". */
function isOfItself(key: string, terms: Value): boolean {
  const names = findPart(terms, (part) => part.kind === 'literal' && part.value === key) !== undefined
  return names && findPart(terms, (part) => part.kind === 'literal' && /^[-+]$/.test(String(part.value))) !== undefined
}

/** What the client sends itself: as it is, in another form, as a yes or no of it, or in a row of a file that it sends. */
function isGiven(value: Value, callbacks: Callbacks, depth = 0): boolean {
  if (sentPath(value) !== undefined || isData(value)) return true
  const here = bareNumber(value)
  if (isOfSentRow(here, callbacks)) return true
  if (depth > MAX_DEPTH) return false
  const inner = formsOf(here)
  return inner.some((one) => isGiven(one, callbacks, depth + 1))
}

function isData(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => isContextRoot(root) && steps[0] === 'data')
}

/** `sent` of `!!sent`, `sent === 'X'`, `sent ? 1 : 0`, `sent.trim()` and `Boolean(sent)`. */
function formsOf(value: Value): readonly Value[] {
  if (value.kind === 'operation') return value.operands
  if (value.kind === 'choice') return [...(value.test === undefined ? [] : [value.test]), ...value.options]
  if (value.kind !== 'call' || !CONVERTS.test(lastNameOf(value.callee) ?? '')) return []
  return [...value.args, ...(value.callee.kind === 'member' ? [value.callee.object] : [])]
}

const CONVERTS = /^(?:Boolean|String|Number|parse(?:Int|Float)|trim|to(?:String|Lower\w{0,12}|Upper\w{0,12}|Fixed)|round)$/
const MAX_DEPTH = 4

/** `row.Score` of `for (const row of XLSX.utils.sheet_to_json(…req.data.file…))`, also in a callback for each row; no row of a query. */
function isOfSentRow(value: Value, callbacks: Callbacks): boolean {
  const row = value.kind === 'member' ? value.object : value
  if (row.kind !== 'reference' || row.binding === undefined) return false
  const { definitions, function: around } = row.binding
  const called = callbacks.get(around)?.call.callee
  const lists = definitions.flatMap((one) => {
    if (one.kind === 'each') return one.value ?? []
    return one.parameter === 0 && called?.kind === 'member' ? called.object : []
  })
  return lists.some((list) => findPart(list, isData) !== undefined && findPart(list, isQuery) === undefined)
}

function isQuery(part: Value): boolean {
  return part.kind === 'reference' && part.name === 'SELECT'
}
