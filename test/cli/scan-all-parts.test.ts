import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scansAtOnce } from '../../adapters/terminal/scan-all/local-scanner.ts'
import { nameReports, reportFile } from '../../adapters/terminal/scan-all/report-names.ts'
import { readState, STATE_FILE, writeState, type DoneProject } from '../../adapters/terminal/scan-all/state.ts'
import { printSummary, toSummaryJson, type SummaryRow } from '../../adapters/terminal/scan-all/summary.ts'
import { createPainter } from '../../adapters/terminal/paint.ts'

const GIB = 1024 ** 3
const COUNTS = { CRITICAL: 1, HIGH: 0, MEDIUM: 2, LOW: 0, INFO: 0 }

test('never more scans at once than the memory holds, and always one', () => {
  expect(scansAtOnce(8, 100 * GIB, 100 * 1024 ** 2)).toBe(8)
  expect(scansAtOnce(8, GIB, 100 * 1024 ** 2)).toBe(2)
  expect(scansAtOnce(8, 1000, 100 * 1024 ** 2)).toBe(1)
})

test('where nothing was scanned nothing is said of findings', () => {
  const options = { locale: 'en', quiet: true, paint: createPainter({}, {}) } as const
  const nope = {
    project: 'nope',
    source: 'nope',
    outcome: 'failed',
    resumed: false,
    reports: [],
    duration: 0,
    code: 'x',
  } as const
  expect(printSummary([nope], options)).toBe('1 project, 1 failed\n')
  const none = { ...COUNTS, CRITICAL: 0, MEDIUM: 0 }
  expect(printSummary([nope, { ...nope, outcome: 'done', counts: none }], options)).toBe('2 projects, 1 failed: No findings.\n')
})

test('a plain name stays; any other is safe and has its path in it', () => {
  const nameOf = (name: string): string | undefined => nameReports([{ name, path: `/x/${name}` }]).get(`/x/${name}`)
  for (const plain of ['shop', 'com.example.app', 'Shop_2-b']) expect(nameOf(plain)).toBe(plain)
  for (const odd of [
    '..',
    '.',
    '.hidden',
    '-rf',
    'a/b',
    'a\\b',
    'a\u0000b',
    'é',
    '\u202e',
    '💥'.repeat(150),
    'x'.repeat(300),
    'con',
    'COM1.x',
    'summary',
    'a.cdx',
    'trailing.',
    'a'.repeat(90),
    'shop-0123456789abcdef',
    '__proto__/',
    '',
  ])
    expect(nameOf(odd), odd).toMatch(/^[\w][\w.-]{0,79}-[\da-f]{16}$/)
})

test('names that are alike where case does not count are told apart by their paths, whatever their order', () => {
  const projects = [
    { name: 'shop', path: '/a/shop' },
    { name: 'Shop', path: '/b/Shop' },
    { name: 'shop', path: '/c/shop' },
    { name: 'other', path: '/other' },
  ]
  const names = nameReports(projects)
  expect(new Set([...names.values()].map((name) => name.toLowerCase())).size).toBe(4)
  expect(names.get('/other')).toBe('other')
  expect(nameReports([...projects].reverse()).get('/a/shop')).toBe(names.get('/a/shop'))
})

test('no name with one ending is another with another ending', () => {
  const projects = ['shop', 'shop.cdx', 'shop.gitlab', 'summary'].map((name) => ({ name, path: `/${name}` }))
  const formats = ['json', 'sbom', 'gitlab', 'text', 'markdown'] as const
  const files = [...nameReports(projects).values()].flatMap((stem) => formats.map((format) => reportFile(stem, format)))
  expect(new Set(files).size).toBe(20)
  expect(files).not.toContain('summary.json')
})

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-state-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const DONE: DoneProject = { path: '/a', digest: 'd', reports: ['a.json'], counts: COUNTS, complete: true, duration: 1 }

test('a state is read as it was written, added to at once by several', async () => {
  const folder = createFolder()
  expect(await readState(folder, 'run')).toBe('none')
  const state = await writeState(folder, 'run', [DONE])
  await Promise.all(Array.from({ length: 50 }, (_, index) => state.add({ ...DONE, path: `/${index}` })))
  const read = await readState(folder, 'run')
  if (typeof read === 'string') throw new Error(read)
  expect(read.size).toBe(51)
  expect(read.get('/a')).toEqual(DONE)
  expect(await readState(folder, 'other run')).toBe('unusable')
})

test.each([
  ['torn', (text: string) => text.slice(0, -1)],
  ['foreign', () => '{"name":"x"}\n'],
  ['binary', () => '\0\0\n'],
  ['empty', () => ''],
  ['of counts that are none', (text: string) => text.replace('"CRITICAL":1', '"CRITICAL":-1')],
  ['with more than it has', (text: string) => text.replace('"digest"', '"also":1,"digest"')],
  ['without its first line', (text: string) => text.split('\n').slice(1).join('\n')],
])('a state that is %s is not used', async (_, change) => {
  const folder = createFolder()
  await writeState(folder, 'run', [DONE])
  const file = join(folder, STATE_FILE)
  writeFileSync(file, change(readFileSync(file, 'utf8')))
  expect(await readState(folder, 'run')).toBe('unusable')
})

const ROWS: readonly SummaryRow[] = [
  { project: 'a\u001b[31m', source: 'a', outcome: 'done', resumed: true, counts: COUNTS, reports: ['a.json'], duration: 1234 },
  { project: 'b', source: 'b', outcome: 'failed', resumed: false, reports: [], duration: 0, code: 'busy', detail: 'x' },
  { project: 'c', source: 'c', outcome: 'cancelled', resumed: false, reports: [], duration: 0 },
]

test('a summary in both languages, harmless on a terminal', () => {
  const paint = createPainter({}, {})
  const en = printSummary(ROWS, { locale: 'en', paint, quiet: false })
  expect(en).toContain('a\\x1b[31m')
  expect(en).toMatch(/ 1 +0 +2 +0 +0 +done, not changed +1\.2 s +a\.json$/m)
  expect(en).toMatch(/^b .*failed \(busy\)/m)
  expect(en).toMatch(
    /^3 projects, 1 failed, 1 not changed since the last run, 1 not scanned \(--resume continues\): 1 critical, 2 medium$/m,
  )
  const fr = printSummary(ROWS, { locale: 'fr', paint, quiet: true })
  expect(fr).toBe(
    '3 projets, 1 en échec, 1 inchangé depuis la dernière exécution, 1 non analysé (--resume continue) : 1 critique, 2 moyennes\n',
  )
  expect(JSON.parse(toSummaryJson(ROWS, { version: '1', duration: 5 }))).toMatchObject({
    version: '1',
    totals: { projects: 3, done: 1, incomplete: 0, failed: 1, cancelled: 1, resumed: 1, counts: COUNTS },
    projects: ROWS,
  })
})
