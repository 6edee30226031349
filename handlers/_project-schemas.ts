import * as z from 'zod'
import {
  DECISION_STATES,
  HISTORY_FIELDS,
  SEVERITIES,
  type DecidedFinding,
  type Decision,
  type FindingStatus,
  type Project,
  type ProjectRow,
  type ProjectScan,
} from '../core/index.ts'
import { schemaOf } from './_schema-of.ts'

const count = z.int().min(0)
const { scanId, scannedAt, riskScore, riskLevel, summary } = HISTORY_FIELDS

const point = z.object({ scanId, scannedAt })

const said = {
  reason: z.string(),
  until: z.string().optional(),
  owner: z.string().optional(),
  by: z.string().optional(),
  at: z.string(),
}

const decision: z.ZodType<Decision> = schemaOf<Decision>()(
  z.object({ ...said, state: z.enum(DECISION_STATES), expired: z.boolean(), etag: z.string() }),
)

export const decidedFinding: z.ZodType<DecidedFinding> = schemaOf<DecidedFinding>()(
  z.object({
    findingId: z.string(),
    decision: decision.optional(),
    history: z.array(z.object({ ...said, state: z.enum([...DECISION_STATES, 'withdrawn']) })),
  }),
)

/** What a finding of a stored report tells over time. */
export const STATUS_FIELDS: {
  readonly status: z.ZodEnum<{ new: 'new'; open: 'open' }>
  readonly newBecause: z.ZodOptional<z.ZodEnum<{ rules: 'rules'; scanner: 'scanner' }>>
  readonly firstSeen: z.ZodType<FindingStatus['firstSeen']>
  readonly decision: z.ZodOptional<z.ZodType<Decision>>
} = {
  status: z.enum(['new', 'open']),
  newBecause: z.enum(['rules', 'scanner']).optional(),
  firstSeen: point,
  decision: decision.optional(),
}

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
  expiring: count,
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
