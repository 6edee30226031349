import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXPORT_FORMATS } from '../../core/writers.ts'
import { bundleCli } from '../bundle.ts'
import { SHOP, zipOf } from '../runners/projects.ts'
import { isHealthy, start } from './running.ts'

let cli: string
let folder: string

beforeAll(() => {
  cli = bundleCli()
  folder = mkdtempSync(join(tmpdir(), 'parapet-cli-'))
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  for (const [path, text] of Object.entries(SHOP)) write(`shop/${path}`, text)
  write('shop.zip', zipOf(SHOP))
  write('clean/package.json', '{ "name": "clean" }')
  write('broken/webapp/a.js', 'function (')
  write('odd/a\u001b[31m\u202e.html', '<script src="http://cdn.example/\u001b]0;x\u0007.js"></script>')
  write('not.zip', 'hello')
})
afterAll(() => rmSync(folder, { recursive: true }))

function run(args: readonly string[], env: Record<string, string> = {}): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', PARAPET_ADVISORIES: 'bundled', PARAPET_CATALOGUE_URL: 'http://127.0.0.1:9', ...env },
  })
  return { code: status, out: stdout, err: stderr }
}

test('serve starts the service once', async () => {
  const { child, url } = await start({}, [cli, 'serve'])
  let more = ''
  child.stdout?.on('data', (chunk) => (more += String(chunk)))
  expect(await isHealthy(url)).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect({ exitCode: child.exitCode, more }).toEqual({ exitCode: null, more: '' })
})

describe('exit codes', () => {
  test.each([
    ['0 without --fail-on, whatever was found', ['scan', 'shop'], 0],
    ['0 where nothing reaches the threshold', ['scan', 'clean', '--fail-on', 'info'], 0],
    ['1 at the threshold', ['scan', 'shop', '--fail-on', 'critical'], 1],
    ['1 for a ZIP too', ['scan', 'shop.zip', '--fail-on', 'high'], 1],
    ['1 whatever the format', ['scan', 'shop', '--fail-on=critical', '--json'], 1],
    ['2 without a command', [], 2],
    ['2 for an unknown command', ['look', 'shop'], 2],
    ['2 for an unknown flag', ['scan', 'shop', '--formal'], 2],
    ['2 for a bad severity', ['scan', 'shop', '--fail-on', 'severe'], 2],
    ['2 for a bad language', ['scan', 'shop', '--lang', 'de'], 2],
    ['2 for what is not there', ['scan', 'missing'], 2],
    ['2 for what is no ZIP', ['scan', 'not.zip'], 2],
    ['3 where not everything could be looked at', ['scan', 'broken'], 3],
    ['3 for JSON too', ['scan', 'broken', '--json'], 3],
  ])('%s', (_, args, code) => expect(run(args)).toMatchObject({ code }))

  test.each(EXPORT_FORMATS)('1 as %s', (format) =>
    expect(run(['scan', 'shop', '--fail-on=critical', '-f', format])).toMatchObject({ code: 1 }),
  )

  test('2 for a bad setting', () =>
    expect(run(['scan', 'clean'], { PARAPET_MAX_FILE: 'big' })).toMatchObject({ code: 2, out: '' }))
})

test('the text names file, line, column, severity and rule', () => {
  const { out } = run(['scan', 'shop'])
  expect(out).toContain('shop  CAP  UI5 1.98.0  8 files')
  expect(out).toMatch(
    /^approuter\/xs-app\.json\n\s+1:\d+\s+high\s+Missing authentication .* {2}approuter\/route-authentication-none {2}CWE-306\n\s+Route /m,
  )
  expect(out).toMatch(/^\d+ critical, \d+ high/m)
  expect(out).not.toContain('\u001b')
})

test('speaks French', () => {
  expect(run(['scan', 'shop', '--lang', 'fr', '--fail-on', 'high']).out).toMatch(/élevée[\s\S]*Échec : \d+ constats/)
  expect(run(['scan', 'missing', '--lang', 'fr']).err).toMatch(/ni dossier ni ZIP à l’emplacement missing/)
})

test('--json is the report alone; the ZIP gives the same ids as the folder', () => {
  const ids = (target: string): string[] =>
    JSON.parse(run(['scan', target, '--json']).out).results.ui5.findings.map(({ id }: { id: string }) => id)
  expect(ids('shop').length).toBeGreaterThan(0)
  expect(ids('shop.zip')).toEqual(ids('shop'))
})

test('--details says why and how to repair it, --quiet only the totals', () => {
  expect(run(['scan', 'shop', '--details']).out).toMatch(
    /flow: .+\n\s+Critical: .+\n\s+why: .+\n\s+fix: .+\n\s+suppress: \/\/ parapet-disable-next-line cap\/cql-injection -- .+\n\s+https:/,
  )
  expect(run(['scan', 'shop', '--quiet']).out).not.toContain('xs-app.json')
  expect(run(['scan', 'shop']).out).not.toContain('why: ')
})

test('colours only where they are wanted', () => {
  expect(run(['scan', 'shop'], { FORCE_COLOR: '1' }).out).toContain('\u001b[')
  expect(run(['scan', 'shop'], { FORCE_COLOR: '0' }).out).not.toContain('\u001b[')
})

test('nothing that a project holds reaches the terminal as a control character', () => {
  const { out, err } = run(['scan', 'odd'])
  expect(out).toContain('ui5/bootstrap-http')
  // oxlint-disable-next-line no-control-regex
  expect(out + err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
})

test('lists its rules', () => {
  const { code, out } = run(['rules', '--lang', 'fr'])
  expect(code).toBe(0)
  expect(out).toContain('approuter/route-authentication-none')
})
