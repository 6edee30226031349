import { withinSteps } from '../../budget.ts'
import { findFirst } from '../../lists.ts'
import { fileAt, type Bases, type OpenCalls } from '../app/joined-graph.ts'
import type { LinkedFile } from '../app/links.ts'
import type { AnsweringFunction, RouteFunction } from '../types.ts'
import { greatest } from './route-effects.ts'

/** What a function that answers a route does to data, by itself and by the functions of other files that it calls. */
export type UseReader = (answering: AnsweringFunction) => RouteFunction['usesData']

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
  { nodes, functions }: Bases,
  { calls, callersOf }: Pick<OpenCalls, 'calls' | 'callersOf'>,
  step: (count?: number) => void,
): UseReader {
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
  const calledIn = ({ file, start, end }: AnsweringFunction): readonly number[] => {
    made ??= read()
    const own = made.get(file) ?? []
    const first = findFirst(own.length, (index) => (own[index]?.at ?? 0) >= start)
    const called: number[] = []
    for (let index = first; index < own.length && (own[index]?.at ?? end) < end; index++) called.push(own[index]?.callee ?? 0)
    step(called.length + 1)
    return called
  }
  return (answering) => {
    const seen = new Set<number>()
    let within: readonly AnsweringFunction[] = [answering]
    let uses: RouteFunction['usesData'] = false
    // where the steps are used up, what is known by then is told
    withinSteps(() => {
      for (let depth = 0; depth < MAX_DEPTH && within.length > 0 && uses !== 'stored'; depth++) {
        const next: AnsweringFunction[] = []
        for (const callee of within.flatMap(calledIn)) {
          if (seen.has(callee) || seen.size >= MAX_FUNCTIONS) continue
          seen.add(callee)
          const file = fileAt(functions, callee)
          const own = files[file]?.flow.functions[callee - (functions[file] ?? 0)]
          if (own === undefined) continue
          uses = greatest([uses, own.route?.usesData])
          next.push({ file, start: own.start, end: own.end })
        }
        within = next
      }
    })
    return uses
  }
}
