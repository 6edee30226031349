import type { CallValue, Definition, Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { addCallable, addHandedFunction, addImport } from '../calls/callables.ts'
import { connectGiven } from '../calls/callback-results.ts'
import { addForeignOnServer } from '../calls/called.ts'
import { pathsInFields, pathsOfCallee } from '../calls/callees.ts'
import { isEntryPattern } from '../calls/entry-names.ts'
import { receiverOf } from '../calls/receivers.ts'
import { addXsLibrary } from '../calls/xs-imports.ts'
import { cleanedBy, isEscapeOfProject, isSanitizerOfProject } from '../checks/cleaning.ts'
import { SERVER_STEPS } from './script-steps.ts'
import type { FlowDraft } from '../graph/draft.ts'
import type { Environment, EnvironmentCalls, EnvironmentValues } from '../graph/environment.ts'
import { addStatement } from '../sinks/native-sql.ts'
import { isExitTable } from '../sources/result-sets.ts'
import { addPrivilegedMember } from '../sinks/privileged-users.ts'
import { addSecretParameters, addSecretUrl, PARAMETER_FIELDS } from '../sinks/secret-urls.ts'
import { connectTexts } from '../sinks/server-texts.ts'
import { ANY_FIELD, COPY, READ } from '../types.ts'
import { readRequestField } from '../values/assign.ts'
import { addMoved } from '../values/collections.ts'
import { addComposition } from '../values/compositions.ts'
import { connectItems } from '../values/tuples.ts'
import { addEntityLookUp } from './query-names.ts'
import { routerMadeBy } from './routers.ts'
import { isAppOfCds, isAppTakenFromCds } from './routes.ts'
import { addServerCall } from './server-calls.ts'

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
  addComposition,
  addCall: addServerCall,
  addForeign: addForeignOnServer,
  receiverOf: (callee, draft, open, call) => (call?.kind === 'new' ? open.result : receiverOf(callee, draft, call)),
  addNamedCallback,
  addFunction(node, index, { callables }) {
    callables.functions.push([node, index])
  },
  addImplicitCall(object, name, result, { graph, use, callables }) {
    const called = graph.add(object)
    graph.connect(use(object), called, READ, name)
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

/** CAP, and packages of Node.js. */
export const SERVER: Environment = { values: VALUES, calls: CALLS, steps: SERVER_STEPS }

function connectMember(value: Value & { readonly kind: 'member' }, to: number, draft: FlowDraft): boolean {
  const field = readRequestField(value)
  if (field !== undefined && isRefused(value, draft)) return true
  if (isExitTable(value, draft.path)) return true
  if (field !== undefined) draft.ports.push({ node: to, access: 'read', store: field, path: [] })
  addXsLibrary(value, to, draft)
  if (isAppOfCds(value)) draft.sources.push({ node: to, origin: 'open-app', weak: false })
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
    draft.sources.push({ node, origin: 'archive-entry', weak: false })
    draft.show(node, definition.value, definition.path)
  }
  if (isAppTakenFromCds(definition)) draft.sources.push({ node, origin: 'open-app', weak: false })
}

/** A function by its name has other callers, whose values are not those of this one. */
function addNamedCallback(call: CallValue, name: string, result: number, draft: FlowDraft): boolean {
  const { callee, args } = call
  const [handed] = args
  const callback = functionOf(handed)
  if (callee.kind !== 'member' || handed === undefined || (callback !== undefined && handed.kind !== 'reference')) return false
  const target = callback && draft.functions.get(callback)
  if (callback !== undefined && target === undefined) return false
  const { graph } = draft
  const [item, given] = [graph.add(call), graph.add(call)]
  const isPromise = name === 'then' || name === 'catch' || name === 'finally'
  graph.connect(draft.use(callee.object), item, isPromise ? COPY : READ, isPromise ? undefined : ANY_FIELD)
  if (target === undefined) addHandedFunction(handed, [item], given, draft)
  else draft.calls.push({ result: given, args: [item], targets: [target] })
  connectGiven(name, given, result, draft)
  return true
}
