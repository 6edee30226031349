import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  findPart,
  resolveValue,
  valuesOf,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { findHandlers } from '../../../model/cap/index.ts'
import { isContextName, isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { mentionsCaller } from '../_callers/caller-values.ts'

/** A handler that takes rows of others out of a list, and gives back a single row as it is. Its span is the question whether there is a list. */
interface ListFilter extends Span {
  readonly service: string | undefined
  readonly isConnected: boolean
  readonly entities: readonly string[] | undefined
  /** What holds the rows, as it is written. */
  readonly rows: string
}

/** What looks at the caller. */
const LOOKS = /\buser\b|userId|owner/i
/** Elsewhere in the handler something keeps others out. */
const REFUSES = /reject|throw|\.error\(|\.where\b|\.and\(/

/**
 * `const rows = await next(); return Array.isArray(rows) ? rows.filter((row) => row.owner === req.user.id) : rows` for READ.
 * Fact: @sap/cds 9.9.3, lib/srv/srv-dispatch.js: `next()` of a read by key gives the row itself; only after handlers always get a list.
 */
export const listFilters: Extract<ListFilter> = defineExtract({
  name: 'cap-list-filters',
  keywords: ['isArray'],
  prefilter: (text) =>
    /\bREAD\b|'\*'/.test(text) && /\bnext\(|\.query\b/.test(text) && /\.filter\(/.test(text) && /user/i.test(text),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  *collect({ facts, text, step }) {
    for (const handler of findHandlers(facts)) {
      const { phase, service, events, entities, fact } = handler
      if (phase !== 'on' || fact === undefined || !events.some((name) => name === 'READ' || name === '*')) continue
      step(facts.guards.length + facts.calls.length)
      const found = skippedFor(fact, facts, text)
      if (found !== undefined) yield { ...found, service: service.name, isConnected: service.kind === 'connected', entities }
    }
  },
})

function skippedFor(
  fact: FunctionFact,
  facts: ScriptFacts,
  text: string,
): Pick<ListFilter, 'start' | 'end' | 'rows'> | undefined {
  if (REFUSES.test(text.slice(fact.start, fact.end))) return undefined
  const calls = facts.calls.filter((call) => isWithin(call, fact))
  for (const asked of calls) {
    const rows = askedForList(asked)
    const filter = rows && calls.find((call) => isFilterOf(call, rows, text))
    if (rows === undefined || filter === undefined) continue
    const single = singleRow(asked, filter, fact, facts)
    if (single !== undefined && !LOOKS.test(text.slice(single.start, single.end)))
      return { start: asked.start, end: asked.end, rows: rows.name }
  }
  return undefined
}

/** `Array.isArray(rows)` of `const rows = await next()`, `await cds.run(req.query)`. */
function askedForList({ callee, args: [rows] }: CallValue): Binding | undefined {
  const binding = rows !== undefined && 'binding' in rows ? rows.binding : undefined
  if (lastNameOf(callee) !== 'isArray' || rows === undefined || binding === undefined) return undefined
  const given = resolveValue(rows)
  return findPart(given, answersAsAsked) === undefined ? undefined : binding
}

/** What CAP answers, or what the query of the request gives as it is. */
export function answersAsAsked(part: Value): boolean {
  if (!('callee' in part)) return false
  const [query, another] = part.args
  const name = lastNameOf(part.callee)
  if (name !== 'run' || query === undefined || another !== undefined) return name === 'next'
  return accessesOf(query).some(
    ({ binding, steps }) => binding?.kind === 'parameter' && isContextName(binding.name) && steps.join('.') === 'query',
  )
}

/** `let list = rows`: the same list by another name. */
function isSameList(binding: Binding | undefined, rows: Binding): boolean {
  return (
    binding === rows || binding?.definitions.some(({ value }) => value?.kind === 'reference' && value.binding === rows) === true
  )
}

function isFilterOf({ callee, args }: CallValue, rows: Binding, text: string): boolean {
  if (!('object' in callee) || callee.name !== 'filter' || !('binding' in callee.object)) return false
  return isSameList(callee.object.binding, rows) && args.some((argument) => mentionsCaller(argument, text))
}

/** What runs where there is a single row. */
function singleRow(asked: CallValue, filter: CallValue, fact: FunctionFact, facts: ScriptFacts): Span | undefined {
  const isAsked = (test: Value): boolean => isWithin(asked, test)
  const guard = facts.guards.find(({ test, inside }) => isAsked(test) && !isWithin(filter, inside))
  if (guard?.exits === true && guard.inside.end <= filter.start) return guard.inside
  for (const { value } of valuesOf(facts)) {
    if (!('options' in value) || value.test === undefined || !isAsked(value.test)) continue
    const [first, second] = value.options
    if (first !== undefined && second !== undefined) return isWithin(filter, first) ? second : first
  }
  const around = facts.guards.find(({ test, inside }) => isAsked(test) && isWithin(filter, inside))
  return around && { start: around.inside.end, end: fact.end }
}
