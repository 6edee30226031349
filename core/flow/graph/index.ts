import { exportedSchemas } from '../checks/schemas.ts'
import {
  createGuardReader,
  excerptOf,
  prototypesOf,
  type Assignment,
  type CallValue,
  type FunctionFact,
  type Value,
} from '../../facts/index.ts'
import { findCallbacks, functionOfThis } from '../../facts/callbacks.ts'
import {
  READ,
  type FileFlow,
  type FlowCall,
  type FlowControl,
  type FlowObject,
  type FlowPort,
  type FlowSink,
  type FlowSource,
  type RouteFunction,
} from '../types.ts'
import { createAskersOf } from '../checks/asked-values.ts'
import { createPartReader } from '../checks/checked-parts.ts'
import { refusedOf } from '../checks/refusals.ts'
import { toCapFile } from '../frameworks/cap-receivers.ts'
import { MAY_ASK_MODEL } from '../tables/language-models.ts'
import { createGraphBuilder } from './builder.ts'
import { toFunction, withFilled } from '../calls/function-nodes.ts'
import { keyedWrites } from '../calls/keyed-functions.ts'
import { assign } from '../values/assign.ts'
import { addCustomEvent, addMadeHandlers } from '../pages/custom-events.ts'
import { addCall } from '../calls/calls.ts'
import { collectionsIn, keyedIn } from '../values/collections.ts'
import { addExports, createCallables } from '../calls/callables.ts'
import { finishCallables } from '../calls/finish-callables.ts'
import { detachStrings } from './detach.ts'
import { addRequests } from '../sources/requests.ts'
import { createEventReader } from '../servers/events.ts'
import { exportsOf } from '../calls/exports.ts'
import { createGraphSteps } from './graph-steps.ts'
import { createFunctionChecks } from '../checks/function-checks.ts'
import { createFunctionParts } from '../../conditions/parts.ts'
import { createProofReader } from '../checks/proofs.ts'
import { addCheckedElsewhere, addQueries } from '../servers/queries.ts'
import { mayHoldSecrets } from '../sources/held-secrets.ts'
import { findHandlers } from '../../model/cap/index.ts'
import { checkedParametersOf } from '../servers/handlers.ts'
import type { FlowDraft } from './draft.ts'
import type { FlowInput } from './input.ts'
import { addControlSinks } from '../pages/controls.ts'
import { addPageParts, addPageSinks } from '../pages/page-parts.ts'
import { createElementNames } from '../pages/react.ts'
import { addControls } from '../pages/renderers.ts'
import { unresolvedIn } from './unresolved.ts'
import { additionsIn } from '../values/additions.ts'
import { promisesOf } from '../calls/callback-results.ts'
import { browserModuleOf, exportedValues, passedOnBy } from '../calls/modules.ts'
import { addParameters, readersOfArguments } from '../values/rest.ts'
import { addNativeSql } from '../sinks/native-sql.ts'
import { createFieldValues, createParents } from '../fields/field-values.ts'
import { pluginFunctions } from '../calls/jquery-plugins.ts'
import { connectObjects } from '../fields/members.ts'
import { createMixins } from '../calls/mixins.ts'
import { createLastWrites, NO_LAST_WRITES } from '../fields/last-writes.ts'
import { connectLineage, createLineage, withoutLineage } from '../calls/lineage.ts'
import { createOwners } from '../calls/owners.ts'
import { instanceGuards } from '../values/instances.ts'
import { formulaTestsIn } from '../checks/formulas.ts'
import { connectValue } from '../values/values.ts'
import { holdsFieldSinks } from '../sinks/sink-index.ts'
import { addAssignedSinks } from '../sinks/sinks.ts'
import { addSelectionItems } from '../pages/selections.ts'
import { createSettledFields } from '../fields/settled-fields.ts'
import { oneWayModels } from '../pages/stores.ts'
import { writeInto } from '../values/writes.ts'

/**
 * The data flow of one script: values, calls, sources and sinks. Undefined: nothing in it takes part in any. Throws a StopSignal when the steps are used up before
 * anything was collected.
 */
export function toFileFlow(given: FlowInput): FileFlow | undefined {
  const { step, part, isCut } = createGraphSteps(given.step)
  const input = { ...given, step }
  const { text } = input
  const inBrowser = input.realm === 'browser'
  const prototypes = inBrowser || !text.includes('prototype') ? new Map<FunctionFact, never>() : prototypesOf(input.facts)
  const facts =
    prototypes.size === 0 ? input.facts : { ...input.facts, classes: [...input.facts.classes, ...prototypes.values()] }
  const graph = createGraphBuilder()
  const open: Value[] = []
  const functions = new Map<FunctionFact, number>(facts.functions.map((fact, index) => [fact, index]))
  const readsAll = readersOfArguments(facts, text, input.realm)
  const parameters = new Map(facts.functions.map((fact) => [fact, addParameters(fact, graph, readsAll.has(fact))]))
  const calls: FlowCall[] = []
  const objects: FlowObject[] = []
  const sinks: FlowSink[] = []
  const shown = new Map<number, string>()
  const sources: FlowSource[] = []
  const ports: FlowPort[] = []
  const unresolved: number[] = []
  const owners = createOwners(facts, inBrowser, prototypes)
  const lineage = inBrowser ? createLineage(facts, owners, text) : withoutLineage(owners)
  const parentOf = createParents(facts, lineage)
  const selves = new Map<FunctionFact, number>()
  const selfOf = (from: FunctionFact): number | undefined => {
    const fact = functionOfThis(from)
    const owner = inBrowser ? undefined : owners.holderOf(fact)
    if (owner === undefined || !('members' in owner)) return undefined
    const node = selves.get(fact) ?? graph.add({ start: fact.start, end: fact.start })
    selves.set(fact, node)
    return node
  }
  const parts = createFunctionParts(input.facts, text, step)
  const script = { ...input, parts }
  const checksOf = createFunctionChecks(script)
  const handlers = inBrowser ? [] : findHandlers(facts)
  const callbacks: FlowDraft['callbacks'] = inBrowser ? new Map() : findCallbacks(facts)
  let guardsRead: FlowDraft['guardsAt'] | undefined
  const guardsAt: FlowDraft['guardsAt'] = (offset) => (guardsRead ??= createGuardReader(facts.guards, step))(offset)
  const askers = createAskersOf({ ...script, guardsAt, owners, parentOf }, checksOf)
  let lastWrites = NO_LAST_WRITES
  if (inBrowser) part(() => (lastWrites = createLastWrites({ facts, text, owners, step })))
  const draft: FlowDraft = {
    ...script,
    callbacks,
    facts,
    prototypes,
    graph,
    functions,
    calls,
    objects,
    objectsOf: new Map(),
    made: [],
    filled: new Map(),
    madeFunctions: [],
    mergedInto: [],
    ownCalls: [],
    sinks,
    sources,
    ports,
    unresolved,
    mounts: [],
    routes: [],
    protectedFrom: new Map(),
    callables: createCallables(),
    asksAll: !inBrowser || holdsFieldSinks(text),
    ...(inBrowser ? { keyed: keyedIn(facts), shuffled: new Set() } : collectionsIn(facts)),
    assigned: new Set(facts.assignments.map(({ value }) => value)),
    use(value) {
      const known = graph.nodeOf(value)
      if (known === undefined) open.push(value)
      return known ?? graph.of(value).node
    },
    show: (node, value, fields = []) =>
      void shown.set(node, [...(value === undefined ? [] : [excerptOf(text, value)]), ...fields].join('.')),
    showText: (node, text) => void shown.set(node, text),
    parameterOf: (fact, index) => parameters.get(fact)?.nodes[index],
    namedParameterOf(fact, index) {
      const own = parameters.get(fact)
      return index === fact.rest ? own?.list : own?.nodes[index]
    },
    argumentsAt(offset) {
      // the innermost function is the last one of those around
      const around = [...readsAll].findLast((fact) => fact.start <= offset && offset < fact.end)
      return around && parameters.get(around)?.all
    },
    selfOf,
    handedToChecks: [],
    asked: [],
    refusals: [],
    askers,
    refusedFields: refusedOf(handlers, script),
    checkedPartsOf: createPartReader(script),
    receivers: new Map(),
    checkedParameters: inBrowser ? new Set() : checkedParametersOf(script),
    owners,
    added: new Map(),
    promiseOf: promisesOf(facts.calls),
    plugins: inBrowser && text.includes('.fn') ? pluginFunctions(facts) : new Set(),
    formulas: formulaTestsIn(inBrowser ? facts : { guards: [] }, text),
    lineage,
    lastWrites,
    instanceGuards: inBrowser ? [] : instanceGuards(facts, text),
    parentOf,
    mixedInto: inBrowser ? createMixins(facts) : () => [],
    elements: createElementNames({ facts, owners }),
    fieldValues: createFieldValues(facts, owners),
    holdsSecrets: !inBrowser && mayHoldSecrets(text),
    asksModels: !inBrowser && MAY_ASK_MODEL.test(text),
    proofsOf: createProofReader(script),
    guardsAt,
    settled: createSettledFields(facts, step),
  }
  const keyed = inBrowser ? keyedWrites(facts) : new Map()
  const flowFunctions = facts.functions.map((fact) => {
    let checks: ReturnType<typeof checksOf> = []
    if (!isCut()) part(() => (checks = checksOf(fact)))
    return toFunction(fact, parameters.get(fact)?.nodes ?? [], checks, draft, keyed)
  })
  let routeFunctions: ReadonlyMap<FunctionFact, RouteFunction> = new Map()
  if (!inBrowser) part(() => (routeFunctions = addRequests(handlers, draft)))
  const cap = input.realm === 'server' ? toCapFile(facts, callbacks) : undefined
  const addEvent = input.realm === 'server' ? createEventReader(input) : undefined
  const selects = inBrowser && text.includes('.data(')
  const addCallParts = (call: CallValue): void => {
    addCall(call, draft)
    addEvent?.(call, draft)
    if (cap !== undefined) addNativeSql(call, callbacks, draft)
    if (inBrowser) {
      addControlSinks(call, draft)
      addCustomEvent(call, draft)
      if (selects) addSelectionItems(call, draft)
      addMadeHandlers(call, draft)
    }
  }
  part(() => {
    facts.calls.forEach(addCallParts)
    if (cap !== undefined) addQueries(cap, new Set(handlers.flatMap(({ fact }) => fact ?? [])), draft)
  })
  const addAssignment = (assignment: Assignment): void => {
    const { target, value, operator } = assignment
    if (operator === '-=' || operator === '*=' || operator === '/=') return
    if (inBrowser) {
      addAssignedSinks(assignment, draft)
      if (!draft.lastWrites.isGone(assignment)) writeInto(target, draft.use(value), draft)
    } else assign(target, draft.use(value), draft)
  }
  part(() => facts.assignments.forEach(addAssignment))
  const exportable = inBrowser ? exportedValues(facts) : []
  let controls: readonly FlowControl[] = []
  if (inBrowser) {
    part(() => addPageParts(exportable, draft))
    part(() => (controls = addControls(draft)))
    part(() => addPageSinks(draft))
  }
  for (const { value } of facts.exports) if (value !== undefined) draft.use(value)
  if (!inBrowser) addExports(draft)
  part(() => {
    for (let value = open.pop(); value !== undefined; value = open.pop()) {
      step()
      connectValue(value, draft)
    }
  })
  for (const { owner, from } of draft.mergedInto)
    for (const [name, node] of graph.fieldsOf(owner)) graph.connect(from, node, READ, name)
  part(() => addCheckedElsewhere(draft))
  const additions = inBrowser ? additionsIn(draft) : []
  if (inBrowser) {
    part(() => connectObjects(draft))
    part(() => connectLineage(draft))
  }
  const module = inBrowser
    ? browserModuleOf(exportable, draft)
    : { exports: exportsOf(facts, functions), classes: [], hooks: [], variants: [] }
  const { exports: exported, classes, hooks, variants } = module
  const oneWay = inBrowser ? oneWayModels(draft) : []
  const passedOn = inBrowser ? passedOnBy(facts) : []
  const callables = inBrowser ? undefined : finishCallables(draft)
  // views call functions by their names alone
  const isCalled = inBrowser && facts.functions.length > 1
  const schemas = exportedSchemas(facts, text, parts)
  if (sources.length + sinks.length + ports.length + exported.length + schemas.length === 0 && !isCalled) return undefined
  if (inBrowser) unresolved.push(...unresolvedIn(graph, ports))
  if (isCut()) input.onCut?.()
  // strings of its own: a part of the text would keep all of it in memory
  return detachStrings({
    realm: input.realm,
    ...graph.finish(),
    functions: [
      ...facts.functions.flatMap((fact, index) =>
        withFilled(flowFunctions[index], draft.filled.get(fact), routeFunctions.get(fact)),
      ),
      ...draft.madeFunctions,
    ],
    calls,
    ...(additions.length > 0 && { additions }),
    sources,
    sinks,
    ports,
    unresolved,
    ...(oneWay.length > 0 && { oneWay }),
    ...(objects.length > 0 && { objects }),
    ...(controls.length > 0 && { controls }),
    ...(draft.asked.length > 0 && { asked: draft.asked }),
    ...(schemas.length > 0 && { schemas }),
    ...(draft.refusals.length > 0 && { refusals: draft.refusals }),
    ...(callables !== undefined && { callables }),
    ...(draft.mounts.length > 0 && { mounts: draft.mounts }),
    ...(draft.routes.length > 0 && { routes: draft.routes }),
    exports: exported,
    ...(passedOn.length > 0 && { passedOn }),
    classes,
    ...(hooks.length > 0 && { hooks }),
    ...(variants.length > 0 && { variants }),
    shown,
  })
}
