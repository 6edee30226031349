import type { Severity } from '../types.ts'
import { titleInFrench } from './french-titles.ts'
import type { Advisory, Interval } from './types.ts'
import { titleOf } from './weaknesses.ts'

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

/** A record as the advisory for one affected version. `affected`: the range of all of them. */
export function toAdvisory(record: AdvisoryRecord, interval: Interval | undefined, affected: string = rangeOf(record)): Advisory {
  const { id, aliases, severity, cwe, malware, intervals } = record
  const title = titleOf(record)
  return {
    id,
    aliases,
    package: record.package,
    severity,
    title: title === '' ? { en: id, fr: id } : { en: title, fr: titleInFrench({ title, cwe }) },
    cwe,
    malware,
    intervals,
    affected,
    ...(interval?.fixed !== undefined && { fixed: interval.fixed }),
  }
}

/** Every affected version as a range of npm's grammar. */
export function rangeOf({ intervals }: AdvisoryRecord): string {
  return intervals.map(toRange).join(' || ')
}

function toRange({ introduced, fixed, lastAffected }: Interval): string {
  if (introduced === lastAffected) return introduced
  const from = introduced === '0' ? '' : `>=${introduced}`
  const to = fixed !== undefined ? `<${fixed}` : lastAffected !== undefined ? `<=${lastAffected}` : ''
  return `${from} ${to}`.trim() || '*'
}

/** Advisories about one version: those that share an id are one, told by its GHSA id where it has one. */
export function mergeAliases(advisories: readonly Advisory[]): Advisory[] {
  if (advisories.length < 2) return [...advisories]
  const merged: Advisory[] = []
  // the first of them that has an id
  const places = new Map<string, number>()
  for (const advisory of [...advisories].sort((a, b) => rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : 1))) {
    const names = [advisory.id, ...advisory.aliases]
    const twin = names.reduce((least, name) => Math.min(least, places.get(name) ?? least), merged.length)
    const known = merged[twin]
    merged[twin] = known === undefined ? advisory : joinTwins(known, advisory)
    for (const name of names) if ((places.get(name) ?? merged.length) > twin) places.set(name, twin)
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

/** What a database of reviewed advisories may lack: incidents, and advisories of SAP that were not reviewed. */
export function isOnlyHere({ id, malware, package: name }: AdvisoryRecord): boolean {
  return malware || !id.startsWith('GHSA-') || name.startsWith('@sap/')
}
