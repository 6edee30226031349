/** Bytes of a chunk: what is left over at a chunk's end is at most the longest piece, which is a finding. */
const CHUNK = 1 << 18

/**
 * Gives the pieces of a text as UTF-8, in a buffer of exactly their size, which may be handed to another thread. Beside it there is one piece, and chunks
 * that hold the text once, for all texts of the encoder: one buffer that doubles would have held it three times, in memory that no garbage collector sees
 * as its own.
 */
export function createPieceEncoder(): (pieces: Iterable<string>) => Uint8Array {
  const encoder = new TextEncoder()
  const chunks: Uint8Array[] = []
  return (pieces) => {
    const full: Uint8Array[] = []
    let chunk = chunkOf(chunks, 0, CHUNK)
    let used = 0
    let size = 0
    for (const piece of pieces) {
      // a unit of UTF-16 has three bytes of UTF-8 at most
      const most = piece.length * 3
      if (used + most > chunk.length) {
        full.push(chunk.subarray(0, used))
        chunk = chunkOf(chunks, full.length, most)
        used = 0
      }
      const { written } = encoder.encodeInto(piece, chunk.subarray(used))
      used += written
      size += written
    }
    const bytes = new Uint8Array(size)
    let at = 0
    for (const part of [...full, chunk.subarray(0, used)]) {
      bytes.set(part, at)
      at += part.length
    }
    return bytes
  }
}

function chunkOf(chunks: Uint8Array[], index: number, least: number): Uint8Array {
  const known = chunks[index]
  if (known !== undefined && known.length >= least) return known
  const made = new Uint8Array(Math.max(least, CHUNK))
  chunks[index] = made
  return made
}

/** The pieces of one text as UTF-8. */
export function encodePieces(pieces: Iterable<string>): Uint8Array {
  return createPieceEncoder()(pieces)
}
