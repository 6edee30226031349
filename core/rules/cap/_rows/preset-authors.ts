import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { createCodeReader, isOnTheWay, type Assignment, type FunctionFact, type ScriptFacts } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { findHandlers, type HandlerFunction } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { mentionsUser } from '../_callers/asked-users.ts'
import { holds, isData } from './computed-elements.ts'
import { handsOn, isForDrafts, reachedFrom, REFUSES, ROLE } from './decided-states.ts'

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
const WRITE_IN_TEXT = /['"`](?:CREATE|UPDATE|INSERT|UPSERT|PATCH|SAVE|WRITE|NEW|\*)['"`]/
const WRITE = /^(?:CREATE|UPDATE|INSERT|UPSERT|PATCH|SAVE|WRITE|NEW|\*)$/

/** Handlers that run before clients write an entity, and the author of the row. */
export const authorHandlers: Extract<AuthorHandler> = defineExtract({
  name: 'cap-author-handlers',
  keywords: ['.on(', '.before('],
  prefilter: (text) => WRITE_IN_TEXT.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    const callsIn = createInnerIndex(facts.calls)
    const [setIn, deletedIn] = AUTHOR_IN_TEXT.test(text) ? authorsIn(facts) : [() => [], () => []]
    const asks = createCodeReader(text, (code) => ROLE.test(code) && REFUSES.test(code))
    // of the rows below a row: `for (const line of req.data.lines) line.author = req.user.id`
    for (const { target, value } of facts.assignments) {
      step()
      const { name, start, end } = target
      if (name !== undefined && AUTHOR.test(name) && !isData(target.object) && mentionsUser(value))
        yield { service: undefined, isConnected: false, entities: undefined, element: name, isPreset: false, start, end }
    }
    for (const handler of findHandlers(facts)) {
      step()
      const { phase, events, entities, service, fact, call } = handler
      if (phase === 'after' || phase === 'reject' || !events.some((event) => WRITE.test(event ?? '*'))) continue
      const base = { service: service.name, isConnected: service.kind === 'connected', entities }
      const functions = reachedFrom(handler, facts, callsIn)
      step(functions.length)
      const isUnknown = fact === undefined || functions.some(asks) || handsOn(handler, facts, callsIn)
      if (isUnknown) yield { ...base, element: '*', isPreset: false, start: call.start, end: call.callee.end }
      for (const one of functions) {
        for (const assignment of setIn(one)) {
          const { name } = assignment.target
          if (name === undefined) continue
          const { start, end } = assignment.target
          step(facts.guards.length)
          yield { ...base, element: name, isPreset: isPreset(assignment, name, handler, facts, text), start, end }
        }
        for (const { name, start, end } of deletedIn(one)) yield { ...base, element: name, isPreset: false, start, end }
      }
    }
  },
})

type Inner<Item> = (around: FunctionFact) => readonly Item[]

/** Assignments to the author in the data of a request, and deletions of it. */
function authorsIn(facts: ScriptFacts): [Inner<Assignment>, Inner<Span & { readonly name: string }>] {
  const set = facts.assignments.filter(({ target }) => AUTHOR.test(target.name ?? '') && isData(target.object))
  const deleted = facts.deletions.flatMap((value) => {
    const name = lastNameOf(value)
    return name !== undefined && AUTHOR.test(name) ? [{ name, start: value.start, end: value.end }] : []
  })
  return [createInnerIndex(set), createInnerIndex(deleted)]
}

/** `req.data.author ??= req.user.id`, `if (!req.data.author) req.data.author = …`, or whatever is set in a new draft, which the client changes before it is saved. */
function isPreset(
  { value, operator, start }: Assignment,
  name: string,
  handler: HandlerFunction,
  facts: ScriptFacts,
  text: string,
): boolean {
  if (!mentionsUser(value)) return false
  const isForNewDrafts = handler.events.every((event) => event === 'NEW' || (event === 'CREATE' && isForDrafts(handler.call)))
  if (isForNewDrafts || operator === '??=' || operator === '||=') return true
  // req.data.author = req.data.author || req.user.id
  if (value.kind === 'choice' && value.options.some((option) => holds(option, name))) return true
  // one that looks at the user as well may allow no more than that
  return facts.guards.some(
    (guard) =>
      isOnTheWay(guard, start) && holds(guard.test, name) && !/\buser\b/.test(text.slice(guard.test.start, guard.test.end)),
  )
}
