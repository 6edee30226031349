import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listMeasures, type Figures } from './house.ts'

const FILE = new URL('house.json', import.meta.url)
const HOUSE = z.record(z.string(), z.record(z.string(), z.number()))

const committed = HOUSE.parse(JSON.parse(readFileSync(FILE, 'utf8')))
const measures = listMeasures()
const isUpdating = process.env['UPDATE'] !== undefined

function sumOf(figures: Figures): number {
  return Object.values(figures).reduce((sum, figure) => sum + figure, 0)
}

function raisedIn(figures: Figures, before: Figures): readonly string[] {
  return Object.entries(figures).flatMap(([name, figure]) =>
    figure > (before[name] ?? 0) ? [`${name}: ${figure}, at most ${before[name] ?? 0}`] : [],
  )
}

describe('the house in which scripts are understood', () => {
  const written: Record<string, Figures> = {}

  test.each(measures.map((measure) => [measure.name, measure] as const))('%s: no more than before', (name, { advice, read }) => {
    const figures = read()
    const before = committed[name] ?? {}
    // what moves from one file to another may, as long as there is no more of it
    const isLess = sumOf(figures) <= sumOf(before)
    written[name] = isUpdating && isLess ? figures : before
    if (isUpdating && isLess) return
    const raised = raisedIn(figures, before)
    expect(
      raised,
      `There is more of "${name}" (${sumOf(figures)}, it was ${sumOf(before)}).\n${raised.join('\n')}\n` +
        `What to do: ${advice}.\nIf it only moved, and the sum is no higher, \`npm run update\` writes the new places down.`,
    ).toEqual([])
  })

  test('what is committed is measured', () => {
    expect(Object.keys(committed).sort()).toEqual(measures.map(({ name }) => name).sort())
    expect(measures.filter(({ read }) => sumOf(read()) > 0).length).toBeGreaterThan(0)
    if (isUpdating) writeFileSync(FILE, `${JSON.stringify(written, null, 2)}\n`)
  })
})
