import type { Span } from '../types.ts'
import type { FunctionFact, ScriptFacts } from './types.ts'

/** The functions of a script as plain data, in the order of their starts. */
export interface FunctionTable {
  /** Three numbers each: start, end, index of the parent (-1: none). */
  readonly spans: Int32Array
  /** See `FunctionFact.name`. */
  readonly names: readonly string[]
}

const FIELDS = 3

/** The names are strings of their own, not parts of the script's text. */
export function toFunctionTable({ functions }: Pick<ScriptFacts, 'functions'>): FunctionTable {
  const indexes = new Map(functions.map((fact, index) => [fact, index]))
  const spans = new Int32Array(functions.length * FIELDS)
  for (const [index, { start, end, parent }] of functions.entries())
    spans.set([start, end, parent === undefined ? -1 : (indexes.get(parent) ?? -1)], index * FIELDS)
  return { spans, names: structuredClone(functions.map(({ name }) => name)) }
}

/** Names of the functions around an offset, outermost first: `MainController.onInit`. The context of a fingerprint; '' at the top of the file. */
export function functionAt(table: FunctionTable, offset: number): string {
  return namesAround(table, offset).join('.')
}

/** The same as a list. */
export function namesAround(table: FunctionTable, offset: number): readonly string[] {
  const { spans, names } = table
  const around: string[] = []
  for (let here = innermostAt(table, offset); here >= 0; here = spans[here * FIELDS + 2] ?? -1) {
    const name = names[here] ?? ''
    if (name !== '') around.push(name)
  }
  return around.reverse()
}

/** The place of the innermost function around an offset, that of the file itself where there is none. */
export function spanAround(table: FunctionTable, offset: number): Span | undefined {
  const here = innermostAt(table, offset)
  return here < 0 ? undefined : { start: table.spans[here * FIELDS] ?? 0, end: table.spans[here * FIELDS + 1] ?? 0 }
}

function innermostAt({ spans, names }: FunctionTable, offset: number): number {
  let here = lastStart(names.length, offset, (index) => spans[index * FIELDS] ?? 0)
  while (here > 0 && offset >= (spans[here * FIELDS + 1] ?? 0)) here = spans[here * FIELDS + 2] ?? -1
  return here
}

/** The innermost function around an offset; the file itself where there is none. */
export function functionAround({ functions }: Pick<ScriptFacts, 'functions'>, offset: number): FunctionFact | undefined {
  let here = functions[lastStart(functions.length, offset, (index) => functions[index]?.start ?? 0)]
  while (here !== undefined && offset >= here.end && here.parent !== undefined) here = here.parent
  return here
}

/** The last of so many functions that starts at or before an offset; the first one where none does, -1 where there are none. */
function lastStart(count: number, offset: number, startOf: (index: number) => number): number {
  let low = 0
  let high = count - 1
  if (high < 0) return -1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (startOf(middle) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * What the code of a function says, `text` being that of its file. Each function is read once, whoever asks: a generated one holds thousands of calls, and its code
 * would be read for each of them.
 */
export function createCodeReader<Answer>(text: string, read: (code: string) => Answer): (code: Span) => Answer {
  const known = new Map<Span, { readonly answer: Answer }>()
  return (code) => {
    const before = known.get(code)
    if (before !== undefined) return before.answer
    const answer = read(text.slice(code.start, code.end))
    known.set(code, { answer })
    return answer
  }
}
