import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CALLBACK_SOURCES, PAGE_CALLBACK_SOURCES } from '../../core/flow/models/callback-sources.ts'
import { BROWSER_SINKS } from '../../core/flow/tables/app-sinks.ts'
import { OTHER_DRIVERS } from '../../core/flow/tables/drivers.ts'
import { CLEANING } from '../../core/flow/tables/propagators.ts'
import { SINKS } from '../../core/flow/tables/sinks.ts'
import {
  ADDRESS_MEMBERS,
  IMPORTED_MEMBERS,
  PAGE_OBJECTS,
  RESPONSE_MEMBERS,
  SOURCE_CALLS,
  WEB_CLEANERS,
} from '../../core/flow/tables/web.ts'
import { SERVERS } from '../../core/server-frameworks.ts'
import { readSketches } from './sketches.ts'

type Table = readonly [what: string, sketches: string, paths: Iterable<string>]

const callsOf = (rows: readonly { readonly calls?: readonly string[] }[]): string[] => rows.flatMap(({ calls = [] }) => calls)

/** What rows name, and where their sketches stand. */
const TABLES: readonly Table[] = [
  ['a sink', 'cap-packages.txt', [...callsOf(SINKS), ...OTHER_DRIVERS.keys()]],
  ['a sink', 'ui5-packages.txt', callsOf(BROWSER_SINKS)],
  ['a sanitizer', 'cap-packages.txt', CLEANING.keys()],
  ['a sanitizer', 'ui5-packages.txt', WEB_CLEANERS.keys()],
  ['a callback source', 'cap-packages.txt', callsOf(CALLBACK_SOURCES)],
  ['a callback source', 'ui5-packages.txt', callsOf(PAGE_CALLBACK_SOURCES)],
  ['a source', 'ui5-packages.txt', SOURCE_CALLS.flatMap(({ names }) => names)],
  ['a source', 'ui5-packages.txt', [...ADDRESS_MEMBERS, ...IMPORTED_MEMBERS, ...RESPONSE_MEMBERS, ...PAGE_OBJECTS.keys()]],
  ['a framework', 'cap-packages.txt', SERVERS],
]

/** Of sinks the package, for each of whose functions test/flow/tables.test.ts writes a script; else the function, too: `node-rdkafka on` of `module:node-rdkafka KafkaConsumer new on`. */
function nameOf(what: string, path: string): string {
  const [root = '', ...steps] = path.split(' ')
  const name = root.replace(/^(?:(?:module|global):(?:node:)?)+/, '')
  const last = steps.findLast((step) => step !== '()' && step !== 'new')
  return what === 'a sink' || last === undefined ? name : `${name} ${last}`
}

/** Names of rows that are older than this test. */
const OLDER: readonly string[] = readFileSync(new URL('rows-without-sketches.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')

const rows = new Map(
  TABLES.flatMap(([what, file, paths]) => [...paths].map((path) => [nameOf(what, path), { what, file, path }] as const)),
)

/** Which sketches hold a word, or a text in quotes. */
const places = new Map<string, Set<number>>()
for (const [index, { source }] of ['cap', 'ui5'].flatMap(readSketches).entries())
  for (const [whole, quoted] of [...source.matchAll(/[\w$]+/g), ...source.matchAll(/['"](?:node:)?([^'"\n]{1,80})['"]/g)])
    (places.get(quoted ?? whole) ?? places.set(quoted ?? whole, new Set()).get(quoted ?? whole))?.add(index)

function hasSketch(name: string): boolean {
  const [first, ...others] = name.split(' ').map((word) => places.get(word) ?? new Set<number>())
  return [...(first ?? [])].some((index) => others.every((found) => found.has(index)))
}

test('each row has a sketch that names its package, its object or its function', () => {
  const missing = [...rows].flatMap(([name, { what, file, path }]) =>
    hasSketch(name) || OLDER.includes(name)
      ? []
      : `${path} is ${what} without a sketch: write one that is found and one that is silent in test/sketches/${file} (docs/models.md, "Show it")`,
  )
  expect(missing, 'rows without a sketch').toEqual([])
})

test('the list of older rows without a sketch only gets shorter', () => {
  const done = OLDER.filter((name) => hasSketch(name) || !rows.has(name))
  expect(done, 'they have a sketch, or no row any longer: take them out of test/sketches/rows-without-sketches.txt').toEqual([])
})
