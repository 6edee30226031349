import type { Statement } from '../parse/javascript.ts'
import type { Span } from '../types.ts'
import type { Walk } from './walk.ts'

/** Whether a branch ends by throwing. */
export function throws(statement: Statement): boolean {
  const last = statement.type === 'BlockStatement' ? statement.body.at(-1) : statement
  return last?.type === 'ThrowStatement'
}

/** What a condition in the block throws is caught: the code behind it runs all the same. */
export function limitThrows(walk: Walk, first: number, { end }: Span): void {
  for (let index = first; index < walk.guards.length; index++) {
    walk.step()
    const guard = walk.guards[index]
    if (guard?.exits !== true || guard.until !== undefined || guard.function !== walk.function) continue
    if (walk.throwing.has(guard.inside.start)) walk.guards[index] = { ...guard, until: end }
  }
}
