import { Refusal } from '../core/index.ts'

/** Bytes a second that must go over the line, in either direction, looked at every 10 s; and the time for all of them. The detail of `request-timeout` says so. */
export const MIN_RATE = 10_000
export const MAX_TRANSFER_MS = 600_000
const WINDOW_MS = 10_000

export interface Pace {
  /** Rejects with the refusal `request-timeout`. */
  readonly tooSlow: Promise<never>
  stop(): void
}

/** Watches what a client sends or takes: slow ones hold memory that others wait for. `clock` counts milliseconds and never runs back. */
export function watchPace(countBytes: () => number, clock: () => number): Pace {
  let timer: ReturnType<typeof setInterval> | undefined
  const tooSlow = new Promise<never>((_, reject) => {
    const begun = clock()
    let tick = begun
    let before = countBytes()
    timer = setInterval(() => {
      const now = clock()
      const late = now - tick > WINDOW_MS * 1.2
      tick = now
      const bytes = countBytes() - before
      before += bytes
      // where a scan had the thread, nothing could be read: that is not the client's fault
      const slow = !late && bytes < (MIN_RATE * WINDOW_MS) / 1000
      if (slow || now - begun >= MAX_TRANSFER_MS) reject(new Refusal('request-timeout'))
    }, WINDOW_MS)
  })
  tooSlow.catch(() => undefined)
  return { tooSlow, stop: () => clearInterval(timer) }
}
