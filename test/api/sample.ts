import { createScanner, type ScannerOptions, type Scanner } from '../../handlers/index.ts'
import type { CatalogueClient, CatalogueDetail } from '../../core/catalogue/types.ts'
import { Refusal } from '../../core/errors.ts'
import type { LogEntry } from '../../core/log.ts'
import type { Report } from '../../core/report/types.ts'
import type { Rule } from '../../core/rules/rule.ts'
import type { Locale, Outcome, ScanControl, ScanOptions, ScanRunner, SourceData } from '../../core/types.ts'

export const NOW = new Date('2026-11-20T08:00:00.000Z')

/** How the sample's finding is called: tells in which language a report is. */
export const SAMPLE_TITLE: Readonly<Record<Locale, string>> = {
  en: 'Password in the source code',
  fr: 'Mot de passe dans le code source',
}

/** A finished scan with one finding in each language. */
export function createOutcome(
  { scanId, scannedAt, projectName }: Pick<ScanOptions, 'scanId' | 'scannedAt' | 'projectName'>,
  padding = '',
): Outcome {
  const summary = { critical: 0, high: 1, medium: 0, low: 0, info: 0, total: 1 }
  const entry = { scanId, projectName, scannedAt, riskScore: 26, riskLevel: 'MEDIUM', summary, projectTypes: ['UI5'] } as const
  const render = (lang: Locale): Uint8Array => {
    const title = SAMPLE_TITLE[lang]
    const finding = {
      id: 'f1',
      ruleId: 'secrets/password',
      severity: 'HIGH',
      confidence: 'high',
      title,
      message: `${title}${padding}`,
      why: 'é→',
      fix: '-',
      cwe: ['CWE-798'],
      docs: 'https://example.com/docs',
      file: 'webapp/Component.js',
      line: 3,
      column: 1,
      endLine: 3,
      endColumn: 9,
    } as const
    const report: Report = {
      ...entry,
      filesScanned: 1,
      complete: true,
      notices: [],
      suppressed: [],
      results: {
        ui5: { findings: [], apps: [] },
        cap: { findings: [], services: [] },
        secrets: { findings: [finding] },
        btp: { issues: [] },
        npm: { findings: [], packages: [], upgrades: [], advisories: { source: 'bundled', date: '2026-11-01', complete: true } },
        approuter: { findings: [], routes: [] },
      },
    }
    return new TextEncoder().encode(JSON.stringify(report))
  }
  return { entry, records: { en: render('en'), fr: render('fr') } }
}

export interface Fixture extends Scanner {
  /** What the runner was asked for. */
  readonly scans: { source: SourceData; options: ScanOptions; control: ScanControl }[]
  readonly log: LogEntry[]
}

/** An app whose runner records what it is asked for, and reports at once or does as told. */
export function createFixture(options: ScannerOptions = {}, run?: ScanRunner): Fixture {
  const scans: Fixture['scans'] = []
  const log: LogEntry[] = []
  const scanner = createScanner({
    now: () => NOW,
    log: (entry) => log.push(entry),
    resolveDirectory: (dirPath) => Promise.resolve({ path: dirPath, name: dirPath.split('/').at(-1) ?? '' }),
    catalogue: createCatalogue(),
    rules: [RULE],
    ...options,
    runner: (source, scanOptions, control) => {
      scans.push({ source, options: scanOptions, control })
      return run === undefined ? Promise.resolve(createOutcome(scanOptions)) : run(source, scanOptions, control)
    },
  })
  return { ...scanner, scans, log }
}

export const RULE: Rule = {
  id: 'secrets/password',
  severity: 'HIGH',
  impact: 'takeover',
  confidence: 'high',
  cwe: [798],
  since: '0.1.0',
  docs: 'https://example.com/docs',
  text: () => ({
    en: { title: 'Password', message: '{name}', why: 'Because.', fix: 'Remove it.' },
    fr: { title: 'Mot de passe', message: '{name}', why: 'Parce que.', fix: 'Retirez-le.' },
  }),
  checks: { credentials: () => [] },
}

const build = { name: 'x', version: '1.120.5', buildTimestamp: '', scmRevision: '', gav: '' }
const DETAIL: CatalogueDetail = { ...build, libraries: [], components: {}, themes: [], supportedThemes: [] }

export function createCatalogue(refusal?: Refusal): CatalogueClient & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    url: 'https://ui5.example',
    version: () =>
      refusal
        ? Promise.reject(refusal)
        : Promise.resolve({ latest: { version: '1.136.0', support: 'Maintenance', lts: true, beta: false } }),
    resources: (version) => {
      asked.push(version)
      return refusal ? Promise.reject(refusal) : Promise.resolve({ source: 'remote', data: DETAIL })
    },
  }
}

/** A multipart body of fields; a file is `[filename, bytes]`. */
export function createForm(fields: Record<string, string | readonly [string, Uint8Array | string]>): {
  headers: Record<string, string>
  body: Uint8Array
} {
  const chunks: Uint8Array[] = []
  const write = (text: string | Uint8Array): unknown => chunks.push(typeof text === 'string' ? Buffer.from(text) : text)
  for (const [name, value] of Object.entries(fields)) {
    const isText = typeof value === 'string'
    write(`--b0undary\r\nContent-Disposition: form-data; name="${name}"${isText ? '' : `; filename="${value[0]}"`}\r\n`)
    write(isText ? '\r\n' : 'Content-Type: application/zip\r\n\r\n')
    write(isText ? value : value[1])
    write('\r\n')
  }
  write('--b0undary--\r\n')
  return { headers: { 'content-type': 'multipart/form-data; boundary=b0undary' }, body: new Uint8Array(Buffer.concat(chunks)) }
}

export const createUpload = (): { method: string; headers: Record<string, string>; body: Uint8Array } => ({
  method: 'POST',
  ...createForm({ project: ['shop.zip', 'PK..'] }),
})

export const createDirectoryRequest = (
  body: unknown = { dirPath: '/srv/shop' },
): { method: string; headers: Record<string, string>; body: string } => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

/** A body in pieces, sent as fast as they are taken. */
export function createStream(pieces: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]()
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = iterator.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
  })
}

/** The events of a finished stream. */
export async function readEvents(response: Response): Promise<{ event: string; data: unknown }[]> {
  const text = await response.text()
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event:'))
    .map((block) => {
      const event = /^event: ?(.*)$/m.exec(block)?.[1] ?? ''
      const data = [...block.matchAll(/^data: ?(.*)$/gm)].map((match) => match[1]).join('\n')
      return { event, data: JSON.parse(data) }
    })
}
