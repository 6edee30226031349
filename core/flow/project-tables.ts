/** What a project adds to the tables of the data flow, as its configuration says: functions by their access paths. */
export interface FlowSettings {
  readonly sources: readonly { readonly at: string }[]
  readonly sinks: readonly { readonly at: string; readonly rule: string; readonly args?: readonly number[] | undefined }[]
  readonly sanitizers: readonly { readonly at: string; readonly cleans: readonly string[] }[]
  readonly propagators: readonly { readonly at: string }[]
  readonly authenticates: readonly { readonly at: string }[]
}

export const NO_FLOW_SETTINGS: FlowSettings = { sources: [], sinks: [], sanitizers: [], propagators: [], authenticates: [] }

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
  const folder = file.split('/').slice(0, -1)
  for (const part of source.split('/')) {
    if (part === '..') folder.pop()
    else if (part !== '.' && part !== '') folder.push(part)
  }
  return [`module:/${folder.join('/').replace(/(?:\/index)?(?:\.[cm]?[jt]s)?$/, '')}`, ...named].join(' ')
}
