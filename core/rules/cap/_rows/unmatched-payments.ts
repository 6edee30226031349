import {
  accessesOf,
  constantOf,
  stringConstantOf,
  findPart,
  isOnTheWay,
  type CallValue,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isContextRoot } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** What asks for a payment that the request names, and then takes a row for paid that the same request names apart from it. */
export interface UnmatchedPayment extends Span {
  /** The function: `paypal.captureOrder`. */
  readonly asked: Value
  /** What the request says for the payment and for the row: `token`, `txId`. */
  readonly payment: string
  readonly row: string
}

/**
 * What asks a provider of payments whether one is paid, by the names of the clients.
 * Facts: PayPal, Orders API v2 (capture); Stripe, `checkout.sessions.retrieve`, `paymentIntents.retrieve`; Razorpay, `payments.fetch`; Mollie, `payments.get`.
 */
const ASKS =
  /(?:^|[ .])(?:(?:capture|confirm|verify|retrieve|fetch|get|check|complete|execute|finali[sz]e)_?\w{0,20}?(?:order|payment|charge|intent|checkout|transaction|session)\w{0,12}|(?:\w{0,20}(?:orders?|payments?|charges?|paymentIntents?|checkouts?|sessions|transactions?)) (?:capture|confirm|retrieve|fetch|get|verify))$/i
/** It is about payments. */
export const OF_PAYMENTS: RegExp = /paypal|stripe|razorpay|mollie|braintree|adyen|klarna|checkout|payment|capture_?order/i
/** By its name or its module; `getOrder` and `getPayment` alone may read rows of the project's own. */
const PROVIDERS = /paypal|stripe|razorpay|mollie|braintree|adyen|klarna/i
const OF_PROVIDER =
  /(?:capture|confirm|verify|retrieve)\w{0,20}(?:checkout|payment|charge|intent)|capture|(?:checkouts?|payments?|charges?|intents?) \w{1,20}$/i
/** What a payment is made under, and not whether it was. */
const TERMS = /(?:terms?|methods?|runs?|conditions?|plans?|types?|modes?|options?|accounts?|blocks?)$/i
/** What a row gets that is paid. */
const SETTLES = /paid|payment|captur|settle|confirm|complete|credit|balance|amount|status|\bstate\b|active|premium|booked/i
const CHANGES = /^(?:UPDATE|update\w{0,20}|findOneAndUpdate|findByIdAndUpdate)$/
const STATEMENT = /^\s{0,40}update\s/i
/** In a script; real ones have one or two. */
const MOST_ASKED = 20
/** A test is looked through with what its names are given. */
const GUARD_STEPS = 20
const SENT = /^(?:query|body|params|data)$/

/** Yields one for each such question, by the first statement that changes a row. */
export function* findUnmatchedPayments(
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): Generator<UnmatchedPayment> {
  const asking = facts.calls.filter(({ callee, args }) => args.length > 0 && asksProvider(nameOf(callee)))
  if (asking.length === 0) return
  const changes = facts.calls.filter((one) => isChange(one) && SETTLES.test(text.slice(one.start, one.end)))
  for (const asked of asking.slice(0, MOST_ASKED)) {
    const sent = sentIn(asked.args)
    const [payment] = sent
    if (payment === undefined) continue
    const { function: around } = asked
    step(GUARD_STEPS * (facts.guards.length + changes.length))
    const guards = facts.guards.filter((one) => one.function === around)
    const isAsked = (part: Value): boolean => part === asked
    const decides = guards.filter(({ test }) => findPart(test, isAsked) !== undefined)
    if (decides.length === 0 || guards.some((one) => compares(one, asked, sent))) continue
    const told = changes.find((change) => {
      if (!isWithin(change, around) || change.start < asked.end || !decides.some((one) => isOnTheWay(one, change.start)))
        return false
      const named = sentIn(conditionOf(change))
      if (named.length === 0 || named.some((name) => sent.includes(name)) || readsAnswer(change, asked)) return false
      return !guards.some(({ test }) => asksForBoth(test, sent, named))
    })
    const [row] = told === undefined ? [] : sentIn(conditionOf(told))
    if (told !== undefined && row !== undefined) yield { start: asked.start, end: asked.end, asked: asked.callee, payment, row }
  }
}

function asksProvider(name: string): boolean {
  return ASKS.test(name) && (PROVIDERS.test(name) || OF_PROVIDER.test(name)) && !TERMS.test(name)
}

/** `if (!(await SELECT.one.from(Orders).where({ ID: order, payment })))`: a row is looked for by both. */
function asksForBoth(test: Value, sent: readonly string[], named: readonly string[]): boolean {
  const isBoth = (part: Value): boolean => {
    if (part.kind !== 'call') return false
    const given = sentIn(part.args)
    return given.some((name) => sent.includes(name)) && given.some((name) => named.includes(name))
  }
  return findPart(test, isBoth) !== undefined
}

function nameOf(callee: Value): string {
  const [access] = accessesOf(callee)
  return access === undefined ? (lastNameOf(callee) ?? '') : [access.root, ...access.steps].join(' ')
}

/** The fields of the request in some values, `txId` of `req.query.txId`. */
function sentIn(values: readonly Value[]): readonly string[] {
  const found = new Set<string>()
  for (const value of values)
    findPart(value, (part) => {
      if (part.kind !== 'member' && part.kind !== 'reference') return false
      for (const { root, steps } of accessesOf(part)) {
        const [place = '', name] = steps[0] === 'req' ? steps.slice(1) : steps
        if (isContextRoot(root) && SENT.test(place) && name !== undefined && name !== '[]') found.add(name)
      }
      return false
    })
  return [...found]
}

/** `UPDATE(Orders).set(…).where(…)`, `Order.findByIdAndUpdate(id, …)`, `db.query('UPDATE …', [id])`: the whole chain. */
function isChange(call: CallValue): boolean {
  const [statement] = call.args
  const written = stringConstantOf(statement)
  if (written !== undefined && STATEMENT.test(written)) return true
  const own = lastNameOf(call.callee) ?? ''
  if (own === 'where') return rootOfChain(call.callee) === 'UPDATE'
  return own !== 'UPDATE' && CHANGES.test(own) && call.callee.kind === 'member' && call.args.length > 1
}

const MAX_CHAIN = 8

function rootOfChain(callee: Value): string | undefined {
  let here: Value = callee
  for (let depth = 0; depth < MAX_CHAIN; depth++) {
    if (here.kind === 'member') here = here.object
    else if ('callee' in here) here = here.callee
    else break
  }
  return here.kind === 'reference' ? here.name : undefined
}

/** What says which row it is: all that a statement of SQL gets. */
function conditionOf({ callee, args }: CallValue): readonly Value[] {
  if (lastNameOf(callee) === 'where') return args
  const [first, ...more] = args
  return first !== undefined && typeof constantOf(first) === 'string' ? more : args.slice(0, 1)
}

/** `WHERE provider_id = capture.id`: the answer chooses the row as well. */
function readsAnswer(change: CallValue, asked: CallValue): boolean {
  return conditionOf(change).some((value) => findPart(value, (part) => part === asked) !== undefined)
}

/** A test compares the payment, or what the provider says of it, with what is stored: no side is constant. */
function compares({ test }: Guard, asked: CallValue, sent: readonly string[]): boolean {
  const isOfPayment = (value: Value): boolean =>
    findPart(value, (part) => part === asked) !== undefined || sentIn([value]).some((name) => sent.includes(name))
  const isComparison = (part: Value): boolean => {
    if (part.kind !== 'operation' || !/^[!=]==?$|^[<>]=?$/.test(part.operator)) return false
    return part.operands.some(isOfPayment) && part.operands.every((side) => constantOf(side) === undefined)
  }
  return findPart(test, isComparison) !== undefined
}
