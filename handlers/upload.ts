import { Refusal } from '../core/index.ts'
import { createPartsReader, readBoundary, type Part } from './_multipart.ts'
import type { Route } from './_route.ts'
import { performScan, refuseEncoding, type ScanRequest } from './_scan.ts'
import { parseRequest, projectName } from './_requests.ts'

export const upload: Route = {
  method: 'POST',
  path: '/api/scan/upload',
  summary: 'Scans a ZIP archive',
  body: { type: 'multipart/form-data', schema: 'UploadRequest' },
  localised: true,
  answers: { 201: { description: 'The report, stored', schema: 'Report', events: true, headers: ['Location'] } },
  refusals: [
    'missing-file',
    'request-timeout',
    'upload-too-large',
    'archive-too-large',
    'unsupported-media-type',
    'archive-invalid',
    'archive-encrypted',
    'project-empty',
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

function toScanRequest(parts: readonly Part[]): ScanRequest {
  const [file, ...more] = parts.filter(({ name }) => name === 'project')
  // a browser sends an empty name and no bytes where no file was chosen
  if (file?.filename === undefined || file.filename === '' || file.bytes.byteLength === 0 || more.length > 0) {
    throw new Refusal('missing-file')
  }
  const name = toLabel(file.filename)
  return {
    source: { kind: 'archive', bytes: file.bytes, name },
    projectName: readProjectName(parts) ?? name.replace(/\.zip$/i, ''),
  }
}

/** The text field, where it is filled in. Throws the refusal `invalid-request`. */
function readProjectName(parts: readonly Part[]): string | undefined {
  const [field, ...more] = parts.filter((part) => part.name === 'projectName')
  if (field === undefined || field.bytes.byteLength === 0) return undefined
  if (more.length > 0) throw new Refusal('invalid-request', { errors: [{ path: 'projectName', message: 'project-name' }] })
  try {
    return parseRequest(projectName, new TextDecoder('utf-8', { fatal: true }).decode(field.bytes))
  } catch (error) {
    const message = error instanceof TypeError ? 'not-utf-8' : 'project-name'
    throw new Refusal('invalid-request', { errors: [{ path: 'projectName', message }] }, { cause: error })
  }
}

/** A file's name as a label: some send the path on their disk. */
function toLabel(filename: string): string {
  const base = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1)
  const label = base.replace(UNSEEN, '').trim()
  return /^(?:\.zip)?$/i.test(label) ? 'project.zip' : label.slice(0, MAX_LABEL).toWellFormed()
}
