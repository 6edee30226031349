import { createBudget, withinSteps, type StepCounter } from '../../budget.ts'

/** The steps of one graph, which is made in parts: one that uses them up ends there, and what was collected by then is kept. */
export interface GraphSteps extends StepCounter {
  /** Does a part; false: it was ended. */
  readonly part: (work: () => void) => boolean
  readonly isCut: () => boolean
}

/** Of each part behind one that was ended: to make a graph of what is there. */
const FINISHING_STEPS = 300_000

export function createGraphSteps(step: StepCounter['step']): GraphSteps {
  let count = step
  let isCut = false
  return {
    step: (steps) => count(steps),
    part(work) {
      const isDone = withinSteps(work)
      if (!isDone) count = createBudget(FINISHING_STEPS).step
      isCut ||= !isDone
      return isDone
    },
    isCut: () => isCut,
  }
}
