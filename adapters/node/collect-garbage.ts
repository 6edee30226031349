import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes of an upload, or of a report in both languages, from which on it is worth it. */
const LARGE = 16 * 1024 * 1024
/** Bytes of a heap from which on most of it is what a scan has let go of. */
const CROWDED = 96 * 1024 * 1024
/** Until the request that brought the upload has let go of it. */
const AFTER_MS = 500
/** Until a report is stored, packed and sent: that depends on the machine and on who takes it. */
const AFTER_REPORT_MS = [AFTER_MS, 2000, 8000] as const
/** Bytes of a process from which on it is worth a tenth of a second to give back what a scan has let go of. Of ordinary projects it is two thirds. */
export const MUCH_HELD = 280e6
/**
 * Fact: `src/flags/flag-definitions.h` of V8, read at each collection. Without it a page is given back that is empty: of 118 MB behind a large project 34 were in use.
 */
const COMPACT = '--compact-on-every-full-gc'

export interface GarbageCollector {
  /**
   * Gives the memory of a large upload or report (in bytes) back soon after its scan. V8 counts shared memory to no thread's heap, so that nothing makes
   * it look for what is gone: an upload of 90 MB stayed for hundreds of small scans, and the buffers of a report until others had filled the heap.
   */
  afterScan(bytes: number): void
  /** The same in the process that answers with a report, once it is sent: half a second after its scan all of it is still on its way. */
  afterReport(bytes: number): void
  /**
   * Makes room for the texts of a report, which are buffers outside of the heap: without it the garbage of the scan and a report of ten thousand findings
   * stood beside each other, 150 MB in all. It costs some 40 ms, and only those who fill the heap; a tenth of a second where the process holds much.
   */
  beforeReport(): void
  /** Gives back what was allocated just now and is let go of already, in some ms: buffers of messages, which V8 hardly counts. */
  collectYoung(): void
  /** Moves what is left together where the process holds much, so that the next scan does not stand beside the garbage of this one. */
  compact(): void
}

export const NO_COLLECTOR: GarbageCollector = {
  afterScan: () => undefined,
  afterReport: () => undefined,
  beforeReport: () => undefined,
  collectYoung: () => undefined,
  compact: () => undefined,
}

/**
 * Only for processes of Parapet's own: the flag is one of the whole process.
 * Fact: options of Node.js and V8, `--expose-gc`. Where there is none, memory is given back later.
 */
export function createGarbageCollector(): GarbageCollector {
  const collect = exposeCollector()
  if (collect === undefined) return NO_COLLECTOR
  /** Pages that are empty first: what is moved stands in two places meanwhile, 50 MB of large projects. Tells whether anything was collected. */
  const compact = (): boolean => {
    if (process.memoryUsage.rss() < MUCH_HELD) return false
    collect()
    if (process.memoryUsage.rss() < MUCH_HELD) return true
    setFlagsFromString(COMPACT)
    collect()
    setFlagsFromString(COMPACT.replace('--', '--no-'))
    return true
  }
  return {
    afterScan(bytes) {
      if (bytes >= LARGE) setTimeout(() => collect(), AFTER_MS).unref()
    },
    afterReport(bytes) {
      if (bytes < LARGE) return
      const collectHeld = (): void => {
        if (process.memoryUsage().arrayBuffers >= LARGE) collect()
      }
      for (const ms of AFTER_REPORT_MS) setTimeout(collectHeld, ms).unref()
    },
    beforeReport() {
      if (!compact() && getHeapStatistics().used_heap_size >= CROWDED) collect()
    },
    collectYoung: () => collect({ type: 'minor' }),
    compact: () => void compact(),
  }
}

/** Undefined: the runtime has none. */
function exposeCollector(): ((options?: { readonly type: 'minor' }) => void) | undefined {
  try {
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('gc')
    return typeof collect === 'function' ? (options) => void collect(options) : undefined
  } catch {
    return undefined
  }
}
