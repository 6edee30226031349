import {
  accessesOf,
  functionAround,
  resolveValue,
  valuesOf,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'

/** A password compared with its hash, and what becomes of the answer: nobody reads it, or a promise is taken for it. */
export interface IgnoredComparison {
  readonly call: CallValue
  readonly how: 'dropped' | 'promise'
  readonly around: FunctionFact
}

/** What answers whether a password fits, and throws nothing if not. Facts: bcrypt 6, bcryptjs 3 (README, "compare"), argon2 0.44 (README, "verify"). */
const COMPARES =
  /^module:(?:bcrypt|bcryptjs|bcrypt-nodejs|@node-rs\/bcrypt) (?:default )?(compare|compareSync)$|^module:(?:argon2|@node-rs\/argon2) (?:default )?(verify|verifySync)$/
/** Where what is compared was read: a constant hash only takes the time of an account that is not there. */
const STORED = /passw|pwd|hash|clave|senha|contrase/i

/** What lets somebody in: `sign({ id })`, `req.session.user = …`. */
export const GIVES_SESSION: RegExp = /\bsign\w{0,20}\(|token|session|jwt|cookie/i

/** Comparisons whose answer decides nothing. */
export function ignoredComparisons(
  facts: ScriptFacts,
  text: string,
  step: (count: number) => void,
): readonly IgnoredComparison[] {
  const compared = facts.calls.flatMap((call) => {
    const name = comparesBy(call)
    const around = name === undefined ? undefined : functionAround(facts, call.start)
    return name === undefined || around === undefined ? [] : [{ call, name, around }]
  })
  if (compared.length === 0) return []
  const isUsed = createUseReader(compared, facts, text, step)
  return compared.flatMap(({ call, name, around }): readonly IgnoredComparison[] => {
    step(facts.guards.length)
    if (!isUsed(call)) return isRefusal(call, facts, text, step) ? [] : [{ call, around, how: 'dropped' }]
    const isPromise = !name.endsWith('Sync') && facts.guards.some(({ test }) => isTested(test, call))
    return isPromise ? [{ call, around, how: 'promise' }] : []
  })
}

/** The method by which a call compares what was sent with a stored hash; one with a callback answers there. */
function comparesBy({ callee, args }: CallValue): string | undefined {
  if (args.length !== 2 || args.some((given) => functionOf(given) !== undefined)) return undefined
  const isStored = args.some(
    (given) => resolveValue(given).kind === 'member' && STORED.test(lastNameOf(resolveValue(given)) ?? ''),
  )
  if (!isStored) return undefined
  for (const { root, steps } of accessesOf(callee)) {
    const [, one, other] = COMPARES.exec([root, ...steps].join(' ')) ?? []
    if (one !== undefined || other !== undefined) return one ?? other
  }
  return undefined
}

/** Tells values that something is made of, decided by or given; to wait for one is no use of it, and neither is a name that nobody reads. */
function createUseReader(
  compared: readonly { readonly call: CallValue }[],
  facts: ScriptFacts,
  text: string,
  step: (count: number) => void,
): (value: Value) => boolean {
  const used = new Set<Value>(facts.guards.map(({ test }) => test))
  for (const { returns } of facts.functions) for (const value of returns) used.add(value)
  for (const { value } of facts.assignments) used.add(value)
  const parents = new Map<Value, Value>()
  for (const { value, parent } of valuesOf(facts)) if (parent !== undefined) parents.set(value, parent)
  // what the comparisons are part of: their own definitions alone are asked for
  const asked = new Set<Value>()
  for (const { call } of compared)
    for (let here: Value | undefined = call; here !== undefined && !asked.has(here); here = parents.get(here)) asked.add(here)
  for (const { definitions, name, function: within } of facts.bindings) {
    const given = definitions.flatMap(({ value }) => (value !== undefined && asked.has(value) ? [value] : []))
    if (given.length === 0) continue
    step(within.end - within.start)
    if (text.slice(within.start, within.end).split(name).length !== 2) for (const value of given) used.add(value)
  }
  return (value) => {
    for (let here: Value | undefined = value; here !== undefined; here = parents.get(here)) {
      if (used.has(here)) return true
      const parent = parents.get(here)
      if (parent !== undefined && parent.kind !== 'await') return true
    }
    return false
  }
}

/** `if (!user) { await bcrypt.compare(sent, spare.hash); return res.sendStatus(401) }`: the login is refused whatever comes out. */
function isRefusal({ start, end }: CallValue, { guards }: ScriptFacts, text: string, step: (count: number) => void): boolean {
  return guards.some(({ exits, inside }) => {
    if (!exits || start < inside.start || inside.end < end) return false
    step(inside.end - end)
    return !GIVES_SESSION.test(text.slice(end, inside.end))
  })
}

/** `if (bcrypt.compare(…))`, `if (!matches)` with what it gave: a promise, which is always true. */
function isTested(test: Value, call: CallValue): boolean {
  const parts = 'options' in test ? test.options : [test]
  return parts.some((part) => {
    const asked = 'operator' in part && part.operator === '!' ? part.operands[0] : part
    const made = asked && resolveValue(asked)
    return made?.kind === 'call' && made.start === call.start && made.end === call.end
  })
}
