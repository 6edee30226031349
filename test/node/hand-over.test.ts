import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleCli } from '../bundle.ts'
import { SHOP, zipOf } from '../runners/projects.ts'
import { start } from './running.ts'

const TOKEN = 'token-of-this-test'
let cli: string
let folder: string

beforeAll(() => {
  cli = bundleCli()
  folder = mkdtempSync(join(tmpdir(), 'parapet-over-'))
  for (const [path, text] of Object.entries(SHOP)) {
    mkdirSync(dirname(join(folder, 'shop', path)), { recursive: true })
    writeFileSync(join(folder, 'shop', path), text)
  }
  writeFileSync(join(folder, 'shop.zip'), zipOf(SHOP))
})
afterAll(() => rmSync(folder, { recursive: true }))

function run(args: readonly string[], env: Record<string, string> = {}): Promise<{ code: number; out: string; err: string }> {
  const options = { cwd: folder, env: { PATH: process.env['PATH'] ?? '', ...env } }
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], options, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    )
  })
}

test('a folder is handed to a service with what Git says of it; what is new fails a pipeline, what was there does not', async () => {
  const { url } = await start({ PARAPET_TOKEN: TOKEN })
  const env = { PARAPET_TOKEN: TOKEN }
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: join(folder, 'shop'), encoding: 'utf8' }).trim()
  git('init', '-q', '-b', 'trunk')
  git('add', '.')
  git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-q', '-m', 'first')
  git('remote', 'add', 'origin', 'git@github.com:acme/shop.git')

  const first = await run(['scan', 'shop', '--server', url, '--fail-on-new', 'high', '--json'], env)
  expect(first.code, first.err).toBe(1)
  const report = JSON.parse(first.out)
  const commit = git('rev-parse', 'HEAD')
  expect(report).toMatchObject({
    projectName: 'shop',
    branch: 'trunk',
    commit,
    sourceUrl: `https://github.com/acme/shop/blob/${commit}/{path}#L{line}`,
  })
  expect(report.results.cap.findings[0]).toMatchObject({ status: 'new' })

  // of which all is there
  writeFileSync(join(folder, 'shop/parapet.config.json'), '{ "failOn": "info" }')
  const again = await run(['scan', 'shop', '--server', `${url}/`, '--branch', 'topic', '--fail-on-new', 'info'], env)
  expect(again.code, again.err).toBe(0)
  writeFileSync(join(folder, 'shop/srv/more.html'), '<script src="http://cdn.example/x.js"></script>\n')
  const more = await run(['scan', 'shop', '--server', url, '--fail-on-new', 'info'], env)
  expect([more.code, more.err]).toEqual([1, expect.stringContaining('new finding')])
  expect((await run(['scan', 'shop.zip', '--server', url], env)).code).toBe(0)

  const rows = await (await fetch(`${url}/api/projects`, { headers: { authorization: `Bearer ${TOKEN}` } })).json()
  expect(rows).toMatchObject([{ name: 'shop', scans: 4 }])

  const refused = await run(['scan', 'shop', '--server', url])
  expect([refused.code, refused.err]).toEqual([
    2,
    `${url} asks for a token: set PARAPET_TOKEN in the environment (unauthorized)\n`,
  ])
  const wrong = await run(['scan', 'shop', '--server', url, '--lang', 'fr'], { PARAPET_TOKEN: 'another-token-of-this-test' })
  expect([wrong.code, wrong.err]).toEqual([2, `${url} refuse le jeton de PARAPET_TOKEN (unauthorized)\n`])
})

test.each([
  [['--server', 'ftp://x'], 'https:// or http://'],
  [['--server', 'https://user:word@127.0.0.1:9'], 'PARAPET_TOKEN'],
  [['--server', 'http://service.example'], 'https:// alone'],
  [['--server', 'http://127.0.0.1:9'], 'does not answer'],
  [['--fail-on-new', 'high'], '--server'],
  [['--branch', 'main'], '--server'],
])('%j is refused in a sentence', async (args, words) => {
  const { code, err } = await run(['scan', 'shop', ...args], { PARAPET_TOKEN: TOKEN })
  expect([code, err]).toEqual([2, expect.stringContaining(words)])
})
