import * as fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { createScanIds } from '../../handlers/_scan-id.ts'
import { createScannerApp } from '../../handlers/index.ts'
import { SCHEMAS } from '../../handlers/_schemas.ts'
import { runs } from '../soak.ts'
import { describeMatrix, sendToApp } from './matrix.ts'
import { createDirectoryRequest, createFixture, createForm } from './sample.ts'

const { app } = createFixture({ base: '/security' })
const document = await (await sendToApp(app, '/api/openapi.json')).json()

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref?: string }; readonly example?: unknown }>>
}
interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly responses: Readonly<Record<string, Content>>
  readonly requestBody?: Content
}

describe('the OpenAPI document', () => {
  test('names every endpoint', () => {
    const operations = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(operations.sort()).toEqual([
      'DELETE /api/projects/{name}',
      'DELETE /api/projects/{name}/decisions/{findingId}',
      'DELETE /api/scan/jobs/{id}',
      'DELETE /api/scan/{scanId}',
      'GET /api/health',
      'GET /api/limits',
      'GET /api/metrics',
      'GET /api/openapi.json',
      'GET /api/projects',
      'GET /api/projects/{name}',
      'GET /api/projects/{name}/decisions',
      'GET /api/projects/{name}/decisions/config',
      'GET /api/projects/{name}/vex',
      'GET /api/ready',
      'GET /api/rules',
      'GET /api/scan/history',
      'GET /api/scan/jobs',
      'GET /api/scan/jobs/{id}',
      'GET /api/scan/{scanId}',
      'GET /api/scan/{scanId}/html',
      'GET /api/scan/{scanId}/sarif',
      'GET /api/scan/{scanId}/sbom',
      'GET /api/vendor/ui5/resources/{version}',
      'GET /api/vendor/ui5/version',
      'PATCH /api/projects/{name}',
      'POST /api/scan/directory',
      'POST /api/scan/upload',
      'PUT /api/projects/{name}/decisions',
      'PUT /api/projects/{name}/decisions/{findingId}',
    ])
    expect(document.openapi).toBe('3.1.0')
    expect(document.servers).toEqual([{ url: '/security' }])
  })

  test('every reference leads somewhere, and nothing else is referred to', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(references.length).toBeGreaterThan(20)
    for (const reference of references) expect(document.components.schemas).toHaveProperty(reference.split('/').at(-1) ?? '')
    expect(Object.keys(document.components.schemas).sort()).toEqual(Object.keys(SCHEMAS).sort())
    expect(JSON.stringify(document)).not.toMatch(/\$id|\$schema|__shared/)
  })

  test('every operation has a name of its own and an example that fits its schema', () => {
    const operations = Object.values<Record<string, Operation>>(document.paths).flatMap((item) => Object.values(item))
    const names = operations.map(({ operationId }) => operationId)
    expect(names.every((name) => /^[a-z][A-Za-z]+$/.test(name ?? ''))).toBe(true)
    expect(new Set(names).size).toBe(names.length)
    for (const { operationId, summary, responses, requestBody } of operations) {
      expect(summary, operationId).toMatch(/^[A-Z].{10,80}[^.]$/)
      const contents = [...Object.values(responses), ...(requestBody === undefined ? [] : [requestBody])].flatMap(({ content }) =>
        Object.values(content ?? {}),
      )
      const told = contents.filter(({ example }) => example !== undefined)
      expect(told.length, operationId).toBeGreaterThan(0)
      for (const { schema, example } of told) {
        const name = schema.$ref?.split('/').at(-1) ?? ''
        const [, known] = Object.entries(SCHEMAS).find(([other]) => other === name) ?? []
        expect(known?.safeParse(example), `${operationId}: ${name}`).toMatchObject({ success: true })
      }
    }
  })

  test('says what the schemas say', () => {
    const { schemas } = document.components
    expect(schemas.HistoryEntry.additionalProperties).toBe(false)
    expect(schemas.HistoryEntry.required).toHaveLength(7)
    expect(schemas.Report.properties.results.required).toEqual(['ui5', 'cap', 'secrets', 'btp', 'npm', 'approuter'])
    expect(schemas.Problem.properties.code.enum).toHaveLength(32)
    const [limit] = document.paths['/api/scan/history'].get.parameters
    expect(limit).toMatchObject({
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 200 },
    })
    const [scanId] = document.paths['/api/scan/{scanId}'].get.parameters
    expect(scanId).toMatchObject({ name: 'scanId', in: 'path', required: true, schema: { format: 'uuid' } })
    expect(Object.keys(document.paths['/api/scan/upload'].post.responses)).toEqual(
      expect.arrayContaining(['201', '400', '401', '403', '408', '413', '415', '421', '422', '500', '503']),
    )
  })
})

test('without any option it works alone', async () => {
  const app = createScannerApp()
  const archive = zipSync({ 'webapp/manifest.json': strToU8('{"sap.app":{"id":"shop","type":"application"}}') })
  const created = await sendToApp(app, '/api/scan/upload?lang=fr', {
    method: 'POST',
    ...createForm({ project: ['shop.zip', archive] }),
  })
  expect(created.status).toBe(201)
  const report = SCHEMAS.Report.parse(await created.json())
  expect(report).toMatchObject({ projectName: 'shop', filesScanned: 1 })
  expect(await (await sendToApp(app, '/api/scan/history')).json()).toHaveLength(1)
  const damaged = { method: 'POST', ...createForm({ project: ['shop.zip', archive.slice(0, -30)] }) }
  expect((await sendToApp(app, '/api/scan/upload', damaged)).status).toBe(422)
  expect((await sendToApp(app, '/api/scan/directory', createDirectoryRequest())).status).toBe(501)
})

describeMatrix('whatever is asked', (send) => {
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')
  const segment = fc.oneof(
    fc.constantFrom(
      'api',
      'scan',
      'upload',
      'directory',
      'history',
      'jobs',
      'vendor',
      'ui5',
      'version',
      'resources',
      '1.2.3',
      '0198c0de-0000-7000-8000-000000000000',
    ),
    fc.constantFrom('..', '.', '%2e', '%2F', '%5c', '%00', '%zz', '__proto__', ':', '*', '**', '%E2%82%AC', '@x'),
    fc.string({ unit: fc.constantFrom(...'abc019-_.~!$&()+,;=%') }),
  )

  test('the answer is one of those that are described', async () => {
    const { app } = createFixture()
    await fc.assert(
      fc.asyncProperty(
        method,
        fc.array(segment, { maxLength: 6 }),
        fc.constantFrom('', '?lang=fr', '?limit=x', '?%zz'),
        async (method, segments, query) => {
          const response = await send(app, `/${segments.join('/')}${query}`, { method })
          expect([200, 201, 204, 400, 404, 405, 415, 502]).toContain(response.status)
          await response.text()
        },
      ),
      { numRuns: runs(3000) },
    )
  })
})

describe('scan ids', () => {
  const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

  test('are UUIDv7 of the clock', () => {
    const createId = createScanIds(() => new Date(0x0198_c0de_1234))
    const id = createId()
    expect(id).toMatch(UUID_V7)
    expect(id.startsWith('0198c0de-1234-7')).toBe(true)
  })

  test.each([
    ['stands still', () => 0],
    ['runs back an hour', (index: number) => -index * 3600],
    ['jumps', (index: number) => (index % 7) * 1000 - (index % 3) * 5000],
    ['runs past 2038', (index: number) => 2 ** 41 + index],
  ])('keep their order while the clock %s', (_, offset) => {
    let index = 0
    const createId = createScanIds(() => new Date(1_800_000_000_000 + offset(index++)))
    const ids = Array.from({ length: 20_000 }, createId)
    expect(ids.every((id) => UUID_V7.test(id))).toBe(true)
    expect([...ids].sort()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
