import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { methodAround } from '../../facts/callbacks.ts'
import {
  constantOf,
  fieldOf,
  findPart,
  keyOf,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { holdsAt } from '../../keywords/index.ts'
import { groupBy } from '../../lists.ts'
import { leadingTextOf, splitWords } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'
import { foreignAddressOfCall } from './_foreign-requests.ts'
import type { HandedTo } from './_app-methods.ts'
import { createJudge, keptValues, MAY_SEND, written } from './_computed-results.ts'
import type { NamedField } from './_sent-bodies.ts'
import { textOf } from './_role-words.ts'
import { isKeptUser, isStorage } from './_user-identities.ts'

/** A request that says what a server has to decide. */
export interface DecidedValue {
  /** `price`: what is to be paid; `payment`: that it was; `balance`: what is left; `time`: when somebody came or went. */
  readonly kind: 'price' | 'payment' | 'balance' | 'time'
  readonly at: Span
  readonly fields: readonly string[]
  readonly by: HandedTo | undefined
  /** Where the request goes, if that names a host. */
  readonly address?: string
  /** The page has a user of its own who pays: none of the accounting. */
  readonly isOfCustomer: boolean
}

/** What is to be paid. */
const PRICE =
  /^(?:total|grand|sub|net|gross|order|booking|payable|final|cart)_?(?:total|price|rent|amount|amt|cost|deposit|fare|charges?|fee)s?$|^(?:price|fare|total|amount_?(?:due|payable))$/i
/** A sum of anything: of money only beside what money has. */
const BARE_TOTAL = /^total$/i
const MONEY =
  /\b(?:prices?|rent|fares?|costs?|fees?|charges?|deposits?|amounts?|amt|currency|tax(?:es)?|vat|discount|rate|preis|betrag)\b/
/** What a customer sends who pays for it, by its words: no order of a clerk, no cartons. */
const BUYS =
  /\b(?:shopping)?carts?(?:items?|ids?)?\b|check ?outs?\b|basket(?!ball)|booking|reserv(?:ation|ed)|payment(?! ?terms?)|\bpaid\b|ticket|warenkorb/
/** As a word of its own, or the first one: none of a contract's total rent. */
const RENTS = /(?:^|_|\b)(?:[Rr]ent(?:s|als?|ers?)?|RENT(?:ALS?)?)(?![a-z])/
const PAYMENT = /^(?:is_?)?(?:paid|payment_?(?:current_?)?(?:status|state)|pay_?(?:status|state))$/i
const IS_PAID = /^(?:paid|completed?|success(?:ful)?|confirmed|captured|settled|true|bezahlt|pagado|pago)$/i
/** Codes for it, where the method speaks of it. */
const PAID_CODE = /^[cxys1]$/i
const CONFIRMS = /confirm|pay|complete/i
/** By its words: neither quotations nor waypoints. */
const BALANCE =
  /(?<!\b(?:im|re))balances?\b|wallets?\b|quotas?\b|saldo|guthaben|credits?$|^points$|\b(?:loyalty|bonus|rewards?) ?points$/
const TIME = /^(?:punch|clock)_?(?:in|out)(?:_?(?:time|at))?$|^check_?(?:in|out)_?(?:time|at)$/i

/** Words of which one stands in the field or the address of each of these. */
const VALUE_WORDS =
  'total price rent amount amt cost deposit fare charge fee paid pay balance wallet quota saldo guthaben credit points punch clock check'.split(
    ' ',
  )
/** Such a name, that of a field alone. */
const NAMES_PRICE =
  /(?<=(?<![\w$])(?:(?:total|grand|sub|net|gross|order|booking|payable|final|cart)_?)?)(?:total|price|rent|amount|amt|cost|deposit|fare|charges?|fee|amount_?(?:due|payable))s?(?:["'`]|\s{0,99}[:,}/])/iy
/** What is to be paid counts where somebody buys or rents: what stands in each of those words. */
const MAY_BUY = /cart|check.?out|basket|booking|reserv(?:ation|ed)|payment|paid|ticket|warenkorb/i
const MAY_RENT = /(?<![A-Za-z\d])(?:[Rr]ent(?:s|als?|ers?)?|RENT(?:ALS?)?)(?![a-z])/
/** The others: those of times alone, or wherever they stand in a field or in the last part of an address. */
const NAMES_OTHER =
  /(?:(?<=(?<![\w$])(?:is_?)?)(?:paid|pay(?:ment_?(?:current_?)?)?_?(?:status|state))|(?<![\w$])(?:punch|clock|check)_?(?:in|out)(?:_?(?:time|at))?)(?:["'`]|\s{0,99}[:,}/])|(?:balance|wallet|quota|saldo|guthaben|credits?(?![a-z])|(?:(?<![\w$])|(?<=(?:loyalty|bonus|rewards?)[ _-]?))points(?![a-z]))[\w$-]{0,60}(?:["'`?/]|\s{0,99}[:,}=])/iy

/**
 * `create("/Bookings", { TotalRent: sum, PaymentStatus: "PAID" })`, `fetch("/balance", { method: "PUT", body: JSON.stringify({ days: kept.days - taken }) })`.
 * Facts: OWASP Web Security Testing Guide 4.2, "Test Business Logic Data Validation" and "Testing for the Circumvention of Work Flows"; CWE-602.
 */
export const decidedValues: Extract<DecidedValue> = defineExtract({
  name: 'ui5-decided-values',
  keywords: [
    'price',
    'rent',
    'amount',
    'amt',
    'cost',
    'deposit',
    'fare',
    'total',
    'paid',
    'pay',
    'balance',
    'wallet',
    'credit',
    'points',
    'quota',
    'saldo',
    'punch',
    'clock',
    'check',
  ],
  words: VALUE_WORDS,
  prefilter: (text, hits) => {
    const places = hits.places(text, VALUE_WORDS)
    return (
      (holdsAt(text, places, NAMES_OTHER) ||
        (holdsAt(text, places, NAMES_PRICE) && (MAY_BUY.test(text) || MAY_RENT.test(text)))) &&
      MAY_SEND.test(text)
    )
  },
  *collect({ facts, step }) {
    const readers = createReaders(facts, step)
    let isOfCustomer: boolean | undefined
    for (const { call, fields, by } of written(facts, step)) {
      step(fields.length)
      for (const { kind, found } of readers(call, fields)) {
        const [first] = found
        if (first === undefined) continue
        const { start, end } = first.value
        isOfCustomer ??= facts.calls.some(readsUser)
        const address = foreignAddressOfCall(call)
        const keys = [...new Set(found.map(({ key }) => key))]
        yield { kind, at: { start, end }, fields: keys, by, isOfCustomer, ...(address !== undefined && { address }) }
      }
    }
  },
})

interface Decided {
  readonly kind: DecidedValue['kind']
  readonly found: readonly NamedField[]
}

/** What each kind of value is found by, in the fields of a request. */
function createReaders(
  facts: ScriptFacts,
  step: (count?: number) => void,
): (call: CallValue, fields: readonly NamedField[]) => readonly Decided[] {
  const kept = keptValues(facts)
  const isComputed = createJudge(facts, kept, step)
  const assigned = groupBy(facts.assignments, ({ target }) => keyOf(target))
  const isNow = (value: Value): boolean => {
    step(LOOK)
    const key = value.kind === 'member' ? keyOf(value) : undefined
    const given = key === undefined ? [] : (assigned.get(key) ?? []).map((one) => one.value)
    return [value, ...given.slice(0, MAX_GIVEN)].some((one) => findPart(one, saysNow) !== undefined)
  }
  const saysMoney = (value: Value): boolean => {
    step(LOOK)
    return findPart(value, (part) => part.kind === 'member' && MONEY.test(wordsOf(part.name ?? ''))) !== undefined
  }
  return (call, fields) => {
    const address = addressOf(call)
    const isOfBalance = isBalance(lastSegmentOf(address))
    const words = (): string => wordsOf(...fields.map(({ key }) => key))
    const isPrice = ({ key, value }: NamedField): boolean =>
      isComputed(value) && (!BARE_TOTAL.test(key) || MONEY.test(words()) || saysMoney(value))
    const isBought = (): boolean =>
      BUYS.test(`${wordsOf(...address.slice(0, MAX_WORDS).split('/'))} ${words()}`) ||
      [address, ...fields.map(({ key }) => key)].some((name) => RENTS.test(name))
    const prices = fields.filter(({ key }) => PRICE.test(key))
    const method = methodAround(call.function)?.name ?? call.function.name
    return [
      { kind: 'price', found: prices.length > 0 && isBought() ? prices.filter(isPrice) : [] },
      { kind: 'payment', found: fields.filter((field) => saysPaid(field, method)) },
      { kind: 'balance', found: fields.filter((field) => isRest(field, isOfBalance, kept, step)) },
      { kind: 'time', found: fields.filter(({ key, value }) => TIME.test(key) && isNow(value)) },
    ]
  }
}

/** What looking for a clock, or for money, takes. */
const LOOK = 20
/** Assignments to one name that are looked at. */
const MAX_GIVEN = 20

/** Of an address, as far as its words are read. */
const MAX_WORDS = 400

/** The words of names, in lower case, with spaces between them. */
function wordsOf(...names: readonly string[]): string {
  return names.flatMap(splitWords).join(' ')
}

function isBalance(name: string): boolean {
  return BALANCE.test(wordsOf(name))
}

/** The beginning of the address or path that a request goes to. */
function addressOf({ args: [first] }: CallValue): string {
  if (first === undefined) return ''
  const made = resolveValue(first)
  const url = made.kind === 'object' ? fieldOf(made, 'url')?.value : made
  const { text } = url === undefined ? { text: '' } : leadingTextOf(resolveValue(url))
  return text.length > MAX_ADDRESS ? '' : text
}

/** Longer ones servers refuse. Fact: RFC 9110, 4.1. */
const MAX_ADDRESS = 8000
const MAX_SEGMENT = 100

/** `balance` of `/users/1/balance?day=2` */
function lastSegmentOf(address: string): string {
  const [path = ''] = address.split('?', 1)
  return path.slice(path.lastIndexOf('/') + 1).slice(-MAX_SEGMENT)
}

function saysPaid({ key, value }: NamedField, method: string): boolean {
  if (!PAYMENT.test(key)) return false
  const text = String(constantOf(value) ?? '')
  return IS_PAID.test(text) || (PAID_CODE.test(text) && CONFIRMS.test(method))
}

const UNWRAPS = /^(?:max|min|round|floor|ceil|Number|parseInt|parseFloat|String|toString|toFixed)$/

/** `Math.max(0, kept.days - taken)` of a balance, `user.points + 10`: what was read is written back with a change, by a property of a model too, whatever the field is called. */
function isRest(
  { key, value }: NamedField,
  isOfBalance: boolean,
  kept: ReadonlyMap<string, readonly Value[]>,
  step: (count?: number) => void,
): boolean {
  const path = propertyIn(value)
  const isKept = path !== undefined && isBalance(lastSegmentOf(path))
  if (!isKept && !isOfBalance && !isBalance(key)) return false
  const written = (isKept && kept.get(path)) || [value]
  return written.slice(0, MAX_GIVEN).some((one) => isChanged(one, key, step))
}

function isChanged(value: Value, key: string, step: (count?: number) => void): boolean {
  for (const [first] of sumsIn(value, step)) {
    const read = first && nameRead(first)
    if (read !== undefined && (read.toLowerCase() === key.toLowerCase() || isBalance(read))) return true
  }
  return false
}

/** `days` of `kept.days`, `balance` of `model.getProperty("/balance") || 0`. */
function nameRead(value: Value): string | undefined {
  if (value.kind === 'member') return lastNameOf(value) ?? ''
  const path = propertyIn(value)
  return path === undefined ? undefined : lastSegmentOf(path)
}

/** The path of a property that is read from a model. */
function propertyIn(value: Value): string | undefined {
  const made = resolveValue(value)
  const read = made.kind === 'choice' && made.options[0] !== undefined ? resolveValue(made.options[0]) : made
  const path = read.kind === 'call' && lastNameOf(read.callee) === 'getProperty' && read.args[0] && constantOf(read.args[0])
  return typeof path === 'string' ? path : undefined
}

/** Values that are looked at for the sums of one. */
const MAX_PARTS = 200

/** Sums in a value, through what shapes numbers; each value is looked at once, whatever names lead to it. */
function* sumsIn(value: Value, step: (count?: number) => void): Generator<readonly Value[]> {
  const open = new Set([resolveValue(value)])
  for (const made of open) {
    step()
    if (made.kind === 'operation' && made.operator === '-') yield made.operands
    if (made.kind === 'concat') {
      step(made.parts.length)
      if (!made.parts.some((part) => typeof constantOf(part) === 'string')) yield made.parts
    }
    if (made.kind !== 'call' || !UNWRAPS.test(lastNameOf(made.callee) ?? '')) continue
    const parts = made.callee.kind === 'member' && (made.callee.name ?? '').startsWith('to') ? [made.callee.object] : made.args
    step(parts.length)
    for (const part of parts) if (open.size < MAX_PARTS) open.add(resolveValue(part))
  }
}

/** `new Date()`, `Date.now()` */
function saysNow(part: Value): boolean {
  if (part.kind === 'new') return lastNameOf(part.callee) === 'Date' && part.args.length === 0
  return (
    part.kind === 'call' &&
    part.callee.kind === 'member' &&
    part.callee.name === 'now' &&
    lastNameOf(part.callee.object) === 'Date'
  )
}

/** `sessionStorage.getItem("currentUserId")` */
function readsUser({ callee, args }: CallValue): boolean {
  return callee.kind === 'member' && callee.name === 'getItem' && isStorage(callee.object) && isKeptUser(textOf(args[0]))
}
