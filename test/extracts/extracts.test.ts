import { describe, expect, test } from 'vitest'
import { createEngine } from '../../core/engine.ts'
import { chooseExtracts, collectExtracts } from '../../core/extracts/collect.ts'
import { defineExtract, withoutWords, type Extract } from '../../core/extracts/extract.ts'
import { createScripts } from '../../core/extracts/scripts.ts'
import { createKeywordIndex } from '../../core/keywords/index.ts'
import type { ScriptFacts, Value } from '../../core/facts/types.ts'
import type { FileKind } from '../../core/files.ts'
import { createKeywordSelector } from '../../core/keywords/selector.ts'
import { RULES } from '../../core/rules/index.ts'
import { factsOf } from '../facts/facts-of.ts'

const SCRIPT: FileKind = { language: 'script', test: false }

const calls: Extract<string> = defineExtract({
  name: 'calls',
  keywords: ['call'],
  prefilter: (text) => text.includes('('),
  collect: ({ facts }) => facts.calls.map(({ start, end }) => `${start}-${end}`),
})
const imports: Extract<string> = defineExtract({
  name: 'imports',
  collect: ({ facts }) => facts.imports.map(({ source }) => source),
})
const views: Extract<true> = defineExtract({ name: 'views', role: 'view', collect: () => [true] })
const everywhere: Extract<true> = defineExtract({
  name: 'all',
  keywords: ['call'],
  inTests: true,
  inPages: true,
  collect: () => [true],
})
const services: Extract<true> = defineExtract({
  name: 'services',
  keywords: ['call'],
  isFor: (path) => path.startsWith('srv/'),
  collect: () => [true],
})
const followed: Extract<true> = defineExtract({ name: 'followed', keywords: ['call'], withFlow: true, collect: () => [true] })
const unworded: Extract<true> = defineExtract({
  name: 'unworded',
  everywhere: true,
  isFor: (path) => path.startsWith('x/'),
  collect: () => [true],
})
const ALL: readonly Extract[] = [calls, imports, views, everywhere, services, unworded]

function asked(kind: FileKind, text: string, path = 'a.js'): string[] {
  const hits = createKeywordIndex(['call']).find(new TextEncoder().encode(text))
  const worded = createKeywordSelector(ALL)(hits)
  return chooseExtracts({ worded, wordless: [] }, { path, kind, text, hits, code: hits }).asked.map(({ name }) => name)
}

interface Told {
  readonly path: string
  readonly kind: FileKind
  readonly hasFlow: boolean
  readonly hasFacts: boolean
  readonly text?: string
}

/** All that is collected. */
function chosen(
  wordless: readonly Extract[],
  worded: readonly Extract[],
  { path, kind, text = 'call()', ...has }: Told,
): readonly Extract[] {
  const hits = createKeywordIndex(['call']).find(new TextEncoder().encode(text))
  return chooseExtracts({ worded, wordless }, { path, kind, text, hits, code: hits }).withWordless(has)
}

describe('which extracts ask for the facts of a script', () => {
  test.each<[string, FileKind, string, string[]]>([
    ['a keyword and the prefilter', SCRIPT, 'call()', ['calls', 'all']],
    ['a keyword alone', SCRIPT, 'call', ['all']],
    ['no keyword', SCRIPT, 'x()', []],
    ['a test', { ...SCRIPT, test: true }, 'call()', ['all']],
    ['a page', { language: 'html', test: false }, 'call()', ['all']],
    ['a view, whatever stands in it', { ...SCRIPT, role: 'view' }, 'x', ['views']],
    ['a view of a test', { ...SCRIPT, role: 'view', test: true }, 'x', []],
    ['no script', { language: 'json', test: false }, 'call()', []],
  ])('%s', (_, kind, text, expected) => {
    expect(asked(kind, text)).toEqual(expected)
  })

  test('one for some paths in files of these alone', () => {
    expect(asked(SCRIPT, 'call', 'srv/a.js')).toEqual(['all', 'services'])
    expect(asked(SCRIPT, 'x', 'srv/a.js')).toEqual([])
    expect(asked(SCRIPT, 'x', 'x/a.js')).toEqual(['unworded'])
  })

  test('one without keywords is collected where the facts exist anyway', () => {
    const file = { path: 'a.js', kind: SCRIPT, hasFlow: false, hasFacts: true }
    const wordless = withoutWords(ALL)
    expect(wordless).toEqual([imports])
    expect(chosen(wordless, [calls], file)).toEqual([calls, imports])
    expect(chosen(wordless, [calls], { ...file, kind: { ...SCRIPT, test: true } })).toEqual([])
    expect(chosen(wordless, [calls], { ...file, hasFacts: false })).toEqual([calls])
  })

  test('one for data flows is collected where a flow is read, though it asked for nothing', () => {
    const file = { path: 'a.js', kind: SCRIPT, hasFlow: true, hasFacts: true }
    expect(chosen([followed], [], file)).toEqual([followed])
    expect(chosen([followed], [followed], file)).toEqual([followed])
    expect(chosen([followed], [], { ...file, hasFlow: false })).toEqual([])
    expect(chosen([followed], [], { ...file, kind: { ...SCRIPT, test: true } })).toEqual([])
  })

  test('a prefilter is asked where words alone speak for a script', () => {
    const filtered = (more: Pick<Extract, 'keywords' | 'withFlow'>): Extract<true> =>
      defineExtract({ name: 'filtered', ...more, prefilter: (text) => text.includes('x'), collect: () => [true] })
    const passive = filtered({ withFlow: true })
    const worded = filtered({ keywords: ['call'], withFlow: true })
    const file = { path: 'a.js', kind: SCRIPT, hasFlow: true, hasFacts: true }
    expect(chosen([passive, worded], [worded], file)).toEqual([worded])
    expect(chosen([passive, worded], [worded], { ...file, hasFlow: false })).toEqual([])
    expect(chosen([passive, worded], [worded], { ...file, text: 'call(x)' })).toEqual([worded, passive])
  })

  test('one that is collected beside others keeps to its paths', () => {
    const own: Extract<true> = defineExtract({
      name: 'own',
      isFor: (path) => path.startsWith('srv/'),
      withFlow: true,
      collect: () => [true],
    })
    const file = { path: 'srv/a.js', kind: SCRIPT, hasFlow: true, hasFacts: true }
    expect(chosen([own], [], file)).toEqual([own])
    expect(chosen([own], [], { ...file, path: 'webapp/a.js' })).toEqual([])
  })
})

describe('what is collected', () => {
  const text = 'import "m"; call()'
  const facts = factsOf(text)
  const hits = createKeywordIndex([]).find(new Uint8Array(0))
  const script = { path: 'a.js', kind: SCRIPT, text, hits, facts, step: (): void => undefined }
  const run = (collect: () => void): void => collect()

  test('by name, without what found nothing', () => {
    const none: Extract<string> = defineExtract<string>({ name: 'none', collect: () => [] })
    expect(collectExtracts([calls, imports, none], script, run)).toEqual(
      new Map([
        ['calls', ['12-18']],
        ['imports', ['m']],
      ]),
    )
    expect(collectExtracts([none], script, run)).toBeUndefined()
  })

  test('one that fails costs no other', () => {
    const broken: Extract<string> = defineExtract({
      name: 'broken',
      collect: () => {
        throw new Error('broken')
      },
    })
    const failed: unknown[] = []
    const found = collectExtracts([broken, imports], script, (collect) => {
      try {
        collect()
      } catch (error) {
        failed.push(error)
      }
    })
    expect([...(found?.keys() ?? [])]).toEqual(['imports'])
    expect(failed).toHaveLength(1)
  })

  test('is a copy: nothing of the facts is kept', () => {
    const spans: Extract<{ at: number[] }> = defineExtract({ name: 'spans', collect: () => [{ at: SHARED }] })
    expect(collectExtracts([spans], script, run)?.get('spans')).toEqual([{ at: SHARED }])
    expect(collectExtracts([spans], script, run)?.get('spans')?.[0]).not.toHaveProperty('at', SHARED_IDENTITY)
  })
})

const SHARED = [1, 2]
const SHARED_IDENTITY = expect.toSatisfy((value: unknown) => value === SHARED)

describe('asking for what was collected', () => {
  const files = [
    { path: 'a.js', extracts: new Map([['calls', ['1-2', '3-4']]]) },
    { path: 'b.js' },
    { path: 'c.js', extracts: new Map([['calls', ['5-6']]]) },
  ]
  const scripts = createScripts(files, new Set(ALL))

  test('in the order of files, by file, in a part of them', () => {
    expect(scripts.get(calls)).toEqual([
      { file: 'a.js', value: '1-2' },
      { file: 'a.js', value: '3-4' },
      { file: 'c.js', value: '5-6' },
    ])
    expect(scripts.of('c.js', calls)).toEqual(['5-6'])
    expect(scripts.of('d.js', calls)).toEqual([])
    expect(scripts.get(imports)).toEqual([])
    expect(scripts.within(files.slice(1)).get(calls)).toEqual([{ file: 'c.js', value: '5-6' }])
  })

  test('an extract that nobody declares fails loudly, even where there is no file', () => {
    const unknown: Extract<string> = defineExtract<string>({ name: 'calls', collect: () => [] })
    expect(() => scripts.get(unknown)).toThrow('calls')
    expect(() => scripts.of('b.js', unknown)).toThrow('calls')
    expect(() => createScripts([], new Set()).get(calls)).toThrow('calls')
  })

  test('two of one name are refused, a rule may declare the same twice', () => {
    const twin: Extract<string> = defineExtract<string>({ name: 'ui5-loads', collect: () => [] })
    const [rule] = RULES
    if (rule === undefined) throw new Error('no rule')
    expect(() => createEngine([{ ...rule, extracts: [twin] }])).toThrow('share a name')
    expect(createEngine([{ ...rule, extracts: [calls, calls] }]).extracts.filter((it) => it === calls)).toHaveLength(1)
  })
})

test('the compiler refuses items that hold facts', () => {
  // @ts-expect-error a value of the script
  defineExtract<{ value: Value }>({ name: 'a', collect: () => [] })
  // @ts-expect-error all of them
  defineExtract<ScriptFacts>({ name: 'a', collect: () => [] })
  // @ts-expect-error a function
  defineExtract<{ get(): string }>({ name: 'a', collect: () => [] })
  // @ts-expect-error a fact deep inside
  defineExtract<{ list: readonly { at: ReadonlyMap<string, Value> }[] }>({ name: 'a', collect: () => [] })
  expect(defineExtract<{ a?: string; b: ReadonlyMap<string, readonly number[]> }>({ name: 'a', collect: () => [] }).name).toBe(
    'a',
  )
})
