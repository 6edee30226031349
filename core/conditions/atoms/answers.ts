import type { CallValue } from '../../facts/index.ts'
import type { Asked } from '../asked.ts'
import type { Constraint } from '../constraint.ts'

/** What a call gave, whoever knows what that means: another file, a framework. */
export function answered({ test, holds, isCompared, isAwaited }: Asked): readonly Constraint[] {
  if (test.kind !== 'call' || isCompared !== undefined) return []
  return [{ kind: isAwaited ? 'settled' : 'gave', of: keyOfCall(test), text: String(holds) }]
}

/** What a call is known by among the values that constraints speak of. */
export function keyOfCall({ start, end }: CallValue): string {
  return `call ${start}-${end}`
}
