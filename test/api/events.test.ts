import { createStorage } from 'unstorage'
import { describe, expect, test, vi } from 'vitest'
import { Refusal } from '../../core/errors.ts'
import type { ScanRunner } from '../../core/types.ts'
import { SCHEMAS } from '../../handlers/_schemas.ts'
import { describeMatrix, sendToApp } from './matrix.ts'
import {
  createDirectoryRequest,
  createFixture,
  createForm,
  createOutcome,
  createUpload,
  readEvents,
  SAMPLE_TITLE,
} from './sample.ts'

const PHASES = ['waiting', 'reading', 'asking', 'checking', 'reporting'] as const

const reporting: ScanRunner = async (_, options, { onProgress }) => {
  for (const phase of PHASES) {
    onProgress?.({ phase, done: 0, total: 2 })
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return createOutcome(options)
}

const listen = <T extends { headers: Record<string, string> }>(request: T, accept = 'text/event-stream'): T => ({
  ...request,
  headers: { ...request.headers, accept },
})

/** Never ends by itself; tells when it was cancelled, and whether it obeys. */
const hanging =
  (obedient: boolean): ScanRunner =>
  (_, __, { signal }) =>
    new Promise((_, reject) => {
      if (obedient) signal?.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')))
    })

describeMatrix('progress', (send) => {
  test.each([
    ['/api/scan/upload', createUpload],
    ['/api/scan/directory', createDirectoryRequest],
  ])('%s sends progress, then the report', async (path, create) => {
    const { app } = createFixture({}, reporting)
    const response = await send(app, `${path}?lang=fr`, listen(create()))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(response.headers.get('content-language')).toBe('fr')
    const events = await readEvents(response)
    expect(events.map(({ event }) => event)).toEqual([...PHASES.map(() => 'progress'), 'report'])
    expect(events.slice(0, -1).map(({ data }) => SCHEMAS.Progress.parse(data).phase)).toEqual(PHASES)
    const report = SCHEMAS.Report.parse(events.at(-1)?.data)
    expect(report.results.secrets.findings[0]?.title).toBe(SAMPLE_TITLE.fr)
    const stored = await send(app, `/api/scan/${report.scanId}?lang=fr`)
    expect(await stored.json()).toEqual(report)
  })

  test('what comes faster than it is read is left out, the last of it is not', async () => {
    const { app } = createFixture({}, (_, options, { onProgress }) => {
      for (let done = 0; done <= 10_000; done++) onProgress?.({ phase: 'reading', done, total: 10_000 })
      return Promise.resolve(createOutcome(options))
    })
    const events = await readEvents(await send(app, '/api/scan/upload', listen(createUpload())))
    expect(events.length).toBeLessThan(100)
    expect(events.at(-2)).toEqual({ event: 'progress', data: { phase: 'reading', done: 10_000, total: 10_000 } })
    expect(events.at(-1)?.event).toBe('report')
  })

  test.each([
    ['a scan that is refused', createUpload(), 'archive-invalid'],
    ['a body that is no form', { ...createUpload(), body: 'x' }, 'invalid-request'],
    ['a form without file', { method: 'POST', ...createForm({ x: 'y' }) }, 'missing-file'],
  ])('%s is a problem event', async (_, request, code) => {
    const { app, log } = createFixture({}, () => Promise.reject(new Refusal('archive-invalid', { reason: 'truncated' })))
    const response = await send(app, '/api/scan/upload', listen(request))
    expect(response.status).toBe(200)
    const [last, ...more] = await readEvents(response)
    expect(more).toEqual([])
    expect(last?.event).toBe('problem')
    const problem = SCHEMAS.Problem.parse(last?.data)
    expect(problem.code).toBe(code)
    expect(log).toContainEqual(expect.objectContaining({ event: 'refused', id: problem.instance }))
  })

  test('an unknown error shows nothing of itself', async () => {
    const { app } = createFixture({}, () => Promise.reject(new Error('boom in /home/me')))
    const text = await (await send(app, '/api/scan/upload', listen(createUpload()))).text()
    expect(text).toContain('internal-error')
    expect(text).not.toContain('boom')
  })

  test('a report that could not be stored is in the problem', async () => {
    const storage = createStorage()
    storage.setItem = () => Promise.reject(new Error('down'))
    const { app } = createFixture({ storage })
    const [last] = await readEvents(await send(app, '/api/scan/upload?lang=fr', listen(createUpload())))
    expect(last).toMatchObject({
      event: 'problem',
      data: { code: 'storage-unavailable', report: { projectName: 'shop' } },
    })
  })

  test('what is refused before the body was read has its own status', async () => {
    const { app } = createFixture({ limits: { upload: 50 }, token: 'x' })
    const withToken = (request: ReturnType<typeof createUpload>): typeof request => ({
      ...request,
      headers: { ...request.headers, authorization: 'Bearer x' },
    })
    expect((await send(app, '/api/scan/upload', listen(createUpload()))).status).toBe(401)
    expect((await send(app, '/api/scan/upload', listen(withToken(createUpload())))).status).toBe(413)
    const other = { method: 'POST', headers: { 'content-type': 'application/zip', authorization: 'Bearer x' }, body: 'x' }
    expect((await send(app, '/api/scan/upload', listen(other))).status).toBe(415)
  })

  test.each([
    ['text/event-stream;q=0', 201],
    ['application/json', 201],
    ['*/*', 201],
    ['application/json, Text/Event-Stream; q=0.5', 200],
  ])('Accept: %s is %i', async (accept, status) => {
    const response = await send(createFixture().app, '/api/scan/upload', listen(createUpload(), accept))
    expect(response.status).toBe(status)
    await response.text()
  })

  test.each([true, false])('a client that goes away cancels its scan (runner obeys: %s)', async (obedient) => {
    for (const request of [createUpload(), listen(createUpload())]) {
      const { app, scans } = createFixture({}, hanging(obedient))
      const client = new AbortController()
      const answer = send(app, '/api/scan/upload', { ...request, signal: client.signal })
      // with events there is an answer already, of which nothing is read
      const settled = answer.then(
        (response) => response.body?.cancel().catch(() => undefined),
        () => undefined,
      )
      await vi.waitFor(() => expect(scans).toHaveLength(1))
      client.abort()
      await vi.waitFor(() => expect(scans[0]?.control.signal?.aborted).toBe(true))
      await settled
      expect(await (await send(app, '/api/scan/history')).json()).toEqual([])
    }
  })
})

test('a scan that ends after its client went away is not stored', async () => {
  let finish = (): void => undefined
  const gate = new Promise<void>((resolve) => (finish = resolve))
  const { app, scans } = createFixture({}, (_, options) => gate.then(() => createOutcome(options)))
  const client = new AbortController()
  const answer = sendToApp(app, '/api/scan/upload', { ...createUpload(), signal: client.signal })
  await vi.waitFor(() => expect(scans).toHaveLength(1))
  client.abort()
  finish()
  expect((await answer).status).toBe(400)
  expect(await (await sendToApp(app, '/api/scan/history')).json()).toEqual([])
})

describe('shutting down', () => {
  test('no new scans; running ones are waited for', async () => {
    let finish = (): void => undefined
    const gate = new Promise<void>((resolve) => (finish = resolve))
    const { app, drain, scans } = createFixture({}, async (_, options, { onProgress }) => {
      onProgress?.({ phase: 'waiting', done: 0, total: 1 })
      onProgress?.({ phase: 'reading', done: 0, total: 1 })
      await gate
      onProgress?.({ phase: 'checking', done: 0, total: 1 })
      await new Promise((resolve) => setTimeout(resolve, 5))
      return createOutcome(options)
    })
    const running = sendToApp(app, '/api/scan/upload', createUpload())
    await vi.waitFor(() => expect(scans).toHaveLength(1))
    const drained = drain(10_000)
    const late = await sendToApp(app, '/api/scan/upload', createUpload())
    expect(await late.json()).toMatchObject({ code: 'busy' })
    expect(late.headers.get('retry-after')).toBe('5')
    expect((await sendToApp(app, '/api/scan/directory', createDirectoryRequest())).status).toBe(503)
    finish()
    await drained
    expect((await running).status).toBe(201)
    expect((await sendToApp(app, '/api/health')).status).toBe(200)
    expect(await (await sendToApp(app, '/api/scan/history')).json()).toHaveLength(1)
  })

  test('those that still wait for their turn are told to come again', async () => {
    const { app, drain, scans } = createFixture({}, (_, options, { onProgress, signal }) => {
      onProgress?.({ phase: 'waiting', done: 0, total: 1 })
      return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(createOutcome(options))))
    })
    const waiting = sendToApp(app, '/api/scan/upload', createUpload())
    await vi.waitFor(() => expect(scans).toHaveLength(1))
    await drain(60_000)
    expect(await (await waiting).json()).toMatchObject({ code: 'busy' })
  })

  test('those that take too long are told so', async () => {
    const { app, drain, scans } = createFixture({}, hanging(false))
    const plain = sendToApp(app, '/api/scan/upload', createUpload())
    const events = sendToApp(app, '/api/scan/upload', listen(createUpload()))
    await vi.waitFor(() => expect(scans).toHaveLength(2))
    await drain(20)
    expect(await (await plain).json()).toMatchObject({ code: 'busy' })
    const [last] = await readEvents(await events)
    expect(last).toMatchObject({ event: 'problem', data: { code: 'busy' } })
    await drain(0)
  })

  test.each([
    ['whose body never ends', new ReadableStream<Uint8Array>(), {}],
    [
      'whose directory is never found',
      JSON.stringify({ dirPath: '/srv' }),
      { resolveDirectory: () => new Promise<never>(() => undefined) },
    ],
  ])('also one %s', async (_, body, options) => {
    const { app, drain } = createFixture(options)
    const stuck = sendToApp(app, '/api/scan/directory', { ...createDirectoryRequest(), body })
    await new Promise((resolve) => setTimeout(resolve, 20))
    await drain(20)
    expect(await (await stuck).json()).toMatchObject({ code: 'busy' })
  })

  test('with nothing to wait for it is done at once', async () => {
    await createFixture().drain(10_000)
  })
})
