import type { CdsExpression, CdsMember, CdsName, CdsQuery, CdsSource } from './types.ts'
import type { Cursor } from './cursor.ts'
import { parseColumns, parseExcluding } from './columns.ts'
import { parseElements } from './elements.ts'
import { parseArguments, parseExpression, parseFilter } from './expressions.ts'

const SET_WORDS: ReadonlySet<string> = new Set(['union', 'intersect', 'except', 'minus'])
const JOIN_WORDS: ReadonlySet<string> = new Set(['join', 'inner', 'left', 'right', 'full', 'cross'])

/** Behind a source these go on with the query; every other name is an alias. */
const CLAUSES: ReadonlySet<string> = new Set([
  ...SET_WORDS,
  ...JOIN_WORDS,
  'outer',
  'mixin',
  'excluding',
  'where',
  'group',
  'having',
  'order',
  'limit',
  'on',
  'as',
  'actions',
  'with',
  'technical',
])

/** Reads a query: `projection on …`, `select from …`, set operations of them, all in parentheses or not. */
export function parseQuery(cursor: Cursor): CdsQuery {
  return cursor.nest(() => {
    const { start } = cursor.token
    const first = parseOperand(cursor)
    if (!SET_WORDS.has(cursor.token.word)) return parseOrder(cursor) ? { ...first, isNarrowed: true } : first
    const parts = [first]
    while (SET_WORDS.has(cursor.token.word)) {
      cursor.next()
      if (!cursor.acceptWord('all')) cursor.acceptWord('distinct')
      parts.push(parseOperand(cursor))
    }
    parseOrder(cursor)
    return { kind: 'set', sources: [], columns: first.columns, excluding: [], mixins: [], parts, start, end: cursor.lastEnd }
  })
}

function parseOperand(cursor: Cursor): CdsQuery {
  if (!cursor.accept('(')) return parseSelect(cursor)
  const query = parseQuery(cursor)
  cursor.expect(')')
  return query
}

interface From {
  readonly sources: CdsSource[]
  readonly parts: CdsQuery[]
  /** Something but `where` leaves rows out. */
  isNarrowed: boolean
}

function parseSelect(cursor: Cursor): CdsQuery {
  const { start, word } = cursor.next()
  if (word === 'projection') {
    if (!cursor.acceptWord('on')) cursor.fail()
  } else if (word !== 'select') cursor.fail()

  let excluding: CdsName[] = []
  let columns = undefined
  // `select a, b from X` as in SQL; else the columns stand in braces behind the source
  if (word === 'select' && !cursor.acceptWord('from')) {
    if (!cursor.acceptWord('distinct')) cursor.acceptWord('all')
    if (!cursor.isWord('from')) {
      columns = parseColumns(cursor)
      excluding = parseExcluding(cursor)
    }
    if (!cursor.acceptWord('from')) cursor.fail()
  }
  const from: From = { sources: [], parts: [], isNarrowed: false }
  parseSources(cursor, from)
  const mixins: CdsMember[] = cursor.acceptWord('mixin') ? parseElements(cursor) : []
  if (mixins.length > 0) cursor.acceptWord('into')
  if (!cursor.acceptWord('distinct')) cursor.acceptWord('all')
  if (cursor.is('{')) columns = parseColumns(cursor)
  excluding = [...excluding, ...parseExcluding(cursor)]
  const where = parseConditions(cursor, from)
  return {
    kind: word === 'projection' ? 'projection' : 'select',
    sources: from.sources,
    columns,
    excluding,
    mixins,
    where,
    ...(from.isNarrowed && { isNarrowed: true as const }),
    parts: from.parts,
    start,
    end: cursor.lastEnd,
  }
}

/** `where`, `group by`, `having`; queries inside are parts of the one around them. */
function parseConditions(cursor: Cursor, from: From): CdsExpression | undefined {
  const where = cursor.acceptWord('where') ? parseExpression(cursor) : undefined
  for (const query of where?.queries ?? []) from.parts.push(query)
  if (cursor.isWord('group') && cursor.isWord('by', 1)) {
    from.isNarrowed = true
    cursor.next()
    cursor.next()
    do parseExpression(cursor)
    while (cursor.accept(','))
  }
  if (cursor.acceptWord('having')) {
    from.isNarrowed = true
    parseExpression(cursor)
  }
  if (parseOrder(cursor)) from.isNarrowed = true
  return where
}

/** Tells whether a `limit` leaves rows out. */
function parseOrder(cursor: Cursor): boolean {
  if (cursor.isWord('order') && cursor.isWord('by', 1)) {
    cursor.next()
    cursor.next()
    do {
      parseExpression(cursor)
      if (!cursor.acceptWord('asc')) cursor.acceptWord('desc')
      if (cursor.acceptWord('nulls')) cursor.next()
    } while (cursor.accept(','))
  }
  if (!cursor.isWord('limit') || cursor.is('.', 1)) return false
  cursor.next()
  parseExpression(cursor)
  if (cursor.acceptWord('offset')) parseExpression(cursor)
  return true
}

/** Sources with commas and joins between them. */
function parseSources(cursor: Cursor, from: From): void {
  parseSource(cursor, from)
  for (;;) {
    if (cursor.accept(',')) {
      parseSource(cursor, from)
    } else if (JOIN_WORDS.has(cursor.token.word)) {
      // `left outer many to one join`: all but the last word qualify it
      while (!cursor.isWord('join')) {
        if (!cursor.isName()) cursor.fail()
        cursor.next()
      }
      cursor.next()
      parseSource(cursor, from)
    } else if (cursor.acceptWord('on')) {
      parseExpression(cursor)
    } else return
  }
}

function parseSource(cursor: Cursor, from: From): void {
  if (cursor.is('(')) {
    if (beginsSelect(cursor)) from.parts.push(parseOperand(cursor))
    else {
      cursor.next()
      cursor.nest(() => {
        parseSources(cursor, from)
      })
      cursor.expect(')')
    }
    parseAlias(cursor)
    return
  }
  from.sources.push(parseSourcePath(cursor, from))
}

/** Looks through parentheses: a query in them, or a join? */
function beginsSelect(cursor: Cursor): boolean {
  let ahead = 0
  while (cursor.is('(', ahead)) ahead++
  return cursor.isWord('select', ahead) || (cursor.isWord('projection', ahead) && cursor.isWord('on', ahead + 1))
}

/** `my.Books(p: 1)[stock > 0]:author.address as a` */
function parseSourcePath(cursor: Cursor, from: From): CdsSource {
  const { start, name } = cursor.parseName()
  const inner = { paths: [], queries: [] }
  let path = name
  let element: string | undefined
  for (;;) {
    if (cursor.is('(')) parseArguments(cursor, inner)
    else if (cursor.is('[')) {
      from.isNarrowed = true
      parseFilter(cursor, inner)
    } else if ((cursor.is('.') || cursor.is('::')) && cursor.isName(1)) {
      const { text } = cursor.next()
      if (element === undefined) path += text + cursor.next().text
      else element += `.${cursor.next().text}`
    } else if (element === undefined && cursor.is(':') && cursor.isName(1)) {
      cursor.next()
      element = cursor.next().text
    } else break
  }
  if (path.length > 500) cursor.fail()
  return { path, element, start, end: cursor.lastEnd, alias: parseAlias(cursor) }
}

function parseAlias(cursor: Cursor): string | undefined {
  if (cursor.acceptWord('as')) return cursor.parseName().name
  const { kind, word } = cursor.token
  // the compiler only warns of a missing semicolon behind a projection
  const endsHere = cursor.isAtStarter || (cursor.beginsDefinition && !CLAUSES.has(cursor.peek(1).word))
  if (kind === 'quoted' || (kind === 'name' && !CLAUSES.has(word) && !endsHere)) return cursor.next().text
  return undefined
}
