import {
  resolveValue,
  type Assignment,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { append } from '../../../lists.ts'
import { fieldPairs, type ColumnPair } from './column-pairs.ts'

/** Of a list of rows: all are made alike. */
const MOST_ROWS = 20

/** Tells the fields of the rows that a call is given, also those that are assigned one by one: `const row = {}; row.reporter_ID = …`. */
export function createRowPairReader(
  { assignments }: ScriptFacts,
  step: (count?: number) => void,
): (call: CallValue) => readonly ColumnPair[] {
  const assignedTo = createAssignmentReader(assignments, step)
  return ({ args }) => {
    const rows = args.flatMap((given) => {
      const made = resolveValue(given)
      return made.kind === 'array' ? made.items.slice(0, MOST_ROWS) : [given]
    })
    return rows.flatMap((row) => [
      ...fieldPairs(row, step),
      ...assignedTo(row).flatMap(({ target, value }) =>
        target.name === undefined ? [] : [{ column: target.name, value, start: target.start, end: target.end }],
      ),
    ])
  }
}

function createAssignmentReader(
  assignments: readonly Assignment[],
  step: (count?: number) => void,
): (row: Value) => readonly Assignment[] {
  let byBinding: Map<Binding, Assignment[]> | undefined
  return (row) => {
    if (row.kind !== 'reference' || row.binding === undefined) return []
    if (byBinding === undefined) {
      byBinding = new Map()
      step(assignments.length)
      for (const one of assignments) {
        const { object } = one.target
        if (object.kind === 'reference' && object.binding !== undefined) append(byBinding, object.binding, one)
      }
    }
    return byBinding.get(row.binding) ?? []
  }
}
