import type { H3Event } from 'h3'
import { createBusy } from './_admission.ts'
import { encodeAnswer, type Compress } from './_encoding.ts'
import { createPieces, type Pieces } from './_pieces.ts'

/** Answers that are on their way to clients, and the memory that they hold. */
export interface Deliveries {
  /**
   * Sets memory aside for an answer of so many bytes. Clients that take least a second are cut off where it is short; where even that is not enough
   * it throws the refusal `busy`, or goes beyond the limit where the answer `must` be sent.
   */
  reserve(bytes: number, must?: boolean): Delivery
}

export interface Delivery {
  /** Sends the answer, and then closes. */
  send(bytes: Uint8Array): ReadableStream<Uint8Array>
  /** Sends it behind others. Resolves when the client has taken it, and the memory is free again; rejects when the client is gone. */
  write(pieces: Pieces, bytes: Uint8Array): Promise<void>
  /** It is not sent after all. */
  release(): void
}

export interface DeliveryOptions {
  /** Bytes of all answers together. */
  readonly maxHeld: number
  /** Milliseconds since any moment; never runs back. */
  readonly clock: () => number
}

/** Answers on their way at once. */
export const MAX_DELIVERIES = 250

/** Of the memory for bodies, answers may take as much once more as this share. */
export const DELIVERY_SHARE = 0.5

/** An answer that is on its way for less time is not judged by how fast it is taken. */
const FRESH_MS = 2000

/** What is smaller is handed over as it is: sockets buffer as much. */
export const SMALL_ANSWER: number = 64 * 1024

interface Sending {
  readonly bytes: number
  /** Where it is taken from, and since when; undefined while the answer is still made. */
  way?: { readonly pieces: Pieces; readonly since: number; readonly before: number }
}

export function createDeliveries({ maxHeld, clock }: DeliveryOptions): Deliveries {
  const open = new Set<Sending>()
  let held = 0

  const release = (sending: Sending): void => {
    if (open.delete(sending)) held -= sending.bytes
  }

  const isShort = (bytes: number): boolean => open.size >= MAX_DELIVERIES || (held > 0 && held + bytes > maxHeld)

  /** Those that take least a second hold the memory for longest. */
  const makeRoom = (bytes: number): void => {
    if (!isShort(bytes)) return
    const now = clock()
    const rates = [...open].flatMap((sending) => {
      const { way } = sending
      const time = now - (way?.since ?? now)
      return way !== undefined && time > FRESH_MS ? [{ sending, way, rate: (way.pieces.taken() - way.before) / time }] : []
    })
    for (const { sending, way } of rates.sort((a, b) => a.rate - b.rate)) {
      if (!isShort(bytes)) return
      release(sending)
      way.pieces.cut()
    }
  }

  return {
    reserve(bytes, must = false) {
      makeRoom(bytes)
      if (!must && isShort(bytes)) throw createBusy()
      const sending: Sending = { bytes }
      open.add(sending)
      held += bytes
      const write = async (pieces: Pieces, answer: Uint8Array): Promise<void> => {
        sending.way = { pieces, since: clock(), before: pieces.taken() }
        try {
          await pieces.write(answer)
        } finally {
          release(sending)
        }
      }
      return {
        write,
        release: () => release(sending),
        send(answer) {
          const pieces = createPieces({ clock })
          write(pieces, answer).then(pieces.close, () => undefined)
          return pieces.stream
        },
      }
    },
  }
}

/** What a handler returns for an answer of any size; its other headers are set. */
export async function deliver(
  event: H3Event,
  { deliveries, compress }: { readonly deliveries: Deliveries; readonly compress?: Compress },
  answer: Uint8Array,
  must = false,
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  const bytes = await encodeAnswer(event, answer, compress)
  if (event.req.method === 'HEAD' || bytes.byteLength <= SMALL_ANSWER) return bytes
  const delivery = deliveries.reserve(bytes.byteLength, must)
  event.res.headers.set('content-length', String(bytes.byteLength))
  return delivery.send(bytes)
}
