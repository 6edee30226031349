import { at, itemsOf, membersOf, stringOf, type DataNode } from '../parse/data.ts'
import { ParseFailure } from '../parse/failure.ts'
import { parseJson } from '../parse/json.ts'
import { append } from '../lists.ts'
import { folderOf, foldersAround, isBelow, joinPath, ownerOf, resolvePath } from '../paths.ts'
import { runtimesOf, type PackageRuntimes } from './runtimes.ts'

export { isOfPages, isOfServer } from './runtimes.ts'

/** A file of the project by its path, with its text where a descriptor is asked for. */
export interface ModuleFiles {
  readonly paths: ReadonlySet<string>
  readonly textOf: (path: string) => string | undefined
}

/** What the names of modules stand for that come from no registry: packages of the same workspace, `imports` of a package, `paths` of TypeScript. Plain data. */
export interface OwnModules extends PackageRuntimes {
  /** By the first segment of the names; '' where a pattern begins with a star. */
  readonly rows: ReadonlyMap<string, readonly OwnModule[]>
  readonly paths: ReadonlySet<string>
}

interface OwnModule {
  /** `@shop/shared`, `@shop/shared/*`. */
  readonly pattern: string
  /** Paths of the project, the first one that exists counts. */
  readonly targets: readonly string[]
  /** Only in files below this folder. */
  readonly within?: string
  /** Not in files of this package: a package knows its own name only by `exports`. */
  readonly outside?: string
}

const DESCRIPTORS = /(?:^|\/)(?:package|tsconfig|jsconfig)\.json$/
/** Views and controllers name their modules by the id of the app. */
const OF_UI5 = /(?:^|\/)webapp\//
const MAX_EXTENDS = 3

/** Reads what the descriptors of a project say of its own modules. Undefined: nothing. */
export function readOwnModules(files: ModuleFiles): OwnModules | undefined {
  const descriptors = [...files.paths].filter((path) => DESCRIPTORS.test(path)).sort()
  const parsed = new Map(descriptors.flatMap((path) => parse(path, files)).map(({ path, root }) => [path, root]))
  if (parsed.size === 0) return undefined
  const found = [...parsed].flatMap(([path, root]) =>
    path.endsWith('package.json') ? packageRows(path, root, parsed) : configRows(path, root, files),
  )
  const rows = new Map<string, OwnModule[]>()
  for (const row of found) {
    const [head = ''] = row.pattern.split('/')
    const key = head.includes('*') ? '' : head
    append(rows, key, row)
  }
  return {
    rows,
    packages: new Set([...parsed.keys()].filter((path) => path.endsWith('package.json')).map(folderOf)),
    ...runtimesOf(parsed, files.paths),
    paths: files.paths,
  }
}

interface Descriptor {
  readonly path: string
  readonly root: DataNode
}

function parse(path: string, { textOf }: ModuleFiles): Descriptor[] {
  const text = textOf(path)
  try {
    return text === undefined ? [] : [{ path, root: parseJson(text) }]
  } catch (error) {
    // reading the file itself reports it
    if (error instanceof ParseFailure) return []
    throw error
  }
}

/** Facts: Node.js 24, "Packages" (main, exports, imports); npm, "workspaces" and "Local Paths"; module-alias 2 (README). */
function packageRows(path: string, root: DataNode, others: ReadonlyMap<string, DataNode>): OwnModule[] {
  const folder = folderOf(path)
  const name = stringOf(at(root, 'name'))
  const rows = name === undefined ? [] : nameRows(name, folder, root)
  for (const { key, value } of membersOf(at(root, 'imports')))
    if (key.startsWith('#'))
      rows.push({ pattern: key, targets: targetsOf(value).flatMap((target) => below(folder, target)), within: folder })
  for (const { key, value } of membersOf(at(root, '_moduleAliases')))
    for (const target of targetsOf(value)) rows.push(...folderRows(key, below(folder, target), folder))
  for (const kind of ['dependencies', 'devDependencies'])
    for (const { key, value } of membersOf(at(root, kind))) {
      const [, address] = /^(?:file|link|portal):(.+)$/.exec(stringOf(value) ?? '') ?? []
      const [target] = address === undefined ? [] : below(folder, address)
      const other = target === undefined ? undefined : others.get(joinPath(target, 'package.json'))
      if (target !== undefined && other !== undefined)
        rows.push(...nameRows(key, target, other).map((row) => ({ ...row, within: folder })))
    }
  return rows
}

function nameRows(name: string, folder: string, root: DataNode): OwnModule[] {
  const exported = at(root, 'exports')
  const subpaths = membersOf(exported).filter(({ key }) => key.startsWith('.'))
  const outside = exported === undefined ? { outside: folder } : {}
  const main = [
    ...targetsOf(subpaths.length > 0 ? subpaths.find(({ key }) => key === '.')?.value : exported),
    ...['main', 'module'].flatMap((key) => stringOf(at(root, key)) ?? []),
    './index',
    './src/index',
  ]
  const named = subpaths.filter(({ key }) => key !== '.')
  return [
    { pattern: name, targets: main.flatMap((target) => below(folder, target)), ...outside },
    ...named.map(({ key, value }) => ({
      pattern: `${name}${key.slice(1)}`,
      targets: targetsOf(value).flatMap((target) => below(folder, target)),
      ...outside,
    })),
    { pattern: `${name}/*`, targets: ['./*', './src/*'].flatMap((target) => below(folder, target)), ...outside },
  ]
}

/** A name for a folder, or for a file. */
function folderRows(name: string, targets: readonly string[], within: string): OwnModule[] {
  return [
    { pattern: name, targets, within },
    { pattern: `${name}/*`, targets: targets.map((target) => joinPath(target, '*')), within },
  ]
}

/** Fact: TypeScript, "paths" and "baseUrl". */
function configRows(path: string, root: DataNode, files: ModuleFiles): OwnModule[] {
  const within = folderOf(path)
  let here: Descriptor | undefined = { path, root }
  for (let hops = 0; here !== undefined && hops < MAX_EXTENDS; hops++) {
    const options = at(here.root, 'compilerOptions')
    const baseUrl = stringOf(at(options, 'baseUrl'))
    const [base] = below(folderOf(here.path), baseUrl ?? '.')
    const named = membersOf(at(options, 'paths'))
    if (base !== undefined && (named.length > 0 || baseUrl !== undefined))
      return [
        ...named.map(({ key, value }) => ({
          pattern: key,
          targets: itemsOf(value).flatMap((item) => below(base, stringOf(item) ?? '')),
          within,
        })),
        ...(baseUrl === undefined ? [] : [{ pattern: '*', targets: [joinPath(base, '*')], within }]),
      ]
    const extended: string | undefined = stringOf(at(here.root, 'extends'))
    const next: string | undefined = extended?.startsWith('.') === true ? resolvePath(here.path, extended) : undefined
    here =
      next === undefined ? undefined : [next, `${next}.json`].map((one) => parse(one, files)[0]).find((one) => one !== undefined)
  }
  return []
}

/** The texts of a target: of conditions all, in their order. */
function targetsOf(node: DataNode | undefined): string[] {
  const text = stringOf(node)
  if (text !== undefined) return [text]
  return [
    ...membersOf(node).flatMap(({ key, value }) => (key === 'types' ? [] : targetsOf(value))),
    ...itemsOf(node).flatMap(targetsOf),
  ]
}

function below(folder: string, target: string): string[] {
  if (target === '') return []
  const path = resolvePath(joinPath(folder, 'package.json'), target)
  return path === undefined ? [] : [path]
}

/** Gives the relative names of the files of the project that modules of other names are; undefined for what is relative already, or comes from a registry. */
export function relativeNames(
  from: string,
  modules: OwnModules | undefined,
  step: (count?: number) => void,
): ((source: string) => string | undefined) | undefined {
  return modules && ((source) => relativeNameOf(from, source, modules, step))
}

function relativeNameOf(
  from: string,
  source: string,
  { rows, packages, paths }: OwnModules,
  step: (count?: number) => void,
): string | undefined {
  if (source.startsWith('.') || OF_UI5.test(from)) return undefined
  if (source.startsWith('/')) return nearestBelow(from, source.slice(1), paths, step)
  const [head = ''] = source.split('/')
  const own = [...(rows.get(head) ?? []), ...(rows.get('') ?? [])]
  if (own.length === 0) return undefined
  step(own.length)
  const around = ownerOf(from, packages)
  const fitting = own
    .filter(
      ({ within, outside }) => (within === undefined || isBelow(from, within)) && (outside === undefined || outside !== around),
    )
    .sort((one, other) => (other.within?.length ?? -1) - (one.within?.length ?? -1))
  for (const { pattern, targets } of fitting) {
    const part = matched(pattern, source)
    if (part === undefined) continue
    for (const target of targets) {
      const file = existing(target.replace('*', part), paths)
      if (file !== undefined && file !== from) return toRelative(from, file)
    }
  }
  return undefined
}

/** A path below a folder that only the running program knows: in the folder of the file, or the nearest one above it that has such a file. */
function nearestBelow(from: string, path: string, paths: ReadonlySet<string>, step: () => void): string | undefined {
  for (const folder of foldersAround(from)) {
    step()
    const file = existing(joinPath(folder, path), paths)
    if (file !== undefined && file !== from) return toRelative(from, file)
  }
  return undefined
}

/** What a star stands for; '' where there is none. */
function matched(pattern: string, source: string): string | undefined {
  const star = pattern.indexOf('*')
  if (star < 0) return pattern === source ? '' : undefined
  const end = pattern.slice(star + 1)
  const isFitting = source.startsWith(pattern.slice(0, star)) && source.endsWith(end) && source.length >= pattern.length - 1
  return isFitting ? source.slice(star, source.length - end.length) : undefined
}

const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '/index.js', '/index.ts', '.tsx', '.jsx', '/index.mjs']
/** Folders that compilers write to, and what they are made from. */
const BUILT = /^((?:[^/]{1,200}\/){0,20}?)(?:dist|lib|build|out|gen)\/(?:(?:cjs|esm|src)\/)?(.{1,300})$/

/** A file by its path with or without an ending; of what is built, the source. */
function existing(path: string, paths: ReadonlySet<string>): string | undefined {
  const plain = path.replace(/\.(?:d\.ts|[cm]?js)$/, '')
  const source = BUILT.exec(plain)
  const ways = [
    path,
    plain,
    ...(source === null ? [] : [`${source[1] ?? ''}src/${source[2] ?? ''}`, `${source[1] ?? ''}${source[2] ?? ''}`]),
  ]
  for (const way of ways)
    for (const ending of ENDINGS) {
      const file = `${way}${ending}`
      if (paths.has(file) && /\.[cm]?[jt]sx?$/.test(file)) return file
    }
  return undefined
}

function toRelative(from: string, to: string): string {
  const start = folderOf(from).split('/').filter(Boolean)
  const end = to.split('/')
  let shared = 0
  while (shared < start.length && shared < end.length - 1 && start[shared] === end[shared]) shared++
  const up = start.slice(shared).map(() => '..')
  return [...(up.length === 0 ? ['.'] : up), ...end.slice(shared)].join('/')
}
