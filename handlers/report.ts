import type { H3Event } from 'h3'
import type { Locale } from '../core/index.ts'
import { SMALL_ANSWER } from './_delivery.ts'
import { chooseEncoding, type Encoding } from './_encoding.ts'
import { JSON_TYPE } from './_headers.ts'
import { pickLocale, setLanguage } from './_language.ts'
import { readParams, type Route } from './_route.ts'
import { scanParams } from './_requests.ts'
import type { Service } from './_service.ts'

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
    const { hash, size } = await service.historyOf(service.requestOf(event).space).find(scanId, locale)
    const known = event.req.headers.get('if-none-match')
    setLanguage(event, locale)
    const encoding = chooseEncoding(event, size, service.compress)
    // other bytes, another tag (RFC 9110, 8.8.3.3)
    const tag = encoding === undefined ? hash : `${hash}-${encoding}`
    const isKnown = known !== null && matchesTag(known, tag)
    const answer = isKnown ? undefined : await readReport(event, service, scanId, locale, size, encoding)

    const { headers } = event.res
    headers.set('etag', `"${tag}"`)
    // kept by the browser alone, and asked for each time: the report may have been deleted
    headers.set('cache-control', 'private, no-cache')
    if (answer === undefined) {
      headers.delete('content-encoding')
      return new Response(null, { status: 304 })
    }
    headers.set('content-type', JSON_TYPE)
    return answer
  },
}

/** A stored report, as the client takes it. The memory is set aside before it is read: many may ask at once. */
async function readReport(
  event: H3Event,
  { deliveries, historyOf, requestOf, compress }: Service,
  scanId: string,
  locale: Locale,
  size: number,
  encoding: Encoding | undefined,
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  const read = async (): Promise<Uint8Array> => {
    const { bytes } = await historyOf(requestOf(event).space).read(scanId, locale)
    return encoding === undefined || compress === undefined ? bytes : compress(bytes, encoding)
  }
  if (size <= SMALL_ANSWER) return read()
  const delivery = deliveries.reserve(size)
  let bytes: Uint8Array
  try {
    bytes = await read()
  } catch (error) {
    delivery.release()
    throw error
  }
  if (event.req.method !== 'HEAD') {
    event.res.headers.set('content-length', String(bytes.byteLength))
    return delivery.send(bytes)
  }
  delivery.release()
  return bytes
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
