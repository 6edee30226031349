import type { Budget } from '../budget.ts'
import { closingOf, type SqlToken } from '../parse/sqlscript/index.ts'
import type { Span } from '../types.ts'

/** A parameter of the routine that a text is made with. */
export interface SqlInput {
  /** As names are compared: upper case, unless quoted. */
  readonly parameter: string
  /** Its type holds any text; otherwise the type is one of the user. */
  readonly isText: boolean
  /** Where it joins the text. */
  readonly at?: Span
  /** It is escaped, but for another place than the one it stands at: quotes escaped where there are none around it. */
  readonly isEscapedInVain?: true
}

/** What is known of an expression's value. */
export interface SqlValue {
  readonly inputs: readonly SqlInput[]
  /** Put together from several texts. */
  readonly isComposed: boolean
  /** Of literals alone. */
  readonly isConstant: boolean
}

/** Functions whose result holds what they are given. */
const PASSING: ReadonlySet<string> = new Set(
  (
    'CONCAT CONCAT_NAZ UPPER LOWER UCASE LCASE INITCAP TRIM LTRIM RTRIM SUBSTR SUBSTRING SUBSTR_BEFORE SUBSTR_AFTER LEFT RIGHT LPAD RPAD COALESCE IFNULL ' +
    'NULLIF REPLACE TO_VARCHAR TO_NVARCHAR TO_ALPHANUM TO_SHORTTEXT TO_CLOB TO_NCLOB TO_CHAR CAST MAP GREATEST LEAST'
  ).split(' '),
)
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['ESCAPE_SINGLE_QUOTES', "'"],
  ['ESCAPE_DOUBLE_QUOTES', '"'],
])
const NUMBERS = /^(?:INT|INTEGER|TINYINT|SMALLINT|BIGINT|DECIMAL|DOUBLE|REAL|FLOAT|DATE|TIME|TIMESTAMP|SECONDDATE|BOOLEAN)$/
/** Words of an expression that name no value, and values that no caller decides. */
const PLAIN = /^(?:CASE|WHEN|THEN|ELSE|END|AS|NULL|AND|OR|NOT|IN|LIKE|IS|N?VARCHAR|CURRENT_\w+|CHAR|NCHAR|ESCAPE_\w+)$/

type ValueOf = (name: string) => SqlValue | undefined

/** Reads an expression: which parameters its text holds, and how. What a function unknown here makes of them is not followed. */
export function readExpression(tokens: readonly SqlToken[], valueOf: ValueOf, budget: Budget): SqlValue {
  const inputs = new Map<string, SqlInput>()
  let isComposed = false
  let isConstant = true
  // the operand and conditions of a CASE choose, they don't become part of the text
  let isChoosing = false
  // of the literals so far: an odd number means between quotes
  const quotes = new Map<string, number>()
  const open: boolean[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined) break
    const { kind, name } = token
    if (kind === 'string') for (const quote of QUOTES) quotes.set(quote, (quotes.get(quote) ?? 0) + count(token.text, quote))
    else if (name === '||' || (name === 'CONCAT' && kind === 'word')) isComposed = true
    if (kind === 'word' && (name === 'CASE' || name === 'WHEN')) isChoosing = true
    else if (kind === 'word' && (name === 'THEN' || name === 'ELSE' || name === 'END')) isChoosing = false
    if (name === ')') open.pop()
    if (name === '(') open.push(isPassed(tokens, at, budget))
    if (kind !== 'word' && kind !== 'quoted') continue

    const quote = kind === 'word' ? ESCAPES.get(name) : undefined
    if (quote !== undefined && tokens[at + 1]?.name === '(') {
      const close = closingOf(tokens, at + 1)
      isConstant = false
      budget.step(close - at)
      const before = quotes.get(quote)
      if (before !== undefined && before % 2 === 0) {
        for (const input of readExpression(tokens.slice(at + 2, close), valueOf, budget).inputs)
          inputs.set(input.parameter, { ...input, isEscapedInVain: true })
      }
      at = close
      continue
    }
    if (tokens[at + 1]?.name === '(') {
      isConstant &&= PLAIN.test(name)
      continue
    }
    const value = isPartOfName(tokens, at) ? undefined : valueOf(name)
    isConstant &&= value?.isConstant ?? (kind === 'word' && PLAIN.test(name))
    if (value === undefined || isChoosing || open.includes(false)) continue
    isComposed ||= value.isComposed
    budget.step(value.inputs.length)
    for (const input of value.inputs)
      if (inputs.get(input.parameter)?.isEscapedInVain !== undefined || !inputs.has(input.parameter))
        inputs.set(input.parameter, { ...input, at: input.at ?? { start: token.start, end: token.end } })
  }
  return { inputs: [...inputs.values()], isComposed, isConstant }
}

const QUOTES = ["'", '"'] as const

function count(text: string, quote: string): number {
  return text.split(quote).length - 1
}

/** Whether what stands in a bracket is part of the result: brackets of its own, and functions that pass it on. */
function isPassed(tokens: readonly SqlToken[], open: number, budget: Budget): boolean {
  const before = tokens[open - 1]
  if (before?.kind !== 'word' || PLAIN.test(before.name)) return before?.kind !== 'quoted'
  if (!PASSING.has(before.name)) return false
  const inside = tokens.slice(open + 1, closingOf(tokens, open))
  budget.step(inside.length)
  if (before.name === 'CAST') return !NUMBERS.test(inside.at(-1)?.name ?? '')
  // quotes doubled by hand
  return before.name !== 'REPLACE' || !inside.some(({ kind, text }) => kind === 'string' && (text === "'" || text === '"'))
}

/** `table.column`, and a name behind a dot. */
function isPartOfName(tokens: readonly SqlToken[], at: number): boolean {
  return tokens[at + 1]?.name === '.' || tokens[at - 1]?.name === '.'
}
