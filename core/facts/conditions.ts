import type { Value } from './types.ts'

/** Methods that tell a place, which is -1 where there is none. */
export const PLACES: RegExp = /^(?:indexOf|lastIndexOf|findIndex|findLastIndex|search)$/

/** What is waited for, or the value itself. */
export function awaited(value: Value): Value {
  return value.kind === 'await' ? value.value : value
}
