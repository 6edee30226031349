import { createStorage } from 'unstorage'
import { describe, expect, test } from 'vitest'
import { printReport } from '../../adapters/terminal/print-report.ts'
import { createPainter } from '../../adapters/terminal/paint.ts'
import { createLog } from '../../adapters/node/log.ts'
import type { Report } from '../../core/report/types.ts'
import { RULES } from '../../core/rules/index.ts'
import { EXPORT_FORMATS, loadWriter } from '../../core/writers.ts'
import { createScanner, readReport } from '../../handlers/index.ts'
import { createForm } from '../api/sample.ts'
import { zipOf } from '../runners/projects.ts'
import { drawn } from '../soak.ts'
import { writeMaterial } from './material/index.ts'
import type { Sample } from './material/sample.ts'
import { writeAllPlaces } from './places/index.ts'

const PLANTED = 60
const PART = 6

/** Values that are secret from their first character to the last: no addresses, no headers, nothing that begins as all of its kind do. */
function isAllSecret(value: string): boolean {
  const isKnownStart = /^(?:ey|Basic|Bearer|AKIA|ASIA|-----)/.test(value)
  return /^[^\s:/]{8,}$/.test(value) && !isKnownStart && !/:\/\/|-----/.test(Buffer.from(value, 'base64').toString('latin1'))
}

/** Samples of all sorts, and what is secret in them, as written and as decoded. */
function choose(): { readonly samples: readonly Sample[]; readonly values: readonly string[] } {
  const samples: Sample[] = []
  const values: string[] = []
  const places = writeAllPlaces('leaks').planted
  const ofMaterial = writeMaterial('leaks').planted
  for (const sample of drawn([...ofMaterial, ...places], 2)) {
    if (sample.kind !== 'contextual' || !sample.secrets.every(({ value }) => isAllSecret(value))) continue
    samples.push(sample)
    for (const { value } of sample.secrets) values.push(value, ...decodedOf(value))
  }
  return { samples, values }
}

function decodedOf(value: string): string[] {
  if (!/^[A-Za-z0-9+/]{8,}={0,2}$/.test(value)) return []
  const text = Buffer.from(value, 'base64').toString('latin1')
  const secret = text.slice(text.indexOf(':') + 1)
  return /^[!-~]{8,}$/.test(text) && isAllSecret(secret) ? [secret] : []
}

/** Faults of other areas around each credential, so that their snippets and messages would quote it. */
function surround(path: string, text: string): string {
  if (/\.(?:js|ts)$/.test(path)) return `eval(location.hash); document.write(location.hash)\n${text}\neval(location.hash)\n`
  return text
}

const { samples, values } = choose()
const files = Object.fromEntries([
  ...samples.map(({ path, text }, at) => [`shop/part-${at}/${path}`, surround(path, text)]),
  ...samples.map(({ text }, at) => [`shop/broken/webapp/a${at}.js`, `function (${text}`]),
])

/** The parts of all values by their length; digits of hashes are often those of a value. */
const PARTS: readonly (readonly [size: number, parts: ReadonlySet<string>])[] = [PART, 2 * PART].map((size) => {
  const fitting = values.filter((value) => (/^[0-9a-f-]+$/.test(value) ? 2 * PART : PART) === size)
  const parts = fitting.flatMap((value) => Array.from({ length: value.length - size + 1 }, (_, at) => value.slice(at, at + size)))
  return [size, new Set(parts.filter((part) => size > PART || !/^[0-9a-f-]+$/.test(part)))]
})

/** Four characters of a text as a number: of a hundred places 99 begin no part, which is told without cutting one out. */
const START_BITS = 20
const startAt = (text: string, at: number): number => {
  const code = (offset: number): number => text.charCodeAt(at + offset)
  return (Math.imul((code(0) << 24) ^ (code(1) << 16) ^ (code(2) << 8) ^ code(3), 0x9e3779b1) >>> (32 - START_BITS)) | 0
}
const STARTS = new Uint8Array(1 << START_BITS)
for (const [, parts] of PARTS) for (const part of parts) STARTS[startAt(part, 0)] = 1

/** Parts of values that are said, escaped or not. */
function leaksIn(said: string): string[] {
  const plain = said.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('\\"', '"')
  const found = new Set<string>()
  for (const text of plain === said ? [said] : [said, plain]) {
    for (let at = 0; at + PART <= text.length; at++) {
      if (STARTS[startAt(text, at)] === 0) continue
      for (const [size, parts] of PARTS) {
        const part = text.slice(at, at + size)
        if (parts.has(part)) found.add(part)
      }
    }
  }
  return [...found]
}

async function serve(): Promise<{ answers: Record<string, string>; stored: string; logged: string }> {
  const storage = createStorage()
  const logged: string[] = []
  const logs = [createLog('text', (line) => logged.push(line)), createLog('json', (line) => logged.push(line))]
  const { app } = createScanner({ storage, log: (entry) => logs.forEach((log) => log(entry)) })
  const answers: Record<string, string> = {}
  const ask = async (name: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await app.fetch(new Request(`http://localhost${path}`, init))
    answers[name] = `${JSON.stringify([...response.headers])}\n${await response.clone().text()}`
    return response
  }
  const upload = (bytes: Uint8Array, headers: Record<string, string> = {}): RequestInit => {
    const form = createForm({ project: ['shop.zip', bytes] })
    return { method: 'POST', headers: { ...form.headers, ...headers }, body: Buffer.from(form.body) }
  }
  const zip = zipOf(files)
  const created = await ask('upload', '/api/scan/upload', upload(zip))
  expect(created.status).toBe(201)
  const at = created.headers.get('location') ?? ''
  for (const lang of ['en', 'fr']) {
    await ask(`report ${lang}`, `${at}?lang=${lang}`)
    for (const format of ['sarif', 'sbom', 'html']) await ask(`${format} ${lang}`, `${at}/${format}?lang=${lang}`)
  }
  await ask('events', '/api/scan/upload', upload(zip, { accept: 'text/event-stream' }))
  await ask('history', '/api/scan/history')
  const damaged = Uint8Array.from(zip, (byte, index) =>
    index > zip.length / 3 && index < zip.length / 3 + 40 ? byte ^ 0x5a : byte,
  )
  const refused = await ask('damaged', '/api/scan/upload', upload(damaged))
  expect(refused.status).toBeGreaterThanOrEqual(400)
  const plain = await ask('no archive', '/api/scan/upload', upload(new TextEncoder().encode(Object.values(files).join('\n'))))
  expect(plain.status).toBeGreaterThanOrEqual(400)
  const stored = await Promise.all(
    (await storage.getKeys()).map(async (key) => `${key} ${toText(await storage.getItemRaw(key))}`),
  )
  return { answers, stored: stored.join('\n'), logged: logged.join('\n') }
}

function toText(stored: unknown): string {
  if (stored instanceof Uint8Array) return new TextDecoder().decode(stored)
  return typeof stored === 'string' ? stored : JSON.stringify(stored)
}

describe(`nothing of ${PLANTED} credentials and more is told`, () => {
  const served = serve()

  test('as many of them are put together at run time, or stand in files of tools', () => {
    expect(samples.filter(({ name }) => /^(?:run time|tools): /.test(name)).length).toBeGreaterThanOrEqual(PLANTED)
  })

  test('there are as many, and they are findings', async () => {
    expect(values.length).toBeGreaterThanOrEqual(PLANTED)
    const { answers } = await served
    const report = reportOf(answers['report en'])
    expect(report.results.secrets.findings.length).toBeGreaterThanOrEqual(PLANTED)
    expect(report.results.ui5.findings.length).toBeGreaterThan(0)
  })

  test('by any answer of the service', async () => {
    const { answers } = await served
    expect(Object.entries(answers).map(([name, text]) => [name, leaksIn(text)])).toEqual(
      Object.keys(answers).map((name) => [name, []]),
    )
  })

  test('by what is stored and logged', async () => {
    const { stored, logged } = await served
    expect(stored.length).toBeGreaterThan(10_000)
    expect(leaksIn(stored)).toEqual([])
    expect(leaksIn(logged)).toEqual([])
  })

  test.each(EXPORT_FORMATS)('by %s', async (format) => {
    const { answers } = await served
    const write = await loadWriter(format)
    for (const locale of ['en', 'fr'] as const) {
      const report = reportOf(answers[`report ${locale}`])
      const said = [...write(report, { locale, rules: RULES, version: '0.0.0', includeSuppressed: true })].join('')
      expect(said.length).toBeGreaterThan(500)
      expect(leaksIn(said)).toEqual([])
    }
  })

  test('on a terminal', async () => {
    const { answers } = await served
    const report = reportOf(answers['report en'])
    const paint = createPainter({ isTTY: true }, {})
    const said = printReport(report, { locale: 'en', paint, details: true, quiet: false, failOn: 'LOW' })
    expect(said.length).toBeGreaterThan(5000)
    expect(leaksIn(said)).toEqual([])
  })

  test('and a leak is noticed', () => {
    expect(leaksIn(`… ${(values[0] ?? '').slice(1, 8)} …`)).not.toEqual([])
  })
})

function reportOf(answer = ''): Report {
  const report = readReport(new TextEncoder().encode(answer.slice(answer.indexOf('\n') + 1)))
  if (report === undefined) throw new Error('the answer holds no report')
  return report
}
