import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import {
  beginningOf,
  constantOf,
  stringConstantOf,
  createCodeReader,
  excerptOf,
  findPart,
  valuesOf,
  type CallValue,
  type OperationValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { keysGiven } from '../../../facts/values.ts'
import { createInnerIndex, isWithin } from '../../../facts/span-index.ts'
import { append, groupBy } from '../../../lists.ts'
import { CRUD_EVENT, toWords, type HandlerFunction } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from '../_handlers/handled-functions.ts'
import { createRefusalReader } from '../_handlers/refusals.ts'
import { changedNumbers, compoundsOf, type ChangedNumber } from './changed-numbers.ts'
import { isAmount } from './repeatable-effects.ts'
import { reachedFrom } from './decided-states.ts'
import { bareNumber, readFrom, rowOfList } from './read-rows.ts'

/** An update that writes a number which a handler has read before, and has worked out by itself. */
export interface RacedNumber extends Span, EventNames {
  /** The last part of the name of the entity, and the number. */
  readonly entity: string
  readonly element: string
  /** The comparison, as it is written; empty: it compares nothing. */
  readonly limit: string
  /** The database works the number out, though nothing asks it for the limit. */
  readonly isTaken: boolean
  /** How often somebody guessed wrong: what ends a series of guesses. */
  readonly counts?: true
}

/** Numbers that handlers read and write back, with nothing that keeps others from doing so at the same time. */
export const racedNumbers: Extract<RacedNumber> = defineExtract({
  name: 'cap-raced-numbers',
  keywords: ['UPDATE', '.update('],
  prefilter: (text) => /\.(?:on|before|after)\s{0,4}\(/.test(text) && /[-+]/.test(text) && /\b(?:srv|cds|req)\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    const compounds = compoundsOf(facts, step)
    let found: Looked | undefined
    for (const call of facts.calls) {
      step()
      for (const { entity, element, before: written, isTaken = false } of changedNumbers(call, compounds, isRaced)) {
        if (written === undefined ? !isTaken : readFrom(written, step) !== entity) continue
        found ??= lookAt(facts, text, step)
        const handler = found.handlerOf(call)
        const events = handler?.events.flatMap((name) => name ?? []) ?? []
        if (handler?.fact === undefined || !events.some((name) => !CRUD_EVENT.test(name) || WRITES.test(name))) continue
        if (found.locks(handler)) continue
        const named = (found.comparisons(call.function).get(element) ?? []).filter(({ start }) => start < call.start)
        step(named.length)
        const counts = isCounterOfGuesses(element, entity)
        if (counts && (written === undefined || !found.isCompared(element))) continue
        const before = written ?? named.flatMap((one) => comparedOf(one, element, entity, step) ?? [])[0]
        const compared =
          before && named.find((one) => isOf(one, before, element) || comparedOf(one, element, entity, step) === before)
        if (before === undefined || isConditional(call, { element, before }, found)) continue
        if (!counts && compared === undefined && (written === undefined || named.length > 0)) continue
        if (isTaken && found.isRefusedBehind(call, element, entity)) continue
        const { start, end } = call
        yield {
          ...eventNamesOf(handler),
          start,
          end,
          entity,
          element,
          limit: compared === undefined ? '' : excerptOf(text, compared),
          isTaken,
          ...(counts && { counts }),
        }
        break
      }
    }
  },
})

/** Counters of wrong guesses, in words. */
const COUNTER =
  /(?:^| )(?:(?:pin|otp|code|log ?in|logon|sign ?in|password|passcode|auth(?:entication)?|verification|unlock)s? (?:attempts?|tries|failures?|errors?|fails?)|(?:failed|wrong|invalid|incorrect|bad) (?:pin|otp|code|log ?in|logon|sign ?in|password|passcode)s?|(?:wrong|invalid|incorrect) (?:attempts?|tries))(?: |$)/
/** Of a row for guesses or of who makes them a bare name will do; jobs, payments and messages have failed attempts as well. */
const ATTEMPTS = /^(?:(?:failed|bad) )?(?:attempts?|tries|retries)(?: count)?$/
const GUESSED =
  /(?:^| )(?:pin|otp|code|log ?in|logon|sign ?in|password|passcode|verification|access token|challenge|credential|user|account)s?(?: |$)/

/** `pinAttempts`, `failed_logins`; `attempts` of `LoginCodes`. */
function isCounterOfGuesses(element: string, entity: string): true | undefined {
  const name = toWords(element)
  return COUNTER.test(name) || (ATTEMPTS.test(name) && GUESSED.test(toWords(entity))) ? true : undefined
}

function isRaced(element: string, entity: string): boolean {
  return isAmount(element) || isCounterOfGuesses(element, entity) === true
}

interface Looked extends Pick<ReturnType<typeof findHandledFunctions>, 'handlerOf'> {
  /** Of a function, by the names of what they compare. */
  readonly comparisons: (around: CallValue['function']) => ReadonlyMap<string, readonly OperationValue[]>
  /** Anywhere in the script, also by a name that is worked out of it. */
  readonly isCompared: (element: string) => boolean
  readonly callsAt: ReadonlyMap<number, readonly CallValue[]>
  /** Behind an update the row is read again, and the request refused by its number: the update has locked the row, and what the database took is taken back. */
  readonly isRefusedBehind: (update: CallValue, element: string, entity: string) => boolean
  /** The handler, or a function of the script that it calls, keeps others out. */
  readonly locks: (handler: HandlerFunction) => boolean
}

/** What is looked at more than once, each function and each handler once. */
function lookAt(facts: ScriptFacts, text: string, step: (count?: number) => void): Looked {
  const all = valuesOf(facts).flatMap(({ value }) => (value.kind === 'operation' && COMPARES.test(value.operator) ? [value] : []))
  const comparisonsIn = createInnerIndex(all)
  const lookedFor = new Map<string, boolean>()
  const holds = (one: OperationValue, element: string): boolean => {
    step()
    return findPart(one, (part) => part.kind === 'member' && part.name === element) !== undefined
  }
  const callsIn = createInnerIndex(facts.calls)
  const saysLock = createCodeReader(text, (code) => LOCKS.test(code))
  const guardsOf = groupBy(facts.guards, (guard) => guard.function)
  const refuses = createRefusalReader(facts, text)
  const compared = new Map<CallValue['function'], ReadonlyMap<string, readonly OperationValue[]>>()
  const locked = new Map<HandlerFunction, boolean>()
  const comparisons = (around: CallValue['function']): ReadonlyMap<string, readonly OperationValue[]> => {
    const known = compared.get(around) ?? byNames(comparisonsIn(around), step)
    compared.set(around, known)
    return known
  }
  return {
    ...findHandledFunctions(facts),
    callsAt: callsByQuery(facts, step),
    comparisons,
    isCompared(element) {
      const known = lookedFor.get(element) ?? all.some((one) => holds(one, element))
      lookedFor.set(element, known)
      return known
    },
    isRefusedBehind({ end, function: around }, element, entity) {
      const named = comparisons(around).get(element) ?? []
      const later = named.filter((one) => one.start >= end && isReadBehind(comparedOf(one, element, entity, step), end))
      const guards = later.length === 0 ? [] : (guardsOf.get(around) ?? [])
      step(named.length + guards.length * later.length)
      return guards.some((guard) => later.some((one) => isWithin(one, guard.test)) && refuses(guard))
    },
    locks(handler) {
      const known = locked.get(handler)
      if (known !== undefined) return known
      const functions = reachedFrom(handler, facts, callsIn)
      step(functions.reduce((sum, one) => sum + callsIn(one).length, functions.length))
      const isLocked = functions.some((one) => saysLock(one) || callsIn(one).some(isLock))
      locked.set(handler, isLocked)
      return isLocked
    },
  }
}

/** By where a query begins, what is called of it: `where` of `UPDATE(Parts).set(…).where(…)`, and of `change.where(…)` where the name holds the query. */
function callsByQuery({ calls }: ScriptFacts, step: (count?: number) => void): ReadonlyMap<number, readonly CallValue[]> {
  const found = new Map<number, CallValue[]>()
  for (const call of calls) {
    step()
    append(found, call.start, call)
    const { callee } = call
    const held =
      callee.kind === 'member' && CONDITIONS.test(callee.name ?? '')
        ? beginningOf(callee.object, (name) => CONDITIONS.test(name))
        : undefined
    const given = held?.kind === 'reference' ? (held.binding?.definitions ?? []) : []
    for (const { value } of given.slice(0, MAX_GIVEN)) if (value?.kind === 'call') append(found, value.start, call)
  }
  return found
}

/** A name may be given queries in thousands of places. */
const MAX_GIVEN = 8
const CONDITIONS = /^(?:where|and|byKey)$/

/** The row of a number is read behind an offset. */
function isReadBehind(number: Value | undefined, offset: number): boolean {
  return number !== undefined && readings(number).some(({ start }) => start >= offset)
}

function byNames(comparisons: readonly OperationValue[], step: (count?: number) => void): ReadonlyMap<string, OperationValue[]> {
  const found = new Map<string, OperationValue[]>()
  for (const one of comparisons) {
    step()
    for (const name of new Set(one.operands.flatMap(termsOf).map(nameOf))) if (name !== undefined) append(found, name, one)
  }
  return found
}

/** A side of a comparison, and what is taken from in it: `stock.total` of `stock.total - stock.reserved`, also by a name. */
function termsOf(side: Value): readonly Value[] {
  const made = bareNumber(side)
  const [first] = made.kind === 'operation' && made.operator === '-' ? made.operands : []
  return first === undefined ? [side] : [side, first]
}

/** The number of a row of the entity that a comparison looks at. */
function comparedOf(
  { operands }: OperationValue,
  element: string,
  entity: string,
  step: (count?: number) => void,
): Value | undefined {
  return operands.flatMap(termsOf).find((one) => nameOf(one) === element && readFrom(one, step) === entity)
}

const COMPARES = /^[<>]=?$/
const WRITES = /^(?:CREATE|UPDATE|UPSERT|INSERT|PATCH|SAVE|WRITE|DELETE)$/
/** Fact: capire, "Pessimistic Locking" (`forUpdate`, `forShareLock`). */
const LOCKS = /\bforUpdate\b|\bforShareLock\b|\bFOR UPDATE\b|\bENQUEUE_/
/** Others have locks of their own: `lockRow(…)`, `mutex.runExclusive(…)`; what is blocked, or the time of a clock, is none. */
const LOCK = /\b(?:un)?locks?\b|\bmutex\b|\bsemaphore\b|\bexclusive(?:ly)?\b|\benqueue\b/

function isLock({ callee }: CallValue): boolean {
  const names = [lastNameOf(callee), callee.kind === 'member' ? lastNameOf(callee.object) : undefined]
  return names.some((name) => name !== undefined && LOCK.test(toWords(name).toLowerCase()))
}

type Changed = Pick<ChangedNumber, 'element'> & { readonly before: Value }

/** The where of the update names the number, something else of the row that was read, its version, or what the update sets as well: after another one it finds no row. */
function isConditional(call: CallValue, changed: Changed, { callsAt }: Looked): boolean {
  const set = new Set(keysGiven(call.args))
  const isGone = (name: string): boolean => VERSION.test(toWords(name).toLowerCase()) || (set.has(name) && !KEY.test(name))
  return (callsAt.get(call.start) ?? []).some((one) => {
    if (one === call || !CONDITIONS.test(lastNameOf(one.callee) ?? '')) return false
    if (one.texts?.some((text) => text.includes(changed.element)) === true) return true
    const isText = one.texts !== undefined || one.args.some((given) => constantOf(given) !== undefined)
    return one.args.some((given) => names(given, changed, isText)) || namesIn(one).some(isGone)
  })
}

/** What changes with each change of a row. Fact: capire, "Concurrency Control": an ETag is a version or the time of the last change (`@odata.etag: modifiedAt`). */
const VERSION = /(?:^| )(?:version|e ?tag|revision|(?:modified|changed|updated) (?:at|on))$/

/** `{ ID, version: … }`, `'ID =', ID, 'and version =', version`. */
function namesIn({ args, texts }: CallValue): readonly string[] {
  const constants = args.flatMap((given) => {
    return stringConstantOf(given) ?? []
  })
  const words = [...(texts ?? []), ...constants].flatMap((text) => text.slice(0, LONGEST_TEXT).match(/\w{1,60}/g) ?? [])
  return [...keysGiven(args), ...words]
}

const LONGEST_TEXT = 300

/** @param isText what it is compared with stands beside texts that name the elements */
function names(given: Value, { element, before }: Changed, isText: boolean): boolean {
  const here = bareNumber(given)
  if (here.kind === 'object')
    return here.fields.some(({ key, value }) => key === element || key === undefined || isOfRow(value, before))
  if (here.kind === 'literal') return String(here.value).includes(element)
  return !isText || isOfRow(given, before)
}

const KEY = /^(?:id|key|uuid|guid)$|(?:_id|_key|ID|Id)$/i

/** Another element of the row, but for its key. */
function isOfRow(value: Value, before: Value): boolean {
  const name = nameOf(value)
  if (name === undefined || KEY.test(name)) return false
  const rows = readings(before)
  return readings(value).some((one) => rows.includes(one))
}

/** What `row.version`, or `version` of `const { version } = row`, was read by. */
function readings(value: Value): readonly Value[] {
  const here = bareNumber(value)
  const row = here.kind === 'member' ? rowOfList(here.object) : here
  if (row.kind !== 'reference') return []
  const isTaken = (path: readonly string[]): boolean => here.kind === 'member' || path.length > 0
  return (row.binding?.definitions ?? []).flatMap(({ path, value: read }) => {
    if (read === undefined || !isTaken(path)) return []
    return read.kind === 'reference' ? (read.binding?.definitions.flatMap((one) => one.value ?? []) ?? []) : [read]
  })
}

/** `book.stock < quantity`, of the same row; `stock < quantity` of what was taken out of it. */
function isOf({ operands }: OperationValue, before: Value, element: string): boolean {
  const row = rowOf(before)
  return operands.some((one) => nameOf(one) === element && rowOf(one) === row)
}

function nameOf(value: Value): string | undefined {
  const here = bareNumber(value)
  if (here.kind !== 'reference') return lastNameOf(here)
  return here.binding?.definitions.find(({ path }) => path.length > 0)?.path.at(-1) ?? here.name
}

/** What holds the row: the declaration of its name. */
function rowOf(value: Value): unknown {
  const here = bareNumber(value)
  const row = here.kind === 'member' ? rowOfList(here.object) : here
  return row.kind === 'reference' ? row.binding : undefined
}
