import { deflateSync } from 'fflate'
import { crc32 } from '../../core/project/crc32.ts'

/** One entry of a ZIP to build; whatever is left out is what an honest tool would write. */
export interface EntrySpec {
  readonly name: string | Uint8Array
  readonly data?: string | Uint8Array
  /** 0 stored, 8 deflated (default). */
  readonly method?: number
  /** Bytes that stand as the compressed data, whatever they are. */
  readonly raw?: Uint8Array
  readonly flags?: number
  readonly crc?: number
  readonly size?: number
  readonly compressed?: number
  readonly madeBy?: number
  /** Unix mode, put into the external attributes. */
  readonly mode?: number
  readonly attributes?: number
  readonly disk?: number
  readonly extra?: Uint8Array
  readonly localExtra?: Uint8Array
  readonly localName?: string | Uint8Array
  readonly localFlags?: number
  readonly localMethod?: number
  readonly localCrc?: number
  readonly localSize?: number
  readonly localCompressed?: number
  /** Data descriptor behind the data: with or without its signature. */
  readonly descriptor?: 'signed' | 'plain' | 'zip64'
  /** Writes sizes and offset as zip64 extra field. */
  readonly zip64?: boolean
  readonly comment?: string
  /** Offset of the local header that the directory tells. */
  readonly offset?: number
  /** No local header and data are written: the directory points at somebody else's. */
  readonly phantom?: boolean
  /** Bytes between this entry and the next one. */
  readonly gap?: Uint8Array
}

export interface ArchiveSpec {
  readonly entries: readonly EntrySpec[]
  readonly prefix?: Uint8Array
  /** Bytes between the last entry and the directory. */
  readonly beforeDirectory?: Uint8Array
  /** Bytes between the directory and its end record. */
  readonly afterDirectory?: Uint8Array
  readonly suffix?: Uint8Array
  readonly comment?: Uint8Array
  /** Offsets tell where things are without the prefix, as a self-extractor that was not adjusted. */
  readonly unadjusted?: boolean
  readonly count?: number
  readonly countHere?: number
  readonly disk?: number
  readonly startDisk?: number
  readonly directorySize?: number
  readonly directoryStart?: number
  readonly commentLength?: number
  /** Writes a zip64 end record and locator; `saturated`: the plain one says 0xffff. */
  readonly zip64?:
    | 'saturated'
    | 'both'
    | 'locator-only'
    | 'start'
    | 'missing'
    | 'huge'
    | 'disagrees'
    | 'disks'
    | 'gap'
    | 'unsigned'
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

export function bytesOf(...parts: readonly Uint8Array[]): Uint8Array {
  return joinBytes(parts)
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

export function u16(...values: readonly number[]): Uint8Array {
  return new Uint8Array(values.flatMap((value) => [value & 255, (value >>> 8) & 255]))
}

export function u32(...values: readonly number[]): Uint8Array {
  return new Uint8Array(values.flatMap((value) => [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, (value >>> 24) & 255]))
}

export function u64(value: bigint | number): Uint8Array {
  const out = new Uint8Array(8)
  new DataView(out.buffer).setBigUint64(0, BigInt(value), true)
  return out
}

/** An extra field: id, length, content. */
export function extraField(id: number, content: Uint8Array): Uint8Array {
  return bytesOf(u16(id, content.length), content)
}

/** Info-ZIP's unicode path field: the name in UTF-8, and the CRC of the name that it stands for. */
export function unicodePath(headerName: string | Uint8Array, name: string): Uint8Array {
  return extraField(0x7075, bytesOf(new Uint8Array([1]), u32(crc32(toBytes(headerName))), utf8(name)))
}

/** Builds an archive byte by byte, honest or not. */
export function buildZip(spec: ArchiveSpec): Uint8Array {
  const parts: Uint8Array[] = []
  let at = 0
  const push = (...bytes: readonly Uint8Array[]): void => {
    for (const part of bytes) {
      parts.push(part)
      at += part.length
    }
  }
  if (spec.prefix !== undefined) push(spec.prefix)
  const base = spec.unadjusted === true ? at : 0
  const central: Uint8Array[] = []
  for (const entry of spec.entries) {
    const name = toBytes(entry.name)
    const data = toBytes(entry.data ?? '')
    const method = entry.method ?? 8
    const raw = entry.raw ?? (method === 0 ? data : deflateSync(data))
    const crc = entry.crc ?? crc32(data)
    const size = entry.size ?? data.length
    const compressed = entry.compressed ?? raw.length
    const flags = (entry.flags ?? 0x0800) | (entry.descriptor === undefined ? 0 : 8)
    const localFlags = entry.localFlags ?? flags
    const start = entry.offset ?? at - base
    const wide = entry.zip64 === true
    if (entry.phantom !== true) {
      const deferred = entry.descriptor !== undefined
      const localName = toBytes(entry.localName ?? name)
      const localExtra = bytesOf(
        wide && !deferred ? extraField(1, bytesOf(u64(size), u64(compressed))) : new Uint8Array(0),
        entry.localExtra ?? new Uint8Array(0),
      )
      push(
        u32(0x04034b50),
        u16(wide ? 45 : 20, localFlags, entry.localMethod ?? method, 0, 0x21),
        u32(
          entry.localCrc ?? (deferred ? 0 : crc),
          entry.localCompressed ?? (deferred ? 0 : wide ? 0xffffffff : compressed),
          entry.localSize ?? (deferred ? 0 : wide ? 0xffffffff : size),
        ),
        u16(localName.length, localExtra.length),
        localName,
        localExtra,
        raw,
      )
      if (entry.descriptor === 'signed') push(u32(0x08074b50, crc, compressed, size))
      if (entry.descriptor === 'plain') push(u32(crc, compressed, size))
      if (entry.descriptor === 'zip64') push(u32(0x08074b50, crc), u64(compressed), u64(size))
      if (entry.gap !== undefined) push(entry.gap)
    }
    const extra = bytesOf(
      wide ? extraField(1, bytesOf(u64(size), u64(compressed), u64(start))) : new Uint8Array(0),
      entry.extra ?? new Uint8Array(0),
    )
    const comment = utf8(entry.comment ?? '')
    const madeBy = entry.madeBy ?? (entry.mode === undefined ? 0 : 3)
    central.push(
      u32(0x02014b50),
      new Uint8Array([20, madeBy]),
      u16(wide ? 45 : 20, flags, method, 0, 0x21),
      u32(crc, wide ? 0xffffffff : compressed, wide ? 0xffffffff : size),
      u16(name.length, extra.length, comment.length, entry.disk ?? 0, 0),
      u32(entry.attributes ?? (entry.mode === undefined ? 0 : (entry.mode << 16) >>> 0), wide ? 0xffffffff : start),
      name,
      extra,
      comment,
    )
  }
  if (spec.beforeDirectory !== undefined) push(spec.beforeDirectory)
  const directoryStart = at - base
  push(joinBytes(central))
  const directorySize = at - base - directoryStart
  if (spec.afterDirectory !== undefined) push(spec.afterDirectory)
  const count = spec.entries.length
  const { zip64 } = spec
  if (zip64 !== undefined && zip64 !== 'missing') {
    const record = at - base
    const told = zip64 === 'disagrees' ? count + 1 : (spec.count ?? count)
    if (zip64 !== 'locator-only') {
      push(
        u32(zip64 === 'unsigned' ? 0 : 0x06064b50),
        u64(44),
        u16(45, 45),
        u32(0, 0),
        u64(told),
        u64(told),
        u64(directorySize),
        u64(zip64 === 'huge' ? 0xffffffffffffffffn : directoryStart),
      )
    }
    if (zip64 === 'gap') push(utf8('hidden'))
    push(u32(0x07064b50, 0), u64(zip64 === 'locator-only' ? 0xffffffffffn : record), u32(zip64 === 'disks' ? 2 : 1))
  }
  // `start`: only the offset is saturated, as Info-ZIP's `-fz` writes it
  const full = zip64 !== undefined && !['start', 'both', 'disagrees', 'disks'].includes(zip64)
  const fullStart = zip64 !== undefined && zip64 !== 'both'
  const comment = spec.comment ?? new Uint8Array(0)
  push(
    u32(0x06054b50),
    u16(
      spec.disk ?? 0,
      spec.startDisk ?? 0,
      full ? 0xffff : (spec.countHere ?? spec.count ?? count),
      full ? 0xffff : (spec.count ?? count),
    ),
    u32(
      full ? 0xffffffff : (spec.directorySize ?? directorySize),
      fullStart ? 0xffffffff : (spec.directoryStart ?? directoryStart),
    ),
    u16(spec.commentLength ?? comment.length),
    comment,
  )
  if (spec.suffix !== undefined) push(spec.suffix)
  return joinBytes(parts)
}

function toBytes(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? utf8(text) : text
}
