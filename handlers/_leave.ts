import type { H3Event } from 'h3'

/** What happens when the client of a request goes away. */
export interface Leave {
  /** It is gone, as somebody noticed. */
  now(): void
  /** From now on something else happens. */
  become(work: () => void): void
  /** From now on nothing does. */
  stop(): void
}

export function createLeave(event: H3Event, work: () => void): Leave {
  const { signal } = event.req
  let onGone = work
  const now = (): void => onGone()
  if (signal.aborted) now()
  signal.addEventListener('abort', now, { once: true })
  return {
    now,
    become(next) {
      onGone = next
      if (signal.aborted) next()
    },
    stop() {
      onGone = () => undefined
      signal.removeEventListener('abort', now)
    },
  }
}
