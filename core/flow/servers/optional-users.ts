import { accessesOf, valuesOf, type Binding, type Guard, type ScriptFacts, type Value } from '../../facts/index.ts'
import { alternativesOf } from '../../conditions/addresses.ts'
import { isAround } from '../../facts/span-index.ts'
import { CALLER_FIELDS } from '../tables/routes.ts'
import type { EffectCall } from '../frameworks/route-effects.ts'

/** Where a name is read that holds the user, if there is one, and what of the script runs only where there is. */
interface OptionalUser {
  readonly at: Value
  readonly reads: readonly number[]
  readonly guards: readonly Guard[]
}

/**
 * Whether a look at the caller leaves out no more than the caller: `const sender = req.user?.id; if (sender) to.push(sender)` refuses nobody, and what else the function does it
 * does for all.
 */
export function createOptionalReader(facts: ScriptFacts): (start: number, calls: readonly EffectCall[]) => boolean {
  const named = new Map(
    facts.bindings.flatMap((binding) => {
      const value = definedBy(binding)
      return value === undefined ? [] : [[binding, { value, reads: new Array<number>() }] as const]
    }),
  )
  if (named.size === 0) return () => false
  for (const { value } of valuesOf(facts))
    if ('binding' in value && value.binding !== undefined) named.get(value.binding)?.reads.push(value.start)
  const optional = [...named].map(([binding, { value, reads }]): OptionalUser => {
    const guards = facts.guards.filter(({ test, exits }) => !exits && holdsName(test, binding))
    return { at: value, reads, guards }
  })
  return (start, calls) =>
    optional.some(({ at, reads, guards }) => {
      if (!isAround(at, start)) return false
      const isWithin = (place: number): boolean =>
        guards.some(({ test, inside }) => isAround(test, place) || isAround(inside, place))
      return (
        reads.every((read) => isWithin(read) || isAround(at, read)) &&
        calls.some((call) => call.usesData !== false && !isWithin(call.start))
      )
    })
}

/** `req.user?.id` of `const sender = req.user?.id`. */
function definedBy({ definitions: [definition, other] }: Binding): Value | undefined {
  const value = other === undefined && definition?.path.length === 0 ? definition.value : undefined
  if (value === undefined || !('object' in value) || !value.isOptional) return undefined
  return accessesOf(value).some(({ steps }) => CALLER_FIELDS.test(steps[0] ?? '')) ? value : undefined
}

/** `sender`, `sender && !to.includes(sender)`. */
function holdsName(test: Value, binding: Binding): boolean {
  if ('options' in test) return alternativesOf(test).length === 0 && test.options.some((option) => holdsName(option, binding))
  return 'binding' in test && test.binding === binding
}
