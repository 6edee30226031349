import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createEngine } from '../../core/engine.ts'
import { FLOW_KEYWORDS } from '../../core/flow/index.ts'
import type { WordPlaces } from '../../core/keywords/index.ts'
import { RULES } from '../../core/rules/index.ts'

const SCRIPTS = ['script', 'server-script', 'browser-script'] as const

test('a rule on scripts has keywords: without them the facts of every script would be collected for it', () => {
  const rules = RULES.filter(({ checks }) => SCRIPTS.some((subject) => checks[subject] !== undefined))
  expect(rules.length).toBeGreaterThan(20)
  expect(rules.filter(({ keywords = [] }) => keywords.length === 0).map(({ id }) => id)).toEqual([])
})

test('a prefilter asks the hits for words that the keyword index looks for: another one is never found', () => {
  const { rules, extracts } = createEngine(RULES)
  const filtering = [...rules.values(), ...extracts]
  const known = new Set([...FLOW_KEYWORDS, ...filtering.flatMap(({ keywords = [], words = [] }) => [...keywords, ...words])])
  const asked = new Set<string>()
  const hits = (isThere: boolean): WordPlaces => ({
    has: (word) => (asked.add(word), isThere),
    places: (_, words) => {
      for (const word of words) asked.add(word)
      return isThere ? [0] : []
    },
  })
  // what is asked next depends on what a text holds
  const text = readFileSync(new URL('examples.test.ts', import.meta.url), 'utf8')
  for (const { prefilter } of filtering) for (const isThere of [true, false]) prefilter?.(text, hits(isThere))
  expect(asked.size).toBeGreaterThan(100)
  expect([...asked].filter((word) => !known.has(word))).toEqual([])
})
