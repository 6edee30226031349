import { isForDelivery, needsForBuild } from './build-tools.ts'
import type { LockedOther, LockedPackage, LockGraph, LockRoot, PackageScope } from './types.ts'

interface Trace {
  readonly parent: string | undefined
  readonly top: string
  readonly depth: number
  /** The chain, up to MAX_CHAIN packages. */
  readonly path: string | undefined
  readonly scope: PackageScope | undefined
  /** Nothing but tools for building and deploying brings it in, wherever the project lists them, and optional peers that nothing else has installed. */
  readonly isOfTool: boolean
}

/** What a lock file's graph says, in the order of the text. */
export interface ResolvedPackages {
  readonly packages: readonly LockedPackage[]
  readonly others: readonly LockedOther[]
  /** Host that most packages come from. */
  readonly ownHost: string
}

/** A longer chain isn't told whole. */
const MAX_CHAIN = 8

/** Graph to packages: direct or not, scope, chain, and whether they come from the host that most come from. */
export function toPackages({ nodes, roots: told, hostless }: LockGraph): ResolvedPackages {
  const roots = told ?? findRoots(nodes)
  const own = findOwnHost(nodes, hostless)
  const traces = traceRoots(nodes, roots)
  const wanted = collectRanges(nodes)
  const needers = collectNeeders(nodes)
  const direct = new Set(roots.map(({ key }) => key))
  const packages: LockedPackage[] = []
  const others: LockedOther[] = []
  for (const [key, { name, version, start, end, listed, scope, host, origin }] of nodes) {
    if (!listed) {
      if (origin?.resolved !== undefined) others.push({ name, resolved: origin.resolved, start, end })
      continue
    }
    const trace = traces.get(key)
    // member by member: the spread of a lock file's every entry costs more than what it copies
    packages.push({
      name,
      version,
      start,
      end,
      scope: trace?.isOfTool === true ? 'development' : (scope ?? trace?.scope),
      direct: direct.has(key),
      path: trace === undefined ? undefined : (trace.path ?? toLongChain(key, trace, nodes, traces)),
      wanted: wanted.get(key),
      neededBy: needers.get(key),
      isOrphan: trace === undefined && told !== undefined && told.length > 0 ? true : undefined,
      isPrivate: host !== undefined && host !== own,
      resolved: origin?.resolved,
      integrity: origin?.integrity,
      runsOnInstall: origin?.runsOnInstall,
      deprecated: origin?.deprecated,
      heldBy: origin?.heldBy,
    })
  }
  return { packages, others, ownHost: own }
}

const MAX_RANGES = 50

/** The ranges by which packages are required, by key; equal lists of one range are one list, since most packages have one. */
function collectRanges(nodes: LockGraph['nodes']): ReadonlyMap<string, readonly string[]> {
  const single = new Map<string, readonly string[]>()
  const wanted = new Map<string, readonly string[]>()
  for (const { requires, ranges } of nodes.values())
    for (const [at, range] of (ranges ?? []).entries()) {
      if (range === undefined) continue
      const key = requires[at] ?? ''
      const known = wanted.get(key)
      const list = single.get(range) ?? [range]
      single.set(range, list)
      if (known === undefined) wanted.set(key, list)
      else if (!known.includes(range) && known.length < MAX_RANGES) wanted.set(key, [...known, range])
    }
  return wanted
}

/** The names of what requires each package, by its key. */
function collectNeeders(nodes: LockGraph['nodes']): ReadonlyMap<string, readonly string[]> {
  const needers = new Map<string, string[]>()
  for (const { name, requires } of nodes.values())
    for (const key of requires) {
      const known = needers.get(key)
      if (known === undefined) needers.set(key, [name])
      else if (known.length < MAX_RANGES && !known.includes(name)) known.push(name)
    }
  return needers
}

/**
 * Where roots aren't told: a package that no other one needs is there because the project names it. What production needs isn't there for a package of
 * development: where that alone needs it, the project names it too.
 */
export function findRoots(nodes: LockGraph['nodes']): LockRoot[] {
  const required = new Set<string>()
  for (const [key, { requires, scope }] of nodes)
    for (const other of requires)
      if (other !== key && (scope !== 'development' || nodes.get(other)?.scope !== 'production')) required.add(other)
  return [...nodes.keys()].filter((key) => !required.has(key)).map((key) => ({ key }))
}

/** The shortest way to each package; what production needs is not for development, so its roots go first; behind them those that only build. */
function traceRoots(nodes: LockGraph['nodes'], roots: readonly LockRoot[]): Map<string, Trace> {
  const traces = new Map<string, Trace>()
  /** What servers need for building, packages for their installation or an optional feature, with the one that does: after all that runs. */
  const forBuild: { readonly key: string; readonly parent: string }[] = []
  const isTool = ({ key }: LockRoot): boolean => isForDelivery(nodes.get(key)?.name ?? '')
  const walk = (part: readonly LockRoot[], stage: 'run' | 'build' | 'develop'): void => {
    const queue: string[] = []
    const reach = (key: string, parent: string | undefined, scope: PackageScope | undefined, isOfTool: boolean): void => {
      const node = traces.has(key) ? undefined : nodes.get(key)
      if (node === undefined) return
      const above = parent === undefined ? undefined : traces.get(parent)
      const depth = above === undefined ? 0 : above.depth + 1
      const path = above === undefined ? node.name : depth < MAX_CHAIN ? `${above.path ?? ''} > ${node.name}` : undefined
      traces.set(key, { parent, top: above?.top ?? key, depth, path, scope, isOfTool })
      queue.push(key)
    }
    // npm leaves out the mark of development where a peer of a tool leads back to it
    for (const root of part) reach(root.key, undefined, root.scope, stage === 'build' || (stage === 'develop' && isTool(root)))
    if (stage === 'build') for (const { key, parent } of forBuild) reach(key, parent, traces.get(parent)?.scope, true)
    for (let at = 0; at < queue.length; at++) {
      const parent = queue[at] ?? ''
      const { scope, isOfTool = false } = traces.get(parent) ?? {}
      const { name = '', requires = [], optionalPeers } = nodes.get(parent) ?? {}
      for (const key of requires)
        if (stage === 'run' && (optionalPeers?.has(key) === true || needsForBuild(name, nodes.get(key)?.name ?? '')))
          forBuild.push({ key, parent })
        else reach(key, parent, scope, isOfTool)
    }
  }
  const listed = roots.filter(({ scope }) => scope !== 'development')
  walk(
    listed.filter((root) => !isTool(root)),
    'run',
  )
  walk(listed.filter(isTool), 'build')
  walk(
    roots.filter(({ scope }) => scope === 'development'),
    'develop',
  )
  return traces
}

/** A chain over MAX_CHAIN packages is told by its first and its last ones. */
function toLongChain(key: string, { top }: Trace, nodes: LockGraph['nodes'], traces: ReadonlyMap<string, Trace>): string {
  const names: string[] = []
  for (let at: string | undefined = key; at !== undefined && names.length < MAX_CHAIN - 2; at = traces.get(at)?.parent) {
    names.push(nodes.get(at)?.name ?? '')
  }
  names.push('…', nodes.get(top)?.name ?? '')
  return names.reverse().join(' > ')
}

/** The host that most packages come from ('': those without one): the project's own registry, whatever it is called. */
function findOwnHost(nodes: LockGraph['nodes'], hostless: boolean): string {
  const counts = new Map<string, number>()
  for (const { host = '', listed } of nodes.values())
    if (listed && (hostless || host !== '')) counts.set(host, (counts.get(host) ?? 0) + 1)
  let own = ''
  for (const [host, count] of counts) if (count > (counts.get(own) ?? 0)) own = host
  return own
}
