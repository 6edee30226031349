import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import * as z from 'zod'
import { JOB_KEPT_MS } from '../../../core/index.ts'
import type { BlobName } from './blobs.ts'

/** What is known of a job that is not on the queue: it is on its way there, or was taken off. */
export interface JobNote {
  readonly space: string
  readonly submittedAt: string
}

/** The job that a key of a client stands for. */
export interface KeyNote {
  readonly id: string
  readonly hash: string
}

const jobNote = z.object({ space: z.string(), submittedAt: z.string() })
const keyNote = z.object({ id: z.string(), hash: z.string() })

/** Seconds that a job may be on its way to the queue: an archive is written meanwhile. */
const PENDING_S = 120
const DAY_S = JOB_KEPT_MS / 1000

const PREFIX = 'parapet-jobs:'
const BLOBS = `${PREFIX}blobs`
const SPACES = `${PREFIX}spaces`
const SWEEPER = `${PREFIX}sweeper`
const openKey = (space: string): string => `${PREFIX}open:${space}`
const listKey = (space: string): string => `${PREFIX}list:${space}`
const pendingKey = (id: string): string => `${PREFIX}pending:${id}`
const cancelledKey = (id: string): string => `${PREFIX}cancelled:${id}`
const nameKey = (space: string, name: string): string =>
  `${PREFIX}key:${createHash('sha256')
    .update(JSON.stringify([space, name]))
    .digest('hex')}`

const toMember = ({ part, size, id }: BlobName): string => `${part} ${size} ${id}`

function toBlob(member: string): BlobName | undefined {
  const [, part, size, id] = /^(archive|outcome) (\d{1,12}) ([0-9a-f-]{36})$/.exec(member) ?? []
  if (id === undefined || (part !== 'archive' && part !== 'outcome')) return undefined
  return { part, size: Number(size), id }
}

/** What BullMQ does not keep: whose jobs there are, blobs that must be removed one day, keys of clients, and what was cancelled. Rejects while Redis is away. */
export interface Register {
  /** Counts a job among the open ones of its name space; gives how many were open before. */
  open(id: string, note: JobNote, isListed: boolean): Promise<number>
  /** It is on the queue by now. */
  arrived(id: string): Promise<void>
  /** It has ended. */
  close(id: string, space: string): Promise<void>
  pending(id: string): Promise<JobNote | undefined>
  /** Takes back all that is known of a job that never came to be. */
  forget(id: string, space: string): Promise<void>
  /** Newest first, from an offset on. */
  list(space: string, offset: number, count: number): Promise<string[]>
  cancel(id: string, note: JobNote): Promise<void>
  cancelled(id: string): Promise<JobNote | undefined>
  /** The job that the key stands for; undefined: from now on it stands for this one. */
  claim(space: string, name: string, note: KeyNote): Promise<KeyNote | undefined>
  release(space: string, name: string): Promise<void>
  /** Before it is written: so what a crash leaves behind is known. */
  noteBlob(blob: BlobName): Promise<void>
  dropBlob(blob: BlobName): Promise<void>
  /** Those that were noted before a moment, oldest first. */
  oldBlobs(before: number): Promise<BlobName[]>
  spaces(): Promise<string[]>
  oldOpen(space: string, before: number): Promise<string[]>
  /** Open ones from an offset on, oldest first. `since`: milliseconds since 1970. */
  listOpen(space: string, offset: number, count: number): Promise<{ readonly id: string; readonly since: number }[]>
  oldListed(space: string, before: number): Promise<string[]>
  unlist(id: string, space: string): Promise<void>
  /** Whether this process is the one that sweeps, for so many seconds. */
  mayStartSweep(seconds: number): Promise<boolean>
}

export function createRegister(redis: Redis): Register {
  return {
    async open(id: string, { space, submittedAt }: JobNote, isListed: boolean): Promise<number> {
      const time = Date.parse(submittedAt)
      const work = redis.multi()
      // in one step: of jobs that come at once each counts those before it
      work.zcard(openKey(space)).zadd(openKey(space), time, id).sadd(SPACES, space)
      work.set(pendingKey(id), JSON.stringify({ space, submittedAt }), 'EX', PENDING_S)
      if (isListed) work.zadd(listKey(space), time, id)
      const [counted] = (await work.exec()) ?? []
      if (counted === undefined || counted[0] !== null) throw new Error('Redis did not take the job', { cause: counted?.[0] })
      return Number(counted[1])
    },
    async arrived(id: string): Promise<void> {
      await redis.del(pendingKey(id))
    },
    async close(id: string, space: string): Promise<void> {
      await redis.zrem(openKey(space), id)
    },
    async pending(id: string): Promise<JobNote | undefined> {
      return readNote(jobNote, await redis.get(pendingKey(id)))
    },
    async forget(id: string, space: string): Promise<void> {
      await redis.del(pendingKey(id))
      await redis.zrem(openKey(space), id)
      await redis.zrem(listKey(space), id)
    },

    list: (space: string, offset: number, count: number): Promise<string[]> =>
      redis.zrevrange(listKey(space), offset, offset + count - 1),

    async cancel(id: string, note: JobNote): Promise<void> {
      await redis.set(cancelledKey(id), JSON.stringify(note), 'EX', DAY_S)
    },
    async cancelled(id: string): Promise<JobNote | undefined> {
      return readNote(jobNote, await redis.get(cancelledKey(id)))
    },

    async claim(space: string, name: string, note: KeyNote): Promise<KeyNote | undefined> {
      const key = nameKey(space, name)
      const written = await redis.set(key, JSON.stringify(note), 'EX', DAY_S, 'NX')
      return written === 'OK' ? undefined : readNote(keyNote, await redis.get(key))
    },
    async release(space: string, name: string): Promise<void> {
      await redis.del(nameKey(space, name))
    },

    async noteBlob(blob: BlobName): Promise<void> {
      await redis.zadd(BLOBS, Date.now(), toMember(blob))
    },
    async dropBlob(blob: BlobName): Promise<void> {
      await redis.zrem(BLOBS, toMember(blob))
    },
    async oldBlobs(before: number): Promise<BlobName[]> {
      return (await redis.zrangebyscore(BLOBS, 0, before)).flatMap((member) => toBlob(member) ?? [])
    },

    spaces: (): Promise<string[]> => redis.smembers(SPACES),
    oldOpen: (space: string, before: number): Promise<string[]> => redis.zrangebyscore(openKey(space), 0, before),
    async listOpen(space: string, offset: number, count: number): Promise<{ id: string; since: number }[]> {
      const told = await redis.zrange(openKey(space), offset, offset + count - 1, 'WITHSCORES')
      return told.flatMap((id, index) => (index % 2 === 0 ? [{ id, since: Number(told[index + 1]) }] : []))
    },
    oldListed: (space: string, before: number): Promise<string[]> => redis.zrangebyscore(listKey(space), 0, before),
    async unlist(id: string, space: string): Promise<void> {
      await redis.zrem(listKey(space), id)
    },
    mayStartSweep: async (seconds: number): Promise<boolean> => (await redis.set(SWEEPER, '1', 'EX', seconds, 'NX')) === 'OK',
  }
}

function readNote<T>(schema: z.ZodType<T>, text: string | null): T | undefined {
  try {
    return text === null ? undefined : schema.parse(JSON.parse(text))
  } catch {
    // not ours
    return undefined
  }
}
