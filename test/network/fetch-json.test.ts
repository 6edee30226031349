import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createBreaker } from '../../core/network/breaker.ts'
import { createJsonFetch, FetchError } from '../../core/network/fetch-json.ts'
import type { LogEntry } from '../../core/log.ts'
import { drip, sendJson, startLoopback } from './loopback.ts'

const MiB = 1024 * 1024
const ask = createJsonFetch()
const maxValues = 1000
const inTime = (): AbortSignal => AbortSignal.timeout(5000)

async function errorOf(work: Promise<unknown>): Promise<FetchError> {
  const error: unknown = await work.then(
    () => new Error('it answered'),
    (error: unknown) => error,
  )
  if (!(error instanceof FetchError)) throw error
  return error
}

describe('createJsonFetch', () => {
  test('gives the document, and posts one', async () => {
    const { url, asked } = await startLoopback((_, response) => sendJson(response, { a: ['é'] }))
    expect(await ask(`${url}/x`, { maxBytes: 100, maxValues, signal: inTime() })).toEqual({ a: ['é'] })
    expect(await ask(`${url}/y`, { maxBytes: 100, maxValues, signal: inTime(), body: { q: 1 } })).toEqual({ a: ['é'] })
    expect(asked).toEqual([
      { method: 'GET', path: '/x', body: '' },
      { method: 'POST', path: '/y', body: '{"q":1}' },
    ])
  })

  test('counts decoded bytes: at the limit, one over, and a compressed bomb', async () => {
    const { url } = await startLoopback(({ path }, response) => {
      if (path !== '/bomb') return sendJson(response, `"${'x'.repeat(Number(path.slice(1)) - 2)}"`)
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(gzipSync(Buffer.alloc(64 * MiB, 0x20)))
    })
    expect(await ask(`${url}/${MiB}`, { maxBytes: MiB, maxValues, signal: inTime() })).toHaveLength(MiB - 2)
    expect((await errorOf(ask(`${url}/${MiB + 1}`, { maxBytes: MiB, maxValues, signal: inTime() }))).reason).toBe('too-large')
    expect((await errorOf(ask(`${url}/bomb`, { maxBytes: MiB, maxValues, signal: inTime() }))).reason).toBe('too-large')
  })

  test('counts values before anything is made of them; those in texts are none', async () => {
    const { url } = await startLoopback(({ path }, response) => {
      const count = Number(path.slice(2))
      if (path.startsWith('/t')) return sendJson(response, JSON.stringify('{},['.repeat(count)))
      sendJson(response, `[${Array.from({ length: count }, () => '{}').join()}]`)
    })
    // a list, 500 objects and the commas between them
    expect(await ask(`${url}/v500`, { maxBytes: MiB, maxValues, signal: inTime() })).toHaveLength(500)
    expect((await errorOf(ask(`${url}/v501`, { maxBytes: MiB, maxValues, signal: inTime() }))).reason).toBe('too-large')
    expect(await ask(`${url}/t5000`, { maxBytes: MiB, maxValues, signal: inTime() })).toHaveLength(20_000)
  })

  test.each([301, 302, 303, 307, 308])('follows no redirect: %i', async (status) => {
    const { url, asked } = await startLoopback(({ path }, response) => {
      if (path === '/inside') return sendJson(response, { secret: true })
      response.writeHead(status, { location: '/inside' })
      response.end()
    })
    const fault = await errorOf(ask(`${url}/x`, { maxBytes: 100, maxValues, signal: inTime() }))
    expect([fault.reason, fault.status]).toEqual(['status', status])
    expect(asked.map(({ path }) => path)).toEqual(['/x'])
  })

  test.each([204, 400, 404, 500, 503])('asks once, whatever the status: %i', async (status) => {
    const { url, asked } = await startLoopback((_, response) => {
      response.writeHead(status)
      response.end()
    })
    expect((await errorOf(ask(url, { maxBytes: 100, maxValues, signal: inTime() }))).status).toBe(status)
    expect(asked).toHaveLength(1)
  })

  test.each([
    ['a page', '<!doctype html><title>Sorry</title>'],
    ['nothing', ''],
    ['half a document', '{"a":'],
    ['broken UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['a key that changes prototypes', '{"a":{"__proto__":{"admin":true}}}'],
    ['the same key, escaped', String.raw`{"\u005f_proto__":1}`],
    ['brackets without end', '['.repeat(100_000)],
    ['deep nesting', `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`],
  ])('refuses %s', async (_, body) => {
    const { url } = await startLoopback((_, response) => void response.end(body))
    expect((await errorOf(ask(url, { maxBytes: MiB, maxValues, signal: inTime() }))).reason).toBe('not-json')
  })

  test('ends a body that never ends, a fetch that heeds no signal, and a host that is not there', async () => {
    const { url } = await startLoopback((_, response) => drip(response))
    expect((await errorOf(ask(url, { maxBytes: MiB, maxValues, signal: AbortSignal.timeout(300) }))).reason).toBe('timeout')
    const deaf = createJsonFetch(() => new Promise(() => {}))
    expect((await errorOf(deaf(url, { maxBytes: MiB, maxValues, signal: AbortSignal.timeout(50) }))).reason).toBe('timeout')
    expect((await errorOf(ask(url, { maxBytes: MiB, maxValues, signal: AbortSignal.abort() }))).reason).toBe('timeout')
    const closed = await errorOf(ask('http://127.0.0.1:9/', { maxBytes: MiB, maxValues, signal: inTime() }))
    expect([closed.reason, closed.message]).toEqual(['unreachable', 'unreachable'])
  })
})

test('the breaker pauses for five minutes and speaks once', () => {
  const log: LogEntry[] = []
  let now = new Date('2026-11-20T08:00:00Z')
  const later = (ms: number): void => void (now = new Date(now.getTime() + ms))
  const breaker = createBreaker(
    'gone',
    (entry) => log.push(entry),
    () => now,
  )
  expect(breaker.isOpen()).toBe(false)
  breaker.fail('timeout')
  breaker.fail('timeout')
  expect(breaker.isOpen()).toBe(true)
  later(299_999)
  expect(breaker.isOpen()).toBe(true)
  later(1)
  expect(breaker.isOpen()).toBe(false)
  breaker.fail('status')
  expect(log).toEqual([{ level: 'warn', event: 'gone', reason: 'timeout' }])
  breaker.succeed()
  breaker.fail('status')
  expect(log).toHaveLength(2)
})
