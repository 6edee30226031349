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
  let at = 0
  const whole = bytes.length - (bytes.length % 4)
  while (at < whole) {
    crc ^= (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)
    crc =
      (TABLE[768 + (crc & 0xff)] ?? 0) ^
      (TABLE[512 + ((crc >>> 8) & 0xff)] ?? 0) ^
      (TABLE[256 + ((crc >>> 16) & 0xff)] ?? 0) ^
      (TABLE[crc >>> 24] ?? 0)
    at += 4
  }
  while (at < bytes.length) crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[at++] ?? 0)) & 0xff] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}
