import type { ReportFinding } from './types.ts'

/**
 * Whether a finding is among those that are known by their ids, of this version or of one before. What stands for several former findings is known only
 * where each of them is: a new advisory about an accepted package is new.
 */
export function isKnownFinding({ id, formerIds = [], advisories }: ReportFinding, known: { has(id: string): boolean }): boolean {
  if (known.has(id)) return true
  const isKnown = (former: string): boolean => known.has(former)
  return formerIds.length > 0 && (advisories === undefined ? formerIds.some(isKnown) : formerIds.every(isKnown))
}
