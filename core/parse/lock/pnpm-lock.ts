import { ParseFailure } from '../failure.ts'
import { toPackages } from './graph.ts'
import type { LockNode, LockRoot } from './types.ts'
import { isConflictMark, linesOf, splitPair } from './lines.ts'
import { gradeIntegrity, registryOf, isExactVersion, isPackageName, MAX_ADDRESS } from './names.ts'
import type { LockedPackages, LockOrigin, PackageScope } from './types.ts'

interface OpenNode {
  name: string
  version: string
  start: number
  end: number
  listed: boolean
  scope?: PackageScope
  host?: string
  origin: LockOrigin
  readonly requires: string[]
}

const SCOPES: ReadonlyMap<string, PackageScope> = new Map([
  ['dependencies', 'production'],
  ['optionalDependencies', 'production'],
  ['devDependencies', 'development'],
])
const MAX_TEXT = 200
const LISTS: ReadonlySet<string> = new Set(['dependencies', 'optionalDependencies'])

/**
 * Reads pnpm-lock.yaml of lockfileVersion 5 to 9 (pnpm 3 to 11) by its lines: pnpm writes it in one form. Packages are known by `name@version`,
 * whatever their peers. Throws a ParseFailure where it names no version of its form, or holds marks of a merge.
 */
export function readPnpmLock(text: string): Omit<LockedPackages, 'file'> {
  const nodes = new Map<string, OpenNode>()
  const roots: LockRoot[] = []
  let isPnpm = false
  let section = ''
  // with indent 2, 4 and 6: importer or package; list; dependency
  let above = ''
  let list = ''
  let dependency = ''
  let node: OpenNode | undefined
  const addRoot = (name: string, reference: string): void => {
    const key = keyOf(name, reference)
    const scope = SCOPES.get(list)
    if (key !== undefined && scope !== undefined) roots.push({ key, scope })
  }

  for (const line of linesOf(text)) {
    if (isConflictMark(line)) throw new ParseFailure('syntax', line.start)
    const pair = splitPair(line)
    if (pair === undefined) continue
    const { key, value } = pair
    switch (line.indent) {
      case 0:
        section = key
        above = list = dependency = ''
        node = undefined
        if (key === 'lockfileVersion') isPnpm = true
        if (SCOPES.has(section)) list = section
        break
      case 2:
        above = key
        node = undefined
        if (section === 'packages' || section === 'snapshots') node = openNode(nodes, key, pair.keyStart, section === 'packages')
        // a single project has its own dependencies on top
        else if (SCOPES.has(section) && value !== '') addRoot(key, value)
        break
      case 4:
        if (node !== undefined) {
          list = key
          if (key === 'dev') node.scope = value === 'true' ? 'development' : 'production'
          if (key === 'resolution') readResolution(node, value)
          if (key === 'requiresBuild' && value === 'true') node.origin = { ...node.origin, runsOnInstall: true }
          if (key === 'deprecated' && value !== '') node.origin = { ...node.origin, deprecated: value.slice(0, MAX_TEXT) }
        } else if (section === 'importers') list = key
        else if (SCOPES.has(section) && key === 'version') addRoot(above, value)
        break
      case 6:
        dependency = key
        if (node !== undefined && LISTS.has(list)) {
          const required = keyOf(key, value)
          if (required !== undefined) node.requires.push(required)
        } else if (section === 'importers' && value !== '') addRoot(key, value)
        else if (node !== undefined && list === 'resolution') readResolution(node, `${key}: ${value}`)
        break
      case 8:
        if (section === 'importers' && key === 'version') addRoot(dependency, value)
        break
    }
  }
  if (!isPnpm) throw new ParseFailure('syntax', 0)
  const { packages, others, ownHost } = toPackages({ nodes: toNodes(nodes), roots, hostless: true })
  return { packages, lock: { ownHost, others } }
}

/** `packages` says where a package is named; `snapshots` (version 9) says again for each set of peers what it needs. */
function openNode(nodes: Map<string, OpenNode>, key: string, start: number, names: boolean): OpenNode | undefined {
  const parsed = parseKey(key)
  if (parsed === undefined) return undefined
  const id = `${parsed.name}@${parsed.version}`
  const known = nodes.get(id)
  if (known !== undefined) {
    if (names && known.start < 0) Object.assign(known, { start, end: start + key.length })
    return known
  }
  const node = {
    ...parsed,
    start: names ? start : -1,
    end: names ? start + key.length : -1,
    listed: true,
    origin: {},
    requires: [],
  }
  nodes.set(id, node)
  return node
}

function readResolution(node: OpenNode, value: string): void {
  const tarball = /\btarball: ?['"]?([^\s,}'"]{1,2000})/.exec(value)?.[1]
  const type = /\btype: ?['"]?(\w{1,20})/.exec(value)?.[1]
  const integrity = /\bintegrity: ?['"]?([^\s,}'"]{1,2000})/.exec(value)?.[1]
  // an address without a hash, or the hash of a registry's archive; what else is told on the next line
  if (integrity !== undefined) node.origin = { ...node.origin, integrity: gradeIntegrity(integrity) }
  else if (tarball !== undefined) node.origin = { integrity: 'none', ...node.origin }
  if (tarball !== undefined) {
    node.origin = { ...node.origin, resolved: tarball.slice(0, MAX_ADDRESS) }
    const host = registryOf(tarball)
    node.host = host
    if (host === undefined) node.listed = false
  }
  if (type === 'directory' || type === 'git' || /\b(?:repo|directory): /.test(value)) node.listed = false
}

function toNodes(open: ReadonlyMap<string, OpenNode>): Map<string, LockNode> {
  const nodes = new Map<string, LockNode>()
  for (const [key, node] of open) if (node.start >= 0) nodes.set(key, node)
  return nodes
}

/** A dependency and what it is resolved to, as `name@version`; undefined: a folder of the project, or no package of a registry. */
function keyOf(name: string, reference: string): string | undefined {
  // of an alias the whole key stands there
  const parsed = parseKey(/^\d+\.\d+\.\d/.test(reference) ? `${name}@${reference}` : reference)
  return parsed === undefined ? undefined : `${parsed.name}@${parsed.version}`
}

/**
 * `/name/1.2.3_peers` (version 5), `/name@1.2.3(peers)` (6), `name@1.2.3(peers)` (9); a host before the slash (5) is another registry.
 * Undefined: folders, links, git, tarballs.
 */
function parseKey(key: string): { name: string; version: string; host?: string } | undefined {
  const peers = key.indexOf('(')
  const plain = peers === -1 ? key : key.slice(0, peers)
  const slashed = /^([\w.-]{1,255}(?::\d{1,5})?)?\/((?:@[^/]{1,214}\/)?[^/@]{1,214})\/([^/_]{1,100})(?:_|$)/.exec(plain)
  if (slashed !== null) {
    const [, host, name = '', version = ''] = slashed
    return isPackageName(name) && isExactVersion(version) ? { name, version, ...(host !== undefined && { host }) } : undefined
  }
  const body = plain.startsWith('/') ? plain.slice(1) : plain
  const at = body.indexOf('@', 1)
  if (at === -1) return undefined
  const [name, version] = [body.slice(0, at), body.slice(at + 1).replace(/_.{0,1000}$/, '')]
  return isPackageName(name) && isExactVersion(version) ? { name, version } : undefined
}
