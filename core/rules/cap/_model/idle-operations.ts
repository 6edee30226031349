import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf } from '../../../facts/index.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { lastName } from '../../../paths.ts'
import {
  findHandlers,
  isImplementedIn,
  isTrue,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import { reachedFrom } from '../_rows/decided-states.ts'

/** A handler of an operation that is bound to no entity, or of events of entities. */
interface OperationHandler {
  readonly service: string | undefined
  readonly isConnected: boolean
  /** `*`: all, or nothing tells which. */
  readonly events: readonly string[]
  /** Last parts of the names of its entities; undefined: it is for none. */
  readonly entities: readonly string[] | undefined
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
      const { phase, events, entities, isTargeted, service, fact } = handler
      const named = events.flatMap((name = '*') => (name !== '*' && CRUD.test(name) !== isTargeted ? [] : name))
      if (phase !== 'on' || named.length === 0 || (isTargeted && entities === undefined)) return []
      const functions = reachedFrom(handler, facts, callsIn)
      step(functions.length)
      const isIdle =
        fact !== undefined &&
        functions.every(
          (one) =>
            !USES_MORE.test(text.slice(one.start, one.end)) &&
            callsIn(one).every(({ callee }) => accessesOf(callee).every(({ root }) => !root.startsWith('module:.'))),
        )
      const isConnected = service.kind === 'connected'
      return [{ service: service.name, isConnected, events: named, entities: isTargeted ? entities : undefined, isIdle }]
    })
  },
})

const CRUD = /^(?:READ|CREATE|UPDATE|DELETE|NEW|PATCH|EDIT|SAVE|WRITE|\*)$/
/** What answers later, or is asked at once: the database, files, processes, other systems, settings of the server. */
const USES_MORE =
  /\bawait\b|\.then\s{0,4}\(|Sync\s{0,4}\(|\b(?:SELECT|INSERT|UPDATE|DELETE|UPSERT|fetch|axios|require|import)\b|\bcds\s{0,4}\.\s{0,4}(?!log\b)|process\s{0,4}\.\s{0,4}env|\.(?:run|tx|send|emit|publish|entities)\b/

/**
 * Tells whether operations are bound to no entity and give callers nothing but what they send, and whether entities without a table answer with nothing else, as
 * `me` does with the user of the request; the handlers of a root are looked at once. Needs the extract `operationHandlers`.
 */
export function createIdleReader(root: CapRoot): (service: CapService, elements: readonly CapElement[]) => boolean {
  let handlers: readonly PlacedHandler[] | undefined
  return (service, elements) => {
    if (root.runtime === 'java' || elements.some(({ kind, entity }) => kind !== 'entity' && entity !== undefined)) return false
    const known = (handlers ??= placedHandlers(root)).filter(({ services }) => services?.includes(service) !== false)
    return elements.every((element) => {
      const last = lastName(element.name)
      const own = known.filter(({ events, entities }) =>
        element.kind === 'entity' ? entities?.includes(last) === true : entities === undefined && events.includes(element.name),
      )
      root.step(1 + known.length)
      return own.length > 0 && own.every(({ isIdle }) => isIdle) && (element.kind !== 'entity' || isWithoutTable(element))
    })
  }
}

/**
 * Tells operations that are bound to no entity and that no handler answers, where handlers answer others of the service: CAP refuses them.
 * Fact: @sap/cds 8.9.10, lib/srv/srv-dispatch.js (501). Needs the extract `operationHandlers`.
 */
export function createUnansweredReader(root: CapRoot): (service: CapService, element: CapElement) => boolean {
  let handlers: readonly PlacedHandler[] | undefined
  return (service, { kind, name, entity }) => {
    if (root.runtime === 'java' || kind === 'entity' || entity !== undefined) return false
    handlers ??= placedHandlers(root).filter(({ entities }) => entities === undefined)
    root.step(1 + handlers.length)
    const own = handlers.filter(({ services }) => services?.includes(service) !== false)
    const answers = ({ events }: PlacedHandler): boolean => events.some((event) => event === '*' || event === name)
    return own.some(({ services }) => services !== undefined) && !own.some(answers)
  }
}

/**
 * Words of scripts by which an operation may be answered without a call of `on` that the handlers tell: methods, which classes of services offer under the names of operations,
 * and other ways to register (`*`). Fact: @sap/cds 9.9.3, lib/srv/srv-methods.js.
 */
export const offeredMethods: Extract<string> = defineExtract({
  name: 'cap-offered-methods',
  keywords: ['ApplicationService', 'cds.Service', 'cds.service', 'cds-ts-dispatcher', '.on (', '.on<', '.handle', '.prepend'],
  isFor: (path) => !isOfUi5App(path),
  *collectText(text) {
    if (REGISTERS_OTHERWISE.test(text)) yield '*'
    for (const [, name = ''] of text.matchAll(METHOD)) yield name
  },
})

const REGISTERS_OTHERWISE = /cds-ts-dispatcher|\.on\s{0,4}[ <]|\.handle\w{0,20}\s{0,4}=/
const METHOD = /^[ \t]{0,40}(?:async[ \t]{1,4})?\*?[ \t]{0,4}(\w{1,80})[ \t]{0,4}[(=]/gm

/**
 * Tells operations that are bound to no entity and that nothing in the project answers, though the service has a class of its own where CAP looks for it: CAP refuses them.
 * Fact: @sap/cds 9.9.3, lib/srv/srv-dispatch.js (501). Needs the extracts `operationHandlers` and `offeredMethods`.
 */
export function createSilentReader(root: CapRoot): (service: CapService, element: CapElement) => boolean {
  let handlers: readonly PlacedHandler[] | undefined
  let offered: ReadonlySet<string> | undefined
  const methods = root.scripts.get(offeredMethods)
  const files = [...new Set(methods.map(({ file }) => file))]
  return (service, { kind, name, entity }) => {
    if (root.runtime === 'java' || kind === 'entity' || entity !== undefined) return false
    root.step(1 + files.length)
    if (!files.some((file) => isImplementedIn(file, service, root))) return false
    offered ??= new Set(methods.map(({ value }) => value))
    if (offered.has('*') || offered.has('handle') || offered.has('dispatch') || offered.has(name)) return false
    handlers ??= placedHandlers(root)
    root.step(1 + handlers.length)
    return !handlers.some(
      ({ services, events }) => services?.includes(service) !== false && events.some((event) => event === '*' || event === name),
    )
  }
}

/** Only the handlers answer for it. Fact: capire, "Persistence Annotations". */
function isWithoutTable({ annotations }: CapElement): boolean {
  return isTrue(annotations.get('cds.persistence.skip')?.value)
}

interface PlacedHandler extends OperationHandler {
  /** Undefined: nothing tells which. */
  readonly services: readonly CapService[] | undefined
}

function placedHandlers(root: CapRoot): readonly PlacedHandler[] {
  return root.scripts.get(operationHandlers).map(({ file, value }) => {
    root.step()
    const { services, isCertain } = root.eventOf({ file, ...value })
    return { ...value, services: isCertain ? services : undefined }
  })
}
