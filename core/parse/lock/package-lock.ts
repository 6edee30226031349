import { ParseFailure } from '../failure.ts'
import { checkJson, withoutMark } from '../json.ts'
import { checkJsonSize } from '../json-size.ts'
import type { Span } from '../../types.ts'
import { toPackages } from './graph.ts'
import type { LockNode, LockRoot } from './types.ts'
import { visitObjectKeys } from './json-keys.ts'
import { gradeIntegrity, hostOf, isExactVersion, isPackageName, MAX_ADDRESS, registryOf } from './names.ts'
import type { LockedPackages, LockFacts, LockImporter, LockOrigin, PackageScope } from './types.ts'

/** Any object of a lock file; its members may be of any type. */
type Fields = Readonly<Record<string, unknown>>

interface Entry {
  readonly key: string
  readonly fields: Fields
  readonly span: Span
}

const FOLDER = 'node_modules/'
/** Deeper or longer ones are nobody's; each step of a chain looks at every level. */
const MAX_KEY = 600
const MAX_LEVELS = 24
const MAX_TEXT = 200
/** Look-ups of what a package requires; a lock file of 20 MB needs a third. */
const MAX_LOOKUPS = 500_000

/**
 * Reads package-lock.json and npm-shrinkwrap.json of lockfileVersion 1, 2 and 3 (npm documentation, "package-lock.json").
 * Throws a ParseFailure where it is no JSON object.
 */
export function readPackageLock(text: string): Omit<LockedPackages, 'file'> {
  const json = withoutMark(text)
  const root = parseFields(json)
  const packages = root['packages']
  const flat = isFields(packages)
  const entries = flat ? collectFlat(packages, json) : collectNested(root, json)
  const places = createPlaces(entries)
  const nodes = new Map<string, LockNode>()
  const roots: LockRoot[] = []
  const importers: LockImporter[] = []
  const holders = findHolders(entries, places)
  for (const { key, fields, span } of entries.values()) {
    if (isOwn(key)) {
      for (const root of rootsOf(key, fields, places)) roots.push(root)
      importers.push(toImporter(key, fields, entries, places))
    } else if (fields['link'] !== true)
      nodes.set(key, toNode({ key, fields, span }, places, holders.get(key), { ...readParents(key, entries), isNested: !flat }))
  }
  if (!flat) adoptNested(nodes)
  const { packages: listed, others, ownHost } = toPackages({ nodes, hostless: false, ...(flat && { roots }) })
  // version 1 doesn't tell what the project itself names: a package.json does, by the names on top
  const told = flat
    ? { importers }
    : { unscoped: { nodes, hostless: false, keys: new Map<string, string>(), namesakes: namesOnTop(nodes) } }
  const lock: LockFacts = { ownHost, others, ...told }
  return { packages: listed, lock }
}

function namesOnTop(nodes: ReadonlyMap<string, LockNode>): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, readonly string[]>()
  for (const key of nodes.keys()) if (key.lastIndexOf(FOLDER) === 0) named.set(key.slice(FOLDER.length), [key])
  return named
}

/** Copies what is asked for later: the text of a lock file must not outlive its reading. */
function toImporter(folder: string, fields: Fields, entries: ReadonlyMap<string, Entry>, places: Places): LockImporter {
  const versions = new Map<string, string | undefined>()
  for (const [member] of ROOT_MEMBERS) {
    for (const name of namesIn(fields, member)) {
      const key = places.resolve(folder, name)
      const found = key === undefined ? undefined : entries.get(key)?.fields
      if (found === undefined) continue
      const version = textOf(found, 'version')
      versions.set(name, found['link'] === true || !isExactVersion(version) ? undefined : version)
    }
  }
  return { folder, versions }
}

function parseFields(text: string): Fields {
  checkJsonSize(text)
  try {
    const root: unknown = JSON.parse(text)
    if (isFields(root)) return root
  } catch {
    // says where it went wrong, or accepts what npm does not write
    checkJson(text)
  }
  throw new ParseFailure('syntax', 0)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member of its own, for names that a file gives: nothing inherited is read, whatever it calls its packages. */
function fieldOf(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

function collectFlat(packages: Fields, text: string): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  visitObjectKeys(text, (key, span, around) => {
    if (around.length === 0) return key === 'packages'
    if (key.length > MAX_KEY) return false
    const fields = fieldOf(packages, key)
    if (isFields(fields) && !isTooDeep(key)) entries.set(key, { key, fields, span })
    return false
  })
  return entries
}

function isTooDeep(key: string): boolean {
  return key.length >= MAX_LEVELS * FOLDER.length && key.split(FOLDER).length > MAX_LEVELS
}

/** Version 1 nests what is not on top; its entries get the keys that they have in later versions. */
function collectNested(root: Fields, text: string): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  visitObjectKeys(text, (name, span, around) => {
    if (around.length % 2 === 0) return name === 'dependencies'
    if (around.length > 2 * MAX_LEVELS || !isPackageName(name)) return false
    let key = FOLDER
    for (let at = 1; at < around.length; at += 2) key += `${around[at] ?? ''}/${FOLDER}`
    key += name
    const above = around.length === 1 ? root : entries.get(key.slice(0, -name.length - FOLDER.length - 1))?.fields
    const among = above === undefined ? undefined : fieldOf(above, 'dependencies')
    const fields = isFields(among) ? fieldOf(among, name) : undefined
    if (isFields(fields)) entries.set(key, { key, fields, span })
    return isFields(fields)
  })
  return entries
}

/** The project itself and its workspaces: folders, not packages. */
function isOwn(key: string): boolean {
  return !key.startsWith(FOLDER) && !key.includes(`/${FOLDER}`)
}

const ROOT_MEMBERS: readonly (readonly [string, PackageScope])[] = [
  ['dependencies', 'production'],
  ['optionalDependencies', 'production'],
  ['peerDependencies', 'production'],
  ['devDependencies', 'development'],
]

function rootsOf(key: string, fields: Fields, places: Places): LockRoot[] {
  return ROOT_MEMBERS.flatMap(([member, scope]) =>
    namesIn(fields, member).flatMap((name) => {
      const found = places.resolve(key, name)
      return found === undefined ? [] : [{ key: found, scope }]
    }),
  )
}

/** Peers last: npm installs them too, but a chain through a real dependency says more. */
const REQUIRED = ['dependencies', 'optionalDependencies', 'requires', 'peerDependencies']

/**
 * Version 1 has the packages below another one in `dependencies`, and what that requires in `requires`: some of the former are there for each other. The one around them counts where none of them
 * requires it.
 */
function adoptNested(nodes: Map<string, LockNode>): void {
  const required = new Set([...nodes.values()].flatMap(({ requires }) => requires))
  for (const key of nodes.keys()) {
    const at = key.lastIndexOf(`/${FOLDER}`)
    const around = at <= 0 || required.has(key) ? undefined : nodes.get(key.slice(0, at))
    if (around === undefined) continue
    const { requires, ranges = [] } = around
    nodes.set(key.slice(0, at), { ...around, requires: [...requires, key], ranges: [...ranges, undefined] })
  }
}

function toNode(
  { key, fields, span }: Entry,
  places: Places,
  heldBy: string | undefined,
  { isNested, haveShrinkwrap, isDevelopment: isBelowTool }: Parents & { readonly isNested: boolean },
): LockNode {
  const version = textOf(fields, 'version')
  const resolved = textOf(fields, 'resolved')
  const host = hostOf(resolved)
  // version 1 names an alias and its version together: `npm:real@1.2.3`
  const alias = version.startsWith('npm:') ? /^npm:(.{1,300})@([^@]{1,100})$/.exec(version) : null
  // another name in the entry is the real one of an alias
  const name = alias?.[1] ?? (textOf(fields, 'name') || nameOfKey(key))
  const exact = alias?.[2] ?? version
  const isRegistry = resolved === '' || host !== undefined
  const isDevelopment = fields['dev'] === true || fields['devOptional'] === true || isBelowTool
  const requires: string[] = []
  const ranges: (string | undefined)[] = []
  let optionalPeers: Set<string> | undefined
  for (const member of REQUIRED) {
    const required = member === 'dependencies' && isNested ? undefined : fields[member]
    if (!isFields(required)) continue
    for (const other of Object.keys(required)) {
      const found = places.resolve(key, other)
      if (found === undefined) continue
      if (member === 'peerDependencies' && isOptionalPeer(fields, other) && !requires.includes(found))
        (optionalPeers ??= new Set()).add(found)
      requires.push(found)
      const range = required[other]
      ranges.push(typeof range === 'string' ? range.slice(0, MAX_TEXT) : undefined)
    }
  }
  return {
    name,
    version: exact,
    start: span.start,
    end: span.end,
    listed: isRegistry && isPackageName(name) && isExactVersion(exact),
    scope: isDevelopment ? 'development' : 'production',
    host: registryOf(resolved),
    origin: originOf(fields, resolved, isRegistry && !haveShrinkwrap, heldBy),
    requires,
    ranges,
    ...(optionalPeers !== undefined && { optionalPeers }),
  }
}

/** npm documentation, "package.json": `peerDependenciesMeta`. */
function isOptionalPeer(fields: Fields, name: string): boolean {
  const all = fields['peerDependenciesMeta']
  const peer = isFields(all) ? fieldOf(all, name) : undefined
  return isFields(peer) && peer['optional'] === true
}

function originOf(fields: Fields, resolved: string, isHashed: boolean, heldBy: string | undefined): LockOrigin {
  const deprecated = textOf(fields, 'deprecated')
  return {
    resolved: resolved === '' ? undefined : resolved.slice(0, MAX_ADDRESS),
    // a bundled one comes in the archive of another, a git one is checked by its commit, a lock file that is published has no hashes
    integrity: isHashed && !isBundled(fields) ? gradeIntegrity(textOf(fields, 'integrity')) : undefined,
    runsOnInstall: fields['hasInstallScript'] === true ? true : undefined,
    deprecated: deprecated === '' ? undefined : deprecated.slice(0, MAX_TEXT),
    heldBy,
  }
}

/** What the packages say that an entry lies below. */
interface Parents {
  /** The entries come from a lock file in the archive of one of them. */
  readonly haveShrinkwrap: boolean
  readonly isDevelopment: boolean
}

const NO_PARENTS: Parents = { haveShrinkwrap: false, isDevelopment: false }

/** npm installs what lies below a package for that package alone: below one of development it is for development, though version 1 says so only on top. */
function readParents(key: string, entries: ReadonlyMap<string, Entry>): Parents {
  let parents = NO_PARENTS
  for (let at = key.lastIndexOf(`/${FOLDER}`); at > 0; at = key.lastIndexOf(`/${FOLDER}`, at - 1)) {
    const fields = entries.get(key.slice(0, at))?.fields
    if (fields === undefined) continue
    parents = {
      haveShrinkwrap: parents.haveShrinkwrap || fields['hasShrinkwrap'] === true,
      isDevelopment: parents.isDevelopment || fields['dev'] === true,
    }
  }
  return parents
}

/** Version 1 says `bundled`. */
function isBundled(fields: Fields): boolean {
  return fields['inBundle'] === true || fields['bundled'] === true
}

/** Which package decides the version of another, by the key of the other: it ships it, ships a lock file for it, or names one exact version. */
function findHolders(entries: ReadonlyMap<string, Entry>, places: Places): ReadonlyMap<string, string> {
  const holders = new Map<string, string>()
  for (const { key, fields } of entries.values()) {
    const at = key.lastIndexOf(`/${FOLDER}`)
    const above = at <= 0 ? undefined : entries.get(key.slice(0, at))
    const isHeld =
      isBundled(fields) ||
      (above !== undefined && (above.fields['hasShrinkwrap'] === true || readParents(above.key, entries).haveShrinkwrap))
    if (isHeld && at > 0) holders.set(key, nameOfKey(key.slice(0, at)))
    if (isOwn(key)) continue
    const required = fields['dependencies']
    if (!isFields(required)) continue
    for (const name of Object.keys(required)) {
      const range = required[name]
      const held = typeof range === 'string' && isExactVersion(range) ? places.resolve(key, name) : undefined
      if (held !== undefined && !holders.has(held)) holders.set(held, nameOfKey(key))
    }
  }
  return holders
}

function nameOfKey(key: string): string {
  return key.slice(key.lastIndexOf(FOLDER) + FOLDER.length)
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

const NO_NAMES: readonly string[] = []

function namesIn(fields: Fields, member: string): readonly string[] {
  const value = fields[member]
  return isFields(value) ? Object.keys(value) : NO_NAMES
}

/** Where Node finds a package of a name: in the nearest folder above. */
interface Places {
  resolve(from: string, name: string): string | undefined
}

function createPlaces(entries: ReadonlyMap<string, Entry>): Places {
  // most packages stand on top alone: then there is nothing to look for
  const nested = new Set<string>()
  const top = new Map<string, string>()
  for (const key of entries.keys()) {
    const at = key.lastIndexOf(FOLDER)
    if (at === 0) top.set(key.slice(FOLDER.length), key)
    else if (at > 0) nested.add(key.slice(at + FOLDER.length))
  }
  let left = MAX_LOOKUPS
  return {
    resolve(from, name) {
      for (let base = nested.has(name) ? from : ''; base !== '' && left-- > 0;) {
        const found = entries.get(`${base}/${FOLDER}${name}`)
        if (found !== undefined) return found.key
        base = base.slice(0, Math.max(0, base.lastIndexOf(`/${FOLDER}`)))
      }
      return top.get(name)
    },
  }
}
