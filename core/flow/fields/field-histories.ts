import { constantOf, type Binding, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../facts/index.ts'

/** What is written into the object of a name, and deleted from it: fields by their paths, `data.name`, entries of maps by their keys. */
export interface FieldHistory {
  readonly writes: {
    readonly name: string | undefined
    readonly start: number
    readonly value: Value | undefined
    readonly within: FunctionFact | undefined
  }[]
  readonly deletions: { readonly name: string | undefined; readonly start: number }[]
}

/** A field of the object of a name: `data.name` of `req.data.name`. */
export interface FieldPath {
  readonly binding: Binding
  /** undefined: nobody can tell. */
  readonly name: string | undefined
}

export function readHistories({ assignments, deletions, calls }: ScriptFacts): ReadonlyMap<Binding, FieldHistory> {
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
export function pathOf(member: Value): FieldPath | undefined {
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
export function isAbove(path: string, below: string): boolean {
  return path === '' || below.startsWith(`${path}.`)
}

/** What the name of an entry of a map begins with: it is no field of an object. */
export const ENTRY_NAME = 'entry '

export function entryOf(key: Value | undefined): string | undefined {
  const name = key && constantOf(key)
  return typeof name === 'string' ? `${ENTRY_NAME}${name}` : undefined
}

/** The name of the map whose method a call is, also behind others: `map.set('a', x).set('b', y)`. */
export function mapOf(call: CallValue): Binding | undefined {
  if (call.callee.kind !== 'member' || !OF_MAPS.has(call.callee.name ?? '')) return undefined
  let here = call.callee.object
  while (here.kind === 'call' && here.callee.kind === 'member' && here.callee.name === 'set') here = here.callee.object
  return here.kind === 'reference' ? here.binding : undefined
}

const OF_MAPS: ReadonlySet<string> = new Set(['get', 'set', 'delete'])
