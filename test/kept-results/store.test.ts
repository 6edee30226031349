import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, afterEach, describe, expect, test } from 'vitest'
import { keepInMemory, openStoredResults, userCacheFolder, type KeptResults } from '../../adapters/node/kept-results/index.ts'
import { createKeepingReader, type FileReader, type KeptResult } from '../../core/scanner.ts'
import { createEngine } from '../../core/engine.ts'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import type { FileContext } from '../../core/phases/read-file.ts'
import { decodeText } from '../../core/project/decode.ts'
import type { PlannedFile } from '../../core/project/open.ts'
import { createChance } from '../hostile/mutate.ts'
import { runs } from '../soak.ts'

let parent: string
let results: string

beforeEach(() => {
  parent = realpathSync(mkdtempSync(join(tmpdir(), 'parapet-store-')))
  results = join(parent, 'results')
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

const CONTEXT: FileContext = {
  engine: createEngine([]),
  limits: DEFAULT_LIMITS,
  suppressions: true,
  date: '2026-11-20T12:00:00.000Z',
  flowExtent: 'whole',
  interruption: undefined,
  onTimeUp: () => undefined,
  onFault: () => undefined,
}

function plan(path: string, text: string): readonly [PlannedFile, { text: string; bytes: Uint8Array }] {
  const bytes = new TextEncoder().encode(text)
  const planned = {
    path,
    kind: { language: 'json', role: 'package', test: false },
    scope: 'all',
    entry: { path, size: bytes.length, read: () => bytes },
  } as const
  const decoded = decodeText(bytes)
  if (decoded === undefined) throw new Error('no text')
  return [planned, decoded]
}

const open = (options: { fingerprint?: string; most?: number; project?: string } = {}): KeptResults => {
  const kept = openStoredResults({ folder: parent, project: '/project', fingerprint: 'f', ...options })
  if (kept === undefined) throw new Error('nothing can be stored')
  return kept
}

/** Reads two files with what is kept, and tells how many of them were. */
function readTwo(kept: KeptResults, texts: readonly [string, string] = ['{ "a": 1 }', '{ "b": 2 }']): number {
  const before = kept.counts().kept
  for (const [index, text] of texts.entries()) {
    const result = kept.readFile(...plan(`${index}.json`, text), CONTEXT)
    expect(result).toMatchObject({ path: `${index}.json`, content: { as: 'data', roots: [{}] } })
  }
  kept.finish()
  return kept.counts().kept - before
}

const packs = (): string[] => readdirSync(results).map((name) => join(results, name))

describe('what is not what was written is read again', () => {
  test('another version of rules, another project', () => {
    expect(open().isEmpty).toBe(true)
    expect([readTwo(open()), readTwo(open())]).toEqual([0, 2])
    expect([open().isEmpty, open({ project: '/other' }).isEmpty]).toEqual([false, true])
    expect(readTwo(open({ fingerprint: 'g' }))).toBe(0)
    expect(readTwo(open({ project: '/other' }))).toBe(0)
    // a branch and back
    expect(readTwo(open(), ['{ "a": 3 }', '{ "b": 2 }'])).toBe(1)
    expect(readTwo(open())).toBe(2)
  })

  test('each change of a byte, each cut', () => {
    readTwo(open())
    const [pack = ''] = packs()
    const whole = readFileSync(pack)
    const chance = createChance(7)
    for (let round = 0; round < runs(2000); round++) {
      const bytes = Buffer.from(whole)
      const at = chance.below(bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << chance.below(8))
      writeFileSync(pack, chance.below(3) === 0 ? bytes.subarray(0, at) : bytes)
      expect(readTwo(open())).toBeLessThan(2)
      writeFileSync(pack, whole)
    }
    expect(readTwo(open())).toBe(2)
  })

  test.each([
    ['nothing', ''],
    ['a text', 'hello\n'],
    ['another form', '{"parapet":0,"entries":[]}\n'],
    ['lengths that lead out of it', '{"parapet":1,"entries":[["a",9000000000]]}\n'],
    ['names that are none', '{"parapet":1,"entries":[["__proto__",0]]}\n'],
    ['a line without an end', '{"parapet":1,'.repeat(100_000)],
  ])('%s', (_, content) => {
    readTwo(open())
    for (const pack of packs()) writeFileSync(pack, content)
    expect(readTwo(open())).toBe(0)
    expect(readTwo(open())).toBe(2)
  })

  test('a folder, a pipe, a link in its place', () => {
    readTwo(open())
    const [pack = ''] = packs()
    const bytes = readFileSync(pack)
    const elsewhere = join(parent, 'elsewhere')
    writeFileSync(elsewhere, bytes)
    for (const put of [() => mkdirSync(pack), () => execFileSync('mkfifo', [pack]), () => symlinkSync(elsewhere, pack)]) {
      rmSync(pack, { recursive: true })
      put()
      expect(readTwo(open())).toBe(0)
    }
    expect(readFileSync(elsewhere)).toEqual(bytes)
  })
})

describe('nothing is stored', () => {
  const at = (folder: string, project = '/project'): KeptResults | undefined =>
    openStoredResults({ folder, project, fingerprint: 'f' })

  test('within what is scanned, however that is written', () => {
    const project = join(parent, 'project')
    mkdirSync(project)
    symlinkSync(project, join(parent, 'link'))
    for (const folder of ['project', 'project/.cache/deep', 'link', 'link/x', 'other/../project/y'])
      expect(at(join(parent, folder), project), folder).toBeUndefined()
    expect(readdirSync(project)).toEqual([])
    expect(at(join(parent, 'project-cache'), project)).toBeDefined()
  })

  test('where the place is not a folder, a link, or nobody may write', () => {
    writeFileSync(join(parent, 'file'), '')
    expect(at(join(parent, 'file'))).toBeUndefined()
    mkdirSync(join(parent, 'elsewhere'))
    symlinkSync(join(parent, 'elsewhere'), results)
    expect(at(parent)).toBeUndefined()
    expect(at('/proc/nothing')).toBeUndefined()
  })

  test.runIf(process.getuid?.() === 0)('in a folder of somebody else', () => {
    execFileSync('install', ['-d', '-o', 'nobody', results])
    expect(at(parent)).toBeUndefined()
  })

  test('a folder that others could read is closed', () => {
    mkdirSync(results, { mode: 0o777 })
    chmodSync(results, 0o777)
    readTwo(open())
    expect(statSync(results).mode & 0o777).toBe(0o700)
    expect(packs().map((pack) => statSync(pack).mode & 0o777)).toEqual([0o600])
  })
})

describe('there is a bound', () => {
  test('of all projects: what was of no use for longest goes first', () => {
    for (const project of ['a', 'b', 'c']) readTwo(open({ project }))
    const [size = 0] = packs().map((pack) => statSync(pack).size)
    const long = new Date(Date.now() - 1e6)
    for (const pack of packs()) utimesSync(pack, long, long)
    // of use again
    expect(readTwo(open({ project: 'a' }))).toBe(2)
    readTwo(open({ project: 'd', most: size * 2.5 }))
    expect(packs()).toHaveLength(2)
    expect(readTwo(open({ project: 'a' }))).toBe(2)
    expect(readTwo(open({ project: 'd' }))).toBe(2)
  })

  test('of one project, and of its earlier states', () => {
    const size = (): number => packs().reduce((sum, pack) => sum + statSync(pack).size, 0)
    readTwo(open())
    const one = size()
    for (let round = 0; round < 20; round++) readTwo(open(), [`{ "a": ${round} }`, `{ "b": ${round} }`])
    expect(size()).toBeLessThan(one * 2.5)
    const project = '/large'
    for (let round = 0; round < 20; round++) readTwo(open({ project, most: 1000 }), [`{ "a": ${round} }`, '{}'])
    expect(size()).toBeLessThan(one * 2.5 + 1000)
  })

  test('what ended while it was written is swept', () => {
    readTwo(open())
    const left = join(results, 'x.pack.1.tmp')
    writeFileSync(left, 'x')
    readTwo(open(), ['{ "a": 2 }', '{}'])
    expect(existsSync(left)).toBe(true)
    const long = new Date(Date.now() - 2 * 60 * 60 * 1000)
    utimesSync(left, long, long)
    readTwo(open(), ['{ "a": 3 }', '{}'])
    expect(existsSync(left)).toBe(false)
  })

  test('in memory', () => {
    const kept = keepInMemory(2000)
    for (let round = 0; round < 20; round++) readTwo(kept, [`{ "a": ${round} }`, '{}'])
    // that which is asked for each time
    expect(kept.counts().kept).toBe(19)
    expect(readTwo(kept, ['{ "a": 19 }', '{ "new": 1 }'])).toBe(1)
    expect(readTwo(kept, ['{ "a": 0 }', '{}'])).toBeLessThan(2)
  })
})

describe('a result holds for as long as what it was made of', () => {
  /** Keeps one result, by circumstances and bytes. */
  function readerOf(readFile: FileReader): { read(context?: Partial<FileContext>, text?: string): void; times(): number } {
    const all = new Map<string, KeptResult>()
    let times = 0
    const reader = createKeepingReader(
      {
        placeOf(circumstances, bytes) {
          const key = `${circumstances} ${Buffer.from(bytes).toString()}`
          return { read: () => all.get(key), write: (kept) => void all.set(key, kept) }
        },
      },
      (...args) => {
        times++
        return readFile(...args)
      },
    )
    return {
      read: (context, text = '{}') => void reader(...plan('a.json', text), { ...CONTEXT, ...context }),
      times: () => times,
    }
  }
  const made: FileReader = ({ path, kind, scope }) => ({
    path,
    kind,
    scope,
    content: { as: 'text' },
    lines: Uint32Array.of(0),
    matches: [],
    masked: [],
    markers: [],
    notices: [],
  })

  test('limits, suppressions, settings, what is followed of the flow', () => {
    const { read, times } = readerOf(made)
    const flow = { sources: [], sinks: [], sanitizers: [], propagators: [], authenticates: [{ at: 'x' }] }
    const changes: readonly Partial<FileContext>[] = [
      {},
      { limits: { ...DEFAULT_LIMITS, parse: 1 } },
      { suppressions: false },
      { settings: flow },
      { flowExtent: 'sinks' },
    ]
    for (let round = 0; round < 2; round++) for (const change of changes) read(change)
    expect(times()).toBe(changes.length)
  })

  test('the day, where it was asked for', () => {
    const careless = readerOf(made)
    const careful = readerOf((planned, decoded, context) =>
      context.date === '' ? made(planned, decoded, context) : made(planned, decoded, context),
    )
    for (const date of ['2026-11-20T00:00:00.000Z', '2026-11-20T23:00:00.000Z', '2026-11-21T00:00:00.000Z']) {
      careless.read({ date })
      careful.read({ date })
    }
    expect([careless.times(), careful.times()]).toEqual([1, 2])
  })

  test('not at all, where a budget cut it short or a fault spoilt it', () => {
    const spoilt: readonly FileReader[] = [
      (planned, decoded, context) => {
        context.onTimeUp()
        return made(planned, decoded, context)
      },
      (planned, decoded, context) => {
        context.onFault(new Error('x'))
        return made(planned, decoded, context)
      },
      (...args) => ({ ...made(...args), notices: [{ code: 'time-limit', reason: 'file', partial: true }] }),
    ]
    for (const readFile of spoilt) {
      const { read, times } = readerOf(readFile)
      for (let round = 0; round < 3; round++) read()
      expect(times()).toBe(3)
    }
  })
})

test.each([
  [{ XDG_CACHE_HOME: '/c', HOME: '/h' }, 'linux', '/c/parapet'],
  [{ XDG_CACHE_HOME: 'relative' }, 'linux', undefined],
  [{}, 'linux', undefined],
  [{ HOME: '/h', LOCALAPPDATA: 'relative' }, 'win32', undefined],
] as const)('the folder of the user’s caches: %j on %s', (environment, platform, folder) =>
  expect(userCacheFolder(environment, platform)).toBe(folder),
)
