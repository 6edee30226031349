import type { Binding, ScriptFacts, Value } from '../../../facts/index.ts'
import { registrationOf } from '../../../model/cap/index.ts'
import type { Span } from '../../../types.ts'

/**
 * Whether nothing that the script doesn't show may compare the caller before a handler of it: no function that gets the handler and calls it, as in
 * `srv.on('rule', asCaller(async (req) => …))`, and none that gets the service and may register handlers in front, as in `guard(srv)`.
 */
export function createBareReader({ calls }: ScriptFacts, step: (count?: number) => void): (place: Span) => boolean {
  let wrapped: readonly Span[] | undefined
  let isServed: boolean | undefined
  const read = (): void => {
    step(2 * calls.length)
    const registrations = calls.flatMap((call) => registrationOf(call) ?? [])
    wrapped = registrations.flatMap(({ handler }) => (handler?.kind === 'call' && !isBound(handler) ? handler : []))
    const services = new Set<Binding>()
    for (const { call } of registrations)
      if (call.callee.kind === 'member' && call.callee.object.kind === 'reference' && call.callee.object.binding !== undefined)
        services.add(call.callee.object.binding)
    const isService = (value: Value): boolean =>
      value.kind === 'this' || (value.kind === 'reference' && value.binding !== undefined && services.has(value.binding))
    isServed = calls.some((call) => !isBound(call) && call.args.some(isService))
  }
  return ({ start, end }) => {
    if (wrapped === undefined) read()
    return isServed !== true && wrapped?.some((one) => one.start <= start && end <= one.end) !== true
  }
}

/** `this.decide.bind(this)`. */
function isBound({ callee }: { readonly callee: Value }): boolean {
  return callee.kind === 'member' && /^(?:bind|call|apply)$/.test(callee.name ?? '')
}
