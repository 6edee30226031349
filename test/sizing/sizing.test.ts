import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createChance } from '../hostile/mutate.ts'
import { FIGURES, figures, PAGE, putSizing } from './page.ts'
import { simulate, type Scenario } from './simulate.ts'

const KIND = { share: 1, seconds: 1, archiveBytes: 1000, isLarge: false }
const CALM: Scenario = {
  kinds: [KIND],
  arrivals: 0.5,
  scans: 20_000,
  burstShare: 0,
  burstSize: 1,
  workers: 1,
  lossEvery: Infinity,
  noticedAfter: 20,
  backAfter: 30,
}
const run = (changes: Partial<Scenario>): ReturnType<typeof simulate> => simulate({ ...CALM, ...changes }, createChance(1))

test('the tables of the operations page are those of the figures that were measured', () => {
  const page = readFileSync(PAGE, 'utf8')
  const all = figures.parse(JSON.parse(readFileSync(FIGURES, 'utf8')))
  if (process.env['UPDATE'] === undefined) expect(page).toBe(putSizing(page, all))
})

test('a queue behaves as queues do: more workers wait less, bursts and losses wait more', () => {
  const calm = run({})
  expect(calm.small.p50).toBeLessThan(1.5)
  expect(run({ workers: 4 }).small.p99).toBeLessThan(calm.small.p99)
  expect(run({ burstShare: 0.5, burstSize: 100 }).small.p99).toBeGreaterThan(calm.small.p99 * 5)
  const lossy = run({ lossEvery: 500 })
  expect(lossy.small.lost).toBeGreaterThan(10)
  expect(lossy.small.p99).toBeGreaterThan(calm.small.p99)
  expect(calm.small.lost).toBe(0)
})

test('twice what a worker can do waits ever longer', () => {
  const { small, waitingBytes } = run({ arrivals: 3, scans: 10_000 })
  expect(small.p99).toBeGreaterThan(1000)
  expect(small.most).toBeGreaterThan(5000)
  expect(waitingBytes).toBe(small.most * KIND.archiveBytes)
})

test('large scans hold up no small ones', () => {
  const large = { ...KIND, share: 0.01, seconds: 200, isLarge: true }
  const mixed = run({ kinds: [{ ...KIND, share: 0.99 }, large] })
  expect(mixed.large.p99).toBeGreaterThan(100)
  expect(mixed.small.p99).toBeLessThan(run({}).small.p99 * 1.5)
})

test('the waiting time of one place is what theory says of it', () => {
  // Pollaczek and Khinchine: load / (1 - load) * (1 + variance of a scan) / 2 seconds on average; an exact median is not known, half and double of that bound it
  const { small } = run({ arrivals: 0.7, scans: 50_000 })
  expect(small.p50).toBeGreaterThan(0.35)
  expect(small.p50).toBeLessThan(3)
})
