import type { FunctionFact } from '../../facts/index.ts'
import type { FlowCheck } from '../check-types.ts'
import { createAskers, isAskedInPage, isAskedOnServer, type Askers } from './asked-values.ts'
import type { FlowDraft } from './draft.ts'
import type { CheckingScript } from './input.ts'
import { createFrontReader } from './route-fronts.ts'

/** Whom values were given to before: functions of the project, and what stands in front of a route. */
export function createAskersOf(
  script: CheckingScript & Pick<FlowDraft, 'guardsAt' | 'owners' | 'parentOf'>,
  checksOf: (fact: FunctionFact) => readonly FlowCheck[],
): Askers {
  const { realm, facts, step } = script
  if (realm === 'browser') return createAskers(script, isAskedInPage(script))
  const askers = createAskers(script, isAskedOnServer(checksOf))
  const frontsOf = createFrontReader(facts, step)
  return { ...askers, before: (value) => [...frontsOf(value), ...askers.before(value)] }
}
