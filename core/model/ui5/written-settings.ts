import { functionOf } from '../../facts/callbacks.ts'
import { MERGING } from './merging.ts'
import { lastNameOf } from '../../facts/literals.ts'
import {
  stringConstantOf,
  fieldOf,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'

/** What the parameters of a function hold in one call of it: of a helper that makes settings, of the app's own way to send requests. */
export interface Given {
  readonly fact: FunctionFact
  readonly args: readonly Value[]
}

/** A field of an object: `given` is what the helper that wrote it was called with. */
export interface Held {
  readonly value: Value
  readonly given: Given | undefined
}

export type Fields = ReadonlyMap<string, Held>

const MAX_DEPTH = 4

/** The value, or what the call gives to the parameter that it is; of `a || b` the first one that is given. Undefined: nothing is. */
export function settle(value: Value | undefined, given: Given | undefined): Value | undefined {
  if (value === undefined || given === undefined) return value
  if (value.kind === 'choice' && value.isAnd !== true && value.options.some((option) => isOf(option, given)))
    return value.options.map((option) => settle(option, given)).find((option) => option !== undefined)
  const binding = value.kind === 'reference' ? value.binding : undefined
  const [definition] = binding?.definitions ?? []
  if (definition?.parameter === undefined || !isOf(value, given)) return value
  let here = given.args[definition.parameter]
  if (here?.kind === 'spread') return value
  for (const name of definition.path) here = here && fieldOf(resolveValue(here), name)?.value
  return here ?? definition.fallback
}

function isOf(value: Value, { fact }: Given): boolean {
  return value.kind === 'reference' && value.binding?.kind === 'parameter' && value.binding.function === fact
}

/** The fields of an object that is written out in the file, with what is set on its name later. Undefined: it may have others. */
export function writtenFields(
  written: Value | undefined,
  facts: ScriptFacts,
  given: Given | undefined,
  depth = 0,
): Fields | undefined {
  const value = settle(written, given)
  const here = value && resolveValue(value)
  if (value === undefined || here === undefined || depth > MAX_DEPTH) return undefined
  if (here.kind === 'call') {
    const args = here.args.map((argument) => settle(argument, given))
    if (MERGING.has(lastNameOf(here.callee) ?? '')) return mergedFields(args, facts, given, depth)
    const fact = calledBy(here, facts)
    return fact && writtenFields(fact.returns[0], facts, { fact, args: args.flatMap((one) => one ?? []) }, depth + 1)
  }
  if (here.kind === 'new' && lastNameOf(here.callee) === 'Headers' && here.args.length > 0)
    return withAdded(value, writtenFields(here.args[0], facts, given, depth + 1), facts)
  if (here.kind === 'new' && here.args.length > 0) return undefined
  if (here.kind !== 'object' && here.kind !== 'new') return undefined
  const fields = new Map<string, Held>()
  for (const { key, value: field } of here.kind === 'object' ? here.fields : []) {
    if (key !== undefined) {
      const held = settle(field, given)
      if (held !== undefined) fields.set(key, { value: held, given: held === field ? given : undefined })
      continue
    }
    // nothing comes out of what was not given: { ...headers }
    const spread = field.kind === 'spread' ? settle(field.value, given) : undefined
    if (field.kind === 'spread' && spread === undefined) continue
    const inner = writtenFields(spread, facts, given, depth + 1)
    if (inner === undefined) return undefined
    for (const [name, one] of inner) fields.set(name, one)
  }
  return withAdded(value, fields, facts)
}

function mergedFields(
  args: readonly (Value | undefined)[],
  facts: ScriptFacts,
  given: Given | undefined,
  depth: number,
): Fields | undefined {
  const parts = args.flatMap((one) =>
    one === undefined || one.kind === 'literal' ? [] : [writtenFields(one, facts, given, depth + 1)],
  )
  return parts.some((part) => part === undefined) ? undefined : new Map(parts.flatMap((part) => [...(part ?? [])]))
}

function withAdded(value: Value, fields: Fields | undefined, facts: ScriptFacts): Fields | undefined {
  const later = addedTo(value, facts)
  return fields && later && new Map([...fields, ...later])
}

/** The one function of the file that is called, where it does nothing but give something back. */
function calledBy({ callee }: CallValue, { functions }: ScriptFacts): FunctionFact | undefined {
  const own =
    callee.kind === 'member' && callee.object.kind === 'this' && callee.name !== undefined
      ? functions.filter(({ name }) => name.endsWith(`.${callee.name}`))
      : [functionOf(callee)]
  const [fact] = own
  return own.length === 1 && fact?.returns.length === 1 && !fact.isAsync ? fact : undefined
}

/** `settings.headers = …`, `settings.headers["X-CSRF-Token"] = …`, `headers.append(name, value)`. Undefined: under a name that nobody can tell. */
function addedTo(value: Value, { assignments, calls }: ScriptFacts): Fields | undefined {
  const added = new Map<string, Held>()
  const binding = value.kind === 'reference' ? value.binding : undefined
  if (binding === undefined) return added
  for (const { target, value: given } of assignments) {
    const below = target.object.kind === 'member' ? target.object.object : target.object
    if (!refersTo(below, binding)) continue
    if (target.name === undefined) return undefined
    added.set(target.name, { value: given, given: undefined })
  }
  for (const { callee, args } of calls) {
    const [name, given] = args
    if (callee.kind !== 'member' || !refersTo(callee.object, binding) || !/^(?:set|append)$/.test(callee.name ?? '')) continue
    const text = stringConstantOf(name)
    if (text === undefined || given === undefined) return undefined
    added.set(text, { value: given, given: undefined })
  }
  // a helper may add what it likes
  const isHandedOn = calls.some(
    ({ callee, args }) => !SENDERS.has(lastNameOf(callee) ?? '') && args.some((one) => refersTo(one, binding)),
  )
  return isHandedOn ? undefined : added
}

const SENDERS: ReadonlySet<string> = new Set(['fetch', 'ajax', 'stringify', 'Request', ...MERGING])

export function refersTo(value: Value, binding: Binding): boolean {
  return value.kind === 'reference' && value.binding === binding
}
