import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WorkDoneProgressReporter } from 'vscode-languageserver/node'
import { createScanProgress } from '../../adapters/editor/scan-progress.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

function fake(): { readonly told: string[]; create(): Promise<WorkDoneProgressReporter> } {
  const told: string[] = []
  const say = (what: string, ...args: readonly unknown[]): void => void told.push([what, ...args].join(' '))
  return {
    told,
    create: () =>
      Promise.resolve({
        begin: (...args) => say('begin', ...args),
        report: (...args: readonly unknown[]) => say('report', ...args),
        done: () => say('done'),
      }),
  }
}

test('a scan that takes a while is shown from then on, each folder by itself, and ends', async () => {
  const { told, create } = fake()
  const progress = createScanProgress(create, () => 'en')
  progress.tell('/a/halls', { phase: 'reading', done: 0, total: 4 })
  vi.advanceTimersByTime(900)
  progress.tell('/a/halls', { phase: 'reading', done: 1, total: 4 })
  await Promise.resolve()
  expect(told).toEqual([])
  vi.advanceTimersByTime(200)
  progress.tell('/a/halls', { phase: 'reading', done: 2, total: 4 })
  progress.tell('/a/halls', { phase: 'checking', done: 0, total: 1 })
  progress.tell('/a/halls', undefined)
  // of the next scan nothing is shown: it is short
  progress.tell('/a/halls', { phase: 'reading', done: 0, total: 4 })
  progress.tell('/a/halls', undefined)
  await vi.waitFor(() => expect(told.at(-1)).toBe('done'))
  expect(told).toEqual(['begin Parapet scans halls 40 Reading 2 of 4 files false', 'report 80 Checking', 'done'])
})

test('a client that shows none is asked for none', () => {
  const progress = createScanProgress(undefined, () => 'fr')
  progress.tell('/a', { phase: 'reading', done: 0, total: 4 })
  vi.advanceTimersByTime(5000)
  progress.tell('/a', { phase: 'reading', done: 1, total: 4 })
})
