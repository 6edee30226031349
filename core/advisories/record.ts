import compare from 'semver/functions/compare.js'
import parse from 'semver/functions/parse.js'
import type { Severity } from '../types.ts'
import { titleInFrench } from './french-titles.ts'
import type { Advisory } from './types.ts'

/** Versions from `introduced` (`0`: from the first one, prereleases included) up to `fixed` (exclusive) or `lastAffected`; without an end: all later ones. */
export interface Interval {
  readonly introduced: string
  readonly fixed?: string
  readonly lastAffected?: string
}

/** What an advisory says about one package. */
export interface AdvisoryRecord {
  readonly id: string
  readonly aliases: readonly string[]
  readonly package: string
  readonly severity: Severity
  readonly title: string
  readonly cwe: readonly number[]
  readonly malware: boolean
  readonly intervals: readonly Interval[]
}

/** The interval that a version lies in, by semver's order; undefined: it is not affected, or is no version. */
export function intervalOf(record: AdvisoryRecord, version: string): Interval | undefined {
  const asked = parse(version)
  if (asked === null) return undefined
  return record.intervals.find(({ introduced, fixed, lastAffected }) => {
    // bounds from outside may be no versions: then nothing can be told
    if (introduced !== '0' && !(isVersion(introduced) && compare(asked, introduced) >= 0)) return false
    if (fixed !== undefined) return isVersion(fixed) && compare(asked, fixed) < 0
    return lastAffected === undefined || (isVersion(lastAffected) && compare(asked, lastAffected) <= 0)
  })
}

export function isVersion(text: string): boolean {
  return parse(text) !== null
}

/** A record as the advisory for one affected version. */
export function toAdvisory(record: AdvisoryRecord, interval: Interval | undefined): Advisory {
  const { id, aliases, severity, title, cwe, malware, intervals } = record
  return {
    id,
    aliases,
    package: record.package,
    severity,
    title: title === '' ? { en: id, fr: id } : { en: title, fr: titleInFrench(record) },
    cwe,
    malware,
    affected: intervals.map(toRange).join(' || '),
    ...(interval?.fixed !== undefined && { fixed: interval.fixed }),
  }
}

function toRange({ introduced, fixed, lastAffected }: Interval): string {
  if (introduced === lastAffected) return introduced
  const from = introduced === '0' ? '' : `>=${introduced}`
  const to = fixed !== undefined ? `<${fixed}` : lastAffected !== undefined ? `<=${lastAffected}` : ''
  return `${from} ${to}`.trim() || '*'
}

/** Advisories about one version: those that share an id are one, told by its GHSA id where it has one. */
export function mergeAliases(advisories: readonly Advisory[]): Advisory[] {
  const merged: Advisory[] = []
  for (const advisory of [...advisories].sort((a, b) => rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : 1))) {
    const names = new Set([advisory.id, ...advisory.aliases])
    const twin = merged.findIndex(({ id, aliases }) => names.has(id) || aliases.some((alias) => names.has(alias)))
    const known = merged[twin]
    if (known === undefined) merged.push(advisory)
    else merged[twin] = joinTwins(known, advisory)
  }
  return merged
}

function rankOf({ id }: Advisory): number {
  return id.startsWith('GHSA-') ? 0 : id.startsWith('CVE-') ? 1 : 2
}

function joinTwins(known: Advisory, other: Advisory): Advisory {
  const aliases = new Set([...known.aliases, other.id, ...other.aliases])
  aliases.delete(known.id)
  const fixed = known.fixed ?? other.fixed
  const malware = known.malware || other.malware
  const severity = malware && other.severity === 'CRITICAL' ? other.severity : known.severity
  return { ...known, aliases: [...aliases], malware, severity, ...(fixed !== undefined && { fixed }) }
}
