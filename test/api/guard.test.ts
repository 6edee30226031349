import { describe, expect, test } from 'vitest'
import { describeMatrix, sendToApp, type Init } from './matrix.ts'
import { createFixture } from './sample.ts'

interface Operation {
  readonly method: string
  readonly path: string
}

/** Every operation of the interface, by its own description. */
async function listOperations(): Promise<Operation[]> {
  const document = await (await sendToApp(createFixture().app, '/api/openapi.json')).json()
  return Object.entries<object>(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({
      method: method.toUpperCase(),
      path: path.replace('{scanId}', '0198c0de-0000-7000-8000-000000000000').replace('{version}', '1.2.3'),
    })),
  )
}

/** Neither a name nor a token is asked for. */
const PROBES: ReadonlySet<string> = new Set(['/api/health', '/api/ready'])

const OPERATIONS = await listOperations()

/** What a page of another site can make a browser send. */
const ATTACKS: Readonly<Record<string, { headers: Record<string, string>; status: number }>> = {
  'a foreign page fetches': { headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, status: 403 },
  'a foreign form posts': {
    headers: { origin: 'https://evil.example', 'content-type': 'multipart/form-data; boundary=x' },
    status: 403,
  },
  'a sandbox asks': { headers: { origin: 'null' }, status: 403 },
  'another port of localhost asks': { headers: { 'sec-fetch-site': 'same-site' }, status: 403 },
  'an image or script is embedded': { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, status: 403 },
  'a frame is embedded': { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' }, status: 403 },
  'a name was rebound': {
    headers: { host: 'evil.example:3000', origin: 'http://evil.example:3000', 'sec-fetch-site': 'same-origin' },
    status: 421,
  },
  'a name only looks like ours': { headers: { host: 'localhost.evil.example' }, status: 421 },
}

describeMatrix('the guard', (send) => {
  for (const [attack, { headers, status }] of Object.entries(ATTACKS)) {
    test.each(OPERATIONS)(`${attack}: $method $path`, async ({ method, path }) => {
      const { app, scans } = createFixture({ loopback: true })
      const response = await send(app, path, { method, headers })
      const isProbe = PROBES.has(path)
      expect(response.status).toBe(isProbe && status === 421 ? 200 : status)
      expect(scans).toEqual([])
    })
  }

  test.each(OPERATIONS)('a token is asked for: $method $path', async ({ method, path }) => {
    const { app } = createFixture({ token: 'open sesame'.replace(' ', '') })
    const status = async (headers: Record<string, string>): Promise<number> => (await send(app, path, { method, headers })).status
    if (PROBES.has(path)) return expect(await status({})).toBe(200)
    const wrong = [
      '',
      'Bearer',
      'Bearer ',
      'Bearer opensesam',
      'Bearer opensesamee',
      'Bearer opensesameopensesame',
      'Basic opensesame',
      'opensesame',
      'Bearer  opensesame',
    ]
    for (const authorization of wrong) expect(await status({ authorization }), authorization).toBe(401)
    expect(await status({ authorization: 'Bearer opensesame' })).not.toBe(401)
    expect(await status({ authorization: 'bearer opensesame' })).not.toBe(401)
  })

  test('it speaks before everything else', async () => {
    const { app } = createFixture({ loopback: true, token: 'x' })
    const foreign: Init = { headers: { host: 'evil.example' } }
    for (const path of ['/api/nothing', '/api/scan/upload', '/index.html', '/'])
      expect((await send(app, path, foreign)).status).toBe(421)
    expect((await send(app, '/api/nothing', { headers: { origin: 'https://evil.example' } })).status).toBe(403)
    expect((await send(app, '/api/nothing')).status).toBe(401)
    // the page's own files need neither token nor origin
    expect((await send(app, '/index.html', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(404)
  })

  test('an empty token is none', async () => {
    expect((await send(createFixture({ token: '' }).app, '/api/limits')).status).toBe(200)
  })
})

describe('hosts', () => {
  const status = async (options: Parameters<typeof createFixture>[0], host: string): Promise<number> =>
    (await sendToApp(createFixture(options).app, '/api/limits', { headers: { host } })).status

  test.each([
    'localhost',
    'LOCALHOST:3000',
    'localhost.:3000',
    'shop.localhost',
    '127.0.0.1:3000',
    '127.0.0.2',
    '[::1]:3000',
    '[::1]',
    'scanner.corp',
    'scanner.corp:80',
  ])('bound to loopback, %s is ours', async (host) => {
    expect(await status({ loopback: true, hosts: ['Scanner.corp'] }, host)).toBe(200)
  })

  test.each([
    '',
    'evil.example',
    'localhost.evil',
    'evil-localhost',
    'a.b.localhost.evil',
    '127.0.0.1.evil',
    '1270.0.1',
    '[::2]',
    '::1',
    '0.0.0.0',
    'x.scanner.corp',
    'localhost:99999999',
  ])('bound to loopback, "%s" is not', async (host) => {
    expect(await status({ loopback: true, hosts: ['scanner.corp'] }, host)).toBe(421)
  })

  test.each([
    [[], 'anything.example', 200],
    [['scanner.corp'], 'scanner.corp:8080', 200],
    [['scanner.corp'], 'anything.example', 421],
    [['scanner.corp'], 'localhost', 421],
  ])('bound to anything else, hosts %j, %s: %i', async (hosts, host, expected) => {
    expect(await status({ hosts }, host)).toBe(expected)
  })
})

describe('origins', () => {
  test.each([
    ['http://localhost:3000', 'localhost:3000', 200],
    ['https://localhost:3000', 'localhost:3000', 200],
    ['http://scanner.corp', 'scanner.corp:80', 200],
    ['https://scanner.corp', 'scanner.corp', 200],
    ['https://scanner.corp', 'scanner.corp:443', 200],
    ['HTTPS://Scanner.corp', 'scanner.corp', 200],
    ['http://localhost:3001', 'localhost:3000', 403],
    ['http://localhost', 'localhost:3000', 403],
    ['http://127.0.0.1:3000', 'localhost:3000', 403],
    ['http://scanner.corp.evil', 'scanner.corp', 403],
    ['ftp://scanner.corp', 'scanner.corp', 403],
    ['null', 'scanner.corp', 403],
    ['', 'scanner.corp', 403],
    ['garbage', 'scanner.corp', 403],
  ])('%s asks %s: %i', async (origin, host, expected) => {
    for (const method of ['GET', 'OPTIONS']) {
      const { status } = await sendToApp(createFixture().app, '/api/health', { method, headers: { origin, host } })
      expect(status).toBe(method === 'OPTIONS' && expected === 200 ? 405 : expected)
    }
  })

  test('an http page is not the origin of an https server', async () => {
    const request = (origin: string): Request =>
      new Request('https://scanner.corp/api/health', { headers: { origin, host: 'scanner.corp' } })
    expect((await createFixture().app.request(request('http://scanner.corp'))).status).toBe(403)
    expect((await createFixture().app.request(request('https://scanner.corp'))).status).toBe(200)
  })

  test('what proxies say is not believed', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'localhost', forwarded: 'host=localhost' }
    expect((await sendToApp(createFixture({ loopback: true }).app, '/api/limits', { headers })).status).toBe(421)
  })
})
