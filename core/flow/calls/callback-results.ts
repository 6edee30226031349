import { resolveValue, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { functionOf, functionOfThis, withoutBind } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { ANY_FIELD, CONCAT, COPY, MOVE, READ, WRITE } from '../types.ts'
import { ITERATING } from '../models/collections.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { invoke } from '../values/objects.ts'
import { writeInto } from '../values/writes.ts'

const CALLING: ReadonlySet<string> = new Set(['then', 'done', 'always', 'fail', 'success', 'each'])
/** What they give goes on with the same value. */
const SAME_PROMISE: ReadonlySet<string> = new Set(['done', 'fail', 'always', 'finally', 'catch'])
const LISTS: ReadonlySet<string> = new Set(['map', 'forEach', 'filter', 'find', 'some', 'every', 'flatMap'])

/** Functions of the language that give the text that they get: `parts.map(decodeURIComponent)`. Fact: ECMAScript. */
const GIVING_TEXTS: ReadonlySet<string> = new Set(['String', 'decodeURIComponent', 'decodeURI', 'unescape', 'atob'])

/** The last names of what does so. */
const ITERATES = /^(?:each|forEach|map|grep|flatMap|filter|find|sortBy|some|every)$/

/** `jQuery.each(rows, function (index, row) { … })`. */
function addIteration({ args }: CallValue, paths: readonly string[], result: number, draft: FlowDraft): boolean {
  const [list, given] = args
  if (list === undefined || given === undefined) return false
  for (const path of paths) {
    const [, ofQuery, ofUi5, ofLodash] = ITERATING.exec(path) ?? []
    const name = ofQuery ?? ofUi5 ?? ofLodash
    if (name === undefined) continue
    const { graph, use } = draft
    const item = graph.derive(use(list), given, READ, ANY_FIELD)
    // an object's fields and their names, as jQuery and UI5 say them: the value comes second
    const isSecond = name === 'each' && ofLodash === undefined
    const back = invoke(given, isSecond ? [graph.add(given), item] : [item], draft)
    connectGiven(name, back, result, draft)
    if (name === 'each' && ofQuery !== undefined) connectSelf(given, item, draft)
    if (/^(?:grep|filter|find|sortBy)$/.test(name)) graph.connect(use(list), result, COPY)
    return true
  }
  return false
}

/** The item as `this` of the function. Fact: jQuery 3.7, jQuery.each ("the value can also be accessed through the this keyword"). */
function connectSelf(given: Value, item: number, draft: FlowDraft): void {
  const fact = functionOf(given)
  if (fact === undefined || functionOfThis(fact) !== fact) return
  const { graph, use } = draft
  for (const value of draft.owners.selvesIn(fact))
    if ('object' in value) graph.connect(item, use(value), READ, value.name ?? ANY_FIELD)
    else graph.connect(item, use(value), COPY)
}

/** `text.replace(/\{(\w+)\}/g, (match, name) => values[name])`: what the function gives is put in. */
export function addReplaced(text: Value, given: Value, result: number, draft: FlowDraft): void {
  if (draft.owners.functionsBehind(given).length === 0) return
  const found = draft.use(text)
  draft.graph.connect(invoke(given, [found, found, found], draft), result, CONCAT)
}

/** `Array.from(list, (item) => …)`. */
function addMade(list: Value, given: Value, result: number, draft: FlowDraft): void {
  const { graph, use } = draft
  const item = graph.derive(use(list), list, READ, ANY_FIELD)
  graph.connect(invoke(given, [item], draft), result, WRITE, ANY_FIELD)
}

/** Functions that are handed over by another name than their own: `then(this.onLoaded.bind(this))`. */
export function addCallbacks(call: CallValue, paths: readonly string[], result: number, draft: FlowDraft): void {
  const { callee, args } = call
  if (args.length > 1 && ITERATES.test(lastNameOf(callee) ?? '') && addIteration(call, paths, result, draft)) return
  if (callee.kind !== 'member') return
  const { name = '', object } = callee
  const [given, second] = args
  if (given !== undefined && second !== undefined && paths.includes('global:Array from')) addMade(given, second, result, draft)
  if (given !== undefined && name === 'fill') draft.graph.connect(draft.use(given), result, WRITE, ANY_FIELD)
  const isList = LISTS.has(name)
  if (SAME_PROMISE.has(name)) draft.graph.connect(draft.use(object), result, COPY)
  if (given === undefined || (!CALLING.has(name) && !isList)) return
  const { graph, use, owners } = draft
  const isPartial = given.kind === 'call' && given.args.length > 1
  const facts = given.kind === 'function' || (given.kind === 'call' && !isPartial) ? owners.functionsBehind(given) : []
  // a function by its name has other callers, whose values are not those of this one
  if (facts.length === 0 && given.kind !== 'literal') {
    const item = graph.derive(
      use(object),
      given,
      isList || name === 'each' ? READ : COPY,
      isList || name === 'each' ? ANY_FIELD : undefined,
    )
    const isText = given.kind === 'reference' && given.binding === undefined && GIVING_TEXTS.has(given.name)
    const back = isText ? item : invoke(given, name === 'each' ? [item, item] : [item], draft)
    connectGiven(name, back, result, draft)
  }
  for (const fact of facts) {
    const parameter = draft.parameters.nodeOf(fact, name === 'each' ? 1 : 0)
    if (parameter !== undefined)
      if (isList || name === 'each') graph.connect(use(object), parameter, READ, ANY_FIELD)
      else graph.connect(use(object), parameter, COPY)
    // whoever makes a link chooses the names as well
    const key = paths.includes('global:URLSearchParams new forEach') ? draft.parameters.nodeOf(fact, 1) : undefined
    if (key !== undefined) graph.connect(use(object), key, READ, ANY_FIELD)
    connectGiven(name, graph.of(fact).node, result, draft)
  }
}

/** What a callback gives is what a promise goes on with, or an item of a list: of a browser its list is written into models, and read by its items there. */
export function connectGiven(name: string, given: number, result: number, { graph, realm }: FlowDraft): void {
  if (name === 'map' && realm === 'browser') graph.connect(given, result, WRITE, ANY_FIELD)
  else if (name === 'map') graph.connect(given, result, MOVE, 'item')
  else if (name === 'then' || name === 'flatMap') graph.connect(given, result, COPY)
}

/** `new Promise((resolve) => resolve(x))`, `deferred.resolve(x)`. */
export function addSettled({ callee, args }: CallValue, paths: readonly string[], draft: FlowDraft): void {
  const { graph, use } = draft
  const [value] = args
  if (value === undefined) return
  if (callee.kind === 'member' && callee.name === 'resolve' && paths.every((path) => path !== 'global:Promise resolve')) {
    const deferred = resolveValue(callee.object)
    if ((deferred.kind === 'call' || deferred.kind === 'new') && DEFERRED.test(lastNameOf(deferred.callee) ?? ''))
      graph.connect(use(value), use(deferred), COPY)
    else if (deferred.kind === 'member') writeInto(deferred, use(value), draft)
    return
  }
  const binding = callee.kind === 'reference' && callee.binding?.kind === 'parameter' ? callee.binding : undefined
  const promise = binding && draft.calling.promiseOf.get(binding.function)
  if (promise !== undefined && binding?.function.parameters[0] === binding) graph.connect(use(value), use(promise), COPY)
}

/** What makes something that is settled later: a class of the app's own may have a method of that name as well. */
const DEFERRED = /defer|promise|resolver/i

/** The `new Promise(…)` that a function is the body of, also `new Promise(function (resolve) { … }.bind(this))`. */
export function promisesOf(calls: readonly CallValue[]): ReadonlyMap<FunctionFact, CallValue> {
  return new Map(
    calls.flatMap((call) => {
      const isPromise = call.kind === 'new' && lastNameOf(call.callee) === 'Promise'
      const body = isPromise ? functionOf(unbound(call.args[0])) : undefined
      return body === undefined ? [] : [[body, call] as const]
    }),
  )
}

/** `run` of `run.bind(this)` and of `jQuery.proxy(run, this)`. */
function unbound(value: Value | undefined): Value | undefined {
  if (value?.kind !== 'call' || value.callee.kind !== 'member') return value
  return value.callee.name === 'proxy' ? value.args[0] : withoutBind(value)
}
