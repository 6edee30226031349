import type { CallValue, MemberValue, Value } from '../../../facts/index.ts'
import { entityWords } from '../../../model/cap/index.ts'
import type { ScriptQuery } from '../_handlers/script-queries.ts'
import { isFixed } from './fixed-values.ts'

/**
 * A change that notes that somebody has read a message: of another user's it hides that there is something new. Of other entities such a name may be a right, or say
 * whether a door is open; what is not written in the statement itself may change more.
 */
export function notesRead({ base, last, entity }: ScriptQuery): boolean {
  if (!MESSAGES.test(entityWords(entity))) return false
  const changes = changesOf(base, last)
  return changes.length > 0 && changes.every((change) => change !== undefined && isFlag(change))
}

/** What `set({ … })` and its like are given, from the last call of a chain to the first. */
function changesOf(base: CallValue, last: CallValue): readonly (Value | undefined)[] {
  const found: (Value | undefined)[] = []
  let here: Value = last
  for (let left = MAX_CHAIN; left > 0; left--) {
    if (here === base) return found
    if ((here.kind !== 'call' && here.kind !== 'tagged') || here.callee.kind !== 'member') return []
    const { name = '', object }: MemberValue = here.callee
    if (CHANGES.test(name)) found.push(here.kind === 'call' && here.args.length === 1 ? here.args[0] : undefined)
    here = object
  }
  return []
}

/** `{ isRead: true, readAt: new Date() }`, written there: neither spread nor completed elsewhere. */
function isFlag(change: Value): boolean {
  if (!('fields' in change)) return false
  return (
    change.fields.length > 0 && change.fields.every(({ key, value }) => key !== undefined && SEEN.test(key) && isFixed(value))
  )
}

const MAX_CHAIN = 12
const CHANGES = /^(?:set|with|data|entries)$/
const MESSAGES = /(?:^| )(?:messages?|notifications?|notices?)$/
const SEEN =
  /^(?:(?:is|was|has_?been|date|time)_?)?(?:read|seen|viewed|unread|dismissed)(?:_?(?:at|on|by|date|time|status|flag))?$/i
