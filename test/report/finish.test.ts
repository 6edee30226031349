import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLineTable } from '../../core/parse/position.ts'
import { fingerprint } from '../../core/report/fingerprint.ts'
import { severityByPath } from '../../core/phases/grading.ts'
import { toFindings, type FinishedFile, type FinishSettings } from '../../core/report/finish.ts'
import { createSecretMasker } from '../../core/report/mask.ts'
import { defineRule, type Rule } from '../../core/rules/rule.ts'
import type { Finding, Marker, Match, Notice, PendingMatch, Span } from '../../core/types.ts'
import { runs } from '../soak.ts'

const WORDS = { title: '', message: '', why: '', fix: '' }
const TEXT = 'one(1)\ntwo(2)\ntwo(2)\nthree(3)\n'

function createRule(id: Rule['id'], impact: Rule['impact'] = 'data'): Rule {
  return defineRule({
    id,
    impact,
    reach: 'user',
    confidence: 'medium',
    cwe: [79],
    since: '0.1.0',
    docs: 'https://docs.example',
    on: 'script',
    text: () => ({ en: WORDS, fr: WORDS }),
    *check() {},
  })
}

const EVAL = createRule('ui5/eval')
const TIMER = createRule('ui5/timer', 'bounded')
const RULES = new Map([EVAL, TIMER].map((rule) => [rule.id, rule]))

function openFile(text: string | undefined, changes: Partial<FinishedFile> = {}): FinishedFile {
  return {
    path: 'a.js',
    lines: createLineTable(text ?? TEXT),
    text,
    contextAt: () => '',
    markers: [],
    isLock: false,
    ...changes,
  }
}

function createSettings(
  changes: Partial<FinishSettings> = {},
): FinishSettings & { readonly notices: readonly Notice[]; readonly used: readonly Marker[] } {
  const notices: Notice[] = []
  const used: Marker[] = []
  return {
    rules: RULES,
    secrets: createSecretMasker(),
    fingerprintKey: undefined,
    linesOf: () => undefined,
    severityOf: severityByPath,
    notice: (notice) => void notices.push(notice),
    offer: () => true,
    notices,
    useMarker: (marker) => void used.push(marker),
    used,
    ...changes,
  }
}

function finish(matches: readonly PendingMatch[], file = openFile(TEXT), settings = createSettings()): Finding[] {
  return toFindings(matches, file, settings)
}

function matchAt(span: Span | undefined, changes: Partial<Match> = {}, rule = EVAL): PendingMatch {
  return { ruleId: rule.id, match: { at: span === undefined ? { file: 'a.js' } : { file: 'a.js', span }, ...changes } }
}

/** The nth place of a piece of text. */
function spanOf(piece: string, nth = 0, text = TEXT): Span {
  let start = text.indexOf(piece)
  for (let count = 0; count < nth; count++) start = text.indexOf(piece, start + 1)
  if (start < 0) throw new Error(`no ${piece}`)
  return { start, end: start + piece.length }
}

const CLAIM = { impact: 'data', reach: 'user' }

const identity = { ruleId: 'ui5/eval', file: 'a.js', context: '', text: '', occurrence: 0 }

describe('a finding of a match', () => {
  test('about a whole file: neither line nor snippet', () => {
    expect(finish([matchAt(undefined)])).toStrictEqual([
      {
        id: fingerprint(identity, undefined),
        ruleId: 'ui5/eval',
        severity: 'HIGH',
        claim: CLAIM,
        confidence: 'medium',
        at: { file: 'a.js' },
        args: {},
      },
    ])
  })

  test('at a place: lines, columns, snippet, and what encloses it in its id', () => {
    const file = openFile(TEXT, { contextAt: (offset) => `context of ${offset}` })
    const change: Partial<Match> = { impact: 'bounded', confidence: 'high', variant: 'timer', args: { name: 'two' } }
    expect(finish([matchAt(spanOf('two(2)\ntwo'), change)], file)).toStrictEqual([
      {
        id: fingerprint({ ...identity, context: 'context of 7', text: 'two(2)\ntwo' }, undefined),
        ruleId: 'ui5/eval',
        severity: 'LOW',
        claim: { ...CLAIM, impact: 'bounded' },
        confidence: 'high',
        at: { file: 'a.js', line: 2, column: 1, endLine: 3, endColumn: 4 },
        args: { name: 'two' },
        variant: 'timer',
        snippet: 'one(1)\ntwo(2)\ntwo(2)\nthree(3)\n',
      },
    ])
  })

  test('whose text can’t be had again: place, but no snippet', () => {
    expect(finish([matchAt(spanOf('one'))], openFile(undefined))).toStrictEqual([
      {
        id: fingerprint(identity, undefined),
        ruleId: 'ui5/eval',
        severity: 'HIGH',
        claim: CLAIM,
        confidence: 'medium',
        at: { file: 'a.js', line: 1, column: 1, endLine: 1, endColumn: 4 },
        args: {},
      },
    ])
  })

  test('with a long text: its first 500 characters count', () => {
    const text = `${'x'.repeat(600)}`
    const [finding] = finish([matchAt({ start: 0, end: 600 })], openFile(text))
    expect(finding?.id).toBe(fingerprint({ ...identity, text: text.slice(0, 500) }, undefined))
  })

  test('with a long argument: cut, and seen to be', () => {
    const [finding] = finish([matchAt(undefined, { args: { long: 'x'.repeat(301), short: 'y'.repeat(300) } })])
    expect(finding?.args).toEqual({ long: `${'x'.repeat(300)}…`, short: 'y'.repeat(300) })
  })

  test('with a flow: its steps in this file, in another one, and in one without lines', () => {
    const linesOf = (file: string): Uint32Array | undefined => (file === 'b.js' ? createLineTable('x\ny') : undefined)
    const flow = [
      { at: { file: 'a.js', span: spanOf('two') }, step: 'source' },
      { at: { file: 'b.js', span: { start: 2, end: 3 } }, step: 'through', args: { name: 'y' } },
      { at: { file: 'c.js', span: { start: 2, end: 3 } }, step: 'sink' },
    ]
    const [finding] = finish([matchAt(spanOf('one'), { flow })], openFile(TEXT), createSettings({ linesOf }))
    expect(finding?.flow).toEqual([
      { at: { file: 'a.js', line: 2, column: 1, endLine: 2, endColumn: 4 }, step: 'source', args: {} },
      { at: { file: 'b.js', line: 2, column: 1, endLine: 2, endColumn: 2 }, step: 'through', args: { name: 'y' } },
      { at: { file: 'c.js' }, step: 'sink', args: {} },
    ])
  })
})

test('findings stand in the order of their places, then of their rules; a whole file comes first', () => {
  const matches = [
    matchAt(spanOf('three')),
    matchAt(spanOf('two'), {}, TIMER),
    matchAt(spanOf('two')),
    matchAt(undefined, {}, TIMER),
    matchAt(spanOf('one')),
  ]
  expect(finish(matches).map(({ ruleId, at }) => `${ruleId} ${at.line}`)).toEqual([
    'ui5/timer undefined',
    'ui5/eval 1',
    'ui5/eval 2',
    'ui5/timer 2',
    'ui5/eval 4',
  ])
})

describe('equal matches', () => {
  test('at one place are one, the first', () => {
    const matches = [
      matchAt(spanOf('one'), { variant: 'a' }),
      matchAt(spanOf('one'), { variant: 'b' }),
      matchAt(spanOf('one'), {}, TIMER),
    ]
    expect(finish(matches).map(({ ruleId, variant }) => [ruleId, variant])).toEqual([
      ['ui5/eval', 'a'],
      ['ui5/timer', undefined],
    ])
  })

  test('at one place with a key each are two', () => {
    const matches = [
      matchAt(undefined, { key: 'GHSA-1' }),
      matchAt(undefined, { key: 'GHSA-2' }),
      matchAt(undefined, { key: 'GHSA-1' }),
    ]
    expect(finish(matches).map(({ id }) => id)).toEqual([
      fingerprint({ ...identity, key: 'GHSA-1' }, undefined),
      fingerprint({ ...identity, key: 'GHSA-2' }, undefined),
    ])
  })

  test('at two places of one context are counted; in two contexts each is the first', () => {
    const matches = [matchAt(spanOf('two', 1)), matchAt(spanOf('two'))]
    const id = (context: string, occurrence: number): string =>
      fingerprint({ ...identity, context, text: 'two', occurrence }, undefined)
    expect(finish(matches).map(({ id }) => id)).toEqual([id('', 0), id('', 1)])
    const contextAt = (offset: number): string => (offset < spanOf('two', 1).start ? 'f' : 'g')
    expect(finish(matches, openFile(TEXT, { contextAt })).map(({ id }) => id)).toEqual([id('f', 0), id('g', 0)])
  })

  test('that only white space tells apart are counted too', () => {
    const text = 'f(a, b)\nf(a,  b)\n'
    const matches = [matchAt(spanOf('f(a, b)', 0, text)), matchAt(spanOf('f(a,  b)', 0, text))]
    expect(finish(matches, openFile(text)).map(({ id }) => id)).toEqual([
      fingerprint({ ...identity, text: 'f(a, b)' }, undefined),
      fingerprint({ ...identity, text: 'f(a, b)', occurrence: 1 }, undefined),
    ])
  })

  test('of one group share it', () => {
    const matches = [
      matchAt(spanOf('one'), { groupKey: 'x' }),
      matchAt(spanOf('two'), { groupKey: 'x' }),
      matchAt(spanOf('three')),
    ]
    expect(finish(matches).map(({ group }) => group)).toEqual(['ui5/eval x', 'ui5/eval x', undefined])
  })
})

test('a match yields to one of another rule that says more of the very same place, and to no other', () => {
  const weak = defineRule({ ...createRule('ui5/weak'), on: 'script', yieldsTo: ['ui5/eval'], *check() {} })
  const settings = createSettings({ rules: new Map([...RULES, [weak.id, weak]]) })
  const matches = [matchAt(spanOf('one'), {}, weak), matchAt(spanOf('one')), matchAt(spanOf('one(1)'), {}, weak)]
  const findings = finish(matches, openFile(TEXT), settings)
  expect(findings.map(({ ruleId, at }) => [ruleId, at.endColumn])).toEqual([
    ['ui5/eval', 4],
    ['ui5/weak', 7],
  ])
})

test('what there is no room for costs no fingerprint, and counts in the ids of those behind it', () => {
  const offered: unknown[] = []
  const offer: FinishSettings['offer'] = (sketch) => {
    offered.push(sketch)
    return sketch.at.line === 3
  }
  const findings = finish(
    [matchAt(spanOf('two')), matchAt(spanOf('two', 1)), matchAt(spanOf('one'), {}, TIMER)],
    openFile(TEXT),
    createSettings({ offer }),
  )
  expect(offered).toEqual([
    { ruleId: 'ui5/timer', severity: 'LOW', at: { file: 'a.js', line: 1, column: 1, endLine: 1, endColumn: 4 } },
    { ruleId: 'ui5/eval', severity: 'HIGH', at: { file: 'a.js', line: 2, column: 1, endLine: 2, endColumn: 4 } },
    { ruleId: 'ui5/eval', severity: 'HIGH', at: { file: 'a.js', line: 3, column: 1, endLine: 3, endColumn: 4 } },
  ])
  expect(findings.map(({ id }) => id)).toEqual([fingerprint({ ...identity, text: 'two', occurrence: 1 }, undefined)])
})

describe('at most 100 findings of a rule in a file', () => {
  const text = 'x\n'.repeat(2002)
  const matches = (count: number, rule = EVAL): PendingMatch[] =>
    Array.from({ length: count }, (_, index) =>
      matchAt({ start: index * 2, end: index * 2 + 1 }, { reach: index === count - 1 ? 'anyone' : 'local' }, rule),
    )
  const notice = (ruleId: string, count: number): Notice => ({
    code: 'findings-capped',
    reason: 'rule-and-file',
    file: 'a.js',
    ruleId,
    args: { count: String(count) },
    partial: true,
  })

  test('the most severe stay, then the first ones; a notice counts the rest', () => {
    const settings = createSettings()
    const findings = finish([...matches(102), ...matches(101, TIMER), matchAt(undefined)], openFile(text), settings)
    const linesOf = (rule: Rule): (number | undefined)[] =>
      findings.filter(({ ruleId }) => ruleId === rule.id).map(({ at }) => at.line)
    const first = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
    expect(linesOf(EVAL)).toEqual([undefined, ...first(98), 102])
    expect(linesOf(TIMER)).toEqual([...first(99), 101])
    expect(settings.notices).toEqual([notice('ui5/eval', 3), notice('ui5/timer', 1)])
  })

  test('just so many need no notice', () => {
    const settings = createSettings()
    expect(finish(matches(100), openFile(text), settings).length).toBe(100)
    expect(settings.notices).toEqual([])
  })

  test('in a lock file 2000', () => {
    const settings = createSettings()
    expect(finish(matches(2001), openFile(text, { isLock: true }), settings).length).toBe(2000)
    expect(settings.notices).toEqual([notice('ui5/eval', 1)])
  })
})

describe('credentials', () => {
  const text = 'url = "hunter22"\nlog("hunter22")\n'
  const span = spanOf('"hunter22"', 0, text)

  test('are in no part of a finding', () => {
    const settings = createSettings()
    settings.secrets.add('a.js', span, 'hunter22')
    settings.secrets.add('a.js', spanOf('"hunter22"', 1, text), 'hunter22')
    const flow = [{ at: { file: 'a.js', span }, step: 'source', args: { value: 'hunter22' } }]
    const matches = [matchAt({ start: 0, end: span.end }, { secret: 'hunter22', args: { url: 'http://hunter22@host' }, flow })]
    const [finding] = finish(matches, openFile(text), settings)
    expect(finding).toMatchObject({
      id: fingerprint({ ...identity, text: 'url = ***', secret: 'hunter22' }, undefined),
      args: { url: 'http://***@host' },
      snippet: 'url = ***\nlog(***)\n',
      flow: [{ args: { value: '***' } }],
    })
    expect(JSON.stringify(finding)).not.toContain('hunter22')
  })

  test('of one value are one group, of two values two unless the rule groups them', () => {
    const matches = [
      matchAt(spanOf('one'), { secret: 'hunter22' }),
      matchAt(spanOf('two'), { secret: 'hunter33' }),
      matchAt(spanOf('three'), { secret: 'hunter22' }),
    ]
    expect(finish(matches).map(({ group }) => group)).toEqual(['secret 0', 'secret 1', 'secret 0'])
    const cells = ['one', 'two'].map((at) => matchAt(spanOf(at), { secret: `hunter${at}`, groupKey: 'cells' }))
    expect(new Set(finish(cells).map(({ group }) => group)).size).toBe(1)
  })

  test('count in the id with the key of the installation', () => {
    const [finding] = finish(
      [matchAt(undefined, { secret: 'hunter22' })],
      openFile(TEXT),
      createSettings({ fingerprintKey: 'k' }),
    )
    expect(finding?.id).toBe(fingerprint({ ...identity, secret: 'hunter22' }, 'k'))
  })
})

test('a comment hides what begins on its line, never a whole file', () => {
  const marker = (line: number): Marker => ({ line, rules: ['ui5/eval'], reason: `line ${line}`, foreign: false })
  const markers = [marker(1), marker(3), marker(4)]
  const matches = [
    matchAt(undefined),
    matchAt(spanOf('two(2)\ntwo')),
    matchAt(spanOf('three')),
    matchAt(spanOf('three'), {}, TIMER),
  ]
  const settings = createSettings()
  const findings = finish(matches, openFile(TEXT, { markers }), settings)
  expect(findings.map(({ suppressed }) => suppressed)).toEqual([undefined, undefined, 'line 4', undefined])
  expect(settings.used).toEqual([marker(4)])
})

describe('laws', () => {
  const pieces = fc.array(fc.constantFrom('a', 'b', 'a b', 'a  b', '\n'), { minLength: 1, maxLength: 10 })
  /** A text of pieces, and a match for some of them by each rule. */
  const cases = pieces.chain((list) => {
    const text = list.map((piece) => `${piece};`).join('')
    const starts = list.map((_, index) => list.slice(0, index).reduce((sum, { length }) => sum + length + 1, 0))
    const matches = starts.flatMap((start, index) => {
      const span = { start, end: start + (list[index]?.length ?? 0) }
      return [matchAt(span), matchAt(span, {}, TIMER)]
    })
    return fc.tuple(fc.constant(text), fc.shuffledSubarray(matches, { minLength: 1 }))
  })
  const moved = ({ ruleId, match }: PendingMatch, by: number): PendingMatch => {
    const { file, span } = match.at
    return {
      ruleId,
      match: { ...match, at: span === undefined ? { file } : { file, span: { start: span.start + by, end: span.end + by } } },
    }
  }

  test('the order in which matches come does not matter', () => {
    fc.assert(
      fc.property(cases, ([text, matches]) => {
        const ordered = [...matches].sort((a, b) => (a.match.at.span?.start ?? 0) - (b.match.at.span?.start ?? 0))
        expect(finish(matches, openFile(text))).toEqual(finish(ordered, openFile(text)))
      }),
      { numRuns: runs(2000) },
    )
  })

  test('each match has an id of its own', () => {
    fc.assert(
      fc.property(cases, ([text, matches]) => {
        const findings = finish(matches, openFile(text))
        expect(new Set(findings.map(({ id }) => id)).size).toBe(matches.length)
      }),
      { numRuns: runs(2000) },
    )
  })

  test('lines above change places, never ids', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 5 }), ([text, matches], by) => {
        const above = '// a b\n'.repeat(by)
        const before = finish(matches, openFile(text))
        const after = finish(
          matches.map((draft) => moved(draft, above.length)),
          openFile(above + text),
        )
        expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
        expect(after.map(({ at }) => at.line)).toEqual(before.map(({ at }) => (at.line ?? 0) + by))
      }),
      { numRuns: runs(2000) },
    )
  })
})

test('a match of a rule that nobody knows is a fault', () => {
  const settings = createSettings({ rules: new Map() })
  expect(() => finish([matchAt(undefined)], openFile(TEXT), settings)).toThrow('ui5/eval')
})
