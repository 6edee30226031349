import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  functionAround,
  importedNames,
  type CallValue,
  type FunctionFact,
  type ImportedName,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { exportedFunctions, functionOf } from '../../../facts/callbacks.ts'
import { resolveModule } from '../../../flow/index.ts'
import { append, groupBy } from '../../../lists.ts'
import type { CapRoot, HandlerFunction } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { createQuestionReader, type CallerQuestion } from '../_callers/caller-questions.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from './handled-functions.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { handlerFunction, HANDLER_PACKAGES, usesHandlerPackage } from '../../../model/cap/index.ts'

/** A function of another file that is a handler, or that a handler calls. */
export interface HandlerLink extends ImportedName, EventNames {
  readonly isCalled: boolean
  readonly phase: HandlerFunction['phase']
  /** The handler that calls it asks who calls; `unknown`: it is the handler, or gets the request. */
  readonly asks: CallerQuestion
}

export const handlerLinks: Extract<HandlerLink> = defineExtract({
  name: 'cap-handler-links',
  keywords: ['.on(', '.before(', '.after(', ...HANDLER_PACKAGES],
  prefilter: (text) =>
    usesHandlerPackage(text) ||
    (/\b(?:srv|cds|service|Service)\b/.test(text) && /(?:require\(|from)\s{0,4}["'`]\.{1,2}\//.test(text)),
  isFor: (path) => !isOfUi5App(path),
  collect: ({ facts, text, step }) => [...findLinks(facts, text, step)],
})

function* findLinks(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<HandlerLink> {
  const { handlers, handlerOf } = findHandledFunctions(facts)
  const questionOf = createQuestionReader(facts, text, step)
  const link = function* (callee: Value, handler: HandlerFunction, at: Span | undefined): Generator<HandlerLink> {
    const names = eventNamesOf(handler)
    for (const name of importedNames(callee)) {
      const asks = at === undefined ? 'unknown' : questionOf(handler, at)
      yield { ...name, isCalled: at !== undefined, phase: handler.phase, asks, ...names }
    }
  }
  if (handlers.length === 0) return
  for (const handler of handlers) if (handler.fact === undefined) yield* link(handler.callee, handler, undefined)
  step(facts.calls.length)
  for (const call of facts.calls) {
    const [access] = accessesOf(call.callee)
    const handler = access?.root.startsWith('module:.') === true ? handlerOf(call) : undefined
    if (handler !== undefined) yield* link(call.callee, handler, call)
  }
}

/** Under which name other files may call the function around a place. */
export function createExportReader(facts: ScriptFacts): (place: Span) => string | undefined {
  const exported = exportedFunctions(facts)
  return (span) => {
    let found: readonly [string, FunctionFact] | undefined
    for (const one of exported) if (isWithin(span, one[1]) && (found === undefined || one[1].start >= found[1].start)) found = one
    return found?.[0]
  }
}

/** A function that other files may call and that leads to a place, and all places on the way: that one, and the calls that lead there. */
export interface ExportedWay {
  readonly name: string
  readonly places: readonly Span[]
}

const MAX_HOPS = 3
/** Of a helper: as many tell what it is called for as a thousand. */
const MOST_WAYS = 20

/**
 * The functions of a script that other files may call and that run a place: the one around it, and those that call that, by its name or as a method. Worked out once for each
 * function.
 */
export function createWayReader(facts: ScriptFacts, step: (count?: number) => void): (place: Span) => readonly ExportedWay[] {
  const exportedAt = createExportReader(facts)
  const size = exportedFunctions(facts).length
  const known = new Map<FunctionFact | undefined, readonly ExportedWay[]>()
  let calls: ReadonlyMap<FunctionFact, readonly CallValue[]> | undefined
  const find = (place: Span): readonly ExportedWay[] => {
    calls ??= callsByFunction(facts, step)
    const found = new Map<string, ExportedWay>()
    const seen = new Set<FunctionFact>()
    let open: readonly (readonly Span[])[] = [[place]]
    for (let hop = 0; hop <= MAX_HOPS && open.length > 0 && found.size < MOST_WAYS; hop++) {
      const next: (readonly Span[])[] = []
      for (const places of open) {
        step(1 + (size >> 4))
        const [at] = places
        const name = at && exportedAt(at)
        if (at === undefined) continue
        if (name !== undefined && !found.has(name)) found.set(name, { name, places })
        for (let fact = functionAround(facts, at.start); fact !== undefined && !seen.has(fact); fact = fact.parent) {
          seen.add(fact)
          next.push(...(calls.get(fact) ?? []).slice(0, MOST_WAYS).map((one) => [one, ...places]))
        }
      }
      open = next.slice(0, MOST_WAYS)
    }
    return [...found.values()]
  }
  return (place) => {
    if (size === 0) return []
    const around = functionAround(facts, place.start)
    const ways = known.get(around) ?? find(place)
    known.set(around, ways)
    return ways
  }
}

function callsByFunction(facts: ScriptFacts, step: (count?: number) => void): ReadonlyMap<FunctionFact, readonly CallValue[]> {
  const found = new Map<FunctionFact, CallValue[]>()
  step(facts.calls.length)
  for (const call of facts.calls) {
    const fact = functionOf(call.callee) ?? handlerFunction(call.callee, facts)
    if (fact !== undefined) append(found, fact, call)
  }
  return found
}

/** A link, and the file that registers the handler. */
export type LinkedHandler = HandlerLink & { readonly from: string }

/** The links that lead to an exported function of a file. */
export function createLinkReader(root: CapRoot): (file: string, name: string) => readonly LinkedHandler[] {
  const links = groupBy(root.scripts.get(handlerLinks), ({ value }) => value.name)
  return (file, name) => {
    const own = new Map([[file, true]])
    const named = links.get(name) ?? []
    root.step(named.length + 1)
    return named.flatMap(({ file: from, value }) => (resolveModule(from, value.source, own) === true ? [{ ...value, from }] : []))
  }
}
