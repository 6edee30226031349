/** Many events that belong together: a save is several, a switch of branches thousands. */
export interface Settling {
  /** Something happened. */
  touch(): void
  /** Resolves once something has happened, and then nothing for a while; at once where that is over, or where it shall end. */
  settled(): Promise<void>
}

/** `quiet`: milliseconds without an event, after which it is over. Whoever waits goes on where the signal is aborted. */
export function createSettling(quiet: number, signal: AbortSignal): Settling {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  let wake = (): void => undefined
  signal.addEventListener('abort', () => wake(), { once: true })
  return {
    touch() {
      isOver = false
      clearTimeout(timer)
      timer = setTimeout(() => {
        isOver = true
        wake()
      }, quiet)
    },
    async settled() {
      await new Promise<void>((resolve) => {
        wake = resolve
        if (isOver || signal.aborted) resolve()
      })
      isOver = false
    },
  }
}
