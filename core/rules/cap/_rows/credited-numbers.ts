import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { excerptOf, findPart, type Binding, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { isComparing } from '../../../facts/values.ts'
import { toWords, type HandlerFunction } from '../../../model/cap/index.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from '../_handlers/handled-functions.ts'
import { changedNumbers, compoundsOf, sentPath } from './changed-numbers.ts'
import { isForDrafts } from './decided-states.ts'
import { readFrom } from './read-rows.ts'

/** A balance of another row that the handler of a new row raises by what it works out from an amount of money that the client sends. */
export interface CreditedNumber extends Span, EventNames {
  /** The last part of its name. */
  readonly entity: string
  readonly element: string
  /** What the client sends, by its element and as it is written. */
  readonly sent: string
  readonly written: string
  /** The handler looks at who calls. */
  readonly isOfCaller: boolean
}

/** `UPDATE(Members).set({ points: { '+=': Math.floor(req.data.price / 10) } })` in handlers of CREATE, where nothing confirms the price. */
export const creditedNumbers: Extract<CreditedNumber> = defineExtract({
  name: 'cap-credited-numbers',
  keywords: ['UPDATE', '.update('],
  prefilter: (text) => /['"`]CREATE['"`]/.test(text) && CREDIT_IN_TEXT.test(text),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    const { handlers, handlersOf } = findHandledFunctions(facts)
    if (!handlers.some(isForNewRows)) return
    const compounds = compoundsOf(facts, step)
    for (const call of facts.calls) {
      step()
      for (const { entity, element, amount, isTaken } of changedNumbers(call, compounds, isCredit)) {
        const handler = isTaken ? undefined : handlersOf(call).find(isForNewRows)
        const price = handler && findPrice(amount, step)
        if (handler?.fact === undefined || price === undefined) continue
        const code = text.slice(handler.fact.start, handler.fact.end)
        step(code.length >> 6)
        if (CONFIRMS.test(code) || isReplaced(price, facts, step) || isCompared(price, handler.fact, facts, step)) continue
        yield {
          ...eventNamesOf(handler),
          start: call.start,
          end: call.end,
          entity,
          element,
          sent: price.name,
          written: excerptOf(text, price.at),
          isOfCaller: /\buser\b/.test(code),
        }
      }
    }
  },
})

/** What somebody spends later, and not how much was sold. */
const CREDIT = /(?:^| )(?:points?|miles|bonus|credits?|cashback|stamps|coins|rewards?)(?= |$)/
const CREDIT_IN_TEXT = /points?|miles|bonus|credits?|cashback|stamps|coins|rewards?/i
/** What one paid. */
const PAID = /(?:^| )(?:price|amount|fare|paid|spent|total|purchase)(?= |$)/
/** Somebody else tells what was paid, or does later. */
const CONFIRMS =
  /stripe|paypal|razorpay|adyen|braintree|\.(?:charge|pay)\(|captur(?:e|ed)\b|payment_?(?:intent|id|status|service)|receipt|voucher|invoice|isConfirmed|verif(?:y|ied)/i

function isCredit(name: string): boolean {
  return CREDIT.test(toWords(name)) && !OTHER.test(toWords(name))
}

/** How much one may owe or has used up, how large a task is. */
const OTHER = /(?:^| )(?:limit|used|spent|owed|story)(?= |$)/

function isPaid(name: string): boolean {
  return PAID.test(toWords(name)) && !isCredit(name)
}

function isForNewRows({ events, call, phase }: HandlerFunction): boolean {
  return phase !== 'reject' && events.length > 0 && events.every((name) => name === 'CREATE') && !isForDrafts(call)
}

interface SentPrice {
  readonly name: string
  readonly at: Value
}

const MAX_PARTS = 200

/** The amount of money of the request that a number is worked out from, of that and of constants, rates and other numbers that are sent. */
function findPrice(number: Value, step: (count?: number) => void): SentPrice | undefined {
  const open: Value[] = [number]
  const seen = new Set<Binding>()
  for (let count = 0; count < MAX_PARTS; count++) {
    const here = open.pop()
    if (here === undefined) return undefined
    step()
    const name = sentPath(here)?.at(-1)
    if (name !== undefined && isPaid(name)) return { name, at: here }
    open.push(...partsOf(here, seen))
  }
  return undefined
}

function partsOf(value: Value, seen: Set<Binding>): readonly Value[] {
  switch (value.kind) {
    case 'operation':
      return value.operands
    case 'concat':
      return value.parts
    case 'choice':
      return value.options
    case 'await':
      return [value.value]
    case 'call':
      return value.callee.kind === 'member' ? [...value.args, value.callee.object] : value.args
    case 'reference': {
      const { binding } = value
      if (binding === undefined || seen.has(binding)) return []
      seen.add(binding)
      return binding.definitions.flatMap(({ value: given, path }) => (given === undefined || path.length > 0 ? [] : [given]))
    }
    default:
      return []
  }
}

/** The script writes a price of its own over what is sent: `req.data.fare = ticket.fare`. */
function isReplaced({ name }: SentPrice, { assignments }: ScriptFacts, step: (count?: number) => void): boolean {
  step(assignments.length)
  return assignments.some(({ target, value }) => sentPath(target)?.at(-1) === name && findPrice(value, step)?.name !== name)
}

/** What is sent, or a number that is made of it, is compared with one of a row. */
function isCompared({ name }: SentPrice, around: FunctionFact, facts: ScriptFacts, step: (count?: number) => void): boolean {
  step(facts.guards.length)
  return facts.guards.some(
    ({ test, function: within }) =>
      within === around &&
      findPart(
        test,
        (part) =>
          part.kind === 'operation' &&
          isComparing(part.operator) &&
          part.operands.some((one) => findPrice(one, step)?.name === name) &&
          part.operands.some((one) => isPaidOfRow(one, step)),
      ) !== undefined,
  )
}

/** `order.price` of a row that was read. */
function isPaidOfRow(value: Value, step: (count?: number) => void): boolean {
  return (
    findPart(value, (part) => part.kind === 'member' && isPaid(part.name ?? '') && readFrom(part, step) !== undefined) !==
    undefined
  )
}
