import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { NO_CONFIG, readConfig } from '../../core/project/config.ts'
import { NOTICE_KEYS } from '../../core/report/notice-words.ts'
import { runs } from '../soak.ts'

const TODAY = '2026-11-20T12:00:00.000Z'
const read = (config: unknown): ReturnType<typeof readConfig> => readConfig(JSON.stringify(config), TODAY)
const reasons = (config: unknown): string[] => read(config).notices.map(({ reason }) => reason)

describe('parapet.config.json', () => {
  test('what is said with a reason is in force', () => {
    const suppress = [
      { id: '0123456789ab', reason: 'reviewed' },
      { rule: 'ui5/eval', path: 'webapp/legacy/**', reason: 'sandboxed' },
      { rule: 'ui5/eval', reason: 'until the move', until: '2026-11-20' },
    ]
    const config = read({ exclude: ['legacy/**'], suppress })
    expect(config.notices).toEqual([])
    expect(config.exclude).toEqual(['legacy/**'])
    expect(config.suppress).toMatchObject([
      { id: '0123456789ab', reason: 'reviewed' },
      { rule: 'ui5/eval', path: 'webapp/legacy/**', reason: 'sandboxed' },
      { rule: 'ui5/eval', reason: 'until the move' },
    ])
  })

  test('nothing is said, nothing is wrong', () => {
    expect(read({})).toEqual(NO_CONFIG)
    expect(read({ '//exclude': 'a comment', $schema: 'x', failOn: 'high', baseline: 'b.json' })).toEqual(NO_CONFIG)
  })

  test('what nobody knows, or is misspelt, has no effect and is told', () => {
    const { notices, ...rest } = read({ limits: { inflated: 1e12 }, rules: { 'ui5/eval': 'off' } })
    expect({ notices: [], ...rest }).toEqual(NO_CONFIG)
    expect(notices.map(({ reason, args }) => [reason, args?.['name']])).toEqual([
      ['config-unknown-member', 'limits'],
      ['config-unknown-member', 'rules'],
    ])
    expect(reasons({ severity: { 'ui5/eval': 'INFO' } })).toEqual(['config-wrong-value'])
  })

  test('what it says of grades with a reason is in force', () => {
    const reach = [{ path: 'srv/admin/**', reach: 'privileged', reason: 'behind the gateway' }]
    const severity = [{ rule: 'ui5/csp-missing', severity: 'low', reason: 'sent by the launchpad' }]
    const config = read({ reach, severity, usage: [{ path: 'tools/**', usage: 'unused' }] })
    expect(config.grades).toEqual({ reach, usage: [], severity: [{ ...severity[0], severity: 'LOW' }] })
    expect(config.notices.map(({ reason, args }) => [reason, args?.['place']])).toEqual([
      ['grade-no-reason', 'usage[0].reason'],
      ['grades', undefined],
    ])
    expect(reasons({ reach: [{ reach: 'user', reason: 'nothing named' }] })).toEqual(['grade-no-target'])
  })

  test.each([
    ['no reason', { rule: 'ui5/eval' }, 'config-no-reason'],
    ['the placeholder of what is copied', { rule: 'ui5/eval', reason: '<reason>' }, 'config-no-reason'],
    ['a blank reason', { rule: 'ui5/eval', reason: ' \t' }, 'config-no-reason'],
    ['no target', { path: '**', reason: 'all of it' }, 'config-no-target'],
    ['expired', { rule: 'ui5/eval', reason: 'x', until: '2026-11-19' }, 'config-expired'],
  ])('%s hides nothing and is told', (_, entry, reason) => {
    const config = read({ suppress: [entry, { id: 'x', reason: 'kept' }] })
    expect(config.suppress).toEqual([{ id: 'x', reason: 'kept', place: 'suppress[1]' }])
    expect(config.notices.map((notice) => [notice.reason, notice.args?.['place']?.split('.')[0]])).toEqual([
      [reason, 'suppress[0]'],
    ])
  })

  test.each([
    ['not JSON', '{\n"suppress": [}', 'config-not-json', { line: '2' }],
    ['comments', '// mine\n{}', 'config-invalid'],
    ['null', 'null', 'config-invalid'],
    ['a list', '[]', 'config-invalid'],
    ['a number', '1', 'config-invalid'],
    ['deep', `${'['.repeat(200_000)}`, 'config-not-json', { line: '1' }],
    ['empty', '', 'config-not-json', { line: '1' }],
    ['exclude is text', '{"exclude":"**"}', 'config-wrong-value', { name: 'exclude' }],
    ['exclude holds numbers', '{"exclude":[1]}', 'config-wrong-value', { name: 'exclude[0]' }],
    ['an empty pattern', '{"exclude":[""]}', 'config-wrong-value', { name: 'exclude[0]' }],
    ['a pattern too long', `{"exclude":["${'a'.repeat(301)}"]}`, 'config-wrong-value', { name: 'exclude[0]' }],
    [
      'patterns too many',
      JSON.stringify({ exclude: Array.from({ length: 201 }, () => 'a') }),
      'config-wrong-value',
      { name: 'exclude' },
    ],
  ])('%s: nothing in it is heeded', (_, text, reason, args?) => {
    const config = readConfig(text, TODAY)
    expect(config).toMatchObject({ exclude: [], suppress: [] })
    expect(config.notices).toEqual([
      { code: 'suppressions-ignored', reason, file: 'parapet.config.json', partial: false, ...(args !== undefined && { args }) },
    ])
  })

  test.each([
    [
      'a path that is misspelt, without which it would hide more',
      { rule: 'ui5/eval', reason: 'x', pth: 'a/**' },
      'config-unknown-in-entry',
      'pth',
    ],
    ['a last day that is misspelt', { rule: 'ui5/eval', reason: 'x', unti: '2020-01-01' }, 'config-unknown-in-entry', 'unti'],
    ['a day that is none', { id: 'a', reason: 'b', until: 'tomorrow' }, 'config-wrong-value', 'until'],
  ])('%s: the entry has no effect and is told, the others hold', (_, entry, reason, member) => {
    const kept = { rule: 'ui5/eval', path: 'b/**', reason: 'kept', '//': 'a comment' }
    const config = read({ exclude: ['c/**', 1], suppress: [kept, entry] })
    expect(config.suppress).toMatchObject([{ rule: 'ui5/eval', path: 'b/**', reason: 'kept' }])
    expect(config.exclude).toEqual(['c/**'])
    expect(config.notices.map((notice) => [notice.reason, notice.args?.['name']])).toEqual([
      ['config-wrong-value', 'exclude[1]'],
      [reason, `suppress[1].${member}`],
    ])
  })

  test.each([
    [{ reach: [{ path: 'a/**', reach: 'privilegd', reason: 'x' }] }, 'config-wrong-value', 'reach[0].reach'],
    [
      { severity: [{ rule: 'ui5/eval', severity: 'low', pth: 'a/**', reason: 'x' }] },
      'config-unknown-in-entry',
      'severity[0].pth',
    ],
    [{ flow: { sink: [] } }, 'config-unknown-member', 'flow.sink'],
    [{ flow: [] }, 'config-wrong-value', 'flow'],
  ])('%j is told by its place, and other settings hold', (given, reason, name) => {
    const usage = [{ path: 'tools/**', usage: 'unused', reason: 'run by hand' }]
    const config = read({ usage, ...given })
    expect(config.grades).toEqual({ reach: [], usage, severity: [] })
    expect(config.notices.map((notice) => [notice.reason, notice.args?.['name']])).toContainEqual([reason, name])
  })

  test('__proto__ is a member like any other', () => {
    expect(
      readConfig('{"__proto__":{"exclude":["**"]},"suppress":[{"__proto__":{"id":"a"},"reason":"x"}]}', TODAY).exclude,
    ).toEqual([])
    expect(Reflect.get({}, 'exclude')).toBe(undefined)
  })

  test('whatever it holds, it never throws, and its notices have words', () => {
    const entry = fc.record(
      { id: fc.anything(), rule: fc.anything(), reason: fc.anything(), until: fc.anything(), path: fc.anything() },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.record({ exclude: fc.anything(), suppress: fc.array(fc.oneof(entry, fc.anything())) }, { requiredKeys: [] }),
        ),
        (config) => {
          const text = tryToText(config)
          for (const { code, reason } of readConfig(text, TODAY).notices) expect(NOTICE_KEYS).toContain(`${code}/${reason}`)
        },
      ),
      { numRuns: runs(10_000) },
    )
    expect(reasons({ suppress: [{}] })).toEqual(['config-no-target'])
  })
})

function tryToText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'undefined'
  } catch {
    return ''
  }
}
