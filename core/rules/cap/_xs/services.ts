import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, stringConstantOf, pathOf, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import type { Span } from '../../../types.ts'
import { executesWrite } from './statements.ts'

/**
 * What a script of XS classic has to do with privileges: `check`, that it asks for one; `reads`, that it takes a parameter of the request and talks to the database;
 * `imports`, that it uses a library; `changes`, that it writes rows, or takes the body of the request.
 * Fact: SAP HANA XS JavaScript API Reference, $.session (hasAppPrivilege, assertAppPrivilege), $.request.parameters, $.hdb, $.import.
 */
export interface XsScript extends Span {
  readonly kind: 'check' | 'reads' | 'imports' | 'changes'
  /** Of a check: the functions around it. */
  readonly functions: readonly string[]
  /** Of a check the privilege, of an import the name of the library, of what reads the parameter. */
  readonly name: string
}

export const xsScripts: Extract<XsScript> = defineExtract({
  name: 'cap-xs-scripts',
  keywords: ['AppPrivilege', 'SystemPrivilege', '$.request', '$.import'],
  isFor: (path) => /\.xsjs(?:lib)?$/i.test(path),
  collect: ({ facts, path, step }) => [...findScripts(facts, path, step)],
})

/** One of each script that writes a response and calls nothing else: `$.response.setBody("Hello World")`, with which generators fill a new module. */
export const idleXsScripts: Extract<'idle'> = defineExtract({
  name: 'cap-xs-idle-scripts',
  keywords: ['$.response'],
  isFor: (path) => /\.xsjs$/i.test(path),
  *collect({ facts, step }) {
    step(facts.calls.length)
    if (facts.calls.length > 0 && facts.calls.every(({ callee }) => ANSWERS.test(pathOf(callee)?.join('.') ?? ''))) yield 'idle'
  },
})

const ANSWERS = /^global:(?:\$\.response\.|JSON\.stringify$)/

/** Parameters that say what to do, rather than for which rows. */
const CHOOSES = /^(?:cmd|command|action|op|operation|method|mode|format)$/i

function* findScripts(facts: ScriptFacts, path: string, step: (count?: number) => void): Generator<XsScript> {
  let parameter: XsScript | undefined
  let change: XsScript | undefined
  let isDatabase = false
  for (const call of facts.calls) {
    step()
    const { callee, args, start, end, function: around } = call
    const [root, ...steps] = pathOf(callee) ?? []
    if (change === undefined && (CHANGES.test([root, ...steps].slice(-4).join('.')) || executesWrite(call, facts, step)))
      change = { kind: 'changes', start, end, functions: [], name: steps.at(-1) ?? '' }
    if (root !== 'global:$') continue
    const name = steps.join('.')
    const text = String((args[0] && constantOf(args[0])) ?? '')
    // whoever asks for the user answers for that user alone
    if (/^session\.(?:(?:has|assert)(?:App|System)Privileges?|getUsername)$/.test(name))
      yield { kind: 'check', start, end, functions: namesAround(around), name: text }
    if (name === 'import') yield { kind: 'imports', start, end, functions: [], name: lastPart(args[0], args[1]) }
    if (name === 'request.parameters.get' && (parameter === undefined || CHOOSES.test(parameter.name)))
      parameter = { kind: 'reads', start, end, functions: [], name: text }
    if (/^(?:hdb|db)\.getConnection$/.test(name)) isDatabase = true
  }
  if (change !== undefined && /\.xsjs$/i.test(path)) yield change
  if (parameter !== undefined && isDatabase && /\.xsjs$/i.test(path)) yield parameter
}

/** `statement.executeUpdate()`, `$.request.body.asString()`. */
const CHANGES = /(?:^|\.)executeUpdate$|^global:\$\.request\.body\.as(?:String|ArrayBuffer|WebRequest)$/

function namesAround(fact: FunctionFact): string[] {
  const names: string[] = []
  for (let here: FunctionFact | undefined = fact; here !== undefined; here = here.parent)
    if (here.name !== '') names.push(here.name)
  return names
}

/** The file of `$.import('acme.lib', 'session')` and `$.import('/acme/lib/session.xsjslib')`. */
export function lastPart(first: Value | undefined, second: Value | undefined): string {
  const named = stringConstantOf(second)
  const path = named ?? String((first && constantOf(first)) ?? '')
  return path.replace(/\.xsjslib$/i, '').replace(/^.*[./]/, '')
}

/** An entity of an OData service whose rows a function writes. */
export interface XsEntity {
  /** As clients know it. */
  readonly name: string
  readonly table: string
  /** Of the text that names its table. */
  readonly span: Span
  /** The functions that write, by what they write: `create` by `{ file: 'acme/lib/orders.xsjslib', name: 'create' }`. */
  readonly replaced: ReadonlyMap<string, { readonly file: string; readonly name: string }>
  /** What clients write without one. */
  readonly open: readonly string[]
  /** The columns that it shows, or does not show; neither: it shows all. */
  readonly columns?: readonly string[]
  readonly hidden?: readonly string[]
}

const OPERATIONS = ['create', 'update', 'delete'] as const

/**
 * The entities of an OData service of XS classic whose rows a function writes.
 * Facts: SAP HANA Developer Guide for XS classic, "OData Service Definitions" ("Custom Exits", "Entity Sets": all can be written unless `forbidden`; those with a `key`
 * of their own are views: those count of which the project shows that they can be written). The README of @sap/xsodata names `scopes`, with which the server asks for a scope.
 */
export function readXsEntities(text: string, isWritableView: (table: string) => boolean): XsEntity[] {
  const code = withoutComments(text)
  if (/\bscopes\s*\(/.test(code) || !SERVICE.test(code)) return []
  const found: XsEntity[] = []
  let start = 0
  for (const statement of code.split(';')) {
    const entity = readEntity(statement, start, isWritableView)
    if (entity !== undefined) found.push(entity)
    start += statement.length + 1
  }
  return found
}

/** Without its brace nothing activates it. */
const SERVICE = /\bservice\b(?:\s{0,100}namespace\s{0,100}"[^"]{0,200}")?\s{0,400}\{/

/** The text with blanks in the place of comments: places stay what they are. */
function withoutComments(text: string): string {
  const pieces: string[] = []
  let from = 0
  const begins = /\/[*/]/g
  for (let found = begins.exec(text); found !== null; found = begins.exec(text)) {
    const isBlock = found[0] === '/*'
    const close = text.indexOf(isBlock ? '*/' : '\n', found.index + 2)
    const end = close < 0 ? text.length : isBlock ? close + 2 : close
    pieces.push(text.slice(from, found.index), ' '.repeat(end - found.index))
    from = end
    begins.lastIndex = end
  }
  pieces.push(text.slice(from))
  return pieces.join('')
}

function readEntity(statement: string, offset: number, isWritableView: (table: string) => boolean): XsEntity | undefined {
  const head = ENTITY.exec(statement)
  const [, table = '', name = ''] = head ?? []
  if (head === null) return undefined
  const rest = statement.slice(head.index + head[0].length).replace(/\b(?:without|with|navigates)\s{0,20}\([^()]{0,4000}\)/g, ' ')
  if (/\bkeys?\b/.test(rest) && (/\bkeys?\s{1,20}generate\b/.test(rest) || !isWritableView(table))) return undefined
  const replaced = new Map<string, { file: string; name: string }>()
  for (const [, operation = '', path = ''] of rest.matchAll(USING)) {
    const exit = /^(.{1,300}\.xsjslib)::(\w{1,100})$/.exec(path)
    const [, file = '', name = ''] = exit ?? []
    if (exit !== null) replaced.set(operation, { file: toPath(file), name })
  }
  const words = new Set<string>(rest.match(/\b(?:create|update|delete)\b/g))
  const open = OPERATIONS.filter((operation) => !words.has(operation))
  const start = offset + head.index + head[0].indexOf(`"${table}"`) + 1
  const [, kind, list = ''] = /\b(with|without)\s{0,20}\(([^()]{0,4000})\)/.exec(statement) ?? []
  const named = [...list.matchAll(/"([^"]{1,200})"/g)].map(([, column = '']) => column)
  const shown = kind === 'with' ? { columns: named } : kind === 'without' ? { hidden: named } : {}
  return { name, table, span: { start, end: start + table.length }, replaced, open, ...shown }
}

/** A table in which scripts look passwords up, or to which they write them. */
interface PasswordTable {
  readonly table: string
  readonly column: string
}

/** Tables of statements in scripts that compare or write a column of passwords: `SELECT … FROM "CLUB"."Member" WHERE "password" = ?`. */
export const passwordTables: Extract<PasswordTable> = defineExtract({
  name: 'cap-xs-password-tables',
  keywords: ['password', 'passwd', 'passwort', 'senha'],
  isFor: (path) => /\.xsjs(?:lib)?$/i.test(path),
  collectText: (text) => tablesIn(text.replace(/['"]\s{0,40}\+\s{0,200}['"](?=[^"])/g, '').replaceAll('\\"', '"')),
})

const NAMED_TABLE =
  /\b(?:from|insert\s{1,9}into|update)\s{1,9}((?:"[^"\n]{1,200}"|\w{1,100})(?:\.(?:"[^"\n]{1,200}"|\w{1,100}))?)/gi
const PASSWORD_COLUMN = /"?\b(password|passwd|passwort|senha)\b"?\s{0,9}(?:=\s{0,9}(?:\?|')|,|\))/i
const LONGEST_STATEMENT = 600

function* tablesIn(text: string): Generator<PasswordTable> {
  for (const { 0: whole, 1: table = '', index } of text.matchAll(NAMED_TABLE)) {
    const behind = text.slice(index + whole.length, index + whole.length + LONGEST_STATEMENT)
    const column = PASSWORD_COLUMN.exec(behind.split(/\bfrom\b|;/i, 1)[0] ?? '')?.[1]
    if (column !== undefined) yield { table: simpleNameOf(table), column }
  }
}

/** `Member` of `"CLUB"."Member"`, of `"acme.db::Member"` and of `acme.db::club.Member`, in small letters. */
export function simpleNameOf(table: string): string {
  return (table.match(/[^.:"]+/g)?.at(-1) ?? table).toLowerCase()
}

const ENTITY = /"([^"]{1,200})"\s{1,20}as\s{1,20}"([^"]{1,200})"/
const USING = /\b(create|update|delete)\s{1,20}using\s{1,20}"([^"]{1,400})"/g

/** `acme.lib:orders.xsjslib` as a path. */
function toPath(name: string): string {
  const ending = name.slice(0, -'.xsjslib'.length)
  return `${ending.replace(/[.:]/g, '/')}.xsjslib`
}
