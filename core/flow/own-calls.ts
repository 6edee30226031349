import type { Binding, CallValue, FunctionFact, ScriptFacts, Value } from '../facts/index.ts'
import { functionOf } from '../facts/callbacks.ts'

/** What the functions of one file are called with, as far as the file says. It sees no order of statements and no other file. */
export interface OwnCalls {
  /** The function of the file that a call runs. */
  readonly calledBy: (call: CallValue) => FunctionFact | undefined
  /** All that a parameter is given within the file: arguments of the calls of its function, and the list whose items a callback gets. */
  readonly given: (parameter: Binding) => readonly Value[]
  /** Whether that is all that the parameter ever gets: nobody outside can call its function. */
  readonly isClosed: (parameter: Binding) => boolean
  /** It counts the items of a list: `list.map((item, index) => …)`. */
  readonly isIndex: (parameter: Binding) => boolean
}

/** Methods of lists (and of promises) whose callback gets what they are called on; of `reduce` as the second parameter. */
const EACH: ReadonlySet<string> = new Set([
  'map',
  'forEach',
  'filter',
  'flatMap',
  'some',
  'every',
  'find',
  'findIndex',
  'findLast',
  'then',
])

interface Draft {
  readonly given: Map<Binding, Value[]>
  readonly indexes: Set<Binding>
  /** Functions that are given to calls or exported: somebody else calls them too. */
  readonly handed: Set<FunctionFact>
}

export function findOwnCalls(facts: ScriptFacts): OwnCalls {
  const parameters = parametersOf(facts)
  const draft: Draft = { given: new Map(), indexes: new Set(), handed: new Set() }
  for (const call of facts.calls) {
    const isEach = addEach(call, parameters, draft)
    for (const [index, argument] of call.args.entries()) {
      const given = functionOf(argument) ?? memberFunctionOf(argument)
      if (given !== undefined && !(isEach && index === 0)) draft.handed.add(given)
    }
    const own = ownFunctionOf(call)
    for (const { binding, position } of (own && parameters.get(own)) ?? []) {
      const argument = call.args[position]
      if (argument !== undefined) give(binding, argument, draft)
    }
  }
  for (const { value } of facts.exports) markHanded(value, draft)
  for (const { target, value } of facts.assignments) if (target.name !== undefined) markHanded(value, draft)
  return {
    calledBy: ownFunctionOf,
    given: (parameter) => draft.given.get(parameter) ?? [],
    isClosed: (parameter) => isPrivate(parameter.function) && !draft.handed.has(parameter.function),
    isIndex: (parameter) => draft.indexes.has(parameter),
  }
}

interface Parameter {
  readonly binding: Binding
  readonly position: number
}

/** The names that the parameters of each function bind, those of patterns too. */
function parametersOf(facts: ScriptFacts): ReadonlyMap<FunctionFact, readonly Parameter[]> {
  const found = new Map<FunctionFact, Parameter[]>()
  for (const binding of facts.bindings) {
    const position = binding.kind === 'parameter' ? binding.definitions[0]?.parameter : undefined
    if (position === undefined) continue
    const own = found.get(binding.function)
    if (own === undefined) found.set(binding.function, [{ binding, position }])
    else own.push({ binding, position })
  }
  return found
}

/** `list.map((item, index) => …)`: the list for the item. */
function addEach(call: CallValue, parameters: ReadonlyMap<FunctionFact, readonly Parameter[]>, draft: Draft): boolean {
  const { callee } = call
  const callback = functionOf(call.args[0])
  if (callee.kind !== 'member' || callee.name === undefined || callback === undefined) return false
  const isReduce = callee.name === 'reduce' || callee.name === 'reduceRight'
  if (!isReduce && !EACH.has(callee.name)) return false
  const item = isReduce ? 1 : 0
  for (const { binding, position } of parameters.get(callback) ?? []) {
    if (position === item) give(binding, callee.object, draft)
    else if (position === item + 1) draft.indexes.add(binding)
    else if (isReduce && position === 0 && call.args[1] !== undefined) give(binding, call.args[1], draft)
  }
  return true
}

function give(parameter: Binding, value: Value, { given }: Draft): void {
  const values = given.get(parameter)
  if (values === undefined) given.set(parameter, [value])
  else values.push(value)
}

/** Functions that an export or an assignment hands on: by itself, in an object, as a class. */
function markHanded(value: Value | undefined, draft: Draft): void {
  const given = functionOf(value)
  if (given !== undefined) draft.handed.add(given)
  if (value?.kind === 'object') for (const field of value.fields) markHanded(field.value, draft)
}

/** A function by its name, `this.method()` of its class, `helper.method()` of an object or class of the file. */
function ownFunctionOf({ callee, kind }: CallValue): FunctionFact | undefined {
  if (kind !== 'call') return undefined
  return functionOf(callee) ?? memberFunctionOf(callee)
}

function memberFunctionOf(value: Value): FunctionFact | undefined {
  if (value.kind !== 'member' || value.name === undefined) return undefined
  const { object, name } = value
  if (object.kind === 'this') return memberOf(ownerOf(object.function), name)
  const [definition] = object.kind === 'reference' ? (object.binding?.definitions ?? []) : []
  if (object.kind !== 'reference' || object.binding?.definitions.length !== 1) return undefined
  const held = definition?.path.length === 0 ? definition.value : undefined
  if (held?.kind === 'object') return memberOf(held, name)
  return held?.kind === 'class' ? memberOf(held.class, name) : undefined
}

/** The class or object that `this` is an instance of. */
function ownerOf(from: FunctionFact): FunctionFact['owner'] {
  let here = from
  while (here.kind === 'arrow' && here.parent !== undefined) here = here.parent
  return here.owner
}

function memberOf(owner: FunctionFact['owner'], name: string): FunctionFact | undefined {
  if (owner === undefined) return undefined
  const value =
    'members' in owner
      ? owner.members.findLast((member) => member.name === name)?.value
      : owner.fields.findLast((field) => field.key === name)?.value
  return value?.kind === 'function' ? value.function : undefined
}

/** Not a method that others may call by its name: `#find` and `_find` are for the class alone. */
function isPrivate({ owner, name, parent }: FunctionFact): boolean {
  const isMember = owner !== undefined || parent?.kind === 'initializer'
  return !isMember || /(?:^|\.)[#_][^.]*$/.test(name)
}
