import { createStorage } from 'unstorage'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { H3 } from 'h3'
import { Refusal, type RefusalCode } from '../../core/errors.ts'
import { PROBLEMS, REASONS } from '../../handlers/_errors.ts'
import { SCHEMAS } from '../../handlers/_schemas.ts'
import { describeMatrix, sendToApp, type Init } from './matrix.ts'
import { createCatalogue, createDirectoryRequest, createFixture, createForm, createUpload } from './sample.ts'

interface Case {
  readonly app: () => H3
  readonly path: string
  readonly init?: () => Init
}

const plain = (): H3 => createFixture().app
const refusing = (refusal: Refusal) => (): H3 => createFixture({}, () => Promise.reject(refusal)).app
const resolving = (code: RefusalCode) => (): H3 =>
  createFixture({ resolveDirectory: () => Promise.reject(new Refusal(code)) }).app
const upload = { path: '/api/scan/upload', init: createUpload }
const directory = { path: '/api/scan/directory', init: createDirectoryRequest }
const unknownScan = '/api/scan/0198c0de-0000-7000-8000-000000000000'

const CASES: Readonly<Record<Exclude<RefusalCode, 'request-timeout'>, Case>> = {
  'invalid-request': { app: plain, path: '/api/scan/not-a-uuid' },
  'missing-file': { app: plain, path: '/api/scan/upload', init: () => ({ method: 'POST', ...createForm({ other: 'x' }) }) },
  unauthorized: { app: () => createFixture({ token: 'opensesame' }).app, path: '/api/limits' },
  'directory-not-allowed': { app: resolving('directory-not-allowed'), ...directory },
  'forbidden-origin': { app: plain, path: '/api/health', init: () => ({ headers: { origin: 'https://evil.example' } }) },
  'not-found': { app: plain, path: '/api/nothing/here' },
  'scan-not-found': { app: plain, path: unknownScan },
  'job-not-found': { app: plain, path: '/api/scan/jobs/0198c0de-0000-7000-8000-000000000000' },
  'directory-not-found': { app: resolving('directory-not-found'), ...directory },
  'project-not-found': { app: plain, path: '/api/projects/nobody' },
  'finding-not-found': { app: refusing(new Refusal('finding-not-found')), ...upload },
  'decision-changed': { app: refusing(new Refusal('decision-changed')), ...upload },
  'precondition-required': { app: refusing(new Refusal('precondition-required')), ...upload },
  'version-not-found': {
    app: () => createFixture({ catalogue: createCatalogue(new Refusal('version-not-found')) }).app,
    path: '/api/vendor/ui5/resources/1.2.3',
  },
  'method-not-allowed': { app: plain, path: '/api/scan/upload' },
  'upload-too-large': { app: () => createFixture({ limits: { upload: 10 } }).app, ...upload },
  'archive-too-large': { app: refusing(new Refusal('archive-too-large', { reason: 'entries', limit: 100_000 })), ...upload },
  'unsupported-media-type': { app: plain, path: '/api/scan/upload', init: () => ({ method: 'POST', body: 'x' }) },
  'unknown-host': {
    app: () => createFixture({ loopback: true }).app,
    path: '/api/limits',
    init: () => ({ headers: { host: 'evil.example' } }),
  },
  'archive-invalid': { app: refusing(new Refusal('archive-invalid', { reason: 'not-a-zip', detected: 'gzip' })), ...upload },
  'archive-encrypted': { app: refusing(new Refusal('archive-encrypted', { entry: 'a.js' })), ...upload },
  'project-empty': { app: refusing(new Refusal('project-empty')), ...upload },
  'directory-scan-unavailable': { app: () => createFixture({ resolveDirectory: undefined }).app, ...directory },
  'catalogue-unavailable': {
    app: () => createFixture({ catalogue: createCatalogue(new Refusal('catalogue-unavailable')) }).app,
    path: '/api/vendor/ui5/version',
  },
  'catalogue-timeout': {
    app: () => createFixture({ catalogue: createCatalogue(new Refusal('catalogue-timeout')) }).app,
    path: '/api/vendor/ui5/resources/1.2.3',
  },
  busy: { app: refusing(new Refusal('busy', { retryAfter: 5 })), ...upload },
  'storage-unavailable': {
    app: () => {
      const storage = createStorage()
      storage.setItemRaw = () => Promise.reject(new Error('ECONNREFUSED /tmp/redis.sock'))
      return createFixture({ storage }).app
    },
    ...upload,
  },
  'idempotency-mismatch': { app: refusing(new Refusal('idempotency-mismatch')), ...upload },
  'queue-unavailable': { app: refusing(new Refusal('queue-unavailable', { retryAfter: 5 })), ...upload },
  'worker-lost': { app: refusing(new Refusal('worker-lost')), ...upload },
  'internal-error': {
    app: () => createFixture({}, () => Promise.reject(new Error('boom in /home/me/node_modules/x'))).app,
    ...upload,
  },
}

describeMatrix('every code', (send) => {
  for (const [code, { app, path, init }] of Object.entries(CASES)) {
    test.each(['en', 'fr'] as const)(`${code} in %s`, async (lang) => {
      const given = init?.() ?? {}
      const response = await send(app(), path, { ...given, headers: { ...given.headers, 'accept-language': lang } })
      const problem = SCHEMAS.Problem.parse(await response.json())
      const words = PROBLEMS[problem.code]
      expect(problem.code).toBe(code)
      expect(response.status).toBe(words.status)
      expect(problem.title).toBe(words.title[lang])
      expect(problem.detail).not.toMatch(/[{}]/)
      expect(problem.detail.length).toBeGreaterThan(20)
      expect(response.headers.get('content-language')).toBe(lang)
      expect(response.headers.get('allow')).toBe(code === 'method-not-allowed' ? 'POST' : null)
      expect(response.headers.get('www-authenticate')).toBe(code === 'unauthorized' ? 'Bearer' : null)
      expect(response.headers.get('retry-after')).toBe(code === 'busy' || code === 'queue-unavailable' ? '5' : null)
    })
  }

  test.each(Object.keys(REASONS))('reason %s', async (reason) => {
    const code = ['entries', 'path', 'inflated'].includes(reason) ? 'archive-too-large' : 'archive-invalid'
    const refusal = new Refusal(code, {
      reason: reason as keyof typeof REASONS,
      entry: 'webapp/a\u001b[31m.js',
      limit: 536_870_912,
    })
    for (const lang of ['en', 'fr'] as const) {
      const response = await send(refusing(refusal)(), `/api/scan/upload?lang=${lang}`, createUpload())
      const problem = await response.json()
      expect(problem).toMatchObject({ code, reason, entry: 'webapp/a\u001b[31m.js', limit: 536_870_912 })
      const fill = REASONS[reason as keyof typeof REASONS][lang].split('{limit}')[0] ?? ''
      expect(problem.detail.startsWith(fill)).toBe(true)
      expect(problem.detail).not.toContain('{')
    }
  })

  test('a refusal is logged under the id that it shows; what is unknown shows nothing else', async () => {
    const { app, log } = createFixture({}, () => Promise.reject(new Error('boom')))
    const problem = await (await send(app, '/api/scan/upload', createUpload())).json()
    expect(Object.keys(problem).sort()).toEqual(['code', 'detail', 'instance', 'status', 'title', 'type'])
    expect(log).toContainEqual(
      expect.objectContaining({ level: 'error', event: 'failed', id: problem.instance, cause: expect.any(Error) }),
    )
  })
})

describe('too slow', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test.each(['en', 'fr'] as const)('request-timeout in %s', async (lang) => {
    vi.useFakeTimers()
    const { app, scans } = createFixture()
    const { headers, body } = createUpload()
    const stalled = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(body.subarray(0, 20)) })
    const answer = sendToApp(app, `/api/scan/upload?lang=${lang}`, { method: 'POST', headers, body: stalled })
    await vi.advanceTimersByTimeAsync(10_001)
    const response = await answer
    expect(response.status).toBe(408)
    expect(await response.json()).toMatchObject({ code: 'request-timeout', title: PROBLEMS['request-timeout'].title[lang] })
    expect(scans).toEqual([])
  })
})

test('the tables are whole: every code has a case, and both languages say different things', () => {
  expect([...Object.keys(CASES), 'request-timeout'].sort()).toEqual(Object.keys(PROBLEMS).sort())
  for (const { title, detail } of Object.values(PROBLEMS)) {
    expect(title.en).not.toBe(title.fr)
    expect(detail.en).not.toBe(detail.fr)
  }
})
