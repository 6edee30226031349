import * as z from 'zod'
import {
  ARCHIVE_REASONS,
  REFUSAL_CODES,
  Refusal,
  VERSION,
  type JobOrder,
  type RefusalCode,
  type RefusalDetails,
  type ScanOptions,
  type ScanProgress,
} from '../../../core/index.ts'
import type { BlobName } from './blobs.ts'

/**
 * The shape of what lies on the queue. It is part of the queue's name: processes of another one neither see these jobs nor take them, so that two versions of Parapet can share
 * one Redis while one takes the other's place.
 */
const PROTOCOL = 1

/** Small archives have a lane of their own: they are not to wait behind large ones. */
export type Lane = 'small' | 'large'
export const LANES: readonly Lane[] = ['small', 'large']

/** Bytes from which an archive is a large one: it takes seconds to scan. */
const LARGE = 8 * 1024 * 1024

export const nameOf = (lane: Lane): string => `scans-${PROTOCOL}-${lane}`
export const laneOf = ({ source }: Pick<JobOrder, 'source'>): Lane =>
  source.kind === 'archive' && source.bytes.byteLength >= LARGE ? 'large' : 'small'

const count = z.int().min(0)

const jobData = z.object({
  space: z.string(),
  requestId: z.string(),
  submittedAt: z.string(),
  /** The version of Parapet that put it there. */
  sender: z.string(),
  /** Whether the worker stores the report, or hands the outcome to the process that waits for it. */
  keep: z.enum(['report', 'outcome']),
  source: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('archive'), name: z.string(), size: count }),
    z.object({ kind: z.literal('directory'), name: z.string(), path: z.string() }),
  ]),
  options: z.object({
    scanId: z.uuid(),
    scannedAt: z.string(),
    projectName: z.string(),
    suppressions: z.boolean(),
    limits: z.object({ entries: count, inflated: count, file: count, parse: count, lockFile: count, scanTime: count }),
    origin: z
      .object({
        branch: z.string().optional(),
        commit: z.string().optional(),
        release: z.string().optional(),
        sourceUrl: z.string().optional(),
      })
      .optional(),
  }),
})

/** What lies on the queue of a scan: neither its bytes nor any key, because whoever reads Redis reads this. */
export type JobData = z.infer<typeof jobData>

export function toJobData(order: JobOrder, keep: JobData['keep']): JobData {
  const { source, options, space, requestId } = order
  const { scanId, scannedAt, projectName, suppressions, limits, origin } = options
  return {
    space,
    requestId,
    submittedAt: scannedAt,
    sender: VERSION,
    keep,
    source:
      source.kind === 'archive'
        ? { kind: 'archive', name: source.name, size: source.bytes.byteLength }
        : { kind: 'directory', name: source.name, path: source.path },
    options: { scanId, scannedAt, projectName, suppressions, limits: { ...limits }, ...(origin !== undefined && { origin }) },
  }
}

/** Throws where something else lies there. */
export const readJobData = (data: unknown): JobData => jobData.parse(data)

/** The inputs of the scan; the key of fingerprints is the worker's own. */
export function toOptions({ options }: JobData, fingerprintKey: string | undefined): ScanOptions {
  const { origin, ...rest } = options
  return { ...rest, fingerprintKey, ...(origin !== undefined && { origin }) }
}

export const archiveOf = ({ source, options }: JobData): BlobName | undefined =>
  source.kind === 'archive' ? { id: options.scanId, part: 'archive', size: source.size } : undefined

const progress = z.object({ phase: z.enum(['waiting', 'reading', 'asking', 'checking', 'reporting']), done: count, total: count })

/** Undefined: nothing was told yet. */
export const readProgress = (told: unknown): ScanProgress | undefined => progress.safeParse(told).data

/** Bytes of the outcome that a worker handed over. */
export const readResult = (result: unknown): number => z.object({ size: count }).parse(result).size

const failure = z.object({
  code: z.enum(['cancelled', ...REFUSAL_CODES]),
  details: z.object({
    reason: z.enum(ARCHIVE_REASONS).optional(),
    entry: z.string().optional(),
    limit: z.number().optional(),
    detected: z.string().optional(),
    retryAfter: z.number().optional(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  }),
})

/** Why a job failed, as text that Redis keeps with it. */
export function tellFailure(code: RefusalCode | 'cancelled', details: RefusalDetails = {}): string {
  return JSON.stringify({ code, details })
}

/** What that text says; undefined: the job was cancelled. */
export function readFailure(text: string | undefined): Refusal | undefined {
  // said by BullMQ of a job whose workers were lost more often than it may be tried
  if (/stalled more than allowable limit/.test(text ?? '')) return new Refusal('worker-lost')
  const told = failure.safeParse(parse(text ?? '')).data
  if (told?.code === 'cancelled') return undefined
  return told === undefined ? new Refusal('internal-error', {}, { cause: new Error(text) }) : new Refusal(told.code, told.details)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
