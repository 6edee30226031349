import { refuse, toNumber } from './zip-directory.ts'
import { namesAnotherFile } from './zip-names.ts'

/** Fields of a header that a zip64 extra field takes over where they are saturated. */
export interface WideFields {
  readonly size: number
  readonly compressed: number
  readonly local: number
  readonly disk: number
}

interface Header {
  readonly rawName: Uint8Array
  readonly path: string
  readonly fields: WideFields
}

const ZIP64 = 0x0001
const UNICODE_PATH = 0x7075
const FULL = 0xffffffff

/**
 * Reads the extra fields of a header, which lie from `from` to `to` (APPNOTE 6.3.10, 4.5.3; Info-ZIP's 0x7075), and gives its fields as they really
 * are. Refused: a field that overruns its space (readers disagree about the rest), two zip64 fields, another name, and zip64 values that are missing.
 */
export function readExtra(bytes: Uint8Array, from: number, to: number, { rawName, path, fields }: Header): WideFields {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let wide: WideFields | undefined
  let at = from
  while (at + 4 <= to) {
    const id = view.getUint16(at, true)
    const start = at + 4
    at = start + view.getUint16(at + 2, true)
    if (at > to) refuse('ambiguous', path)
    if (id === UNICODE_PATH && namesAnotherFile(bytes.subarray(start, at), rawName, path)) refuse('ambiguous', path)
    if (id !== ZIP64) continue
    if (wide !== undefined) refuse('ambiguous', path)
    wide = widen(view, start, at, path, fields)
  }
  if (wide === undefined && (fields.size === FULL || fields.compressed === FULL || fields.local === FULL))
    refuse('truncated', path)
  return wide ?? fields
}

function widen(
  view: DataView,
  start: number,
  end: number,
  path: string,
  { size, compressed, local, disk }: WideFields,
): WideFields {
  let at = start
  const next = (plain: number): number => {
    if (plain !== FULL) return plain
    if (at + 8 > end) refuse('truncated', path)
    const value = toNumber(view.getBigUint64(at, true))
    at += 8
    return value
  }
  // in this order, and only those that are saturated
  const wide = { size: next(size), compressed: next(compressed), local: next(local) }
  return { ...wide, disk: disk === 0xffff && at + 4 <= end ? view.getUint32(at, true) : disk }
}
