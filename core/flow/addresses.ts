import type { Binding } from '../model/ui5/index.ts'
import type { Span } from '../types.ts'
import { connectBinding, type BindingScope } from './views/bindings.ts'
import type { FlowSink } from './types.ts'
import { FOUND_SINKS } from './models/found-sinks.ts'

/** Code of an expression that puts a fixed beginning before its value. */
const FIXED_START = /^\s{0,50}\(?\s{0,50}['"`](?:https?:|mailto:|tel:|sms:|[#/?.]|\w)/u
const FIXED_PART = /['"`](?:https?:\/\/|mailto:|tel:|#|\/)/u

/** The address of a link that a binding gives, where the first thing in it decides about its scheme. */
export function addressSink(binding: Binding, at: Span, name: string, scope: BindingScope): FlowSink | undefined {
  if (binding.kind !== 'bound' || binding.before.trim() !== '') return undefined
  const [first] = binding.parts
  if (first === undefined) return undefined
  if (first.kind === 'expression' && (FIXED_START.test(first.code) || FIXED_PART.test(first.code))) return undefined
  const node = scope.graph.add(at)
  // a formatter that is not here may well check the address
  connectBinding({ ...binding, parts: [first] }, node, at, { ...scope, unresolved: [] })
  return { node, ...FOUND_SINKS.linkAddress, name, start: at.start, end: at.end }
}
