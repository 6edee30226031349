import type { ScriptFacts } from '../../facts/index.ts'
import type { FlowSettings } from '../project-tables.ts'
import type { Realm } from '../types.ts'
import type { FunctionParts } from '../../conditions/parts.ts'

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
