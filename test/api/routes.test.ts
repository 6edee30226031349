import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { Refusal } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'
import { SCHEMAS } from '../../handlers/_schemas.ts'
import { describeMatrix } from './matrix.ts'
import { NOW, createCatalogue, createDirectoryRequest, createFixture, createForm, createUpload, SAMPLE_TITLE } from './sample.ts'

const UNKNOWN = '0198c0de-0000-7000-8000-000000000000'

describeMatrix('routes', (send) => {
  test('health says exactly four things', async () => {
    const response = await send(createFixture().app, '/api/health', { headers: { 'accept-language': 'fr-CA' } })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'ok', version: VERSION, service: 'Parapet', lang: 'fr' })
    expect(response.headers.get('content-language')).toBe('fr')
    expect(response.headers.get('vary')).toBe('Accept-Language')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  })

  test('an upload gives the report, its place, and a row in the history', async () => {
    const { app, scans } = createFixture({ base: '/security/' })
    const response = await send(app, '/api/scan/upload', createUpload())
    expect(response.status).toBe(201)
    const report = SCHEMAS.Report.parse(await response.json())
    expect(response.headers.get('location')).toBe(`/security/api/scan/${report.scanId}`)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(report).toMatchObject({ projectName: 'shop', scannedAt: NOW.toISOString() })
    const [scan] = scans
    expect(scan?.source).toMatchObject({ kind: 'archive', name: 'shop.zip' })
    expect(scan?.source.kind === 'archive' && Buffer.from(scan.source.bytes).toString()).toBe('PK..')
    expect(scan?.options).toMatchObject({
      scanId: report.scanId,
      suppressions: true,
      limits: { entries: 100_000, parse: 2_097_152 },
    })
    expect(scan?.options.limits).not.toHaveProperty('upload')

    const list = await (await send(app, '/api/scan/history')).json()
    expect(SCHEMAS.History.parse(list)).toHaveLength(1)
    expect(Object.keys(list[0]).sort()).toEqual(
      ['projectName', 'projectTypes', 'riskLevel', 'riskScore', 'scanId', 'scannedAt', 'summary'].sort(),
    )
  })

  test('a directory is resolved by the platform; its name is the default', async () => {
    const resolved: string[] = []
    const { app, scans } = createFixture({
      resolveDirectory: (dirPath) => {
        resolved.push(dirPath)
        return Promise.resolve({ path: '/real/shop', name: 'shop' })
      },
    })
    const first = await send(app, '/api/scan/directory', createDirectoryRequest({ dirPath: '/link/shop', unknown: 1 }))
    expect(first.status).toBe(201)
    expect(resolved).toEqual(['/link/shop'])
    expect(scans[0]?.source).toEqual({ kind: 'directory', path: '/real/shop', name: 'shop' })
    expect(scans[0]?.options.projectName).toBe('shop')
    await send(app, '/api/scan/directory', createDirectoryRequest({ dirPath: 'C:\\shop', projectName: '<b>Shop</b>' }))
    expect(scans[1]?.options.projectName).toBe('<b>Shop</b>')
  })

  test.each([
    ['not JSON', '{"dirPath":', [['', 'is not valid JSON in UTF-8']]],
    ['not an object', '[1]', [['', 'must be a JSON object']]],
    ['null', 'null', [['', 'must be a JSON object']]],
    ['nothing', '', [['', 'is not valid JSON in UTF-8']]],
    ['only a prototype', '{"__proto__":{"dirPath":"/x"}}', [['dirPath', 'must be an absolute path of at most 4,096 characters']]],
    ['a list', { dirPath: ['/etc'] }, [['dirPath', 'must be an absolute path of at most 4,096 characters']]],
    ['relative', { dirPath: 'src' }, [['dirPath', 'must be an absolute path of at most 4,096 characters']]],
    ['NUL', { dirPath: '/srv\0' }, [['dirPath', 'must be an absolute path of at most 4,096 characters']]],
    ['too long', { dirPath: `/${'a'.repeat(4096)}` }, [['dirPath', 'must be an absolute path of at most 4,096 characters']]],
    ['empty name', { dirPath: '/srv', projectName: '' }, [['projectName', 'must be a text of 1 to 200 characters']]],
    ['both', { dirPath: 1, projectName: 'x'.repeat(201) }, [['dirPath'], ['projectName']]],
  ])('a directory request that is wrong: %s', async (_, body, errors) => {
    const { app, scans } = createFixture()
    const response = await send(app, '/api/scan/directory', createDirectoryRequest(body))
    const problem = await response.json()
    expect(problem.code).toBe('invalid-request')
    expect(
      problem.errors.map(({ path, message }: { path: string; message: string }, index: number) =>
        [path, message].slice(0, errors[index]?.length),
      ),
    ).toEqual(errors)
    expect(scans).toEqual([])
  })

  test.each([
    ['text/plain', 415],
    ['application/json; charset=utf-8', 201],
    ['application/json-patch+json', 415],
    ['', 415],
  ])('a directory request of type "%s" is %i', async (type, status) => {
    const request = createDirectoryRequest()
    expect(
      (await send(createFixture().app, '/api/scan/directory', { ...request, headers: { 'content-type': type } })).status,
    ).toBe(status)
  })

  test('a compressed body is refused unread', async () => {
    const request = createUpload()
    const response = await send(createFixture().app, '/api/scan/upload', {
      ...request,
      headers: { ...request.headers, 'content-encoding': 'gzip' },
    })
    expect(response.status).toBe(415)
  })

  test('the history is newest first, in pages', async () => {
    const { app } = createFixture()
    for (const name of ['a', 'b', 'c'])
      await send(app, '/api/scan/upload', { method: 'POST', ...createForm({ project: [`${name}.zip`, 'x'] }) })
    const names = async (query: string): Promise<string[]> =>
      (await (await send(app, `/api/scan/history${query}`)).json()).map(({ projectName }: { projectName: string }) => projectName)
    expect(await names('')).toEqual(['c', 'b', 'a'])
    expect(await names('?limit=2')).toEqual(['c', 'b'])
    expect(await names('?limit=2&offset=2')).toEqual(['a'])
    expect(await names('?offset=9&x=y')).toEqual([])
    for (const query of [
      'limit=0',
      'limit=201',
      'limit=-1',
      'limit=1e2',
      'limit=',
      'limit=1&limit=2',
      'offset=x',
      'offset=1.5',
    ]) {
      const response = await send(app, `/api/scan/history?${query}`)
      expect(response.status, query).toBe(400)
      expect((await response.json()).errors[0].path).toBe(query.slice(0, query.indexOf('=')))
    }
  })

  test('a stored report is read byte for byte, in each language under its own tag', async () => {
    const { app, scans } = createFixture()
    const created = await send(app, '/api/scan/upload', createUpload())
    const path = created.headers.get('location') ?? ''
    const english = Buffer.from(await created.arrayBuffer())
    const tags: string[] = []
    for (const lang of ['en', 'fr'] as const) {
      const response = await send(app, path, { headers: { 'accept-language': lang } })
      const bytes = Buffer.from(await response.arrayBuffer())
      const tag = `"${createHash('sha256').update(bytes).digest('hex')}"`
      expect(response.status).toBe(200)
      expect(response.headers.get('etag')).toBe(tag)
      expect(response.headers.get('cache-control')).toBe('private, no-cache')
      expect(response.headers.get('content-language')).toBe(lang)
      expect(response.headers.get('vary')).toBe('Accept-Language')
      expect(response.headers.get('content-length')).toBe(String(bytes.byteLength))
      expect(JSON.parse(bytes.toString()).results.secrets.findings[0].title).toBe(SAMPLE_TITLE[lang])
      if (lang === 'en') expect(bytes.equals(english)).toBe(true)
      tags.push(tag)

      for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
        const again = await send(app, path, { headers: { 'accept-language': lang, 'if-none-match': known } })
        expect(again.status, known).toBe(304)
        expect(again.headers.get('etag')).toBe(tag)
        expect(again.headers.get('content-language')).toBe(lang)
        expect(again.headers.get('cache-control')).toBe('private, no-cache')
        expect(await again.text()).toBe('')
      }
      const other = await send(app, path, { headers: { 'accept-language': lang, 'if-none-match': '"x"' } })
      expect(other.status).toBe(200)
      const head = await send(app, path, { method: 'HEAD', headers: { 'accept-language': lang } })
      expect(head.status).toBe(200)
      expect(head.headers.get('etag')).toBe(tag)
      expect(head.headers.get('content-length')).toBe(String(bytes.byteLength))
    }
    expect(tags[0]).not.toBe(tags[1])
    expect((await send(app, path.toUpperCase().replace('/API/SCAN', '/api/scan'))).status).toBe(200)
    expect(scans).toHaveLength(1)
  })

  test('a scan is deleted once', async () => {
    const { app } = createFixture()
    const path = (await send(app, '/api/scan/upload', createUpload())).headers.get('location') ?? ''
    const gone = await send(app, path, { method: 'DELETE' })
    expect(gone.status).toBe(204)
    expect(await gone.text()).toBe('')
    for (const method of ['DELETE', 'GET', 'HEAD']) expect((await send(app, path, { method })).status).toBe(404)
    expect(await (await send(app, '/api/scan/history')).json()).toEqual([])
  })

  test.each([
    'x',
    '%2e%2e%5c',
    '..%2f..',
    '__proto__',
    'a:b',
    '%00',
    '%F0%9F%92%A9',
    `${UNKNOWN}0`,
    'g'.repeat(36),
    'a'.repeat(300),
  ])('a scan id that is none is refused before the storage: %s', async (id) => {
    const { app } = createFixture()
    for (const method of ['GET', 'DELETE']) {
      const response = await send(app, `/api/scan/${id}`, { method })
      expect((await response.json()).code).toBe('invalid-request')
    }
  })

  test('a UUID of another kind is simply not there', async () => {
    expect((await send(createFixture().app, '/api/scan/f47ac10b-58cc-4372-a567-0e02b2c3d479')).status).toBe(404)
  })

  test('the catalogue overview passes through', async () => {
    const response = await send(createFixture().app, '/api/vendor/ui5/version')
    expect(SCHEMAS.CatalogueOverview.parse(await response.json())).toEqual({
      status: 200,
      message: 'The UI5 catalogue at https://ui5.example is available.',
      data: { latest: { version: '1.136.0', support: 'Maintenance', lts: true, beta: false } },
    })
  })

  test.each([
    ['catalogue-unavailable', 502],
    ['catalogue-timeout', 504],
  ] as const)('%s has the members of the overview too', async (code, status) => {
    const { app } = createFixture({ catalogue: createCatalogue(new Refusal(code)) })
    const response = await send(app, '/api/vendor/ui5/version')
    expect(response.status).toBe(status)
    const body = await response.json()
    expect(body).toMatchObject({ status, code, message: 'The UI5 catalogue at https://ui5.example is not available.', data: {} })
  })

  test('a version in detail; what is no version never leaves the machine', async () => {
    const catalogue = createCatalogue()
    const { app } = createFixture({ catalogue })
    const response = await send(app, '/api/vendor/ui5/resources/1.120.5')
    expect(SCHEMAS.CatalogueDetail.parse(await response.json())).toMatchObject({ source: 'remote', version: '1.120.5' })
    const wrong = [
      '1.120',
      '1.120.5.6',
      '1.109.3-legacy-free',
      '%2e%2e%5c',
      '1.120.0%2f..',
      '1.120.0%23',
      '1.120.0%0d%0a',
      '%EF%BC%91.2.3',
      '@host',
      '999999.1.1',
    ]
    for (const version of wrong) {
      const refused = await send(app, `/api/vendor/ui5/resources/${version}`)
      expect((await refused.json()).code, version).toMatch(/^(?:invalid-request|not-found)$/)
    }
    expect(catalogue.asked).toEqual(['1.120.5'])
  })

  test('without a catalogue both endpoints say so', async () => {
    const { app } = createFixture({ catalogue: undefined })
    for (const path of ['version', 'resources/1.2.3']) expect((await send(app, `/api/vendor/ui5/${path}`)).status).toBe(502)
  })

  test('the rules, in both languages', async () => {
    const { app } = createFixture()
    const english = SCHEMAS.Rules.parse(await (await send(app, '/api/rules')).json())
    expect(english).toEqual([
      {
        id: 'secrets/password',
        area: 'secrets',
        severity: 'HIGH',
        confidence: 'high',
        cwe: ['CWE-798'],
        title: 'Password',
        // the sample's rule has no example
        message: 'NAME',
        why: 'Because.',
        fix: 'Remove it.',
        docs: 'https://example.com/docs',
        since: '0.1.0',
        grades: [
          {
            impact: 'takeover',
            levels: {
              anyone: 'CRITICAL',
              user: 'HIGH',
              privileged: 'MEDIUM',
              self: 'LOW',
              local: 'LOW',
              pipeline: 'HIGH',
              nobody: 'INFO',
            },
          },
        ],
      },
    ])
    const french = await send(app, '/api/rules?lang=fr')
    expect(french.headers.get('content-language')).toBe('fr')
    expect((await french.json())[0].title).toBe('Mot de passe')
  })

  test('the limits in force', async () => {
    const { app } = createFixture({ limits: { upload: 1000, parse: 5 }, retention: { age: 60_000 } })
    const limits = SCHEMAS.Limits.parse(await (await send(app, '/api/limits')).json())
    expect(limits).toMatchObject({
      upload: 1000,
      parse: 5,
      entries: 100_000,
      json: 65_536,
      directory: true,
      history: { age: 60_000 },
    })
    const plain = await (await send(createFixture({ resolveDirectory: undefined }).app, '/api/limits')).json()
    expect(plain).toMatchObject({ directory: false, history: { limit: 200, bytes: 268_435_456 } })
  })
})
