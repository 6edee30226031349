import * as z from 'zod'
import { createRecord, type ExclusiveStorage } from '../exclusive.ts'
import type { Log } from '../log.ts'
import { attempt } from '../stored-scans.ts'
import { DECISION_STATES, type DecisionRecord } from './decision-types.ts'

const RECORDS = 'decisions:'
const SNAPSHOTS = 'decided:'

/** Records that are read at once. */
const BATCH = 100
/** Records after which all of them are written as one, so that a process that starts reads few. */
const SNAPSHOT_EVERY = 128
const DIGITS = 8

const recordSchema: z.ZodType<DecisionRecord> = z.object({
  state: z.enum([...DECISION_STATES, 'withdrawn']),
  reason: z.string(),
  until: z.string().optional(),
  owner: z.string().optional(),
  by: z.string().optional(),
  at: z.string(),
  ids: z.array(z.string()),
})

/** What stands in the place of a record that can't be read: what comes after it counts all the same. */
const UNREADABLE: DecisionRecord = { state: 'withdrawn', reason: '', at: '', ids: [] }

/**
 * What was decided in a project, in the order in which it was: numbered records, each written once by who was first. A writer who comes second reads what the first one wrote before he
 * tries the next number, so nobody decides unseen. No record is ever changed.
 */
export interface DecisionLog {
  /** All records of a project, oldest first; the list grows in place. */
  read(project: string): Promise<readonly DecisionRecord[]>
  /** Writes the next record; false where somebody else did. */
  append(project: string, record: DecisionRecord): Promise<boolean>
  /** How many there are, by the keys of projects. */
  count(): Promise<ReadonlyMap<string, number>>
  erase(project: string): Promise<void>
}

const pad = (number: number): string => String(number).padStart(DIGITS, '0')
const numberIn = (key: string): number => Number(key.slice(key.lastIndexOf(':') + 1))

export function createDecisionLog(storage: ExclusiveStorage, log: Log): DecisionLog {
  const held = new Map<string, DecisionRecord[]>()
  const keyOf = (project: string, number: number): string => `${RECORDS}${project}:${pad(number)}`

  function parse(value: unknown, project: string): DecisionRecord {
    const { data } = recordSchema.safeParse(value)
    if (data === undefined) log({ level: 'warn', event: 'record-damaged', project })
    return data ?? UNREADABLE
  }

  async function readOne(project: string, number: number): Promise<DecisionRecord | undefined> {
    const value = await attempt(() => storage.getItem(keyOf(project, number)))
    return value === null ? undefined : parse(value, project)
  }

  /** The newest that can be read, if any. */
  async function readSnapshot(project: string): Promise<DecisionRecord[]> {
    const keys = await attempt(() => storage.getKeys(`${SNAPSHOTS}${project}:`))
    for (const key of keys.sort().reverse()) {
      const raw = await attempt(() => storage.getItemRaw<unknown>(key))
      const records = raw instanceof Uint8Array || raw instanceof ArrayBuffer ? parseSnapshot(raw) : undefined
      if (records?.length === numberIn(key)) return records
    }
    return []
  }

  async function readAll(project: string): Promise<DecisionRecord[]> {
    const keys = await attempt(() => storage.getKeys(`${RECORDS}${project}:`))
    const last = keys.reduce((most, key) => Math.max(most, numberIn(key) || 0), 0)
    if (last === 0) return []
    const records = await readSnapshot(project)
    // of a project that was deleted and begun again
    if (records.length > last) records.length = 0
    while (records.length < last) {
      const from = records.length + 1
      const numbers = Array.from({ length: Math.min(BATCH, last - from + 1) }, (_, index) => keyOf(project, from + index))
      const found = new Map((await attempt(() => storage.getItems(numbers))).map(({ key, value }) => [key, value]))
      for (const key of numbers) records.push(parse(found.get(key), project))
    }
    return records
  }

  /** Whether what is held is the beginning of what is there: the project may have been deleted, and begun again. */
  async function isStill(project: string, records: readonly DecisionRecord[]): Promise<boolean> {
    const last = records.at(-1)
    return last === undefined || last.at === '' || (await readOne(project, records.length))?.at === last.at
  }

  /** One record for all: what it is made of stays, so it can be lost. */
  async function writeSnapshot(project: string, records: readonly DecisionRecord[]): Promise<void> {
    const key = `${SNAPSHOTS}${project}:${pad(records.length)}`
    await storage.setItemRaw(key, new TextEncoder().encode(JSON.stringify(records)))
    const older = (await storage.getKeys(`${SNAPSHOTS}${project}:`)).filter((other) => other < key)
    for (const other of older) await storage.removeItem(other)
  }

  async function read(project: string): Promise<DecisionRecord[]> {
    const known = held.get(project)
    const records = known !== undefined && (await isStill(project, known)) ? known : await readAll(project)
    held.set(project, records)
    for (;;) {
      const number = records.length + 1
      const next = await readOne(project, number)
      if (next === undefined) return records
      // somebody else in this process may have read it too
      if (records.length + 1 === number) records.push(next)
    }
  }

  return {
    read,
    async append(project, record) {
      const records = held.get(project) ?? (await read(project))
      const number = records.length + 1
      const isFirst = await attempt(() => createRecord(storage, keyOf(project, number), JSON.stringify(record)))
      if (!isFirst) return false
      if (records.length + 1 === number) records.push(record)
      if (number % SNAPSHOT_EVERY === 0)
        await attempt(() => writeSnapshot(project, records.slice(0, number))).catch((error: unknown) =>
          log({ level: 'warn', event: 'snapshot-failed', error }),
        )
      return true
    },
    async count() {
      const counts = new Map<string, number>()
      for (const key of await attempt(() => storage.getKeys(RECORDS))) {
        const [, project = '', number = ''] = key.split(':')
        counts.set(project, Math.max(counts.get(project) ?? 0, Number(number) || 0))
      }
      return counts
    },
    async erase(project) {
      held.delete(project)
      for (const base of [SNAPSHOTS, RECORDS]) {
        // the newest first: what is left behind in the middle of it begins where it did
        const keys = await attempt(() => storage.getKeys(`${base}${project}:`))
        for (const key of keys.sort().reverse()) await attempt(() => storage.removeItem(key))
      }
    },
  }
}

function parseSnapshot(raw: Uint8Array | ArrayBuffer): DecisionRecord[] | undefined {
  try {
    return z.array(recordSchema).safeParse(JSON.parse(new TextDecoder().decode(raw))).data
  } catch {
    return undefined
  }
}
