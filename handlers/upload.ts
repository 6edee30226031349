import type { z } from 'zod'
import { Refusal } from '../core/index.ts'
import { createPartsReader, readBoundary, type Part } from './_multipart.ts'
import { scanHeaders } from './_job-requests.ts'
import type { Route } from './_route.ts'
import { performScan, refuseEncoding, SCAN_ANSWERS } from './_scan.ts'
import type { ScanRequest } from './_scan-options.ts'
import { toOrigin } from './_origin.ts'
import { gateQuery, originFields, parseRequest, projectName } from './_requests.ts'

export const upload: Route = {
  method: 'POST',
  path: '/api/scan/upload',
  summary: 'Scans a ZIP archive',
  body: { type: 'multipart/form-data', schema: 'UploadRequest' },
  query: gateQuery,
  headers: scanHeaders,
  localised: true,
  answers: SCAN_ANSWERS,
  refusals: [
    'missing-file',
    'request-timeout',
    'upload-too-large',
    'archive-too-large',
    'unsupported-media-type',
    'archive-invalid',
    'archive-encrypted',
    'project-empty',
    'idempotency-mismatch',
    'queue-unavailable',
    'worker-lost',
    'storage-unavailable',
  ],
  handle(event, service) {
    const boundary = readBoundary(event.req.headers.get('content-type'))
    refuseEncoding(event)
    const reader = createPartsReader(boundary)
    return performScan(event, service, service.limits.upload, {
      allocate: service.allocate,
      arrived: reader.arrived,
      toScanRequest: (body) => toScanRequest(reader.finish(body)),
    })
  },
}

/** Control characters, and those that turn the direction of the text around them. */
const UNSEEN = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu

const MAX_LABEL = 200

async function toScanRequest(parts: readonly Part[]): Promise<ScanRequest> {
  const [file, ...more] = parts.filter(({ name }) => name === 'project')
  // a browser sends an empty name and no bytes where no file was chosen
  if (file?.filename === undefined || file.filename === '' || file.bytes.byteLength === 0 || more.length > 0) {
    throw new Refusal('missing-file')
  }
  const name = toLabel(file.filename)
  return {
    source: { kind: 'archive', bytes: file.bytes, name },
    projectName: readText(parts, 'projectName', projectName, 'project-name') ?? name.replace(/\.zip$/i, ''),
    origin: await toOrigin({
      branch: readText(parts, 'branch', originFields.branch, 'branch'),
      commit: readText(parts, 'commit', originFields.commit, 'commit'),
      release: readText(parts, 'release', originFields.release, 'release'),
      sourceUrl: readText(parts, 'sourceUrl', originFields.sourceUrl, 'source-url'),
    }),
  }
}

/** A text field, where it is filled in. Throws the refusal `invalid-request`. */
function readText(parts: readonly Part[], name: string, schema: z.ZodType<string>, fault: string): string | undefined {
  const [field, ...more] = parts.filter((part) => part.name === name)
  if (field === undefined || field.bytes.byteLength === 0) return undefined
  if (more.length > 0) throw new Refusal('invalid-request', { errors: [{ path: name, message: fault }] })
  try {
    return parseRequest(schema, new TextDecoder('utf-8', { fatal: true }).decode(field.bytes))
  } catch (error) {
    const message = error instanceof TypeError ? 'not-utf-8' : fault
    throw new Refusal('invalid-request', { errors: [{ path: name, message }] }, { cause: error })
  }
}

/** A file's name as a label: some send the path on their disk. */
function toLabel(filename: string): string {
  const base = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1)
  const label = base.replace(UNSEEN, '').trim()
  return /^(?:\.zip)?$/i.test(label) ? 'project.zip' : label.slice(0, MAX_LABEL).toWellFormed()
}
