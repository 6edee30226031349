import { createStorage } from 'unstorage'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { H3 } from 'h3'
import { createDeliveries, MAX_DELIVERIES } from '../../handlers/_delivery.ts'
import { createPieces } from '../../handlers/_pieces.ts'
import { createFixture, createOutcome, createUpload, type Fixture } from './sample.ts'

const KiB = 1024
const MiB = 1024 * KiB
const bytes = Uint8Array.from({ length: MiB }, (_, index) => index % 251)
const clock = (): number => performance.now()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Waits without timers: these stand still. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** Takes so many pieces of 64 KiB. */
async function take(reader: Reader, pieces: number): Promise<void> {
  for (let piece = 0; piece < pieces; piece++) await reader.read()
}

const readAll = async (stream: ReadableStream<Uint8Array>): Promise<Buffer> =>
  Buffer.from(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer())

describe('an answer in pieces', () => {
  test('is whole, and made as it is taken', async () => {
    const pieces = createPieces({ clock })
    const written = pieces.write(bytes).then(pieces.close)
    const reader = pieces.stream.getReader()
    expect(pieces.taken()).toBe(0)
    const parts: Uint8Array[] = []
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      parts.push(next.value)
      expect(pieces.taken()).toBe(64 * KiB * parts.length)
    }
    await written
    expect(Buffer.concat(parts).equals(Buffer.from(bytes))).toBe(true)
    // no copies
    expect(parts.every(({ buffer }) => buffer === bytes.buffer)).toBe(true)
  })

  test.each([
    ['nothing at all', 0],
    ['one piece in ten seconds', 1],
  ])('whose client takes %s ends after ten seconds', async (_, each) => {
    const gone = vi.fn()
    const pieces = createPieces({ clock, onGone: gone })
    const reader = pieces.stream.getReader()
    const written = expect(pieces.write(bytes)).rejects.toThrow('request-timeout')
    await take(reader, each)
    await vi.advanceTimersByTimeAsync(9900)
    expect(gone).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(200)
    await written
    expect(gone).toHaveBeenCalledOnce()
    await expect(reader.read()).rejects.toThrow()
    await expect(pieces.write(bytes)).rejects.toThrow()
  })

  test('whose client takes enough lasts ten minutes at most', async () => {
    const pieces = createPieces({ clock })
    const reader = pieces.stream.getReader()
    const written = expect(pieces.write(new Uint8Array(20 * MiB))).rejects.toThrow('request-timeout')
    for (let window = 0; window < 59; window++) {
      await take(reader, 2)
      await vi.advanceTimersByTimeAsync(10_000)
    }
    await take(reader, 2)
    expect(pieces.taken()).toBe(120 * 64 * KiB)
    await vi.advanceTimersByTimeAsync(10_000)
    await written
  })

  test('whose client goes away is over at once', async () => {
    const gone = vi.fn()
    const pieces = createPieces({ clock, onGone: gone })
    const written = expect(pieces.write(bytes)).rejects.toThrow()
    await pieces.stream.cancel()
    await written
    expect(gone).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('the memory of answers', () => {
  const open = (maxHeld = 4 * MiB): ReturnType<typeof createDeliveries> => createDeliveries({ maxHeld, clock })

  test('who takes least a second is cut off where it is short, but nobody in the first two seconds', async () => {
    const deliveries = open()
    const readers = Array.from({ length: 4 }, () => deliveries.reserve(MiB).send(bytes).getReader())
    for (const [index, reader] of readers.entries()) await take(reader, 4 - index)
    await vi.advanceTimersByTimeAsync(2000)
    expect(() => deliveries.reserve(MiB)).toThrow('busy')
    await vi.advanceTimersByTimeAsync(1)
    deliveries.reserve(2 * MiB)
    const results = await Promise.allSettled(readers.map((reader) => reader.read()))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
  })

  test('it is free again when the answer is taken, when the client goes away, and when nothing is sent', async () => {
    const deliveries = open(MiB)
    for (let round = 0; round < 3; round++) {
      await readAll(deliveries.reserve(MiB).send(bytes))
      await deliveries.reserve(MiB).send(bytes).cancel()
      // the promise behind it is told in a later turn
      await vi.advanceTimersByTimeAsync(0)
      deliveries.reserve(MiB).release()
    }
  })

  test('one larger than all of it is sent alone; one that must be sent goes beyond it', () => {
    const deliveries = open(MiB)
    const large = deliveries.reserve(5 * MiB)
    expect(() => deliveries.reserve(1)).toThrow('busy')
    deliveries.reserve(MiB, true).release()
    large.release()
    deliveries.reserve(1)
  })

  test('answers that are still made are not cut off', async () => {
    const deliveries = open(MiB)
    deliveries.reserve(MiB)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(() => deliveries.reserve(MiB)).toThrow('busy')
  })

  test('their number is bounded too', async () => {
    const deliveries = open()
    for (let index = 0; index < MAX_DELIVERIES; index++) deliveries.reserve(KiB).send(bytes)
    expect(() => deliveries.reserve(KiB)).toThrow('busy')
    await vi.advanceTimersByTimeAsync(2001)
    deliveries.reserve(KiB)
  })
})

describe('clients that ask for a large report and never read it', () => {
  /** A report of a MiB and more in each language. */
  const createLarge = (options = {}): Fixture =>
    createFixture({ limits: { held: 8 * MiB }, ...options }, (_, scan) => Promise.resolve(createOutcome(scan, 'x'.repeat(MiB))))
  const ask = async (app: H3, path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> =>
    app.request(new Request(`http://localhost${path}`, { ...init, headers: { host: 'localhost', ...init.headers } }))
  const upload = (app: H3, headers = {}): Promise<Response> => {
    const { body, ...init } = createUpload()
    return ask(app, '/api/scan/upload', {
      ...init,
      headers: { ...init.headers, ...headers },
      body: new Uint8Array(body),
    })
  }
  const store = async (app: H3): Promise<string> => {
    const answer = await upload(app)
    await answer.text()
    return answer.headers.get('location') ?? ''
  }

  test('shut nobody out: 50 ask, and the next one gets it', async () => {
    const { app } = createLarge()
    const path = await store(app)
    const statuses: number[] = []
    const unread: Response[] = []
    for (let index = 0; index < 50; index++) {
      const answer = await ask(app, path)
      statuses.push(answer.status)
      if (answer.status === 200) unread.push(answer)
      await vi.advanceTimersByTimeAsync(100)
    }
    // 4 MiB for answers: three at once, and each of them for two seconds at least
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(9)
    await vi.advanceTimersByTimeAsync(2001)
    const honest = await ask(app, path)
    expect(honest.status).toBe(200)
    const text = await honest.text()
    expect(honest.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    expect(JSON.parse(text).projectName).toBe('shop')
    await vi.advanceTimersByTimeAsync(10_000)
    for (const answer of unread) await expect(answer.text()).rejects.toThrow()
  })

  test.each([
    ['en', 'as much work as it can take'],
    ['fr', 'autant de travail qu’il peut en prendre'],
  ])('who comes too early is told when to come again (%s)', async (lang, told) => {
    const { app } = createLarge()
    const path = await store(app)
    for (let index = 0; index < 3; index++) await ask(app, path)
    const answer = await ask(app, `${path}?lang=${lang}`)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(await answer.json()).toMatchObject({ code: 'busy', detail: expect.stringContaining(told) })
    expect((await ask(app, '/api/health')).status).toBe(200)
  })

  test('a report that was just made is sent all the same, stored or not', async () => {
    const storage = createStorage()
    const { app } = createLarge({ storage })
    const path = await store(app)
    for (let index = 0; index < 3; index++) await ask(app, path)
    expect(JSON.parse(await (await upload(app)).text()).projectName).toBe('shop')
    storage.setItem = () => Promise.reject(new Error('down'))
    const refused = await upload(app)
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ code: 'storage-unavailable', report: { projectName: 'shop' } })
  })

  test('events: the client is cut off, and its scan counts as answered', async () => {
    const { app, drain, log } = createLarge()
    const answer = await upload(app, { accept: 'text/event-stream' })
    await until(() => log.some(({ event }) => event === 'scan-stored'))
    const cut = vi.fn()
    answer.body?.getReader().closed.catch(cut)
    // the report is made some turns after it was stored: time begins to count when it is offered
    while (cut.mock.calls.length === 0) {
      await vi.advanceTimersByTimeAsync(1000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await drain(0)
    // the same, read: whole
    const { app: other } = createLarge()
    const read = await upload(other, { accept: 'text/event-stream' })
    const text = await read.text()
    expect(JSON.parse(/^event: report\ndata: (.*)\n\n$/m.exec(text)?.[1] ?? '').projectName).toBe('shop')
  })

  test('HEAD holds nothing', async () => {
    const { app } = createLarge()
    const path = await store(app)
    for (let index = 0; index < 20; index++) {
      const answer = await ask(app, path, { method: 'HEAD' })
      expect(answer.status).toBe(200)
      expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(MiB)
    }
  })
})
