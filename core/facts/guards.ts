import { groupBy } from '../lists.ts'
import { isAround } from './span-index.ts'
import type { Guard, ScriptFacts } from './types.ts'

export type Guarded = Pick<ScriptFacts, 'guards'>

/** Whether a condition decides about what stands at an offset. */
export function isOnTheWay(guard: Guard, offset: number): boolean {
  if (isAround(guard.inside, offset)) return true
  return guard.exits && offset >= guard.inside.end && offset < (guard.caughtAt ?? guard.function.end)
}

/** Tells which conditions decide about what stands at an offset; worked out once for each stretch in which they are the same. `step` counts. */
export function createGuardReader(
  guards: readonly Guard[],
  step: (count?: number) => void,
): (offset: number) => readonly Guard[] {
  const bounds = Int32Array.from(new Set(guards.flatMap((guard) => [guard.inside.start, guard.inside.end, endOf(guard)]))).sort()
  const startsAt = groupBy(guards, ({ inside }) => inside.start)
  const stretches: (readonly Guard[])[] = [[]]
  let open: readonly Guard[] = []
  for (const bound of bounds) {
    step(open.length)
    open = [...open.filter((guard) => endOf(guard) > bound), ...(startsAt.get(bound) ?? [])]
    stretches.push(open)
  }
  return (offset) => {
    let [low, high] = [0, bounds.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((bounds[middle] ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    return stretches[low] ?? []
  }
}

/** Where a condition has no more to say: behind what it guards, or behind all that its function does then. */
function endOf({ exits, inside, caughtAt, function: around }: Guard): number {
  return exits ? Math.max(inside.end, caughtAt ?? around.end) : inside.end
}

/** Whether a condition decides about a place, or is what stands there. */
export function isConditional(guards: readonly Guard[], at: number): boolean {
  return guards.some(({ inside, test }) => isAround(inside, at) || isAround(test, at))
}

/** Whether no condition and no loop stands around one place that does not stand around the other. */
export function isAsCertain(
  { guards, partial }: Pick<ScriptFacts, 'guards' | 'partial'>,
  at: number,
  other: number,
  step: (count?: number) => void,
): boolean {
  step(1 + ((guards.length + partial.length) >> 3))
  return (
    !guards.some(({ inside }) => isAround(inside, at) && !isAround(inside, other)) &&
    !partial.some((span) => isAround(span, at) && !isAround(span, other))
  )
}
