import { accessesOf, type Guard, type ScriptFacts, type Value } from '../../../facts/index.ts'
import type { HandlerFunction } from '../../../model/cap/index.ts'
import type { Span } from '../../../types.ts'

const CRUD = /^(?:READ|CREATE|UPDATE|DELETE|NEW|PATCH|SAVE)$/

/** `if (!req.user.is('x')) return`, and then `req.data.priority = 1`, or another condition in what is read. */
export function changesBehind(guard: Guard, { fact, phase, events }: HandlerFunction, facts: ScriptFacts): boolean {
  if (fact === undefined || phase !== 'before' || !events.every((name) => CRUD.test(name ?? ''))) return false
  const isBehind = ({ start }: Span): boolean => guard.inside.end <= start && start < fact.end
  const leads = (value: Value, name: 'data' | 'query'): boolean =>
    accessesOf(value).some(
      ({ root, steps }) => root.startsWith('parameter:') && (steps[0] === name || root === `parameter:${name}`),
    )
  const isChange = (value: Value): boolean => leads(value, 'query') || leads(value, 'data')
  return (
    facts.assignments.some((one) => isBehind(one) && isChange(one.target.object)) ||
    facts.deletions.some((one) => isBehind(one) && isChange(one.object)) ||
    facts.calls.some(
      ({ start, end, callee, args: [first] }) =>
        isBehind({ start, end }) &&
        callee.kind === 'member' &&
        (leads(callee.object, 'query') || (callee.name === 'assign' && first !== undefined && isChange(first))),
    )
  )
}
