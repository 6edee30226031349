import * as z from 'zod'
import { JOB_STATES, Refusal, type JobQuery, type JobState, type SourceData } from '../core/index.ts'
import { hashBytes } from './_hash.ts'
import { pageFields } from './_requests.ts'
import type { ScanRequest } from './_scan-options.ts'

// the messages are keys of FAULTS

export const jobParams: z.ZodType<{ readonly id: string }> = z.object({
  id: z
    .string({ error: 'job-id' })
    .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, { error: 'job-id' })
    .meta({ format: 'uuid' }),
})

export const jobQuery: z.ZodType<JobQuery> = z.object({
  state: z.enum<readonly JobState[]>(JOB_STATES, { error: 'job-state' }).optional(),
  ...pageFields,
})

/** What either POST of a scan takes in its head. */
export interface ScanHeaders {
  readonly Prefer?: string
  readonly 'Idempotency-Key'?: string
}

export const scanHeaders: z.ZodType<ScanHeaders> = z.object({
  Prefer: z.string().optional(),
  'Idempotency-Key': z.string().min(1).max(128).optional(),
})

/** The key that makes a request the same as an earlier one. Throws the refusal `invalid-request`. */
export function readIdempotencyKey(headers: Headers): string | undefined {
  const key = headers.get('idempotency-key')
  if (key === null) return undefined
  if (/^[\x21-\x7e]{1,128}$/.test(key)) return key
  throw new Refusal('invalid-request', { errors: [{ path: 'Idempotency-Key', message: 'idempotency-key' }] })
}

/** Bytes that are hashed at once: memory that is shared must be copied for it. */
const STRIDE = 4 * 1024 * 1024

/**
 * What a request asks for, as a hash: its bytes as they came are no measure, because each client makes up the boundary of a multipart body anew. The parts of an
 * archive are hashed one by one, and their hashes together.
 */
export async function hashScanRequest({ source, projectName, origin }: ScanRequest): Promise<string> {
  const parts: string[] = []
  if (source.kind === 'archive') {
    for (let at = 0; at < source.bytes.byteLength; at += STRIDE) parts.push(await hashBytes(source.bytes.slice(at, at + STRIDE)))
  }
  const told = [source.kind, placeOf(source), projectName, origin?.branch, origin?.commit, origin?.release, origin?.sourceUrl]
  return hashBytes(new TextEncoder().encode(JSON.stringify([...told.map((text) => text ?? null), parts])))
}

const placeOf = (source: SourceData): string | number => (source.kind === 'archive' ? source.bytes.byteLength : source.path)
