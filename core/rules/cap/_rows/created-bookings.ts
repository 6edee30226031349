import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, type Value } from '../../../facts/index.ts'
import { toWords, type HandlerFunction } from '../../../model/cap/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { isContextRoot, isDeployedCode, isLogCall, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from '../_handlers/handled-functions.ts'
import { changedNumbers, compoundsOf, sentPath } from './changed-numbers.ts'
import { isForDrafts, reachedFrom } from './decided-states.ts'
import { bareNumber } from './read-rows.ts'

/** A number of another row that the handler of a new row changes by what the client sends in it. */
export interface CreatedBooking extends Span, EventNames {
  /** In the new row: `['quantity']`, `['items', 'quantity']`. */
  readonly path: readonly string[]
  /** The last part of the name of the entity whose number changes, and that. */
  readonly entity: string
  readonly element: string
  /** The amount is taken from it, by the database. */
  readonly isTaken?: true
}

/** `UPDATE(Seats).set({ free: { '-=': req.data.places } })` in handlers of CREATE. */
export const createdBookings: Extract<CreatedBooking> = defineExtract({
  name: 'cap-created-bookings',
  keywords: ['UPDATE', '.update('],
  prefilter: (text) => /\.(?:on|before|after)\s{0,4}\(/.test(text) && /['"`](?:CREATE|INSERT)['"`]/.test(text),
  isFor: isDeployedCode,
  *collect({ facts, step }) {
    const { handlers, handlersOf } = findHandledFunctions(facts)
    if (!handlers.some(isForNewRows)) return
    const compounds = compoundsOf(facts, step)
    const told = new Set<string>()
    for (const call of facts.calls) {
      step()
      for (const { entity, element, amount, isTaken } of changedNumbers(call, compounds))
        for (const handler of handlersOf(call)) {
          if (!isForNewRows(handler)) continue
          const path = sentPath(amount) ?? createdPath(amount, handler)
          const key = `${handler.call.start} ${entity} ${element}`
          if (path === undefined || path.length > 2 || told.has(key)) continue
          told.add(key)
          const { start, end } = call
          yield { ...eventNamesOf(handler), start, end, path, entity, element, ...(isTaken && { isTaken }) }
        }
    }
  },
})

/** Handlers of changes that call what may change other rows, or what the script does not hold. */
export const actingHandlers: Extract<Span & EventNames> = defineExtract({
  name: 'cap-acting-handlers',
  keywords: ['.on(', '.before(', '.after('],
  prefilter: (text) => /['"`](?:UPDATE|UPSERT|PATCH|SAVE|WRITE|\*)['"`]/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, step }) {
    const callsIn = createInnerIndex(facts.calls)
    for (const handler of findHandledFunctions(facts).handlers) {
      if (!handler.events.some((name) => name === undefined || CHANGES.test(name))) continue
      const calls = reachedFrom(handler, facts, callsIn).flatMap(callsIn)
      step(1 + calls.length)
      const { start, end } = handler.call
      if (calls.some((call) => !isLogCall(call) && !HARMLESS.test(lastNameOf(call.callee) ?? '')))
        yield { ...eventNamesOf(handler), start, end }
    }
  },
})

const CHANGES = /^(?:UPDATE|UPSERT|PATCH|SAVE|WRITE|\*)$/
/** Calls that read, convert and answer. */
const HARMLESS =
  /^(?:next|SELECT|where|and|from|one|columns|Number|String|Boolean|Date|parseInt|parseFloat|isArray|keys|values|trim|toLowerCase|toUpperCase|toISOString|toString|includes|test|match|is|reject|error|info|notify|warn)$/

function isForNewRows({ events, call }: HandlerFunction): boolean {
  return events.some((name) => name === 'CREATE' || name === 'INSERT') && !isForDrafts(call)
}

/** There is so much of it, and whoever takes some leaves less. */
export function isLimitedAmount(element: string): boolean {
  return LIMITED.test(toWords(element))
}

const LIMITED =
  /\b(?:free|left|remaining|available|availability|balance|stock|reserved|allocated|budget|points|credits?|quota|allowance|deposits?|funds|wallet)\b/i

/** `order.quantity`, of the row that the handler behind its creation gets. */
function createdPath(amount: Value, { phase, fact }: HandlerFunction): readonly string[] | undefined {
  const here = bareNumber(amount)
  if (phase !== 'after' || fact === undefined || here.start < fact.start || here.end > fact.end) return undefined
  const [row, ...others] = accessesOf(here)
  if (row === undefined || others.length > 0 || isContextRoot(row.root) || row.steps.length !== 1) return undefined
  return row.binding?.definitions.some(({ parameter }) => parameter === 0) === true ? row.steps : undefined
}
