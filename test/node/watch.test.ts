import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { watchFolder } from '../../adapters/node/watch-folder.ts'
import { isUnreadFolder } from '../../core/host.ts'
import { bundleCli } from '../bundle.ts'

const line = z.object({
  complete: z.boolean(),
  summary: z.object({ total: z.number() }),
  new: z.array(z.looseObject({ id: z.string(), file: z.string(), title: z.string() })),
  gone: z.array(z.looseObject({ id: z.string(), file: z.string(), title: z.string() })),
})

const SERVICE = "service Halls @(requires: 'any') { action look(text : String); }\n"
const HANDLER = 'module.exports = (srv) => { srv.on("look", (req) => eval(req.data.text)) }\n'
const PAGE = 'window.eval(location.hash.slice(1))\n'

let folder: string
let watching: ChildProcess | undefined

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'parapet-watch-')))
  write('package.json', '{ "name": "halls", "dependencies": { "@sap/cds": "^9" } }\n')
  write('srv/halls.cds', SERVICE)
})
afterEach(async () => {
  if (watching?.exitCode === null) {
    watching.kill('SIGKILL')
    await once(watching, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

interface Watched {
  /** Resolves once exactly these files have a finding of data that is run as code. */
  waitFor(...files: readonly string[]): Promise<void>
  readonly titles: () => string
  readonly errors: () => string
}

/** Starts the command, and keeps count of what it tells. */
async function startWatching(...args: readonly string[]): Promise<Watched> {
  const child = spawn(process.execPath, [bundleCli(), 'watch', folder, '-f', 'json', ...args], {
    env: { PATH: process.env['PATH'] ?? '', PARAPET_ADVISORIES: 'bundled', PARAPET_CATALOGUE_URL: 'http://127.0.0.1:9' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  watching = child
  const open = new Map<string, { readonly file: string; readonly title: string }>()
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const readLine = async (): Promise<void> => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error(`it ended: ${errors}`)
    const change = line.parse(JSON.parse(value))
    for (const { id } of change.gone) expect(open.delete(id)).toBe(true)
    for (const finding of change.new) {
      expect(open.has(finding.id)).toBe(false)
      open.set(finding.id, finding)
    }
    // a scan that met a folder half removed tells fewer findings; what it lacks is told as gone by the next one that sees all
    if (change.complete) expect(open.size).toBe(change.summary.total)
    else expect(open.size).toBeGreaterThanOrEqual(change.summary.total)
  }
  await readLine()
  const evaluating = (): string =>
    [...new Set([...open.values()].filter(({ title }) => /code/i.test(title)).map(({ file }) => file))].sort().join()
  return {
    async waitFor(...files) {
      while (evaluating() !== [...files].sort().join()) await readLine()
    },
    titles: () => [...open.values()].map(({ title }) => title).join('\n'),
    errors: () => errors,
  }
}

describe('what is new and what is gone is told after each change', () => {
  test('files and folders that are made, changed, renamed and removed', async () => {
    const watched = await startWatching()
    await watched.waitFor()
    write('srv/halls.js', HANDLER)
    await watched.waitFor('srv/halls.js')
    write('app/webapp/start.js', PAGE)
    await watched.waitFor('srv/halls.js', 'app/webapp/start.js')
    write('srv/halls.js', 'module.exports = () => undefined\n')
    await watched.waitFor('app/webapp/start.js')
    renameSync(join(folder, 'app'), join(folder, 'pages'))
    await watched.waitFor('pages/webapp/start.js')
    // as editors save: another file that takes its place
    write('srv/halls.js.tmp', HANDLER)
    renameSync(join(folder, 'srv/halls.js.tmp'), join(folder, 'srv/halls.js'))
    await watched.waitFor('pages/webapp/start.js', 'srv/halls.js')
    rmSync(join(folder, 'pages'), { recursive: true })
    await watched.waitFor('srv/halls.js')
    // nothing of these is read, and the change beside them is
    write('node_modules/a/index.js', PAGE)
    write('dist/index.js', PAGE)
    rmSync(join(folder, 'srv/halls.js'))
    await watched.waitFor()
  })

  test('another branch, and back', async () => {
    const git = (...args: readonly string[]): void =>
      void execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@museum.example', ...args], {
        stdio: 'ignore',
      })
    git('init', '-b', 'main')
    git('add', '-A')
    git('commit', '-m', 'first')
    git('checkout', '-b', 'other')
    write('srv/halls.js', HANDLER)
    write('app/webapp/start.js', PAGE)
    git('add', '-A')
    git('commit', '-m', 'second')
    const watched = await startWatching()
    await watched.waitFor('srv/halls.js', 'app/webapp/start.js')
    git('checkout', 'main')
    await watched.waitFor()
    git('checkout', 'other')
    await watched.waitFor('srv/halls.js', 'app/webapp/start.js')
  })

  test('in French; Ctrl-C ends it', async () => {
    write('srv/halls.js', HANDLER)
    const watched = await startWatching('--lang', 'fr')
    await watched.waitFor('srv/halls.js')
    expect(watched.titles()).toContain('Injection')
    while (!watched.errors().includes('Surveillance de ')) await new Promise((resolve) => setTimeout(resolve, 10))
    watching?.kill('SIGINT')
    const [code] = await once(watching ?? process, 'exit')
    expect(code).toBe(0)
  })
})

test('what is closed watches nothing, though its folder is removed at that moment', async () => {
  for (let round = 0; round < 10; round++) {
    const root = join(folder, String(round))
    for (let file = 0; file < 40; file++) write(`${round}/app${file % 8}/webapp/page${file}.js`, PAGE)
    const watched = await watchFolder(root, { onChange: () => undefined, onFault: () => undefined })
    rmSync(root, { recursive: true })
    await sleep(1 + round)
    await watched.close()
    await sleep(150)
  }
  expect(process.getActiveResourcesInfo()).not.toContain('FSEventWrap')
})

test.each([
  ['node_modules', true],
  ['app/node_modules', true],
  ['.git', true],
  ['dist', true],
  ['srv', false],
  ['app/webapp', false],
])('a folder that no scan reads is not watched: %s', (path, is) => expect(isUnreadFolder(path)).toBe(is))

test('tells of a file that is changed again right after its change was told', async () => {
  let told = 0
  const watched = await watchFolder(folder, { onChange: () => void told++, onFault: () => undefined })
  try {
    for (let round = 1; round <= 5; round++) {
      await sleep(300)
      told = 0
      write('srv/halls.js', 'a'.repeat(2 * round))
      await expect.poll(() => told, { timeout: 5000, interval: 1 }).toBeGreaterThan(0)
      // as long as a scan of a small folder takes
      await sleep(15)
      told = 0
      write('srv/halls.js', 'b'.repeat(2 * round + 1))
      await expect.poll(() => told, { timeout: 5000, interval: 5 }).toBeGreaterThan(0)
    }
  } finally {
    await watched.close()
  }
})
