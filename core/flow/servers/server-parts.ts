import type { FunctionFact } from '../../facts/index.ts'
import type { HandlerFunction } from '../../model/cap/index.ts'
import type { RouteFunction } from '../types.ts'
import { addDecisions } from '../sources/claims.ts'
import { addDecoratedParameters } from '../frameworks/decorated-classes.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { addListeners } from './events.ts'
import { addImportedHandlers } from './handlers.ts'
import { addLoggedSecrets } from '../sources/held-secrets.ts'
import { addMadeFunctions } from '../calls/made-functions.ts'
import { addHandedUsers } from '../sinks/privileged-users.ts'
import { refusalsOf } from '../checks/refusals.ts'
import { addRoutes } from './routes.ts'
import { addRows } from './rows.ts'
import { addServerFlow } from './server.ts'
import { addReplies, addSharedState } from './shared-state.ts'

/** Adds the parts of a script that only servers have, and gives what its functions do as answers to routes. */
export function addServerParts(handlers: readonly HandlerFunction[], draft: FlowDraft): ReadonlyMap<FunctionFact, RouteFunction> {
  draft.refusals.push(...refusalsOf(handlers, addImportedHandlers(handlers, draft), draft))
  addServerFlow(handlers, draft)
  addListeners(draft)
  addDecoratedParameters(draft)
  const routeFunctions = addRoutes(draft)
  addRows(handlers, draft)
  addMadeFunctions(draft)
  addLoggedSecrets(draft)
  addDecisions(draft)
  addHandedUsers(handlers, draft)
  // of a handler's own file the rule looks at every write
  if (handlers.length === 0) addSharedState(draft)
  addReplies(draft)
  return routeFunctions
}
