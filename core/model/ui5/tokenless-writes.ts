import { lastNameOf } from '../../facts/literals.ts'
import { stringConstantOf, keyOf, resolveValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { holdsAt } from '../../keywords/index.ts'
import type { Span } from '../../types.ts'
import { firstPartOf, leadingTextOf, splitWords } from '../script/index.ts'
import { createOwnAddressReader } from './own-addresses.ts'
import { requestOf, requestsOf, textOf, type Client, type HandRequest } from './hand-requests.ts'

/** A request written by hand that changes something on the app's own server and carries no CSRF token. */
export interface TokenlessWrite {
  readonly at: Span
  readonly via: Client
  readonly method: string
  /** A form of any site can send the same: no other method, no other content type, so that no browser asks the server before. */
  readonly isSimple: boolean
  /** A script of PHP answers it. */
  readonly isOfPhp?: true
}

const WRITES = /^(?:POST|PUT|PATCH|DELETE|MERGE)$/i
const REQUEST = /\bfetch\s?\(|\.(?:ajax|post)\s?\(|XMLHttpRequest/y
const REQUEST_WORDS = ['fetch', '.ajax', '.post', 'XMLHttpRequest']
/** Tokens by their usual names, and credentials that the browser does not add by itself. */
const PROTECTS = /csrf|xsrf|requestverificationtoken|^authorization$|api-?key/i
/** What has no session yet, only keeps records, or reads with a body. */
const HARMLESS_PATH =
  /(?:^|\/)(?:log(?:in|on|s|ging|entries)?|clientlogs?|sign-?in|o?auth\w{0,10}|tokens?|telemetry|metrics|beacon|search|query|find|count|validate|preview|graphql)(?:\/\w{1,40}){0,1}\/?$/i
/** `getItems.php`, `list_rooms.jsp`: a script that reads, asked by POST. `loadWallet` may fill one. */
const READING_SCRIPT =
  /(?:^|\/)((?:[Gg]et|[Ff]etch|[Rr]ead|[Ll]ist|[Ss]how)(?:[A-Z]|_[A-Za-z])\w{0,60})\.(?:php|jsp|aspx?|cgi|xsjs)$/
/** Beside what is read, by words of the script's name. */
const CHANGING: ReadonlySet<string> = new Set(
  'and then or add create insert new save store set put post write update edit change modify replace reset clear delete remove drop purge destroy send mail submit pay charge book buy order cancel approve reject confirm accept assign move import upload mark lock unlock enable disable activate admit revoke grant'.split(
    ' ',
  ),
)

/** Requests that scripts write by hand: `fetch`, `jQuery.ajax`, `jQuery.post`, `XMLHttpRequest`. */
export const tokenlessWrites: Extract<TokenlessWrite> = defineExtract({
  name: 'ui5-tokenless-writes',
  keywords: ['POST', 'PUT', 'PATCH', 'DELETE', 'MERGE'],
  words: REQUEST_WORDS,
  prefilter: (text, hits) => holdsAt(text, hits.places(text, REQUEST_WORDS), REQUEST),
  collect: ({ facts, step }) => findWrites(facts, step),
})

/** Requests to the app's own server that say who calls by a header of their own. */
export const authorizedRequests: Extract<string> = defineExtract({
  name: 'ui5-authorized-requests',
  keywords: ['authorization'],
  words: REQUEST_WORDS,
  prefilter: (text, hits) => holdsAt(text, hits.places(text, REQUEST_WORDS), REQUEST),
  *collect({ facts, step }) {
    let isOwn: ((address: Value) => boolean) | undefined
    for (const call of facts.calls)
      for (const { headers, method, address } of requestsOf(call, facts, step)) {
        if (headers === undefined || ![...headers.keys()].some((name) => /^authorization$/i.test(name))) continue
        isOwn ??= createOwnAddressReader(facts, step)
        if (isOwn(address)) yield method
      }
  },
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

function* findWrites(facts: ScriptFacts, step: (count?: number) => void): Generator<TokenlessWrite> {
  let isOwn: ((address: Value) => boolean) | undefined
  for (const call of facts.calls) {
    const sent = requestsOf(call, facts, step)
    for (const request of sent) {
      const { headers, via, method, address } = request
      if (!WRITES.test(method) || headers === undefined || [...headers.keys()].some((name) => PROTECTS.test(name))) continue
      if (keepsNoData(address, method)) continue
      isOwn ??= createOwnAddressReader(facts, step)
      if (!isOwn(address) && !isAskedForToken(address, facts, step)) continue
      yield {
        at: { start: call.start, end: call.end },
        via,
        method: method.toUpperCase(),
        isSimple: isSimple(request),
        ...(pathOf(address).endsWith('.php') && { isOfPhp: true as const }),
      }
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
function isSimple({ method, headers, contentType }: HandRequest): boolean {
  const type = contentType ?? [...(headers ?? [])].find(([name]) => name.toLowerCase() === 'content-type')?.[1].value
  if (method.toUpperCase() !== 'POST' || type === undefined) return method.toUpperCase() === 'POST'
  const text = stringConstantOf(type)
  return text !== undefined && /^(?:text\/plain|multipart\/form-data|application\/x-www-form-urlencoded)/i.test(text)
}

/** Whether a request to this address changes nothing of anybody: a login, a search, a record of what happened. */
export function keepsNoData(address: Value, method: string): boolean {
  const path = pathOf(address)
  return HARMLESS_PATH.test(path) || (/^POST$/i.test(method) && isReadingScript(path))
}

function isReadingScript(path: string): boolean {
  const name = READING_SCRIPT.exec(path)?.[1]
  return name !== undefined && !splitWords(name).some((word) => CHANGING.has(word))
}

/** The same of an address as text, whatever the method. */
export function keepsNoDataAt(address: string): boolean {
  return HARMLESS_PATH.test(address.replace(/[?#].*$/s, ''))
}

/** The path as far as it is constant, without the query. */
function pathOf(address: Value): string {
  const { text } = leadingTextOf(address)
  const here = resolveValue(address)
  const tail = here.kind === 'template' ? here.texts.at(-1) : here.kind === 'concat' ? here.parts.at(-1) : undefined
  const end = typeof tail === 'object' ? textOf(tail) : tail
  return (end === undefined || end === '' ? text : end).replace(/[?#].*$/s, '')
}
