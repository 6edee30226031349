/** The one signal that ends a piece of work early: its steps are used up, or the scan was cancelled. */
export class StopSignal extends Error {
  readonly why: 'steps' | 'cancelled'

  constructor(cause: 'steps' | 'cancelled') {
    super(`stopped: ${cause}`)
    this.name = 'StopSignal'
    this.why = cause
  }
}

/** Counts steps instead of seconds, so that the same input stops at the same place on every machine and runtime. */
export interface Budget {
  /** Spends `count` steps (default 1). Throws a StopSignal when they are used up or the scan is cancelled. */
  step(count?: number): void
  readonly spent: number
}

const CHECK_EVERY = 4096

/** A budget of `steps`; `isCancelled` is asked about every 4,096 steps. */
export function createBudget(steps: number, isCancelled?: () => boolean): Budget {
  let spent = 0
  let nextCheck = CHECK_EVERY
  return {
    step(count = 1) {
      spent += count
      if (spent > steps) throw new StopSignal('steps')
      if (spent >= nextCheck) {
        nextCheck = spent + CHECK_EVERY
        if (isCancelled?.() === true) throw new StopSignal('cancelled')
      }
    },
    get spent() {
      return spent
    },
  }
}
