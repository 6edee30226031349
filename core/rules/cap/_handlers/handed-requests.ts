import { accessesOf, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { handlerFunction, type HandlerFunction } from '../../../model/cap/index.ts'
import type { CallsIn } from '../_rows/decided-states.ts'

/** Calls that get the request for what has nothing to do with its data. */
const HARMLESS = /^(?:tx|transaction|context|log|info|debug|warn|error|trace|stringify|next|getText|Boolean|isArray)$/

/** A function that the script does not hold gets the request or all of its data; in a `catch` it only answers for what went wrong. `isLeft`: names that do not count. */
export function handsOn({ fact }: HandlerFunction, facts: ScriptFacts, callsIn: CallsIn, isLeft?: RegExp): boolean {
  if (fact === undefined) return false
  const handed = callsIn(fact).filter(
    (call) => !isInScript(call, facts) && takesRequest(call) && isLeft?.test(lastNameOf(call.callee) ?? '') !== true,
  )
  if (handed.length === 0) return false
  const caught = facts.partial.filter((part) => part.tried !== undefined && isWithin(part, fact))
  return handed.some((call) => !caught.some((part) => isWithin(call, part)))
}

/** Whether the script holds the function that is called. */
export function isInScript({ callee }: CallValue, facts: ScriptFacts): boolean {
  return functionOf(callee) !== undefined || handlerFunction(callee, facts) !== undefined
}

function isCaught(value: Value): boolean {
  return value.kind === 'reference' && value.binding?.kind === 'catch'
}

/** A call that gets the request or all of its data. One that gets a caught error as well only answers for that. */
export function takesRequest({ callee, args }: CallValue): boolean {
  if (HARMLESS.test(lastNameOf(callee) ?? '') || args.some(isCaught)) return false
  return args.some((value) =>
    accessesOf(value).some(
      ({ root, steps }) => root.startsWith('parameter:') && (steps.length === 0 || (steps.length === 1 && steps[0] === 'data')),
    ),
  )
}
