import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import { describe, expect, test } from 'vitest'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { createEngine } from '../../core/engine.ts'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import { toFileResult, type FileReader } from '../../core/phases/read-file.ts'
import { RULES } from '../../core/rules/index.ts'
import { scan } from '../../core/scan.ts'
import { readText } from '../model/project.ts'
import { readExamples } from '../rules/examples.ts'
import { toSource } from '../scan-files.ts'
import { drawn } from '../soak.ts'

const FOLDER = new URL('../../core/rules/', import.meta.url).pathname
const EXAMPLES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .flatMap((path) => readExamples(readFileSync(join(FOLDER, path), 'utf8'), path))
/** One of many, another one of each rule; all of them in a soak. */
const DRAWN = drawn(EXAMPLES, 40)

const engine = createEngine(RULES)
const ports = { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() }

async function reportOf(files: ReadonlyMap<string, string>, date: string | undefined, readFile: FileReader): Promise<string> {
  const options = {
    scanId: '00000000-0000-7000-8000-000000000000',
    scannedAt: `${date ?? '2026-11-20'}T12:00:00.000Z`,
    projectName: 'example',
    limits: DEFAULT_LIMITS,
    suppressions: true,
  }
  const { records } = await scan(toSource(files), options, engine, ports, {}, readFile)
  return new TextDecoder().decode(records.en)
}

/** Members that only facts have: none of them may be reached. */
const OF_FACTS: ReadonlySet<string> = new Set(['callee', 'isAsync', 'isCaptured'])
const PLAIN: ReadonlySet<unknown> = new Set<unknown>([Object.prototype, Array.prototype, Map.prototype, Set.prototype, null])

/** What is not plain in a value, by the path that leads there. */
function findFaults(value: unknown, path: string, seen: Set<unknown> = new Set()): string[] {
  if (typeof value === 'function' || typeof value === 'symbol') return [path]
  if (typeof value !== 'object' || value === null || seen.has(value) || ArrayBuffer.isView(value)) return []
  seen.add(value)
  if (!PLAIN.has(Object.getPrototypeOf(value))) return [`${path}: an instance of a class`]
  if (value instanceof Map || value instanceof Set)
    return [...value].flatMap((item: unknown, index) => findFaults(item, `${path}<${index}>`, seen))
  return Object.entries(value).flatMap(([key, member]) =>
    OF_FACTS.has(key) ? [`${path}.${key}: a fact`] : findFaults(member, `${path}.${key}`, seen),
  )
}

/** Bytes per character of text, beside what every file costs. A tree of JSON is the largest: `[0,0,…]` has a node for every two characters. */
const BYTES_PER_CHARACTER = 64
const BYTES_PER_FILE = 4096

describe('results of files', () => {
  test('there are examples of every language', () => {
    expect(EXAMPLES.length).toBeGreaterThan(1500)
  })

  test('are plain, and small for their text', () => {
    for (const { files, title } of DRAWN)
      for (const [path, text] of files) {
        const result = readText(path, text)
        if (result === undefined) continue
        expect(findFaults(result, path), title).toEqual([])
        expect(serialize(result).length, `${title}: ${path}`).toBeLessThan(BYTES_PER_FILE + BYTES_PER_CHARACTER * text.length)
      }
  })

  test('survive a structured clone without a difference in the report', async () => {
    const cloning: FileReader = (planned, decoded, context) => structuredClone(toFileResult(planned, decoded, context))
    for (const { files, date, title } of DRAWN)
      expect(await reportOf(files, date, cloning), title).toBe(await reportOf(files, date, toFileResult))
  })

  test('the walk finds what is not plain', () => {
    class Point {
      readonly x = 1
    }
    expect(findFaults({ a: [(): void => undefined] }, '')).toEqual(['.a.0'])
    expect(findFaults({ a: new Map([['b', new Point()]]) }, '')).toEqual(['.a<0>.1: an instance of a class'])
    expect(findFaults({ at: { callee: 1 } }, '')).toEqual(['.at.callee: a fact'])
    expect(findFaults({ a: 1, b: new Int32Array(3), c: [null, undefined, 'd'] }, '')).toEqual([])
  })
})
