import { holdsAny } from '../holds-any.ts'
import { constantOf, stringConstantOf, isConstant, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Span } from '../../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { addFound } from './sink-parts.ts'
import { lastName } from '../../paths.ts'

/** Functions that write Base64, by their usual names. */
const ENCODING: ReadonlySet<string> = new Set(['btoa', 'encode', 'toBase64', 'base64encode', 'b64encode', 'encodeBase64'])
const HEADER = /^(?:proxy-)?authorization$/i
const SCHEME = /^\s{0,4}basic\s/i

/** Credentials by their names: what is read from a row under such a name. */
const CREDENTIAL = /(?:password|passwd|passwort|kennwort|contrasen(?:i?a)|senha|pwd|client_?secret|^secret|licen[cs]e_?key)$/i

/**
 * Adds the passwords of which a script makes HTTP Basic authentication (RFC 7617), and those that it gives requests and models to do so. Of bodies and other
 * headers those that are named so: whether the page was given them is known at the end of their way.
 */
export function addBasicAuth(draft: FlowDraft): void {
  const { text } = draft
  const hasScheme = text.includes('Basic ') || text.includes('basic ')
  if (!hasScheme && !(holdsAny(text, NAMING) && MAY_NAME.test(text))) return
  const { calls, assignments } = draft.facts
  const seen = new Set<Value>()
  const add = (value: Value | undefined, name: string, at: Span | undefined = value): void => {
    if (value === undefined || at === undefined || seen.has(value) || isConstant(value)) return
    seen.add(value)
    addFound(FOUND_SINKS.pagePassword, value, draft, { name, at })
  }
  const addHeader = (value: Value | undefined): void => {
    const part = value && encodedBehindScheme(value)
    // what is encoded on the spot is a call of its own
    if (part !== undefined && !isEncoding(part)) add(part, 'Authorization', value)
  }
  const addNamed = (value: Value | undefined): void => {
    for (const part of value === undefined ? [] : namedCredentials(value)) add(part, 'body')
  }
  for (const call of calls) {
    const name = lastNameOf(call.callee) ?? ''
    const [first, second, , , fifth] = call.args
    if (hasScheme && isEncoding(call)) {
      const password = passwordBehindColon(first, draft)
      if (password !== undefined && isForScheme(call, password, draft)) add(password, name, call)
    }
    if (/^(?:setRequestHeader|set|append)$/.test(name) && first !== undefined && HEADER.test(String(constantOf(first) ?? '')))
      addHeader(second)
    else if (name === 'setRequestHeader') addNamed(second)
    if (name === 'open' && isMethod(first)) add(fifth, 'XMLHttpRequest.open')
    if (name === 'send' && call.args.length === 1) addNamed(first)
    if (call.kind === 'new' ? name === 'ODataModel' : name === 'ajax')
      for (const argument of call.args) addSettings(argument, add, addHeader, addNamed)
    if (name === 'fetch') addSettings(second, () => undefined, addHeader, addNamed)
  }
  for (const { target, value } of assignments) if (HEADER.test(target.name ?? '')) addHeader(value)
}

/** Keys of caches are put together and encoded the same way: it is named as a password is, stands in a function that writes the scheme, or is given back as it is. */
function isForScheme(call: CallValue, password: Value, { text }: FlowDraft): boolean {
  const { function: within, start } = call
  if (PASSWORD.test(lastNameOf(password) ?? '')) return true
  const around = within.kind === 'file' ? text.slice(start, start + MAX_TEXT) : text.slice(within.start, within.end)
  if (SCHEME_TEXT.test(around)) return true
  const isGiven = within.returns.some((value) => value === call || (value.kind === 'choice' && value.options.includes(call)))
  return isGiven && !KEY_OF_CACHE.test(lastName(within.name))
}

const KEY_OF_CACHE = /key|cache|hash|variant|id$/i

const PASSWORD = /pass|pwd|pw$|secret|token|^s?p$|pin$|key$/i
const SCHEME_TEXT = /["'`\s]basic\s/i
const MAX_TEXT = 2000

/** Facts: jQuery API, ajax, `username` and `password`; API of sap.ui.model.odata.v2.ODataModel, `user` and `password`. */
function addSettings(
  argument: Value | undefined,
  add: (value: Value, name: string) => void,
  addHeader: (value: Value) => void,
  addNamed: (value: Value) => void,
): void {
  const settings = argument && resolveValue(argument)
  if (settings?.kind !== 'object') return
  const isForUser = settings.fields.some(({ key }) => key === 'user' || key === 'username')
  for (const { key, value } of settings.fields) {
    if (key === 'password' && isForUser) add(value, 'password')
    if (key === 'data' || key === 'body') addNamed(value)
    if (key !== 'headers') continue
    const headers = resolveValue(value)
    if (headers.kind === 'object')
      for (const { key: name, value: sent } of headers.fields) if (HEADER.test(name ?? '')) addHeader(sent)
  }
}

/** Of each name that `MAY_NAME` knows, a part. */
const NAMING: readonly string[] = ['assw', 'ennwort', 'ontrase', 'enha', 'wd', 'WD', 'ecret', 'cense', 'cence']
const MAY_NAME = /assw|ennwort|ontrase|enha\b|[Pp]wd|PWD|ecret|icen[cs]e_?[Kk]ey/
/** What leaves a text readable. */
const KEEPS = /^(?:stringify|encodeURI(?:Component)?|escape|btoa|String|trim|toString)$/

/** `row.Password` in a text, an object or what is made of them. */
function namedCredentials(given: Value, depth = 0, seen = new Set<Value>()): readonly Value[] {
  if ('object' in given && CREDENTIAL.test(lastNameOf(given) ?? '')) return [given]
  const value = resolveValue(given)
  // many names may stand for one object
  if (depth > MAX_DEPTH || seen.has(value)) return []
  seen.add(value)
  const within = (parts: readonly Value[]): Value[] => parts.flatMap((part) => namedCredentials(part, depth + 1, seen))
  if ('parts' in value) return within(value.parts)
  if ('fields' in value) return within(value.fields.map((field) => field.value))
  return 'args' in value && KEEPS.test(lastNameOf(value.callee) ?? '') ? within(value.args) : []
}

/** Of a request; popups and menus are opened with as many arguments. */
function isMethod(value: Value | undefined): boolean {
  const method = stringConstantOf(value)
  return method !== undefined && /^[a-z]+$/i.test(method)
}

function isEncoding(value: Value): boolean {
  return value.kind === 'call' && ENCODING.has(lastNameOf(value.callee) ?? '')
}

const MAX_DEPTH = 3

/** What stands behind the first colon of `user + ":" + password`, `[user, password].join(":")`, as far as it is one value; also where a function of the file puts it together. */
function passwordBehindColon(value: Value | undefined, draft: FlowDraft, depth = 0): Value | undefined {
  const text = value && resolveValue(value)
  const hasColon = (part: Value | undefined): boolean => part !== undefined && String(constantOf(part) ?? '').includes(':')
  if (text?.kind === 'concat') {
    const colon = text.parts.findIndex((part) => typeof constantOf(part) === 'string' && hasColon(part))
    return colon < 0 ? undefined : text.parts[colon + 1]
  }
  if (text?.kind === 'call' && depth < MAX_DEPTH) {
    const list = text.callee.kind === 'member' && text.callee.name === 'join' ? resolveValue(text.callee.object) : undefined
    if (list?.kind === 'array') return hasColon(text.args[0]) ? list.items[1] : undefined
    const [returned] = draft.owners.functionsBehind(text.callee).flatMap(({ returns }) => returns)
    return passwordBehindColon(returned, draft, depth + 1)
  }
  if (text?.kind !== 'template') return undefined
  const colon = text.texts.findIndex((part) => part.includes(':'))
  return colon < 0 ? undefined : text.parts[colon]
}

/** The one value behind `Basic `. */
function encodedBehindScheme(value: Value): Value | undefined {
  const text = resolveValue(value)
  if (text.kind === 'template') return text.parts.length === 1 && SCHEME.test(text.texts[0] ?? '') ? text.parts[0] : undefined
  if (text.kind !== 'concat' || text.parts.length !== 2) return undefined
  const [scheme, encoded] = text.parts
  return scheme !== undefined && SCHEME.test(String(constantOf(scheme) ?? '')) ? encoded : undefined
}
