import { findKnown, readMarks } from './marks.ts'
import type { Mark, ScanLine, ScanPoint } from './types.ts'

/** The scans of a project, oldest first, and the one that each is compared with. */
export interface ScanOrder {
  readonly lines: readonly ScanLine[]
  readonly predecessors: readonly (number | undefined)[]
}

/** What is open after a scan: findings by id, with the scan that saw each first. */
export type OpenSince = ReadonlyMap<string, ScanPoint>

/**
 * Since when the findings of a scan are there. A scan that is not complete fixes nothing: what it did not see stays open, so that the next one does not find it anew.
 */
export function findOpen({ lines, predecessors }: ScanOrder, position: number): OpenSince {
  const chain: number[] = []
  for (let at: number | undefined = position; at !== undefined; at = predecessors[at]) chain.push(at)
  let open: ReadonlyMap<string, ScanPoint> = new Map()
  for (const at of chain.reverse()) {
    const line = lines[at]
    if (line !== undefined) open = follow(line, open)
  }
  return open
}

function follow({ entry, marks, complete }: ScanLine, before: OpenSince): OpenSince {
  const { scanId, scannedAt } = entry
  const open = new Map<string, ScanPoint>()
  const seen = new Set<string>()
  for (const mark of readMarks(marks)) {
    const known = findKnown(mark, (id) => before.has(id))
    open.set(mark.id, (known === undefined ? undefined : before.get(known)) ?? { scanId, scannedAt })
    for (const id of [mark.id, ...mark.formerIds]) seen.add(id)
  }
  if (!complete) for (const [id, since] of before) if (!seen.has(id)) open.set(id, since)
  return open
}

/** What came with a scan and what went. */
export interface Change {
  readonly found: readonly Mark[]
  readonly fixed: number
}

/** Compares a scan with the one before it. Holds the findings of a few scans, however many there are. */
export function findChange(order: ScanOrder, position: number): Change {
  const line = order.lines[position]
  if (line === undefined) return { found: [], fixed: 0 }
  const known = idsAfter(order, order.predecessors[position])
  const marks = readMarks(line.marks)
  const found = marks.filter((mark) => findKnown(mark, (id) => known.has(id)) === undefined)
  if (!line.complete) return { found, fixed: 0 }
  const seen = new Set(marks.flatMap(({ id, formerIds }) => [id, ...formerIds]))
  return { found, fixed: [...known].filter((id) => !seen.has(id)).length }
}

/** The ids of what is open after a scan. */
function idsAfter({ lines, predecessors }: ScanOrder, position: number | undefined): ReadonlySet<string> {
  const ids = new Set<string>()
  const former = new Set<string>()
  for (let at = position; at !== undefined; at = predecessors[at]) {
    const line = lines[at]
    if (line === undefined) break
    for (const mark of readMarks(line.marks)) {
      // a later scan knows it under another id
      if (!former.has(mark.id)) ids.add(mark.id)
      for (const id of mark.formerIds) former.add(id)
    }
    if (line.complete) break
  }
  return ids
}

/** Whether Parapet was another one when it made the scan before. */
export const isByAnotherVersion = (before: ScanLine | undefined, line: ScanLine): before is ScanLine =>
  before !== undefined && before.scannerVersion !== line.scannerVersion

/** Why a finding that nobody knew may be one that was there all the time. `since`: of its rule, where that is known. */
export function whyNew(line: ScanLine, before: ScanLine | undefined, since: string | undefined): 'rules' | 'scanner' | undefined {
  if (!isByAnotherVersion(before, line)) return undefined
  const { scannerVersion = '0.0.0' } = before
  return since !== undefined && compareVersions(since, scannerVersion) > 0 ? 'rules' : 'scanner'
}

function compareVersions(one: string, other: string): number {
  const [first, second] = [one, other].map((version) => version.split('.').map(Number))
  for (let index = 0; index < 3; index++) {
    const difference = (first?.[index] ?? 0) - (second?.[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
