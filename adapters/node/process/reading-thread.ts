import { serialize } from 'node:v8'
import { workerData } from 'node:worker_threads'
import { createEngine, readHanded, RULES, type HandedBatch } from '../../../core/scanner.ts'
import type { FromReading, ReadingFacts } from '../reading-threads.ts'

/** A thread that reads files for the scan of another one. It knows nothing but their bytes, and ends with it. */
function serve({ port, shared }: ReadingFacts): void {
  const engine = createEngine(RULES)
  const say = (said: FromReading, transfer: ArrayBuffer[] = []): void => port.postMessage(said, transfer)
  port.on('message', ({ files, flowExtent }: HandedBatch) => {
    const { buffer, byteOffset, byteLength } = serialize(files.map((file) => readHanded(file, flowExtent, shared, engine)))
    say(new Uint8Array(buffer, byteOffset, byteLength), buffer instanceof ArrayBuffer ? [buffer] : [])
  })
  say('ready')
}

const facts: ReadingFacts = workerData
serve(facts)
