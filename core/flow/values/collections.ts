import {
  constantOf,
  stringConstantOf,
  resolveValue,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
  beginningOf,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { ANY_ENTRY, ENTRY, placeOf } from '../places.ts'
import { FOLDER_CHECK_CLEANS } from '../tables/propagators.ts'
import { ANY_FIELD, CLEAN, CONCAT, COPY, MOVE, READ, WRITE } from '../types.ts'
import { isOfOthers } from '../calls/callables.ts'
import { isFramework } from '../calls/modules.ts'
import { bindingNode } from './named-values.ts'
import { FILLING, JOINING, PARSES_PATH, READING_PATHS } from '../models/collections.ts'
import type { FieldsDraft, FlowDraft } from '../graph/draft.ts'
import { fillNamed } from './writes.ts'

/** What the file does with its collections as a whole: values that are put into maps by a key, lists whose items change their places. */
export function collectionsIn({ calls }: ScriptFacts): Pick<FieldsDraft, 'keyed' | 'shuffled'> {
  const keyed = new Set<Value>()
  const shuffled = new Set<Binding>()
  for (const { callee, args } of calls) {
    if (callee.kind !== 'member' || callee.name === undefined || callee.object.kind !== 'reference') continue
    const [, value] = args
    if (callee.name === 'set' && value !== undefined && mayBeMap(callee.object)) keyed.add(value)
    if (SHUFFLING.has(callee.name) && callee.object.binding !== undefined) shuffled.add(callee.object.binding)
  }
  return { keyed, shuffled }
}

/** In a browser: values that are put by a key into maps of the file, and into objects of its own modules and classes. */
export function keyedIn({ calls }: ScriptFacts): ReadonlySet<Value> {
  const keyed = new Set<Value>()
  for (const { callee, args } of calls) {
    const [, value, other] = args
    if (callee.kind !== 'member' || callee.name !== 'set' || callee.object.kind !== 'reference') continue
    if (value !== undefined && other === undefined && hasOwnKeys(callee.object)) keyed.add(value)
  }
  return keyed
}

function hasOwnKeys(value: Value): boolean {
  const made = resolveValue(value)
  if (made.kind === 'new' && (lastNameOf(made.callee) ?? '').endsWith('Map')) return true
  const own = made.kind === 'new' ? made.callee : made
  if (own.kind === 'class') return true
  const source = own.kind === 'reference' ? own.binding?.module?.source : undefined
  return source !== undefined && !isFramework(source)
}

/** Methods that move the items of their list. Fact: ECMAScript, Array. */
const SHUFFLING: ReadonlySet<string> = new Set(['shift', 'unshift', 'splice', 'reverse', 'sort', 'copyWithin'])

/** What another class makes keeps values its own way: `new URLSearchParams()`. */
function mayBeMap(value: Value): boolean {
  const made = resolveValue(value)
  if (made.kind === 'new') return (lastNameOf(made.callee) ?? '').endsWith('Map')
  return made.kind === 'reference'
}

/** `Object.values(x)`: how each gives what lies in its argument. */
const OF_OBJECTS: ReadonlyMap<string, string> = new Map([
  ['global:Object entries', 'entries'],
  ['global:Object keys', 'keys'],
  ['global:Object values', 'values'],
  ['global:Object fromEntries', 'pairs'],
])
/** The same of methods of maps, sets and lists, which need no argument. */
const OF_MAPS: ReadonlySet<string> = new Set(['entries', 'keys', 'values'])

/** Adds what a call takes out of a list or map, at the place where it then lies. Gives whether that is all that comes out. */
export function addMoved(
  call: CallValue,
  paths: readonly string[],
  result: number,
  args: readonly number[],
  draft: FlowDraft,
): boolean {
  const { graph, use } = draft
  if (addFieldsOf(paths, result, () => args, draft)) return true
  if (call.callee.kind !== 'member') return false
  const { object, name = '' } = call.callee
  const [given] = call.args
  const move = (how: string): true => {
    graph.connect(use(object), result, MOVE, how)
    return true
  }
  if (OF_MAPS.has(name) && given === undefined) return move(name)
  if (name === 'get' && call.args.length === 1) {
    const settled = draft.fields.settled.got(call)
    if (settled !== undefined) {
      if (settled.value !== undefined) graph.connect(use(settled.value), result, COPY)
      return true
    }
    const key = stringConstantOf(given)
    return move(`get ${key ?? ANY_FIELD}`)
  }
  const count = given && constantOf(given)
  if (name === 'slice') return move(typeof count === 'number' && count > 0 ? `shift ${count}` : count === 0 ? 'shift 0' : 'mix')
  if (name === 'shift' || name === 'pop' || name === 'at') {
    const at = name === 'shift' ? 0 : name === 'at' ? count : undefined
    graph.connect(use(object), result, READ, typeof at === 'number' && at >= 0 ? placeOf(at) : ANY_FIELD)
    return true
  }
  return MIXING.has(name) ? move('mix') : false
}

/** Fields of an object as a list of its keys, values or entries: what lies in a field is no part of its key. Gives whether it is that. */
export function addFieldsOf(
  paths: readonly string[],
  result: number,
  args: () => readonly number[],
  { graph }: FlowDraft,
): boolean {
  const how = paths.map((path) => OF_OBJECTS.get(path)).find((found) => found !== undefined)
  if (how === undefined) return false
  const [first] = args()
  if (first === undefined) return false
  graph.connect(first, result, MOVE, how)
  return true
}

/** Methods that give a list whose items lie elsewhere. */
const MIXING: ReadonlySet<string> = new Set(['reverse', 'sort', 'splice', 'toSorted', 'toReversed', 'toSpliced'])

/** Adds how lists, maps and objects hand on what lies in them. Items of maps are pairs, as `entries` gives them. */
export function addCollection(
  call: CallValue,
  paths: readonly string[],
  result: number,
  args: readonly number[],
  draft: FlowDraft,
): void {
  const { graph } = draft
  const [first] = args
  if (paths.some((path) => FILLING.test(path))) addMerged(call, args, draft)
  if (first !== undefined && paths.includes(PARSES_PATH)) addPathParts(call, first, result, draft)
  if (paths.some((path) => path === 'global:Object defineProperty' || path === 'global:Reflect set'))
    addDefined(call, result, draft)
  if (first !== undefined && paths.some((path) => JOINING.test(path)))
    graph.connect(graph.derive(first, call, READ, ANY_FIELD), result, CONCAT)
  if (first !== undefined && paths.some((path) => READING_PATHS.test(path))) addPathRead(call, first, result, draft)
  if (call.callee.kind !== 'member') return
  const { object, name = '' } = call.callee
  // a generator
  if (name === 'next' && args.length === 0)
    graph.connect(graph.derive(draft.use(object), call, READ, ANY_FIELD), result, WRITE, 'value')
  else if (paths.some((path) => isOfOthers(path) && !OF_MAP.test(path))) return
  else if (ADDING.has(name)) {
    // a name collects what is added to it already
    const isNamed = object.kind === 'reference' && name !== 'set'
    if (!isNamed) for (const argument of args) addTo(object, argument, [ANY_FIELD], call, draft)
  } else if (name === 'set' && args[0] !== undefined && args[1] !== undefined) {
    const key = stringConstantOf(call.args[0])
    const entry = key !== undefined ? `${ENTRY}${key}` : ANY_ENTRY
    addEntry(call, args[1], [entry, '1'], result, draft)
    if (entry === ANY_ENTRY) addEntry(call, args[0], [entry, '0'], result, draft)
  }
}

/** A map of the language, however long its chain is. */
const OF_MAP = /^global:(?:Weak)?Map new(?: \(\)| set)*$/

/** `map.set(key, value).set(…)`: into the map, and into what the call gives, which is the map. */
function addEntry(
  call: CallValue,
  from: number,
  [entry, part]: readonly [entry: string, part: string],
  result: number,
  draft: FlowDraft,
): void {
  const { graph } = draft
  graph.connect(graph.derive(from, call, WRITE, part), result, WRITE, entry)
  addTo(
    beginningOf(call, (name) => name === 'set'),
    from,
    [entry, part],
    call,
    draft,
  )
}

/** `_.get(req, 'data.name')`: what `req.data.name` is. */
function addPathRead({ args: [, path], start, end }: CallValue, from: number, result: number, draft: FlowDraft): void {
  const given = path && resolveValue(path)
  const text = stringConstantOf(path)
  const names =
    given?.kind === 'array'
      ? given.items.map((item) => String(constantOf(item) ?? ANY_FIELD))
      : text !== undefined
        ? text.split(/[.[\]]+/).filter(Boolean)
        : []
  const isKnown = names.length > 0 && names.length <= MAX_DEPTH
  draft.graph.readInto(from, isKnown ? names : [ANY_FIELD], result, { start, end })
}

/** `path.parse(name)`: the folder is as it came, the name of the file leads nowhere. */
function addPathParts(call: CallValue, from: number, result: number, { graph }: FlowDraft): void {
  const base = graph.derive(from, call, CLEAN, FOLDER_CHECK_CLEANS.join(' '))
  for (const field of ['dir', 'root']) graph.connect(from, result, WRITE, field)
  for (const field of ['base', 'name', 'ext']) graph.connect(base, result, WRITE, field)
}

/** `Object.defineProperty(job, 'file', { value: name })`, also with `get() { return name }`; `Reflect.set(job, 'file', name)`. */
function addDefined({ args: [target, key, given] }: CallValue, result: number, draft: FlowDraft): void {
  if (target === undefined || given === undefined) return
  const name = stringConstantOf(key)
  const field = name ?? ANY_FIELD
  const described = resolveValue(given)
  const put = (node: number): void => {
    addTo(target, node, [field], target, draft)
    draft.graph.connect(node, result, WRITE, field)
  }
  draft.graph.connect(draft.use(target), result, COPY)
  if (described.kind !== 'object') return put(draft.use(given))
  for (const { key: part, value } of described.fields)
    if (part === 'value') put(draft.use(value))
    else if (part === 'get') for (const fact of draft.owners.functionsBehind(value)) put(draft.graph.of(fact).node)
}

/** `Object.assign(this, options)`, `Object.assign(target, req.data)`: also where nobody looks at what the call gives. */
function addMerged({ args: [target], start, end }: CallValue, [, ...given]: readonly number[], draft: FlowDraft): void {
  const { graph } = draft
  if (target?.kind === 'this') {
    const self = draft.parameters.selfOf(target.function)
    const owner = draft.owners.ownerOf(target.function)
    if (owner !== undefined) for (const from of given) draft.fields.mergedInto.push({ owner, from })
    for (const from of self === undefined ? [] : given) {
      graph.connect(from, self ?? from, COPY)
      graph.connect(from, self ?? from, WRITE, ANY_FIELD)
    }
  }
  if (target?.kind !== 'reference' && target?.kind !== 'member') return
  for (const from of given) {
    const node = graph.derive(from, { start, end }, COPY)
    addTo(target, node, [], target, draft)
    if (target.kind === 'reference' && target.binding !== undefined) fillNamed(target.binding, node, draft)
  }
}

const ADDING: ReadonlySet<string> = new Set(['push', 'unshift', 'add', 'append', 'enqueue'])
const MAX_DEPTH = 4

/** Puts something into fields of what a value is, the outermost first: of a name, or of a field of one or of `this`. */
function addTo(target: Value, from: number, fields: readonly string[], place: Value, draft: FlowDraft): void {
  const { graph } = draft
  let here = graph.wrap(from, fields, place)
  let at = target
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (at.kind === 'reference') {
      if (at.binding !== undefined) graph.connect(here, bindingNode(at.binding, draft), COPY)
      return
    }
    if (at.kind !== 'member') return
    const owner = draft.owners.ownerBehind(at.object)
    if (owner !== undefined) {
      if (at.name !== undefined) graph.connect(here, graph.ofField(owner, at.name, at), COPY)
      const self = at.object.kind === 'this' ? draft.parameters.selfOf(at.object.function) : undefined
      if (self !== undefined) graph.connect(here, self, WRITE, at.name ?? ANY_FIELD)
      return
    }
    here = graph.derive(here, place, WRITE, at.name ?? ANY_FIELD)
    at = at.object
  }
}
