import { deserialize } from 'node:v8'
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'
import {
  withOwnArrays,
  type FileAnswer,
  type ReadingThread,
  type ReadingThreads,
  type SharedContext,
} from '../../core/scanner.ts'

export interface ReadingOptions {
  /** Threads beside that of the scan, at most; asked again and again while it reads. */
  readonly most: () => number
  /** Limits of each: MiB of its heap and of its stack. Without them those of the platform. */
  readonly heap?: number
  readonly stack?: number
  /** Bytes that are read in the time that one takes to start. */
  readonly cost?: number
  /** Bytes of a project beyond which none is started. */
  readonly upTo?: number
  /** The script of such a thread, where it is not beside this one. */
  readonly script?: URL
}

/** What a thread says: that it has its rules, then answers to its batches, as V8 writes values. */
export type FromReading = 'ready' | Uint8Array

/** What a thread is started with. */
export interface ReadingFacts {
  readonly port: MessagePort
  readonly shared: SharedContext
}

/** Measured: beside its start the first MB of scripts cost a thread three times what those cost that follow. With less to read it costs CPU and gains little. */
const COST = 3 * 1024 * 1024
/** How long a scan waits for the next answer before it asks whether it was cancelled. */
const MOMENT_MS = 20

const BESIDE = new URL(
  import.meta.url.endsWith('.ts') ? './process/reading-thread.ts' : './process/reading-thread.js',
  import.meta.url,
)

/** Threads of this process that read files for a scan. */
export function createReadingThreads({ most, heap, stack, cost = COST, upTo, script = BESIDE }: ReadingOptions): ReadingThreads {
  let wake = (): void => undefined
  return {
    most,
    cost,
    ...(upTo !== undefined && { upTo }),
    start: (shared) => startThread(shared, { heap, stack, script }, () => wake()),
    arrival: () =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, MOMENT_MS)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}

function startThread(
  shared: SharedContext,
  { heap, stack, script }: { readonly heap: number | undefined; readonly stack: number | undefined; readonly script: URL },
  onNews: () => void,
): ReadingThread {
  const { port1: port, port2 } = new MessageChannel()
  const facts: ReadingFacts = { port: port2, shared }
  const thread = new Worker(script, {
    workerData: facts,
    transferList: [port2],
    stdout: false,
    env: {},
    resourceLimits: {
      ...(heap !== undefined && { maxOldGenerationSizeMb: heap }),
      ...(stack !== undefined && { stackSizeMb: stack }),
    },
  })
  const answers: FileAnswer[] = []
  let isLost = false
  let isReady = false
  const hear = (said: FromReading): void => {
    if (said === 'ready') isReady = true
    else answers.push(...open(said))
  }
  port.on('message', (said: FromReading) => {
    hear(said)
    onNews()
  })
  const lose = (): void => {
    isLost = true
    onNews()
  }
  // what ended it ends each thread that gets the same file: then a notice tells of it
  thread.on('error', lose)
  thread.on('exit', lose)
  return {
    hand: (batch) =>
      port.postMessage(
        batch,
        batch.files.flatMap(({ bytes }) => (bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [])),
      ),
    take() {
      // while the scan reads files of its own, no event is heard
      for (let said = receiveMessageOnPort(port); said !== undefined; said = receiveMessageOnPort(port)) hear(said.message)
      return answers.splice(0)
    },
    get isReady() {
      return isReady
    },
    get isLost() {
      return isLost
    },
    end() {
      port.close()
      void thread.terminate()
    },
  }
}

function open(bytes: Uint8Array): readonly FileAnswer[] {
  const answers: readonly FileAnswer[] = deserialize(bytes)
  return answers.map(({ index, made }) =>
    made === undefined || made === 'binary'
      ? { index, made }
      : { index, made: { ...made, kept: { ...made.kept, result: withOwnArrays(made.kept.result) } } },
  )
}
