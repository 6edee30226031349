import { functionOf } from '../../../facts/callbacks.ts'
import { resolveValue, type CallValue, type FunctionFact, type Value } from '../../../facts/index.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import { mentionsCaller } from '../_callers/caller-values.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'
import { baseOf, entityOf } from '../_handlers/query-chains.ts'
import { scriptQueries } from '../_handlers/script-queries.ts'

/** Where a handler inserts the row of its caller. */
export interface OwnProfile {
  /** The last part of its name. */
  readonly entity: string
  /** Only when the caller asks for that: an operation, or a new row. Otherwise before whatever else the caller does. */
  readonly isAsked: boolean
}

const EVERY = new Set(['*', 'READ', 'each'])

/** Rows that users make of themselves, such as their profile: until then, they have none. */
export const ownProfiles: Extract<OwnProfile> = defineExtract({
  name: 'cap-own-profiles',
  keywords: ['INSERT'],
  prefilter: (text) => /\.(?:on|before|after)\s{0,4}\(/.test(text) && /\buser\b|authInfo|tokenInfo/i.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    let handled: ReturnType<typeof findHandledFunctions> | undefined
    for (const { base, kind, entity, given } of scriptQueries(facts, step)) {
      if (kind !== 'insert' || !given.some(({ value }) => mentionsCaller(value, text))) continue
      const handler = (handled ??= findHandledFunctions(facts)).handlerOf(base)
      const events = handler?.events.flatMap((name) => name ?? []) ?? []
      yield { entity, isAsked: events.length > 0 && events.every((name) => !EVERY.has(name)) }
    }
  },
})

const MAX_DEPTH = 4

/** The entity of a row that a value was looked up in, in the function or in one of the file that it calls. */
export function lookedUpEntity(value: Value, step: (count?: number) => void): string | undefined {
  const base = lookUpBehind(value, step)
  return base && entityOf(base.args[0])
}

/** The call that names the entity of such a row, `SELECT.one.from(Profiles)`. */
export function lookUpBehind(
  value: Value,
  step: (count?: number) => void,
  asked: Set<FunctionFact> = new Set(),
  depth = 0,
): CallValue | undefined {
  if (depth > MAX_DEPTH) return undefined
  step()
  const here = resolveValue(value)
  if (here.kind === 'await') return lookUpBehind(here.value, step, asked, depth + 1)
  if (here.kind !== 'call') return undefined
  const base = baseOf(here)
  if (base !== undefined) return base.kind === 'read' ? base.call : undefined
  // tx.run(SELECT.one.from(Profiles))
  const [query] = here.callee.kind === 'member' && here.callee.name === 'run' ? here.args : []
  if (query !== undefined) return lookUpBehind(query, step, asked, depth + 1)
  const called = functionOf(here.callee)
  if (called === undefined || asked.has(called)) return undefined
  // functions may call each other in any number of ways
  asked.add(called)
  for (const returned of called.returns) {
    const found = lookUpBehind(returned, step, asked, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}
