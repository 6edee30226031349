import { defineExtract, type Extract, type OpenScript } from '../../extracts/extract.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { constantOf, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createInnerIndex, isAround } from '../../facts/span-index.ts'
import { lastName } from '../../paths.ts'
import { isOfUi5App } from '../script/index.ts'
import { REFUSES, VERIFIES, withoutComments } from './caller-checks.ts'
import { findHandlers, handlerFunction } from './registrations.ts'
import type { CapElement, CapRoot, CapService } from './types.ts'

/** A handler of all events that lets only callers with a token of the project's own get further. */
interface TokenHandler {
  readonly service: string | undefined
  readonly isConnected: boolean
  /** Undefined: of all. */
  readonly entities: readonly string[] | undefined
  /** It looks for a row of the caller before each way on, and refuses where there is none. */
  readonly asksOwner: boolean
}

/**
 * `srv.before('*', 'Parcels', …)` and `srv.on('*', '*', …)` that verify a token before whatever goes on.
 * Fact: capire, "Core Services", `srv.on` (the default handlers run where a handler calls `next`).
 */
export const tokenHandlers: Extract<TokenHandler> = defineExtract({
  name: 'cap-token-handlers',
  keywords: ['token', 'verify', 'session'],
  prefilter: (text) => /\.(?:before|on)\(\s{0,20}['"`]\*/.test(text) && REFUSES.test(text) && VERIFIES.test(text),
  isFor: (path) => !isOfUi5App(path),
  collect(script) {
    const waysOf = createWayReader(script)
    return findHandlers(script.facts).flatMap(({ call, phase, events, isTargeted, entities, service, fact }): TokenHandler[] => {
      if ((phase !== 'before' && phase !== 'on') || fact === undefined || !events.includes('*')) return []
      const isOfAll = !isTargeted || isAll(call.args[1])
      if (!isOfAll && entities === undefined) return []
      const ways = waysOf(fact, phase === 'on')
      if (!ways.isVerified) return []
      const of = { service: service.name, isConnected: service.kind === 'connected' }
      return [{ ...of, entities: isOfAll ? undefined : entities, asksOwner: ways.asksOwner }]
    })
  },
})

function isAll(written: Value | undefined): boolean {
  return written !== undefined && constantOf(written) === '*'
}

interface Ways {
  readonly isVerified: boolean
  readonly asksOwner: boolean
}

const NOT_VERIFIED: Ways = { isVerified: false, asksOwner: false }

/** What a handler asks before it goes on: behind its end (`before`), or where it calls `next()` (`on`). */
function createWayReader({ facts, text, step }: OpenScript): (fact: FunctionFact, isOn: boolean) => Ways {
  const callsIn = createInnerIndex(facts.calls)
  const codeOf = (of: { readonly start: number; readonly end: number }): string => withoutComments(text.slice(of.start, of.end))
  const isVerifying = (call: CallValue): boolean => {
    const called = functionOf(call.callee) ?? handlerFunction(call.callee, facts)
    const code = called === undefined ? '' : codeOf(called)
    return REFUSES.test(code) && VERIFIES.test(code)
  }
  /** What stands around the one stands around the other. */
  const leadsTo = (from: CallValue, to: CallValue): boolean => {
    step(1 + (facts.guards.length >> 3))
    return from.end <= to.start && !facts.guards.some(({ inside }) => isAround(inside, from.start) && !isAround(inside, to.start))
  }
  return (fact, isOn) => {
    const calls = callsIn(fact)
    step(calls.length)
    const verifying = calls.filter(isVerifying)
    if (verifying.length === 0) return NOT_VERIFIED
    const isCertain = (call: CallValue): boolean =>
      !facts.guards.some(({ inside }) => inside.start > fact.start && isAround(inside, call.start))
    if (!isOn) return verifying.some(isCertain) ? { isVerified: true, asksOwner: false } : NOT_VERIFIED
    const next = fact.parameters[1]
    const goesOn = calls.filter(
      ({ callee, start }) =>
        callee.kind === 'reference' &&
        next !== undefined &&
        callee.binding === next &&
        !facts.guards.some(({ inside, test }) => isAround(inside, start) && OF_OPERATION.test(text.slice(test.start, test.end))),
    )
    if (goesOn.length === 0) return NOT_VERIFIED
    const isVerified = goesOn.every((on) => verifying.some((call) => leadsTo(call, on)))
    const isOwn = (call: CallValue): boolean =>
      lastNameOf(call.callee) === 'where' && usersOf(verifying, text).some((user) => codeOf(call).includes(`${user}.`))
    const owners = isVerified ? calls.filter(isOwn) : []
    const refuses = (from: CallValue, to: CallValue): boolean =>
      facts.guards.some(({ exits, inside }) => exits && inside.start >= from.end && inside.end <= to.start)
    const asksOwner = goesOn.every((on) => owners.some((call) => leadsTo(call, on) && refuses(call, on)))
    return { isVerified, asksOwner: isVerified && asksOwner }
  }
}

/** `req.event === 'closeShop'`: an operation, which has a handler of its own. */
const OF_OPERATION = /\bevent\s{0,4}={2,3}\s{0,4}['"`](?!(?:CREATE|READ|UPDATE|DELETE|UPSERT|each|\*)['"`])/

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
    handlers ??= root.scripts.get(tokenHandlers).flatMap(({ file, value }) => {
      const { services, isCertain } = root.eventOf({ file, ...value, events: [] })
      return isCertain ? { services, value } : []
    })
    const name = lastName(element.entity ?? element.name)
    const own = handlers.filter(
      ({ services, value: { entities } }) =>
        services.includes(service) && (entities === undefined || (element.kind === 'entity' && entities.includes(name))),
    )
    if (own.length === 0) return undefined
    return own.some(({ value }) => value.asksOwner) ? 'owner' : 'token'
  }
}
