import { resolveValue, type Binding, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { COPY, type FlowKeyed } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { storeOfCall } from '../pages/stores.ts'
import { writeInto } from '../values/writes.ts'

const READING: ReadonlySet<string> = new Set(['get', 'getProperty'])
const WRITING: ReadonlySet<string> = new Set(['set', 'setProperty'])
const KEY = 0
const VALUE = 1

/** A place that the first parameter of a function names, in an object that the function keeps. */
interface KeyedPlace {
  readonly object: Value
  /** Of a model: the key is a path. */
  readonly isPath: boolean
  readonly value: Value | undefined
  readonly by: object
}

/** Functions that write what they are given under a key: `put(key, value) { entries.set(key, value) }`. */
export type KeyedWrites = ReadonlyMap<FunctionFact, KeyedPlace>

/** The functions that do so and nothing else with the value. */
export function keyedWrites({ calls, assignments }: FlowDraft['facts']): KeyedWrites {
  const found = new Map<FunctionFact, KeyedPlace>()
  const add = (fact: FunctionFact, place: KeyedPlace | undefined): void => {
    const isGiven = place?.value?.kind === 'reference' && place.value.binding === fact.parameters[VALUE]
    if (place !== undefined && isGiven && fact.parameters[VALUE] !== undefined) found.set(fact, place)
  }
  for (const call of calls) add(call.function, placeOfCall(call, WRITING))
  for (const { target, operator, value, function: fact } of assignments)
    if (operator === '=') add(fact, placeOfMember(target, fact, value))
  if (found.size === 0) return found
  for (const call of calls) {
    const place = found.get(call.function)
    if (place !== undefined && place.by !== call && !isSilent(call, place)) found.delete(call.function)
  }
  for (const { target, function: fact } of assignments) {
    const place = found.get(fact)
    if (place !== undefined && place.by !== target) found.delete(fact)
  }
  return found
}

/** What hands nothing on: `this.getView().getModel("view")`. */
function isSilent({ args }: CallValue, { object }: KeyedPlace): boolean {
  return args.every((argument) => argument.kind === 'literal' || argument === object)
}

function placeOfCall(call: CallValue, methods: ReadonlySet<string>): KeyedPlace | undefined {
  const { callee, args, function: fact } = call
  const [key, value] = args
  if (callee.kind !== 'member' || !methods.has(callee.name ?? '') || key === undefined || !isKey(key, fact)) return undefined
  return { object: callee.object, isPath: callee.name?.endsWith('Property') === true, value, by: call }
}

function placeOfMember(value: Value, fact: FunctionFact, given?: Value): KeyedPlace | undefined {
  if (value.kind !== 'member' || value.property === undefined || !isKey(value.property, fact)) return undefined
  return { object: value.object, isPath: false, value: given, by: value }
}

function isKey(value: Value, { parameters: [key] }: FunctionFact): boolean {
  return key !== undefined && value.kind === 'reference' && value.binding === key
}

/** Says of a function that it reads or writes what its first parameter names: who calls it with a constant means that field alone. */
export function keyedBy(fact: FunctionFact, writes: KeyedWrites, draft: FlowDraft): FlowKeyed | undefined {
  const written = writes.get(fact)
  if (written !== undefined) {
    const isOnly = fact.returns.every((value) => value.kind === 'this' || value.kind === 'literal' || value === written.by)
    if (!isOnly || !isKept(written, draft)) return undefined
    const object = draft.graph.add(written.object)
    writeInto(written.object, object, draft)
    return { object, isPath: written.isPath, value: VALUE }
  }
  return fact.parameters[KEY] === undefined || fact.returns.length === 0 ? undefined : readBy(fact, draft)
}

function readBy(fact: FunctionFact, draft: FlowDraft): FlowKeyed | undefined {
  const read: KeyedPlace[] = []
  const passed: number[] = []
  for (const value of fact.returns.flatMap((returned) => optionsOf(returned, 0))) {
    if (value.kind === 'literal') continue
    const index = value.kind === 'reference' ? parameterIndex(value.binding, fact) : -1
    const place = value.kind === 'call' ? placeOfCall(value, READING) : placeOfMember(value, fact)
    if (index > KEY) passed.push(index)
    else if (place !== undefined && (place.isPath || place.value === undefined) && isKept(place, draft)) read.push(place)
    else return undefined
  }
  const [first] = read
  if (first === undefined || read.some(({ isPath }) => isPath !== first.isPath)) return undefined
  const object = draft.graph.add(first.object)
  for (const place of read) draft.graph.connect(draft.use(place.object), object, COPY)
  return { object, isPath: first.isPath, ...(passed.length > 0 && { passed }) }
}

const MAX_DEPTH = 5

/** `kept[key] || other` may be either. */
function optionsOf(value: Value, depth: number): readonly Value[] {
  const here = resolveValue(value)
  return here.kind === 'choice' && depth < MAX_DEPTH ? here.options.flatMap((option) => optionsOf(option, depth + 1)) : [here]
}

function parameterIndex(binding: Binding | undefined, { parameters }: FunctionFact): number {
  return binding === undefined ? -1 : parameters.indexOf(binding)
}

/** An object or a map that the app made, or a model: what the browser keeps has names of its own. */
function isKept({ object, isPath }: KeyedPlace, draft: FlowDraft): boolean {
  const here = resolveValue(object)
  const store = isPath && here.kind === 'call' ? storeOfCall(here) : undefined
  if (store !== undefined) return store.path.length === 0 && store.store.startsWith('model ')
  if (here.kind !== 'member') return isMade(here, isPath)
  const owner = draft.owners.ownerBehind(here.object)
  const held = owner === undefined ? [] : draft.classes.fieldValues(owner, here.name ?? '')
  return held.length > 0 && held.every((value) => isMade(resolveValue(value), isPath))
}

function isMade(value: Value, isModel: boolean): boolean {
  if (value.kind !== 'new') return value.kind === 'object' && !isModel
  return (isModel ? /^JSONModel$/ : /^(?:Weak)?Map$/).test(lastNameOf(value.callee) ?? '')
}
