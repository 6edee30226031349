import { defineExtract, type Extract, type OpenScript } from '../../extracts/extract.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { accessesOf, resolveValue, type Binding, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { createInnerIndex } from '../../facts/span-index.ts'
import { exportedFunctions, resolveModule } from '../../flow/index.ts'
import { findHandlers, type CapElement, type CapRoot, type CapService } from '../../model/cap/index.ts'
import { isOfUi5App } from '../../model/script/index.ts'
import { REFUSES, VERIFIES, withoutComments } from './_caller-gates.ts'
import { textsOf } from './_write-handlers.ts'

/** A handler that a script registers instead of what CAP would do by itself: `srv.on('close', withToken(close))`. */
interface RegisteredHandler {
  readonly service: string | undefined
  readonly isConnected: boolean
  readonly events: readonly string[]
  readonly entities: readonly string[] | undefined
  /** The function around it verifies who calls; a link says which function of another file that is. */
  readonly wrapper: 'verifies' | 'none' | { readonly source: string; readonly name: string }
}

type WrappedHandler =
  | { readonly kind: 'handler'; readonly handler: RegisteredHandler }
  /** A function that other files may put around a handler. */
  | { readonly kind: 'offered'; readonly name: string }

/** Handlers of services, with the functions around them that let only callers with a verified identity get to them. */
export const wrappedHandlers: Extract<WrappedHandler> = defineExtract({
  name: 'cap-wrapped-handlers',
  keywords: ['.on(', 'token', 'session', 'user.is'],
  prefilter: (text) => /\.on\(/.test(text) || (/exports?\b/.test(text) && REFUSES.test(text) && isIdentity(text)),
  isFor: (path) => !isOfUi5App(path),
  collect(script) {
    const isWrapper = createWrapperReader(script)
    const handlers = findHandlers(script.facts).flatMap(({ phase, events, entities, service, handler }): WrappedHandler[] => {
      if (phase !== 'on' && phase !== 'prepend') return []
      const of = { service: service.name, isConnected: service.kind === 'connected' }
      const named = events.map((name) => name ?? '*')
      const wrapper = handler === undefined ? 'none' : wrapperOf(handler, isWrapper)
      return [{ kind: 'handler', handler: { ...of, events: named, entities, wrapper } }]
    })
    const offered = exportedFunctions(script.facts).flatMap(([name, fact]): WrappedHandler[] =>
      isWrapper(fact) ? [{ kind: 'offered', name }] : [],
    )
    return [...handlers, ...offered]
  },
})

/** Asks for a token of the project's own, or CAP for the role of its user. */
function isIdentity(text: string): boolean {
  return VERIFIES.test(text) || /\buser\??\.is\s{0,4}\(/.test(text)
}

/** It throws where what it is given is no proof. */
const THROWS = /\b(?:verify|jwtVerify|createSecurityContext)\s{0,4}\(/

function wrapperOf(handler: Value, isWrapper: (fact: FunctionFact) => boolean): RegisteredHandler['wrapper'] {
  const made = resolveValue(handler)
  const maker = made.kind === 'call' ? makerOf(made) : undefined
  if (maker === undefined) return 'none'
  const own = functionOf(maker)
  if (own !== undefined) return isWrapper(own) ? 'verifies' : 'none'
  const [link] = accessesOf(maker).flatMap(({ root, steps }) =>
    /^module:\.{1,2}\//.test(root) ? [{ source: root.slice('module:'.length), name: steps.join('.') || 'default' }] : [],
  )
  return link ?? 'none'
}

/** `withToken` of `withToken(close)`, `needs` of `needs('Clerk')(close)`. */
function makerOf({ callee }: CallValue): Value {
  return callee.kind === 'call' ? callee.callee : callee
}

/** Tells functions that make of a handler one that refuses callers without a verified identity before it calls that. */
function createWrapperReader({ facts, text, step }: OpenScript): (fact: FunctionFact) => boolean {
  const callsIn = createInnerIndex(facts.calls)
  return (fact) => {
    if (fact.parameters.length === 0) return false
    return madeBy(fact).some(({ made, given }) => {
      const calls = callsIn(made)
      step(calls.length)
      const first = calls.find((call) => callsGiven(call, given))
      if (first === undefined) return false
      const before = { start: made.start, end: first.start }
      const own = withoutComments(text.slice(before.start, before.end))
      const called = callsIn(before).flatMap(({ callee }) => functionOf(callee) ?? [])
      const asked = [own, ...called.flatMap((one) => textsOf(one, text, facts)).map(withoutComments)]
      if (!asked.some(isIdentity)) return false
      const refuses = (part: string): boolean => REFUSES.test(part)
      return asked.some(refuses) || (THROWS.test(own) && refuses(withoutComments(text.slice(made.start, made.end))))
    })
  }
}

/** What a function gives back, and what that is given where it is itself called for one: each with the values that may be the handler. */
function madeBy(fact: FunctionFact): readonly { readonly made: FunctionFact; readonly given: readonly Binding[] }[] {
  const first = fact.returns.flatMap((value) => functionOf(value) ?? [])
  const second = first.flatMap((one) => one.returns.flatMap((value) => (functionOf(value) === undefined ? [] : { one, value })))
  const known = (parameters: FunctionFact['parameters']): readonly Binding[] => parameters.flatMap((one) => one ?? [])
  return [
    ...first.map((made) => ({ made, given: known(fact.parameters) })),
    ...second.flatMap(({ one, value }) => {
      const made = functionOf(value)
      return made === undefined ? [] : [{ made, given: known(one.parameters) }]
    }),
  ]
}

/** `handler(req)`, `handler.call(this, req)`. */
function callsGiven({ callee }: CallValue, given: readonly Binding[]): boolean {
  const called = callee.kind === 'member' && /^(?:call|apply)$/.test(callee.name ?? '') ? callee.object : callee
  return called.kind === 'reference' && called.binding !== undefined && given.includes(called.binding)
}

const ALL_CHANGES = ['CREATE', 'READ', 'UPDATE', 'DELETE']

/** Tells what of a service only handlers answer around which a function verifies who calls. Needs the extract `wrappedHandlers`. */
export function createWrappedReader(root: CapRoot): (service: CapService, element: CapElement) => boolean {
  let known: readonly (RegisteredHandler & { readonly file: string; readonly verifies: boolean })[] | undefined
  return (service, element) => {
    known ??= registeredHandlers(root)
    if (known.every(({ verifies }) => !verifies)) return false
    root.step(known.length)
    const [last, bound] = [element.name, element.entity].map((one) => one?.slice(one.lastIndexOf('.') + 1))
    const own = known.filter((handler) => {
      const { services, isCertain } = root.eventOf({ ...handler, events: [] })
      return isCertain ? services.includes(service) : handler.service === undefined
    })
    const isChecked = (event: string, entity: string | undefined): boolean => {
      const answering = own.filter(
        ({ events, entities }) =>
          (events.includes(event) || events.includes('*')) &&
          (entity === undefined || entities === undefined || entities.includes(entity)),
      )
      return answering.length > 0 && answering.every(({ verifies }) => verifies)
    }
    // what no handler answers does nothing. Fact: @sap/cds 9.9.3, lib/srv/srv-dispatch.js (501)
    const isUnanswered =
      own.some(({ verifies }) => verifies) && !own.some(({ events }) => events.some((one) => one === last || one === '*'))
    if (element.kind !== 'entity') return isUnanswered || isChecked(last ?? '', bound)
    return (element.writable ? ALL_CHANGES : ['READ']).every((event) => isChecked(event, last))
  }
}

function registeredHandlers(
  root: CapRoot,
): readonly (RegisteredHandler & { readonly file: string; readonly verifies: boolean })[] {
  const items = root.scripts.get(wrappedHandlers)
  const files = new Map(root.files.map(({ path }) => [path, path]))
  const offered = new Set(items.flatMap(({ file, value }) => (value.kind === 'offered' ? [`${file} ${value.name}`] : [])))
  const isOffered = (from: string, { source, name }: { readonly source: string; readonly name: string }): boolean => {
    const file = resolveModule(from, source, files)
    return file !== undefined && offered.has(`${file} ${name}`)
  }
  return items.flatMap(({ file, value }) => {
    root.step()
    if (value.kind === 'offered') return []
    const { wrapper } = value.handler
    const verifies = typeof wrapper === 'string' ? wrapper === 'verifies' : isOffered(file, wrapper)
    return [{ ...value.handler, file, verifies }]
  })
}
