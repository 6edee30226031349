import type { Budget } from '../budget.ts'
import { splitList, type SqlDocument, type SqlRoutineTree, type SqlStatement, type SqlToken } from '../parse/sqlscript/index.ts'
import type { Span } from '../types.ts'
import { collectGuards } from './sqlscript-guards.ts'
import { readExpression, type SqlValue } from './sqlscript-values.ts'

export type { SqlInput } from './sqlscript-values.ts'

/** What rules ask about a file of SQLScript. */
export interface SqlScriptFacts {
  readonly routines: readonly SqlRoutine[]
}

export interface SqlRoutine extends Span {
  readonly kind: 'procedure' | 'function'
  readonly name: string
  readonly nameSpan: Span
  readonly security?: Span & { readonly mode: 'definer' | 'invoker' }
  readonly dynamic: readonly DynamicSql[]
}

/** A text that is run, or taken as a filter, as it stands; the span is the expression's. */
export interface DynamicSql extends Span, SqlValue {
  readonly kind: 'exec' | 'filter'
}

/** Reads each routine once, in the order of its text; a value of one branch counts after it too. */
export function collectSqlFacts(document: SqlDocument, budget: Budget): SqlScriptFacts {
  return { routines: document.routines.map((routine) => readRoutine(routine, budget)) }
}

/** More than any procedure has. */
const MAX_PARAMETERS = 200

const TEXT_TYPES = /^(?:N?VARCHAR2?|N?CHAR|ALPHANUM|SHORTTEXT|N?CLOB|TEXT|BINTEXT|STRING)$/
const OTHER_TYPES =
  /^(?:TABLE|INT|INTEGER|TINYINT|SMALLINT|BIGINT|DECIMAL|SMALLDECIMAL|DEC|NUMERIC|REAL|DOUBLE|FLOAT|DATE|TIME|TIMESTAMP|SECONDDATE|DAYDATE|BOOLEAN|(?:VAR)?BINARY|BLOB|ST_\w+|ARRAY|ROW)$/

function readRoutine({ parameters, statements, ...routine }: SqlRoutineTree, budget: Budget): SqlRoutine {
  const values = new Map<string, SqlValue>()
  const layers: Layer[] = []
  for (const { name, mode, type } of parameters.slice(0, MAX_PARAMETERS)) {
    if (mode === 'out' || OTHER_TYPES.test(type)) continue
    values.set(name, { inputs: [{ parameter: name, isText: TEXT_TYPES.test(type) }], isComposed: false, isConstant: false })
  }
  const guarded = new Set<string>()
  const dynamic: DynamicSql[] = []
  const valueOf = (name: string): SqlValue | undefined =>
    guarded.has(name) ? undefined : (layers.findLast((layer) => layer.values.has(name))?.values.get(name) ?? values.get(name))
  for (const statement of statements) {
    budget.step(statement.tokens.length * (1 + values.size / 50))
    enter(statement.branches, layers, values)
    for (const name of collectGuards(statement.tokens)) guarded.add(name)
    for (const { names, expression } of assignmentsOf(statement)) {
      const value = readExpression(expression, valueOf, budget)
      for (const name of names) (layers.at(-1)?.values ?? values).set(name, value)
    }
    for (const { kind, expression } of dynamicIn(statement.tokens)) {
      const [first, last] = [expression[0], expression.at(-1)]
      if (first === undefined || last === undefined) continue
      const value = readExpression(expression, valueOf, budget)
      const inputs = value.inputs.filter(({ parameter }) => !guarded.has(parameter))
      dynamic.push({ kind, start: first.start, end: last.end, ...value, inputs })
    }
  }
  return { ...routine, dynamic }
}

/** What a branch or loop has given names so far: behind it that counts beside what they had before. */
interface Layer {
  readonly branch: number
  readonly values: Map<string, SqlValue>
}

/** Goes from the branches of one statement to those of the next one. */
function enter(branches: readonly number[], layers: Layer[], values: Map<string, SqlValue>): void {
  while (layers.some(({ branch }, at) => branches[at] !== branch)) {
    const left = layers.pop()
    const around = layers.at(-1)?.values ?? values
    const before = (name: string): SqlValue | undefined =>
      layers.findLast((layer) => layer.values.has(name))?.values.get(name) ?? values.get(name)
    for (const [name, value] of left?.values ?? []) around.set(name, joinValues(before(name), value))
  }
  for (const branch of branches.slice(layers.length)) layers.push({ branch, values: new Map() })
}

function joinValues(one: SqlValue | undefined, two: SqlValue): SqlValue {
  if (one === undefined) return two
  const known = new Set(two.inputs.map(({ parameter }) => parameter))
  return {
    inputs: [...one.inputs.filter(({ parameter }) => !known.has(parameter)), ...two.inputs],
    isComposed: one.isComposed || two.isComposed,
    isConstant: one.isConstant && two.isConstant,
  }
}

interface Assignment {
  readonly names: readonly string[]
  readonly expression: readonly SqlToken[]
}

/** `v := x`, `v = x`, `DECLARE v NVARCHAR(100) = x`, `SELECT x, y INTO v, w FROM …`. */
function assignmentsOf({ tokens }: SqlStatement): Assignment[] {
  const [first, second] = tokens
  if (first === undefined) return []
  if (first.name === 'DECLARE') {
    const from = tokens.findIndex(({ name }) => name === ':=' || name === '=' || name === 'DEFAULT')
    if (from === -1) return []
    const declared = tokens.slice(1, from)
    // the names are those before the type: the commas of a type are in brackets
    const commas = declared.findLastIndex(({ name }, at) => name === ',' && declared[at + 1]?.kind !== 'number')
    const names = declared.slice(0, commas + 2).filter(({ kind }) => kind === 'word' || kind === 'quoted')
    return [{ names: names.map(({ name }) => name), expression: tokens.slice(from + 1) }]
  }
  if ((first.kind === 'word' || first.kind === 'quoted') && (second?.name === ':=' || second?.name === '='))
    return [{ names: [first.name], expression: tokens.slice(2) }]
  if (first.name !== 'SELECT') return []
  const into = tokens.findIndex(({ kind, name }) => kind === 'word' && name === 'INTO')
  const from = tokens.findIndex(({ kind, name }, at) => at > into && kind === 'word' && name === 'FROM')
  if (into === -1) return []
  const targets = splitList(tokens.slice(into + 1, from === -1 ? tokens.length : from))
  return splitList(tokens.slice(1, into)).flatMap((expression, at) => {
    const name = targets[at]?.[0]?.name
    return name === undefined ? [] : [{ names: [name], expression }]
  })
}

const AFTER_TEXT: ReadonlySet<string> = new Set(['INTO', 'USING', 'READS', 'WITH', 'RETURNS'])

/** `EXEC x`, `EXECUTE IMMEDIATE x`, and the second argument of APPLY_FILTER. */
function* dynamicIn(tokens: readonly SqlToken[]): Generator<{ kind: DynamicSql['kind']; expression: readonly SqlToken[] }> {
  const [first, second] = tokens
  const isImmediate = first?.name === 'EXECUTE' && second?.name === 'IMMEDIATE'
  if (first?.kind === 'word' && (first.name === 'EXEC' || isImmediate)) {
    const from = isImmediate ? 2 : 1
    const end = tokens.findIndex(({ kind, name }, at) => at > from && kind === 'word' && AFTER_TEXT.has(name))
    yield { kind: 'exec', expression: tokens.slice(from, end === -1 ? tokens.length : end) }
    return
  }
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at]?.name !== 'APPLY_FILTER' || tokens[at + 1]?.name !== '(') continue
    const inside: SqlToken[] = []
    let depth = 1
    for (at += 2; at < tokens.length; at++) {
      const token = tokens[at]
      if (token?.name === '(') depth++
      if (token === undefined || (token.name === ')' && --depth === 0)) break
      inside.push(token)
    }
    const filter = splitList(inside)[1]
    if (filter !== undefined) yield { kind: 'filter', expression: filter }
  }
}
