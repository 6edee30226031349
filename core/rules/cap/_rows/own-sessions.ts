import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import type { CapRoot } from '../../../model/cap/index.ts'
import { findPart, type Value } from '../../../facts/index.ts'
import { isContext, isOfUi5App } from '../../../model/script/index.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'

/**
 * One item for each script in which a handler makes the user of its requests by itself, `req.user = { id: session.order }`: its callers are others than those who log in to the application.
 * One made of the user of the request is still the same. */
export const ownSessions: Extract<true> = defineExtract({
  name: 'cap-own-sessions',
  keywords: ['.user'],
  prefilter: (text) => /\.user\s{0,4}=(?!=)/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, step }) {
    const made = facts.assignments.filter(({ target, value }) => {
      step()
      return (
        target.name === 'user' && target.object !== undefined && isContext(target.object) && findPart(value, isUser) === undefined
      )
    })
    if (made.length === 0) return
    const { handlerOf } = findHandledFunctions(facts)
    if (made.some((assignment) => handlerOf(assignment)?.phase === 'before')) yield true
  },
})

/** `req.user`, of `{ ...req.user, id }` */
function isUser(part: Value): boolean {
  return part.kind === 'member' && part.name === 'user' && isContext(part.object)
}

/** The scripts of a root with sessions of their own. */
export function filesWithSessions(root: CapRoot): ReadonlySet<string> {
  return new Set(root.scripts.get(ownSessions).map(({ file }) => file))
}
