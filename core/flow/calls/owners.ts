import {
  resolveValue,
  valuesOf,
  type CallValue,
  type ClassFact,
  type FunctionFact,
  type ObjectValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf, functionOfThis } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { namespaceOf, namespacesOf } from '../pages/definitions.ts'
import { append } from '../../lists.ts'
import { lastName } from '../../paths.ts'

/** The class or object whose `this` functions have, and the functions that they hold. An object stands for it, by identity. */
export interface Owners {
  /** The class or object that a function is a member of. */
  holderOf(fact: FunctionFact): object | undefined
  /** Whose `this` it is inside a function. */
  ownerOf(fact: FunctionFact): object | undefined
  /** Of a value that is `this`, or another name of it. */
  ownerBehind(value: Value): object | undefined
  /** The functions of that name. */
  methodsOf(owner: object, name: string): readonly FunctionFact[]
  /** All of them, by their names. */
  allOf(owner: object): ReadonlyMap<string, readonly FunctionFact[]>
  /** The functions that a value is: written out, by name, `this.method`, each also bound. */
  functionsBehind(value: Value | undefined): readonly FunctionFact[]
  /** `this` and its members, as they stand where the `this` is that of a function. */
  selvesIn(fact: FunctionFact): readonly Value[]
  /** What a value is made from by `new`, or is itself: the class, the object that `extend` got, the constructor. */
  classBehind(value: Value): object | undefined
}

const MAX_HOPS = 6
const WRAPPERS: ReadonlySet<string> = new Set(['proxy', 'hitch', 'debounce', 'throttle', 'useCallback'])

export function createOwners(
  facts: ScriptFacts,
  inBrowser: boolean,
  prototypes: ReadonlyMap<FunctionFact, ClassFact> = new Map(),
): Owners {
  const bound = boundFunctions(facts)
  if (inBrowser) for (const [fact, to] of lentFunctions(facts)) bound.set(fact, to)
  const held = new Map(heldFunctions(facts, inBrowser))
  for (const fact of prototypes.values())
    for (const { value } of fact.members) if (value?.kind === 'function') held.set(value.function, fact)
  // what has methods on its prototype makes objects; on servers objects are followed one by one
  const constructors = new Set<object>(inBrowser ? held.values() : [])
  const byOwner = new Map<object, Map<string, FunctionFact[]>>()
  const known = new Map<FunctionFact, object | undefined>()
  const ownerOf = (from: FunctionFact): object | undefined => {
    if (known.has(from)) return known.get(from)
    let fact: FunctionFact | undefined = from
    for (let hops = 0; fact !== undefined && hops < 50; hops++) {
      const outer: FunctionFact | undefined = fact.kind === 'arrow' ? undefined : bound.get(fact)
      const own: object | undefined =
        fact.kind === 'arrow' || outer !== undefined
          ? undefined
          : (held.get(fact) ?? fact.owner ?? (constructors.has(fact) ? fact : undefined))
      if (own !== undefined && (inBrowser || !isFunction(own))) {
        known.set(from, own)
        return own
      }
      if (outer === undefined && fact.kind !== 'arrow') break
      fact = outer ?? fact.parent
    }
    known.set(from, undefined)
    return undefined
  }
  for (const fact of facts.functions) {
    const owner = held.get(fact) ?? fact.owner
    if (owner === undefined || fact.kind === 'initializer') continue
    const names = byOwner.get(owner) ?? new Map<string, FunctionFact[]>()
    byOwner.set(owner, names)
    const name = lastName(fact.name)
    names.set(name, [...(names.get(name) ?? []), fact])
  }
  // an arrow has no `this` of its own, but is called as a method all the same
  for (const [owner, name, fact] of arrowsIn(facts)) {
    const names = byOwner.get(owner) ?? new Map<string, FunctionFact[]>()
    byOwner.set(owner, names)
    if (names.get(name)?.includes(fact) !== true) names.set(name, [...(names.get(name) ?? []), fact])
  }
  const ownerBehind = (value: Value): object | undefined => {
    const here = resolveValue(value)
    if (here.kind === 'this') return ownerOf(here.function)
    // Helper.prototype.limits = { … }: a field of what the constructor makes
    if (!inBrowser || here.kind !== 'member' || here.name !== 'prototype') return undefined
    const owner = resolveValue(here.object)
    return owner.kind === 'function' && constructors.has(owner.function) ? owner.function : undefined
  }
  const allOf = (owner: object): ReadonlyMap<string, readonly FunctionFact[]> => byOwner.get(owner) ?? new Map()
  const methodsOf = (owner: object, name: string): readonly FunctionFact[] => allOf(owner).get(name) ?? []

  const functionsBehind = (value: Value | undefined, hops = 0): readonly FunctionFact[] => {
    if (value === undefined || hops > MAX_HOPS) return []
    const direct = functionOf(value)
    if (direct !== undefined) return [direct]
    const here = resolveValue(value)
    if (here.kind === 'function') return [here.function]
    if (here.kind === 'member' && here.name !== undefined) {
      const owner = ownerBehind(here.object)
      return owner === undefined ? [] : methodsOf(owner, here.name)
    }
    if (here.kind === 'choice') return here.options.flatMap((option) => functionsBehind(option, hops + 1))
    if (here.kind !== 'call') return []
    const name = lastNameOf(here.callee) ?? ''
    if (name === 'bind' && here.callee.kind === 'member') return functionsBehind(here.callee.object, hops + 1)
    return WRAPPERS.has(name) ? functionsBehind(here.args[0], hops + 1) : []
  }
  const classBehind = (value: Value, hops = 0): object | undefined => {
    const here = resolveValue(value)
    if (here.kind === 'class') return here.class
    // const a = new a()
    if (here.kind === 'new') return hops > MAX_HOPS ? undefined : classBehind(here.callee, hops + 1)
    if (here.kind === 'function') return here.function
    const extended = extendedObject(here)
    if (extended !== undefined || here.kind === 'reference')
      return extended ?? (here.kind === 'reference' ? here.binding : undefined)
    // put together from what a call of others made
    const binding = value.kind === 'reference' ? value.binding : undefined
    return binding !== undefined && byOwner.has(binding) ? binding : undefined
  }
  return {
    selvesIn: createSelves(facts),
    holderOf: (fact) => held.get(fact) ?? fact.owner ?? classOfField(fact),
    ownerOf,
    ownerBehind,
    methodsOf,
    allOf,
    functionsBehind: (value) => functionsBehind(value),
    classBehind: (value) => classBehind(value),
  }
}

/** A class of the file, however it is written: `class Page extends Base { … }`, `Base.extend('my.Page', { … })`. */
export interface ClassShape {
  /** What stands for it, by identity. */
  readonly owner: ClassFact | ObjectValue
  /** The class as a value. */
  readonly value: Value
  readonly parent: Value | undefined
  readonly members: readonly {
    readonly name: string | undefined
    readonly value: Value | undefined
    readonly isStatic: boolean
  }[]
}

export function* classesIn({ classes, calls }: Pick<ScriptFacts, 'classes' | 'calls'>): Generator<ClassShape, void> {
  for (const fact of classes) {
    const { start, end, parent, members } = fact
    yield { owner: fact, value: { kind: 'class', start, end, class: fact }, parent, members }
  }
  for (const call of calls) {
    const owner = extendedObject(call)
    if (owner === undefined) continue
    const members = owner.fields.map(({ key, value }) => ({ name: key, value, isStatic: false }))
    yield { owner, value: call, parent: call.callee.kind === 'member' ? call.callee.object : undefined, members }
  }
}

/** The object of methods in `Base.extend('my.Name', { … })`, `sap.ui.controller('my.Name', { … })`. */
export function extendedObject(value: Value): ObjectValue | undefined {
  if (value.kind !== 'call' || value.callee.kind !== 'member') return undefined
  const { name, object: receiver } = value.callee
  const [first, second] = value.args
  const isNamed = NAMED_CLASSES.has(name ?? '') && second !== undefined && receiver.kind === 'member' && receiver.name === 'ui'
  if (name !== 'extend' && !isNamed) return undefined
  const given = second ?? first
  const object = given && resolveValue(given)
  if (object?.kind === 'object') return object
  // the methods of others are mixed in: Base.extend('my.Name', Object.assign({}, Mixin, { … }))
  if (object === undefined || second === undefined || !isMerge(object)) return undefined
  const own = object.args.map((argument) => resolveValue(argument)).findLast(({ kind }) => kind === 'object')
  return own?.kind === 'object' ? own : undefined
}

/** Controllers and views of old: `sap.ui.controller(name, methods)`. */
const NAMED_CLASSES: ReadonlySet<string> = new Set(['controller', 'jsview', 'jsfragment'])

/** `Object.assign({}, a, b)`, `jQuery.extend(true, {}, a, b)`, `extend({}, a, b)`. */
export function isMerge(value: Value): value is CallValue {
  return value.kind === 'call' && /^(?:assign|extend|deepExtend|merge)$/.test(lastNameOf(value.callee) ?? '')
}

function isFunction(owner: object): owner is FunctionFact {
  return 'returns' in owner && 'parameters' in owner
}

/** Read when it is asked for first: few scripts hand functions over whose `this` is an item. */
function createSelves(facts: ScriptFacts): Owners['selvesIn'] {
  let known: Map<FunctionFact, Value[]> | undefined
  const read = (): Map<FunctionFact, Value[]> => {
    const selves = new Map<FunctionFact, Value[]>()
    for (const { value } of valuesOf(facts)) {
      const self = thisIn('object' in value ? value.object : value)
      if (self !== undefined) append(selves, functionOfThis(self.function), value)
    }
    return selves
  }
  return (fact) => (known ??= read()).get(fact) ?? []
}

/** Functions whose `this` is that of another one: `bind(this)`, `jQuery.proxy(f, this)`, `attachPress(f, this)`. */
function boundFunctions({ calls }: ScriptFacts): Map<FunctionFact, FunctionFact> {
  const bound = new Map<FunctionFact, FunctionFact>()
  const bind = (given: Value | undefined, to: Value | undefined): void => {
    const self = to && thisIn(to)
    const fact = functionOf(given)
    if (fact !== undefined && self !== undefined && self.function !== fact) bound.set(fact, self.function)
  }
  for (const { callee, args } of calls) {
    if (callee.kind === 'member' && callee.name === 'bind') bind(callee.object, args[0])
    for (const [index, argument] of args.entries()) {
      if (argument.kind === 'function' || argument.kind === 'reference') bind(argument, args.slice(index + 1).find(isThis))
      if (argument.kind !== 'object') continue
      const context = argument.fields.find(({ key }) => key === 'context')?.value
      if (context !== undefined) for (const { value } of argument.fields) bind(value, context)
    }
  }
  return bound
}

function isThis(value: Value): boolean {
  return thisIn(value) !== undefined
}

/** `this`, also by another name. */
function thisIn(value: Value): (Value & { readonly kind: 'this' }) | undefined {
  const here = resolveValue(value)
  return here.kind === 'this' ? here : undefined
}

/** Functions that are put into an object after it was made: `Helper.run = function …`, `Helper.prototype.run = function …`, `Helper.prototype = { … }`. */
function heldFunctions(facts: ScriptFacts, inBrowser: boolean): ReadonlyMap<FunctionFact, object> {
  const { assignments, calls } = facts
  const held = new Map<FunctionFact, object>(overridesIn(facts))
  const namespaces: ReadonlyMap<string, Value> = inBrowser ? namespacesOf(facts) : new Map()
  const hold = (target: Value, value: Value): void => {
    if (value.kind !== 'function' && value.kind !== 'object') return
    const owner = ownerNamed(target, namespaces)
    if (owner === undefined) return
    if (value.kind === 'function') held.set(value.function, owner)
    else for (const { value: field } of value.fields) if (field.kind === 'function') held.set(field.function, owner)
  }
  for (const { target, value } of assignments) {
    if (target.name === undefined) continue
    if (value.kind === 'function') hold(target.object, value)
    else if (target.name === 'prototype' && inBrowser) hold(target, value)
  }
  if (inBrowser) for (const [fact, maker] of methodsOfMakers(facts)) if (!held.has(fact)) held.set(fact, maker)
  // jQuery.extend(Helper.prototype, { … })
  for (const call of inBrowser ? calls : []) {
    if (!isMerge(call)) continue
    const [target, ...given] = call.args
    if (target === undefined || prototypeOwner(target) === undefined) continue
    for (const value of given) hold(target, resolveValue(value))
  }
  return held
}

/** `function Helper() { this.run = function () { … } }`, also by another name of `this`: what is called with `new` begins with a capital. */
function* methodsOfMakers({ assignments }: ScriptFacts): Generator<readonly [fact: FunctionFact, maker: FunctionFact]> {
  for (const { target, value } of assignments) {
    if (value.kind !== 'function' || target.name === undefined) continue
    const maker = thisIn(target.object)?.function
    if (maker !== undefined && maker.kind !== 'arrow' && maker.owner === undefined && /^[A-Z]/.test(lastName(maker.name)))
      yield [value.function, maker]
  }
}

/** `Helper` of `Helper.prototype`, also by another name of that. */
function prototypeOwner(value: Value): Value | undefined {
  const here = resolveValue(value)
  return here.kind === 'member' && here.name === 'prototype' ? here.object : undefined
}

/** Arrow functions that are fields of extended objects and of classes. */
function* arrowsIn(facts: ScriptFacts): Generator<readonly [owner: object, name: string, fact: FunctionFact]> {
  for (const { owner, members } of classesIn(facts))
    for (const { name, value } of members)
      if (name !== undefined && value?.kind === 'function' && value.function.kind === 'arrow') yield [owner, name, value.function]
}

/** `run = () => this.address`: each object of the class has one of its own, whose `this` is the object that it is called on. */
function classOfField({ kind, start, parent }: FunctionFact): object | undefined {
  return kind === 'arrow' && parent?.kind === 'initializer' && parent.start === start ? parent.owner : undefined
}

/** Extensions of controllers: what they override has their `this`. Fact: API of sap.ui.core.mvc.ControllerExtension, `override`; of classes `static overrides`. */
function overridesIn(facts: ScriptFacts): (readonly [FunctionFact, object])[] {
  return [...classesIn(facts)].flatMap(({ owner, members }) =>
    members.flatMap(({ name, value }) =>
      OVERRIDES.has(name ?? '') && value !== undefined ? functionsBelow(value, 0).map((fact) => [fact, owner] as const) : [],
    ),
  )
}

const OVERRIDES: ReadonlySet<string> = new Set(['override', 'overrides'])

function functionsBelow(value: Value, depth: number): readonly FunctionFact[] {
  if (value.kind === 'function') return [value.function]
  if (value.kind !== 'object' || depth > 2) return []
  return value.fields.flatMap((field) => functionsBelow(field.value, depth + 1))
}

function ownerNamed(given: Value, namespaces: ReadonlyMap<string, Value>): object | undefined {
  const value = prototypeOwner(given) ?? given
  const here: Value = resolveValue(value)
  if (here.kind === 'member') {
    const made = namespaces.get(namespaceOf(here) ?? '')
    return made && (made.kind === 'member' ? undefined : ownerNamed(made, namespaces))
  }
  if (here.kind === 'object') return here
  const extended = extendedObject(here)
  if (extended !== undefined) return extended
  if (here.kind === 'class') return here.class satisfies ClassFact
  if (here.kind === 'function') return here.function
  // what a call of others made: `Renderer.extend(Base)`, `Object.create(Base)`
  const named = here.kind === 'reference' || (here.kind === 'call' && value.kind === 'reference') ? value : undefined
  return here.kind === 'reference' ? here.binding : named?.kind === 'reference' ? named.binding : undefined
}

const LENDING: ReadonlySet<string> = new Set(['call', 'apply', 'bind'])

/** Functions in a table that are called with the `this` of another function: `this.commands[name].call(this, message)`, `COMMANDS[name].bind(this)`. */
function* lentFunctions(facts: ScriptFacts): Generator<readonly [fact: FunctionFact, to: FunctionFact]> {
  let tables: ReadonlyMap<string, readonly Value[]> | undefined
  for (const { callee, args } of facts.calls) {
    if (callee.kind !== 'member' || !LENDING.has(callee.name ?? '')) continue
    const self = args[0] && thisIn(args[0])
    const lent = resolveValue(callee.object)
    // a function by its name is found without this
    if (self === undefined || lent.kind !== 'member' || lent.name !== undefined) continue
    const table = resolveValue(lent.object)
    if (table.kind === 'object') yield* functionsOf(table, self.function)
    else if (table.kind === 'member' && table.name !== undefined) {
      tables ??= tablesIn(facts)
      for (const value of tables.get(table.name) ?? []) yield* functionsOf(value, self.function)
    }
  }
}

function* functionsOf(table: Value, to: FunctionFact): Generator<readonly [FunctionFact, FunctionFact]> {
  for (const { value } of table.kind === 'object' ? table.fields : [])
    if (value.kind === 'function' && value.function !== to) yield [value.function, to]
}

/** Objects that are fields of others, of classes and of what is extended, by their names. */
function tablesIn({ assignments, classes, functions }: ScriptFacts): ReadonlyMap<string, readonly Value[]> {
  const found = new Map<string, Value[]>()
  const add = (name: string | undefined, value: Value | undefined): void => {
    const here = value && resolveValue(value)
    if (name === undefined || here?.kind !== 'object') return
    append(found, name, here)
  }
  for (const { target, value } of assignments) add(target.name, value)
  for (const { members } of classes) for (const { name, value } of members) add(name, value)
  const owners = new Set(functions.flatMap(({ owner }) => (owner !== undefined && 'kind' in owner ? owner : [])))
  for (const { fields } of owners) for (const { key, value } of fields) add(key, value)
  return found
}
