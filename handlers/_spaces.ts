import { createStorage, prefixStorage } from 'unstorage'
import { createHistory, type ExclusiveStorage, type History, type Log, type Retention } from '../core/index.ts'

export interface HistoriesOptions {
  readonly retention: Retention
  readonly now?: () => Date
  readonly log: Log
}

/** The reports of each name space: whoever stores one for another process stores it where that looks. Without a storage they are in memory. */
export function createHistories(
  storage: ExclusiveStorage | undefined,
  { retention, now, log }: HistoriesOptions,
): (space: string) => History {
  const storageOf = createStorages(storage)
  return keepBySpace((space) => createHistory(storageOf(space), { ...retention, ...(now !== undefined && { now }), log }))
}

/** One for each name space; the spaces are those of the settings. */
export function keepBySpace<T>(create: (space: string) => T): (space: string) => T {
  const known = new Map<string, T>()
  return (space) => {
    const kept = known.get(space) ?? create(space)
    known.set(space, kept)
    return kept
  }
}

/** The same for what is loaded: where that failed, the next who asks loads it again. */
export function keepLoadedBySpace<T>(load: (space: string) => Promise<T>): (space: string) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (space) => {
    const kept = known.get(space)
    if (kept !== undefined) return kept
    const loading = load(space).catch((error: unknown) => {
      known.delete(space)
      throw error
    })
    known.set(space, loading)
    return loading
  }
}

/** Each name space has keys of its own. */
export function createStorages(storage: ExclusiveStorage | undefined): (space: string) => ExclusiveStorage {
  return keepBySpace((space) => {
    if (storage === undefined) return createStorage()
    if (space === '') return storage
    const base = `spaces:${space}`
    const create = storage.createItem
    return {
      ...prefixStorage(storage, base),
      ...(create !== undefined && { createItem: (key: string, value: string) => create(`${base}:${key}`, value) }),
    }
  })
}
