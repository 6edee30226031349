import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { constantOf, resolveValue, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isWithin } from '../../facts/span-index.ts'
import type { Span } from '../../types.ts'
import { roleIn } from './_role-words.ts'

/** What a script decides about the whole app by something that its user can change. */
export interface RoleDecision {
  readonly at: Span
  /** The role, or the key of the storage. */
  readonly name: string
  /** `route`: which pages open; `flag`: the same, by a flag of the storage; `user`: the storage holds the user whose roles other code asks. */
  readonly by: 'route' | 'flag' | 'user'
}

/** Handlers of these run on each navigation. Fact: SAPUI5 API, sap.ui.core.routing.Router. */
const ROUTE_EVENTS: ReadonlySet<string> = new Set(['attachRouteMatched', 'attachBeforeRouteMatched'])
/** Says that somebody is logged in, or what they may do; a token is none, since a server looks at it. */
const FLAG = /(?:^|[^a-z])(?:is_?)?(?:logged_?in|authenticated|admin)$|(?:^|[^a-z])(?:user_?)?(?:roles?|type)$/i
const USER = /user|session|login|auth|profile/i
const NO_USER = /token|settings|preferences|theme|variant|language|prefs/i

/**
 * Guards of routes by a role, and roles or logins that are restored from the storage of the browser.
 * Facts: Web Storage (HTML standard): the user of a browser reads and writes it in the developer tools.
 */
export const roleDecisions: Extract<RoleDecision> = defineExtract({
  name: 'ui5-role-decisions',
  keywords: [...ROUTE_EVENTS, 'localStorage', 'sessionStorage'],
  prefilter: (text) =>
    (text.includes('navTo') && /role|admin|logged_?in|authenticated|user_?type|\bis\w{0,30}user/i.test(text)) ||
    (text.includes('JSON.parse') && /\bsetData\b|\bJSONModel\b/.test(text)),
  collect: ({ facts, step }) => [...routeGuards(facts, step), ...storedRoles(facts, step)],
})

function* routeGuards(facts: ScriptFacts, step: (count?: number) => void): Generator<RoleDecision> {
  const handlers = facts.calls.flatMap((call) =>
    ROUTE_EVENTS.has(lastNameOf(call.callee) ?? '') ? (handlerOf(call.args[0], facts) ?? []) : [],
  )
  if (handlers.length === 0) return
  const leaving = navigationsIn(facts)
  const seen = new Set<number>()
  for (const { test, inside, function: around } of facts.guards) {
    step()
    if (!handlers.some((handler) => isWithin(around, handler))) continue
    const name = leaving.some((call) => isWithin(call, inside)) ? roleIn(test) : undefined
    if (name === undefined || seen.has(test.start)) continue
    seen.add(test.start)
    yield { at: { start: test.start, end: test.end }, name, by: 'route' }
  }
}

/** A function, `this._onRouteMatched`, or either with `.bind(this)`. */
function handlerOf(given: Value | undefined, facts: ScriptFacts): FunctionFact | undefined {
  if (given?.kind === 'call' && lastNameOf(given.callee) === 'bind' && given.callee.kind === 'member')
    return handlerOf(given.callee.object, facts)
  const known = functionOf(given)
  if (known !== undefined || given?.kind !== 'member' || given.object.kind !== 'this') return known
  return facts.functions.find(({ name, owner }) => owner !== undefined && name.slice(name.lastIndexOf('.') + 1) === given.name)
}

function navigationsIn({ calls }: ScriptFacts): readonly CallValue[] {
  return calls.filter(({ callee }) => lastNameOf(callee) === 'navTo')
}

function* storedRoles(facts: ScriptFacts, step: (count?: number) => void): Generator<RoleDecision> {
  const reads = facts.calls.flatMap((call) => {
    const key = storedKey(call)
    return key === undefined ? [] : [{ call, key }]
  })
  if (reads.length === 0) return
  const leaving = navigationsIn(facts)
  for (const { call, key } of reads) {
    step(facts.guards.length + facts.calls.length)
    const decision = { at: { start: call.start, end: call.end }, name: key }
    if (FLAG.test(key)) {
      const isGuard = facts.guards.some(
        ({ test, inside }) => holds(test, call) && leaving.some((leave) => isWithin(leave, inside)),
      )
      if (isGuard) yield { ...decision, by: 'flag' }
    } else if (USER.test(key) && !NO_USER.test(key) && facts.calls.some((one) => givesToModel(one, call)))
      yield { ...decision, by: 'user' }
  }
}

/** `localStorage.getItem("key")`. */
function storedKey({ callee, args }: CallValue): string | undefined {
  if (callee.kind !== 'member' || callee.name !== 'getItem') return undefined
  if (!/^(?:local|session)Storage$/.test(lastNameOf(callee.object) ?? '')) return undefined
  const key = args[0] && constantOf(args[0])
  return typeof key === 'string' ? key : undefined
}

const MAX_DEPTH = 6

/** Whether a condition asks what a call gave, as it is or compared. */
function holds(test: Value, call: CallValue, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  const value = resolveValue(test)
  if (value === call) return true
  if (value.kind === 'operation') return value.operands.some((operand) => holds(operand, call, depth + 1))
  return value.kind === 'call' && lastNameOf(value.callee) === 'parse' && value.args.some((one) => holds(one, call, depth + 1))
}

/** `new JSONModel(JSON.parse(stored))`, `model.setData(JSON.parse(stored))`. */
function givesToModel({ kind, callee, args }: CallValue, call: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (!(kind === 'new' ? name === 'JSONModel' : name === 'setData') || args[0] === undefined) return false
  const value = resolveValue(args[0])
  return value.kind === 'call' && lastNameOf(value.callee) === 'parse' && holds(value, call)
}
