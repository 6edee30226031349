import { connect } from 'node:net'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from 'h3/node'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { H3 } from 'h3'
import type { ScanRunner } from '../../core/types.ts'
import { readBody } from '../../handlers/_body.ts'
import { describeMatrix, sendToApp } from './matrix.ts'
import { createDirectoryRequest, createFixture, createForm, createOutcome, createStream, createUpload } from './sample.ts'

function* cut(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.slice(at, at + size)
}

const LIMIT = 200_000

describeMatrix('limits of bodies', (send) => {
  const form = (size: number): ReturnType<typeof createForm> => {
    const frame = createForm({ project: ['a.zip', ''] }).body.byteLength
    return createForm({ project: ['a.zip', new Uint8Array(size - frame)] })
  }

  test.each([
    [LIMIT - 1, 201],
    [LIMIT, 201],
    [LIMIT + 1, 413],
    [LIMIT * 2, 413],
  ])('an upload of %i bytes is %i, with a length and in chunks', async (size, status) => {
    const { headers, body } = form(size)
    expect(body.byteLength).toBe(size)
    for (const sent of [body, createStream(cut(body, 1000)), createStream(cut(body, 65_536))]) {
      const { app, scans } = createFixture({ limits: { upload: LIMIT } })
      const response = await send(app, '/api/scan/upload', { method: 'POST', headers, body: sent })
      expect(response.status).toBe(status)
      if (status === 413) expect(await response.json()).toMatchObject({ code: 'upload-too-large', limit: LIMIT })
      expect(scans).toHaveLength(status === 201 ? 1 : 0)
    }
  })

  test.each([
    [65_536, 201],
    [65_537, 413],
  ])('JSON of %i bytes is %i', async (size, status) => {
    const json = JSON.stringify({ dirPath: '/srv/shop', pad: '' })
    const body = new TextEncoder().encode(json.replace('""', `"${'x'.repeat(size - json.length)}"`))
    for (const sent of [body, createStream(cut(body, 1000))]) {
      const response = await send(createFixture().app, '/api/scan/directory', { ...createDirectoryRequest(), body: sent })
      expect(response.status).toBe(status)
    }
  })

  test('an endless body ends at the limit', async () => {
    let sent = 0
    function* endless(): Generator<Uint8Array> {
      for (;;) {
        sent += 65_536
        yield new Uint8Array(65_536)
      }
    }
    const { headers } = createUpload()
    const { app } = createFixture({ limits: { upload: LIMIT } })
    const response = await send(app, '/api/scan/upload', { method: 'POST', headers, body: createStream(endless()) })
    expect(response.status).toBe(413)
    expect(sent).toBeLessThan(20_000_000)
  })

  test('what is refused before it is read says so all the same', async () => {
    const big = new Uint8Array(5_000_000)
    const { headers } = createUpload()
    const { app } = createFixture({ token: 'x' })
    expect((await send(app, '/api/scan/upload', { method: 'POST', headers, body: big })).status).toBe(401)
    expect((await send(createFixture().app, '/api/nothing', { method: 'POST', headers, body: big })).status).toBe(404)
  })
})

describe('bodies that are cut short', () => {
  test('a stream that fails', async () => {
    const { headers, body } = createUpload()
    const failing = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(body.subarray(0, 10))
      },
      pull(controller) {
        controller.error(new Error('aborted'))
      },
    })
    const { app, scans } = createFixture()
    const response = await sendToApp(app, '/api/scan/upload', { method: 'POST', headers, body: failing })
    expect(await response.json()).toMatchObject({ code: 'invalid-request', errors: [{ message: 'ended too early' }] })
    expect(scans).toEqual([])
  })

  test('fewer bytes than were promised', async () => {
    const { headers, body } = createUpload()
    const short = {
      method: 'POST',
      headers: { ...headers, 'content-length': String(body.byteLength + 1) },
      body: createStream([body]),
    }
    expect((await sendToApp(createFixture().app, '/api/scan/upload', short)).status).toBe(400)
  })

  test('200 clients that go away at any byte leave nothing behind', async () => {
    // room for one: whatever one of them left held would shut out the next
    const { app, scans } = createFixture({ limits: { held: 1 } })
    const server = createServer(toNodeHandler(app))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { headers, body } = createForm({ project: ['a.zip', new Uint8Array(100_000)] })
    const head = `POST /api/scan/upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${headers['content-type']}\r\nContent-Length: ${body.byteLength}\r\n\r\n`
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.write(head)
          socket.write(body.subarray(0, index * 499), () => socket.destroy())
        })
        return new Promise((resolve) => socket.on('close', resolve))
      }),
    )
    expect(scans).toEqual([])
    await vi.waitFor(async () => expect((await sendToApp(app, '/api/scan/upload', createUpload())).status).toBe(201))
    server.closeAllConnections()
    server.close()
  })
})

describe('how a body is taken', () => {
  const body = Uint8Array.from({ length: 1_000_000 }, (_, index) => index % 251)
  const never = new Promise<never>(() => undefined)
  const request = (pieces: Iterable<Uint8Array>, headers = {}): Request =>
    new Request('http://x/', { method: 'POST', headers, body: createStream(pieces), duplex: 'half' } as RequestInit)

  test.each([
    ['with its length', { 'content-length': '1000000' }, 1_000_000, 0],
    ['without', {}, 4_000_000, 1],
  ])('into memory that grows with it, as it was asked for: %s', async (_, headers, limit, more) => {
    const allocated: Uint8Array[] = []
    const held: number[] = []
    const allocate = (bytes: number): Uint8Array => {
      const memory = new Uint8Array(new SharedArrayBuffer(bytes))
      allocated.push(memory)
      return memory
    }
    const hold = (bytes: number): void => void held.push(bytes)
    const read = await readBody(request(cut(body, 60_000), headers), limit, never, { allocate, hold })
    expect(Buffer.from(read).equals(Buffer.from(body))).toBe(true)
    expect(read.buffer).toBe(allocated.at(-1)?.buffer)
    expect(allocated).toHaveLength(5 + more)
    // told of all that is made, and in the end of no more than the body
    expect(held).toEqual(allocated.map(({ byteLength }) => byteLength))
    expect(held.at(-1)).toBe(1_000_000)
  })

  test('memory that the machine does not have is busy, not a fault', async () => {
    const allocate = (bytes: number): Uint8Array => {
      if (bytes > 200_000) throw new RangeError('Array buffer allocation failed')
      return new Uint8Array(bytes)
    }
    await expect(readBody(request(cut(body, 60_000)), 1_000_000, never, { allocate })).rejects.toMatchObject({ code: 'busy' })
  })

  test('is shown as it grows', async () => {
    const lengths: number[] = []
    await readBody(request(cut(body, 300_000)), 1_000_000, never, {
      arrived(soFar) {
        expect(Buffer.compare(soFar, body.subarray(0, soFar.byteLength))).toBe(0)
        lengths.push(soFar.byteLength)
      },
    })
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b))
    expect(lengths.at(-1)).toBe(1_000_000)
  })

  test.each([
    ['in one piece', 1_000_000],
    ['in small ones', 10_000],
  ])('others get the thread while it comes %s', async (_, size) => {
    let turns = 0
    let reading = true
    const turn = (): void => {
      turns += 1
      if (reading) setImmediate(turn)
    }
    const sent = request([...cut(body, size)])
    setImmediate(turn)
    await readBody(sent, 1_000_000, never)
    reading = false
    // a turn a pause at least: one for each 256 KiB
    expect(turns).toBeGreaterThanOrEqual(3)
  })
})

describe('the pace of a body', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  /** A body that sends so many bytes each second. */
  const trickle = (bytesPerSecond: number): Request => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        setInterval(() => controller.enqueue(new Uint8Array(bytesPerSecond)), 1000)
      },
    })
    return new Request('http://localhost/', { method: 'POST', body, duplex: 'half' } as RequestInit)
  }

  test.each([
    ['nothing at all', 0, 10_000],
    ['a little too slow', 9_000, 10_000],
    ['fast enough, but for ever', 20_000, 600_000],
  ])('%s', async (_, bytesPerSecond, expected) => {
    vi.useFakeTimers()
    const request =
      bytesPerSecond === 0
        ? new Request('http://x/', { method: 'POST', body: new ReadableStream(), duplex: 'half' } as RequestInit)
        : trickle(bytesPerSecond)
    let ended: string | undefined
    readBody(request, 1_000_000_000, new Promise<never>(() => undefined)).then(
      () => (ended = 'read'),
      (error: Error) => (ended = error.message),
    )
    await vi.advanceTimersByTimeAsync(expected - 100)
    expect(ended).toBeUndefined()
    await vi.advanceTimersByTimeAsync(200)
    expect(ended).toBe('request-timeout')
  })
})

describe('bodies held together', () => {
  /** A runner that waits to be let go. */
  function createGate(): { run: ScanRunner; open: () => void } {
    let open = (): void => undefined
    const gate = new Promise<void>((resolve) => (open = resolve))
    return { run: async (_, options) => gate.then(() => createOutcome(options)), open: () => open() }
  }
  const send = (app: H3, size: number): Promise<Response> =>
    sendToApp(app, '/api/scan/upload', { method: 'POST', ...createForm({ project: ['a.zip', new Uint8Array(size)] }) })

  test('at their limit the next one is told to wait, before it is read', async () => {
    const { run, open } = createGate()
    const { app, scans } = createFixture({ limits: { held: 1000 } }, run)
    const first = send(app, 600)
    await vi.waitFor(() => expect(scans).toHaveLength(1))
    let reads = 0
    const unread = new ReadableStream<Uint8Array>({ pull: () => void (reads += 1) }, { highWaterMark: 0 })
    const { headers } = createUpload()
    const refused = await sendToApp(app, '/api/scan/upload', {
      method: 'POST',
      headers: { ...headers, 'content-length': '600' },
      body: unread,
    })
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    // only what is swallowed so that the client sees the answer
    expect(reads).toBeLessThanOrEqual(1)
    open()
    expect((await first).status).toBe(201)
    expect((await send(app, 600)).status).toBe(201)
    expect(scans).toHaveLength(2)
  })

  test('one without a length counts as the largest, until it is read', async () => {
    const { run, open } = createGate()
    const { app, scans } = createFixture({ limits: { held: 1000, upload: 900 } }, run)
    const { headers, body } = createUpload()
    const first = sendToApp(app, '/api/scan/upload', { method: 'POST', headers, body: createStream([body]) })
    await vi.waitFor(() => expect(scans).toHaveLength(1))
    const second = send(app, 300)
    await vi.waitFor(() => expect(scans).toHaveLength(2))
    open()
    expect((await first).status).toBe(201)
    expect((await second).status).toBe(201)
  })

  test('they are held as long as a runner works on them, and given back after every refusal', async () => {
    const { app } = createFixture({ limits: { held: 1000, upload: 900 } }, () => Promise.reject(new Error('x')))
    const bad = createForm({ other: 'x'.repeat(500) })
    for (let index = 0; index < 5; index++) {
      expect((await send(app, 600)).status).toBe(500)
      expect((await sendToApp(app, '/api/scan/upload', { method: 'POST', ...bad })).status).toBe(400)
      expect((await send(app, 2000)).status).toBe(413)
    }
  })
})
