import type {
  CdsAction,
  CdsAnnotate,
  CdsAnnotation,
  CdsDefinition,
  CdsExtend,
  CdsKind,
  CdsMember,
  CdsQuery,
  CdsReference,
  CdsType,
  CdsUsing,
} from './types.ts'
import type { Cursor } from './cursor.ts'
import { addAnnotations, parseAnnotations } from './annotations.ts'
import { parseElements, parseParams } from './elements.ts'
import { parseAnnotate, parseExtend } from './extensions.ts'
import { parseQuery } from './queries.ts'
import { beginsQuery, parseEnum, parseReference, parseType, toSpan } from './type-expressions.ts'

/** What a file or a block holds, filled while it is read. */
export interface Statements {
  namespace: string
  readonly usings: CdsUsing[]
  readonly definitions: CdsDefinition[]
  readonly annotates: CdsAnnotate[]
  readonly extends: CdsExtend[]
}

/** Reads one definition, directive or extension of the block `scope`, annotations in front included. */
export function parseStatement(cursor: Cursor, scope: string, into: Statements): void {
  const { start } = cursor.token
  const annotations = parseAnnotations(cursor)
  if (annotations.length > 0 && (cursor.is(';') || cursor.is('}'))) {
    // older compilers took annotations behind a closing brace for those of the definition before
    const last = into.definitions.pop()
    if (last !== undefined) into.definitions.push({ ...last, annotations: [...last.annotations, ...annotations] })
    return
  }
  cursor.acceptWord('define')
  let abstract = false
  // an abstract entity is what older files had instead of aspects
  while (['abstract', 'global', 'temporary'].includes(cursor.token.word)) abstract = cursor.next().word === 'abstract' || abstract
  const { word } = cursor.next()
  switch (word) {
    case 'namespace':
      into.namespace = cursor.parsePath().name
      break
    case 'using':
      parseUsing(cursor, start, into)
      break
    case 'annotate':
      into.annotates.push(parseAnnotate(cursor, start, scope, annotations))
      break
    case 'extend':
      into.extends.push(parseExtend(cursor, start, scope, annotations))
      break
    case 'service':
    case 'context':
      parseContainer(cursor, { kind: word, start, scope, annotations }, into)
      break
    case 'entity':
    case 'view':
      into.definitions.push(parseDefinition(cursor, { kind: abstract ? 'aspect' : 'entity', start, scope, annotations }))
      break
    case 'type':
    case 'aspect':
    case 'event':
    case 'annotation':
      into.definitions.push(parseDefinition(cursor, { kind: word, start, scope, annotations }))
      break
    case 'action':
    case 'function': {
      const action = parseOperation(cursor, word, start, annotations)
      into.definitions.push({ ...BARE, ...action, name: cursor.qualify(scope, action.name), kind: word, scope })
      break
    }
    default:
      cursor.fail()
  }
  const endsQuery = into.definitions.at(-1)?.query !== undefined && cursor.beginsDefinition
  if (!cursor.is(';') && !cursor.is('}') && !cursor.isAtEnd && !cursor.isBehindBrace && !endsQuery && word !== 'using')
    cursor.fail()
}

const BARE = { includes: [], elements: [], params: [], actions: [] } as const

interface Head {
  readonly kind: CdsKind
  readonly start: number
  readonly scope: string
  readonly annotations: CdsAnnotation[]
}

/** `using path as alias from 'file'`, `using { a, b as c } from 'file'`, `using from 'file'`. */
function parseUsing(cursor: Cursor, start: number, into: Statements): void {
  const names: { path: string; alias: string; start: number }[] = []
  const read = (): void => {
    const path = cursor.parsePath()
    const alias = cursor.acceptWord('as') ? cursor.parseName().name : path.name.slice(path.name.lastIndexOf('.') + 1)
    names.push({ path: path.name, alias, start: path.start })
  }
  if (cursor.is('{')) cursor.parseBlock(',', read)
  else if (!cursor.isWord('from') || cursor.peek().kind !== 'string') read()
  let from: string | undefined
  if (cursor.acceptWord('from')) {
    if (cursor.token.kind !== 'string') cursor.fail()
    from = cursor.next().text
  }
  const end = cursor.lastEnd
  if (names.length === 0) into.usings.push({ from, start, end })
  for (const { path, alias } of names) into.usings.push({ path, alias, from, start, end })
}

/** A service or context, and all that stands in it. */
function parseContainer(cursor: Cursor, head: Head, into: Statements): void {
  const name = cursor.parsePath()
  const qualified = cursor.qualify(head.scope, name.name)
  const annotations = [...head.annotations, ...parseAnnotations(cursor, 'before-type')]
  const index = into.definitions.length
  const place = { ...head, ...BARE, annotations, name: qualified, nameSpan: toSpan(name) }
  // keeps its place in front of what it holds; the end is known only behind
  into.definitions.push({ ...place, end: cursor.lastEnd })
  if (cursor.is('{')) {
    cursor.parseBlock(';', () => {
      parseStatement(cursor, qualified, into)
    })
  }
  into.definitions[index] = { ...place, end: cursor.lastEnd }
  if (cursor.isWord('actions') && cursor.is('{', 1)) parseActions(cursor, [])
}

/** An entity, type, aspect, event or annotation. */
function parseDefinition(cursor: Cursor, head: Head): CdsDefinition {
  const name = cursor.parsePath()
  const annotations = [...head.annotations, ...parseAnnotations(cursor, 'before-type')]
  let params: CdsMember[] = []
  if (cursor.is('(')) params = parseParams(cursor)
  else if (cursor.isWord('with') && cursor.isWord('parameters', 1)) {
    cursor.next()
    cursor.next()
    params = parseParams(cursor)
  }
  addAnnotations(cursor, annotations, 'before-type')
  const body = parseBody(cursor, head.kind, annotations)
  return {
    ...BARE,
    ...head,
    ...body,
    annotations,
    params,
    name: cursor.qualify(head.scope, name.name),
    nameSpan: toSpan(name),
    start: head.start,
    end: cursor.lastEnd,
  }
}

interface Body {
  includes: CdsReference[]
  elements: CdsMember[]
  actions: CdsAction[]
  type?: CdsType
  query?: CdsQuery
}

function parseBody(cursor: Cursor, kind: CdsKind, annotations: CdsAnnotation[]): Body {
  const body: Body = { includes: [], elements: [], actions: [] }
  if (cursor.accept(':')) parseBase(cursor, kind, body)
  if (!cursor.isBehindBrace) addAnnotations(cursor, annotations, 'before-type')
  if (cursor.is('{')) body.elements = parseElements(cursor)
  if (cursor.acceptWord('as') || (body.type === undefined && beginsQuery(cursor))) body.query = parseQuery(cursor)
  parseTail(cursor, body, annotations)
  return body
}

/** Behind the colon stand the names of aspects, or of a type: only what follows them tells. */
function parseBase(cursor: Cursor, kind: CdsKind, body: Body): void {
  const isAspect = kind === 'entity' || kind === 'aspect'
  if (!isAspect) {
    const type = parseType(cursor)
    const isInclude = type.kind === 'reference' && type.reference?.element === undefined && (cursor.is(',') || cursor.is('{'))
    if (!isInclude) {
      if (type.kind === 'query') body.query = type.query
      else if (type.kind === 'struct') body.elements = [...type.elements]
      else body.type = type
      return
    }
    if (type.reference !== undefined) body.includes.push(type.reference)
    if (!cursor.accept(',')) return
  }
  if (cursor.is('{')) return
  do {
    if (cursor.is('{')) return
    body.includes.push(parseReference(cursor))
  } while (cursor.accept(','))
}

/** What follows a body in any order: bound actions, defaults of types, HANA's blocks. */
function parseTail(cursor: Cursor, body: Body, annotations: CdsAnnotation[]): void {
  for (;;) {
    if (cursor.isWord('actions') && cursor.is('{', 1)) parseActions(cursor, body.actions)
    else if (body.type !== undefined && cursor.isWord('enum') && cursor.is('{', 1)) {
      body.type = { ...body.type, enum: parseEnum(cursor), end: cursor.lastEnd }
    } else if (cursor.isWord('technical') && cursor.isWord('configuration', 1)) {
      cursor.next()
      cursor.next()
      skipBraces(cursor)
    } else if (cursor.isWord('with') && (cursor.isWord('structured', 1) || cursor.isWord('associations', 1))) {
      cursor.next()
      cursor.next()
      if (cursor.is('{')) skipBraces(cursor)
      else while (cursor.isName()) cursor.next()
    } else if (cursor.acceptWord('default')) parseEnumDefault(cursor)
    else if (cursor.isWord('not') && cursor.isWord('null', 1)) {
      cursor.next()
      cursor.next()
    } else if (cursor.is('@') && !cursor.isBehindBrace && body.query === undefined) addAnnotations(cursor, annotations)
    else return
  }
}

function parseEnumDefault(cursor: Cursor): void {
  cursor.accept('#')
  cursor.next()
}

/** Passes over a block in which nothing is of interest. */
function skipBraces(cursor: Cursor): void {
  if (!cursor.is('{')) cursor.fail()
  const { level } = cursor.next()
  while (!cursor.isAtEnd && cursor.token.level > level) cursor.next()
  cursor.expect('}')
}

/** `actions { action a(); function f() returns String; }` */
export function parseActions(cursor: Cursor, actions: CdsAction[]): void {
  cursor.next()
  cursor.parseBlock(';', () => {
    const { start } = cursor.token
    const annotations = parseAnnotations(cursor)
    if (cursor.is('}')) return
    const { word } = cursor.next()
    if (word !== 'action' && word !== 'function') cursor.fail()
    actions.push(parseOperation(cursor, word, start, annotations))
    if (!cursor.is(';') && !cursor.is('}') && !cursor.isBehindBrace) cursor.fail()
  })
}

function parseOperation(cursor: Cursor, kind: 'action' | 'function', start: number, prefix: CdsAnnotation[]): CdsAction {
  const name = cursor.parsePath()
  const annotations = [...prefix, ...parseAnnotations(cursor)]
  const params = cursor.is('(') ? parseParams(cursor) : []
  addAnnotations(cursor, annotations)
  let returns: CdsType | undefined
  if (cursor.acceptWord('returns')) {
    const before = parseAnnotations(cursor)
    const type = parseType(cursor)
    while (cursor.acceptWord('not') || cursor.acceptWord('null')) continue
    const behind = cursor.isBehindBrace ? [] : parseAnnotations(cursor)
    returns = { ...type, annotations: [...before, ...behind] }
  }
  return { kind, name: name.name, nameSpan: toSpan(name), annotations, params, returns, start, end: cursor.lastEnd }
}
