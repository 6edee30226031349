import { resolveValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { keyedBy, keyedWrites } from '../calls/keyed-functions.ts'
import type { FlowDraft } from '../graph/draft.ts'
import type { FlowFunction } from '../types.ts'
import { addFrameworkFunction } from '../values/objects.ts'

/** What calls in a page have to know of a function: defaults that may be functions, whether it makes functions, what it keeps by a key. */
export function describePageFunctions(draft: FlowDraft): (fact: FunctionFact) => Partial<FlowFunction> {
  const writes = keyedWrites(draft.facts)
  return (fact) => {
    const defaults = defaultsOf(fact, draft)
    const keyed = keyedBy(fact, writes, draft)
    return {
      ...(defaults.length > 0 && { defaults }),
      ...((isMaker(fact) || runsGiven(fact, draft)) && { isMaker: true }),
      ...(keyed !== undefined && { keyed }),
    }
  }
}

/** What parameters are where a call leaves them out, if they may be functions. */
function defaultsOf({ parameters }: FunctionFact, draft: FlowDraft): readonly (readonly [parameter: number, node: number])[] {
  return parameters.flatMap((binding, index) => {
    const given = binding?.definitions[0]?.fallback
    if (given === undefined || (given.kind !== 'function' && given.kind !== 'reference')) return []
    addFrameworkFunction(given, draft)
    return [[index, draft.use(given)] as const]
  })
}

/** `(rows, ...columns) => rows.map((row) => columns.map((column) => column(row)))`: each call gives other functions to run. */
function runsGiven({ rest, start, end }: FunctionFact, { facts, step }: FlowDraft): boolean {
  if (rest === undefined) return false
  step(facts.calls.length)
  return facts.calls.some(({ callee, start: at }) => {
    const given = at > start && at < end && callee.kind === 'reference' ? callee.binding : undefined
    return given?.kind === 'parameter' && given.function.start > start
  })
}

/** `(fn) => { const kept = new Map(); return (key) => … }`, also of an object with such functions. */
function isMaker(fact: FunctionFact): boolean {
  if (fact.kind === 'file' || fact.owner !== undefined) return false
  const isInside = (value: Value): boolean => value.kind === 'function' && fact.start < value.start && value.end <= fact.end
  return fact.returns.some((value) => {
    const made = resolveValue(value)
    return isInside(made) || (made.kind === 'object' && made.fields.some((field) => isInside(resolveValue(field.value))))
  })
}
