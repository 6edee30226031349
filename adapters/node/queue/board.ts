import { Queue, type Job as QueuedJob } from 'bullmq'
import type { Redis } from 'ioredis'
import { JOB_KEPT_MS, type Job } from '../../../core/index.ts'
import { closeSoon } from './connection.ts'
import { LANES, nameOf, readFailure, readJobData, readProgress, type JobData, type Lane } from './job-data.ts'
import type { JobNote, Register } from './register.ts'

/** Before every key of BullMQ. */
export const PREFIX = 'parapet-queue'

/** Runs of one job whose workers were lost; and milliseconds between runs that failed of something that may pass. */
export const MAX_RUNS = 3
const BACKOFF_MS = 1000

/** Open jobs that are looked at at once for the oldest one that waits. */
const OPEN_AT_ONCE = 100

const WAITING = ['prioritized', 'wait', 'delayed'] as const

/** The queues of all lanes, and what is on them. Rejects while Redis is away. */
export interface Board {
  add(lane: Lane, data: JobData, priority: number): Promise<void>
  /** A job of a client that may ask for it; undefined: there is none. */
  find(
    id: string,
  ): Promise<{ readonly job: Job; readonly space: string; readonly isListed: boolean; readonly result: unknown } | undefined>
  /** What lies there of a job; `isEnded`: nobody works on it any more. */
  look(id: string): Promise<{ readonly data: JobData; readonly isEnded: boolean } | undefined>
  /** True: it waited, and is gone from the queue. */
  take(id: string): Promise<boolean>
  /** Whoever waited for it has it. */
  drop(id: string): Promise<void>
  /** Jobs that wait, those that are tried again among them, and since when the oldest one has waited: milliseconds since 1970. */
  load(): Promise<{ readonly waiting: number; readonly since: number | undefined }>
  close(): Promise<void>
}

/** The queue of a lane. What goes wrong with its connection, the connection itself tells. */
export function openQueue(lane: Lane, redis: Redis): Queue {
  const queue = new Queue(nameOf(lane), {
    connection: redis,
    prefix: PREFIX,
    skipWaitingForReady: true,
    skipVersionCheck: true,
  })
  queue.on('error', () => undefined)
  return queue
}

export function openBoard(redis: Redis, register: Register): Board {
  const queues = new Map(LANES.map((lane) => [lane, openQueue(lane, redis)] as const))

  /** The state is asked for first: what a job ended with is then there too. */
  async function seek(id: string): Promise<{ queue: Queue; queued: QueuedJob; state: string } | undefined> {
    for (const queue of queues.values()) {
      const state = await queue.getJobState(id)
      const queued = state === 'unknown' ? undefined : await queue.getJob(id)
      if (queued !== undefined) return { queue, queued, state }
    }
    return undefined
  }

  /** 1: the next one. */
  async function positionOf(queue: Queue, id: string): Promise<number> {
    const rank = await redis.zrank(queue.toKey('prioritized'), id)
    return (rank ?? 0) + 1
  }

  /** Since when the oldest waiting job of a name space has waited. Running ones, and such as a crash left open, come before it. */
  async function oldestOf(space: string): Promise<number | undefined> {
    for (let offset = 0; ; offset += OPEN_AT_ONCE) {
      const open = await register.listOpen(space, offset, OPEN_AT_ONCE)
      if (open.length === 0) return undefined
      const work = redis.pipeline()
      for (const { id } of open) for (const queue of queues.values()) work.zscore(queue.toKey('prioritized'), id)
      const scores = (await work.exec()) ?? []
      const found = scores.findIndex(([error, score]) => error === null && score !== null)
      if (found >= 0) return open[Math.floor(found / queues.size)]?.since
    }
  }

  async function toJob({ queue, queued, state }: NonNullable<Awaited<ReturnType<typeof seek>>>, data: JobData): Promise<Job> {
    const { submittedAt, options } = data
    const told = readProgress(queued.progress) ?? { phase: 'waiting', done: 0, total: 1 }
    const job = { id: options.scanId, ...told, position: 0, submittedAt }
    if (state === 'completed') return { ...job, state: 'done' }
    if (state === 'active') return { ...job, state: 'running' }
    if (state !== 'failed')
      return { ...job, phase: 'waiting', done: 0, state: 'waiting', position: await positionOf(queue, options.scanId) }
    const refusal = readFailure(queued.failedReason)
    if (refusal === undefined) return { ...job, state: 'cancelled' }
    const { code, details } = refusal
    return { ...job, state: 'failed', failure: { code, details, requestId: data.requestId } }
  }

  return {
    async add(lane, data, priority) {
      const kept = { age: JOB_KEPT_MS / 1000 }
      await queues.get(lane)?.add('scan', data, {
        jobId: data.options.scanId,
        priority,
        attempts: MAX_RUNS,
        backoff: { type: 'exponential', delay: BACKOFF_MS },
        removeOnComplete: kept,
        removeOnFail: kept,
      })
    },

    async find(id) {
      const found = await seek(id)
      const cancelled = await register.cancelled(id)
      if (found === undefined) {
        const pending = cancelled === undefined ? await register.pending(id) : undefined
        const note = cancelled ?? pending
        if (note === undefined) return undefined
        return { job: noteToJob(id, note, cancelled !== undefined), space: note.space, isListed: true, result: undefined }
      }
      const data = readJobData(found.queued.data)
      const job = await toJob(found, data)
      const isCancelled = cancelled !== undefined && (job.state === 'waiting' || job.state === 'running')
      return {
        job: isCancelled ? { ...job, state: 'cancelled', position: 0 } : job,
        space: data.space,
        isListed: data.keep === 'report',
        result: found.queued.returnvalue,
      }
    },

    async look(id) {
      const found = await seek(id)
      if (found === undefined) return undefined
      return { data: readJobData(found.queued.data), isEnded: found.state === 'completed' || found.state === 'failed' }
    },

    async take(id) {
      for (const queue of queues.values()) if ((await queue.remove(id)) === 1) return true
      return false
    },

    async drop(id) {
      for (const queue of queues.values()) await queue.remove(id)
    },

    async load() {
      const counts = await Promise.all([...queues.values()].map((queue) => queue.getJobCountByTypes(...WAITING)))
      const times = await Promise.all((await register.spaces()).map(oldestOf))
      const since = times.reduce(
        (oldest, time) => (oldest === undefined || (time !== undefined && time < oldest) ? time : oldest),
        undefined,
      )
      return { waiting: counts.reduce((sum, count) => sum + count, 0), since }
    },

    async close() {
      for (const queue of queues.values()) await closeSoon(() => queue.close())
    },
  }
}

function noteToJob(id: string, { submittedAt }: JobNote, isCancelled: boolean): Job {
  const state = isCancelled ? 'cancelled' : 'waiting'
  return { id, state, phase: 'waiting', done: 0, total: 1, position: isCancelled ? 0 : 1, submittedAt }
}
