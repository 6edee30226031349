import { stringConstantOf, pathOf } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { CallValue, ObjectField, ObjectValue, ScriptFacts, Value } from '../../facts/types.ts'
import { MERGING } from './merging.ts'

/** `new Control("id", {…})` in a script, with the settings that it is given. */
export interface Construction {
  readonly call: CallValue
  readonly settings: ObjectValue
}

/** The constructions of a class, by its module (`sap/m/Link`) or its global name. */
export function* constructionsOf(facts: ScriptFacts, module: string): Generator<Construction> {
  const names = new Set([`module:${module}`, `global:${module.replaceAll('/', '.')}`])
  for (const call of facts.calls) {
    if (call.kind !== 'new' || !names.has(pathOf(call.callee)?.join('.') ?? '')) continue
    const settings = settingsOf(call)
    if (settings !== undefined) yield { call, settings }
  }
}

/** The object among the arguments of a construction: also by name, merged by `Object.assign({}, a, b)`, and with what is spread in it. A part that nobody can tell stays a field without a key. */
export function settingsOf(call: CallValue): ObjectValue | undefined {
  for (const argument of call.args) {
    const settings = toSettings(argument)
    if (settings !== undefined) return settings
  }
  return undefined
}

/** Objects in objects. */
const MAX_DEPTH = 4

function toSettings(value: Value, depth = 0): ObjectValue | undefined {
  const here = value.kind === 'reference' && value.binding?.definitions.length === 1 ? value.binding.definitions[0]?.value : value
  if (here === undefined || depth > MAX_DEPTH) return undefined
  if (here.kind === 'call' && MERGING.has(lastNameOf(here.callee) ?? '')) {
    const { start, end } = here
    const parts = here.args.filter(({ kind }) => kind !== 'literal')
    return { kind: 'object', start, end, fields: parts.flatMap((part) => fieldsOfPart(part, depth + 1)) }
  }
  if (here.kind !== 'object') return undefined
  if (here.fields.every(({ value }) => value.kind !== 'spread')) return here
  const fields = here.fields.flatMap((field) =>
    field.value.kind === 'spread' ? fieldsOfPart(field.value.value, depth + 1) : field,
  )
  return { ...here, fields }
}

function fieldsOfPart(part: Value, depth: number): readonly ObjectField[] {
  const { start, end } = part
  return toSettings(part, depth)?.fields ?? [{ start, end, key: undefined, computed: undefined, value: part }]
}

/** The value that counts for a key (the last one). */
export function fieldOf(object: ObjectValue | undefined, key: string): Value | undefined {
  return object?.fields.findLast((field) => field.key === key)?.value
}

/** The id of a construction: `new Control("id")`, `new Control(this.createId("id"))`, `{ id: "id" }`. */
export function idOf(call: CallValue): string | undefined {
  const [first] = call.args
  return writtenId(first) ?? writtenId(fieldOf(settingsOf(call), 'id'))
}

/** `"id"`, `this.createId("id")`. */
export function writtenId(value: Value | undefined): string | undefined {
  if (value?.kind === 'call' && value.callee.kind === 'member' && value.callee.name === 'createId')
    return writtenId(value.args[0])
  return stringConstantOf(value)
}
