import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLineTable } from '../../core/parse/position.ts'
import { findMarkers, hiddenBy, ignoredMarker, MARKER_KEYWORDS, unusedMarker } from '../../core/report/markers.ts'
import { createRuleNames } from '../../core/report/unknown-rules.ts'
import type { Marker, Notice } from '../../core/types.ts'
import { runs } from '../soak.ts'

const find = (text: string): { markers: Marker[]; notices: Notice[] } => findMarkers('a.js', text, createLineTable(text))
const own = (line: number, rules: readonly string[], reason: string): Marker => ({
  line,
  rules,
  reason,
  foreign: false,
})
const foreign = (line: number, reason: string): Marker => ({ line, rules: ['secrets/*'], reason, foreign: true })

describe('our own marker', () => {
  test.each<[string, string, Marker]>([
    ['a line comment', '// parapet-disable-next-line ui5/eval -- no input', own(2, ['ui5/eval'], 'no input')],
    [
      'several rules',
      '# parapet-disable-next-line ui5/eval, cap/eval,npm/x -- why',
      own(2, ['ui5/eval', 'cap/eval', 'npm/x'], 'why'),
    ],
    ['tabs', '//\tparapet-disable-next-line\tui5/eval\t--\twhy', own(2, ['ui5/eval'], 'why')],
    ['a block comment', '/* parapet-disable-next-line ui5/eval -- why */', own(2, ['ui5/eval'], 'why')],
    ['code behind a block comment', '/* parapet-disable-next-line ui5/eval -- why */ run()', own(2, ['ui5/eval'], 'why')],
    ['a comment of XML', '<!-- parapet-disable-next-line ui5/eval -- why -->', own(2, ['ui5/eval'], 'why')],
    ['an element behind one', '<!-- parapet-disable-next-line ui5/eval -- why --><Text/>', own(2, ['ui5/eval'], 'why')],
    ['a comment of a server page', '<%-- parapet-disable-next-line ui5/eval -- why --%>', own(2, ['ui5/eval'], 'why')],
    ['dashes in the reason', '// parapet-disable-next-line ui5/eval -- a -- b-c', own(2, ['ui5/eval'], 'a -- b-c')],
    ['a glob in the reason', '# parapet-disable-next-line ui5/eval -- as in src/*/a', own(2, ['ui5/eval'], 'as in src/*/a')],
    ['a reason of two lines', '/* parapet-disable-next-line ui5/eval -- one\ntwo */', own(2, ['ui5/eval'], 'one')],
    ['on a later line', 'a\r\nb\r// parapet-disable-next-line ui5/eval -- why', own(4, ['ui5/eval'], 'why')],
    [
      'a very long reason',
      `// parapet-disable-next-line ui5/eval -- ${'Why? '.repeat(80)}`,
      own(2, ['ui5/eval'], `${'Why? '.repeat(60)}…`),
    ],
  ])('%s', (_, text, marker) => {
    expect(find(text)).toEqual({ markers: [marker], notices: [] })
  })

  test.each([
    ['no reason', '// parapet-disable-next-line ui5/eval'],
    ['no reason in a block comment', '/* parapet-disable-next-line ui5/eval */'],
    ['no reason in a comment of XML', '<!-- parapet-disable-next-line ui5/eval -->'],
    ['no reason in one without blanks', '<!--parapet-disable-next-line ui5/eval-->'],
    ['no reason in a comment of a server page', '<%-- parapet-disable-next-line ui5/eval --%>'],
    ['no reason behind the dashes', '// parapet-disable-next-line ui5/eval --'],
    ['blanks for a reason', '// parapet-disable-next-line ui5/eval --   '],
    ['dashes and the end of a comment of XML', '<!-- parapet-disable-next-line ui5/eval -- -->'],
    ['the placeholder of the terminal', '// parapet-disable-next-line ui5/eval -- <reason>'],
    ['that of the page in French', '<!-- parapet-disable-next-line ui5/eval -- <raison> -->'],
    ['that of the documents', '// parapet-disable-next-line ui5/eval -- reason'],
    ['no rule', '// parapet-disable-next-line -- why'],
    ['neither', '// parapet-disable-next-line'],
  ])('%s: hides nothing, and a notice says so', (_, text) => {
    const notice = { code: 'suppressions-ignored', reason: 'marker-no-reason', file: 'a.js', args: { line: '2' }, partial: false }
    expect(find(`\n${text}\nrun()`)).toEqual({ markers: [], notices: [notice] })
  })

  test.each([
    ['a sentence about it', 'Write `parapet-disable-next-line <rule> -- reason` above the line.'],
    ['another directive', '// parapet-disable-line ui5/eval -- why'],
  ])('%s is none', (_, text) => {
    expect(find(text)).toEqual({ markers: [], notices: [] })
  })

  test('each of a text speaks for its own next line', () => {
    const text = '// parapet-disable-next-line ui5/eval -- a\nrun()\n// parapet-disable-next-line cap/eval -- b\n'
    expect(find(text).markers).toEqual([own(2, ['ui5/eval'], 'a'), own(4, ['cap/eval'], 'b')])
  })
})

describe('markers of other scanners hide credentials', () => {
  test.each<[string, number]>([
    ['gitleaks:allow', 1],
    ['trufflehog:ignore', 1],
    ['pragma: allowlist secret', 1],
    ['pragma: allowlist nextline secret', 2],
    ['secretlint-disable-line', 1],
    ['secretlint-disable-next-line', 2],
  ])('%s', (name, line) => {
    expect(find(`password = 'x' # ${name}\n`)).toEqual({ markers: [foreign(line, name)], notices: [] })
  })

  test('one that speaks about whole files is none', () => {
    expect(find('// secretlint-disable')).toEqual({ markers: [], notices: [] })
  })
})

test('a text with a marker holds one of the keywords', () => {
  const names = [
    'parapet-disable-next-line',
    'gitleaks:allow',
    'trufflehog:ignore',
    'pragma: allowlist secret',
    'secretlint-disable-line',
  ]
  for (const name of names) expect(MARKER_KEYWORDS.filter((keyword) => name.includes(keyword)).length, name).toBe(1)
})

describe('what is hidden', () => {
  const markers: readonly Marker[] = [
    own(2, ['ui5/eval', 'cap/eval'], 'first'),
    own(2, ['ui5/eval'], 'second'),
    foreign(3, 'theirs'),
  ]

  test.each<[string, string, number, string | undefined]>([
    ['the first that speaks for the line gives the reason', 'ui5/eval', 2, 'first'],
    ['any of its rules', 'cap/eval', 2, 'first'],
    ['credentials, by another scanner', 'secrets/basic-auth-url', 3, 'theirs'],
    ['nothing on other lines', 'ui5/eval', 1, undefined],
    ['nothing of other rules', 'ui5/evaluate', 2, undefined],
    ['nothing but credentials, by another scanner', 'ui5/eval', 3, undefined],
  ])('%s', (_, ruleId, line, reason) => {
    expect(hiddenBy(markers, [ruleId], line)?.reason).toBe(reason)
  })
})

test('a notice names file and line', () => {
  const notice = { code: 'suppressions-ignored', reason: 'marker-unused', file: 'b.xml', args: { line: '7' }, partial: false }
  expect(ignoredMarker('marker-unused', 'b.xml', 7)).toEqual(notice)
})

describe('laws', () => {
  const piece = fc.constantFrom(
    '// parapet-disable-next-line ui5/eval -- why',
    '<!-- parapet-disable-next-line ui5/eval -->',
    'parapet-disable-next-line',
    ' -- ',
    ' ui5/x',
    ' # gitleaks:allow',
    '// secretlint-disable-next-line',
    '-->',
    '*/',
    '\n',
    '\r\n',
  )
  const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
  const shifted = (text: string, by: number): ReturnType<typeof find> => {
    const { markers, notices } = find(text)
    return {
      markers: markers.map((marker) => ({ ...marker, line: marker.line + by })),
      notices: notices.map((notice) => ({ ...notice, args: { line: String(Number(notice.args?.['line']) + by) } })),
    }
  }

  test('lines above move it, and change nothing else', () => {
    fc.assert(
      fc.property(texts, fc.nat({ max: 5 }), (text, by) => {
        expect(find('x\n'.repeat(by) + text)).toEqual(shifted(text, by))
      }),
      { numRuns: runs(10_000) },
    )
  })

  test('what is in force has rules and a reason, on one line', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const { rules, reason } of find(text).markers) {
          expect(rules.length).toBeGreaterThan(0)
          expect(reason).toMatch(/^\S(?:.*\S)?$/)
        }
      }),
      { numRuns: runs(10_000) },
    )
  })
})

test('a comment that hides nothing names the rule that was meant, or that there is none', () => {
  const ruleOf = createRuleNames(new Map([['ui5/eval', { formerIds: ['ui5/dynamic-code'] }]]))
  const told = (...rules: string[]): unknown[] => {
    const { reason, args } = unusedMarker({ line: 8, rules, reason: 'why', foreign: false }, 'b.xml', ruleOf)
    return [reason, args]
  }
  expect(told('ui5/eval')).toEqual(['marker-unused', { line: '7' }])
  expect(told('ui5/dynamic-code')).toEqual(['marker-unused', { line: '7' }])
  expect(told('ui5/eval', 'ui5/evel')).toEqual(['marker-misspelt', { line: '7', name: 'ui5/evel', meant: 'ui5/eval' }])
  expect(told('ui5/sql-injection')).toEqual(['marker-unknown-rule', { line: '7', name: 'ui5/sql-injection' }])
})
