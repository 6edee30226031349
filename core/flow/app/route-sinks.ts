import type { CallGraph } from './call-graph.ts'
import { fileAt, type Bases, type OpenCalls } from './joined-graph.ts'
import type { Connect } from './joined-edges.ts'
import type { LinkedFile, LinkedFunction, Linker } from './links.ts'
import { targetFunctions, wrappedFunctions } from './wrapped-functions.ts'
import { together, type FunctionTest, type UseReader, type UsesBehind } from '../frameworks/route-calls.ts'
import type { SinkEffect } from '../models/effects.ts'
import { PARSERS } from '../tables/routes.ts'
import {
  COPY,
  type AnsweringFunction,
  type FlowFunction,
  type FlowGate,
  type FlowSink,
  type RouteFunction,
  type RouteTarget,
  type SinkDetail,
} from '../types.ts'

/** What the app tells of its routes, once it is known which functions answer them. */
export interface RouteJudge {
  /** Mounts behind something that asks who calls, or that nobody knows. */
  readonly closedMounts: readonly number[]
  /** Undefined: one of the functions asks who calls, or nobody knows what answers. */
  judged(file: number, sink: FlowSink, gates: readonly FlowGate[]): FlowSink | undefined
}

export function createRouteJudge(
  app: { readonly files: readonly LinkedFile[]; readonly bases: Bases; readonly linker: Linker },
  { functionsAt, packages }: CallGraph,
  { usesBehind, handedTo }: UseReader,
): RouteJudge {
  const { files, bases } = app
  const { nodes, functions } = bases
  const { wrapped, isOthers } = createWrapperReader(app, functionsAt)
  const functionOf = (index: number): { readonly file: number; readonly own: FlowFunction | undefined } => {
    const file = fileAt(functions, index)
    return { file, own: files[file]?.flow.functions[index - (functions[file] ?? 0)] }
  }
  const routesOf = (found: Iterable<number>): readonly (RouteFunction | undefined)[] =>
    [...found].map((index) => functionOf(index).own?.route)
  const placesOf = (found: Iterable<number>): readonly AnsweringFunction[] =>
    [...found].flatMap((index) => {
      const { file, own } = functionOf(index)
      return own === undefined ? [] : [{ file, start: own.start, end: own.end }]
    })
  const runBy = (file: number, gate: FlowGate): readonly (readonly (RouteFunction | undefined)[])[] => {
    const found = functionsAt.get((nodes[file] ?? 0) + gate.node)
    return [...(found === undefined ? [] : [found]), ...wrapped(file, gate)].map(routesOf)
  }
  /** What answers by a gate, what that leaves the answer to, and what all of it does by what it calls. A wrapper calls what it wraps of this gate alone. */
  const answeringBy = (file: number, gate: FlowGate): readonly Answering[] => {
    const inner = new Set(wrapped(file, gate).flatMap((one) => [...one]))
    const outer = placesOf(functionsAt.get((nodes[file] ?? 0) + gate.node) ?? [])
    return inner.size === 0 ? outer : [...outer.map((one) => ({ ...one, isOthers: isOthers(inner) })), ...placesOf(inner)]
  }
  const isParser = (file: number, { node }: FlowGate): boolean => areParsers(packages.get((nodes[file] ?? 0) + node))
  const isClosed = (file: number, gate: FlowGate, isEntrance = false): boolean => {
    const found = runBy(file, gate)
    if (hasToRefuse(gate)) return found.length === 0 ? gate.used === 'named' : found.some(areRefusing)
    return (found.length === 0 && !isParser(file, gate)) || found.some((routes) => areAsking(routes, isEntrance))
  }
  return {
    closedMounts: files.flatMap(({ flow }, file) =>
      (flow.server?.mounts ?? []).flatMap(([node, front]) =>
        front.some((gate) => isClosed(file, gate)) ? [(nodes[file] ?? 0) + node] : [],
      ),
    ),
    judged(file, { detail, ...rest }, gates) {
      if (gates.some((gate) => isClosed(file, gate, detail === 'entrance'))) return undefined
      const running = gates.filter(({ isFront }) => isFront !== true)
      const routes = running.flatMap((gate) => runBy(file, gate).flat())
      const uploads = rest.only?.uploads ?? []
      const answers: readonly Answering[] = [
        ...running.flatMap((gate) => answeringBy(file, gate)),
        ...uploads.map((span) => ({ file, ...span })),
      ]
      const answeredBy = answers.flatMap(({ isOthers: isLeft, ...one }) => [one, ...handedTo(one, isLeft)])
      if (detail === 'entrance') return { ...rest, detail, answeredBy }
      if (routes.every((route) => route?.leadsOn === true)) return asEntrance(rest, answeredBy)
      const called = together(answers.map((one) => usesBehind(one, one.isOthers)))
      const behind = together([...routes, called])
      const told = toldOf(verdictOf(routes, called) ?? detail, behind, routes, rest.api)
      return told === 'nothing' ? undefined : { ...withTold(rest, told, behind, routes), answeredBy }
    },
  }
}

/** A function that answers, and those that it calls for other routes alone. */
interface Answering extends AnsweringFunction {
  readonly isOthers?: FunctionTest
}

interface WrapperReader {
  /** The functions that a gate is made with, by what it is given: `asyncHandler(report)`, there or in the file that exports it. Numbers of functions of the app. */
  wrapped(file: number, gate: FlowGate): readonly Iterable<number>[]
  /** Tells functions that some gate or export is made with, but not by these. */
  isOthers(inner: ReadonlySet<number>): FunctionTest
}

function createWrapperReader(
  { files, bases, linker }: { readonly files: readonly LinkedFile[]; readonly bases: Bases; readonly linker: Linker },
  functionsAt: CallGraph['functionsAt'],
): WrapperReader {
  const numberOf = ({ file, index }: LinkedFunction): number => (bases.functions[file] ?? 0) + index
  const numbersOf = (file: number, targets: readonly RouteTarget[]): readonly number[] =>
    targets.flatMap((target) => targetFunctions(file, target, linker).map(numberOf))
  const wrapped: WrapperReader['wrapped'] = (file, { given, module }) => [
    ...given.flatMap((one) => functionsAt.get((bases.nodes[file] ?? 0) + one) ?? []),
    ...wrappedFunctions(file, module, files, linker).map((one) => [numberOf(one)]),
  ]
  let known: ReadonlySet<number> | undefined
  const read = (): ReadonlySet<number> =>
    new Set(
      files.flatMap(({ flow }, file) => [
        ...flow.sinks.flatMap(({ only }) =>
          (only?.gates ?? []).flatMap((gate) => wrapped(file, gate).flatMap((one) => [...one])),
        ),
        // of routes behind a login, which are no sinks
        ...(flow.server?.routes ?? []).flatMap(({ asks, answers }) => (asks === true ? numbersOf(file, answers) : [])),
        ...(flow.server?.wrapped ?? []).flatMap(({ inner }) => numbersOf(file, inner)),
      ]),
    )
  return {
    wrapped,
    isOthers: (inner) => (index) => (known ??= read()).has(index) && !inner.has(index),
  }
}

/** That it leads elsewhere is no fault, but anyone may call what it asks before: by the link of a mail that activates an account. */
function asEntrance(sink: FlowSink, answeredBy: readonly AnsweringFunction[]): FlowSink | undefined {
  return answeredBy.length === 0 ? undefined : { ...sink, detail: 'entrance', answeredBy }
}

/** `upload.single('photo')`, whichever file makes `upload`: it asks nobody. */
function areParsers(paths: ReadonlySet<string> | undefined): boolean {
  return paths !== undefined && [...paths].every((path) => PARSERS.test(path))
}

/** Where people get a login, a code that was sent to them is none yet. */
function areAsking(routes: readonly (RouteFunction | undefined)[], isEntrance: boolean): boolean {
  return routes.every((route) => route?.asks === true) && !(isEntrance && routes.every((route) => route?.asksCode === true))
}

/** A front whose module is called after a login may leave it to others to refuse. */
function hasToRefuse({ used }: FlowGate): boolean {
  return used === 'named' || used === 'unnamed'
}

/** Of what runs in front, it lets nobody on by looking at who calls alone. */
function areRefusing(routes: readonly (RouteFunction | undefined)[]): boolean {
  return routes.every((route) => route?.asks === true && route.refuses)
}

function withTold(
  given: FlowSink,
  told: SinkDetail | undefined,
  behind: UsesBehind,
  routes: readonly (RouteFunction | undefined)[],
): FlowSink {
  const sink = withoutUpload(given, behind.usesData)
  const isPublic = told === 'reads' && behind.readsCatalogue === true && !routes.includes(undefined)
  return { ...(isPublic ? withEffect(sink, 'catalogue') : sink), ...(told !== undefined && { detail: told }) }
}

/** What is uploaded stays the caller's own where it goes to another system alone. */
function withoutUpload(sink: FlowSink, uses: RouteFunction['usesData']): FlowSink {
  if (uses === 'called' || sink.api?.effects?.includes('upload') !== true) return sink
  return { ...sink, api: { ...sink.api, effects: sink.api.effects.filter((effect) => effect !== 'upload') } }
}

function withEffect(sink: FlowSink, effect: SinkEffect): FlowSink {
  return sink.api === undefined ? sink : { ...sink, api: { ...sink.api, effects: [...(sink.api.effects ?? []), effect] } }
}

/** What a route does, as its functions and what they call say. */
function toldOf(
  detail: SinkDetail | undefined,
  behind: UsesBehind,
  routes: readonly (RouteFunction | undefined)[],
  api: FlowSink['api'],
): SinkDetail | 'nothing' | undefined {
  const uses = behind.usesData
  const tells = routes.find((route) => route?.tells !== undefined)?.tells
  if (tells !== undefined && tells !== 'internals') return tells
  if (detail === 'verdict' || detail === 'counts') return detail
  // what stands beside protected routes may be public, but not what a technical user reads for it
  const isCalled = uses === 'called' || (uses === 'stored' && api?.effects?.includes('excepted') === true)
  if (isCalled && detail === 'harmless' && showsBackend(behind)) return 'backend'
  if (uses === 'stored' || uses === 'called') return detail === 'harmless' ? 'reads' : 'changes'
  // a change that calls nothing that changes anything
  const isIdle = uses === false && routes.length > 0 && routes.every((route) => route?.isIdle === true)
  if (isIdle && detail !== 'harmless') return 'harmless'
  // a change that does nothing but ask is none
  if (uses === 'asked') return 'forwards'
  if (uses === 'some' || detail !== 'harmless') return uses === 'some' ? undefined : detail
  if (tells !== undefined) return tells
  return routes.at(-1)?.isFixed === true && !routes.includes(undefined) ? 'nothing' : detail
}

/** They say whether there is a row, or how many, and functions of other files that they call add nothing to that. */
function verdictOf(routes: readonly (RouteFunction | undefined)[], called: UsesBehind): RouteFunction['verdict'] {
  if (called.usesData !== false || routes.length === 0 || routes.some((route) => route?.verdict === undefined)) return undefined
  return routes.some((route) => route?.verdict === 'counts') ? 'counts' : 'verdict'
}

/** It logs on to another system with the credential of a destination, and answers with what it gets. */
function showsBackend({ passesOn, credentials }: UsesBehind): boolean {
  return passesOn === true && credentials?.isRead === true && credentials.isLoggedOn
}

/** What is done with the result of a call is done with the router that the function makes. False: nobody makes any. */
export function connectRouters(
  {
    files,
    bases,
    calls,
    callersOf,
  }: Pick<OpenCalls, 'calls' | 'callersOf'> & {
    readonly files: readonly LinkedFile[]
    readonly bases: Bases
  },
  connect: Connect,
): boolean {
  let isAny = false
  for (const [file, { flow }] of files.entries())
    for (const [index, { router }] of flow.functions.entries()) {
      if (router === undefined) continue
      for (const call of callersOf.get((bases.functions[file] ?? 0) + index) ?? []) {
        const result = calls[call]?.result
        if (result === undefined) continue
        isAny = true
        connect(result, (bases.nodes[file] ?? 0) + router, COPY, '')
      }
    }
  return isAny
}
