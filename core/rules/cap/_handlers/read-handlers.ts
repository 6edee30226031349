import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findHandlers, HANDLER_PACKAGES } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'

/** The entities whose reads a handler has to do with: last parts of names; undefined: all entities. */
export interface ReadHandler {
  readonly entities: readonly string[] | undefined
}

/** Handlers before, instead of or after reads: they may refuse callers, limit rows or take elements out. */
export const readHandlers: Extract<ReadHandler> = defineExtract({
  name: 'cap-read-handlers',
  keywords: ['.on(', '.before(', '.after(', '.prepend(', '@EntityHandler(', ...HANDLER_PACKAGES],
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text }) {
    // decorators of methods tell the entity elsewhere
    if (text.includes('@EntityHandler(')) yield { entities: undefined }
    for (const { events, entities } of findHandlers(facts))
      if (events.some((name) => name === undefined || /^(?:READ|each|\*)$/.test(name))) yield { entities }
  },
})
