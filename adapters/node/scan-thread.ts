import { Worker } from 'node:worker_threads'
import { raiseFlag, type FromWorker, type StartWorker, type ToWorker } from './worker-protocol.ts'

export interface ThreadOptions {
  /** MiB of its heap; buffers are outside of it. */
  readonly heap: number
  /** Whether the process is Parapet's own. */
  readonly ownsProcess: boolean
  readonly script: URL
}

/** Starts scans in threads of this process: a heap limit holds them, but no limit holds what they allocate beside the heap. */
export function startThreads({ heap, ownsProcess, script }: ThreadOptions): StartWorker {
  return (events) => {
    const thread = new Worker(script, {
      resourceLimits: { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
      stdout: false,
      env: {},
      workerData: { ownsProcess },
    })
    let flag: Int32Array | undefined
    thread.on('message', (message: FromWorker) => events.message(message))
    thread.on('error', (error) => events.lost(error, isHeapLimit(error)))
    thread.on('exit', () => events.lost(undefined, false))
    const post = (message: ToWorker): void => thread.postMessage(message)
    return {
      scan(source, options, advisories) {
        flag = new Int32Array(new SharedArrayBuffer(4))
        post({ type: 'scan', source, options, flag, advisories })
      },
      answer: post,
      raise: (why) => flag && raiseFlag(flag, why),
      end: async () => void (await thread.terminate()),
    }
  }
}

/** What Node.js says of a thread that reached its heap limit. */
export function isHeapLimit(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
