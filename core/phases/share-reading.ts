import type { FileResult } from '../files.ts'
import type { FlowExtent } from '../flow/index.ts'
import { decodeText } from '../project/decode.ts'
import type { PlannedFile } from '../project/open.ts'
import { fileContextOf, isOutOfTime, openFile, type OpenedFile } from './open-file.ts'
import { isParsed } from './parse-file.ts'
import type { KeptFile } from './read-file.ts'
import type { FileAnswer, HandedFile, ReadingThread, ReadingThreads } from './reading-threads.ts'
import type { ScanContext } from './scan-context.ts'

/** The files of a scan, some of which other threads read. */
export interface SharedReading {
  /** A file by its place in the plan. Throws what opening it throws, and a StopSignal when the scan was cancelled. */
  take(index: number): Promise<OpenedFile>
  /** Graphs are made to this extent from now on; what was made to another one is still given. */
  narrow(extent: FlowExtent): void
  /** Ends the threads. */
  end(): void
}

/** Bytes of a batch: some 30 ms of work, many times what it costs to hand it over. */
const BATCH = 128 * 1024
/** Files that are looked at for one batch: those whose results are kept are not handed over. */
const LOOKED_AT = 256
/** Bytes of files that are begun first: the last of them would keep one thread busy when the others have nothing left to do. */
const LARGE = 256 * 1024
/** Of the cost of a thread, what is read before any is started: where most results are kept there is nothing to share. */
const READ_FIRST = 1 / 32
/** What is looked through for credentials alone costs so much less than what is parsed. */
const UNPARSED = 1 / 8
/** Threads that ended by themselves, after which no other one is started. */
const MOST_LOST = 8

/** A file that a thread has. Its bytes stay here, for what is shown of it, or for another thread. */
interface PendingFile {
  readonly planned: PlannedFile
  readonly raw: Uint8Array
  readonly kept: KeptFile | undefined
  readonly flowExtent: FlowExtent
  readonly by: StartedThread
}

interface StartedThread {
  readonly thread: ReadingThread
  /** Bytes that it was handed and has not answered for. */
  load: number
  /** It has a file that another thread was lost with, and nothing beside it. */
  isAlone: boolean
}

/**
 * Shares files out: each thread has two batches, and the scan's own reads file by file what nobody has yet, so that all of them end at about the same time. A result is a
 * function of its file: no report shows who made it.
 */
export function shareReading(context: ScanContext, threads: ReadingThreads, extent: FlowExtent): SharedReading {
  const { plan, control, options, findings, readFile } = context
  const { files } = plan
  const order = readingOrder(files)
  const isClaimed = new Uint8Array(files.length)
  const opened = new Map<number, { readonly file: OpenedFile } | { readonly error: unknown }>()
  const pending = new Map<number, PendingFile>()
  /** Files of threads that were lost: each is handed over once more, alone. */
  const again: number[] = []
  const lostOnce = new Set<number>()
  let started: StartedThread[] = []
  let losses = 0
  let flowExtent = extent
  let next = 0
  const whole = files.reduce((sum, planned) => sum + weightOf(planned), 0)
  let left = whole
  let readHere = 0

  const plannedAt = (index: number): PlannedFile => {
    const planned = files[index]
    if (planned === undefined) throw new Error('no such file in the plan')
    return planned
  }
  const claim = (index: number): PlannedFile => {
    const planned = plannedAt(index)
    isClaimed[index] = 1
    left -= weightOf(planned)
    return planned
  }
  const unclaimed = (): number | undefined => {
    while (next < order.length && isClaimed[order[next] ?? 0] === 1) next++
    return order[next]
  }

  const readOne = (index: number, planned: PlannedFile): void => {
    readHere += weightOf(planned)
    try {
      const file = openFile(planned)
      const decoded = typeof file === 'string' ? undefined : file.decoded()
      if (decoded === undefined) return void opened.set(index, { file })
      const fileContext = fileContextOf(context, flowExtent, planned.path)
      const result = readFile(planned, decoded, { ...fileContext, onKnown: () => (readHere -= weightOf(planned)) })
      opened.set(index, { file: { decoded: () => decoded, made: { result, flowExtent } } })
    } catch (error) {
      opened.set(index, { error })
    }
  }

  /** A file for a thread; undefined where its result is known, or it has none. */
  const toHanded = (index: number, by: StartedThread): HandedFile | undefined => {
    const planned = claim(index)
    const { path, kind, scope } = planned
    try {
      const raw = planned.entry.read()
      if (raw === undefined) return void opened.set(index, { file: 'gone' })
      const decoded = readFile.keptFile && decodeText(raw)
      const kept = decoded && readFile.keptFile?.(planned, decoded, fileContextOf(context, flowExtent, path))
      const known = kept?.find()
      if (known !== undefined) return void opened.set(index, toOpened(planned, raw, known.result, flowExtent))
      pending.set(index, { planned, raw, kept, flowExtent, by })
      by.load += loadOf(raw)
      // a copy: its memory changes hands
      return { index, path, kind, scope, bytes: raw.slice() }
    } catch (error) {
      return void opened.set(index, { error })
    }
  }

  const handBatch = (to: StartedThread, most: number): boolean => {
    const batch: HandedFile[] = []
    let bytes = 0
    for (let seen = 0; seen < LOOKED_AT && bytes < most; seen++) {
      const index = unclaimed()
      const file = index === undefined ? undefined : toHanded(index, to)
      if (index === undefined) break
      if (file === undefined) continue
      batch.push(file)
      bytes += file.bytes.length
    }
    if (batch.length > 0) to.thread.hand({ files: batch, flowExtent })
    return batch.length > 0
  }

  const handAgain = (to: StartedThread): void => {
    const index = again.shift()
    const lost = index === undefined ? undefined : pending.get(index)
    if (index === undefined || lost === undefined) return
    const { path, kind, scope } = lost.planned
    pending.set(index, { ...lost, by: to })
    to.load += loadOf(lost.raw)
    to.isAlone = true
    to.thread.hand({ files: [{ index, path, kind, scope, bytes: lost.raw.slice() }], flowExtent: lost.flowExtent })
  }

  /** Starts threads where they are worth it: the first ones as long as there is something for all of them, and one for what is to be handed over again. */
  const start = (most: number): void => {
    const isWorth = readHere >= threads.cost * READ_FIRST && left > 0 && whole <= (threads.upTo ?? whole)
    const wanted = isWorth ? Math.min(most, Math.floor(left / Math.max(threads.cost, 1))) : 0
    const missing = Math.max(wanted, again.length > 0 ? 1 : 0) - started.length
    if (losses >= MOST_LOST || missing <= 0) return
    const { limits, suppressions, scannedAt: date } = options
    const { settings, modules } = fileContextOf(context, flowExtent, '')
    const shared = { limits, suppressions, date, ...(settings && { settings }), ...(modules && { modules }) }
    for (let count = 0; count < missing; count++) started.push({ thread: threads.start(shared), load: 0, isAlone: false })
  }

  /** Gives each thread enough for as long as this one reads `own` bytes. */
  const feed = (own: number): void => {
    const most = threads.most()
    start(most)
    // ever less towards the end, so that no thread has much when all others are done
    const enough = Math.min(Math.max(2 * BATCH, own * 1.5), left / (started.length + 1))
    for (const [place, one] of started.entries()) {
      if (again.length > 0 && one.load === 0) handAgain(one)
      if (place >= most || one.isAlone || again.length > 0) continue
      while (one.load < enough) if (!handBatch(one, Math.min(BATCH, enough / 2))) break
    }
  }

  const giveBack = (index: number, planned: PlannedFile): void => {
    pending.delete(index)
    isClaimed[index] = 0
    left += weightOf(planned)
  }

  /** It has ended two threads: this one must not parse it. */
  const giveUp = (index: number, planned: PlannedFile): void => {
    pending.delete(index)
    opened.set(index, { file: { decoded: () => textOf(planned), isFaulty: true } })
  }

  const answer = (from: StartedThread, { index, made }: FileAnswer): void => {
    const file = pending.get(index)
    if (file === undefined) return
    pending.delete(index)
    from.load -= loadOf(file.raw)
    if (from.load === 0) from.isAlone = false
    if (made === 'binary') return void opened.set(index, { file: 'binary' })
    // read here, so that what is thrown is told
    if (made === undefined) return giveBack(index, file.planned)
    if (made.isWhole) file.kept?.keep(made.kept)
    opened.set(index, toOpened(file.planned, file.raw, made.kept.result, file.flowExtent))
  }

  const lose = (lost: StartedThread): void => {
    // one that can't be started says nothing of files, and the next one can't be either
    losses += lost.thread.isReady ? 1 : MOST_LOST
    lost.thread.end()
    started = started.filter((one) => one !== lost)
    for (const [index, { planned, by }] of pending) {
      if (by !== lost) continue
      if (!lost.thread.isReady && !lostOnce.has(index)) giveBack(index, planned)
      else if (lostOnce.has(index)) giveUp(index, planned)
      else {
        lostOnce.add(index)
        again.push(index)
      }
    }
  }

  const collect = (): void => {
    for (const one of started) {
      for (const told of one.thread.take()) answer(one, told)
      if (one.thread.isLost) lose(one)
    }
    if (losses < MOST_LOST || started.length > 0) return
    for (const index of again.splice(0)) giveUp(index, plannedAt(index))
  }

  const end = (): void => {
    for (const { thread } of started) thread.end()
    started = []
  }

  return {
    async take(index) {
      for (;;) {
        collect()
        const found = opened.get(index)
        if (found !== undefined) {
          opened.delete(index)
          if ('error' in found) throw found.error
          return found.file
        }
        if (isOutOfTime(control)) {
          findings.outOfTime()
          end()
          return openFile(plannedAt(index))
        }
        const mine = isClaimed[index] === 0 ? index : unclaimed()
        const planned = mine === undefined ? undefined : claim(mine)
        feed(planned?.entry.size ?? 0)
        if (mine === undefined || planned === undefined) await threads.arrival()
        else readOne(mine, planned)
        if (mine !== index && control.pause !== undefined) await control.pause()
      }
    },
    narrow(to) {
      flowExtent = to
    },
    end,
  }
}

/** An empty file is one all the same. */
function loadOf({ length }: Uint8Array): number {
  return length + 1
}

function weightOf({ entry, kind, scope }: PlannedFile): number {
  return scope === 'all' && isParsed(kind) ? entry.size : entry.size * UNPARSED
}

/** Places in the plan: large files first, the largest of them at once, then all others as they are merged. */
function readingOrder(files: readonly PlannedFile[]): readonly number[] {
  const weights = files.map(weightOf)
  const large = [...files.keys()].filter((index) => (weights[index] ?? 0) >= LARGE)
  large.sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0))
  const isLarge = new Set(large)
  return [...large, ...[...files.keys()].filter((index) => !isLarge.has(index))]
}

function toOpened(
  planned: PlannedFile,
  raw: Uint8Array,
  result: FileResult,
  flowExtent: FlowExtent,
): { readonly file: OpenedFile } {
  // of most files nothing is shown: their bytes go
  const isShown = result.matches.length + result.masked.length > 0
  return { file: { decoded: isShown ? () => decodeText(raw) : () => textOf(planned), made: { result, flowExtent } } }
}

function textOf({ entry }: PlannedFile): ReturnType<typeof decodeText> {
  const raw = entry.read()
  return raw && decodeText(raw)
}
