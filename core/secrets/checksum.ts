const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const TAIL = 6

/**
 * Whether the last six characters are the CRC-32 of those before, in base 62, padded with zeros: classic tokens of GitHub and npm, without their prefix.
 * Fact: "Behind GitHub's new authentication token formats" (2021); npm has the same layout.
 */
export function hasChecksum(body: string): boolean {
  const head = body.slice(0, -TAIL)
  let rest = crc32(head)
  let tail = ''
  for (let digit = 0; digit < TAIL; digit++) {
    tail = (DIGITS[rest % 62] ?? '') + tail
    rest = Math.floor(rest / 62)
  }
  return head !== '' && body.endsWith(tail)
}

/** Bit by bit: it is asked for thirty characters at a time. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at) & 0xff
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
