import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import { openArchive } from '../../core/project/archive.ts'
import { planScan } from '../../core/project/open.ts'
import { LEGIT } from './legit-archives.ts'
import { openWithYauzl, openWithZipJs } from './other-readers.ts'
import { utf8 } from './zip-builder.ts'

/** A small project with what is hard: an empty file, all byte values, a name beyond ASCII, something of 300 kB. */
const FILES: ReadonlyMap<string, Uint8Array> = new Map([
  ['package.json', utf8('{"name":"shop","dependencies":{"@sap/cds":"^9"}}')],
  ['srv/cat-service.cds', utf8('service CatalogService { entity Books { key ID : Integer; } }')],
  ['webapp/controller/Caf\u00e9.controller.js', utf8('sap.ui.define([], () => ({}))\n')],
  ['webapp/i18n/i18n.properties', new Uint8Array(0)],
  ['notes.txt', Uint8Array.from({ length: 300_000 }, (_, index) => (index * index) & 0xff)],
])

/** A hash says as much as 300 kB, and is compared sooner. */
const hash = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? '' : createHash('sha256').update(bytes).digest('hex')
const EXPECTED = [...FILES].map(([path, data]) => `${path} ${hash(data)}`).sort()

/** What a scan would read, beside what the tool added on its own. */
function readAll(bytes: Uint8Array): string[] {
  const plan = planScan(openArchive(bytes, DEFAULT_LIMITS), { limits: DEFAULT_LIMITS, suppressions: true, date: '2026-11-20' })
  return plan.files
    .filter(({ path }) => !path.startsWith('META-INF/'))
    .map(({ path, entry }) => `${path} ${hash(entry.read())}`)
    .sort()
}

describe('archives as tools write them', () => {
  test('there are enough, from enough tools', () => {
    expect(LEGIT.length).toBeGreaterThanOrEqual(40)
    expect(new Set(LEGIT.map(({ name }) => name.split(/[ ,]/)[0])).size).toBeGreaterThanOrEqual(12)
  })

  for (const writer of LEGIT) {
    test(writer.name, async () => {
      const bytes = await writer.write(FILES)
      expect(readAll(bytes)).toEqual(EXPECTED)
      // the builders themselves are honest: others read the same
      const { entries } = openArchive(bytes, DEFAULT_LIMITS)
      const { files: others } = await openWithZipJs(bytes)
      for (const entry of entries) expect(hash(others.get(entry.path)), entry.path).toBe(hash(entry.read()))
      expect([...(await openWithYauzl(bytes))].sort()).toEqual([...others.keys()].sort())
    })
  }
})

describe('archives of the tools on this machine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-legit-'))
  const project = join(folder, 'shop')
  for (const [path, data] of FILES) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), data)
  }
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const run = (cwd: string, command: string, ...args: string[]): Uint8Array =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 * 2 ** 20 })
  const has = (command: string, ...args: string[]): boolean => {
    try {
      run(folder, command, ...args)
      return true
    } catch {
      return false
    }
  }
  const toFile = (write: (file: string) => void): Uint8Array => {
    const file = join(folder, 'out.zip')
    rmSync(file, { force: true })
    write(file)
    return readFileSync(file)
  }
  const python = (mode: string, setup: string): Uint8Array =>
    toFile((file) =>
      run(
        project,
        'python3',
        '-c',
        `import zipfile,os,sys\n${setup}\nz=zipfile.ZipFile(${mode})\n[z.write(os.path.join(d,f)) for d,_,fs in os.walk('.') for f in fs]\nz.close()`,
        file,
      ),
    )
  const expectSame = (bytes: Uint8Array): void => expect(readAll(bytes)).toEqual(EXPECTED)

  test.runIf(has('zip', '-v'))('zip', () => {
    expectSame(toFile((file) => run(project, 'zip', '-r', file, '.')))
    expectSame(toFile((file) => run(folder, 'zip', '-r', '-0', file, 'shop')))
    expectSame(toFile((file) => run(folder, 'zip', '-r', '-fz', file, 'shop')))
    expectSame(run(folder, 'zip', '-r', '-', 'shop'))
    expectSame(run(folder, 'zip', '-r', '-fz-', '-', 'shop'))
  })
  test.runIf(has('python3', '-c', 'import zipfile'))('Python zipfile', () => {
    expectSame(python('sys.argv[1],"w"', ''))
    expectSame(python('sys.argv[1],"w",zipfile.ZIP_DEFLATED', ''))
    expectSame(
      python(
        'P(),"w",zipfile.ZIP_DEFLATED',
        'class P:\n  def __init__(s): s.f=open(sys.argv[1],"wb")\n  def write(s,b): return s.f.write(b)\n  def flush(s): s.f.flush()',
      ),
    )
  })
  test.runIf(has('jar', '--version'))('jar', () => {
    expectSame(toFile((file) => run(folder, 'jar', 'cf', file, '-C', project, '.')))
    expectSame(toFile((file) => run(folder, 'jar', 'c0Mf', file, '-C', project, '.')))
  })
  test.runIf(has('git', '--version'))('git archive', () => {
    run(project, 'git', 'init', '-q')
    run(project, 'git', '-c', 'core.autocrlf=false', 'add', '.')
    const tree = new TextDecoder().decode(run(project, 'git', 'write-tree')).trim()
    expectSame(run(project, 'git', 'archive', '--format=zip', tree))
    expectSame(run(project, 'git', 'archive', '--format=zip', '--prefix=shop-main/', tree))
    rmSync(join(project, '.git'), { recursive: true, force: true })
  })
})
