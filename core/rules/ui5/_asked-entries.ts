import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { findCallbacks, type Callback } from '../../facts/callbacks.ts'
import {
  constantOf,
  stringConstantOf,
  fieldOf,
  findPart,
  resolveValue,
  valuesOf,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isWithin } from '../../facts/span-index.ts'
import { addressOf, RIGHTS } from './_answered-rights.ts'
import { comparedAccount } from './_compared-accounts.ts'
import { createDenialReader, DENIES } from './_denials.ts'
import type { Span } from '../../types.ts'
import { isOfThis } from './_user-identities.ts'

/** An answer about the rights of the user that the page alone acts on. */
export interface AskedEntry {
  readonly at: Span
  /** What was asked. */
  readonly name: string
}

/** Routes and targets for users who may not use the app. */
export const DENIED_PAGE: RegExp =
  /not_?(?:found|auth|allowed|permitted)|no_?(?:auth|access|permission)|unauthori[sz]ed|access_?denied|forbidden|sem_?(?:acesso|permiss|autori)|n[aã]o_?autori|sin_?(?:acceso|permiso|autori)/i
/** What a denial says, of which one stands in whatever DENIES or DENIED_PAGE finds. */
const DENIAL_WORDS: readonly string[] = [
  ...'authori permitted entitled permiss permiso autori berechtig forbidden notfound not_found notauth not_auth'.split(' '),
  ...'notallowed not_allowed noauth no_auth noaccess no_access accessdenied access_denied'.split(' '),
  ...'semacesso sem_acesso sinacceso sin_acceso'.split(' '),
  'not allowed to ',
  're not ',
]
const OPENS_PAGE: ReadonlySet<string> = new Set(['navTo', 'display'])
/** What reads. What changes data may be checked by the server that answers. */
const ASKS: ReadonlySet<string> = new Set(['read', 'ajax', 'getJSON', 'get', 'fetch', 'callFunction'])
const ASKS_RIGHTS = /authenticat(?:ion|or|ed)/i

/**
 * A service is asked whether the user may use the app or a document, and the page alone goes on or stops: `fetch("/CheckAuthorization").then((answer) => { if (!answer.ok)
 * router.navTo("notAuthorized") })`, `model.read("/SignatoryCheckSet(…)", { success: (data) => { if (data.Valid) this.open() else MessageBox.error("You are not authorized") } })`.
 */
export const askedEntries: Extract<AskedEntry> = defineExtract({
  name: 'ui5-asked-entries',
  keywords: ['navTo', '.display(', 'MessageBox', 'MessageToast'],
  words: DENIAL_WORDS,
  prefilter: (text, hits) =>
    DENIAL_WORDS.some(hits.has) &&
    /\.(?:read|callFunction|ajax|getJSON|get|then|done)\(/.test(text) &&
    (DENIES.test(text) || (DENIED_PAGE.test(text) && (RIGHTS.test(text) || ASKS_RIGHTS.test(text)))),
  collect: ({ facts, step }) => [...entriesIn(facts, step)],
})

function* entriesIn(facts: ScriptFacts, step: (count?: number) => void): Generator<AskedEntry> {
  const callbacks = findCallbacks(facts)
  const seen = new Set<CallValue>()
  const denialIn = createDenialReader(facts)
  const stops = facts.calls.filter(opensDeniedPage)
  let logins: readonly Value[] | undefined
  for (const guard of facts.guards) {
    step(1 + (facts.calls.length >> 4))
    const isStopped = stops.some((call) => isWithin(call, guard.inside))
    if (!isStopped && denialIn(guard) === undefined) continue
    // what a server has refused
    if (/(?:^|\.)(?:error|fail|catch)$/.test(guard.function.name) || findPart(guard.test, isRefusal) !== undefined) continue
    const asked = requestAround(guard.function, callbacks, facts)
    // a login that the page decides tells it
    if (asked !== undefined && (logins ??= loginsIn(facts, callbacks)).some((one) => isWithin(one, asked.answered))) continue
    if (asked === undefined || isWrite(asked.call) || !readsAnswer(guard, asked.answered)) continue
    const name = askedBy(asked.call)
    const asksRights = RIGHTS.test(name) || ASKS_RIGHTS.test(name)
    // a function import may be the action itself, and a page for what is missing is none for rights
    if ((isStopped || lastNameOf(asked.call.callee) === 'callFunction') && !asksRights) continue
    if ((!isStopped && !goesOn(guard, asked.answered, facts)) || seen.has(asked.call)) continue
    seen.add(asked.call)
    yield { at: { start: guard.test.start, end: guard.test.end }, name }
  }
}

/** Comparisons of an entered password with that of an account. */
function loginsIn(facts: ScriptFacts, callbacks: ReadonlyMap<FunctionFact, Callback>): readonly Value[] {
  return valuesOf(facts).flatMap(({ value }) => (comparedAccount(value, callbacks) === undefined ? [] : [value]))
}

function isRefusal(part: Value): boolean {
  return /^40[13]$/.test(String(constantOf(part)))
}

export function opensDeniedPage(call: CallValue): boolean {
  return deniedPage(call) !== undefined
}

/** The name of the page that is opened for users who may not go on, or for what is missing. */
export function deniedPage({ callee, args: [page] }: CallValue): string | undefined {
  const name = stringConstantOf(page)
  return OPENS_PAGE.has(lastNameOf(callee) ?? '') && name !== undefined && DENIED_PAGE.test(name) ? name : undefined
}

/** The request whose answer a function gets, or one around it. */
function requestAround(
  from: FunctionFact,
  callbacks: ReadonlyMap<FunctionFact, Callback>,
  { calls }: ScriptFacts,
): { readonly call: CallValue; readonly answered: FunctionFact } | undefined {
  const bound = callbacks.get(from)?.call
  const own = bound && beginningOf(bound)
  if (own !== undefined) return { call: own, answered: from }
  const call = calls.findLast((one) => ASKS.has(lastNameOf(one.callee) ?? '') && isWithin(from, one))
  return call && { call, answered: from }
}

const MAX_CHAIN = 8

/** `fetch(…)` of `fetch(…).then(…).then(…)`, `this.checkAuthorization()` of `this.checkAuthorization().then(…)`. */
function beginningOf(call: CallValue): CallValue | undefined {
  let here: CallValue = call
  for (let hops = 0; hops < MAX_CHAIN; hops++) {
    const name = lastNameOf(here.callee) ?? ''
    if (ASKS.has(name) || (RIGHTS.test(name) && here !== call)) return here
    const object = 'object' in here.callee ? here.callee.object : undefined
    if (object === undefined || !('args' in object) || !('callee' in object)) return undefined
    here = object
  }
  return undefined
}

function isWrite({ args }: CallValue): boolean {
  return args.some((argument) => {
    const settings = resolveValue(argument)
    const method = fieldOf(settings, 'method')?.value ?? fieldOf(settings, 'type')?.value
    return /^(?:PUT|PATCH|DELETE|MERGE)$/i.test(String((method && constantOf(method)) ?? ''))
  })
}

/** Also by names that are made of what it got. */
function readsAnswer({ test }: Guard, { parameters }: FunctionFact): boolean {
  return (
    findPart(test, (part) => 'binding' in part && part.binding !== undefined && parameters.includes(part.binding)) !== undefined
  )
}

/** Something else is opened where the answer is another one. */
function goesOn({ inside }: Guard, within: FunctionFact, { calls }: ScriptFacts): boolean {
  return calls.some(
    (call) =>
      isWithin(call, within) &&
      !isWithin(call, inside) &&
      (/^(?:navTo|open)$/.test(lastNameOf(call.callee) ?? '') || ('object' in call.callee && isOfThis(call.callee.object))),
  )
}

function askedBy(call: CallValue): string {
  const address = addressOf(call).split('(', 1)[0] ?? ''
  return address === '' ? (lastNameOf(call.callee) ?? '') : address
}
