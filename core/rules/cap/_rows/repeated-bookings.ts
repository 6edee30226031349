import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  constantOf,
  createCodeReader,
  findPart,
  type CallValue,
  type FunctionFact,
  type Guard,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, isWithin } from '../../../facts/span-index.ts'
import { groupBy } from '../../../lists.ts'
import type { HandlerFunction } from '../../../model/cap/index.ts'
import { isContextRoot, isDeployedCode, isLogCall } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from '../_handlers/handled-functions.ts'
import { changedNumbers, compoundsOf } from './changed-numbers.ts'
import { takesRequest } from '../_handlers/handed-requests.ts'
import { entityOfUpdate, isForDrafts, isState } from './decided-states.ts'
import { readFrom } from './read-rows.ts'

/** A number of another row that the handler of an update changes whenever the row has a state then, whatever it had before. */
export interface RepeatedBooking extends Span, EventNames {
  /** The last part of the name of the entity whose number changes, and that. */
  readonly entity: string
  readonly element: string
  readonly state: string
  /** `APPROVED`. */
  readonly word: string
}

/** `if (data.status === 'APPROVED') await UPDATE(Staff, …).with({ balance: { '-=': data.days } })` in handlers of UPDATE. */
export const repeatedBookings: Extract<RepeatedBooking> = defineExtract({
  name: 'cap-repeated-bookings',
  keywords: ['UPDATE', '.update('],
  prefilter: (text) => /\.(?:on|before|after)\s{0,4}\(/.test(text) && /['"`](?:UPDATE|PATCH|SAVE)['"`]/.test(text),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    const { handlers, handlersOf } = findHandledFunctions(facts)
    if (!handlers.some(isForChanges)) return
    const compounds = compoundsOf(facts, step)
    const callsIn = createInnerIndex(facts.calls)
    const guardsOf = groupBy(facts.guards, (guard) => guard.function)
    const knowsBefore = createCodeReader(text, (code) => BEFORE.test(code))
    const told = new Set<string>()
    for (const call of facts.calls) {
      step()
      for (const { entity, element } of changedNumbers(call, compounds))
        for (const handler of handlersOf(call)) {
          const { fact, entities = [] } = handler
          const key = `${handler.call.start} ${entity} ${element}`
          if (fact === undefined || !isForChanges(handler) || entities.includes(entity) || told.has(key)) continue
          const guards = guardsOf.get(fact) ?? []
          const calls = callsIn(fact)
          step(guards.length + calls.length)
          const found = stateAround(call, guards, handler, step)
          if (found === undefined || knowsBefore(fact) || calls.some((one) => mayKnow(one, fact))) continue
          // it marks the row itself, which the next request may ask for
          if (calls.some((one) => entities.includes(entityOfUpdate(one)?.entity ?? ''))) continue
          told.add(key)
          const { start, end } = call
          yield { ...eventNamesOf(handler), start, end, entity, element, ...found }
        }
    }
  },
})

/** What a handler calls the row as it was. */
const BEFORE =
  /\b(?:diff|previous|prior|before|old|was|current|existing|original|stored)\b|\b(?:previous|prev|prior|old|existing|original|stored|current|was|is|already)[A-Z_]|_old\b|\bbefore[A-Z]|already|processed|\bsubject\b/

function isForChanges({ events, call }: HandlerFunction): boolean {
  return events.some((name) => name === 'UPDATE' || name === 'PATCH' || name === 'SAVE') && !isForDrafts(call)
}

/** The one state that decides about the change, beside whether rows are there at all, and how much it is. */
function stateAround(
  call: CallValue,
  guards: readonly Guard[],
  handler: HandlerFunction,
  step: (count?: number) => void,
): Pick<RepeatedBooking, 'state' | 'word'> | undefined {
  let found: Pick<RepeatedBooking, 'state' | 'word'> | undefined
  for (const { test, inside, exits } of guards) {
    const isAround = isWithin(call, inside)
    if (!isAround && !(exits && inside.end <= call.start)) continue
    for (const part of partsOf(test, isAround)) {
      const asked = stateIn(part, isAround ? /^===?$/ : /^!==?$/, handler, step)
      if (asked === undefined && !isPresence(part, isAround) && !isAmount(part)) return undefined
      // two of them may be of two rows
      if (asked !== undefined && found !== undefined) return undefined
      found ??= asked
    }
  }
  return found
}

function stateIn(
  test: Value,
  operator: RegExp,
  handler: HandlerFunction,
  step: (count?: number) => void,
): Pick<RepeatedBooking, 'state' | 'word'> | undefined {
  if (test.kind !== 'operation' || !operator.test(test.operator)) return undefined
  const [left, right] = test.operands
  if (left === undefined || right === undefined) return undefined
  const [value, other] = constantOf(left) === undefined ? [left, right] : [right, left]
  const word = constantOf(other)
  const state = lastNameOf(value)
  if (typeof word !== 'string' || word === '' || state === undefined || !isState(state)) return undefined
  return isOfChange(value, handler, step) ? { state, word } : undefined
}

/** `req.data.status`; behind the change also that of what the handler gets, and of the row as it is read again. */
function isOfChange(value: Value, { phase, fact, entities = [] }: HandlerFunction, step: (count?: number) => void): boolean {
  const [access, ...others] = accessesOf(value)
  if (access === undefined || others.length > 0) return false
  if (isContextRoot(access.root)) return access.steps.length === 2 && access.steps[0] === 'data'
  if (phase !== 'after') return false
  const [row] = fact?.parameters ?? []
  if (row !== undefined && access.binding === row) return access.steps.length === 1
  const read = readFrom(value, step)
  return read !== undefined && entities.includes(read)
}

/** `a && b` around a change, `a || b` in front of it: all of them, or none, hold there. */
function partsOf(test: Value, isAround: boolean): readonly Value[] {
  if (!('options' in test) || test.test !== undefined || (test.isAnd === true) !== isAround) return [test]
  return test.options.flatMap((one) => partsOf(one, isAround))
}

/** `staff` around the change, `!staff` in front of it: that a row was found. One that must not be there, such as an entry of the booking, tells what was before. */
function isPresence(test: Value, isAround: boolean): boolean {
  if (isAround) return 'binding' in test
  const asked = 'operands' in test && test.operator === '!' ? test.operands[0] : undefined
  return asked !== undefined && 'binding' in asked
}

/** `data.days > 0` */
function isAmount(test: Value): boolean {
  return 'operands' in test && /^[<>]=?$/.test(test.operator) && test.operands.some((one) => typeof constantOf(one) === 'number')
}

/** Another function gets the request or the row. */
function mayKnow(call: CallValue, { parameters }: FunctionFact): boolean {
  if (isLogCall(call) || QUERY.test(lastNameOf(call.callee) ?? '')) return false
  return (
    takesRequest(call) ||
    call.args.some(
      (given) =>
        findPart(
          given,
          (part) => part.kind === 'reference' && part.binding !== undefined && parameters.includes(part.binding),
        ) === given,
    )
  )
}

const QUERY = /^(?:SELECT|UPDATE|INSERT|where|set|with|from|entries|into|columns|run|one)$/
