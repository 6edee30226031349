import { constantOf, type FunctionFact, type Guard, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { isNothing } from '../../../facts/values.ts'
import { readFrom } from './read-rows.ts'

/** Elements of rows for which the functions of a script refuse requests. */
export interface RefusedElements {
  /** `processedAs` of `if (row.processedAs) return req.reject(…)`, by functions. */
  readonly asked: ReadonlyMap<FunctionFact, ReadonlySet<string>>
  /** Rows of the entity are refused for whatever the element holds, or for that word. An entity without a name is the one of the request. */
  readonly isRefused: (entity: string | undefined, element: string, word: string) => boolean
}

/** `refuses` tells guards that do. That something has to be filled in, `if (!row.email)`, makes it no state. */
export function refusedElements(
  { guards }: Pick<ScriptFacts, 'guards'>,
  refuses: (guard: Guard) => boolean,
  step: (count?: number) => void,
): RefusedElements {
  const asked = new Map<FunctionFact, Set<string>>()
  const states = new Set<string>()
  for (const guard of guards) {
    step()
    for (const { element, row, word } of guard.exits && refuses(guard) ? rowElementsIn(guard.test) : []) {
      if (word === undefined) asked.set(guard.function, (asked.get(guard.function) ?? new Set<string>()).add(element))
      const entity = readFrom(row, step)
      if (entity !== undefined) states.add(stateKey(OF_REQUEST.test(entity) ? undefined : entity, element, word))
    }
  }
  return {
    asked,
    isRefused: (entity, element, word) => states.has(stateKey(entity, element)) || states.has(stateKey(entity, element, word)),
  }
}

/** `req.subject`, `req.target`. */
export const OF_REQUEST: RegExp = /^(?:subject|target)$/

function stateKey(entity: string | undefined, element: string, word?: string): string {
  return JSON.stringify([entity ?? null, element, word ?? null])
}

interface RowElement {
  readonly element: string
  readonly row: Value
  /** What it is compared with. */
  readonly word?: string
}

/** `processedAs` of `if (row.processedAs) …` and `if (row.processedAs === 'Issue') …`, of rows that a script has read. */
function rowElementsIn(test: Value): readonly RowElement[] {
  if (test.kind === 'member')
    return test.name !== undefined && test.name !== 'length' && isRow(test.object) ? [{ element: test.name, row: test }] : []
  if (test.kind === 'choice') return test.options.flatMap(rowElementsIn)
  if (test.kind !== 'operation' || !/^[!=]==?$/.test(test.operator)) return []
  const [first, second] = test.operands
  const word = second === undefined || isNothing(second) ? undefined : constantOf(second)
  return first?.kind === 'member' && typeof word === 'string' ? rowElementsIn(first).map((one) => ({ ...one, word })) : []
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
