import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { upload } from '../node/running.ts'
import { SHOP, zipOf } from '../runners/projects.ts'
import { installPackage } from './build-package.ts'
import { configureWorkerd } from './bundle-for-edge.ts'
import { CONTRACT } from './contract.ts'
import { listListeners } from './listeners.ts'
import { freePort, pollHealth } from './processes.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const BINARIES = join(ROOT, 'test/runtimes/node_modules')
const PAGE = join(ROOT, 'docs/runtimes.md')

interface Runtime {
  readonly binary: string
  /** What it is called with, by the folder of the project and the port. */
  readonly words: (project: string, port: number) => readonly string[]
}

const entry = (project: string, name: string): string => join(project, 'node_modules/parapet/dist/adapters', name)
const node = (binary: string): Runtime => ({ binary, words: (project) => [entry(project, 'node/main.js')] })

const RUNTIMES: Readonly<Record<string, Runtime>> = {
  'Node 20': node(process.execPath),
  'Node 22': node(join(BINARIES, 'node22/bin/node')),
  'Node 24': node(join(BINARIES, 'node24/bin/node')),
  Bun: { binary: join(BINARIES, '@oven/bun-linux-x64/bin/bun'), words: (project) => [entry(project, 'bun.js')] },
  Deno: {
    binary: join(BINARIES, '@deno/linux-x64-glibc/deno'),
    words: (project) => [
      'run',
      '--no-prompt',
      '--cached-only',
      '--no-lock',
      '--node-modules-dir=manual',
      '--allow-net',
      '--allow-env',
      '--allow-read',
      '--allow-sys',
      entry(project, 'deno.js'),
    ],
  },
  workerd: {
    binary: join(BINARIES, '@cloudflare/workerd-linux-64/bin/workerd'),
    words: (project, port) => {
      return ['serve', configureWorkerd(project, port)]
    },
  },
}

/** What each runtime gave, by endpoint. */
const told = new Map<string, Map<string, string>>()

describe.each(Object.entries(RUNTIMES))('%s', (name, { binary, words }) => {
  let url: string
  let end: () => void
  let running: ChildProcess

  beforeAll(async () => {
    if (!existsSync(binary)) throw new Error(`${name} is missing: run \`npm ci --prefix test/runtimes --ignore-scripts\``)
    const project = installPackage(inject('packed'))
    const home = mkdtempSync(join(tmpdir(), 'parapet-home-'))
    const port = await freePort()
    const child = spawn(binary, words(project, port), {
      cwd: project,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        PORT: String(port),
        PARAPET_ADVISORIES: 'bundled',
        PARAPET_CATALOGUE_URL: 'http://127.0.0.1:9',
        PARAPET_MAX_UPLOAD: '1MiB',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    running = child
    let errors = ''
    child.stderr.on('data', (chunk) => (errors += String(chunk)))
    end = () => {
      child.kill('SIGKILL')
      for (const folder of [project, home]) rmSync(folder, { recursive: true, force: true })
    }
    url = `http://127.0.0.1:${port}`
    await pollHealth(url).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${errors}`)
    })
  })
  afterAll(() => end?.())

  test.each(CONTRACT)('$endpoint', async ({ endpoint, run }) => {
    const row = told.get(endpoint) ?? new Map<string, string>()
    told.set(endpoint, row)
    row.set(name, 'no')
    row.set(name, await run(url))
  })

  test('listens on loopback alone', () => {
    expect(running.pid === undefined ? [] : listListeners(running.pid)).toEqual(['loopback'])
  })

  // of workerd whoever runs it has the signals
  test.runIf(name !== 'workerd')('SIGTERM during a scan: it is answered, then the process ends with 0', async () => {
    const exit = once(running, 'exit')
    const scan = upload(url, zipOf(SHOP)).then(async (answer) => [answer.status, (await answer.json()).code])
    // by then it was received; a start of all others is behind it
    await sleep(50)
    running.kill('SIGTERM')
    expect([
      [201, undefined],
      [503, 'busy'],
    ]).toContainEqual(await scan)
    expect((await exit)[0]).toBe(0)
  })
})

test('the page shows what was seen', () => {
  const names = Object.keys(RUNTIMES)
  const cells = CONTRACT.map(({ endpoint }) => [
    `\`${endpoint}\``.replace(/^`(…|[a-z])(.*)`$/, '$1$2'),
    ...names.map((name) => told.get(endpoint)?.get(name) ?? '?'),
  ])
  const rows = [['', ...names], ['---', ...names.map(() => '---')], ...cells].map((row) => `| ${row.join(' | ')} |`)
  const page = readFileSync(PAGE, 'utf8')
  const [before = '', after = ''] = page.split(/<!-- contract -->[\s\S]*<!-- \/contract -->/)
  const shown = `${before}<!-- contract -->\n\n${rows.join('\n')}\n\n<!-- /contract -->${after}`
  if (process.env['UPDATE'] !== undefined) writeFileSync(PAGE, shown)
  expect(readFileSync(PAGE, 'utf8')).toBe(shown)
})
