import * as z from 'zod'
import type { H3Event } from 'h3'
import {
  encodePieces,
  HTML_POLICY,
  loadHtmlWriter,
  loadSarifWriter,
  loadSbomWriter,
  Refusal,
  type Writer,
  type WriterOptions,
} from '../core/index.ts'
import { deliver } from './_delivery.ts'
import { pickLocale, setLanguage } from './_language.ts'
import { readReport } from './_read-report.ts'
import { findStatuses } from './_statuses.ts'
import { readParams, readQuery, type Route } from './_route.ts'
import { scanParams } from './_requests.ts'
import type { Service } from './_service.ts'

const sarifQuery: z.ZodType<{ readonly suppressed?: 'include' | 'omit' }> = z.object({
  suppressed: z.enum(['include', 'omit']).optional(),
})

const SARIF_TYPE = 'application/sarif+json'
const SBOM_TYPE = 'application/vnd.cyclonedx+json'
const refusals = ['scan-not-found', 'storage-unavailable'] as const

export const sarif: Route = {
  method: 'GET',
  path: '/api/scan/:scanId/sarif',
  summary: 'The findings of a scan as SARIF 2.1.0',
  params: scanParams,
  query: sarifQuery,
  localised: true,
  answers: {
    200: {
      description: 'SARIF 2.1.0, with the suppressed findings where `suppressed=include` asks for them',
      schema: 'Sarif',
      type: SARIF_TYPE,
    },
  },
  refusals,
  handle: (event, service) =>
    exportReport(event, service, loadSarifWriter, SARIF_TYPE, {
      loadRules: service.loadRules,
      includeSuppressed: readQuery(event, sarifQuery).suppressed === 'include',
    }),
}

export const sbom: Route = {
  method: 'GET',
  path: '/api/scan/:scanId/sbom',
  summary: 'The npm packages of a scan as a CycloneDX 1.6 SBOM',
  params: scanParams,
  localised: true,
  answers: {
    200: { description: 'CycloneDX 1.6, with the advisories as vulnerabilities', schema: 'Sbom', type: SBOM_TYPE },
  },
  refusals,
  handle: (event, service) => exportReport(event, service, loadSbomWriter, SBOM_TYPE),
}

export const html: Route = {
  method: 'GET',
  path: '/api/scan/:scanId/html',
  summary: 'The report of a scan as a page in one file',
  params: scanParams,
  localised: true,
  answers: { 200: { description: 'A page that needs nothing but itself', schema: 'Html', type: 'text/html' } },
  refusals,
  async handle(event, service) {
    const page = await exportReport(event, service, loadHtmlWriter, 'text/html; charset=utf-8')
    // the one answer that is a document: it may use its own style and script, and reach nothing of the service
    const sandbox = 'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox'
    event.res.headers.set('content-security-policy', `${HTML_POLICY}; frame-ancestors 'none'; ${sandbox}`)
    return page
  },
}

interface ExportOptions extends Partial<WriterOptions> {
  /** Of a format that tells of rules. */
  readonly loadRules?: Service['loadRules']
}

/** Writes a stored report in another format. */
async function exportReport(
  event: H3Event,
  service: Service,
  loadWriter: () => Promise<Writer>,
  type: string,
  { loadRules, ...options }: ExportOptions = {},
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  const scanId = readParams(event, scanParams).scanId.toLowerCase()
  const locale = pickLocale(event, service.language)
  const history = service.historyOf(service.requestOf(event).space)
  const { bytes: stored } = await history.read(scanId, locale)
  const statuses = await findStatuses(service, service.requestOf(event), scanId)
  const told = statuses === undefined ? stored : (await import('./_annotate.ts')).annotateReport(stored, statuses)
  const report = readReport(told)
  // made by another version: the project has to be scanned again
  if (report === undefined) throw new Refusal('scan-not-found')
  const write = await loadWriter()
  const rules = (await loadRules?.()) ?? []
  setLanguage(event, locale)
  event.res.headers.set('content-type', type)
  const bytes = encodePieces(write(report, { locale, rules, version: service.version, ...options }))
  return deliver(event, service, bytes)
}
