import type { FunctionFact } from '../../facts/index.ts'
import type { HandlerFunction } from '../../model/cap/index.ts'
import type { FlowCheck } from '../check-types.ts'
import { createPartReader } from './checked-parts.ts'
import type { FlowDraft } from './draft.ts'
import type { CheckingScript } from './input.ts'
import { createPassedChecks, NO_PASSED_CHECKS } from './passed-checks.ts'
import { refusedOf } from './refusals.ts'
import { createFrontReader } from './route-fronts.ts'
import { createValidatorReader } from './route-validators.ts'
import { createSchemaReader } from './schemas.ts'

/** What tells on servers whether something has checked a value before it is read. */
export function checkReaders(
  script: CheckingScript,
  handlers: readonly HandlerFunction[],
  checksOf: (fact: FunctionFact) => readonly FlowCheck[],
): Pick<FlowDraft, 'refusedFields' | 'schemaOf' | 'checkedPartsOf' | 'passedChecks'> {
  const { realm, facts, text, step, parts } = script
  if (realm === 'browser')
    return {
      refusedFields: new Map(),
      schemaOf: () => undefined,
      checkedPartsOf: () => [],
      passedChecks: NO_PASSED_CHECKS,
    }
  const [ofSchemas, ofValidators] = [createSchemaReader(facts, text, step), createValidatorReader(facts, text, step)]
  const frontsOf = createFrontReader(facts, step)
  const passedChecks = createPassedChecks({ facts, text, step, parts }, checksOf)
  return {
    refusedFields: refusedOf(handlers, script),
    schemaOf: (value) => ofSchemas(value) ?? ofValidators(value),
    checkedPartsOf: createPartReader(script),
    passedChecks: { ...passedChecks, before: (value) => [...frontsOf(value), ...passedChecks.before(value)] },
  }
}
