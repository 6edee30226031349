import type { CallValue, Definition, Value, FunctionFact } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { addCallable, addHandedFunction, addImport, addExports, addOpenCall, addRequired } from '../calls/callables.ts'
import { connectGiven } from '../calls/callback-results.ts'
import { addForeignOnServer, receiverOf } from '../calls/called.ts'
import { pathsInFields, pathsOfCallee, addEachEntry, addEntryNames } from '../calls/callees.ts'
import { isEntryPattern, addSpreadsheet, addUploadNames } from '../sources/archives.ts'
import { addXsLibrary } from '../calls/xs-imports.ts'
import { cleanedBy, isEscapeOfProject, isSanitizerOfProject } from '../checks/cleaning.ts'
import type { FlowDraft } from '../graph/draft.ts'
import type { Environment, EnvironmentCalls, EnvironmentValues, ScriptSteps, CallNodes } from '../graph/environment.ts'
import { addStatement, addNativeSql } from '../sinks/native-sql.ts'
import { isExitTable, addResultSets } from '../sources/result-sets.ts'
import { addPrivilegedMember, addPrivilegedNew, addHandedUsers } from '../sinks/privileged-users.ts'
import { addSecretParameters, addSecretUrl, PARAMETER_FIELDS } from '../sinks/sent-secrets.ts'
import { connectTexts } from '../sinks/server-texts.ts'
import { ANY_FIELD, COPY, READ, type RouteFunction } from '../types.ts'
import type { FlowFailures } from '../callable-types.ts'
import { readRequestField, assign } from '../values/writes.ts'
import { addMoved, addCollection } from '../values/collections.ts'
import { connectItems } from '../values/lists.ts'
import { addEntityLookUp } from './query-names.ts'
import { routerMadeBy } from './routers.ts'
import { isAppOfCds, isAppTakenFromCds, addRoutes } from './routes.ts'
import { addCall } from '../calls/calls.ts'
import { exportsOf } from '../calls/modules.ts'
import { finishCallables } from '../calls/finish-callables.ts'
import { toCapFile } from '../frameworks/cap-receivers.ts'
import { addRequests } from '../sources/requests.ts'
import { createEventReader, addListeners } from './events.ts'
import { failuresOf } from './failures.ts'
import { addQueries } from './queries.ts'
import { addCallbackSources } from '../sources/callback-sources.ts'
import { addCalledFunctions } from '../calls/called-functions.ts'
import { addClaims, addDecisions } from '../sources/claims.ts'
import { addSecretAnswer, addLoggedSecrets } from '../sources/held-secrets.ts'
import { addCostlyMatch } from '../sinks/costly-matches.ts'
import { addMails } from '../sinks/mails.ts'
import { addModelAnswer } from '../pages/browser.ts'
import { addServerTemplate } from '../sinks/templates.ts'
import { addStream } from './streams.ts'
import type { HandlerFunction } from '../../model/cap/index.ts'
import { addDecoratedParameters } from '../frameworks/decorated-classes.ts'
import { addDecoratedRoutes } from '../frameworks/decorated-routes.ts'
import { addImportedHandlers } from './handlers.ts'
import { addMadeFunctions } from '../calls/made-functions.ts'
import { refusalsOf } from '../checks/refusals.ts'
import { addRows } from './rows.ts'
import { addServerFlow } from './server.ts'
import { addReplies, addSharedState } from './shared-state.ts'

const VALUES: EnvironmentValues = {
  addValue(value, to, draft) {
    addCallable(value, to, draft)
    addStatement(value, to, draft)
  },
  connectText(value, to, draft) {
    connectTexts(value, to, draft)
    addSecretUrl(value, to, draft)
  },
  connectItems,
  addFields(value, draft) {
    for (const { key, value: field } of value.fields)
      if (key !== undefined && PARAMETER_FIELDS.has(key)) addSecretParameters(field, draft.use(field), draft)
  },
  addMember(value, to, draft) {
    if (value.property !== undefined && value.name === undefined) addEntityLookUp(value, draft)
    addPrivilegedMember(value, to, draft)
  },
  connectMember,
  connectOwnField({ object, name }, to, { graph, use }) {
    graph.connect(use(object), to, READ, name ?? ANY_FIELD)
  },
  addImport(binding, node, draft) {
    addImport(binding, node, draft)
    return false
  },
  addDefinition,
}

const CALLS: EnvironmentCalls = {
  pathsOf(call, draft) {
    const paths = [...pathsOfCallee(call.callee), ...pathsInFields(call.callee, draft)]
    return call.kind === 'new' ? paths.map((path) => `${path} new`) : paths.filter((path) => !path.endsWith(' new'))
  },
  addMoved: (call, paths, result, args, draft) => addMoved(call, paths, result, args(), draft),
  composing: new Set(),
  addStep(step, from, _call, { graph, server: { callables }, use }) {
    const result = graph.add(step)
    callables.calls.push({ called: use(step), how: 'call', args: [from], result, handed: [] })
    return result
  },
  addCall: addServerCall,
  addForeign: addForeignOnServer,
  receiverOf: (callee, draft, open, call) => (call?.kind === 'new' ? open.result : receiverOf(callee, draft, call)),
  addNamedCallback,
  addFunction(node, index, { server: { callables } }) {
    callables.functions.push([node, index])
  },
  addImplicitCall(object, name, result, { graph, use, server: { callables } }) {
    const called = graph.derive(use(object), object, READ, name)
    callables.calls.push({ called, how: 'call', args: [], result, handed: [], receiver: use(object) })
  },
  // `escape(text)` of another file: for which rules it is enough, its body says
  cleanedBy: (call, paths) => (isEscapeOfProject(call, paths) ? undefined : cleanedBy(call, paths)),
  // what a function of the project with such a name makes harmless by its body, counts as well
  believedOf: (call, paths) => (isSanitizerOfProject(call, paths) ? cleanedBy(call, paths) : undefined),
  describeFunctions: (draft) => (fact) => {
    const router = routerMadeBy(fact, draft)
    return router === undefined ? {} : { router }
  },
}

function connectMember(value: Value & { readonly kind: 'member' }, to: number, draft: FlowDraft): boolean {
  const field = readRequestField(value)
  if (field !== undefined && isRefused(value, draft)) return true
  if (isExitTable(value, draft.path)) return true
  if (field !== undefined) draft.ends.ports.push({ node: to, access: 'read', store: field, path: [] })
  addXsLibrary(value, to, draft)
  if (isAppOfCds(value)) draft.ends.sources.push({ node: to, origin: 'open-app', weak: false })
  return false
}

/** `req.order`, which a handler of the phase before has checked. */
function isRefused(
  { object, name = '' }: Value & { readonly kind: 'member' },
  { checks: { refusedFields } }: FlowDraft,
): boolean {
  const within = object.kind === 'reference' ? object.binding?.function : undefined
  return within !== undefined && refusedFields.get(within)?.has(name) === true
}

function addDefinition(definition: Definition, node: number, draft: FlowDraft): void {
  if (isEntryPattern(definition, draft)) {
    draft.ends.sources.push({ node, origin: 'archive-entry', weak: false })
    draft.show(node, definition.value, definition.path)
  }
  if (isAppTakenFromCds(definition)) draft.ends.sources.push({ node, origin: 'open-app', weak: false })
}

/** A function by its name has other callers, whose values are not those of this one. */
function addNamedCallback(call: CallValue, name: string, result: number, draft: FlowDraft): boolean {
  const { callee, args } = call
  const [handed] = args
  const callback = functionOf(handed)
  if (callee.kind !== 'member' || handed === undefined || (callback !== undefined && handed.kind !== 'reference')) return false
  const target = callback && draft.calling.functions.get(callback)
  if (callback !== undefined && target === undefined) return false
  const { graph } = draft
  const [item, given] = [graph.add(call), graph.add(call)]
  const isPromise = name === 'then' || name === 'catch' || name === 'finally'
  graph.connect(draft.use(callee.object), item, isPromise ? COPY : READ, isPromise ? undefined : ANY_FIELD)
  if (target === undefined) addHandedFunction(handed, [item], given, draft)
  else draft.calling.calls.push({ result: given, args: [item], targets: [target] })
  connectGiven(name, given, result, draft)
  return true
}

/** Of a server: requests and routes, events, queries of CAP, functions that are called by the values that they are. */
const SERVER_STEPS: ScriptSteps = {
  addRequests,
  addCalls(draft, input, handlers) {
    const { facts, server, path } = draft
    const cap = toCapFile(facts, server.callbacks, path)
    const addEvent = createEventReader(input)
    for (const call of facts.calls) {
      addCall(call, draft)
      addEvent(call, draft)
      if (cap !== undefined) addNativeSql(call, server.callbacks, draft)
    }
    addResultSets(draft)
    if (cap !== undefined) addQueries(cap, new Set(handlers.flatMap(({ fact }) => fact ?? [])), draft)
  },
  addAssignment: ({ target, value }, draft) => assign(target, draft.use(value), draft),
  addParts(draft, part) {
    addExports(draft)
    return () => {
      let failures: FlowFailures | undefined
      part(() => (failures = failuresOf(draft)))
      const { facts, calling, server } = draft
      const callables = { ...finishCallables(draft), ...(failures !== undefined && { failures }) }
      return {
        exports: { functions: exportsOf(facts, calling.functions), classes: [] },
        server: { callables, refusals: server.refusals, routes: server.routes, wrapped: server.wrapped, mounts: server.mounts },
      }
    }
  },
  isCalledByName: () => false,
}

/** CAP, and packages of Node.js. */
export const SERVER: Environment = { values: VALUES, calls: CALLS, steps: SERVER_STEPS }

/** Adds what calls do on servers alone: archives, streams, templates, mails, credentials, functions that packages call. */
function addServerCall(
  call: CallValue,
  paths: readonly string[],
  { result, args: argumentsOf, given, composes }: CallNodes,
  draft: FlowDraft,
): void {
  const args = argumentsOf()
  addEntryNames(call, paths, result, draft)
  addEachEntry(call, draft)
  addRequired(call, result, draft)
  addCollection(call, paths, result, args, draft)
  addStream(call, paths, result, draft)
  addSpreadsheet(call, paths, result, draft)
  addServerTemplate(call, paths, result, draft)
  addMails(call, draft)
  addCostlyMatch(call, paths, draft)
  addUploadNames(call, draft)
  addPrivilegedNew(call, paths, result, draft)
  if (draft.follows.models) addModelAnswer(call, paths, result, args, draft)
  if (draft.follows.secrets) addClaims(call, paths, result, draft)
  if (draft.follows.secrets) addSecretAnswer(call, paths, result, draft)
  addCalledFunctions(call, paths, result, args, draft)
  addCallbackSources(call, paths, draft)
  if (!composes) addOpenCall(call, paths, result, given(), draft)
}

/** Adds the parts of a script that only servers have, and gives what its functions do as answers to routes. */
export function addServerParts(handlers: readonly HandlerFunction[], draft: FlowDraft): ReadonlyMap<FunctionFact, RouteFunction> {
  draft.server.refusals.push(...refusalsOf(handlers, addImportedHandlers(handlers, draft), draft))
  addServerFlow(handlers, draft)
  addListeners(draft)
  addDecoratedParameters(handlers, draft)
  addDecoratedRoutes(draft)
  const routeFunctions = addRoutes(draft)
  addRows(handlers, draft)
  addMadeFunctions(draft)
  addLoggedSecrets(handlers, draft)
  addDecisions(draft)
  addHandedUsers(handlers, draft)
  // of a handler's own file the rule looks at every write
  if (handlers.length === 0) addSharedState(draft)
  addReplies(draft)
  return routeFunctions
}
