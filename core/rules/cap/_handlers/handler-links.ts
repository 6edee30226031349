import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  importedNames,
  type FunctionFact,
  type ImportedName,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { exportedFunctions } from '../../../facts/callbacks.ts'
import { resolveModule } from '../../../flow/index.ts'
import { groupBy } from '../../../lists.ts'
import type { CapRoot, HandlerFunction } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from './handled-functions.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { HANDLER_PACKAGES, usesHandlerPackage } from '../../../model/cap/index.ts'

/** A function of another file that is a handler, or that a handler calls. */
export interface HandlerLink extends ImportedName, EventNames {
  readonly isCalled: boolean
  readonly phase: HandlerFunction['phase']
}

export const handlerLinks: Extract<HandlerLink> = defineExtract({
  name: 'cap-handler-links',
  keywords: ['.on(', '.before(', '.after(', ...HANDLER_PACKAGES],
  prefilter: (text) =>
    usesHandlerPackage(text) ||
    (/\b(?:srv|cds|service|Service)\b/.test(text) && /(?:require\(|from)\s{0,4}["'`]\.{1,2}\//.test(text)),
  isFor: (path) => !isOfUi5App(path),
  collect: ({ facts, step }) => [...findLinks(facts, step)],
})

function* findLinks(facts: ScriptFacts, step: (count?: number) => void): Generator<HandlerLink> {
  const { handlers, handlerOf } = findHandledFunctions(facts)
  const link = function* (callee: Value, handler: HandlerFunction, isCalled: boolean): Generator<HandlerLink> {
    const names = eventNamesOf(handler)
    for (const name of importedNames(callee)) yield { ...name, isCalled, phase: handler.phase, ...names }
  }
  if (handlers.length === 0) return
  for (const handler of handlers) if (handler.fact === undefined) yield* link(handler.callee, handler, false)
  step(facts.calls.length)
  for (const call of facts.calls) {
    const [access] = accessesOf(call.callee)
    const handler = access?.root.startsWith('module:.') === true ? handlerOf(call) : undefined
    if (handler !== undefined) yield* link(call.callee, handler, true)
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
