import type { OwnedQuery } from './owned-queries.ts'
import { CRUD } from './owner-marks.ts'

/** Operations by which users handle what is theirs; those that decide or go on with a row are for others. */
const OWN_STEPS =
  /^(?:withdraw|cancel|revoke|recall|resubmit|submit|delete|remove|discard|edit|save|update|modify|change|rename|archive|upload|reopen|send|post|reply|ask|continue|clear)(?=[A-Z_]|$)/
const OF_OTHERS = /status|approv|assign|all$/i
/** What is said in private. */
const PRIVATE = /conversation|chat|message|session|thread|prompt/i

/** Of rows that each user has alone: what users do themselves. */
export function isOwnStep({ event }: OwnedQuery): boolean {
  const names = event?.names ?? []
  return names.length > 0 && names.every((name) => !CRUD.test(name) && !OF_OTHERS.test(name))
}

/** `withdrawClaim`, `WithdrawClaim`. */
function isOfOwner(name: string): boolean {
  return OWN_STEPS.test(`${name.slice(0, 1).toLowerCase()}${name.slice(1)}`) && !OF_OTHERS.test(name)
}

/** Of rows that the user is only written into: a step that the same user takes. */
export function isForOwner({ kind, event, entity, isPassed }: OwnedQuery, isPart: boolean): boolean {
  const names = event?.names ?? []
  if (names.length === 0 || !names.every(isOfOwner)) return false
  return kind !== 'read' || (isPart && isPassed === true && PRIVATE.test(entity))
}

/** Of what rows are composed of that a handler lists for their user: reading, and steps of that user. */
export function isForOwnerOfWhole({ kind, event }: OwnedQuery): boolean {
  const names = event?.names ?? []
  return (
    names.length > 0 &&
    names.every((name) => !CRUD.test(name) && !OF_OTHERS.test(name) && (kind === 'read' || isOfOwner(name) || ADDS.test(name)))
  )
}

const ADDS = /^(?:add|append|create|insert)(?=[A-Z_])/
