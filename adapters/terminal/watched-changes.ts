import {
  compareReports,
  isKnownFinding,
  listFindings,
  type Comparison,
  type Report,
  type ReportFinding,
} from '../../core/index.ts'

/** What one scan of a watched folder brought. */
export interface WatchedChange {
  /** Undefined: it was the first one. */
  readonly comparison: Comparison | undefined
  /** Something could be looked at before, and can't be now, such as a file that is half written. */
  readonly isCutShort: boolean
}

/**
 * Compares each report of a folder with the one before. A scan that sees less than those before it fixes nothing: findings that it lacks are told as gone by the first
 * scan that sees as much again and still lacks them.
 */
export function createWatchedChanges(): (report: Report) => WatchedChange {
  let before: Report | undefined
  let unseen: ReadonlySet<string> = new Set()
  let pending: readonly ReportFinding[] = []
  return (report) => {
    const noticed = report.notices.map(({ code, file, detail }) => JSON.stringify([code, file, detail]))
    const isCutShort = before !== undefined && !report.complete && noticed.some((one) => !unseen.has(one))
    if (!isCutShort) unseen = new Set(noticed)
    const comparison = before === undefined ? undefined : withPending(compareReports(before, report), report, pending)
    before = report
    pending = isCutShort ? (comparison?.gone ?? []) : []
    return { comparison: isCutShort && comparison !== undefined ? { ...comparison, gone: [] } : comparison, isCutShort }
  }
}

/**
 * What is pending counts as known: it is not new where it is there again, and gone where it is not. What an incomplete report lacks is gone too: it sees as much as
 * those before it, unless the caller knows better.
 */
function withPending(comparison: Comparison, report: Report, pending: readonly ReportFinding[]): Comparison {
  const known = new Set(pending.map(({ id }) => id))
  const ids = new Set(listFindings(report).flatMap(({ id, formerIds = [] }) => [id, ...formerIds]))
  const isBack = (finding: ReportFinding): boolean => isKnownFinding(finding, known)
  return {
    ...comparison,
    found: comparison.found.filter((finding) => !isBack(finding)),
    same: [...comparison.same, ...comparison.found.filter(isBack)],
    gone: [...comparison.gone, ...comparison.unseen, ...pending.filter(({ id }) => !ids.has(id))],
  }
}
