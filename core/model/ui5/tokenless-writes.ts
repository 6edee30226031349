import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import {
  accessesOf,
  constantOf,
  resolveValue,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Span } from '../../types.ts'
import { leadingTextOf } from '../script/index.ts'
import { createOwnAddressReader } from './own-addresses.ts'

/** A request written by hand that changes something on the app's own server and carries no CSRF token. */
export interface TokenlessWrite {
  readonly at: Span
  readonly via: Client
  readonly method: string
  /** A form of any site can send the same: no other method, no other content type, so that no browser asks the server before. */
  readonly isSimple: boolean
}

export type Client = 'fetch' | 'jquery' | 'xhr'

const WRITES = /^(?:POST|PUT|PATCH|DELETE|MERGE)$/i
/** Tokens by their usual names, and credentials that the browser does not add by itself. */
const PROTECTS = /csrf|xsrf|requestverificationtoken|^authorization$|api-?key/i
/** What has no session yet, only keeps records, or reads with a body. */
const HARMLESS_PATH =
  /(?:^|\/)(?:log(?:in|on|s|ging|entries)?|clientlogs?|sign-?in|o?auth\w{0,10}|tokens?|telemetry|metrics|beacon|search|query|find|count|validate|preview|graphql)(?:\/\w{1,40}){0,1}\/?$/i
const JQUERY = /^(?:global:(?:jQuery|\$)|module:(?:sap\/ui\/thirdparty\/)?jquery(?:\.sap\.global)?)(?: |$)/

/** Requests that scripts write by hand: `fetch`, `jQuery.ajax`, `jQuery.post`, `XMLHttpRequest`. */
export const tokenlessWrites: Extract<TokenlessWrite> = defineExtract({
  name: 'ui5-tokenless-writes',
  keywords: ['POST', 'PUT', 'PATCH', 'DELETE', 'MERGE'],
  prefilter: (text) => /\bfetch\s?\(|\.(?:ajax|post)\s?\(|XMLHttpRequest/.test(text),
  collect: ({ facts, step }) => findWrites(facts, step),
})

/** Where an app adds headers to all requests of one kind, whichever script sends them. Facts: jQuery API, ajaxSetup, ajaxPrefilter, ajaxSend. */
export const requestSetups: Extract<Client> = defineExtract({
  name: 'ui5-request-setups',
  keywords: ['ajaxSetup', 'ajaxPrefilter', 'ajaxSend', 'window.fetch', 'globalThis.fetch', 'XMLHttpRequest.prototype'],
  inPages: true,
  *collect({ facts }) {
    for (const { callee } of facts.calls) if (/^ajax(?:Setup|Prefilter|Send)$/.test(lastNameOf(callee) ?? '')) yield 'jquery'
    for (const { target } of facts.assignments)
      if (target.name === 'fetch') yield 'fetch'
      else if (lastNameOf(target.object) === 'prototype' && /^(?:open|send)$/.test(target.name ?? '')) {
        // jQuery sends with it as well
        yield 'xhr'
        yield 'jquery'
      }
  },
})

interface Request {
  readonly via: Client
  readonly address: Value
  readonly method: string
  /** Names of headers and what they are, as far as they can be read; undefined: nobody can tell them. */
  readonly headers: ReadonlyMap<string, Value> | undefined
  readonly contentType?: Value
}

function* findWrites(facts: ScriptFacts, step: (count?: number) => void): Generator<TokenlessWrite> {
  let isOwn: ((address: Value) => boolean) | undefined
  for (const call of facts.calls) {
    const request = requestOf(call, facts, step)
    if (request === undefined || !WRITES.test(request.method)) continue
    const { headers, via, method, address } = request
    if (headers === undefined || [...headers.keys()].some((name) => PROTECTS.test(name))) continue
    if (HARMLESS_PATH.test(pathOf(address))) continue
    isOwn ??= createOwnAddressReader(facts, step)
    if (isOwn(address))
      yield { at: { start: call.start, end: call.end }, via, method: method.toUpperCase(), isSimple: isSimple(request) }
  }
}

/** Fact: Fetch standard, "CORS-safelisted method" and "CORS-safelisted request-header". */
function isSimple({ method, headers, contentType }: Request): boolean {
  const type = contentType ?? [...(headers ?? [])].find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  if (method.toUpperCase() !== 'POST' || type === undefined) return method.toUpperCase() === 'POST'
  const text = constantOf(type)
  return typeof text === 'string' && /^(?:text\/plain|multipart\/form-data|application\/x-www-form-urlencoded)/i.test(text)
}

/** Each is compared with all calls of the file. */
function requestOf(call: CallValue, facts: ScriptFacts, step: (count?: number) => void): Request | undefined {
  const { callee, args, kind } = call
  const name = lastNameOf(callee)
  if (kind !== 'call') return undefined
  if (name === 'fetch' || (name === 'open' && args.length > 1)) {
    step(facts.calls.length)
    return name === 'fetch' ? fetchOf(call, facts) : openedOf(call, facts)
  }
  if ((name !== 'ajax' && name !== 'post') || callee.kind !== 'member') return undefined
  if (!accessesOf(callee).some(({ root, steps }) => JQUERY.test([root, ...steps].join(' ')))) return undefined
  step(facts.calls.length)
  return name === 'ajax' ? ajaxOf(call, facts) : postOf(call)
}

function fetchOf({ callee, args: [address, options] }: CallValue, facts: ScriptFacts): Request | undefined {
  if (
    !accessesOf(callee).some(({ root, steps }) => root === 'global:fetch' || [root, ...steps].join(' ') === 'global:window fetch')
  )
    return undefined
  const settings = writtenObject(options, facts)
  const method = settings?.get('method')
  if (address === undefined || settings === undefined || method === undefined) return undefined
  const credentials = settings.get('credentials')
  if (credentials !== undefined && constantOf(credentials) === 'omit') return undefined
  return { via: 'fetch', address, method: textOf(method), headers: headersIn(settings, facts) }
}

function ajaxOf({ args: [first, second] }: CallValue, facts: ScriptFacts): Request | undefined {
  const isNamed = second !== undefined
  const settings = writtenObject(isNamed ? second : first, facts)
  const address = isNamed ? first : settings?.get('url')
  const method = settings?.get('method') ?? settings?.get('type')
  if (settings === undefined || address === undefined || method === undefined) return undefined
  const before = settings.get('beforeSend')
  const known = before === undefined ? new Map<string, Value>() : headersSetBy(before, facts)
  const own = headersIn(settings, facts)
  const contentType = settings.get('contentType')
  return {
    via: 'jquery',
    address,
    method: textOf(method),
    headers: own && known && new Map([...own, ...known]),
    ...(contentType !== undefined && { contentType }),
  }
}

/** Fact: jQuery API, `jQuery.post`: a form's content type, and no place for headers but in an object of settings. */
function postOf({ args: [address] }: CallValue): Request | undefined {
  if (address === undefined || resolveValue(address).kind === 'object') return undefined
  return { via: 'jquery', address, method: 'POST', headers: new Map() }
}

/** `request.open("POST", url)`, with the headers that are set on the same name. */
function openedOf({ callee, args: [method, address, , , password] }: CallValue, facts: ScriptFacts): Request | undefined {
  const sender = callee.kind === 'member' && callee.object.kind === 'reference' ? callee.object.binding : undefined
  if (sender === undefined || method === undefined || address === undefined || password !== undefined) return undefined
  const made = sender.definitions[0]?.value
  if (made?.kind !== 'new' || lastNameOf(made.callee) !== 'XMLHttpRequest') return undefined
  const isHandedOn = facts.calls.some(({ args }) => args.some((argument) => refersTo(argument, sender)))
  const headers = isHandedOn
    ? undefined
    : headersOf(facts.calls.filter(({ callee: to }) => to.kind === 'member' && refersTo(to.object, sender)))
  return { via: 'xhr', address, method: textOf(method), headers }
}

function headersSetBy(value: Value, { calls }: ScriptFacts): ReadonlyMap<string, Value> | undefined {
  const fact = functionOf(value)
  return fact && headersOf(calls.filter(({ start, end }) => fact.start <= start && end <= fact.end))
}

function headersOf(calls: readonly CallValue[]): ReadonlyMap<string, Value> | undefined {
  const headers = new Map<string, Value>()
  for (const { callee, args } of calls) {
    const [name, value] = args
    if (lastNameOf(callee) !== 'setRequestHeader' || name === undefined || value === undefined) continue
    const text = constantOf(name)
    if (typeof text !== 'string') return undefined
    headers.set(text, value)
  }
  return headers
}

function headersIn(settings: ReadonlyMap<string, Value>, facts: ScriptFacts): ReadonlyMap<string, Value> | undefined {
  const given = settings.get('headers')
  if (given === undefined) return new Map()
  const here = resolveValue(given)
  const made = here.kind === 'new' && lastNameOf(here.callee) === 'Headers' ? here.args[0] : given
  const written = made === undefined ? new Map<string, Value>() : writtenObject(made, facts)
  const later = addedTo(given, facts)
  return written && later && new Map([...written, ...later])
}

/** The fields of an object that is written out in the file, with what is set on its name later. Undefined: it may have others. */
function writtenObject(value: Value | undefined, facts: ScriptFacts, depth = 0): ReadonlyMap<string, Value> | undefined {
  const here = value && resolveValue(value)
  if (value === undefined || here === undefined || depth > 3) return undefined
  if (here.kind === 'call') {
    const returned = returnedBy(here, facts)
    return returned === undefined || returned === here ? undefined : writtenObject(returned, facts, depth + 1)
  }
  if (here.kind !== 'object') return undefined
  const fields = new Map<string, Value>()
  for (const { key, value: field } of here.fields) {
    const spread = key === undefined && field.kind === 'spread' ? writtenObject(field.value, facts, depth + 1) : undefined
    if (key === undefined && spread === undefined) return undefined
    if (key !== undefined) fields.set(key, field)
    for (const [name, one] of spread ?? []) fields.set(name, one)
  }
  const later = addedTo(value, facts)
  return later && new Map([...fields, ...later])
}

/** What the one function of the file that is called gives back. */
function returnedBy({ callee }: CallValue, { functions }: ScriptFacts): Value | undefined {
  const own =
    callee.kind === 'member' && callee.object.kind === 'this' && callee.name !== undefined
      ? functions.filter(({ name }) => name.endsWith(`.${callee.name}`))
      : [functionOf(callee)]
  const [fact] = own
  return own.length === 1 && fact?.returns.length === 1 && !fact.isAsync ? fact.returns[0] : undefined
}

/** `settings.headers = …`, `settings.headers["X-CSRF-Token"] = …`, `headers.append(name, value)`. Undefined: under a name that nobody can tell. */
function addedTo(value: Value, { assignments, calls }: ScriptFacts): ReadonlyMap<string, Value> | undefined {
  const added = new Map<string, Value>()
  const binding = value.kind === 'reference' ? value.binding : undefined
  if (binding === undefined) return added
  for (const { target, value: given } of assignments) {
    const below = target.object.kind === 'member' ? target.object.object : target.object
    if (!refersTo(below, binding)) continue
    if (target.name === undefined) return undefined
    added.set(target.name, given)
  }
  for (const { callee, args } of calls) {
    const [name, given] = args
    if (callee.kind !== 'member' || !refersTo(callee.object, binding) || !/^(?:set|append)$/.test(callee.name ?? '')) continue
    const text = name && constantOf(name)
    if (typeof text !== 'string' || given === undefined) return undefined
    added.set(text, given)
  }
  // a helper may add what it likes
  const isHandedOn = calls.some(
    ({ callee, args }) => !SENDERS.has(lastNameOf(callee) ?? '') && args.some((one) => refersTo(one, binding)),
  )
  return isHandedOn ? undefined : added
}

const SENDERS: ReadonlySet<string> = new Set(['fetch', 'ajax', 'stringify'])

function refersTo(value: Value, binding: Binding): boolean {
  return value.kind === 'reference' && value.binding === binding
}

function textOf(value: Value): string {
  return String(constantOf(value) ?? '')
}

/** The path as far as it is constant, without the query. */
function pathOf(address: Value): string {
  const { text } = leadingTextOf(address)
  const here = resolveValue(address)
  const tail = here.kind === 'template' ? here.texts.at(-1) : here.kind === 'concat' ? here.parts.at(-1) : undefined
  const end = typeof tail === 'object' ? textOf(tail) : tail
  return (end === undefined || end === '' ? text : end).replace(/[?#].*$/s, '')
}
