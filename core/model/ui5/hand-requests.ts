import { functionOf, isCalleeOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import {
  accessesOf,
  constantOf,
  stringConstantOf,
  pathsOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { refersTo, settle, writtenFields, type Fields, type Given, type Held } from './written-settings.ts'
import { isWithin } from '../../facts/span-index.ts'

export type Client = 'fetch' | 'jquery' | 'xhr'

const JQUERY = /^(?:global:(?:jQuery|\$)|module:(?:sap\/ui\/thirdparty\/)?jquery(?:\.sap\.global)?)(?: |$)/

/** A request that a script writes by hand: `fetch`, `jQuery.ajax`, `jQuery.post`, `XMLHttpRequest`. */
export interface HandRequest {
  readonly via: Client
  readonly address: Value
  /** As it is written; empty where nobody can tell it. */
  readonly method: string
  /** Names of headers and what they are, as far as they can be read; undefined: nobody can tell them. */
  readonly headers: Fields | undefined
  readonly contentType?: Value
  /** The browser adds its cookies, whatever the origin. */
  readonly sendsCookies?: true
}

/** What a call sends; where only the callers of the function around tell method and headers, what it sends for each of them. */
export function requestsOf(call: CallValue, facts: ScriptFacts, step: (count?: number) => void): readonly HandRequest[] {
  const request = requestOf(call, facts, undefined, step)
  if (request === undefined) return []
  if (request.method !== '' && request.headers !== undefined) return [request]
  step(facts.calls.length)
  return facts.calls.flatMap(({ callee, args }) => {
    for (let fact: FunctionFact | undefined = call.function; fact !== undefined; fact = fact.parent)
      if (fact.parameters.length > 0 && isCalleeOf(callee, fact)) return requestOf(call, facts, { fact, args }, step) ?? []
    return []
  })
}

/** Each is compared with all calls of the file. */
export function requestOf(
  call: CallValue,
  facts: ScriptFacts,
  given: Given | undefined,
  step: (count?: number) => void,
): HandRequest | undefined {
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

/**
 * `model.loadData(url, data, true, "POST", false, false, headers)` of a method that is written; what it only reads, `hostReads` knows.
 * Fact: API of sap.ui.model.json.JSONModel, `loadData`, which sends by jQuery.
 */
export function loadedBy({ callee, args }: CallValue, facts: ScriptFacts): HandRequest | undefined {
  const [address, , , method, , , headers] = args
  const verb = textOf(method)
  if (lastNameOf(callee) !== 'loadData' || address === undefined || !/^(?:POST|PUT|PATCH|DELETE)$/i.test(verb)) return undefined
  if (!pathsOf(callee).some((path) => JSON_MODEL.test(path.join(' ')))) return undefined
  return {
    via: 'jquery',
    address,
    method: verb,
    headers: headers === undefined ? new Map() : writtenFields(headers, facts, undefined),
  }
}

const JSON_MODEL = /^(?:global:sap ui model json JSONModel|module:sap\/ui\/model\/json\/JSONModel(?: default)?) new loadData$/

function fetchOf({ callee, args }: CallValue, facts: ScriptFacts, given: Given | undefined): HandRequest | undefined {
  if (
    !accessesOf(callee).some(({ root, steps }) => root === 'global:fetch' || [root, ...steps].join(' ') === 'global:window fetch')
  )
    return undefined
  const first = args[0] && resolveValue(args[0])
  const [target, options] = first?.kind === 'new' && lastNameOf(first.callee) === 'Request' ? first.args : args
  const settings: Fields | undefined = options === undefined ? new Map() : writtenFields(options, facts, given)
  const address = settle(target, given)
  if (address === undefined || settings === undefined) return undefined
  const method = settings.get('method')?.value
  const credentials = textOf(settings.get('credentials')?.value)
  if (credentials === 'omit') return undefined
  return {
    via: 'fetch',
    address,
    method: method === undefined ? 'GET' : textOf(method),
    headers: isFilledLater(args[0], facts) || holdsToken(settings) ? undefined : headersIn(settings, facts),
    ...(credentials === 'include' && { sendsCookies: true }),
  }
}

/** `request.headers.set("Authorization", token)` of what is fetched: nobody can tell its headers by what it is made of. */
function isFilledLater(request: Value | undefined, { calls }: ScriptFacts): boolean {
  if (request?.kind !== 'reference') return false
  return calls.some(({ callee }) => {
    const headers = callee.kind === 'member' && /^(?:set|append)$/.test(callee.name ?? '') ? callee.object : undefined
    return headers?.kind === 'member' && headers.name === 'headers' && isSame(headers.object, request)
  })
}

/** `{ client: this.token }`: what wraps `fetch` may make a header of it. */
function holdsToken(settings: Fields): boolean {
  return [...settings].some(([name, { value }]) => name !== 'headers' && name !== 'body' && TOKEN.test(lastNameOf(value) ?? ''))
}

const TOKEN = /(?:token|jwt|bearer|authorization|credentials?)$/i

function ajaxOf(
  { callee, args: [first, second] }: CallValue,
  facts: ScriptFacts,
  given: Given | undefined,
): HandRequest | undefined {
  const isNamed = second !== undefined
  const settings = writtenFields(isNamed ? second : first, facts, given)
  const address = isNamed ? settle(first, given) : settings?.get('url')?.value
  const method = (settings?.get('method') ?? settings?.get('type'))?.value
  const isPost = lastNameOf(callee) === 'post'
  if (settings === undefined || address === undefined) return undefined
  const before = settings.get('beforeSend')
  const known = before === undefined ? new Map<string, Held>() : headersSetBy(before.value, facts)
  const own = headersIn(settings, facts)
  const contentType = settings.get('contentType')
  return {
    via: 'jquery',
    address,
    method: method === undefined ? (isPost ? 'POST' : 'GET') : textOf(method),
    headers: own && known && new Map([...own, ...known]),
    ...(contentType !== undefined && { contentType: contentType.value }),
    ...((settings.has('xhrFields') || settings.has('username')) && { sendsCookies: true }),
  }
}

/** Fact: jQuery API, `jQuery.post`: a form's content type, and no place for headers but in an object of settings. */
function postOf({ args: [first] }: CallValue, given: Given | undefined): HandRequest | undefined {
  const address = settle(first, given)
  return address && { via: 'jquery', address, method: 'POST', headers: new Map() }
}

/** `request.open("POST", url)`, with the headers that are set on the same name or field. */
function openedOf(
  { callee, args: [method, address, , , password] }: CallValue,
  facts: ScriptFacts,
  given: Given | undefined,
): HandRequest | undefined {
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
  return fact && headersOf(calls.filter((span) => isWithin(span, fact)))
}

function headersOf(calls: readonly CallValue[]): Fields | undefined {
  const headers = new Map<string, Held>()
  for (const { callee, args } of calls) {
    const [name, value] = args
    if (lastNameOf(callee) !== 'setRequestHeader' || name === undefined || value === undefined) continue
    const text = stringConstantOf(name)
    if (text === undefined) return undefined
    headers.set(text, { value, given: undefined })
  }
  return headers
}

function headersIn(settings: Fields, facts: ScriptFacts): Fields | undefined {
  const held = settings.get('headers')
  return held === undefined ? new Map() : writtenFields(held.value, facts, held.given)
}

/** Empty where it is not constant. */
export function textOf(value: Value | undefined): string {
  return String((value && constantOf(value)) ?? '')
}
