import type { CallValue, Value } from './types.ts'

export function nameOfCallee(callee: Value): string | undefined {
  return callee.kind === 'member' || callee.kind === 'reference' ? callee.name : undefined
}

/** The object whose method is called. */
export function receiverOf({ callee }: CallValue): Value | undefined {
  return callee.kind === 'member' ? callee.object : undefined
}
