import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  createCodeReader,
  isOnTheWay,
  valuesOf,
  type Assignment,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { findHandlers, type HandlerFunction, HANDLER_PACKAGES, usesHandlerPackage } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { mentionsUser } from '../_callers/asked-users.ts'
import { holds, isData } from './computed-elements.ts'
import { handsOn } from '../_handlers/handed-requests.ts'
import { isForDrafts, reachedFrom, REFUSES, ROLE, type CallsIn } from './decided-states.ts'

/** What a handler in front of writing does with the element that says who made a row. */
export interface AuthorHandler extends Span {
  readonly service: string | undefined
  readonly isConnected: boolean
  /** Last parts of names; undefined: all entities. */
  readonly entities: readonly string[] | undefined
  /** `*`: any may be meant. */
  readonly element: string
  /** It is the user of the request where the client says nothing, or for a new draft alone: what the client sends counts. Else the handler decides it. */
  readonly isPreset: boolean
}

/** Elements that say who made a row, rather than who is in charge of it. */
export const AUTHOR: RegExp =
  /^(?:author|reporter|request[oe]r|submitter|uploader|poster|commenter|creator|initiator|(?:uploaded|submitted|requested|reported|posted|raised|written|initiated)_?by)(?:_?(?:id|uuid|user|user_?id|e?mail|name|key))?$/i
const AUTHOR_IN_TEXT =
  /author|reporter|request[oe]r|submitter|uploader|poster|commenter|creator|initiator|(?:uploaded|submitted|requested|reported|posted|raised|written|initiated)_?by/i
/** Elements that say whose row it is. What is sent to somebody is theirs by its element, too (`recipient`, `assignee`). */
export const OWNER: RegExp =
  /^(?:owner|user|employee|customer|member|student|patient|applicant|claimant|buyer|seller|owned_?by|ordered_?by|(?:created|requested|booked|ordered)_?for)(?:_?(?:id|uuid|user|user_?id|e?mail|name|key|login))?$/i
/** Who made the row may have made it for another one. */
export const FOR_OTHERS: RegExp = /^[a-z]{1,12}(?:_for|For)(?:_|$|[A-Z])/
/** Of these alone, what is given in the data of a request: the word `user` is in all handlers. */
const OWNER_IN_TEXT =
  /\.(?:owner|user|employee|customer|member|student|patient|applicant|claimant|buyer|seller|owned_?by|ordered_?by|(?:created|requested|booked|ordered)_?for)\w{0,12}\s{0,4}(?:\?\?|\|\|)?=(?!=)|\.\.\.|\bdelete\b/i
const WRITE_IN_TEXT = /['"`](?:CREATE|UPDATE|INSERT|UPSERT|PATCH|SAVE|WRITE|NEW|\*)['"`]/
const WRITE = /^(?:CREATE|UPDATE|INSERT|UPSERT|PATCH|SAVE|WRITE|NEW|\*)$/

/** Handlers that run before clients write an entity, and the author of the row. */
export const authorHandlers: Extract<AuthorHandler> = defineExtract({
  name: 'cap-author-handlers',
  keywords: ['.on(', '.before(', ...HANDLER_PACKAGES],
  prefilter: (text) => usesHandlerPackage(text) || WRITE_IN_TEXT.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    yield* ofRowsBelow(facts, step)
    const changesOf = createChangeReader(facts, text, step)
    for (const handler of findHandlers(facts)) {
      step()
      const { phase, events, entities, service, call } = handler
      if (phase === 'after' || phase === 'reject' || !events.some((event) => WRITE.test(event ?? '*'))) continue
      const base = { service: service.name, isConnected: service.kind === 'connected', entities }
      const { isUnknown, changes } = changesOf(handler)
      if (isUnknown) yield { ...base, element: '*', isPreset: false, start: call.start, end: call.callee.end }
      const isForNewDrafts = events.every((event) => event === 'NEW' || (event === 'CREATE' && isForDrafts(call)))
      step(changes.length)
      for (const { element, start, end, way } of changes)
        yield { ...base, element, isPreset: way === 'default' || (way === 'user' && isForNewDrafts), start, end }
    }
  },
})

/** Of the rows below a row: `for (const line of req.data.lines) line.author = req.user.id`. Once for each element. */
function* ofRowsBelow(facts: ScriptFacts, step: (count?: number) => void): Generator<AuthorHandler> {
  const seen = new Set<string>()
  for (const { target, value } of facts.assignments) {
    step()
    const { name, start, end } = target
    if (name === undefined || seen.has(name) || !AUTHOR.test(name) || isData(target.object) || !mentionsUser(value)) continue
    seen.add(name)
    yield { service: undefined, isConnected: false, entities: undefined, element: name, isPreset: false, start, end }
  }
}

/** What a function does with the author: gives the user where the client says nothing, the user in any case, or something else. */
interface AuthorChange extends Span {
  readonly element: string
  readonly way: 'default' | 'user' | 'other'
}

interface Changes {
  /** Nobody can tell what it does with them, or it decides about rows as a whole. */
  readonly isUnknown: boolean
  readonly changes: readonly AuthorChange[]
}

const UNKNOWN: Changes = { isUnknown: true, changes: [] }

/**
 * What the functions that a handler reaches do with authors. One function may be the handler of all entities and set each author many times: worked out once for a
 * function, the first change of its way alone.
 */
function createChangeReader(
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): (handler: HandlerFunction) => Changes {
  const callsIn = createInnerIndex(facts.calls)
  const changesIn = createInnerIndex(
    AUTHOR_IN_TEXT.test(text) || OWNER_IN_TEXT.test(text) ? [...changesOfAuthors(facts, text, step)] : [],
  )
  const asks = createCodeReader(text, (code) => ROLE.test(code) && REFUSES.test(code))
  const byFunction = new Map<FunctionFact, readonly AuthorChange[]>()
  const ownChanges = (one: FunctionFact): readonly AuthorChange[] => {
    const before = byFunction.get(one)
    if (before !== undefined) return before
    const own = changesIn(one)
    step(own.length)
    const found = firstOfEach(own)
    byFunction.set(one, found)
    return found
  }
  const known = new Map<FunctionFact, Changes>()
  return (handler) => {
    const { fact } = handler
    if (fact === undefined) return UNKNOWN
    const before = known.get(fact)
    if (before !== undefined) return before
    const functions = reachedFrom(handler, facts, callsIn)
    step(functions.length)
    const isUnknown = functions.some(asks) || handsOn(handler, facts, callsIn)
    const changes = isUnknown ? [] : firstOfEach(functions.flatMap(ownChanges))
    const found = isUnknown || (changes.length === 0 && answers(handler, callsIn)) ? UNKNOWN : { isUnknown, changes }
    known.set(fact, found)
    return found
  }
}

/**
 * It writes the row itself, whatever a handler in front of it has set: `srv.on('CREATE', 'Notes', (req) => INSERT.into(…).entries(…))` that hands on to nothing behind.
 * Fact: capire, "srv.on" (handlers behind run where next() is called). A new draft is changed after it.
 */
function answers({ fact, phase, events, parameter, call }: HandlerFunction, callsIn: CallsIn): boolean {
  if (fact === undefined || (phase !== 'on' && phase !== 'prepend')) return false
  if (!events.some((event) => event !== undefined && event !== 'NEW' && WRITE.test(event)) || isForDrafts(call)) return false
  const next = fact.parameters[parameter + 1]
  if (next === undefined) return fact.parameters.length <= parameter + 1
  const isNext = (value: Value): boolean => value.kind === 'reference' && value.binding === next
  return !callsIn(fact).some(
    ({ callee, args }) => isNext(callee) || (callee.kind === 'member' && isNext(callee.object)) || args.some(isNext),
  )
}

function firstOfEach(changes: readonly AuthorChange[]): readonly AuthorChange[] {
  const found = new Map<string, AuthorChange>()
  for (const change of changes) {
    const key = `${change.way} ${change.element}`
    if (!found.has(key)) found.set(key, change)
  }
  return [...found.values()]
}

/** Assignments to the author in the data of a request, deletions of it, and copies of the data with another author. */
function* changesOfAuthors(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<AuthorChange> {
  for (const assignment of facts.assignments) {
    step()
    const { name, object, start, end } = assignment.target
    if (name === undefined || !isPerson(name) || !isData(object)) continue
    const isOfUser = mentionsUser(assignment.value)
    const way = !isOfUser ? 'other' : isDefault(assignment, name, facts, text, step) ? 'default' : 'user'
    yield { element: name, way, start, end }
  }
  // { ...req.data, author: req.user.id }
  for (const { value } of text.includes('...') ? valuesOf(facts) : []) {
    step()
    if (value.kind !== 'object') continue
    const first = value.fields.findIndex((field) => field.value.kind === 'spread' && isData(field.value.value))
    for (const { key, start, end, value: given } of first < 0 ? [] : value.fields.slice(first)) {
      step()
      if (key !== undefined && isPerson(key) && !holds(given, key)) yield { element: key, way: 'other', start, end }
    }
  }
  for (const value of facts.deletions) {
    const element = lastNameOf(value)
    if (element !== undefined && isPerson(element)) yield { element, way: 'other', start: value.start, end: value.end }
  }
}

function isPerson(name: string): boolean {
  return AUTHOR.test(name) || OWNER.test(name)
}

/** `req.data.author ??= req.user.id`, `if (!req.data.author) req.data.author = …`. */
function isDefault(
  { value, operator, start }: Assignment,
  name: string,
  { guards }: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): boolean {
  if (operator === '??=' || operator === '||=') return true
  // req.data.author = req.data.author || req.user.id
  if (value.kind === 'choice' && value.options.some((option) => holds(option, name))) return true
  step(guards.length)
  // one that looks at the user as well may allow no more than that
  return guards.some(
    (guard) =>
      isOnTheWay(guard, start) && holds(guard.test, name) && !/\buser\b/.test(text.slice(guard.test.start, guard.test.end)),
  )
}
