import { methodOf, type Callback } from '../../facts/callbacks.ts'
import type { FunctionFact, Value } from '../../facts/index.ts'

/** Parameters that are exceptions by their names. */
const EXCEPTION = /^_?(?:err|error|exception|fault)$/i
/** Names of exceptions that other values have too: elements of a list, `e`, or why an order is cancelled, `reason`. */
const MAY_BE_EXCEPTION = /^_?(?:e|ex|failure|problem|reason)$/i

/** What a `catch` names, or a parameter that is called so, `.catch((e) => …)`. */
export function isException(value: Value, callbacks: ReadonlyMap<FunctionFact, Callback>): boolean {
  if (!('binding' in value) || value.binding === undefined) return false
  const { kind, name, function: around } = value.binding
  if (kind === 'catch') return true
  if (kind !== 'parameter') return false
  const given = MAY_BE_EXCEPTION.test(name) ? callbacks.get(around) : undefined
  return EXCEPTION.test(name) || (given !== undefined && methodOf(given) === 'catch')
}
