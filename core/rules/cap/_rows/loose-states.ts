import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, fieldOf, findPart, type Value } from '../../../facts/index.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { mentionsCaller } from '../_callers/caller-values.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'
import { isState } from './decided-states.ts'
import { looseAdditions } from './loose-filters.ts'
import { additionsOf } from './row-filters.ts'

/** A condition with a fixed text that a handler puts beside that of the request without parentheses: rows of one state alone, `status = 'APPROVED'`. */
export interface LooseState extends Span {
  readonly service: string | undefined
  readonly isConnected: boolean
  readonly entities: readonly string[] | undefined
}

export const looseStates: Extract<LooseState> = defineExtract({
  name: 'cap-loose-states',
  keywords: ['query'],
  prefilter: (text) =>
    /\bREAD\b/.test(text) && /\bval\s{0,4}:/.test(text) && /['"]and['"]/.test(text) && /\.SELECT\b|\bSELECT\s{0,4}\}/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    const loose = looseAdditions(facts, step)
    if (loose.size === 0) return
    const { handlerOf } = findHandledFunctions(facts)
    const additions = [...additionsOf(facts, step)]
    for (const [around, { start, end }] of loose) {
      const handler = handlerOf({ start, end })
      const isReading = handler?.events.length === 1 && handler.events[0] === 'READ'
      if (handler === undefined || handler.phase === 'after' || !isReading) continue
      step(additions.length)
      const values = additions.flatMap((one) => (isWithin(one, around) ? one.conditions : []))
      // one about the caller is told by itself
      if (values.some((value) => mentionsCaller(value, text)) || !values.some(holdsText) || !values.some(namesState)) continue
      const { service, entities } = handler
      yield { start, end, service: service.name, isConnected: service.kind === 'connected', entities }
    }
  },
})

/** `{ val: 'APPROVED' }` in a condition. */
function holdsText(value: Value): boolean {
  return (
    findPart(value, (part) => {
      const text = fieldOf(part, 'val')?.value
      return text !== undefined && typeof constantOf(text) === 'string'
    }) !== undefined
  )
}

/** `{ ref: ['status'] }`: an element that says how far a row has come. A language or a kind is a matter of what the page shows. */
function namesState(value: Value): boolean {
  return (
    findPart(value, (part) => {
      const path = fieldOf(part, 'ref')?.value
      const last = path?.kind === 'array' ? path.items.at(-1) : undefined
      const name = last === undefined ? undefined : constantOf(last)
      return typeof name === 'string' && isState(name)
    }) !== undefined
  )
}
