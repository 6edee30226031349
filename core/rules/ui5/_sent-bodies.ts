import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  constantOf,
  fieldOf,
  isConstant,
  resolveValue,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isPasswordName, isRepeatedPassword } from '../../model/script/index.ts'
import { lastName } from '../../paths.ts'
import { createOwnerReader, type AppMethod, type HandedTo } from './_app-methods.ts'
import { writtenBefore } from './_query-wrappers.ts'

export type ObjectValue = Value & { readonly kind: 'object' }

/**
 * Methods of the app that send a parameter as the body of a request: `save(path, row) { return $.ajax({ url: path, method: "PUT", data: JSON.stringify(row) }) }`.
 * Facts: jQuery API, `ajax`; Fetch standard.
 */
export const bodyWrappers: Extract<AppMethod> = defineExtract({
  name: 'ui5-body-wrappers',
  keywords: ['.ajax(', 'fetch(', 'axios'],
  prefilter: (text) => /["'`](?:POST|PUT|PATCH|MERGE)["'`]/i.test(text),
  *collect({ facts, step }) {
    step(facts.calls.length + facts.functions.length)
    const told = new Set<Binding>()
    for (const call of facts.calls) {
      const body = bodyOf(call)
      const sent = body && jsonOf(body)
      const binding = sent?.kind === 'reference' ? sent.binding : undefined
      const index = binding === undefined ? -1 : binding.function.parameters.indexOf(binding)
      if (binding === undefined || index < 0 || told.has(binding)) continue
      told.add(binding)
      const method = lastName(binding.function.name)
      step(facts.functions.length)
      // of two methods of one name nothing tells which one is called
      const isOnly = facts.functions.filter(({ name }) => lastName(name) === method).length === 1
      if (method !== '' && isOnly) yield { method, index }
    }
  },
})

/** An object that a call sends, or hands to a method of the app (`by`) that may send it. */
export interface SentObject {
  readonly call: CallValue
  readonly object: ObjectValue
  readonly by: HandedTo | undefined
}

export function* sentObjects(facts: ScriptFacts, step: (count?: number) => void): Generator<SentObject> {
  step(facts.calls.length)
  const ownerOf = createOwnerReader(facts)
  for (const call of facts.calls) {
    const body = bodyOf(call)
    const sent = body && objectIn(body)
    if (sent !== undefined) yield { call, object: sent, by: undefined }
    if (body !== undefined) continue
    const owner = ownerOf(call)
    if (owner === undefined) continue
    for (const [index, given] of call.args.entries()) {
      const object = writtenBefore(given, call.start, step)
      if (object?.kind === 'object') yield { call, object, by: { ...owner, index } }
    }
  }
}

/** What a request sends. Facts: jQuery API, ajax and post; axios 1 (README); Fetch and XMLHttpRequest standards. */
export function bodyOf({ callee, args: [first, second] }: CallValue): Value | undefined {
  const name = lastNameOf(callee) ?? ''
  const owner = callee.kind === 'member' ? (lastNameOf(callee.object) ?? '') : ''
  const isJQuery = /^(?:\$|jQuery)$/.test(owner)
  if (name === 'post' && (isJQuery || owner === 'axios')) return second
  if (name === 'send' && callee.kind === 'member') return first
  const settings = [first, second].map((one) => one && resolveValue(one)).find((one) => one?.kind === 'object')
  if (settings?.kind !== 'object') return undefined
  const method = fieldOf(settings, 'method')?.value ?? fieldOf(settings, 'type')?.value
  if (!/^(?:POST|PUT|PATCH)$/i.test(String((method && constantOf(method)) ?? ''))) return undefined
  if (name === 'fetch') return fieldOf(settings, 'body')?.value
  return (name === 'ajax' && isJQuery) || name === 'axios' || owner === 'axios' ? fieldOf(settings, 'data')?.value : undefined
}

/** An object, by its name or as JSON. */
export function objectIn(value: Value): ObjectValue | undefined {
  const here = resolveValue(value)
  if (here.kind === 'object') return here
  const given = resolveValue(jsonOf(here))
  return given.kind === 'object' ? given : undefined
}

/** What `JSON.stringify` is given; else the value itself. */
function jsonOf(value: Value): Value {
  const [given] = value.kind === 'call' && lastNameOf(value.callee) === 'stringify' ? value.args : []
  return given ?? value
}

export interface NamedField {
  readonly key: string
  readonly value: Value
}

export function namedFields({ fields }: ObjectValue): readonly NamedField[] {
  return fields.flatMap(({ key, value }) => (key === undefined ? [] : { key, value }))
}

/** The field with the password, where it is none that the code writes down. */
export function enteredPassword(fields: readonly NamedField[]): string | undefined {
  return fields.find(({ key, value }) => isPasswordName(key) && !isRepeatedPassword(key) && !isConstant(value))?.key
}
