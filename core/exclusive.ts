import type { Storage } from 'unstorage'

/** A storage that may know how to write a record only where none is yet, in one step, whoever else writes. */
export interface ExclusiveStorage extends Storage {
  /** False where there is one. */
  createItem?(key: string, value: string): Promise<boolean>
}

/** Writes a record where none is; of a storage without such a call two writers of different processes may both believe that they were first. */
export async function createRecord(storage: ExclusiveStorage, key: string, value: string): Promise<boolean> {
  if (storage.createItem !== undefined) return storage.createItem(key, value)
  if (await storage.hasItem(key)) return false
  await storage.setItem(key, value)
  return true
}
