import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { Locale, ScanOptions, ScanPorts } from '../../../core/index.ts'
import type { ProjectSource } from '../../../core/host.ts'
import { close, open, sealOf, type Seal } from './seal.ts'

/** Where sealed values lie, by their names. */
export interface SealedStore {
  get(name: string): Uint8Array | undefined
  set(name: string, sealed: Uint8Array): void
}

export type Records = Readonly<Record<Locale, Uint8Array>>

/** One scan of a folder, which may be answered by what is kept of an equal one. */
export interface WholeScan {
  /** What the scan reads of, and asks, so that it is known what its report depends on. */
  readonly source: ProjectSource
  readonly ports: ScanPorts
  /** The report of an equal scan: of the same files, settings and day, to whose questions the same is answered now. */
  find(): Promise<Records | undefined>
  keep(records: Records): void
}

const HASH = 'sha256'

const readsShape = z.array(z.number().int().nonnegative())
const reportShape = z.object({
  scanId: z.string(),
  scannedAt: z.string(),
  records: z.object({ en: z.instanceof(Uint8Array), fr: z.instanceof(Uint8Array) }),
  asked: z.object({
    advisories: z.array(z.tuple([z.custom<Parameters<ScanPorts['advisories']['query']>[0]>(Array.isArray), z.unknown()])),
    catalogue: z.array(z.tuple([z.boolean(), z.unknown()])),
  }),
})
type Kept = z.infer<typeof reportShape>

/** Notices of what depends on the machine and the moment, not on the project. */
const PASSING: ReadonlySet<string> = new Set(['time-limit', 'memory-limit', 'rule-failed'])
const noticesShape = z.looseObject({ notices: z.array(z.looseObject({ code: z.string() })) })

/**
 * A report is a function of the folder's list of files, the bytes of those that were read, settings, the day, and the answers of others. It is sealed with a key made of
 * all but the answers, which are asked for again and compared. Which files were read is sealed with one made of the list.
 */
export function createWholeScan(
  folder: ProjectSource,
  options: ScanOptions,
  ports: ScanPorts,
  { fingerprint, store }: { readonly fingerprint: string; readonly store: SealedStore },
): WholeScan {
  const { entries, notices, leftOut } = folder
  const { scanId, scannedAt, ...settings } = options
  const circumstances = JSON.stringify([settings, scannedAt.slice(0, 10)])
  const list = JSON.stringify([entries.map(({ path, size }) => [path, size]), notices, leftOut])
  const listSeal = sealOf(fingerprint, `list ${circumstances}`, Buffer.from(list))
  const contentSeal = (hashes: readonly string[]): Seal =>
    sealOf(fingerprint, `report ${circumstances}`, Buffer.from(JSON.stringify([list, hashes])))
  const hashes = new Map<number, string>()
  let isSteady = true
  const read = (index: number): Uint8Array | undefined => {
    const bytes = entries[index]?.read()
    const hash = bytes === undefined ? '' : createHash(HASH).update(bytes).digest('base64')
    // gone, or changed since it was read before
    isSteady &&= bytes !== undefined && (hashes.get(index) ?? hash) === hash
    hashes.set(index, hash)
    return bytes
  }
  const asked: Kept['asked'] = { advisories: [], catalogue: [] }
  return {
    source: { ...folder, entries: entries.map((entry, index) => ({ ...entry, read: () => read(index) })) },
    ports: record(ports, asked),
    async find() {
      const reads = unseal(store.get(listSeal.name), listSeal, readsShape)
      if (reads === undefined) return undefined
      for (const index of reads) read(index)
      const kept = isSteady ? find(store, contentSeal(reads.map((index) => hashes.get(index) ?? ''))) : undefined
      if (kept === undefined || !(await answersSame(kept, ports))) return undefined
      return { en: renew(kept.records.en, kept, options), fr: renew(kept.records.fr, kept, options) }
    },
    keep(records) {
      const told = noticesShape.safeParse(JSON.parse(new TextDecoder().decode(records.en))).data
      if (!isSteady || told === undefined || told.notices.some(({ code }) => PASSING.has(code))) return
      const reads = [...hashes.keys()].sort((a, b) => a - b)
      const seal = contentSeal(reads.map((index) => hashes.get(index) ?? ''))
      store.set(listSeal.name, close(reads, listSeal.key))
      store.set(seal.name, close({ scanId, scannedAt, records, asked }, seal.key))
    },
  }
}

function find(store: SealedStore, seal: Seal): Kept | undefined {
  return unseal(store.get(seal.name), seal, reportShape)
}

function unseal<Value>(sealed: Uint8Array | undefined, { key }: Seal, shape: z.ZodType<Value>): Value | undefined {
  if (sealed === undefined) return undefined
  try {
    return shape.safeParse(open(sealed, key)).data
  } catch {
    // cut, changed or forged
    return undefined
  }
}

function record({ advisories, catalogue }: ScanPorts, asked: Kept['asked']): ScanPorts {
  return {
    advisories: {
      ...(advisories.source !== undefined && { source: advisories.source }),
      async query(packages, signal) {
        const answer = await advisories.query(packages, signal)
        asked.advisories.push([[...packages], answer])
        return answer
      },
    },
    catalogue: {
      async overview(needed, signal) {
        const answer = await catalogue.overview(needed, signal)
        asked.catalogue.push([needed, answer])
        return answer
      },
    },
  }
}

async function answersSame({ asked }: Kept, { advisories, catalogue }: ScanPorts): Promise<boolean> {
  for (const [packages, answer] of asked.advisories)
    if (!isDeepStrictEqual(await advisories.query(packages), answer)) return false
  for (const [needed, answer] of asked.catalogue) if (!isDeepStrictEqual(await catalogue.overview(needed), answer)) return false
  return true
}

/** The report of an equal scan as that of this one. Both stand before anything of the project that could look like them, and quotes of a project are escaped. */
function renew(record: Uint8Array, { scanId, scannedAt }: Kept, options: ScanOptions): Uint8Array {
  const text = new TextDecoder().decode(record)
  return new TextEncoder().encode(
    text
      .replace(`"scanId":"${scanId}"`, () => `"scanId":"${options.scanId}"`)
      .replace(`"scannedAt":"${scannedAt}"`, () => `"scannedAt":"${options.scannedAt}"`),
  )
}
