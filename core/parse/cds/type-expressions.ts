import type { CdsAnnotation, CdsColumn, CdsEnumSymbol, CdsMember, CdsReference, CdsType } from './types.ts'
import type { Cursor } from './cursor.ts'
import { addAnnotations, parseAnnotations } from './annotations.ts'
import { parseElements } from './elements.ts'
import { parseExpression } from './expressions.ts'
import { parseQuery } from './queries.ts'

/** A name that stands for a definition, or with a colon for an element of one. */
export function parseReference(cursor: Cursor): CdsReference {
  const { name, start } = cursor.parsePath()
  if (!cursor.is(':') || !cursor.isName(1)) return { path: name, start, end: cursor.lastEnd }
  cursor.next()
  return { path: name, element: cursor.parsePath().name, start, end: cursor.lastEnd }
}

const NOTHING = { elements: [], toMany: false, keys: [], enum: [], annotations: [] } as const

/** Reads a type where it is used, up to what follows it: `not null`, a default, annotations. */
export function parseType(cursor: Cursor): CdsType {
  return cursor.nest(() => {
    const { start, word } = cursor.token
    if (word === 'localized' && cursor.isName(1)) cursor.next()
    if (cursor.is('{')) {
      const elements = parseElements(cursor)
      return { ...NOTHING, kind: 'struct', elements, start, end: cursor.lastEnd }
    }
    if (cursor.isWord('many') && (cursor.isName(1) || cursor.is('{', 1))) return parseMany(cursor, start, 1)
    if (cursor.isWord('array') && cursor.isWord('of', 1)) return parseMany(cursor, start, 2)
    if (isAssociation(cursor)) return parseAssociation(cursor)
    if (beginsQuery(cursor)) return { ...NOTHING, kind: 'query', query: parseQuery(cursor), start, end: cursor.lastEnd }
    return parseNamedType(cursor, start)
  })
}

export function beginsQuery(cursor: Cursor): boolean {
  return (
    (cursor.isWord('projection') && cursor.isWord('on', 1)) ||
    (cursor.isWord('select') && !cursor.is('.', 1)) ||
    (cursor.is('(') && (cursor.isWord('select', 1) || cursor.is('(', 1)))
  )
}

function parseMany(cursor: Cursor, start: number, words: number): CdsType {
  for (let count = 0; count < words; count++) cursor.next()
  const items = parseType(cursor)
  return { ...NOTHING, kind: 'many', items, toMany: true, start, end: cursor.lastEnd }
}

function parseNamedType(cursor: Cursor, start: number): CdsType {
  if (cursor.isWord('type') && cursor.isWord('of', 1)) {
    cursor.next()
    cursor.next()
  }
  const reference = parseReference(cursor)
  let length: number | undefined
  if (cursor.accept('(')) {
    // length, precision, scale, srid; also by name
    if (/^\d{1,5}$/.test(cursor.token.text)) length = Number(cursor.token.text)
    while (!cursor.is(')')) {
      if (cursor.isAtEnd || cursor.is('{') || cursor.is('}') || cursor.is(';')) cursor.fail()
      cursor.next()
    }
    cursor.next()
  }
  const symbols = cursor.isWord('enum') && cursor.is('{', 1) ? parseEnum(cursor) : []
  const sized = length === undefined ? {} : { length }
  return { ...NOTHING, kind: 'reference', reference, ...sized, enum: symbols, start, end: cursor.lastEnd }
}

/** `enum { a; b = 'B'; }` */
export function parseEnum(cursor: Cursor): CdsEnumSymbol[] {
  const symbols: CdsEnumSymbol[] = []
  cursor.next()
  cursor.parseBlock(';', () => {
    const { start } = cursor.token
    const annotations = parseAnnotations(cursor)
    if (cursor.is('}')) return
    const name = cursor.parseName()
    addAnnotations(cursor, annotations)
    const value = cursor.accept('=') ? parseExpression(cursor) : undefined
    addAnnotations(cursor, annotations)
    symbols.push({ name: name.name, nameSpan: toSpan(name), annotations, value, start, end: cursor.lastEnd })
    if (!cursor.is(';') && !cursor.is('}') && !cursor.is(',')) cursor.fail()
    cursor.accept(',')
  })
  return symbols
}

export function toSpan({ start, end }: { start: number; end: number }): { start: number; end: number } {
  return { start, end }
}

function isAssociation(cursor: Cursor): boolean {
  if (!cursor.isWord('association') && !cursor.isWord('composition')) return false
  return cursor.isWord('to', 1) || cursor.isWord('of', 1) || cursor.is('[', 1)
}

/** `Association[0..*] to many Books { keys }`, `Composition of many { elements }`, `… on condition`. */
function parseAssociation(cursor: Cursor): CdsType {
  const { start, word } = cursor.next()
  const kind = word === 'association' ? 'association' : 'composition'
  let toMany = false
  if (cursor.accept('[')) {
    let last = ''
    while (!cursor.is(']')) {
      if (cursor.isAtEnd || cursor.is('{') || cursor.is(';')) cursor.fail()
      last = cursor.next().text
    }
    cursor.next()
    toMany = last === '*' || Number(last) > 1
  }
  if (!cursor.acceptWord('to') && !cursor.acceptWord('of')) cursor.fail()
  if ((cursor.isWord('many') || cursor.isWord('one')) && (cursor.isName(1) || cursor.is('{', 1))) {
    toMany = cursor.next().word === 'many'
  }
  let reference: CdsReference | undefined
  let elements: CdsMember[] = []
  let keys: CdsColumn[] = []
  if (cursor.is('{')) elements = parseElements(cursor)
  else {
    reference = parseReference(cursor)
    if (cursor.is('{')) keys = parseKeys(cursor)
  }
  const on = cursor.acceptWord('on') ? parseExpression(cursor) : undefined
  return { ...NOTHING, kind, reference, elements, keys, on, toMany, start, end: cursor.lastEnd }
}

/** `{ ID, code as c }` of a managed association. */
function parseKeys(cursor: Cursor): CdsColumn[] {
  const keys: CdsColumn[] = []
  cursor.parseBlock(',', () => {
    const { start } = cursor.token
    const annotations: CdsAnnotation[] = parseAnnotations(cursor)
    const path = cursor.parsePath()
    const alias = cursor.acceptWord('as') ? cursor.parseName() : undefined
    addAnnotations(cursor, annotations)
    const name = alias?.name ?? path.name.slice(path.name.lastIndexOf('.') + 1)
    keys.push({ name, nameSpan: toSpan(alias ?? path), annotations, key: false, excluding: [], start, end: cursor.lastEnd })
  })
  return keys
}
