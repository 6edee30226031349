import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createStorage } from 'unstorage'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createDurableStorage } from '../../adapters/node/durable-storage.ts'
import { createDecisions } from '../../core/projects/decisions.ts'
import { runs } from '../soak.ts'
import { expectKept, startDecider } from './deciders.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-decisions-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

const silent = (): undefined => undefined

test('four processes decide at once on 50 findings: each accepted decision is kept, each other one was refused', async () => {
  const deciders = Array.from({ length: 4 }, () => startDecider(folder, runs(1000) / 4, 50))
  await Promise.all(deciders.map(({ exit }) => exit))
  const accepted = new Map(deciders.flatMap((one) => [...one.accepted]))
  const refused = deciders.reduce((sum, one) => sum + one.refused, 0)
  expect(accepted.size + refused).toBe(runs(1000))
  process.stdout.write(`${accepted.size} decisions accepted, ${refused} refused\n`)
  await expectKept(createDurableStorage(folder), accepted, 0)
}, 300_000)

test('what was acknowledged is there after a kill at any moment', async () => {
  const accepted = new Map<string, string>()
  let killed = 0
  for (let round = 0; round < runs(200, 20); round++) {
    const one = startDecider(folder, 1_000_000, 20)
    while (one.accepted.size === 0 && one.child.exitCode === null) await sleep(2)
    await sleep((round * 37) % 90)
    one.child.kill('SIGKILL')
    await one.exit
    killed += 1
    for (const [reason, id] of one.accepted) accepted.set(reason, id)
  }
  process.stdout.write(`${accepted.size} decisions, ${killed} kills\n`)
  await expectKept(createDurableStorage(folder), accepted, killed)
}, 600_000)

test('10,000 decided findings are listed by a process that starts for little more than reading their records', async () => {
  const storage = createDurableStorage(folder)
  const write = createDecisions(storage, silent, () => new Date('2026-11-20T08:00:00.000Z'))
  for (let number = 0; number < 10_000; number += 20)
    await write.decide(
      'project',
      Array.from({ length: 20 }, (_, index) => ({ id: `f${number + index}` })),
      { state: 'accepted', reason: 'Public data alone.' },
    )
  const ratios: number[] = []
  for (let round = 0; round < 3; round++) {
    let started = process.cpuUsage()
    for (const key of await storage.getKeys('decisions:')) JSON.stringify(await storage.getItem(key))
    const floor = cpuSince(started)
    const cold = createDecisions(createDurableStorage(folder), silent, () => new Date())
    started = process.cpuUsage()
    expect((await cold.read('project')).list()).toHaveLength(10_000)
    ratios.push(cpuSince(started) / floor)
  }
  const least = Math.min(...ratios)
  process.stdout.write(`10,000 decided findings listed cold at ${least.toFixed(1)} times what reading costs\n`)
  expect(least).toBeLessThan(3)
}, 60_000)

/** CPU of this process since then, in microseconds. */
function cpuSince(then: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(then)
  return user + system
}

test('a storage that has no exclusive call keeps order within a process, and a damaged record hides no other', async () => {
  const storage = createStorage()
  const decisions = createDecisions(storage, silent, () => new Date())
  const both = await Promise.all(
    ['one', 'other'].map((reason) => decisions.decide('project', [{ id: 'a' }], { state: 'accepted', reason })),
  )
  expect(both.map(({ kind }) => kind)).toEqual(['decided', 'changed'])
  await decisions.decide('project', [{ id: 'b' }], { state: 'accepted', reason: 'b' })
  await storage.setItem('decisions:project:00000001', 'damaged')
  const again = createDecisions(storage, silent, () => new Date())
  expect((await again.read('project')).list().map(({ findingId }) => findingId)).toEqual(['b'])
  expect((await again.decide('project', [{ id: 'a' }], { state: 'accepted', reason: 'again' })).kind).toBe('decided')
})

test('another process that deletes the project and begins it again is followed', async () => {
  const [one, other] = [0, 1].map(() => createDecisions(createDurableStorage(folder), silent, () => new Date()))
  const text = { state: 'accepted', reason: 'x' } as const
  for (const id of ['a', 'b', 'c']) await one?.decide('project', [{ id }], text)
  expect((await other?.read('project'))?.list()).toHaveLength(3)
  await one?.erase('project')
  await sleep(2)
  await one?.decide('project', [{ id: 'z' }], text)
  expect((await other?.read('project'))?.list().map(({ findingId }) => findingId)).toEqual(['z'])
})
