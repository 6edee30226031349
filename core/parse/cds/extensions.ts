import type {
  CdsAction,
  CdsAnnotate,
  CdsAnnotated,
  CdsAnnotatedMember,
  CdsAnnotation,
  CdsColumn,
  CdsDefinition,
  CdsEnumSymbol,
  CdsExtend,
  CdsMember,
  CdsReference,
} from './types.ts'
import type { Cursor } from './cursor.ts'
import type { Statements } from './definitions.ts'
import { addAnnotations, parseAnnotations } from './annotations.ts'
import { parseColumns } from './columns.ts'
import { parseActions, parseStatement } from './definitions.ts'
import { parseElements } from './elements.ts'
import { parseEnum, parseReference, toSpan } from './type-expressions.ts'

/** `annotate target with @a { element @b; } actions { act @c }`; the keyword is behind the cursor. */
export function parseAnnotate(cursor: Cursor, start: number, scope: string, prefix: CdsAnnotation[]): CdsAnnotate {
  parseTargetKind(cursor)
  const target = parseReference(cursor)
  const annotated = parseAnnotated(cursor, start, prefix)
  return { ...annotated, target, scope }
}

/** Words that tell what the target is; the target's name may be such a word as well. */
const TARGET_KINDS: ReadonlySet<string> = new Set([
  'entity',
  'type',
  'aspect',
  'context',
  'service',
  'projection',
  'element',
  'view',
  'event',
  'action',
  'function',
])

function parseTargetKind(cursor: Cursor): string {
  return TARGET_KINDS.has(cursor.token.word) && cursor.isName(1) && !cursor.isWord('with', 1) ? cursor.next().word : ''
}

const BARE = { elements: [], actions: [], params: [] } as const

/** What stands behind the name of the target or of a part of it. */
function parseAnnotated(cursor: Cursor, start: number, prefix: CdsAnnotation[]): CdsAnnotated {
  const annotations = [...prefix, ...parseAnnotations(cursor)]
  const elements: CdsAnnotatedMember[] = []
  const actions: CdsAnnotatedMember[] = []
  let params: CdsAnnotatedMember[] = []
  let returns: CdsAnnotated | undefined
  if (cursor.acceptWord('with')) addAnnotations(cursor, annotations)
  for (;;) {
    if (cursor.is('{')) parseAnnotatedBlock(cursor, elements)
    else if ((cursor.isWord('enum') || cursor.isWord('elements')) && cursor.is('{', 1)) {
      cursor.next()
      parseAnnotatedBlock(cursor, elements)
    } else if (cursor.isWord('actions') && cursor.is('{', 1)) {
      cursor.next()
      parseAnnotatedBlock(cursor, actions)
    } else if (cursor.is('(')) params = parseAnnotatedParams(cursor)
    else if (cursor.isWord('returns') && (cursor.is('{', 1) || cursor.is('@', 1))) {
      const from = cursor.next().start
      returns = parseReturned(cursor, from)
    } else break
  }
  return { annotations, elements, actions, params, returns, start, end: cursor.lastEnd }
}

function parseReturned(cursor: Cursor, start: number): CdsAnnotated {
  const annotations = parseAnnotations(cursor)
  const elements: CdsAnnotatedMember[] = []
  if (cursor.is('{')) parseAnnotatedBlock(cursor, elements)
  return { ...BARE, annotations, elements, start, end: cursor.lastEnd }
}

function parseAnnotatedBlock(cursor: Cursor, members: CdsAnnotatedMember[]): void {
  cursor.parseBlock(';', () => {
    const { start } = cursor.token
    const prefix = parseAnnotations(cursor)
    if (cursor.is('}')) return
    members.push(parseAnnotatedMember(cursor, start, prefix))
    if (!cursor.accept(',') && !cursor.is(';') && !cursor.is('}') && !cursor.isBehindBrace) cursor.fail()
  })
}

function parseAnnotatedParams(cursor: Cursor): CdsAnnotatedMember[] {
  const params: CdsAnnotatedMember[] = []
  cursor.expect('(')
  while (!cursor.is(')')) {
    params.push(parseAnnotatedMember(cursor, cursor.token.start, parseAnnotations(cursor)))
    if (!cursor.accept(',') && !cursor.is(')')) cursor.fail()
  }
  cursor.next()
  return params
}

function parseAnnotatedMember(cursor: Cursor, start: number, prefix: CdsAnnotation[]): CdsAnnotatedMember {
  if ((cursor.isWord('action') || cursor.isWord('function') || cursor.isWord('element')) && cursor.isName(1)) cursor.next()
  const name = cursor.parseName()
  const annotated = parseAnnotated(cursor, start, prefix)
  return { ...annotated, name: name.name, nameSpan: toSpan(name) }
}

const EXTENDED_PARTS: ReadonlySet<string> = new Set(['elements', 'columns', 'enum', 'actions', 'definitions', 'technical'])

interface Extended {
  includes: CdsReference[]
  elements: readonly CdsMember[]
  enum: readonly CdsEnumSymbol[]
  columns: readonly CdsColumn[]
  actions: CdsAction[]
  definitions: readonly CdsDefinition[]
}

/** `extend target with …` in all its forms; the keyword is behind the cursor. */
export function parseExtend(cursor: Cursor, start: number, scope: string, prefix: CdsAnnotation[]): CdsExtend {
  const kind = parseTargetKind(cursor)
  const target = parseReference(cursor)
  const annotations = [...prefix, ...parseAnnotations(cursor)]
  if (cursor.acceptWord('with')) addAnnotations(cursor, annotations)
  const extended: Extended = { includes: [], elements: [], enum: [], columns: [], actions: [], definitions: [] }
  while (cursor.isName() && !EXTENDED_PARTS.has(cursor.token.word)) {
    extended.includes.push(parseReference(cursor))
    if (!cursor.accept(',')) break
  }
  parseExtendedParts(cursor, extended, kind)
  return { ...extended, target, scope, annotations, start, end: cursor.lastEnd }
}

function parseExtendedParts(cursor: Cursor, extended: Extended, kind: string): void {
  for (;;) {
    const isDefinitions = cursor.acceptWord('definitions') || kind === 'service' || kind === 'context'
    if (cursor.is('{') && isDefinitions) extended.definitions = parseDefinitions(cursor)
    else if (cursor.is('{') && kind === 'projection') extended.columns = parseColumns(cursor)
    else if (cursor.is('{')) extended.elements = parseElements(cursor)
    else if (cursor.isWord('elements') && cursor.is('{', 1)) {
      cursor.next()
      extended.elements = parseElements(cursor)
    } else if (cursor.isWord('columns') && cursor.is('{', 1)) {
      cursor.next()
      extended.columns = parseColumns(cursor)
    } else if (cursor.isWord('enum') && cursor.is('{', 1)) extended.enum = parseEnum(cursor)
    else if (cursor.isWord('actions') && cursor.is('{', 1)) parseActions(cursor, extended.actions)
    else if (cursor.accept('(')) skipArguments(cursor)
    else if (cursor.isWord('technical') && cursor.isWord('configuration', 1)) {
      cursor.next()
      cursor.next()
      const { level } = cursor.expect('{')
      while (!cursor.isAtEnd && cursor.token.level > level) cursor.next()
      cursor.expect('}')
    } else return
  }
}

/** `(length: 10)`: no rule asks. */
function skipArguments(cursor: Cursor): void {
  while (!cursor.is(')')) {
    if (cursor.isAtEnd || cursor.is('{') || cursor.is('}') || cursor.is(';')) cursor.fail()
    cursor.next()
  }
  cursor.next()
}

/** Definitions added to a service or context; their names are relative, since the target's real name depends on other files. */
function parseDefinitions(cursor: Cursor): CdsExtend['definitions'] {
  const into: Statements = { namespace: '', usings: [], definitions: [], annotates: [], extends: [] }
  cursor.parseBlock(';', () => {
    parseStatement(cursor, '', into)
  })
  return into.definitions
}
