import { resolvePath } from '../../paths.ts'
import type { CallValue } from '../../facts/index.ts'
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
  const { follows, path: file, graph, ends } = draft
  if (follows.settings === undefined || call.kind === 'tagged') return false
  const names = (at: string): boolean => isAt(at, paths, file)
  for (const { at, rule, args: positions } of follows.settings.sinks) {
    if (!names(at)) continue
    for (const [index, argument] of call.args.entries()) {
      if (positions?.includes(index) === false || argument.kind === 'literal' || argument.kind === 'function') continue
      ends.sinks.push({
        fault: rule,
        name: nameOf(call.callee),
        node: draft.use(argument),
        start: argument.start,
        end: argument.end,
      })
    }
  }
  if (follows.settings.sources.some(({ at }) => names(at))) {
    ends.sources.push({ node: result, origin: 'request', weak: false })
    draft.show(result, call)
  }
  const cleaned = follows.settings.sanitizers.flatMap(({ at, cleans }) => (names(at) ? cleans : []))
  const passes = follows.settings.propagators.some(({ at }) => names(at))
  for (const argument of cleaned.length > 0 || passes ? args() : []) {
    if (cleaned.length > 0) graph.connect(argument, result, CLEAN, cleaned.join(' '))
    else graph.connect(argument, result, call.args.length > 1 ? CONCAT : COPY)
  }
  return cleaned.length > 0 || passes
}

/** What a project adds to the tables of the data flow, as its configuration says: functions by their access paths. */
export interface FlowSettings {
  readonly sources: readonly { readonly at: string }[]
  readonly sinks: readonly { readonly at: string; readonly rule: string; readonly args?: readonly number[] | undefined }[]
  readonly sanitizers: readonly { readonly at: string; readonly cleans: readonly string[] }[]
  readonly propagators: readonly { readonly at: string }[]
  readonly authenticates: readonly { readonly at: string }[]
}

/** Whether a callee of a file, by one of its access paths, is the function that a setting names. Modules of the project are named from its root. */
export function isAt(at: string, paths: readonly string[], file: string): boolean {
  const wanted = fromRoot(at, '')
  return paths.some((path) => fromRoot(path, file) === wanted)
}

/** `module:./lib/clean.js escape` in `srv/a.js` is `module:/srv/lib/clean escape`. */
function fromRoot(path: string, file: string): string {
  const [root = '', ...steps] = path.trim().split(/\s+/)
  const source = root.startsWith('module:.') ? root.slice('module:'.length) : undefined
  const named = steps.filter((step) => step !== 'default')
  if (source === undefined) return [root, ...named].join(' ')
  const module = resolvePath(file, source) ?? source
  return [`module:/${module.replace(/(?:\/index)?(?:\.[cm]?[jt]s)?$/, '')}`, ...named].join(' ')
}
