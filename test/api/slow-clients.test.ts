import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { H3 } from 'h3'
import { SCHEMAS } from '../../handlers/_schemas.ts'
import { sendToApp } from './matrix.ts'
import { createFixture, createForm, createUpload } from './sample.ts'

const MiB = 1024 * 1024
const KB = 1000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

interface SlowClient {
  readonly answer: Promise<Response>
  send(bytes: number): void
  answered(): boolean
}

/** An upload that declares so many bytes and sends them when it is told to. */
function connect(app: H3, declared: number, lang = 'en'): SlowClient {
  let send: SlowClient['send'] = () => undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (bytes) => controller.enqueue(new Uint8Array(bytes))
    },
  })
  const headers = { ...createUpload().headers, 'content-length': String(declared), 'accept-language': lang }
  let answered = false
  const answer = sendToApp(app, '/api/scan/upload', { method: 'POST', headers, body })
  void answer.finally(() => (answered = true))
  return { answer, send: (bytes) => send(bytes), answered: () => answered }
}

/** Lets a minute or more go by, in which each client sends so many bytes a second. */
async function pass(seconds: number, clients: readonly SlowClient[], bytesPerSecond: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    for (const client of clients) if (!client.answered()) client.send(bytesPerSecond)
    await vi.advanceTimersByTimeAsync(1000)
  }
}

describe('clients that declare all the memory and send it slowly', () => {
  test('three of them lock nobody out, in all the time that they may take', async () => {
    const { app } = createFixture()
    const slow = [connect(app, 86 * MiB), connect(app, 85 * MiB), connect(app, 85 * MiB)]
    for (let minute = 0; minute < 9; minute++) {
      await pass(60, slow, 12 * KB)
      const upload = sendToApp(app, '/api/scan/upload', {
        method: 'POST',
        ...createForm({ project: ['a.zip', new Uint8Array(5 * MiB)] }),
      })
      await vi.advanceTimersByTimeAsync(1000)
      expect((await upload).status).toBe(201)
    }
    expect(slow.some((client) => client.answered())).toBe(false)
    await pass(60, slow, 12 * KB)
    for (const client of slow) expect((await client.answer).status).toBe(408)
  })

  test('those that hold more than half of it give way, the newest first, and are told why', async () => {
    // memory doubles with what came: 100 kB are 128 KiB
    const { app } = createFixture({ limits: { held: 1 * MiB, upload: 1 * MiB } })
    const slow = ['en', 'en', 'en', 'en', 'fr', 'en'].map((lang) => connect(app, 600 * KB, lang))
    await pass(8, slow, 12.5 * KB)
    await pass(3, slow, 2.5 * KB)
    expect(slow.some((client) => client.answered())).toBe(false)
    const upload = sendToApp(app, '/api/scan/upload', createUpload())
    await vi.advanceTimersByTimeAsync(1000)
    expect((await upload).status).toBe(201)
    expect(slow.map((client) => client.answered())).toEqual([false, false, false, false, true, true])
    const [inFrench, inEnglish] = await Promise.all(slow.slice(-2).map(({ answer }) => answer))
    expect(inFrench?.status).toBe(503)
    expect(inFrench?.headers.get('retry-after')).toBe('5')
    expect(await inFrench?.json()).toMatchObject({ code: 'busy', detail: expect.stringContaining('plus de 10 secondes') })
    expect(await inEnglish?.json()).toMatchObject({ code: 'busy', detail: expect.stringContaining('more than 10 seconds') })
  })

  test.each([
    ['en', 'at least 10 kB a second, and 10 minutes at most'],
    ['fr', 'au moins 10 ko par seconde, en 10 minutes au plus'],
  ])('below the rate that is asked of them they are told which it is (%s)', async (lang, told) => {
    const { app } = createFixture()
    const client = connect(app, 5 * MiB, lang)
    await pass(10, [client], 9 * KB)
    const answer = await client.answer
    expect(answer.status).toBe(408)
    expect(await answer.json()).toMatchObject({ code: 'request-timeout', detail: expect.stringContaining(told) })
  })

  test('the limits say what holds', async () => {
    const { app } = createFixture({ limits: { held: 10 * MiB } })
    const limits = SCHEMAS.Limits.parse(await (await sendToApp(app, '/api/limits')).json())
    expect(limits).toMatchObject({
      transferRate: 10_000,
      transferTime: 600_000,
      bodies: 250,
      slowBodies: 125,
      slowHeld: 5 * MiB,
      slowAfter: 10_000,
    })
  })
})
