import { isRefusal, Refusal } from '../errors.ts'
import type { Outcome, ScanProgress, ScanRunner } from '../types.ts'
import { untilAborted } from '../until-aborted.ts'
import { keepTrying } from './keep-trying.ts'
import type { Job, JobHold, JobOrder, JobQuery, Jobs, JobState } from './types.ts'

export interface ProcessJobsOptions {
  readonly runner: ScanRunner
  /** Stores the report. May be called more than once for one scan, where the storage is away. */
  readonly save: (order: JobOrder, outcome: Outcome) => Promise<void>
  /** Told once of each job that failed. */
  readonly onFailure: (order: JobOrder, error: unknown) => void
  readonly now: () => Date
}

/** How long a job can be asked for once it ended, and its key is known. */
export const JOB_KEPT_MS: number = 24 * 60 * 60 * 1000

/** Ended jobs that are remembered, half a kilobyte each: beyond, the oldest are forgotten before their day is over. */
export const MAX_ENDED_JOBS = 10_000

interface Entry {
  readonly order: Pick<JobOrder, 'space' | 'key'>
  readonly controller: AbortController
  readonly watchers: Set<(progress: ScanProgress) => void>
  job: Job
  ended: Promise<void>
  /** The client knows of it. */
  isTaken: boolean
  isSaving: boolean
  /** What a job that failed failed with. */
  error?: unknown
  endedAt?: number
}

const CANCELLED: DOMException = new DOMException('the job was cancelled', 'AbortError')

/** Jobs that live as long as this process: those that run are refused as `busy` when it shuts down, and nobody knows them after it. */
export function createProcessJobs({ runner, save, onFailure, now }: ProcessJobsOptions): Jobs {
  // in the order in which they came
  const entries = new Map<string, Entry>()
  const keys = new Map<string, Entry>()

  const forget = (): void => {
    const ended = [...entries.values()].filter(({ endedAt }) => endedAt !== undefined)
    const surplus = ended.length - MAX_ENDED_JOBS
    const time = now().getTime()
    for (const [index, entry] of ended.entries()) {
      if (index >= surplus && time - (entry.endedAt ?? time) < JOB_KEPT_MS) continue
      drop(entry)
    }
  }

  const drop = (entry: Entry): void => {
    entries.delete(entry.job.id)
    const name = keyOf(entry.order)
    if (name !== undefined && keys.get(name) === entry) keys.delete(name)
  }

  const change = (entry: Entry, change: Partial<Job>): void => {
    if (entry.endedAt === undefined) entry.job = { ...entry.job, ...change }
  }

  const end = (entry: Entry, state: JobState, failure?: Job['failure']): void => {
    change(entry, { state, position: 0, ...(failure !== undefined && { failure }) })
    entry.endedAt ??= now().getTime()
  }

  const tell = (entry: Entry, hold: JobHold, progress: ScanProgress): void => {
    const isWaiting = progress.phase === 'waiting'
    hold.wait(isWaiting)
    change(entry, { ...progress, state: isWaiting ? 'waiting' : 'running', position: isWaiting ? progress.total : 0 })
    for (const watcher of entry.watchers) watcher(progress)
  }

  const fail = (entry: Entry, order: JobOrder, error: unknown): void => {
    if (entry.endedAt !== undefined) return
    entry.error = error
    if (entry.isTaken) onFailure(order, error)
    const { code, details } = isRefusal(error) ? error : new Refusal('internal-error')
    end(entry, 'failed', { code, details, requestId: order.requestId })
  }

  /** Never rejects. */
  async function work(entry: Entry, order: JobOrder, hold: JobHold): Promise<void> {
    const { signal } = entry.controller
    try {
      const onProgress = (progress: ScanProgress): void => tell(entry, hold, progress)
      const running = runner(order.source, order.options, { signal, onProgress })
      running.then(hold.release, hold.release)
      const outcome = await untilAborted(running, signal)
      signal.throwIfAborted()
      entry.isSaving = true
      await keepTrying(() => save(order, outcome), hold.signal)
      end(entry, 'done')
    } catch (error) {
      const reason: unknown = signal.aborted && !entry.isSaving && !isRefusal(error) ? signal.reason : error
      if (reason === CANCELLED) end(entry, 'cancelled')
      else fail(entry, order, reason)
    } finally {
      hold.end()
    }
  }

  /** The job that the same key began. Throws the refusal `idempotency-mismatch`. */
  const known = (order: JobOrder): Entry | undefined => {
    const name = keyOf(order)
    const entry = name === undefined ? undefined : keys.get(name)
    // of a scan that gave no report the client may want another one
    if (entry === undefined || entry.job.state === 'failed' || entry.job.state === 'cancelled') return undefined
    if (entry.order.key?.hash !== order.key?.hash) throw new Refusal('idempotency-mismatch')
    return entry
  }

  /** The body of another job is of no use, nor is one that is refused. */
  const knownOrLeft = (order: JobOrder, hold: JobHold): Entry | undefined => {
    let entry: Entry | undefined
    let isLeft = true
    try {
      entry = known(order)
      isLeft = entry !== undefined
      return entry
    } finally {
      if (isLeft) leave(hold)
    }
  }

  const find = (space: string, id: string): Entry => {
    forget()
    const entry = entries.get(id)
    if (entry?.order.space !== space) throw new Refusal('job-not-found')
    return entry
  }

  function begin(order: JobOrder, hold: JobHold): Entry {
    const { space, key, options } = order
    const controller = new AbortController()
    hold.signal.addEventListener('abort', () => controller.abort(hold.signal.reason), { once: true })
    if (hold.signal.aborted) controller.abort(hold.signal.reason)
    const entry: Entry = {
      order: { space, ...(key !== undefined && { key }) },
      controller,
      watchers: new Set(),
      job: {
        id: options.scanId,
        state: 'waiting',
        phase: 'waiting',
        done: 0,
        total: 1,
        position: 1,
        submittedAt: now().toISOString(),
      },
      ended: Promise.resolve(),
      isTaken: false,
      isSaving: false,
    }
    entries.set(entry.job.id, entry)
    const name = keyOf(order)
    if (name !== undefined) keys.set(name, entry)
    entry.ended = work(entry, order, hold)
    return entry
  }

  return {
    place: 'process',

    async submit(order, hold) {
      forget()
      const entry = knownOrLeft(order, hold)
      if (entry !== undefined) return entry.job
      const begun = begin(order, hold)
      // what a runner refuses at once (it is busy) is the answer to the request, and no job
      await Promise.race([begun.ended, nextTurn()])
      begun.isTaken = true
      if (begun.job.state !== 'failed') return begun.job
      drop(begun)
      throw begun.error
    },

    find: async (space, id) => find(space, id).job,

    async list(space, { state, limit, offset = 0 }: JobQuery) {
      forget()
      const jobs = [...entries.values()].filter(({ order }) => order.space === space).map(({ job }) => job)
      const wanted = jobs.filter((job) => state === undefined || job.state === state).toReversed()
      return wanted.slice(offset, limit === undefined ? undefined : offset + limit)
    },

    async cancel(space, id) {
      const entry = find(space, id)
      if (entry.isSaving || entry.endedAt !== undefined) return
      end(entry, 'cancelled')
      entry.controller.abort(CANCELLED)
    },

    async watch(space, id, onProgress, signal) {
      const entry = find(space, id)
      entry.watchers.add(onProgress)
      try {
        await untilAborted(entry.ended, signal)
        return entry.job
      } finally {
        entry.watchers.delete(onProgress)
      }
    },

    check: async () => undefined,
  }
}

const keyOf = ({ space, key }: Pick<JobOrder, 'space' | 'key'>): string | undefined =>
  key === undefined ? undefined : `${space}\n${key.name}`

function leave(hold: JobHold): void {
  hold.release()
  hold.end()
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
