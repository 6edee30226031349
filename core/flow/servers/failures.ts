import type { Binding, CallValue, ScriptFacts, Value } from '../../facts/index.ts'
import { functionOf, methodOf, type Callback } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createSpanIndex, isWithin } from '../../facts/span-index.ts'
import type { Span } from '../../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { TELLING_REQUESTS, TELLS_REQUEST, TO_DESTINATIONS } from '../tables/http-sinks.ts'
import { namesDestination, sendsCredentials } from './signed-requests.ts'
import type { FlowFailures } from '../callable-types.ts'

/** What catches the exceptions of a part of the script. */
interface Catcher {
  readonly tried: Span
  /** The node of the exception, where it has a name. */
  readonly node: number | undefined
  /** The same exception is thrown again. */
  readonly isPassedOn: boolean
}

type CatcherIndex = (offset: number) => readonly Catcher[]

/** Which calls of a script may end with the exception of a request, and what catches it: the requests may be sent in other files. Undefined: nothing of it is in the script. */
export function failuresOf(draft: FlowDraft): FlowFailures | undefined {
  const { facts, text, step } = draft
  const catchersAt = createSpanIndex(findCatchers(draft), ({ tried }) => tried)
  const asks = facts.imports.some(({ source }) => TELLS_REQUEST.has(`module:${source}`))
  const open = new Set([...draft.calling.calls, ...draft.server.callables.calls].map(({ result }) => result))
  const all = facts.calls.filter((call) => lastNameOf(call.callee) === 'all' || lastNameOf(call.callee) === 'race')
  const allAt = createSpanIndex(all, (call) => call)
  const found = {
    requests: new Array<number>(),
    signed: new Array<number>(),
    named: new Array<number>(),
    leaving: new Array<[number, number]>(),
    caught: new Array<[number, number]>(),
  }
  for (const call of facts.calls) {
    step()
    const result = draft.use(call)
    const paths = asks ? draft.environment.calls.pathsOf(call, draft) : []
    const isRequest = paths.some((path) => TELLING_REQUESTS.has(path))
    if (!isRequest && !open.has(result)) continue
    if (!isSettled(call, catchersAt, allAt, text)) continue
    if (isRequest) found.requests.push(result)
    if (sendsCredentials(call, draft)) found.signed.push(result)
    else if (isRequest && paths.some((path) => TO_DESTINATIONS.has(path)) && namesDestination(call)) found.named.push(result)
    follow(call, result, catchersAt, draft, found)
  }
  return found.leaving.length + found.caught.length === 0 ? undefined : found
}

/** From the call outwards, through the functions that it is written in. */
function follow(
  call: CallValue,
  result: number,
  catchersAt: CatcherIndex,
  { calling: { functions }, server: { callbacks }, step }: FlowDraft,
  found: { readonly leaving: [number, number][]; readonly caught: [number, number][] },
): void {
  for (let here: CallValue | undefined = call, hops = 0; here !== undefined && hops < MAX_CALLBACKS; hops++) {
    const tries: CallValue = here
    const within = tries.function
    const all = catchersAt(tries.start)
    step(all.length)
    // the innermost one first
    const around = all
      .filter(({ tried }) => isWithin(tries, tried) && isWithin(tried, within))
      .toSorted((one, other) => one.tried.end - one.tried.start - (other.tried.end - other.tried.start))
    for (const { node, isPassedOn } of around) {
      if (node !== undefined) found.caught.push([node, result])
      if (!isPassedOn) return
    }
    const index = functions.get(within)
    if (index !== undefined && within.kind !== 'file') found.leaving.push([index, result])
    // Promise.all(list.map(async (one) => await send(one)))
    const callback = callbacks.get(within)
    here =
      callback !== undefined && (PASSES_ON.test(methodOf(callback) ?? '') || isOfPromise(callback)) ? callback.call : undefined
  }
}

/** `new Promise((resolve, reject) => …)`: it fails with what its function gives to `reject`. */
function isOfPromise({ call: { callee }, index }: Callback): boolean {
  return index === 0 && lastNameOf(callee) === 'Promise'
}

const MAX_CALLBACKS = 4
const PASSES_ON = /^(?:map|flatMap|then|finally)$/

/** What is neither awaited nor given back fails for itself. */
function isSettled(
  { start, end }: CallValue,
  catchersAt: CatcherIndex,
  allAt: (offset: number) => readonly CallValue[],
  text: string,
): boolean {
  return (
    SETTLES.test(text.slice(Math.max(0, start - MAX_BEFORE), start)) ||
    catchersAt(start).some(({ tried }) => tried.start === start && end <= tried.end) ||
    allAt(start).some((one) => one.start < start && end < one.end)
  )
}

const SETTLES = /(?:\bawait|\breturn|=>)\s{0,80}\(?$/
const MAX_BEFORE = 90

function findCatchers({ facts, text, graph, parameters }: FlowDraft): readonly Catcher[] {
  const catchers: Catcher[] = []
  const named = new Map(
    facts.bindings.flatMap((binding) =>
      binding.kind === 'catch' && binding.definitions[0]?.tried !== undefined
        ? [[binding.definitions[0].tried.start, binding]]
        : [],
    ),
  )
  for (const { tried, start, end } of facts.partial) {
    if (tried === undefined) continue
    const binding = named.get(tried.start)
    const isWhole = binding?.definitions[0]?.path.length === 0
    catchers.push({
      tried,
      node: isWhole ? graph.of(binding).node : undefined,
      isPassedOn: isWhole && isThrown(binding, { start, end }, text),
    })
  }
  for (const { tried, handler } of rejectionHandlers(facts)) {
    const fact = functionOf(handler)
    const [exception] = fact?.parameters ?? []
    catchers.push({
      tried,
      node: fact && parameters.nodeOf(fact, 0),
      isPassedOn: fact === undefined ? isReject(handler) : exception !== undefined && isThrown(exception, fact, text),
    })
  }
  return catchers
}

/** `.catch(handler)`, `.then(done, handler)`, with what they are called on. */
export function* rejectionHandlers({ calls }: ScriptFacts): Generator<{ readonly tried: Span; readonly handler: Value }> {
  for (const { callee, args } of calls) {
    if (callee.kind !== 'member' || (callee.name !== 'catch' && callee.name !== 'then')) continue
    const handler = args[callee.name === 'catch' ? 0 : 1]
    if (handler !== undefined) yield { tried: { start: callee.object.start, end: callee.object.end }, handler }
  }
}

/** `.catch(reject)`: of the function that a promise is made with. */
function isReject(handler: Value): boolean {
  const binding = 'binding' in handler ? handler.binding : undefined
  return binding?.name === 'reject' && binding.function.parameters[1] === binding
}

/** `throw error`, `Promise.reject(error)`. */
function isThrown({ name }: Binding, { start, end }: Span, text: string): boolean {
  return text
    .slice(start, end)
    .split(THROWS)
    .some((rest) => rest.startsWith(name) && !/^[\w$.[(]/.test(rest.slice(name.length)))
}

const THROWS = /\bthrow\s{1,5}|\breject\(\s{0,5}/
