import { baseOf } from '../_handlers/query-chains.ts'
import { handedServices } from '../_handlers/handed-services.ts'
import { defineExtract, type Extract, type OpenScript } from '../../../extracts/extract.ts'
import { exportedFunctions, functionOf } from '../../../facts/callbacks.ts'
import {
  importedNames,
  type ImportedName,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, isAround } from '../../../facts/span-index.ts'
import { resolveModule } from '../../../flow/index.ts'
import {
  createServiceReader,
  handlerFunction,
  registrationOf,
  unbound,
  type CapElement,
  type CapRoot,
  type CapService,
  type ScriptService,
} from '../../../model/cap/index.ts'
import { isContextName, isLogCall, isOfUi5App } from '../../../model/script/index.ts'
import { lineBefore } from '../../../parse/position.ts'
import type { Span } from '../../../types.ts'
import { lastName } from '../../../paths.ts'

/** What a function says of who calls: it asks, it may ask in a way that nobody can tell, or it leaves that to functions of other files. */
interface Asking {
  /** It speaks of a user, or hands the request to what is not in the project. */
  readonly asks: boolean
  /** Functions of other files that get the request. */
  readonly hands: readonly ImportedName[]
  /** It asks, but ends no request, and nothing else gets that from it: whoever calls comes past it. */
  readonly passes?: true
  /** It asks for roles alone: `req.user.is('Clerk')`. */
  readonly byRole?: true
}

/** A handler that a script registers with a service. */
export interface HandlerRegistration extends Span, Asking {
  readonly phase: 'before' | 'on' | 'after' | 'prepend' | 'reject'
  /** Names of events, `*` for all of them; undefined: one that is no constant. */
  readonly events: readonly (string | undefined)[]
  /** Last parts of the names of the entities; undefined: all, or nobody can tell. */
  readonly entities: readonly string[] | undefined
  /** A decorator of TypeScript: `BeforeCreate`. It stands in a class that says for which entity. */
  readonly decorator: string | undefined
  readonly service: string | undefined
  readonly isConnected: boolean
}

const DECORATOR = /^(Before|On|After)(?:[A-Z]\w{0,40})$/
const PHASES = new Map([
  ['Before', 'before'],
  ['On', 'on'],
  ['After', 'after'],
] as const)

/** The handlers that scripts register, in every form that one file decides. */
export const handlerRegistrations: Extract<HandlerRegistration> = defineExtract({
  name: 'cap-handler-registrations',
  keywords: ['.before(', '.on(', "'CREATE'", '"CREATE"', 'BeforeCreate', 'BeforeUpdate', 'BeforeAll', 'BeforeNewDraft'],
  // jQuery has methods of these names too
  isFor: (path) => !isOfUi5App(path),
  collect(script) {
    const serviceOf = createServiceReader(script.facts)
    const reader = createAskingReader(script)
    const found = script.facts.calls.flatMap((call) => toRegistration(call, script.facts, serviceOf, reader) ?? [])
    if (!found.some(({ decorator }) => decorator !== undefined)) return found
    const entities = entitiesOfClass(script.facts)
    return found.map((one) => (one.decorator === undefined ? one : { ...one, entities }))
  },
})

/**
 * `@EntityHandler(Books) class BookHandler`: the entity of all handlers of the class, where the file has one class.
 * Facts: @dxfrontier/cds-ts-dispatcher 4, README, "Class decorators"; cds-routing-handlers 3, README (`@Handler`).
 */
function entitiesOfClass({ calls }: ScriptFacts): readonly string[] | undefined {
  const [only, ...others] = calls.filter(({ callee }) => callee.kind === 'reference' && CLASS_DECORATOR.test(callee.name))
  const entity = others.length > 0 ? undefined : only?.args[0]
  if (entity === undefined) return undefined
  const name = entity.kind === 'literal' ? String(entity.value) : (lastNameOf(entity) ?? '')
  const last = lastName(name)
  // `*`, `CDS_DISPATCHER.ALL_ENTITIES`
  return /^[A-Z]\w{0,100}$/.test(last) && !/^[A-Z_]+$/.test(name) ? [last] : undefined
}

const CLASS_DECORATOR = /^(?:Entity)?Handler$/

/** A function that other files may hand a request to. */
interface OfferedFunction extends Asking {
  readonly offered: string
  /** It looks at what the client sends. */
  readonly seesData: boolean
}

const OF_REQUEST = /\b(?:data|query|params|diff|body)\b/

/** The functions that files offer, with what they ask of who calls. */
const offeredFunctions: Extract<OfferedFunction> = defineExtract({
  name: 'cap-offered-functions',
  keywords: ['exports', 'export '],
  prefilter: (text) => /\b_?(?:req|request|oReq|oRequest|ctx|context)\b/.test(text) && /\bfunction\b|=>|\basync\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  collect(script) {
    const reader = createAskingReader(script)
    return exportedFunctions(script.facts)
      .filter(([, { parameters }]) => parameters.length > 0)
      .map(([offered, fact]) => ({
        offered,
        seesData: OF_REQUEST.test(script.text.slice(fact.start, fact.end)),
        ...reader(fact),
      }))
  },
})

/** What a file gives on from another one: all of it under a name, or as its own where the name is empty. */
interface PassedOn {
  readonly passed: string
  readonly source: string
  /** What of the other file. */
  readonly name: string
}

/** `module.exports = { orders: require('./orders') }`, in files that gather what others offer. */
const passedOn: Extract<PassedOn> = defineExtract({
  name: 'cap-passed-on',
  keywords: ['exports', 'export '],
  prefilter: (text) => text.length < LONGEST_INDEX && /\brequire\s{0,5}\(\s{0,5}["'`]\.|\bfrom\s{1,5}["'`]\./.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts }) {
    for (const { name, value } of facts.exports) {
      if (value === undefined) continue
      const own = name === 'default' ? '' : name
      for (const link of importedNames(value)) yield toPassedOn(own, link)
      const made = resolveValue(value)
      if (made.kind !== 'object') continue
      for (const { key, value: given } of made.fields)
        if (key !== undefined) for (const link of importedNames(given)) yield toPassedOn(own === '' ? key : `${own}.${key}`, link)
    }
  },
})

const LONGEST_INDEX = 5000

function toPassedOn(passed: string, { source, name }: Asking['hands'][number]): PassedOn {
  return { passed, source, name: name === 'default' ? '' : name }
}

export const callerCheckExtracts: readonly [
  typeof handlerRegistrations,
  typeof offeredFunctions,
  typeof passedOn,
  typeof handedServices,
] = [handlerRegistrations, offeredFunctions, passedOn, handedServices]

const ASKS: Asking = { asks: true, hands: [] }

function toRegistration(
  call: CallValue,
  facts: ScriptFacts,
  serviceOf: (value: Value) => ScriptService,
  askingOf: (fact: FunctionFact) => Asking,
): HandlerRegistration | undefined {
  const { callee, start, end } = call
  if (callee.kind === 'reference') {
    const [, when] = DECORATOR.exec(callee.name) ?? []
    const phase = when === 'Before' || when === 'On' || when === 'After' ? PHASES.get(when) : undefined
    const base = { start, end, events: [], entities: undefined, decorator: callee.name, service: undefined, isConnected: false }
    return phase && { ...base, phase, ...ASKS }
  }
  const found = registrationOf(call)
  if (found === undefined || callee.kind !== 'member') return undefined
  const { phase, events, entities, handler } = found
  const { name, kind } = serviceOf(callee.object)
  const inner = handler && unbound(handler).callee
  const fact = inner && handlerFunction(inner, facts)
  const linked = inner === undefined || fact !== undefined ? [] : importedNames(inner)
  const asking = fact !== undefined ? askingOf(fact) : linked.length > 0 ? { asks: false, hands: linked } : ASKS
  return {
    start,
    end,
    phase,
    events,
    entities,
    decorator: undefined,
    service: name,
    isConnected: kind === 'connected',
    ...asking,
  }
}

/** `req.user`, `currentUser`, an answer for who may not. */
const CALLER = /user|\b40[13]\b/gi
/** `user.is(`, the end of a role such as `authenticated-user`, and the answer for who may not. */
const OF_ROLE = /^(?:user(?:\s{0,4}\??\.\s{0,4}(?:is|has\w{0,9}|_?roles?)\b|['"`])|40)/i
/** The beginning of a line up to what stands in a comment. */
const COMMENTED = /(?:^|[^:'"`])\/\/|\/\*(?![\s\S]{0,300}\*\/)|^\s{0,40}\*/
const MAX_LOOK_BACK = 300
/** What gets the request for its transaction alone, or its texts. */
const HARMLESS: ReadonlySet<string> = new Set(['tx', 'transaction', 'getText', 'stringify'])
/** The same, and what runs queries. */
const PASSES: ReadonlySet<string> = new Set([...HARMLESS, 'run', 'to', 'uuid'])
/** Fact: capire, "Events" (only `req.reject`, `req.error` and exceptions end a request). */
const ENDS = /\b(?:reject|error|throw)\b/
const MAX_CALLED = 30

/** Whether a place stands in a comment, as far as its line tells. */
export function isCommented(text: string, at: number): boolean {
  return COMMENTED.test(lineBefore(text, at, MAX_LOOK_BACK))
}

/** Tells what functions of a script, and those that they call there, ask of who calls. */
function createAskingReader({ facts, text, step }: OpenScript): (fact: FunctionFact) => Asking {
  const callsIn = createInnerIndex(facts.calls)
  const wordsOfCaller = (fact: FunctionFact): readonly number[] => {
    const logs = callsIn(fact).filter(isLogCall)
    return [...text.slice(fact.start, fact.end).matchAll(CALLER)].flatMap(({ index }) => {
      const at = fact.start + index
      step(1 + logs.length)
      return !isCommented(text, at) && !logs.some((span) => isAround(span, at)) ? [at] : []
    })
  }
  const mayEnd = (fact: FunctionFact): boolean => {
    return (
      ENDS.test(text.slice(fact.start, fact.end)) ||
      callsIn(fact).some(
        (call) =>
          call.kind === 'call' && !PASSES.has(lastNameOf(call.callee) ?? '') && !isLogCall(call) && baseOf(call) === undefined,
      )
    )
  }
  return (handler) => {
    const reached = new Set([handler])
    const hands: Asking['hands'][number][] = []
    for (const fact of reached) {
      if (reached.size > MAX_CALLED) return ASKS
      const words = wordsOfCaller(fact)
      const byRole = words.every((at) => OF_ROLE.test(text.slice(at, at + 20))) && { byRole: true as const }
      if (words.length > 0) return { ...ASKS, ...byRole, ...(!mayEnd(handler) && { passes: true as const }) }
      const requests = requestsOf(fact)
      for (const call of callsIn(fact)) {
        step()
        if (
          HARMLESS.has(lastNameOf(call.callee) ?? '') ||
          isLogCall(call) ||
          !call.args.some((value) => isOneOf(value, requests))
        )
          continue
        const own = functionOf(call.callee) ?? handlerFunction(call.callee, facts)
        const linked = own === undefined ? importedNames(call.callee) : []
        if (own !== undefined) reached.add(own)
        else if (linked.length > 0) hands.push(...linked)
        else return ASKS
      }
    }
    return { asks: false, hands }
  }
}

/** The parameters that hold the request: by their names, or any of them. */
function requestsOf({ parameters }: FunctionFact): readonly (Binding | undefined)[] {
  const named = parameters.filter((parameter) => isContextName(parameter?.name))
  return named.length > 0 ? named : parameters
}

function isOneOf(value: Value, bindings: readonly (Binding | undefined)[]): boolean {
  return value.kind === 'reference' && value.binding !== undefined && bindings.includes(value.binding)
}

export type HandledEvent = 'CREATE' | 'UPDATE'

/** A draft becomes a row by SAVE; NEW makes the draft, PATCH changes it. */
const EVENTS: Readonly<Record<HandledEvent, ReadonlySet<string>>> = {
  CREATE: new Set(['CREATE', 'NEW', 'SAVE', 'INSERT', 'UPSERT', 'WRITE', '*']),
  UPDATE: new Set(['UPDATE', 'PATCH', 'EDIT', 'SAVE', 'UPSERT', 'WRITE', 'DELETE', '*']),
}

const DECORATORS: Readonly<Record<HandledEvent, RegExp>> = {
  CREATE: /^(?:Before|On)(?:Create|NewDraft|SaveDraft|All)$/,
  UPDATE: /^(?:Before|On)(?:Update|Delete|UpdateDraft|EditDraft|SaveDraft|All)$/,
}

/** Whether a handler that may ask who calls runs when rows of an entity of a service are written. */
export type HandledReader = (service: CapService, entity: CapElement, event: HandledEvent) => boolean

/** Needs `callerCheckExtracts`. */
export function createHandledReader(root: CapRoot): HandledReader {
  const asking = findAskingHandlers(root)
  return (service, { qualified }, event) => {
    const names = new Set(root.projected(qualified).map((name) => name.slice(name.lastIndexOf('.') + 1)))
    root.step(asking.length)
    return asking.some(
      (handler) =>
        isFor(handler, event) &&
        (handler.entities?.some((name) => names.has(name)) ?? true) &&
        isHandlerOf(handler, service, root),
    )
  }
}

/** Whether a handler that may ask who calls runs before an operation of a service, or is it; `isWanted`: which of them count. Needs `callerCheckExtracts`. */
export function createOperationReader(
  root: CapRoot,
  wanted: HandlerRegistration['phase'] = 'before',
  isWanted: (handler: HandlerRegistration) => boolean = () => true,
): (service: CapService, operation: CapElement) => boolean {
  const asking = findAskingHandlers(root).filter((one) => one.phase === wanted && isWanted(one))
  return (service, { name, entity }) => {
    const [last, bound] = [name, entity].map((one) => one?.slice(one.lastIndexOf('.') + 1))
    root.step(asking.length)
    return asking.some(
      (handler) =>
        handler.events.some((event) => event === undefined || event === '*' || event === last) &&
        (bound === undefined || (handler.entities?.includes(bound) ?? true)) &&
        isHandlerOf(handler, service, root),
    )
  }
}

/** With its file. */
export type AskingHandler = HandlerRegistration & { readonly file: string }

/** It is one of the service, as far as anybody can tell. */
export function isHandlerOf(handler: AskingHandler, service: CapService, root: CapRoot): boolean {
  const { services, isCertain } = root.eventOf({ ...handler, events: [] })
  return !isCertain || services.includes(service)
}

/** A function of a file that offers it to others. */
interface FoundFunction {
  readonly file: string
  /** As its file offers it. */
  readonly name: string
  readonly asking: OfferedFunction
}

type FunctionFinder = (from: string, link: Asking['hands'][number]) => FoundFunction | undefined

/** Finds what a handler of another file is, also where files in between pass it on. Needs `callerCheckExtracts`. */
export function createFunctionFinder(root: CapRoot): FunctionFinder {
  const files = new Map(root.files.map(({ path }) => [path, path]))
  const offered = new Map<string, OfferedFunction>()
  for (const { file, value } of root.scripts.get(offeredFunctions)) offered.set(`${file} ${value.offered}`, value)
  const passing = new Map<string, PassedOn[]>()
  for (const { file, value } of root.scripts.get(passedOn)) passing.set(file, [...(passing.get(file) ?? []), value])
  const find = (from: string, { source, name }: Asking['hands'][number], hops = 0): FoundFunction | undefined => {
    root.step()
    const file = resolveModule(from, source, files)
    const found = file === undefined ? undefined : offered.get(`${file} ${name}`)
    if (file === undefined || hops > MAX_HOPS) return undefined
    if (found !== undefined) return { file, name, asking: found }
    for (const { passed, source: next, name: inner } of passing.get(file) ?? []) {
      if (passed !== '' && name !== passed && !name.startsWith(`${passed}.`)) continue
      const rest = passed === '' ? name : name.slice(passed.length + 1)
      const deeper = find(
        file,
        { source: next, name: [inner, rest].filter((part) => part !== '').join('.') || 'default' },
        hops + 1,
      )
      if (deeper !== undefined) return deeper
    }
    return undefined
  }
  return find
}

/** Handlers that may ask who calls. Needs `callerCheckExtracts`. */
export function findAskingHandlers(root: CapRoot): readonly AskingHandler[] {
  const find = createFunctionFinder(root)
  const mayAsk = (file: string, { asks, hands }: Asking, hops = 0): boolean => {
    if (asks || hops > MAX_HOPS) return true
    return hands.some((link) => {
      const found = find(file, link)
      // what is not in the project, or in a form that is not understood, may ask
      return found === undefined || mayAsk(found.file, found.asking, hops + 1)
    })
  }
  return root.scripts.get(handlerRegistrations).flatMap(({ file, value }) => (mayAsk(file, value) ? [{ ...value, file }] : []))
}

const MAX_HOPS = 5

/** What is no constant may be any event, where it runs before one. */
function isFor({ phase, events, decorator }: HandlerRegistration, written: HandledEvent): boolean {
  if (decorator !== undefined) return DECORATORS[written].test(decorator)
  if (phase === 'after') return false
  return events.some((name) => (name === undefined ? phase === 'before' : EVENTS[written].has(name)))
}
