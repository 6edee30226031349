import { bindingOf } from '../../facts/asked-values.ts'
import { constantOf, fieldOf, isConstant, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isPasswordName, isRepeatedPassword } from '../../model/script/index.ts'
import { createOwnerReader, type HandedTo } from './_app-methods.ts'
import { jsonOf, saysGet } from './_body-wrappers.ts'
import { writtenBefore } from './_query-wrappers.ts'

export type ObjectValue = Value & { readonly kind: 'object' }

/** An object that a call sends, or hands to a method of the app (`by`) that may send it. */
export interface SentObject {
  readonly call: CallValue
  readonly object: ObjectValue
  /** The object as it is given: by its name, as JSON. */
  readonly given: Value
  readonly by: HandedTo | undefined
}

export function* sentObjects(facts: ScriptFacts, step: (count?: number) => void): Generator<SentObject> {
  step(facts.calls.length)
  const ownerOf = createOwnerReader(facts)
  const innerIn = new Map<ObjectValue, readonly InnerObject[]>()
  for (const call of facts.calls) {
    const body = bodyOf(call)
    const sent = body && objectIn(body)
    if (body !== undefined && sent !== undefined) yield { call, object: sent, given: body, by: undefined }
    if (body !== undefined) continue
    const named = ownerOf(call)
    if (named === undefined) continue
    let owner: Omit<HandedTo, 'index'> | undefined
    for (const [index, given] of call.args.entries()) {
      const written = writtenBefore(given, call.start, step)
      const object = written && objectIn(written)
      if (object === undefined) continue
      owner ??= { ...named, ...(saysGet(call) && { saysGet: true as const }) }
      yield { call, object, given, by: { ...owner, index } }
      const inner = innerIn.get(object) ?? innerObjects(object)
      // methods may be given the same object again and again
      if (!innerIn.has(object)) step(object.fields.length)
      innerIn.set(object, inner)
      step(inner.length)
      for (const one of inner) yield { call, object: one.object, given: one.given, by: { ...owner, index, field: one.field } }
    }
  }
}

interface InnerObject {
  readonly field: string
  readonly object: ObjectValue
  readonly given: Value
}

function innerObjects({ fields }: ObjectValue): readonly InnerObject[] {
  return fields.flatMap(({ key, value }) => {
    const object = key === undefined ? undefined : objectIn(value)
    return key === undefined || object === undefined ? [] : { field: key, object, given: value }
  })
}

/** What a request sends. Facts: jQuery API, ajax and post; axios 1 (README); Fetch and XMLHttpRequest standards. */
export function bodyOf({ callee, args: [first, second] }: CallValue): Value | undefined {
  const name = lastNameOf(callee) ?? ''
  const owner = callee.kind === 'member' ? (lastNameOf(callee.object) ?? '') : ''
  const isJQuery = owner === '$' || owner === 'jQuery'
  if (name === 'post' && (isJQuery || owner === 'axios')) return second
  if (name === 'send' && callee.kind === 'member') return first
  const isAxios = name === 'axios' || owner === 'axios'
  if (!isAxios && name !== 'fetch' && !(name === 'ajax' && isJQuery)) return undefined
  const settings = [first, second].map((one) => one && resolveValue(one)).find((one) => one?.kind === 'object')
  if (settings?.kind !== 'object') return undefined
  const method = fieldOf(settings, 'method')?.value ?? fieldOf(settings, 'type')?.value
  if (!/^(?:POST|PUT|PATCH)$/i.test(String((method && constantOf(method)) ?? ''))) return undefined
  return fieldOf(settings, name === 'fetch' ? 'body' : 'data')?.value
}

/** An object, by its name or as JSON. */
export function objectIn(value: Value): ObjectValue | undefined {
  const here = resolveValue(value)
  if (here.kind === 'object') return here
  const given = resolveValue(jsonOf(here))
  return given.kind === 'object' ? given : undefined
}

export interface NamedField {
  readonly key: string
  readonly value: Value
}

export function namedFields({ fields }: ObjectValue): readonly NamedField[] {
  return fields.flatMap(({ key, value }) => (key === undefined ? [] : { key, value }))
}

/** Those of an object, and those that it is given later by its name. */
export function fieldsGiven(object: Value, { assignments }: ScriptFacts, step: (count?: number) => void): readonly NamedField[] {
  const made = resolveValue(object)
  const fields = made.kind === 'object' ? namedFields(made) : []
  step(fields.length)
  const binding = bindingOf(object)
  if (binding === undefined) return fields
  step(assignments.length)
  const later = assignments.flatMap(({ target, value }) =>
    target.name !== undefined && bindingOf(target.object) === binding ? { key: target.name, value } : [],
  )
  return [...fields, ...later]
}

/** The field with the password, where it is none that the code writes down. */
export function enteredPassword(fields: readonly NamedField[]): string | undefined {
  return fields.find(({ key, value }) => isPasswordName(key) && !isRepeatedPassword(key) && !isConstant(value))?.key
}
