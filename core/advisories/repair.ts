import compare from 'semver/functions/compare.js'
import gt from 'semver/functions/gt.js'
import prerelease from 'semver/functions/prerelease.js'
import valid from 'semver/functions/valid.js'
import { SEVERITIES } from '../scales.ts'
import { intervalOf } from './intervals.ts'
import type { Advisory, AdvisoryAnswer, Interval } from './types.ts'

/**
 * The lowest version above the one found that none of these advisories affects, nor any other known one about the package where there is such a version;
 * a prerelease only from a prerelease. Undefined: the advisories name none.
 */
export function findRepaired(
  version: string,
  advisories: readonly Advisory[],
  others: readonly Interval[] = [],
): string | undefined {
  const intervals = [...advisories.flatMap((advisory) => advisory.intervals), ...others]
  const named = intervals.flatMap(({ fixed }) => (fixed === undefined ? [] : fixed))
  // who has a release gets the release that a fixed prerelease led to
  const wanted = prerelease(version) === null ? named.map((fixed) => fixed.replace(/[-+].{0,200}$/, '')) : named
  const possible = wanted
    .filter((fixed) => valid(fixed) !== null && gt(fixed, version))
    .filter((fixed) => advisories.every((advisory) => intervalOf(advisory, fixed) === undefined))
    .sort(compare)
  return possible.find((fixed) => intervalOf({ intervals: others }, fixed) === undefined) ?? possible[0]
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
