import { withinSteps } from '../budget.ts'
import { listOf } from './adjacency.ts'
import { functionThing, type CallGraph, type CallLink, type OpenGraph, type Thing } from './call-graph.ts'
import { calledValues, type OpenCall } from './called-values.ts'
import { decoratedMethods, openParts } from './open-calls.ts'
import { levelsOf } from './class-lines.ts'
import { createClassMakers } from './class-makers.ts'
import { createClassReader } from './class-reader.ts'
import { CLEAN, CONCAT, COPY, FIELD, LOG, MOVE, READ, WRITE, ANY_FIELD, type FlowCallables, type FlowSource } from './types.ts'
import { isSameField, moveFields, RESULT } from './places.ts'
import { lastName } from './dotted-names.ts'
import { createNodeThings } from './node-things.ts'
import { PROMISIFYING } from './tables/calling.ts'

const MAX_FIELDS = 4
const MAX_PATH = 60
/** Where more than so many things arrive, nobody can tell which one is called: a table of a thousand functions would lead from each of its calls to all of them. */
const MAX_AT_NODE = 200

/** Methods of lists and maps: no item is called so. */
const OF_LISTS: ReadonlySet<string> = new Set(
  'add push unshift set get has delete clear map forEach filter find some every flatMap reduce keys values entries concat slice join includes size length'.split(
    ' ',
  ),
)

/** Moves that leave a single value what it is. */
const STAYING = /^(?:shift|mix|item|without)/

/** Follows functions, classes, their instances and packages along the graph until no call is left whose callee could be known better (0-CFA, Shivers 1988, with fields). */
export function linkCallables(graph: OpenGraph, step: () => void): CallGraph {
  const { files, bases, functionBases, edges, names, edgesFrom } = graph
  const things: Thing[] = []
  const ids = new Map<string, number>()
  const known = createNodeThings(MAX_AT_NODE)
  /** Arrivals that nobody followed yet. */
  const open: number[] = []
  const extra = new Map<number, number[]>()
  const links: CallLink[] = []
  const linked = new Set<string>()
  const sources: { file: number; source: FlowSource }[] = []
  const copies: (readonly [number, number])[] = []

  const { callsAt, partialsAt, written, mounted, onObjects } = openParts(graph)

  const idOf = (thing: Thing): number => {
    const { kind, file, index, shift, path, fields } = thing
    const key = `${kind} ${file} ${index} ${shift} ${path} ${fields.join('.')}`
    const id = ids.get(key) ?? things.push(thing) - 1
    ids.set(key, id)
    return id
  }
  const thingsAt = (node: number): Thing[] => known.at(node).flatMap((id) => things[id] ?? [])
  const reach = (node: number, thing: Thing): void => reachId(node, idOf(thing))
  const reachId = (node: number, id: number): void => {
    step()
    if (known.add(node, id)) open.push(known.size - 1)
  }
  const lead = (from: number, to: number): void => {
    const leading = extra.get(from)
    if (leading?.includes(to) === true) return
    if (leading === undefined) extra.set(from, [to])
    else leading.push(to)
    for (const id of known.at(from)) reachId(to, id)
  }
  const callablesOf = (file: number): FlowCallables | undefined => files[file]?.flow.callables
  const link = (call: OpenCall, { file, index, shift }: Thing, first = 0): void => {
    const key = `${call.id} ${file} ${index} ${shift}`
    if (linked.has(key)) return
    linked.add(key)
    const target = files[file]?.flow.functions[index]
    if (target === undefined) return
    const base = bases[file] ?? 0
    const { rest = Infinity, parameters } = target
    for (const [position, argument] of call.args.entries()) {
      const parameter = parameters[Math.min(position + shift, rest)]
      if (parameter !== undefined) lead(argument, base + parameter)
    }
    if (first === 0) lead(base + target.result, call.result)
    links.push({
      file: call.file,
      args: call.args,
      result: call.result,
      receiver: call.receiver,
      ...(call.isSuper && { isSuper: true }),
      filled: call.filled,
      target: { file, index },
      shift,
      via: call.via,
    })
    for (const { parameter, source } of call.handed) {
      const node = parameters[parameter + shift]
      if (node === undefined) continue
      const { handled } = source
      const events = handled?.events.length === 0 ? [lastName(target.name)].filter(Boolean) : handled?.events
      sources.push({
        file,
        source: {
          ...source,
          node: base + node,
          ...(handled !== undefined && events !== undefined && { handled: { ...handled, events } }),
        },
      })
    }
  }

  const classes = createClassReader({ files, bases, known, things, mounted, step, lead, reach, links, linked, copies })
  const { readMember, writeMember, readText, parentsOf, inherit } = classes
  const inheriting = files.flatMap((_, file) =>
    (callablesOf(file)?.classes ?? []).flatMap(({ parent }, index) => (parent === undefined ? [] : [[index, file] as const])),
  )
  const makers = createClassMakers(parentsOf)
  const constructed = new Map<string, { call: OpenCall; thing: Thing }>()
  const construct = (call: OpenCall, thing: Thing): void => {
    step()
    let isLinked = false
    for (const level of levelsOf(thing, parentsOf)) {
      let found = false
      for (const { file, index } of level) {
        if (call.how === 'new') makers.add(functionThing(file, index), call.id, call.isOnce)
        const own = callablesOf(file)?.classes[index]
        if (own?.initializer === undefined || isLinked) continue
        found = true
        link(call, functionThing(file, own.initializer), 1)
      }
      isLinked ||= found
    }
  }

  /** Objects that become parts of texts. */
  const texts = new Map<string, { thing: Thing; from: number; to: number }>()
  /** What setters get, and the object itself does not. */
  const taken = new Set<number>()
  const readsOf = new Map<string, { thing: Thing; name: string; from: number; to: number }>()
  const arrive = (node: number, thing: Thing): void => {
    if (thing.fields.length > 0) return
    for (const call of callsAt.get(node) ?? []) {
      if (thing.kind === 'function') link(call, thing)
      else if (thing.kind === 'class' && call.how !== 'call') {
        const key = `${call.id} ${thing.file} ${thing.index}`
        if (!constructed.has(key)) constructed.set(key, { call, thing })
        construct(call, thing)
        if (call.how === 'new') reach(call.result, { ...thing, kind: 'instance' })
      } else if (thing.kind === 'package') {
        const isPassing = PROMISIFYING.test(thing.path)
        if (isPassing && call.args[0] !== undefined) lead(call.args[0], call.result)
        else if (thing.path.length < MAX_PATH)
          reach(call.result, { ...thing, path: `${thing.path} ${call.how === 'new' ? 'new' : '()'}` })
      }
    }
    if (thing.kind !== 'function') return
    for (const { file, result, args, rest } of partialsAt.get(node) ?? []) {
      reach(result, { ...thing, shift: thing.shift + args.length })
      if (args.length > 0)
        link(
          {
            id: -1 - rest,
            file,
            how: 'call',
            isOnce: false,
            args,
            result: rest,
            receiver: undefined,
            filled: undefined,
            via: undefined,
            isSuper: false,
            handed: [],
          },
          thing,
        )
    }
  }

  const isWhole = withinSteps(() => {
    for (const [file, { flow }] of files.entries()) {
      const base = bases[file] ?? 0
      const own = flow.callables
      if (own === undefined) continue
      for (const [node, index] of own.functions) reach(base + node, functionThing(file, index))
      for (const [node, index] of own.classNodes) reach(base + node, { ...functionThing(file, index), kind: 'class' })
      for (const [node, index] of own.selves) reach(base + node, { ...functionThing(file, index), kind: 'instance' })
      for (const [node, path] of own.packages) reach(base + node, { ...functionThing(-1, 0), kind: 'package', path })
    }
    // parents become known while the rest is followed: what was read from objects is looked up again, and whose constructor runs, until nothing comes of it
    for (let before = -1; before !== links.length + copies.length;) {
      before = links.length + copies.length
      for (const { thing, name, from, to } of readsOf.values()) readMember(thing, name, from, to)
      for (const { thing, from, to } of texts.values()) readText(thing, from, to)
      for (const { call, thing } of constructed.values()) construct(call, thing)
      for (const [index, file] of inheriting) inherit(file, index)
      for (const [file, { flow }] of files.entries())
        for (const [node, index] of flow.callables?.supers ?? [])
          for (const above of parentsOf({ file, index })) reach((bases[file] ?? 0) + node, { ...above, kind: 'instance' })
      for (const write of written) {
        const objects = thingsAt(write.node).filter(({ kind, fields }) => kind === 'instance' && fields.length === 0)
        const isTaken = objects.map((thing) => writeMember(thing, write)).every(Boolean)
        if (isTaken && objects.length > 0) taken.add(write.put)
        else taken.delete(write.put)
      }
      for (const { called, object, by } of onObjects)
        for (const method of decoratedMethods(thingsAt(called), thingsAt(object), callablesOf))
          if (typeof by === 'number') reach(by, method)
          else link(by, method)
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        const [node, id] = [known.node(next), known.thing(next)]
        const thing = things[id]
        if (thing === undefined) continue
        arrive(node, thing)
        for (const to of extra.get(node) ?? []) reachId(to, id)
        for (const edge of listOf(edgesFrom, node)) {
          const [to = 0, operation = 0] = [edges[edge + 1], edges[edge + 2]]
          const name = names[edges[edge + 3] ?? 0] ?? ''
          if (operation === CONCAT) {
            if (thing.kind === 'instance' && thing.fields.length === 0)
              texts.set(`${id} ${node} ${to}`, { thing, from: node, to })
          } else if (operation === COPY || operation === CLEAN || operation === LOG) reachId(to, id)
          else if (operation === WRITE) {
            if (thing.fields.length < MAX_FIELDS) reach(to, { ...thing, fields: [name, ...thing.fields] })
          } else if (operation === MOVE) {
            if (name === 'called' && thing.fields[0] !== RESULT) continue
            const [first, ...rest] = thing.fields
            const fields = first === undefined ? (STAYING.test(name) ? [] : undefined) : moveFields([first, ...rest], name)
            if (fields !== undefined && fields.length <= MAX_FIELDS) reach(to, { ...thing, fields })
          } else if (operation === READ || operation === FIELD) {
            const [first, ...fields] = thing.fields
            if (first !== undefined) {
              if (isSameField(first, name) && (first !== ANY_FIELD || name === ANY_FIELD || !OF_LISTS.has(name)))
                reach(to, { ...thing, fields })
            } else if (thing.kind === 'package') {
              if (name === 'default') reachId(to, id)
              else if (thing.path.length < MAX_PATH) reach(to, { ...thing, path: `${thing.path} ${name}` })
            } else if (thing.kind === 'class' && name === 'prototype') reach(to, { ...thing, kind: 'instance' })
            else if (thing.kind !== 'function') {
              const key = `${id} ${name} ${node} ${to}`
              if (!readsOf.has(key)) {
                readsOf.set(key, { thing, name, from: node, to })
                readMember(thing, name, node, to)
              }
            }
          }
        }
      }
    }
  })

  return {
    links,
    sources,
    copies,
    taken,
    parentsOf,
    ...calledValues(known, things, functionBases),
    isShared: makers.isShared,
    isMadeOnce: makers.isMadeOnce,
    isWhole,
  }
}
