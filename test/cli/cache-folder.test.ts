import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleCli } from '../bundle.ts'

let cli: string
let folder: string

beforeAll(() => {
  cli = bundleCli()
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'parapet-cache-folder-')))
  mkdirSync(join(folder, 'checkout', '.git'), { recursive: true })
  mkdirSync(join(folder, 'checkout', 'app'))
  writeFileSync(join(folder, 'checkout', 'app', 'package.json'), '{ "name": "halls" }\n')
  symlinkSync(join(folder, 'checkout'), join(folder, 'link'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function scan(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'scan', 'checkout/app', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', PARAPET_ADVISORIES: 'bundled', ...environment },
  })
  return { status, stdout, stderr }
}

// the rest of a checkout comes from the same hands as the folder that is scanned
test.each(['checkout/app', 'checkout/app/.cache/deep', 'checkout/.cache', 'link/app/x', 'other/../checkout/y'])(
  'a folder for results within the project is refused: %s',
  (cache) => {
    const english = scan(['--cache-dir', cache])
    expect(english).toMatchObject({ status: 2, stdout: '' })
    expect(english.stderr).toContain('lies within the project')
    expect(english.stderr).toContain('(cache-folder-in-project)')
    const french = scan(['--cache-dir', cache, '--lang', 'fr'])
    expect(french).toMatchObject({ status: 2, stdout: '' })
    expect(french.stderr).toContain('se trouve dans le projet')
    expect(french.stderr).toContain('(cache-folder-in-project)')
    expect(scan(['--cache-dir', cache, '--no-cache']).status).toBe(0)
    expect(readdirSync(join(folder, 'checkout', 'app'))).toEqual(['package.json'])
  },
)

test('one that the environment names is left alone there, and that is told', () => {
  const environment = { XDG_CACHE_HOME: join(folder, 'checkout', 'app', '.cache'), HOME: folder }
  const told = scan([], environment)
  expect(told.status).toBe(0)
  expect(told.stderr).toContain('Nothing is kept')
  expect(scan(['--lang', 'fr'], environment).stderr).toContain('Rien n’est conservé')
  expect(scan(['-q'], environment).stderr).toBe('')
  expect(scan(['--no-cache'], environment).stderr).toBe('')
  expect(readdirSync(join(folder, 'checkout', 'app'))).toEqual(['package.json'])
})

test('beside the project it is used; a home that is a checkout is the user’s own', () => {
  expect(scan(['--cache-dir', 'results']).status).toBe(0)
  expect(readdirSync(join(folder, 'results', 'results'))).toHaveLength(1)
  rmSync(join(folder, 'results'), { recursive: true })
  mkdirSync(join(folder, '.git'))
  rmSync(join(folder, 'checkout', '.git'), { recursive: true })
  const atHome = scan([], { HOME: folder })
  rmSync(join(folder, '.git'), { recursive: true })
  mkdirSync(join(folder, 'checkout', '.git'))
  expect(atHome).toMatchObject({ status: 0, stderr: '' })
  expect(existsSync(join(folder, process.platform === 'darwin' ? 'Library/Caches/parapet' : '.cache/parapet'))).toBe(true)
})
