import type { Binding, FunctionFact, ObjectField, ObjectValue, ScriptFacts, Value } from './types.ts'

/** Every value that the facts hold on to, with the one that it is a direct part of: arguments, assigned and returned values, conditions, and what
 *  they are made of. Each is given once. What a statement computes and drops is not there, except for its calls. */
export function* valuesOf(facts: ScriptFacts): Generator<{ readonly value: Value; readonly parent: Value | undefined }> {
  const open: { value: Value; parent: Value | undefined }[] = []
  const seen = new Set<Value>()
  const add = (value: Value | undefined, parent: Value | undefined): void => {
    if (value === undefined || seen.has(value)) return
    seen.add(value)
    open.push({ value, parent })
  }
  const drain = function* (): Generator<{ readonly value: Value; readonly parent: Value | undefined }> {
    for (let here = open.pop(); here !== undefined; here = open.pop()) {
      yield here
      for (const part of directParts(here.value)) add(part, here.value)
    }
  }
  for (const value of rootsOf(facts)) {
    add(value, undefined)
    yield* drain()
  }
}

function* rootsOf(facts: ScriptFacts): Generator<Value> {
  // what holds a value comes before the calls in it, so that the parts of an expression have their parents
  for (const { target, value } of facts.assignments) {
    yield target
    yield value
  }
  for (const { definitions } of facts.bindings) {
    for (const { value, fallback } of definitions) {
      if (value !== undefined) yield value
      if (fallback !== undefined) yield fallback
    }
  }
  for (const { returns } of facts.functions) yield* returns
  for (const { test } of facts.guards) yield test
  for (const { members } of facts.classes) for (const { value } of members) if (value !== undefined) yield value
  for (const { value } of facts.exports) if (value !== undefined) yield value
  for (const { attributes } of facts.elements) for (const { value } of attributes) if (value !== undefined) yield value
  // a chain's innermost call comes first; from the outermost one down each link has its parent
  yield* facts.calls.toReversed()
}

/** What a value is made of, one level down. The code of functions and classes is no part of them. */
export function directParts(value: Value): readonly Value[] {
  switch (value.kind) {
    case 'template':
    case 'concat':
      return value.parts
    case 'operation':
      return value.operands
    case 'choice':
      return value.test === undefined ? value.options : [value.test, ...value.options]
    case 'member':
      return value.property === undefined ? [value.object] : [value.object, value.property]
    case 'call':
    case 'new':
    case 'tagged':
      return [value.callee, ...value.args]
    case 'object':
      return value.fields.map((field) => field.value)
    case 'array':
      return value.items
    case 'await':
    case 'spread':
      return [value.value]
    default:
      return []
  }
}

/** The value that counts for a key of an object literal (the last one). */
export function fieldOf(object: Value | undefined, key: string): ObjectField | undefined {
  return object?.kind === 'object' ? object.fields.findLast((field) => field.key === key) : undefined
}

/** The value itself, or the one that a name always stands for. */
export function resolveValue(value: Value): Value {
  let here = value
  for (let hops = 0; here.kind === 'reference' && hops < MAX_HOPS; hops++) {
    const definitions = here.binding?.definitions
    const definition = definitions?.length === 1 ? definitions[0] : undefined
    if (definition?.value === undefined || definition.path.length > 0) break
    if (definition.kind !== 'init' && definition.kind !== 'assign') break
    here = definition.value
  }
  return here
}

const MAX_HOPS = 8

/** Values looked at for one answer. */
const MAX_VISITS = 1500

/** The first part of a value that is wanted, through everything: arithmetic, arguments, callbacks, the names that stand in it. */
export function findPart(value: Value, isWanted: (value: Value) => boolean): Value | undefined {
  const seen = new Set<Value | Binding | FunctionFact>()
  const open: Value[] = [value]
  for (let visits = 0; visits < MAX_VISITS; visits++) {
    const here = open.pop()
    if (here === undefined) return undefined
    if (seen.has(here)) continue
    seen.add(here)
    if (isWanted(here)) return here
    const parts = partsThrough(here, seen)
    for (let index = parts.length - 1; index >= 0; index--) {
      const part = parts[index]
      if (part !== undefined) open.push(part)
    }
  }
  return undefined
}

function partsThrough(value: Value, seen: Set<Value | Binding | FunctionFact>): readonly Value[] {
  if (value.kind === 'reference') {
    const { binding } = value
    if (binding === undefined || seen.has(binding)) return []
    seen.add(binding)
    const given = binding.definitions.flatMap(({ kind, value, fallback }) =>
      kind === 'parameter' ? [fallback] : [value, fallback],
    )
    return [...given, ...binding.additions].filter((part) => part !== undefined)
  }
  // a callback's result is part of what the call gives: Array.from(list, () => …)
  if (value.kind === 'function') return value.function.kind === 'arrow' ? value.function.returns : []
  return directParts(value)
}

/** Names of the keys of an object literal. */
export function keysOf(object: ObjectValue): ReadonlySet<string> {
  return new Set(object.fields.flatMap(({ key }) => key ?? []))
}

/** `null`, `undefined`, `false`, '' and 0, or no value at all. */
export function isNothing(value: Value | undefined): boolean {
  if (value === undefined) return true
  return value.kind === 'literal' ? !value.value : value.kind === 'reference' && value.name === 'undefined'
}
