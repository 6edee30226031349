import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundleForNode } from '../bundle.ts'

test('a bundle is Latin-1: one character beyond it, such as in a regular expression, doubles the source in memory and slows all that is compiled', () => {
  const text = readFileSync(bundleForNode('adapters/node/scan-worker.ts'), 'utf8')
  const beyond = [...text.matchAll(/.{0,60}[^\u0000-\u00ff].{0,20}/gu)].map(([around]) => around)
  expect(text.length).toBeGreaterThan(100_000)
  expect(beyond).toEqual([])
})
