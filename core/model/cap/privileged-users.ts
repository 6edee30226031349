import { functionOf } from '../../facts/callbacks.ts'
import { accessesOf } from '../../facts/paths.ts'
import type { ClassFact, FunctionFact, ScriptFacts, Value } from '../../facts/types.ts'
import { fieldOf, resolveValue } from '../../facts/values.ts'
import type { Span } from '../../types.ts'

/** Whether a value is a user, or a class of users, that may do everything. Facts: @sap/cds 9.9.3, lib/req/user.js (`is: () => true`). */
export function isPrivileged(value: Value): boolean {
  const here = resolveValue(value)
  if (here.kind === 'class') return isPrivilegedClass(here.class)
  if (here.kind === 'new') return isPrivileged(here.callee)
  if (here.kind === 'object') return here.fields.some((field) => field.key === 'is' && answersYes(functionOf(field.value)))
  if (here.kind === 'call') return isAssigned(here.args, accessesOf(here.callee)[0]?.root)
  return accessesOf(here).some(
    ({ root, steps }) =>
      (root === 'global:cds' || root === 'module:@sap/cds') && /(?:^| )User [Pp]rivileged(?: new)?$/.test(steps.join(' ')),
  )
}

/** `Object.assign(new cds.User, { is: () => true })`. */
function isAssigned(args: readonly Value[], root: string | undefined): boolean {
  return root === 'global:Object' && args.some(isPrivileged)
}

function isPrivilegedClass({ parent, members }: ClassFact): boolean {
  const is = members.find(({ name, isStatic }) => name === 'is' && !isStatic)
  if (is?.value !== undefined) return answersYes(functionOf(is.value))
  return parent !== undefined && parent.kind !== 'class' && isPrivileged(parent)
}

function answersYes(given: FunctionFact | undefined): boolean {
  return (
    given !== undefined &&
    given.returns.length > 0 &&
    given.returns.every((value) => value.kind === 'literal' && value.value === true)
  )
}

/** What runs as somebody, and where that is said. */
export interface PrivilegedSpan extends Span {
  readonly user: Span
}

/** What runs as the privileged user: the callback of `srv.tx({ user }, async (tx) => …)`, the function around `const tx = srv.tx({ user })`. */
export function privilegedSpans(facts: ScriptFacts): readonly PrivilegedSpan[] {
  const spans: PrivilegedSpan[] = facts.calls.flatMap((call): PrivilegedSpan[] => {
    const { callee, args } = call
    const name = callee.kind === 'member' ? callee.name : undefined
    if (name === undefined || !/^(?:tx|transaction|spawn|run)$/.test(name)) return []
    const [context, callback] = args
    const user = context && fieldOf(resolveValue(context), 'user')?.value
    if (user === undefined || !isPrivileged(user)) return []
    const given = functionOf(callback)
    const { start, end } = given ?? { start: call.start, end: call.function.end }
    return [{ start, end, user: { start: user.start, end: user.end } }]
  })
  for (const { target, value, function: around, start, end } of facts.assignments) {
    const isContext = accessesOf(target).some(
      ({ root, steps }) => /^(?:global:cds|module:@sap\/cds)$/.test(root) && steps.join('.') === 'context.user',
    )
    if (isContext && isPrivileged(value)) spans.push({ start, end: around.end, user: { start, end } })
  }
  return spans
}
