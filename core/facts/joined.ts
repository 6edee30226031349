import { constantOf } from './constants.ts'
import type { Value } from './types.ts'
import { resolveValue } from './values.ts'

/** `['/orders', id].join('/')` and `'/orders'.concat(id)` as the sums that they are; anything else as it is. */
export function asSum(value: Value): Value {
  if (value.kind !== 'call' || value.callee.kind !== 'member') return value
  const { callee, args, start, end } = value
  if (callee.name === 'concat' && args.length > 0 && typeof constantOf(callee.object) === 'string')
    return { kind: 'concat', start, end, parts: [callee.object, ...args] }
  if (callee.name !== 'join' || args.length > 1) return value
  const list = resolveValue(callee.object)
  const isOpen = callee.object.kind === 'reference' && (callee.object.binding?.additions.length ?? 0) > 0
  if (list.kind !== 'array' || list.items.some(({ kind }) => kind === 'spread') || isOpen) return value
  const [separator] = args
  const between: Value = separator ?? { kind: 'literal', start: callee.end, end: callee.end, value: ',' }
  return { kind: 'concat', start, end, parts: list.items.flatMap((item, index) => (index === 0 ? [item] : [between, item])) }
}
