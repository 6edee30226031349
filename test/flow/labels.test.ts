import { expect, test } from 'vitest'
import { createLabelTable } from '../../core/flow/solve/label-table.ts'
import type { Label } from '../../core/flow/solve/labels.ts'
import { PREFIXED, TAGGED } from '../../core/flow/tables/web.ts'

const LABEL: Label = { origin: 'url', fields: [], cleaned: [], concatenated: false, logged: false, weak: false }
const createTable = (): ReturnType<typeof createLabelTable> =>
  createLabelTable({ reads: new Set(['name']), faults: new Set(['ui5/eval', 'ui5/xss-dom-sink']) })

test.each<[string, readonly string[]]>([
  ['a rule', ['ui5/eval']],
  ['several rules', ['ui5/eval', 'ui5/xss-dom-sink']],
  ['all rules about texts', ['plain']],
])('what is harmless for %s tells nothing beside what is not', (_, cleaned) => {
  const table = createTable()
  const lesser = table.of({ ...LABEL, cleaned })
  expect(table.bare(lesser)).toBeUndefined()
  const bare = table.of(LABEL)
  expect(table.bare(lesser)).toBe(bare)
  expect(table.bare(bare)).toBeUndefined()
})

test.each<[string, Partial<Label>]>([
  ['another origin', { origin: 'input' }],
  ['a field', { fields: ['name'] }],
  ['a part of a text', { concatenated: true }],
  ['a beginning that is fixed', { cleaned: [PREFIXED, 'ui5/eval'].sort() }],
  ['what a sink asks for', { cleaned: [TAGGED, 'ui5/eval'].sort() }],
  ['fields that were written over', { cleaned: ['-name', 'ui5/eval'] }],
])('%s tells something beside a value that nothing was done to', (_, other) => {
  const table = createTable()
  const bare = table.of(LABEL)
  const told = table.of({ ...LABEL, cleaned: ['ui5/eval'], ...other })
  expect(table.bare(told)).not.toBe(bare)
})

test('that a value is harmless for rules without sinks is not remembered', () => {
  const table = createTable()
  expect(table.of({ ...LABEL, cleaned: ['cap/ssrf'] })).toBe(table.of(LABEL))
  expect(table.of({ ...LABEL, cleaned: ['ui5/eval'] })).not.toBe(table.of(LABEL))
})
