import * as z from 'zod'
import {
  CONFIDENCES,
  EVIDENCES,
  HISTORY_FIELDS,
  IMPACTS,
  REACHES,
  SEVERITIES,
  USAGES,
  type HistoryEntry,
  type NoticeCode,
  type Report,
  type ReportFinding,
  type ReportNotice,
} from '../core/index.ts'
import { STATUS_FIELDS } from './_project-schemas.ts'
import { schemaOf } from './_schema-of.ts'

const count = z.int().min(0)
const place = z.int().min(1)
const texts = z.array(z.string())

const NOTICE_CODES: Readonly<Record<NoticeCode, NoticeCode>> = {
  'file-unreadable': 'file-unreadable',
  'file-too-large': 'file-too-large',
  'file-skipped': 'file-skipped',
  'rule-failed': 'rule-failed',
  'time-limit': 'time-limit',
  'memory-limit': 'memory-limit',
  'findings-capped': 'findings-capped',
  'advisories-unavailable': 'advisories-unavailable',
  'catalogue-unavailable': 'catalogue-unavailable',
  'suppressions-ignored': 'suppressions-ignored',
  'settings-applied': 'settings-applied',
}

export const historyEntry: z.ZodType<HistoryEntry> = schemaOf<HistoryEntry>()(z.object(HISTORY_FIELDS))

const upgrade = { package: z.string(), from: z.string(), to: z.string().optional(), direct: z.boolean(), breaking: z.boolean() }

const exposure = z.object({
  reach: z.enum(REACHES),
  assumed: z.boolean().optional(),
  demo: z.boolean().optional(),
  by: z.object({ file: z.string(), line: place.optional() }).optional(),
})

export const finding: z.ZodType<ReportFinding> = schemaOf<ReportFinding>()(
  z.object({
    id: z.string(),
    formerIds: texts.optional(),
    ruleId: z.string(),
    severity: z.enum(SEVERITIES),
    grade: z
      .object({
        impact: z.enum(IMPACTS),
        reach: z.enum(REACHES),
        usage: z.enum(USAGES),
        evidence: z.enum(EVIDENCES),
        because: z.string(),
      })
      .optional(),
    confidence: z.enum(CONFIDENCES),
    status: STATUS_FIELDS.status.optional(),
    newBecause: STATUS_FIELDS.newBecause,
    firstSeen: STATUS_FIELDS.firstSeen.optional(),
    decision: STATUS_FIELDS.decision,
    title: z.string(),
    message: z.string(),
    why: z.string(),
    fix: z.string(),
    cwe: texts,
    docs: z.string(),
    file: z.string(),
    line: place.optional(),
    column: place.optional(),
    endLine: place.optional(),
    endColumn: place.optional(),
    snippet: z.string().optional(),
    flow: z
      .array(z.object({ file: z.string(), line: place.optional(), column: place.optional(), message: z.string() }))
      .optional(),
    occurrences: z.array(z.object({ file: z.string(), line: place.optional() })).optional(),
    package: z.object({ name: z.string(), version: z.string() }).optional(),
    upgrade: z.object(upgrade).optional(),
    assumes: z.object({ severity: z.enum(SEVERITIES), count }).optional(),
    advisories: z
      .array(
        z.object({
          id: z.string(),
          aliases: texts,
          severity: z.enum(SEVERITIES),
          title: z.string(),
          fixedIn: z.string().optional(),
          url: z.string(),
        }),
      )
      .optional(),
  }),
)

export const notice: z.ZodType<ReportNotice> = schemaOf<ReportNotice>()(
  z.object({ code: z.enum(NOTICE_CODES), file: z.string().optional(), ruleId: z.string().optional(), detail: z.string() }),
)

const findings = z.array(finding)

export const report: z.ZodType<Report> = schemaOf<Report>()(
  z.object({
    ...HISTORY_FIELDS,
    scannerVersion: z.string().optional(),
    branch: z.string().optional(),
    commit: z.string().optional(),
    release: z.string().optional(),
    sourceUrl: z.string().optional(),
    decided: count.optional(),
    gate: z.object({ passed: z.boolean(), new: count }).optional(),
    filesScanned: count,
    complete: z.boolean(),
    notices: z.array(notice),
    suppressed: z.array(z.object({ id: z.string(), ruleId: z.string(), file: z.string(), reason: z.string() })),
    results: z.object({
      ui5: z.object({
        findings,
        apps: z.array(
          z.object({
            id: z.string().optional(),
            root: z.string(),
            version: z.string().optional(),
            versionSource: z.string().optional(),
            support: z.string().optional(),
            catalogueDate: z.string().optional(),
          }),
        ),
      }),
      cap: z.object({
        findings,
        services: z.array(
          z.object({
            name: z.string(),
            file: z.string(),
            line: place.optional(),
            path: z.string().optional(),
            access: z.string(),
            exposure: exposure.optional(),
            entities: z
              .array(
                z.object({
                  name: z.string(),
                  read: z.array(z.string()),
                  change: z.array(z.string()),
                  filtered: z.boolean().optional(),
                  exposure: exposure.optional(),
                }),
              )
              .optional(),
          }),
        ),
      }),
      secrets: z.object({ findings }),
      btp: z.object({ issues: findings }),
      npm: z.object({
        findings,
        packages: z.array(
          z.object({
            name: z.string(),
            version: z.string().optional(),
            range: z.string().optional(),
            path: z.string().optional(),
            scope: z.enum(['production', 'development']).optional(),
          }),
        ),
        upgrades: z.array(z.object({ ...upgrade, file: z.string(), repairs: z.object({ packages: count, advisories: count }) })),
        advisories: z.object({ source: z.enum(['osv', 'bundled', 'file']), date: z.string(), complete: z.boolean() }),
      }),
      approuter: z.object({
        findings,
        routes: z.array(
          z.object({
            file: z.string(),
            line: place.optional(),
            column: place.optional(),
            endLine: place.optional(),
            endColumn: place.optional(),
            source: z.string(),
            target: z.string().optional(),
            authentication: z.string(),
            exposure: exposure.optional(),
            methods: texts.optional(),
          }),
        ),
      }),
    }),
  }),
)
