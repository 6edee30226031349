import { accessesOf, resolveValue, type ClassFact, type FunctionFact, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { isCds } from '../../flow/cap-receivers.ts'

/** Whether a value is a user, or a class of users, that may do everything. Facts: @sap/cds 9.9.3, lib/req/user.js (`is: () => true`). */
export function isPrivileged(value: Value): boolean {
  const here = resolveValue(value)
  if (here.kind === 'class') return isPrivilegedClass(here.class)
  if (here.kind === 'new') return isPrivileged(here.callee)
  if (here.kind === 'object') return here.fields.some((field) => field.key === 'is' && answersYes(functionOf(field.value)))
  if (here.kind === 'call') return isAssigned(here.args, accessesOf(here.callee)[0]?.root)
  return accessesOf(here).some((access) => isCds(access) && /(?:^| )User [Pp]rivileged(?: new)?$/.test(access.steps.join(' ')))
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
