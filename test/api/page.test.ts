import { H3 } from 'h3'
import { describe, expect, test } from 'vitest'
import type { PageFiles } from '../../handlers/index.ts'
import { sendToApp } from './matrix.ts'
import { createFixture } from './sample.ts'

const INDEX = '<html lang="en"><link href="./assets/icon.svg"><script src="./assets/index.js"></script>'
const page: PageFiles = new Map([
  ['index.html', { type: 'text/html; charset=utf-8', body: INDEX }],
  ['assets/index.js', { type: 'text/javascript', body: 'render()' }],
])
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** Where the page that is at an address asks for its script. */
async function scriptOf(app: H3, address: string): Promise<readonly [number, string]> {
  const answer = await sendToApp(app, address, { headers: BROWSER })
  const [, source = ''] = /<script src="([^"]+)"/.exec(await answer.text()) ?? []
  return [answer.status, new URL(source, `http://localhost${address}`).pathname]
}

const SCREENS = ['/', '/history', '/history/', '/rules/cap/x', '/scans/1', '/scans/1/', '/compare/1/2'] as const

describe('at the root of a server', () => {
  const { app } = createFixture({ page })

  test.each(SCREENS)('%s finds its script', async (path) => {
    expect(await scriptOf(app, path)).toEqual([200, '/assets/index.js'])
  })

  test.each(['/nowhere', '/nowhere/', '/scans/1/2/3', '/scans', '/rules/cap'])('%s is the page, which says so', async (path) => {
    expect(await scriptOf(app, path)).toEqual([404, '/assets/index.js'])
  })

  test('a program is told as data, and under /api/ everybody', async () => {
    for (const [path, headers] of [
      ['/nowhere', { accept: '*/*' }],
      ['/api/nowhere', BROWSER],
      ['/assets/nowhere.js', BROWSER],
    ] as const) {
      const answer = await sendToApp(app, path, { headers })
      expect([path, answer.status, (await answer.json()).code]).toEqual([path, 404, 'not-found'])
    }
  })

  test.each(['/scans/%ZZ', '/%E0%A4%A'])('%s, which does not decode, is the page too', async (path) => {
    expect(await scriptOf(app, path)).toEqual([400, '/assets/index.js'])
  })
})

describe.each([
  ['as fetch', { base: '/security' }, (scanner: H3) => ({ fetch: (request: Request) => scanner.fetch(request) })],
  ['as an app', { base: '/security' }, (scanner: H3) => scanner],
  ['as an app that was not told where', {}, (scanner: H3) => scanner],
] as const)('mounted %s', (_, options, mount) => {
  const { app } = createFixture({ page, ...options })
  const host = new H3().mount('/security', mount(app))

  test.each(SCREENS)('%s finds its script', async (path) => {
    expect(await scriptOf(host, `/security${path}`)).toEqual([200, '/security/assets/index.js'])
  })

  test('without the slash at its end it leads to the one that has it, or finds its script all the same', async () => {
    const answer = await sendToApp(host, '/security?lang=fr', { headers: BROWSER })
    if (answer.status === 308) expect(answer.headers.get('location')).toBe('/security/?lang=fr')
    else expect(await scriptOf(host, '/security')).toEqual([200, '/security/assets/index.js'])
  })

  test('an unknown address below is the page, beside it the host’s', async () => {
    expect(await scriptOf(host, '/security/nowhere/at/all')).toEqual([404, '/security/assets/index.js'])
    const beside = await host.request(new Request('http://localhost/elsewhere', { headers: BROWSER }))
    expect([beside.status, await beside.text()]).toEqual([404, expect.not.stringContaining('<script')])
  })
})
