import {
  accessesOf,
  constantOf,
  directParts,
  resolveValue,
  type Assignment,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isGuarded, type CapElement, type CapRoot } from '../../../model/cap/index.ts'
import { isContextRoot } from '../../../model/script/index.ts'

/** What makes another number of numbers, or goes over a list. Facts: ECMAScript, Number, Math, Array.prototype. */
const NUMERIC = /^(?:Number|parse(?:Float|Int)|to(?:Fixed|Precision)|round|floor|ceil|trunc|abs|min|max|reduce|map|filter)$/
const MAX_DEPTH = 12

/**
 * The elements of the data of a request that a number is made of, where nothing else is: who sends these chooses the number. Undefined: the server takes something of its own, such as a price of a row.
 */
export function sentParts(
  { value: made }: Pick<Assignment, 'value'>,
  { assignments }: Pick<ScriptFacts, 'assignments'>,
  step: (count?: number) => void,
): readonly string[] | undefined {
  const names = new Set<string>()
  const seen = new Set<unknown>()
  const callbacks = new Set<FunctionFact>()
  const isSent = (part: Value, depth: number): boolean => {
    step()
    if (constantOf(part) !== undefined || seen.has(part)) return true
    seen.add(part)
    if (depth > MAX_DEPTH) return false
    const here = resolveValue(part)
    if (here.kind === 'call') return isSentCall(here, depth)
    if (here.kind !== 'reference' && here.kind !== 'member') {
      const parts = here.kind === 'object' || here.kind === 'await' ? [] : directParts(here)
      return parts.length > 0 && parts.every((one) => isSent(one, depth + 1))
    }
    const accesses = accessesOf(here)
    const ofRequest = accesses.filter(
      ({ root, steps, binding }) =>
        (isContextRoot(root) && steps[0] === 'data' && steps.length > 1) ||
        (binding?.kind === 'parameter' && callbacks.has(binding.function)),
    )
    if (accesses.length > 0 && ofRequest.length === accesses.length) {
      for (const { steps } of ofRequest) names.add(steps.findLast((one) => /^[A-Za-z_]\w*$/.test(one)) ?? '')
      return true
    }
    // a number that grows in a loop
    const definitions = here.kind === 'reference' ? (here.binding?.definitions ?? []) : []
    return definitions.length > 1 && definitions.every(({ value }) => value !== undefined && isSent(value, depth + 1))
  }
  const isSentCall = ({ callee, args }: CallValue, depth: number): boolean => {
    if (!NUMERIC.test(lastNameOf(callee) ?? '')) return false
    const isOfList = callee.kind !== 'member' || GLOBALS.has(lastNameOf(callee.object) ?? '') || isSent(callee.object, depth + 1)
    return (
      isOfList &&
      args.every((given) => {
        const each = functionOf(given)
        if (each === undefined) return isSent(given, depth + 1)
        callbacks.add(each)
        return each.returns.every((value) => isSent(value, depth + 1))
      })
    )
  }
  if (!isSent(made, 0)) return undefined
  // what this or another function puts in its place: `item.price = product.price`
  step(assignments.length)
  const isReplaced = assignments.some((one) => names.has(one.target.name ?? '') && one.value !== made && !isSent(one.value, 0))
  names.delete('')
  return isReplaced || names.size === 0 ? undefined : [...names]
}

const GLOBALS: ReadonlySet<string> = new Set(['Math', 'Number'])

/** Clients may write each of the elements, in the row itself or in what it is composed of. */
export function areOfClients(names: readonly string[], entity: CapElement, root: CapRoot): boolean {
  const own = entity.members()
  const parts = own.flatMap(({ type, target }) =>
    type === 'Composition' && target !== undefined ? [...root.membersOf(target).values()] : [],
  )
  root.step(own.length + parts.length)
  return names.every((name) => {
    const found = [...own, ...parts].filter((member) => member.name === name)
    return found.length > 0 && found.every((member) => !isGuarded(member) && !member.calculated)
  })
}
