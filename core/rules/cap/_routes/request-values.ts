import { findCallbacks } from '../../../facts/callbacks.ts'
import { constantOf, findPart, type Binding, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { findHandledFunctions, type HandledFunctions } from '../_handlers/handled-functions.ts'

/** Handlers, and what of the values in them is of their requests. */
export interface RequestHandlers extends HandledFunctions {
  /** Made of what the handler gets, or of what it reads for its caller. */
  isOfRequest(value: Value): boolean
}

export function findRequestHandlers(facts: ScriptFacts): RequestHandlers {
  const handled = findHandledFunctions(facts)
  let found: ReturnType<typeof findCallbacks> | undefined
  const asked: Asked = {
    handled,
    own: new Set(handled.handlers.flatMap(({ fact }) => fact ?? [])),
    callbacks: () => (found ??= findCallbacks(facts)),
    known: new Map(),
  }
  return { ...handled, isOfRequest: (value) => isOfRequest(value, asked, new Set()) }
}

interface Asked {
  readonly handled: HandledFunctions
  readonly own: ReadonlySet<FunctionFact>
  readonly callbacks: () => ReturnType<typeof findCallbacks>
  /** What was found of a parameter: a script asks for the same ones at each of its assignments. */
  readonly known: Map<Binding, boolean>
}

const QUERY = /^(?:SELECT|next)$/

function isOfRequest(value: Value, asked: Asked, seen: Set<Binding>): boolean {
  if (findPart(value, isOfApplication) !== undefined) return false
  return (
    findPart(
      value,
      (part) =>
        part.kind === 'reference' &&
        (part.binding === undefined
          ? QUERY.test(part.name)
          : part.binding.kind === 'parameter' && !isIndirect(part) && isGivenRequest(part.binding, asked, seen)),
    ) !== undefined
  )
}

/**
 * A parameter of a handler, one of a function that is called with data of the request, or one of a callback of a call that has such data: what
 * `https.request(options, (res) => …)` gives is of the request where its options are.
 */
function isGivenRequest(binding: Binding, asked: Asked, seen: Set<Binding>): boolean {
  const before = asked.known.get(binding)
  if (before !== undefined) return before
  const isFirst = seen.size === 0
  const isGiven = readsRequest(binding, asked, seen)
  // what is asked for on the way is not followed to its end
  if (isGiven || isFirst) asked.known.set(binding, isGiven)
  return isGiven
}

function readsRequest(binding: Binding, asked: Asked, seen: Set<Binding>): boolean {
  const { handled, own, callbacks } = asked
  const { function: owner, definitions } = binding
  if (own.has(owner)) return true
  // what is asked for already adds nothing
  if (handled.handlerOf(owner) === undefined || seen.has(binding)) return false
  seen.add(binding)
  const index = definitions.find(({ kind }) => kind === 'parameter')?.parameter
  const isTold = (value: Value): boolean => isOfRequest(value, asked, seen)
  const calls = handled.callsOf(owner)
  if (calls.length > 0 && index !== undefined)
    return calls.some(({ args }) => {
      const spread = args.findIndex(({ kind }) => kind === 'spread')
      const given = spread >= 0 && spread <= index ? args[spread] : args[index]
      return given !== undefined && isTold(given)
    })
  const callback = callbacks().get(owner)
  // nobody knows what such a function gets
  if (callback === undefined || callback.call.kind !== 'call') return true
  const { callee, args } = callback.call
  return [...(callee.kind === 'member' ? [callee.object] : []), ...args.filter((_, at) => at !== callback.index)].some(isTold)
}

/** A token of the application itself, whoever calls. Facts: RFC 6749, 4.4; @sap/xssec 4, `fetchClientCredentialsToken`. */
function isOfApplication(part: Value): boolean {
  if ('callee' in part) return /client_?credentials/i.test(lastNameOf(part.callee) ?? '')
  return constantOf(part) === 'client_credentials'
}

/** Of a call that connects, the request is none of what is kept. */
function isIndirect(part: Value): boolean {
  return part.kind === 'reference' && /^(?:srv|service|app|cds)$/.test(part.name)
}
