import type { CdsColumn, CdsExpression, CdsName, CdsType } from './types.ts'
import type { Cursor } from './cursor.ts'
import { addAnnotations, parseAnnotations } from './annotations.ts'
import { parseExpression, pathOf } from './expressions.ts'
import { parseType, toSpan } from './type-expressions.ts'

/** Reads what a query selects: `{ a, b as c }`, or the list of SQL without braces. */
export function parseColumns(cursor: Cursor): CdsColumn[] {
  const columns: CdsColumn[] = []
  if (cursor.is('{')) {
    cursor.parseBlock(',', () => {
      columns.push(parseColumn(cursor))
    })
    return columns
  }
  do columns.push(parseColumn(cursor))
  while (cursor.accept(','))
  return columns
}

export function parseExcluding(cursor: Cursor): CdsName[] {
  const names: CdsName[] = []
  if (!cursor.isWord('excluding') || !cursor.is('{', 1)) return names
  cursor.next()
  cursor.parseBlock(',', () => {
    names.push(cursor.parsePath())
  })
  return names
}

interface Nested {
  columns: readonly CdsColumn[] | undefined
  excluding: readonly CdsName[]
  inline: boolean
}

function parseColumn(cursor: Cursor): CdsColumn {
  const { start } = cursor.token
  const annotations = parseAnnotations(cursor)
  let key = false
  while (
    (cursor.isWord('key') || cursor.isWord('virtual')) &&
    (cursor.isName(1) ||
      ['(', '-', '+', ':'].some((sign) => isOperand(cursor, sign)) ||
      ['string', 'number'].includes(cursor.peek(1).kind))
  ) {
    key = cursor.next().word === 'key' || key
  }
  if (cursor.is('*')) return { ...parseStar(cursor, start), annotations, key }
  const nested: Nested = { columns: undefined, excluding: [], inline: false }
  let expression: CdsExpression | undefined
  if (!cursor.is('{')) expression = parseExpression(cursor)
  parseNested(cursor, nested)
  const alias = parseColumnAlias(cursor)
  addAnnotations(cursor, annotations, 'before-type')
  const type = cursor.accept(':') ? parseColumnType(cursor) : undefined
  if (nested.columns === undefined) parseNested(cursor, nested)
  addAnnotations(cursor, annotations)
  const { name, nameSpan } = nameColumn(expression, alias, nested.inline)
  return {
    name,
    nameSpan,
    expression,
    annotations,
    key,
    type,
    columns: nested.columns,
    excluding: nested.excluding,
    start,
    end: cursor.lastEnd,
  }
}

/** What a selected value may begin with behind `key`: of a colon a parameter, `key :from as a`; `key : String` is an element called key. */
function isOperand(cursor: Cursor, sign: string): boolean {
  return cursor.is(sign, 1) && (sign !== ':' || cursor.peek(3).word === 'as' || cursor.is('.', 3))
}

function parseStar(cursor: Cursor, start: number): CdsColumn {
  const { end } = cursor.next()
  return { name: '*', nameSpan: { start: end - 1, end }, annotations: [], key: false, excluding: [], start, end }
}

/** `as alias`; older files leave the `as` out. */
function parseColumnAlias(cursor: Cursor): CdsName | undefined {
  if (cursor.acceptWord('as')) return cursor.parseName()
  const isName =
    cursor.token.kind === 'quoted' || (cursor.token.kind === 'name' && !['from', 'excluding'].includes(cursor.token.word))
  return isName ? cursor.parseName() : undefined
}

/** `{ … }` of an association, or `.{ … }` and `.*` that lift the members. */
function parseNested(cursor: Cursor, nested: Nested): void {
  if (cursor.is('.') && (cursor.is('{', 1) || cursor.is('*', 1))) {
    cursor.next()
    nested.inline = true
    if (cursor.is('*')) {
      nested.columns = [parseStar(cursor, cursor.token.start)]
      return
    }
  }
  if (!cursor.is('{')) return
  nested.columns = cursor.nest(() => parseColumns(cursor))
  nested.excluding = parseExcluding(cursor)
}

/** A type, or `redirected to Target on condition`. */
function parseColumnType(cursor: Cursor): CdsType | undefined {
  if (!cursor.isWord('redirected') || !cursor.isWord('to', 1)) {
    const type = parseType(cursor)
    skipTypeEnd(cursor)
    return type
  }
  cursor.next()
  cursor.next()
  const { start } = cursor.token
  const { name, end } = cursor.parsePath()
  const reference = { path: name, start, end }
  const keys = cursor.is('{') ? parseColumns(cursor) : []
  const on = cursor.acceptWord('on') ? parseExpression(cursor) : undefined
  return {
    kind: 'association',
    reference,
    elements: [],
    toMany: false,
    keys,
    on,
    enum: [],
    annotations: [],
    start,
    end: cursor.lastEnd,
  }
}

/** `not null` and `default value` behind the type of a virtual column, in either order (cds-compiler 6.9). */
function skipTypeEnd(cursor: Cursor): void {
  for (;;) {
    if (cursor.acceptWord('default')) parseExpression(cursor)
    else if (cursor.isWord('not') && cursor.isWord('null', 1)) {
      cursor.next()
      cursor.next()
    } else return
  }
}

function nameColumn(
  expression: CdsExpression | undefined,
  alias: CdsName | undefined,
  inline: boolean,
): Pick<CdsColumn, 'name' | 'nameSpan'> {
  if (alias !== undefined) return { name: alias.name, nameSpan: toSpan(alias) }
  const path = expression === undefined || inline ? undefined : pathOf(expression)
  if (path === undefined || expression === undefined) return {}
  return { name: path.slice(path.lastIndexOf('.') + 1), nameSpan: toSpan(expression) }
}
