import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  constantOf,
  stringConstantOf,
  createCodeReader,
  findPart,
  pathOf,
  resolveValue,
  valuesOf,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isNothing } from '../../../facts/values.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { append, groupBy } from '../../../lists.ts'
import { builderBehind } from '../../../flow/frameworks/query-sinks.ts'
import {
  CRUD_EVENT,
  handlerFunction,
  toWords,
  type HandlerFunction,
  HANDLER_PACKAGES,
  usesHandlerPackage,
} from '../../../model/cap/index.ts'
import { isContextRoot, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { createAccountReader } from '../_callers/account-checks.ts'
import { mentionsUser } from '../_callers/asked-users.ts'
import { computedElements, type ComputedElement } from './computed-elements.ts'
import { defaultedIn, startsOfDefaults, type DefaultedElement } from './defaulted-elements.ts'
import { createRefusalReader } from '../_handlers/refusals.ts'
import { handsOn } from '../_handlers/handed-requests.ts'
import { ACCOUNT_GATE, createRoleGateReader } from '../_handlers/role-gates.ts'
import { isRow, refusedElements, type RefusedElements } from './refused-elements.ts'
import { lateTouches, refusedWhereSent, type LateTouch } from './late-touches.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'

/** An element, and the last part of the name of its entity. */
export interface SetElement {
  readonly entity: string
  readonly element: string
}

/** What a handler of a script has to do with elements that say how far a row has come. */
export interface StateHandler extends Span {
  readonly phase: HandlerFunction['phase']
  readonly events: readonly string[]
  /** Last parts of names; undefined: all entities, or an operation that is bound to none. */
  readonly entities: readonly string[] | undefined
  readonly service: string | undefined
  readonly isConnected: boolean
  /** It is registered for drafts alone. */
  readonly isForDrafts: boolean
  /** Elements that an UPDATE of it sets to something else than what the client sends, with the last parts of the names of their entities. */
  readonly sets: readonly SetElement[]
  /** The same of elements that an UPDATE of it sets to what the client sends. */
  readonly gives: readonly SetElement[]
  /** Elements that say who approved, which an UPDATE of it sets to the user. */
  readonly signs: readonly SetElement[]
  /** Names that it assigns to or deletes. */
  readonly overwrites: readonly string[]
  /** Names that it reads, writes or deletes in the data of the request, or in what is no row that it has read. */
  readonly touches: readonly string[]
  /** Those of them that only requests with another element lead to. */
  readonly lateTouches: readonly LateTouch[]
  /** Names that it refuses wherever requests hold them. */
  readonly refusedSent: readonly string[]
  /** Elements of the data of the request that it makes of rows, of other elements or of the user, whatever the client sends for them. */
  readonly computes: readonly ComputedElement[]
  /** Elements of the data of the request that it fills in where clients leave them out: what they send for them passes. */
  readonly defaults: readonly DefaultedElement[]
  /** Names that it compares. */
  readonly compares: readonly string[]
  /** It refuses requests. */
  readonly refuses: boolean
  /** It looks at the rights of the caller. */
  readonly asksRole: boolean
  /** A function of another file gets the request or its data. */
  readonly isOpen: boolean
}

/** Handlers of operations that set a state, and those that run when clients write an entity. */
export const stateHandlers: Extract<StateHandler> = defineExtract({
  name: 'cap-state-handlers',
  keywords: ['.on(', '.before(', '.after(', ...HANDLER_PACKAGES],
  prefilter: (text) =>
    usesHandlerPackage(text) ||
    (/\b(?:srv|cds|service|Service|req)\b/.test(text) && (STATE_IN_TEXT.test(text) || WRITE_IN_TEXT.test(text))),
  isFor: (path) => !isOfUi5App(path),
  collect: ({ facts, text, step }) => collectHandlers(facts, text, step),
})

export const STATE_IN_TEXT: RegExp =
  /status|locked|suspended|state|stage|phase|decision|approv|releas|verif|confirm|accept|reject|certif|estado|estatus|situacao|statut|zustand/i
/** What a handler of another file does to the element, the file that registers it does not say. */
const WRITE_IN_TEXT = /['"`](?:CREATE|UPDATE|INSERT|UPSERT|PATCH|SAVE|WRITE|\*)['"`]/
/** Elements that say how far a row has come, and who may go on with it, in the languages that models are written in. */
const STATE = /(?:status|state|stage|phase|decision|approval|estado|estatus|situacao|statut|zustand)(?:_?(?:code|id|key))?$/i
const FLAG = /^(?:is_?)?(?:blocked|locked|suspended|approved|released|verified|confirmed|accepted|rejected|certified)$/i
const WRITE = /^(?:CREATE|UPDATE|INSERT|UPSERT|PATCH|SAVE|WRITE|\*)$/
export const REFUSES: RegExp = /\.\s{0,4}(?:error|reject)\s{0,4}\(|\bthrow\b/
export const ROLE: RegExp =
  /\.\s{0,4}is\s{0,4}\(|\b403\b|forbidden|unauthori[sz]ed|hasRole|isAdmin|\buser\s{0,4}\.\s{0,4}(?:attr|roles)\b|\buser\s{0,4}\??\.\s{0,4}id\s{0,4}[!=]==?|[!=]==?\s{0,4}(?:req|cds\.context)\s{0,4}\.\s{0,4}user\b/i

function collectHandlers(facts: ScriptFacts, text: string, step: (count?: number) => void): StateHandler[] {
  const { handlers, handlersOf } = findHandledFunctions(facts)
  if (handlers.length === 0) return []
  const sets = new Map<HandlerFunction, SetElement[]>()
  const gives = new Map<HandlerFunction, SetElement[]>()
  const signs = new Map<HandlerFunction, SetElement[]>()
  const leavesNothing = createRefusalReader(facts, text)
  // whatever it is called: what rows are refused for is their state
  const { asked, isRefused } = refusedElements(facts, leavesNothing, step)
  for (const call of facts.calls) {
    step()
    const found = setIn(call, isRefused)
    const signed = signedIn(call)
    const around = found.elements.length + found.given.length + signed.length === 0 ? [] : handlersOf(call)
    // one function may be registered for several events: all handlers that it is, and of those that call it the first
    for (const handler of around.filter(({ fact }) => fact === around[0]?.fact)) {
      const names = found.entity === undefined ? (handler.entities ?? []) : [found.entity]
      for (const entity of names) {
        for (const element of found.elements) append(sets, handler, { entity, element })
        for (const element of found.given) append(gives, handler, { entity, element })
        for (const element of signed) append(signs, handler, { entity, element })
      }
    }
  }
  const overwritten = createInnerIndex(facts.assignments.map(({ target }) => target).concat(facts.deletions))
  const callsIn = createInnerIndex(facts.calls)
  const guardsOf = groupBy(facts.guards, (guard) => guard.function)
  const guardsIn = (fact: FunctionFact | undefined): readonly Guard[] => (fact && guardsOf.get(fact)) ?? []
  const refuses = createCodeReader(text, (code) => REFUSES.test(code))
  const asksRole = createCodeReader(text, (code) => ROLE.test(code))
  const isAccountCheck = createAccountReader(facts, text, step)
  const isRoleGate = createRoleGateReader(facts, text, step)
  let usesOf: ((around: Span) => readonly Use[]) | undefined
  return handlers.flatMap((handler) => {
    const { call, phase, events, entities, service, fact } = handler
    const named = events.map((name) => name ?? '*')
    const isWrite = named.some((name) => WRITE.test(name))
    if (!isWrite && named.every((name) => CRUD_EVENT.test(name))) return []
    const functions = reachedFrom(handler, facts, callsIn)
    usesOf ??= createInnerIndex([...usesIn(facts, step)])
    const uses = functions.flatMap(usesOf)
    step(uses.length + functions.length)
    const namesOfKind = (kind: Use['kind']): readonly string[] => [
      ...new Set(uses.flatMap((use) => (use.kind === kind ? [use.name] : []))),
    ]
    return [
      {
        start: call.start,
        end: call.callee.end,
        phase,
        events: named,
        entities,
        service: service.name,
        isConnected: service.kind === 'connected',
        isForDrafts: isForDrafts(call),
        sets: sets.get(handler) ?? [],
        gives: gives.get(handler) ?? [],
        signs: signs.get(handler) ?? [],
        overwrites: isWrite ? functions.flatMap((fact) => overwritten(fact).flatMap((part) => lastNameOf(part) ?? [])) : [],
        touches: isWrite ? namesOfKind('touched') : [],
        lateTouches: isWrite && phase === 'before' ? lateTouches(uses, guardsIn(fact), leavesNothing, step) : [],
        refusedSent: isWrite && phase === 'before' ? refusedWhereSent(guardsIn(fact), leavesNothing) : [],
        computes: isWrite && phase !== 'after' ? functions.flatMap((fact) => computedElements(fact, facts, step)) : [],
        defaults: isWrite && phase !== 'after' ? functions.flatMap((fact) => defaultedIn(fact, facts, step)) : [],
        compares:
          isWrite && sets.get(handler) === undefined && !functions.some(refuses)
            ? []
            : [...new Set([...namesOfKind('compared'), ...functions.flatMap((one) => [...(asked.get(one) ?? [])])])],
        refuses: functions.some(refuses),
        asksRole: functions.some((one) => asksRole(one) && !isAccountCheck(one)),
        // what asks for a role before all events asks for it before operations, too
        isOpen: fact === undefined || (isWrite && !isRoleGate(handler) && handsOn(handler, facts, callsIn, ACCOUNT_GATE)),
      },
    ]
  })
}

/** The calls within a function. */
export type CallsIn = (around: Span) => readonly CallValue[]

/** `srv.before('CREATE', Books.drafts, …)`. */
export function isForDrafts({ args }: CallValue): boolean {
  const target = args.length > 2 ? args[1] : undefined
  if (target === undefined) return false
  const constant = constantOf(target)
  return constant === undefined ? pathOf(target)?.at(-1) === 'drafts' : String(constant).endsWith('.drafts')
}

/** The elements of `UPDATE(Orders).set({ status: 'APPROVED' })`, and its entity; undefined: that of the handler. `isRefused` tells elements that are states, whatever they are called. */
export function setIn(
  call: CallValue,
  isRefused: RefusedElements['isRefused'] = () => false,
): {
  readonly entity: string | undefined
  readonly elements: readonly string[]
  readonly given: readonly string[]
} {
  const none = { entity: undefined, elements: [], given: [] }
  const { args, texts } = call
  const update = entityOfUpdate(call)
  if (update === undefined) return none
  const elements =
    texts === undefined ? args.flatMap((given) => decidedFields(given, update.entity, isRefused)) : decidedText(texts[0] ?? '')
  const given = texts === undefined ? args.flatMap(givenFields) : []
  return { ...update, elements, given }
}

/** In words: who approved, also one side of a row. */
const SIGNED =
  /(?:^| )(?:approver|(?:approved|released|authori[sz]ed|signed|signed off|countersigned) by)(?: (?:id|name|user|email))?$/

/** `UPDATE(Entries).set({ correction_approved_by: req.user.id })`. */
function signedIn(call: CallValue): readonly string[] {
  if (entityOfUpdate(call) === undefined) return []
  return call.args.flatMap((given) => {
    const row = resolveValue(given)
    if (row.kind !== 'object') return []
    return row.fields.flatMap(({ key, value }) =>
      key !== undefined && SIGNED.test(toWords(key)) && mentionsUser(value) ? [key] : [],
    )
  })
}

/** The entity of `UPDATE(Orders, ID).with(…)` or `tx.update(Orders).set(…)`, where a call is that; in it undefined: that of the handler. */
export function entityOfUpdate({ callee }: CallValue): { readonly entity: string | undefined } | undefined {
  if (callee.kind !== 'member' || !/^(?:set|with|data)$/.test(callee.name ?? '')) return undefined
  const isUpdate =
    builderBehind(callee) === 'UPDATE' ||
    findPart(callee.object, (part) => part.kind === 'call' && part.callee.kind === 'member' && part.callee.name === 'update') !==
      undefined
  const named = isUpdate ? entityIn(callee.object) : undefined
  return named === undefined ? undefined : { entity: /^(?:subject|target)$/.test(named) ? undefined : named }
}

/** `priority` of `{ priority: req.data.newPriority }`. */
function givenFields(written: Value): string[] {
  const row = resolveValue(written)
  if (row.kind !== 'object') return []
  return row.fields.flatMap(({ key, value }) => {
    const accesses = key === undefined ? [] : accessesOf(value)
    const isGiven = accesses.length > 0 && accesses.every(({ root, steps }) => isContextRoot(root) && steps[0] === 'data')
    return key !== undefined && isGiven ? [key] : []
  })
}

/** Of a tagged template: `set` followed by a text, status = 'APPROVED'. */
function decidedText(text: string): string[] {
  const found = /^\s{0,20}(\w{1,60})\s{0,4}=\s{0,4}(?:'|true)/.exec(text)?.[1]
  return found !== undefined && isState(found) ? [found] : []
}

function decidedFields(given: Value, entity: string | undefined, isRefused: RefusedElements['isRefused']): string[] {
  const row = resolveValue(given)
  if (row.kind !== 'object') return []
  return row.fields.flatMap(({ key, value }) => {
    const assigned = key !== undefined && constantOf(value) === undefined ? resolveValue(value) : value
    // { status: { '=': 'APPROVED' } }
    const inner = assigned.kind === 'object' ? assigned.fields[0]?.value : value
    if (key === undefined || inner === undefined) return []
    const word = isNothing(inner) ? undefined : constantOf(inner)
    const isWord = typeof word === 'string' && isRefused(entity, key, word)
    return isWord || (isState(key) && isDecided(inner)) ? [key] : []
  })
}

export function isState(name: string): boolean {
  return STATE.test(name) || FLAG.test(name)
}

/** A constant, one of several, or a look-up; not what the request holds. */
function isDecided(value: Value): boolean {
  const constant = constantOf(value)
  if (constant !== undefined) return constant !== null && constant !== ''
  const made = resolveValue(value)
  if (made.kind === 'choice') return made.options.some(isDecided)
  if (made.kind !== 'member') return false
  return made.name === undefined || accessesOf(made).every(({ root }) => !root.startsWith('parameter:'))
}

/** The entity of the call of a chain that names it. */
function entityIn(chain: Value): string | undefined {
  let here = chain
  for (let depth = 0; depth < MAX_CHAIN; depth++) {
    if (here.kind === 'call') {
      const [first] = here.args
      const name = lastNameOf(here.callee)
      if (first !== undefined && /^(?:UPDATE|entity|update)$/.test(name ?? '')) {
        const text = stringConstantOf(first)
        const found = text ?? lastNameOf(first)
        return found?.slice(found.lastIndexOf('.') + 1)
      }
      here = here.callee
    } else if (here.kind === 'member') here = here.object
    else return undefined
  }
  return undefined
}

const MAX_CHAIN = 12
const MAX_CALLED = 30
const MAX_HOPS = 3

/** The function of a handler, and those of its script that it calls; `counts` says which calls lead on. */
export function reachedFrom(
  { fact }: Pick<HandlerFunction, 'fact'>,
  facts: ScriptFacts,
  callsIn: CallsIn,
  counts: (call: CallValue) => boolean = () => true,
): readonly FunctionFact[] {
  const reached = new Set(fact === undefined ? [] : [fact])
  let next = [...reached]
  for (let hop = 0; hop < MAX_HOPS && next.length > 0; hop++) {
    const calls = next.flatMap(callsIn).filter(counts)
    const called = calls.flatMap(({ callee }) => functionOf(callee) ?? handlerFunction(callee, facts) ?? [])
    next = [...new Set(called)].filter((one) => !reached.has(one)).slice(0, Math.max(0, MAX_CALLED - reached.size))
    for (const one of next) reached.add(one)
  }
  return [...reached]
}

export interface Use extends Span {
  readonly name: string
  readonly kind: 'touched' | 'compared'
}

/** Names of members that a script uses: of anything but the rows that it has read itself, and in comparisons. */
export function* usesIn(facts: ScriptFacts, step: (count?: number) => void): Generator<Use> {
  const defaults = startsOfDefaults(facts, step)
  const touched = function* (value: Value): Generator<Use> {
    const { start, end } = value
    if (value.kind === 'member' && value.name !== undefined && !isRow(value.object) && !defaults.has(start))
      yield { start, end, name: value.name, kind: 'touched' }
  }
  for (const deleted of facts.deletions) yield* touched(deleted)
  for (const { value } of valuesOf(facts)) {
    step()
    yield* touched(value)
    if (value.kind !== 'operation' && value.kind !== 'call') continue
    const { start, end } = value
    const sides = value.kind === 'operation' ? value.operands : SEEKS.test(lastNameOf(value.callee) ?? '') ? value.args : []
    if (value.kind === 'operation' && value.operator === 'in' && sides[0] !== undefined)
      yield { start, end, name: String(constantOf(sides[0])), kind: 'touched' }
    if (value.kind === 'operation' && !/^[!=]==?$/.test(value.operator)) continue
    for (const side of sides) for (const name of namesOf(side)) yield { start, end, name, kind: 'compared' }
  }
  for (const { definitions } of facts.bindings)
    for (const { start, end, value, path, parameter } of definitions) {
      step()
      if (value === undefined ? parameter === undefined : isRow(value)) continue
      for (const name of path) yield { start, end, name, kind: 'touched' }
    }
}

const SEEKS = /^(?:includes|has|indexOf)$/

/** `status` of `order.status`, and of a name that was taken out of a row. */
function namesOf(value: Value): readonly string[] {
  if (value.kind === 'member') return value.name === undefined ? [] : [value.name]
  if (value.kind !== 'reference') return []
  return value.binding?.definitions.flatMap(({ path }) => path.slice(-1)) ?? []
}
