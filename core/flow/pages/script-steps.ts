import { addCall } from '../calls/calls.ts'
import { connectLineage } from '../calls/lineage.ts'
import { browserModuleOf, exportedValues, passedOnBy } from '../calls/modules.ts'
import { connectObjects } from '../fields/members.ts'
import type { ScriptSteps } from '../graph/environment.ts'
import { unresolvedIn } from '../graph/unresolved.ts'
import { addAssignedSinks } from '../sinks/sinks.ts'
import type { FlowControl } from '../types.ts'
import { additionsIn } from '../values/additions.ts'
import { writeInto } from '../values/writes.ts'
import { addControlSinks } from './controls.ts'
import { addCustomEvent, addMadeHandlers } from './custom-events.ts'
import { addPageParts, addPageSinks } from './page-parts.ts'
import { addControls } from './renderers.ts'
import { addSelectionItems } from './selections.ts'
import { oneWayModels } from './stores.ts'

/** Of a page: controls and their renderers, models, events, modules of `sap.ui.define`. */
export const PAGE_STEPS: ScriptSteps = {
  addRequests: () => new Map(),
  addCalls(draft) {
    const selects = draft.text.includes('.data(')
    for (const call of draft.facts.calls) {
      addCall(call, draft)
      addControlSinks(call, draft)
      addCustomEvent(call, draft)
      if (selects) addSelectionItems(call, draft)
      addMadeHandlers(call, draft)
    }
  },
  addAssignment(assignment, draft) {
    addAssignedSinks(assignment, draft)
    if (!draft.fields.lastWrites.isGone(assignment)) writeInto(assignment.target, draft.use(assignment.value), draft)
  },
  addParts(draft, part) {
    const exportable = exportedValues(draft.facts)
    let controls: readonly FlowControl[] = []
    part(() => addPageParts(exportable, draft))
    part(() => (controls = addControls(draft)))
    part(() => addPageSinks(draft))
    return () => {
      const additions = additionsIn(draft)
      part(() => connectObjects(draft))
      part(() => connectLineage(draft))
      const { exports, classes, hooks, variants } = browserModuleOf(exportable, draft)
      const oneWay = oneWayModels(draft)
      const passedOn = passedOnBy(draft.facts)
      draft.unresolved.push(...unresolvedIn(draft.graph, draft.ports))
      return {
        ...(additions.length > 0 && { additions }),
        ...(oneWay.length > 0 && { oneWay }),
        ...(controls.length > 0 && { controls }),
        exports,
        ...(passedOn.length > 0 && { passedOn }),
        classes,
        ...(hooks.length > 0 && { hooks }),
        ...(variants.length > 0 && { variants }),
      }
    }
  },
  // views do
  isCalledByName: ({ functions }) => functions.length > 1,
}
