import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { ProjectFile } from '../../files.ts'
import { at, textsBelow } from '../../parse/data.ts'
import { fileNameOf, folderOf, foldersAround, joinPath } from '../../paths.ts'
import type { NpmPackage, NpmProject } from '../npm/index.ts'
import { isOfUi5App, isToolFile } from '../script/index.ts'
import { loadedModules, withoutEnding } from './modules.ts'
import { usageByPath } from './usage.ts'

const SERVERS = /^(?:node:)?(?:https?|http2|net)$|^(?:express|fastify|koa|socket\.io|ws|restify|connect|@hapi\/hapi|hono)$/

/** One item for each script that starts a server of its own: the packages that make it one. */
export const startedServers: Extract<readonly string[]> = defineExtract({
  name: 'reach-started-servers',
  keywords: ['.listen('],
  isFor: (path) => !isOfUi5App(path),
  collect({ facts }) {
    const listens = facts.calls.some(({ callee }) => callee.kind === 'member' && callee.name === 'listen')
    const sources = listens ? facts.imports.flatMap(({ source }) => (SERVERS.test(source) ? source : [])) : []
    return sources.length > 0 ? [sources] : []
  },
})

/** What tells which servers nothing starts. */
export interface ExerciseSources {
  readonly files: ReadonlyMap<string, ProjectFile>
  readonly scripts: Scripts
  readonly npm: Pick<NpmProject, 'byFolder'>
  /** Scripts that load a script by its path. */
  readonly loadersOf: (file: string) => readonly string[]
  /** Whether something in the project deploys it. */
  readonly isDeployedSomehow: () => boolean
  /** A descriptor or a text of the project names it. */
  readonly isNamed: (name: string) => boolean
}

/** What `node .` starts where a package.json names nothing. */
const DEFAULT = /^(?:index|server|app|main)\.[cm]?[jt]s$/i

/**
 * Finds scripts that somebody wrote to try something out, and what they alone load: servers that no command, no `main` and no other script of a project starts, in a project that nothing deploys.
 * One that is called as servers mostly are counts only among several of these, in folders of their own.
 */
export function findExercises(sources: ExerciseSources): ReadonlySet<string> {
  const { files, scripts, loadersOf, isDeployedSomehow } = sources
  const servers = scripts.get(startedServers).map(({ file }) => file)
  if (servers.length === 0 || isDeployedSomehow()) return new Set()
  const idle = servers.filter((file) => {
    if (usageByPath(file) === 'unused' || isToolFile(file) || loadersOf(file).length > 0) return false
    return !isStarted(file, sources) && (DEFAULT.test(fileNameOf(file)) || !sources.isNamed(fileNameOf(withoutEnding(file))))
  })
  if (idle.length < LEAST_LESSONS) return new Set()
  const folders = new Set(idle.map(folderOf))
  const found = new Set(
    idle.filter((file) => {
      const own = packageAround(file, sources)
      return own !== undefined && (!DEFAULT.test(fileNameOf(file)) || (folders.size > 1 && entriesOf(own, files).length === 0))
    }),
  )
  for (let round = 0, before = -1; found.size > 0 && round < MAX_ROUNDS && found.size > before; round++) {
    before = found.size
    for (const { file } of scripts.get(loadedModules)) {
      const loaders = loadersOf(file)
      if (loaders.length > 0 && loaders.every((one) => found.has(one))) found.add(file)
    }
  }
  return found
}

const MAX_ROUNDS = 5
/** A server or two of which nothing says how they are started may be started by hand. */
const LEAST_LESSONS = 3

export function packageAround(file: string, { npm }: Pick<ExerciseSources, 'npm'>): NpmPackage | undefined {
  for (const folder of foldersAround(file)) {
    const known = npm.byFolder.get(folder)
    if (known !== undefined) return known
  }
  return undefined
}

/** Commands that start something, and scripts of the project that a package.json names. */
function entriesOf({ file, folder, scripts }: NpmPackage, files: ExerciseSources['files']): readonly string[] {
  const commands = scripts.flatMap(({ name, command }) => (STARTS.test(name) ? command : []))
  return [...commands, ...namedIn(file, files).filter((text) => isFile(joinPath(folder, text.replace(/^\.\//, '')), files))]
}

const STARTS = /^(?:start|serve|dev|server)(?::|$)/

function namedIn(file: string, files: ExerciseSources['files']): readonly string[] {
  const content = files.get(file)?.content
  const root = content?.as === 'data' ? content.roots[0] : undefined
  return ['main', 'bin', 'exports', 'module'].flatMap((key) => textsBelow(at(root, key)).map(({ text }) => text))
}

function isFile(path: string, files: ExerciseSources['files']): boolean {
  return ['', '.js', '/index.js'].some((ending) => files.has(`${path}${ending}`))
}

/** A package.json around it names its file, with or without an ending: `node server`, `tsx src/api.ts`, `dist/api.js`. */
export function isStarted(file: string, { files, npm }: Pick<ExerciseSources, 'files' | 'npm'>): boolean {
  const name = fileNameOf(withoutEnding(file))
  return [...foldersAround(file)].some((folder) => {
    const around = npm.byFolder.get(folder)
    if (around === undefined) return false
    const texts = [...around.scripts.map(({ command }) => command), ...namedIn(around.file, files)]
    return texts.some((text) => wordsIn(text).includes(name))
  })
}

/** `server` of `node ./dist/server.js --port 80` */
function wordsIn(command: string): readonly string[] {
  return command.split(/[\s"'`;&|=,]+/).map((word) => withoutEnding(fileNameOf(word)))
}
