import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createCatalogueClient } from '../../core/catalogue/client.ts'
import type { CatalogueClient, CataloguePort } from '../../core/catalogue/types.ts'
import { isRefusal } from '../../core/errors.ts'
import { drip, sendJson, startLoopback } from '../network/loopback.ts'

const silent = (): void => {}
const createClient = (url: string): CatalogueClient & CataloguePort => createCatalogueClient({ url, log: silent })

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'answered',
    (error: unknown) => (isRefusal(error) ? error.code : `not a refusal: ${String(error)}`),
  )
}

const DETAIL = {
  name: 'UI5 Distribution',
  version: '1.120.1',
  buildTimestamp: '202311271015',
  libraries: [{ name: 'sap.ui.core', version: '1.120.0', appData: { manifest: 'x' }, deprecated: true }],
  components: { 'sap.app': { library: 'sap.ui.core' }, 'sap.other': { hasOwnPreload: true, manifestHints: { more: 1 } } },
  more: [1],
}

describe('version', () => {
  test('gives the overview; what is left out is empty, what is more passes through', async () => {
    const document = {
      latest: { version: '1.149.0', support: 'Maintenance', lts: false, patches: ['1.149.0'] },
      '1.148': { lts: true },
      new: {},
    }
    const { url, asked } = await startLoopback((_, response) => sendJson(response, document))
    const client = createClient(`${url}/base/`)
    expect(await client.version()).toEqual({
      latest: { version: '1.149.0', support: 'Maintenance', lts: false, patches: ['1.149.0'] },
      '1.148': { version: '', support: '', lts: true },
      new: { version: '', support: '', lts: false },
    })
    await client.version()
    expect(asked.map(({ path }) => path)).toEqual(['/base/version.json', '/base/version.json'])
  })

  test.each([
    ['a list', []],
    ['a text', '"x"'],
    ['null', 'null'],
    ['no version', {}],
    ['an error', { error: 'gone' }],
    ['wrong types', { latest: { version: 1, support: 'x', lts: false } }],
    ['wrong types, lts', { latest: { version: '1', support: 'x', lts: 'no' } }],
    ['HTML', '<html>'],
    ['a prototype', '{"__proto__":{"version":"1"}}'],
  ])('refuses %s', async (_, document) => {
    const { url } = await startLoopback((_, response) => sendJson(response, document))
    expect(await codeOf(createClient(url).version())).toBe('catalogue-unavailable')
  })

  test('takes many versions', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 15_000 }, (_, index) => [`1.${index}`, { version: `1.${index}.0`, lts: true }]),
    )
    const { url } = await startLoopback((_, response) => sendJson(response, many))
    expect(Object.keys(await createClient(url).version())).toHaveLength(15_000)
  })

  test('refuses what is over 2 MB, also compressed, and every status but 200', async () => {
    const bomb = gzipSync(Buffer.alloc(30 * 1024 * 1024, 0x20))
    const { url } = await startLoopback((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(bomb)
    })
    expect(await codeOf(createClient(url).version())).toBe('catalogue-unavailable')
    const failing = await startLoopback((_, response) => {
      response.writeHead(500)
      response.end('{}')
    })
    expect(await codeOf(createClient(failing.url).version())).toBe('catalogue-unavailable')
    expect(await codeOf(createClient('http://127.0.0.1:9').version())).toBe('catalogue-unavailable')
    const elsewhere = await startLoopback((_, response) => response.writeHead(404).end())
    expect(await codeOf(createClient(elsewhere.url).version())).toBe('catalogue-unavailable')
  })

  test.concurrent('no answer in five seconds: header or body', async ({ expect }) => {
    const slow = await startLoopback((_, response) => drip(response))
    const mute = await startLoopback(() => {})
    const began = performance.now()
    expect(await Promise.all([codeOf(createClient(slow.url).version()), codeOf(createClient(mute.url).version())])).toEqual([
      'catalogue-timeout',
      'catalogue-timeout',
    ])
    expect(performance.now() - began).toBeLessThan(20_000)
  })
})

describe('resources', () => {
  test('every member is there, more passes through', async () => {
    const { url, asked } = await startLoopback((_, response) => sendJson(response, DETAIL))
    const { source, data } = await createClient(url).resources('1.120.1')
    expect(asked).toEqual([{ method: 'GET', path: '/1.120.1/resources/sap-ui-version.json', body: '' }])
    expect(source).toBe('remote')
    expect(data).toEqual({
      name: 'UI5 Distribution',
      version: '1.120.1',
      buildTimestamp: '202311271015',
      scmRevision: '',
      gav: '',
      libraries: [
        {
          name: 'sap.ui.core',
          version: '1.120.0',
          buildTimestamp: '',
          scmRevision: '',
          gav: '',
          npmPackageName: '',
          themes: [],
          patchHistory: [],
          vendor: '',
          copyright: '',
          documentation: '',
          appData: { manifest: 'x' },
          deprecated: true,
        },
      ],
      components: {
        'sap.app': { library: 'sap.ui.core', hasOwnPreload: false, manifestHints: { dependencies: { libs: {} } } },
        'sap.other': { library: '', hasOwnPreload: true, manifestHints: { more: 1, dependencies: { libs: {} } } },
      },
      themes: [],
      supportedThemes: [],
      more: [1],
    })
  })

  test('asks once for a version; a hundred at the same time are one', async () => {
    const { url, asked } = await startLoopback((_, response) => void setTimeout(() => sendJson(response, DETAIL), 50))
    const client = createClient(url)
    const answers = await Promise.all(Array.from({ length: 100 }, () => client.resources('1.120.1')))
    expect(new Set(answers.map(({ source }) => source))).toEqual(new Set(['remote']))
    expect((await client.resources('1.120.1')).source).toBe('cache')
    expect(asked).toHaveLength(1)
  })

  test('keeps the fifty last ones', async () => {
    const { url } = await startLoopback(({ path }, response) => sendJson(response, { version: path.split('/')[1] }))
    const client = createClient(url)
    for (let patch = 0; patch < 50; patch++) await client.resources(`1.0.${patch}`)
    expect((await client.resources('1.0.0')).source).toBe('cache')
    expect((await client.resources('1.0.50')).source).toBe('remote')
    expect((await client.resources('1.0.0')).source).toBe('cache')
    expect((await client.resources('1.0.1')).source).toBe('remote')
    expect((await client.resources('1.0.0')).data.version).toBe('1.0.0')
  })

  test('a document of so many objects that they fill the memory is none; of large ones the last are kept', async () => {
    const libraries = (count: number): string => `{"libraries":[${Array.from({ length: count }, () => '{}').join()}]}`
    const { url, asked } = await startLoopback(({ path }, response) =>
      sendJson(response, libraries(path.startsWith('/1.0.') ? 600_000 : 4000)),
    )
    const client = createClient(url)
    expect(await codeOf(client.resources('1.0.0'))).toBe('catalogue-unavailable')
    // each library gets the members that it lacks
    for (let patch = 0; patch < 6; patch++) expect((await client.resources(`2.0.${patch}`)).source).toBe('remote')
    expect((await client.resources('2.0.5')).source).toBe('cache')
    expect((await client.resources('2.0.0')).source).toBe('remote')
    expect(asked).toHaveLength(8)
  })

  test('never keeps what was bad', async () => {
    const bodies = [
      '<html>',
      '{"libraries":{}}',
      '{"libraries":[{"name":1}]}',
      '{"components":{"__proto__":{}}}',
      JSON.stringify(DETAIL),
    ]
    const { url, asked } = await startLoopback((_, response) => sendJson(response, bodies.shift()))
    const client = createClient(url)
    for (let time = 0; time < 4; time++) expect(await codeOf(client.resources('1.120.1'))).toBe('catalogue-unavailable')
    expect((await client.resources('1.120.1')).source).toBe('remote')
    expect(asked).toHaveLength(5)
  })

  test('shows its address without credentials', () => {
    expect(createClient('https://user:word@ui5.example/path/').url).toBe('https://ui5.example/path')
  })

  test('a version that the catalogue does not have', async () => {
    const { url } = await startLoopback(({ path }, response) => {
      if (path.startsWith('/1.1.')) return sendJson(response, DETAIL)
      response.writeHead(404)
      response.end()
    })
    const client = createClient(url)
    expect(await codeOf(client.resources('1.9.9'))).toBe('version-not-found')
    expect(await codeOf(client.resources('1.1.1'))).toBe('version-not-found')
  })

  test('a redirect leads nowhere', async () => {
    const { url, asked } = await startLoopback((_, response) => {
      response.writeHead(302, { location: '/latest/resources/sap-ui-version.json' })
      response.end()
    })
    expect(await codeOf(createClient(url).resources('1.120.1'))).toBe('catalogue-unavailable')
    expect(asked).toHaveLength(1)
  })

  test('only x.y.z leaves the machine', async () => {
    const { url, asked } = await startLoopback((_, response) => sendJson(response, {}))
    const client = createClient(url)
    const hostile = (
      '../../x|1.120.0/../../x|1.120.0%2f..|1.120.0%2e%2e|1.120.0#|1.120.0?x=1|?x=|#|//example.org|@example.org|1.120.0@example.org|' +
      'http://example.org|file:///etc/passwd|1.120|1.120.0.1|1|v1.120.0|=1.120.0|^1.120.0|1.120.x|1.*|*|latest|1.109.3-legacy-free|' +
      '1.120.0-SNAPSHOT|1.120.0+x|01.120.0x|-1.120.0|1.-120.0|1e3.1.1|0x1.0.0|123456.1.1|1.123456.1|1.1.123456|１.１２０.０|' +
      '1.120.0\u0000|1.120.0\r\nX-A: b|1.120.0\n| 1.120.0|1.120.0 |1 .120.0|1..0|.1.1|1.1.|%31.120.0|1。120。0|constructor|__proto__'
    ).split('|')
    expect(hostile.length).toBeGreaterThan(40)
    for (const version of ['', ...hostile])
      expect(await codeOf(client.resources(version)), JSON.stringify(version)).toBe('invalid-request')
    expect(asked).toEqual([])
  })
})
