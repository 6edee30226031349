import { Refusal, type ArchiveReason } from '../errors.ts'

/** The extent of a ZIP's central directory, as its end record tells it. */
export interface DirectoryExtent {
  readonly start: number
  readonly end: number
  readonly count: number
}

const LOCAL = 0x04034b50
const DESCRIPTOR = 0x08074b50
const END = 0x06054b50
const END64 = 0x06064b50
const LOCATOR64 = 0x07064b50
const END_SIZE = 22
const LOCATOR64_SIZE = 20
const END64_SIZE = 56
const CENTRAL_SIZE = 46
const MAX_COMMENT = 0xffff

export function refuse(reason: ArchiveReason, entry?: string): never {
  throw new Refusal('archive-invalid', { reason, ...(entry !== undefined && { entry }) })
}

/**
 * Finds the one central directory of a ZIP (APPNOTE 6.3.10, 4.3.14 to 4.3.16). It must end where the end record begins, and that at the end of the
 * file: whatever two readers could see differently is refused as `ambiguous`. More than `maxEntries` is refused before the directory is looked at.
 */
export function findDirectory(bytes: Uint8Array, maxEntries: number): DirectoryExtent {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(bytes, view)
  const fields: EndFields = {
    disk: view.getUint16(end + 4, true),
    startDisk: view.getUint16(end + 6, true),
    countHere: view.getUint16(end + 8, true),
    count: view.getUint16(end + 10, true),
    size: view.getUint32(end + 12, true),
    start: view.getUint32(end + 16, true),
  }
  const locator = end - LOCATOR64_SIZE
  const hasLocator = locator >= 0 && view.getUint32(locator, true) === LOCATOR64
  const extent = hasLocator ? readEnd64(view, locator, fields) : readEnd(fields, end)
  if (extent.count > maxEntries) throw new Refusal('archive-too-large', { reason: 'entries', limit: maxEntries })
  const { start, size, count } = extent
  if (start > extent.end || size > extent.end) refuse('truncated')
  if (start + size !== extent.end || count * CENTRAL_SIZE > size) refuse('ambiguous')
  return { start, end: extent.end, count }
}

/** The one end record whose comment reaches the end of the file. */
function findEnd(bytes: Uint8Array, view: DataView): number {
  const lowest = Math.max(0, bytes.length - END_SIZE - MAX_COMMENT)
  let found: number | undefined
  let last: number | undefined
  for (let at = bytes.length - 4; at >= lowest; at--) {
    if (bytes[at] !== 0x50 || view.getUint32(at, true) !== END) continue
    last ??= at
    if (at + END_SIZE > bytes.length || commentEnd(view, at) !== bytes.length) continue
    // a second one that reaches the end of the file, or one of any kind inside a comment: which one counts depends on where a reader starts
    if (found !== undefined || last !== at) refuse('ambiguous')
    found = at
  }
  return found ?? refuseWithoutEnd(bytes, view, last)
}

function commentEnd(view: DataView, end: number): number {
  return end + END_SIZE + view.getUint16(end + 20, true)
}

/** Cut off, followed by something, or no ZIP at all; `last`: the last end record, which does not reach the end of the file. */
function refuseWithoutEnd(bytes: Uint8Array, view: DataView, last: number | undefined): never {
  const signature = bytes.length >= 4 ? view.getUint32(0, true) : 0
  const startsWithEntry = signature === LOCAL || signature === DESCRIPTOR
  if (last !== undefined) {
    if (last + END_SIZE > bytes.length || commentEnd(view, last) > bytes.length) refuse('truncated')
    // an end record that does not fit this file is that of an archive inside it
    const isOwn = view.getUint32(last + 16, true) + view.getUint32(last + 12, true) === last
    refuse(isOwn || !startsWithEntry ? 'ambiguous' : 'truncated')
  }
  if (startsWithEntry) refuse('truncated')
  throw new Refusal('archive-invalid', { reason: 'not-a-zip', detected: detectType(bytes) })
}

interface EndFields {
  readonly disk: number
  readonly startDisk: number
  readonly countHere: number
  readonly count: number
  readonly size: number
  readonly start: number
}

interface Extent extends DirectoryExtent {
  readonly size: number
}

function readEnd({ disk, startDisk, countHere, count, size, start }: EndFields, end: number): Extent {
  // a count of 65,535 may be just that
  if (size === 0xffffffff || start === 0xffffffff) refuse('truncated')
  if (disk !== 0 || startDisk !== 0 || countHere !== count) refuse('multi-disk')
  return { start, size, count, end }
}

function readEnd64(view: DataView, locator: number, plain: EndFields): Extent {
  const end = toNumber(view.getBigUint64(locator + 8, true))
  if (view.getUint32(locator + 4, true) !== 0 || view.getUint32(locator + 16, true) > 1) refuse('multi-disk')
  if (end + END64_SIZE > locator) refuse('truncated')
  if (view.getUint32(end, true) !== END64) refuse('ambiguous')
  if (end + 12 + toNumber(view.getBigUint64(end + 4, true)) !== locator) refuse('ambiguous')
  const [disk, startDisk] = [view.getUint32(end + 16, true), view.getUint32(end + 20, true)]
  const wide = (offset: number): number => toNumber(view.getBigUint64(end + offset, true))
  const [countHere, count, size, start] = [wide(24), wide(32), wide(40), wide(48)]
  if (disk !== 0 || startDisk !== 0 || countHere !== count) refuse('multi-disk')
  // readers that look for a zip64 record only where a plain field is saturated would not see this one
  if (
    ![plain.count, plain.countHere, plain.disk, plain.startDisk].includes(0xffff) &&
    ![plain.size, plain.start].includes(0xffffffff)
  )
    refuse('ambiguous')
  // a plain field that is not saturated is what readers without zip64 believe
  const differs = (field: number, limit: number, other: number): boolean => field !== limit && field !== other
  if (differs(plain.disk, 0xffff, 0) || differs(plain.startDisk, 0xffff, 0)) refuse('multi-disk')
  if (differs(plain.countHere, 0xffff, count) || differs(plain.count, 0xffff, count)) refuse('ambiguous')
  if (differs(plain.size, 0xffffffff, size) || differs(plain.start, 0xffffffff, start)) refuse('ambiguous')
  return { start, size, count, end }
}

/** A 64-bit field as a number; beyond 2^53 no file is that long. */
export function toNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) refuse('truncated')
  return Number(value)
}

const SIGNATURES: readonly (readonly [string, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['7z', [0x37, 0x7a, 0xbc, 0xaf]],
  ['rar', [0x52, 0x61, 0x72, 0x21]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['pdf', [0x25, 0x50, 0x44, 0x46]],
  ['png', [0x89, 0x50, 0x4e, 0x47]],
  ['elf', [0x7f, 0x45, 0x4c, 0x46]],
]

/** What the bytes look like instead of a ZIP: a word for the refusal's text. */
function detectType(bytes: Uint8Array): string {
  for (const [name, signature] of SIGNATURES) if (signature.every((byte, index) => bytes[index] === byte)) return name
  if (decodeStart(bytes, 257, 5) === 'ustar') return 'tar'
  const start = decodeStart(bytes, 0, 64).trimStart().toLowerCase()
  if (start.startsWith('<!doctype html') || start.startsWith('<html')) return 'html'
  if (start.startsWith('{') || start.startsWith('[')) return 'json'
  return 'unknown'
}

function decodeStart(bytes: Uint8Array, from: number, length: number): string {
  return new TextDecoder().decode(bytes.subarray(from, from + length))
}
