import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openStorage } from '../../adapters/node/open-storage.ts'
import { logFaults } from '../../core/log.ts'
import { expectKept, startDecider } from '../node/deciders.ts'
import { runs } from '../soak.ts'
import { startRedis } from './redis.ts'

async function expectKeptIn(url: string, accepted: ReadonlyMap<string, string>, beside: number): Promise<void> {
  const storage = await openStorage(url, logFaults)
  onTestFinished(() => storage?.dispose())
  if (storage === undefined) throw new Error('Redis is a storage')
  await expectKept(storage, accepted, beside)
}

test('four processes decide at once on 50 findings in one Redis: each accepted decision is kept, each other one was refused', async () => {
  const { url } = await startRedis()
  const deciders = Array.from({ length: 4 }, () => startDecider(url, 250, 50))
  await Promise.all(deciders.map(({ exit }) => exit))
  const accepted = new Map(deciders.flatMap((one) => [...one.accepted]))
  const refused = deciders.reduce((sum, one) => sum + one.refused, 0)
  expect(accepted.size + refused).toBe(1000)
  process.stdout.write(`Redis: ${accepted.size} decisions accepted, ${refused} refused\n`)
  await expectKeptIn(url, accepted, 0)
})

test('what was acknowledged is in Redis after a kill of its writer at any moment', async () => {
  const { url } = await startRedis()
  const accepted = new Map<string, string>()
  for (let round = 0; round < runs(200, 20); round++) {
    const one = startDecider(url, 1_000_000, 20)
    while (one.accepted.size === 0 && one.child.exitCode === null) await sleep(2)
    await sleep((round * 37) % 90)
    one.child.kill('SIGKILL')
    await one.exit
    for (const [reason, id] of one.accepted) accepted.set(reason, id)
  }
  process.stdout.write(`Redis: ${accepted.size} decisions, ${runs(200, 20)} kills\n`)
  await expectKeptIn(url, accepted, runs(200, 20))
})
