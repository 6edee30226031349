/** The pieces of a text as UTF-8, in the front of a buffer that may be larger; no more than one piece is held beside them. */
export function encodePieces(pieces: Iterable<string>): Uint8Array {
  const encoder = new TextEncoder()
  let bytes = new Uint8Array(1 << 16)
  let size = 0
  for (const piece of pieces) {
    // a unit of UTF-16 has three bytes of UTF-8 at most
    const most = size + piece.length * 3
    if (most > bytes.length) {
      const larger = new Uint8Array(Math.max(most, bytes.length * 2))
      larger.set(bytes.subarray(0, size))
      bytes = larger
    }
    size += encoder.encodeInto(piece, bytes.subarray(size)).written
  }
  return bytes.subarray(0, size)
}
