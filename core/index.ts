/** The door of the core for what answers requests and tells of reports; what only scans need is behind `scanner.ts`. A test pins the names. */

// a scan
export {
  ARCHIVE_REASONS,
  REFUSAL_CODES,
  Refusal,
  isRefusal,
  type ArchiveReason,
  type RefusalCode,
  type RefusalDetails,
} from './errors.ts'
export {
  DEFAULT_LIMITS,
  MAX_FINDINGS,
  MAX_FINDINGS_PER_RULE_AND_FILE,
  MAX_FINDINGS_PER_RULE_AND_LOCK,
  MAX_NESTING,
  MAX_NOTICES,
  MAX_PARSE_EDGE,
  MAX_PATH_BYTES,
  MAX_PATH_SEGMENTS,
  MAX_UPLOAD,
  MAX_UPLOAD_EDGE,
} from './limits.ts'
export { untilAborted } from './until-aborted.ts'
export type { GradeRow } from './grade/index.ts'
export type { Rule } from './rules/rule.ts'

// the vocabulary
export { AREAS, CIRCUMSTANCES, CONFIDENCES, EVIDENCES, IMPACTS, LOCALES, REACHES, SEVERITIES, USAGES } from './scales.ts'
export { VERSION } from './version.ts'
export type {
  Area,
  Confidence,
  HistoryEntry,
  Locale,
  Localized,
  NoticeCode,
  Outcome,
  ProjectType,
  RiskLevel,
  RuleText,
  RuleMessages,
  Ahead,
  ScanControl,
  ScanFacts,
  ScanLimits,
  ScanOptions,
  ScanOrigin,
  ScanPhase,
  ScanProgress,
  ScanRunner,
  Severity,
  SeverityCounts,
  SourceData,
  PackageUpgrade,
} from './types.ts'
export type {
  Report,
  ReportAdvisories,
  ReportAdvisory,
  ReportCapService,
  ReportExposure,
  ReportFinding,
  ReportFlowStep,
  ReportGrade,
  ReportNotice,
  ReportOccurrence,
  ReportPackage,
  ReportResults,
  ReportRoute,
  ReportSuppressed,
  ReportUi5App,
  ReportUpgrade,
} from './report/types.ts'
export { SEVERITY_WORDS, wordCounted } from './report/words.ts'
export { compareReports, type Comparison, type LevelChange, type PackageChange } from './report/compare-reports.ts'
export { wordLevelChange } from './report/comparison-words.ts'
export { describeSource } from './report/source-hosts.ts'
export { isKnownFinding } from './report/known-findings.ts'
export { findJsonFault } from './parse/json.ts'
export { listFirstRepairs } from './report/repair-first.ts'
export { listFindings, listOtherPlaces } from './report/list-findings.ts'
export { readCodeTokens, type CodeToken, type TokenKind } from './report/code-tokens.ts'
export { pluralForm } from './report/plural-form.ts'
export { selectFindings } from './report/select-findings.ts'
export { encodePieces } from './report/encode-pieces.ts'
export { toJsonText } from './report/json-text.ts'
export { HTML_POLICY } from './report/writers/html-parts.ts'
export {
  EXPORT_FORMATS,
  loadHtmlWriter,
  loadSarifWriter,
  loadSbomWriter,
  loadVexWriter,
  loadWriter,
  type ExportFormat,
} from './writers.ts'
export { ruleUrl, type RuleFacts, type SelectionWords, type Writer, type WriterOptions } from './report/writers/writer.ts'

// what surrounds it
export { createHistory, HISTORY_FIELDS, type History, type Retention, type Storage } from './history.ts'
export { loadProjects } from './projects.ts'
export { loadLateModules } from './late-modules.ts'
export { createProcessJobs, JOB_KEPT_MS, MAX_ENDED_JOBS, type ProcessJobsOptions } from './jobs/process-jobs.ts'
export { keepTrying } from './jobs/keep-trying.ts'
export { JOB_STATES } from './jobs/states.ts'
export type { Job, JobFailure, JobHold, JobOrder, JobQuery, Jobs, JobState } from './jobs/types.ts'
export type { ExclusiveStorage } from './exclusive.ts'
export {
  DECISION_STATES,
  type Awaited,
  type DecidedFinding,
  type DecideOutcome,
  type Decision,
  type DecisionState,
  type DecisionText,
} from './projects/decision-types.ts'
export type { Projects, ProjectsOptions, ScanStatuses } from './projects/projects.ts'
export type {
  FindingStatus,
  OpenFinding,
  Project,
  ProjectRow,
  ProjectScan,
  ProjectSettings,
  ScanPoint,
} from './projects/types.ts'
export { logFaults, maskEntry, type Log, type LogEntry } from './log.ts'
export { createTextMasker, type TextMasker } from './text-masker.ts'
export type {
  Advisory,
  AdvisoryAnswer,
  AdvisoryLookup,
  AdvisoryPort,
  AdvisorySource,
  AskedPackage,
  LoadedRecords,
  PackageVersion,
} from './advisories/types.ts'
export type {
  CatalogueAnswer,
  CatalogueClient,
  CatalogueComponent,
  CatalogueDetail,
  CatalogueLibrary,
  CatalogueLine,
  CatalogueOverview,
  CataloguePort,
  CatalogueVersion,
} from './catalogue/types.ts'
export type { ScanPorts } from './phases/fetch.ts'
