import { isSymbol, MOST_DEPTH, peek, plainName, skipBrackets, spanFrom, take, wordAt, type Cursor } from './cursor.ts'
import type { PhpToken } from './tokens.ts'
import type { PhpExpression, PhpFunction, PhpItem } from './types.ts'

/** Reads the parameters and the body of a function from its `(` on. */
export type FunctionReader = (cursor: Cursor, name: string, from: number) => PhpFunction

/** How strongly operators bind (PHP manual, "Operator Precedence"); `=` and `?` are read for themselves. */
const BINDING: Readonly<Record<string, number>> = {
  or: 1,
  xor: 2,
  and: 3,
  '??': 7,
  '||': 8,
  '&&': 9,
  '|': 10,
  '^': 11,
  '&': 12,
  '==': 13,
  '!=': 13,
  '===': 13,
  '!==': 13,
  '<>': 13,
  '<=>': 13,
  '<': 14,
  '>': 14,
  '<=': 14,
  '>=': 14,
  '.': 15,
  '<<': 16,
  '>>': 16,
  '+': 17,
  '-': 17,
  '*': 18,
  '/': 18,
  '%': 18,
  instanceof: 20,
  '**': 21,
}
const ASSIGNS = /^(?:=|[-+*/.%&|^]=|\*\*=|\?\?=|<<=|>>=)$/
const ASSIGNMENT = 5
const CHOICE = 6
const UNARY = 19
const PREFIXES: ReadonlySet<string> = new Set(['!', '-', '+', '@', '&', '~', '++', '--', '...'])
const INCLUDES: ReadonlySet<string> = new Set(['include', 'include_once', 'require', 'require_once'])

export function createExpressionReader(readFunction: FunctionReader): (cursor: Cursor) => PhpExpression {
  /** An operand and the operators behind it that bind at least so strongly. */
  function read(cursor: Cursor, binding = 0): PhpExpression {
    const from = cursor.at
    if (cursor.depth >= MOST_DEPTH) return skip(cursor)
    cursor.depth++
    let left = readPrefixed(cursor)
    for (let next = readInfix(cursor, left, from, binding); next !== undefined; next = readInfix(cursor, left, from, binding))
      left = next
    cursor.depth--
    return left
  }

  function readInfix(cursor: Cursor, left: PhpExpression, from: number, binding: number): PhpExpression | undefined {
    const token = peek(cursor)
    if (token === undefined || (token.kind !== 'symbol' && token.kind !== 'word')) return undefined
    const operator = token.text.toLowerCase()
    if (token.kind === 'symbol' && ASSIGNS.test(operator)) {
      cursor.at++
      // whatever binds on the left, what is assigned goes on to the right
      const value = read(cursor, ASSIGNMENT)
      return { kind: 'assign', target: left, operator, value, ...spanFrom(cursor, from) }
    }
    if (operator === '?') {
      if (binding > CHOICE) return undefined
      cursor.at++
      const yes = isSymbol(cursor, ':') ? left : read(cursor, ASSIGNMENT)
      take(cursor, ':')
      return { kind: 'choice', test: left, yes, no: read(cursor, CHOICE + 1), ...spanFrom(cursor, from) }
    }
    const strength = BINDING[operator]
    if (strength === undefined || strength < binding || !(operator in BINDING)) return undefined
    if (operator === '.') return readJoin(cursor, left, from, strength)
    cursor.at++
    const right = read(cursor, strength + 1)
    return { kind: 'operation', operator, operands: [left, right], ...spanFrom(cursor, from) }
  }

  /** All parts at once: a text of thousands of them is no chain of thousands of texts. */
  function readJoin(cursor: Cursor, first: PhpExpression, from: number, strength: number): PhpExpression {
    const parts = [first]
    while (take(cursor, '.')) parts.push(read(cursor, strength + 1))
    return { kind: 'join', parts, ...spanFrom(cursor, from) }
  }

  function readPrefixed(cursor: Cursor): PhpExpression {
    const from = cursor.at
    const token = peek(cursor)
    if (token === undefined) return { kind: 'unknown', start: 0, end: 0 }
    const isPrefix = token.kind === 'cast' || (token.kind === 'symbol' && PREFIXES.has(token.text))
    if (isPrefix) {
      cursor.at++
      const operand = read(cursor, UNARY)
      return { kind: 'operation', operator: token.text, operands: [operand], ...spanFrom(cursor, from) }
    }
    return readPostfix(cursor, readPrimary(cursor, token), from)
  }

  function readPrimary(cursor: Cursor, token: PhpToken): PhpExpression {
    const from = cursor.at
    const span = { start: token.start, end: token.end }
    if (token.kind === 'word') return readWord(cursor, token)
    if (isSymbol(cursor, '(')) {
      const close = token.closes ?? cursor.tokens.length
      cursor.at++
      const inner = read(cursor)
      cursor.at = Math.max(cursor.at, Math.min(close + 1, cursor.tokens.length))
      return inner
    }
    if (isSymbol(cursor, '[')) return { kind: 'list', items: readItems(cursor), ...spanFrom(cursor, from) }
    // what closes or ends is somebody else's
    if (token.kind === 'symbol' && /^[)\]};,:]$/.test(token.text)) return { kind: 'unknown', ...span }
    cursor.at++
    if (token.kind === 'variable') return { kind: 'variable', name: token.text, ...span }
    if (token.kind === 'string' || token.kind === 'number') return { kind: 'text', value: token.text, ...span }
    if (token.parts === undefined) return { kind: 'unknown', ...span }
    const parts = token.parts.map((part) => readPart(cursor, part))
    return { kind: 'join', parts, ...(token.kind === 'command' && { isCommand: true }), ...span }
  }

  /** A part of a text: written, or a variable with what is read of it. */
  function readPart(cursor: Cursor, part: PhpToken | readonly PhpToken[]): PhpExpression {
    if ('kind' in part) return { kind: 'text', value: part.text, start: part.start, end: part.end }
    return read({ ...cursor, tokens: part, at: 0, depth: cursor.depth + 1 })
  }

  function readWord(cursor: Cursor, token: PhpToken): PhpExpression {
    const from = cursor.at
    const word = token.text.toLowerCase()
    const name = plainName(token.text)
    cursor.at++
    if (word === 'function' || word === 'fn' || (word === 'static' && /^f(?:unctio)?n$/.test(wordAt(cursor) ?? ''))) {
      if (word === 'static') cursor.at++
      take(cursor, '&')
      return { kind: 'function', function: readFunction(cursor, '', from), ...spanFrom(cursor, from) }
    }
    if (word === 'new') return readNew(cursor, from)
    if (INCLUDES.has(word) || ((word === 'print' || word === 'clone' || word === 'throw') && !isSymbol(cursor, '('))) {
      const args = [read(cursor, ASSIGNMENT)]
      return { kind: 'call', name: INCLUDES.has(word) ? 'include' : word, args, ...spanFrom(cursor, from) }
    }
    if (word === 'exit' || word === 'die') {
      const args = isSymbol(cursor, '(') ? readArguments(cursor) : []
      return { kind: 'call', name: 'exit', args, ...spanFrom(cursor, from) }
    }
    if (isSymbol(cursor, '(')) {
      const items = readItems(cursor)
      if (word === 'array' || word === 'list') return { kind: 'list', items, ...spanFrom(cursor, from) }
      return { kind: 'call', name, args: items.map(({ value }) => value), ...spanFrom(cursor, from) }
    }
    return { kind: 'name', name: token.text, start: token.start, end: token.end }
  }

  function readNew(cursor: Cursor, from: number): PhpExpression {
    const token = peek(cursor)
    const name = token?.kind === 'word' ? `new ${plainName(token.text)}` : 'new'
    if (token?.kind === 'word' || token?.kind === 'variable') cursor.at++
    const args = isSymbol(cursor, '(') ? readArguments(cursor) : []
    // a class without a name
    if (name === 'new class') {
      while (wordAt(cursor) !== undefined) cursor.at++
      if (isSymbol(cursor, '{')) skipBrackets(cursor)
    }
    return { kind: 'call', name, args, ...spanFrom(cursor, from) }
  }

  function readPostfix(cursor: Cursor, first: PhpExpression, from: number): PhpExpression {
    let value = first
    for (;;) {
      if (isSymbol(cursor, '[') || (isSymbol(cursor, '{') && value.kind === 'variable' && isSymbol(cursor, '}', 2))) {
        const close = peek(cursor)?.closes ?? cursor.tokens.length
        cursor.at++
        const key = cursor.at < close ? read(cursor) : undefined
        cursor.at = Math.max(cursor.at, Math.min(close + 1, cursor.tokens.length))
        value = { kind: 'member', of: value, ...(key && { key }), ...spanFrom(cursor, from) }
      } else if (isSymbol(cursor, '->') || isSymbol(cursor, '?->') || isSymbol(cursor, '::'))
        value = readNamed(cursor, value, from)
      else if (isSymbol(cursor, '('))
        value = { kind: 'call', name: '', of: value, args: readArguments(cursor), ...spanFrom(cursor, from) }
      else if (isSymbol(cursor, '++') || isSymbol(cursor, '--')) cursor.at++
      else return value
    }
  }

  /** `->name`, `->name(…)`, `::NAME`, `::name(…)`, `::$name`. */
  function readNamed(cursor: Cursor, of: PhpExpression, from: number): PhpExpression {
    cursor.at++
    const token = peek(cursor)
    const isNamed = token?.kind === 'word' || token?.kind === 'variable'
    if (isNamed) cursor.at++
    else if (isSymbol(cursor, '{')) skipBrackets(cursor)
    const name = isNamed ? token.text : ''
    if (isSymbol(cursor, '(')) {
      const owner = of.kind === 'name' ? plainName(of.name) : undefined
      const args = readArguments(cursor)
      return {
        kind: 'call',
        name: name.toLowerCase(),
        of,
        ...(owner !== undefined && { owner }),
        args,
        ...spanFrom(cursor, from),
      }
    }
    const key: PhpExpression | undefined = isNamed ? { kind: 'text', value: name, start: token.start, end: token.end } : undefined
    return { kind: 'member', of, ...(key && { key }), ...spanFrom(cursor, from) }
  }

  function readArguments(cursor: Cursor): PhpExpression[] {
    return readItems(cursor).map(({ value }) => value)
  }

  /** What stands between brackets, split at its commas: `'a' => $b`, `name: $b`. */
  function readItems(cursor: Cursor): PhpItem[] {
    const close = peek(cursor)?.closes ?? cursor.tokens.length
    const items: PhpItem[] = []
    cursor.at++
    while (cursor.at < close) {
      const from = cursor.at
      if (peek(cursor)?.kind === 'word' && isSymbol(cursor, ':', 1)) cursor.at += 2
      const first = read(cursor)
      if (take(cursor, '=>')) items.push({ key: first, value: read(cursor) })
      else items.push({ value: first })
      if (!take(cursor, ',') && cursor.at === from) cursor.at++
    }
    cursor.at = Math.min(close + 1, cursor.tokens.length)
    return items
  }

  function skip(cursor: Cursor): PhpExpression {
    const from = cursor.at
    skipBrackets(cursor)
    return { kind: 'unknown', ...spanFrom(cursor, from) }
  }

  return read
}
