import type { Binding, CallValue, FunctionFact, HeldValue, ObjectField, ObjectValue, ScriptFacts, Value } from './types.ts'

/** Every value that the facts hold on to, with the one that it is a direct part of: arguments, assigned and returned values, conditions, and what
 *  they are made of. Each is given once. What a statement computes and drops is not there, except for its calls. */
export function valuesOf({ values }: ScriptFacts): readonly HeldValue[] {
  return values
}

/** For who makes the facts: many ask for the same list. */
export function listValues(facts: Omit<ScriptFacts, 'values'>): readonly HeldValue[] {
  const found: HeldValue[] = []
  const open: HeldValue[] = []
  const seen = new Set<Value>()
  const add = (value: Value, parent: Value | undefined): void => {
    if (seen.has(value)) return
    seen.add(value)
    open.push({ value, parent })
  }
  for (const root of rootsOf(facts)) {
    add(root, undefined)
    for (let here = open.pop(); here !== undefined; here = open.pop()) {
      found.push(here)
      for (const part of directParts(here.value)) add(part, here.value)
    }
  }
  return found
}

function* rootsOf(facts: Omit<ScriptFacts, 'values'>): Generator<Value> {
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

const COMPARES = /^(?:[!=]==?|[<>]=?)$/

/** Whether an operation compares: `a === b`, `a >= b`. */
export function isComparing(operator: string): boolean {
  return COMPARES.test(operator)
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

/** What is called, or named without a call: `Injectable` of the decorators `@Injectable()` and `@Injectable`. */
export function calleeOf(value: Value): Value {
  return 'callee' in value ? value.callee : value
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
    return partsOfName(binding)
  }
  // a callback's result is part of what the call gives: Array.from(list, () => …)
  if (value.kind === 'function') return value.function.kind === 'arrow' ? value.function.returns : []
  return directParts(value)
}

/** What a name is given, no more than anybody looks at: a generated function gives one name thousands of statements. */
function partsOfName({ definitions, additions }: Binding): readonly Value[] {
  const parts: Value[] = []
  for (const { kind, value, fallback } of definitions) {
    if (parts.length >= MAX_VISITS) return parts
    if (value !== undefined && kind !== 'parameter') parts.push(value)
    if (fallback !== undefined) parts.push(fallback)
  }
  return additions.length === 0 ? parts : [...parts, ...additions.slice(0, MAX_VISITS)]
}

/** Names of the keys of an object literal. */
export function keysOf(object: ObjectValue): ReadonlySet<string> {
  return new Set(object.fields.flatMap(({ key }) => key ?? []))
}

/** Those of the objects that are written as arguments of a call, in their order. */
export function keysGiven(args: readonly Value[]): readonly string[] {
  return args.flatMap((given) => ('fields' in given ? given.fields.flatMap(({ key }) => key ?? []) : []))
}

/** `null`, `undefined`, `false`, '' and 0, or no value at all. */
export function isNothing(value: Value | undefined): boolean {
  if (value === undefined) return true
  return value.kind === 'literal' ? !value.value : value.kind === 'reference' && value.name === 'undefined'
}

/** Parts of a chain that are looked at. */
const MAX_PARTS = 60
/** Calls of what gives itself back: a page may be written by one statement. */
const MAX_LINKS = 1000

/**
 * A chain of calls and fields from its end to its beginning: `SELECT.from(Books).where(x)` gives itself, `SELECT.from(Books).where`, `SELECT.from(Books)`, `SELECT.from`
 * and `SELECT`. `through` says what the chain goes on with behind a part that is neither, as a name; undefined: that is its beginning.
 */
export function* chainBack(value: Value, through: (part: Value) => Value | undefined = () => undefined): Generator<Value> {
  let here: Value | undefined = value
  for (let parts = 0; parts < MAX_PARTS && here !== undefined; parts++) {
    yield here
    if (here.kind === 'member') here = here.object
    else if (here.kind === 'call' || here.kind === 'tagged') here = here.callee
    else here = through(here)
  }
}

/** The calls of methods that a chain ends with, the last one first: those of `where` and `from` in `SELECT.from(Books).where(x)`; `through` is what the object of each is read as. */
export function* methodsBack(
  value: Value,
  through: (object: Value) => Value = (object) => object,
): Generator<{ readonly call: CallValue; readonly name: string; readonly object: Value }> {
  let here = value
  for (let links = 0; links < MAX_LINKS && here.kind === 'call' && here.callee.kind === 'member'; links++) {
    const object = through(here.callee.object)
    yield { call: here, name: here.callee.name ?? '', object }
    here = object
  }
}

/** What calls of such methods begin with, each of which gives its object back: `map` of `map.set('a', x).set('b', y)`. */
export function beginningOf(value: Value, isLink: (name: string) => boolean): Value {
  let begin = value
  for (const { name, object } of methodsBack(value)) {
    if (!isLink(name)) break
    begin = object
  }
  return begin
}
