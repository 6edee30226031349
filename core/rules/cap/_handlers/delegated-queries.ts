import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { exportedFunctions, functionOf } from '../../../facts/callbacks.ts'
import { accessesOf, accessOf, type CallValue, type FunctionFact, type Value } from '../../../facts/index.ts'
import { resolveModule } from '../../../flow/index.ts'
import { append } from '../../../lists.ts'
import { isContextName, isContextRoot, isOfUi5App } from '../../../model/script/index.ts'
import type { CapRoot } from '../../../model/cap/index.ts'
import type { Place, Span } from '../../../types.ts'
import { findHandledFunctions } from './handled-functions.ts'
import { scriptQueries, type Term } from './script-queries.ts'
import { entityOf } from './query-chains.ts'
import { createAskedReader, mentionsUser } from '../_callers/asked-users.ts'
import { sentElement } from '../_rows/client-data.ts'
import { eventOf, givesBack, INSTANCES, KEY, PASSED, type OwnedQuery } from '../_rows/owned-queries.ts'
import { CLAIM, CRUD, type OwnerMark } from '../_rows/owner-marks.ts'
import { HANDLER_PACKAGES } from '../../../model/cap/index.ts'

/** A function with a query for the row whose key it is given, which looks at no user. */
interface KeyedHelper extends Span, Pick<OwnedQuery, 'entity' | 'column'> {
  /** `claim`: it adds a row for the user whose id it is given. */
  readonly kind: OwnedQuery['kind'] | 'claim'
  /** As other files know it, or `@` and where it starts. */
  readonly names: readonly string[]
  /** The position of the parameter with the key. */
  readonly parameter: number
  /** That of the parameter with the entity, which `entity` is the name of. */
  readonly entityAt?: number
  /** The positions of parameters that tell, by their names, who asks. */
  readonly tellers: readonly number[]
}

const keyedHelpers: Extract<KeyedHelper> = defineExtract({
  name: 'cap-keyed-helpers',
  keywords: ['UPDATE', 'DELETE', 'SELECT', 'INSERT', '.update(', '.delete('],
  prefilter: (text) => /\bwhere\b|\bbyKey\b|\b(?:UPDATE|DELETE|SELECT|INSERT)\b|\.(?:update|delete)\(/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, step }) {
    const isUserAsked = createAskedReader(facts)
    const exported = new Map<FunctionFact, string[]>()
    for (const [name, fact] of exportedFunctions(facts)) append(exported, fact, name)
    for (const { base, kind, entity, terms, given, last } of scriptQueries(facts, step)) {
      const { function: around } = base
      step(terms.length)
      // who gets the request may compare
      if (around.kind === 'file' || around.parameters.some((one) => one === undefined || isContextName(one.name))) continue
      const tellers = around.parameters.flatMap((one, at) => (one !== undefined && TELLS.test(one.name) ? [at] : []))
      const { start, end } = base
      const parameterOf = (value: Value): number =>
        around.parameters.findIndex((one) => accessesOf(value).some((access) => isItself(access, one)))
      const names = [...(exported.get(around) ?? []), `@${around.start}`]
      const entityAt = base.args[0] === undefined ? -1 : parameterOf(base.args[0])
      const helper = { names, entity, tellers, start, end, ...(entityAt >= 0 && { entityAt }) }
      const firstOf = (of: readonly Term[], isWanted: RegExp): Pick<KeyedHelper, 'column' | 'parameter'> | undefined =>
        of.flatMap(({ column, value }) =>
          isWanted.test(column) && parameterOf(value) >= 0 ? [{ column, parameter: parameterOf(value) }] : [],
        )[0]
      if (isUserAsked(base)) continue
      const claim = kind === 'insert' ? firstOf(given, CLAIM) : undefined
      if (claim !== undefined) yield { ...helper, kind: 'claim', ...claim }
      if (terms.some(({ column, value }) => OWNED_BY.test(column) || mentionsUser(value))) continue
      const found = firstOf(terms, KEY)
      if (found !== undefined && (kind !== 'read' || givesBack(last, facts, step))) yield { ...helper, kind, ...found }
    }
  },
})

/** Names of parameters that tell who asks. */
const TELLS = /user|owner|caller|tenant|principal/i
const OWNED_BY = /user|owner|tenant|created_?by/i

type Access = ReturnType<typeof accessesOf>[number]

function isItself({ binding, steps }: Access, parameter: Access['binding'] | undefined): boolean {
  return binding !== undefined && binding === parameter && steps.length === 0
}

/** A call of a handler that hands on a key which the client sends. */
interface HandedKey extends Span, Pick<OwnedQuery, 'client' | 'around' | 'handled' | 'event' | 'isPassed'> {
  /** The module, relative to the file; empty: the file itself. */
  readonly source: string
  readonly name: string
  readonly position: number
  /** The positions of all that the client sends. */
  readonly sent: readonly number[]
  /** The last parts of the names of what it hands on, by position: `Books` of `srv.entities.Books`. */
  readonly given: readonly string[]
  /** The handler answers with what it gives. */
  readonly isAnswer: boolean
}

const handedKeys: Extract<HandedKey> = defineExtract({
  name: 'cap-handed-keys',
  keywords: ['.on(', '.before(', ...HANDLER_PACKAGES],
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, step }) {
    let handled: ReturnType<typeof findHandledFunctions> | undefined
    const isUserAsked = createAskedReader(facts)
    for (const call of facts.calls) {
      step(1 + call.args.length)
      const sent = call.args.flatMap((argument, position) => (sentElement(argument) === undefined ? [] : [position]))
      const link = sent.length === 0 ? undefined : linkOf(call)
      if (link === undefined || call.args.some(tellsUser) || isUserAsked(call)) continue
      handled ??= findHandledFunctions(facts)
      const handler = handled.handlerOf(call)
      if (handler === undefined) continue
      const { events = [], entities = [] } = handler
      const { fact: own } = handler
      // what the handler gives back is what another function of the file makes of it
      const isWhole =
        own === call.function ||
        handled.callsOf(call.function).some((outer) => outer.function === own && givesBack(outer, facts, step))
      const isDirect = own === call.function && givesBack(call, facts, step)
      const given = call.args.map((argument) => entityOf(argument) ?? '')
      for (const position of sent)
        yield {
          ...link,
          ...eventOf(handler),
          position,
          sent,
          given,
          client: sentElement(call.args[position] ?? call.callee) ?? '',
          isAnswer: isDirect || (isWhole && givesBack(call, facts, step, PASSED)),
          ...(!isDirect && { isPassed: true as const }),
          around: call.function.start,
          handled: events.every((name) => name !== undefined && INSTANCES.test(name)) ? [...entities] : [],
          start: call.start,
          end: call.end,
        }
    }
  },
})

function tellsUser(argument: Value): boolean {
  return mentionsUser(argument) || accessesOf(argument).some(({ root, steps }) => isContextRoot(root) && steps.length === 0)
}

/** `tickets.load(…)` of another file, `new Tickets().load(…)` of a class of that, `load(…)` of the file itself. */
function linkOf({ callee }: CallValue): Pick<HandedKey, 'source' | 'name'> | undefined {
  const own = functionOf(callee)
  if (own !== undefined) return { source: '', name: `@${own.start}` }
  const access = accessOf(callee)
  if (access?.root.startsWith('module:.') !== true) return undefined
  const made = access.steps.indexOf('new')
  const method = access.steps.slice(made + 1).join('.')
  const type = access.steps.slice(0, Math.max(made, 0)).join('.') || 'default'
  return { source: access.root.slice('module:'.length), name: made < 0 ? method || 'default' : `${type}#${method}` }
}

export const helperQueryExtracts: readonly [typeof keyedHelpers, typeof handedKeys] = [keyedHelpers, handedKeys]

export interface HelperCall {
  readonly file: string
  /** Where the helper's query is. */
  readonly inHelper: Place
  readonly helper: KeyedHelper
  readonly call: HandedKey
}

/** Calls of handlers that hand on what the client sends, with what the called functions do with it. */
export function* helperCalls({ scripts }: CapRoot): Generator<HelperCall> {
  const files = new Map<string, string>()
  const helpers = new Map<string, KeyedHelper[]>()
  for (const { file, value } of scripts.get(keyedHelpers)) {
    files.set(file, file)
    for (const name of value.names) {
      const key = `${file} ${name}`
      append(helpers, key, value)
    }
  }
  if (files.size === 0) return
  for (const { file, value: call } of scripts.get(handedKeys)) {
    const target = call.source === '' ? file : resolveModule(file, call.source, files)
    for (const helper of helpers.get(`${target ?? ''} ${call.name}`) ?? []) {
      // a parameter that is named for the user may be compared, unless the client says who that is
      if (helper.parameter !== call.position || !helper.tellers.every((at) => call.sent.includes(at))) continue
      const { start, end, entityAt } = helper
      const entity = (entityAt === undefined ? undefined : call.given[entityAt]) || helper.entity
      yield { file, helper: { ...helper, entity }, call, inHelper: { file: target ?? file, span: { start, end } } }
    }
  }
}

/** Queries of functions that a handler calls with a key of the client, told where it calls them. */
export function* helperQueries(calls: readonly HelperCall[]): Generator<{ readonly file: string; readonly value: OwnedQuery }> {
  for (const { file, helper, call, inHelper } of calls) {
    const { kind, entity, column } = helper
    if (kind === 'claim' || (kind === 'read' && !call.isAnswer)) continue
    const { client, around, handled, start, end, event } = call
    const isPassed = kind === 'read' && call.isPassed === true
    yield {
      file,
      value: {
        kind,
        isRead: false,
        entity,
        column,
        client,
        isDerived: false,
        ...(isPassed && { isPassed }),
        ...(event !== undefined && { event }),
        via: [],
        inHelper,
        around,
        handled,
        start,
        end,
      },
    }
  }
}

/** Functions that add a row for the user whom the client names, told where a handler calls them. */
export function* helperClaims(calls: readonly HelperCall[]): Generator<{ readonly file: string; readonly value: OwnerMark }> {
  for (const { file, helper, call, inHelper } of calls) {
    const { entity, column } = helper
    const { client, around, start, end, event } = call
    const isOperation = event !== undefined && event.names.length > 0 && !event.names.some((name) => CRUD.test(name))
    if (helper.kind === 'claim' && isOperation)
      yield { file, value: { kind: 'claim', isRead: false, entity, column, client, event, inHelper, around, start, end } }
  }
}
