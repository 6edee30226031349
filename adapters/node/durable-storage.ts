import { access, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createStorage, type Driver } from 'unstorage'
import { logFaults, type ExclusiveStorage, type Log } from '../../core/index.ts'
import {
  codeOf,
  createStored,
  hasStored,
  listFolder,
  MAX_RECORD,
  MAX_TEXT,
  readStored,
  removeEmpty,
  sweepLeftBehind,
  writeStored,
} from './stored-file.ts'

/** Beside the folders of keys; as a key it would be none of ours. */
const TEMPORARIES = '.tmp'
/** Earlier versions left such files beside their place. */
const TEMPORARY = '.tmp'

const SWEEP_EVERY_MS = 60 * 60 * 1000

/** Folders that are listed at once. */
const LISTED_AT_ONCE = 32

export interface DurableStorageOptions {
  readonly log?: Log
  readonly now?: () => number
}

/**
 * Reports in a folder that outlive the process, and a crash of the machine (unstorage's own `fs` driver writes in place). Keys become paths, `:` a
 * folder. Several processes may share it: each file is written once, by one of them.
 */
export function createDurableStorage(folder: string, options: DurableStorageOptions = {}): ExclusiveStorage {
  const driver = createDriver({ folder, ...options })
  // as its keys are: for 10,000 of them unstorage's own way to normalise each takes the thread for longer than a health request may wait
  return {
    ...createStorage({ driver }),
    getKeys: async (base = '') => driver.getKeys(base, {}),
    createItem: driver.createItem,
  }
}

interface ExclusiveDriver extends Driver {
  createItem(key: string, value: string): Promise<boolean>
}

function createDriver({ folder, log = logFaults, now = Date.now }: DurableStorageOptions & { folder: string }): ExclusiveDriver {
  const temporaries = join(folder, TEMPORARIES)
  const toPath = (key: string): string => join(folder, ...key.split(':'))
  let swept = -Infinity
  // the folder was there once
  let isKnown = false

  const sweep = async (): Promise<void> => {
    if (now() - swept < SWEEP_EVERY_MS) return
    swept = now()
    await sweepLeftBehind(folder, temporaries, now())
  }

  /** Made once: a folder that is gone later is a disk that is gone, and what is written in its place would be lost when it comes back. */
  const makeFolder = async (): Promise<void> => {
    await mkdir(temporaries, { recursive: !isKnown, mode: 0o700 }).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
    isKnown = true
  }

  /** What was found; where that is nothing, because there is nothing, not because the whole folder is gone. */
  const orGone = async <T>(found: T, isNothing: boolean): Promise<T> => {
    if (isNothing && isKnown) await access(folder)
    isKnown ||= !isNothing
    return found
  }

  const write = async (key: string, value: string | Uint8Array): Promise<void> => {
    await makeFolder()
    await writeStored(temporaries, toPath(key), value)
    // what others left behind is no reason to refuse what was just written
    sweep().catch((error: unknown) => log({ level: 'warn', event: 'sweep-failed', error }))
  }

  const read = async (key: string, most: number): Promise<Buffer | null> => {
    const bytes = await readStored(toPath(key), most)
    return orGone(bytes, bytes === null)
  }

  const remove = async (key: string): Promise<void> => {
    const path = toPath(key)
    await rm(path, { force: true })
    const [, ...deeper] = key.split(':')
    // the folder of one scan goes with its last record
    if (deeper.length > 1) await removeEmpty(dirname(path))
  }

  const createItem = async (key: string, value: string): Promise<boolean> => {
    await makeFolder()
    return createStored(temporaries, toPath(key), value)
  }

  return {
    name: 'parapet-durable',
    createItem,
    hasItem: async (key: string) => {
      const isThere = await hasStored(toPath(key))
      return orGone(isThere, !isThere)
    },
    getItem: async (key: string) => (await read(key, MAX_TEXT))?.toString('utf8') ?? null,
    getItemRaw: (key: string) => read(key, MAX_RECORD),
    setItem: write,
    setItemRaw: write,
    removeItem: remove,
    // unstorage gives no base for all keys
    getKeys: async (base: string | undefined) => {
      const keys = await listKeys(folder, (base ?? '').replace(/:$/, ''))
      return orGone(keys, keys.length === 0)
    },
    clear: async () => {
      await rm(folder, { recursive: true, force: true })
      isKnown = false
    },
  }
}

/** All keys below one; none where nothing is there. */
async function listKeys(folder: string, base: string): Promise<string[]> {
  const keys: string[] = []
  let level = [base]
  while (level.length > 0) {
    const deeper: string[] = []
    for (let start = 0; start < level.length; start += LISTED_AT_ONCE) {
      const some = level.slice(start, start + LISTED_AT_ONCE)
      const listed = await Promise.all(some.map((key) => listFolder(join(folder, ...key.split(':').filter(Boolean)))))
      for (const [index, entries] of listed.entries()) {
        const prefix = some[index] === '' ? '' : `${some[index]}:`
        for (const entry of entries) {
          if (entry.isDirectory() && entry.name !== TEMPORARIES) deeper.push(prefix + entry.name)
          else if (entry.isFile() && !entry.name.endsWith(TEMPORARY)) keys.push(prefix + entry.name)
        }
      }
    }
    level = deeper
  }
  return keys
}
