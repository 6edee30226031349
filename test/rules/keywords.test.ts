import { expect, test } from 'vitest'
import { RULES } from '../../core/rules/index.ts'

const SCRIPTS = ['script', 'server-script', 'browser-script'] as const

test('a rule on scripts has keywords: without them the facts of every script would be collected for it', () => {
  const rules = RULES.filter(({ checks }) => SCRIPTS.some((subject) => checks[subject] !== undefined))
  expect(rules.length).toBeGreaterThan(20)
  expect(rules.filter(({ keywords = [] }) => keywords.length === 0).map(({ id }) => id)).toEqual([])
})
