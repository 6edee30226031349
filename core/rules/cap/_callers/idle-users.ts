import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { functionAround, pathOf } from '../../../facts/index.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { findHandlers } from '../../../model/cap/index.ts'
import type { Span } from '../../../types.ts'

/**
 * Users that a handler puts into its request as the last thing that it does: the request ends with its answer, and no check and no query comes behind.
 * Fact: capire, "Events": `req` is of one request, and handlers of the phase `on` give its answer.
 */
export const idleUsers: Extract<Span> = defineExtract({
  name: 'cap-idle-users',
  keywords: ['.user'],
  prefilter: (text) => /\.user\s{0,20}=(?!=)/.test(text),
  *collect({ facts, step }) {
    const handlers = findHandlers(facts).filter(({ phase }) => phase === 'on')
    if (handlers.length === 0) return
    for (const assignment of facts.assignments) {
      const { target, start, end } = assignment
      const around = functionAround(facts, start)
      // what goes on after the answer still has the user of cds.context
      const [root = '', name, ...others] = pathOf(target) ?? []
      if (!root.startsWith('parameter:') || name !== 'user' || others.length > 0) continue
      if (around === undefined || !handlers.some(({ fact }) => fact === around)) continue
      step(facts.calls.length + facts.guards.length)
      // a branch that answers
      const branch = facts.guards.find(({ exits, inside }) => exits && isWithin(assignment, inside))
      const goesOn = facts.calls.some((call) => call.start >= end && isWithin(call, branch?.inside ?? around))
      if (!goesOn) yield { start, end }
    }
  },
})
