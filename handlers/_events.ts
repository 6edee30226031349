import type { H3Event } from 'h3'
import type { ScanProgress } from '../core/index.ts'
import { SMALL_ANSWER, type Deliveries } from './_delivery.ts'
import { createPieces, type Pieces } from './_pieces.ts'

/** Something on the line keeps what is between from taking it for dead. */
const HEARTBEAT_MS = 5000

const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // nginx would keep events back until its buffer is full
  'x-accel-buffering': 'no',
}

export interface LastEvent {
  readonly event: 'report' | 'problem'
  /** JSON without line breaks. */
  readonly data: Uint8Array
}

/** Answers with events. `onGone` is told of a client that went away, or that takes nothing any more and is cut off. */
export function openEvents(event: H3Event, clock: () => number, onGone: () => void): Pieces {
  for (const [name, value] of Object.entries(HEADERS)) event.res.headers.set(name, value)
  return createPieces({ clock, onGone })
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/**
 * Sends a work's progress as events, then its last one, and closes. Of the progress that comes while an event is still being taken only the
 * latest is kept: a client that does not read must not fill the memory.
 */
export async function sendEvents(
  pieces: Pieces,
  deliveries: Deliveries,
  work: (onProgress: (progress: ScanProgress) => void) => Promise<LastEvent>,
): Promise<void> {
  let latest: ScanProgress | undefined
  let writing: Promise<void> | undefined

  const write = async (first = ''): Promise<void> => {
    try {
      if (first !== '') await pieces.write(encode(first))
      while (latest !== undefined) {
        const { phase, done, total } = latest
        latest = undefined
        await pieces.write(encode(`event: progress\ndata: ${JSON.stringify({ phase, done, total })}\n\n`))
      }
    } catch {
      // whoever went away is told of nothing; the scan is cancelled by the one who opened this
    }
    writing = undefined
  }
  const heartbeat = setInterval(() => {
    writing ??= write(': working\n\n')
  }, HEARTBEAT_MS)

  try {
    const last = await work((progress) => {
      latest = progress
      writing ??= write()
    })
    clearInterval(heartbeat)
    await writing
    await pieces.write(encode(`event: ${last.event}\ndata: `))
    await writeData(pieces, deliveries, last.data)
    await pieces.write(encode('\n\n'))
    pieces.close()
  } finally {
    clearInterval(heartbeat)
  }
}

/** A report is worth more than the limit: it is finished, and asked for. */
function writeData(pieces: Pieces, deliveries: Deliveries, data: Uint8Array): Promise<void> {
  return data.byteLength <= SMALL_ANSWER ? pieces.write(data) : deliveries.reserve(data.byteLength, true).write(pieces, data)
}
