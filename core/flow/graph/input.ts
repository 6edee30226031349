import type { ScriptFacts } from '../../facts/index.ts'
import type { FlowSettings } from '../sources/project-rows.ts'
import type { Realm } from '../types.ts'
import type { FunctionParts } from '../../conditions/parts.ts'
import { createBudget, withinSteps, type StepCounter } from '../../budget.ts'

/** What the graph of one script is made of. `step` counts: guards are compared with what they may check. */
export interface FlowInput {
  readonly path: string
  readonly realm: Realm
  readonly text: string
  readonly facts: ScriptFacts
  /** What the project adds to the tables. */
  readonly settings?: FlowSettings
  readonly step: (count?: number) => void
  /** The steps were used up: the graph holds what was collected by then. */
  readonly onCut?: () => void
}

/** The same for readers of checks. */
export interface CheckingScript extends FlowInput {
  readonly parts: FunctionParts
}

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
