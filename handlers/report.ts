import type { ScanStatuses } from '../core/index.ts'
import { SMALL_ANSWER } from './_delivery.ts'
import { chooseEncoding } from './_encoding.ts'
import { hashBytes } from './_hash.ts'
import { JSON_TYPE } from './_headers.ts'
import { pickLocale, setLanguage } from './_language.ts'
import { readParams, type Route } from './_route.ts'
import { findStatuses } from './_statuses.ts'
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
    const { space } = service.requestOf(event)
    const { hash, size } = await service.historyOf(space).find(scanId, locale)
    const statuses = await findStatuses(service, service.requestOf(event), scanId)
    setLanguage(event, locale)
    const encoding = chooseEncoding(event, size, service.compress)
    // other bytes, another tag (RFC 9110, 8.8.3.3)
    const toTag = (own: string): string => (encoding === undefined ? own : `${own}-${encoding}`)
    const known = event.req.headers.get('if-none-match')
    const isKnown = (own: string): boolean => known !== null && matchesTag(known, toTag(own))
    const setHeaders = (own: string): void => {
      event.res.headers.set('etag', `"${toTag(own)}"`)
      // kept by the browser alone, and asked for each time: the report may have been deleted
      event.res.headers.set('cache-control', 'private, no-cache')
    }
    const notModified = (own: string): Response => {
      setHeaders(own)
      event.res.headers.delete('content-encoding')
      return new Response(null, { status: 304 })
    }

    const earlier = statuses === undefined ? hash : service.knownTags.get(`${hash} ${statuses.tag}`)
    if (earlier !== undefined && isKnown(earlier)) return notModified(earlier)
    // the memory is set aside before it is read: many may ask at once
    const delivery = size <= SMALL_ANSWER ? undefined : service.deliveries.reserve(size)
    try {
      const { bytes: stored } = await service.historyOf(space).read(scanId, locale)
      const told = statuses === undefined ? { bytes: stored, hash } : await annotate(stored, statuses)
      if (statuses !== undefined) keepTag(service.knownTags, `${hash} ${statuses.tag}`, told.hash)
      if (isKnown(told.hash)) {
        delivery?.release()
        return notModified(told.hash)
      }
      const isPacked = encoding !== undefined && service.compress !== undefined
      const bytes = isPacked ? await service.compress(told.bytes, encoding) : told.bytes
      setHeaders(told.hash)
      event.res.headers.set('content-type', JSON_TYPE)
      if (delivery === undefined || event.req.method === 'HEAD') {
        delivery?.release()
        return bytes
      }
      event.res.headers.set('content-length', String(bytes.byteLength))
      return delivery.send(bytes)
    } catch (error) {
      delivery?.release()
      throw error
    }
  },
}

async function annotate(stored: Uint8Array, statuses: ScanStatuses): Promise<{ bytes: Uint8Array; hash: string }> {
  const { annotateReport } = await import('./_annotate.ts')
  const bytes = annotateReport(stored, statuses)
  return { bytes, hash: await hashBytes(bytes) }
}

/** Tags that are remembered: one each for a report in a language, as its project tells it. */
const MAX_TAGS = 1000

function keepTag(tags: Map<string, string>, name: string, tag: string): void {
  tags.set(name, tag)
  for (const oldest of [...tags.keys()].slice(0, Math.max(0, tags.size - MAX_TAGS))) tags.delete(oldest)
}

export const removal: Route = {
  method: 'DELETE',
  path,
  summary: 'Deletes a scan',
  params: scanParams,
  answers: { 204: { description: 'It is gone' } },
  refusals: ['scan-not-found', 'storage-unavailable'],
  async handle(event, service) {
    const history = service.historyOf(service.requestOf(event).space)
    await history.remove(readParams(event, scanParams).scanId.toLowerCase())
    return new Response(null, { status: 204 })
  },
}

/** If-None-Match compares weakly (RFC 9110, 13.1.2). */
function matchesTag(header: string, wanted: string): boolean {
  return header.split(',').some((tag) => {
    const opaque = tag.trim().replace(/^W\//, '')
    return opaque === '*' || opaque === `"${wanted}"`
  })
}
