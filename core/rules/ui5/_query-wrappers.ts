import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { constantOf, fieldOf, findPart, resolveValue, type Binding, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createInnerIndex } from '../../facts/span-index.ts'
import { isPasswordName, mayNamePassword, PASSWORD_KEYWORDS } from '../../model/script/index.ts'
import { lastName } from '../../paths.ts'
import type { Place, Span } from '../../types.ts'
import { createMethodLookup, createOwnerReader, type AppMethod, type HandedTo } from './_app-methods.ts'
import { unwrap } from './_password-values.ts'

/**
 * Methods of the app that send a parameter in the address of a request: `read(path, filter) { $.ajax({ url: path + "?" + new URLSearchParams(filter), method: "GET" }) }`, also by `$.param` and by `data`.
 * Facts: jQuery API, `ajax` (`data` becomes the query of a GET request) and `param`; URL standard, "URLSearchParams class".
 */
export const queryWrappers: Extract<AppMethod> = defineExtract({
  name: 'ui5-query-wrappers',
  keywords: ['URLSearchParams', '.param(', '.ajax('],
  prefilter: (text) =>
    /(?:URLSearchParams|\.param)\(\s{0,4}[\w$]{1,40}\s{0,4}\)/.test(text) ||
    (/\bdata\s{0,4}:\s{0,4}[\w$]{1,40}\s{0,4}[,}\n]/.test(text) && /["'`]GET["'`]/.test(text)),
  *collect({ facts, step }) {
    step(facts.calls.length + facts.functions.length)
    const callsIn = createInnerIndex(facts.calls)
    const told = new Set<Binding>()
    for (const call of facts.calls) {
      const binding = parameterSent(requestOf(call), step)
      const index = binding === undefined ? -1 : binding.function.parameters.indexOf(binding)
      if (binding === undefined || index < 0 || told.has(binding)) continue
      told.add(binding)
      const calls = callsIn(binding.function)
      step(calls.length)
      if (calls.some((one) => SENDS.test(lastNameOf(one.callee) ?? '') || requestOf(one)?.isGet === false)) continue
      const method = lastName(binding.function.name)
      step(facts.functions.length)
      // of two methods of one name nothing tells which one is called
      const isOnly = facts.functions.filter(({ name }) => lastName(name) === method).length === 1
      if (method !== '' && isOnly) yield { method, index }
    }
  },
})

/** They send a body. */
const SENDS = /^(?:post|put|patch|send)$/i

interface Request {
  /** False also where nothing tells. */
  readonly isGet: boolean
  readonly address: Value | undefined
  /** What jQuery adds to the address of a GET request. */
  readonly data: Value | undefined
}

/** Requests of `fetch`, jQuery and axios; undefined: it is none. */
function requestOf({ callee, args }: CallValue): Request | undefined {
  const [first, second] = args
  const name = lastNameOf(callee)
  if (name === 'fetch' && (callee.kind === 'reference' || (callee.kind === 'member' && lastNameOf(callee.object) === 'window')))
    return { isGet: isGet(second), address: first, data: undefined }
  if (callee.kind !== 'member' || !/^(?:\$|jQuery|axios)$/.test(lastNameOf(callee.object) ?? '')) return undefined
  if (name === 'get' || name === 'getJSON') return { isGet: true, address: first, data: undefined }
  if (name !== 'ajax') return undefined
  const own = first && settingsOf(first)
  if (args.length === 1) return { isGet: isGet(first), address: fieldOf(own, 'url')?.value, data: fieldOf(own, 'data')?.value }
  return { isGet: isGet(second), address: first, data: fieldOf(second && settingsOf(second), 'data')?.value }
}

/** Nothing is set, or all that is set stands there. */
function isGet(given: Value | undefined): boolean {
  if (given === undefined) return true
  const settings = settingsOf(given)
  if (settings === undefined) return false
  const method = fieldOf(settings, 'method')?.value ?? fieldOf(settings, 'type')?.value
  return method === undefined || String(constantOf(method)).toUpperCase() === 'GET'
}

/** An object whose fields are all known: no spread, and nothing is put into it later. */
function settingsOf(given: Value): (Value & { readonly kind: 'object' }) | undefined {
  const settings = resolveValue(given)
  const isChanged = given.kind === 'reference' && (given.binding?.additions.length ?? 0) > 0
  return settings.kind === 'object' && !isChanged && settings.fields.every(({ key }) => key !== undefined) ? settings : undefined
}

/** The name whose fields become the query of a GET request. */
function parameterSent(request: Request | undefined, step: (count?: number) => void): Binding | undefined {
  if (request === undefined || !request.isGet) return undefined
  const { address, data } = request
  step(LOOK)
  const query = address && findPart(address, (part) => queryOf(part) !== undefined)
  const given = (query && queryOf(query)) ?? (data && (queryOf(data) ?? data))
  return given?.kind === 'reference' ? given.binding : undefined
}

/** What reading an address takes. */
const LOOK = 20

/** `new URLSearchParams(filter)`, `$.param(filter)` */
function queryOf(value: Value): Value | undefined {
  const name = 'callee' in value ? lastNameOf(value.callee) : undefined
  if (value.kind === 'new') return name === 'URLSearchParams' ? value.args[0] : undefined
  if (value.kind !== 'call' || name !== 'param' || value.callee.kind !== 'member') return undefined
  return /^(?:\$|jQuery)$/.test(lastNameOf(value.callee.object) ?? '') ? value.args[0] : undefined
}

/** A password among the parameters that a method of the app is given. */
interface HandedPassword extends HandedTo {
  readonly at: Span
  readonly name: string
}

/** `this.read("Logins", { mail, password: btoa(entered) })`, by a name too. */
export const handedPasswords: Extract<HandedPassword> = defineExtract({
  name: 'ui5-handed-passwords',
  keywords: PASSWORD_KEYWORDS,
  prefilter: (text, hits) =>
    mayNamePassword(text, hits) && /\.\w{0,40}(?:read|get|fetch|load|find|ajax|request|call|query)\w{0,40}\(/i.test(text),
  *collect({ facts, step }) {
    step(facts.calls.length + facts.functions.length)
    const ownerOf = createOwnerReader(facts)
    for (const call of facts.calls) {
      const owner = ownerOf(call)
      if (owner === undefined) continue
      for (const [index, given] of call.args.entries()) {
        const fields = writtenBefore(given, call.start, step)
        if (fields?.kind !== 'object') continue
        step(fields.fields.length)
        for (const { key, value } of fields.fields)
          if (key !== undefined && isPasswordName(key) && constantOf(unwrap(value)) === undefined)
            yield { ...owner, index, at: { start: value.start, end: value.end }, name: key }
      }
    }
  },
})

/** What a name was given last in front of a place: a name that gets one of several objects holds the one right before the call. */
export function writtenBefore(given: Value, at: number, step: (count?: number) => void): Value | undefined {
  if (given.kind !== 'reference' || given.binding === undefined) return given
  const { definitions } = given.binding
  step(definitions.length)
  let last: Value | undefined
  for (const { value } of definitions)
    if (value !== undefined && value.start < at && value.start >= (last?.start ?? 0)) last = value
  return last
}

/** Passwords that methods of the app send in the address of a request. Needs both extracts. */
export function* passwordsInQueries(scripts: Pick<Scripts, 'get'>): Generator<Place & { readonly name: string }> {
  const sentBy = createMethodLookup(scripts.get(queryWrappers))
  for (const { file, value } of scripts.get(handedPasswords))
    if (sentBy(file, value) !== undefined) yield { file, span: value.at, name: value.name }
}
