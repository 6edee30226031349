import { accessesOf, stringConstantOf, resolveValue, type Guard, type Value } from '../../../facts/index.ts'
import { isAround } from '../../../facts/span-index.ts'
import { isNothing } from '../../../facts/values.ts'
import { isContextName } from '../../../model/script/index.ts'
import type { Use } from './decided-states.ts'
import { isData } from './computed-elements.ts'

/** An element that a handler looks at or sets only where clients send one of others. */
export interface LateTouch {
  readonly name: string
  readonly needs: readonly string[]
}

/** `if (!('hours' in req.data)) return` in front of `req.data.fee = …`: names that are used only where the request holds another element. `refuses` tells guards that let nothing pass. */
export function lateTouches(
  uses: readonly Use[],
  guards: readonly Guard[],
  refuses: (guard: Guard) => boolean,
  step: (count?: number) => void,
): readonly LateTouch[] {
  const asking = guards.flatMap((guard) => {
    step()
    const [inside, after] = [neededFor(guard.test, true), guard.exits ? neededFor(guard.test, false) : []]
    return inside.length + after.length === 0 || (after.length > 0 && refuses(guard)) ? [] : [{ guard, inside, after }]
  })
  if (asking.length === 0) return []
  const early = new Set<string>()
  const late = new Map<string, readonly string[]>()
  for (const { name, kind, start } of uses) {
    if (kind !== 'touched' || early.has(name)) continue
    step(asking.length)
    const needs = asking.flatMap(({ guard, inside, after }) => {
      if (isAround(guard.inside, start)) return inside
      return guard.exits && start >= guard.inside.end && start < (guard.caughtAt ?? guard.function.end) ? after : []
    })
    const first = needs.find((names) => !names.includes(name))
    if (first === undefined) early.add(name)
    else late.set(name, [...(late.get(name) ?? []), ...first])
  }
  return [...late].flatMap(([name, needs]) => (early.has(name) ? [] : [{ name, needs }]))
}

/** `if ('fee' in req.data) return req.error(400)`: names that no request may hold; a condition beside it may let some pass. */
export function refusedWhereSent(guards: readonly Guard[], refuses: (guard: Guard) => boolean): readonly string[] {
  return guards.flatMap((guard) => {
    const { test } = guard
    const isPlain = test.kind === 'operation' && test.operator === 'in'
    return isPlain && refuses(guard) ? neededFor(test, true).flat() : []
  })
}

const MAX_DEPTH = 6

/** Sets of elements of which the request holds one each where a condition holds, or, if not `holds`, where it fails. */
function neededFor(test: Value, holds: boolean, depth = 0): readonly (readonly string[])[] {
  if (depth > MAX_DEPTH) return []
  if (test.kind === 'choice') {
    if (test.test !== undefined) return []
    const parts = test.options.map((option) => neededFor(option, holds, depth + 1))
    if ((test.isAnd === true) === holds) return parts.flat()
    return parts.every((part) => part.length > 0) ? [parts.flatMap(([first = []]) => first)] : []
  }
  if (test.kind !== 'operation') return holds ? sentBy(test) : []
  const [one, other] = test.operands
  if (one === undefined) return []
  if (test.operator === '!') return neededFor(one, !holds, depth + 1)
  if (test.operator === 'in') {
    const name = stringConstantOf(one)
    return holds && name !== undefined && other !== undefined && isData(other) ? [[name]] : []
  }
  const compares = holds ? /^!==?$/ : /^===?$/
  return compares.test(test.operator) && isNothing(other) ? sentBy(one) : []
}

/** `req.data.hours`, `hours` of `const { hours } = req.data`. */
function sentBy(value: Value): readonly (readonly string[])[] {
  const accesses = accessesOf(resolveValue(value))
  const names = accesses.flatMap(({ binding, steps: [data, name, more] }) =>
    binding?.kind === 'parameter' && isContextName(binding.name) && data === 'data' && name !== undefined && more === undefined
      ? [name]
      : [],
  )
  // req.data.ID || req.params[0].ID: one of them is always there
  return names.length === 1 && accesses.length === 1 ? [names] : []
}
