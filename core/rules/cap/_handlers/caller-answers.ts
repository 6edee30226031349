import { accessesOf, type Value } from '../../../facts/index.ts'
import { isConstant } from '../../../facts/is-constant.ts'
import type { CapElement, CapRoot, HandlerFunction } from '../../../model/cap/index.ts'
import { mentionsUser } from '../_callers/asked-users.ts'
import type { EntityHandler } from './write-handlers.ts'

/** Whether a handler always answers with what the request says of its user, and nothing else that is not in the code: `[{ name: req.user.id }]`. */
export function answersCaller({ phase, fact }: HandlerFunction): boolean {
  return (
    phase === 'on' &&
    fact !== undefined &&
    fact.returns.length > 0 &&
    fact.returns.every((value) => mentionsUser(value) && isConstant(value, isOfUser))
  )
}

/** `req.user.id`, `req.user.is('admin')`; undefined: what it is made of says so. */
function isOfUser(value: Value): true | undefined {
  const accesses = accessesOf('callee' in value ? value.callee : value)
  return accesses.length > 0 && accesses.every(({ root, steps }) => OF_USER.test([root, ...steps].join(' '))) ? true : undefined
}

/** Fact: capire, "cds.Request": `req.user`, also as `cds.context.user`. */
const OF_USER = /^(?:parameter:\w{1,60}|global:cds context|module:@sap\/cds context) user(?: |$)/

/** A table that nothing shows: a handler answers each READ with the caller's own row, and no other entity projects on it. What clients write there nobody reads. */
export function isOwnAnswer(element: CapElement, root: CapRoot, handlers: readonly EntityHandler[]): boolean {
  if (element.query !== undefined || handlers.some(({ writes }) => writes)) return false
  if (!handlers.some(({ ofCaller }) => ofCaller === true)) return false
  root.step(root.services.length)
  const isShown = (one: CapElement): boolean => one !== element && one.source?.name === element.qualified
  return !root.services.some(({ elements }) => elements.some(isShown))
}
