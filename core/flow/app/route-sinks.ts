import type { CallGraph } from './call-graph.ts'
import { fileAt, type Bases, type OpenCalls } from './joined-graph.ts'
import type { Connect } from './joined-edges.ts'
import type { LinkedFile } from './links.ts'
import { together, type UseReader, type UsesBehind } from '../frameworks/route-calls.ts'
import type { SinkEffect } from '../models/effects.ts'
import { PARSERS } from '../tables/routes.ts'
import { COPY, type AnsweringFunction, type FlowGate, type FlowSink, type RouteFunction, type SinkDetail } from '../types.ts'

/** What the app tells of its routes, once it is known which functions answer them. */
export interface RouteJudge {
  /** Mounts behind something that asks who calls, or that nobody knows. */
  readonly closedMounts: readonly number[]
  /** Undefined: one of the functions asks who calls, or nobody knows what answers. */
  judged(file: number, sink: FlowSink, gates: readonly FlowGate[]): FlowSink | undefined
}

export function createRouteJudge(
  files: readonly LinkedFile[],
  { nodes, functions }: Bases,
  { functionsAt, packages }: CallGraph,
  { usesBehind, handedTo }: UseReader,
): RouteJudge {
  /** What the functions do that a value may be; undefined: it is none that is known. */
  const behind = (node: number): readonly (RouteFunction | undefined)[] | undefined => {
    const found = functionsAt.get(node)
    return (
      found &&
      [...found].map((index) => {
        const file = fileAt(functions, index)
        return files[file]?.flow.functions[index - (functions[file] ?? 0)]?.route
      })
    )
  }
  const answering = (file: number, { node, given }: FlowGate): readonly AnsweringFunction[] =>
    [node, ...given].flatMap((one) =>
      [...(functionsAt.get((nodes[file] ?? 0) + one) ?? [])].flatMap((index) => {
        const at = functions.findLastIndex((base) => base <= index)
        const own = files[at]?.flow.functions[index - (functions[at] ?? 0)]
        return own === undefined ? [] : [{ file: at, start: own.start, end: own.end }]
      }),
    )
  const runBy = (file: number, { node, given }: FlowGate): readonly (readonly (RouteFunction | undefined)[])[] => {
    const base = nodes[file] ?? 0
    return [node, ...given].flatMap((one) => {
      const found = behind(base + one)
      return found === undefined ? [] : [found]
    })
  }
  const isParser = (file: number, { node }: FlowGate): boolean => areParsers(packages.get((nodes[file] ?? 0) + node))
  const isClosed = (file: number, gate: FlowGate, isEntrance = false): boolean => {
    const found = runBy(file, gate)
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
      const answers = [...running.flatMap((gate) => answering(file, gate)), ...uploads.map((span) => ({ file, ...span }))]
      const answeredBy = [...answers, ...answers.flatMap(handedTo)]
      if (detail === 'entrance') return { ...rest, detail, answeredBy }
      if (routes.every((route) => route?.leadsOn === true)) return asEntrance(rest, answeredBy)
      const called = together(answers.map(usesBehind))
      const behind = together([...routes, called])
      const told = toldOf(verdictOf(routes, called) ?? detail, behind, routes, rest.api)
      return told === 'nothing' ? undefined : { ...withTold(rest, told, behind, routes), answeredBy }
    },
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
