import type { H3 } from 'h3'
import type { Report, ReportFinding } from '../../core/report/types.ts'
import type { Outcome, ScanOptions, ScanRunner } from '../../core/types.ts'
import type { ScannerOptions } from '../../handlers/index.ts'
import type { Send } from './matrix.ts'
import { createDirectoryRequest, createFixture, createOutcome } from './sample.ts'

/** What the next scan finds: the ids of its findings, and how it is. */
export interface Told {
  readonly ids: readonly string[]
  readonly complete?: boolean
  readonly version?: string
  readonly formerIds?: Readonly<Record<string, readonly string[]>>
}

/** A finished scan with these findings, as a runner of a host gives it: without facts. */
export function createTold(options: ScanOptions, { ids, complete = true, version = '0.1.0', formerIds = {} }: Told): Outcome {
  const plain = createOutcome(options)
  const summary = { critical: 0, high: ids.length, medium: 0, low: 0, info: 0, total: ids.length }
  const entry = { ...plain.entry, summary }
  const render = (bytes: Uint8Array): Uint8Array => {
    const report: Report = JSON.parse(new TextDecoder().decode(bytes))
    const [first] = report.results.secrets.findings
    if (first === undefined) throw new Error('the sample has a finding')
    const findings = ids.map((id): ReportFinding => {
      const former = formerIds[id]
      const { id: _, ...rest } = first
      return { id, ...(former !== undefined && { formerIds: former }), ...rest }
    })
    const results = { ...report.results, secrets: { findings } }
    const told = { ...report, ...options.origin, ...entry, scannerVersion: version, complete, results }
    return new TextEncoder().encode(JSON.stringify(told))
  }
  return { entry, records: { en: render(plain.records.en), fr: render(plain.records.fr) } }
}

export interface OverTime {
  readonly app: H3
  /** Scans once; gives the id of the scan. */
  scan(told: Told, fields?: Readonly<Record<string, string>>): Promise<string>
  /** The body of an answer. */
  get<T>(path: string): Promise<T>
  at(time: string): void
  /** What the next scan finds that is asked for otherwise. */
  next(told: Told): void
}

/** An app whose scans find what they are told, each a minute later than the one before. */
export function createOverTime(send: Send, options: ScannerOptions = {}): OverTime {
  let next: Told = { ids: [] }
  let now = Date.parse('2026-11-20T08:00:00.000Z')
  const run: ScanRunner = (_, scanOptions) => Promise.resolve(createTold(scanOptions, next))
  const { app } = createFixture({ now: () => new Date(now), ...options }, run)
  return {
    app,
    async scan(told, fields = {}) {
      next = told
      now += 60_000
      const body = { dirPath: '/srv/shop', projectName: 'shop', ...fields }
      const answer = await send(app, '/api/scan/directory', createDirectoryRequest(body))
      if (answer.status !== 201) throw new Error(await answer.text())
      return (await answer.json()).scanId
    },
    get: async (path) => (await send(app, path)).json(),
    next(told) {
      next = told
      now += 60_000
    },
    at(time) {
      now = Date.parse(time)
    },
  }
}
