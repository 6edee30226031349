import parse from 'semver/functions/parse.js'
import type { SemVer } from 'semver'
import { SEVERITIES } from '../scales.ts'
import { isAbove, isBelow, readBounds, type Bounds } from './intervals.ts'
import type { Advisory, AdvisoryAnswer, Interval } from './types.ts'

/** Finds the version that repairs one; undefined: the advisories name none. */
export type RepairFinder = (version: string, advisories: readonly Advisory[], others?: readonly Interval[]) => string | undefined

/** What an advisory says of versions, each kind from the lowest to the highest. */
interface Ordered {
  readonly fixed: readonly Fixed[]
  readonly bounds: readonly Bounds[]
}

interface Fixed {
  readonly text: string
  readonly version: SemVer
}

/**
 * The lowest version above the one found that none of these advisories affects, nor any other known one about the package where there is such a version;
 * a prerelease only from a prerelease. Intervals are read and ordered once for all who ask: an advisory may have thousands, and affect a hundred versions.
 */
export function createRepairFinder(): RepairFinder {
  const known = new Map<readonly Interval[], Ordered>()
  const orderedOf = (intervals: readonly Interval[]): Ordered => {
    const ordered = known.get(intervals) ?? toOrdered(intervals)
    known.set(intervals, ordered)
    return ordered
  }
  return (version, advisories, others = []) => {
    const found = parse(version)
    if (found === null) return undefined
    const own = [...new Set(advisories.map(({ intervals }) => intervals))].map(orderedOf)
    const rest = orderedOf(others)
    const isReleased = found.prerelease.length === 0
    const later = [...own, rest]
      .flatMap(({ fixed }) => fixed)
      .filter((one) => one.version.compare(found) > 0)
      // who has a release gets the release that a fixed prerelease led to
      .flatMap((one) => (isReleased && /[-+]/.test(one.text) ? toFixed(one.text.replace(/[-+].{0,200}$/, '')) : one))
      .sort((one, other) => one.version.compare(other.version))
    const isAffected = inOrder(own)
    const possible = later.filter((one) => !isAffected(one.version))
    const isAffectedOtherwise = inOrder([rest])
    return (possible.find((one) => !isAffectedOtherwise(one.version)) ?? possible[0])?.text
  }
}

function toOrdered(intervals: readonly Interval[]): Ordered {
  return {
    fixed: intervals
      .flatMap(({ fixed }) => (fixed === undefined ? [] : toFixed(fixed)))
      .sort((one, other) => one.version.compare(other.version)),
    bounds: readBounds(intervals).sort(byBeginning),
  }
}

function toFixed(text: string): Fixed[] {
  const version = parse(text)
  return version === null ? [] : [{ text, version }]
}

function byBeginning({ from: one }: Bounds, { from: other }: Bounds): number {
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined)
  return one.compare(other)
}

/** Asked about versions from the lowest to the highest, it looks at each interval once. */
function inOrder(all: readonly Ordered[]): (version: SemVer) => boolean {
  const waiting = all.flatMap(({ bounds }) => bounds).sort(byBeginning)
  let next = 0
  /** How far those that begin at or below the version reach. */
  let reach: Bounds | undefined
  return (version) => {
    for (let bounds = waiting[next]; bounds !== undefined && !isBelow(version, bounds); bounds = waiting[++next])
      if (reach === undefined || reachesFurther(bounds, reach)) reach = bounds
    return reach !== undefined && !isAbove(version, reach)
  }
}

function reachesFurther(one: Bounds, other: Bounds): boolean {
  if (one.to === undefined || other.to === undefined) return one.to === undefined
  const order = one.to.compare(other.to)
  return order > 0 || (order === 0 && !one.isExclusive)
}

/** Advisories by `name@version`, the worst first. */
export function groupAdvisories({ matches }: AdvisoryAnswer): ReadonlyMap<string, readonly Advisory[]> {
  const known = new Map<string, Advisory[]>()
  for (const { name, version, advisory } of matches) {
    const there = known.get(`${name}@${version}`)
    if (there === undefined) known.set(`${name}@${version}`, [advisory])
    else there.push(advisory)
  }
  for (const there of known.values()) there.sort(bySeverity)
  return known
}

function bySeverity(a: Advisory, b: Advisory): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || (a.id < b.id ? -1 : 1)
}
