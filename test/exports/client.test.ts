import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { expect, test } from 'vitest'
import { createScannerApp } from '../../handlers/index.ts'
import { SHOP, zipOf } from '../runners/projects.ts'
import { scanFiles } from '../scan-files.ts'

const HERE = new URL('./', import.meta.url).pathname
/** Within node_modules, so that the client finds its packages and nothing is committed. */
const FOLDER = join(HERE, 'node_modules/.cache/client')

/** What a user of the generated types writes: the compiler checks every path, parameter and member. */
const CLIENT = `
import createClient from 'openapi-fetch'
import type { components, paths } from './paths.ts'

export async function run(
  send: (request: Request) => Promise<Response>,
  archive: Uint8Array<ArrayBuffer>,
): Promise<{ report: components['schemas']['Report']; sarif: number; left: number | undefined; gone: string | undefined }> {
  const client = createClient<paths>({ baseUrl: 'http://localhost', fetch: send })
  const created = await client.POST('/api/scan/upload', {
    body: { project: '' },
    bodySerializer: () => {
      const form = new FormData()
      form.append('project', new Blob([archive]), 'shop.zip')
      return form
    },
  })
  if (created.data === undefined) throw new Error(created.error.detail)
  // the same operation sends events, or gives a job, to those who ask for them
  if (typeof created.data === 'string' || 'state' in created.data) throw new Error('neither events nor a job were asked for')
  const path = { scanId: created.data.scanId }
  const read = await client.GET('/api/scan/{scanId}', { params: { path, query: { lang: 'fr' } } })
  const sarif = await client.GET('/api/scan/{scanId}/sarif', { params: { path } })
  if (read.data === undefined) throw new Error('no report')
  await client.DELETE('/api/scan/{scanId}', { params: { path } })
  const history = await client.GET('/api/scan/history', { params: { query: { limit: 5 } } })
  const gone = await client.GET('/api/scan/{scanId}', { params: { path } })
  return { report: read.data, sarif: sarif.response.status, left: history.data?.length, gone: gone.error?.code }
}
`

test('a client of the types that openapi-typescript generates compiles and runs a scan', async () => {
  if (!existsSync(join(HERE, 'node_modules/openapi-typescript'))) throw new Error('run `npm ci --prefix test/exports`')
  mkdirSync(FOLDER, { recursive: true })
  const app = createScannerApp()
  const send = async (request: Request): Promise<Response> => app.fetch(request)
  const document = await (await send(new Request('http://localhost/api/openapi.json'))).text()
  writeFileSync(join(FOLDER, 'package.json'), '{"type":"module"}')
  writeFileSync(join(FOLDER, 'openapi.json'), document)
  const tool = (name: string, ...args: string[]): void => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(HERE, 'node_modules', name), ...args], {
      cwd: FOLDER,
      encoding: 'utf8',
    })
    expect(status, stdout + stderr).toBe(0)
  }
  tool('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'paths.ts')
  writeFileSync(join(FOLDER, 'client.ts'), CLIENT)
  const options =
    '--noEmit --strict --skipLibCheck --allowImportingTsExtensions --module nodenext --target es2023 --lib es2024,dom --typeRoots .'
  tool('typescript/bin/tsc', ...options.split(' '), 'client.ts')
  buildSync({
    entryPoints: [join(FOLDER, 'client.ts')],
    outfile: join(FOLDER, 'client.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
  })

  const client: { run: (send: unknown, archive: Uint8Array) => Promise<Record<string, unknown>> } = await import(
    pathToFileURL(join(FOLDER, 'client.mjs')).href
  )
  const answer = await client.run(send, zipOf(SHOP))
  const { summary } = (await scanFiles(new Map(Object.entries(SHOP)))).en
  expect(summary.total).toBeGreaterThan(0)
  expect(answer).toMatchObject({
    report: { projectName: 'shop', summary },
    sarif: 200,
    left: 0,
    gone: 'scan-not-found',
  })
})
