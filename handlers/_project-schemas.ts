import * as z from 'zod'
import { HISTORY_FIELDS, SEVERITIES, type FindingStatus, type Project, type ProjectRow, type ProjectScan } from '../core/index.ts'
import { schemaOf } from './_schema-of.ts'

const count = z.int().min(0)
const { scanId, scannedAt, riskScore, riskLevel, summary } = HISTORY_FIELDS

const point = z.object({ scanId, scannedAt })

/** What a finding of a stored report tells over time. */
export const STATUS_FIELDS: {
  readonly status: z.ZodEnum<{ new: 'new'; open: 'open' }>
  readonly newBecause: z.ZodOptional<z.ZodEnum<{ rules: 'rules'; scanner: 'scanner' }>>
  readonly firstSeen: z.ZodType<FindingStatus['firstSeen']>
} = { status: z.enum(['new', 'open']), newBecause: z.enum(['rules', 'scanner']).optional(), firstSeen: point }

const scanFields = {
  scanId,
  scannedAt,
  branch: z.string().optional(),
  commit: z.string().optional(),
  release: z.string().optional(),
  riskScore,
  riskLevel,
  complete: z.boolean(),
  before: z.string().optional(),
  kept: z.boolean(),
}

const projectScan = schemaOf<ProjectScan>()(z.object({ ...scanFields, summary, new: count, fixed: count }))

const rowFields = {
  name: z.string(),
  key: z.string().regex(/^[0-9a-f]{32}$/),
  title: z.string().optional(),
  tags: z.array(z.string()),
  lastScan: z.object(scanFields),
  counts: summary,
  new: count,
  fixed: count,
  decided: count,
  scans: count,
  trend: z.array(z.number()),
}

export const projectRow: z.ZodType<ProjectRow> = schemaOf<ProjectRow>()(z.object(rowFields))

export const project: z.ZodType<Project> = schemaOf<Project>()(
  z.object({
    ...rowFields,
    history: z.array(projectScan),
    open: z.array(z.object({ id: z.string(), severity: z.enum(SEVERITIES), ...STATUS_FIELDS })),
  }),
)
