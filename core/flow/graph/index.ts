import { exportedSchemas } from '../checks/schemas.ts'
import { type Assignment, type FunctionFact } from '../../facts/index.ts'
import { READ, type FileFlow, type FlowControl, type FlowFunction, type RouteFunction } from '../types.ts'
import { toCapFile } from '../frameworks/cap-receivers.ts'
import { toFunction, withFilled } from '../calls/function-nodes.ts'
import { keyedWrites } from '../calls/keyed-functions.ts'
import { assign } from '../values/assign.ts'
import { addCustomEvent, addMadeHandlers } from '../pages/custom-events.ts'
import { addCall } from '../calls/calls.ts'
import { addExports } from '../calls/callables.ts'
import { finishCallables } from '../calls/finish-callables.ts'
import { detachStrings } from './detach.ts'
import { addRequests } from '../sources/requests.ts'
import { createEventReader } from '../servers/events.ts'
import { exportsOf } from '../calls/exports.ts'
import { createGraphSteps, type GraphSteps } from './graph-steps.ts'
import { addCheckedElsewhere, addQueries } from '../servers/queries.ts'
import type { FlowDraft } from './draft.ts'
import type { FlowInput } from './input.ts'
import { addControlSinks } from '../pages/controls.ts'
import { addPageParts, addPageSinks } from '../pages/page-parts.ts'
import { addControls } from '../pages/renderers.ts'
import { unresolvedIn } from './unresolved.ts'
import { additionsIn } from '../values/additions.ts'
import { browserModuleOf, exportedValues, passedOnBy } from '../calls/modules.ts'
import { addNativeSql } from '../sinks/native-sql.ts'
import { connectObjects } from '../fields/members.ts'
import { connectLineage } from '../calls/lineage.ts'
import { connectValue } from '../values/values.ts'
import { addAssignedSinks } from '../sinks/sinks.ts'
import { addSelectionItems } from '../pages/selections.ts'
import { oneWayModels } from '../pages/stores.ts'
import { writeInto } from '../values/writes.ts'
import { createDraft, type OpenDraft } from './create-draft.ts'

/**
 * The data flow of one script: values, calls, sources and sinks. Undefined: nothing in it takes part in any. Throws a StopSignal when the steps are used up before
 * anything was collected.
 */
export function toFileFlow(given: FlowInput): FileFlow | undefined {
  const steps = createGraphSteps(given.step)
  const { part, isCut } = steps
  const input = { ...given, step: steps.step }
  const opened = createDraft(input, steps)
  const { draft, inBrowser } = opened
  const { facts, graph } = draft
  const functions = addFunctions(opened, steps)
  let routeFunctions: ReadonlyMap<FunctionFact, RouteFunction> = new Map()
  if (!inBrowser) part(() => (routeFunctions = addRequests(opened.handlers, draft)))
  part(() => addCalls(input, opened))
  part(() => facts.assignments.forEach((assignment) => addAssignment(assignment, opened)))
  const exportable = inBrowser ? exportedValues(facts) : []
  let controls: readonly FlowControl[] = []
  if (inBrowser) {
    part(() => addPageParts(exportable, draft))
    part(() => (controls = addControls(draft)))
    part(() => addPageSinks(draft))
  }
  for (const { value } of facts.exports) if (value !== undefined) draft.use(value)
  if (!inBrowser) addExports(draft)
  part(() => connectOpen(opened))
  connectMerged(draft)
  part(() => addCheckedElsewhere(draft))
  const additions = inBrowser ? additionsIn(draft) : []
  if (inBrowser) {
    part(() => connectObjects(draft))
    part(() => connectLineage(draft))
  }
  const module = inBrowser
    ? browserModuleOf(exportable, draft)
    : { exports: exportsOf(facts, draft.functions), classes: [], hooks: [], variants: [] }
  const oneWay = inBrowser ? oneWayModels(draft) : []
  const passedOn = inBrowser ? passedOnBy(facts) : []
  const callables = inBrowser ? undefined : finishCallables(draft)
  const schemas = exportedSchemas(facts, input.text, draft.parts)
  if (!takesPart(opened, module.exports.length + schemas.length)) return undefined
  if (inBrowser) draft.unresolved.push(...unresolvedIn(graph, draft.ports))
  if (isCut()) input.onCut?.()
  // strings of its own: a part of the text would keep all of it in memory
  return detachStrings({
    realm: input.realm,
    ...graph.finish(),
    functions: [
      ...facts.functions.flatMap((fact, index) => withFilled(functions[index], fact, draft.fields, routeFunctions.get(fact))),
      ...draft.madeFunctions,
    ],
    ...collectedIn(draft),
    ...(additions.length > 0 && { additions }),
    ...(oneWay.length > 0 && { oneWay }),
    ...(controls.length > 0 && { controls }),
    ...(schemas.length > 0 && { schemas }),
    ...(callables !== undefined && { callables }),
    exports: module.exports,
    ...(passedOn.length > 0 && { passedOn }),
    classes: module.classes,
    ...(module.hooks.length > 0 && { hooks: module.hooks }),
    ...(module.variants.length > 0 && { variants: module.variants }),
    shown: opened.shown,
  })
}

function addFunctions({ draft, inBrowser, checksOf, parametersOf }: OpenDraft, { part, isCut }: GraphSteps): FlowFunction[] {
  const { facts } = draft
  const keyed = inBrowser ? keyedWrites(facts) : new Map()
  return facts.functions.map((fact) => {
    let checks: ReturnType<typeof checksOf> = []
    if (!isCut()) part(() => (checks = checksOf(fact)))
    return toFunction(fact, parametersOf(fact), checks, draft, keyed)
  })
}

function addCalls(input: FlowInput, { draft, inBrowser, handlers }: OpenDraft): void {
  const { facts, callbacks, text } = draft
  if (inBrowser) {
    const selects = text.includes('.data(')
    for (const call of facts.calls) {
      addCall(call, draft)
      addControlSinks(call, draft)
      addCustomEvent(call, draft)
      if (selects) addSelectionItems(call, draft)
      addMadeHandlers(call, draft)
    }
    return
  }
  const cap = toCapFile(facts, callbacks)
  const addEvent = createEventReader(input)
  for (const call of facts.calls) {
    addCall(call, draft)
    addEvent(call, draft)
    if (cap !== undefined) addNativeSql(call, callbacks, draft)
  }
  if (cap !== undefined) addQueries(cap, new Set(handlers.flatMap(({ fact }) => fact ?? [])), draft)
}

function addAssignment(assignment: Assignment, { draft, inBrowser }: OpenDraft): void {
  const { target, value, operator } = assignment
  if (operator === '-=' || operator === '*=' || operator === '/=') return
  if (inBrowser) {
    addAssignedSinks(assignment, draft)
    if (!draft.fields.lastWrites.isGone(assignment)) writeInto(target, draft.use(value), draft)
  } else assign(target, draft.use(value), draft)
}

/** What leads to a value is added when somebody uses it, and that may use others. */
function connectOpen({ open, draft }: OpenDraft): void {
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    draft.step()
    connectValue(value, draft)
  }
}

/** Fields of objects that are those of a value as well. */
function connectMerged({ fields, graph }: FlowDraft): void {
  for (const { owner, from } of fields.mergedInto)
    for (const [name, node] of graph.fieldsOf(owner)) graph.connect(from, node, READ, name)
}

/** `given`: how much it gives to other files. Views call functions by their names alone. */
function takesPart({ draft: { sources, sinks, ports, facts }, inBrowser }: OpenDraft, given: number): boolean {
  return sources.length + sinks.length + ports.length + given > 0 || (inBrowser && facts.functions.length > 1)
}

function collectedIn({
  calls,
  sources,
  sinks,
  ports,
  unresolved,
  objects: { all: objects },
  asked,
  refusals,
  routing: { mounts, routes },
}: FlowDraft): Pick<
  FileFlow,
  'calls' | 'sources' | 'sinks' | 'ports' | 'unresolved' | 'objects' | 'asked' | 'refusals' | 'mounts' | 'routes'
> {
  return {
    calls,
    sources,
    sinks,
    ports,
    unresolved,
    ...(objects.length > 0 && { objects }),
    ...(asked.length > 0 && { asked }),
    ...(refusals.length > 0 && { refusals }),
    ...(mounts.length > 0 && { mounts }),
    ...(routes.length > 0 && { routes }),
  }
}
