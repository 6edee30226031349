import { gzipSync } from 'node:zlib'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createAdvisoryClient } from '../../core/advisories/client.ts'
import type { AdvisoryPort, PackageVersion } from '../../core/advisories/types.ts'
import type { LogEntry } from '../../core/log.ts'
import { drip, sendJson, startLoopback, type Asked } from '../network/loopback.ts'

const PACKAGES: readonly PackageVersion[] = [
  { name: '@sap/xssec', version: '3.5.0' },
  { name: 'express', version: '4.19.1' },
  { name: 'clean', version: '1.0.0' },
]

const body = z.object({
  queries: z.array(
    z.strictObject({
      package: z.strictObject({ ecosystem: z.literal('npm'), name: z.string() }),
      version: z.string(),
      page_token: z.string().optional(),
    }),
  ),
})

interface Database {
  /** Ids by `name@version`. */
  readonly ids?: Readonly<Record<string, readonly string[]>>
  readonly details?: Readonly<Record<string, unknown>>
}

/** Speaks the protocol as OSV does. */
function answerOsv({ ids = {}, details = {} }: Database): (asked: Asked, response: ServerResponse) => void {
  return (asked, response) => {
    if (asked.path !== '/v1/querybatch') {
      const found = details[asked.path.slice('/v1/vulns/'.length)]
      if (found === undefined) response.statusCode = 404
      return sendJson(response, found ?? { code: 5 })
    }
    const { queries } = body.parse(JSON.parse(asked.body))
    sendJson(response, {
      results: queries.map((query) => {
        const all = ids[`${query.package.name}@${query.version}`] ?? []
        const page = Number(query.page_token ?? 0)
        const next = all.length > page + 2 ? String(page + 2) : undefined
        return all.length === 0
          ? {}
          : { vulns: all.slice(page, page + 2).map((id) => ({ id, modified: 'x' })), next_page_token: next }
      }),
    })
  }
}

interface Bench {
  readonly port: AdvisoryPort
  readonly log: LogEntry[]
  later(ms: number): void
}

function createBench(url: string): Bench {
  const log: LogEntry[] = []
  let now = new Date('2027-01-02T08:00:00Z')
  return {
    port: createAdvisoryClient({ url, log: (entry) => log.push(entry), now: () => now }),
    log,
    later: (ms) => void (now = new Date(now.getTime() + ms)),
  }
}

async function idsOf(port: AdvisoryPort, packages: readonly PackageVersion[] = PACKAGES): Promise<string[]> {
  return (await port.query(packages)).matches.map(({ name, version, advisory }) => `${name}@${version} ${advisory.id}`)
}

const bundled = (complete: boolean): Promise<object> =>
  createBundledAdvisories()
    .query(PACKAGES)
    .then((answer) => ({ ...answer, complete }))

function detailOf(id: string, name: string, more: object = {}): object {
  const ranges = [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '9.0.0' }] }]
  return {
    id,
    summary: `About ${id}`,
    affected: [{ package: { ecosystem: 'npm', name }, ranges }],
    database_specific: { severity: 'HIGH' },
    ...more,
  }
}

test('asks for all packages at once, and for details only of what the snapshot lacks', async () => {
  const { url, asked } = await startLoopback(
    answerOsv({
      ids: { '@sap/xssec@3.5.0': ['GHSA-p2vx-qj66-88q3'], 'express@4.19.1': ['GHSA-new1-new1-new1', 'CVE-2024-29041'] },
      details: { 'GHSA-new1-new1-new1': detailOf('GHSA-new1-new1-new1', 'express') },
    }),
  )
  const { port, log } = createBench(`${url}/`)
  const answer = await port.query(PACKAGES)
  expect(answer).toMatchObject({ source: 'osv', date: '2027-01-02', complete: true })
  expect(answer.matches).toMatchObject([
    { name: '@sap/xssec', version: '3.5.0', advisory: { id: 'GHSA-p2vx-qj66-88q3', severity: 'CRITICAL', fixed: '3.6.0' } },
    {
      name: 'express',
      advisory: {
        id: 'GHSA-new1-new1-new1',
        severity: 'HIGH',
        title: { en: 'About GHSA-new1-new1-new1', fr: 'About GHSA-new1-new1-new1' },
        fixed: '9.0.0',
        affected: '<9.0.0',
      },
    },
    { name: 'express', advisory: { id: 'GHSA-rv95-896h-c2vc', aliases: ['CVE-2024-29041'], fixed: '4.19.2' } },
  ])
  expect(asked.map(({ path }) => path)).toEqual(['/v1/querybatch', '/v1/vulns/GHSA-new1-new1-new1'])
  await port.query(PACKAGES)
  expect(asked.map(({ path }) => path).slice(2)).toEqual([])
  expect(log).toEqual([])
})

test('sends a thousand packages at a time, and asks for every page', async () => {
  const many = Array.from({ length: 2500 }, (_, index) => ({ name: `p${index}`, version: '1.0.0' }))
  const ids = ['GHSA-a', 'GHSA-b', 'GHSA-c', 'GHSA-d', 'GHSA-e'].map((id) => `${id}aaa-aaaa-aaaa`)
  const details = Object.fromEntries(ids.map((id) => [id, detailOf(id, 'p1700')]))
  const { url, asked } = await startLoopback(answerOsv({ ids: { 'p1700@1.0.0': ids }, details }))
  expect(await idsOf(createBench(url).port, many)).toEqual(ids.map((id) => `p1700@1.0.0 ${id}`))
  const batches = asked.filter(({ path }) => path === '/v1/querybatch').map((it) => body.parse(JSON.parse(it.body)).queries)
  expect(batches.map(({ length }) => length)).toEqual([100, 1000, 1000, 400, 1, 1])
  expect(batches[4]).toEqual([{ package: { ecosystem: 'npm', name: 'p1700' }, version: '1.0.0', page_token: '2' }])
})

test('nothing private leaves, nor what is no package; the snapshot answers for them', async () => {
  const { url, asked } = await startLoopback(answerOsv({}))
  const odd = [
    { name: '@sap/xssec', version: '3.5.0', isPrivate: true },
    { name: '@corp/secret', version: '1.0.0', isPrivate: true },
    { name: '../../etc', version: '1.0.0' },
    { name: 'a\r\nb', version: '1.0.0' },
    { name: 'x', version: 'file:../secret' },
    { name: 'y'.repeat(300), version: '1.0.0' },
    { name: 'z', version: `1.0.0-${'a'.repeat(200)}` },
  ]
  const { port } = createBench(url)
  expect(await port.query(odd)).toMatchObject({ source: 'bundled', complete: true, matches: [{ name: '@sap/xssec' }] })
  expect(asked).toEqual([])
  expect(await port.query([...odd, { name: 'ok', version: '1.0.0' }])).toMatchObject({
    source: 'osv',
    matches: [{ name: '@sap/xssec' }],
  })
  expect(asked.map((it) => body.parse(JSON.parse(it.body)).queries)).toEqual([
    [{ package: { ecosystem: 'npm', name: 'ok' }, version: '1.0.0' }],
  ])
})

test('the database decides about what it knows; incidents and advisories of SAP come from the snapshot too', async () => {
  const { url } = await startLoopback(answerOsv({}))
  const packages = [...PACKAGES, { name: '@cap-js/sqlite', version: '2.2.2' }, { name: 'mbt', version: '1.2.48' }]
  expect(await idsOf(createBench(url).port, packages)).toEqual([
    '@sap/xssec@3.5.0 GHSA-p2vx-qj66-88q3',
    '@cap-js/sqlite@2.2.2 GHSA-pvw4-cvr4-97p8',
    'mbt@1.2.48 SAP-NOTE-3747787',
  ])
})

test('twins are one: an id of malware and the GHSA id, a withdrawn one and one that is gone are none', async () => {
  const { url } = await startLoopback(
    answerOsv({
      ids: {
        'clean@1.0.0': ['MAL-2026-1', 'GHSA-twin-twin-twin', 'GHSA-back-back-back', 'GHSA-gone-gone-gone', 'GHSA-else-else-else'],
      },
      details: {
        'MAL-2026-1': detailOf('MAL-2026-1', 'clean', { aliases: ['GHSA-twin-twin-twin'] }),
        'GHSA-twin-twin-twin': detailOf('GHSA-twin-twin-twin', 'clean'),
        'GHSA-back-back-back': detailOf('GHSA-back-back-back', 'clean', { withdrawn: '2026-01-01T00:00:00Z' }),
        'GHSA-else-else-else': detailOf('GHSA-else-else-else', 'another'),
      },
    }),
  )
  const { matches, complete } = await createBench(url).port.query(PACKAGES)
  expect(complete).toBe(true)
  expect(matches.map(({ advisory }) => advisory).filter((advisory) => advisory.package === 'clean')).toMatchObject([
    { id: 'GHSA-twin-twin-twin', aliases: ['MAL-2026-1'], malware: true, severity: 'CRITICAL' },
  ])
})

test.each<[string, (asked: Asked, response: ServerResponse) => void]>([
  ['an error', (_, response) => void response.writeHead(500).end()],
  ['a redirect', (_, response) => void response.writeHead(307, { location: '/elsewhere' }).end()],
  ['HTML', (_, response) => void response.end('<html>')],
  ['another shape', (_, response) => sendJson(response, { results: [{ vulns: [{ id: '../../x' }] }, {}, {}] })],
  ['too few results', (_, response) => sendJson(response, { results: [] })],
  [
    'a bomb',
    (_, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(40 * 1024 * 1024, 0x20))),
  ],
  ['a hang-up', (_, response) => void response.destroy()],
  [
    'broken details',
    (asked, response) =>
      asked.path === '/v1/querybatch'
        ? sendJson(response, {
            results: [{ vulns: Array.from({ length: 20 }, (_, at) => ({ id: `GHSA-${at + 100}` })) }, {}, {}],
          })
        : sendJson(response, { id: 7 }),
  ],
])('%s: the snapshot answers, it is said once, and nobody is asked for five minutes', async (_, answer) => {
  const { url, asked } = await startLoopback(answer)
  const { port, log, later } = createBench(url)
  expect(await port.query(PACKAGES)).toEqual(await bundled(false))
  const before = asked.length
  expect(before).toBeLessThan(30)
  later(299_000)
  expect(await port.query(PACKAGES)).toEqual(await bundled(false))
  expect(asked).toHaveLength(before)
  later(1000)
  await port.query(PACKAGES)
  expect(asked.length).toBeGreaterThan(before)
  expect(asked.every(({ path }) => path.startsWith('/v1/'))).toBe(true)
  expect(log).toHaveLength(1)
  expect(log[0]).toMatchObject({ level: 'warn', event: 'advisories-unavailable' })
})

test('three seconds a scan in all, dripping details included', async () => {
  const { url } = await startLoopback((asked, response) => {
    if (asked.path === '/v1/querybatch') sendJson(response, { results: [{ vulns: [{ id: 'GHSA-slow-slow-slow' }] }, {}, {}] })
    else drip(response)
  })
  const { port, log } = createBench(url)
  const began = performance.now()
  expect(await port.query(PACKAGES)).toEqual(await bundled(false))
  expect(performance.now() - began).toBeLessThan(20_000)
  expect(log).toEqual([{ level: 'warn', event: 'advisories-unavailable', reason: 'timeout' }])
})

test('a cancelled scan is no failure of the database', async () => {
  const { url, asked } = await startLoopback((it, response) => void setTimeout(() => answerOsv({})(it, response), 100))
  const { port, log } = createBench(url)
  const controller = new AbortController()
  // the snapshot is loaded before the database is asked
  const fromSnapshot = await bundled(false)
  setTimeout(() => controller.abort(), 50)
  expect(await port.query(PACKAGES, controller.signal)).toEqual(fromSnapshot)
  expect(await port.query(PACKAGES, controller.signal)).toEqual(await bundled(false))
  expect(await port.query(PACKAGES)).toMatchObject({ source: 'osv', complete: true })
  expect([asked.length, log.length]).toEqual([2, 0])
})

test('more unknown advisories than one scan may ask for: the answer says that it is not complete, later ones go on', async () => {
  const ids = Array.from({ length: 700 }, (_, index) => `GHSA-${index}`)
  const details = Object.fromEntries(ids.map((id) => [id, detailOf(id, 'clean')]))
  const server = answerOsv({ details })
  const { url, asked } = await startLoopback((it, response) =>
    it.path === '/v1/querybatch'
      ? sendJson(response, { results: [{}, {}, { vulns: ids.map((id) => ({ id })) }] })
      : server(it, response),
  )
  const { port, log } = createBench(url)
  const first = await port.query(PACKAGES)
  expect([first.source, first.complete, asked.length]).toEqual(['osv', false, 501])
  const second = await port.query(PACKAGES)
  expect([second.complete, asked.length, second.matches.length]).toEqual([true, 701, 701])
  expect(log).toEqual([])
})

const many = (count: number): PackageVersion[] =>
  Array.from({ length: count }, (_, index) => ({ name: `package-${index}`, version: '1.0.0' }))

test('what takes longer than a scan waits is no outage: what was answered counts, others are asked for', async () => {
  let batches = 0
  const { url } = await startLoopback((asked, response) => {
    // two thousand packages are answered, then nobody is for as long as a scan waits
    if (++batches === 2 || batches === 3) return
    const { queries } = body.parse(JSON.parse(asked.body))
    sendJson(response, { results: queries.map(() => ({})) })
  })
  const { port, log } = createBench(url)
  expect(await port.query(many(3000))).toMatchObject({ source: 'osv', complete: false })
  expect(log).toEqual([])
  expect(await port.query(PACKAGES)).toMatchObject({ source: 'osv', complete: true })
})

test('a database that is slow about a thousand packages is asked about a hundred as well, and so is no outage', async () => {
  const { url } = await startLoopback((asked, response) => {
    const { queries } = body.parse(JSON.parse(asked.body))
    setTimeout(() => sendJson(response, { results: queries.map(() => ({})) }), queries.length > 500 ? 10_000 : 0)
  })
  const { port, log } = createBench(url)
  expect(await port.query(many(10_000))).toMatchObject({ source: 'osv', complete: false })
  expect(log).toEqual([])
  expect(await port.query(PACKAGES)).toMatchObject({ source: 'osv', complete: true })
})

test('what was answered is kept for all, and for a quarter of an hour', async () => {
  const { url, asked } = await startLoopback(answerOsv({}))
  const { port, later } = createBench(url)
  await port.query(many(1100))
  expect(asked.length).toBe(2)
  expect(await port.query(many(1100))).toMatchObject({ source: 'osv', complete: true })
  expect(asked.length).toBe(2)
  later(16 * 60_000)
  await port.query(many(1100))
  expect(asked.length).toBe(4)
})

test('ten thousand packages are asked about in one scan; for others the snapshot answers', async () => {
  const { url, asked } = await startLoopback(answerOsv({}))
  const { port, log } = createBench(url)
  expect(await port.query(many(40_000))).toMatchObject({ source: 'osv', complete: false })
  expect([asked.length, log.length]).toEqual([11, 0])
})
