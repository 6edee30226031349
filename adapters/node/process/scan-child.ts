import { MUCH_HELD } from '../collect-garbage.ts'
import { startThreads } from '../scan-thread.ts'
import { tuneEngine } from '../tune-engine.ts'
import type { Interruption } from '../../../core/host.ts'
import type { FromWorker, ScanWorker } from '../worker-protocol.ts'
import type { FromChild, ToChild } from './child-protocol.ts'
import { cutReport, withoutPieces } from './report-pieces.ts'

/** Until the system has what was given back to it. */
const GIVEN_BACK_MS = 100

/**
 * The process of one scan after the other. The scan runs in a thread, so that this one hears of cancelling, and of the end of the service: with the channel to it
 * this process ends, whatever the scan does.
 */
function serve(heap: number): void {
  let worker: ScanWorker | undefined
  let receiving: { readonly bytes: Uint8Array; length: number; readonly done: () => void } | undefined
  /** Of a scan whose bytes are still on their way. */
  let raised: Interruption | undefined

  const tell = (message: FromChild, then?: () => void): void => void process.send?.(message, undefined, undefined, then)
  const pass = (message: FromWorker): void => {
    if (message.type === 'settled') return void setTimeout(tellIfWorn, GIVEN_BACK_MS)
    if (message.type === 'done') void handOver(message)
    else tell(message)
  }
  /** One piece after the other: all of them at once would stand beside the report a second time until the service has read them. */
  const handOver = async (message: FromWorker & { readonly type: 'done' }): Promise<void> => {
    for (const piece of cutReport(message.outcome)) await new Promise<void>((resolve) => tell({ type: 'piece', piece }, resolve))
    tell({ ...message, outcome: withoutPieces(message.outcome) })
  }
  /** What a scan has let go of and cannot give back would stand beside the next one. */
  const tellIfWorn = (): void => {
    if (process.memoryUsage.rss() > MUCH_HELD) tell({ type: 'worn' })
  }
  const lose = (error: unknown, isOutOfMemory: boolean): void => {
    const message = error instanceof Error ? error.message : 'the thread ended'
    tell({ type: 'thread-lost', message, isOutOfMemory }, () => process.exit(1))
  }
  const start = (): ScanWorker => {
    worker ??= startThreads({ heap, ownsProcess: true, script: WORKER })({ message: pass, lost: lose, worn: () => undefined })
    return worker
  }

  process.stdin.on('data', (chunk: Buffer) => {
    if (receiving === undefined) return
    receiving.bytes.set(chunk, receiving.length)
    receiving.length += chunk.byteLength
    if (receiving.length < receiving.bytes.byteLength) return
    const { done } = receiving
    receiving = undefined
    process.stdin.pause()
    done()
    if (raised !== undefined) start().raise(raised)
    raised = undefined
  })
  process.stdin.pause()

  process.on('message', (message: ToChild) => {
    const thread = start()
    if (message.type === 'raise') {
      if (receiving === undefined) thread.raise(message.why)
      else raised ??= message.why
    } else if (message.type !== 'scan') thread.answer(message)
    else if (message.source.kind === 'directory') thread.scan(message.source, message.options, message.advisories)
    else {
      const { size, name } = message.source
      const bytes = new Uint8Array(new SharedArrayBuffer(size))
      const done = (): void => thread.scan({ kind: 'archive', name, bytes }, message.options, message.advisories)
      if (size === 0) return done()
      receiving = { bytes, length: 0, done }
      process.stdin.resume()
    }
  })
  process.on('disconnect', () => process.exit(0))
  // signals to the whole group are the service's to heed
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  start()
}

const WORKER = new URL(import.meta.url.endsWith('.ts') ? '../scan-worker.ts' : './scan-worker.js', import.meta.url)

tuneEngine('scans')
serve(Number(process.argv[2]))
