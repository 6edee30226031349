import { resolveValue, type CallValue, type FunctionFact } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { ANY_FIELD, COPY, READ, WRITE } from '../types.ts'
import type { FlowDraft } from './draft.ts'
import { invoke } from './objects.ts'
import { writeInto } from './writes.ts'

const CALLING: ReadonlySet<string> = new Set(['then', 'done', 'always', 'fail', 'success', 'each'])
/** What they give goes on with the same value. */
const SAME_PROMISE: ReadonlySet<string> = new Set(['done', 'fail', 'always', 'finally', 'catch'])
const LISTS: ReadonlySet<string> = new Set(['map', 'forEach', 'filter', 'find', 'some', 'every', 'flatMap'])

/** Functions that are handed over by another name than their own: `then(this.onLoaded.bind(this))`. */
export function addCallbacks({ callee, args }: CallValue, result: number, draft: FlowDraft): void {
  if (callee.kind !== 'member') return
  const { name = '', object } = callee
  const [given] = args
  const isList = LISTS.has(name)
  if (SAME_PROMISE.has(name)) draft.graph.connect(draft.use(object), result, COPY)
  if (given === undefined || (!CALLING.has(name) && !isList)) return
  const { graph, use, owners } = draft
  const isPartial = given.kind === 'call' && given.args.length > 1
  const facts = given.kind === 'function' || (given.kind === 'call' && !isPartial) ? owners.functionsBehind(given) : []
  // a function by its name has other callers, whose values are not those of this one
  if (facts.length === 0 && given.kind !== 'literal') {
    const item = graph.add(given)
    graph.connect(use(object), item, isList || name === 'each' ? READ : COPY, isList || name === 'each' ? ANY_FIELD : undefined)
    const back = invoke(given, name === 'each' ? [item, item] : [item], draft)
    connectGiven(name, back, result, draft)
  }
  for (const fact of facts) {
    const parameter = draft.parameterOf(fact, name === 'each' ? 1 : 0)
    if (parameter !== undefined)
      if (isList || name === 'each') graph.connect(use(object), parameter, READ, ANY_FIELD)
      else graph.connect(use(object), parameter, COPY)
    connectGiven(name, graph.of(fact).node, result, draft)
  }
}

/** What a callback gives is what a promise goes on with, or an item of a list: of a browser its list is written into models, and read by its items there. */
export function connectGiven(name: string, given: number, result: number, { graph, realm }: FlowDraft): void {
  if (name === 'map' && realm === 'browser') graph.connect(given, result, WRITE, ANY_FIELD)
  else if (name === 'map' || name === 'then' || name === 'flatMap') graph.connect(given, result, COPY)
}

/** `new Promise((resolve) => resolve(x))`, `deferred.resolve(x)`. */
export function addSettled({ callee, args }: CallValue, paths: readonly string[], draft: FlowDraft): void {
  const { graph, use } = draft
  const [value] = args
  if (value === undefined) return
  if (callee.kind === 'member' && callee.name === 'resolve' && paths.every((path) => path !== 'global:Promise resolve')) {
    const deferred = resolveValue(callee.object)
    if (deferred.kind === 'call' || deferred.kind === 'new') graph.connect(use(value), use(deferred), COPY)
    else if (deferred.kind === 'member') writeInto(deferred, use(value), draft)
    return
  }
  const binding = callee.kind === 'reference' && callee.binding?.kind === 'parameter' ? callee.binding : undefined
  const promise = binding && draft.promiseOf.get(binding.function)
  if (promise !== undefined && binding?.function.parameters[0] === binding) graph.connect(use(value), use(promise), COPY)
}

/** The `new Promise(…)` that a function is the body of. */
export function promisesOf(calls: readonly CallValue[]): ReadonlyMap<FunctionFact, CallValue> {
  return new Map(
    calls.flatMap((call) => {
      const [body] = call.args
      const isPromise = call.kind === 'new' && lastNameOf(call.callee) === 'Promise'
      return isPromise && body?.kind === 'function' ? [[body.function, call] as const] : []
    }),
  )
}
