import * as z from 'zod'
import {
  AREAS,
  CIRCUMSTANCES,
  CONFIDENCES,
  IMPACTS,
  JOB_STATES,
  LOCALES,
  REACHES,
  SEVERITIES,
  type ArchiveReason,
  type Area,
  type CatalogueDetail,
  type CatalogueOverview,
  type Confidence,
  type DecidedFinding,
  type DecisionText,
  type GradeRow,
  type HistoryEntry,
  type Locale,
  type Project,
  type ProjectRow,
  type RefusalCode,
  type Report,
  type ReportFinding,
  type ReportNotice,
  type ScanLimits,
  type ScanProgress,
  type Severity,
} from '../core/index.ts'
import { PROBLEMS, REASONS } from './_errors.ts'
import type { JobAnswer } from './_jobs.ts'
import type { Problem } from './_problem.ts'
import { projectChange, type ProjectChange } from './_project-requests.ts'
import { decisionsRequest, decisionText, type DecisionsRequest } from './_decision-requests.ts'
import { decidedFinding, project, projectRow } from './_project-schemas.ts'
import { finding, historyEntry, notice, report } from './_report-schema.ts'
import { directoryRequest, uploadRequest, type DirectoryRequest, type UploadRequest } from './_requests.ts'
import { schemaOf } from './_schema-of.ts'

export interface Health {
  readonly status: 'ok'
  readonly version: string
  readonly service: string
  readonly lang: Locale
}
export interface Ready {
  readonly status: 'ready'
  /** Where scans wait that were handed in: in this process, on a queue that outlives it, or nowhere, where none can be. */
  readonly jobs: 'process' | 'queue' | 'none'
}
export interface OverviewAnswer {
  readonly status: number
  readonly message: string
  readonly data: CatalogueOverview
}
export interface DetailAnswer {
  readonly source: 'cache' | 'remote'
  readonly version: string
  readonly data: CatalogueDetail
}
export interface RuleAnswer {
  readonly id: string
  readonly area: Area
  readonly severity: Severity
  readonly confidence: Confidence
  readonly cwe: readonly string[]
  readonly title: string
  /** What is said of the rule's first example; so are `why` and `fix`. */
  readonly message: string
  readonly why: string
  readonly fix: string
  readonly docs: string
  readonly since: string
  /** What its findings are graded by, one row for each impact and circumstance: the severity by who can start the attack. */
  readonly grades: readonly GradeRow[]
}
/** Sizes in bytes, times in milliseconds; what is left out of `history` is not limited. */
export interface LimitsAnswer extends ScanLimits {
  readonly upload: number
  readonly held: number
  /** Bytes a second that a body must come with and an answer must be taken with, and milliseconds until all of it is there. */
  readonly transferRate: number
  readonly transferTime: number
  /** Bodies that are read at once; `slowBodies` of them, with `slowHeld` bytes, for longer than `slowAfter` milliseconds. */
  readonly bodies: number
  readonly slowBodies: number
  readonly slowHeld: number
  readonly slowAfter: number
  /** Large answers that are on their way at once, and their bytes. */
  readonly answers: number
  readonly answersHeld: number
  readonly json: number
  readonly parts: number
  readonly partHeaders: number
  readonly pathBytes: number
  readonly pathSegments: number
  readonly nesting: number
  readonly findings: number
  readonly findingsPerRuleAndFile: number
  readonly findingsPerRuleAndLock: number
  readonly notices: number
  readonly history: { readonly limit?: number; readonly bytes?: number; readonly age?: number }
  /** Whether directories can be scanned here. */
  readonly directory: boolean
}

const severity = z.enum(SEVERITIES)
const confidence = z.enum(CONFIDENCES)
const locale = z.enum(LOCALES)
const count = z.int().min(0)
const texts = z.array(z.string())
const phase = z.enum(['waiting', 'reading', 'asking', 'checking', 'reporting'])

const health = schemaOf<Health>()(
  z.object({ status: z.literal('ok'), version: z.string().regex(/^\d+\.\d+\.\d+$/), service: z.string(), lang: locale }),
)

const ready = schemaOf<Ready>()(z.object({ status: z.literal('ready'), jobs: z.enum(['process', 'queue', 'none']) }))

const overview = schemaOf<OverviewAnswer>()(
  z.object({
    status: z.int(),
    message: z.string(),
    data: z.record(z.string(), z.looseObject({ version: z.string(), support: z.string(), lts: z.boolean() })),
  }),
)

const build = { name: z.string(), version: z.string(), buildTimestamp: z.string(), scmRevision: z.string(), gav: z.string() }

const detail = schemaOf<DetailAnswer>()(
  z.object({
    source: z.enum(['cache', 'remote']),
    version: z.string(),
    data: z.looseObject({
      ...build,
      libraries: z.array(
        z.looseObject({
          ...build,
          npmPackageName: z.string(),
          themes: texts,
          patchHistory: texts,
          vendor: z.string(),
          copyright: z.string(),
          documentation: z.string(),
          appData: z.unknown(),
        }),
      ),
      components: z.record(
        z.string(),
        z.looseObject({
          hasOwnPreload: z.boolean(),
          library: z.string(),
          manifestHints: z.object({ dependencies: z.object({ libs: z.record(z.string(), z.unknown()) }) }),
        }),
      ),
      themes: z.array(z.object({ name: z.string(), libraries: texts })),
      supportedThemes: texts,
    }),
  }),
)

const rule = schemaOf<RuleAnswer>()(
  z.object({
    id: z.string(),
    area: z.enum(AREAS),
    severity,
    confidence,
    cwe: texts,
    title: z.string(),
    message: z.string(),
    why: z.string(),
    fix: z.string(),
    docs: z.string(),
    since: z.string(),
    grades: z.array(
      z.object({
        impact: z.enum(IMPACTS),
        circumstance: z.enum(CIRCUMSTANCES).optional(),
        levels: z.partialRecord(z.enum(REACHES), severity),
      }),
    ),
  }),
)

const limits = schemaOf<LimitsAnswer>()(
  z.object({
    upload: count,
    held: count,
    transferRate: count,
    transferTime: count,
    bodies: count,
    slowBodies: count,
    slowHeld: count,
    slowAfter: count,
    answers: count,
    answersHeld: count,
    json: count,
    parts: count,
    partHeaders: count,
    entries: count,
    inflated: count,
    file: count,
    parse: count,
    lockFile: count,
    scanTime: count,
    pathBytes: count,
    pathSegments: count,
    nesting: count,
    findings: count,
    findingsPerRuleAndFile: count,
    findingsPerRuleAndLock: count,
    notices: count,
    history: z.object({ limit: count.optional(), bytes: count.optional(), age: count.optional() }),
    directory: z.boolean(),
  }),
)

const isCode = (value: string): value is RefusalCode => Object.hasOwn(PROBLEMS, value)
const isReason = (value: string): value is ArchiveReason => Object.hasOwn(REASONS, value)

/** Loose: one endpoint adds a report, another one the members of its own answer. */
const problem = z.looseObject({
  type: z.string().regex(/^\/problems\/[a-z-]+$/),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string(),
  code: z.enum(Object.keys(PROBLEMS).filter(isCode)),
  instance: z.string(),
  reason: z.enum(Object.keys(REASONS).filter(isReason)).optional(),
  entry: z.string().optional(),
  limit: count.optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  findings: z.array(decidedFinding).optional(),
}) satisfies z.ZodType<Problem>

const progress = schemaOf<ScanProgress>()(z.object({ phase, done: count, total: count }))

const job = z.object({
  id: z.uuid(),
  state: z.enum(JOB_STATES),
  phase,
  done: count,
  total: count,
  position: count,
  submittedAt: z.iso.datetime({ precision: 3 }),
  scanId: z.uuid().optional(),
  report: z.string().optional(),
  problem: problem.optional(),
}) satisfies z.ZodType<JobAnswer>

/** Entries of `parapet.config.json`. */
export interface Suppressions {
  readonly suppress: readonly { readonly id: string; readonly reason: string; readonly until?: string }[]
}

const suppressions = schemaOf<Suppressions>()(
  z.object({ suppress: z.array(z.object({ id: z.string(), reason: z.string(), until: z.string().optional() })) }),
)

/** By the name that they have in the OpenAPI document. */
export interface Schemas {
  readonly Health: z.ZodType<Health>
  readonly Ready: z.ZodType<Ready>
  readonly Finding: z.ZodType<ReportFinding>
  readonly Notice: z.ZodType<ReportNotice>
  readonly Report: z.ZodType<Report>
  readonly HistoryEntry: z.ZodType<HistoryEntry>
  readonly History: z.ZodType<readonly HistoryEntry[]>
  readonly CatalogueOverview: z.ZodType<OverviewAnswer>
  readonly CatalogueDetail: z.ZodType<DetailAnswer>
  readonly Rules: z.ZodType<readonly RuleAnswer[]>
  readonly Limits: z.ZodType<LimitsAnswer>
  readonly Problem: z.ZodType<Problem>
  readonly Progress: z.ZodType<ScanProgress>
  readonly Job: z.ZodType<JobAnswer>
  readonly Jobs: z.ZodType<readonly JobAnswer[]>
  readonly DirectoryRequest: z.ZodType<DirectoryRequest>
  readonly UploadRequest: z.ZodType<UploadRequest>
  readonly ProjectRow: z.ZodType<ProjectRow>
  readonly Projects: z.ZodType<readonly ProjectRow[]>
  readonly Project: z.ZodType<Project>
  readonly ProjectChange: z.ZodType<ProjectChange>
  readonly DecisionRequest: z.ZodType<DecisionText>
  readonly DecisionsRequest: z.ZodType<DecisionsRequest>
  readonly DecidedFinding: z.ZodType<DecidedFinding>
  readonly Decisions: z.ZodType<readonly DecidedFinding[]>
  readonly Suppressions: z.ZodType<Suppressions>
  readonly Vex: z.ZodType<Record<string, unknown>>
  readonly OpenApi: z.ZodType<Record<string, unknown>>
  readonly Sarif: z.ZodType<Record<string, unknown>>
  readonly Sbom: z.ZodType<Record<string, unknown>>
  readonly Html: z.ZodType<string>
  readonly Metrics: z.ZodType<string>
}

export const SCHEMAS: Schemas = {
  Health: health,
  Ready: ready,
  Finding: finding,
  Notice: notice,
  Report: report,
  HistoryEntry: historyEntry,
  History: z.array(historyEntry),
  CatalogueOverview: overview,
  CatalogueDetail: detail,
  Rules: z.array(rule),
  Limits: limits,
  Problem: problem,
  Progress: progress,
  Job: job,
  Jobs: z.array(job),
  DirectoryRequest: directoryRequest,
  UploadRequest: uploadRequest,
  ProjectRow: projectRow,
  Projects: z.array(projectRow),
  Project: project,
  ProjectChange: projectChange,
  DecisionRequest: decisionText,
  DecisionsRequest: decisionsRequest,
  DecidedFinding: decidedFinding,
  Decisions: z.array(decidedFinding),
  Suppressions: suppressions,
  Vex: z.looseObject({ '@context': z.literal('https://openvex.dev/ns/v0.2.0') }),
  OpenApi: z.record(z.string(), z.unknown()),
  // their own schemas say what they hold
  Sarif: z.looseObject({ version: z.literal('2.1.0') }),
  Sbom: z.looseObject({ bomFormat: z.literal('CycloneDX'), specVersion: z.literal('1.6') }),
  Html: z.string(),
  Metrics: z.string(),
}
