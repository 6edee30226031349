import type { Role } from '../files.ts'
import { folderOf, ownerOf } from '../paths.ts'
import { isCode, isDescriptive } from './kinds.ts'
import type { PlannedFile, ScanPlan } from './open.ts'

/** Bytes of code that a narrowed scan must leave out, at least: half a second of reading, and what is done twice costs a fifth of it. */
const LEAST = 1024 * 1024

/**
 * What tells first of the code at `paths`: all of the modules that it lies in, and what decides about every module (descriptors, models of services). Undefined
 * where no code of the plan is meant, or so little is left out that the whole plan is done about as soon.
 */
export function narrowPlan(
  plan: ScanPlan,
  paths: readonly string[],
): { readonly plan: ScanPlan; readonly paths: readonly string[] } | undefined {
  const wanted = new Set(paths)
  const meant = plan.files.filter((file) => wanted.has(file.path) && file.scope === 'all' && isCode(file.kind))
  if (meant.length === 0) return undefined
  const moduleOf = createModuleFinder(plan.files)
  const modules = new Set(meant.map(({ path }) => moduleOf(path)))
  const isNeeded = (file: PlannedFile): boolean =>
    file.scope === 'all' && (modules.has(moduleOf(file.path)) || (!file.kind.test && isDescriptive(file.kind)))
  const files = plan.files.filter(isNeeded)
  const kept = new Set(files)
  const leftOut = plan.files.filter((file) => file.scope === 'all' && isCode(file.kind) && !kept.has(file))
  const bytes = leftOut.reduce((sum, { entry }) => sum + entry.size, 0)
  return bytes < LEAST ? undefined : { plan: { ...plan, files, of: plan }, paths: meant.map(({ path }) => path) }
}

const OF_MODULE: ReadonlySet<Role | undefined> = new Set(['manifest', 'package', 'ui5-yaml', 'library', 'pom'])
/** Of an app that no descriptor declares. */
const SOURCES = 'webapp'

/** The folder of the module that a file lies in: the nearest one with a descriptor, or `webapp`. */
function createModuleFinder(files: readonly PlannedFile[]): (path: string) => string {
  const folders = new Set(files.flatMap(({ path, kind }) => (OF_MODULE.has(kind.role) ? [folderOf(path)] : [])))
  return (path) => {
    const declared = ownerOf(path, folders) ?? ''
    const at = `/${path}`.lastIndexOf(`/${SOURCES}/`)
    return at < declared.length ? declared : path.slice(0, at + SOURCES.length)
  }
}
