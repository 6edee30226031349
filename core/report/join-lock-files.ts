import type { Finding, Severity } from '../types.ts'
import type { Ordered } from './compare-findings.ts'

/** A finding with its other places, and how many more of those there are. */
interface Joinable {
  readonly best: Finding
  readonly others: readonly Ordered[]
  readonly uncounted: number
}

const MINOR: ReadonlySet<Severity> = new Set<Severity>(['LOW', 'INFO'])

/**
 * A package version that hardly matters in each of many lock files, such as a tool of development in those of fifty apps, is one finding: same level, same advisories, same fix. What matters stays one for each
 * lock file. It is identified by rule, version and what brings it in, whichever lock files have it, and stands for what was told of each: a baseline that knows all of them knows it.
 * `entries` are sorted.
 */
export function joinLockFiles<One extends Joinable>(entries: readonly One[], most: number): One[] {
  const groups = new Map<string, One[]>()
  for (const entry of entries) {
    const key = keyOf(entry.best)
    if (key === undefined) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [entry])
    else group.push(entry)
  }
  const joined = new Map<One, One | undefined>()
  const taken = new Set<string>()
  for (const group of groups.values()) {
    const [first] = group
    const id = first?.best.acrossFiles
    // of two levels of one version only one gets its id
    if (first === undefined || id === undefined || group.length < 2 || taken.has(id)) continue
    taken.add(id)
    for (const one of group) joined.set(one, undefined)
    joined.set(first, joinAll(first, group, id, most))
  }
  return entries.flatMap((entry) => (joined.has(entry) ? (joined.get(entry) ?? []) : [entry]))
}

function joinAll<One extends Joinable>(first: One, group: readonly One[], id: string, most: number): One {
  const places = group.flatMap(({ best, others }) => [best, ...others]).slice(1)
  const others = places
    .slice(0, most)
    .map(({ severity, ruleId, at, id: own }) => ({ severity, ruleId, at, ...(own !== undefined && { id: own }) }))
  const uncounted = group.reduce((sum, one) => sum + one.uncounted, places.length - others.length)
  return { ...first, best: { ...first.best, id, replaces: group.map(({ best }) => best.id) }, others, uncounted }
}

/** What has to be equal: all that is said, but for the way by which the package comes. */
function keyOf({ ruleId, severity, acrossFiles, variant, args, grade, flow, suppressed }: Finding): string | undefined {
  if (acrossFiles === undefined || !MINOR.has(severity) || flow !== undefined || suppressed !== undefined) return undefined
  const said = Object.entries(args).filter(([name]) => name !== 'path')
  return JSON.stringify([ruleId, acrossFiles, severity, variant, said, grade])
}
