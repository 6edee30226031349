import { isRefusal, Refusal } from '../core/index.ts'
import { createBusy } from './_admission.ts'
import { watchPace } from './_pace.ts'

/** One body of JSON; no request of ours comes near. */
export const MAX_JSON: number = 64 * 1024

const DRAIN_MS = 1000

/** Memory grows with what came, by doubling: a length is declared in a moment, and what is declared may never come. */
const FIRST_BUFFER = 64 * 1024

/** A sender who has brought so many bytes so soon (milliseconds) is no slow one: memory for the rest of what it declares is made at once, which leaves no outgrown
 *  buffers behind. One that slows down afterwards gives way as any slow one does. */
const TRUSTED_BYTES = 4 * 1024 * 1024
const TRUSTED_WITHIN_MS = 5000

/** Bytes that are copied without a pause when memory grows: 1 ms. */
const COPY_STRIDE = 4 * 1024 * 1024

/**
 * Bytes that are taken without a pause. A fast sender keeps the thread busy for as long as there is more to read, and everybody else waits: with
 * pauses a health request during an upload of 20 MB on two cores is answered in 10 ms, without them in 10 to 40 ms.
 */
const STRIDE = 256 * 1024

/** What Content-Length says, if it says anything. */
export function readDeclaredLength(request: Request): number | undefined {
  const header = request.headers.get('content-length')
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}

/** What a body is read for. */
export interface BodyConsumer {
  /** Makes zeroed memory for so many bytes, where it shall not be this thread's own. */
  allocate?(bytes: number): Uint8Array
  /** Is told of the size of that memory before it is made. May throw refusals. */
  hold?(bytes: number): void
  /** Is shown the body as far as it has come, piece by piece. */
  arrived?(body: Uint8Array): void
}

export interface BodyOptions extends BodyConsumer {
  /** Milliseconds since any moment; never runs back. */
  readonly clock?: () => number
}

const allocateOwn = (bytes: number): Uint8Array => new Uint8Array(bytes)

/**
 * Reads a whole body into one buffer of at most `limit` bytes, counted as they come. Throws the refusals `upload-too-large`,
 * `request-timeout`, `invalid-request` where it was cut short, and what `cancelled` rejects with. Never cancels the stream: on Node that takes the socket away from
 * whoever still listens to it.
 */
export async function readBody(
  request: Request,
  limit: number,
  cancelled: Promise<never>,
  { allocate = allocateOwn, arrived, hold, clock = () => performance.now() }: BodyOptions = {},
): Promise<Uint8Array> {
  const declared = readDeclaredLength(request)
  if (request.body === null) return finish(new Uint8Array(0), declared)
  const reader = request.body.getReader()
  if (declared !== undefined && declared > limit) {
    await drain(reader, limit)
    throw new Refusal('upload-too-large', { limit })
  }
  const reserve = (bytes: number): Uint8Array => {
    hold?.(bytes)
    try {
      return allocate(bytes)
    } catch (error) {
      // the machine has less memory than the settings say
      throw createBusy(error)
    }
  }
  let buffer = reserve(Math.min(declared ?? limit, FIRST_BUFFER))
  let size = 0
  let untilPause = STRIDE
  const started = clock()
  const pace = watchPace(() => size, clock)
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), pace.tooSlow, cancelled])
      if (done) {
        const body = finish(buffer.subarray(0, size), declared)
        // held for as long as a scan takes: of a body without a length, half may be empty
        return size === buffer.byteLength ? body : await copyInto(reserve(size), body)
      }
      const next = size + value.byteLength
      if (next > limit) {
        await drain(reader, limit)
        throw new Refusal('upload-too-large', { limit })
      }
      if (next > buffer.byteLength) {
        const most = declared === undefined || next > declared ? limit : declared
        const isTrusted = declared !== undefined && size >= TRUSTED_BYTES && clock() - started < TRUSTED_WITHIN_MS
        const wanted = isTrusted ? most : Math.min(most, Math.max(buffer.byteLength * 2, next))
        buffer = await copyInto(reserve(wanted), buffer.subarray(0, size))
      }
      for (let taken = 0; taken < value.byteLength;) {
        const piece = value.subarray(taken, taken + untilPause)
        buffer.set(piece, size)
        size += piece.byteLength
        arrived?.(buffer.subarray(0, size))
        taken += piece.byteLength
        untilPause -= piece.byteLength
        if (untilPause > 0) continue
        await pause()
        untilPause = STRIDE
      }
    }
  } catch (error) {
    // a stream that fails is a client that went away
    throw isRefusal(error) ? error : createCutShort(error)
  } finally {
    pace.stop()
  }
}

/** Swallows a body that nobody will read, within bounds, so that the client gets to see why. */
export async function discardBody(request: Request, limit: number): Promise<void> {
  if (request.bodyUsed || request.body === null || request.body.locked) return
  await drain(request.body.getReader(), limit)
}

/** The JSON in a body. Throws the refusal `invalid-request`. */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw new Refusal('invalid-request', { errors: [{ path: '', message: 'not-json' }] }, { cause: error })
  }
}

export function createCutShort(cause?: unknown): Refusal {
  return new Refusal('invalid-request', { errors: [{ path: '', message: 'cut-short' }] }, { cause })
}

function finish(body: Uint8Array, declared: number | undefined): Uint8Array {
  if (declared !== undefined && body.byteLength < declared) throw createCutShort()
  return body
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, limit: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = new Promise<{ done: true; value?: undefined }>((resolve) => {
    timer = setTimeout(() => resolve({ done: true }), DRAIN_MS)
  })
  try {
    for (let left = limit; left >= 0;) {
      const { done, value } = await Promise.race([reader.read(), stop])
      if (done) return
      left -= value.byteLength
    }
  } catch {
    // it went away: nobody is left to be told
  } finally {
    clearTimeout(timer)
  }
}

async function copyInto(target: Uint8Array, bytes: Uint8Array): Promise<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += COPY_STRIDE) {
    if (at > 0) await pause()
    target.set(bytes.subarray(at, at + COPY_STRIDE), at)
  }
  return target
}

/** Lets whoever waits for the thread have it. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
