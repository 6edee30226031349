import { createStorage } from 'unstorage'
import redisDriver from 'unstorage/drivers/redis'
import { logFaults, type ExclusiveStorage, type Log } from '../../core/index.ts'

/** Keys that are asked for at once when the history is listed. */
const SCAN_COUNT = 1000

export interface RedisStorageOptions {
  /** Before every key: several services may share one database. */
  readonly base?: string
  readonly log?: Log
}

/**
 * Reports in Redis, for several processes or machines. One that is down, or does not answer, fails soon instead of holding requests (by default
 * ioredis tries twenty times, which takes 10 s), and is asked again twice a second until it is back.
 */
export function createRedisStorage(
  url: string,
  { base = 'parapet', log = logFaults }: RedisStorageOptions = {},
): ExclusiveStorage {
  const driver = redisDriver({
    url,
    base,
    scanCount: SCAN_COUNT,
    maxRetriesPerRequest: 1,
    connectTimeout: 1000,
    commandTimeout: 1500,
    retryStrategy: (times) => Math.min(times * 50, 500),
    // what was not answered is not sent again behind the back of who was told that it failed
    autoResendUnfulfilledCommands: false,
  })
  let isLost = false
  const client = driver.getInstance?.()
  client?.on('error', (error: unknown) => {
    if (!isLost) log({ level: 'warn', event: 'storage-lost', error })
    isLost = true
  })
  client?.on('ready', () => {
    if (isLost) log({ level: 'info', event: 'storage-back' })
    isLost = false
  })
  return {
    ...createStorage({ driver }),
    ...(client !== undefined && {
      // in one step, whoever else writes
      createItem: async (key: string, value: string) => (await client.set(`${base}:${key}`, value, 'NX')) === 'OK',
    }),
  }
}
