import { JSON_TYPE } from './_headers.ts'
import { pickLocale, setLanguage } from './_language.ts'
import { readParams, type Route } from './_route.ts'
import { scanParams } from './_requests.ts'

const path = '/api/scan/:scanId'

export const report: Route = {
  method: 'GET',
  path,
  summary: 'The report of a scan',
  params: scanParams,
  localised: true,
  answers: {
    200: { description: 'The report, as it was made', schema: 'Report', headers: ['ETag'] },
    304: { description: 'If-None-Match names it' },
  },
  refusals: ['scan-not-found', 'storage-unavailable'],
  async handle(event, service) {
    const scanId = readParams(event, scanParams).scanId.toLowerCase()
    const locale = pickLocale(event, service.language)
    const known = event.req.headers.get('if-none-match')
    const hash = known === null ? undefined : await service.history.hash(scanId, locale)
    const isKnown = known !== null && hash !== undefined && matchesTag(known, hash)
    const stored = isKnown ? undefined : await service.history.read(scanId, locale)

    setLanguage(event, locale)
    const { headers } = event.res
    headers.set('etag', `"${stored?.hash ?? hash}"`)
    // kept by the browser alone, and asked for each time: the report may have been deleted
    headers.set('cache-control', 'private, no-cache')
    if (stored === undefined) return new Response(null, { status: 304 })
    headers.set('content-type', JSON_TYPE)
    return stored.bytes
  },
}

export const removal: Route = {
  method: 'DELETE',
  path,
  summary: 'Deletes a scan',
  params: scanParams,
  answers: { 204: { description: 'It is gone' } },
  refusals: ['scan-not-found', 'storage-unavailable'],
  async handle(event, service) {
    await service.history.remove(readParams(event, scanParams).scanId.toLowerCase())
    return new Response(null, { status: 204 })
  },
}

/** If-None-Match compares weakly (RFC 9110, 13.1.2). */
function matchesTag(header: string, hash: string): boolean {
  return header.split(',').some((tag) => {
    const opaque = tag.trim().replace(/^W\//, '')
    return opaque === '*' || opaque === `"${hash}"`
  })
}
