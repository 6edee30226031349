import type { CdsExpression, CdsMember, CdsType } from './types.ts'
import type { Cursor } from './cursor.ts'
import { addAnnotations, parseAnnotations } from './annotations.ts'
import { parseExpression } from './expressions.ts'
import { parseEnum, parseType, toSpan } from './type-expressions.ts'

const MODIFIERS: ReadonlySet<string> = new Set(['key', 'virtual', 'localized', 'masked', 'element'])

/** Reads `{ elements }`. */
export function parseElements(cursor: Cursor): CdsMember[] {
  const elements: CdsMember[] = []
  cursor.parseBlock(';', () => {
    parseElement(cursor, elements)
  })
  return elements
}

function parseElement(cursor: Cursor, elements: CdsMember[]): void {
  const { start } = cursor.token
  const annotations = parseAnnotations(cursor)
  if (cursor.is(';') || cursor.is('}')) {
    // older compilers took annotations behind a closing brace for those of the element before
    const last = elements.pop()
    if (last !== undefined) elements.push({ ...last, annotations: [...last.annotations, ...annotations], end: cursor.lastEnd })
    return
  }
  if (cursor.isWord('constraint') && cursor.isName(1)) {
    skipConstraint(cursor)
    return
  }
  if (cursor.isWord('extend') && cursor.isName(1)) {
    cursor.next()
    elements.push(parseExtension(cursor, start, annotations))
    return
  }
  const modifiers = new Set<string>()
  while (MODIFIERS.has(cursor.token.word) && cursor.isName(1)) modifiers.add(cursor.next().word)
  const member = parseMember(cursor, start, annotations)
  elements.push({
    ...member,
    key: modifiers.has('key'),
    virtual: modifiers.has('virtual'),
    localized: member.localized || modifiers.has('localized'),
  })
  if (!cursor.is(';') && !cursor.is('}') && !cursor.isBehindBrace) cursor.fail()
}

/** `constraint name unique (…)`, `constraint name condition`: no element, and nothing that a rule asks about. */
function skipConstraint(cursor: Cursor): void {
  const { level } = cursor.token
  while (!cursor.isAtEnd && cursor.token.level >= level && !(cursor.is(';') && cursor.token.level === level)) cursor.next()
}

/** `extend name with { … }` of an element that exists. */
function parseExtension(cursor: Cursor, start: number, annotations: CdsMember['annotations']): CdsMember {
  cursor.acceptWord('element')
  const name = cursor.parseName()
  cursor.acceptWord('with')
  const all = [...annotations, ...parseAnnotations(cursor)]
  const type: CdsType | undefined = cursor.is('{') || cursor.isWord('enum') ? parseExtendedType(cursor) : undefined
  return { ...toMember(name), annotations: all, type, extension: true, start, end: cursor.lastEnd }
}

function parseExtendedType(cursor: Cursor): CdsType {
  if (cursor.is('{')) return parseType(cursor)
  const { start } = cursor.token
  // without a type in front: the symbols belong to the type that is there
  const symbols = parseEnum(cursor)
  return { kind: 'struct', elements: [], toMany: false, keys: [], enum: symbols, annotations: [], start, end: cursor.lastEnd }
}

function toMember({ name, start, end }: { name: string; start: number; end: number }): CdsMember {
  return {
    name,
    nameSpan: { start, end },
    annotations: [],
    key: false,
    virtual: false,
    localized: false,
    notNull: false,
    extension: false,
    start,
    end,
  }
}

/** A name with type, default, value and annotations, in whatever order files have them. */
export function parseMember(cursor: Cursor, start: number, prefix: CdsMember['annotations']): CdsMember {
  const name = cursor.parseName()
  const annotations = [...prefix, ...parseAnnotations(cursor, 'before-type')]
  let type: CdsType | undefined
  let fallback: CdsExpression | undefined
  let value: CdsExpression | undefined
  let notNull = false
  let localized = false
  if (cursor.is('{')) type = parseType(cursor)
  else if (cursor.accept(':')) {
    localized = cursor.isWord('localized') && cursor.isName(1)
    type = parseType(cursor)
  }
  for (;;) {
    if (cursor.acceptWord('default')) fallback = parseExpression(cursor)
    else if (cursor.isWord('not') && cursor.isWord('null', 1)) {
      cursor.next()
      cursor.next()
      notNull = true
    } else if (cursor.accept('=')) {
      if (cursor.isWord('select') || (cursor.is('(') && cursor.isWord('select', 1))) cursor.fail()
      value = parseExpression(cursor)
    } else if (type !== undefined && cursor.isWord('enum') && cursor.is('{', 1)) {
      type = { ...type, enum: parseEnum(cursor), end: cursor.lastEnd }
    } else if (cursor.is('@') && !cursor.isBehindBrace) addAnnotations(cursor, annotations)
    else if (!cursor.acceptWord('null') && !cursor.acceptWord('stored')) break
  }
  return {
    ...toMember(name),
    nameSpan: toSpan(name),
    annotations,
    localized,
    notNull,
    type,
    default: fallback,
    value,
    start,
    end: cursor.lastEnd,
  }
}

/** `(a: Integer, @x b: many $self)`; also without parentheses, as in `with parameters a: Integer, b: String`. */
export function parseParams(cursor: Cursor): CdsMember[] {
  const params: CdsMember[] = []
  const inParentheses = cursor.accept('(')
  if (inParentheses && cursor.accept(')')) return params
  do {
    if (inParentheses && cursor.is(')')) break
    const { start } = cursor.token
    const annotations = parseAnnotations(cursor)
    if ((cursor.isWord('in') || cursor.isWord('out') || cursor.isWord('inout')) && cursor.isName(1)) cursor.next()
    params.push(parseMember(cursor, start, annotations))
  } while (cursor.accept(','))
  if (inParentheses) cursor.expect(')')
  return params
}
