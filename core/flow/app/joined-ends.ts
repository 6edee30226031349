import { append } from '../../lists.ts'
import type { CallGraph } from './call-graph.ts'
import type { FlowCheck } from '../check-types.ts'
import { failedRequests } from './failed-requests.ts'
import type { Bases, JoinedGraph, OpenCalls } from './joined-graph.ts'
import { mountedFiles } from '../frameworks/unchecked-routes.ts'
import type { LinkedFile } from './links.ts'
import { createRefusalReader } from '../solve/asked-edges.ts'
import type { RouteJudge } from './route-sinks.ts'
import { fixedStores } from './joined-edges.ts'
import type { FlowSink, FlowSource, FileFlow } from '../types.ts'
import { ROWS } from '../sinks/sink-index.ts'
import { isAddress, type SinkRow } from '../tables/sinks.ts'

/** What is known of calls when all files are joined. */
interface KnownCalls extends Pick<OpenCalls, 'calls' | 'callersOf' | 'argumentsAt' | 'filled'> {
  readonly found: CallGraph
  readonly checks: ReadonlyMap<number, readonly FlowCheck[]>
  readonly step: () => void
}

/** A name says nothing where calls say what the parameter gets. */
export function joinSources(files: readonly LinkedFile[], bases: Bases, known: KnownCalls): FlowSource[] {
  const { found, filled, calls, callersOf, checks, argumentsAt, step } = known
  const refusedOf = createRefusalReader(files, bases.nodes, checks, argumentsAt)
  const { failed, signed, named } = failedRequests(files, bases, { calls, callersOf, packages: found.packages }, step)
  const mounted = mountedFiles(files)
  const sources: FlowSource[] = []
  const add = (source: FlowSource, node: number): void => {
    const refused = refusedOf(source)
    const checked = refused.length === 0 ? source.checked : [...(source.checked ?? []), ...refused]
    sources.push(Object.assign({}, source, { node, ...(checked !== undefined && { checked }) }))
  }
  const handed = new Set(found.sources.map(({ source }) => source.node))
  for (const { file, source } of found.sources) {
    const { typed } = files[file] ?? {}
    const told = typed === undefined ? source : typed(source)
    if (told !== undefined) add(told, told.node)
  }
  const isFixed = fixedStores(files)
  for (const [file, { flow }] of files.entries())
    for (const source of flow.sources) {
      const node = (bases.nodes[file] ?? 0) + source.node
      if (source.kept !== undefined && isFixed(source.kept)) continue
      if (source.origin === 'open-server' && mounted.has(file)) continue
      const sent = signed.has(node) ? 'signed-error' : named.has(node) ? 'destination-error' : undefined
      if (sent !== undefined && (source.origin === 'error' || source.origin === 'request-error'))
        add({ ...source, origin: sent }, node)
      if (source.origin === 'error' && failed.has(node)) add({ ...source, origin: 'request-error' }, node)
      else if (!source.weak || (!filled.has(node) && !handed.has(node))) add(source, node)
    }
  return sources
}

/** Sinks by their nodes: those that what is called, and what answers routes, leave. */
export function joinSinks(
  files: readonly LinkedFile[],
  bases: readonly number[],
  { packages, isMadeOnce }: CallGraph,
  { judged }: RouteJudge,
): JoinedGraph['sinksAt'] {
  const sinksAt = new Map<number, { file: number; sink: FlowSink }[]>()
  for (const [file, { flow }] of files.entries())
    for (const sink of flow.sinks) {
      const { whenCalled, ofClass, gates } = sink.only ?? {}
      if (ofClass !== undefined && !isMadeOnce(file, ofClass)) continue
      const called = whenCalled && packages.get((bases[file] ?? 0) + whenCalled.called)
      if (whenCalled === undefined || whenCalled.paths.some((path) => isCalledBy(path, called))) {
        const own = gates === undefined ? sink : judged(file, sink, gates)
        if (own !== undefined) append(sinksAt, (bases[file] ?? 0) + sink.node, { file, sink: own })
      }
    }
  for (const [file, { flow }] of files.entries()) {
    const base = bases[file] ?? 0
    for (const sink of handedSinks(flow, (called) => packages.get(base + called)))
      append(sinksAt, base + sink.node, { file, sink })
  }
  return sinksAt
}

/** By its whole path; `module:pg *` stands for whatever begins so. */
function isCalledBy(path: string, called: ReadonlySet<string> | undefined): boolean {
  if (called === undefined || !path.endsWith('*')) return called?.has(path) === true
  return [...called].some((one) => one.startsWith(path.slice(0, -1)))
}

/** A function of a package that is handed on under another name: `(text, load = yaml.load) => load(text)`, `senders[kind](url)`. Rows that look at the call as it is written do not count. */
function* handedSinks(flow: FileFlow, packagesOf: (called: number) => ReadonlySet<string> | undefined): Generator<FlowSink> {
  for (const { called, how, args } of flow.server?.callables.calls ?? []) {
    const paths = how === 'super' ? undefined : packagesOf(called)
    for (const path of paths ?? [])
      for (const row of ROWS.server.byPath.get(how === 'new' ? `${path} new` : path) ?? [])
        if (isPlain(row)) yield* sinksOf(row, path, args, flow)
  }
}

function* sinksOf(row: SinkRow, path: string, args: readonly number[], { nodes }: FileFlow): Generator<FlowSink> {
  for (const index of row.args) {
    const node = args[index]
    if (node === undefined) continue
    const detail = isAddress(row.as) ? 'begin' : row.detail
    yield {
      node,
      fault: row.fault,
      name: path.slice('module:'.length).replaceAll(' ', '.'),
      start: nodes[node * 2] ?? 0,
      end: nodes[node * 2 + 1] ?? 0,
      ...(row.needs !== undefined && { needs: row.needs }),
      ...(row.of !== undefined && { of: row.of }),
      ...(detail !== undefined && { detail }),
    }
  }
}

function isPlain({ onlyFields, only = {} }: SinkRow): boolean {
  const { when, whenShell, whenOption, minArgs, template, isForeign } = only
  return (
    onlyFields === undefined &&
    when === undefined &&
    whenShell === undefined &&
    whenOption === undefined &&
    minArgs === undefined &&
    template === undefined &&
    isForeign === undefined
  )
}
