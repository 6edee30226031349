import { H3 } from 'h3'
import { expect, test } from 'vitest'
import type { ScannerOptions } from '../../handlers/index.ts'
import { describeMatrix } from './matrix.ts'
import { createFixture } from './sample.ts'

const TOKEN = 'x:'.repeat(8)
const OTHER = 'y'.repeat(16)
const basic = (user: string, password: string): Record<string, string> => ({
  authorization: `Basic ${btoa(`${user}:${password}`)}`,
})
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })

function openApp(options: ScannerOptions = {}): ReturnType<typeof createFixture>['app'] {
  const dashboard = new H3().get('/', () => 'queues').get('/api/:name', ({ context }) => context.params)
  return createFixture({ dashboard, token: TOKEN, tokens: { other: OTHER }, ...options }).app
}

describeMatrix('the queue as its operator sees it', (send) => {
  test('there is none unless it is switched on', async () => {
    const { app } = createFixture({ token: TOKEN })
    for (const path of ['/admin/queues', '/admin/queues/', '/admin/queues/api/queues'])
      expect((await send(app, path, { headers: bearer(TOKEN) })).status).toBe(404)
  })

  test('a browser is asked for the token as a password, programs send it as a bearer', async () => {
    const app = openApp()
    const asked = await send(app, '/admin/queues')
    expect([asked.status, (await asked.json()).code, asked.headers.get('www-authenticate')]).toEqual([
      401,
      'unauthorized',
      'Basic realm="Parapet"',
    ])
    for (const headers of [basic('operator', TOKEN), basic('', TOKEN), bearer(TOKEN)]) {
      const answer = await send(app, '/admin/queues', { headers })
      expect([answer.status, await answer.text()]).toEqual([200, 'queues'])
      expect(answer.headers.get('x-frame-options')).toBe('DENY')
    }
    const below = await send(app, '/admin/queues/api/small', { headers: bearer(TOKEN) })
    expect(await below.json()).toEqual({ name: 'small' })
  })

  test.each([
    basic(TOKEN, ''),
    basic('operator', OTHER),
    bearer(OTHER),
    bearer(`${TOKEN} x`),
    { authorization: 'Basic %%%' },
    { authorization: `Basic ${TOKEN}` },
    { authorization: `Digest ${TOKEN}` },
  ])('nobody else sees the jobs of all name spaces: %o', async (headers) => {
    const app = openApp()
    for (const path of ['/admin/queues', '/admin/queues/', '/admin/queues/api/small', '/admin/queues/nothing'])
      expect((await send(app, path, { headers })).status).toBe(401)
  })

  test('a password opens nothing but this', async () => {
    expect((await send(openApp(), '/api/scan/history', { headers: basic('operator', TOKEN) })).status).toBe(401)
  })

  test('without a token of the operator it is closed', async () => {
    const app = openApp({ token: undefined })
    for (const headers of [{}, bearer(OTHER), basic('operator', ''), bearer('undefined')])
      expect((await send(app, '/admin/queues', { headers })).status).toBe(401)
  })

  test('it is asked by no page of another site, under no other name, and changes nothing', async () => {
    const app = openApp({ loopback: true })
    const known = { ...basic('operator', TOKEN), host: 'localhost' }
    const ask = async (more: Record<string, string>, method = 'GET', path = '/admin/queues/api/small'): Promise<number> =>
      (await send(app, path, { method, headers: { ...known, ...more } })).status
    expect(await ask({})).toBe(200)
    expect(await ask({ origin: 'http://evil.example' })).toBe(403)
    expect(await ask({ 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await ask({ host: 'evil.example' })).toBe(421)
    for (const method of ['PUT', 'POST', 'PATCH', 'DELETE']) expect(await ask({}, method)).toBe(405)
    expect(await ask({}, 'GET', '/admin/queues/nothing')).toBe(404)
  })
})
