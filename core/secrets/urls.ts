import type { Budget } from '../budget.ts'
import type { Span } from '../types.ts'
import { countLook, permitted, type Layer } from './layers.ts'

/** A URL that holds user and password: before its host, or as parameters. */
export interface CredentialUrl {
  /** Lower case, the last part of `jdbc:postgresql`; `postgresql+psycopg2` as it is. */
  readonly scheme: string
  readonly user: string
  /** As written. */
  readonly password: string
  /** '' where the text breaks off: `'https://user:password@' + host`. */
  readonly host: string
  /** A website takes them as parameters: `https://host/login?user=…&password=…`. */
  readonly isQuery?: true
  /** The host of an address that is put together of literals: it is told, nothing else. */
  readonly joinedHost?: string
  /** Of user and password in the layer. */
  readonly userStart: number
  readonly passwordStart: number
  /** Of the URL in the layer. */
  readonly start: number
  spanOf(start: number, end: number): Span
}

/** What tells that URLs may be there; the second one is how some write JSON. */
export const URL_KEYWORDS: readonly string[] = ['://', ':\\/\\/']

const JDBC = 'jdbc:'
const LONGEST_SCHEME = 40
const LONGEST_USERINFO = 400
const SCHEME = /[A-Za-z0-9+.-]/
/** Brackets and backslashes mean a pattern, not an address. */
const USER = /^[^\s\\()[\]^|]{0,200}$/
const PASSWORD = /^[^\s\\[\]^|]{1,300}$/
const LONGEST_HOST = 255
const AT_SIGN = 0x40
/** To read user, password, host and scheme. */
const STEPS_PER_URL = 24

/** Signs that end userinfo and host (1), or a host alone (2). */
const ENDS: Uint8Array = buildEnds()

function buildEnds(): Uint8Array {
  const ends = new Uint8Array(128)
  ends.fill(1, 0, 0x21)
  for (const sign of '"\'`<>/?#\\') ends[sign.charCodeAt(0)] = 1
  for (const sign of ',;:@)') ends[sign.charCodeAt(0)] = 2
  return ends
}

/** Finds the URLs with user and password in a layer. Of each only its userinfo is looked at, up to the first sign that can't stand there; of databases also the parameters, and those of websites where nothing else reads them. */
export function findUrls(layer: Layer, budget: Budget, withQueries = false): readonly CredentialUrl[] {
  const found: CredentialUrl[] = []
  const { text } = layer
  for (const keyword of URL_KEYWORDS) {
    for (const hit of permitted(layer, layer.offsets(keyword))) {
      const userStart = hit + keyword.length
      const at = lastAt(text, userStart)
      if (at.looked > 0) countLook(budget, at.looked)
      if (at.offset !== undefined) budget.step(STEPS_PER_URL)
      const url =
        at.offset === undefined
          ? (readJoined(layer, hit, userStart, userStart + at.looked) ??
            readParameters(layer, hit, userStart, budget, withQueries))
          : readUrl(layer, hit, userStart, at.offset)
      if (url !== undefined) found.push(url)
    }
  }
  return found
}

/** The last `@` before the userinfo must have ended: a password may hold one. */
function lastAt(text: string, start: number): { offset: number | undefined; looked: number } {
  let offset: number | undefined
  let at = start
  for (; at < text.length && at < start + LONGEST_USERINFO; at++) {
    const code = text.charCodeAt(at)
    if (code === AT_SIGN) offset = at
    else if (ENDS[code] === 1) break
  }
  return { offset, looked: at - start }
}

function readUrl(layer: Layer, hit: number, userStart: number, at: number): CredentialUrl | undefined {
  const { text } = layer
  const userinfo = text.slice(userStart, at)
  const colon = colonIn(userinfo)
  if (colon === -1) return undefined
  const user = userinfo.slice(0, colon)
  const password = userinfo.slice(colon + 1)
  if (!USER.test(user) || !PASSWORD.test(password)) return undefined
  const { start, scheme } = readScheme(text, hit)
  return {
    scheme,
    user,
    password,
    host: readHost(text.slice(at + 1, at + LONGEST_HOST)),
    userStart,
    passwordStart: userStart + colon + 1,
    start,
    spanOf: (from, to) => layer.spanOf(from, to),
  }
}

const JOINED = /["'`]\s{0,4}\+\s{0,4}(["'`])([^"'`\s\\]{1,200})\1\s{0,4}\+\s{0,4}["'`]@/y

/** `'https://user:' + 'password' + '@' + host` */
function readJoined(layer: Layer, hit: number, userStart: number, end: number): CredentialUrl | undefined {
  const { text } = layer
  if (text[end - 1] !== ':' || end - userStart < 2) return undefined
  JOINED.lastIndex = end
  const [whole, , password = ''] = JOINED.exec(text) ?? []
  if (whole === undefined) return undefined
  return {
    ...readScheme(text, hit),
    user: text.slice(userStart, end - 1),
    password,
    host: '',
    joinedHost: readHost(text.slice(JOINED.lastIndex, JOINED.lastIndex + LONGEST_HOST)),
    userStart,
    passwordStart: text.indexOf(password, end + 1),
    spanOf: (from, to) => layer.spanOf(from, to),
  }
}

/** What stands before `://`; `jdbc:` is part of the URL, not of its scheme. */
function readScheme(text: string, hit: number): { start: number; scheme: string } {
  let start = hit
  while (start > 0 && hit - start < LONGEST_SCHEME && SCHEME.test(text[start - 1] ?? '')) start--
  const scheme = text.slice(start, hit).toLowerCase()
  return { start: text.startsWith(JDBC, start - JDBC.length) ? start - JDBC.length : start, scheme }
}

const LONGEST_PARAMETERS = 600
const USER_PARAMETER = /(?:[?&;]|\\u0026)(?:amp;)?(?:user|username|uid)=([^&;\s\\]{1,200})/i
const PASSWORD_PARAMETER = /(?:[?&;]|\\u0026)(?:amp;)?(?:password|pwd)=([^&;\s\\]{1,200})/i

/**
 * User and password of databases that take them as parameters: `jdbc:sap://host:443/?user=…&password=…`, `;user=…;password=…` of SQL Server.
 * Facts: JDBC documentation of SAP HANA, MySQL, SQL Server; PostgreSQL (libpq, 33.1.1).
 */
function readParameters(
  layer: Layer,
  hit: number,
  userStart: number,
  budget: Budget,
  withQueries: boolean,
): CredentialUrl | undefined {
  const { text } = layer
  // most addresses are these
  const isQuery = text.startsWith('http', hit - 4) || text.startsWith('https', hit - 5)
  if (isQuery && !withQueries) return undefined
  const before = text.slice(Math.max(0, hit - LONGEST_SCHEME), hit)
  if (!isQuery && !/jdbc:[a-z0-9:]{1,30}$|\b(?:postgres|postgresql|mysql|mariadb|mongodb|hdbsql|hana)$/i.test(before))
    return undefined
  budget.step(8)
  const rest = /^[^\s"'`<>]{1,600}/.exec(text.slice(userStart, userStart + LONGEST_PARAMETERS))?.[0] ?? ''
  countLook(budget, rest.length)
  const password = PASSWORD_PARAMETER.exec(rest)
  if (password === null) return undefined
  const value = password[1] ?? ''
  const user = USER_PARAMETER.exec(rest)
  // a password alone may be that of anything
  if (isQuery && (user === null || !rest.slice(0, password.index + 1).includes('?'))) return undefined
  const { start, scheme } = readScheme(text, hit)
  return {
    scheme,
    user: user?.[1] ?? '',
    password: value,
    ...(isQuery && { isQuery: true as const }),
    host: /^[^/?#;:,]{0,255}/.exec(rest)?.[0] ?? '',
    userStart: userStart + (user === null ? 0 : user.index + user[0].length - (user[1] ?? '').length),
    passwordStart: userStart + password.index + password[0].length - value.length,
    start,
    spanOf: (from, to) => layer.spanOf(from, to),
  }
}

/** The colon between user and password: one in braces is a template's, `${env:USER}`. */
function colonIn(userinfo: string): number {
  let depth = 0
  for (let at = 0; at < userinfo.length; at++) {
    const sign = userinfo[at]
    if (sign === '{') depth++
    else if (sign === '}') depth--
    else if (sign === ':' && depth <= 0) return at
  }
  return -1
}

function readHost(text: string): string {
  if (text.startsWith('[')) return text.slice(0, text.indexOf(']') + 1)
  let end = 0
  while (end < text.length && (ENDS[text.charCodeAt(end)] ?? 0) === 0) end++
  return text.slice(0, end)
}
