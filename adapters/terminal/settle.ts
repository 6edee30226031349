/** Many events that belong together: a save is several, a switch of branches thousands. */
export interface Settling {
  /** Something happened. */
  touch(): void
  /** Resolves once something has happened, and then nothing for a while; at once where that is over, or where the signal is aborted. */
  settled(signal: AbortSignal): Promise<void>
}

/** `quiet`: milliseconds without an event, after which it is over. */
export function createSettling(quiet: number): Settling {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  let wake = (): void => undefined
  return {
    touch() {
      isOver = false
      clearTimeout(timer)
      timer = setTimeout(() => {
        isOver = true
        wake()
      }, quiet)
    },
    async settled(signal) {
      await new Promise<void>((resolve) => {
        wake = resolve
        if (isOver || signal.aborted) resolve()
        signal.onabort = () => resolve()
      })
      isOver = false
    },
  }
}
