import { setTimeout } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { createGarbageCollector, MUCH_HELD } from '../../adapters/node/collect-garbage.ts'

/** In a function of its own, so that nothing on the stack holds it. */
function allocate(bytes: number): WeakRef<Uint8Array> {
  return new WeakRef(new Uint8Array(new SharedArrayBuffer(bytes)).fill(1))
}

test('the memory of a large upload is given back soon after its scan', async () => {
  const upload = allocate(32 * 1024 * 1024)
  await setTimeout(10)
  expect(upload.deref()?.byteLength).toBe(32 * 1024 * 1024)
  createGarbageCollector().afterScan(32 * 1024 * 1024)
  await setTimeout(1500)
  expect(upload.deref()).toBeUndefined()
})

test('after a small one nothing is looked for', async () => {
  const upload = allocate(1000)
  await setTimeout(10)
  createGarbageCollector().afterScan(1000)
  await setTimeout(700)
  expect(upload.deref()?.byteLength).toBe(1000)
})

test('the buffers of messages that are read are given back between them', () => {
  const garbage = createGarbageCollector()
  let most = 0
  for (let message = 0; message < 40; message++) {
    new Uint8Array(1024 * 1024).fill(1)
    if (message % 4 === 3) garbage.collectYoung()
    most = Math.max(most, process.memoryUsage().arrayBuffers)
  }
  expect(most).toBeLessThan(process.memoryUsage().arrayBuffers + 12 * 1024 * 1024)
})

test('before a report what a crowded heap holds in vain is given back', () => {
  const garbage = createGarbageCollector()
  const kept: object[] = []
  // other tests may have filled the heap before
  while (kept.length < 200 || getHeapStatistics().used_heap_size < 100 * 1024 * 1024) {
    kept.push(Array.from({ length: 10_000 }, (_, index) => ({ index })))
  }
  const before = getHeapStatistics().used_heap_size
  kept.length = 0
  garbage.beforeReport()
  expect(getHeapStatistics().used_heap_size).toBeLessThan(before - 20 * 1024 * 1024)
})

test.each(['beforeReport', 'compact'] as const)('where a scan left much what is left is moved together: %s', async (when) => {
  const garbage = createGarbageCollector()
  const many: unknown[] = []
  // other tests may have filled the process before
  while (many.length < 400 || process.memoryUsage.rss() < MUCH_HELD + 100e6)
    many.push(Array.from({ length: 10_000 }, (_, index) => ({ index })))
  // a little of each page, which stays whole for it
  const kept = many.map((list) => (Array.isArray(list) ? list.filter((_, index) => index % 500 === 0) : []))
  many.length = 0
  // collects, but moves nothing
  garbage.afterScan(32 * 1024 * 1024)
  await setTimeout(1500)
  const scattered = getHeapStatistics().total_heap_size
  garbage[when]()
  expect(getHeapStatistics().total_heap_size).toBeLessThan(scattered - 40e6)
  expect(kept.flat().length).toBeGreaterThan(1000)
})
