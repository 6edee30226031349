import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { accessesOf } from '../../facts/index.ts'
import { createInnerIndex } from '../../facts/span-index.ts'
import { append } from '../../lists.ts'
import { findHandlers, type CapElement, type CapRoot, type CapService } from '../../model/cap/index.ts'
import { isOfUi5App } from '../../model/script/index.ts'
import { reachedFrom } from './_decided-states.ts'

/** A handler of an operation that is bound to no entity. */
interface OperationHandler {
  readonly service: string | undefined
  readonly isConnected: boolean
  readonly events: readonly string[]
  /** It works with nothing but what the request holds: no query, no call of another system or file, no function of another file. */
  readonly isIdle: boolean
}

export const operationHandlers: Extract<OperationHandler> = defineExtract({
  name: 'cap-operation-handlers',
  keywords: ['.on('],
  isFor: (path) => !isOfUi5App(path),
  collect({ facts, text, step }) {
    const callsIn = createInnerIndex(facts.calls)
    return findHandlers(facts).flatMap((handler) => {
      const { phase, events, isTargeted, service, fact } = handler
      const named = events.flatMap((name) => (name === undefined || CRUD.test(name) ? [] : name))
      if (phase !== 'on' || isTargeted || named.length === 0) return []
      const functions = reachedFrom(handler, facts, callsIn)
      step(functions.length)
      const isIdle =
        fact !== undefined &&
        functions.every(
          (one) =>
            !USES_MORE.test(text.slice(one.start, one.end)) &&
            callsIn(one).every(({ callee }) => accessesOf(callee).every(({ root }) => !root.startsWith('module:.'))),
        )
      return [{ service: service.name, isConnected: service.kind === 'connected', events: named, isIdle }]
    })
  },
})

const CRUD = /^(?:READ|CREATE|UPDATE|DELETE|NEW|PATCH|EDIT|SAVE|WRITE|\*)$/
/** What answers later, or is asked at once: the database, files, processes, other systems, settings of the server. */
const USES_MORE =
  /\bawait\b|\.then\s{0,4}\(|Sync\s{0,4}\(|\b(?:SELECT|INSERT|UPDATE|DELETE|UPSERT|fetch|axios|require|import)\b|\bcds\s{0,4}\.\s{0,4}(?!log\b)|process\s{0,4}\.\s{0,4}env|\.(?:run|tx|send|emit|publish|entities)\b/

/**
 * Tells whether operations are bound to no entity and give callers nothing but what they send; the handlers of a root are looked at once. Needs the extract
 * `operationHandlers`.
 */
export function createIdleReader(root: CapRoot): (service: CapService, elements: readonly CapElement[]) => boolean {
  let handlers: ReturnType<typeof handlersByEvent> | undefined
  return (service, elements) => {
    if (root.runtime === 'java' || elements.some(({ kind, entity }) => kind === 'entity' || entity !== undefined)) return false
    const known = (handlers ??= handlersByEvent(root))
    return elements.every(({ name }) => {
      const own = (known.get(name) ?? []).filter(({ services }) => services?.includes(service) !== false)
      root.step(1 + own.length)
      return own.length > 0 && own.every(({ isIdle }) => isIdle)
    })
  }
}

interface PlacedHandler {
  /** Undefined: nothing tells which. */
  readonly services: readonly CapService[] | undefined
  readonly isIdle: boolean
}

function handlersByEvent(root: CapRoot): ReadonlyMap<string, readonly PlacedHandler[]> {
  const found = new Map<string, PlacedHandler[]>()
  for (const { file, value } of root.scripts.get(operationHandlers)) {
    root.step()
    const { services, isCertain } = root.eventOf({ file, ...value, entities: undefined })
    for (const name of new Set(value.events))
      append(found, name, { services: isCertain ? services : undefined, isIdle: value.isIdle })
  }
  return found
}
