import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import { joinPath, resolvePath } from '../../paths.ts'
import {
  contextOf,
  findComposeServices,
  findDockerfiles,
  isForTesting,
  isNamedForTesting,
  opensPort,
  runningStages,
  type ComposeService,
  type Dockerfile,
  type EnvironmentVariable,
} from '../deployment/index.ts'
import { authStrategyOf } from './auth.ts'
import { effectiveConfiguration } from './configuration.ts'
import type { CapRoot } from './types.ts'

type Files = ReadonlyMap<string, ProjectFile>

/** The official images, which set no NODE_ENV; those of other vendors may. */
const OFFICIAL = /^(?:docker\.io\/)?(?:library\/)?node(?:[:@]|$)/
/** What starts CAP, in `CMD` or the script that npm runs. */
const SERVES = /^(?:exec\s{1,4})?(?:npx\s{1,4})?(?:(?:\.\/)?node_modules\/\.bin\/)?cds(?:-serve|\s{1,4}(?:serve|run))\b/
/** Variables and options of `cds-serve`. Fact: @sap/cds 9.9.3, bin/args.js. */
const PROFILE = /\b(?:NODE_ENV|CDS_ENV)\b|--(?:production|profile)\b/
/** What only starts the command behind it. */
const INIT = /^(?:\S{0,40}\/)?(?:tini|dumb-init)(?: --)?$/
/** Databases that have rows outside of production, too. */
const KEEPS = /^(?:hana|postgres|sqlite|mysql|mariadb)/

/**
 * Tells whether all that deploys a root is an image that starts CAP without NODE_ENV, in a service of Compose that publishes its port on a server: there it runs as on the machine of a developer,
 * with the same database; one in memory holds nothing.
 * Facts: @sap/cds 9.9.3, lib/srv/protocols/http.js (services that say nothing want a user if NODE_ENV is `production`), lib/env/cds-requires.js (`sql` is a SQLite in memory outside of
 * production); Compose file reference (`ports`, `env_file`).
 */
export function createDevelopmentReader(files: Files): (root: ImageRoot) => boolean {
  let published: Published | undefined
  return (root) => {
    const { deployments } = root
    if (deployments.length === 0) return false
    const own = findDockerfiles(new Map(deployments.flatMap(({ file }) => entryOf(file, files))))
    if (own.length !== deployments.length || own.some(({ file }) => isForTesting(file))) return false
    if (!own.every((image) => startsBare(image, root.root, files))) return false
    const folders = (published ??= [...files.values()].some(namesProfile) ? new Map() : publishedFolders(files))
    const ofImages = deployments.flatMap(({ variables }) => variables)
    return own.some(({ folder }) => {
      const variables = folders.get(folder)
      return variables !== undefined && keepsRows(root, [...ofImages, ...variables])
    })
  }
}

type ImageRoot = Pick<CapRoot, 'root' | 'runtime' | 'files' | 'deployments'>

/** Outside of production it has rows, and no authentication of its own, which may refuse whoever has no token. */
export function keepsRows(root: Omit<ImageRoot, 'deployments'>, variables: readonly EnvironmentVariable[]): boolean {
  const configuration = effectiveConfiguration(root, ['development'], variables)
  const text = (...path: string[]): string => stringOf(configuration.value('requires', 'db', ...path)?.node) ?? ''
  return KEEPS.test(text('kind')) && !text('credentials', 'url').includes(':memory:') && !authStrategyOf(configuration).custom
}

function entryOf(path: string, files: Files): readonly (readonly [string, ProjectFile])[] {
  const file = files.get(path)
  return file === undefined ? [] : [[path, file]]
}

/** The variables with which services of Compose publish images, by the folders of these: without those of which any file says a profile. */
type Published = ReadonlyMap<string, readonly EnvironmentVariable[]>

function publishedFolders(files: Files): Published {
  const services = [...findComposeServices(files)]
  // `compose.override.yaml` says more of the same service
  const told = new Set(services.flatMap(({ name, node }) => (mentionsProfile(at(node, 'environment')) ? name : [])))
  return new Map(
    services.flatMap((service) => {
      const folder = told.has(service.name) ? undefined : publishedBy(service)
      return folder === undefined ? [] : [[folder, service.variables] as const]
    }),
  )
}

function startsBare(image: Dockerfile, root: string, files: Files): boolean {
  const stages = runningStages(image)
  const instructions = stages.flatMap((stage) => stage.instructions)
  const starts = instructions
    .filter(({ name }) => name === 'CMD' || name === 'ENTRYPOINT')
    .map(({ arguments: text }) => wordsOf(text))
    .filter((text) => !INIT.test(text))
  return (
    starts.length > 0 &&
    starts.every((text) => servingCommand(shellCommand(text, image, files) ?? text, root, files)) &&
    OFFICIAL.test(stages.at(-1)?.image ?? '') &&
    !instructions.some(({ arguments: text }) => PROFILE.test(text))
  )
}

/** Whether a command serves a root and names no profile: `npx cds-serve`, `npm start` by what package.json says. */
export function servingCommand(text: string, root: string, files: Files): boolean {
  const command = /^npm (?:run )?start$/.test(text) ? startOf(root, files) : text
  return SERVES.test(command) && !PROFILE.test(command)
}

/** The last command of a script beside the image that it starts with, `["./entrypoint.sh"]`: undefined where there is none, '' where a line, or another script that it reads, may name a profile. */
function shellCommand(text: string, { folder }: Dockerfile, files: Files): string | undefined {
  const name = /^(?:(?:\/bin\/)?(?:ba)?sh )?(?:[\w./-]{0,60}\/)?([\w.-]{1,60}\.sh)$/.exec(text)?.[1]
  const content = name === undefined ? undefined : files.get(joinPath(folder, name))?.content
  if (content?.as !== 'text' || content.text === undefined) return undefined
  const lines = content.text.split('\n').map((line) => line.trim())
  const commands = lines.filter((line) => line !== '' && !line.startsWith('#'))
  return commands.some((line) => PROFILE.test(line) || /^(?:\.|source)\s/.test(line)) ? '' : commands.at(-1)
}

/** `["npm", "start"]` as `npm start` */
function wordsOf(text: string): string {
  return text
    .replaceAll(/[[\]",]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function startOf(root: string, files: Files): string {
  const content = files.get(joinPath(root, 'package.json'))?.content
  return content?.as === 'data' ? (stringOf(at(content.roots[0], 'scripts', 'start')) ?? '') : ''
}

/** An environment file that says the profile. */
function namesProfile({ kind, content }: ProjectFile): boolean {
  return (
    kind.role === 'env' &&
    content.as === 'data' &&
    content.roots.some((node) => membersOf(node).some(({ key }) => PROFILE.test(key)))
  )
}

function publishedBy({ file, node, target, commands }: ComposeService): string | undefined {
  const context = contextOf({ node })
  if (context === undefined || !isKeptRunning(node, file) || at(node, 'env_file') !== undefined || commands.length > 0)
    return undefined
  // another stage of the image
  if (target !== undefined) return undefined
  return opensPort({ node }) ? resolvePath(file, context) : undefined
}

/** On a machine of a developer nothing starts it again. Fact: Docker documentation, "Use Compose in production" (`restart`). */
function isKeptRunning(node: DataNode, file: string): boolean {
  return (
    !isNamedForTesting(file) && (!isForTesting(file) || /^(?:always|unless-stopped)$/.test(stringOf(at(node, 'restart')) ?? ''))
  )
}

/** Also one whose value the environment of the host gives: `- NODE_ENV`. */
function mentionsProfile(environment: DataNode | undefined): boolean {
  return (
    membersOf(environment).some(({ key }) => PROFILE.test(key)) ||
    itemsOf(environment).some((item) => PROFILE.test(stringOf(item) ?? ''))
  )
}
