import type { EventStream } from 'h3'
import type { ScanProgress } from '../core/index.ts'

/** Something on the line keeps what is between from taking it for dead. */
const HEARTBEAT_MS = 5000

export interface LastEvent {
  readonly event: 'report' | 'problem'
  readonly data: string
}

/**
 * Sends a work's progress as events, then its last one, and closes. Of the progress that comes while an event is still being written only the
 * latest is kept: a client that does not read must not fill the memory.
 */
export async function sendEvents(
  stream: EventStream,
  work: (onProgress: (progress: ScanProgress) => void) => Promise<LastEvent>,
): Promise<void> {
  let latest: ScanProgress | undefined
  let writing: Promise<void> | undefined

  const write = async (): Promise<void> => {
    while (latest !== undefined) {
      const { phase, done, total } = latest
      latest = undefined
      await stream.push({ event: 'progress', data: JSON.stringify({ phase, done, total }) })
    }
    writing = undefined
  }
  const heartbeat = setInterval(() => {
    writing ??= stream.pushComment('working').then(write)
  }, HEARTBEAT_MS)

  try {
    const last = await work((progress) => {
      latest = progress
      writing ??= write()
    })
    await writing
    await stream.push({ event: last.event, data: last.data })
  } finally {
    clearInterval(heartbeat)
    await stream.close()
  }
}
