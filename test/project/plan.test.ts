import { describe, expect, test } from 'vitest'
import { isRefusal } from '../../core/errors.ts'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import { planScan, tellCounts, type ScanPlan } from '../../core/project/open.ts'
import { NOTICE_KEYS } from '../../core/report/notice-words.ts'
import type { Notice, ScanLimits } from '../../core/types.ts'
import { toSource } from '../scan-files.ts'

interface Settings {
  readonly limits?: Partial<ScanLimits>
  readonly suppressions?: boolean
  readonly notices?: readonly Notice[]
  readonly leftOut?: readonly string[]
  readonly isFolder?: boolean
  readonly startsBinary?: (path: string) => boolean
}

function plan(files: Readonly<Record<string, string | number>>, settings: Settings = {}): ScanPlan {
  const contents = new Map(
    Object.entries(files).map(([path, content]) => [path, typeof content === 'string' ? content : new Uint8Array(content)]),
  )
  const kind = settings.isFolder === true ? {} : { isArchive: true as const }
  const { startsBinary } = settings
  const { entries, ...rest } = toSource(contents)
  const asked = startsBinary ? entries.map((entry) => ({ ...entry, startsBinary: () => startsBinary(entry.path) })) : entries
  const source = { ...rest, entries: asked, ...kind, notices: settings.notices ?? [], leftOut: settings.leftOut ?? [] }
  return planScan(source, {
    limits: { ...DEFAULT_LIMITS, ...settings.limits },
    suppressions: settings.suppressions ?? true,
    date: '2026-11-20',
  })
}

const inOrder = ({ files }: ScanPlan): string[] => files.map(({ path }) => path)
const paths = (planned: ScanPlan): string[] => inOrder(planned).toSorted((a, b) => (a < b ? -1 : 1))
const told = ({ notices, counts }: ScanPlan): string[] =>
  [...notices, ...tellCounts(counts)].map(({ code, reason, file, args }) =>
    [`${code}/${reason}`, file, args?.['count']].filter((part) => part !== undefined).join(' '),
  )

function refusal(files: Readonly<Record<string, string | number>>, settings?: Settings): unknown {
  try {
    plan(files, settings)
  } catch (error) {
    if (isRefusal(error)) return { code: error.code, ...error.details }
    throw error
  }
  return undefined
}

describe('what a scan will read', () => {
  test('sorted by path where all else is equal, whatever the order of the entries', () => {
    expect(inOrder(plan({ 'b.js': '', 'a/z.js': '', 'B.js': '', 'a.js': '' }))).toEqual(['B.js', 'a.js', 'a/z.js', 'b.js'])
  })

  test('descriptors, models and lock files first, then what may hold credentials, then code by size, then tests and what others wrote', () => {
    const planned = plan({
      'a.js': 30,
      'b.js': 20,
      'srv/view.view.xml': 10,
      'test/c.js': 1,
      'vendor/d.js': 2,
      'notes.txt': 40,
      'config/any.json': 35,
      'srv/s.cds': 60,
      'package-lock.json': 90,
      'mta.yaml': 50,
    })
    const first = ['mta.yaml', 'srv/s.cds', 'package-lock.json', 'config/any.json', 'notes.txt']
    expect(inOrder(planned)).toEqual([...first, 'srv/view.view.xml', 'b.js', 'a.js', 'test/c.js', 'vendor/d.js'])
  })

  test('each class by what it is', () => {
    const planned = plan({
      'app.js': '',
      'lib.min.js': '',
      'thirdparty/jquery.js': '',
      'dist/app.js': '',
      'a.js.map': '',
      'logo.png': '',
      'deps.zip': '',
      'node_modules/a/index.js': '',
      'node_modules/b/index.js': '',
      'sub/node_modules/c/index.js': '',
      '.git/config': '',
    })
    expect(planned.files.map(({ path, scope }) => `${path} ${scope}`)).toEqual([
      'app.js all',
      'lib.min.js secrets',
      'thirdparty/jquery.js secrets',
    ])
    expect(told(planned)).toEqual([
      'file-skipped/archive deps.zip',
      'file-skipped/binary 1',
      'file-skipped/generated 2',
      'file-skipped/installed 2',
      'file-skipped/minified 1',
      'file-skipped/vendored 1',
    ])
    // none of it is a source
    expect(planned.notices.filter(({ partial }) => partial).map(({ reason }) => reason)).toEqual([])
  })

  test('sources in languages that nothing reads, or that are read in part, are told, without those of others and of tests', () => {
    const files = {
      'a.js': '',
      'api/index.rb': '',
      'api/b.rb': '',
      'api/index.php': '',
      'jobs/c.py': '',
      'vendor/d.rb': '',
      'test/e.rb': '',
    }
    const { notices } = plan(files)
    expect(notices).toEqual([
      { code: 'file-skipped', reason: 'language', args: { count: '2', languages: 'Ruby' }, partial: false },
      { code: 'file-skipped', reason: 'partly', args: { count: '1', languages: 'Python' }, partial: false },
    ])
    expect(NOTICE_KEYS).toEqual(expect.arrayContaining(['file-skipped/language', 'file-skipped/partly']))
  })

  test('every notice has words', () => {
    for (const { code, reason } of plan({ 'a.js': '', 'b.zip': '', 'c.js': 10 }, { limits: { file: 9 } }).notices)
      expect(NOTICE_KEYS).toContain(`${code}/${reason}`)
  })

  test('folders of dependencies count once each, version control is no news', () => {
    const leftOut = ['node_modules', 'app/node_modules', '.git']
    expect(told(plan({ 'a.js': '', 'node_modules/a.js': '' }, { leftOut }))).toEqual(['file-skipped/installed 2'])
    expect(told(plan({ 'a.js': '', '.svn/entries': '' }, { leftOut: ['.git'] }))).toEqual([])
  })
})

describe('the top folder', () => {
  test('is left out where it holds everything', () => {
    expect(paths(plan({ 'shop/a.js': '', 'shop/b/c.js': '' }))).toEqual(['a.js', 'b/c.js'])
    expect(paths(plan({ 'shop/a.js': '', '__MACOSX/shop/._a.js': '', '.DS_Store': '' }))).toEqual(['a.js'])
    expect(paths(plan({ 'dist/a.js': '' }))).toEqual(['a.js'])
  })

  test('only the outermost one', () => {
    expect(paths(plan({ 'a/b/c.js': '', 'a/b/d.js': '' }))).toEqual(['b/c.js', 'b/d.js'])
  })

  test.each(['webapp', 'src', 'srv', 'db', 'app', 'approuter', 'k8s', 'chart', 'helm', '.github'])(
    '%s is a part of a project, and stays',
    (folder) => {
      expect(paths(plan({ [`${folder}/a.js`]: '' }))).toEqual([`${folder}/a.js`])
    },
  )

  test('of a folder that is scanned stays: it is no wrapper', () => {
    expect(paths(plan({ 'shop/a.js': '' }, { isFolder: true }))).toEqual(['shop/a.js'])
  })

  test('stays where something stands beside it', () => {
    expect(paths(plan({ 'shop/a.js': '', 'README.md': '' }))).toEqual(['README.md', 'shop/a.js'])
    expect(paths(plan({ 'shop/a.js': '', 'shop2/a.js': '' }))).toEqual(['shop/a.js', 'shop2/a.js'])
  })

  test('is no folder that is never entered', () => {
    expect(refusal({ 'node_modules/a.js': '' })).toEqual({ code: 'project-empty' })
    expect(refusal({ '.git/config': '' })).toEqual({ code: 'project-empty' })
  })

  test('notices lose it as well, and speak for it', () => {
    const link: Notice = { code: 'file-skipped', reason: 'link', file: 'shop/link', partial: true }
    expect(told(plan({ 'shop/a.js': '' }, { notices: [link] }))).toEqual(['file-skipped/link link'])
    const outside = plan({ 'shop/a.js': '' }, { notices: [{ ...link, file: 'link' }] })
    expect([...paths(outside), ...told(outside)]).toEqual(['shop/a.js', 'file-skipped/link link'])
  })

  test('links among installed packages are no news', () => {
    const links = ['node_modules/.bin/cds', 'node_modules/.bin/ui5'].map((file): Notice => ({
      code: 'file-skipped',
      reason: 'link',
      file,
      partial: true,
    }))
    expect(told(plan({ 'a.js': '' }, { notices: links }))).toEqual(['file-skipped/installed 1'])
  })
})

describe('limits, at the limit and one over it', () => {
  test('one file', () => {
    expect(paths(plan({ 'a.js': 10, 'b.js': 1 }, { limits: { file: 10 } }))).toEqual(['a.js', 'b.js'])
    const over = plan({ 'a.js': 11, 'b.js': 1 }, { limits: { file: 10 } })
    expect(paths(over)).toEqual(['b.js'])
    expect(over.notices).toEqual([
      { code: 'file-too-large', reason: 'not-read', file: 'a.js', args: { size: '11', limit: '10' }, partial: true },
    ])
  })

  test('a lock file has one of its own', () => {
    const limits = { file: 10, lockFile: 20 }
    expect(paths(plan({ 'package-lock.json': 20, 'a.js': 1 }, { limits }))).toEqual(['a.js', 'package-lock.json'])
    expect(told(plan({ 'package-lock.json': 21, 'a.js': 1 }, { limits }))).toEqual(['file-too-large/not-read package-lock.json'])
  })

  test('the sum of what is analysed, and of nothing else', () => {
    expect(paths(plan({ 'a.js': 6, 'b.js': 4 }, { limits: { inflated: 10 } }))).toHaveLength(2)
    expect(refusal({ 'a.js': 6, 'b.js': 5 }, { limits: { inflated: 10 } })).toEqual({
      code: 'archive-too-large',
      reason: 'inflated',
      limit: 10,
    })
    const others = { 'a.js': 10, 'b.png': 100, 'node_modules/c.js': 100, 'dist/d.js': 100, 'e.js': 50, 'f.zip': 100 }
    expect(paths(plan(others, { limits: { inflated: 10, file: 20 } }))).toEqual(['a.js'])
  })

  test('what others wrote refuses no project: the smallest are read as long as there is room', () => {
    const vendored = { 'a.js': 6, 'vendor/b.js': 9, 'c.min.js': 3, 'd.min.js': 4 }
    const planned = plan(vendored, { limits: { inflated: 10 } })
    expect(paths(planned)).toEqual(['a.js', 'c.min.js'])
    expect(told(planned)).toEqual(['file-skipped/beyond 2', 'file-skipped/minified 1'])
  })

  test('what is never analysed does not count: first bytes are asked for where the name tells nothing', () => {
    const binary = { 'a.js': 6, model: 9, 'weights.xyz': 9, 'huge.xyz': 30 }
    const planned = plan(binary, { limits: { inflated: 10, file: 20 }, startsBinary: (path) => path !== 'a.js' })
    expect(paths(planned)).toEqual(['a.js'])
    expect(told(planned)).toEqual(['file-skipped/binary 3'])
    // where there is room they are read, as ever
    expect(paths(plan(binary, { limits: { inflated: 30, file: 20 }, startsBinary: () => true }))).toHaveLength(3)
  })

  test('mere text refuses no project either, code and descriptors do', () => {
    const planned = plan({ 'a.js': 6, 'dump.sql': 9, 'x.txt': 3, 'data.json': 4 }, { limits: { inflated: 10 } })
    expect(paths(planned)).toEqual(['a.js', 'x.txt'])
    expect(told(planned)).toEqual(['file-skipped/beyond 2'])
    expect(refusal({ 'package.json': 6, 'mta.yaml': 5 }, { limits: { inflated: 10 } })).toMatchObject({
      code: 'archive-too-large',
    })
  })

  test('a project of files that are all too large is not empty', () => {
    expect(told(plan({ 'a.js': 11 }, { limits: { file: 10 } }))).toEqual(['file-too-large/not-read a.js'])
  })
})

describe('exclude', () => {
  const config = (exclude: readonly string[]): string => JSON.stringify({ exclude })

  test('leaves out what it names, and counts it', () => {
    const excluded = plan({
      'parapet.config.json': config(['legacy', '**/*.spec.js']),
      'a.js': '',
      'legacy/b.js': '',
      'x/c.spec.js': '',
    })
    expect(paths(excluded)).toEqual(['a.js', 'parapet.config.json'])
    expect(told(excluded)).toEqual(['file-skipped/excluded 2'])
  })

  test('is heeded below a top folder', () => {
    expect(paths(plan({ 'shop/parapet.config.json': config(['b.js']), 'shop/a.js': '', 'shop/b.js': '' }))).toEqual([
      'a.js',
      'parapet.config.json',
    ])
  })

  test('is not heeded elsewhere, nor where suppressions are off', () => {
    expect(paths(plan({ 'sub/parapet.config.json': config(['**']), 'a.js': '' }))).toHaveLength(2)
    expect(paths(plan({ 'parapet.config.json': config(['**']), 'a.js': '' }, { suppressions: false }))).toHaveLength(2)
  })

  test('a config that is too large or no text is told, and not heeded', () => {
    const large = plan({ 'parapet.config.json': config(['a.js']).padEnd(101), 'a.js': '' }, { limits: { parse: 100 } })
    expect([paths(large), told(large)]).toEqual([
      ['a.js', 'parapet.config.json'],
      ['suppressions-ignored/config-invalid parapet.config.json'],
    ])
    expect(told(plan({ 'parapet.config.json': 10, 'a.js': '' }))).toEqual([
      'suppressions-ignored/config-invalid parapet.config.json',
    ])
  })

  test('may leave out everything: that is no empty project', () => {
    const none = plan({ 'parapet.config.json': config(['**']), 'a.js': '' })
    expect([paths(none), told(none)]).toEqual([[], ['file-skipped/excluded 2']])
  })

  test('saves no limit from being kept', () => {
    expect(
      paths(plan({ 'parapet.config.json': config(['b.js']), 'a.js': 10, 'b.js': 100 }, { limits: { inflated: 100 } })),
    ).toEqual(['a.js', 'parapet.config.json'])
  })

  test('patterns that cost too much leave out nothing, whatever the order of the entries', () => {
    const costly = Array.from({ length: 190 }, (_, index) => `${'*a'.repeat(140)}b${index}`)
    const long = Array.from({ length: 40 }, (_, index) => `${'a'.repeat(1000)}${index}`)
    const files = {
      'parapet.config.json': config(['b.js', ...costly]),
      'b.js': '',
      ...Object.fromEntries(long.map((path) => [path, ''])),
    }
    const forwards = plan(files)
    const backwards = plan(Object.fromEntries(Object.entries(files).reverse()))
    expect(told(forwards)).toEqual(['suppressions-ignored/config-too-costly parapet.config.json'])
    expect(paths(forwards)).toContain('b.js')
    expect([paths(backwards), told(backwards)]).toEqual([paths(forwards), told(forwards)])
  })
})

describe('nothing to scan', () => {
  test.each([
    ['nothing', {}],
    ['images', { 'a.png': '', 'b/c.woff2': '' }],
    ['archives', { 'a.zip': '', 'b.mtar': '' }],
    ['installed packages', { 'x/node_modules/a.js': '', 'y/node_modules/b.js': '' }],
    ['what is built', { 'x/dist/a.js': '', 'y/gen/b.js': '' }],
  ])('%s', (_, files) => {
    expect(refusal(files)).toEqual({ code: 'project-empty' })
  })
})
