import {
  isConditional,
  resolveValue,
  type Assignment,
  type Binding,
  type Definition,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'

/** What a field holds for certain; no value: nothing any more. */
export interface Settled {
  readonly value: Value | undefined
}

export interface SettledFields {
  /** What is read by `copy.title`. */
  read(member: Value): Settled | undefined
  /** What the first step of a pattern takes: `const { title } = copy`. */
  taken(definition: Definition): Settled | undefined
}

const GONE: Settled = { value: undefined }
const MAX_SPREAD = 8

/** What is written into the object of a name, and deleted from it. */
interface History {
  readonly writes: Assignment[]
  readonly deletions: { readonly name: string | undefined; readonly start: number }[]
}

/**
 * Tells what a field holds where it is read, if the lines above say it for certain: `copy.title = 'x'; use(copy.title)`, `{ ...given, ...DEFAULTS }.note`,
 * `Object.assign({ name }, { name: 'x' }).name`, `const { name, ...others } = given; others.name`, `delete copy.name`.
 * Of a name that other functions use nobody can tell what happened in between.
 */
export function createSettledFields(facts: ScriptFacts, step: (count?: number) => void): SettledFields {
  const { assignments, deletions, calls, guards } = facts
  let histories: Map<Binding, History> | undefined
  const readHistories = (): Map<Binding, History> => {
    const read = new Map<Binding, History>()
    const open = (object: Value): History | undefined => {
      if (object.kind !== 'reference' || object.binding === undefined) return undefined
      const history = read.get(object.binding) ?? { writes: [], deletions: [] }
      read.set(object.binding, history)
      return history
    }
    for (const assignment of assignments) open(assignment.target.object)?.writes.push(assignment)
    for (const { object, name, start } of deletions) open(object)?.deletions.push({ name, start })
    return read
  }
  const isOf = (value: Value, binding: Binding): boolean => value.kind === 'reference' && value.binding === binding
  /** A function that gets the object may change it, unless it is one of the language that only reads. */
  const isHanded = (binding: Binding, from: number, to: number): boolean => {
    step(1 + (calls.length >> 3))
    return calls.some(
      ({ args, callee, start }) =>
        start > from &&
        start < to &&
        !isReader(callee) &&
        (args.some((argument) => isOf(argument, binding)) || (callee.kind === 'member' && isOf(callee.object, binding))),
    )
  }

  const settledAt = (object: Value | undefined, name: string, at: number): Settled | undefined => {
    if (object?.kind !== 'reference' || object.binding === undefined) return undefined
    const { binding } = object
    const [definition, other] = binding.definitions
    if (binding.isCaptured || definition === undefined || other !== undefined) return undefined
    const isRest = definition.taken !== undefined
    if (definition.path.length > 0 && !isRest) return undefined
    const made = isRest ? (definition.taken.includes(name) ? GONE : undefined) : lastOf(definition.value, name, 0)
    histories ??= readHistories()
    const { writes, deletions: removed } = histories.get(binding) ?? { writes: [], deletions: [] }
    const own = writes.filter(({ target }) => target.name === name)
    const gone = removed.filter((one) => one.name === name)
    if (made === undefined && own.length === 0 && gone.length === 0) return undefined
    if (writes.some(({ target }) => target.name === undefined) || removed.some((one) => one.name === undefined)) return undefined
    const last = own.findLast(({ start }) => start < at)
    const lastGone = gone.findLast(({ start }) => start < at)
    const from = Math.max(last?.start ?? definition.start, lastGone?.start ?? 0)
    if ([...own, ...gone].some(({ start }) => start > at) || isHanded(binding, from, at)) return undefined
    if (last === undefined && lastGone === undefined) return made
    step(1 + (guards.length >> 3))
    if (isConditional(guards, from)) return undefined
    if (last === undefined || (lastGone !== undefined && lastGone.start > last.start)) return GONE
    return last.operator === '=' && last.function === binding.function ? { value: last.value } : undefined
  }

  return {
    read: (member) =>
      member.kind === 'member' && member.name !== undefined ? settledAt(member.object, member.name, member.start) : undefined,
    taken: ({ value, path: [name], kind, start }) =>
      kind === 'init' && name !== undefined ? settledAt(value, name, start) : undefined,
  }
}

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
