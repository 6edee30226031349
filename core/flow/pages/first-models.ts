import { accessesOf, isOnTheWay, type CallValue, type FunctionFact } from '../../facts/index.ts'
import { isAround } from '../../facts/span-index.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { modelName } from './stores.ts'

/**
 * Models that a controller sets on its view in any case before anyone shows it: in `onInit`, or in a method that this calls itself. Until a later one is set, a view
 * shows what its parent has under the name. Fact: API of sap.ui.core.mvc.Controller, `onInit` is called when the view is made.
 */
export function firstModels(draft: FlowDraft): readonly string[] {
  const { facts } = draft
  const named = ownMethods(facts.functions)
  const init = named.get('onInit')
  if (init === undefined) return []
  const first = new Set([init])
  for (const { callee, function: within, start } of facts.calls) {
    if (within !== init || !isAlwaysRun(within, start, draft)) continue
    const [access] = accessesOf(callee)
    const method = access?.root === 'this' ? named.get(access.steps.join(' ')) : undefined
    if (method !== undefined) first.add(method)
  }
  return facts.calls.flatMap((call) => modelSet(call, first, draft) ?? [])
}

function modelSet(call: CallValue, first: ReadonlySet<FunctionFact>, draft: FlowDraft): string | undefined {
  const { callee, args, start, function: within } = call
  if (args[0] === undefined || !first.has(within)) return undefined
  const isSet = accessesOf(callee).some(({ root, steps }) => root === 'this' && steps.join(' ') === 'getView () setModel')
  return isSet && isAlwaysRun(within, start, draft) ? modelName(args[1]) : undefined
}

/** By their last names: methods of which the file has one, and that wait for nothing. */
function ownMethods(functions: readonly FunctionFact[]): ReadonlyMap<string, FunctionFact> {
  const found = new Map<string, FunctionFact | undefined>()
  for (const fact of functions) {
    const name = fact.name.slice(fact.name.lastIndexOf('.') + 1)
    if (name !== '') found.set(name, found.has(name) || fact.isAsync ? undefined : fact)
  }
  return new Map([...found].flatMap(([name, fact]) => (fact === undefined ? [] : [[name, fact] as const])))
}

function isAlwaysRun(within: FunctionFact, at: number, { facts: { guards, partial }, step }: FlowDraft): boolean {
  step(1 + ((guards.length + partial.length) >> 3))
  return (
    !guards.some((guard) => isOnTheWay(guard, at) && isAround(within, guard.inside.start)) &&
    !partial.some((span) => isAround(span, at) && isAround(within, span.start))
  )
}
