import { spawnSync } from 'node:child_process'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { readArguments } from '../../adapters/terminal/arguments.ts'
import { readSettings } from '../../adapters/node/settings.ts'
import { createServerScanner } from '../../adapters/terminal/scan-all/server-scanner.ts'
import type { FoundProject } from '../../adapters/terminal/scan-all/find-projects.ts'
import type { ScannedPath } from '../../adapters/terminal/scan-path.ts'
import { bundleCli } from '../bundle.ts'
import { start } from '../node/running.ts'
import { SHOP, zipOf } from '../runners/projects.ts'
import { readSummaryOf } from './summaries.ts'

const ID = '0198c0de-0000-7000-8000-000000000000'
const JOB = { id: ID, phase: 'reading', done: 0, total: 0, position: 0, submittedAt: '2026-11-20T12:00:00.000Z' }
const TOKEN = 'token-of-this-test'
let folder: string
let project: FoundProject

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-all-server-'))
  for (const [path, text] of Object.entries(SHOP)) {
    mkdirSync(dirname(join(folder, 'repos/shop', path)), { recursive: true })
    writeFileSync(join(folder, 'repos/shop', path), text)
  }
  writeFileSync(join(folder, 'repos/orders.zip'), zipOf(SHOP))
  writeFileSync(join(folder, 'repos/broken.zip'), zipOf(SHOP).slice(0, -30))
  project = { source: 'shop', path: join(folder, 'repos/shop'), name: 'shop', isFolder: true }
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly after?: string
  /** The connection is cut instead. */
  readonly cut?: boolean
}

const busy: Reply = { status: 503, body: { code: 'busy', detail: 'Full.' }, after: '0.01' }
const waiting: Reply = { status: 200, body: { ...JOB, state: 'running' }, after: '0.01' }
const accepted: Reply = { status: 202, body: { ...JOB, state: 'waiting' } }
const cut: Reply = { status: 0, cut: true }

/** A service that gives these answers in this order, the last one again and again. */
async function serve(
  ...replies: readonly Reply[]
): Promise<{ url: string; asked: string[]; keys: Set<unknown>; server: Server }> {
  const asked: string[] = []
  const keys = new Set<unknown>()
  const server = createServer((request: IncomingMessage, response) => {
    const reply = replies[Math.min(asked.length, replies.length - 1)] ?? busy
    asked.push(`${request.method} ${request.url}`)
    if (request.headers['idempotency-key'] !== undefined) keys.add(request.headers['idempotency-key'])
    request.resume().once('end', () => {
      if (reply.cut === true) return void request.socket.destroy()
      response.writeHead(reply.status, reply.after === undefined ? {} : { 'retry-after': reply.after })
      response.end(JSON.stringify(reply.body ?? {}))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked, keys, server }
}

function scan(url: string, signal = new AbortController().signal, token?: string): Promise<ScannedPath> {
  vi.stubEnv('PARAPET_TOKEN', token ?? '')
  onTestFinished(() => void vi.unstubAllEnvs())
  const args = readArguments(['scan-all', 'x', '-o', 'out', '--server', url])
  return createServerScanner(args, url, readSettings({}), { busy: 1000, away: 200 }).scan(project, signal)
}

test('a service that is busy is asked again, and given up when it stays so', async () => {
  const { url, asked, keys } = await serve(busy)
  await expect(scan(url)).rejects.toMatchObject({ code: 'busy', message: 'Full.' })
  expect(asked.length).toBeGreaterThan(1)
  expect(keys.size).toBe(1)
})

test('a refusal is told as the service words it, and not tried again', async () => {
  const { url, asked } = await serve({ status: 413, body: { code: 'upload-too-large', detail: 'Too large.' } })
  await expect(scan(url)).rejects.toMatchObject({ code: 'upload-too-large', message: 'Too large.' })
  expect(asked).toEqual(['POST /api/scan/upload'])
})

test('a job that fails has failed, with its problem', async () => {
  const failed = { ...JOB, state: 'failed', problem: { code: 'worker-lost', detail: 'Lost.' } }
  const { url, asked } = await serve(accepted, waiting, waiting, { status: 200, body: failed })
  await expect(scan(url)).rejects.toMatchObject({ code: 'worker-lost', message: 'Lost.' })
  expect(asked.slice(1)).toEqual(Array(3).fill(`GET /api/scan/jobs/${ID}`))
})

test('a service that vanishes is waited for, then the project has failed, and those after it at once', async () => {
  const { url, asked } = await serve(accepted, waiting, cut)
  await expect(scan(url)).rejects.toMatchObject({ code: 'server-unreachable' })
  expect(asked.length).toBeGreaterThan(2)
})

test('one that comes back without the job gets the project again, three times at most', async () => {
  const gone: Reply = { status: 404, body: { code: 'job-not-found', detail: 'Unknown.' } }
  const { url, asked } = await serve(accepted, gone, accepted, gone, accepted, gone)
  await expect(scan(url)).rejects.toMatchObject({ code: 'job-not-found' })
  expect(asked.filter((line) => line.startsWith('POST'))).toHaveLength(3)
})

test.each([
  ['a page', { status: 200, body: 'hello' }],
  ['a job with an id that leads elsewhere', { status: 202, body: { ...JOB, id: '../../x', state: 'done' } }],
  ['no problem document', { status: 500, body: 'oops' }],
])('%s is no report', async (_, reply) => {
  const { url, asked } = await serve(reply)
  await expect(scan(url)).rejects.toMatchObject({ code: 'no-report' })
  expect(asked).toEqual(['POST /api/scan/upload'])
})

test('whoever ends the run cancels its jobs', async () => {
  const stop = new AbortController()
  const { url, asked } = await serve(accepted, waiting)
  const scanned = scan(url, stop.signal)
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(2))
  stop.abort()
  await expect(scanned).rejects.toThrow()
  expect(asked.at(-1)).toBe(`DELETE /api/scan/jobs/${ID}`)
})

test('a real service scans all of them as jobs; its token comes from the environment', async () => {
  const cli = bundleCli()
  const { url } = await start({ PARAPET_TOKEN: TOKEN })
  const run = (token: string, ...args: string[]): { status: number | null; stderr: string } =>
    spawnSync(process.execPath, [cli, 'scan-all', 'repos', '-o', 'out', '--server', url, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', PARAPET_TOKEN: token },
    })
  expect(run('another-token-of-16', '--lang', 'fr')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('(unauthorized)'),
  })
  expect(run(TOKEN, '--fail-on', 'critical').status).toBe(2)
  const rows = readSummaryOf(join(folder, 'out')).projects.map(({ source, outcome, code }) => [source, outcome, code])
  expect(rows).toEqual([
    ['repos/broken.zip', 'failed', 'archive-invalid'],
    ['repos/orders.zip', 'done', undefined],
    ['repos/shop', 'done', undefined],
  ])
  expect(run(TOKEN, '--resume').status).toBe(2)
  expect(readSummaryOf(join(folder, 'out')).projects.map(({ resumed }) => resumed)).toEqual([false, true, true])
  const headers = { authorization: `Bearer ${TOKEN}` }
  const jobs: unknown = await (await fetch(`${url}/api/scan/jobs?state=done`, { headers })).json()
  expect(jobs).toHaveLength(2)
})
