import type { Interruption } from './types.ts'

/** The one signal that ends a piece of work early: its steps are used up, or the scan was interrupted. */
export class StopSignal extends Error {
  readonly reason: 'steps' | Interruption

  constructor(reason: 'steps' | Interruption) {
    super(`stopped: ${reason}`)
    this.name = 'StopSignal'
    this.reason = reason
  }
}

/** Does work until it is done, or until its steps are used up: false; what it has found by then stays. Throws what else ends it. */
export function withinSteps(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (error instanceof StopSignal && error.reason === 'steps') return false
    throw error
  }
}

/** What counts work. */
export interface StepCounter {
  /** Spends `count` steps (default 1). Throws a StopSignal when they are used up or the scan was interrupted. */
  readonly step: (count?: number) => void
}

/** Counts steps instead of seconds, so that the same input stops at the same place on every machine and runtime. */
export interface Budget extends StepCounter {
  /** Begins the next piece of work, which may have half of all steps at most, or another share: one that never ends must not take those of the others. */
  nextPiece(share?: number): void
  readonly spent: number
}

const CHECK_EVERY = 4096

/** A budget of `steps`; `interruption` is asked about every 4,096 steps. */
export function createBudget(steps: number, interruption?: () => Interruption | undefined): Budget {
  let spent = 0
  let limit = steps
  let nextCheck = CHECK_EVERY
  return {
    step(count = 1) {
      spent += count
      if (spent > limit) throw new StopSignal('steps')
      if (spent < nextCheck) return
      nextCheck = spent + CHECK_EVERY
      const interrupted = interruption?.()
      if (interrupted !== undefined) throw new StopSignal(interrupted)
    },
    nextPiece(share = 0.5) {
      limit = Math.min(steps, spent + Math.ceil(steps * share))
    },
    get spent() {
      return spent
    },
  }
}
