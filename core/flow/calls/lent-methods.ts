import type { CallValue, Value } from '../../facts/index.ts'

/** `Array.prototype.slice.call(arguments, 1)`, `[].slice.call(arguments)`: the method of what is given first. */
export function lentMethod(
  call: CallValue,
): { readonly call: CallValue; readonly object: Value; readonly name: string } | undefined {
  const { callee, args } = call
  const [object, ...others] = args
  if (callee.kind !== 'member' || callee.name !== 'call' || callee.object.kind !== 'member' || object === undefined)
    return undefined
  const { object: owner, name } = callee.object
  const isOfType = owner.kind === 'array' || (owner.kind === 'member' && owner.name === 'prototype')
  return isOfType && name !== undefined
    ? { call: { ...call, callee: { ...callee.object, object }, args: others }, object, name }
    : undefined
}
