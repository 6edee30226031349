import { accessesOf, findPart, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { ANY_FIELD, COPY, WRITE } from '../types.ts'
import {
  CALLING,
  CONTROL_FLOW,
  NOT_GIVEN,
  PARTIAL,
  QUEUEING,
  WORKING,
  WRAPPING,
  NAMING_UPLOADS,
  TO_PROMISE,
} from '../tables/calling.ts'
import { ROUTES } from '../tables/requests.ts'
import type { Span } from '../../types.ts'
import { addHandedFunction, isOfOthers } from './callables.ts'
import { writtenPath } from './callees.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { addFound } from '../sinks/sink-parts.ts'
import { addMade } from '../values/objects.ts'
import { isWithin } from '../../facts/span-index.ts'

const BY_PATH = new Map(CALLING.flatMap((row) => row.calls.map((path) => [path, row] as const)))

/** Adds how packages call the functions that they are given: later, one after the other, with a callback, or as they are. */
export function addCalledFunctions(
  call: CallValue,
  paths: readonly string[],
  result: number,
  args: readonly number[],
  draft: FlowDraft,
): void {
  const { graph, use, server } = draft
  const [first] = call.args
  if (call.kind !== 'call') return
  if (first === undefined) return
  for (const path of paths) {
    const row = BY_PATH.get(path)
    const called = row && call.args[row.at]
    if (row !== undefined && called !== undefined)
      addHandedFunction(called, row.from === undefined ? [] : args.slice(row.from), result, draft)
    if (WRAPPING.test(path)) graph.connect(use(first), result, COPY)
    if (PARTIAL.test(path))
      server.callables.partials.push({ called: use(first), result, args: args.slice(1), rest: graph.add(call) })
    if (path === TO_PROMISE) addPromisified(first, result, draft)
    if (path === NAMING_UPLOADS) addNaming(first, draft)
    const [, how] = CONTROL_FLOW.exec(path) ?? []
    if (how !== undefined) return addControlFlow(call, how, result, draft)
  }
  addPushed(call, args, draft)
  if (isGivenBack(call, paths)) {
    const callback = call.args.find(({ kind }) => kind === 'function')
    const fact = callback && functionOf(callback)
    if (fact !== undefined) graph.connect(graph.of(fact).node, result, COPY)
  }
}

/** `limit(() => load(name))`, `queue.add(async () => …)`, `srv.tx(req, (tx) => …)`: what somebody else's function gives is most often what its callback gives. */
function isGivenBack({ callee, args }: CallValue, paths: readonly string[]): boolean {
  const given = args.filter(({ kind }) => kind === 'function')
  if (given.length !== 1 || (callee.kind !== 'member' && callee.kind !== 'reference')) return false
  if (NOT_GIVEN.test(callee.name ?? 'on')) return false
  return paths.length === 0
    ? callee.kind === 'member'
    : paths.every((path) => isOfOthers(path) || /^(?:this|parameter:)/.test(path))
}

/** A function with a callback becomes one that gives what the callback gets. */
function addPromisified(given: Value, result: number, draft: FlowDraft): void {
  const { graph } = draft
  const parameters = Array.from({ length: MAX_PARAMETERS }, () => graph.add(given))
  const value = graph.add(given)
  const callback = addCallback(given, draft)
  if (callback.gets[0] !== undefined) graph.connect(callback.gets[0], value, COPY)
  const args = parameters.map((parameter, index) => {
    if (index === 0) return parameter
    const node = graph.derive(parameter, given, COPY)
    graph.connect(callback.node, node, COPY)
    return node
  })
  addHandedFunction(given, args, graph.add(given), draft)
  addMade(result, given, { parameters, result: value }, draft)
}

const MAX_PARAMETERS = 5

/** A function that stands for `(error, …values) => …`: what it is called with. */
function addCallback(place: Value, draft: FlowDraft): { readonly node: number; readonly gets: readonly number[] } {
  const { graph } = draft
  const parameters = Array.from({ length: MAX_PARAMETERS }, () => graph.add(place))
  const node = graph.add(place)
  addMade(node, place, { parameters, result: graph.add(place) }, draft)
  return { node, gets: parameters.slice(1) }
}

/** `diskStorage({ filename: (req, file, done) => done(null, name) })`. Fact: multer 2 (README, "DiskStorage"). */
function addNaming(options: Value, draft: FlowDraft): void {
  const given = resolveValue(options)
  if (given.kind !== 'object') return
  let usedBy: readonly Span[] | undefined
  for (const { key, value } of given.fields) {
    if (key !== 'filename' && key !== 'destination') continue
    const [request, file] = [draft.graph.add(value), draft.graph.add(value)]
    usedBy ??= storingRoutes(given, draft)
    draft.ends.sources.push(
      { node: request, origin: 'http-request', weak: false, usedBy },
      { node: file, origin: 'upload', weak: false, usedBy },
    )
    if (takesAnyField(draft)) addFieldName(value, file, draft)
    const callback = addCallback(value, draft)
    addHandedFunction(value, [request, file, callback.node], draft.graph.add(value), draft)
    const [name] = callback.gets
    if (name !== undefined && !(key === 'destination' && makesFolder(value, draft)))
      addFound(FOUND_SINKS.uploadPlace, value, draft, { name: `diskStorage.${key}`, node: name })
  }
}

/** What answers `app.post('/photos', upload.single('photo'), (req, res) => …)`, where `upload` stores by these options. */
function storingRoutes(options: Value, { facts, step }: FlowDraft): readonly Span[] {
  return facts.calls.flatMap(({ callee, args }) => {
    step()
    const handler = functionOf(args.at(-1))
    if (handler === undefined || args.length < 3 || !ROUTES.has(lastNameOf(callee) ?? '')) return []
    const stores = args.slice(1, -1).some((front) => findPart(front, (part) => part === options) !== undefined)
    return stores ? { start: handler.start, end: handler.end } : []
  })
}

/** `upload.any()`: the client names the field. */
function takesAnyField({ facts }: FlowDraft): boolean {
  return facts.calls.some(({ callee, args }) => args.length === 0 && lastNameOf(callee) === 'any')
}

function addFieldName(place: Value, file: number, { graph, ends: { sources }, show }: FlowDraft): void {
  const name = graph.add(place)
  sources.push({ node: name, origin: 'request', weak: false })
  show(name, 'fieldname')
  graph.connect(name, file, WRITE, 'fieldname')
}

/** It makes the folder itself before it names it, which is the same fault and is reported there. */
function makesFolder(value: Value, { facts, step }: FlowDraft): boolean {
  const fact = functionOf(value)
  if (fact === undefined) return false
  step(facts.calls.length >> 3)
  return facts.calls.some((call) => isWithin(call, fact) && FOLDER_MAKERS.test(lastNameOf(call.callee) ?? ''))
}

const FOLDER_MAKERS = /^(?:mkdir|ensureDir)(?:Sync|p)?$/

/** `async.waterfall([first, second], done)`, `async.parallel({ one, other }, done)`. */
function addControlFlow(call: CallValue, how: string, result: number, draft: FlowDraft): void {
  const { graph } = draft
  const [list, second, third] = call.args
  const tasks = list && resolveValue(list)
  const stages: readonly (readonly [string, Value])[] =
    tasks?.kind === 'array'
      ? tasks.items.map((item) => [ANY_FIELD, item])
      : tasks?.kind === 'object'
        ? tasks.fields.map(({ key, value }) => [key ?? ANY_FIELD, value])
        : []
  const isWaterfall = how === 'waterfall'
  let before: readonly number[] = []
  const all = graph.add(call)
  for (const [name, stage] of stages) {
    const callback = addCallback(stage, draft)
    const arity = functionOf(stage)?.parameters.length ?? (isWaterfall ? 2 : 1)
    const at = isWaterfall && before.length > 0 ? Math.max(arity - 1, 0) : 0
    const given = graph.add(stage)
    const args = [...before.slice(0, at), callback.node]
    // an async function gets no callback: what it returns is what comes next
    addHandedFunction(stage, isWaterfall && before.length > 0 && arity === 1 ? [before[0] ?? callback.node] : args, given, draft)
    const [value] = callback.gets
    if (value !== undefined) {
      graph.connect(given, value, COPY)
      graph.connect(value, all, WRITE, name)
    }
    before = callback.gets
  }
  const gets = isWaterfall ? before : [all]
  const done = third ?? second
  if (done !== undefined) addHandedFunction(done, [graph.add(call), ...gets], graph.add(call), draft)
  else for (const value of gets.slice(0, 1)) graph.connect(value, result, COPY)
}

/** `async.queue(worker).push(task)`. */
function addPushed({ callee, args: given }: CallValue, args: readonly number[], draft: FlowDraft): void {
  if (callee.kind !== 'member' || !QUEUEING.has(callee.name ?? '') || given.length === 0) return
  const made = resolveValue(callee.object)
  if (made.kind !== 'call' || !accessesOf(made.callee).some((access) => WORKING.test(writtenPath(access)))) return
  const worker = made.args.find((argument) => lastNameOf(argument) !== undefined || argument.kind === 'function')
  if (worker !== undefined) addHandedFunction(worker, args.slice(0, 1), draft.graph.add(callee), draft)
}
