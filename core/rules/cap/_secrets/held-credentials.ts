import { functionOfThis } from '../../../facts/callbacks.ts'
import {
  isConstant,
  keyOf,
  type CallValue,
  type Definition,
  type ObjectValue,
  type ReferenceValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isNothing } from '../../../facts/values.ts'
import { secretNounOf } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** A value that an answer holds, as it is read, and the part of the answer by which it does. */
export interface HeldValue {
  readonly value: Value
  readonly at: Span
}

/** The names, members and calls that an answer holds. */
export type HeldReader = (answered: Value) => Generator<HeldValue>

/** Bounds what hostile code nests. */
const MAX_DEPTH = 8
const MAX_VALUES = 60

/**
 * What the names, the fields of objects and those of `this` stand for that an answer is made of: of `this.settings`, the object that `init()` assigns to it, and of that
 * each field. What is taken out or replaced by a constant before is left out.
 */
export function createHeldReader(facts: ScriptFacts): HeldReader {
  let fields: FieldTable | undefined
  return function* held(answered) {
    fields ??= toFieldTable(facts)
    yield* heldIn(answered, [], { fields, answered, at: answered, without: NONE, depth: 0, budget: { left: MAX_VALUES } })
  }
}

const NONE: readonly string[] = []

interface AssignedField {
  readonly name: string
  /** Undefined: it is deleted, or replaced by a constant. */
  readonly value: Value | undefined
}

/** What is assigned to the fields of objects, by the key of the object. */
type FieldTable = ReadonlyMap<string, readonly AssignedField[]>

function toFieldTable({ assignments, deletions, classes }: ScriptFacts): FieldTable {
  const table = new Map<string, AssignedField[]>()
  const add = (key: string | undefined, name: string | undefined, value: Value | undefined): void => {
    if (key === undefined || name === undefined) return
    const known = table.get(key)
    if (known === undefined) table.set(key, [{ name, value }])
    else known.push({ name, value })
  }
  for (const { target, value } of assignments)
    add(placeOf(target.object), target.name, isConstant(value) || isNothing(value) ? undefined : value)
  for (const { object, name } of deletions) add(placeOf(object), name, undefined)
  for (const { start, members } of classes)
    for (const { name, value, isStatic } of members)
      if (!isStatic && value !== undefined && value.kind !== 'function') add(`this ${start}`, name, value)
  return table
}

/** The key of an object; that of `this` tells the class, or the function of a service. */
function placeOf(value: Value): string | undefined {
  if (value.kind === 'this') {
    const around = functionOfThis(value.function)
    return `this ${(around.owner ?? around).start}`
  }
  if (value.kind !== 'member') return keyOf(value)
  const owner = value.name === undefined ? undefined : placeOf(value.object)
  return owner === undefined ? undefined : `${owner} ${value.name ?? ''}`
}

interface Way {
  readonly answered: Span
  readonly at: Span
  readonly fields: FieldTable
  /** Names of fields that were taken out. */
  readonly without: readonly string[]
  readonly depth: number
  readonly budget: { left: number }
}

/** @param path the fields that are read of it, the outermost first */
function* heldIn(value: Value, path: readonly string[], way: Way): Generator<HeldValue> {
  if (way.depth > MAX_DEPTH || way.budget.left-- <= 0) return
  const at = path.length === 0 && isWithin(value, way.answered) ? value : way.at
  const deeper = { ...way, at, depth: way.depth + 1 }
  switch (value.kind) {
    case 'member': {
      if (path.length === 0) yield { value, at }
      const { object, name } = value
      if (name !== undefined && !isEnvironment(object)) yield* heldIn(object, [name, ...path], deeper)
      return
    }
    case 'this':
      yield* assignedTo(value, path, deeper)
      return
    case 'reference':
      if (path.length === 0) yield { value, at }
      yield* assignedTo(value, path, deeper)
      yield* definitionsOf(value, path, deeper)
      return
    case 'object':
      yield* fieldsOf(value, path, deeper)
      return
    case 'choice':
      // `name && value`: what stands before is empty where it is given
      for (const option of value.isAnd === true ? value.options.slice(-1) : value.options) yield* heldIn(option, path, deeper)
      return
    case 'await':
    case 'spread':
      yield* heldIn(value.value, path, deeper)
      return
    case 'template':
    case 'concat':
      if (path.length === 0) for (const part of value.parts) yield* heldIn(part, path, deeper)
      return
    case 'array':
      if (path.length === 0) for (const item of value.items) yield* heldIn(item, path, deeper)
      return
    case 'call': {
      if (path.length === 0) yield { value, at }
      const inner = innerOf(value)
      if (inner !== undefined) yield* heldIn(inner, path, deeper)
    }
  }
}

/** `JSON.stringify(settings)`, `Object.freeze(settings)`, `process.env.KEY.trim()`: the value inside. */
function innerOf({ callee, args }: CallValue): Value | undefined {
  if (callee.kind !== 'member') return undefined
  const [first, chosen] = args
  const owner = lastNameOf(callee.object)
  if (owner === 'JSON' && callee.name === 'stringify') return chosen === undefined || isNothing(chosen) ? first : undefined
  if (owner === 'Object' && callee.name === 'freeze') return first
  return callee.name === 'trim' ? callee.object : undefined
}

/** What is assigned to the field that is read of an object, or to any of it. */
function* assignedTo(owner: Value, [name, ...rest]: readonly string[], way: Way): Generator<HeldValue> {
  const key = placeOf(owner)
  const assigned = (key === undefined ? undefined : way.fields.get(key)) ?? []
  for (const one of assigned) {
    if (one.value === undefined || way.without.includes(one.name)) continue
    // the whole object of a service is no answer
    if (name === undefined ? owner.kind === 'this' : one.name !== name) continue
    // what is emptied in the object that is assigned: `delete this.settings.token`
    const emptied = name === undefined ? NONE : emptiedIn(way.fields.get(`${key ?? ''} ${name}`))
    yield* heldIn(one.value, rest, { ...way, without: emptied })
  }
}

function emptiedIn(assigned: readonly AssignedField[] | undefined): readonly string[] {
  if (assigned === undefined) return NONE
  return assigned.flatMap(({ name, value }) => (value === undefined ? name : []))
}

/** What a name is given, without what is emptied in it: `delete settings.token`. */
function* definitionsOf(value: ReferenceValue, path: readonly string[], way: Way): Generator<HeldValue> {
  const emptied = emptiedIn(way.fields.get(placeOf(value) ?? ''))
  const kept = emptied.length === 0 ? way : { ...way, without: [...way.without, ...emptied] }
  for (const definition of value.binding?.definitions ?? []) yield* definedBy(definition, path, kept)
}

function* definedBy(
  { kind, value, path: bound, taken = [] }: Definition,
  path: readonly string[],
  way: Way,
): Generator<HeldValue> {
  if (value === undefined || (kind !== 'init' && kind !== 'assign')) return
  const whole = [...bound, ...path]
  if (taken.length > 0 && whole[0] !== undefined && taken.includes(whole[0])) return
  yield* heldIn(value, whole, taken.length === 0 ? way : { ...way, without: [...way.without, ...taken] })
}

/** The field that is read of an object, or all of them; of two with one name the last one counts. */
function* fieldsOf({ fields }: ObjectValue, [name, ...rest]: readonly string[], way: Way): Generator<HeldValue> {
  const behind = new Set(way.without)
  if (name !== undefined && behind.has(name)) return
  for (const { key, value } of fields.toReversed()) {
    if (value.kind === 'spread') {
      yield* heldIn(value, name === undefined ? [] : [name, ...rest], { ...way, without: [...behind] })
      continue
    }
    if (key === undefined || behind.has(key)) continue
    behind.add(key)
    if (name === undefined || key === name) yield* heldIn(value, name === undefined ? [] : rest, { ...way, without: NONE })
    if (key === name) return
  }
}

function isEnvironment(value: Value): boolean {
  return value.kind === 'member' && value.name === 'env' && lastNameOf(value.object) === 'process'
}

/**
 * Variables whose values pages show anyway, by their names. Facts: Vite 7, "Env Variables", Create React App, "Adding Custom Environment Variables", Next.js 15 and Expo 53,
 * "Environment variables" (prefixes of what is built into pages); Mapbox, "Access tokens" (public ones); Firebase, "API keys"; Google Maps Platform, Algolia, "API keys"
 * (search keys); Stripe, "API keys" (publishable ones).
 */
const PUBLIC =
  /^(?:VITE|REACT_APP|NEXT_PUBLIC|EXPO_PUBLIC|NUXT_PUBLIC|GATSBY)_|publi(?:c|shable)|mapbox|(?:^|_)maps?_|firebase|(?:^|_)search_|captcha_site|vapid|csrf|xsrf/i

/** The variable of the environment that a value is, where its name says that it is a credential: `process.env.MAILER_API_KEY`, `const { MAILER_API_KEY } = process.env`. */
export function secretVariable(value: Value): string | undefined {
  if (value.kind === 'member' && isEnvironment(value.object)) return isSecretVariable(value.name) ? value.name : undefined
  const [only, other] = value.kind === 'reference' ? (value.binding?.definitions ?? []) : []
  if (only?.value === undefined || other !== undefined || only.path.length !== 1 || !isEnvironment(only.value)) return undefined
  const [name] = only.path
  return isSecretVariable(name) ? name : undefined
}

function isSecretVariable(name: string | undefined): boolean {
  return name !== undefined && !PUBLIC.test(name) && secretNounOf(name) !== undefined
}
