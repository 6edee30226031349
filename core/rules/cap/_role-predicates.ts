import type { CallValue, FunctionFact, ScriptFacts, Value } from '../../facts/index.ts'
import { asksForRole } from '../../model/cap/index.ts'

/** `user.is('Auditor')` of a user that is handed over. */
function asksUser({ callee, args }: CallValue): boolean {
  return (
    callee.kind === 'member' &&
    callee.name === 'is' &&
    args.length === 1 &&
    callee.object.kind === 'reference' &&
    callee.object.binding?.kind === 'parameter' &&
    /^_?(?:user|caller)$/.test(callee.object.name)
  )
}

/** Functions of the file that answer whether the caller has a role, and do no more: `(req) => req.user.is('Auditor')`. */
export function predicatesOf({ functions, calls }: ScriptFacts): ReadonlySet<FunctionFact> {
  const asking = new Set<Value>(calls.filter((call) => asksForRole(call) || asksUser(call)))
  const isAnswered = (value: Value): boolean =>
    asking.has(value) ||
    (value.kind === 'operation' && value.operator === '!' && value.operands.some(isAnswered)) ||
    (value.kind === 'choice' &&
      value.options.some(isAnswered) &&
      value.options.every((option) => isAnswered(option) || option.kind === 'operation'))
  return new Set(asking.size === 0 ? [] : functions.filter(({ returns }) => returns.length > 0 && returns.every(isAnswered)))
}
