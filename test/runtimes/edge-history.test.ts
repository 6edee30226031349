import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SHOP, zipOf } from '../runners/projects.ts'
import { bundleForEdge, type EdgeModule } from './bundle-for-edge.ts'
import { largeZip } from './large-zip.ts'

/** As much of miniflare as is used: its types want those of Cloudflare. */
interface Simulator {
  dispatchFetch(url: string, init?: object): Promise<Response>
  getKVNamespace(
    name: string,
  ): Promise<{ put(key: string, value: string): Promise<void>; list(): Promise<{ keys: { name: string }[] }> }>
  dispose(): Promise<void>
}

const entry = new URL('./node_modules/miniflare/dist/src/index.js', import.meta.url).href

async function simulate(modules: readonly EdgeModule[], kvPersist: string, bindings: object = {}): Promise<Simulator> {
  const { Miniflare }: { Miniflare: new (options: object) => Simulator } = await import(entry)
  const worker = new Miniflare({
    modules: modules.map(({ name, text }) => ({ type: 'ESModule', path: name, contents: text })),
    compatibilityDate: '2026-04-01',
    kvNamespaces: ['PARAPET_HISTORY'],
    kvPersist,
    bindings,
  })
  onTestFinished(() => worker.dispose().catch(() => undefined))
  return worker
}

async function upload(worker: Simulator, zip = zipOf(SHOP)): Promise<Response> {
  const body = [
    Buffer.from('--x\r\ncontent-disposition: form-data; name="project"; filename="shop.zip"\r\n\r\n'),
    Buffer.from(zip),
    Buffer.from('\r\n--x--\r\n'),
  ]
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  return worker.dispatchFetch('http://localhost/api/scan/upload', { method: 'POST', headers, body: Buffer.concat(body) })
}

test('with a KV namespace reports outlive the isolate; foreign keys break nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-kv-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = bundleForEdge(folder)
  const kv = join(folder, 'kv')

  const first = await simulate(script, kv)
  const made = await upload(first)
  expect(made.status).toBe(201)
  const report = await made.text()
  const path = made.headers.get('location') ?? ''
  await first.dispose()

  const second = await simulate(script, kv)
  expect(await (await second.dispatchFetch(`http://localhost${path}`)).text()).toBe(report)
  const namespace = await second.getKVNamespace('PARAPET_HISTORY')
  await namespace.put('parapet:summaries:0198c0de-0000-7000-8000-000000000000', '{"entry":')
  await namespace.put('somebody:else', 'x')
  const list = async (): Promise<unknown> => (await second.dispatchFetch('http://localhost/api/scan/history')).json()
  expect(await list()).toHaveLength(1)
  expect((await second.dispatchFetch(`http://localhost${path}`, { method: 'DELETE' })).status).toBe(204)
  expect(await list()).toEqual([])

  // as large as an upload may be
  const large = await upload(second, largeZip())
  expect(large.status).toBe(201)
  await large.arrayBuffer()
  expect(await list()).toHaveLength(1)
})

test('a token that is bound is asked for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-kv-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const token = 'a token of the test'.replaceAll(' ', '-')
  const worker = await simulate(bundleForEdge(folder), join(folder, 'kv'), { PARAPET_TOKEN: token })
  const status = async (headers: object): Promise<number> =>
    (await worker.dispatchFetch('http://localhost/api/scan/history', { headers })).status
  expect([await status({}), await status({ authorization: `Bearer ${token}` })]).toEqual([401, 200])
})
