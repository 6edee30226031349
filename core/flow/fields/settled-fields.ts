import { lastName } from '../dotted-names.ts'
import {
  isConditional,
  resolveValue,
  type Binding,
  type CallValue,
  type Definition,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import {
  ENTRY_NAME,
  entryOf,
  isAbove,
  mapOf,
  pathOf,
  readHistories,
  type FieldHistory,
  type FieldPath,
} from './field-histories.ts'
import { createHandedObjects } from './handed-objects.ts'

/** What a field holds for certain; no value: nothing any more. */
export interface Settled {
  readonly value: Value | undefined
}

export interface SettledFields {
  /** What is read by `copy.title`. */
  read(member: Value): Settled | undefined
  /** What a map gives: `map.get('file')`. */
  got(call: CallValue): Settled | undefined
  /** Fields of the object of a name that were written over, or deleted, before it is read as a whole; with what they hold since. */
  overwritten(binding: Binding, at: number): readonly (readonly [name: string, value: Value | undefined])[]
  /** What the first step of a pattern takes: `const { title } = copy`. */
  taken(definition: Definition): Settled | undefined
}

const GONE: Settled = { value: undefined }
const MAX_SPREAD = 8

/**
 * Tells what a field holds where it is read, if the lines above say it for certain: `copy.title = 'x'; use(copy.title)`, `{ ...given, ...DEFAULTS }.note`,
 * `Object.assign({ name }, { name: 'x' }).name`, `const { name, ...others } = given; others.name`, `delete copy.name`, `map.set('file', 'x'); map.get('file')`.
 * Of a name that other functions use nobody can tell what happened in between.
 */
export function createSettledFields(facts: ScriptFacts, step: (count?: number) => void): SettledFields {
  const { guards } = facts
  const isHanded = createHandedObjects(facts, step)
  let histories: ReadonlyMap<Binding, FieldHistory> | undefined
  let accessors: ReadonlySet<string> | undefined
  const settledAt = ({ binding, name }: FieldPath, at: number): Settled | undefined => {
    accessors ??= new Set(facts.functions.flatMap((fact) => (isAccessor(fact) ? lastName(fact.name) : [])))
    if (name === undefined || accessors.has(lastName(name))) return undefined
    const [definition, other] = binding.definitions
    if (binding.isCaptured || definition === undefined || other !== undefined || isOfOwnClass(definition)) return undefined
    const isRest = definition.taken !== undefined
    const isPart = definition.path.length > 0 && !isRest
    const made = isRest
      ? definition.taken.includes(name)
        ? GONE
        : undefined
      : isPart
        ? undefined
        : lastOf(definition.value, name, 0)
    histories ??= readHistories(facts)
    const { writes, deletions: removed } = histories.get(binding) ?? { writes: [], deletions: [] }
    const own = writes.filter((one) => one.name === name)
    const gone = removed.filter((one) => one.name === name)
    if (made === undefined && own.length === 0 && gone.length === 0) return undefined
    // an entry of a map is no field of an object
    const isOpen = (one: string | undefined): boolean => one === undefined || (one !== name && isAbove(one, name))
    if (writes.some((one) => isOpen(one.name)) || removed.some((one) => isOpen(one.name))) return undefined
    const last = own.findLast(({ start }) => start < at)
    const lastGone = gone.findLast(({ start }) => start < at)
    const from = Math.max(last?.start ?? definition.start, lastGone?.start ?? 0)
    if ([...own, ...gone].some(({ start }) => start > at) || isHanded({ binding, name }, from, at)) return undefined
    if (last === undefined && lastGone === undefined) return made
    step(1 + (guards.length >> 3))
    if (isConditional(guards, from)) return undefined
    if (last === undefined || (lastGone !== undefined && lastGone.start > last.start)) return GONE
    return last.within === binding.function ? { value: last.value } : undefined
  }

  const overwritten: SettledFields['overwritten'] = (binding, at) => {
    const [definition, other] = binding.definitions
    if (definition === undefined || other !== undefined || binding.kind === 'import') return []
    histories ??= readHistories(facts)
    const history = histories.get(binding)
    if (history === undefined) return []
    const names = new Set([...history.writes, ...history.deletions].flatMap(({ name }) => name ?? []))
    return [...names].flatMap((name) => {
      if (name.includes('.') || name.startsWith(ENTRY_NAME)) return []
      const found = settledAt({ binding, name }, at)
      return found === undefined || found === lastOf(definition.value, name, 0) ? [] : [[name, found.value] as const]
    })
  }
  return {
    overwritten,
    read(member) {
      const path = member.kind === 'member' ? pathOf(member) : undefined
      return path && settledAt(path, member.start)
    },
    got(call) {
      const binding = call.callee.kind === 'member' && call.callee.name === 'get' ? mapOf(call) : undefined
      return binding && settledAt({ binding, name: entryOf(call.args[0]) }, call.start)
    },
    taken({ value, path: [name], kind, start }) {
      if (kind !== 'init' || name === undefined || value === undefined) return undefined
      if (value.kind === 'reference') return value.binding && settledAt({ binding: value.binding, name }, start)
      const path = value.kind === 'member' ? pathOf(value) : undefined
      return path?.name === undefined ? undefined : settledAt({ ...path, name: `${path.name}.${name}` }, start)
    },
  }
}

function isAccessor({ kind }: FunctionFact): boolean {
  return kind === 'getter' || kind === 'setter'
}

/** An object of a class in another file of the project: that may have accessors. */
function isOfOwnClass({ value }: Definition): boolean {
  if (value?.kind !== 'new' || value.callee.kind !== 'reference') return false
  return value.callee.binding?.module?.source.startsWith('.') === true
}

/** What an object with others put into it holds in a field: that of the last one that has it. */
function lastOf(made: Value | undefined, name: string, depth: number): Settled | undefined {
  const here = made && resolveValue(made)
  if (here === undefined || depth > MAX_SPREAD) return undefined
  const layers = here.kind === 'object' ? here.fields.map(toLayer) : assignedTo(here)
  if (layers === undefined || (depth === 0 && !layers.some(({ isWhole }) => isWhole))) return undefined
  for (const { key, value, isWhole } of layers.toReversed()) {
    if (key === name && !isWhole) return { value }
    if (key !== undefined) continue
    const found = isWhole ? findIn(value, name, depth + 1) : undefined
    if (found !== 'absent') return found
  }
  return undefined
}

interface Layer {
  readonly key: string | undefined
  readonly value: Value
  /** An object of whose fields all are taken over. */
  readonly isWhole: boolean
}

function toLayer({ key, value }: { readonly key: string | undefined; readonly value: Value }): Layer {
  return value.kind === 'spread' ? { key: undefined, value: value.value, isWhole: true } : { key, value, isWhole: false }
}

/** `Object.assign(a, b)`. */
function assignedTo(value: Value): readonly Layer[] | undefined {
  if (value.kind !== 'call' || value.callee.kind !== 'member' || value.callee.name !== 'assign') return undefined
  const { object } = value.callee
  if (object.kind !== 'reference' || object.name !== 'Object' || object.binding !== undefined) return undefined
  return value.args.map((argument) => ({ key: undefined, value: argument, isWhole: argument.kind !== 'spread' }))
}

/** `undefined`: nobody can tell. */
function findIn(value: Value, name: string, depth: number): Settled | 'absent' | undefined {
  const here = resolveValue(value)
  if (here.kind !== 'object') return lastOf(here, name, depth)
  return lastOf(here, name, depth) ?? (here.fields.every(({ key }) => key !== undefined && key !== name) ? 'absent' : undefined)
}
