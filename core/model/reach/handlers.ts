import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { constantOf, type ScriptFacts } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isAround } from '../../facts/span-index.ts'
import { lastName } from '../../paths.ts'
import type { Place, Span } from '../../types.ts'
import { findHandlers, HANDLER_PACKAGES, type CapRoot, type HandledEvent } from '../cap/index.ts'
import { createDevelopmentReader, isOfUi5App } from '../script/index.ts'
import { findLateHandlers } from './late-handlers.ts'

/** A function of a script that CAP calls, by the names that stand there; its span is that of the function. */
export interface HandlerSpan extends Span, Omit<HandledEvent, 'file'> {
  /** The receiver is a service that this script implements. */
  readonly isOwn: boolean
  /** An earlier handler of the script has answered, if these events are requests. */
  readonly isLate?: true
  /** It is registered where developers run the script alone; elsewhere another function takes its events. */
  readonly isReplaced?: true
}

/** The handlers of services whose functions stand in the script that registers them. */
export const handlerSpans: Extract<HandlerSpan> = defineExtract({
  name: 'reach-handler-spans',
  keywords: ['.on(', '.before(', '.after(', ...HANDLER_PACKAGES],
  isFor: (path) => !isOfUi5App(path),
  collect({ facts, step }) {
    const handlers = findHandlers(facts)
    const late = findLateHandlers(facts, handlers, step)
    const isReplaced = createReplacedReader(facts, step)
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
      return [
        {
          ...span,
          ...(late.has(handler) && { isLate: true }),
          ...(isReplaced(fact, span.events) && { isReplaced: true as const }),
        },
      ]
    })
  },
})

/** `if (process.env.NODE_ENV === 'production') queue.on('refill', …) else messaging.on('refill', …)`: the second one is for developers. */
function createReplacedReader(
  facts: ScriptFacts,
  step: (count?: number) => void,
): (fact: Span, events: readonly string[]) => boolean {
  const isForDevelopers = createDevelopmentReader(facts)
  return (fact, events) => {
    step()
    if (!isForDevelopers(fact)) return false
    step(facts.calls.length)
    const taken = new Set(
      facts.calls.flatMap((call) => {
        const [event, handler] = call.args
        const name = event && lastNameOf(call.callee) === 'on' ? constantOf(event) : undefined
        return functionOf(handler) !== undefined && !isForDevelopers(call) ? [name] : []
      }),
    )
    return events.length > 0 && events.every((event) => taken.has(event))
  }
}

/**
 * Events that scripts send by name, to a service of their own: `srv.send('approve', …)`, `srv.emit({ event: 'approve' })`, `srv.schedule('approve', …)`; `*`: by a name that
 * stands elsewhere. Facts: capire, "Core Services" (srv.send, srv.emit, srv.dispatch), "Event Queues" (srv.schedule).
 */
export const sentNames: Extract<string> = defineExtract({
  name: 'reach-sent-names',
  keywords: ['.emit(', '.send(', '.dispatch(', '.schedule('],
  isFor: (path) => !isOfUi5App(path),
  collectText: (text) => [
    ...new Set([...text.matchAll(SENT)].flatMap(([, name]) => name ?? [])),
    ...(SENDS_OTHER.test(text) ? ['*'] : []),
  ],
})

const SENT = /(?:\.(?:emit|send|dispatch|schedule)\(|\bevent\s{0,4}:)\s{0,20}["'`]([\w./-]{1,100})["'`]/g
/** `srv.emit(name)`, `srv.send(EVENTS.approve)`, `{ event: name }`; what responses send has other names. */
const SENDS_OTHER =
  /\.(?:emit|schedule)\(\s{0,20}[\w$]|\.send\(\s{0,20}(?:[A-Z_]{2,60}|\w{0,40}[eE]vents?)\b|\bevent\s{0,4}:\s{0,20}(?!string\b)[\w$]|[{,]\s{0,20}event\s{0,20}[,}]/

/**
 * An operation as CDS names it; what CAP calls handlers of its own services for besides has names of its own, or signs that no operation has (`approve/#succeeded`).
 * Facts: capire, "Core Services", "Fiori" (drafts), "Messaging", "Multitenancy" (subscribe, upgrade, deploy, getDependencies), "Event Queues"; @sap/cds 9.9.3, lib/srv, libx/_runtime/fiori.
 */
const OPERATION = /^[A-Za-z_]\w*$/
const OF_FRAMEWORK: ReadonlySet<string> = new Set(
  (
    'each error subscribe unsubscribe upgrade deploy undeploy extend serve served serving listening bootstrap loaded shutdown exit succeeded failed done ' +
    'commit rollback message data end close finish log'
  ).split(' '),
)
const LIKE_FRAMEWORK =
  /^(?:[A-Z_]+$|draft|ws[A-Z]|before|after|connect|disconnect|audit|notify)|Dependencies$|^dependencies$|[tT]enant/
const isOperation = (event: string): boolean => OPERATION.test(event) && !OF_FRAMEWORK.has(event) && !LIKE_FRAMEWORK.test(event)

/** Requests for rows; other names are those of operations and of events. */
const REQUEST = /^(?:READ|CREATE|UPDATE|DELETE|UPSERT)$/

/**
 * Tells places in handlers that no request reaches, since an earlier one of the same service answers all of them, developers alone register them where another function takes
 * their events, or their service has no operation of the name and no script sends
 * such an event. A handler that is registered for something else, too, is reached. Fact: @sap/cds 9.9.3, lib/srv/srv-handlers.js (any name is registered without an error).
 */
export function createLateReader(scripts: Scripts, rootOf: (file: string) => CapRoot | undefined): (place: Place) => boolean {
  const operations = new Map<CapRoot, ReadonlySet<string>>()
  let sent: ReadonlySet<string> | undefined
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
    if (span === undefined) return false
    const around = scripts.of(file, handlerSpans).filter((handler) => isAround(handler, span.start))
    if (around.length > 0 && around.every(({ isReplaced }) => isReplaced === true)) return true
    const root = rootOf(file)
    if (root === undefined) return false
    const isUnknown = ({ isOwn, isConnected, service, events, entities }: HandlerSpan): boolean => {
      if (!isOwn || !events.every(isOperation)) return false
      const { isUndeclared, services } = root.eventOf({ file, service, isConnected, events, entities })
      if (!isUndeclared || services.some(({ exposure }) => exposure !== 'served')) return false
      sent ??= new Set(scripts.get(sentNames).map(({ value }) => lastName(value)))
      return !sent.has('*') && events.every((event) => sent?.has(event) === false)
    }
    const isRequest = (event: string): boolean => REQUEST.test(event) || operationsOf(root).has(lastName(event))
    return around.length > 0 && around.every((one) => (one.isLate === true && one.events.every(isRequest)) || isUnknown(one))
  }
}
