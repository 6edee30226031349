import type { Budget } from '../budget.ts'
import type { Assignment } from './assignments.ts'
import { countLook, type Layer } from './layers.ts'
import { readLiteral, type Literal } from './literal.ts'
import type { NameKind } from './names.ts'

/** A call one of whose arguments is a credential by its position. */
interface Call {
  /** Up to the parenthesis, in lower case: fits in any case. */
  readonly keyword: string
  readonly kind: NameKind
  readonly position: number
  /** `user:password`, which is a pair only where it becomes base64. */
  readonly isPair?: boolean
}

/** Facts: java.sql.DriverManager, Apache HttpClient, java.net.PasswordAuthentication, Spring's HttpHeaders, SAP Cloud SDK, hdbcli, Requests, jsonwebtoken, node:crypto. */
const CALLS: readonly Call[] = [
  { keyword: 'getconnection(', kind: 'password', position: 2 },
  { keyword: 'usernamepasswordcredentials(', kind: 'password', position: 1 },
  { keyword: 'usernamepasswordauthenticationtoken(', kind: 'password', position: 1 },
  { keyword: 'passwordauthentication(', kind: 'password', position: 1 },
  { keyword: 'basiccredentials(', kind: 'password', position: 1 },
  { keyword: 'basicauth(', kind: 'password', position: 1 },
  { keyword: 'basicauthentication(', kind: 'password', position: 1 },
  { keyword: 'basic_auth(', kind: 'password', position: 1 },
  { keyword: 'auth=(', kind: 'password', position: 1 },
  { keyword: 'dbapi.connect(', kind: 'password', position: 3 },
  // XMLHttpRequest
  { keyword: '.open(', kind: 'password', position: 4 },
  { keyword: 'jwt.sign(', kind: 'secret', position: 1 },
  { keyword: 'jwt.verify(', kind: 'secret', position: 1 },
  { keyword: 'jwt.encode(', kind: 'secret', position: 1 },
  { keyword: 'createhmac(', kind: 'secret', position: 1 },
  { keyword: 'hmac.new(', kind: 'secret', position: 0 },
  { keyword: 'btoa(', kind: 'password', position: 0, isPair: true },
  { keyword: 'buffer.from(', kind: 'password', position: 0, isPair: true },
  { keyword: 'encodetostring(', kind: 'password', position: 0, isPair: true },
  { keyword: 'b64encode(', kind: 'password', position: 0, isPair: true },
]

const USER = /[ \t]{1,8}["'`\w.$@%-]{1,128}\s{1,20}(?:IDENTIFIED\s{1,8}BY\s{1,8}(?:PASSWORD\s{1,8})?|PASSWORD\s{1,8})(?=["'])/iy

/** A password that follows on words: of SQL (SAP HANA SQL reference, CREATE USER), of PowerShell. */
const STATEMENTS: readonly { readonly keyword: string; readonly pattern: RegExp }[] = [
  { keyword: 'create user', pattern: USER },
  { keyword: 'alter user', pattern: USER },
  { keyword: 'convertto-securestring', pattern: /\s{1,4}(?:-String\s{1,4})?(?=["'])/iy },
]

export const ARGUMENT_KEYWORDS: readonly string[] = [...CALLS, ...STATEMENTS].map(({ keyword }) => keyword)

/** Credentials that their position gives away, with no name of their own. */
export function* findArguments(layer: Layer, budget: Budget): Generator<Assignment> {
  for (const { keyword, kind, position, isPair } of CALLS) {
    const hits = layer.offsets(keyword)
    for (const [index, hit] of hits.entries()) {
      const start = hit + keyword.length
      const literal = argumentAt(layer.text, start, hits[index + 1] ?? layer.text.length, position, budget)
      if (literal === undefined) continue
      const found = isPair === true ? passwordOfPair(layer.text, literal) : literal
      if (found !== undefined) yield toAssignment(kind, hit, found)
    }
  }
  for (const { keyword, pattern } of STATEMENTS) {
    for (const hit of layer.offsets(keyword)) {
      budget.step(2)
      pattern.lastIndex = hit + keyword.length
      const gap = pattern.exec(layer.text)
      const literal = gap === null ? undefined : readLiteral(layer.text, pattern.lastIndex, 'quoted')
      if (literal !== undefined) yield toAssignment('password', hit, literal)
    }
  }
}

function toAssignment(kind: NameKind, nameStart: number, literal: Literal): Assignment {
  return { name: kind, kind, form: 'call', nameStart, ...literal }
}

const LONGEST_CALL = 600
const OPENING = '([{'
const CLOSING = ')]}'
/** `"…".toCharArray()`, `"…".getBytes()`, `b'…'.encode()` */
const CONVERTED = /\s{0,8}(?:\.\w{1,24}\([^()"'`]{0,40}\)\s{0,8}){0,2}(?=[,)])/y

/** The argument at a position, where it is a literal and nothing else. `start`: behind the parenthesis; `next`: the next call of the sort. */
function argumentAt(text: string, start: number, next: number, position: number, budget: Budget): Literal | undefined {
  const most = Math.min(next, start + LONGEST_CALL)
  let depth = 0
  let index = 0
  let found: Literal | undefined
  let at = start
  let isFresh = true
  for (; at < most; at++) {
    const sign = text[at] ?? ''
    if (depth === 0 && index === position && isFresh && !/\s/.test(sign)) {
      found = readLiteral(text, at, 'quoted')
      break
    }
    if (/["'`]/.test(sign)) at = endOfString(text, at, most)
    else if (OPENING.includes(sign)) depth++
    else if (CLOSING.includes(sign) && depth-- === 0) break
    else if (sign === ',' && depth === 0) index++
    else if (!/\s/.test(sign)) isFresh = false
    if (sign === ',' && depth === 0) isFresh = true
  }
  countLook(budget, at - start)
  if (found === undefined) return undefined
  CONVERTED.lastIndex = found.end + 1
  return CONVERTED.test(text) ? found : undefined
}

function endOfString(text: string, start: number, most: number): number {
  const quote = text[start]
  let at = start + 1
  while (at < most && text[at] !== quote) at += text[at] === '\\' ? 2 : 1
  return at
}

const PAIR = /^([\w.@\\!|+-]{1,100}):(\S{4,200})$/

function passwordOfPair(text: string, { start, end }: Literal): Literal | undefined {
  const [, user, password] = PAIR.exec(text.slice(start, end)) ?? []
  if (password === undefined || password === user || password.startsWith('//')) return undefined
  return { value: password, start: end - password.length, end, isQuoted: true }
}
