import type { BigIntStats } from 'node:fs'

/** Bytes of the files of one folder that is scanned again and again: what did not change is not read again. */
export interface RememberedFiles {
  /** The bytes of a file as they were when its state was the same, or what `read` gives. */
  bytesOf(path: string, stat: BigIntStats, read: () => Uint8Array | undefined): Uint8Array | undefined
  /** Files that were not asked for since the last call are forgotten. */
  finish(): void
}

/** Bytes that are held at most; what is beyond is read each time. */
const MOST = 6 * 1024 * 1024
/** A file that was written this short a time ago, in nanoseconds, may change once more without another time: that of Linux goes by its clock tick, that of FAT by two seconds. */
const FRESH_NS = 3_000_000_000n

interface Remembered {
  readonly state: string
  readonly bytes: Uint8Array
}

export function rememberFiles(most: number = MOST): RememberedFiles {
  let last = new Map<string, Remembered>()
  let current = new Map<string, Remembered>()
  let size = 0
  const keep = (path: string, found: Remembered): Uint8Array => {
    if (!current.has(path) && size + found.bytes.byteLength <= most) {
      current.set(path, found)
      size += found.bytes.byteLength
    }
    return found.bytes
  }
  return {
    bytesOf(path, stat, read) {
      const state = [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ')
      const known = current.get(path) ?? last.get(path)
      if (known?.state === state) return keep(path, known)
      const begun = BigInt(Date.now()) * 1_000_000n
      const bytes = read()
      const isSettled = stat.mtimeNs + FRESH_NS < begun && stat.ctimeNs + FRESH_NS < begun
      return bytes === undefined || !isSettled ? bytes : keep(path, { state, bytes })
    },
    finish() {
      last = current
      current = new Map()
      size = 0
    },
  }
}
