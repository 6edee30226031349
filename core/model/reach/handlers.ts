import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { isAround } from '../../facts/span-index.ts'
import { lastName } from '../../paths.ts'
import type { Place, Span } from '../../types.ts'
import { findHandlers, type CapRoot, type HandledEvent } from '../cap/index.ts'
import { isOfUi5App } from '../script/index.ts'
import { findLateHandlers } from './late-handlers.ts'

/** A function of a script that CAP calls, by the names that stand there; its span is that of the function. */
export interface HandlerSpan extends Span, Omit<HandledEvent, 'file'> {
  /** The receiver is a service that this script implements. */
  readonly isOwn: boolean
  /** An earlier handler of the script has answered, if these events are requests. */
  readonly isLate?: true
}

/** The handlers of services whose functions stand in the script that registers them. */
export const handlerSpans: Extract<HandlerSpan> = defineExtract({
  name: 'reach-handler-spans',
  keywords: ['.on(', '.before(', '.after('],
  isFor: (path) => !isOfUi5App(path),
  collect({ facts, step }) {
    const handlers = findHandlers(facts)
    const late = findLateHandlers(facts, handlers, step)
    return handlers.flatMap((handler): HandlerSpan[] => {
      const { fact, events, entities, service } = handler
      if (fact === undefined) return []
      const span = {
        start: fact.start,
        end: fact.end,
        service: service.name,
        isConnected: service.kind === 'connected',
        isOwn: service.kind === 'own',
        // one that is no constant may be any
        events: events.flatMap((name) => name ?? '*'),
        entities,
      }
      return [late.has(handler) ? { ...span, isLate: true } : span]
    })
  },
})

/** Requests for rows; other names are those of operations and of events. */
const REQUEST = /^(?:READ|CREATE|UPDATE|DELETE|UPSERT)$/

/**
 * Tells places in handlers that no request reaches, since an earlier one of the same service answers all of them. A handler that is registered for something else, too, is reached.
 */
export function createLateReader(scripts: Scripts, rootOf: (file: string) => CapRoot | undefined): (place: Place) => boolean {
  const operations = new Map<CapRoot, ReadonlySet<string>>()
  const operationsOf = (root: CapRoot): ReadonlySet<string> => {
    const known =
      operations.get(root) ??
      new Set(
        root.services.flatMap(({ elements }) => elements.flatMap(({ kind, name }) => (kind === 'entity' ? [] : lastName(name)))),
      )
    operations.set(root, known)
    return known
  }
  return ({ file, span }) => {
    const root = rootOf(file)
    if (span === undefined || root === undefined) return false
    const around = scripts.of(file, handlerSpans).filter((handler) => isAround(handler, span.start))
    const isRequest = (event: string): boolean => REQUEST.test(event) || operationsOf(root).has(lastName(event))
    return around.length > 0 && around.every(({ isLate, events }) => isLate === true && events.every(isRequest))
  }
}
