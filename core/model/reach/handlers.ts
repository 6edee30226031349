import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Span } from '../../types.ts'
import { findHandlers, type HandledEvent } from '../cap/index.ts'
import { isOfUi5App } from '../script/index.ts'

/** A function of a script that CAP calls, by the names that stand there; its span is that of the function. */
export interface HandlerSpan extends Span, Omit<HandledEvent, 'file'> {
  /** The receiver is a service that this script implements. */
  readonly isOwn: boolean
}

/** The handlers of services whose functions stand in the script that registers them. */
export const handlerSpans: Extract<HandlerSpan> = defineExtract({
  name: 'reach-handler-spans',
  keywords: ['.on(', '.before(', '.after('],
  isFor: (path) => !isOfUi5App(path),
  collect: ({ facts }) =>
    findHandlers(facts).flatMap(({ fact, events, entities, service }) =>
      fact === undefined
        ? []
        : {
            start: fact.start,
            end: fact.end,
            service: service.name,
            isConnected: service.kind === 'connected',
            isOwn: service.kind === 'own',
            // one that is no constant may be any
            events: events.flatMap((name) => name ?? '*'),
            entities,
          },
    ),
})
