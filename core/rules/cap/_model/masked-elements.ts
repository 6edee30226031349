import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import type { ScriptFacts, Value } from '../../../facts/index.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { findHandlers, type HandlerFunction } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** Elements that a handler of what was read masks in the answer: `srv.after('READ', 'Cards', …)`. */
export interface MaskedElements extends Span {
  readonly service: string | undefined
  readonly isConnected: boolean
  /** Last parts of names; undefined: of all entities. */
  readonly entities: readonly string[] | undefined
  readonly elements: readonly string[]
}

/** One item for each handler that runs after reading and overwrites elements with masked values. */
export const maskedElements: Extract<MaskedElements> = defineExtract({
  name: 'cap-masked-elements',
  keywords: ['.after('],
  prefilter: (text) => MASKS.some((mask) => mask.test(text)),
  isFor: (path) => !isOfUi5App(path),
  collect: ({ facts, text, step }) =>
    findHandlers(facts).flatMap((handler) => {
      const { phase, events, entities, service, call, fact } = handler
      if (phase !== 'after' || fact === undefined || !events.some((name) => READS.test(name ?? ''))) return []
      step(facts.assignments.length)
      const elements = maskedIn(handler, facts, text)
      const [event, target] = call.args
      const at = handler.isTargeted ? target : event
      if (elements.length === 0 || at === undefined) return []
      const isConnected = service.kind === 'connected'
      return [{ service: service.name, isConnected, entities, elements, start: at.start, end: at.end }]
    }),
})

const READS = /^(?:READ|each|\*)$/
/** `'****'`, `'****' + row.iban.slice(-4)`, `maskCard(row.number)`, `'[REDACTED]'` */
const MASKS = [
  /['"`]\s{0,2}(?:\*{3}|\u2022{3}|x{4}|X{4})/,
  /\b(?:mask|redact|anonymise|anonymize|obfuscate)\w{0,30}\s{0,4}\(/i,
  /['"`][^\w'"`]{0,3}(?:redacted|masked|hidden)[^\w'"`]{0,3}['"`]/i,
]
const MAX_VALUE = 300

/** Names of the elements that a handler sets to something masked, or to another one that it has masked before. */
function maskedIn({ fact }: HandlerFunction, { assignments }: ScriptFacts, text: string): readonly string[] {
  if (fact === undefined) return []
  const masked = new Set<string>()
  for (const { target, value, start, end } of assignments) {
    if (!isWithin({ start, end }, fact) || target.kind !== 'member' || target.name === undefined) continue
    const written = text.slice(value.start, Math.min(value.end, value.start + MAX_VALUE))
    if (MASKS.some((mask) => mask.test(written)) || isOneOf(value, masked)) masked.add(target.name)
  }
  return [...masked]
}

function isOneOf(value: Value, names: ReadonlySet<string>): boolean {
  return value.kind === 'member' && value.name !== undefined && names.has(value.name)
}
