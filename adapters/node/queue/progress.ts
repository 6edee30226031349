import type { ScanProgress } from '../../../core/index.ts'

/** Milliseconds between two words on one phase: each costs every process that listens. */
const PACE_MS = 100

/** Tells the progress of a scan one word after the other; the first of a phase at once, of the others the latest. */
export function tellProgress(send: (progress: ScanProgress) => Promise<void>): {
  tell(progress: ScanProgress): void
  /** Resolves when everything was told. */
  flush(): Promise<void>
} {
  let phase: ScanProgress['phase'] | undefined
  let sent = 0
  let sending = Promise.resolve()
  return {
    tell(progress) {
      // of the queue of its own process nobody need know
      if (progress.phase === 'waiting') return
      const now = Date.now()
      if (progress.phase === phase && now - sent < PACE_MS) return
      phase = progress.phase
      sent = now
      // a word that is lost costs nothing
      sending = sending.then(() => send(progress)).catch(() => undefined)
    },
    flush: () => sending,
  }
}
