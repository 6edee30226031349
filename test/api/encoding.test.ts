import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compress } from '../../adapters/node/compress.ts'
import { negotiateEncoding } from '../../handlers/_encoding.ts'
import { describeMatrix, type Send } from './matrix.ts'
import { createFixture, createOutcome, createUpload } from './sample.ts'
import type { ScanRunner } from '../../core/types.ts'

test.each([
  ['', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['gzip;q=0', undefined],
  ['br;q=0.1, identity;q=0.5', undefined],
  ['br;q=2', undefined],
  ['deflate', undefined],
  [`${'x,'.repeat(30)}br`, undefined],
] as const)('%j is answered with %s', (header, wanted) => {
  expect(negotiateEncoding(header)).toBe(wanted)
})

const unpack = { br: brotliDecompressSync, gzip: gunzipSync } as const
const runner: ScanRunner = async (_, options) => createOutcome(options, 'x'.repeat(300_000))

/** The bytes as they were sent: fetch of Node.js unpacks them. */
async function readText(answer: Response): Promise<string> {
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const encoding = answer.headers.get('content-encoding')
  return (encoding === 'br' || encoding === 'gzip' ? unpack[encoding](bytes) : Buffer.from(bytes)).toString('utf8')
}

describeMatrix('packed answers', (send: Send) => {
  test('a report is packed as the client takes it, with a tag for each form', async () => {
    const { app } = createFixture({ compress }, runner)
    const made = await send(app, '/api/scan/upload', createUpload())
    const location = made.headers.get('location') ?? ''
    const plain = await send(app, location, { headers: { 'accept-encoding': 'identity' } })
    const text = await plain.text()
    expect([plain.headers.get('content-encoding'), text.length > 300_000]).toEqual([null, true])
    const tags = [plain.headers.get('etag')]
    for (const encoding of ['br', 'gzip'] as const) {
      const answer = await send(app, location, { headers: { 'accept-encoding': encoding } })
      expect(answer.headers.get('content-encoding')).toBe(encoding)
      expect(answer.headers.get('vary')).toBe('Accept-Language, Accept-Encoding')
      expect(Number(answer.headers.get('content-length') ?? 0)).toBeLessThan(5000)
      expect(await readText(answer)).toBe(text)
      const tag = answer.headers.get('etag') ?? ''
      tags.push(tag)
      const again = await send(app, location, { headers: { 'accept-encoding': encoding, 'if-none-match': tag } })
      expect([again.status, again.headers.get('etag'), again.headers.get('content-encoding')]).toEqual([304, tag, null])
      const other = await send(app, location, { headers: { 'accept-encoding': 'identity', 'if-none-match': tag } })
      expect(other.status).toBe(200)
    }
    expect(new Set(tags).size).toBe(3)
    expect(plain.headers.get('vary')).toBe('Accept-Language, Accept-Encoding')
  })

  test('so are exports, rules and the description of the interface, and a report that was just made', async () => {
    const { app } = createFixture({ compress }, runner)
    const headers = { 'accept-encoding': 'gzip' }
    const upload = createUpload()
    const made = await send(app, '/api/scan/upload', { ...upload, headers: { ...upload.headers, ...headers } })
    expect([made.status, made.headers.get('content-encoding')]).toEqual([201, 'gzip'])
    for (const path of [`${made.headers.get('location')}/sarif`, `${made.headers.get('location')}/html`, '/api/openapi.json']) {
      const answer = await send(app, path, { headers })
      expect([path, answer.headers.get('content-encoding')]).toEqual([path, 'gzip'])
      expect((await readText(answer)).length).toBeGreaterThan(1400)
    }
  })

  test('events, refusals and what is small go as they are', async () => {
    const { app } = createFixture({ compress }, runner)
    const upload = createUpload()
    const headers = { 'accept-encoding': 'br, gzip' }
    const events = await send(app, '/api/scan/upload', {
      ...upload,
      headers: { ...upload.headers, ...headers, accept: 'text/event-stream' },
    })
    expect(events.headers.get('content-encoding')).toBeNull()
    expect(await events.text()).toContain('event: report')
    for (const path of ['/api/nothing', '/api/health', '/api/scan/00000000-0000-4000-8000-000000000000'])
      expect((await send(app, path, { headers })).headers.get('content-encoding')).toBeNull()
  })

  test('without a way to pack nothing changes', async () => {
    const { app } = createFixture({}, runner)
    const made = await send(app, '/api/scan/upload', createUpload())
    const answer = await send(app, made.headers.get('location') ?? '', { headers: { 'accept-encoding': 'br' } })
    expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([null, 'Accept-Language'])
  })
})
