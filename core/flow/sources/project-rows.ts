import type { CallValue } from '../../facts/index.ts'
import { isAt } from '../project-tables.ts'
import { CLEAN, CONCAT, COPY } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { nameOf } from '../graph/names.ts'

/** Adds what the project's own settings say of a call; true: they say all of it, so that the function itself is not looked at. */
export function addProjectRows(
  call: CallValue,
  paths: readonly string[],
  result: number,
  args: () => readonly number[],
  draft: FlowDraft,
): boolean {
  const { settings, path: file, graph, sinks, sources } = draft
  if (settings === undefined || call.kind === 'tagged') return false
  const names = (at: string): boolean => isAt(at, paths, file)
  for (const { at, rule, args: positions } of settings.sinks) {
    if (!names(at)) continue
    for (const [index, argument] of call.args.entries()) {
      if (positions?.includes(index) === false || argument.kind === 'literal' || argument.kind === 'function') continue
      sinks.push({ fault: rule, name: nameOf(call.callee), node: draft.use(argument), start: argument.start, end: argument.end })
    }
  }
  if (settings.sources.some(({ at }) => names(at))) {
    sources.push({ node: result, origin: 'request', weak: false })
    draft.show(result, call)
  }
  const cleaned = settings.sanitizers.flatMap(({ at, cleans }) => (names(at) ? cleans : []))
  const passes = settings.propagators.some(({ at }) => names(at))
  for (const argument of cleaned.length > 0 || passes ? args() : []) {
    if (cleaned.length > 0) graph.connect(argument, result, CLEAN, cleaned.join(' '))
    else graph.connect(argument, result, call.args.length > 1 ? CONCAT : COPY)
  }
  return cleaned.length > 0 || passes
}
