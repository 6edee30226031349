import type { CdsExpression, CdsPath, CdsQuery } from './types.ts'
import type { Cursor } from './cursor.ts'
import { parseQuery } from './queries.ts'
import { parseType } from './type-expressions.ts'

/** Words between two operands. What else stands behind an operand ends the expression, so names may be keywords of queries. */
const BINARY: ReadonlySet<string> = new Set(['and', 'or', 'in', 'like', 'between', 'is', 'not', 'escape', 'over'])
const BINARY_SYMBOLS: ReadonlySet<string> = new Set(['=', '==', '!=', '<>', '<', '>', '<=', '>=', '+', '-', '*', '/', '||', '%'])
const PREFIX: ReadonlySet<string> = new Set(['not', 'exists', 'distinct', 'all', 'any', 'some', 'new'])
/** Reserved words: names only in quotes. */
const NO_OPERANDS: ReadonlySet<string> = new Set(['as', 'by', 'from', 'in', 'of', 'on', 'when', 'where', 'with'])

/** What an expression names; inner expressions write into the same one. */
interface Found {
  readonly paths: CdsPath[]
  readonly queries: CdsQuery[]
}

/** Reads an expression or condition up to the token that can't be part of it. */
export function parseExpression(cursor: Cursor): CdsExpression {
  const { start } = cursor.token
  const found: Found = { paths: [], queries: [] }
  parseTerms(cursor, found)
  return { text: cursor.text.slice(start, cursor.lastEnd), ...found, start, end: cursor.lastEnd }
}

/** The path that an expression is, if it is nothing else. */
export function pathOf(expression: CdsExpression): string | undefined {
  const [path] = expression.paths
  return path !== undefined && path.start === expression.start && path.end === expression.end ? path.name : undefined
}

/** Operands and operators in turn; the only thing that tells where an expression ends. */
function parseTerms(cursor: Cursor, found: Found): void {
  cursor.nest(() => {
    for (;;) {
      parseOperand(cursor, found)
      if (!acceptOperator(cursor, found)) return
    }
  })
}

/** True: another operand has to follow. */
function acceptOperator(cursor: Cursor, found: Found): boolean {
  for (;;) {
    const { kind, text, word } = cursor.token
    if (kind === 'symbol' && BINARY_SYMBOLS.has(text)) {
      cursor.next()
      return true
    }
    if (kind === 'symbol' && text === '?') {
      cursor.next()
      parseTerms(cursor, found)
      cursor.expect(':')
      return true
    }
    if (kind !== 'name' || !BINARY.has(word)) return false
    if (word === 'is') {
      cursor.next()
      cursor.acceptWord('not')
      if (!cursor.acceptWord('null')) return true
    } else if (word === 'not') {
      // `not null` belongs to the element, not to its default
      if (!['in', 'like', 'between'].includes(cursor.peek(1).word)) return false
      cursor.next()
      cursor.next()
      return true
    } else if (word === 'over') {
      if (!cursor.is('(', 1)) return false
      cursor.next()
      parseArguments(cursor, found)
    } else {
      cursor.next()
      return true
    }
  }
}

function parseOperand(cursor: Cursor, found: Found): void {
  while (
    cursor.is('-') ||
    cursor.is('+') ||
    (PREFIX.has(cursor.token.word) &&
      (cursor.isName(1) || cursor.is('(', 1) || cursor.is('-', 1) || cursor.peek().kind === 'string'))
  ) {
    cursor.next()
  }
  const { kind, text, word } = cursor.token
  if (kind === 'string' || kind === 'number') {
    cursor.next()
  } else if (kind === 'symbol') {
    if (text === '(') parseArguments(cursor, found)
    else if (text === '#' || text === ':' || text === '@') {
      cursor.next()
      if (cursor.token.kind === 'number') cursor.next()
      else parseSteps(cursor, text === '#' ? { paths: [], queries: [] } : found)
      return
    } else if (text === '?' || text === '*') cursor.next()
    else cursor.fail()
  } else if (word === 'case' && !cursor.is('.', 1)) {
    parseCase(cursor, found)
  } else if (word === 'cast' && cursor.is('(', 1)) {
    parseCast(cursor, found)
  } else if (word === 'select' && (cursor.isWord('from', 1) || cursor.isName(1))) {
    found.queries.push(parseQuery(cursor))
  } else {
    if (kind === 'name' && NO_OPERANDS.has(word)) cursor.fail()
    parseSteps(cursor, found)
    return
  }
  // a method of what stands in parentheses, as in `ST_Point(…).ST_X()`
  if (cursor.is('.') && cursor.isName(1)) {
    cursor.next()
    parseSteps(cursor, { paths: [], queries: found.queries })
  }
}

const CONSTANTS: ReadonlySet<string> = new Set(['null', 'true', 'false'])

/** A path or call: `a.b[filter].c`, `f(x).g(y)`; a function's name is no path. */
function parseSteps(cursor: Cursor, found: Found): void {
  const { start } = cursor.token
  let path = ''
  let isCall = false
  for (;;) {
    path += cursor.accept('@') ? '@' : ''
    path += cursor.parseName().name
    const hasArguments = cursor.is('(')
    if (hasArguments) parseArguments(cursor, found)
    if (cursor.is('[')) parseStepFilter(cursor, found, path)
    isCall ||= hasArguments
    const ahead = cursor.is('@', 1) ? 2 : 1
    if (!cursor.is('.') || !cursor.isName(ahead)) break
    cursor.next()
    path += '.'
  }
  if (!isCall && !CONSTANTS.has(path)) found.paths.push({ name: path, start, end: cursor.lastEnd })
}

/** What a filter names starts at the end of the path before it. */
function parseStepFilter(cursor: Cursor, found: Found, path: string): void {
  const inner: Found = { paths: [], queries: found.queries }
  parseFilter(cursor, inner)
  for (const { base, ...name } of inner.paths) found.paths.push({ ...name, base: base === undefined ? path : `${path}.${base}` })
}

/** `[condition]`, `[1: condition]`, `[where condition]`. */
export function parseFilter(cursor: Cursor, found: Found): void {
  cursor.expect('[')
  if (cursor.is(':', 1)) {
    cursor.next()
    cursor.next()
  }
  cursor.acceptWord('where')
  parseLoose(cursor, ']', found)
}

/** What stands in parentheses: a list, a subquery, named arguments, or the words of an aggregate or a window. */
export function parseArguments(cursor: Cursor, found: Found): void {
  cursor.expect('(')
  parseLoose(cursor, ')', found)
}

/** Words that functions and windows have between their operands. */
const LOOSE: ReadonlySet<string> = new Set([
  'order',
  'partition',
  'by',
  'asc',
  'desc',
  'nulls',
  'first',
  'last',
  'from',
  'for',
  'as',
  'rows',
  'range',
  'between',
  'and',
  'unbounded',
  'preceding',
  'following',
  'current',
  'row',
  'leading',
  'trailing',
  'both',
  'group',
  'having',
  'limit',
  'offset',
  'using',
])

function parseLoose(cursor: Cursor, close: ')' | ']', found: Found): void {
  cursor.nest(() => {
    while (!cursor.is(close)) {
      const { kind, text, word } = cursor.token
      if (kind === 'symbol' && (text === ',' || text === '=>' || text === ':' || text === '->')) cursor.next()
      else if (kind === 'name' && LOOSE.has(word) && !cursor.is('.', 1) && !cursor.is('(', 1)) cursor.next()
      else if (word === 'select' || (text === '(' && cursor.isWord('select', 1))) found.queries.push(parseQuery(cursor))
      else parseTerms(cursor, found)
    }
  })
  cursor.next()
}

function parseCase(cursor: Cursor, found: Found): void {
  cursor.next()
  cursor.nest(() => {
    if (!cursor.isWord('when')) parseTerms(cursor, found)
    while (cursor.acceptWord('when')) {
      parseTerms(cursor, found)
      if (!cursor.acceptWord('then')) cursor.fail()
      parseTerms(cursor, found)
    }
    if (cursor.acceptWord('else')) parseTerms(cursor, found)
  })
  if (!cursor.acceptWord('end')) cursor.fail()
}

function parseCast(cursor: Cursor, found: Found): void {
  cursor.next()
  cursor.expect('(')
  parseTerms(cursor, found)
  if (cursor.acceptWord('as')) cursor.nest(() => parseType(cursor))
  cursor.expect(')')
}
