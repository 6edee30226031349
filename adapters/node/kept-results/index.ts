import { createHash } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'
import type { ProjectSource } from '../../../core/host.ts'
import {
  createKeepingReader,
  holdsCredentials,
  withOwnArrays,
  type FileReader,
  type KeptResult,
  type ResultKeep,
} from '../../../core/scanner.ts'
import { isWithin } from '../directory-policy.ts'
import { openCacheFolder, realFolder } from './cache-folder.ts'
import type { ScanOptions, ScanPorts } from '../../../core/index.ts'
import { createWholeScan, type WholeScan } from './kept-report.ts'
import { toKept } from './kept-shape.ts'
import { readPack, writePack } from './pack.ts'
import { close, open, sealOf } from './seal.ts'

export { realFolder, userCacheFolder } from './cache-folder.ts'
export type { Records, WholeScan } from './kept-report.ts'
export { readFingerprint } from './fingerprint.ts'

/** How files become results while some are kept. */
export interface KeptResults {
  readonly readFile: FileReader
  /** A scan of a folder that an equal one may answer. Where that is not worth it there is none. */
  readonly whole?: (folder: ProjectSource, options: ScanOptions, ports: ScanPorts) => WholeScan
  /** To be called after each scan: what none of the last scans asked for goes, and what is new is stored. */
  finish(): void
  /** Nothing was kept when it was opened. */
  readonly isEmpty: boolean
  /** How many files were taken from what is kept, and how many were read, since it was opened. */
  counts(): { readonly kept: number; readonly read: number }
}

export interface StoredOptions {
  /** The folder of the user's caches; results lie in one of its own within. */
  readonly folder: string
  /** What is scanned, by its path: results of one project, of one version of the program, are one file. */
  readonly project: string
  readonly fingerprint: string
  /** Bytes on the disk, of all projects. */
  readonly most?: number
}

const MOST_STORED = 512 * 1024 * 1024
/** Of a project: what is beyond is read again each time. */
const SHARE = 0.5
/** Bytes of results of earlier states of a project, as a share of those of the last: whoever switches between two branches has both. */
const EARLIER = 1

/**
 * Results on the user's disk. Undefined where there is no safe place for them, or it lies in what is scanned, which could bring forged ones. Each is sealed with a key
 * made of its file, and one that may hold a credential in plain text is not stored at all.
 */
export function openStoredResults({ folder, project, fingerprint, most = MOST_STORED }: StoredOptions): KeptResults | undefined {
  if (isWithin(project, realFolder(folder))) return undefined
  const files = openCacheFolder(folder, most)
  if (files === undefined) return undefined
  const name = createHash('sha256')
    .update(JSON.stringify([fingerprint, project]))
    .digest('base64url')
  const before = files.read(name)
  const stored = new Map(before === undefined ? [] : readPack(before))
  const used = new Map<string, Uint8Array>()
  let isChanged = false
  const count = { kept: 0, read: 0 }
  const readFile = createKeepingReader({
    placeOf(circumstances, bytes) {
      const place = sealOf(fingerprint, circumstances, bytes)
      return {
        read() {
          const sealed = stored.get(place.name)
          const kept = sealed && unseal(sealed, place.key)
          if (sealed === undefined || kept === undefined) return void count.read++
          count.kept++
          used.set(place.name, sealed)
          return kept
        },
        write(kept) {
          if (holdsCredentials(kept.result)) return
          const sealed = seal(kept, place.key)
          if (sealed === undefined) return
          used.set(place.name, sealed)
          stored.set(place.name, sealed)
          isChanged = true
        },
      }
    },
  })
  return {
    readFile,
    isEmpty: stored.size === 0,
    whole: (folder, options, ports) =>
      createWholeScan(folder, options, ports, {
        fingerprint,
        store: {
          get: (sealed) => stored.get(sealed),
          set(sealed, bytes) {
            used.set(sealed, bytes)
            stored.set(sealed, bytes)
            isChanged = true
          },
        },
      }),
    counts: () => ({ ...count }),
    finish() {
      if (isChanged) files.write(name, writePack(withEarlier(used, stored, most * SHARE)))
      else files.touch(name)
      isChanged = false
      used.clear()
    },
  }
}

/** What the last scan used first, then what earlier ones left, as far as there is room. */
function withEarlier(
  used: ReadonlyMap<string, Uint8Array>,
  stored: ReadonlyMap<string, Uint8Array>,
  most: number,
): Map<string, Uint8Array> {
  const pack = new Map<string, Uint8Array>()
  let room = most
  const add = (name: string, bytes: Uint8Array): void => {
    if (bytes.length > room) return
    room -= bytes.length
    pack.set(name, bytes)
  }
  for (const [name, bytes] of used) add(name, bytes)
  room = Math.min(room, (most - room) * EARLIER)
  for (const [name, bytes] of stored) if (!used.has(name)) add(name, bytes)
  return pack
}

/** Undefined for what is no plain data: a fault of ours, which a test looks for, and no reason to stop. */
function seal(kept: KeptResult, key: Uint8Array): Uint8Array | undefined {
  try {
    return close(kept, key)
  } catch {
    return undefined
  }
}

function unseal(sealed: Uint8Array, key: Uint8Array): KeptResult | undefined {
  try {
    const kept = toKept(open(sealed, key))
    return kept && { ...kept, result: withOwnArrays(kept.result) }
  } catch {
    // cut, changed or forged
    return undefined
  }
}

const MOST_IN_MEMORY = 128 * 1024 * 1024

/** Results in memory, for one process that scans again and again; what was not asked for longest goes where there is no room. */
export function keepInMemory(most: number = MOST_IN_MEMORY): KeptResults {
  // a map gives its keys in the order in which they were set
  const all = new Map<string, Buffer>()
  let size = 0
  const count = { kept: 0, read: 0 }
  const readFile = createKeepingReader({
    placeOf(circumstances, bytes) {
      const { name } = sealOf('', circumstances, bytes)
      return {
        read() {
          const found = all.get(name)
          if (found === undefined) return void count.read++
          count.kept++
          all.delete(name)
          all.set(name, found)
          return toKept(deserialize(found))
        },
        write(kept) {
          const bytes = serialize(kept)
          size += bytes.length - (all.get(name)?.length ?? 0)
          all.set(name, bytes)
          for (const [oldest, { length }] of all) {
            if (size <= most) break
            all.delete(oldest)
            size -= length
          }
        },
      }
    },
  })
  return { readFile, isEmpty: true, counts: () => ({ ...count }), finish: () => undefined }
}

/**
 * Results as they are, for one folder that is scanned again and again: of the last scan alone, so that no more is held than a scan holds anyway. `readFile`: how files are
 * read until the first scan is finished, which may know results of an earlier time; it is let go of then, with all that it holds.
 */
export function createLiveResults(readFile?: FileReader): KeptResults {
  let last = new Map<string, KeptResult>()
  let current = new Map<string, KeptResult>()
  const count = { kept: 0, read: 0 }
  // nothing of it leaves the process, and what did not change is the same array
  const digests = new WeakMap<Uint8Array, string>()
  const digestOf = (bytes: Uint8Array): string => {
    const digest = digests.get(bytes) ?? createHash('sha256').update(bytes).digest('base64url')
    digests.set(bytes, digest)
    return digest
  }
  const keep: ResultKeep = {
    placeOf(circumstances, bytes) {
      const name = `${digestOf(bytes)} ${circumstances}`
      return {
        read() {
          const found = last.get(name) ?? current.get(name)
          if (found === undefined) return void count.read++
          count.kept++
          current.set(name, found)
          return found
        },
        write: (kept) => void current.set(name, kept),
      }
    },
  }
  let reader = createKeepingReader(keep, readFile)
  return {
    readFile: Object.assign((...file: Parameters<FileReader>) => reader(...file), {
      keptFile: (...file: Parameters<FileReader>) => reader.keptFile(...file),
    }),
    isEmpty: true,
    counts: () => ({ ...count }),
    finish() {
      last = current
      current = new Map()
      reader = createKeepingReader(keep)
    },
  }
}
