import { accessesOf, constantOf, type Assignment, type FunctionFact, type Value } from '../../facts/index.ts'
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
  draft.sinks.push({ fault: FAULT, name: nameOf(target), node: draft.use(source), start, end, isDeep: true })
}

/** `target[key]`, or `source[key]`. */
function isItem(value: Value, key: Value & { readonly kind: 'reference' }): boolean {
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
