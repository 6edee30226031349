import { withinSteps } from '../../budget.ts'
import { functionThing, type CallGraph, type OpenGraph, type Thing } from './call-graph.ts'
import { calledValues, type OpenCall, decoratedMethods, openParts, type OpenPartial } from './open-calls.ts'
import { createClassMakers, createConstructedObjects } from '../classes/class-makers.ts'
import { createClassReader } from '../classes/class-reader.ts'
import { createFollowedEdges, createFollowedThings, type FollowedThings } from './followed-things.ts'
import { createLinkedCalls, createMemberReads, packageBehind } from './linked-calls.ts'
import { PROMISIFYING } from '../tables/calling.ts'

/** Where more than so many things arrive, nobody can tell which one is called: a table of a thousand functions would lead from each of its calls to all of them. */
const MAX_AT_NODE = 200

function keyOf({ kind, file, index, shift, path, fields }: Thing): string {
  return [kind, file, index, shift, path, ...fields].join('\n')
}

/** Follows functions, classes, their instances and packages along the graph until no call is left whose callee could be known better (0-CFA, Shivers 1988, with fields). */
export function linkCallables(graph: OpenGraph, step: () => void): CallGraph {
  const { files, bases, functionBases } = graph
  const followed = createFollowedThings(keyOf, MAX_AT_NODE, step)
  const { things, known, reach, lead } = followed
  const calls = createLinkedCalls(graph, followed)
  const { link, links, linked, sources } = calls
  const copies: (readonly [number, number])[] = []
  const { callsAt, partialsAt, written, mounted, onObjects } = openParts(graph)

  const classes = createClassReader({ files, bases, known, things, mounted, step, lead, reach, links, linked, copies })
  const { parentsOf } = classes
  const makers = createClassMakers(parentsOf)
  const { construct, constructAgain } = createConstructedObjects(graph, calls, classes, makers, step)
  const reads = createMemberReads(followed, classes)
  const follow = createFollowedEdges(graph, followed, reads)

  const isCalled = (call: OpenCall, thing: Thing): void => {
    if (thing.kind === 'function') link(call, thing)
    else if (thing.kind === 'class' && call.how !== 'call') {
      construct(call, thing)
      if (call.how === 'new') reach(call.result, { ...thing, kind: 'instance' })
    } else if (thing.kind === 'package') {
      const [first] = call.args
      const result = packageBehind(thing, call.how === 'new' ? 'new' : '()')
      if (PROMISIFYING.test(thing.path) && first !== undefined) lead(first, call.result)
      else if (result !== undefined) reach(call.result, result)
    }
  }
  const arrive = (node: number, thing: Thing): void => {
    if (thing.fields.length > 0) return
    for (const call of callsAt.get(node) ?? []) isCalled(call, thing)
    if (thing.kind !== 'function') return
    for (const partial of partialsAt.get(node) ?? []) {
      reach(partial.result, { ...thing, shift: thing.shift + partial.args.length })
      if (partial.args.length > 0) link(callOf(partial), thing)
    }
  }

  /** What setters get, and the object itself does not. */
  const taken = new Set<number>()
  const write = (): void => {
    for (const one of written) {
      const objects = followed.at(one.node).filter(({ kind, fields }) => kind === 'instance' && fields.length === 0)
      const isTaken = objects.map((thing) => classes.writeMember(thing, one)).every(Boolean)
      if (isTaken && objects.length > 0) taken.add(one.put)
      else taken.delete(one.put)
    }
  }
  const inherit = (): void => {
    for (const [file, { flow }] of files.entries())
      for (const [index, { parent }] of (flow.server?.callables.classes ?? []).entries())
        if (parent !== undefined) classes.inherit(file, index)
    for (const [file, { flow }] of files.entries())
      for (const [node, index] of flow.server?.callables.supers ?? [])
        for (const above of parentsOf({ file, index })) reach((bases[file] ?? 0) + node, { ...above, kind: 'instance' })
  }
  const callOnObjects = (): void => {
    for (const { called, object, by } of onObjects)
      for (const method of decoratedMethods(followed.at(called), followed.at(object), files))
        if (typeof by === 'number') reach(by, method)
        else link(by, method)
  }

  const isWhole = withinSteps(() => {
    begin(graph, followed)
    // parents become known while the rest is followed: what was read from objects is looked up again, and whose constructor runs, until nothing comes of it
    for (let before = -1; before !== links.length + copies.length;) {
      before = links.length + copies.length
      reads.readAgain()
      constructAgain()
      inherit()
      write()
      callOnObjects()
      for (let arrival = followed.next(); arrival !== undefined; arrival = followed.next()) {
        arrive(arrival.node, arrival.thing)
        for (const to of followed.ledFrom(arrival.node)) followed.pass(to, arrival.id)
        follow(arrival)
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

/** What the values are that each file tells of itself. */
function begin({ files, bases }: OpenGraph, { reach }: FollowedThings<Thing>): void {
  for (const [file, { flow }] of files.entries()) {
    const base = bases[file] ?? 0
    const own = flow.server?.callables
    if (own === undefined) continue
    for (const [node, index] of own.functions) reach(base + node, functionThing(file, index))
    for (const [node, index] of own.classNodes) reach(base + node, { ...functionThing(file, index), kind: 'class' })
    for (const [node, index] of own.selves) reach(base + node, { ...functionThing(file, index), kind: 'instance' })
    for (const [node, path] of own.packages) reach(base + node, { ...functionThing(-1, 0), kind: 'package', path })
  }
}

/** `run.bind(null, x)` hands over its arguments at once; what the function gives comes later. */
function callOf({ file, args, rest }: OpenPartial): OpenCall {
  return {
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
  }
}
