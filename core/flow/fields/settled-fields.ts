import {
  isConditional,
  resolveValue,
  type Binding,
  type CallValue,
  type Definition,
  type FunctionFact,
  type ScriptFacts,
  type Value,
  stringConstantOf,
  type ObjectField,
  beginningOf,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { MOVE } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { lastName } from '../../paths.ts'
import { createInnerIndex } from '../../facts/span-index.ts'
import type { Span } from '../../types.ts'

/** What a field holds for certain; no value: nothing any more. */
interface Settled {
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

/** What is written into the object of a name, and deleted from it: fields by their paths, `data.name`, entries of maps by their keys. */
interface FieldHistory {
  readonly writes: {
    readonly name: string | undefined
    readonly start: number
    readonly value: Value | undefined
    readonly within: FunctionFact | undefined
  }[]
  readonly deletions: { readonly name: string | undefined; readonly start: number }[]
}

/** A field of the object of a name: `data.name` of `req.data.name`. */
interface FieldPath {
  readonly binding: Binding
  /** undefined: nobody can tell. */
  readonly name: string | undefined
}

function readHistories({ assignments, deletions, calls }: ScriptFacts): ReadonlyMap<Binding, FieldHistory> {
  const read = new Map<Binding, FieldHistory>()
  const open = (binding: Binding): FieldHistory => {
    const history = read.get(binding) ?? { writes: [], deletions: [] }
    read.set(binding, history)
    return history
  }
  for (const { target, start, operator, value, function: within } of assignments) {
    const path = pathOf(target)
    const isPlain = operator === '='
    if (path !== undefined)
      open(path.binding).writes.push({
        name: path.name,
        start,
        value: isPlain ? value : undefined,
        within: isPlain ? within : undefined,
      })
  }
  for (const deletion of deletions) {
    const path = pathOf(deletion)
    if (path !== undefined) open(path.binding).deletions.push({ name: path.name, start: deletion.start })
  }
  for (const call of calls) {
    const binding = mapOf(call)
    if (binding === undefined || call.callee.kind !== 'member') continue
    const [key, value] = call.args
    const name = entryOf(key)
    if (call.callee.name === 'set') open(binding).writes.push({ name, start: call.end, value, within: call.function })
    else if (call.callee.name === 'delete') open(binding).deletions.push({ name, start: call.end })
  }
  return read
}

const MAX_PATH = 3

/** Of `req.data.name`: the name `req`, and the path `data.name`. */
function pathOf(member: Value): FieldPath | undefined {
  const names: (string | undefined)[] = []
  let here = member
  for (; here.kind === 'member' && names.length < MAX_PATH; here = here.object) names.unshift(here.name)
  if (here.kind !== 'reference' || here.binding === undefined || names.length === 0) return undefined
  const open = names.indexOf(undefined)
  // req.data[name] = x: any field of req.data
  if (open > 0) return { binding: here.binding, name: names.slice(0, open).join('.') }
  return { binding: here.binding, name: open === 0 ? undefined : names.join('.') }
}

/** `data` holds `data.name`, and the object itself, '', both. */
function isAbove(path: string, below: string): boolean {
  return path === '' || below.startsWith(`${path}.`)
}

/** What the name of an entry of a map begins with: it is no field of an object. */
const ENTRY_NAME = 'entry '

function entryOf(key: Value | undefined): string | undefined {
  const name = stringConstantOf(key)
  return name !== undefined ? `${ENTRY_NAME}${name}` : undefined
}

/** The name of the map whose method a call is, also behind others: `map.set('a', x).set('b', y)`. */
function mapOf(call: CallValue): Binding | undefined {
  if (call.callee.kind !== 'member' || !OF_MAPS.has(call.callee.name ?? '')) return undefined
  const here = beginningOf(call.callee.object, (name) => name === 'set')
  return here.kind === 'reference' ? here.binding : undefined
}

const OF_MAPS: ReadonlySet<string> = new Set(['get', 'set', 'delete'])

/** Tells whether a function gets an object between two places of a script. */
type HandedObjects = (path: FieldPath, from: number, to: number) => boolean

function createHandedObjects({ assignments, deletions, calls }: ScriptFacts, step: (count?: number) => void): HandedObjects {
  let written: ReadonlySet<Binding | undefined> | undefined
  let callsWithin: ((around: Span) => readonly CallValue[]) | undefined
  /** A function of the file that writes nothing into what it gets, and gives it to no other one. */
  const onlyReads = (callee: Value, args: readonly Value[], isHolder: (value: Value) => boolean): boolean => {
    const fact = callee.kind === 'reference' ? functionOf(callee) : undefined
    if (fact === undefined) return false
    written ??= new Set([
      ...assignments.map(({ target }) => pathOf(target)?.binding),
      ...deletions.map((deletion) => pathOf(deletion)?.binding),
      ...calls.flatMap((call) => call.args.flatMap((one) => (one.kind === 'reference' ? one.binding : []))),
    ])
    return args.every((argument, index) => {
      const binding = fact.parameters[index]
      return !isHolder(argument) || (binding === undefined ? fact.rest === undefined : !written?.has(binding))
    })
  }
  /** A function that gets the object may change it, unless it is one of the language that only reads. */
  return ({ binding, name = '' }: FieldPath, from: number, to: number): boolean => {
    callsWithin ??= createInnerIndex(calls)
    const between = callsWithin({ start: from + 1, end: to })
    step(1 + (between.length >> 3))
    const isHolder = (value: Value): boolean => {
      if (value.kind !== 'reference' && value.kind !== 'member') return false
      const path = value.kind === 'reference' ? { binding: value.binding, name: '' } : pathOf(value)
      return path?.binding === binding && path.name !== undefined && isAbove(path.name, name)
    }
    return between.some(
      ({ args, callee }) =>
        !isReader(callee) &&
        !onlyReads(callee, args, isHolder) &&
        (args.some(isHolder) || (callee.kind === 'member' && !KEEPING.has(callee.name ?? '') && isHolder(callee.object))),
    )
  }
}

/** Methods that leave an object what it is, or of a map say themselves what they change. */
const KEEPING: ReadonlySet<string> = new Set('get has set delete keys values entries reject error info warn notify'.split(' '))

const READERS: ReadonlySet<string> = new Set(['keys', 'values', 'entries', 'stringify', 'log', 'info', 'warn', 'error', 'debug'])

/** `Object.values(x)`, `JSON.stringify(x)`, `console.log(x)`. */
function isReader(callee: Value): boolean {
  return (
    callee.kind === 'member' &&
    READERS.has(callee.name ?? '') &&
    callee.object.kind === 'reference' &&
    callee.object.binding === undefined &&
    /^(?:Object|JSON|console)$/.test(callee.object.name)
  )
}

const MAX_KEYS = 12

/** The fields that are surely written. */
export function keysIn(fields: readonly ObjectField[]): readonly string[] {
  return fields.flatMap(({ key, value }) => {
    if (value.kind !== 'spread') return key ?? []
    const spread = resolveValue(value.value)
    return spread.kind === 'object' ? keysIn(spread.fields) : []
  })
}

/** The fields of the objects that a call puts over others: `Object.assign({}, given, { name })`. */
export function keysOfObjects(args: readonly Value[]): readonly string[] {
  return args.flatMap((argument) => {
    const here = resolveValue(argument)
    return here.kind === 'object' ? keysIn(here.fields) : []
  })
}

/** An object without the fields that others are put over. */
export function layerNode(value: Value, replaced: readonly string[], { graph, use }: FlowDraft): number {
  let here = use(value)
  for (const key of new Set(replaced.slice(0, MAX_KEYS))) here = graph.derive(here, value, MOVE, `without ${key}`)
  return here
}
