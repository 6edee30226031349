import { ROWS } from '../sinks/sink-index.ts'
import type { SinkRow } from '../tables/sinks.ts'
import type { FileFlow, FlowSink } from '../types.ts'

/** A function of a package that is handed on under another name: `(text, load = yaml.load) => load(text)`, `senders[kind](url)`. Rows that look at the call as it is written do not count. */
export function* handedSinks(
  flow: FileFlow,
  packagesOf: (called: number) => ReadonlySet<string> | undefined,
): Generator<FlowSink> {
  for (const { called, how, args } of flow.callables?.calls ?? []) {
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
    const detail = row.isAddress === true ? 'begin' : row.detail
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

function isPlain({ onlyFields, when, whenShell, whenOption, minArgs, template, isForeign }: SinkRow): boolean {
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
