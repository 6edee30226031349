import { bindingOf, receiverOf } from '../../facts/asked-values.ts'
import { isConstant } from '../../facts/is-constant.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { pathOf } from '../../facts/paths.ts'
import type { Binding, CallValue, ScriptFacts, Value } from '../../facts/types.ts'
import { directParts } from '../../facts/values.ts'
import type { HandlerFunction } from './registrations.ts'

/**
 * Whether a handler answers with what stands in the code alone: all that it returns does, nothing else in it answers, and nothing else gets hold of what it returns, which could put
 * rows into it. What is kept outside of the handler, others may change.
 */
export function answersConstants(
  { phase, fact, parameter }: HandlerFunction,
  calls: readonly CallValue[],
  facts: ScriptFacts,
  step: (count?: number) => void,
): boolean {
  if (phase !== 'on' || fact === undefined || fact.returns.length === 0) return false
  const returned = new Set<Binding>()
  const judge = (value: Value): false | undefined => {
    const binding = bindingOf(value)
    if (binding === undefined) return undefined
    if (binding.function !== fact) return false
    returned.add(binding)
    return undefined
  }
  if (!fact.returns.every((value) => isConstant(value, judge))) return false
  step(calls.length + facts.assignments.length + facts.bindings.length)
  const request = fact.parameters[parameter]
  if (calls.some((call) => mayAnswer(call, request) || mayFill(call, returned))) return false
  // `req.results = row`, and items of the answer by a name of their own: `tides.map((tide) => { tide.note = row.note … })`
  const isChanged = facts.assignments.some(
    ({ start, target, value }) =>
      start >= fact.start && start < fact.end && (rootOf(target)?.kind === 'parameter' || isPartOf(value, returned)),
  )
  return !isChanged && !facts.bindings.some((binding) => !returned.has(binding) && hasDefinitionOf(binding, returned))
}

/** Calls that answer a request, and those that have others answer it. */
const ANSWERS: ReadonlySet<string | undefined> = new Set(['reply', 'next', 'send', 'json', 'write', 'end', 'emit'])
/** What is given a request to run queries for it, or to log it. */
const TAKES_REQUEST: ReadonlySet<string | undefined> = new Set('tx transaction log info debug warn error'.split(' '))

function mayAnswer({ callee, args }: CallValue, request: Binding | undefined): boolean {
  const name = lastNameOf(callee)
  if (ANSWERS.has(name)) return true
  return request !== undefined && !TAKES_REQUEST.has(name) && args.some((given) => isPartOf(given, new Set([request]), 'whole'))
}

/** Methods that hand out the items of a list, or fill it, by other ways than those that names tell: `push` and the like are additions. */
const FILLS: ReadonlySet<string | undefined> = new Set(['forEach', 'fill', 'apply', 'call', 'bind'])
/** Globals that only read what they are given. */
const READS =
  /^global:(?:(?:JSON stringify|Object (?:keys|values|entries|freeze)|Array (?:from|isArray)|console \w{1,10})|String|Number|Boolean|structuredClone)$/

function mayFill(call: CallValue, returned: ReadonlySet<Binding>): boolean {
  const { callee, args } = call
  const name = lastNameOf(callee)
  const receiver = receiverOf(call)
  if (FILLS.has(name) && receiver !== undefined && isPartOf(receiver, returned)) return true
  const [first] = args
  if (name === 'assign' && first !== undefined && rootOf(first)?.kind === 'parameter') return true
  return !READS.test(pathOf(callee)?.join(' ') ?? '') && args.some((given) => isPartOf(given, returned))
}

/** `const list = tides`, `const { north } = tides`, `for (const tide of tides)`. */
function hasDefinitionOf({ definitions }: Binding, returned: ReadonlySet<Binding>): boolean {
  return definitions.some(({ value }) => value !== undefined && isPartOf(value, returned))
}

/** The name that a chain of members begins with. */
function rootOf(value: Value): Binding | undefined {
  let here = value
  for (let depth = 0; here.kind === 'member' && depth < MAX_DEPTH; depth++) here = here.object
  return bindingOf(here)
}

const MAX_DEPTH = 10

/** Whether a value is one of these names, holds it, or is a part of it; `whole`: no part. Texts and numbers that are made of them are none. */
function isPartOf(value: Value, names: ReadonlySet<Binding>, how?: 'whole', depth = 0): boolean {
  if (depth > MAX_DEPTH) return true
  switch (value.kind) {
    case 'reference':
      return value.binding !== undefined && names.has(value.binding)
    case 'member':
      return how === undefined && value.name !== 'length' && isPartOf(value.object, names, how, depth + 1)
    case 'object':
    case 'array':
    case 'choice':
    case 'await':
    case 'spread':
      return directParts(value).some((part) => isPartOf(part, names, how, depth + 1))
    default:
      return false
  }
}
