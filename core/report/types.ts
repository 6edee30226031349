import type { Decision, FindingStatus } from '../projects/types.ts'
import type {
  Confidence,
  Grade,
  HistoryEntry,
  NoticeCode,
  Reach,
  ScanOrigin,
  Severity,
  AssumedAdvisories,
  PackageUpgrade,
} from '../types.ts'

/** The full report in one language, exactly as the interface tells it (`GET /api/openapi.json`). */
export interface Report extends HistoryEntry, ScanOrigin {
  /** Of Parapet, that made it; a report of an earlier version has none. */
  readonly scannerVersion?: string
  /** Where it is read back: its findings that a decision holds for; they are counted all the same. */
  readonly decided?: number
  /** Where it was asked for: whether nothing is new and undecided from a severity on. */
  readonly gate?: { readonly passed: boolean; readonly new: number }
  readonly filesScanned: number
  readonly complete: boolean
  readonly notices: readonly ReportNotice[]
  readonly suppressed: readonly ReportSuppressed[]
  readonly results: ReportResults
}

export interface ReportResults {
  readonly ui5: { readonly findings: readonly ReportFinding[]; readonly apps: readonly ReportUi5App[] }
  readonly cap: { readonly findings: readonly ReportFinding[]; readonly services: readonly ReportCapService[] }
  readonly secrets: { readonly findings: readonly ReportFinding[] }
  readonly btp: { readonly issues: readonly ReportFinding[] }
  readonly npm: {
    readonly findings: readonly ReportFinding[]
    readonly packages: readonly ReportPackage[]
    readonly upgrades: readonly ReportUpgrade[]
    readonly advisories: ReportAdvisories
  }
  readonly approuter: { readonly findings: readonly ReportFinding[]; readonly routes: readonly ReportRoute[] }
}

/** Of a finding, where its report is read back: since when it is there. */
export interface ReportFinding extends Partial<FindingStatus> {
  readonly id: string
  /** Ids that it had before; of a finding about a package: of the findings that it stands for, one for each advisory. */
  readonly formerIds?: readonly string[]
  readonly ruleId: string
  readonly severity: Severity
  /** Why it is as severe; a report of an earlier version has none. */
  readonly grade?: ReportGrade
  readonly confidence: Confidence
  readonly title: string
  readonly message: string
  readonly why: string
  readonly fix: string
  readonly cwe: readonly string[]
  readonly docs: string
  readonly file: string
  readonly line?: number
  readonly column?: number
  readonly endLine?: number
  readonly endColumn?: number
  readonly snippet?: string
  readonly flow?: readonly ReportFlowStep[]
  readonly occurrences?: readonly ReportOccurrence[]
  /** Of a finding about a package: what it is about. */
  readonly package?: { readonly name: string; readonly version: string }
  /** What to move so that this version goes; left out where no version is known to be better. */
  readonly upgrade?: PackageUpgrade
  readonly advisories?: readonly ReportAdvisory[]
  /** Of a missing lock file: advisories that the score counts, since nothing tells whether they apply. */
  readonly assumes?: AssumedAdvisories
}

/** What was decided about a finding, where its report is read back. */
export type ReportDecision = Decision

/** What the severity is computed of, and a sentence in the report's language that says so. */
export interface ReportGrade extends Pick<Grade, 'impact' | 'reach' | 'usage' | 'evidence'> {
  readonly because: string
}

export interface ReportAdvisory {
  readonly id: string
  readonly aliases: readonly string[]
  readonly severity: Severity
  readonly title: string
  /** The lowest version that has the fix. */
  readonly fixedIn?: string
  readonly url: string
}

export interface ReportFlowStep {
  readonly file: string
  readonly line?: number
  readonly column?: number
  readonly message: string
}

export interface ReportOccurrence {
  readonly file: string
  readonly line?: number
}

export interface ReportNotice {
  readonly code: NoticeCode
  readonly file?: string
  readonly ruleId?: string
  readonly detail: string
}

export interface ReportSuppressed {
  readonly id: string
  readonly ruleId: string
  readonly file: string
  readonly reason: string
}

export interface ReportUi5App {
  readonly id?: string
  readonly root: string
  readonly version?: string
  readonly versionSource?: string
  readonly support?: string
  readonly catalogueDate?: string
}

/** Who reaches a service, an entity or a route: the severities of findings there count the same. */
export interface ReportExposure {
  readonly reach: Reach
  /** Something of that is not in the project. */
  readonly assumed?: boolean
  /** Only data of a demonstration is there. */
  readonly demo?: boolean
  /** What says so. */
  readonly by?: ReportOccurrence
}

export interface ReportCapService {
  readonly name: string
  readonly file: string
  readonly line?: number
  readonly path?: string
  /** A sentence in the report's language: who may call it, and why. */
  readonly access: string
  /** A report of an earlier version has none. */
  readonly exposure?: ReportExposure
  /** Those that stand in it; a report of an earlier version has none. */
  readonly entities?: readonly ReportCapEntity[]
}

/** Roles as the model names them; `any`: anybody, `authenticated-user`: any authenticated user, none: nobody from outside. One is enough. */
export interface ReportCapEntity {
  /** Within its service. */
  readonly name: string
  readonly read: readonly string[]
  readonly change: readonly string[]
  /** Who reads it sees some of its rows alone. */
  readonly filtered?: boolean
  /** Of the easiest way to it. */
  readonly exposure?: ReportExposure
}

export interface ReportPackage {
  readonly name: string
  /** Left out where nothing resolves it. */
  readonly version?: string
  /** Of one without a version: what package.json asks for. */
  readonly range?: string
  /** The chain of packages that brings it in, from the root's own dependency. */
  readonly path?: string
  readonly scope?: 'production' | 'development'
}

/** One package to move, in one folder, and what that repairs of the findings of the report. */
export interface ReportUpgrade extends PackageUpgrade {
  readonly file: string
  readonly repairs: { readonly packages: number; readonly advisories: number }
}

export interface ReportAdvisories {
  readonly source: 'osv' | 'bundled' | 'file'
  readonly date: string
  readonly complete: boolean
}

export interface ReportRoute {
  readonly file: string
  readonly line?: number
  /** With the end: where it stands in the file, to tell which findings lie in it. A report of an earlier version has neither. */
  readonly column?: number
  readonly endLine?: number
  readonly endColumn?: number
  readonly source: string
  readonly target?: string
  /** A sentence in the report's language. */
  readonly authentication: string
  readonly exposure?: ReportExposure
  readonly methods?: readonly string[]
}
