import { Inflate, inflateSync } from 'fflate'
import { Refusal } from '../errors.ts'

/** 16 kB of deflate data become 16 MB at most: so much is decoded beyond a declared size before it shows. */
const SLICE = 16 * 1024
/** A stream ends within so many slices after its last byte of output; what follows is no part of it. */
const SLICES_TO_END = 2

/**
 * What a platform has to inflate raw deflate data with, in a fraction of the time: at most `size` bytes and one more. Undefined, or another number of bytes: it is
 * done here, by which the fault gets its name.
 */
export type Inflater = (data: Uint8Array, size: number) => Uint8Array | undefined

/**
 * Inflates raw deflate data to exactly `size` bytes; what stands behind the end of the stream is ignored. Fed in slices, because fflate's
 * `inflateSync` decodes a bomb to its end. Throws the refusals `size-mismatch` (more or fewer bytes, or a stream that does not
 * end) and `corrupt-data` (one that does not decode).
 */
export function inflateExactly(data: Uint8Array, size: number, entry: string, inflater?: Inflater): Uint8Array {
  const inflated = data.length === 0 ? undefined : inflater?.(data, size)
  if (inflated?.length === size) return inflated
  if (data.length <= SLICE) return inflateSmall(data, size, entry)
  const out = new Uint8Array(size)
  let length = 0
  const stream = new Inflate((chunk) => {
    if (length + chunk.length <= size) out.set(chunk, length)
    length += chunk.length
  })
  try {
    let slicesToEnd = SLICES_TO_END
    for (let at = 0; ; at += SLICE) {
      // fflate keeps all that it is handed behind the end of a stream, so a long tail would cost its square
      const isLast = at + SLICE >= data.length || (length === size && --slicesToEnd === 0)
      // the last slice throws "unexpected EOF" unless the stream has ended
      stream.push(data.subarray(at, at + SLICE), isLast)
      if (isLast || length > size) break
    }
  } catch (error) {
    throw new Refusal('archive-invalid', { reason: isUnexpectedEnd(error) ? 'size-mismatch' : 'corrupt-data', entry })
  }
  // fflate takes no data at all for an empty stream; the shortest one has two bytes
  if (length !== size || data.length === 0) throw new Refusal('archive-invalid', { reason: 'size-mismatch', entry })
  return out
}

/** What fits into one slice at once: the bound is the same, and no window has to be made for it. One byte more than declared tells a lie. */
function inflateSmall(data: Uint8Array, size: number, entry: string): Uint8Array {
  try {
    const out = inflateSync(data, { out: new Uint8Array(size + 1) })
    if (out.length === size && data.length > 0) return out
  } catch (error) {
    throw new Refusal('archive-invalid', { reason: isUnexpectedEnd(error) ? 'size-mismatch' : 'corrupt-data', entry })
  }
  throw new Refusal('archive-invalid', { reason: 'size-mismatch', entry })
}

/** fflate 0.8: `code` 0 is "unexpected EOF". */
function isUnexpectedEnd(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 0
}
