import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  stringConstantOf,
  excerptOf,
  fieldOf,
  functionAround,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { builderBehind, TAKING_ROWS, toBuilderSteps } from '../../../flow/frameworks/query-sinks.ts'
import {
  createServiceReader,
  type CapElement,
  type CapRoot,
  type CapService,
  handlerFunction,
  type HandlerFunction,
  type ScriptService,
} from '../../../model/cap/index.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'
import { createQuestionReader, type CallerQuestion, type QuestionReader } from '../_callers/caller-questions.ts'
import { createLinkReader, createWayReader } from '../_handlers/handler-links.ts'
import { append } from '../../../lists.ts'
import { lastName } from '../../../paths.ts'
import { recipientsOf } from './mail-recipients.ts'

/** A call that changes data or acts outside of the application, and the handler that it runs in. */
export interface StateChange extends Span {
  /** The call as written: `DELETE.from(Orders)`. */
  readonly effect: string
  /** Names of the events that lead to it within the script; empty where another file may call the function around it. */
  readonly events: readonly string[]
  readonly entities: readonly string[] | undefined
  readonly service: string | undefined
  readonly isConnected: boolean
  /** The function around it as the script exports it, where no handler of the script leads to it. */
  readonly exported: string
  /** What it does with the rows of which entity, by the last part of its name; undefined: nothing of the kind, or nobody can tell. */
  readonly write: RowWrite | undefined
  /** It sends data to a service that the script is connected to: the name of that. */
  readonly remote?: string
  /** The path that it is sent to, as far as the script says. */
  readonly path?: string
  /** What callers send as the recipients of a mail; undefined: it sends none, or doesn't say who gets it. */
  readonly recipients?: readonly string[]
  /** The functions around it ask who calls; `unknown`: another file gets the request. */
  readonly asks: CallerQuestion
  /** Where other files call the function around it: it checks nothing, so that the handler which calls it is the one to ask. */
  readonly leavesIt?: true
}

export interface RowWrite {
  readonly event: 'CREATE' | 'UPDATE' | 'DELETE'
  readonly entity: string
  /** It is run as it stands, without a condition: on all rows. */
  readonly isWhole: boolean
}

/** What handlers of operations change, and what exported functions change that they may call. */
export const stateChanges: Extract<StateChange> = defineExtract({
  name: 'cap-state-changes',
  keywords: [
    'INSERT',
    'UPSERT',
    'UPDATE',
    'DELETE',
    'sendMail',
    '.create(',
    '.insert(',
    '.update(',
    '.delete(',
    '.post(',
    '.send(',
  ],
  prefilter: (text) => /\b(?:srv|cds|service|Service|req|INSERT|UPSERT|UPDATE|DELETE)\b/.test(text),
  isFor: isDeployedCode,
  collect: ({ facts, text, step }) => [...findChanges(facts, text, step)],
})

function* findChanges(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<StateChange> {
  const { handlers, handlersOf } = findHandledFunctions(facts)
  const waysTo = createWayReader(facts, step)
  const serviceOf = createServiceReader(facts)
  const questionOf = createQuestionReader(facts, text, step)
  let checking: ReadonlySet<FunctionFact> | undefined
  step(facts.calls.length)
  for (const call of facts.calls) {
    if (!isChange(call, serviceOf)) continue
    step(handlers.length)
    const running = handlersOf(call)
    step(STEPS_OF_CHANGE * running.length)
    const ways = running.length === 0 ? waysTo(call) : []
    if (running.length + ways.length === 0) continue
    const { start, end } = call
    const remote = remoteOf(call, serviceOf)
    const recipients =
      remote !== undefined || lastNameOf(call.callee) === 'sendMail' ? recipientsOf(call, facts, text, step) : undefined
    const own = {
      start,
      end,
      effect: excerptOf(text, call),
      write: writeOf(call, text),
      ...(remote !== undefined && { remote, path: pathSent(call, text) }),
      ...(recipients !== undefined && { recipients }),
    }
    for (const handler of running) yield { ...own, ...runningIn(handler, undefined), asks: questionOf(handler, call) }
    // who is asked on the way there, by the function that changes the rows or by those that lead to it
    for (const { name, places } of ways) {
      const isAsked = places.some((place) => questionOf(undefined, place) === 'yes')
      const around = places.map(({ start: from }) => functionAround(facts, from))
      checking ??= functionsWithChecks(facts, questionOf)
      const leavesIt = !around.some((one) => one !== undefined && checking?.has(one) === true)
      yield { ...own, ...runningIn(undefined, name), asks: isAsked ? 'yes' : 'unknown', ...(leavesIt && { leavesIt }) }
    }
  }
}

/** The functions that call one of another file or package which checks something, by its name, or one of the script that asks who calls. */
function functionsWithChecks(facts: ScriptFacts, questionOf: QuestionReader): ReadonlySet<FunctionFact> {
  return new Set(
    facts.calls.flatMap(({ callee, function: around }) => {
      const own = functionOf(callee) ?? handlerFunction(callee, facts)
      if (own !== undefined) return questionOf(undefined, { start: own.end - 1, end: own.end }) === 'yes' ? around : []
      const isCheck = CHECKS.test(lastNameOf(callee) ?? '')
      return isCheck && accessesOf(callee).some(({ root }) => root.startsWith('module:')) ? around : []
    }),
  )
}

const CHECKS = /check|assert|verif|ensure|require|valid|guard|auth|allow|permi|access|owner|user|role/i

/** What a change costs for each handler that leads to it. */
export const STEPS_OF_CHANGE = 32

/** What a change says of the handler that it runs in, or of the function that other files may call. */
export function runningIn(
  handler: HandlerFunction | undefined,
  exported: string | undefined,
): Pick<StateChange, 'events' | 'entities' | 'service' | 'isConnected' | 'exported'> {
  return {
    events: handler?.events.flatMap((event) => event ?? []) ?? [],
    entities: handler?.entities,
    service: handler?.service.name,
    isConnected: handler?.service.kind === 'connected',
    exported: exported ?? '',
  }
}

const WRITES: ReadonlySet<string> = new Set(['INSERT', 'UPSERT', 'UPDATE', 'DELETE'])
/** Facts: capire, "cds.Service" (CRUD-style and REST-style methods). */
const CRUD_STYLE = /^(?:create|insert|upsert|update|delete)$/
const REST_STYLE = /^(?:post|put|patch)$/
/** Tables of what was done or read: a row more in them is no deed. */
const RECORDS = /log(?:s|ging|Entr(?:y|ies))?$|audit|trace|cache|metric|counter|visit|telemetry/i

function isChange(call: CallValue, serviceOf: (value: Value) => ScriptService): boolean {
  const { kind, callee, args } = call
  const [first] = args
  if (kind !== 'call' || first === undefined) return false
  const steps = accessesOf(callee).map((access) => toBuilderSteps(access))
  if (steps.some((found) => found !== undefined && namesEntity(found))) return !isRecord(first)
  if (callee.kind !== 'member' || callee.name === undefined) return false
  if (callee.name === 'sendMail') return true
  const isRest = isSent(call)
  if (!isRest && !CRUD_STYLE.test(callee.name)) return false
  const service = serviceOf(callee.object)
  if (isRest) return service.kind === 'connected'
  return (service.kind === 'connected' || service.kind === 'own' || service.kind === 'cds') && !isRecord(first)
}

/** `service.post('/orders', …)`, `service.send({ method: 'POST' })` */
function isSent({ callee, args: [first] }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  return REST_STYLE.test(name) || (name === 'send' && first !== undefined && isWriteMethod(first))
}

function remoteOf(call: CallValue, serviceOf: (value: Value) => ScriptService): string | undefined {
  const { callee } = call
  if (callee.kind !== 'member' || !isSent(call)) return undefined
  const { kind, name } = serviceOf(callee.object)
  return kind === 'connected' ? name : undefined
}

/** `post('/orders', …)`, `send('POST', '/orders')`, `send({ method: 'POST', path: '/orders' })` */
function pathSent({ callee, args: [first, second] }: CallValue, text: string): string {
  const given = lastNameOf(callee) === 'send' ? ((first && fieldOf(first, 'path')?.value) ?? second) : first
  return stringConstantOf(given) ?? (given === undefined ? '' : excerptOf(text, given))
}

/** The call of a chain that names the entity: `UPDATE(Orders)`, `INSERT.into(Orders)`, `UPSERT(rows).into(Orders)`. */
function namesEntity([builder = '', ...steps]: readonly string[]): boolean {
  if (!WRITES.has(builder)) return false
  if (TAKING_ROWS.has(builder) && (steps.length === 0 || steps[0] === '()')) return steps.join(' ') === '() into'
  return !steps.includes('()')
}

/** `UPDATE(Orders, id)`, `DELETE.from('shop.Orders')`, `tx.update(this.entities.Orders)`. */
function writeOf(call: CallValue, text: string): RowWrite | undefined {
  const {
    callee,
    args: [first],
  } = call
  const builder = builderBehind(callee) ?? (callee.kind === 'member' ? callee.name?.toUpperCase() : undefined)
  const event = builder === undefined ? undefined : EVENTS.get(builder)
  if (event === undefined || first === undefined) return undefined
  const value = stringConstantOf(first)
  const named = value ?? entityNamed(first)
  const entity = named === undefined ? undefined : lastName(named)
  return entity === undefined || !/^\w{1,100}$/.test(entity) || /^(?:subject|target)$/.test(entity)
    ? undefined
    : { event, entity, isWhole: isWhole(call, text) }
}

/** `await DELETE.from(Orders)`, of which no further call makes a condition. */
function isWhole({ args, start, end }: CallValue, text: string): boolean {
  return (
    args.length === 1 &&
    RUN.test(text.slice(Math.max(0, start - MAX_BEFORE), start)) &&
    !GOES_ON.test(text.slice(end, end + MAX_BEFORE))
  )
}

const MAX_BEFORE = 60
const RUN = /(?:\bawait|\breturn|\brun\(|=>|[[,])\s{0,40}$/
const GOES_ON = /^\s{0,40}(?:\.|\()/

/** `Orders.drafts` are no rows yet. */
function entityNamed(value: Value): string | undefined {
  const name = lastNameOf(value)
  return name === 'drafts' ? undefined : name
}

const EVENTS: ReadonlyMap<string, RowWrite['event']> = new Map([
  ['INSERT', 'CREATE'],
  ['CREATE', 'CREATE'],
  ['UPSERT', 'UPDATE'],
  ['UPDATE', 'UPDATE'],
  ['DELETE', 'DELETE'],
])

/** `send('POST', …)`, `send({ method: 'POST' })`. */
function isWriteMethod(first: Value): boolean {
  const method = stringConstantOf(fieldOf(first, 'method')?.value ?? first)
  return method !== undefined && /^(?:POST|PUT|PATCH|DELETE)$/i.test(method)
}

function isRecord(entity: Value): boolean {
  const text = stringConstantOf(entity)
  return RECORDS.test(text ?? lastNameOf(entity) ?? '')
}

/** A change with the file that it stands in; `isLinked`: another file says which event leads to it. */
export type Change<Kind extends StateChange = StateChange> = Kind & { readonly file: string; readonly isLinked: boolean }

/** Tells what the handlers of an operation change. Needs the extract of these changes and `handlerLinks`. */
export function createChangeReader<Kind extends StateChange>(
  root: CapRoot,
  kind: Extract<Kind>,
): (service: CapService, operation: CapElement) => readonly Change<Kind>[] {
  const changes = changesByEvent(root, kind)
  return (service, { name }) => {
    const event = name.slice(name.lastIndexOf('.') + 1)
    return (changes.get(event) ?? []).filter((one) => isOf(one, service, event, root))
  }
}

function changesByEvent<Kind extends StateChange>(
  root: CapRoot,
  kind: Extract<Kind>,
): ReadonlyMap<string, readonly Change<Kind>[]> {
  const found = new Map<string, Change<Kind>[]>()
  const linksTo = createLinkReader(root)
  for (const { file, value } of root.scripts.get(kind)) {
    root.step()
    const links = value.exported === '' ? [] : linksTo(file, value.exported)
    const events = new Map(value.events.map((event) => [event, value.asks]))
    if (links.length > 0) events.clear()
    for (const link of links) for (const event of link.events) events.set(event, askedBy(value, link.asks, events.get(event)))
    for (const [event, asks] of events) append(found, event, { ...value, asks, file, isLinked: links.length > 0 })
  }
  return found
}

/** Who is asked before a change in a function that a handler of another file calls; several such handlers of one event may differ. */
function askedBy({ asks, leavesIt }: StateChange, handler: CallerQuestion, before: CallerQuestion | undefined): CallerQuestion {
  const both = asks === 'yes' || handler === 'yes' ? 'yes' : leavesIt === true ? handler : 'unknown'
  return before === undefined || before === both ? both : 'unknown'
}

function isOf(change: Change, service: CapService, event: string, root: CapRoot): boolean {
  if (change.isLinked) return true
  const { file, isConnected, entities } = change
  return root.eventOf({ file, service: change.service, isConnected, events: [event], entities }).services.includes(service)
}
