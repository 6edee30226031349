import { Refusal } from '../core/index.ts'
import { MAX_JSON, parseJson } from './_body.ts'
import { readMediaType } from './_multipart.ts'
import { toOrigin } from './_origin.ts'
import { scanHeaders } from './_job-requests.ts'
import type { Route } from './_route.ts'
import { performScan, refuseEncoding, SCAN_ANSWERS } from './_scan.ts'
import { directoryRequest, gateQuery, parseRequest } from './_requests.ts'

export const directory: Route = {
  method: 'POST',
  path: '/api/scan/directory',
  summary: 'Scans a directory on the machine of the server',
  body: { type: 'application/json', schema: 'DirectoryRequest' },
  query: gateQuery,
  headers: scanHeaders,
  localised: true,
  answers: SCAN_ANSWERS,
  refusals: [
    'directory-not-allowed',
    'directory-not-found',
    'request-timeout',
    'upload-too-large',
    'archive-too-large',
    'unsupported-media-type',
    'project-empty',
    'directory-scan-unavailable',
    'idempotency-mismatch',
    'queue-unavailable',
    'worker-lost',
    'storage-unavailable',
  ],
  handle(event, service) {
    const { resolveDirectory } = service
    if (resolveDirectory === undefined) throw new Refusal('directory-scan-unavailable')
    // exactly this type: a page of another site can send text/plain without being asked
    if (readMediaType(event.req.headers.get('content-type')) !== 'application/json') throw new Refusal('unsupported-media-type')
    refuseEncoding(event)
    return performScan(event, service, MAX_JSON, {
      async toScanRequest(body) {
        const { dirPath, projectName, ...said } = parseRequest(directoryRequest, parseJson(body))
        const origin = await toOrigin(said)
        const { path, name } = await resolveDirectory(dirPath)
        return { source: { kind: 'directory', path, name }, projectName: projectName ?? name.slice(0, 200), origin }
      },
    })
  },
}
