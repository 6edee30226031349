import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { isRefusal, type AdvisoryPort, type CataloguePort, type Outcome, type ScanPorts } from '../../core/index.ts'
import { createEngine, openSource, RULES, scan, type Engine } from '../../core/scanner.ts'
import { createMatchingPort, describeFault, type Finding } from '../../core/host.ts'
import { createGarbageCollector, NO_COLLECTOR, type GarbageCollector } from './collect-garbage.ts'
import { openDirectory } from './directory.ts'
import { NOTHING_LEFT_OUT, packFindings } from './handed-findings.ts'
import { inflate } from './inflate.ts'
import { warmUpLater } from './warm-up.ts'
import {
  archiveSize,
  readFlag,
  reportSize,
  type AdvisoryPlace,
  type AnswerToWorker,
  type FromWorker,
  type ToWorker,
  type WorkerFacts,
} from './worker-protocol.ts'

/** A worker thread: one scan at a time, wholly in it, rendering included. It has no network: it asks the main side. */
function serve(port: MessagePort, garbage: GarbageCollector): void {
  const engine = createEngine(RULES)
  const waiting: Partial<Record<AnswerToWorker['type'], (answer: AnswerToWorker) => void>> = {}
  const send: Send = (message, transfer = []) => port.postMessage(message, transfer)
  /** Asks the main side; one question of a kind at a time. */
  const ask = <Type extends AnswerToWorker['type']>(
    question: FromWorker,
    type: Type,
  ): Promise<Extract<AnswerToWorker, { readonly type: Type }>> =>
    new Promise((resolve) => {
      waiting[type] = (answer) => {
        if (isOfType(answer, type)) resolve(answer)
      }
      send(question)
    })
  const advisories = createAdvisoryPorts(ask)
  const catalogue: CataloguePort = {
    overview: async (needed) => (await ask({ type: 'ask-catalogue', needed }, 'catalogue')).answer,
  }
  const callOff = warmUpLater(engine)
  port.on('message', (message: ToWorker) => {
    callOff()
    if (message.type !== 'scan') return waiting[message.type]?.(message)
    const ports: ScanPorts = { advisories: advisories(message.advisories), catalogue }
    void run(message, engine, ports, { send, garbage }).then(() => {
      garbage.compact()
      garbage.afterScan(archiveSize(message.source))
      send({ type: 'settled' })
    })
  })
  send({ type: 'ready' })
}

type Ask = <Type extends AnswerToWorker['type']>(
  question: FromWorker,
  type: Type,
) => Promise<Extract<AnswerToWorker, { readonly type: Type }>>

function isOfType<Type extends AnswerToWorker['type']>(
  answer: AnswerToWorker,
  type: Type,
): answer is Extract<AnswerToWorker, { readonly type: Type }> {
  return answer.type === type
}

/** Matches packages here, with what the main side's source knows; or lets the main side do it. */
function createAdvisoryPorts(ask: Ask): (place: AdvisoryPlace) => AdvisoryPort {
  const byPlace = new Map<AdvisoryPlace, AdvisoryPort>()
  const create = (place: AdvisoryPlace): AdvisoryPort => {
    if (place === 'main')
      return { query: async (packages) => (await ask({ type: 'ask-advisories', packages }, 'advisories')).answer }
    return createMatchingPort({
      kind: place,
      find: async (packages) => (await ask({ type: 'find-advisories', packages }, 'advisories-found')).lookup,
      load: async (ids, within) => (await ask({ type: 'load-advisories', ids, within }, 'advisories-loaded')).records,
    })
  }
  return (place) => {
    const port = byPlace.get(place) ?? create(place)
    byPlace.set(place, port)
    return port
  }
}

/** V8 has limits of its own beside the heap's: of one string, one array, one buffer, one map. */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof RangeError && /allocation failed|invalid \w+(?: \w+)? length|maximum size exceeded/i.test(error.message)
}

type Send = (message: FromWorker, transfer?: ArrayBuffer[]) => void

const PROGRESS_EVERY_MS = 100
/** Findings that are handed over together: flows are found one by one, and ten thousand messages are more than what they carry. */
const BATCH = 50

/** A rendered report changes hands without a copy. */
function buffersOf({ records }: Outcome): ArrayBuffer[] {
  return [records.en.buffer, records.fr.buffer].filter((buffer) => buffer instanceof ArrayBuffer)
}

async function run(
  { source, options, flag }: Extract<ToWorker, { type: 'scan' }>,
  engine: Engine,
  ports: ScanPorts,
  { send, garbage }: { readonly send: Send; readonly garbage: GarbageCollector },
): Promise<void> {
  let told = 0
  let declined = NOTHING_LEFT_OUT
  const made: Finding[] = []
  const handOver = (): void => {
    if (made.length > 0) send({ type: 'findings', batch: packFindings(made.splice(0)), leftOut: declined })
  }
  try {
    const opened = openSource(source, options, { openDirectory, inflater: inflate })
    const outcome = await scan(opened, options, engine, ports, {
      interruption: () => readFlag(flag),
      onFindings: (findings, leftOut) => {
        made.push(...findings)
        declined = leftOut
        if (made.length >= BATCH) handOver()
      },
      onKnown: garbage.beforeReport,
      onFault: (fault) => send({ type: 'fault', entry: describeFault(fault) }),
      onProgress: (progress) => {
        const now = Date.now()
        if (progress.phase === 'reading' && now - told < PROGRESS_EVERY_MS) return
        told = now
        handOver()
        send({ type: 'progress', progress })
      },
    })
    // before its buffers go: they have no size then
    garbage.afterScan(reportSize(outcome))
    send({ type: 'done', outcome }, buffersOf(outcome))
  } catch (error) {
    if (isRefusal(error)) send({ type: 'refused', code: error.code, details: error.details })
    else if (error instanceof DOMException && error.name === 'AbortError') send({ type: 'aborted' })
    else {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
      send({ type: isOutOfMemory(error) ? 'out-of-memory' : 'failed', message })
    }
  }
}

const facts: WorkerFacts = workerData
if (parentPort !== null) serve(parentPort, facts.ownsProcess ? createGarbageCollector() : NO_COLLECTOR)
