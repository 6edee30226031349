import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  importedNames,
  valuesOf,
  type FunctionFact,
  type ImportedName,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { findHandlers, type CapElement, type CapRoot, type CapService, HANDLER_PACKAGES } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import { lastName } from '../../../paths.ts'
import type { Span } from '../../../types.ts'
import { createFunctionFinder } from '../_callers/caller-checks.ts'
import { reachedFrom } from './decided-states.ts'

/** A handler that runs before rows change or are created, or instead. */
interface ChangingHandler {
  readonly service: string | undefined
  readonly isConnected: boolean
  readonly events: readonly string[]
  /** Last parts of the names of its entities; undefined: all, or nobody can tell. */
  readonly entities: readonly string[] | undefined
  /** The names and the words of texts in its function and in those that it calls, one set for each, which handlers share; undefined: they are in another file. */
  readonly words: readonly ReadonlySet<string>[] | undefined
  /** The keys of objects there: fields of rows and of conditions. */
  readonly keys: readonly ReadonlySet<string>[] | undefined
  /** The functions of other files that it is. */
  readonly hands: readonly ImportedName[]
}

/** What a handler is registered for, by what it has to do with. */
const EVENTS: Readonly<Record<'changes' | 'creation', RegExp>> = {
  changes: /^(?:UPDATE|PATCH|EDIT|SAVE|UPSERT|WRITE|\*)$/,
  creation: /^(?:CREATE|INSERT|WRITE)$/,
}
const WORD = /\w{1,80}/g

/** Handlers of changes and of new rows, with the words that they are made of. */
export const changingHandlers: Extract<ChangingHandler> = defineExtract({
  name: 'cap-changing-handlers',
  keywords: ['.on(', '.before(', ...HANDLER_PACKAGES],
  isFor: (path) => !isOfUi5App(path),
  collect({ facts, step }) {
    const callsIn = createInnerIndex(facts.calls)
    const wordsOf = createWordReader(() => allWords(facts, step), step)
    const keysOf = createWordReader(() => allKeys(facts, step), step)
    return findHandlers(facts).flatMap((handler) => {
      const { phase, events, entities, service, callee, fact } = handler
      const named = events.map((name) => name ?? '*')
      if (phase === 'after' || !named.some((name) => Object.values(EVENTS).some((form) => form.test(name)))) return []
      const functions = reachedFrom(handler, facts, callsIn)
      step(functions.length)
      const words = fact && functions.map(wordsOf)
      const keys = fact && named.some((name) => EVENTS.creation.test(name)) ? functions.map(keysOf) : undefined
      const hands = fact === undefined ? importedNames(callee) : []
      return [{ hands, service: service.name, isConnected: service.kind === 'connected', events: named, entities, words, keys }]
    })
  },
})

interface Word extends Span {
  readonly word: string
}

/** The words of functions, each put together once, however many handlers call them. Comments are none. */
function createWordReader(
  wordsOf: () => Iterable<Word>,
  step: (count?: number) => void,
): (fact: FunctionFact) => ReadonlySet<string> {
  const found = new Map<FunctionFact, ReadonlySet<string>>()
  let wordsIn: ((around: Span) => readonly Word[]) | undefined
  return (fact) => {
    const known = found.get(fact)
    if (known !== undefined) return known
    wordsIn ??= createInnerIndex([...wordsOf()])
    const words = wordsIn(fact)
    step(words.length)
    const own = new Set(words.map(({ word }) => word))
    found.set(fact, own)
    return own
  }
}

/** What a script calls by a name: members, keys, parts that are taken out, and what its texts are made of. */
function* allWords(facts: ScriptFacts, step: (count?: number) => void): Generator<Word> {
  for (const { start, end, name } of facts.deletions) if (name !== undefined) yield { start, end, word: name.toLowerCase() }
  for (const { value } of valuesOf(facts)) {
    step()
    for (const text of textsIn(value)) {
      step(text.length)
      for (const word of new Set(text.toLowerCase().match(WORD))) yield { start: value.start, end: value.end, word }
    }
  }
  for (const { definitions } of facts.bindings)
    for (const { start, end, path } of definitions) {
      step()
      for (const name of path) yield { start, end, word: name.toLowerCase() }
    }
}

function* allKeys(facts: ScriptFacts, step: (count?: number) => void): Generator<Word> {
  for (const { value } of valuesOf(facts)) {
    step()
    if (value.kind !== 'object') continue
    for (const { key } of value.fields)
      if (key !== undefined) yield { start: value.start, end: value.end, word: key.toLowerCase() }
  }
}

function textsIn(value: Value): readonly string[] {
  switch (value.kind) {
    case 'member':
      return value.name === undefined ? [] : [value.name]
    case 'literal':
      return typeof value.value === 'string' ? [value.value] : []
    case 'template':
      return value.texts
    case 'tagged':
      return value.texts ?? []
    case 'object':
      return value.fields.flatMap(({ key }) => key ?? [])
    default:
      return []
  }
}

/**
 * Tells whether a handler of changes of an entity may have to do with an element, by one of the names that clients send: it names it, or is in another file and looks at
 * what they send; `creation`: whether a handler of new rows puts it into a row or a condition. Needs `changingHandlers` and `callerCheckExtracts`.
 */
export function createNamedReader(
  root: CapRoot,
  of: keyof typeof EVENTS,
): (service: CapService, entity: CapElement, sent: readonly string[]) => boolean {
  const find = createFunctionFinder(root)
  const isUnrelated = (file: string, hands: readonly ImportedName[]): boolean =>
    hands.length > 0 &&
    hands.every((link) => {
      const asking = find(file, link)?.asking
      return asking !== undefined && !asking.asks && !asking.seesData && asking.hands.length === 0
    })
  const handlers = root.scripts
    .get(changingHandlers)
    .filter(({ value }) => value.events.some((name) => EVENTS[of].test(name)))
    .filter(({ file, value: { words, keys, hands } }) =>
      of === 'creation' ? keys !== undefined : words !== undefined || !isUnrelated(file, hands),
    )
    .map(({ file, value }) => ({ ...value, event: root.eventOf({ file, ...value }) }))
  return (service, { qualified }, sent) => {
    const names = new Set(root.projected(qualified).map(lastName))
    const forms = sent.map((name) => name.toLowerCase())
    root.step(handlers.length)
    return handlers.some(
      ({ entities, words, keys, event }) =>
        (entities?.some((name) => names.has(name)) ?? true) &&
        (!event.isCertain || event.services.includes(service)) &&
        ((of === 'creation' ? keys : words)?.some((set) => forms.some((form) => set.has(form))) ?? true),
    )
  }
}
