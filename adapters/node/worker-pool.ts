import { Refusal, type Log, type ScanPorts, type ScanRunner } from '../../core/index.ts'
import type { Notice } from '../../core/host.ts'
import { createGarbageCollector, NO_COLLECTOR, type GarbageCollector } from './collect-garbage.ts'
import { createHandedFindings, NOTHING_LEFT_OUT } from './handed-findings.ts'
import { abortError, allocateShared, busy, resumeJob, shareSource, type ScanJob } from './scan-job.ts'
import { startProcesses } from './scan-process.ts'
import { startThreads } from './scan-thread.ts'
import { archiveSize, reportSize, type FromWorker, type ScanWorker, type StartWorker } from './worker-protocol.ts'

export interface PoolOptions {
  /** Scans at once. */
  readonly workers: number
  /** Scans that may wait; one more is `busy`. */
  readonly queueLength: number
  /** MiB of each worker's heap; buffers are outside of it. 400 for threads, 200 for processes. */
  readonly heap?: number
  readonly ports: ScanPorts
  readonly log: Log
  /** Whether the process is Parapet's own: then the memory of large uploads is given back soon. */
  readonly ownsProcess?: boolean
  /** The worker's script, where it is not beside this one (a bundle). */
  readonly worker?: URL
  /** Scans run in processes of their own instead of threads: whatever a scan allocates, it ends its own process at most. */
  readonly processes?: {
    /** Folders that they may read; undefined: all. */
    readonly roots?: readonly string[] | undefined
    /** The script of such a process, where it is not beside this one; that of its thread lies beside it. */
    readonly script?: URL
  }
}

export interface WorkerPool {
  readonly runner: ScanRunner
  /** Zeroed memory that the workers see too: an archive that was received into it is not copied. */
  allocate(bytes: number): Uint8Array
  /** Scans that run or wait. */
  active(): number
  /** Ends all workers; waiting and running scans are `busy`. */
  close(): Promise<void>
}

const DEFAULT_HEAP = 400
/** Beside it a process has its code, stacks and buffers: so any scan takes 350 MB at most, whatever it reads, and the largest project of the bench 170. */
const PROCESS_HEAP = 200
/** How long one may take to start, on a machine that is busy with others. */
const START_MS = 60_000
const TIME_UP: Notice = { code: 'time-limit', reason: 'scan', partial: true }
/** How long a worker may take to heed its flag before it is ended. */
const GRACE_MS = 1000
/** What a scan whose time is over may take for its descriptors and its report. */
const LATE_MS = 5000
/** One run, one that only reads and reports what was found, and one that reports the most severe of that. */
const MAX_ATTEMPTS = 3

interface Slot {
  worker: ScanWorker | undefined
  isReady: boolean
  isWorn: boolean
  job: ScanJob | undefined
  timers: NodeJS.Timeout[]
}

/** Beside this file, built or not. */
const beside = (name: string): URL => new URL(import.meta.url.endsWith('.ts') ? `${name}.ts` : `${name}.js`, import.meta.url)

function starterOf({ heap, ownsProcess = false, worker, processes }: PoolOptions, garbage: GarbageCollector): StartWorker {
  if (processes === undefined)
    return startThreads({ heap: heap ?? DEFAULT_HEAP, ownsProcess, script: worker ?? beside('./scan-worker') })
  return startProcesses({
    heap: heap ?? PROCESS_HEAP,
    roots: processes.roots,
    script: processes.script ?? beside('./process/scan-child'),
    collectYoung: garbage.collectYoung,
  })
}

/** Workers, each with limits and one scan at a time: threads, or processes. One that crashes costs its own scan at most, and is replaced. */
export function createWorkerPool(options: PoolOptions): WorkerPool {
  const slots: Slot[] = Array.from({ length: options.workers }, () => ({
    worker: undefined,
    isReady: false,
    isWorn: false,
    job: undefined,
    timers: [],
  }))
  const queue: ScanJob[] = []
  const garbage = options.ownsProcess === true ? createGarbageCollector() : NO_COLLECTOR
  const starter = starterOf(options, garbage)
  let closed = false

  const startWorker = (slot: Slot): ScanWorker => {
    const worker: ScanWorker = starter({
      message: (message) => receive(slot, worker, message),
      lost: (error, isOutOfMemory) => lose(slot, worker, error, isOutOfMemory),
      worn: () => {
        if (slot.worker !== worker) return
        if (slot.job === undefined) replace(slot, worker)
        else slot.isWorn = true
      },
    })
    slot.worker = worker
    slot.isReady = false
    slot.isWorn = false
    return worker
  }

  const start = (slot: Slot, job: ScanJob): void => {
    slot.job = job
    const worker = slot.worker ?? startWorker(slot)
    worker.scan(job.source, job.options, options.ports.advisories.source?.kind ?? 'main')
    if (slot.isReady) limitTime(slot, job, worker)
    else later(slot, START_MS + job.options.limits.scanTime, () => end(slot, TIME_UP))
  }

  /** A run that only reads gets the time of a scan once more, then it is over. That its worker has to be started first is not its fault. */
  const limitTime = (slot: Slot, job: ScanJob, worker: ScanWorker): void => {
    later(slot, job.options.limits.scanTime, () => {
      worker.raise('time')
      later(slot, LATE_MS, () => end(slot, TIME_UP))
    })
  }

  const later = (slot: Slot, ms: number, work: () => void): void => {
    const timer = setTimeout(work, ms)
    timer.unref()
    slot.timers.push(timer)
  }

  /** Takes the job off a slot; undefined where it is done already. */
  const release = (slot: Slot): ScanJob | undefined => {
    const { job } = slot
    slot.job = undefined
    slot.timers.forEach(clearTimeout)
    slot.timers = []
    if (job !== undefined) garbage.afterScan(archiveSize(job.source))
    return job
  }

  const next = (): void => {
    if (closed) return
    const slot = slots.find(({ job }) => job === undefined)
    const job = slot && queue.shift()
    if (slot !== undefined && job !== undefined) start(slot, job)
    queue.forEach((waiting, index) => waiting.control.onProgress?.({ phase: 'waiting', done: 0, total: index + 1 }))
  }

  const receive = (slot: Slot, worker: ScanWorker, message: FromWorker): void => {
    if (slot.worker !== worker) return
    const { job } = slot
    if (message.type === 'ready') slot.isReady = true
    if (job === undefined) return
    const { ports } = options
    switch (message.type) {
      case 'ready':
        return limitTime(slot, job, worker)
      case 'settled':
        return
      case 'progress':
        job.filesRead = message.progress.phase === 'reading' ? message.progress.done : Number.MAX_SAFE_INTEGER
        job.control.onProgress?.(message.progress)
        return
      case 'fault':
        return options.log({ ...message.entry, scanId: job.options.scanId })
      case 'findings':
        job.findings.add(message.batch)
        job.leftOut = message.leftOut
        return
      case 'ask-advisories':
        void ports.advisories
          .query(message.packages, job.control.signal)
          .then((answer) => worker.answer({ type: 'advisories', answer }))
        return
      case 'find-advisories':
        void ports.advisories.source
          ?.find(message.packages, job.control.signal)
          .then((lookup) => worker.answer({ type: 'advisories-found', lookup }))
        return
      case 'load-advisories':
        void ports.advisories.source
          ?.load(message.ids, message.within, job.control.signal)
          .then((records) => worker.answer({ type: 'advisories-loaded', records }))
        return
      case 'ask-catalogue':
        void ports.catalogue
          .overview(message.needed, job.control.signal)
          .then((answer) => worker.answer({ type: 'catalogue', answer }))
        return
      default:
        release(slot)
        if (slot.isWorn) replace(slot, worker)
    }
    if (message.type === 'done') {
      garbage.afterReport(reportSize(message.outcome))
      job.resolve(message.outcome)
    } else if (message.type === 'refused') job.reject(new Refusal(message.code, message.details))
    else if (message.type === 'aborted') job.reject(abortError())
    else if (message.type === 'out-of-memory') resumeInLessMemory(slot, job, new Error(message.message))
    else job.reject(new Error(message.message))
    next()
  }

  /** A worker died by itself: of its heap limit, or of a fault of ours. */
  const lose = (slot: Slot, worker: ScanWorker, error: unknown, outOfMemory: boolean): void => {
    if (slot.worker !== worker) return
    slot.worker = undefined
    options.log({ level: 'error', event: outOfMemory ? 'worker-out-of-memory' : 'worker-died', error: String(error) })
    const job = release(slot)
    if (job !== undefined) {
      if (outOfMemory) resumeInLessMemory(slot, job, error)
      else job.reject(error ?? new Error('the worker ended'))
    }
    next()
  }

  /** At once: so it is warm before the next scan. */
  const replace = (slot: Slot, worker: ScanWorker): void => {
    slot.worker = undefined
    void worker.end()
    if (!closed) startWorker(slot)
  }

  const resumeInLessMemory = (slot: Slot, job: ScanJob, error: unknown): void => {
    if (job.attempt >= MAX_ATTEMPTS) job.reject(error)
    else start(slot, resumeJob(job, { code: 'memory-limit', reason: 'worker', partial: true }))
  }

  /** The last resort: a worker that does not heed its flag. */
  const end = (slot: Slot, notice: Notice): void => {
    const { worker } = slot
    const job = release(slot)
    if (job === undefined) return
    slot.worker = undefined
    void worker?.end()
    if (job.control.signal?.aborted === true) job.reject(abortError())
    else if (job.attempt < MAX_ATTEMPTS) start(slot, resumeJob(job, notice))
    else job.reject(new Error('the scan did not end in time'))
    next()
  }

  const cancel = (job: ScanJob): void => {
    const waiting = queue.indexOf(job)
    if (waiting >= 0) {
      queue.splice(waiting, 1)
      job.reject(abortError())
      return
    }
    // a run that was resumed is another job of the same promise
    const slot = slots.find((one) => one.job?.resolve === job.resolve)
    if (slot?.job === undefined) return
    slot.worker?.raise('cancelled')
    later(slot, GRACE_MS, () => end(slot, TIME_UP))
  }

  const [first] = slots
  // one is warm before the first upload is there
  if (first !== undefined) startWorker(first)

  return {
    runner: (source, scanOptions, control) => {
      if (closed || queue.length >= options.queueLength) return Promise.reject(busy())
      if (control.signal?.aborted === true) return Promise.reject(abortError())
      return new Promise((resolve, reject) => {
        const abort = (): void => cancel(job)
        // a signal outlives its scan, and would hold the upload and all that was found
        const settle =
          <Value>(then: (value: Value) => void) =>
          (value: Value): void => {
            control.signal?.removeEventListener('abort', abort)
            then(value)
          }
        const job: ScanJob = {
          source: shareSource(source),
          options: scanOptions,
          control,
          attempt: 1,
          findings: createHandedFindings(),
          leftOut: NOTHING_LEFT_OUT,
          filesRead: 0,
          resolve: settle(resolve),
          reject: settle(reject),
        }
        control.signal?.addEventListener('abort', abort, { once: true })
        queue.push(job)
        next()
      })
    },
    allocate: allocateShared,
    active: () => queue.length + slots.filter(({ job }) => job !== undefined).length,
    async close() {
      closed = true
      for (const job of queue.splice(0)) job.reject(busy())
      const ended = slots.map(async (slot) => {
        const { worker } = slot
        slot.worker = undefined
        release(slot)?.reject(busy())
        await worker?.end()
      })
      await Promise.all(ended)
    },
  }
}
