import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConfiguredSuppression } from '../../core/project/config.ts'
import { createFindingCollector, type CollectorSettings, type SortedFindings } from '../../core/report/collect-findings.ts'
import { SEVERITIES } from '../../core/scales.ts'
import type { Finding } from '../../core/types.ts'
import { runs } from '../soak.ts'
import { cpuTime } from '../cpu-time.ts'

function finding(id: string, changes: Partial<Finding> = {}): Finding {
  const place = { file: 'a.js' }
  return {
    id,
    ruleId: 'ui5/eval',
    severity: 'HIGH',
    claim: { impact: 'data' },
    confidence: 'high',
    at: place,
    args: {},
    ...changes,
  }
}

const at = (file: string, line: number, column = 1): Finding['at'] => ({
  file,
  line,
  column,
  endLine: line,
  endColumn: column + 1,
})
/** What becomes of findings that are added at once. */
function mergeFindings(
  findings: readonly Finding[],
  suppressions: readonly ConfiguredSuppression[],
  settings: CollectorSettings = {},
): SortedFindings {
  const collector = createFindingCollector({ ...settings, suppressions })
  collector.add(findings)
  return collector.sorted()
}

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
    const suppressions = Array.from({ length: 200 }, (_, index) => ({
      rule: 'ui5/eval',
      path: `*${'a'.repeat(290)}b${index}`,
      reason: 'r',
    }))
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
  test('a suppression that names a former id of the rule, or of the finding, still holds', () => {
    const rules = new Map([['ui5/new', { formerIds: ['ui5/old'] }]])
    const list = [finding('n', { ruleId: 'ui5/new', formerIds: ['before'] })]
    expect(idsOf(mergeFindings(list, [{ rule: 'ui5/old', reason: 'r' }], { rules }).hidden)).toEqual(['n'])
    expect(idsOf(mergeFindings(list, [{ id: 'before', reason: 'r' }], { rules }).hidden)).toEqual(['n'])
    expect(idsOf(mergeFindings(list, [{ rule: 'ui5/older', reason: 'r' }], { rules }).hidden)).toEqual([])
  })
})

describe('never more than a report shows', () => {
  const line = (index: number, changes: Partial<Finding> = {}): Finding =>
    finding(String(index), { at: at('a.js', index + 1), ...changes })

  test('a hundred times as many: the most severe stay, the rest is counted, and what comes late is turned away unfinished', () => {
    const collector = createFindingCollector({ most: 10 })
    let offered = 0
    for (let index = 0; index < 1000; index++) {
      const one = line(index, { severity: index % 100 === 99 ? 'HIGH' : 'LOW' })
      const { id: _id, ...sketch } = one
      if (!collector.offer(sketch)) continue
      offered++
      collector.add([one])
    }
    const { shown, notices } = collector.sorted()
    expect(shown.map(({ severity }) => severity)).toEqual(Array.from({ length: 10 }, () => 'HIGH'))
    expect(notices).toEqual([{ code: 'findings-capped', reason: 'report', args: { count: '990' }, partial: true }])
    expect(offered).toBeLessThan(50)
    expect(collector.declined()).toEqual({ findings: 1000 - offered, suppressed: 0, places: 0 })
  })

  test('what a rule sees in a file and what flows to the same place are counted once', () => {
    const checks = { 'browser-script': function* () {}, flow: function* () {} }
    const collector = createFindingCollector({ most: 10, rules: new Map([['ui5/eval', { checks }]]) })
    const seen = Array.from({ length: 50 }, (_, index) => line(index, { severity: 'MEDIUM' }))
    collector.add(seen)
    // the last ones turn out to be worse than all that is kept
    collector.add(seen.map((one, index) => ({ ...one, flow: [], ...(index >= 45 && { severity: 'HIGH' }) })))
    const { shown, notices } = collector.sorted()
    expect(shown.map(({ at: { line } }) => line)).toEqual(
      [...seen.slice(45), ...seen.slice(0, 5)].map(({ at: { line } }) => line),
    )
    expect(notices).toEqual([{ code: 'findings-capped', reason: 'report', args: { count: '40' }, partial: true }])
  })

  test('a suppressed one takes no room of another', () => {
    const list = Array.from({ length: 100 }, (_, index) => line(index, index < 60 ? {} : { severity: 'LOW', ruleId: 'cap/eval' }))
    const { shown, hidden, notices } = mergeFindings(list, [{ rule: 'ui5/eval', reason: 'r' }], { most: 10 })
    expect(idsOf(shown)).toEqual(['60', '61', '62', '63', '64', '65', '66', '67', '68', '69'])
    expect(idsOf(hidden)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
    expect(notices.map(({ reason, args }) => [reason, args])).toEqual([
      ['report', { count: '30' }],
      ['suppressed', { count: '50' }],
    ])
  })

  test('of one finding a thousand other places, and the rest is counted', () => {
    const list = Array.from({ length: 1500 }, (_, index) => line(index, { group: '1' }))
    const { shown, notices } = mergeFindings(list, [])
    expect(shown[0]?.occurrences?.length).toBe(1000)
    expect(notices).toEqual([{ code: 'findings-capped', reason: 'occurrences', args: { count: '499' }, partial: true }])
  })

  test('a later run goes on from what an earlier one kept', () => {
    const list = Array.from({ length: 100 }, (_, index) => line(index, index % 2 === 0 ? {} : { group: `${index % 20}` }))
    const first = createFindingCollector({ most: 20 })
    first.add(list)
    const { findings, leftOut } = first.kept()
    const second = createFindingCollector({ most: 20 })
    second.add(findings)
    second.leaveOut(leftOut)
    expect(second.sorted()).toEqual(first.sorted())
  })

  test('many suppressions of one rule cost no more than one', () => {
    const same = Array.from({ length: 5000 }, () => ({ rule: 'ui5/eval', reason: 'r' }))
    const costly = Array.from({ length: 5000 }, (_, index) => ({
      rule: 'ui5/eval',
      path: `${'*a'.repeat(100)}${index}`,
      reason: 'r',
    }))
    const list = Array.from({ length: 5000 }, (_, index) => line(index, { at: at('a'.repeat(200), index + 1) }))
    const begun = cpuTime()
    expect(mergeFindings(list, same).notices).toEqual([])
    expect(mergeFindings(list, costly).notices.map(({ reason }) => reason)).toContain('config-too-costly')
    expect(cpuTime() - begun).toBeLessThan(10_000)
  })

  test('another place of what was hidden and left out is not shown', () => {
    const hide = [{ rule: 'cap/eval', reason: 's' }]
    const list = Array.from({ length: 20 }, (_, index) =>
      line(index, { ruleId: 'cap/eval', ...(index === 15 && { group: '1' }) }),
    )
    const { shown, hidden, notices } = mergeFindings([...list, line(20, { group: '1' })], hide, { most: 4 })
    expect([idsOf(shown), idsOf(hidden)]).toEqual([[], ['0', '1', '2', '3']])
    expect(notices.map(({ reason, args }) => [reason, args])).toEqual([['suppressed', { count: '16' }]])
  })

  test('what is kept is what would be, were all kept to the end', () => {
    const drawn = fc.array(
      fc.record({
        severity: fc.constantFrom(...SEVERITIES),
        ruleId: fc.constantFrom('ui5/eval', 'cap/eval'),
        group: fc.constantFrom(undefined, undefined, undefined, '1', '2', '3', '4', '5'),
        isHidden: fc.constantFrom(false, false, true),
      }),
      { maxLength: 40 },
    )
    const suppressions = fc.constantFrom<ConfiguredSuppression[]>([], [{ rule: 'cap/eval', reason: 's' }])
    const most = 4
    fc.assert(
      fc.property(drawn, suppressions, (list, hide) => {
        const all = list.map(({ severity, ruleId, group, isHidden }, index) =>
          line(index, { severity, ruleId, ...(group !== undefined && { group }), ...(isHidden && { suppressed: 'r' }) }),
        )
        const whole = mergeFindings(all, hide)
        const bounded = createFindingCollector({ most, suppressions: hide })
        for (const { id, ...sketch } of all) if (bounded.offer(sketch)) bounded.add([{ id, ...sketch }])
        const { shown, hidden, notices } = bounded.sorted()
        expect(idsOf(shown)).toEqual(idsOf(whole.shown.slice(0, most)))
        const left = whole.shown.length - shown.length
        expect(notices.find(({ reason }) => reason === 'report')?.args).toEqual(left === 0 ? undefined : { count: String(left) })
        // one that a worse place of its group brings to light leaves a gap in a list that was cut before: what would fill it is gone
        const isMixed = (group: string): boolean =>
          new Set(
            all
              .filter((one) => one.group === group)
              .map((one) => one.suppressed === undefined && hide.every(({ rule }) => rule !== one.ruleId)),
          ).size > 1
        const gaps = ['1', '2', '3', '4', '5'].filter(isMixed).length
        const first = whole.hidden.slice(0, most)
        expect(idsOf(hidden)).toEqual(idsOf(first.slice(0, hidden.length)))
        expect(hidden.length).toBeGreaterThanOrEqual(first.length - gaps)
      }),
      { numRuns: runs(10_000) },
    )
  })

  test('a suppression of a misspelt rule names the one that was meant', () => {
    const rules = new Map([['cap/cql-injection', { formerIds: ['cap/sql-text'] }]])
    const suppressions = ['cap/cql-injektion', 'cql-injection', 'cap/sql-text', 'ui5/eval'].map((rule, index) => ({
      rule,
      reason: 'r',
      place: `suppress[${index}]`,
    }))
    const { notices } = mergeFindings([], suppressions, { rules })
    expect(notices.map(({ reason, args }) => [reason, args?.['meant']])).toEqual([
      ['config-misspelt', 'cap/cql-injection'],
      ['config-misspelt', 'cap/cql-injection'],
      ['config-unused', undefined],
      ['config-unknown-rule', undefined],
    ])
    expect(notices.map(({ args }) => args?.['place'])).toEqual([
      'suppress[0].rule',
      'suppress[1].rule',
      undefined,
      'suppress[3].rule',
    ])
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
