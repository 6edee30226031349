import { constantOf } from '../../facts/constants.ts'
import { directParts, pathsOf, resolveValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { ProjectFile } from '../../files.ts'
import { append } from '../../lists.ts'
import { endsWithAny, fileNameOf, folderOf, foldersAround, isBelow, joinPath, resolvePath } from '../../paths.ts'
import { isOfUi5App, isToolFile } from '../script/index.ts'
import { usageByPath } from './usage.ts'

/** The modules of the project that one script loads, as they are written; `open`: the folders below which it loads one whose name is made at run time, `.` for its own, undefined for any. */
interface LoadedModules {
  readonly sources: readonly string[]
  readonly open: readonly (string | undefined)[]
  /** Ends of paths behind an alias: `hooks/rows` of `@/hooks/rows`. */
  readonly aliased: readonly string[]
  /** It gives an implementation of a service: `cds.service.impl(…)`. */
  readonly isService?: true
}

/** Facts: TypeScript, "paths" and "baseUrl"; Vite, `resolve.alias`; Node.js, "Subpath imports". What stands behind it is looked for anywhere. */
const ALIAS = /^(?:[@~]\/|~|#[\w-]{0,40}\/?|(?:src|app|lib|srv|server)\/)([\w-][^?#]{0,200})$/

/** Fact: capire, "Implementing Services" (cds.service.impl). */
const SERVICE = /^(?:global:cds|module:@sap\/cds)(?: default)? service impl$/

/** One item for each script of a server. */
export const loadedModules: Extract<LoadedModules> = defineExtract({
  name: 'reach-loaded-modules',
  isFor: (path) => !isOfUi5App(path),
  withFlow: true,
  collect({ facts }) {
    const sources = facts.imports.flatMap(({ source }) =>
      /^\.{0,2}\//.test(source) || source === '.' || source === '..' ? source : [],
    )
    const aliased = facts.imports.flatMap(({ source }) => ALIAS.exec(source)?.[1] ?? [])
    const open = facts.calls.flatMap(({ callee, args: [first] }) => {
      const loads = callee.kind === 'import' || lastNameOf(callee) === 'require'
      return loads && (first === undefined || constantOf(first) === undefined) ? [folderIn(first)] : []
    })
    const isService = facts.calls.some(({ callee }) => pathsOf(callee).some((path) => SERVICE.test(path.join(' '))))
    return [{ sources, open, aliased, ...(isService && { isService }) }]
  },
})

/** `path.join(__dirname, 'handlers', name)`, `__dirname + '/' + name`: below which folder that is, beside the script; undefined: nothing tells. */
function folderIn(value: Value | undefined): string | undefined {
  const parts = value === undefined ? [] : directParts(resolveValue(value))
  const [first] = parts
  const isJoined = first !== undefined && /^(?:join|resolve)$/.test(lastNameOf(first) ?? '')
  const [folder, ...rest] = isJoined ? parts.slice(1) : parts
  if (folder === undefined || lastNameOf(folder) !== '__dirname') return undefined
  const made = rest.findIndex((part) => constantOf(part) === undefined)
  return ['.', ...rest.slice(0, Math.max(made, 0)).map((part) => String(constantOf(part)))].join('/')
}

/** What starts by itself, or is loaded by its name: by Node.js, CAP, a test runner, a tool. */
const ENTRY =
  /^(?:index|server|main|app|start|cds-plugin|init|bootstrap|worker|provisioning|(?:job|cron|mtx|launch)\w{0,40})\.[cm]?[jt]sx?$/i
const SETTINGS = /\.(?:config|conf|d)\.[cm]?[jt]sx?$/i

/** What a browser gets as it lies there: a page, a launchpad or a manifest names it, no script. Facts: Vite, "The public Directory"; Express, "Serving static files". */
const SERVED = /(?:^|\/)(?:public|static|www|wwwroot)\//

function isEntry(file: string): boolean {
  return ENTRY.test(fileNameOf(file)) || SETTINGS.test(file) || SERVED.test(file)
}

/** Whether something else than a script that loads it by its path starts a script. */
export function startsItself(file: string, files: ReadonlyMap<string, ProjectFile>): boolean {
  return isEntry(file) || implementsModel(withoutEnding(file), files)
}

/** What is known of the modules of one package. */
interface PackageModules {
  readonly owner: string
  /** Some script loads a module of which nothing tells where it lies. */
  isOpen: boolean
  /** Folders below which scripts load whatever lies there. */
  readonly open: Set<string>
  /** Ends of paths behind an alias. */
  readonly aliased: Set<string>
  readonly own: string[]
  readonly services: Set<string>
  edges: number
}

/**
 * Scripts of servers that nothing that runs loads, be it by others: told only where a package's modules are known well enough, that is where others are loaded by
 * constant names, none by a name that is made at run time, and no descriptor names the script. The implementation of a service that no model has needs no others,
 * nor does a copy beside its original.
 */
export function findUnloaded(
  files: ReadonlyMap<string, ProjectFile>,
  scripts: Scripts,
  ownerOf: (file: string) => string | undefined,
  namedInDescriptors: (name: string) => boolean,
): ReadonlySet<string> {
  const packages = new Map<string, PackageModules>()
  const loaders = new Map<string, string[]>()
  for (const { file, value } of scripts.get(loadedModules)) {
    const owner = ownerOf(file)
    // what tests and tools load, nothing that runs does
    if (owner === undefined || isForDevelopers(file)) continue
    const modules = packages.get(owner) ?? createModules(owner)
    packages.set(owner, modules)
    addScript(file, value, modules)
    for (const target of targetsOf(file, value)) append(loaders, target, file)
  }
  const unloaded = new Set<string>()
  const isLoaded = (base: string): boolean =>
    [base, folderOf(base)].some((one) => loaders.get(one)?.some((loader) => !unloaded.has(loader)) === true)
  /** Nothing but a script that loads it by its path can start it. */
  const needsLoader = (file: string, { open, aliased }: PackageModules): boolean => {
    const base = withoutEnding(file)
    if (startsItself(file, files) || [...foldersAround(file)].some((one) => open.has(one))) return false
    return !endsWithAny(base, aliased) && !endsWithAny(folderOf(base), aliased) && !namedInDescriptors(fileNameOf(base))
  }
  const known = [...packages.values()].flatMap((one) => {
    if (one.isOpen) return []
    const { owner, own, services } = one
    const isOfOther = services.size > 0 && definesService(owner, files)
    return { ...one, isOfOther, candidates: own.filter((file) => needsLoader(file, one)) }
  })
  // what only such a script loads is none that runs either
  for (let round = 0, before = -1; round < MAX_ROUNDS && unloaded.size > before; round++) {
    before = unloaded.size
    for (const { own, candidates, isOfOther, services, edges } of known) {
      const left = candidates.filter((file) => !isLoaded(withoutEnding(file)))
      const isKnown = edges >= LEAST_EDGES && left.length <= own.length * MOST_UNLOADED
      for (const file of left) if (isKnown || (isOfOther && services.has(file)) || isLeftCopy(file, files)) unloaded.add(file)
    }
  }
  return unloaded
}

const MAX_ROUNDS = 5

/** What file managers and editors call a copy, and what developers do before they change a script. Facts: Windows, macOS and Linux in English, German, French and Spanish. */
const COPY_NAME =
  /^(.{1,200}?)(?: ?\(\d{1,3}\)|(?: -)? (?:copy|Kopie|copie|copia)(?: ?\(?\d{1,3}\)?)?|[-_.](?:copy|old|orig|bak|backup))(\.[cm]?[jt]s)$/i

/** `orders copy.js` beside `orders.js`, which is the one that CAP finds beside the model. Fact: capire, "Implementing Services" (same name, same folder). */
function isLeftCopy(file: string, files: ReadonlyMap<string, ProjectFile>): boolean {
  const [, name, ending] = COPY_NAME.exec(fileNameOf(file)) ?? []
  return name !== undefined && files.has(joinPath(folderOf(file), `${name}${ending}`))
}

function createModules(owner: string): PackageModules {
  return { owner, isOpen: false, open: new Set(), aliased: new Set(), own: [], services: new Set(), edges: 0 }
}

function addScript(file: string, value: LoadedModules, known: PackageModules): void {
  known.own.push(file)
  known.edges += targetsOf(file, value).length
  if (value.isService === true) known.services.add(file)
  for (const end of value.aliased) known.aliased.add(withoutEnding(end))
  for (const folder of value.open) {
    const target = folder === undefined ? undefined : resolvePath(file, folder)
    if (target === undefined) known.isOpen = true
    else known.open.add(target)
  }
}

function isForDevelopers(file: string): boolean {
  return usageByPath(file) === 'unused' || isToolFile(file)
}

/** Models that are not in the project may define what a script implements. */
function definesService(owner: string, files: ReadonlyMap<string, ProjectFile>): boolean {
  for (const { path, content } of files.values())
    if (content.as === 'cds' && isBelow(path, owner))
      if (content.document.definitions.some(({ kind }) => kind === 'service')) return true
  return false
}

/** What a script loads, by its paths without their endings. */
function targetsOf(file: string, { sources }: LoadedModules): readonly string[] {
  return sources.flatMap((source) => {
    const target = resolvePath(file, source)
    return target === undefined ? [] : withoutEnding(target)
  })
}

/** Tells which scripts load a script of the project by its path. */
export function createLoaders(scripts: Scripts): (file: string) => readonly string[] {
  let known: Map<string, string[]> | undefined
  const read = (): Map<string, string[]> => {
    const loaders = new Map<string, string[]>()
    for (const { file, value } of scripts.get(loadedModules))
      for (const target of targetsOf(file, value)) append(loaders, target, file)
    return loaders
  }
  return (file) => {
    known ??= read()
    const base = withoutEnding(file)
    return known.get(base) ?? (base.endsWith('/index') ? known.get(folderOf(base)) : undefined) ?? []
  }
}

/** With fewer the modules of a package are loaded in a way that is not understood here: by an alias, by a framework. */
const LEAST_EDGES = 3
const MOST_UNLOADED = 0.25

/** CAP loads what lies beside a model of its name, or in `lib` and `handlers` beside it. Fact: @sap/cds 9.9.3, lib/srv/factory.js. */
function implementsModel(base: string, files: ReadonlyMap<string, ProjectFile>): boolean {
  const [folder, name] = [folderOf(base), fileNameOf(base)]
  const above = /(?:^|\/)(?:lib|handlers)$/.test(folder) ? folderOf(folder) : folder
  return [folder, above].some((one) => files.has(one === '' ? `${name}.cds` : `${one}/${name}.cds`))
}

export function withoutEnding(path: string): string {
  return path.replace(/\.(?:[cm]?[jt]sx?|json)$/, '')
}
