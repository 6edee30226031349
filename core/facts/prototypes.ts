import { functionOf } from './callbacks.ts'
import { lastNameOf } from './literals.ts'
import type { ClassFact, ClassMember, FunctionFact, ScriptFacts, Value } from './types.ts'
import { resolveValue } from './values.ts'

/** What stands in a script that holds classes that are written as functions. */
export const MAY_HOLD_PROTOTYPES: RegExp = /\bprototype\b|\w ?= ?(?:function\b|async\b|\()/

/**
 * Classes that are written as functions: `Label.prototype.print = function () { … }`, with what they inherit, and
 * `function Label(text) { this.print = function () { … } }`.
 */
export function prototypesOf(facts: ScriptFacts): ReadonlyMap<FunctionFact, ClassFact> {
  const { assignments, calls } = facts
  const members = new Map<FunctionFact, ClassMember[]>()
  const parents = new Map<FunctionFact, Value>()
  const open = (value: Value): ClassMember[] | undefined => {
    const fact = ofPrototype(value)
    if (fact === undefined) return undefined
    const known = members.get(fact) ?? []
    members.set(fact, known)
    return known
  }
  const addAll = (target: Value, given: Value): void => {
    const here = resolveValue(given)
    const own = here.kind === 'object' ? open(target) : undefined
    if (own === undefined || here.kind !== 'object') return
    for (const { key, value, start, end } of here.fields)
      if (key !== undefined) own.push({ name: key, isStatic: false, value, start, end })
  }
  const inherit = (fact: FunctionFact | undefined, from: Value | undefined): void => {
    if (fact !== undefined && from !== undefined) parents.set(fact, from)
  }
  for (const { target, value, start, end } of assignments) {
    if (target.name === 'prototype') {
      addAll(target, value)
      inherit(ofPrototype(target), parentIn(value))
    } else if (target.name !== undefined && target.name !== 'constructor')
      open(target.object)?.push({ name: target.name, isStatic: false, value, start, end })
  }
  for (const [fact, member] of ownMethods(facts)) members.set(fact, [...(members.get(fact) ?? []), member])
  for (const { callee, args } of calls) {
    const name = lastNameOf(callee)
    const [first, ...others] = args
    if (first === undefined) continue
    if (name === 'assign') for (const given of others) addAll(first, given)
    // util.inherits(Raw, Base), Object.setPrototypeOf(Raw.prototype, Base.prototype)
    else if (name === 'inherits') inherit(functionIn(first), others[0])
    else if (name === 'setPrototypeOf') inherit(ofPrototype(first), makerIn(others[0]))
  }
  return new Map(
    [...new Set([...members.keys(), ...parents.keys()])].map((fact) => {
      const { name, start, end } = fact
      const constructing: ClassMember = {
        name: 'constructor',
        isStatic: false,
        value: { kind: 'function', function: fact, start, end },
        start,
        end,
      }
      return [fact, { name, start, end, parent: parents.get(fact), members: [constructing, ...(members.get(fact) ?? [])] }]
    }),
  )
}

/** Functions that a constructor with a name of its own puts into the object that it makes: a callback and the function that a module is have the `this` of others. */
function* ownMethods({ assignments, bindings }: ScriptFacts): Generator<readonly [FunctionFact, ClassMember]> {
  const named = new Set<FunctionFact | undefined>()
  for (const { definitions } of bindings) {
    const [only, other] = definitions
    if (other === undefined && only?.path.length === 0) named.add(only.value && functionIn(only.value))
  }
  for (const { target, value, start, end } of assignments) {
    if (target.name === undefined || functionOf(value) === undefined) continue
    const self = resolveValue(target.object)
    if (self.kind === 'this' && named.has(self.function))
      yield [self.function, { name: target.name, isStatic: false, value, start, end }]
  }
}

/** `Label` of `Label.prototype`. */
function ofPrototype(value: Value): FunctionFact | undefined {
  const maker = makerIn(value)
  return maker && functionIn(maker)
}

function makerIn(value: Value | undefined): Value | undefined {
  const here = value && resolveValue(value)
  return here?.kind === 'member' && here.name === 'prototype' ? here.object : undefined
}

function functionIn(value: Value): FunctionFact | undefined {
  const here = resolveValue(value)
  return here.kind === 'function' && here.function.kind === 'function' ? here.function : undefined
}

/** `Object.create(Base.prototype)`, `new Base()`. */
function parentIn(value: Value): Value | undefined {
  if (value.kind === 'new') return value.callee
  const [base] = value.kind === 'call' && lastNameOf(value.callee) === 'create' ? value.args : []
  return makerIn(base)
}
