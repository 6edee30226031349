import type { CdsAnnotation, CdsRecord, CdsValue } from './types.ts'
import type { Span } from '../../types.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expressions.ts'

/** Where an annotation stands decides whether `@name :` is followed by its value or by the type of what it annotates. */
type Position = 'free' | 'before-type'

/** Reads all annotations at the cursor, `@name`, `@name: value` and `@(a, b: value)`. */
export function parseAnnotations(cursor: Cursor, position: Position = 'free'): CdsAnnotation[] {
  const annotations: CdsAnnotation[] = []
  addAnnotations(cursor, annotations, position)
  return annotations
}

/** The same, added to those that are there: hostile text has more of them than a call may have arguments. */
export function addAnnotations(cursor: Cursor, annotations: CdsAnnotation[], position: Position = 'free'): void {
  while (cursor.is('@')) {
    const { start } = cursor.next()
    if (cursor.accept('(')) {
      while (!cursor.is(')')) {
        parseAssignment(cursor, cursor.token.start, 'free', annotations)
        if (!cursor.accept(',') && !cursor.is(')')) cursor.fail()
      }
      cursor.next()
    } else {
      parseAssignment(cursor, start, position, annotations)
    }
  }
}

function parseAssignment(cursor: Cursor, start: number, position: Position, annotations: CdsAnnotation[]): void {
  const name = parseAnnotationName(cursor)
  if (cursor.is(':') && (position === 'free' || beginsLiteral(cursor))) {
    cursor.next()
    flatten(cursor, { start, end: cursor.lastEnd }, name, parseValue(cursor), annotations)
  } else {
    const value: CdsValue = { kind: 'boolean', value: true, start: name.start, end: name.end }
    annotations.push({ name: name.text, nameSpan: { start: name.start, end: name.end }, value, start, end: name.end })
  }
}

/** No type begins like that, so older files mean the annotation's value. */
function beginsLiteral(cursor: Cursor): boolean {
  const { kind, text, word } = cursor.peek(1)
  return kind === 'string' || kind === 'number' || text === '[' || text === '#' || ['true', 'false', 'null'].includes(word)
}

interface AnnotationName extends Span {
  readonly text: string
}

/** `Common.Text.@UI.Arrangement#qualifier`, in braces also `@name`; a qualifier may be dotted. */
function parseAnnotationName(cursor: Cursor): AnnotationName {
  const { start } = cursor.token
  let text = cursor.accept('@') ? '@' : ''
  text += cursor.parseName().name
  for (;;) {
    const ahead = cursor.is('@', 1) ? 2 : 1
    if (!cursor.is('.') && !cursor.is('#') && !cursor.is('::')) break
    if (!cursor.isName(ahead)) break
    for (let count = 0; count <= ahead; count++) text += cursor.next().text
  }
  if (text.length > 500) cursor.fail()
  return { text, start, end: cursor.lastEnd }
}

/** A record becomes one annotation for each of its members, as in the compiled model; its member `$value` is the annotation itself. */
function flatten(cursor: Cursor, from: Span, name: AnnotationName, value: CdsValue, annotations: CdsAnnotation[]): void {
  if (value.kind !== 'object' || value.members.length === 0) {
    const nameSpan = { start: name.start, end: name.end }
    annotations.push({ name: name.text, nameSpan, value, start: from.start, end: value.end })
    return
  }
  for (const member of value.members) {
    const text = member.key === '$value' ? name.text : cursor.qualify(name.text, member.key)
    flatten(cursor, member.keySpan, { text, ...member.keySpan }, member.value, annotations)
  }
}

function parseValue(cursor: Cursor): CdsValue {
  const { kind, text, word, start, end } = cursor.token
  if (kind === 'string') {
    cursor.next()
    return { kind: 'string', value: text, start, end }
  }
  if (kind === 'number' || text === '-' || text === '+') return parseNumber(cursor)
  if (kind === 'symbol') {
    if (text === '{') return parseRecord(cursor)
    if (text === '[') return parseList(cursor)
    if (text === '(') return parseParenthesized(cursor)
    if (text === '#') {
      cursor.next()
      return { kind: 'symbol', text: cursor.parsePath().name, start, end: cursor.lastEnd }
    }
    if (text === '...') return parseRest(cursor)
  }
  if (kind === 'name' && !cursor.is('.', 1) && !cursor.is('#', 1)) {
    const scalar = word === 'null' ? null : word === 'true' ? true : word === 'false' ? false : undefined
    if (scalar !== undefined) {
      cursor.next()
      return { kind: scalar === null ? 'null' : 'boolean', value: scalar, start, end }
    }
  }
  const path = parseAnnotationName(cursor)
  return { kind: 'path', text: path.text, start: path.start, end: path.end }
}

function parseNumber(cursor: Cursor): CdsValue {
  const { start } = cursor.token
  const sign = cursor.accept('-') ? -1 : 1
  if (sign === 1) cursor.accept('+')
  if (cursor.token.kind !== 'number') cursor.fail()
  const { text, end } = cursor.next()
  return { kind: 'number', value: sign * Number(text), start, end }
}

/** `...` or `... up to value`. */
function parseRest(cursor: Cursor): CdsValue {
  const { start } = cursor.next()
  let text = ''
  if (cursor.isWord('up') && cursor.isWord('to', 1)) {
    cursor.next()
    cursor.next()
    const value = cursor.nest(() => parseValue(cursor))
    text = cursor.text.slice(value.start, value.end)
  }
  return { kind: 'rest', text, start, end: cursor.lastEnd }
}

function parseList(cursor: Cursor): CdsValue {
  const { start } = cursor.next()
  const items: CdsValue[] = []
  cursor.nest(() => {
    while (!cursor.is(']')) {
      items.push(parseValue(cursor))
      if (!cursor.accept(',') && !cursor.is(']')) cursor.fail()
    }
  })
  cursor.next()
  return { kind: 'array', items, start, end: cursor.lastEnd }
}

function parseRecord(cursor: Cursor): CdsValue {
  const { start } = cursor.next()
  const members: { key: string; keySpan: Span; value: CdsValue }[] = []
  cursor.nest(() => {
    while (!cursor.is('}')) {
      const name = parseAnnotationName(cursor)
      const keySpan = { start: name.start, end: name.end }
      const value: CdsValue = cursor.accept(':') ? parseValue(cursor) : { kind: 'boolean', value: true, ...keySpan }
      members.push({ key: name.text, keySpan, value })
      if (!cursor.accept(',') && !cursor.is('}')) cursor.fail()
    }
  })
  cursor.next()
  const record: CdsRecord = { kind: 'object', members, start, end: cursor.lastEnd }
  return record
}

function parseParenthesized(cursor: Cursor): CdsValue {
  const { start } = cursor.next()
  const expression = cursor.nest(() => parseExpression(cursor))
  cursor.expect(')')
  return { kind: 'expression', expression, start, end: cursor.lastEnd }
}
