import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSettling } from '../../adapters/terminal/settle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('many events are one; what came while nobody waited is told at once; who waits goes on at the end', async () => {
  const stop = new AbortController()
  const changes = createSettling(50, stop.signal)
  let told = 0
  const wait = async (): Promise<void> => {
    await changes.settled()
    told++
  }
  void wait()
  for (let event = 0; event < 10; event++) {
    changes.touch()
    await vi.advanceTimersByTimeAsync(40)
  }
  expect(told).toBe(0)
  await vi.advanceTimersByTimeAsync(10)
  expect(told).toBe(1)
  changes.touch()
  await vi.advanceTimersByTimeAsync(60)
  expect(told).toBe(1)
  await wait()
  expect(told).toBe(2)
  const last = wait()
  stop.abort()
  await last
  expect(told).toBe(3)
})
