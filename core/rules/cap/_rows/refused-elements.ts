import { constantOf, type FunctionFact, type Guard, type ScriptFacts, type Value } from '../../../facts/index.ts'

/** Elements of rows for which the functions of a script refuse requests: `processedAs` of `if (row.processedAs) return req.reject(…)`. `refuses` tells guards that do. */
export function refusedElements(
  { guards }: Pick<ScriptFacts, 'guards'>,
  refuses: (guard: Guard) => boolean,
  step: (count?: number) => void,
): ReadonlyMap<FunctionFact, ReadonlySet<string>> {
  const found = new Map<FunctionFact, Set<string>>()
  for (const guard of guards) {
    step()
    const names = guard.exits && refuses(guard) ? rowElementsIn(guard.test) : []
    if (names.length > 0) found.set(guard.function, new Set([...(found.get(guard.function) ?? []), ...names]))
  }
  return found
}

/** `processedAs` of `if (row.processedAs) …` and `if (row.processedAs !== 'no') …`, of rows that a script has read. */
function rowElementsIn(test: Value): readonly string[] {
  if (test.kind === 'member') return test.name !== undefined && test.name !== 'length' && isRow(test.object) ? [test.name] : []
  if (test.kind === 'choice') return test.options.flatMap(rowElementsIn)
  if (test.kind !== 'operation') return []
  const [first, second] = test.operands
  const isAsked =
    test.operator === '!' || (/^[!=]==?$/.test(test.operator) && second !== undefined && constantOf(second) !== undefined)
  return isAsked && first?.kind === 'member' ? rowElementsIn(first) : []
}

/** What was waited for, as a row that was read, or a part of that. */
export function isRow(value: Value, depth = 0): boolean {
  if (value.kind === 'await') return true
  if (value.kind === 'member') return isRow(value.object, depth)
  if (value.kind !== 'reference' || depth > MAX_HOPS) return false
  const definitions = value.binding?.definitions ?? []
  return definitions.some((one) => one.value !== undefined && isRow(one.value, depth + 1))
}

const MAX_HOPS = 3
