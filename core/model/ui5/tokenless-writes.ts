import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import {
  accessesOf,
  constantOf,
  keyOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Span } from '../../types.ts'
import { firstPartOf, leadingTextOf } from '../script/index.ts'
import { createOwnAddressReader } from './own-addresses.ts'
import { refersTo, settle, writtenFields, type Fields, type Given, type Held } from './written-settings.ts'

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
  readonly headers: Fields | undefined
  readonly contentType?: Value
}

function* findWrites(facts: ScriptFacts, step: (count?: number) => void): Generator<TokenlessWrite> {
  let isOwn: ((address: Value) => boolean) | undefined
  for (const call of facts.calls) {
    const sent = requestsOf(call, facts, step)
    for (const request of sent) {
      const { headers, via, method, address } = request
      if (!WRITES.test(method) || headers === undefined || [...headers.keys()].some((name) => PROTECTS.test(name))) continue
      if (HARMLESS_PATH.test(pathOf(address))) continue
      isOwn ??= createOwnAddressReader(facts, step)
      if (!isOwn(address) && !isAskedForToken(address, facts, step)) continue
      yield { at: { start: call.start, end: call.end }, via, method: method.toUpperCase(), isSimple: isSimple(request) }
      break
    }
  }
}

/** The server behind the same base gives a token in another request of the file: it is the app's own. */
function isAskedForToken(address: Value, facts: ScriptFacts, step: (count?: number) => void): boolean {
  const base = baseOf(address)
  return (
    base !== undefined &&
    facts.calls.some((call) => {
      const asked = requestOf(call, facts, undefined, step)
      if (asked === undefined || baseOf(asked.address) !== base) return false
      return [...(asked.headers ?? [])].some(([name, { value }]) => /csrf/i.test(name) && /^fetch$/i.test(textOf(value)))
    })
  )
}

/** `this.root` of `this.root + "/orders"`; a name. */
function baseOf(address: Value): string | undefined {
  const first = firstPartOf(address) ?? address
  if (first.kind === 'member' && first.object.kind === 'this') return `this ${first.name ?? ''}`
  return first.kind === 'reference' ? keyOf(first) : undefined
}

/** Fact: Fetch standard, "CORS-safelisted method" and "CORS-safelisted request-header". */
function isSimple({ method, headers, contentType }: Request): boolean {
  const type = contentType ?? [...(headers ?? [])].find(([name]) => name.toLowerCase() === 'content-type')?.[1].value
  if (method.toUpperCase() !== 'POST' || type === undefined) return method.toUpperCase() === 'POST'
  const text = constantOf(type)
  return typeof text === 'string' && /^(?:text\/plain|multipart\/form-data|application\/x-www-form-urlencoded)/i.test(text)
}

/** What a call sends; where only the callers of the function around tell method and headers, what it sends for each of them. */
function requestsOf(call: CallValue, facts: ScriptFacts, step: (count?: number) => void): readonly Request[] {
  const request = requestOf(call, facts, undefined, step)
  if (request === undefined) return []
  if (request.method !== '' && request.headers !== undefined) return [request]
  step(facts.calls.length)
  return facts.calls.flatMap(({ callee, args }) => {
    for (let fact: FunctionFact | undefined = call.function; fact !== undefined; fact = fact.parent)
      if (fact.parameters.length > 0 && isCalledBy(callee, fact)) return requestOf(call, facts, { fact, args }, step) ?? []
    return []
  })
}

function isCalledBy(callee: Value, fact: FunctionFact): boolean {
  if (callee.kind !== 'member') return functionOf(callee) === fact
  return callee.object.kind === 'this' && callee.name !== undefined && fact.name.endsWith(`.${callee.name}`)
}

/** Each is compared with all calls of the file. */
function requestOf(
  call: CallValue,
  facts: ScriptFacts,
  given: Given | undefined,
  step: (count?: number) => void,
): Request | undefined {
  const { callee, args, kind } = call
  const name = lastNameOf(callee)
  if (kind !== 'call') return undefined
  if (name === 'fetch' || (name === 'open' && args.length > 1)) {
    step(facts.calls.length)
    return name === 'fetch' ? fetchOf(call, facts, given) : openedOf(call, facts, given)
  }
  if ((name !== 'ajax' && name !== 'post') || callee.kind !== 'member') return undefined
  if (!accessesOf(callee).some(({ root, steps }) => JQUERY.test([root, ...steps].join(' ')))) return undefined
  step(facts.calls.length)
  const settings = args[0] && resolveValue(args[0]).kind === 'object'
  return name === 'ajax' || settings === true ? ajaxOf(call, facts, given) : postOf(call, given)
}

function fetchOf({ callee, args }: CallValue, facts: ScriptFacts, given: Given | undefined): Request | undefined {
  if (
    !accessesOf(callee).some(({ root, steps }) => root === 'global:fetch' || [root, ...steps].join(' ') === 'global:window fetch')
  )
    return undefined
  const first = args[0] && resolveValue(args[0])
  const [target, options] = first?.kind === 'new' && lastNameOf(first.callee) === 'Request' ? first.args : args
  const settings = writtenFields(options, facts, given)
  const [address, method] = [settle(target, given), settings?.get('method')?.value]
  if (address === undefined || settings === undefined || method === undefined) return undefined
  const credentials = settings.get('credentials')
  if (textOf(credentials?.value) === 'omit') return undefined
  return { via: 'fetch', address, method: textOf(method), headers: headersIn(settings, facts) }
}

function ajaxOf({ callee, args: [first, second] }: CallValue, facts: ScriptFacts, given: Given | undefined): Request | undefined {
  const isNamed = second !== undefined
  const settings = writtenFields(isNamed ? second : first, facts, given)
  const address = isNamed ? settle(first, given) : settings?.get('url')?.value
  const method = (settings?.get('method') ?? settings?.get('type'))?.value
  const isPost = lastNameOf(callee) === 'post'
  if (settings === undefined || address === undefined || (method === undefined && !isPost)) return undefined
  const before = settings.get('beforeSend')
  const known = before === undefined ? new Map<string, Held>() : headersSetBy(before.value, facts)
  const own = headersIn(settings, facts)
  const contentType = settings.get('contentType')
  return {
    via: 'jquery',
    address,
    method: method === undefined ? 'POST' : textOf(method),
    headers: own && known && new Map([...own, ...known]),
    ...(contentType !== undefined && { contentType: contentType.value }),
  }
}

/** Fact: jQuery API, `jQuery.post`: a form's content type, and no place for headers but in an object of settings. */
function postOf({ args: [first] }: CallValue, given: Given | undefined): Request | undefined {
  const address = settle(first, given)
  return address && { via: 'jquery', address, method: 'POST', headers: new Map() }
}

/** `request.open("POST", url)`, with the headers that are set on the same name or field. */
function openedOf(
  { callee, args: [method, address, , , password] }: CallValue,
  facts: ScriptFacts,
  given: Given | undefined,
): Request | undefined {
  const sender = callee.kind === 'member' ? callee.object : undefined
  const target = settle(address, given)
  if (sender === undefined || method === undefined || target === undefined || password !== undefined) return undefined
  if (!isMadeRequest(sender, facts)) return undefined
  const isHandedOn = facts.calls.some(({ args }) => args.some((argument) => isSame(argument, sender)))
  const headers = isHandedOn
    ? undefined
    : headersOf(facts.calls.filter(({ callee: to }) => to.kind === 'member' && isSame(to.object, sender)))
  return { via: 'xhr', address: target, method: textOf(settle(method, given)), headers }
}

function isMadeRequest(sender: Value, { assignments }: ScriptFacts): boolean {
  const made =
    sender.kind === 'reference'
      ? [sender.binding?.definitions[0]?.value]
      : assignments.flatMap(({ target, value }) => (isSame(target, sender) ? value : []))
  return made.some((value) => value?.kind === 'new' && lastNameOf(value.callee) === 'XMLHttpRequest')
}

/** The same name, or the same field of `this`. */
function isSame(value: Value, sender: Value): boolean {
  if (sender.kind === 'reference') return sender.binding !== undefined && refersTo(value, sender.binding)
  return (
    sender.kind === 'member' &&
    value.kind === 'member' &&
    sender.name === value.name &&
    sender.object.kind === 'this' &&
    value.object.kind === 'this'
  )
}

function headersSetBy(value: Value, { calls }: ScriptFacts): Fields | undefined {
  const fact = functionOf(value)
  return fact && headersOf(calls.filter(({ start, end }) => fact.start <= start && end <= fact.end))
}

function headersOf(calls: readonly CallValue[]): Fields | undefined {
  const headers = new Map<string, Held>()
  for (const { callee, args } of calls) {
    const [name, value] = args
    if (lastNameOf(callee) !== 'setRequestHeader' || name === undefined || value === undefined) continue
    const text = constantOf(name)
    if (typeof text !== 'string') return undefined
    headers.set(text, { value, given: undefined })
  }
  return headers
}

function headersIn(settings: Fields, facts: ScriptFacts): Fields | undefined {
  const held = settings.get('headers')
  return held === undefined ? new Map() : writtenFields(held.value, facts, held.given)
}

function textOf(value: Value | undefined): string {
  return String((value && constantOf(value)) ?? '')
}

/** The path as far as it is constant, without the query. */
function pathOf(address: Value): string {
  const { text } = leadingTextOf(address)
  const here = resolveValue(address)
  const tail = here.kind === 'template' ? here.texts.at(-1) : here.kind === 'concat' ? here.parts.at(-1) : undefined
  const end = typeof tail === 'object' ? textOf(tail) : tail
  return (end === undefined || end === '' ? text : end).replace(/[?#].*$/s, '')
}
