import { fileNameOf, folderOf } from '../paths.ts'
import { classifyPath, isLeftOutFolder, type PathClass } from './kinds.ts'

const DEBUG_COPY = /-dbg((?:\.(?:controller|view|fragment|support|designtime))?\.js)$/
const COMPONENT = /^Component\.[jt]s$/

/** Tells the class of a file in the build of a UI5 app whose source the project does not hold; undefined for all others. */
export type BuiltReader = (path: string) => PathClass | undefined

/**
 * Folders `dist` with an app of which nothing else lies in the project: there the build is what is deployed, and its debug copies are the scripts as somebody wrote them.
 * Fact: UI5 Tooling 4, "Builder" (task minify: `-dbg.js` is the source of the minified script of that name).
 */
export function createBuiltReader(paths: readonly string[]): BuiltReader {
  const known = new Set(paths)
  const folders = paths.flatMap((path) => {
    const folder = folderOf(path)
    const isApp = fileNameOf(path) === 'Component-dbg.js' && known.has(`${folder}/manifest.json`)
    return isApp && /(?:^|\/)dist$/.test(folder) && !folder.split('/').some(isLeftOutFolder) ? [folder] : []
  })
  if (folders.length === 0) return () => undefined
  const written = sourceFolders(paths)
  const apps = new Set(folders.filter((folder) => !written.has(fileNameOf(folderOf(folder)))))
  if (apps.size === 0) return () => undefined
  return (path) => {
    const at = path.lastIndexOf('dist/')
    const folder = at < 0 ? '' : path.slice(0, at + 'dist'.length)
    if (!apps.has(folder)) return undefined
    const twin = path.replace(/(?=(?:\.(?:controller|view|fragment|support|designtime))?\.js$)/, '-dbg')
    if (twin !== path && known.has(twin)) return { class: 'out', because: 'generated' }
    // as it was before the build
    return classifyPath(`${path.slice(0, at)}webapp/${path.slice(at + 'dist/'.length)}`.replace(DEBUG_COPY, '$1'))
  }
}

/** Names of all folders above the source of an app; '' is that of the project itself. */
function sourceFolders(paths: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const path of paths) {
    const steps = path.split('/')
    if (!COMPONENT.test(steps.pop() ?? '') || steps.includes('dist') || steps.some(isLeftOutFolder)) continue
    for (const step of ['', ...steps]) found.add(step)
  }
  return found
}
