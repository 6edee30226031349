import type { ExclusiveStorage, Log } from '../../core/index.ts'
import { createDurableStorage } from './durable-storage.ts'
import { SettingsFault } from './settings.ts'

/** What PARAPET_STORAGE names: an absolute folder, or `redis://…`; undefined is memory. Nobody is asked yet whether it is there. */
export async function openStorage(place: string | undefined, log: Log): Promise<ExclusiveStorage | undefined> {
  if (place === undefined) return undefined
  if (!/^rediss?:/.test(place)) return createDurableStorage(place, { log })
  // only who sets it needs its client
  const { createRedisStorage } = await import('./redis-storage.ts').catch((error: unknown) => {
    throw new SettingsFault(`PARAPET_STORAGE is Redis, which needs the package ioredis (${String(error)})`)
  })
  return createRedisStorage(place, { log })
}
