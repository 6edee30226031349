import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { exportedFunctions, functionOf } from '../../facts/callbacks.ts'
import { resolveValue, type Binding, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { isOfUi5App } from '../script/index.ts'
import { createCallerCheckReader, mayCheckCaller } from './caller-checks.ts'
import { judgedItems, linkOf, type CheckedBy, type OfferedCheck } from './offered-checks.ts'
import { findHandlers } from './registrations.ts'
import type { CapElement, CapRoot, CapService } from './types.ts'

/** A handler that a script registers instead of what CAP would do by itself, with the function around it: `srv.on('close', withToken(close))`. */
interface RegisteredHandler {
  readonly kind: 'handler'
  readonly service: string | undefined
  readonly isConnected: boolean
  readonly events: readonly string[]
  readonly entities: readonly string[] | undefined
  readonly by: CheckedBy
}

/** Handlers of services, with the functions around them that let only callers with a verified identity get to them. */
export const wrappedHandlers: Extract<RegisteredHandler | OfferedCheck> = defineExtract({
  name: 'cap-wrapped-handlers',
  keywords: ['.on(', 'authorization', 'verify', 'token', 'session', 'user.is'],
  prefilter: (text) => text.includes('.on(') || (/exports?\b/.test(text) && mayCheckCaller(text)),
  isFor: (path) => !isOfUi5App(path),
  collect(script) {
    const checks = createCallerCheckReader(script)
    const isWrapper = (fact: FunctionFact): boolean =>
      madeBy(fact).some(({ made, given }) => checks(made, (call) => callsGiven(call, given)))
    const handlers = findHandlers(script.facts).flatMap(
      ({ phase, events, entities, service, handler }): readonly RegisteredHandler[] => {
        if (phase !== 'on' && phase !== 'prepend') return []
        const of = { service: service.name, isConnected: service.kind === 'connected' }
        const by = handler === undefined ? 'none' : checkAround(handler, isWrapper)
        return [{ kind: 'handler', ...of, events: events.map((name) => name ?? '*'), entities, by }]
      },
    )
    const offered = exportedFunctions(script.facts).flatMap(([name, fact]): readonly OfferedCheck[] =>
      isWrapper(fact) ? [{ kind: 'offered', name }] : [],
    )
    return [...handlers, ...offered]
  },
})

function checkAround(handler: Value, isWrapper: (fact: FunctionFact) => boolean): CheckedBy {
  const made = resolveValue(handler)
  if (made.kind !== 'call') return 'none'
  const maker = makerOf(made)
  const own = functionOf(maker)
  return own === undefined ? linkOf(maker) : isWrapper(own) ? 'own' : 'none'
}

/** `withToken` of `withToken(close)`, `needs` of `needs('Clerk')(close)`. */
function makerOf({ callee }: CallValue): Value {
  return callee.kind === 'call' ? callee.callee : callee
}

/** What a function gives back, and what that gives back in turn: each with the values that may be the handler. */
function madeBy(fact: FunctionFact): readonly { readonly made: FunctionFact; readonly given: readonly Binding[] }[] {
  const of = (maker: FunctionFact): readonly { readonly made: FunctionFact; readonly given: readonly Binding[] }[] => {
    const given = maker.parameters.flatMap((one) => one ?? [])
    return given.length === 0 ? [] : maker.returns.flatMap((value) => functionOf(value) ?? []).map((made) => ({ made, given }))
  }
  const first = of(fact)
  return [...first, ...first.flatMap(({ made }) => of(made))]
}

/** `handler(req)`, `handler.call(this, req)`. */
function callsGiven({ callee }: CallValue, given: readonly Binding[]): boolean {
  const called = callee.kind === 'member' && /^(?:call|apply)$/.test(callee.name ?? '') ? callee.object : callee
  return called.kind === 'reference' && called.binding !== undefined && given.includes(called.binding)
}

const ALL_CHANGES = ['CREATE', 'READ', 'UPDATE', 'DELETE']

/** Tells what of a service only handlers answer around which a function verifies who calls. */
export type WrappedReader = (service: CapService, element: CapElement) => boolean

/** Needs the extract `wrappedHandlers`. */
export function createWrappedReader(root: CapRoot): WrappedReader {
  let known: ReturnType<typeof handlersOf> | undefined
  return (service, element) => {
    known ??= handlersOf(root)
    if (known.every(({ isChecked }) => !isChecked)) return false
    root.step(known.length)
    const own = known.filter(({ services }) => services === undefined || services.includes(service))
    const isWrapped = (event: string, entity: string | undefined): boolean => {
      const answering = own.filter(
        ({ events, entities }) =>
          (events.includes(event) || events.includes('*')) &&
          (entity === undefined || entities === undefined || entities.includes(entity)),
      )
      return answering.length > 0 && answering.every(({ isChecked }) => isChecked)
    }
    const [last = '', bound] = [element.name, element.entity].map((one) => one?.slice(one.lastIndexOf('.') + 1))
    if (element.kind === 'entity') return (element.writable ? ALL_CHANGES : ['READ']).every((event) => isWrapped(event, last))
    // what no handler answers does nothing. Fact: @sap/cds 9.9.3, lib/srv/srv-dispatch.js (501)
    const isUnanswered =
      own.some(({ isChecked }) => isChecked) && !own.some(({ events }) => events.some((one) => one === last || one === '*'))
    return isUnanswered || isWrapped(last, bound)
  }
}

/** With the services that each may be of; undefined: nobody can tell. */
function handlersOf(root: CapRoot): readonly (Omit<RegisteredHandler, 'by'> & {
  readonly services: readonly CapService[] | undefined
  readonly isChecked: boolean
})[] {
  return judgedItems<RegisteredHandler>(root, wrappedHandlers).map(({ file, value, isChecked }) => {
    const { services, isCertain } = root.eventOf({ ...value, file, events: [] })
    return { ...value, isChecked, services: isCertain ? services : undefined }
  })
}
