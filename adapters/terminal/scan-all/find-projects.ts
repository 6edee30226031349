import { open, readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, dirname } from 'node:path'
import { isRefusal, Refusal } from '../../../core/index.ts'
import { PathNotFound, realPathOf } from '../path-not-found.ts'
import { isWithin } from '../../node/directory-policy.ts'

/** A folder or an archive that is one project. */
export interface FoundProject {
  /** As it was named, or as its folder was with its own name behind it. */
  readonly source: string
  /** With its links resolved. */
  readonly path: string
  readonly name: string
  readonly isFolder: boolean
}

/** What was named and is none. */
export interface MissingProject {
  readonly source: string
  readonly name: string
  readonly refusal: Refusal
}

export interface FoundProjects {
  /** In the order in which they were named, each path once. */
  readonly projects: readonly FoundProject[]
  readonly missing: readonly MissingProject[]
  /** Links in folders of repositories, which are not followed. */
  readonly links: readonly string[]
  /** Folders of such a folder in which there is no project. */
  readonly others: readonly string[]
}

const ARCHIVE = /\.(?:zip|mtar)$/i
/** Files and folders that a project has in its root. */
const MARKS: ReadonlySet<string> = new Set([
  '.git',
  'package.json',
  'ui5.yaml',
  'mta.yaml',
  'manifest.json',
  'xs-app.json',
  'xs-security.json',
  'manifest.yml',
  'pom.xml',
  'webapp',
  'srv',
  'parapet.config.json',
])
/** Folders down to which a repository has its first project, itself counted. */
const DEPTH = 3
const MOST_LIST = 16 * 1024 * 1024

/** Projects that the operands name: folders, archives, folders of repositories, and text files that list these one a line. `output` is never one of them. */
export async function findProjects(operands: readonly string[], output: string): Promise<FoundProjects> {
  const projects = new Map<string, FoundProject>()
  const missing: MissingProject[] = []
  const links: string[] = []
  const others: string[] = []
  const add = async (source: string, base: string, mayList: boolean): Promise<void> => {
    try {
      const path = await realPathOf(source, base)
      const isFolder = (await stat(path)).isDirectory()
      if (!isFolder && mayList && !(await isArchive(path))) {
        for (const line of await readList(path)) await add(line, dirname(path), false)
        return
      }
      const children = isFolder ? await listChildren(path, output) : undefined
      for (const link of children?.links ?? []) links.push(join(source, link))
      for (const other of children?.others ?? []) others.push(join(source, other))
      const named = children?.projects.map((child) => toProject(join(source, child.name), join(path, child.name), child.isFolder))
      for (const project of named ?? [toProject(source, path, isFolder)]) {
        if (isFolder && isWithin(output, project.path)) continue
        if (!projects.has(project.path)) projects.set(project.path, project)
      }
    } catch (error) {
      missing.push({ source, name: basename(source), refusal: isRefusal(error) ? error : new PathNotFound(source) })
    }
  }
  for (const operand of operands) await add(operand, '.', true)
  return { projects: [...projects.values()], missing, links, others }
}

function toProject(source: string, path: string, isFolder: boolean): FoundProject {
  const name = basename(path)
  return { source, path, isFolder, name: isFolder ? name : name.replace(ARCHIVE, '') }
}

/** By its name, or its first bytes: one that is damaged is still no list. */
async function isArchive(path: string): Promise<boolean> {
  if (ARCHIVE.test(path)) return true
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return buffer.subarray(0, bytesRead).toString('latin1') === 'PK'
  } finally {
    await file.close()
  }
}

/** Lines of a list; empty ones and those that begin with `#` are none. Paths are relative to its folder. */
async function readList(path: string): Promise<string[]> {
  const { size } = await stat(path)
  if (size > MOST_LIST) throw new Refusal('upload-too-large', { limit: MOST_LIST })
  const text = await readFile(path, 'utf8')
  // neither an archive nor a text
  if (/[\0\ufffd]/.test(text)) throw new Refusal('archive-invalid', { reason: 'not-a-zip' })
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

interface Children {
  readonly projects: readonly { readonly name: string; readonly isFolder: boolean }[]
  readonly links: readonly string[]
  readonly others: readonly string[]
}

/** The projects of a folder of repositories; undefined where the folder is a project itself, or holds none. */
async function listChildren(folder: string, output: string): Promise<Children | undefined> {
  const entries = await readdir(folder, { withFileTypes: true })
  if (entries.some(({ name }) => MARKS.has(name))) return undefined
  const projects: { name: string; isFolder: boolean }[] = []
  const others: string[] = []
  for (const entry of entries) {
    const { name } = entry
    if (entry.isFile() && ARCHIVE.test(name)) projects.push({ name, isFolder: false })
    const path = join(folder, name)
    if (!entry.isDirectory() || isWithin(output, path)) continue
    if (await holdsProject(path, DEPTH)) projects.push({ name, isFolder: true })
    else others.push(name)
  }
  projects.sort((one, other) => (one.name < other.name ? -1 : 1))
  const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name)
  return projects.length === 0 ? undefined : { projects, links: links.sort(), others: others.sort() }
}

/** Whether a folder, or one of its folders, has what a project has: many repositories keep theirs beside documents. */
async function holdsProject(folder: string, depth: number): Promise<boolean> {
  // one that can't be read is told when it is scanned
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined)
  if (entries === undefined || entries.some(({ name }) => MARKS.has(name))) return true
  if (depth === 1) return false
  for (const entry of entries) if (entry.isDirectory() && (await holdsProject(join(folder, entry.name), depth - 1))) return true
  return false
}
