import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes of an upload from which on it is worth it. */
const LARGE = 16 * 1024 * 1024
/** Until the request that brought the upload has let go of it. */
const AFTER_MS = 500

/**
 * Gives the memory of large uploads back soon after their scans. V8 counts shared memory to no thread's heap, so that nothing makes it look for what is gone:
 * an upload of 90 MB stayed for hundreds of small scans. Only for processes of Parapet's own: the flag is one of the whole process.
 * Fact: options of Node.js and V8, `--expose-gc`. Where there is none, memory is given back later.
 */
export function createGarbageCollector(): (uploaded: number) => void {
  const collect = exposeCollector()
  return (uploaded) => {
    if (uploaded >= LARGE) setTimeout(collect, AFTER_MS).unref()
  }
}

function exposeCollector(): () => void {
  try {
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('gc')
    return typeof collect === 'function' ? () => void collect() : () => undefined
  } catch {
    return () => undefined
  }
}
