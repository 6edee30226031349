import type { CallValue, FunctionFact, ScriptFacts, Value } from './types.ts'

/** A function that a call is given, and at which position. */
export interface Callback {
  readonly call: CallValue
  readonly index: number
}

/** The functions of a file that are handed to calls, also by their name: `srv.on('x', handler)`. The first call counts. */
export function findCallbacks(facts: ScriptFacts): ReadonlyMap<FunctionFact, Callback> {
  const callbacks = new Map<FunctionFact, Callback>()
  for (const call of facts.calls) {
    for (const [index, argument] of call.args.entries()) {
      const given = functionOf(argument)
      if (given !== undefined && !callbacks.has(given)) callbacks.set(given, { call, index })
    }
  }
  return callbacks
}

/** The function whose `this` one has: an arrow has that of the function around it. */
export function functionOfThis(from: FunctionFact): FunctionFact {
  let here = from
  while (here.kind === 'arrow' && here.parent !== undefined) here = here.parent
  return here
}

/** The method of a class or an object around a place in a function: callbacks in it are its own. */
export function methodAround(from: FunctionFact | undefined): FunctionFact | undefined {
  let here = from
  while (here !== undefined && here.owner === undefined) here = here.parent
  return here
}

/** The function that a value is or names. */
export function functionOf(value: Value | undefined): FunctionFact | undefined {
  if (value?.kind === 'function') return value.function
  if (value?.kind !== 'reference' || value.binding?.definitions.length !== 1) return undefined
  const [definition] = value.binding.definitions
  return definition?.value?.kind === 'function' && definition.path.length === 0 ? definition.value.function : undefined
}

/** The name of the method that a callback is given to: `on` of `srv.on('x', handler)`. */
export function methodOf({ call }: Callback): string | undefined {
  return call.callee.kind === 'member' ? call.callee.name : call.callee.kind === 'reference' ? call.callee.name : undefined
}
