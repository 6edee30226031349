import { withinSteps } from '../../budget.ts'
import { findFirst } from '../../lists.ts'
import { fileAt, type Bases, type OpenCalls } from '../app/joined-graph.ts'
import type { CallGraph } from '../app/call-graph.ts'
import type { LinkedFile } from '../app/links.ts'
import { LOGGED_ON } from '../tables/routes.ts'
import type { AnsweringFunction, DestinationParts, FlowFunction, RouteFunction } from '../types.ts'
import { greatest } from './route-effects.ts'

/** What a function that answers a route leads to. */
export interface UseReader {
  /** What it does to data by the functions that it calls, those of other files too, and what these read of destinations. `isOthers`: it is called with these functions for other routes. */
  usesBehind(answering: AnsweringFunction, isOthers?: FunctionTest): UsesBehind
  /** The functions that it leaves the answer to, directly or by others: `(req, res) => orders.list(req, res)`. */
  handedTo(answering: AnsweringFunction, isOthers?: FunctionTest): readonly AnsweringFunction[]
}

/** Asks about a function by its number in the app. */
export type FunctionTest = (index: number) => boolean

export type UsesBehind = Pick<RouteFunction, 'usesData' | 'readsCatalogue' | 'passesOn' | 'credentials'>

/** What several functions do together. */
export function together(uses: readonly (UsesBehind | undefined)[]): UsesBehind {
  const isAny = (part: keyof DestinationParts): boolean => uses.some((one) => one?.credentials?.[part] === true)
  const using = uses.filter((one) => one !== undefined && one.usesData !== false)
  return {
    usesData: greatest(uses.map((one) => one?.usesData)),
    ...(using.length > 0 && using.every((one) => one?.readsCatalogue === true) && { readsCatalogue: true }),
    ...(uses.some((one) => one?.passesOn === true) && { passesOn: true }),
    credentials: { isRead: isAny('isRead'), isLoggedOn: isAny('isLoggedOn') },
  }
}

/** Calls between an answer and what it does: route, controller, service, client. */
const MAX_DEPTH = 4
const MAX_FUNCTIONS = 200

interface MadeCall {
  readonly at: number
  readonly callee: number
}

/** Reads the calls of an app when the first route asks for them; by then all of them have to be known. */
export function createUseReader(
  files: readonly LinkedFile[],
  bases: Bases,
  known: Pick<OpenCalls, 'calls' | 'callersOf'> & Pick<CallGraph, 'packages'>,
  step: (count?: number) => void,
): UseReader {
  const { functions } = bases
  const calledIn = createCallReader(files, bases, known, step)
  const logsOnIn = createClientReader(files, bases, known.packages)
  /** Functions behind the answering one, by the calls between them; `isFollowed` says where to go on. */
  const follow = (
    answering: AnsweringFunction,
    isOthers: FunctionTest | undefined,
    isFollowed: (own: FlowFunction, found: AnsweringFunction) => boolean,
  ): void => {
    const seen = new Set<number>()
    let within: readonly AnsweringFunction[] = [answering]
    // where the steps are used up, what is known by then is told
    withinSteps(() => {
      for (let depth = 0; depth < MAX_DEPTH && within.length > 0; depth++) {
        const next: AnsweringFunction[] = []
        for (const callee of within.flatMap(calledIn)) {
          if (seen.has(callee) || seen.size >= MAX_FUNCTIONS || isOthers?.(callee) === true) continue
          seen.add(callee)
          const file = fileAt(functions, callee)
          const own = files[file]?.flow.functions[callee - (functions[file] ?? 0)]
          if (own === undefined) continue
          const found = { file, start: own.start, end: own.end }
          if (isFollowed(own, found)) next.push(found)
        }
        within = next
      }
    })
  }
  return {
    usesBehind(answering, isOthers) {
      let uses: UsesBehind = { usesData: logsOnIn(answering) ? 'called' : false }
      follow(answering, isOthers, ({ route }, found) => {
        uses = together([uses, route, { usesData: logsOnIn(found) ? 'called' : false }])
        return uses.usesData !== 'stored' || uses.readsCatalogue === true
      })
      return uses
    },
    handedTo(answering, isOthers) {
      const handed: AnsweringFunction[] = []
      follow(answering, isOthers, ({ route }, found) => {
        // what has rights of its own takes request and response
        const isHandler = route?.rights !== undefined && (!route.asks || route.asksCode === true)
        if (isHandler) handed.push(found)
        return isHandler
      })
      return handed
    },
  }
}

function createCallReader(
  files: readonly LinkedFile[],
  { nodes }: Bases,
  { calls, callersOf }: Pick<OpenCalls, 'calls' | 'callersOf'>,
  step: (count?: number) => void,
): (answering: AnsweringFunction) => readonly number[] {
  let made: ReadonlyMap<number, readonly MadeCall[]> | undefined
  const read = (): ReadonlyMap<number, readonly MadeCall[]> => {
    const found = new Map<number, MadeCall[]>()
    for (const [callee, own] of callersOf)
      for (const call of own) {
        const result = calls[call]?.result
        if (result === undefined) continue
        const file = fileAt(nodes, result)
        const at = files[file]?.flow.nodes[(result - (nodes[file] ?? 0)) * 2]
        if (at === undefined) continue
        const known = found.get(file)
        if (known === undefined) found.set(file, [{ at, callee }])
        else known.push({ at, callee })
      }
    for (const own of found.values()) own.sort((one, other) => one.at - other.at)
    return found
  }
  return ({ file, start, end }) => {
    made ??= read()
    const own = made.get(file) ?? []
    const first = findFirst(own.length, (index) => (own[index]?.at ?? 0) >= start)
    const called: number[] = []
    for (let index = first; index < own.length && (own[index]?.at ?? end) < end; index++) called.push(own[index]?.callee ?? 0)
    step(called.length + 1)
    return called
  }
}

/** Tells of functions that they ask another system by a client that logs on by itself, whichever file makes it: `erp.get('/Orders')`. */
function createClientReader(
  files: readonly LinkedFile[],
  { nodes }: Bases,
  packages: CallGraph['packages'],
): (answering: AnsweringFunction) => boolean {
  const asked = new Map<number, readonly number[]>()
  // most apps have no such client
  let isAny: boolean | undefined
  const read = (file: number): readonly number[] => {
    const flow = files[file]?.flow
    const base = nodes[file] ?? 0
    return (flow?.server?.callables.calls ?? []).flatMap(({ called, result }) =>
      [...(packages.get(base + called) ?? [])].some(isOfClient) ? [flow?.nodes[result * 2] ?? -1] : [],
    )
  }
  return ({ file, start, end }) => {
    isAny ??= [...packages.values()].some((paths) => paths.has(LOGGED_ON))
    if (!isAny) return false
    const own = asked.get(file) ?? read(file)
    asked.set(file, own)
    return own.some((at) => at >= start && at < end)
  }
}

/** A method of such a client, or the client itself where it is called. */
function isOfClient(path: string): boolean {
  return path === LOGGED_ON || path.startsWith(`${LOGGED_ON} `)
}
