import { describe, expect, test } from 'vitest'
import { runs } from '../soak.ts'
import { drawLeak } from './draw-leak.ts'
import { BATCH, findLeaks, indexParts, leaksIn, seedsOf } from './find-leaks.ts'

/** `npm run fuzz leaks` draws others. */
const DRAWS = 20_000

describe('values of all formats and random ones, beside findings in all kinds of files', () => {
  const batches = Math.ceil(runs(DRAWS, 20) / BATCH)
  test.each(Array.from({ length: batches }, (_, batch) => batch))('nothing of 250 draws is told: batch %i', async (batch) => {
    const { findings, leaks } = await findLeaks(seedsOf(String(batch)))
    expect(findings).toBeGreaterThan(BATCH / 2)
    expect(leaks).toEqual(Object.fromEntries(Object.keys(leaks).map((output) => [output, []])))
  })
})

test('a leak is noticed', () => {
  const leak = drawLeak('0 0')
  expect(leaksIn(`x ${leak.value} y`, indexParts([leak]))).toEqual([leak.name])
})
