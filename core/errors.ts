export const REFUSAL_CODES = [
  'invalid-request',
  'missing-file',
  'unauthorized',
  'directory-not-allowed',
  'forbidden-origin',
  'not-found',
  'scan-not-found',
  'job-not-found',
  'directory-not-found',
  'project-not-found',
  'finding-not-found',
  'decision-changed',
  'precondition-required',
  'idempotency-mismatch',
  'version-not-found',
  'method-not-allowed',
  'request-timeout',
  'upload-too-large',
  'archive-too-large',
  'unsupported-media-type',
  'unknown-host',
  'archive-invalid',
  'archive-encrypted',
  'project-empty',
  'directory-scan-unavailable',
  'catalogue-unavailable',
  'catalogue-timeout',
  'busy',
  'storage-unavailable',
  'queue-unavailable',
  'worker-lost',
  'internal-error',
] as const

/** The faults of a caller. One kind of error; its code is stable and never localised. */
export type RefusalCode = (typeof REFUSAL_CODES)[number]

export const ARCHIVE_REASONS = [
  'not-a-zip',
  'truncated',
  'unsafe-name',
  'duplicate-name',
  'ambiguous',
  'overlap',
  'multi-disk',
  'unsupported-method',
  'size-mismatch',
  'crc-mismatch',
  'corrupt-data',
  'entries',
  'path',
  'inflated',
] as const

/** Why an archive is refused (`reason` of `archive-invalid` and `archive-too-large`). */
export type ArchiveReason = (typeof ARCHIVE_REASONS)[number]

/** What helps the caller beside the code; plain data, so that a refusal can cross a thread. */
export interface RefusalDetails {
  readonly reason?: ArchiveReason
  /** The archive's entry meant, raw: whoever prints it escapes it. */
  readonly entry?: string
  /** The limit in force, in bytes or a count. */
  readonly limit?: number
  /** What the bytes look like instead of a ZIP: gzip, rar, 7z, html, ... */
  readonly detected?: string
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
  /** Seconds until a retry makes sense. */
  readonly retryAfter?: number
  /** Methods that the path answers to. */
  readonly allow?: string
}

/** Thrown for everything that the caller did wrong or has to be told by code; all else is a bug and becomes `internal-error`. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly details: RefusalDetails

  constructor(code: RefusalCode, details: RefusalDetails = {}, options?: ErrorOptions) {
    super(details.reason === undefined ? code : `${code}: ${details.reason}`, options)
    this.name = 'Refusal'
    this.code = code
    this.details = details
  }
}

/** By name, not `instanceof`: two copies of the package may meet in one process. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && error.name === 'Refusal' && 'code' in error && 'details' in error
}
