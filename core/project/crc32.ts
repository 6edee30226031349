/** Four tables of 256 in one array: CRC-32 four bytes at a time ("slicing-by-4"). A constant, never written again. */
const TABLE: Uint32Array = buildTable()

function buildTable(): Uint32Array {
  const table = new Uint32Array(1024)
  for (let byte = 0; byte < 256; byte++) {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
    table[byte] = value
  }
  for (let index = 256; index < 1024; index++) {
    const previous = table[index - 256] ?? 0
    table[index] = (previous >>> 8) ^ (table[previous & 0xff] ?? 0)
  }
  return table
}

/** CRC-32 as ZIP has it (ISO 3309, APPNOTE 4.4.7), as an unsigned number. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  const whole = bytes.length - (bytes.length % 4)
  for (let from = 0; from < whole; from += BLOCK) crc = addBlock(crc, bytes, from, Math.min(whole, from + BLOCK))
  for (let at = whole; at < bytes.length; at++) crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}

const BLOCK = 1024

/** A function of its own: one that is compiled while its long loop runs is compiled again for each file. */
function addBlock(before: number, bytes: Uint8Array, from: number, to: number): number {
  let crc = before
  for (let at = from; at < to; at += 4) {
    crc ^= (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)
    crc =
      (TABLE[768 + (crc & 0xff)] ?? 0) ^
      (TABLE[512 + ((crc >>> 8) & 0xff)] ?? 0) ^
      (TABLE[256 + ((crc >>> 16) & 0xff)] ?? 0) ^
      (TABLE[crc >>> 24] ?? 0)
  }
  return crc
}
