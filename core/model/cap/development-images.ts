import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import { joinPath, resolvePath } from '../../paths.ts'
import {
  findComposeServices,
  findDockerfiles,
  isForTesting,
  isNamedForTesting,
  runningStages,
  type ComposeService,
  type Dockerfile,
} from '../deployment/index.ts'
import type { CapRoot } from './types.ts'

type Files = ReadonlyMap<string, ProjectFile>

/** The official images, which set no NODE_ENV; those of other vendors may. */
const OFFICIAL = /^(?:docker\.io\/)?(?:library\/)?node(?:[:@]|$)/
/** What starts CAP, in `CMD` or the script that npm runs. */
const SERVES = /^(?:npx\s{1,4})?cds(?:-serve|\s{1,4}(?:serve|run))\b/
const PROFILE = /\b(?:NODE_ENV|CDS_ENV)\b/

/**
 * Tells whether all that deploys a root is an image that starts CAP without NODE_ENV, in a service of Compose that publishes its port on a server: there it runs as on the machine of a developer.
 * Facts: @sap/cds 9.9.1, lib/srv/protocols/http.js (services that say nothing want a user if NODE_ENV is `production`); Compose file reference (`ports`, `env_file`).
 */
export function createDevelopmentReader(files: Files): (root: Pick<CapRoot, 'root' | 'deployments'>) => boolean {
  let published: ReadonlySet<string> | undefined
  return ({ root, deployments }) => {
    if (deployments.length === 0) return false
    const own = findDockerfiles(new Map(deployments.flatMap(({ file }) => entryOf(file, files))))
    if (own.length !== deployments.length || own.some(({ file }) => isForTesting(file))) return false
    if (!own.every((image) => startsBare(image, root, files))) return false
    published ??= [...files.values()].some(namesProfile) ? new Set() : publishedFolders(files)
    return own.some(({ folder }) => published?.has(folder) === true)
  }
}

function entryOf(path: string, files: Files): readonly (readonly [string, ProjectFile])[] {
  const file = files.get(path)
  return file === undefined ? [] : [[path, file]]
}

/** The folders whose images services of Compose publish, with nothing that says a profile. */
function publishedFolders(files: Files): ReadonlySet<string> {
  return new Set([...findComposeServices(files)].flatMap((service) => publishedBy(service) ?? []))
}

function startsBare(image: Dockerfile, root: string, files: Files): boolean {
  const stages = runningStages(image)
  const instructions = stages.flatMap((stage) => stage.instructions)
  const starts = instructions
    .filter(({ name }) => name === 'CMD' || name === 'ENTRYPOINT')
    .map(({ arguments: text }) => wordsOf(text))
  const isServed = starts.some((text) =>
    /^npm (?:run )?start$/.test(text) ? SERVES.test(startOf(root, files)) : SERVES.test(text),
  )
  return isServed && OFFICIAL.test(stages.at(-1)?.image ?? '') && !instructions.some(({ arguments: text }) => PROFILE.test(text))
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

function publishedBy({ file, node, variables, commands }: ComposeService): string | undefined {
  const context = stringOf(at(node, 'build', 'context')) ?? stringOf(at(node, 'build'))
  if (context === undefined || !isKeptRunning(node, file) || at(node, 'env_file') !== undefined || commands.length > 0)
    return undefined
  if (mentionsProfile(at(node, 'environment')) || variables.some(({ name }) => PROFILE.test(name))) return undefined
  const isOpen = itemsOf(at(node, 'ports')).some((port) => !/^(?:127\.|localhost|\[::1\])/.test(stringOf(port) ?? ''))
  return isOpen ? resolvePath(file, context) : undefined
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
