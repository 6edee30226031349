import { deflateSync } from 'fflate'
import { crc32 as crcOf } from 'node:zlib'
import { invalid, TEXT, type HostileArchive } from './hostile-archive.ts'
import { buildZip, bytesOf, joinBytes, u16, u32, utf8, type EntrySpec } from './zip-builder.ts'

/** Many entries that all point at one local header. */
function fullOverlap(count: number, kernel: Uint8Array): Uint8Array {
  const raw = deflateSync(kernel)
  const crc = crcOf(kernel)
  const entries: EntrySpec[] = [{ name: 'k.js', data: kernel, raw }]
  for (let index = 0; index < count; index++)
    entries.push({ name: `q${index}.js`, offset: 0, phantom: true, raw, crc, size: kernel.length })
  return buildZip({ entries })
}

const localHeader = (name: Uint8Array, crc: number, compressed: number, size: number): Uint8Array =>
  bytesOf(u32(0x04034b50), u16(20, 0x0800, 8, 0, 0x21), u32(crc, compressed, size), u16(name.length, 0), name)

/**
 * Fifield's construction (2019): each entry's data begins with a stored block that quotes the next entry's local header, so that all of them share
 * one kernel and every one is valid: sizes, CRCs and names are right.
 */
export function quotedOverlap(count: number, kernel: Uint8Array): Uint8Array {
  const entries: EntrySpec[] = []
  let tail: Uint8Array = deflateSync(kernel)
  let crc = crcOf(kernel)
  const quotes: Uint8Array[] = []
  let size = kernel.length
  let whole: Uint8Array = new Uint8Array(0)
  for (let index = count - 1; index >= 0; index--) {
    const name = utf8(`q${index}.js`)
    const header = localHeader(name, crc, tail.length, size)
    whole = joinBytes([header, tail])
    entries.unshift({ name, raw: tail, crc, size, phantom: true, offset: whole.length })
    quotes.unshift(header)
    tail = joinBytes([new Uint8Array([0]), u16(header.length, header.length ^ 0xffff), whole])
    size += header.length
    crc = crcOf(kernel, crcOf(joinBytes(quotes)))
  }
  // offsets were counted from the end
  const total = whole.length
  return buildZip({
    prefix: whole,
    entries: entries.map((entry) => Object.assign({}, entry, { offset: total - (entry.offset ?? 0) })),
  })
}

export const HOSTILE_OVERLAPS: readonly HostileArchive[] = [
  // 40 GB in a megabyte, 500 MB in 30 kB
  invalid('overlap-full-huge', 'overlap', () => fullOverlap(15_000, new Uint8Array(2_700_000))),
  invalid('overlap-full', 'overlap', () => fullOverlap(250, utf8(TEXT.repeat(3000)))),
  invalid('overlap-full-two', 'overlap', () => fullOverlap(1, utf8(TEXT))),
  invalid('overlap-quoted', 'overlap', () => quotedOverlap(250, new Uint8Array(2_000_000))),
  invalid('overlap-quoted-two', 'overlap', () => quotedOverlap(2, utf8(TEXT))),
  invalid('overlap-stored', 'overlap', () => {
    // the stored data of the first entry is the whole second entry
    const inner = buildZip({ entries: [{ name: 'b.js', data: TEXT, method: 0 }] })
    const local = inner.subarray(0, 30 + 4 + TEXT.length)
    return buildZip({
      entries: [
        { name: 'a.js', data: local, method: 0 },
        { name: 'b.js', data: TEXT, method: 0, offset: 34, phantom: true },
      ],
    })
  }),
  invalid('overlap-data', 'overlap', () => {
    const longer = TEXT.length + 40
    const first: EntrySpec = { name: 'a.js', data: TEXT, method: 0, size: longer, compressed: longer, descriptor: 'plain' }
    return buildZip({ entries: [first, { name: 'b.js', data: TEXT }] })
  }),
  invalid('overlap-directory', 'overlap', () => {
    const longer = TEXT.length + 20
    return buildZip({ entries: [{ name: 'a.js', data: TEXT, method: 0, size: longer, compressed: longer, descriptor: 'plain' }] })
  }),
]
