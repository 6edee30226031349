import type { ProjectFile } from '../../../files.ts'
import {
  findContainers,
  findDockerfiles,
  isForTesting,
  runningStages,
  variableText,
  type EnvironmentVariable,
} from '../../../model/deployment/index.ts'
import { at, stringOf, type DataNode } from '../../../parse/data.ts'
import { folderOf, ownerOf } from '../../../paths.ts'
import type { ProjectModels } from '../../subjects.ts'

/** How a deployment runs a script outside of production. */
export interface UnproductiveRun {
  /** What NODE_ENV is; undefined: nothing sets it. */
  readonly value?: string
  /** The module, the application, the file of the image, or the package.json that starts it. */
  readonly app: string
  /** Nothing but a script of package.json tells how the program starts. */
  readonly isScript?: true
}

/**
 * Finds deployments that run a script with NODE_ENV as something else than production, or as nothing. `undefined`: none is known.
 * Facts: Cloud Foundry, Node.js buildpack (NODE_ENV is production unless something sets it); images of one's own have what their Dockerfile says; npm, "scripts":
 * a script has the environment of who starts it, and NODE_ENV is not among what npm sets.
 */
export function createRunReader({
  deployment,
  files,
}: Pick<ProjectModels, 'deployment' | 'files'>): (path: string) => UnproductiveRun | undefined {
  const applications = deployment.applications.filter(({ type, isStopped }) => !isStopped && !/^java|^python|^go$/i.test(type))
  const folders = new Set(applications.flatMap(({ folder }) => folder ?? []))
  const images = findDockerfiles(files).filter(({ file }) => !isForTesting(file))
  const imageFolders = new Set(images.map(({ file }) => folderOf(file)))
  let isNamed: boolean | undefined
  let starters: ReadonlyMap<string, string> | undefined
  const findStarters = (): ReadonlyMap<string, string> => {
    const isHosted =
      applications.length > 0 || images.length > 0 || [...files.keys()].some((path) => /(?:^|\/)Procfile$/.test(path))
    return isHosted ? new Map() : startersOf(files)
  }
  return (path) => {
    starters ??= findStarters()
    const starter = starters.get(ownerOf(path, starters) ?? '')
    if (starter !== undefined) {
      isNamed ??= namesVariable('NODE_ENV', files)
      return isNamed ? undefined : { app: starter, isScript: true }
    }
    const folder = ownerOf(path, folders)
    if (folder !== undefined) {
      for (const application of applications) {
        if (application.folder !== folder) continue
        const set = lastOf(application.variables)
        const value = set && (variableText(set, application) ?? '')
        if (set !== undefined && isUnproductive(value) && !isForTesting(set.place.file))
          return { value, app: application.name ?? application.file }
      }
      return undefined
    }
    const imageFolder = ownerOf(path, imageFolders)
    if (imageFolder === undefined) return undefined
    for (const container of findContainers(files)) {
      if (container.folder !== imageFolder || isForTesting(container.file)) continue
      const value = stringOf(lastOf(container.variables)?.value)
      if (isUnproductive(value)) return { value, app: container.file }
    }
    const bare = images.find((image) => {
      const instructions = runningStages(image).flatMap((stage) => stage.instructions)
      const starts = instructions.some(
        ({ name, arguments: text }) => /^(?:CMD|ENTRYPOINT)$/.test(name) && /\b(?:node|npm|cds)\b/.test(text),
      )
      return (
        folderOf(image.file) === imageFolder && starts && !instructions.some(({ arguments: text }) => text.includes('NODE_ENV'))
      )
    })
    isNamed ??= namesVariable('NODE_ENV', files)
    return bare === undefined || isNamed ? undefined : { app: bare.file }
  }
}

/** The package.json that starts a server by itself, by its folder: `"start": "node app.js"`. What `cds` starts has a profile of its own. */
function startersOf(files: ReadonlyMap<string, ProjectFile>): ReadonlyMap<string, string> {
  return new Map(
    [...files.values()].flatMap(({ path, content }) => {
      if (!/(?:^|\/)package\.json$/.test(path) || content.as !== 'data') return []
      const starts = content.roots.some((root) =>
        /^(?:node|nodemon|ts-node|tsx)\s/.test(stringOf(at(root, 'scripts', 'start')) ?? ''),
      )
      return starts ? [[folderOf(path), path] as const] : []
    }),
  )
}

function lastOf(variables: readonly EnvironmentVariable[]): EnvironmentVariable | undefined {
  return variables.findLast(({ name }) => name === 'NODE_ENV')
}

/** What only the deployer knows may be production. */
export function isUnproductive(value: string | undefined): value is string {
  return value !== undefined && /^[\w.-]{1,60}$/.test(value.trim()) && value.trim() !== 'production'
}

/** Descriptors of a project have far fewer. */
const MAX_NODES = 20_000

/** Whether a descriptor, an environment file, a pipeline or a script of package.json names a variable of the environment. */
export function namesVariable(
  name: string,
  files: ReadonlyMap<string, ProjectFile>,
  mayName: (file: ProjectFile) => boolean = isDescriptor,
): boolean {
  const left = { nodes: MAX_NODES }
  for (const file of files.values()) {
    const { kind, content } = file
    if (kind.test || !mayName(file)) continue
    if (content.as === 'text' && content.text?.includes(name) === true) return true
    if (content.as === 'data' && content.roots.some((node) => speaksOf(node, name, left))) return true
  }
  return false
}

function isDescriptor({ kind: { role, language } }: ProjectFile): boolean {
  return role !== undefined || language === 'yaml'
}

/** A descriptor that sets something: `.env.example` tells developers what to set. */
export function isInUse(file: ProjectFile): boolean {
  return isDescriptor(file) && !/[._-](?:example|sample|template|dist)(?:\.|$)/i.test(file.path)
}

function speaksOf(root: DataNode, name: string, left: { nodes: number }): boolean {
  const queue: DataNode[] = [root]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    // a tree that is too large to be searched may hold it
    if (--left.nodes < 0) return true
    if (node.kind === 'object') {
      for (const { key, value } of node.members) {
        if (key === name) return true
        queue.push(value)
      }
    } else if (node.kind === 'array') for (const item of node.items) queue.push(item)
    else if (stringOf(node)?.includes(name) === true) return true
  }
  return false
}
