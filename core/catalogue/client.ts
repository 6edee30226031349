import { Refusal, type RefusalCode } from '../errors.ts'
import type { Log } from '../log.ts'
import { createJsonFetch, FetchError, type Fetch } from '../network/fetch-json.ts'
import { createScanOverview } from './scan-overview.ts'
import { readDetail, readOverview } from './documents.ts'
import type { CatalogueClient, CatalogueDetail, CatalogueOverview, CataloguePort } from './types.ts'

export interface CatalogueOptions {
  /** `{library_catalog_url}`: where the catalogue is. */
  readonly url: string
  readonly log: Log
  readonly fetch?: Fetch
  readonly now?: () => Date
}

const TIMEOUT = 5000
const MAX_BYTES = 2 * 1024 * 1024
/** Of the largest document: the overview of SAPUI5 has 5,000, that of a version 2,000 (June 2026). */
const MAX_VALUES = 50_000
const KEPT_DETAILS = 50
/** Of all that are kept. */
const KEPT_VALUES = 200_000
/** It becomes part of an address: digits and dots alone. */
const VERSION = /^\d{1,5}(?:\.\d{1,5}){2}$/

/** Asks the UI5 distribution catalogue: for the two endpoints (rejects with refusals), and for scans (never rejects). */
export function createCatalogueClient({
  url,
  log,
  fetch,
  now = () => new Date(),
}: CatalogueOptions): CatalogueClient & CataloguePort {
  const outside = createJsonFetch(fetch)
  const base = url.replace(/\/{1,10}$/, '')
  const ask = (path: string): Promise<unknown> =>
    outside(`${base}/${path}`, { maxBytes: MAX_BYTES, maxValues: MAX_VALUES, signal: AbortSignal.timeout(TIMEOUT) })

  // the last ones asked for, the oldest first: a released version does not change
  const kept = new Map<string, CatalogueDetail>()
  let keptValues = 0
  const asked = new Map<string, Promise<CatalogueDetail>>()

  const fetchDetail = async (version: string): Promise<CatalogueDetail> => {
    const detail = readDetail(await ask(`${version}/resources/sap-ui-version.json`))
    if (detail === undefined) throw new Refusal('catalogue-unavailable')
    // a catalogue that answers for a version that it does not have says so by the version of what it gives
    if (detail.version !== '' && detail.version !== version) throw new Refusal('version-not-found')
    kept.set(version, detail)
    keptValues += countValues(detail)
    for (const [oldest, of] of kept) {
      if (kept.size <= KEPT_DETAILS && keptValues <= KEPT_VALUES) break
      kept.delete(oldest)
      keptValues -= countValues(of)
    }
    return detail
  }

  return {
    url: base.replace(/^(\w{1,10}:\/\/)[^/@]{1,500}@/, '$1'),

    async version(): Promise<CatalogueOverview> {
      const overview = await refusing(ask('version.json').then(readOverview), 'catalogue-unavailable')
      if (overview === undefined) throw new Refusal('catalogue-unavailable')
      return overview
    },

    async resources(version) {
      if (!VERSION.test(version)) throw new Refusal('invalid-request', { errors: [{ path: 'version', message: 'is not x.y.z' }] })
      const known = kept.get(version)
      if (known !== undefined) {
        kept.delete(version)
        kept.set(version, known)
        return { source: 'cache', data: known }
      }
      let flight = asked.get(version)
      if (flight === undefined) {
        flight = refusing(fetchDetail(version), 'version-not-found').finally(() => asked.delete(version))
        asked.set(version, flight)
      }
      return { source: 'remote', data: await flight }
    },

    overview: createScanOverview(() => ask('versionoverview.json'), log, now),
  }
}

function countValues(document: unknown): number {
  if (typeof document !== 'object' || document === null) return 1
  return Object.values(document).reduce((sum: number, member: unknown) => sum + countValues(member), 1)
}

/** What went wrong outside as the refusal that it is told as; what a 404 means depends on what was asked for. */
async function refusing<Value>(work: Promise<Value>, notFound: RefusalCode): Promise<Value> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    if (error.reason === 'timeout') throw new Refusal('catalogue-timeout')
    throw new Refusal(error.status === 404 ? notFound : 'catalogue-unavailable')
  }
}
