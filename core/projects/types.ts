import type { Decision } from './decision-types.ts'
import type { HistoryEntry, ScanFacts, Severity, SeverityCounts } from '../types.ts'

export type { Decision } from './decision-types.ts'

/** What is kept of a scan for its project, also when the report has left: its row, what it was of, and the ids of its findings. */
export interface ScanLine extends ScanFacts {
  readonly entry: HistoryEntry
}

/** One finding of a scan, as a line has it. */
export interface Mark {
  readonly id: string
  readonly severity: Severity
  /** Ids that it had before; `every`: it stands for all of them, as a package does for its advisories. */
  readonly formerIds: readonly string[]
  readonly every: boolean
}

/** A scan by its id and its time. */
export interface ScanPoint {
  readonly scanId: string
  readonly scannedAt: string
}

/** Since when a finding is there, by the scans of its branch. */
export interface FindingStatus {
  readonly status: 'new' | 'open'
  /** Another version of Parapet made the scan before: its rules may not have known it (`rules`: surely, since the rule came later). */
  readonly newBecause?: 'rules' | 'scanner'
  readonly firstSeen: ScanPoint
  /** What was decided about it, if anything. */
  readonly decision?: Decision
}

/** One scan of a project. */
export interface ProjectScan extends ScanPoint {
  readonly branch?: string
  readonly commit?: string
  readonly release?: string
  readonly riskScore: number
  readonly riskLevel: HistoryEntry['riskLevel']
  readonly summary: SeverityCounts
  readonly complete: boolean
  /** How many findings came and went since the scan that it is compared with; an incomplete one fixes nothing. */
  readonly new: number
  readonly fixed: number
  /** That scan; left out for the first one. */
  readonly before?: string
  /** Whether its report is still there. */
  readonly kept: boolean
}

/** A project as the list has it. */
export interface ProjectRow {
  readonly name: string
  /** Stands for the name where an address can't hold it. */
  readonly key: string
  readonly title?: string
  readonly tags: readonly string[]
  readonly lastScan: Omit<ProjectScan, 'summary' | 'new' | 'fixed'>
  readonly counts: SeverityCounts
  readonly new: number
  readonly fixed: number
  /** Findings of the last scan that a decision holds for. */
  readonly decided: number
  /** Those whose decision no longer holds, or not for another 30 days. */
  readonly expiring: number
  readonly scans: number
  /** The risk scores of the last scans of that branch, oldest first. */
  readonly trend: readonly number[]
}

/** A finding of the last scan. */
export interface OpenFinding extends FindingStatus {
  readonly id: string
  readonly severity: Severity
}

/** A project as a whole. */
export interface Project extends ProjectRow {
  /** Newest first. */
  readonly history: readonly ProjectScan[]
  readonly open: readonly OpenFinding[]
}

/** What people say of a project. */
export interface ProjectSettings {
  readonly title?: string
  readonly tags: readonly string[]
}
