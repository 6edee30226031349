import { setTimeout as sleep } from 'node:timers/promises'
import {
  isRefusal,
  Refusal,
  type Job,
  type JobHold,
  type JobOrder,
  type Jobs,
  type Log,
  type ScanProgress,
  type ScanRunner,
} from '../../../core/index.ts'
import { abortError } from '../scan-job.ts'
import type { Blobs } from './blobs.ts'
import { openBoard } from './board.ts'
import { createUnavailable, openQuick, untilReady, warnOfLoss } from './connection.ts'
import { openJobEvents } from './job-events.ts'
import { archiveOf, laneOf, readResult, toJobData, type JobData } from './job-data.ts'
import { unpackOutcome } from './outcome-bytes.ts'
import { createRegister, type JobNote } from './register.ts'

/** The side of a shared queue that puts scans there and waits for them. */
export interface QueueClient {
  /** Scans for whoever waits: in some process, by way of the queue. */
  readonly runner: ScanRunner
  readonly jobs: Jobs
  /** What waits for a worker now. Rejects while Redis is away. */
  load(): Promise<QueueLoad>
  close(): Promise<void>
}

/** Scans of all processes that wait, and how many seconds the oldest one has waited. */
export interface QueueLoad {
  readonly waiting: number
  readonly oldest: number
}

export interface QueueClientOptions {
  readonly url: string
  readonly blobs: Blobs
  readonly log: Log
}

/** How long a start waits for Redis before it goes on without. */
const START_MS = 3000

/** How often a job is looked at, should its events be lost; and for how long Redis may be away until whoever waits is told. */
const LOOK_MS = 1000
const MOST_AWAY_MS = 20_000

/** Attempts to claim a key whose job has failed meanwhile. */
const CLAIMS = 3

const ENDED: ReadonlySet<Job['state']> = new Set(['done', 'failed', 'cancelled'])

export async function openQueueClient({ url, blobs, log }: QueueClientOptions): Promise<QueueClient> {
  const redis = openQuick(url, log)
  const register = createRegister(redis)
  const board = openBoard(redis, register)
  const events = openJobEvents(url, log)
  await untilReady(redis, START_MS)
  await warnOfLoss(redis, log)

  /** What Redis or the storage of blobs could not do is the refusal `queue-unavailable`. */
  async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw isRefusal(error) ? error : createUnavailable(error)
    }
  }

  async function put(order: JobOrder, keep: JobData['keep']): Promise<void> {
    const data = toJobData(order, keep)
    const { scanId: id } = order.options
    const { space, submittedAt } = data
    const archive = archiveOf(data)
    try {
      const open = await register.open(id, { space, submittedAt }, keep === 'report')
      if (archive !== undefined && order.source.kind === 'archive') {
        await register.noteBlob(archive)
        await blobs.write(archive, order.source.bytes)
      }
      await board.add(laneOf(order), data, 1 + open)
    } catch (error) {
      // what was not acknowledged is taken back, as far as that is possible now; the rest is swept
      await Promise.allSettled([board.take(id), archive && removeArchive(archive), register.forget(id, space)])
      throw error
    }
    await register.arrived(id).catch(() => undefined)
  }

  async function removeArchive(archive: NonNullable<ReturnType<typeof archiveOf>>): Promise<void> {
    await blobs.remove(archive)
    await register.dropBlob(archive)
  }

  /** One that waits goes at once; of one that runs its worker hears soon. */
  async function cancel(id: string, note: JobNote): Promise<void> {
    const found = await board.look(id)
    if (found?.isEnded === true) return
    await register.cancel(id, note)
    if (found === undefined || !(await board.take(id))) return
    await register.close(id, note.space)
    const archive = archiveOf(found.data)
    // what can't be removed now is swept
    if (archive !== undefined) await removeArchive(archive).catch(() => undefined)
  }

  /** The job when it has ended. Rejects with the reason of the signal, and where Redis is away for long. */
  async function untilEnded(
    id: string,
    onProgress: (progress: ScanProgress) => void,
    signal: AbortSignal | undefined,
  ): Promise<NonNullable<Awaited<ReturnType<typeof board.find>>>> {
    let wake = (): void => undefined
    let answered = Date.now()
    const stop = events.listen(id, { progress: onProgress, changed: () => wake() })
    const abort = (): void => wake()
    signal?.addEventListener('abort', abort, { once: true })
    try {
      for (;;) {
        signal?.throwIfAborted()
        const woken = new Promise<void>((resolve) => (wake = resolve))
        try {
          const found = await board.find(id)
          answered = Date.now()
          if (found === undefined) throw new Refusal('job-not-found')
          if (ENDED.has(found.job.state)) return found
          const { state, position } = found.job
          if (state === 'waiting') onProgress({ phase: 'waiting', done: 0, total: position })
        } catch (error) {
          if (isRefusal(error) || Date.now() - answered > MOST_AWAY_MS) throw error
        }
        await Promise.race([woken, sleep(LOOK_MS)])
      }
    } finally {
      signal?.removeEventListener('abort', abort)
      stop()
    }
  }

  const runner: ScanRunner = async (source, options, control) => {
    const { signal, space = '', onProgress = () => undefined } = control
    if (signal?.aborted === true) throw abortError()
    const id = options.scanId
    const note = { space, submittedAt: options.scannedAt }
    await orUnavailable(() => put({ space, requestId: '', source, options }, 'outcome'))
    let found
    try {
      found = await orUnavailable(() => untilEnded(id, onProgress, signal))
    } catch (error) {
      // nobody waits for it any more
      await cancel(id, note).catch(() => undefined)
      throw isAborted(signal) ? abortError() : error
    }
    const { job, result } = found
    if (job.failure !== undefined) throw new Refusal(job.failure.code, job.failure.details)
    if (job.state === 'cancelled') throw abortError()
    return orUnavailable(async () => {
      const blob = { id, part: 'outcome' as const, size: readResult(result) }
      const bytes = await blobs.read(blob)
      if (bytes === undefined) throw new Error('the report of a scan is gone')
      await Promise.allSettled([blobs.remove(blob).then(() => register.dropBlob(blob)), board.drop(id)])
      return unpackOutcome(bytes)
    })
  }

  const find = async (space: string, id: string): Promise<Job> => {
    const found = await orUnavailable(() => board.find(id))
    if (found === undefined || found.space !== space || !found.isListed) throw new Refusal('job-not-found')
    return found.job
  }

  /** The job that the same key began. Throws the refusal `idempotency-mismatch`. */
  async function findClaimed({ space, key, options }: JobOrder): Promise<Job | undefined> {
    if (key === undefined) return undefined
    for (let claims = 0; claims < CLAIMS; claims++) {
      const claimed = await register.claim(space, key.name, { id: options.scanId, hash: key.hash })
      if (claimed === undefined) return undefined
      const found = await board.find(claimed.id)
      const isOfUse = found !== undefined && found.job.state !== 'failed' && found.job.state !== 'cancelled'
      if (isOfUse && claimed.hash !== key.hash) throw new Refusal('idempotency-mismatch')
      if (isOfUse) return found.job
      // of a scan that gave no report the client may want another one
      await register.release(space, key.name)
    }
    throw new Error('a key was claimed by others again and again')
  }

  const submit = async (order: JobOrder, hold: JobHold): Promise<Job> => {
    try {
      return await orUnavailable(async () => {
        const claimed = await findClaimed(order)
        if (claimed !== undefined) return claimed
        try {
          await put(order, 'report')
        } catch (error) {
          if (order.key !== undefined) await register.release(order.space, order.key.name).catch(() => undefined)
          throw error
        }
        const { scanId: id, scannedAt } = order.options
        const known = await board.find(id).catch(() => undefined)
        return known?.job ?? { id, state: 'waiting', phase: 'waiting', done: 0, total: 1, position: 1, submittedAt: scannedAt }
      })
    } finally {
      hold.release()
      hold.end()
    }
  }

  const jobs: Jobs = {
    place: 'queue',
    submit,
    find,
    list: (space, { state, limit = Infinity, offset = 0 }) =>
      orUnavailable(async () => {
        const wanted: Job[] = []
        let passed = 0
        for (let at = 0; wanted.length < limit; at += LISTED_AT_ONCE) {
          const ids = await register.list(space, at, LISTED_AT_ONCE)
          for (const found of await Promise.all(ids.map((id) => board.find(id)))) {
            if (found === undefined || (state !== undefined && found.job.state !== state)) continue
            if (passed++ >= offset && wanted.length < limit) wanted.push(found.job)
          }
          if (ids.length < LISTED_AT_ONCE) break
        }
        return wanted
      }),
    cancel: async (space, id) => {
      const { submittedAt } = await find(space, id)
      await orUnavailable(() => cancel(id, { space, submittedAt }))
    },
    async watch(space, id, onProgress, signal) {
      await find(space, id)
      return (await orUnavailable(() => untilEnded(id, onProgress, signal))).job
    },
    check: () => orUnavailable(async () => void (await redis.ping())),
  }

  return {
    runner,
    jobs,
    async load() {
      const { waiting, since } = await board.load()
      return { waiting, oldest: since === undefined ? 0 : Math.max(0, Date.now() - since) / 1000 }
    },
    async close() {
      await events.close()
      await board.close()
      redis.disconnect()
    },
  }
}

/** Jobs that are asked for at once. */
const LISTED_AT_ONCE = 50

/** By a call: the compiler takes a flag that it has seen for one that stays. */
const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true
