import { lastNameOf } from './literals.ts'
import type { Binding, CallValue, Value } from './types.ts'

export function nameOfCallee(callee: Value): string | undefined {
  return callee.kind === 'member' || callee.kind === 'reference' ? callee.name : undefined
}

export function bindingOf(value: Value): Binding | undefined {
  return value.kind === 'reference' ? value.binding : undefined
}

/** The object whose method is called. */
export function receiverOf({ callee }: CallValue): Value | undefined {
  return callee.kind === 'member' ? callee.object : undefined
}

/** `bcrypt hash` of `bcrypt.hash`, ` hash` of `hash`. */
export function nameWithOwner(callee: Value): string {
  return `${'object' in callee ? (lastNameOf(callee.object) ?? '') : ''} ${lastNameOf(callee) ?? ''}`
}
