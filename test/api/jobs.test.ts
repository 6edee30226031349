import { setTimeout as sleep } from 'node:timers/promises'
import type { H3 } from 'h3'
import { createStorage } from 'unstorage'
import { expect, test } from 'vitest'
import type { Outcome, ScanControl, ScanRunner } from '../../core/types.ts'
import { Refusal } from '../../core/errors.ts'
import { prefersAsync } from '../../handlers/_prefer.ts'
import { SCHEMAS } from '../../handlers/_schemas.ts'
import { SHOP, zipOf } from '../runners/projects.ts'
import { describeMatrix, type Init, type Send } from './matrix.ts'
import { createDirectoryRequest, createFixture, createForm, createOutcome, NOW, readEvents } from './sample.ts'

const ASYNC = { prefer: 'respond-async' }
const NOBODY = '0198c0de-0000-7000-8000-000000000000'
const ARCHIVE = zipOf(SHOP)

const uploadOf = (
  headers: Record<string, string> = {},
  bytes: Uint8Array = ARCHIVE,
  name = 'shop',
): Init & { method: string } => {
  const form = createForm({ project: ['shop.zip', bytes], projectName: name })
  return { method: 'POST', body: form.body, headers: { ...form.headers, ...headers } }
}

/** A scan that goes on until it is told how it ends. */
interface HeldScan {
  readonly scanId: string
  readonly control: ScanControl
  readonly finish: () => void
  readonly fail: (error: unknown) => void
}

function holding(): { readonly held: HeldScan[]; readonly run: ScanRunner } {
  const held: HeldScan[] = []
  const run: ScanRunner = (_, options, control) =>
    new Promise<Outcome>((resolve, reject) => {
      control.signal?.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')), { once: true })
      held.push({ scanId: options.scanId, control, finish: () => resolve(createOutcome(options)), fail: reject })
    })
  return { held, run }
}

/** An answer that is read while it comes: whether its first piece is there, and all of it at the end. */
function firstPieceOf(answer: Promise<Response>): { readonly isThere: () => boolean; readonly whole: Promise<Response> } {
  let isThere = false
  const transform = (piece: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void => {
    isThere = true
    controller.enqueue(piece)
  }
  // takes what comes, whether it is read yet or not
  const watch = new TransformStream({ transform }, undefined, { highWaterMark: Infinity })
  const whole = answer.then(({ body, status, headers }) => {
    if (body === null) throw new Error(`an answer of status ${status} without a body`)
    return new Response(new Response(body.pipeThrough(watch)).body, { status, headers })
  })
  return { isThere: () => isThere, whole }
}

describeMatrix('jobs', (send) => {
  const submit = async (app: H3, init: Init = uploadOf(ASYNC), path = '/api/scan/upload'): Promise<string> => {
    const answer = await send(app, path, init)
    expect(answer.status).toBe(202)
    expect(answer.headers.get('preference-applied')).toBe('respond-async')
    const { id } = SCHEMAS.Job.parse(await answer.json())
    expect(answer.headers.get('location')).toBe(`/api/scan/jobs/${id}`)
    return `/api/scan/jobs/${id}`
  }
  const poll = async (app: H3, path: string, init?: Init): ReturnType<typeof readJob> => readJob(send, app, path, init)

  test('a scan that is handed in waits, runs, and has its report at the end', async () => {
    const { held, run } = holding()
    const { app, log } = createFixture({}, run)
    const path = await submit(app)
    const { id } = await poll(app, path)
    expect(await poll(app, path)).toMatchObject({ state: 'waiting', position: 1, submittedAt: NOW.toISOString() })
    held[0]?.control.onProgress?.({ phase: 'waiting', done: 0, total: 7 })
    expect(await poll(app, path)).toMatchObject({ state: 'waiting', phase: 'waiting', position: 7 })
    expect((await send(app, path)).headers.get('retry-after')).toBe('7')
    held[0]?.control.onProgress?.({ phase: 'reading', done: 3, total: 9 })
    expect(await poll(app, path)).toMatchObject({ state: 'running', phase: 'reading', done: 3, total: 9, position: 0 })
    expect((await send(app, path)).headers.get('retry-after')).toBe('1')
    expect((await send(app, `/api/scan/${id}`)).status).toBe(404)
    held[0]?.finish()
    const done = await settled(send, app, path)
    expect(done).toMatchObject({ state: 'done', done: 9, total: 9, scanId: id, report: `/api/scan/${id}` })
    const answer = await send(app, path)
    expect(answer.headers.get('retry-after')).toBeNull()
    expect((await send(app, done.report ?? '')).status).toBe(200)
    expect(log.filter(({ event }) => event === 'scan-stored').map(({ scanId }) => scanId)).toEqual([id])
    expect((await send(app, path, { method: 'HEAD' })).status).toBe(200)
  })

  test('a directory is handed in likewise, and what shows at once is refused at once', async () => {
    const { app, scans } = createFixture()
    const request = createDirectoryRequest()
    const path = await submit(app, { ...request, headers: { ...request.headers, ...ASYNC } }, '/api/scan/directory')
    expect(await settled(send, app, path)).toMatchObject({ state: 'done' })
    const wrong = createDirectoryRequest({ dirPath: 'src' })
    const refused = await send(app, '/api/scan/directory', { ...wrong, headers: { ...wrong.headers, ...ASYNC } })
    expect((await refused.json()).code).toBe('invalid-request')
    const statuses = []
    for (const bytes of [new TextEncoder().encode('hello'), ARCHIVE.slice(0, -30), zipOf({ 'a/node_modules/x.js': '1' })]) {
      const answer = await send(app, '/api/scan/upload', uploadOf(ASYNC, bytes))
      statuses.push([answer.status, (await answer.json()).code])
    }
    expect(statuses).toEqual([
      [422, 'archive-invalid'],
      [422, 'archive-invalid'],
      [422, 'project-empty'],
    ])
    expect(scans).toHaveLength(1)
    expect(await (await send(app, '/api/scan/jobs')).json()).toHaveLength(1)
  })

  test('what a runner refuses at once is the answer, and no job', async () => {
    const { app, log } = createFixture({}, () => Promise.reject(new Refusal('busy', { retryAfter: 5 })))
    const answer = await send(app, '/api/scan/upload', uploadOf(ASYNC))
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await (await send(app, '/api/scan/jobs')).json()).toEqual([])
    expect(log.filter(({ event }) => event === 'refused')).toHaveLength(1)
  })

  test('a scan that fails later is a failed job: its problem is in the language of who asks, its line in the log', async () => {
    const { held, run } = holding()
    const { app, log } = createFixture({}, run)
    const [first, second] = [await submit(app), await submit(app)]
    held[0]?.fail(new Refusal('archive-invalid', { reason: 'crc-mismatch', entry: 'a.js' }))
    held[1]?.fail(new Error('boom in /home/me/node_modules/x'))
    expect(await settled(send, app, first)).toMatchObject({
      state: 'failed',
      problem: { code: 'archive-invalid', status: 422, reason: 'crc-mismatch', entry: 'a.js', title: 'Invalid archive' },
    })
    const french = await poll(app, first, { headers: { 'accept-language': 'fr' } })
    expect(french.problem?.title).toBe('Archive non valide')
    expect(await settled(send, app, second)).toMatchObject({ state: 'failed', problem: { code: 'internal-error' } })
    const lines = log.filter(({ event }) => event === 'refused' || event === 'failed')
    expect(lines.map(({ event }) => event)).toEqual(['refused', 'failed'])
    expect(lines[0]?.id).toBe(french.problem?.instance)
    const list = async (query: string): Promise<number> => (await (await send(app, `/api/scan/jobs${query}`)).json()).length
    expect([await list(''), await list('?state=failed'), await list('?state=done')]).toEqual([2, 2, 0])
    const rows = SCHEMAS.Jobs.parse(await (await send(app, '/api/scan/jobs?state=failed&limit=1')).json())
    expect(rows.map(({ id }) => `/api/scan/jobs/${id}`)).toEqual([second])
    for (const query of ['?state=lost', '?limit=0', '?state=done&state=failed'])
      expect((await send(app, `/api/scan/jobs${query}`)).status).toBe(400)
  })

  test('a waiting and a running scan are cancelled; one that ended stays', async () => {
    const { held, run } = holding()
    const { app } = createFixture({}, run)
    const [waiting, running, ended] = [await submit(app), await submit(app), await submit(app)]
    held[0]?.control.onProgress?.({ phase: 'waiting', done: 0, total: 1 })
    held[1]?.control.onProgress?.({ phase: 'checking', done: 0, total: 1 })
    held[2]?.finish()
    await settled(send, app, ended)
    for (const path of [waiting, running, ended])
      for (let times = 0; times < 2; times++) expect((await send(app, path, { method: 'DELETE' })).status).toBe(204)
    expect(await poll(app, waiting)).toMatchObject({ state: 'cancelled', position: 0 })
    expect(await poll(app, running)).toMatchObject({ state: 'cancelled' })
    expect(await poll(app, ended)).toMatchObject({ state: 'done' })
    expect(held.map(({ control }) => control.signal?.aborted)).toEqual([true, true, false])
    expect(await (await send(app, '/api/scan/history')).json()).toHaveLength(1)
  })

  test('name spaces know nothing of each other', async () => {
    const tokens = { red: 'r'.repeat(20), blue: 'b'.repeat(20) }
    const { app } = createFixture({ tokens })
    const as = (word: string): Record<string, string> => ({ authorization: `Bearer ${word}` })
    const path = await submit(app, uploadOf({ ...ASYNC, ...as(tokens.red) }))
    expect((await settled(send, app, path, { headers: as(tokens.red) })).state).toBe('done')
    for (const method of ['GET', 'DELETE']) {
      const answer = await send(app, path, { method, headers: as(tokens.blue) })
      expect([answer.status, (await answer.json()).code]).toEqual([404, 'job-not-found'])
    }
    expect(await (await send(app, '/api/scan/jobs', { headers: as(tokens.blue) })).json()).toEqual([])
    expect((await send(app, path)).status).toBe(401)
  })

  test.each(['x', `${NOBODY}0`, '%2e%2e%5c', '__proto__', 'history'])('the id %s is none', async (id) => {
    const { app } = createFixture()
    expect((await send(app, `/api/scan/jobs/${id}`)).status).toBe(400)
    expect((await send(app, '/api/scan/jobs', { method: 'POST' })).status).toBe(405)
    expect((await send(app, `/api/scan/jobs/${NOBODY}`, { method: 'PUT' })).headers.get('allow')).toBe('GET, HEAD, DELETE')
  })

  test('the client need not stay, and the body is let go of when the scan is done', async () => {
    const { held, run } = holding()
    const { app } = createFixture({ limits: { held: 50_000, upload: 50_000 } }, run)
    const path = await submit(app, uploadOf(ASYNC, ARCHIVE))
    const padded = uploadOf(ASYNC, new Uint8Array(49_000))
    expect((await send(app, '/api/scan/upload', padded)).status).toBe(503)
    held[0]?.finish()
    expect((await settled(send, app, path)).state).toBe('done')
    expect((await send(app, '/api/scan/upload', padded)).status).toBe(422)
  })

  test('shutting down ends the jobs of this process as busy, after the grace', async () => {
    const { held, run } = holding()
    const { app, drain } = createFixture({}, run)
    const [waiting, running] = [await submit(app), await submit(app)]
    held[0]?.control.onProgress?.({ phase: 'waiting', done: 0, total: 1 })
    held[1]?.control.onProgress?.({ phase: 'reading', done: 0, total: 1 })
    const drained = drain(150)
    expect(await settled(send, app, waiting)).toMatchObject({ state: 'failed', problem: { code: 'busy' } })
    expect((await poll(app, running)).state).toBe('running')
    await drained
    expect(await settled(send, app, running)).toMatchObject({ state: 'failed', problem: { code: 'busy' } })
  })

  test('a storage that is away for a moment costs no scan', async () => {
    const storage = createStorage()
    const { setItemRaw } = storage
    let failures = 2
    storage.setItemRaw = (...words: Parameters<typeof setItemRaw>) =>
      failures-- > 0 ? Promise.reject(new Error('ECONNREFUSED')) : setItemRaw(...words)
    const { app, scans } = createFixture({ storage })
    const path = await submit(app)
    expect(await settled(send, app, path)).toMatchObject({ state: 'done' })
    expect(scans).toHaveLength(1)
    expect(failures).toBeLessThan(0)
  })

  test('a host without background work ignores the preference, and says so', async () => {
    const { app } = createFixture({ background: false })
    const answer = await send(app, '/api/scan/upload', uploadOf(ASYNC))
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([201, null])
    expect((await (await send(app, '/api/ready')).json()).jobs).toBe('none')
    expect((await (await send(createFixture().app, '/api/ready')).json()).jobs).toBe('process')
  })

  test('a gate is asked of a report: the preference gives way to it', async () => {
    const { app } = createFixture()
    const answer = await send(app, '/api/scan/upload?gate=new-high', uploadOf(ASYNC))
    expect([answer.status, (await answer.json()).gate]).toEqual([201, { passed: false, new: 1 }])
  })
})

describeMatrix('the same key', (send) => {
  const keyed = (key: string, more: Record<string, string> = {}): Record<string, string> => ({ 'idempotency-key': key, ...more })

  test('is the same scan, whoever waits for it', async () => {
    const { held, run } = holding()
    const { app, scans } = createFixture({}, run)
    const handed = await send(app, '/api/scan/upload', uploadOf(keyed('a', ASYNC)))
    const { id } = await handed.json()
    const again = await send(app, '/api/scan/upload', uploadOf(keyed('a', ASYNC)))
    expect((await again.json()).id).toBe(id)
    const waiting = send(app, '/api/scan/upload', uploadOf(keyed('a')))
    const told = send(app, '/api/scan/upload', uploadOf(keyed('a', { accept: 'text/event-stream' })))
    const heard = firstPieceOf(told)
    // who waits joins once its upload is read, which nothing here can see: progress is told until it has arrived
    while (!heard.isThere()) {
      held[0]?.control.onProgress?.({ phase: 'reading', done: 1, total: 2 })
      await sleep(5)
    }
    held[0]?.finish()
    const answer = await waiting
    expect([answer.status, answer.headers.get('location')]).toEqual([201, `/api/scan/${id}`])
    const text = await answer.text()
    const events = await readEvents(await heard.whole)
    expect([...new Set(events.map(({ event }) => event))]).toEqual(['progress', 'report'])
    expect(events.at(-1)?.data).toEqual(JSON.parse(text))
    // the stored report, long after
    expect(await (await send(app, '/api/scan/upload', uploadOf(keyed('a')))).text()).toBe(text)
    expect(scans).toHaveLength(1)
    expect(await (await send(app, '/api/scan/history')).json()).toHaveLength(1)
  })

  test('with another body is refused', async () => {
    const { app, scans } = createFixture()
    expect((await send(app, '/api/scan/upload', uploadOf(keyed('a')))).status).toBe(201)
    const others = [uploadOf(keyed('a'), zipOf({ 'a.js': '1' })), uploadOf(keyed('a'), ARCHIVE, 'other')]
    for (const other of others) {
      const answer = await send(app, '/api/scan/upload', other)
      expect([answer.status, (await answer.json()).code]).toEqual([422, 'idempotency-mismatch'])
    }
    const request = createDirectoryRequest()
    const mixed = { ...request, headers: { ...request.headers, ...keyed('a', ASYNC) } }
    expect((await send(app, '/api/scan/directory', mixed)).status).toBe(422)
    expect((await send(app, '/api/scan/upload', uploadOf(keyed('b'), ARCHIVE, 'other'))).status).toBe(201)
    expect(scans).toHaveLength(2)
  })

  test('is known for a day, in its name space alone', async () => {
    let now = NOW.getTime()
    const tokens = { red: 'r'.repeat(20), blue: 'b'.repeat(20) }
    const { app, scans } = createFixture({ tokens, now: () => new Date(now) })
    const scan = async (space: 'red' | 'blue'): Promise<string> => {
      const answer = await send(app, '/api/scan/upload', uploadOf(keyed('a', { authorization: `Bearer ${tokens[space]}` })))
      expect(answer.status).toBe(201)
      return answer.headers.get('location') ?? ''
    }
    const [red, blue] = [await scan('red'), await scan('blue')]
    expect(red).not.toBe(blue)
    now += 86_399_000
    expect([await scan('red'), await scan('blue')]).toEqual([red, blue])
    now += 2000
    expect(await scan('red')).not.toBe(red)
    expect(scans).toHaveLength(3)
  })

  test('keeps a scan whose client went away; one that failed is begun anew', async () => {
    const { held, run } = holding()
    const { app, scans } = createFixture({}, run)
    const leaving = new AbortController()
    const gone = Promise.resolve(send(app, '/api/scan/upload', { ...uploadOf(keyed('a')), signal: leaving.signal })).catch(
      () => undefined,
    )
    while (held.length === 0) await sleep(5)
    leaving.abort()
    await gone
    await sleep(30)
    expect(held[0]?.control.signal?.aborted).toBe(false)
    held[0]?.fail(new Error('lost'))
    await sleep(30)
    const again = send(app, '/api/scan/upload', uploadOf(keyed('a')))
    while (held.length === 1) await sleep(5)
    held[1]?.finish()
    expect((await again).status).toBe(201)
    expect(scans).toHaveLength(2)
  })

  test.each(['a b', 'k'.repeat(129), 'é'])('"%s" is no key', async (key) => {
    const { app } = createFixture()
    const answer = await send(app, '/api/scan/upload', uploadOf(keyed(key)))
    expect(await answer.json()).toMatchObject({ code: 'invalid-request', errors: [{ path: 'Idempotency-Key' }] })
  })
})

test.each([
  ['respond-async', true],
  ['Respond-Async, wait=10', true],
  ['wait=10 ,respond-async', true],
  ['respond-async; foo="a,b"', true],
  ['foo="x, respond-async"', false],
  ['return=minimal', false],
  ['respond-asynchronously', false],
  ['x-respond-async', false],
  ['', false],
])('Prefer: %s', (header, expected) => {
  expect(prefersAsync(header)).toBe(expected)
})

async function readJob(send: Send, app: H3, path: string, init?: Init): Promise<ReturnType<typeof SCHEMAS.Job.parse>> {
  const answer = await send(app, path, init)
  expect(answer.status).toBe(200)
  return SCHEMAS.Job.parse(await answer.json())
}

/** The job when it has ended. */
async function settled(send: Send, app: H3, path: string, init?: Init): ReturnType<typeof readJob> {
  for (let asked = 0; asked < 500; asked++) {
    const job = await readJob(send, app, path, init)
    if (job.state !== 'waiting' && job.state !== 'running') return job
    await sleep(10)
  }
  throw new Error(`${path} does not end`)
}
