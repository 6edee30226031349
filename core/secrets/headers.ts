import type { Budget } from '../budget.ts'
import type { Candidate } from './candidate.ts'
import { gradeAt } from './beside.ts'
import type { Grade } from './grade.ts'
import { permitted, type Layer } from './layers.ts'
import { isRandomLooking, isWordLike } from './randomness.ts'
import { expiryOf, isSampleToken } from './shapes.ts'
import { statementBefore, surroundingsOf } from './surroundings.ts'
import { classifyHost, isPlaceholder, isReference, isWeak } from './values.ts'
import { textOfBase64 } from './base64.ts'

/** The scheme as a text of its own, the credential as the next one: `'Basic' && 'value'`. */
const SCHEMES: readonly string[] = ["'basic'", '"basic"', "'bearer'", '"bearer"']

/** Schemes with a name of everyday language: only as the value of such a header. Facts: Django REST framework, "TokenAuthentication"; SAP Conversational AI, "Runtime APIs". */
const NAMED_SCHEMES: readonly string[] = ["'token ", '"token ', "'api-key ", '"api-key ', "'apikey ", '"apikey ']

export const HEADER_KEYWORDS: readonly string[] = ['basic ', 'bearer ', '"auth"', ...SCHEMES, ...NAMED_SCHEMES]

/** User and password, or a token: where it is sent stands beside it or not. */
const COMPLETE: Grade = { impact: 'takeover', evidence: 'shown', confidence: 'high' }
/** A login that works unless somebody has changed its password. */
const GUESSABLE: Grade = { impact: 'takeover', evidence: 'assumed', confidence: 'medium' }
/** For whom a token is, and until when, is not in the project. */
const BEARER: Grade = { impact: 'takeover', evidence: 'assumed', confidence: 'medium' }

/** Credentials of headers, and of the configuration of Docker: `Basic` with base64 or with user and password, `Bearer` with a token, `"auth": "…"`. */
export function* findHeaderCredentials(layer: Layer, isSample: boolean, budget: Budget): Generator<Candidate> {
  for (const keyword of HEADER_KEYWORDS) {
    for (const hit of permitted(layer, layer.offsets(keyword))) {
      budget.step(8)
      const found = readHeader(layer.text, hit, keyword)
      if (found === undefined) continue
      const isHandedOn = isSample && (isOfBackend(found) || isOfPerson(found)) && isSentLocally(found, layer.text)
      if (!isHandedOn && (isLocal(found, layer.text) || (isSample && isOfDeveloper(found, layer.text)))) continue
      if (found.isKnown && (isSample || !opensElsewhere(found, layer.text))) continue
      const { row, value, start, end, grade } = found
      const expires = row === 'bearer-header' && value.startsWith('eyJ') ? expiryOf(value) : undefined
      yield {
        row,
        rank: 'command',
        value,
        span: layer.spanOf(start, end),
        ...gradeAt(grade, isHandedOn ? undefined : 'host', { text: layer.text, path: layer.path, start, end, isSample }, budget),
        ...(expires !== undefined && { expires }),
        // a login that everybody tries is one for the network of its host
        ...(found.isKnown && { reach: 'user' as const }),
      }
    }
  }
}

interface Header {
  readonly row: string
  readonly value: string
  readonly start: number
  readonly end: number
  readonly grade: Grade
  /** Of a pair. */
  readonly user?: string
  readonly password?: string
  /** The password is one that everybody tries. */
  readonly isKnown?: true
}

function readHeader(text: string, hit: number, keyword: string): Header | undefined {
  if (keyword === '"auth"') return readDockerAuth(text, hit)
  if (SCHEMES.includes(keyword)) return readNextText(text, hit + keyword.length, keyword.includes('basic'))
  const isNamed = NAMED_SCHEMES.includes(keyword)
  if (isNamed ? !AS_HEADER.test(text.slice(Math.max(0, hit - 40), hit)) : /\w/.test(text[hit - 1] ?? '')) return undefined
  const behind = hit + keyword.length
  // `"Bearer " + "…"`
  const start = behind + (/^(["'`])\s{0,4}\+\s{0,4}\1/.exec(text.slice(behind, behind + 12))?.[0].length ?? 0)
  const raw = /^[^\s"'`<>,;\\]{4,8192}/.exec(text.slice(start, start + 8192))?.[0] ?? ''
  if (raw === '' || isReference(raw)) return undefined
  return keyword === 'basic ' ? (readBasic(raw, start) ?? readSpaced(text, hit, raw, start)) : readBearer(raw, start)
}

/** `'Authorization': 'Token …'`, `setRequestHeader('Authorization', 'Token …')`, `headers['Authorization'] = 'Token …'` */
const AS_HEADER = /authorization["'`]?\s{0,4}\]?\s{0,4}[:=,]\s{0,8}$/i

/** Users that CAP and its documentation invent (capire, "Mock Users"). */
const MOCK_USERS = /^(?:alice|bob|carol|dave|erin|fred|mallory|me|yves|privileged|admin|user|test(?:user)?)(?:[@\d].*)?$/i
const LOCAL_HOST = /:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/\s]|$)/

/** A mock user in a request of a test: by his name, by a password that is a part of it, or on the machine itself. What was drawn is nobody's invention. */
function isOfDeveloper(header: Header, text: string): boolean {
  const { user, password } = header
  if (user === undefined || password === undefined || isRandomLooking(password)) return false
  if (MOCK_USERS.test(user) || user.toLowerCase().includes(password.toLowerCase())) return true
  return isSentLocally(header, text)
}

function isSentLocally({ start }: Header, text: string): boolean {
  return LOCAL_HOST.test(text.slice(Math.max(0, start - NEAR), start))
}

/** In the same object an address of the machine itself: of a client for requests, `.vscode/settings.json`. */
function isLocal({ password, start, end }: Header, text: string): boolean {
  return password !== undefined && !isRandomLooking(password) && LOCAL_HOST.test(surroundingsOf(text, start, end))
}

/** A user as an ABAP system has it, with a password that its rules let pass: the server on the machine hands them on. Facts: SAP NetWeaver AS ABAP, "User Names" (12 signs, no lower case), "Password Rules". */
function isOfBackend({ user = '', password = '' }: Pick<Header, 'user' | 'password'>): boolean {
  return (
    /^[A-Z][A-Z0-9_]{2,11}$/.test(user) &&
    !MOCK_USERS.test(user) &&
    !password.toLowerCase().includes(user.toLowerCase().replace(/[\d_]{1,12}$/, '')) &&
    password.length >= 8 &&
    [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].every((sort) => sort.test(password))
  )
}

const PERSON = /^[a-z]{2,30}[._-][a-z]{2,30}@((?:[a-z\d-]{1,63}\.){1,4}[a-z]{2,20})$/i
export const NOBODY: RegExp = /alice|bob|doe\b|demo|dummy|example|foo|mock|muster|sample|smith|test|user/i
/** The part that a user of a demonstration has: `manager.weber@corp.cloud`. */
const ROLE =
  /^(?:accountant|admin|agent|approver|buyer|clerk|customer|dealer|developer|driver|employee|guest|hr|info|manager|operator|owner|reviewer|sales|service|student|supplier|support|vendor|viewer)[._-]/i
const FOR_TESTS = /test|demo|pass|welcome|1234|secret/i

/** By name and surname at a company, with a password that is neither of them: nobody invents a colleague for the server on the machine. */
function isOfPerson({ user = '', password = '' }: Pick<Header, 'user' | 'password'>): boolean {
  const host = PERSON.exec(user)?.[1]
  return (
    host !== undefined &&
    !NOBODY.test(user) &&
    !ROLE.test(user) &&
    !FOR_TESTS.test(password) &&
    classifyHost(host) === 'public' &&
    password.length >= 8 &&
    /[^A-Za-z]/.test(password) &&
    !user.split(/[._@-]/).some((part) => part.length > 3 && password.toLowerCase().includes(part.toLowerCase()))
  )
}

const NEAR = 2000

const NEXT_TEXT = /\s{0,4}(?:,|&&|\+|&|\.)?\s{0,20}["'`]\s?([^\s"'`<>,;\\]{8,8192})["'`]/y

function readNextText(text: string, end: number, isBasic: boolean): Header | undefined {
  NEXT_TEXT.lastIndex = end
  const raw = NEXT_TEXT.exec(text)?.[1] ?? ''
  if (raw === '' || isReference(raw)) return undefined
  const start = NEXT_TEXT.lastIndex - 1 - raw.length
  return isBasic ? readBasic(raw, start) : readBearer(raw, start)
}

/** `Authorization: Basic user password` of .http files. Fact: REST Client for VS Code, "Authentication". */
function readSpaced(text: string, hit: number, user: string, start: number): Header | undefined {
  if (!/authorization\s{0,4}:\s{0,4}$/i.test(text.slice(Math.max(0, hit - 24), hit)) || !/^[\w.@\\!|-]{1,100}$/.test(user))
    return undefined
  const from = start + user.length
  const value = /^[ \t]{1,4}([!-~]{4,200})[ \t]{0,8}(?:[\r\n]|$)/.exec(text.slice(from, from + 220))?.[1] ?? ''
  if (value === '' || value === user || isReference(value) || isPlaceholder(value) || isWeak(value)) return undefined
  const at = text.indexOf(value, from)
  return { row: 'basic-auth-header', value, start: at, end: at + value.length, grade: COMPLETE, user, password: value }
}

function readBasic(raw: string, start: number): Header | undefined {
  const plain = /^[A-Za-z0-9+/_-]{6,}={0,2}$/.test(raw) ? textOfBase64(raw) : raw
  const password = passwordOf(plain)
  if (!/^[!-~]{1,200}:[!-~]{4,300}$/.test(plain) || isReference(password) || isPlaceholder(password)) return undefined
  if (plain === raw && !/^[\w.@\\!|-]{1,100}:\S{4,}$/.test(raw)) return undefined
  if (password === plain.slice(0, plain.indexOf(':'))) return undefined
  const user = plain.slice(0, plain.indexOf(':'))
  const header = { row: 'basic-auth-header', value: raw, start, end: start + raw.length, user, password }
  if (!isWeak(password)) return { ...header, grade: COMPLETE }
  // a mock user of CAP, mostly
  if (!INITIAL.test(password) || OF_SAMPLES.test(password) || isNobody(user)) return undefined
  return { ...header, grade: GUESSABLE, isKnown: true }
}

/** Initial passwords of SAP systems, which nobody has changed: letters, and digits behind them. */
const INITIAL = /^[A-Za-z@$]{3,12}\d{1,6}[!#]?$/
const OF_SAMPLES = /test|demo|mock|sample|example|dummy|change|your|abc/i
/** Users that belong to nobody in particular. */
const SHARED_USERS = /^(?:root|guest|system|sa|superuser|manager|operator|postgres|developer|ddic|sap\*|sap)$/i

function isNobody(user: string): boolean {
  return user.length < 3 || MOCK_USERS.test(user) || NOBODY.test(user) || SHARED_USERS.test(user) || isPlaceholder(user)
}

/** `host: "erp01"` in the object of a header, or in the one around: another machine takes the login. */
function opensElsewhere({ start, end }: Header, text: string): boolean {
  const around = `${statementBefore(text, start)}\n${surroundingsOf(text, start, end)}`
  const hosts = [...around.matchAll(HOSTS)].map(([, address = '', name = '']) => classifyHost(address || name))
  return hosts.length > 0 && hosts.every((kind) => kind === 'public' || kind === 'private')
}

const HOSTS =
  /:\/\/([\w.-]{1,200})|\b(?:host(?:name)?|target|server)["'`]?\s{0,4}[:=]\s{0,4}["'`]([\w-]{2,63}(?:\.[\w-]{1,63}){0,8})["'`:]/gi

function readBearer(raw: string, start: number): Header | undefined {
  const value = /^[A-Za-z0-9._~+/-]{20,}={0,2}/.exec(raw)?.[0] ?? ''
  if (value === '' || isPlaceholder(value) || isWordLike(value) || !isRandomLooking(value) || isSampleToken(value))
    return undefined
  return { row: 'bearer-header', value, start, end: start + value.length, grade: BEARER }
}

const DOCKER = /^"auth"\s{0,8}:\s{0,8}"([A-Za-z0-9+/=]{8,2000})"/

/** Of `~/.docker/config.json`. */
function readDockerAuth(text: string, hit: number): Header | undefined {
  const [whole = '', value = ''] = DOCKER.exec(text.slice(hit, hit + 2100)) ?? []
  if (!/^[!-~]{1,200}:[!-~]{3,1500}$/.test(textOfBase64(value)) || isPlaceholder(passwordOf(textOfBase64(value))))
    return undefined
  const start = hit + whole.length - 1 - value.length
  return { row: 'docker-config', value, start, end: start + value.length, grade: COMPLETE }
}

function passwordOf(pair: string): string {
  return pair.slice(pair.indexOf(':') + 1)
}
