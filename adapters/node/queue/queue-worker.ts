import { UnrecoverableError, Worker, type Job as QueuedJob } from 'bullmq'
import {
  isRefusal,
  keepTrying,
  type History,
  type Log,
  type Outcome,
  type ScanRunner,
  type SourceData,
} from '../../../core/index.ts'
import type { Blobs } from './blobs.ts'
import { openBoard, PREFIX } from './board.ts'
import { closeSoon, openPatient, openQuick, untilReady, warnOfLoss } from './connection.ts'
import { archiveOf, LANES, nameOf, readJobData, tellFailure, toOptions, type JobData } from './job-data.ts'
import { packOutcome } from './outcome-bytes.ts'
import { tellProgress } from './progress.ts'
import { createRegister, type Register } from './register.ts'
import { startSweeping } from './sweep.ts'

export interface QueueWorkerOptions {
  readonly url: string
  readonly blobs: Blobs
  /** Carries out scans; it may run one more than `workers` at once. */
  readonly runner: ScanRunner
  /** Scans of small archives at once; beside them one of large ones runs. */
  readonly workers: number
  readonly historyOf: (space: string) => History
  /** Says whether a folder may be scanned here. Throws refusals. */
  readonly resolveDirectory: (path: string) => Promise<{ readonly path: string }>
  readonly fingerprintKey: string | undefined
  readonly log: Log
}

/** The side of a shared queue that carries out scans. */
export interface QueueWorker {
  /** Scans that run. */
  active(): number
  /** Takes no more jobs. Those that run have `grace` ms to end; what is left another worker begins anew. */
  close(grace: number): Promise<void>
}

/**
 * Milliseconds. Who runs a job holds it by a lock, and renews that; where it ends, or is cut off, another one begins the job anew after both times at most. Renewing does not depend on
 * the scan: that runs in a process of its own.
 */
const LOCK_MS = 10_000
const STALLED_EVERY_MS = 5000

/** A job runs once, and may be lost twice: then it ends as `worker-lost`. */
const MAX_LOST = 2

/** How often a worker asks whether its job was cancelled. */
const ASK_MS = 500

const START_MS = 3000

class Cancelled extends UnrecoverableError {
  constructor() {
    super(tellFailure('cancelled'))
  }
}

/** Takes scans off the queue of `url` until it is closed. Redis may be away for a while: then no job begins. */
export async function startQueueWorker(options: QueueWorkerOptions): Promise<QueueWorker> {
  const { url, log, workers } = options
  const redis = openQuick(url, log)
  const register = createRegister(redis)
  const board = openBoard(redis, register)
  const running = new Set<AbortController>()
  await untilReady(redis, START_MS)
  await warnOfLoss(redis, log)

  const cleaning = new Set<Promise<void>>()
  const clean = (job: QueuedJob | undefined): void => {
    const work = cleanUp(job).finally(() => cleaning.delete(work))
    cleaning.add(work)
  }

  const started = LANES.map((lane) => {
    const connection = openPatient(url, log)
    const carryOut = async (job: QueuedJob, token = '', lost?: AbortSignal): Promise<unknown> => {
      const controller = new AbortController()
      running.add(controller)
      try {
        return await carryOutJob(options, register, job, token, AbortSignal.any([controller.signal, ...(lost ? [lost] : [])]))
      } finally {
        running.delete(controller)
      }
    }
    const worker = new Worker(nameOf(lane), carryOut, {
      connection,
      prefix: PREFIX,
      concurrency: lane === 'small' ? workers : 1,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_EVERY_MS,
      maxStalledCount: MAX_LOST,
      skipVersionCheck: true,
    })
    // told by the connection itself
    worker.on('error', () => undefined)
    worker.on('stalled', (id) => log({ level: 'warn', event: 'job-lost', scanId: id }))
    worker.on('completed', clean)
    worker.on('failed', (job, error) => {
      // what was refused is told to whoever asked for it
      if (!(error instanceof UnrecoverableError)) log({ level: 'warn', event: 'job-failed', scanId: job?.id, error })
      clean(job)
    })
    return { connection, worker }
  })

  /** Of a job that has ended; what can't be removed now is swept. */
  async function cleanUp(job: QueuedJob | undefined): Promise<void> {
    try {
      // one that is gone has ended too: whoever waited for it was quicker to fetch its outcome
      if (job?.id === undefined || (await board.look(job.id))?.isEnded === false) return
      const data = readJobData(job.data)
      await register.close(job.id, data.space)
      const archive = archiveOf(data)
      if (archive === undefined) return
      await options.blobs.remove(archive)
      await register.dropBlob(archive)
    } catch (error) {
      log({ level: 'warn', event: 'blob-left-behind', scanId: job?.id, error })
    }
  }

  const stopSweeping = startSweeping({ register, board, blobs: options.blobs, log })
  return {
    active: () => running.size,
    async close(grace) {
      stopSweeping()
      const closing = Promise.all(started.map(({ worker }) => worker.close()))
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), grace)
      })
      if ((await Promise.race([closing, late])) === 'late') {
        // their locks run out, and somebody else begins them anew
        for (const controller of running) controller.abort()
        await Promise.all(started.map(({ worker }) => closeSoon(() => worker.close(true))))
      }
      clearTimeout(timer)
      await closeSoon(() => Promise.all(cleaning))
      for (const { connection } of started) connection.disconnect()
      await board.close()
      redis.disconnect()
    },
  }
}

async function carryOutJob(
  options: QueueWorkerOptions,
  register: Register,
  job: QueuedJob,
  token: string,
  lost: AbortSignal,
): Promise<unknown> {
  const data = readJobData(job.data)
  const { scanId: id } = data.options
  const cancelling = new AbortController()
  const ask = async (): Promise<void> => {
    if ((await register.cancelled(id).catch(() => undefined)) !== undefined) cancelling.abort()
  }
  await ask()
  const timer = setInterval(() => void ask(), ASK_MS)
  const progress = tellProgress((told) => job.updateProgress({ ...told }))
  try {
    cancelling.signal.throwIfAborted()
    const history = options.historyOf(data.space)
    // the one before ended between its report and its word
    if (data.keep === 'report' && job.attemptsStarted > 1 && (await isStored(history, id))) return {}
    const source = await readSource(options, data)
    const signal = AbortSignal.any([cancelling.signal, lost])
    const outcome = await options.runner(source, toOptions(data, options.fingerprintKey), { signal, onProgress: progress.tell })
    await progress.flush()
    signal.throwIfAborted()
    // somebody else has it by now, if this was cut off for long
    if ((await job.extendLock(token, LOCK_MS)) !== 1) throw new Error('the job was lost to another worker')
    return await keep(options, register, data, outcome)
  } catch (error) {
    if (cancelling.signal.aborted) throw new Cancelled()
    if (!isRefusal(error) || error.code === 'busy') throw error
    throw new UnrecoverableError(tellFailure(error.code, error.details))
  } finally {
    clearInterval(timer)
  }
}

async function readSource({ blobs, resolveDirectory }: QueueWorkerOptions, data: JobData): Promise<SourceData> {
  const { source } = data
  if (source.kind === 'directory') return { ...source, path: (await resolveDirectory(source.path)).path }
  const archive = archiveOf(data)
  const bytes = archive && (await blobs.read(archive))
  // it was swept, or its storage lost it: no other attempt would find it
  if (bytes === undefined) throw new UnrecoverableError(tellFailure('queue-unavailable'))
  return { kind: 'archive', name: source.name, bytes }
}

/** Stores the report, or hands the outcome to the process that waits for it. Gives what that one needs to know. */
async function keep(
  { blobs, historyOf, log }: QueueWorkerOptions,
  register: Register,
  { space, requestId, keep: kept, options }: JobData,
  outcome: Outcome,
): Promise<unknown> {
  const { scanId } = options
  if (kept === 'report') {
    await keepTrying(() => historyOf(space).save(outcome, true))
    log({ level: 'info', event: 'scan-stored', id: requestId, scanId })
    return {}
  }
  const bytes = packOutcome(outcome)
  const blob = { id: scanId, part: 'outcome' as const, size: bytes.byteLength }
  await register.noteBlob(blob)
  await blobs.write(blob, bytes)
  return { size: bytes.byteLength }
}

async function isStored(history: History, scanId: string): Promise<boolean> {
  try {
    await history.find(scanId, 'en')
    return true
  } catch (error) {
    if (isRefusal(error) && error.code === 'scan-not-found') return false
    throw error
  }
}
