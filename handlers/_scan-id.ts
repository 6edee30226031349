/**
 * Makes UUIDv7 (RFC 9562, 5.7): time first, so that ids sort as the scans came. Within a millisecond, and while the clock runs back, a counter
 * in the 12 bits after the version keeps that order.
 */
export function createScanIds(now: () => Date): () => string {
  let time = -1
  let sequence = 0
  return () => {
    const bytes = crypto.getRandomValues(new Uint8Array(16))
    const view = new DataView(bytes.buffer)
    const clock = now().getTime()
    if (clock > time) {
      time = clock
      // starts in the lower half: room to count
      sequence = view.getUint16(6) & 0x7ff
    } else if (sequence < 0xfff) {
      sequence += 1
    } else {
      time += 1
      sequence = 0
    }
    view.setUint32(0, Math.floor(time / 0x10000))
    view.setUint16(4, time % 0x10000)
    view.setUint16(6, 0x7000 | sequence)
    view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f))
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }
}
