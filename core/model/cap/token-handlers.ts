import { defineExtract, type Extract, type OpenScript } from '../../extracts/extract.ts'
import { exportedFunctions, functionOf } from '../../facts/callbacks.ts'
import { constantOf, resolveValue, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createInnerIndex, isAround } from '../../facts/span-index.ts'
import { lastName } from '../../paths.ts'
import { isOfUi5App } from '../script/index.ts'
import { REFUSES, VERIFIES, withoutComments } from './caller-checks.ts'
import { judgedItems, linkOf, type CheckedBy, type OfferedCheck } from './offered-checks.ts'
import { findHandlers, handlerFunction } from './registrations.ts'
import type { CapElement, CapRoot, CapService } from './types.ts'

/** A handler of all events that lets only callers with a token of the project's own get further. */
interface TokenHandler {
  readonly kind: 'handler'
  readonly service: string | undefined
  readonly isConnected: boolean
  /** Undefined: of all. */
  readonly entities: readonly string[] | undefined
  /** It names the events of rows: operations are left out. */
  readonly isOfRows: boolean
  /** What verifies the token. */
  readonly by: CheckedBy
  /** It looks for a row of the caller before each way on, and refuses where there is none. */
  readonly asksOwner: boolean
}

const ROW_EVENTS = ['CREATE', 'READ', 'UPDATE', 'DELETE']

/**
 * `srv.before('*', 'Parcels', …)` and `srv.on('*', '*', …)` that verify a token before whatever goes on.
 * Fact: capire, "Core Services", `srv.on` (the default handlers run where a handler calls `next`).
 */
export const tokenHandlers: Extract<TokenHandler | OfferedCheck> = defineExtract({
  name: 'cap-token-handlers',
  keywords: ['.before(', '.on(', 'token', 'verify', 'session'],
  prefilter: (text) =>
    /\.(?:before|on)\(\s{0,20}(?:['"`]\*|\[)/.test(text) ||
    (/exports?\b/.test(text) && REFUSES.test(text) && VERIFIES.test(text)),
  isFor: (path) => !isOfUi5App(path),
  collect(script) {
    const waysOf = createWayReader(script)
    const handlers = findHandlers(script.facts).flatMap(
      ({ call, phase, events, isTargeted, entities, service, fact, handler }): TokenHandler[] => {
        const isOfRows = !events.includes('*')
        if ((phase !== 'before' && phase !== 'on') || (isOfRows && !ROW_EVENTS.every((event) => events.includes(event))))
          return []
        const isOfAll = !isTargeted || isAll(call.args[1])
        if (!isOfAll && entities === undefined) return []
        const known = { kind: 'handler' as const, service: service.name, isConnected: service.kind === 'connected', isOfRows }
        const of = { ...known, entities: isOfAll ? undefined : entities }
        if (fact !== undefined) return waysOf(fact, phase === 'on').map((ways) => ({ ...of, ...ways }))
        const by = phase === 'on' || handler === undefined ? 'none' : linkOf(handler)
        return by === 'none' ? [] : [{ ...of, by, asksOwner: false }]
      },
    )
    const offered = exportedFunctions(script.facts).flatMap(([name, { start, end }]): readonly OfferedCheck[] => {
      const code = withoutComments(script.text.slice(start, end))
      return REFUSES.test(code) && VERIFIES.test(code) ? [{ kind: 'offered', name }] : []
    })
    return [...handlers, ...offered]
  },
})

function isAll(written: Value | undefined): boolean {
  return written !== undefined && constantOf(written) === '*'
}

type Ways = Pick<TokenHandler, 'by' | 'asksOwner'>

/** Functions of other files that a handler calls. */
const MAX_LINKS = 20

/** What a handler asks before it goes on: behind its end (`before`), or where it calls `next()` (`on`). One for each that may verify the token. */
function createWayReader({ facts, text, step }: OpenScript): (fact: FunctionFact, isOn: boolean) => readonly Ways[] {
  const callsIn = createInnerIndex(facts.calls)
  const codeOf = (of: { readonly start: number; readonly end: number }): string => withoutComments(text.slice(of.start, of.end))
  const isVerifying = (call: CallValue, refuses: boolean): boolean => {
    const called = functionOf(call.callee) ?? handlerFunction(call.callee, facts)
    if (called === undefined) return refuses && VERIFIES.test(`${lastNameOf(call.callee)}(`)
    const code = codeOf(called)
    return (refuses || REFUSES.test(code)) && VERIFIES.test(code)
  }
  /** What stands around the one stands around the other. */
  const leadsTo = (from: CallValue, to: CallValue): boolean => {
    step(1 + (facts.guards.length >> 3))
    return from.end <= to.start && !facts.guards.some(({ inside }) => isAround(inside, from.start) && !isAround(inside, to.start))
  }
  const isCertain = (call: CallValue, fact: FunctionFact): boolean => {
    step(1 + (facts.guards.length >> 3))
    return !facts.guards.some(
      ({ inside, test, function: around }) =>
        (inside.start > fact.start && isAround(inside, call.start)) ||
        (around === fact && inside.end <= call.start && LEAVES.test(codeOf(inside)) && OF_MANY.test(codeOf(test))),
    )
  }
  const goesOnIn = (fact: FunctionFact, calls: readonly CallValue[]): readonly CallValue[] => {
    const next = fact.parameters[1]
    return calls.filter(
      ({ callee, start }) =>
        callee.kind === 'reference' &&
        next !== undefined &&
        callee.binding === next &&
        !facts.guards.some(({ inside, test }) => isAround(inside, start) && OF_OPERATION.test(text.slice(test.start, test.end))),
    )
  }
  return (fact, isOn) => {
    const calls = callsIn(fact)
    step(calls.length)
    const refuses = REFUSES.test(codeOf(fact))
    const own = calls.filter((call) => isVerifying(call, refuses))
    const linked = calls.flatMap((call) => {
      const by = linkOf(call.callee)
      return by === 'none' || call.args.length === 0 ? [] : [{ by, verifying: [call] }]
    })
    const asked = [{ by: 'own' as const, verifying: own }, ...linked.slice(0, MAX_LINKS)]
    const goesOn = isOn ? goesOnIn(fact, calls) : []
    return asked.flatMap(({ by, verifying }): readonly Ways[] => {
      if (!isOn) return verifying.some((call) => isCertain(call, fact)) ? [{ by, asksOwner: false }] : []
      if (goesOn.length === 0 || !goesOn.every((on) => verifying.some((call) => leadsTo(call, on)))) return []
      const users = usersOf(verifying, text)
      const owners = calls.filter((call) => isOfRow(call) && users.some((user) => codeOf(call).includes(`${user}.`)))
      const isRefused = (from: CallValue, to: CallValue): boolean =>
        facts.guards.some(({ exits, inside }) => exits && inside.start >= from.end && inside.end <= to.start)
      return [{ by, asksOwner: goesOn.every((on) => owners.some((call) => leadsTo(call, on) && isRefused(call, on))) }]
    })
  }
}

/** `if (req.event === 'READ') return`, `if (!token) return`: many get by without the token. */
const LEAVES = /^\{?\s{0,80}return\s{0,9};?\s{0,80}\}?$/
const OF_MANY = /['"`](?:CREATE|READ|UPDATE|DELETE|UPSERT|GET)['"`]|!\s{0,4}\w{0,40}(?:token|headers|authorization)/i

/** `req.event === 'closeShop'`: an operation, which has a handler of its own. */
const OF_OPERATION = /\bevent\s{0,4}={2,3}\s{0,4}['"`](?!(?:CREATE|READ|UPDATE|DELETE|UPSERT|each|\*)['"`])/

/** `where({ ID: parcel, owner: user.ID })`; `where({ ID: user.ID })` finds the caller alone. */
function isOfRow({ callee, args: [first] }: CallValue): boolean {
  const condition = first && resolveValue(first)
  return lastNameOf(callee) === 'where' && !(condition?.kind === 'object' && condition.fields.length < 2)
}

/** The names of what verifying calls give. */
function usersOf(verifying: readonly CallValue[], text: string): readonly string[] {
  return verifying.flatMap(
    ({ start }) => /([\w$]{1,60})\s{0,4}=\s{0,4}(?:await\s{1,4})?$/.exec(text.slice(Math.max(0, start - 90), start))?.[1] ?? [],
  )
}

/** Tells what of a service nobody gets at without a token that its handlers verify; `owner`: nor at rows of others. */
export type TokenReader = (service: CapService, element: CapElement) => 'owner' | 'token' | undefined

/** Needs the extract `tokenHandlers`. */
export function createTokenReader(root: CapRoot): TokenReader {
  let handlers: readonly { readonly services: readonly CapService[]; readonly value: TokenHandler }[] | undefined
  return (service, element) => {
    handlers ??= judgedItems<TokenHandler>(root, tokenHandlers).flatMap(({ file, value, isChecked }) => {
      const { services, isCertain } = root.eventOf({ file, ...value, events: [] })
      return isChecked && isCertain ? { services, value } : []
    })
    const name = lastName(element.entity ?? element.name)
    const isEntity = element.kind === 'entity'
    const own = handlers.filter(
      ({ services, value: { entities, isOfRows } }) =>
        services.includes(service) &&
        (isEntity || !isOfRows) &&
        (entities === undefined || (isEntity && entities.includes(name))),
    )
    if (own.length === 0) return undefined
    return own.some(({ value }) => value.asksOwner) ? 'owner' : 'token'
  }
}
