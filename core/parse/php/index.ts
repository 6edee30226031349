import { createExpressionReader } from './expressions.ts'
import { isSymbol, MOST_DEPTH, peek, plainName, skipBrackets, spanFrom, take, wordAt, type Cursor } from './cursor.ts'
import { toPhpTokens } from './tokens.ts'
import type { PhpExpression, PhpFunction, PhpSource, PhpStatement } from './types.ts'

export type { PhpExpression, PhpFunction, PhpItem, PhpSource, PhpStatement } from './types.ts'

/** Whether a text holds code of PHP. */
export function isPhp(text: string): boolean {
  return text.includes('<?')
}

/** Reads a file of PHP in linear time; what is none gives statements that mean nothing. */
export function readPhp(text: string): PhpSource {
  const tokens = toPhpTokens(text)
  const cursor: Cursor = { tokens, at: 0, depth: 0, owner: undefined, functions: [] }
  return { statements: readStatements(cursor, tokens.length), functions: cursor.functions, size: tokens.length }
}

const readExpression: (cursor: Cursor) => PhpExpression = createExpressionReader(readFunction)

/** Words in front of members and parameters. */
const MODIFIERS: ReadonlySet<string> = new Set('public private protected static abstract final var readonly'.split(' '))
const SKIPPED = /^(?:use|namespace|global|declare|const|goto)$/
const CLASS = /^(?:class|interface|trait|enum)$/
/** What ends the body of a construct that has no braces. */
const ENDS = /^(?:endif|else|elseif|endforeach|endfor|endwhile|endswitch|case|default)$/

function readStatements(cursor: Cursor, limit: number, isBraceless = false): PhpStatement[] {
  const statements: PhpStatement[] = []
  while (cursor.at < limit) {
    if (isBraceless && ENDS.test(wordAt(cursor) ?? '')) break
    const from = cursor.at
    const statement = readStatement(cursor)
    if (statement !== undefined) statements.push(statement)
    if (cursor.at === from) cursor.at++
  }
  return statements
}

/** What stands in the braces there, or the one statement, or what goes on to `endif`. */
function readBody(cursor: Cursor): readonly PhpStatement[] {
  if (cursor.depth >= MOST_DEPTH) {
    skipBrackets(cursor)
    return []
  }
  cursor.depth++
  const body = readOwnBody(cursor)
  cursor.depth--
  return body
}

function readOwnBody(cursor: Cursor): readonly PhpStatement[] {
  if (isSymbol(cursor, '{')) return readBraces(cursor)
  if (take(cursor, ':')) return readStatements(cursor, cursor.tokens.length, true)
  const statement = readStatement(cursor)
  return statement === undefined ? [] : [statement]
}

function readBraces(cursor: Cursor): PhpStatement[] {
  const close = peek(cursor)?.closes ?? cursor.tokens.length
  cursor.at++
  const statements = readStatements(cursor, close)
  cursor.at = Math.min(close + 1, cursor.tokens.length)
  return statements
}

function readStatement(cursor: Cursor): PhpStatement | undefined {
  const from = cursor.at
  const token = peek(cursor)
  if (token === undefined || take(cursor, ';')) return undefined
  if (token.kind === 'html') {
    cursor.at++
    return { kind: 'html', start: token.start, end: token.end }
  }
  if (isSymbol(cursor, '{')) return { kind: 'block', body: readBody(cursor), ...spanFrom(cursor, from) }
  const read = READERS[wordAt(cursor) ?? '']
  if (read !== undefined && Object.hasOwn(READERS, wordAt(cursor) ?? '')) return read(cursor, from)
  return readDeclaration(cursor, from) ?? readPlain(cursor, from)
}

function readPlain(cursor: Cursor, from: number): PhpStatement {
  const value = readExpression(cursor)
  take(cursor, ';')
  return { kind: 'expression', value, ...spanFrom(cursor, from) }
}

/** Functions and classes, and what says nothing: gives an empty block for these. */
function readDeclaration(cursor: Cursor, from: number): PhpStatement | undefined {
  while (
    MODIFIERS.has(wordAt(cursor) ?? '') &&
    !isSymbol(cursor, '::', 1) &&
    !/^f(?:unctio)?n$/.test(`${cursor.owner === undefined ? wordAt(cursor, 1) : ''}`)
  )
    cursor.at++
  const word = wordAt(cursor) ?? ''
  const isNamed = peek(cursor, 1)?.kind === 'word' || (isSymbol(cursor, '&', 1) && peek(cursor, 2)?.kind === 'word')
  if (word === 'function' && isNamed) {
    cursor.at++
    take(cursor, '&')
    const name = plainName(peek(cursor)?.text ?? '')
    cursor.at++
    cursor.functions.push(readFunction(cursor, name, from))
  } else if (CLASS.test(word) && isNamed) readClass(cursor)
  else if (SKIPPED.test(word)) {
    while (peek(cursor) !== undefined && !isSymbol(cursor, ';') && !isSymbol(cursor, '{')) cursor.at++
    // `use` of classes in braces; a namespace with a body
    if (isSymbol(cursor, '{') && word === 'use') skipBrackets(cursor)
  } else return undefined
  return { kind: 'block', body: [], ...spanFrom(cursor, from) }
}

function readClass(cursor: Cursor): void {
  const around = cursor.owner
  cursor.at++
  cursor.owner = plainName(peek(cursor)?.text ?? '')
  while (peek(cursor) !== undefined && !isSymbol(cursor, '{') && !isSymbol(cursor, ';')) cursor.at++
  // fields are assigned to nobody, methods are kept
  if (isSymbol(cursor, '{')) readBody(cursor)
  cursor.owner = around
}

function readFunction(cursor: Cursor, name: string, from: number): PhpFunction {
  const parameters: string[] = []
  if (isSymbol(cursor, '(')) {
    const close = peek(cursor)?.closes ?? cursor.tokens.length
    for (let at = cursor.at + 1; at < close; at++) {
      const token = cursor.tokens[at]
      if (token?.kind === 'variable') parameters.push(token.text)
    }
    cursor.at = Math.min(close + 1, cursor.tokens.length)
  }
  if (wordAt(cursor) === 'use' && isSymbol(cursor, '(', 1)) {
    cursor.at++
    skipBrackets(cursor)
  }
  const owner = cursor.owner
  const body = readFunctionBody(cursor)
  return { name, ...(owner !== undefined && { owner }), parameters, body, ...spanFrom(cursor, from) }
}

function readFunctionBody(cursor: Cursor): readonly PhpStatement[] {
  // the type of what it gives
  while (peek(cursor) !== undefined && !isSymbol(cursor, '{') && !isSymbol(cursor, ';') && !isSymbol(cursor, '=>')) cursor.at++
  if (isSymbol(cursor, '{')) return readBody(cursor)
  if (!take(cursor, '=>')) return []
  const value = readExpression(cursor)
  return [{ kind: 'leave', how: 'return', value, start: value.start, end: value.end }]
}

type StatementReader = (cursor: Cursor, from: number) => PhpStatement

/** By the word that a statement begins with. */
const READERS: Readonly<Record<string, StatementReader>> = {
  if: readIf,
  while: readLoop,
  for: readLoop,
  foreach: readForeach,
  switch: readSwitch,
  try: readTry,
  do: (cursor, from) => {
    cursor.at++
    const body = readBody(cursor)
    const heads = wordAt(cursor) === 'while' ? readHeads(cursor) : []
    return { kind: 'loop', heads, body, ...spanFrom(cursor, from) }
  },
  echo: (cursor, from) => {
    const args: PhpExpression[] = []
    do {
      cursor.at++
      args.push(readExpression(cursor))
    } while (isSymbol(cursor, ','))
    const span = spanFrom(cursor, from)
    take(cursor, ';')
    return { kind: 'expression', value: { kind: 'call', name: 'echo', args, ...span }, ...span }
  },
  return: readLeave,
  throw: readLeave,
  break: readLeave,
  continue: readLeave,
}

function readLeave(cursor: Cursor, from: number): PhpStatement {
  const word = wordAt(cursor)
  cursor.at++
  const value = isSymbol(cursor, ';') ? undefined : readExpression(cursor)
  take(cursor, ';')
  const how = word === 'return' || word === 'throw' ? word : 'break'
  return { kind: 'leave', how, ...(value && { value }), ...spanFrom(cursor, from) }
}

/** What stands in the brackets behind a word: `if (…)`, `for (…; …; …)`. */
function readHeads(cursor: Cursor): PhpExpression[] {
  cursor.at++
  if (!isSymbol(cursor, '(')) return []
  const close = peek(cursor)?.closes ?? cursor.tokens.length
  cursor.at++
  const heads: PhpExpression[] = []
  while (cursor.at < close) {
    const from = cursor.at
    if (take(cursor, ';') || take(cursor, ',')) continue
    heads.push(readExpression(cursor))
    if (cursor.at === from) cursor.at++
  }
  cursor.at = Math.min(close + 1, cursor.tokens.length)
  return heads
}

function readIf(cursor: Cursor, from: number): PhpStatement {
  const [test = { kind: 'unknown', start: 0, end: 0 }] = readHeads(cursor)
  const yes = readBody(cursor)
  const next = wordAt(cursor)
  let no: readonly PhpStatement[] = []
  if (next === 'elseif' || (next === 'else' && wordAt(cursor, 1) === 'if')) {
    if (next === 'else') cursor.at++
    if (cursor.depth >= MOST_DEPTH) return readFurther(cursor, from, test, yes)
    cursor.depth++
    no = [readIf(cursor, cursor.at)]
    cursor.depth--
  } else if (next === 'else') {
    cursor.at++
    no = readBody(cursor)
  }
  if (wordAt(cursor) === 'endif') cursor.at++
  return { kind: 'if', test, yes, no, ...spanFrom(cursor, from) }
}

/** The branches of a chain that is too long stand for themselves. */
function readFurther(cursor: Cursor, from: number, test: PhpExpression, yes: readonly PhpStatement[]): PhpStatement {
  return { kind: 'if', test, yes, no: [], ...spanFrom(cursor, from) }
}

function readLoop(cursor: Cursor, from: number): PhpStatement {
  const heads = readHeads(cursor)
  const body = readBody(cursor)
  endLoop(cursor)
  return { kind: 'loop', heads, body, ...spanFrom(cursor, from) }
}

function endLoop(cursor: Cursor): void {
  if (/^end(?:foreach|for|while|switch)$/.test(wordAt(cursor) ?? '')) cursor.at++
}

function readForeach(cursor: Cursor, from: number): PhpStatement {
  cursor.at++
  const close = peek(cursor)?.closes ?? cursor.tokens.length
  cursor.at++
  const of = readExpression(cursor)
  const targets: PhpExpression[] = []
  if (wordAt(cursor) === 'as') cursor.at++
  while (cursor.at < close) {
    const at = cursor.at
    if (take(cursor, '=>') || take(cursor, '&')) continue
    targets.push(readExpression(cursor))
    if (cursor.at === at) cursor.at++
  }
  cursor.at = Math.min(close + 1, cursor.tokens.length)
  const body = readBody(cursor)
  endLoop(cursor)
  return { kind: 'loop', heads: [], each: { of, targets }, body, ...spanFrom(cursor, from) }
}

function readSwitch(cursor: Cursor, from: number): PhpStatement {
  const [asked] = readHeads(cursor)
  const close = isSymbol(cursor, '{') ? (peek(cursor)?.closes ?? cursor.tokens.length) : cursor.tokens.length
  cursor.at++
  const branches: PhpStatement[][] = []
  while (cursor.at < close && wordAt(cursor) !== 'endswitch') {
    const at = cursor.at
    const word = wordAt(cursor)
    if (word === 'case' || word === 'default') {
      cursor.at++
      if (word === 'case') readExpression(cursor)
      if (!take(cursor, ':')) take(cursor, ';')
    }
    if (cursor.depth >= MOST_DEPTH) skipBrackets(cursor)
    else {
      cursor.depth++
      branches.push(readStatements(cursor, close, true))
      cursor.depth--
    }
    if (cursor.at === at) cursor.at++
  }
  cursor.at = Math.min(close + 1, cursor.tokens.length)
  const either: PhpStatement = { kind: 'either', branches, ...spanFrom(cursor, from) }
  if (asked === undefined) return either
  return {
    kind: 'block',
    body: [{ kind: 'expression', value: asked, start: asked.start, end: asked.end }, either],
    ...spanFrom(cursor, from),
  }
}

function readTry(cursor: Cursor, from: number): PhpStatement {
  cursor.at++
  const body = readBody(cursor)
  const branches: (readonly PhpStatement[])[] = [[]]
  while (wordAt(cursor) === 'catch') {
    cursor.at++
    if (isSymbol(cursor, '(')) skipBrackets(cursor)
    branches.push(readBody(cursor))
  }
  const after = wordAt(cursor) === 'finally' ? (cursor.at++, readBody(cursor)) : []
  const span = spanFrom(cursor, from)
  return { kind: 'block', body: [...body, { kind: 'either', branches, ...span }, ...after], ...span }
}
