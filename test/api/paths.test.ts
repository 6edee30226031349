import { readFileSync } from 'node:fs'
import { H3 } from 'h3'
import { describe, expect, test } from 'vitest'
import { VERSION } from '../../core/version.ts'
import { describeMatrix, sendToApp } from './matrix.ts'
import { createFixture, createUpload } from './sample.ts'

const UNKNOWN = '0198c0de-0000-7000-8000-000000000000'

describeMatrix('paths', (send) => {
  test.each([
    ['GET', '/api/scan/upload', 'POST'],
    ['DELETE', '/api/scan/upload', 'POST'],
    ['HEAD', '/api/scan/directory', 'POST'],
    ['DELETE', '/api/scan/history', 'GET, HEAD'],
    ['POST', '/api/scan/history', 'GET, HEAD'],
    ['PUT', `/api/scan/${UNKNOWN}`, 'GET, HEAD, DELETE'],
    ['OPTIONS', '/api/scan/upload', 'POST'],
    ['OPTIONS', '/api/health', 'GET, HEAD'],
    ['POST', '/api/openapi.json', 'GET, HEAD'],
    ['PATCH', '/api/vendor/ui5/version', 'GET, HEAD'],
  ])('%s %s is not allowed', async (method, path, allow) => {
    const response = await send(createFixture().app, path, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe(allow)
  })

  test.each(['/api', '/api/', '/api/scan', '/api/scan/a/b', '/api/health/x', '//api/health', '/API/health', '/', '/index.html'])(
    '%s is nowhere',
    async (path) => {
      for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS']) {
        const response = await send(createFixture().app, path, { method })
        expect(response.status, method).toBe(404)
      }
    },
  )

  test('a path that does not decode is a problem too', async () => {
    expect(await (await send(createFixture().app, '/api/%ZZ')).json()).toMatchObject({ code: 'invalid-request' })
  })

  test('a slash at the end changes nothing', async () => {
    expect((await send(createFixture().app, '/api/health/')).status).toBe(200)
  })
})

describe('mounted in another app', () => {
  const { app: scanner } = createFixture({ base: '/security' })

  test.each([
    ['as fetch', new H3().mount('/security', { fetch: (request: Request) => scanner.fetch(request) })],
    ['as an app', new H3().mount('/security', scanner)],
  ])('%s', async (_, host) => {
    const created = await sendToApp(host, '/security/api/scan/upload', createUpload())
    expect(created.status).toBe(201)
    const location = created.headers.get('location') ?? ''
    expect((await sendToApp(host, location)).status).toBe(200)
    const refused = await sendToApp(host, '/security/api/scan/history', { method: 'POST' })
    expect(await refused.json()).toMatchObject({ code: 'method-not-allowed' })
    expect(await (await sendToApp(host, '/security/api/nothing')).json()).toMatchObject({ code: 'not-found' })
    expect((await sendToApp(host, '/security/api/health', { headers: { origin: 'https://evil.example' } })).status).toBe(403)
  })
})

test('two apps share nothing', async () => {
  const [one, other] = [createFixture().app, createFixture().app]
  await sendToApp(one, '/api/scan/upload', createUpload())
  expect(await (await sendToApp(other, '/api/scan/history')).json()).toEqual([])
})

test('the version is that of package.json', () => {
  expect(VERSION).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version)
})
