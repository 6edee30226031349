import {
  accessesOf,
  constantOf,
  findPart,
  isOnTheWay,
  resolveValue,
  type Assignment,
  type CallValue,
  type FunctionFact,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import type { FlowDraft } from './draft.ts'
import { nameOf } from './names.ts'

const FAULT = 'cap/prototype-pollution'
/** A comparison with the key that leads to the prototype. */
const REFUSES = /__proto__|isUnsafeKey|isPrototypePolluted/

/** `settings[key][name] = value`: with `__proto__` for the first key it is the prototype of all objects that gets the value. */
export function addPollution(draft: FlowDraft): void {
  for (const assignment of draft.facts.assignments) {
    const { target, start, end } = assignment
    const outer = target.object
    if (target.property === undefined || target.name !== undefined) continue
    // target[key] = {}
    if (isEmpty(assignment.value)) continue
    if (addStep(assignment, target.property, draft)) continue
    if (outer.kind !== 'member') {
      addMerge(assignment, target.property, draft)
      continue
    }
    const { property } = outer
    if (property === undefined || outer.name !== undefined || constantOf(property) !== undefined) continue
    draft.sinks.push({ fault: FAULT, name: nameOf(target), node: draft.use(property), start, end })
  }
}

/** `function merge(target, source) { for (const key in source) … merge(target[key], source[key]) … target[key] = source[key] }`. */
function addMerge({ target, function: within, start, end }: Assignment, key: Value, draft: FlowDraft): void {
  const { facts, functions, text } = draft
  const source = sourceOfKey(key, draft)
  if (source === undefined || key.kind !== 'reference') return
  draft.step(facts.calls.length)
  // an object that gets new values for its own keys
  const [from, to] = [source, target.object].map((one) => (one.kind === 'reference' ? one.binding : undefined))
  if (from !== undefined && from === to) return
  const around = facts.calls
    .filter(({ callee, args }) => callee.kind === 'reference' && args.some((argument) => isItem(argument, key)))
    .flatMap(({ callee, start: at, end: last }) => {
      const called = functionOf(callee)
      return called !== undefined && called.start <= at && last <= called.end ? called : []
    })
    .find((called) => called.start <= start && end <= called.end)
  if (around === undefined || !functions.has(within) || REFUSES.test(text.slice(around.start, around.end))) return
  if (isRefused(key, start, draft)) return
  draft.sinks.push({ fault: FAULT, name: nameOf(target), node: draft.use(source), start, end, isDeep: true })
}

/** `if (FORBIDDEN.has(key)) continue`, where the list holds the keys that lead to the prototype; `if (!Object.hasOwn(target, key)) continue`. */
function isRefused(key: Value & { readonly kind: 'reference' }, offset: number, { facts, step }: FlowDraft): boolean {
  step(facts.guards.length)
  const isKey = (value: Value | undefined): boolean => value?.kind === 'reference' && value.binding === key.binding
  return facts.guards.some(
    (guard) =>
      isOnTheWay(guard, offset) &&
      findPart(guard.test, (part) => {
        if (part.kind !== 'call' || part.callee.kind !== 'member' || !part.args.some(isKey)) return false
        const { name, object } = part.callee
        if (name === 'hasOwn' || name === 'hasOwnProperty') return true
        return (
          (name === 'has' || name === 'includes') &&
          findPart(object, ({ kind, ...rest }) => kind === 'literal' && 'value' in rest && rest.value === '__proto__') !==
            undefined
        )
      }) !== undefined,
  )
}

/** An object or a list without anything in it. */
function isEmpty(value: Value): boolean {
  return (value.kind === 'object' && value.fields.length === 0) || (value.kind === 'array' && value.items.length === 0)
}

/**
 * `function put(tree, [key, ...rest], value) { … put(tree[key] ??= {}, rest, value) … tree[key] = value }`, and the last step of `walk(tree, keys)[last] = value` where
 * `keys.reduce((inner, key) => inner[key], tree)` leads there: the path that is walked comes from outside.
 */
function addStep({ target, function: within, start, end }: Assignment, key: Value, draft: FlowDraft): boolean {
  const { facts, text } = draft
  const place = resolveValue(target.object)
  const walked = place.kind === 'call' ? walkedBy(place) : undefined
  if (walked !== undefined && !REFUSES.test(text)) {
    draft.sinks.push({ fault: FAULT, name: nameOf(target), node: draft.use(walked), start, end, isDeep: true })
    return true
  }
  const [definition] = key.kind === 'reference' ? (key.binding?.definitions ?? []) : []
  if (key.kind !== 'reference' || definition?.parameter === undefined || definition.path.length !== 1) return false
  const isWalking = facts.calls.some(
    ({ callee, args, start: at }) =>
      within.start <= at && at < within.end && functionOf(callee) === within && args.some((argument) => isItem(argument, key)),
  )
  if (!isWalking || REFUSES.test(text.slice(within.start, within.end))) return false
  draft.sinks.push({ fault: FAULT, name: nameOf(target), node: draft.use(key), start, end })
  return true
}

/** The keys of `keys.reduce((inner, key) => inner[key], tree)`, also behind a function of the file. */
function walkedBy(call: CallValue, depth = 0): Value | undefined {
  const { callee, args } = call
  const step = callee.kind === 'member' && callee.name === 'reduce' ? functionOf(args[0]) : undefined
  if (step !== undefined && callee.kind === 'member') {
    const [inner, key] = step.parameters
    const isStep = (value: Value): boolean =>
      value.kind === 'choice'
        ? value.options.some(isStep)
        : value.kind === 'member' &&
          value.object.kind === 'reference' &&
          value.object.binding === inner &&
          value.property?.kind === 'reference' &&
          value.property.binding === key
    return key !== undefined && step.returns.some(isStep) ? callee.object : undefined
  }
  const called = depth === 0 ? functionOf(callee) : undefined
  const inside = called?.returns.find((value) => value.kind === 'call' && walkedBy(value, depth + 1) !== undefined)
  const keys = inside?.kind === 'call' ? walkedBy(inside, depth + 1) : undefined
  const at =
    keys?.kind === 'reference' ? called?.parameters.findIndex((one) => one !== undefined && one === keys.binding) : undefined
  return at === undefined || at < 0 ? undefined : args[at]
}

/** `target[key]`, or `source[key]`. */
function isItem(given: Value, key: Value & { readonly kind: 'reference' }): boolean {
  // const branch = target[key]
  const value = resolveValue(given)
  // target[key] ?? {}
  if (value.kind === 'choice') return value.options.some((option) => isItem(option, key))
  if (value.kind !== 'member' || value.name !== undefined) return false
  return value.property?.kind === 'reference' && value.property.binding !== undefined && value.property.binding === key.binding
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
