import type { Scripts } from '../../extracts/scripts.ts'
import type { ProjectFile } from '../../files.ts'
import { at, stringOf } from '../../parse/data.ts'
import { folderOf, joinPath, resolvePath } from '../../paths.ts'
import type { Approuter } from '../approuter/index.ts'
import {
  contextOf,
  findComposeServices,
  findKubernetesObjects,
  opensPort,
  type Application,
  type ComposeService,
} from '../deployment/index.ts'
import type { NpmPackage, NpmProject } from '../npm/index.ts'
import { packageAround } from './exercises.ts'
import { localListeners } from './local-listeners.ts'
import { usageByPath } from './usage.ts'

interface StartSources {
  readonly files: ReadonlyMap<string, ProjectFile>
  readonly scripts: Scripts
  readonly npm: Pick<NpmProject, 'byFolder'>
  readonly approuters: readonly Approuter[]
  readonly applications: readonly Application[]
  /** The package of a file is neither a library nor a tool. */
  readonly isOfServer: (file: string) => boolean
}

/**
 * Tells scripts of a package that starts a server for operation, in a project that says of nothing else how its servers are reached: no descriptor of a platform or a cluster that may keep it
 * inside, no approuter that may stand in front, no address of the machine alone. Fact: npm, "npm start" (without a script of that name it runs `node server.js`).
 */
export function createStartReader(sources: StartSources): (file: string) => boolean {
  const { files, approuters, applications, isOfServer } = sources
  const known = new Map<string, boolean>()
  let isToldElsewhere: boolean | undefined
  return (file) => {
    isToldElsewhere ??=
      applications.length > 0 ||
      approuters.some(({ deployed, kind }) => deployed && kind === 'standalone') ||
      [...findKubernetesObjects(files)].length > 0
    const own = isToldElsewhere ? undefined : packageAround(file, sources)
    if (own === undefined || !isOfServer(file)) return false
    const before = known.get(own.folder)
    const found = before ?? (starts(own, sources) && !isKeptInside(own, sources))
    if (before === undefined) known.set(own.folder, found)
    return found
  }
}

function starts({ folder, scripts, dependencies }: NpmPackage, { files }: StartSources): boolean {
  if (!dependencies.some(({ name, member }) => member === 'dependencies' && FRAMEWORKS.test(name))) return false
  const commands = scripts.flatMap(({ name, command }) => (OPERATES.test(name) ? command : []))
  if (commands.length === 0) return files.has(joinPath(folder, 'server.js'))
  return commands.some((command) => SERVES.test(command) && !DEVELOPS.test(command))
}

const FRAMEWORKS = /^(?:@sap\/cds|express|fastify|koa|restify|hono|@hapi\/hapi|@nestjs\/core)$/
const OPERATES = /^(?:start|start:prod(?:uction)?|prod(?:uction)?)$/
const SERVES = /\b(?:node|ts-node|tsx|bun|deno|pm2|nest\s{1,4}start|fastify\s{1,4}start|cds-serve|cds\s{1,4}(?:serve|run))\b/
const DEVELOPS = /\b(?:nodemon|watch|ui5|fiori|vite|karma|http-server|dev|development|mock\w{0,20}|hybrid|sandbox|test)\b/i

/** The machine alone reaches a server of the package, or other containers: services of Compose that publish no port to other machines. */
function isKeptInside({ folder }: NpmPackage, sources: StartSources): boolean {
  const isOwn = (file: string): boolean => usageByPath(file) !== 'unused' && packageAround(file, sources)?.folder === folder
  if (sources.scripts.get(localListeners).some(({ file }) => isOwn(file))) return true
  const own = [...findComposeServices(sources.files)].filter((service) => foldersOf(service).includes(folder))
  return own.length > 0 && !own.some(opensPort)
}

/** The folder that a service is built from, and that of its Dockerfile: `build: { context: ., dockerfile: api/Dockerfile }`. */
function foldersOf(service: ComposeService): readonly string[] {
  const context = contextOf(service)
  const built = context === undefined ? undefined : resolvePath(service.file, context)
  if (built === undefined) return []
  const dockerfile = stringOf(at(service.node, 'build', 'dockerfile')) ?? ''
  return dockerfile.includes('/') ? [folderOf(joinPath(built, dockerfile))] : [built]
}
