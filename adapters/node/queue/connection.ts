import { Redis, type RedisOptions } from 'ioredis'
import { Refusal, type Log } from '../../../core/index.ts'

/** Seconds after which it makes sense to ask again. */
const RETRY_AFTER = 5

export const createUnavailable = (cause: unknown): Refusal =>
  new Refusal(
    'queue-unavailable',
    { retryAfter: RETRY_AFTER },
    { cause: cause instanceof Error ? cause : new Error(String(cause)) },
  )

const COMMON: RedisOptions = {
  connectTimeout: 2000,
  retryStrategy: (times) => Math.min(times * 50, 500),
}

/** For requests: while Redis is away each command fails at once, instead of waiting for it. */
export function openQuick(url: string, log: Log): Redis {
  return tellLoss(new Redis(url, { ...COMMON, maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: 3000 }), log)
}

/** For those who wait for work: while Redis is away they wait for it too. */
export function openPatient(url: string, log: Log): Redis {
  return tellLoss(new Redis(url, { ...COMMON, maxRetriesPerRequest: null }), log)
}

/** Says once that it is gone, and once that it is back. */
function tellLoss(redis: Redis, log: Log): Redis {
  let isLost = false
  redis.on('error', (error: unknown) => {
    if (!isLost) log({ level: 'warn', event: 'queue-lost', error })
    isLost = true
  })
  redis.on('ready', () => {
    if (isLost) log({ level: 'info', event: 'queue-back' })
    isLost = false
  })
  return redis
}

/** Resolves when it answers for the first time, or after the time (milliseconds). */
export async function untilReady(redis: Redis, most: number): Promise<void> {
  if (redis.status === 'ready') return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, most)
    redis.once('ready', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** How long closing may wait for a Redis that is away. */
const CLOSE_MS = 2000

/** Ends something that speaks to Redis: resolves when it has ended, or soon. */
export async function closeSoon(close: () => Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS)
  })
  // what fails has ended as well
  await Promise.race([close().catch(() => undefined), late])
  clearTimeout(timer)
}

/** Redis keeps what it acknowledged only where it is told to: says what a crash of it would cost. */
export async function warnOfLoss(redis: Redis, log: Log): Promise<void> {
  const facts = await redis.info().catch(() => '')
  const read = (name: string): string | undefined => new RegExp(`^${name}:(\\S*)`, 'm').exec(facts)?.[1]
  if (read('aof_enabled') === '0') {
    log({
      level: 'warn',
      event: 'queue-not-durable',
      detail: 'the Redis of PARAPET_QUEUE has no append-only file: jobs that wait are lost when it stops; set "appendonly yes"',
    })
  }
  const policy = read('maxmemory_policy')
  if (policy !== undefined && policy !== 'noeviction') {
    log({
      level: 'warn',
      event: 'queue-evicts',
      detail: `the Redis of PARAPET_QUEUE drops keys when its memory is full (${policy}): set "maxmemory-policy noeviction"`,
    })
  }
}
