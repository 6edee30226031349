import { fileNameOf, folderOf } from '../paths.ts'
import { classifyPath, isLeftOutFolder, type PathClass } from './kinds.ts'

const DEBUG_COPY = /-dbg((?:\.(?:controller|view|fragment|support|designtime))?\.js)$/
const COMPONENT = /^Component\.[jt]s$/

/** Tells the class of a file in the build of a UI5 app whose source the project does not hold; undefined for all others. */
export type BuiltReader = (path: string) => PathClass | undefined

/**
 * Folders `dist` with an app of which nothing else lies in the project: there the build is what is deployed, and its debug copies are the scripts as somebody wrote them.
 * A source with the id of the app is its source; where one of them has no manifest to read, one below a folder of its name is.
 * Fact: UI5 Tooling 4, "Builder" (task minify: `-dbg.js` is the source of the minified script of that name).
 * @param textOf reads a manifest
 */
export function createBuiltReader(
  paths: readonly string[],
  textOf: (path: string) => string | undefined = () => undefined,
): BuiltReader {
  const known = new Set(paths)
  const folders = paths.flatMap((path) => {
    const folder = folderOf(path)
    const isApp = fileNameOf(path) === 'Component-dbg.js' && known.has(`${folder}/manifest.json`)
    return isApp && /(?:^|\/)dist$/.test(folder) && !folder.split('/').some(isLeftOutFolder) ? [folder] : []
  })
  if (folders.length === 0) return () => undefined
  const written = readSources(paths, known, textOf)
  const apps = new Set(
    folders.filter((folder) => {
      const id = idIn(textOf(`${folder}/manifest.json`))
      if (id !== undefined && written.ids.has(id)) return false
      return !(id === undefined ? written.all : written.unnamed).has(ownNameOf(folder))
    }),
  )
  if (apps.size === 0) return () => undefined
  return (path) => {
    const at = beginOfBuild(path, apps)
    if (at === undefined) return undefined
    const twin = path.replace(/(?=(?:\.(?:controller|view|fragment|support|designtime))?\.js$)/, '-dbg')
    if (twin !== path && known.has(twin)) return { class: 'out', because: 'generated' }
    // as it was before the build
    return classifyPath(`${path.slice(0, at)}webapp/${path.slice(at + 'dist/'.length)}`.replace(DEBUG_COPY, '$1'))
  }
}

/** Where `dist/` of one of the folders stands in a path. */
function beginOfBuild(path: string, apps: ReadonlySet<string>): number | undefined {
  for (const { index } of path.matchAll(/(?<=^|\/)dist\//g)) if (apps.has(path.slice(0, index + 'dist'.length))) return index
  return undefined
}

/** Names that folders of all apps have. */
const EVERYBODYS = /^(?:apps?|ui|ui5|web|webapp|client|frontend|html5|resources|src|sources)$/i

/** `fleet` of `apps/fleet/app/dist`; '' at the top of the project. */
function ownNameOf(folder: string): string {
  const steps = folder.split('/').slice(0, -1)
  return steps.findLast((step) => !EVERYBODYS.test(step)) ?? steps.at(-1) ?? ''
}

interface Sources {
  /** Ids of the apps. */
  readonly ids: ReadonlySet<string>
  /** Names of all folders above them; '' is that of the project itself. */
  readonly all: ReadonlySet<string>
  /** The same, of those without an id. */
  readonly unnamed: ReadonlySet<string>
}

function readSources(
  paths: readonly string[],
  known: ReadonlySet<string>,
  textOf: (path: string) => string | undefined,
): Sources {
  const ids = new Set<string>()
  const all = new Set<string>()
  const unnamed = new Set<string>()
  for (const path of paths) {
    const steps = path.split('/')
    if (!COMPONENT.test(steps.pop() ?? '') || steps.includes('dist') || steps.some(isLeftOutFolder)) continue
    const manifest = [...steps, 'manifest.json'].join('/')
    const id = known.has(manifest) ? idIn(textOf(manifest)) : undefined
    if (id !== undefined) ids.add(id)
    for (const step of ['', ...steps]) {
      all.add(step)
      if (id === undefined) unnamed.add(step)
    }
  }
  return { ids, all, unnamed }
}

/** The id of an app in its manifest. */
function idIn(manifest: string | undefined): string | undefined {
  const [, id] = /"sap\.app"\s{0,20}:\s{0,20}\{[^{}]{0,2000}?"id"\s{0,20}:\s{0,20}"([\w.-]{1,200})"/.exec(manifest ?? '') ?? []
  return id
}
