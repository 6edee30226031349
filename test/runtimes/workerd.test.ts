import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LOCALES } from '../../core/index.ts'
import { RULES, wordByExample } from '../../core/scanner.ts'
import type { Report } from '../../core/report/types.ts'
import { createInProcessRunner } from '../../core/runner.ts'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { allFindings } from '../scan-files.ts'
import { bundleForEdge, configureWorkerd } from './bundle-for-edge.ts'
import { largeZip } from './large-zip.ts'
import { sendAgain } from './send-again.ts'
import { scanOptions, SHOP, SHOP_RULES, zipOf } from '../runners/projects.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const WORKERD = join(ROOT, 'test/runtimes/node_modules/@cloudflare/workerd-linux-64/bin/workerd')

let folder: string
let child: ChildProcess
let url: string

beforeAll(async () => {
  if (!existsSync(WORKERD)) throw new Error('workerd is missing: run `npm ci --prefix test/runtimes`')
  folder = mkdtempSync(join(tmpdir(), 'parapet-workerd-'))
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const config = configureWorkerd(folder, port)
  child = spawn(WORKERD, ['serve', config], { stdio: 'inherit' })
  url = `http://127.0.0.1:${port}`
  await poll(`${url}/api/health`)
})

afterAll(() => {
  child?.kill('SIGKILL')
  if (folder !== undefined) rmSync(folder, { recursive: true })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function poll(address: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await fetch(address).catch(() => undefined)
    if (answer?.ok === true) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('workerd did not answer')
}

function upload(bytes: Uint8Array): Promise<Response> {
  const form = new FormData()
  form.append('project', new Blob([new Uint8Array(bytes)]), 'shop.zip')
  return sendAgain(() => fetch(`${url}/api/scan/upload`, { method: 'POST', body: form }))
}

/**
 * The status that an upload gets whose length is declared and whose body is never sent. A service refuses such a length at once and closes the connection; a
 * client that still writes its body meets a broken pipe, on a busy machine before it has read the answer.
 */
function statusOfDeclared(length: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': length }
    const sent = request(`${url}/api/scan/upload`, { method: 'POST', headers }, (answer) => {
      resolve(answer.statusCode)
      sent.destroy()
    })
    sent.on('error', reject)
    sent.flushHeaders()
  })
}

test('an upload gives the same findings and ids as on Node; the report is read back', async () => {
  const answer = await upload(zipOf(SHOP))
  expect(answer.status).toBe(201)
  const report: Report = await answer.json()
  const ids = allFindings(report).map(({ id, ruleId }) => `${ruleId} ${id}`)
  expect(ids.map((id) => id.split(' ')[0])).toEqual(expect.arrayContaining([...SHOP_RULES]))
  const run = createInProcessRunner({ ports: { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() } })
  const here = await run({ kind: 'archive', bytes: zipOf(SHOP), name: 'shop' }, scanOptions({ scannedAt: report.scannedAt }), {})
  const expected: Report = JSON.parse(new TextDecoder().decode(here.records.en))
  expect(ids).toEqual(allFindings(expected).map(({ id, ruleId }) => `${ruleId} ${id}`))
  const stored = await fetch(`${url}${answer.headers.get('location')}?lang=fr`)
  expect(stored.status).toBe(200)
  expect(allFindings(await stored.json()).map(({ id }) => id)).toEqual(allFindings(report).map(({ id }) => id))
})

test('refusals are those of everywhere; directories are not there', async () => {
  expect((await (await upload(new TextEncoder().encode('hello'))).json()).reason).toBe('not-a-zip')
  const directory = await fetch(`${url}/api/scan/directory`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"dirPath":"/tmp"}',
  })
  expect((await directory.json()).code).toBe('directory-scan-unavailable')
  expect(await statusOfDeclared(21 * 1024 * 1024)).toBe(413)
})

test('an upload of nearly 20 MiB is scanned', async () => {
  const answer = await upload(largeZip())
  expect(answer.status).toBe(201)
  expect((await answer.json()).summary.critical).toBeGreaterThan(0)
})

test('the rules are told whole in both languages, though they are loaded later', async () => {
  for (const locale of LOCALES) {
    const told: readonly { readonly id: string; readonly fix: string; readonly why: string }[] = await (
      await fetch(`${url}/api/rules?lang=${locale}`)
    ).json()
    const [here, there] = [
      new Map(told.map((rule) => [rule.id, rule])),
      RULES.map((rule) => [rule.id, wordByExample(rule, locale)] as const),
    ]
    for (const [id, words] of there) expect(here.get(id)).toMatchObject(words)
    expect(here.size).toBe(RULES.length)
  }
})

test('the page is there, with its policy', async () => {
  const answer = await fetch(`${url}/`)
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
  const [, script = ''] = /src="\.\/(assets\/[^"]+\.js)"/.exec(await answer.text()) ?? []
  expect((await fetch(`${url}/${script}`)).headers.get('content-type')).toContain('javascript')
})

test('the bundle is small', () => {
  const sizes = bundleForEdge(folder).map((part) => ({ ...part, zipped: gzipSync(part.text, { level: 9 }).length }))
  const sum = (parts: typeof sizes): number => parts.reduce((all, { zipped }) => all + zipped, 0)
  const start = sizes.filter(({ isLoadedAtStart }) => isLoadedAtStart)
  process.stdout.write(
    `edge bundle, KiB gzipped: ${Math.round(sum(start) / 1024)} at the start, ${Math.round(sum(sizes) / 1024)} in all\n`,
  )
  // the scanner with its rules, advisories, the page and the exports are parts of their own
  expect(start.length).toBeLessThan(sizes.length)
  expect(sum(start)).toBeLessThan(165 * 1024)
  // grows with the knowledge of the rules; what it catches is a library that came along. A free plan of Cloudflare took 3 MB (its limits, 2025).
  expect(sum(sizes)).toBeLessThan(2300 * 1024)
})
