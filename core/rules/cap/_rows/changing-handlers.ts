import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { findHandlers, type CapElement, type CapRoot, type CapService } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import { lastName } from '../../../paths.ts'
import { reachedFrom } from './decided-states.ts'

/** A handler that runs before rows change, or instead. */
interface ChangingHandler {
  readonly service: string | undefined
  readonly isConnected: boolean
  readonly events: readonly string[]
  /** Last parts of the names of its entities; undefined: all, or nobody can tell. */
  readonly entities: readonly string[] | undefined
  /** All words of its function and of those that it calls; undefined: they are in another file. */
  readonly words: ReadonlySet<string> | undefined
}

const CHANGES = /^(?:UPDATE|PATCH|EDIT|SAVE|UPSERT|WRITE|\*)$/
const WORD = /\w{1,80}/g

/** Handlers of changes, with the words that they are made of. */
export const changingHandlers: Extract<ChangingHandler> = defineExtract({
  name: 'cap-changing-handlers',
  keywords: ['.on(', '.before('],
  isFor: (path) => !isOfUi5App(path),
  collect({ facts, text, step }) {
    const callsIn = createInnerIndex(facts.calls)
    return findHandlers(facts).flatMap((handler) => {
      const { phase, events, entities, service, fact } = handler
      const named = events.map((name) => name ?? '*')
      if (phase === 'after' || !named.some((name) => CHANGES.test(name))) return []
      const functions = reachedFrom(handler, facts, callsIn)
      step(functions.length)
      const words =
        fact &&
        new Set(functions.flatMap((one) => text.slice(one.start, one.end).match(WORD) ?? []).map((word) => word.toLowerCase()))
      return [{ service: service.name, isConnected: service.kind === 'connected', events: named, entities, words }]
    })
  },
})

/** Tells whether a handler of changes of an entity may have to do with an element: it names it, or is in another file. Needs `changingHandlers`. */
export function createNamedReader(root: CapRoot): (service: CapService, entity: CapElement, element: string) => boolean {
  const handlers = root.scripts
    .get(changingHandlers)
    .map(({ file, value }) => ({ ...value, of: root.eventOf({ file, ...value }) }))
  return (service, { qualified }, element) => {
    const names = new Set(root.projected(qualified).map(lastName))
    const words = [element, element.replace(/_[^_]{1,100}$/, '')].map((name) => name.toLowerCase())
    root.step(handlers.length)
    return handlers.some(
      ({ entities, words: its, of }) =>
        (entities?.some((name) => names.has(name)) ?? true) &&
        (!of.isCertain || of.services.includes(service)) &&
        (its === undefined ||
          words.some((word) => its.has(word) || its.has(`${word}_id`) || [...its].some((one) => one.startsWith(`${word}_`)))),
    )
  }
}
