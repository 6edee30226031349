import {
  constantOf,
  findPart,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { toolArgument } from '../../../model/script/index.ts'
import { mentionsUser } from '../_callers/asked-users.ts'
import { sentElement } from './client-data.ts'
import { baseOf } from '../_handlers/query-chains.ts'

/**
 * Tells whether a tool of a language model compares what it works with and whom it runs for: a user whom the function around it was given, or what the framework hands to the tool beside the arguments of the model.
 * Facts: LangChain, "Tools" (`config.configurable`); AI SDK, "Tools" (`experimental_context`).
 */
export function createToolOwnerReader(
  facts: ScriptFacts,
  tools: ReadonlySet<FunctionFact>,
  step: (count?: number) => void,
): (tool: FunctionFact) => boolean {
  const known = new Map<FunctionFact, boolean>()
  const read = (tool: FunctionFact): boolean => {
    step(facts.guards.length + facts.functions.length)
    const within = facts.functions.filter((one) => one === tool || one.parent === tool)
    const tests = [
      ...facts.guards.flatMap((guard) => (within.includes(guard.function) ? guard.test : [])),
      ...within.flatMap(({ returns }) => returns.flatMap(testsIn)),
    ]
    return tests.some((test) => findPart(test, (part) => isOwnerAsked(part, tool, tools)) !== undefined)
  }
  return (tool) => {
    const found = known.get(tool) ?? read(tool)
    known.set(tool, found)
    return found
  }
}

/** `berth.skipper === skipperId ? berth : undefined`, `(berth) => berth.skipper === skipperId`. */
function testsIn(value: Value): readonly Value[] {
  const given = resolveValue(value)
  if (given.kind === 'choice') return given.test === undefined ? given.options : [given.test]
  return given.kind === 'operation' ? [given] : []
}

/** `berth.skipper !== skipperId`, `!berth.crew.includes(config.configurable.user)`, `await mayTouch(id, user)`. */
function isOwnerAsked(part: Value, tool: FunctionFact, tools: ReadonlySet<FunctionFact>): boolean {
  const sides = sidesOf(part)
  return sides.some((side) => isOfCaller(side, tool, tools)) && sides.some((side) => isChosen(side, tool, tools))
}

function sidesOf(part: Value): readonly Value[] {
  if (part.kind === 'operation') return /^[!=]==?$/.test(part.operator) ? part.operands : []
  if (part.kind !== 'call' || baseOf(part) !== undefined) return []
  const { callee, args } = part
  return callee.kind === 'member' && ASKS_LIST.test(callee.name ?? '') ? [callee.object, ...args] : args
}

const ASKS_LIST = /^(?:includes|has|some|every|equals|indexOf)$/

/** A row, or a key that the model writes. */
function isChosen(value: Value, tool: FunctionFact, tools: ReadonlySet<FunctionFact>): boolean {
  return findPart(value, (part) => isQuery(part) || toolArgument(part, tools) !== undefined || isItem(part, tool)) !== undefined
}

/** Neither a constant nor a row, nor what the model or the client sends. */
function isOfCaller(value: Value, tool: FunctionFact, tools: ReadonlySet<FunctionFact>): boolean {
  if (constantOf(value) !== undefined || isChosen(value, tool, tools)) return false
  if (mentionsUser(value) || CALLER.test(lastNameOf(value) ?? '')) return true
  const isHanded = (part: Value): boolean =>
    part.kind === 'this' || (part.kind === 'reference' && part.binding?.kind === 'parameter')
  return sentElement(value) === undefined && findPart(value, isHanded) !== undefined
}

const CALLER = /^(?:user|caller|principal|current_?user|logged_?in_?user)(?:_?(?:id|name|e?mail))?$/i

function isQuery(part: Value): part is CallValue {
  return (part.kind === 'call' || part.kind === 'tagged') && baseOf(part)?.kind === 'read'
}

/** The parameter of a callback: `rows.filter((row) => row.skipper === skipperId)`. */
function isItem(part: Value, tool: FunctionFact): boolean {
  return part.kind === 'reference' && part.binding?.kind === 'parameter' && part.binding.function.parent === tool
}
