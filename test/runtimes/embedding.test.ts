import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { SHOP, zipOf } from '../runners/projects.ts'
import { installPackage } from './build-package.ts'
import { freePort, pollHealth } from './processes.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const HOSTS = join(ROOT, 'test/runtimes/node_modules')
const OWN = join(ROOT, 'node_modules')

/** The programs of the page: host to files. */
const PROGRAMS = new Map<string, Map<string, string>>()
for (const [, host = '', path = '', text = ''] of readFileSync(join(ROOT, 'docs/embedding.md'), 'utf8').matchAll(
  /^```[jt]s file=([^/\n]+)\/([^\n]+)\n([\s\S]*?)^```$/gm,
)) {
  PROGRAMS.set(host, (PROGRAMS.get(host) ?? new Map<string, string>()).set(path, text))
}

interface Host {
  /** Beside the package; name to folder. */
  readonly packages: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
  /** Its own tool, run once before it is started. */
  readonly build?: readonly string[]
  readonly start?: string
}

const hello = (h3: string): string => `import { eventHandler } from '${h3}'\nexport default eventHandler(() => 'hello')\n`

const KNOWN: Readonly<Record<string, Host>> = {
  h3: { packages: { h3: join(OWN, 'h3') } },
  h3v1: { packages: { h3: join(HOSTS, 'h3v1') } },
  nitro: {
    packages: { nitro: join(HOSTS, 'nitro') },
    files: {
      'nitro.config.ts': "export default { srcDir: './server', compatibilityDate: '2026-01-01' }\n",
      'server/routes/hello.ts': hello('nitro/h3'),
    },
    build: [join(HOSTS, 'nitro/dist/cli/index.mjs'), 'build'],
    start: '.output/server/index.mjs',
  },
  nitropack: {
    packages: { nitropack: join(HOSTS, 'nitropack'), h3: join(HOSTS, 'h3v1') },
    files: {
      'nitro.config.ts': "export default { srcDir: 'server', compatibilityDate: '2026-01-01' }\n",
      'server/routes/hello.ts': hello('h3'),
    },
    build: [join(HOSTS, 'nitropack/dist/cli/index.mjs'), 'build'],
    start: '.output/server/index.mjs',
  },
  express: { packages: { express: join(HOSTS, 'express') } },
  http: { packages: {} },
  pool: { packages: {} },
  two: { packages: { h3: join(OWN, 'h3'), unstorage: join(OWN, 'unstorage') } },
}

test('every program of the page is tried', () => {
  expect([...PROGRAMS.keys()].toSorted()).toEqual(Object.keys(KNOWN).toSorted())
})

interface Started {
  readonly url: string
  readonly stop: () => Promise<number | null>
}

async function startHost(name: string): Promise<Started> {
  const { packages = {}, files = {}, build, start = 'server.js' } = KNOWN[name] ?? {}
  const project = installPackage(inject('packed'), packages)
  onTestFinished(() => rmSync(project, { recursive: true, force: true }))
  const all = { 'package.json': '{"private":true,"type":"module"}', ...files, ...Object.fromEntries(PROGRAMS.get(name) ?? []) }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  if (build !== undefined) execFileSync(process.execPath, [...build], { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] })
  const port = await freePort()
  const child = spawn(process.execPath, [start], {
    cwd: project,
    env: { PATH: process.env['PATH'] ?? '', PORT: String(port), HOST: '127.0.0.1', NITRO_HOST: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  onTestFinished(() => void child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await pollHealth(`${url}/scanner`)
  return {
    url,
    stop: () => {
      child.kill('SIGTERM')
      return exit
    },
  }
}

function upload(url: string, headers: Record<string, string> = {}): Promise<Response> {
  const form = new FormData()
  form.append('project', new Blob([new Uint8Array(zipOf(SHOP))]), 'shop.zip')
  return fetch(`${url}/api/scan/upload`, { method: 'POST', body: form, headers })
}

test.each([...PROGRAMS.keys()])('%s: the interface under the prefix, and everything else stays the host’s', async (name) => {
  const { url } = await startHost(name)
  const scanner = `${url}/scanner`

  const made = await upload(scanner)
  expect(made.status).toBe(201)
  const location = made.headers.get('location') ?? ''
  expect(location).toMatch(/^\/scanner\/api\/scan\//)
  const report = await made.text()
  expect(await (await fetch(url + location)).text()).toBe(report)
  expect(await (await fetch(`${scanner}/api/scan/history`)).json()).toHaveLength(1)

  for (const address of [scanner, `${scanner}/`, `${scanner}?lang=fr`]) {
    const page = await fetch(address, { headers: { accept: 'text/html' } })
    expect([address, page.status, await page.text()]).toEqual([address, 200, expect.stringContaining('src="/scanner/assets/')])
  }

  const events = await (await upload(scanner, { accept: 'text/event-stream' })).text()
  expect(events).toMatch(/^event: progress$/m)
  expect(events).toMatch(/^event: report$/m)

  const refused = await fetch(`${scanner}/api/scan/upload`, { method: 'PUT' })
  expect([refused.status, refused.headers.get('allow'), (await refused.json()).code]).toEqual([405, 'POST', 'method-not-allowed'])
  const missing = await fetch(`${scanner}/api/scan/0198c0de-0000-7000-8000-000000000000?lang=fr`)
  expect([missing.status, (await missing.json()).title]).toEqual([404, 'Analyse introuvable'])
  const foreign = await fetch(`${scanner}/api/scan/history`, { headers: { origin: 'https://evil.example' } })
  expect(foreign.status).toBe(403)

  const hello = await fetch(`${url}/hello`, { headers: { origin: 'https://elsewhere.example' } })
  expect([hello.status, await hello.text(), hello.headers.get('x-frame-options')]).toEqual([200, 'hello', null])
  const nothing = await fetch(`${url}/nothing`)
  expect([nothing.status, nothing.headers.get('content-type')]).not.toContain('application/problem+json')
  expect(nothing.status).toBe(404)
  expect((await fetch(`${url}/scannerx/api/health`)).status).toBe(404)

  expect((await fetch(url + location, { method: 'DELETE' })).status).toBe(204)
  expect((await fetch(url + location)).status).toBe(404)
})

test('two in one process share nothing', async () => {
  const { url } = await startHost('two')
  expect((await upload(`${url}/second`)).headers.get('location')).toMatch(/^\/second\//)
  expect(await (await fetch(`${url}/second/api/scan/history`)).json()).toHaveLength(1)
  expect(await (await fetch(`${url}/scanner/api/scan/history`)).json()).toEqual([])
})

test('with the pool folders are scanned, the host answers meanwhile, and it ends in order', async () => {
  const { url, stop } = await startHost('pool')
  const scan = (dirPath: string): Promise<Response> =>
    fetch(`${url}/scanner/api/scan/directory`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ dirPath }),
    })
  expect((await scan('/usr')).status).toBe(403)
  const running = upload(`${url}/scanner`)
  expect((await fetch(`${url}/hello`)).status).toBe(200)
  expect((await running).status).toBe(201)
  expect(await stop()).toBe(0)
})
