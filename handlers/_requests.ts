import * as z from 'zod'
import { Refusal, SEVERITIES, type Severity } from '../core/index.ts'
import { schemaOf } from './_schema-of.ts'

// the messages are keys of FAULTS

/** What is said of the source beside it; `sourceUrl` as it was sent. */
interface OriginRequest {
  readonly branch?: string
  readonly commit?: string
  readonly release?: string
  readonly sourceUrl?: string
}
export interface DirectoryRequest extends OriginRequest {
  readonly dirPath: string
  readonly projectName?: string
}
export interface UploadRequest extends OriginRequest {
  readonly project: string
  readonly projectName?: string
}
export interface HistoryQuery {
  readonly limit?: number
  readonly offset?: number
}

/** POSIX, a drive of Windows, a share: which of them this machine has is for whoever resolves it. */
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/]|\\\\)[^\0]*$/

export const projectName: z.ZodType<string> = z
  .string({ error: 'project-name' })
  .min(1, { error: 'project-name' })
  .max(200, { error: 'project-name' })

/** Fields of text beside the source. */
export const originFields: {
  readonly [Name in keyof OriginRequest]-?: z.ZodType<string>
} = {
  branch: z
    .string({ error: 'branch' })
    .max(250, { error: 'branch' })
    .regex(/^[^\p{Cc}\u2028-\u202e\u2066-\u2069]+$/u, { error: 'branch' }),
  commit: z.string({ error: 'commit' }).regex(/^[0-9a-f]{7,64}$/i, { error: 'commit' }),
  release: z
    .string({ error: 'release' })
    .max(100, { error: 'release' })
    .regex(/^[^\p{Cc}\u2028-\u202e\u2066-\u2069]+$/u, { error: 'release' }),
  sourceUrl: z.string({ error: 'source-url' }).min(1, { error: 'source-url' }).max(2000, { error: 'source-url' }),
}

const origin = {
  branch: originFields.branch.optional(),
  commit: originFields.commit.optional(),
  release: originFields.release.optional(),
  sourceUrl: originFields.sourceUrl.optional(),
}

export const directoryRequest: z.ZodType<DirectoryRequest> = schemaOf<DirectoryRequest>()(
  z.object(
    {
      dirPath: z.string({ error: 'dir-path' }).max(4096, { error: 'dir-path' }).regex(ABSOLUTE, { error: 'dir-path' }),
      projectName: projectName.optional(),
      ...origin,
    },
    { error: 'not-an-object' },
  ),
)

export const uploadRequest: z.ZodType<UploadRequest> = schemaOf<UploadRequest>()(
  z.object({
    project: z.string().meta({ contentMediaType: 'application/zip' }),
    projectName: projectName.optional(),
    ...origin,
  }),
)

const digits = (fault: string, min: number, max: number): z.ZodType<number> =>
  z
    .string({ error: fault })
    .regex(/^\d{1,9}$/, { error: fault })
    .transform(Number)
    .pipe(z.number().int().min(min, { error: fault }).max(max, { error: fault }))

/** Which part of a list is meant. */
export const pageFields: { readonly [Name in keyof HistoryQuery]-?: z.ZodOptional<z.ZodType<number>> } = {
  limit: digits('page-limit', 1, 200).optional(),
  offset: digits('page-offset', 0, 999_999_999).optional(),
}

export const historyQuery: z.ZodType<HistoryQuery> = schemaOf<HistoryQuery>()(z.object(pageFields))

/** Whether something is new from a severity on. */
export interface GateQuery {
  readonly gate?: string
}

const GATES: ReadonlyMap<string, Severity> = new Map(SEVERITIES.map((severity) => [`new-${severity.toLowerCase()}`, severity]))

export const gateQuery: z.ZodType<GateQuery> = z.object({ gate: z.enum([...GATES.keys()], { error: 'gate' }).optional() })

/** The severity that a gate names. */
export const severityOfGate = ({ gate }: GateQuery): Severity | undefined => GATES.get(gate ?? '')

export const scanParams: z.ZodType<{ readonly scanId: string }> = z.object({
  scanId: z
    .string({ error: 'scan-id' })
    .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, { error: 'scan-id' })
    .meta({ format: 'uuid' }),
})

export const versionParams: z.ZodType<{ readonly version: string }> = z.object({
  version: z.string({ error: 'ui5-version' }).regex(/^\d{1,5}(?:\.\d{1,5}){2}$/, { error: 'ui5-version' }),
})

/** What a schema makes of an input. Throws the refusal `invalid-request`, which names the members that don't fit. */
export function parseRequest<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw new Refusal('invalid-request', {
    errors: result.error.issues.slice(0, 20).map(({ path, message }) => ({ path: path.join('.'), message })),
  })
}
