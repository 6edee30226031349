import { exportedFunctions, functionOf } from '../../../facts/callbacks.ts'
import { calleeOf, resolveValue, type CallValue, type FunctionFact, type ScriptFacts } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { groupBy } from '../../../lists.ts'
import { RESPONSE_NAME } from '../../../flow/tables/requests.ts'
import { findHandlers, handlerFunction, type HandlerFunction } from '../../../model/cap/index.ts'
import { isRequestName } from '../../../model/script/index.ts'
import { eventNamesOf, type EventNames } from './handled-functions.ts'

/** How a function of a script gets requests. */
export interface HandlerNames {
  /** Where the function begins: several events may have it. */
  readonly from: number
  /** The handlers that it is, in this script. */
  readonly handled: readonly (EventNames & Pick<HandlerFunction, 'phase'>)[]
  /** Its name for other files, which may register it. */
  readonly exported: string | undefined
  /** The position of the request among its parameters. */
  readonly request: number
}

/** A function that gets requests, and the calls by which others of the script hand theirs to it. */
export interface RequestUnit extends HandlerNames {
  readonly callers: readonly { readonly fact: FunctionFact; readonly call: CallValue }[]
}

interface OpenUnit extends RequestUnit {
  readonly callers: { readonly fact: FunctionFact; readonly call: CallValue }[]
}

const MAX_HOPS = 3
/** Of one function: as many tell what it is called for as a thousand. */
const MAX_CALLERS = 8

/** The functions of a script that get requests: handlers, functions that other files may register or call, and those that these hand it to. */
export function findRequestUnits(facts: ScriptFacts, step: (count?: number) => void): ReadonlyMap<FunctionFact, RequestUnit> {
  const units = directUnits(facts)
  const callsIn = createInnerIndex(units.size === 0 ? [] : facts.calls)
  let open = [...units.keys()]
  for (let hop = 0; hop < MAX_HOPS && open.length > 0; hop++) {
    const next: FunctionFact[] = []
    for (const fact of open) {
      const request = fact.parameters[units.get(fact)?.request ?? 0]
      for (const call of callsIn(fact)) {
        step()
        const index = call.args.findIndex((given) => given.kind === 'reference' && given.binding === request)
        const called = index < 0 ? undefined : (functionOf(call.callee) ?? handlerFunction(call.callee, facts))
        if (called === undefined || called === fact) continue
        const known = units.get(called)
        const unit = known ?? { from: called.start, handled: [], exported: undefined, request: index, callers: [] }
        if (unit.request === index && unit.callers.length < MAX_CALLERS) unit.callers.push({ fact, call })
        if (known !== undefined) continue
        units.set(called, unit)
        next.push(called)
      }
    }
    open = next
  }
  return units
}

function directUnits(facts: ScriptFacts): Map<FunctionFact, OpenUnit> {
  const units = new Map<FunctionFact, OpenUnit>()
  const all = groupBy(findHandlers(facts), ({ fact }) => fact)
  const exported = new Map(exportedFunctions(facts).map(([name, fact]) => [fact, name]))
  const caught = caughtMethods(facts)
  for (const [fact, handlers] of all) {
    const [first] = handlers
    if (fact === undefined || first === undefined || handlers.some(isWrapped) || caught.has(fact)) continue
    const handled = handlers.map((handler) => ({ ...eventNamesOf(handler), phase: handler.phase }))
    units.set(fact, { from: fact.start, request: first.parameter, handled, exported: exported.get(fact), callers: [] })
  }
  for (const [fact, name] of exported) {
    const request = fact.parameters.findIndex((parameter) => isRequestName(parameter?.name))
    if (all.has(fact) || request < 0 || RESPONSE_NAME.test(fact.parameters[request + 1]?.name ?? '')) continue
    units.set(fact, { from: fact.start, request, handled: [], exported: name, callers: [] })
  }
  return units
}

/** `srv.on('submit', guarded(handler))`: what it is wrapped in may catch. */
function isWrapped({ handler }: HandlerFunction): boolean {
  const made = handler && resolveValue(handler)
  return made?.kind === 'call' && lastNameOf(made.callee) !== 'bind'
}

/** Facts: cds-routing-handlers 3.0.7 (`OnReject`), @dxfrontier/cds-ts-dispatcher 5.0.1 (`CatchAndSetErrorCode`, `Validate`). */
const CATCHES = /reject|catch|valid/i

function caughtMethods({ classes }: ScriptFacts): ReadonlySet<FunctionFact> {
  return new Set(
    classes.flatMap(({ members }) =>
      members.flatMap(({ value, decorators = [] }) =>
        value?.kind === 'function' && decorators.some((one) => CATCHES.test(lastNameOf(calleeOf(one)) ?? ''))
          ? value.function
          : [],
      ),
    ),
  )
}
