import type { Log } from '../log.ts'

/** After a failure nobody is asked for five minutes: an outage must not cost every scan its time limit. */
const PAUSE = 5 * 60_000

export interface Breaker {
  /** True while a failure is too fresh to ask again. */
  isOpen(): boolean
  succeed(): void
  /** Says it once in the log, until it works again. */
  fail(reason: string): void
}

/** `event` names the outage in the log. */
export function createBreaker(event: string, log: Log, now: () => Date): Breaker {
  let until: number | undefined
  return {
    isOpen: () => until !== undefined && now().getTime() < until,
    succeed() {
      until = undefined
    },
    fail(reason) {
      if (until === undefined) log({ level: 'warn', event, reason })
      until = now().getTime() + PAUSE
    },
  }
}
