import {
  accessesOf,
  constantOf,
  functionAround,
  keyOf,
  resolveValue,
  findPart,
  type Assignment,
  type Binding,
  type CallValue,
  type FunctionFact,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { nameOf } from '../graph/names.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { addFound } from './sink-parts.ts'
import { isWithin } from '../../facts/span-index.ts'

/** A comparison with the key that leads to the prototype. */
const REFUSES = /__proto__|isUnsafeKey|isPrototypePolluted/

/** `settings[key][name] = value`, `delete settings[key][name]`: with `__proto__` for the first key it is the prototype of all objects that gets the value, or loses a method. */
export function addPollution(draft: FlowDraft): void {
  for (const assignment of draft.facts.assignments) {
    const { target } = assignment
    const told = { name: nameOf(target), at: assignment }
    const outer = target.object
    if (target.property === undefined || target.name !== undefined) continue
    if (isMadeOnTheWay(assignment) || hasNoPrototype(outer)) continue
    if (outer.kind !== 'member') {
      addMerge(assignment, target.property, draft)
      const keys = namesPrototype(assignment.function, draft) ? [] : keysBehind(outer, draft)
      for (const step of [...stepsOf(outer, assignment.function, draft), ...keys])
        addFound(FOUND_SINKS.writtenKey, step, draft, told)
      continue
    }
    const { property } = outer
    if (property === undefined || outer.name !== undefined || constantOf(property) !== undefined) continue
    if (!namesPrototype(assignment.function, draft)) addFound(FOUND_SINKS.writtenKey, property, draft, told)
  }
  // delete settings[section][name]
  for (const target of draft.facts.deletions) {
    const { object, property: last, name } = target
    const picked = 'property' in object && object.name === undefined ? object.property : undefined
    if (picked === undefined || last === undefined || name !== undefined) continue
    if (constantOf(picked) !== undefined || hasNoPrototype(object) || isOfCaller(last)) continue
    const around = functionAround(draft.facts, target.start)
    if (around === undefined || !namesPrototype(around, draft))
      addFound(FOUND_SINKS.deletedKey, picked, draft, { name: nameOf(target), at: target })
  }
  // Object.assign(settings[section], sent)
  for (const call of draft.facts.calls) {
    const { callee, args, function: within } = call
    const [target] = args
    if (target === undefined || args.length < 2 || callee.kind !== 'member' || callee.name !== 'assign') continue
    if (!accessesOf(callee).some(({ root }) => root === 'global:Object')) continue
    if (namesPrototype(within, draft)) continue
    for (const key of keysBehind(target, draft)) addFound(FOUND_SINKS.writtenKey, key, draft, { name: nameOf(callee), at: call })
  }
}

/** `settings` of `const settings = Object.create(null)`, below which `__proto__` is a name like others. */
function hasNoPrototype(outer: Value): boolean {
  let here = outer
  while (here.kind === 'member') here = here.object
  const made = resolveValue(here)
  const [given] = made.kind === 'call' && lastNameOf(made.callee) === 'create' ? made.args : []
  return given?.kind === 'literal' && given.value === null
}

/** `socket.id`, `user.name`: a key that the client did not choose, which no prototype has. */
function isOfCaller(key: Value): boolean {
  const made = resolveValue(key)
  const name = 'object' in made ? nameOf(made) : ''
  return (
    /(?:user|sock(?:et)?|client|conn(?:ection)?|session|\bws)\.\w{1,40}$/i.test(name) &&
    !/\b(?:body|query|params|data)\b/.test(name)
  )
}

/** The code around speaks of the key that leads there, to refuse it. */
function namesPrototype({ kind, start, end }: FunctionFact, { text }: FlowDraft): boolean {
  return kind !== 'file' && REFUSES.test(text.slice(start, end))
}

/**
 * `function merge(target, source) { for (const key in source) … merge(target[key], source[key]) … target[key] = source[key] }`, and
 * `function put(tree, [key, ...rest], value) { … put(tree[key], rest, value) … tree[key] = value }`.
 */
function addMerge(assignment: Assignment, key: Value, draft: FlowDraft): void {
  const { facts, calling } = draft
  const { target, function: within, start, end } = assignment
  if (key.kind !== 'reference') return
  const source = sourceOfKey(key, draft)
  if (source === undefined && !isFirstOfPath(key)) return
  draft.step(facts.calls.length)
  // an object that gets new values for its own keys
  const [from, to] = [source, target.object].map((one) => (one?.kind === 'reference' ? one.binding : undefined))
  if (to === undefined || from === to) return
  const around = facts.calls
    .filter(({ args }) => args.some((argument) => isItem(argument, key, to, draft)))
    .flatMap((call) => recursedBy(call, within) ?? [])
    .find((called) => isWithin(assignment, called))
  if (around === undefined || !calling.functions.has(within) || isRefusing(around, to, key, draft)) return
  const told = { name: nameOf(target), at: { start, end }, ...(source !== undefined && { isDeep: true as const }) }
  addFound(FOUND_SINKS.writtenKey, source ?? key, draft, told)
}

/** `node[key] ??= {}`, `node[key] = node[key] || {}`: what is made there holds nothing yet. */
function isMadeOnTheWay({ value, operator }: Assignment): boolean {
  const isEmpty = (one: Value | undefined): boolean => one?.kind === 'object' && one.fields.length === 0
  if (isEmpty(value)) return operator === '??=' || operator === '||=' || operator === '='
  return operator === '=' && value.kind === 'choice' && isEmpty(value.options.at(-1))
}

/** The function around a call that it calls once more. */
function recursedBy({ callee, start }: CallValue, within: FunctionFact): FunctionFact | undefined {
  const name = lastNameOf(callee)
  for (let here: FunctionFact | undefined = within; here !== undefined && here.kind !== 'file'; here = here.parent)
    if (functionOf(callee) === here || (name !== undefined && here.name.split('.').at(-1) === name && here.start <= start))
      return here
  return undefined
}

/** `target[key]`, also behind a name, or where it is made before: `target[key] ??= {}`. */
function isItem(value: Value, key: Value, of: Binding, draft: FlowDraft): boolean {
  return itemKeys(value, of, draft).some(
    (one) => one.kind === 'reference' && key.kind === 'reference' && one.binding !== undefined && one.binding === key.binding,
  )
}

/** The keys at which a value is read from an object. */
function itemKeys(value: Value, of: Binding, draft: FlowDraft, hops = 3): readonly Value[] {
  // target[key] ?? {}
  if (value.kind === 'choice') return value.options.flatMap((option) => itemKeys(option, of, draft, hops))
  if (value.kind === 'object') {
    draft.step(draft.facts.assignments.length)
    const made = draft.facts.assignments.find((one) => one.value === value)
    return made === undefined ? [] : itemKeys(made.target, of, draft, 0)
  }
  if (value.kind === 'member') {
    const isOf = value.object.kind === 'reference' && value.object.binding === of
    return isOf && value.name === undefined && value.property !== undefined ? [value.property] : []
  }
  if (value.kind !== 'reference' || hops === 0 || value.binding === of) return []
  return (value.binding?.definitions ?? []).flatMap(({ kind, value: given, path }) =>
    given === undefined || path.length > 0 || (kind !== 'init' && kind !== 'assign') ? [] : itemKeys(given, of, draft, hops - 1),
  )
}

/** `node = node[key]` before `node[last] = value`, and `path.reduce((node, key) => node[key], root)[last] = value`: the keys on the way. */
function stepsOf(outer: Value, within: FunctionFact, draft: FlowDraft): readonly Value[] {
  if (outer.kind === 'call' && outer.callee.kind === 'member' && outer.callee.name === 'reduce') {
    const walker = functionOf(outer.args[0])
    const [node] = walker?.parameters ?? []
    if (walker === undefined || node === undefined) return []
    return walker.returns.flatMap((given) => itemKeys(given, node, draft)).filter((key) => !isRefusing(walker, node, key, draft))
  }
  // walk(tree, keys)[last] = value
  const called = outer.kind === 'call' ? functionOf(outer.callee) : undefined
  if (called !== undefined) return called.returns.flatMap((given) => (isReducing(given) ? stepsOf(given, called, draft) : []))
  const binding = outer.kind === 'reference' ? outer.binding : undefined
  if (binding === undefined || binding.definitions.length < 2) {
    // const parent = path.reduce(…)
    const [given] = binding?.kind === 'const' ? binding.definitions : []
    return given?.value?.kind === 'call' && given.path.length === 0 ? stepsOf(given.value, within, draft) : []
  }
  const keys = binding.definitions.flatMap(({ kind, value, path }) =>
    kind === 'assign' && value !== undefined && path.length === 0 ? itemKeys(value, binding, draft) : [],
  )
  return keys.filter((key) => constantOf(key) === undefined && !isRefusing(within, binding, key, draft))
}

function isReducing(value: Value): boolean {
  return value.kind === 'call' && value.callee.kind === 'member' && value.callee.name === 'reduce'
}

/** Whether the key that leads to the prototype gets no further: it is refused, or the object must own it. */
function isRefusing(around: FunctionFact, target: Binding, key: Value, { facts, text, step }: FlowDraft): boolean {
  if (REFUSES.test(text.slice(around.start, around.end))) return true
  step(facts.calls.length)
  const isTarget = (value: Value): boolean => value.kind === 'reference' && value.binding === target
  const isKey = (value: Value): boolean => keyOf(value) !== undefined && keyOf(value) === keyOf(key)
  return facts.calls.some(({ callee, args, start, end }) => {
    if (start < around.start || end > around.end || callee.kind !== 'member' || !args.some(isKey)) return false
    const { name = '', object } = callee
    const isOwned = args.some(isTarget) || isTarget(object)
    // Object.hasOwn(target, key), target.hasOwnProperty(key), Object.prototype.hasOwnProperty.call(target, key)
    if (isOwned && (/^hasOwn(?:Property)?$/.test(name) || (object.kind === 'member' && object.name === 'hasOwnProperty')))
      return true
    if (!/^(?:has|includes|test|indexOf)$/.test(name)) return false
    const list = resolveValue(object)
    return REFUSES.test(text.slice(list.start, list.end))
  })
}

/** `([key, ...rest]) =>`, `const key = path[0]`, `const key = path.shift()`: where a function walks down a path that it is given. */
function isFirstOfPath({ binding }: Value & { readonly kind: 'reference' }): boolean {
  const [definition, other] = binding?.definitions ?? []
  if (definition === undefined || other !== undefined) return false
  const { kind, path, value, parameter } = definition
  if (kind === 'parameter') return parameter !== undefined && path.length === 1 && path[0] === '0'
  if (kind !== 'init' || value === undefined) return false
  const isGiven = (list: Value): boolean => list.kind === 'reference' && list.binding?.kind === 'parameter'
  if (path.length === 1 && path[0] === '0') return isGiven(value)
  if (path.length > 0) return false
  if (value.kind === 'member') return (value.name === '0' || isZero(value.property)) && isGiven(value.object)
  return value.kind === 'call' && value.callee.kind === 'member' && value.callee.name === 'shift' && isGiven(value.callee.object)
}

function isZero(value: Value | undefined): boolean {
  return value?.kind === 'literal' && value.value === 0
}

/** The object whose keys a name runs through. */
function sourceOfKey(key: Value, { facts }: FlowDraft): Value | undefined {
  const [definition, other] = key.kind === 'reference' ? (key.binding?.definitions ?? []) : []
  if (definition === undefined || other !== undefined || key.kind !== 'reference') return undefined
  const { kind, value, parameter } = definition
  if (kind === 'key') return value
  if (kind === 'each') return value && listedBy(value)
  const callback: FunctionFact | undefined = parameter === 0 ? key.binding?.function : undefined
  const call =
    callback &&
    facts.calls.find(
      ({ callee, args }) => callee.kind === 'member' && callee.name === 'forEach' && functionOf(args[0]) === callback,
    )
  return call?.callee.kind === 'member' ? listedBy(call.callee.object) : undefined
}

/** `source` of `Object.keys(source)`. */
function listedBy(value: Value): Value | undefined {
  if (value.kind !== 'call') return undefined
  const isList = accessesOf(value.callee).some(
    ({ root, steps }) =>
      (root === 'global:Object' && /^(?:keys|entries|getOwnPropertyNames)$/.test(steps.join(' '))) ||
      (root === 'global:Reflect' && steps.join(' ') === 'ownKeys'),
  )
  return isList ? value.args[0] : undefined
}

/** Names, choices and functions followed to where an object is picked. */
const MAX_DEPTH = 4
const MAX_DEFINITIONS = 4

/**
 * The keys by which an object was picked out of another one, if that may be its prototype: `settings[section]`, also by a name, with something else where
 * there is none, or by a function of the file.
 */
function keysBehind(value: Value, draft: FlowDraft, depth = 0): readonly Value[] {
  draft.step()
  if (depth > MAX_DEPTH) return []
  switch (value.kind) {
    case 'member': {
      const { object, property, name } = value
      const isPicked = property !== undefined && name === undefined && constantOf(property) === undefined
      return isPicked && !isMadeWithoutPrototype(object) ? [property] : []
    }
    case 'choice': {
      const keys = value.options.flatMap((option) => keysBehind(option, draft, depth + 1))
      const { test } = value
      return test === undefined ? keys : keys.filter((key) => !isAskedFor(test, key))
    }
    case 'reference': {
      const definitions = value.binding?.definitions ?? []
      if (definitions.length > MAX_DEFINITIONS) return []
      return definitions.flatMap(({ kind, value: given, path }) =>
        given === undefined || path.length > 0 || (kind !== 'init' && kind !== 'assign') || given.kind === 'reference'
          ? []
          : keysBehind(given, draft, depth + 1),
      )
    }
    case 'call': {
      const called = functionOf(value.callee)
      return called === undefined ? [] : called.returns.flatMap((given) => keysBehind(given, draft, depth + 1))
    }
    default:
      return []
  }
}

/** `Object.create(null)`. */
function isMadeWithoutPrototype(object: Value): boolean {
  const made = resolveValue(object)
  return (
    made.kind === 'call' &&
    made.args[0]?.kind === 'literal' &&
    made.args[0].value === null &&
    accessesOf(made.callee).some(({ root, steps }) => root === 'global:Object' && steps.join(' ') === 'create')
  )
}

/** `Object.hasOwn(settings, section) ? settings[section] : {}`. */
function isAskedFor(test: Value, key: Value): boolean {
  const own = keyOf(key)
  return own !== undefined && findPart(test, (part) => part !== test && keyOf(part) === own) !== undefined
}
