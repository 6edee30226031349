import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConfiguredSuppression } from '../../core/project/config.ts'
import { mergeFindings } from '../../core/report/merge.ts'
import { SEVERITIES } from '../../core/scales.ts'
import type { Finding } from '../../core/types.ts'
import { runs } from '../soak.ts'

function finding(id: string, changes: Partial<Finding> = {}): Finding {
  return { id, ruleId: 'ui5/eval', severity: 'HIGH', confidence: 'high', at: { file: 'a.js' }, args: {}, ...changes }
}

const at = (file: string, line: number, column = 1): Finding['at'] => ({
  file,
  line,
  column,
  endLine: line,
  endColumn: column + 1,
})
const idsOf = (findings: readonly Finding[]): string[] => findings.map(({ id }) => id)

test('nothing in, nothing out', () => {
  expect(mergeFindings([], [])).toEqual({ shown: [], hidden: [], notices: [] })
})

test('the order: severity, file, line, column, rule, id; a whole file before its lines', () => {
  const ordered = [
    finding('z', { severity: 'CRITICAL', at: at('z.js', 9) }),
    finding('y', { at: { file: 'a.js' } }),
    finding('x', { at: at('a.js', 2, 8) }),
    finding('w', { at: at('a.js', 10, 3) }),
    finding('v', { at: at('a.js', 10, 20), ruleId: 'cap/a' }),
    finding('t', { at: at('a.js', 10, 20), ruleId: 'cap/b' }),
    finding('u', { at: at('a.js', 10, 20), ruleId: 'cap/b' }),
    finding('s', { at: at('b.js', 1) }),
    finding('r', { severity: 'MEDIUM' }),
    finding('q', { severity: 'LOW' }),
    finding('p', { severity: 'INFO' }),
  ]
  expect(mergeFindings([...ordered].reverse(), [])).toEqual({ shown: ordered, hidden: [], notices: [] })
})

describe('what is one finding with occurrences', () => {
  test('findings of one id: the first stands for them', () => {
    const list = [finding('a', { at: at('b.js', 3) }), finding('a', { at: at('a.js', 5) }), finding('a', { at: at('a.js', 4) })]
    const occurrences = [
      { file: 'a.js', line: 5 },
      { file: 'b.js', line: 3 },
    ]
    expect(mergeFindings(list, []).shown).toEqual([{ ...finding('a', { at: at('a.js', 4) }), occurrences }])
  })

  test('findings of one group: the most severe stands for them, and a whole file has no line', () => {
    const list = [
      finding('a', { group: '1', severity: 'LOW' }),
      finding('b', { group: '1', at: at('z.js', 7) }),
      finding('c', { group: '1', severity: 'LOW', at: at('c.js', 1) }),
    ]
    const occurrences = [{ file: 'a.js' }, { file: 'c.js', line: 1 }]
    expect(mergeFindings(list, []).shown).toEqual([{ ...finding('b', { group: '1', at: at('z.js', 7) }), occurrences }])
  })

  test('never of two groups', () => {
    const list = [finding('a', { group: '1' }), finding('c', { group: '2' }), finding('d')]
    expect(idsOf(mergeFindings(list, []).shown)).toEqual(['a', 'c', 'd'])
  })

  test('of two rules where they share a group: the more severe one tells of both', () => {
    const list = [
      finding('a', { group: 'secret 0', severity: 'MEDIUM' }),
      finding('b', { group: 'secret 0', severity: 'CRITICAL', ruleId: 'secrets/github-pat' }),
    ]
    const { shown } = mergeFindings(list, [])
    expect(idsOf(shown)).toEqual(['b'])
    expect(shown[0]?.occurrences?.length).toBe(1)
  })

  test('what a comment hides is its own place alone', () => {
    const list = [
      finding('a', { group: '1', suppressed: 'a test' }),
      finding('b', { group: '1' }),
      finding('c', { group: '1', suppressed: 'a test' }),
    ]
    const { shown, hidden } = mergeFindings(list, [])
    expect(shown).toEqual([finding('b', { group: '1' })])
    expect(hidden).toEqual([finding('a', { group: '1', suppressed: 'a test', occurrences: [{ file: 'a.js' }] })])
  })
})

describe('suppressions of the project', () => {
  const list = [
    finding('a', { at: at('srv/a.js', 1) }),
    finding('b', { ruleId: 'cap/eval', at: at('srv/a.js', 2) }),
    finding('c', { at: at('test/a.js', 1) }),
  ]
  const unused = (name: string): unknown => ({
    code: 'suppressions-ignored',
    reason: 'config-unused',
    file: 'parapet.config.json',
    args: { name },
    partial: false,
  })

  test.each<[string, ConfiguredSuppression[], string[]]>([
    ['by id', [{ id: 'b', reason: 'r' }], ['b']],
    ['by rule', [{ rule: 'ui5/eval', reason: 'r' }], ['a', 'c']],
    ['by rule and path', [{ rule: 'ui5/eval', path: 'test/**', reason: 'r' }], ['c']],
    ['by a folder', [{ rule: 'ui5/eval', path: 'srv', reason: 'r' }], ['a']],
    ['by id, rule and path', [{ id: 'b', rule: 'cap/eval', path: 'srv/a.js', reason: 'r' }], ['b']],
  ])('%s', (_, suppressions, ids) => {
    const { shown, hidden, notices } = mergeFindings(list, suppressions)
    expect(idsOf(hidden)).toEqual(ids)
    expect(hidden.map(({ suppressed }) => suppressed)).toEqual(ids.map(() => 'r'))
    expect(idsOf(shown)).toEqual(['a', 'b', 'c'].filter((id) => !ids.includes(id)))
    expect(shown.every((finding) => finding.suppressed === undefined)).toBe(true)
    expect(notices).toEqual([])
  })

  test.each<[string, ConfiguredSuppression]>([
    ['an id of another rule', { id: 'a', rule: 'cap/eval', reason: 'r' }],
    ['an id at another path', { id: 'a', path: 'test/**', reason: 'r' }],
    ['an id that is not there', { id: 'x', reason: 'r' }],
    ['a part of a rule', { rule: 'ui5', reason: 'r' }],
  ])('%s hides nothing, and a notice says so', (_, suppression) => {
    const { shown, hidden, notices } = mergeFindings(list, [suppression])
    expect([idsOf(shown), hidden]).toEqual([['a', 'b', 'c'], []])
    expect(notices).toEqual([unused(suppression.id ?? suppression.rule ?? '')])
  })

  test('the first gives the reason, and the second is of use all the same', () => {
    const { hidden, notices } = mergeFindings(list, [
      { id: 'a', reason: 'first' },
      { rule: 'ui5/eval', path: 'srv/**', reason: 'second' },
    ])
    expect(hidden).toEqual([{ ...list[0], suppressed: 'first' }])
    expect(notices).toEqual([])
  })

  test('the comment beside the code gives the reason before the project does', () => {
    const { hidden, notices } = mergeFindings(
      [finding('a', { suppressed: 'beside it' })],
      [{ id: 'a', reason: 'of the project' }],
    )
    expect(hidden).toEqual([finding('a', { suppressed: 'beside it' })])
    expect(notices).toEqual([unused('a')])
  })

  test('patterns that cost too much hide nothing any more, and a notice says so', () => {
    const list = ['1', '2', '3'].map((id, index) => finding(id, { at: at('a'.repeat(1000), index + 1) }))
    const suppressions = Array.from({ length: 200 }, () => ({ rule: 'ui5/eval', path: `*${'a'.repeat(290)}b`, reason: 'r' }))
    const { shown, hidden, notices } = mergeFindings(list, [...suppressions, { rule: 'ui5/eval', path: 'a*', reason: 'r' }])
    // the last pattern hides the first finding; then the steps are used up
    expect([idsOf(shown), idsOf(hidden)]).toEqual([['2', '3'], ['1']])
    expect(notices[0]).toEqual({
      code: 'suppressions-ignored',
      reason: 'config-too-costly',
      file: 'parapet.config.json',
      partial: false,
    })
  })
})

test('a full report leaves out the least severe and counts them; what is hidden takes no room', () => {
  const many = Array.from({ length: 10_002 }, (_, index) =>
    finding(String(index), { severity: index < 3 ? 'LOW' : 'HIGH', at: at('a.js', index + 1) }),
  )
  const { shown, hidden, notices } = mergeFindings([...many, finding('hidden', { suppressed: 'r' })], [])
  expect(shown.length).toBe(10_000)
  expect(shown.filter(({ severity }) => severity === 'LOW').map(({ id }) => id)).toEqual(['0'])
  expect(idsOf(hidden)).toEqual(['hidden'])
  expect(notices).toEqual([{ code: 'findings-capped', reason: 'report', args: { count: '2' }, partial: true }])
})

describe('laws', () => {
  // an id follows from the rest, as a fingerprint does
  const findings = fc
    .array(
      fc
        .record({
          ruleId: fc.constantFrom('ui5/eval', 'cap/eval'),
          severity: fc.constantFrom(...SEVERITIES),
          at: fc.oneof(
            fc.record({ file: fc.constantFrom('a.js', 'b.js') }),
            fc.record({ file: fc.constantFrom('a.js', 'b.js'), line: fc.integer({ min: 1, max: 3 }), column: fc.constant(1) }),
          ),
          group: fc.constantFrom(undefined, '1', '2'),
          suppressed: fc.constantFrom(undefined, 'r'),
        })
        .map((drawn) => finding(JSON.stringify(drawn), drawn)),
      { maxLength: 12 },
    )
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })))
  const suppressions = fc.constantFrom<ConfiguredSuppression[]>([], [{ rule: 'ui5/eval', path: 'a.js', reason: 's' }])

  test('the order in which findings come does not matter', () => {
    fc.assert(
      fc.property(findings, suppressions, ([list, shuffled], hide) => {
        expect(mergeFindings(shuffled, hide)).toEqual(mergeFindings(list, hide))
      }),
      { numRuns: runs(10_000) },
    )
  })

  test('each finding is shown, hidden or an occurrence, once', () => {
    fc.assert(
      fc.property(findings, suppressions, ([list], hide) => {
        const { shown, hidden } = mergeFindings(list, hide)
        const places = [...shown, ...hidden].flatMap(({ at, occurrences = [] }) => [at, ...occurrences])
        const told = ({ file, line }: { file: string; line?: number }): string => `${file}:${line ?? ''}`
        expect(places.map(told).sort()).toEqual(list.map(({ at }) => told(at)).sort())
      }),
      { numRuns: runs(10_000) },
    )
  })
})

describe('what rules say of each other', () => {
  const place = { file: 'a.js', line: 1, column: 1, endLine: 1, endColumn: 5 }

  test('a finding yields to one that says more of the very same place, and to no other', () => {
    const rules = new Map([['ui5/weak', { yieldsTo: ['ui5/eval'] }]])
    const weak = finding('w', { ruleId: 'ui5/weak', at: place })
    const other = finding('x', { ruleId: 'ui5/weak', at: { ...place, endColumn: 6 } })
    const strong = finding('s', { ruleId: 'ui5/eval', at: place })
    expect(idsOf(mergeFindings([weak, strong, other], [], rules).shown)).toEqual(['s', 'x'])
    expect(idsOf(mergeFindings([weak, other], [], rules).shown)).toEqual(['w', 'x'])
  })

  test('a suppression that names a former id of the rule, or of the finding, still holds', () => {
    const rules = new Map([['ui5/new', { formerIds: ['ui5/old'] }]])
    const list = [finding('n', { ruleId: 'ui5/new', formerIds: ['before'], at: place })]
    expect(idsOf(mergeFindings(list, [{ rule: 'ui5/old', reason: 'r' }], rules).hidden)).toEqual(['n'])
    expect(idsOf(mergeFindings(list, [{ id: 'before', reason: 'r' }], rules).hidden)).toEqual(['n'])
    expect(idsOf(mergeFindings(list, [{ rule: 'ui5/older', reason: 'r' }], rules).hidden)).toEqual([])
  })

  test('a finding that replaces several is hidden where each of them was', () => {
    const list = [finding('n', { ruleId: 'npm/new', replaces: ['a', 'b'] })]
    const both = ['a', 'b'].map((id) => ({ id, reason: `because of ${id}` }))
    const hidden = mergeFindings(list, both)
    expect(hidden.hidden.map(({ suppressed }) => suppressed)).toEqual(['because of a'])
    expect(hidden.notices).toEqual([])
    const partly = mergeFindings(list, [...both.slice(1), { id: 'c', reason: 'r' }])
    expect(idsOf(partly.shown)).toEqual(['n'])
    expect(partly.notices.map(({ reason, args }) => [reason, args?.['name']])).toEqual([
      ['config-partial', 'b'],
      ['config-unused', 'c'],
    ])
  })
})
