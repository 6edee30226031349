import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { createProcessJobs } from '../../core/jobs/process-jobs.ts'
import type { JobHold } from '../../core/jobs/types.ts'
import { scanOptions } from '../runners/projects.ts'
import { createOutcome } from './sample.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const createHold = (): JobHold => ({
  signal: new AbortController().signal,
  wait: () => undefined,
  release: () => undefined,
  end: () => undefined,
})

test('a job that is over holds neither its archive nor its report for as long as it is remembered', async () => {
  const held: WeakRef<object>[] = []
  const jobs = createProcessJobs({
    runner: async (_, options) => {
      const outcome = createOutcome(options)
      held.push(new WeakRef(outcome))
      return outcome
    },
    save: async () => undefined,
    onFailure: () => undefined,
    now: () => new Date(),
  })
  const submit = async (): Promise<string> => {
    const bytes = new Uint8Array(1000)
    held.push(new WeakRef(bytes))
    const source = { kind: 'archive', bytes, name: 'x' } as const
    const { id } = await jobs.submit({ space: '', requestId: '', source, options: scanOptions() }, createHold())
    return id
  }
  const id = await submit()
  await vi.waitFor(async () => expect((await jobs.find('', id)).state).toBe('done'))
  await vi.waitFor(() => {
    collectGarbage()
    expect(held.map((reference) => reference.deref() === undefined)).toEqual([true, true])
  })
  expect((await jobs.find('', id)).state).toBe('done')
})
