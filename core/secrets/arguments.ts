import type { Budget } from '../budget.ts'
import type { Assignment } from './assignments.ts'
import type { Dialect } from './dialect.ts'
import { CALLS, type CredentialCall } from './call-table.ts'
import { readDeclared, readNamedList } from './declared.ts'
import { readFallback } from './fallbacks.ts'
import { createKeyedTable } from './keyed-table.ts'
import { countLook, permitted, type Layer } from './layers.ts'
import { readLiteral, readUpTo, type Literal } from './literal.ts'
import type { NameKind } from './names.ts'

const USER = /[ \t]{1,8}["'`\w.$@%-]{1,128}\s{1,20}(?:IDENTIFIED\s{1,8}BY\s{1,8}(?:PASSWORD\s{1,8})?|PASSWORD\s{1,8})(?=["'])/iy

const BIND = /[^"'`\r\n]{0,200}["'`],\s{0,8}(?=["'`])/y
const PAIR_OF_NAME = /["']?\s{0,4}[:=]\s{0,4}(?=["'])/y

interface Statement {
  readonly keyword: string
  readonly pattern: RegExp
  readonly kind?: NameKind
  /** `user:password` */
  readonly isPair?: boolean
  /** How the value is written, in quotes where nothing is said. */
  readonly dialect?: Dialect
  /** The sign that ends the value. */
  readonly until?: string
  /** What a try may cost, where its pattern goes far. */
  readonly steps?: number
}

/** A credential that follows on words: of SQL (SAP HANA SQL reference, CREATE USER), of PowerShell, of JNDI, ldapjs, Express and Yarn. */
const STATEMENTS: readonly Statement[] = [
  { keyword: 'create user', pattern: USER },
  { keyword: 'alter user', pattern: USER },
  { keyword: 'convertto-securestring', pattern: /\s{1,4}(?:-String\s{1,4})?(?=["'])/iy },
  { keyword: 'login password', pattern: /\s{1,8}(?=')/y },
  { keyword: 'encrypted password', pattern: /\s{1,8}(?=')/y },
  { keyword: 'with password', pattern: /\s{0,4}=?\s{0,4}(?=N?')/y },
  // MySQL 5.7, "GRANT Statement"
  {
    keyword: 'grant ',
    pattern:
      /[\w\s,.*()`"$-]{1,200}?\sTO\s{1,8}["'`\w.$@%-]{1,128}\s{1,20}IDENTIFIED\s{1,8}BY\s{1,8}(?:PASSWORD\s{1,8})?(?=["'])/iy,
    steps: 20,
  },
  { keyword: 'identified with', pattern: /\s{1,8}["'`]?\w{1,60}["'`]?\s{1,8}(?:BY|AS)\s{1,8}(?=["'])/iy },
  { keyword: 'security_credentials', pattern: /["']?,\s{0,8}(?=["'])/y },
  { keyword: "bind('cn=", pattern: BIND, steps: 20 },
  { keyword: 'bind("cn=', pattern: BIND, steps: 20 },
  {
    keyword: 'basicauth(',
    pattern: /\{[^{}]{0,80}\busers\s{0,4}:\s{0,4}\{\s{0,20}["'`]?[\w.@-]{1,40}["'`]?\s{0,4}:\s{0,4}(?=["'`])/y,
  },
  {
    keyword: 'cookiesession(',
    pattern: /\{[^{}]{0,200}?\bkeys\s{0,4}:\s{0,4}\[\s{0,20}(?=["'`])/y,
    kind: 'secret',
  },
  // prompts that `expect` answers
  {
    keyword: 'expect ',
    pattern: /(?:-\w{2,5}\s{1,4})?["{][^"{}\n]{0,30}assword[^"{}\n]{0,20}["}][\s{]{1,40}(?:exp_)?send\s{1,4}(?:--\s{1,4})?(?=")/y,
  },
  {
    keyword: '.expect(',
    pattern: /[rb]?["'][^"'\n]{0,30}assword[^"'\n]{0,20}["']\)[\s;]{1,40}[\w.]{1,40}\.sendline\(\s{0,4}(?=["'])/y,
  },
  {
    keyword: 'chpasswd:',
    pattern: /(?:\s{1,40}expire:\s{1,4}\w{1,6})?\s{1,40}list:\s{1,4}[|>]?-?\s{1,40}(?:- )?[\w.-]{1,60}:(?!(?:R|RANDOM)\s)(?=\S)/y,
    dialect: 'line',
  },
  { keyword: 'sentinel auth-pass ', pattern: /[\w.-]{1,60}[ \t]{1,4}(?=\S)/y, dialect: 'shell' },
  { keyword: 'sapcontrol ', pattern: /[^\n]{0,200}?-user[ \t]{1,4}[\w.@-]{1,60}[ \t]{1,4}(?=\S)/y, dialect: 'shell', steps: 30 },
  { keyword: 'user default on ', pattern: /(?:[~&+-]\S{1,40} ){0,6}>(?=\S)/y, dialect: 'shell' },
  { keyword: 'input password  ', pattern: /[ \t]{0,8}\S{1,80}[ \t]{2,20}(?=[^\s$%])/y, dialect: 'shell' },
  { keyword: '--password-stdin', pattern: /[^\n<|;]{0,120}<<<[ \t]{0,4}(?=\S)/y, dialect: 'shell', steps: 12 },
  // fields of SAP GUI whose text nobody sees: `findById("wnd[0]/usr/pwdRSYST-BCODE").text = "…"`
  { keyword: '/pwd', pattern: /[\w:-]{1,60}["']\)\s{0,4}\.\s{0,4}(?:set)?(?:text|value)\s{0,4}[=(]?\s{0,4}(?=["'])/iy },
  // route strings of a SAProuter: `/H/host/S/service/W/value/H/host`
  {
    keyword: '/H/',
    pattern: /[\w.-]{1,100}(?:\/S\/[\w-]{1,40})?\/[WP]\/(?=[^\s/"'<>]{4,64}\/H\/)/y,
    until: '/',
  },
  // of Hurl
  {
    keyword: '[basicauth]',
    pattern: /[ \t]{0,8}\r?\n(?:#[^\n]{0,200}\n)?["']?[\w.@\\-]{1,80}["']?[ \t]{0,8}:[ \t]{0,8}(?=\S)/y,
    dialect: 'line',
  },
  { keyword: 'authident', pattern: PAIR_OF_NAME, isPair: true },
  { keyword: 'auth: ', pattern: /(?=["'])/y, isPair: true },
  { keyword: '"auth"', pattern: /\s{0,4}:\s{0,4}(?=")/y, isPair: true },
  { keyword: 'auth: [', pattern: /\s{0,8}["'`][^"'`\n]{1,60}["'`],\s{0,8}(?=["'`])/y },
]

export const ARGUMENT_KEYWORDS: readonly string[] = [...CALLS, ...STATEMENTS].map(({ keyword }) => keyword)

const callsIn = createKeyedTable(CALLS)
const statementsIn = createKeyedTable(STATEMENTS)

/** Credentials that their position gives away, with no name of their own. */
export function* findArguments(layer: Layer, budget: Budget): Generator<Assignment> {
  for (const call of callsIn(layer)) yield* findInCall(call, layer, budget)
  for (const statement of statementsIn(layer)) yield* findBehind(statement, layer, budget)
}

function* findInCall(
  { keyword, kind, position, name, isPair, verifies }: CredentialCall,
  layer: Layer,
  budget: Budget,
): Generator<Assignment> {
  const hits = layer.offsets(keyword)
  let index = 0
  for (const hit of permitted(layer, hits)) {
    while ((hits[index] ?? hit) < hit) index++
    const start = hit + keyword.length
    const joined = isPair === true ? readJoinedPair(layer.text, start, budget) : undefined
    const at = joined === undefined ? argumentAt(layer.text, start, hits[index + 1] ?? layer.text.length, position, budget) : 0
    const literal = joined ?? (at === undefined ? undefined : readArgument(layer.text, at))
    const found = isPair === true && literal !== undefined ? passwordOfPair(layer.text, literal) : literal
    if (found !== undefined)
      yield { ...toAssignment(kind, hit, found), ...(name !== undefined && { name }), ...(verifies === true && { verifies }) }
    else if (at !== undefined) yield* (isPair === true ? readNamedList : readDeclared)(layer.text, at, kind, budget)
  }
}

function* findBehind(statement: Statement, layer: Layer, budget: Budget): Generator<Assignment> {
  const { keyword, pattern, kind = 'password', isPair, dialect = 'quoted', until, steps = 5 } = statement
  for (const hit of permitted(layer, layer.offsets(keyword))) {
    budget.step(steps)
    pattern.lastIndex = hit + keyword.length
    const gap = pattern.exec(layer.text)
    const at = pattern.lastIndex
    const literal =
      gap === null ? undefined : until === undefined ? readLiteral(layer.text, at, dialect) : readUpTo(layer.text, at, until)
    const found = isPair === true && literal !== undefined ? passwordOfPair(layer.text, literal) : literal
    if (found !== undefined) yield toAssignment(kind, hit, withoutReturn(layer.text, found))
  }
}

/** `send "value\r"`: the key that ends an input is none of it. */
function withoutReturn(text: string, literal: Literal): Literal {
  const ending = /\\[rn]$/.exec(text.slice(literal.start, literal.end))
  return ending === null ? literal : { ...literal, value: literal.value.slice(0, -1), end: literal.end - 2 }
}

function toAssignment(kind: NameKind, nameStart: number, literal: Literal): Assignment {
  return { name: kind, kind, form: 'call', nameStart, ...literal }
}

const LONGEST_CALL = 600
const OPENING = '([{'
const CLOSING = ')]}'
/** `"…".toCharArray()`, `"…".getBytes()`, `b'…'.encode()` */
const CONVERTED = /\s{0,8}(?:\.\w{1,24}\([^()"'`]{0,40}\)\s{0,8}){0,2}(?=[,)])/y

/** `Some("…")` of Rust, `new String("…")`: what holds the literal and nothing else. */
const WRAPPER = /(?:Some|(?:new\s{1,4})?String(?:::from)?|Buffer\.from)\(\s{0,4}(?=["'`])/y

function endOfWrapper(text: string, at: number): number {
  WRAPPER.lastIndex = at
  return WRAPPER.test(text) ? WRAPPER.lastIndex : at
}

/** A literal and nothing else, or one that stands where nothing else is set: `process.env.KEY || '…'`. */
function readArgument(text: string, at: number): Literal | undefined {
  const found = readLiteral(text, endOfWrapper(text, at), 'quoted') ?? readFallback(text, at, '')?.literal
  if (found === undefined) return undefined
  CONVERTED.lastIndex = found.end + (text[found.end] === '\\' ? 2 : 1)
  return CONVERTED.test(text) ? found : undefined
}

/** Where the argument at a position begins. `start`: behind the parenthesis; `next`: the next call of the sort. */
function argumentAt(text: string, start: number, next: number, position: number, budget: Budget): number | undefined {
  const most = Math.min(next, start + LONGEST_CALL)
  let depth = 0
  let index = 0
  let found: number | undefined
  let at = start
  let isFresh = true
  for (; at < most; at++) {
    const sign = text[at] ?? ''
    if (depth === 0 && index === position && isFresh && !/\s/.test(sign)) {
      found = at
      break
    }
    if (/["'`]/.test(sign)) at = endOfString(text, at, most)
    else if (OPENING.includes(sign)) depth++
    else if (CLOSING.includes(sign) && depth-- === 0) break
    else if (sign === ',' && depth === 0) index++
    else if (!/\s/.test(sign)) isFresh = false
    if (sign === ',' && depth === 0) isFresh = true
  }
  countLook(budget, (at - start) * 10)
  return found
}

function endOfString(text: string, start: number, most: number): number {
  const quote = text[start] ?? ''
  // in a string itself, as the cells of a notebook are
  if (text[start - 1] === '\\') {
    const end = text.slice(start + 1, most).indexOf(`\\${quote}`)
    return end === -1 ? most : start + 2 + end
  }
  let at = start + 1
  while (at < most && text[at] !== quote) at += text[at] === '\\' ? 2 : 1
  return at
}

const PAIR = /^([\w.@\\!|+-]{1,100}|\$\{[\w$.]{1,80}\}):(\S{4,200})$/

const JOINED_PAIR =
  /\(?\s{0,20}(?:["'`][^"'`\s]{1,100}["'`]\s{0,4}\+\s{0,4}|[\w$.]{1,80}\s{0,4}\+\s{0,4})?["'`][^"'`:\s]{0,100}:["'`]\s{0,4}\+\s{0,4}(?=["'`])/y

/** `'user:' + 'value'`, `user + ':' + 'value'` */
function readJoinedPair(text: string, start: number, budget: Budget): Literal | undefined {
  budget.step(6)
  JOINED_PAIR.lastIndex = start
  return JOINED_PAIR.test(text) ? readLiteral(text, JOINED_PAIR.lastIndex, 'quoted') : undefined
}

function passwordOfPair(text: string, literal: Literal): Literal | undefined {
  const { start, end } = literal
  // what is joined to the user holds none
  if (/\+\s{0,4}["'`]$/.test(text.slice(Math.max(0, start - 6), start))) return literal
  const [, user, password] = PAIR.exec(text.slice(start, end)) ?? []
  if (password === undefined || password === user || password.startsWith('//')) return undefined
  return { value: password, start: end - password.length, end, isQuoted: true }
}
