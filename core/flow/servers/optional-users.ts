import { accessesOf, valuesOf, type Binding, type ScriptFacts, type Value } from '../../facts/index.ts'
import { alternativesOf } from '../../conditions/addresses.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { createSpanIndex, isAround } from '../../facts/span-index.ts'
import type { Span } from '../../types.ts'
import { CALLER_FIELDS } from '../tables/routes.ts'
import type { EffectCall } from '../frameworks/route-effects.ts'

/** Where a name is given the user, if there is one, that is read only where the script asks for it, and whether a place is one of those. */
interface OptionalUser {
  readonly at: Value
  readonly isWithin: (place: number) => boolean
}

/** A name that is given something once, and where it is read. */
interface NamedOnce {
  readonly value: Value
  readonly reads: number[]
}

/** What of a script runs on a condition. */
interface Condition {
  readonly test: Value
  readonly inside: readonly Span[]
}

/**
 * Whether a look at the caller leaves out no more than the caller: `const sender = req.user?.id; if (sender) to.push(sender)` refuses nobody, and what else the function does it
 * does for all. `refusing`: where the script refuses its callers.
 */
export function createOptionalReader(
  facts: ScriptFacts,
  refusing: ReadonlySet<number>,
  step: (count?: number) => void,
): (start: number, calls: readonly EffectCall[]) => boolean {
  const named = new Map<Binding, NamedOnce>()
  for (const binding of facts.bindings) {
    const [definition, other] = binding.definitions
    if (definition?.value !== undefined && other === undefined) named.set(binding, { value: definition.value, reads: [] })
  }
  const users = [...named].filter(([binding, { value }]) => isOptionalUser(binding, value))
  if (users.length === 0) return () => false
  const conditions = facts.guards.flatMap(({ test, inside, exits }): Condition[] => (exits ? [] : [{ test, inside: [inside] }]))
  for (const { value } of valuesOf(facts)) {
    if ('binding' in value && value.binding !== undefined) named.get(value.binding)?.reads.push(value.start)
    // sender ? await db.run(…) : []
    if ('options' in value && value.test !== undefined) conditions.push({ test: value.test, inside: value.options })
  }
  const guarded = new Map<Binding, Span[]>(users.map(([binding]) => [binding, []]))
  for (const { test, inside } of conditions) for (const name of namesIn(test)) guarded.get(name)?.push(test, ...inside)
  const optional = users.flatMap(([binding, { value, reads }]): OptionalUser[] => {
    const spanAt = createSpanIndex(guarded.get(binding) ?? [], (span) => span)
    const isWithin = (place: number): boolean => isAround(value, place) || spanAt(place).length > 0
    return reads.every(isWithin) ? [{ at: value, isWithin }] : []
  })
  const userAt = createSpanIndex(optional, ({ at }) => at)
  const results = [...named.values()].filter(({ value, reads }) => functionOf(value) === undefined && reads.length > 0)
  const resultAt = createSpanIndex(results, ({ value }) => value)
  const read = new Map<readonly EffectCall[], CallsOfFunction>()
  return (start, calls) => {
    const here = userAt(start)
    if (here.length === 0) return false
    const { refusedAt, using } = read.get(calls) ?? callsOf(calls, refusing)
    read.set(calls, { refusedAt, using })
    // if (sender && …) { …; return } res.sendStatus(403)
    if (refusedAt > start) return false
    return here.some(({ isWithin }) =>
      using.some((call) => {
        step()
        return !isWithin(call.start) && !resultAt(call.start).some((result) => result.reads.every(isWithin))
      }),
    )
  }
}

/** What a function refuses by, the last one, and its calls that read or write rows. */
interface CallsOfFunction {
  readonly refusedAt: number
  readonly using: readonly EffectCall[]
}

function callsOf(calls: readonly EffectCall[], refusing: ReadonlySet<number>): CallsOfFunction {
  let refusedAt = -1
  for (const { start, name } of calls) if (refusing.has(start) || REFUSES.test(name)) refusedAt = Math.max(refusedAt, start)
  return { refusedAt, using: calls.filter((call) => call.usesData !== false && !CONNECTS.test(call.name)) }
}

const REFUSES = /^(?:reject|unauthorized|forbidden)$/
/** What only opens a connection. Facts: capire, cds.connect; pg 8, mysql2 3 (README of each). */
const CONNECTS = /^(?:to|connect|tx|getConnection|acquire)$/

/** `req.user?.id` of `const sender = req.user?.id`. */
function isOptionalUser({ definitions: [definition] }: Binding, value: Value): boolean {
  if (definition?.path.length !== 0 || !('object' in value) || !value.isOptional) return false
  return accessesOf(value).some(({ steps }) => CALLER_FIELDS.test(steps[0] ?? ''))
}

/** `sender`, `sender && !to.includes(sender)`. */
function namesIn(test: Value): readonly Binding[] {
  if ('options' in test) return alternativesOf(test).length === 0 ? test.options.flatMap(namesIn) : []
  return 'binding' in test && test.binding !== undefined ? [test.binding] : []
}
