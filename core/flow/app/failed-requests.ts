import { append } from '../../lists.ts'
import type { CallGraph } from './call-graph.ts'
import type { Bases, JoinedCall } from './joined-graph.ts'
import type { LinkedFile } from './links.ts'
import { TELLING_REQUESTS } from '../tables/http-sinks.ts'

/** What calls run, when all files are joined. */
interface JoinedCalls extends Pick<CallGraph, 'packages'> {
  readonly calls: readonly JoinedCall[]
  readonly callersOf: ReadonlyMap<number, readonly number[]>
}

/** Nodes of the exceptions that are caught. */
export interface FailedRequests {
  /** Those that may be of requests. */
  readonly failed: ReadonlySet<number>
  /** Those of requests that are given credentials. */
  readonly signed: ReadonlySet<number>
  /** Those of requests to destinations, which may hold credentials. */
  readonly named: ReadonlySet<number>
}

/** Where exceptions are caught that may be those of requests, which functions of any file send. */
export function failedRequests(
  files: readonly LinkedFile[],
  bases: Bases,
  joined: JoinedCalls,
  step: () => void,
): FailedRequests {
  const { asking, signing, naming, leaving, caught } = collect(files, bases, joined.packages)
  if (caught.length === 0 || asking.size === 0) return { failed: new Set(), signed: new Set(), named: new Set() }
  const callersAt = new Map<number, number[]>()
  for (const [callee, calls] of joined.callersOf)
    for (const call of calls) append(callersAt, callee, joined.calls[call]?.result ?? -1)
  // from the requests outwards: a call of a function that one leaves may fail like it
  const caughtFrom = (requests: Iterable<number>): ReadonlySet<number> => {
    const failing = new Set(requests)
    const open = [...failing]
    for (let result = open.pop(); result !== undefined; result = open.pop())
      for (const callee of leaving.get(result) ?? [])
        for (const outer of callersAt.get(callee) ?? []) {
          step()
          if (failing.has(outer)) continue
          failing.add(outer)
          open.push(outer)
        }
    return new Set(caught.flatMap(([node, result]) => (failing.has(result) ? [node] : [])))
  }
  const signed = caughtFrom([...signing].filter((result) => asking.has(result)))
  return { failed: caughtFrom(asking), signed, named: caughtFrom(naming) }
}

/** The failures of all files: calls that send requests, functions that the exception of a call leaves, and where it is caught. */
function collect(
  files: readonly LinkedFile[],
  bases: Bases,
  packages: CallGraph['packages'],
): {
  readonly asking: ReadonlySet<number>
  readonly signing: ReadonlySet<number>
  readonly naming: ReadonlySet<number>
  readonly leaving: ReadonlyMap<number, readonly number[]>
  readonly caught: readonly (readonly [node: number, result: number])[]
} {
  const asking = new Set<number>()
  const signing = new Set<number>()
  const naming = new Set<number>()
  const leaving = new Map<number, number[]>()
  const caught: [number, number][] = []
  for (const [file, { flow }] of files.entries()) {
    const { failures, calls = [] } = flow.server?.callables ?? {}
    if (failures === undefined) continue
    const base = bases.nodes[file] ?? 0
    for (const result of failures.requests) asking.add(base + result)
    for (const result of failures.signed) signing.add(base + result)
    for (const result of failures.named) naming.add(base + result)
    for (const [index, result] of failures.leaving) append(leaving, base + result, (bases.functions[file] ?? 0) + index)
    for (const [node, result] of failures.caught) caught.push([base + node, base + result])
    for (const { called, result } of calls)
      if ([...(packages.get(base + called) ?? [])].some((path) => TELLING_REQUESTS.has(path))) asking.add(base + result)
  }
  return { asking, signing, naming, leaving, caught }
}
