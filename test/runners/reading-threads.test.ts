import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createReadingThreads } from '../../adapters/node/reading-threads.ts'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { createEngine, scan } from '../../core/scanner.ts'
import { readHanded, type FileAnswer, type ReadingThread, type ReadingThreads } from '../../core/phases/reading-threads.ts'
import { RULES } from '../../core/rules/index.ts'
import type { ProjectSource, ScanControl } from '../../core/types.ts'
import { CACHE, corpusPath } from '../bench/corpus.ts'
import { bundleReadingThread } from '../bundle.ts'
import { listProjects, optionsOf, type Project } from '../compare/projects.ts'
import { createChance } from '../hostile/mutate.ts'
import { toSource } from '../scan-files.ts'
import { drawn, runs } from '../soak.ts'
import { keepInMemory } from '../../adapters/node/kept-results/index.ts'
import type { FileReader } from '../../core/scanner.ts'
import { SHOP } from './projects.ts'

const engine = createEngine(RULES)
const ports = { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() }

/** Both reports as text. */
async function scanWith(
  source: ProjectSource,
  threads?: ReadingThreads,
  { control = {}, readFile }: { readonly control?: ScanControl; readonly readFile?: FileReader } = {},
): Promise<readonly string[]> {
  const { records } = await scan(source, optionsOf('x', '2026-11-20'), engine, ports, control, readFile, threads)
  return [records.en, records.fr].map((bytes) => new TextDecoder().decode(bytes))
}

/** Many small projects as one, each in a folder of its own: threads have something to share. */
function together(projects: readonly Project[]): ProjectSource {
  const parts = projects.map((project) => project.open())
  return {
    entries: parts.flatMap(({ entries }, part) => entries.map((entry) => ({ ...entry, path: `p${part}/${entry.path}` }))),
    notices: [],
    leftOut: [],
  }
}

const TOGETHER = 160

describe('a report is the same byte for byte with 1, 2, 3 and 7 threads', () => {
  const BESIDE = [1, 2, 6]
  const compare = async (open: () => ProjectSource, counts = BESIDE): Promise<void> => {
    const wanted = await scanWith(open())
    for (const beside of counts) {
      const threads = createReadingThreads({ most: () => beside, cost: 0, script: bundleReadingThread() })
      expect(await scanWith(open(), threads), `${beside + 1} threads`).toEqual(wanted)
    }
  }

  // each is scanned twice, once with threads; all of them in a soak
  const examples = drawn([...listProjects(['examples', 'labelled'], [], [])], 20)
  const parts = Array.from({ length: Math.ceil(examples.length / TOGETHER) }, (_, part) => part * TOGETHER)
  test.each(parts)('examples and labelled projects from the %ith on', { timeout: 300_000 }, async (from) => {
    // each thread has to be started, which takes longer than these scans
    const counts = runs(3) === 3 ? BESIDE : BESIDE.filter((_, place) => place === parts.indexOf(from) % BESIDE.length)
    await compare(() => together(examples.slice(from, from + TOGETHER)), counts)
  })

  test.each([...listProjects(['projects'], [], [])])('$name', async (project) => compare(project.open))

  // it is made of packages of the registry, by the bench
  const corpus = corpusPath('S')
  test.runIf(existsSync(corpus))('the small corpus of the bench', async () => {
    const [small] = [...listProjects([], [], [corpus])]
    if (small !== undefined) await compare(small.open)
  })
})

test('a thread that can not be started costs nothing', async () => {
  const script = pathToFileURL(`${CACHE}no-such-script.js`)
  const threads = createReadingThreads({ most: () => 2, cost: 0, script })
  const source = (): ProjectSource => toSource(new Map(Object.entries(SHOP)))
  expect(await scanWith(source(), threads)).toEqual(await scanWith(source()))
})

interface Behaviour {
  /** Files that end the thread which reads them. */
  readonly ending?: (path: string) => boolean
  /** Files of which it says that something was thrown. */
  readonly throwing?: (path: string) => boolean
  /** Whether it answers when it is asked; else it takes longer. */
  readonly isDone?: () => boolean
}

/** Threads in this one, which do what a test wants. */
function createFakes(count: number, { ending, throwing, isDone = () => true }: Behaviour) {
  const handed: string[] = []
  const counts = { started: 0, ended: 0 }
  const threads: ReadingThreads = {
    most: () => count,
    cost: 0,
    arrival: () => Promise.resolve(),
    start(shared): ReadingThread {
      counts.started++
      const waiting: FileAnswer[][] = []
      let isLost = false
      return {
        isReady: true,
        get isLost() {
          return isLost
        },
        hand({ files, flowExtent }) {
          handed.push(...files.map(({ path }) => path))
          if (files.some(({ path }) => ending?.(path))) isLost = true
          if (isLost) return
          waiting.push(
            files.map((file) =>
              throwing?.(file.path) ? { index: file.index, made: undefined } : readHanded(file, flowExtent, shared, engine),
            ),
          )
        },
        take: () => (isDone() ? (waiting.shift() ?? []) : []),
        end: () => void counts.ended++,
      }
    },
  }
  return { threads, handed, counts }
}

const shop = (more: Readonly<Record<string, string>> = {}): ProjectSource =>
  toSource(new Map(Object.entries({ ...SHOP, ...more })))
const noticesOf = ([en = '{}']: readonly string[]): readonly { code: string; file?: string }[] => JSON.parse(en).notices

test('none is started for a project that is larger than they are worth', async () => {
  for (const [upTo, isStarted] of [
    [10, false],
    [10_000_000, true],
  ] as const) {
    const fakes = createFakes(2, {})
    await scanWith(shop(), { ...fakes.threads, upTo })
    expect(fakes.counts.started > 0).toBe(isStarted)
  }
})

describe('threads that do not do what they should', () => {
  test('whatever they answer, and whenever: the same report', async () => {
    const wanted = await scanWith(shop())
    const chance = createChance(41)
    const handed = new Set<string>()
    for (let round = 0; round < runs(200); round++) {
      const fakes = createFakes(1 + chance.below(4), {
        throwing: () => chance.below(4) === 0,
        isDone: () => chance.below(3) === 0,
      })
      expect(await scanWith(shop(), fakes.threads)).toEqual(wanted)
      expect(fakes.counts.ended).toBe(fakes.counts.started)
      fakes.handed.forEach((path) => handed.add(path))
    }
    expect(handed.size).toBeGreaterThan(Object.keys(SHOP).length / 2)
  })

  test('a thread that is lost once costs nothing', async () => {
    const seen = new Set<string>()
    const once = (path: string): boolean => path.endsWith('.js') && seen.size === 0 && seen.add(path).size > 0
    const fakes = createFakes(2, { ending: once })
    expect(await scanWith(shop(), fakes.threads)).toEqual(await scanWith(shop()))
    expect(seen.size).toBe(1)
    expect(fakes.counts.started).toBeGreaterThan(1)
  })

  test('a file that ends each thread is looked at for credentials alone, with a notice; others are read', async () => {
    const bad = 'srv/z-bad.js'
    // a large one is handed over before all others
    const filler = `// ${'x'.repeat(98)}\n`.repeat(3000)
    const files = { [bad]: `module.exports = (srv) => srv.on('READ', (req) => eval(req.data.name))\n${filler}` }
    const fakes = createFakes(2, { ending: (path) => path === bad })
    const report = await scanWith(shop(files), fakes.threads)
    expect(noticesOf(report).filter(({ code }) => code === 'file-unreadable')).toMatchObject([{ file: bad }])
    expect(fakes.handed.filter((path) => path === bad)).toHaveLength(2)
    const idsOf = (text: string | undefined): string[] => [...(text ?? '').matchAll(/"id":"([^"]+)"/g)].map(([, id = '']) => id)
    const without = await scanWith(shop())
    expect(idsOf(report[0])).toEqual(idsOf(without[0]))
  })

  test('where every file ends its thread, threads are given up', async () => {
    const fakes = createFakes(2, { ending: () => true })
    const report = await scanWith(shop(), fakes.threads)
    expect(fakes.counts.started).toBeLessThan(20)
    expect(noticesOf(report).some(({ code }) => code === 'file-unreadable')).toBe(true)
  })

  test('a scan that is cancelled ends them at once', async () => {
    let asked = 0
    const fakes = createFakes(2, { isDone: () => false })
    const control: ScanControl = { interruption: () => (++asked > 40 ? 'cancelled' : undefined) }
    await expect(scanWith(shop(), fakes.threads, { control })).rejects.toThrow(/cancelled/)
    expect(fakes.counts.ended).toBe(fakes.counts.started)
  })

  test('one whose time is up reports what it has, and waits for none', async () => {
    let asked = 0
    const fakes = createFakes(2, { isDone: () => false })
    const control: ScanControl = { interruption: () => (++asked > 40 ? 'time' : undefined) }
    const report = await scanWith(shop(), fakes.threads, { control })
    expect(noticesOf(report)).toContainEqual(expect.objectContaining({ code: 'time-limit' }))
    expect(fakes.counts.ended).toBe(fakes.counts.started)
  })

  test('damage is told in the order of files, whoever meets it first', async () => {
    const damaged = (source: ProjectSource): ProjectSource => ({
      ...source,
      entries: source.entries.map((entry) =>
        /\.(?:js|json)$/.test(entry.path)
          ? {
              ...entry,
              read: () => {
                throw new Error(`damaged: ${entry.path}`)
              },
            }
          : entry,
      ),
    })
    const messageOf = (threads?: ReadingThreads): Promise<string> =>
      scanWith(damaged(shop()), threads).then(
        () => '',
        (error: unknown) => String(error),
      )
    expect(await messageOf(createFakes(3, {}).threads)).toBe(await messageOf())
  })
})

test('results that are kept are not read again, and those of threads are kept', async () => {
  const wanted = await scanWith(shop())
  const { readFile, counts } = keepInMemory()
  const first = createFakes(2, {})
  expect(await scanWith(shop(), first.threads, { readFile })).toEqual(wanted)
  expect(first.handed.length).toBeGreaterThan(0)
  const { read } = counts()
  const second = createFakes(2, {})
  expect(await scanWith(shop(), second.threads, { readFile })).toEqual(wanted)
  expect(second.handed).toEqual([])
  expect(counts().read).toBe(read)
})
