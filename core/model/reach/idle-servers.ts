import { fileNameOf, foldersAround, joinPath } from '../../paths.ts'
import type { NpmPackage } from '../npm/index.ts'
import { isStarted, packageAround, startedServers, type ExerciseSources } from './exercises.ts'
import { withoutEnding } from './modules.ts'

/** `node --enable-source-maps lib/start.js`: the script that a command starts. */
const STARTED = /\bnode\s{1,4}(?:--?[\w-]{1,60}(?:=\S{1,100})?\s{1,4}){0,8}(\S{1,200}\.[cm]?js)\b/

/**
 * Servers that were left behind in a package whose start command starts another script, and which doesn't have the framework that they need: no command, no descriptor and no script
 * names them. CAP loads a `server.js` by itself. Fact: npm, "scripts" (`start` is what a platform runs); Cloud Foundry, Node.js buildpack (`npm start`).
 */
export function findIdleServers(sources: Omit<ExerciseSources, 'isDeployedSomehow'>): ReadonlySet<string> {
  const { scripts, loadersOf, isNamed } = sources
  const idle = scripts.get(startedServers).flatMap(({ file, value }) => {
    const own = packageAround(file, sources)
    if (own === undefined || !startsAnother(own, file) || !lacks(own, value)) return []
    const isUsed = isBesideImage(file, sources) || isStarted(file, sources) || loadersOf(file).length > 0
    return isUsed || isNamed(fileNameOf(withoutEnding(file))) ? [] : file
  })
  return new Set(idle)
}

function startsAnother({ scripts }: NpmPackage, file: string): boolean {
  const started = STARTED.exec(scripts.find(({ name }) => name === 'start')?.command ?? '')?.[1]
  return started !== undefined && fileNameOf(started) !== fileNameOf(file)
}

/** Modules of Node.js are always there, and CAP brings Express. */
function lacks({ dependencies }: NpmPackage, needed: readonly string[]): boolean {
  return needed.every(
    (source) => !BUILT_IN.test(source) && !dependencies.some(({ name }) => name === source || name === '@sap/cds'),
  )
}

const BUILT_IN = /^(?:node:|https?$|http2$|net$)/

/** What an image starts may stand in a script of its own. */
function isBesideImage(file: string, { files }: Pick<ExerciseSources, 'files'>): boolean {
  return [...foldersAround(file)].some((folder) => files.has(joinPath(folder, 'Dockerfile')))
}
