import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { SCHEMAS } from '../../handlers/_schemas.ts'
import { SHOP, zipOf } from '../runners/projects.ts'
import { handIn, hasEnded, setUpQueue, untilJob } from './queue-processes.ts'
import { startRedis } from './redis.ts'

const INSTALLED = new URL('../../node_modules/', import.meta.url).pathname
const PACKAGES = ['@bull-board/api', '@bull-board/ui', '@opentelemetry/api']
const TOKEN = 't'.repeat(20)
const BEARER = { authorization: `Bearer ${TOKEN}` }
const PASSWORD = { authorization: `Basic ${btoa(`operator:${TOKEN}`)}` }

/** A host that sets up a provider before the service starts, and writes names of spans to its standard error. */
const PROVIDER = `
import { createRequire } from 'node:module'
const api = createRequire('${import.meta.url}')('@opentelemetry/api')
const names = new WeakMap()
api.trace.setGlobalTracerProvider({
  getTracer: () => ({
    startSpan(name, options, context = api.context.active()) {
      const parent = api.trace.getSpan(context)
      const span = { spanContext: () => api.INVALID_SPAN_CONTEXT, setAttribute: () => span, setStatus: () => span }
      span.end = () => process.stderr.write('span ' + name + ' in ' + (parent && names.get(parent)) + '\\n')
      names.set(span, name)
      return span
    },
  }),
})
`

test('the operator sees the queue in a browser and changes nothing there, and a provider is told of scans', async () => {
  const redis = await startRedis()
  const packages = Object.fromEntries(PACKAGES.map((name) => [name, join(INSTALLED, name)]))
  const setup = setUpQueue(inject('packed'), redis.url, packages)
  onTestFinished(() => setup.stop())
  const provider = join(setup.folder, 'provider.mjs')
  writeFileSync(provider, PROVIDER)
  const more = { PARAPET_TRACES: 'on', PARAPET_TOKEN: TOKEN, NODE_OPTIONS: `--import ${provider}` }
  const server = await setup.startServer({ PARAPET_DASHBOARD: 'on', ...more })
  const { id } = SCHEMAS.Job.parse(await (await handIn(server.url, zipOf(SHOP), BEARER)).json())
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${server.url}/admin/queues${path}`, { headers: PASSWORD, ...init })

  expect((await ask('', { headers: {} })).status).toBe(401)
  const page = await ask('')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  const html = await page.text()
  expect(html).toContain('<base href="/admin/queues/" />')
  expect(html).not.toMatch(/<%|https?:/)
  const files = [...html.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThan(4)
  for (const file of files) {
    const answer = await ask(`/${file}`)
    expect([file, answer.status]).toEqual([file, 200])
    expect(answer.headers.get('content-type')).toMatch(/^(?:text\/(?:javascript|css)|image\/)/)
  }
  expect((await ask('/static/../../package.json')).status).toBe(404)
  expect((await ask('/static/%2e%2e/%2e%2e/package.json')).status).toBe(404)

  const list = await (await ask('/api/queues?activeQueue=scans-1-small&status=latest&page=1&jobsPerPage=10')).text()
  expect(list).toContain(id)
  const job = await (await ask(`/api/queues/scans-1-small/${id}`)).text()
  expect(job).toContain('shop')
  for (const [method, path] of [
    ['PUT', '/api/queues/pause'],
    ['PUT', '/api/queues/scans-1-small/obliterate'],
    ['PUT', `/api/queues/scans-1-small/${id}/clean`],
    ['POST', '/api/queues/scans-1-small/add'],
    ['PATCH', `/api/queues/scans-1-small/${id}/update-data`],
  ] as const)
    expect([path, (await ask(path, { method })).status]).toEqual([path, 405])

  const worker = await setup.startWorker(more)
  expect(await untilJob(server.url, id, hasEnded, BEARER)).toMatchObject({ state: 'done' })
  // in the process that carries the scan out
  for (let waited = 0; waited < 50 && !worker.log().includes('span parapet.scan'); waited++) await sleep(100)
  const spans = worker
    .log()
    .split('\n')
    .filter((line) => line.startsWith('span '))
  expect(spans).toEqual([
    'span parapet.waiting in parapet.scan',
    'span parapet.reading in parapet.scan',
    'span parapet.asking in parapet.scan',
    'span parapet.checking in parapet.scan',
    'span parapet.reporting in parapet.scan',
    'span parapet.scan in undefined',
  ])
  expect(server.log()).not.toContain('span ')

  await redis.kill()
  const away = await ask('/api/queues')
  expect([away.status, SCHEMAS.Problem.parse(await away.json()).code]).toEqual([503, 'queue-unavailable'])
})

test('where its packages are missing the start says so', async () => {
  const redis = await startRedis()
  const setup = setUpQueue(inject('packed'), redis.url)
  onTestFinished(() => setup.stop())
  await Promise.all([
    expect(setup.startServer({ PARAPET_DASHBOARD: 'on', PARAPET_TOKEN: TOKEN })).rejects.toThrow(
      "can't start: PARAPET_DASHBOARD needs the packages @bull-board/api and @bull-board/ui",
    ),
    expect(setup.startServer({ PARAPET_TRACES: 'on' })).rejects.toThrow(
      "can't start: PARAPET_TRACES needs the package @opentelemetry/api",
    ),
  ])
})
