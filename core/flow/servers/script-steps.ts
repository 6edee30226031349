import { addExports } from '../calls/callables.ts'
import { addCall } from '../calls/calls.ts'
import { exportsOf } from '../calls/exports.ts'
import { finishCallables } from '../calls/finish-callables.ts'
import { toCapFile } from '../frameworks/cap-receivers.ts'
import type { ScriptSteps } from '../graph/environment.ts'
import { addNativeSql } from '../sinks/native-sql.ts'
import { addRequests } from '../sources/requests.ts'
import { addResultSets } from '../sources/result-sets.ts'
import { assign } from '../values/assign.ts'
import { createEventReader } from './events.ts'
import { addQueries } from './queries.ts'

/** Of a server: requests and routes, events, queries of CAP, functions that are called by the values that they are. */
export const SERVER_STEPS: ScriptSteps = {
  addRequests,
  addCalls(draft, input, handlers) {
    const { facts, callbacks, path } = draft
    const cap = toCapFile(facts, callbacks, path)
    const addEvent = createEventReader(input)
    for (const call of facts.calls) {
      addCall(call, draft)
      addEvent(call, draft)
      if (cap !== undefined) addNativeSql(call, callbacks, draft)
    }
    addResultSets(draft)
    if (cap !== undefined) addQueries(cap, new Set(handlers.flatMap(({ fact }) => fact ?? [])), draft)
  },
  addAssignment: ({ target, value }, draft) => assign(target, draft.use(value), draft),
  addParts(draft) {
    addExports(draft)
    return () => ({
      exports: exportsOf(draft.facts, draft.functions),
      classes: [],
      callables: finishCallables(draft),
    })
  },
  isCalledByName: () => false,
}
