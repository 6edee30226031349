import { watchPace } from './_pace.ts'

/** As much as a socket buffers: what is taken of a stream is then on its way. */
const PIECE = 64 * 1024

/** Bytes on their way to a client, in pieces, each made when the one before was taken. */
export interface Pieces {
  readonly stream: ReadableStream<Uint8Array>
  /** Resolves when the client has taken the bytes; rejects when it went away, or takes them too slowly and is cut off. One at a time. */
  write(bytes: Uint8Array): Promise<void>
  /** Bytes that were taken so far. */
  taken(): number
  /** No more is written. */
  close(): void
  /** Cuts the client off. */
  cut(): void
}

export interface PiecesOptions {
  /** Milliseconds since any moment; never runs back. */
  readonly clock: () => number
  /** The client went away, or was cut off. */
  readonly onGone?: () => void
}

export function createPieces({ clock, onGone }: PiecesOptions): Pieces {
  let rest: Uint8Array = new Uint8Array(0)
  let taken = 0
  let closed = false
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let wake = (): void => undefined
  let settle = (): void => undefined
  let lose = (_error: Error): void => undefined
  const gone = new Promise<never>((_, reject) => (lose = reject))
  gone.catch(() => undefined)

  const isWaiting = (): boolean => rest.byteLength === 0 && !closed

  const end = (): void => {
    if (closed) return
    closed = true
    rest = new Uint8Array(0)
    lose(new Error('the client is gone'))
    onGone?.()
    wake()
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      start: (it) => void (controller = it),
      async pull(it) {
        while (isWaiting()) await new Promise<void>((resolve) => (wake = resolve))
        if (rest.byteLength === 0) return
        const piece = rest.subarray(0, PIECE)
        rest = rest.subarray(piece.byteLength)
        taken += piece.byteLength
        it.enqueue(piece)
        if (rest.byteLength === 0) settle()
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )

  const cut = (): void => {
    if (closed) return
    end()
    controller?.error(new Error('the client takes too long'))
  }

  return {
    stream,
    cut,
    taken: () => taken,
    async write(bytes) {
      if (closed) return gone
      const done = new Promise<void>((resolve) => (settle = resolve))
      rest = bytes
      wake()
      const pace = watchPace(() => taken, clock)
      try {
        await Promise.race([done, gone, pace.tooSlow])
      } catch (error) {
        cut()
        throw error
      } finally {
        pace.stop()
      }
    },
    close() {
      if (closed) return
      closed = true
      controller?.close()
      wake()
    },
  }
}
