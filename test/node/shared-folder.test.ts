import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createDurableStorage } from '../../adapters/node/durable-storage.ts'
import { createHistory, type History } from '../../core/history.ts'
import { createOutcome } from '../api/sample.ts'
import { runs } from '../soak.ts'
import { hashOf, startSaver } from './savers.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-shared-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

const open = (now = Date.now()): History =>
  createHistory(createDurableStorage(folder, { now: () => now }), { now: () => new Date(now), log: () => undefined })

const fresh = (): ReturnType<typeof createOutcome> =>
  createOutcome({ scanId: '0198c0de-0000-7000-8000-000000000000', scannedAt: '2026-11-20T12:00:00.000Z', projectName: 'x' })

test('processes on one folder lose nothing of each other, and what is removed stays removed', async () => {
  const savers = Array.from({ length: 4 }, () => startSaver(folder, runs(500)))
  // read meanwhile: every list is of whole scans
  const reader = open()
  const over = new AbortController()
  const reading = (async () => {
    while (!over.signal.aborted) {
      await reader.list({ limit: 50 })
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  await Promise.all(savers.map(({ exit }) => exit))
  over.abort()
  await reading
  const kept = savers.flatMap(({ saved, removed }) => [...saved].filter(([id]) => !removed.has(id)))
  expect(kept.length).toBe(savers.length * (runs(500) - Math.ceil(runs(500) / 5)))
  for (const history of [reader, open()]) {
    const listed = (await history.list()).map(({ scanId }) => scanId)
    expect(listed).toEqual(
      kept
        .map(([id]) => id)
        .toSorted()
        .toReversed(),
    )
  }
  for (const [id, hash] of kept) expect(await hashOf(reader, id)).toBe(hash)
  // no folder of a scan that is gone stays behind
  expect(readdirSync(join(folder, 'reports'))).toHaveLength(kept.length)
  expect(readdirSync(join(folder, '.tmp'))).toEqual([])
}, 300_000)

test('what was acknowledged is there after a kill at any moment; what a kill left in the middle of a write is swept', async () => {
  const acknowledged = new Map<string, string>()
  let torn = 0
  for (let round = 0; round < runs(200, 20); round++) {
    const { child, saved, removed, exit, begun } = startSaver(folder, 1_000_000)
    await begun
    while (saved.size === 0) await new Promise((resolve) => setTimeout(resolve, 2))
    await new Promise((resolve) => setTimeout(resolve, (round * 37) % 150))
    child.kill('SIGKILL')
    await exit
    for (const [id, hash] of saved) if (!removed.has(id)) acknowledged.set(id, hash)
    torn += readdirSync(join(folder, '.tmp')).length
  }
  const listed = new Set((await open().list()).map(({ scanId }) => scanId))
  expect(acknowledged.size).toBeGreaterThan(0)
  for (const [id, hash] of acknowledged) {
    expect(listed).toContain(id)
    expect(await hashOf(open(), id)).toBe(hash)
  }

  // young ones may be somebody's: they stay
  await open().save(fresh())
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(readdirSync(join(folder, '.tmp')).length > 0).toBe(torn > 0)
  const old = Date.now() / 1000 - 11 * 60
  for (const name of readdirSync(join(folder, '.tmp'))) utimesSync(join(folder, '.tmp', name), old, old)
  await open().save({ ...fresh(), entry: { ...fresh().entry, scanId: '0198c0de-0000-7000-8000-000000000001' } })
  await expect.poll(() => readdirSync(join(folder, '.tmp'))).toEqual([])

  // records without a summary, a day later
  const later = open(Date.now() + 25 * 60 * 60 * 1000)
  const last = { ...fresh(), entry: { ...fresh().entry, scanId: '0198c0de-0000-7000-8000-000000000002' } }
  // by that clock its own temporary file is a day old, and may be swept while it is written
  await later.save(last).catch(() => later.save(last))
  await expect
    .poll(() => readdirSync(join(folder, 'reports')).toSorted())
    .toEqual(readdirSync(join(folder, 'summaries')).toSorted())
}, 600_000)
