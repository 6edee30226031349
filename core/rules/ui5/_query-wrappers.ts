import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, fieldOf, resolveValue, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createInnerIndex } from '../../facts/span-index.ts'
import { isPasswordName, mayNamePassword, PASSWORD_KEYWORDS } from '../../model/script/index.ts'
import { lastName } from '../../paths.ts'
import type { Span } from '../../types.ts'
import { unwrap } from './_password-values.ts'

/** A method of the app that sends its parameter in the address of a request. */
interface QueryWrapper {
  readonly method: string
  readonly index: number
}

const REQUESTS: ReadonlySet<string> = new Set(['ajax', 'fetch', 'get', 'getJSON', 'request'])

/**
 * `read(path, filter) { $.ajax({ url: path + "?" + new URLSearchParams(filter), method: "GET" }) }`, also by `$.param` and by `data`.
 * Facts: jQuery API, `ajax` (`data` becomes the query of a GET request) and `param`; URL standard, "URLSearchParams class".
 */
export const queryWrappers: Extract<QueryWrapper> = defineExtract({
  name: 'ui5-query-wrappers',
  keywords: ['URLSearchParams', '.param(', '.ajax('],
  prefilter: (text) =>
    /(?:URLSearchParams|\.param)\(\s{0,4}[\w$]{1,40}\s{0,4}\)/.test(text) ||
    (/\bdata\s{0,4}:\s{0,4}[\w$]{1,40}\s{0,4}[,}\n]/.test(text) && /["'`]GET["'`]/.test(text)),
  *collect({ facts, step }) {
    const callsIn = createInnerIndex(facts.calls)
    const told = new Set<FunctionFact>()
    for (const call of facts.calls) {
      step()
      const given = queryOf(call)
      const binding = given?.kind === 'reference' ? given.binding : undefined
      const index = binding === undefined ? -1 : binding.function.parameters.indexOf(binding)
      if (binding === undefined || index < 0 || told.has(binding.function)) continue
      const calls = callsIn(binding.function)
      step(calls.length)
      const methods = calls.flatMap((one) => methodOf(one) ?? [])
      if (methods.length === 0 || methods.some((method) => method !== 'GET')) continue
      told.add(binding.function)
      const method = lastName(binding.function.name)
      if (method !== '') yield { method, index }
    }
  },
})

/** What becomes the query of an address. */
function queryOf({ kind, callee, args }: CallValue): Value | undefined {
  const name = lastNameOf(callee)
  if (name === 'URLSearchParams') return kind === 'new' ? args[0] : undefined
  if (callee.kind !== 'member' || !/^(?:\$|jQuery)$/.test(lastNameOf(callee.object) ?? '')) return undefined
  if (name === 'param') return args[0]
  if (name !== 'ajax') return undefined
  const settings = args.map(resolveValue).find((one) => one.kind === 'object')
  return fieldOf(settings, 'data')?.value
}

/** By which method a request is sent; undefined: it is none. */
function methodOf({ callee, args }: CallValue): string | undefined {
  if (!REQUESTS.has(lastNameOf(callee) ?? '')) return undefined
  const settings = args.map(resolveValue).find((one) => one.kind === 'object')
  const method = fieldOf(settings, 'method')?.value ?? fieldOf(settings, 'type')?.value
  return method === undefined ? 'GET' : String(constantOf(method)).toUpperCase()
}

/** A password among the parameters that a method of the app is given. */
interface HandedPassword extends QueryWrapper {
  readonly at: Span
  readonly name: string
}

/** `this.read("Logins", { mail, password: btoa(entered) })`, by a name too. */
export const handedPasswords: Extract<HandedPassword> = defineExtract({
  name: 'ui5-handed-passwords',
  keywords: PASSWORD_KEYWORDS,
  prefilter: (text, hits) =>
    mayNamePassword(text, hits) && /\.\w{0,40}(?:read|get|fetch|load|find|ajax|request|call|query)\w{0,40}\(/i.test(text),
  *collect({ facts }) {
    for (const { callee, args, start } of facts.calls) {
      if (callee.kind !== 'member' || callee.name === undefined) continue
      for (const [index, given] of args.entries()) {
        const fields = writtenBefore(given, start)
        if (fields?.kind !== 'object') continue
        for (const { key, value } of fields.fields)
          if (key !== undefined && isPasswordName(key) && constantOf(unwrap(value)) === undefined)
            yield { method: callee.name, index, at: { start: value.start, end: value.end }, name: key }
      }
    }
  },
})

/** What a name was given last in front of a place: a name that gets one of several objects holds the one right before the call. */
function writtenBefore(given: Value, at: number): Value | undefined {
  if (given.kind !== 'reference' || given.binding === undefined) return given
  const written = given.binding.definitions.flatMap(({ value }) => (value !== undefined && value.start < at ? value : []))
  return written.toSorted((one, other) => one.start - other.start).at(-1)
}
