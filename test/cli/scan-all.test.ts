import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { bundleCli } from '../bundle.ts'
import { SHOP, zipOf } from '../runners/projects.ts'
import { readSummaryOf } from './summaries.ts'

let cli: string
let folder: string
const ENV = { PATH: process.env['PATH'] ?? '', PARAPET_ADVISORIES: 'bundled', PARAPET_CATALOGUE_URL: 'http://127.0.0.1:9' }
const STATE = '.parapet-scan-all.jsonl'

beforeAll(() => {
  cli = bundleCli()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, content: string | Uint8Array = ''): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}

function writeShop(path: string): void {
  for (const [file, text] of Object.entries(SHOP)) write(`${path}/${file}`, text)
}

function writeClean(path: string): void {
  write(`${path}/package.json`, '{ "name": "clean" }')
}

/** Each test has a folder of its own. */
function begin(): void {
  const own = mkdtempSync(join(tmpdir(), 'parapet-all-'))
  folder = own
  onTestFinished(() => rmSync(own, { recursive: true, force: true }))
}

function run(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'scan-all', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: ENV,
  })
  return { code: status, out: stdout, err: stderr }
}

const readSummary = (): ReturnType<typeof readSummaryOf> => readSummaryOf(join(folder, 'out'))
const rowsOf = (): unknown[] =>
  readSummary().projects.map(({ source, outcome, code }) => [source, outcome, ...(code ? [code] : [])])

describe('what is scanned', () => {
  test('a mixed list: folders, archives, folders of repositories; what fails is told, and the rest goes on', () => {
    begin()
    writeShop('lists/shop')
    write('lists/orders.zip', zipOf(SHOP))
    writeClean('lists/repos/one')
    write('lists/repos/two/.git/HEAD', 'ref: refs/heads/main')
    write('lists/repos/two/a.js', 'var a = 1')
    write('lists/repos/notes/readme.txt', 'no project')
    write('lists/repos/nested/code/shop/package.json', '{}')
    write('lists/repos/nested/code/shop/a.js', 'var a = 1')
    write('lists/repos/three.mtar', zipOf(SHOP))
    write('lists/broken.zip', zipOf(SHOP).slice(0, -30))
    write('lists/all.txt', '\ufeff# all of them\r\nshop\r\n\r\norders.zip\nrepos\nbroken.zip\nmissing\nshop/\n')
    const { code, out, err } = run('lists/all.txt', '--output', 'out', '--fail-on', 'critical')
    expect(code, err).toBe(2)
    expect(rowsOf()).toEqual([
      ['missing', 'failed', 'directory-not-found'],
      ['shop', 'done'],
      ['orders.zip', 'done'],
      ['repos/nested', 'done'],
      ['repos/one', 'done'],
      ['repos/three.mtar', 'done'],
      ['repos/two', 'done'],
      ['broken.zip', 'failed', 'archive-invalid'],
    ])
    expect(readdirSync(join(folder, 'out')).sort()).toEqual([
      STATE,
      'nested.json',
      'one.json',
      'orders.json',
      'shop.json',
      'summary.json',
      'three.json',
      'two.json',
    ])
    expect(JSON.parse(readFileSync(join(folder, 'out/shop.json'), 'utf8')).projectName).toBe('shop')
    expect(err).toMatch(/^missing: .+ \(directory-not-found\)$/m)
    expect(err).toMatch(/^broken\.zip: .+ \(archive-invalid\)$/m)
    expect(err).toMatch(/^repos\/notes .+ \(no-project\)$/m)
    expect(out).toMatch(/^shop +[1-9]\d* .* done .* s +shop\.json$/m)
    expect(out).toMatch(/^broken +- .* failed \(archive-invalid\)/m)
    expect(out).toMatch(/^8 projects, 2 failed: \d+ critical, /m)
  })

  test('links in a folder of repositories are told, not followed; one that leads to itself is not there', () => {
    begin()
    writeClean('repos/one')
    symlinkSync('.', join(folder, 'repos/again'))
    symlinkSync('loop', join(folder, 'loop'))
    const { code, err } = run('repos', 'loop', '-o', 'out')
    expect(code).toBe(2)
    expect(rowsOf()).toEqual([
      ['loop', 'failed', 'directory-not-found'],
      ['repos/one', 'done'],
    ])
    expect(err).toMatch(/^repos\/again .*\(link-skipped\)$/m)
  })

  test('equal and odd names become distinct files within the folder', () => {
    begin()
    const odd = ['a/Shop', 'b/shop', 'c/…', `d/${'é'.repeat(100)}`, 'e/summary', 'f/x; rm -rf', 'g/con']
    for (const path of odd) writeClean(path)
    const { code, err } = run(...odd, '-o', 'out', '-f', 'text', '-f', 'junit')
    expect(code, err).toBe(0)
    const files = readSummary().projects.flatMap(({ reports }) => reports)
    expect(files).toHaveLength(14)
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(14)
    for (const file of files) {
      expect(file).toMatch(/^[\w.-]{1,110}$/)
      expect(existsSync(join(folder, 'out', file))).toBe(true)
    }
  })

  test('the output folder is no project, and lies in none', () => {
    begin()
    writeClean('repos/one')
    writeClean('repos/out')
    expect(run('repos', '-o', 'repos/out').code).toBe(0)
    expect(run('repos/one', '-o', 'repos/one/out')).toMatchObject({ code: 2, err: expect.stringContaining('output-in-project') })
  })
})

describe('exit codes', () => {
  test.each([
    ['0 where all is well', ['clean'], 0],
    ['1 at the threshold', ['clean', 'shop', '--fail-on', 'critical'], 1],
    ['1 goes before 3', ['shop', 'odd', '--fail-on', 'critical'], 1],
    ['3 where not everything could be looked at', ['clean', 'odd'], 3],
    ['2 goes before 1', ['shop', 'missing', '--fail-on', 'critical'], 2],
    ['2 without a path', [], 2],
    ['2 for options of one scan', ['clean', '--baseline', 'x'], 2],
    ['2 for a server that is none', ['clean', '--server', 'ftp://x'], 2],
  ])('%s', (_, args, code) => {
    begin()
    writeShop('shop')
    writeClean('clean')
    write('odd/package.json', '{}')
    write('odd/webapp/a.js', 'function (')
    expect(run(...args, '-o', 'out')).toMatchObject({ code })
  })

  test('2 without a folder for the reports, or one that is a file', () => {
    begin()
    writeClean('clean')
    write('file')
    expect(run('clean')).toMatchObject({ code: 2, err: expect.stringContaining('--output') })
    expect(run('clean', '-o', 'file')).toMatchObject({ code: 2, err: expect.stringContaining('output-not-written') })
    expect(run('clean', '-o', 'file', '--lang', 'fr').err).toContain('ne peut pas être écrit')
  })

  test("a project's own threshold and baseline hold", () => {
    begin()
    writeShop('shop')
    write('shop/parapet.config.json', '{ "failOn": "critical" }')
    expect(run('shop', '-o', 'out').code).toBe(1)
    spawnSync(process.execPath, [cli, 'scan', 'shop', '--write-baseline'], { cwd: folder, env: ENV })
    expect(run('shop', '--output', 'never', '--fail-on', 'never').code).toBe(0)
    write('shop/parapet.config.json', '{ "failOn": "critical", "baseline": ".parapet-baseline.json" }')
    expect(run('shop', '-o', 'out').code).toBe(0)
  })

  test('a report whose place is taken is told, a link in its place is replaced', () => {
    begin()
    writeClean('one')
    writeClean('two')
    mkdirSync(join(folder, 'out/one.json'), { recursive: true })
    write('victim', 'mine')
    symlinkSync(join(folder, 'victim'), join(folder, 'out/two.json'))
    expect(run('one', 'two', '-o', 'out').code).toBe(2)
    expect(rowsOf()).toEqual([
      ['one', 'failed', 'report-not-written'],
      ['two', 'done'],
    ])
    expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('mine')
    expect(readdirSync(join(folder, 'out')).filter((name) => name.endsWith('.new'))).toEqual([])
  })
})

describe('resuming', () => {
  const resumed = (): string[] => readSummary().projects.flatMap((row) => (row.resumed ? [row.source] : []))

  test('what is done and has not changed is left out, with the same counts and exit code', () => {
    begin()
    for (const name of ['a', 'b', 'c']) writeShop(name)
    write('d.zip', zipOf(SHOP))
    const args = ['a', 'b', 'c', 'd.zip', '-o', 'out', '--fail-on', 'critical']
    expect(run(...args, '--resume').code).toBe(1)
    const first = readSummary()
    expect(resumed()).toEqual([])
    write('b/webapp/more.js', 'eval(location.hash)')
    rmSync(join(folder, 'out/c.json'))
    const { code, out } = run(...args, '--resume')
    expect(code).toBe(1)
    expect(resumed()).toEqual(['a', 'd.zip'])
    expect(readSummary().projects[0]?.counts).toEqual(first.projects[0]?.counts)
    expect(out).toMatch(/^4 projects, 2 not changed since the last run: /m)
    expect(existsSync(join(folder, 'out/c.json'))).toBe(true)
    run(...args)
    expect(resumed()).toEqual([])
  })

  test('a state that is torn, or of a run with other settings, is told and begun anew', () => {
    begin()
    writeClean('a')
    run('a', '-o', 'out')
    write(`out/${STATE}`, readFileSync(join(folder, 'out', STATE), 'utf8').slice(0, -5))
    for (const args of [[], ['--min-severity', 'high']]) {
      const { code, err } = run('a', '-o', 'out', '--resume', ...args)
      expect([code, err]).toEqual([0, expect.stringContaining('(state-unusable)')])
      expect(resumed()).toEqual([])
    }
    expect(run('a', '-o', 'out', '--resume', '--min-severity', 'high').err).toBe('')
    expect(resumed()).toEqual(['a'])
  })

  test('no report is looked for where the state says, outside of the folder', () => {
    begin()
    writeClean('a')
    write('a.json', 'mine')
    run('a', '-o', 'out')
    const text = readFileSync(join(folder, 'out', STATE), 'utf8')
    write(`out/${STATE}`, text.replace('["a.json"]', '["../a.json"]'))
    rmSync(join(folder, 'out/a.json'))
    expect(run('a', '-o', 'out', '--resume').code).toBe(0)
    expect(resumed()).toEqual([])
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe('mine')
    expect(existsSync(join(folder, 'out/a.json'))).toBe(true)
  })

  test.each([
    ['kill -9', 'SIGKILL', null],
    ['Ctrl-C', 'SIGINT', 130],
  ] as const)('after %s it goes on where it was', async (_, signal, code) => {
    begin()
    for (let index = 0; index < 16; index++) writeShop(`repos/p${index}`)
    const child = spawn(process.execPath, [cli, 'scan-all', 'repos', '-o', 'out', '-j', '1'], {
      cwd: folder,
      env: ENV,
      stdio: 'ignore',
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const state = join(folder, 'out', STATE)
    const lines = (): number => (existsSync(state) ? readFileSync(state, 'utf8').split('\n').length - 2 : 0)
    while (lines() < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    child.kill(signal)
    expect(await ended).toBe(code)
    const done = lines()
    expect(done).toBeLessThan(16)
    if (signal === 'SIGINT') {
      const { totals } = readSummary()
      expect(totals).toMatchObject({ projects: 16, done, cancelled: 16 - done, failed: 0 })
    }
    expect(run('repos', '-o', 'out', '--resume').code).toBe(0)
    expect(readSummary().totals).toMatchObject({ projects: 16, done: 16, resumed: done })
  })
})

test('200 small projects', () => {
  begin()
  for (let index = 0; index < 200; index++) write(`repos/p${index}/package.json`, `{ "name": "p${index}" }`)
  const { code, err } = run('repos', '-o', 'out', '-q')
  expect([code, err]).toEqual([0, ''])
  expect(readSummary().totals).toMatchObject({ projects: 200, done: 200 })
  expect(readdirSync(join(folder, 'out'))).toHaveLength(202)
})
