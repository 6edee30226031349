import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { createAdvisoryClient } from '../../core/advisories/client.ts'
import type { AdvisoryPort } from '../../core/advisories/types.ts'
import type { LogEntry } from '../../core/log.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { sendJson, startLoopback, type Asked } from '../network/loopback.ts'

interface Lies {
  /** Ids of the advisories about each package of a batch. */
  readonly ids: readonly string[]
  /** Of the intervals of each advisory about the package `a`. */
  readonly intervals?: number
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `GHSA-a-${String(at).padStart(8, '0')}`)

/** Speaks the protocol, and says what no database says. */
function lie({ ids, intervals = 0 }: Lies): (asked: Asked, response: ServerResponse) => void {
  const events = Array.from({ length: intervals }, (_, at) => [{ introduced: `0.0.${at * 2}` }, { fixed: `0.0.${at * 2 + 1}` }])
  const ranges = Array.from({ length: Math.ceil(intervals / 500) }, (_, at) => ({
    type: 'SEMVER',
    events: events.slice(at * 500, (at + 1) * 500).flat(),
  }))
  const vulns = ids.map((id) => ({ id }))
  return ({ path, body }, response) => {
    if (path === '/v1/querybatch') {
      const count = body.split('"package"').length - 1
      return sendJson(response, { results: Array.from({ length: count }, () => ({ vulns })) })
    }
    sendJson(response, { id: path.split('/').at(-1), affected: [{ package: { ecosystem: 'npm', name: 'a' }, ranges }] })
  }
}

async function createPort(lies: Lies): Promise<{ port: AdvisoryPort; asked: Asked[]; log: LogEntry[] }> {
  const { url, asked } = await startLoopback(lie(lies))
  const log: LogEntry[] = []
  return { port: createAdvisoryClient({ url, log: (entry) => void log.push(entry) }), asked, log }
}

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

test('more advisories than there are, about each of ten thousand packages: the snapshot answers', async () => {
  const { port, asked, log } = await createPort({ ids: numbered(30) })
  const packages = Array.from({ length: 10_000 }, (_, at) => ({ name: `package-${at}`, version: '1.0.0' }))
  expect(await port.query(packages)).toMatchObject({ source: 'bundled', complete: false })
  expect(asked.length).toBeLessThan(10)
  expect(log).toMatchObject([{ reason: 'too-large' }])
})

test('more pages than a scan may ask for, about packages that somebody chose: no outage, others are asked for', async () => {
  const vulns = numbered(3).map((id) => ({ id }))
  const { url, asked } = await startLoopback(({ path, body }, response) => {
    if (path !== '/v1/querybatch') return sendJson(response, { id: path.split('/').at(-1) })
    const names = [...body.matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name)
    sendJson(response, {
      results: names.map((name) => (name?.startsWith('chosen') === true ? { vulns, next_page_token: 'more' } : { vulns })),
    })
  })
  const log: LogEntry[] = []
  const port = createAdvisoryClient({ url, log: (entry) => void log.push(entry) })
  const packages = Array.from({ length: 10 }, (_, at) => ({ name: at === 0 ? 'left' : `chosen-${at}`, version: '1.0.0' }))
  expect(await port.query(packages)).toMatchObject({ source: 'osv', complete: false })
  expect(asked.filter(({ path }) => path === '/v1/querybatch').length).toBeLessThanOrEqual(20)
  expect(await port.query([{ name: 'right', version: '1.0.0' }])).toMatchObject({ source: 'osv', complete: true })
  expect(log).toEqual([])
})

test('pages without end about one package: the snapshot answers, others are asked for', async () => {
  const { url } = await startLoopback(({ body }, response) =>
    sendJson(response, { results: [body.includes('endless') ? { vulns: [], next_page_token: 'more' } : {}] }),
  )
  const log: LogEntry[] = []
  const port = createAdvisoryClient({ url, log: (entry) => void log.push(entry) })
  expect(await port.query([{ name: 'endless', version: '1.0.0' }])).toMatchObject({ source: 'bundled', complete: false })
  expect(await port.query([{ name: 'left', version: '1.0.0' }])).toMatchObject({ source: 'osv', complete: true })
  expect(log).toEqual([])
})

test('twenty advisories with two thousand intervals each about a hundred versions: what there is room for is told, in seconds', async () => {
  const { port } = await createPort({ ids: numbered(20), intervals: 1990 })
  const packages = Array.from({ length: 100 }, (_, at) => [`node_modules/a${at}/node_modules/a`, { version: `0.0.${at * 2}` }])
  const lock = { lockfileVersion: 3, packages: Object.fromEntries(packages) }
  const files = new Map([
    ['package.json', '{"name":"x"}'],
    ['package-lock.json', JSON.stringify(lock)],
  ])
  const began = cpuSeconds()
  const { en } = await scanFiles(files, { ports: { advisories: port } })
  expect(cpuSeconds() - began).toBeLessThan(15)
  expect(allFindings(en).filter(({ ruleId }) => ruleId === 'npm/known-vulnerability')).toHaveLength(100)
  expect(en.notices.map(({ code }) => code)).toContain('advisories-unavailable')
  expect(JSON.stringify(en).length).toBeLessThan(1_000_000)
})

test('more intervals than an advisory has: it is not told, and no outage', async () => {
  const { port, log } = await createPort({ ids: numbered(1), intervals: 2001 })
  expect(await port.query([{ name: 'a', version: '0.0.0' }])).toMatchObject({ source: 'osv', complete: false })
  expect(log).toEqual([])
})

test('more advisories of another shape than there may be are an outage', async () => {
  const query = async (count: number): Promise<readonly unknown[]> => {
    const vulns = numbered(count).map((id) => ({ id }))
    const { url } = await startLoopback(({ path }, response) =>
      sendJson(response, path === '/v1/querybatch' ? { results: [{ vulns }] } : { id: 7 }),
    )
    const log: LogEntry[] = []
    const port = createAdvisoryClient({ url, log: (entry) => void log.push(entry) })
    const { source } = await port.query([{ name: 'a', version: '0.0.0' }])
    return [source, ...log.map(({ reason }) => reason)]
  }
  expect(await query(10)).toEqual(['osv'])
  expect(await query(11)).toEqual(['bundled', 'not-json'])
})

test.each([
  ['too large', (response: ServerResponse) => sendJson(response, ' '.repeat(2 ** 21))],
  ['refused', (response: ServerResponse) => void response.writeHead(500).end()],
])('one of two advisories that is %s: the other one is told', async (_, spoil) => {
  const answers = lie({ ids: numbered(2), intervals: 1 })
  const { url } = await startLoopback((it, response) =>
    it.path === `/v1/vulns/${numbered(1)[0]}` ? spoil(response) : answers(it, response),
  )
  const log: LogEntry[] = []
  const port = createAdvisoryClient({ url, log: (entry) => void log.push(entry) })
  const answer = await port.query([{ name: 'a', version: '0.0.0' }])
  expect([answer.source, answer.complete, answer.matches.length, log]).toEqual(['osv', false, 1, []])
})

test('of large advisories the last ones are kept, as many as there is room for', async () => {
  const answers = lie({ ids: [], intervals: 1990 })
  const { url, asked } = await startLoopback((it, response) =>
    it.path === '/v1/querybatch'
      ? sendJson(response, { results: [{ vulns: [{ id: `GHSA-${/"version":"0\.0\.(\d+)"/.exec(it.body)?.[1]}` }] }] })
      : answers(it, response),
  )
  const port = createAdvisoryClient({ url, log: () => undefined })
  const details = (): number => asked.filter(({ path }) => path.startsWith('/v1/vulns/')).length
  const query = (at: number): ReturnType<AdvisoryPort['query']> => port.query([{ name: 'a', version: `0.0.${at * 2}` }])
  for (let at = 0; at < 60; at++) expect(await query(at)).toMatchObject({ complete: true, matches: [{ name: 'a' }] })
  expect(details()).toBe(60)
  await query(59)
  expect(details()).toBe(60)
  // fifty of them fill the room
  await query(0)
  expect(details()).toBe(61)
})

test('gigabytes are hung up on', async () => {
  let sent = 0
  let closed: Promise<unknown> = Promise.resolve()
  const piece = Buffer.alloc(64 * 1024, ' ')
  const { url } = await startLoopback((_, response) => {
    closed = once(response, 'close')
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = (): void => {
      while (!response.destroyed && sent < 4e9) {
        sent += piece.length
        if (!response.write(piece)) return void response.once('drain', more)
      }
    }
    more()
  })
  const log: LogEntry[] = []
  const port = createAdvisoryClient({ url, log: (entry) => void log.push(entry) })
  expect(await port.query([{ name: 'a', version: '1.0.0' }])).toMatchObject({ source: 'bundled', complete: false })
  await closed
  expect(sent).toBeLessThan(50_000_000)
  expect(log).toMatchObject([{ reason: 'too-large' }])
})
