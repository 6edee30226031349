import type { Proof } from '../../conditions/constraint.ts'
import { createGuardReader, type FunctionFact, type Guard, type Value } from '../../facts/index.ts'
import type { FlowCheck } from '../check-types.ts'
import type { CheckingScript } from '../graph/input.ts'
import type { HandlerFunction } from '../../model/cap/index.ts'
import { checkedParametersOf } from '../servers/handlers.ts'
import { instanceGuards } from '../values/instances.ts'
import { createAskersOf, type Askers, type ByOwner } from './asked-values.ts'
import { createPartReader } from './checked-parts.ts'
import { createMarkupReader } from './content-types.ts'
import { formulaTestsIn, type FormulaTests } from './formulas.ts'
import { createProofReader } from './proofs.ts'
import { refusedOf } from './refusals.ts'

/** What conditions of the script prove, asked where a value is read. */
export interface ScriptChecks {
  /** What a condition on the way makes of the value: `clean` for everything, a comparison with the beginning that it must have, or with the own origin. */
  proofsOf(value: Value): readonly Proof[]
  /** Conditions that decide about what stands at an offset. */
  guardsAt(offset: number): readonly Guard[]
  readonly askers: Askers
  /** By handler: fields that others put on its request, and that are checked before it runs. */
  readonly refusedFields: ReadonlyMap<FunctionFact, ReadonlySet<string>>
  /** Fields of what is handed on that conditions on the way have checked. */
  checkedPartsOf(value: Value): readonly string[]
  /** Parameters of routes that are checked before any handler runs. */
  readonly checkedParameters: ReadonlySet<string>
  /** What the text of a response is. */
  readonly markupDetail: ReturnType<typeof createMarkupReader>
  /** Conditions that look whether a text is a formula. */
  readonly formulas: FormulaTests
  /** Conditions that ask whether a value was made from a class. */
  readonly instanceGuards: readonly Guard[]
}

/** `handlers`: of a server; `checksOf`: what a function of the file proves about its parameters. */
export function createScriptChecks(
  script: CheckingScript & ByOwner,
  handlers: readonly HandlerFunction[],
  checksOf: (fact: FunctionFact) => readonly FlowCheck[],
): ScriptChecks {
  const { facts, text, step } = script
  let guardsRead: ScriptChecks['guardsAt'] | undefined
  const guardsAt: ScriptChecks['guardsAt'] = (offset) => (guardsRead ??= createGuardReader(facts.guards, step))(offset)
  return {
    proofsOf: createProofReader(script),
    guardsAt,
    askers: createAskersOf({ ...script, guardsAt }, checksOf),
    refusedFields: refusedOf(handlers, script),
    checkedPartsOf: createPartReader({ ...script, guardsAt }),
    checkedParameters: checkedParametersOf(script),
    markupDetail: createMarkupReader(script),
    formulas: formulaTestsIn(facts, text),
    instanceGuards: instanceGuards(facts, text),
  }
}
