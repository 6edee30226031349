import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  findPart,
  resolveValue,
  type Assignment,
  type Binding,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { awaited } from '../../../facts/conditions.ts'
import { isNothing } from '../../../facts/values.ts'
import { append, groupBy } from '../../../lists.ts'
import { CRUD_EVENT, toWords, type HandlerFunction } from '../../../model/cap/index.ts'
import { isContext, isLogCall, isOfUi5App, isSentData } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { asksOfUser, isCheck, mentionsUser, rolesAsked } from '../_callers/asked-users.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from '../_handlers/handled-functions.ts'
import { baseOf } from '../_handlers/query-chains.ts'
import { scriptQueries, type ScriptQuery, type Term } from '../_handlers/script-queries.ts'
import { comparedWithUser } from './asked-owners.ts'
import { asksPresence, sentElement } from './client-data.ts'

/**
 * Who decides about a row: `chosen`, an operation writes into the row whom the client names, and looks at that in no way; `asked`, an operation that decides refuses whoever is not
 * named there, and asks for nothing else.
 */
export interface ChosenDecider extends Span {
  readonly kind: 'chosen' | 'asked'
  /** The last part of its name. */
  readonly entity: string
  readonly column: string
  /** What the client sends: `req.data.approverId`. */
  readonly client: string
  /** What the handlers around it are registered for. */
  readonly handled: readonly EventNames[]
}

export const chosenDeciders: Extract<ChosenDecider> = defineExtract({
  name: 'cap-chosen-deciders',
  keywords: ['UPDATE', 'INSERT', 'SELECT'],
  prefilter: (text) => DECIDER_IN_TEXT.test(text) && /\b(?:req|oReq)(?:uest)?\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  collect: ({ facts, step }) => [...findChosen(facts, step), ...findAsked(facts, step)],
})

const DECIDER_IN_TEXT = /approver|reviewer|supervisor|decider|verifier|assessor|controller_|manager|superior/i
/** In words: who is to decide. Who did is another column. */
const DECIDER =
  /(?:^| )(?:approver|reviewer|supervisor|decider|verifier|assessor|(?:line )?manager|superior)(?: (?:id|uuid|name|user|e ?mail))?$/
/** In words: operations that decide. Who accepts a review or a task takes over the work. */
const DECIDES =
  /^(?:(?:bulk|mass|multi|batch|do|on|set|mark|as) ){0,2}(?:(?:approv(?:e|al)|authori[sz]e|decide|sign ?off|countersign)(?: |$)|(?:accept|release) (?!(?:review|assign|invit|task|job|offer|role|claim|lock|nominat)))/
/** Whoever hands on what waits for a decision of theirs names the next one. */
const HANDS_ON = /forward|delegat|escalat|reassign|substitut|transfer/

function* findChosen(facts: ScriptFacts, step: (count?: number) => void): Generator<ChosenDecider> {
  const queries = scriptQueries(facts, step).filter(({ kind }) => kind === 'update' || kind === 'insert')
  if (queries.length === 0) return
  let handled: ReturnType<typeof findHandledFunctions> | undefined
  let looks: ((client: string, around: FunctionFact, column: string) => boolean) | undefined
  step(facts.assignments.length)
  const assigned = groupBy(facts.assignments, ({ target }) =>
    target.object.kind === 'reference' ? target.object.binding : undefined,
  )
  const all = queries.map((query) => ({ query, written: writtenBy(query, assigned, step) }))
  const given = new Set(all.flatMap(({ query, written }) => written.flatMap((term) => (isGiven(term) ? keyOf(query, term) : []))))
  for (const { query, written } of all) {
    const { base, entity } = query
    // who is to decide now names the next one
    if (query.terms.some(({ column, value }) => DECIDER.test(toWords(column)) && mentionsUser(value))) continue
    for (const term of written) {
      const { column, value } = term
      const client = DECIDER.test(toWords(column)) ? sentInAnyCase(value) : undefined
      if (client === undefined || given.has(keyOf(query, term))) continue
      handled ??= findHandledFunctions(facts)
      const around = operationsOf(handled.handlersOf(base))
      const names = around.flatMap(({ events }) => events.map((event) => toWords(event ?? '')))
      if (around.length === 0 || names.some((name) => DECIDES.test(name) || HANDS_ON.test(name))) continue
      if ((looks ??= createLookReader(facts, step))(client, base.function, column)) continue
      yield { kind: 'chosen', entity, column, client, handled: around.map(eventNamesOf), start: value.start, end: value.end }
    }
  }
}

function keyOf({ base, entity }: ScriptQuery, { column }: Term): string {
  return `${base.function.start} ${entity} ${column}`
}

/** The server says who is to decide: that counts, whatever was proposed before. */
function isGiven({ column, value }: Term): boolean {
  return DECIDER.test(toWords(column)) && !isNothing(value) && sentInAnyCase(value) === undefined
}

/** What the client sends, unless something else is taken where the server knows better: `reviewer ?? row.lead`, not `row.lead ?? reviewer`. */
function sentInAnyCase(value: Value): string | undefined {
  const definitions = value.kind === 'reference' ? (value.binding?.definitions ?? []) : []
  if (definitions.filter((one) => one.value === undefined || !isNothing(one.value)).length > 1) return undefined
  const made = resolveValue(value)
  if (made.kind !== 'choice') return sentElement(value)
  const [first] = made.options
  return made.test === undefined && made.isAnd !== true && first !== undefined ? sentElement(first) : undefined
}

/** Handlers of nothing but operations. */
function operationsOf(handlers: readonly HandlerFunction[]): readonly HandlerFunction[] {
  const isOperation = ({ phase, events }: HandlerFunction): boolean =>
    phase === 'on' && events.length > 0 && events.every((name) => name !== undefined && name !== '*' && !CRUD_EVENT.test(name))
  return handlers.every(isOperation) ? handlers : []
}

/** What a query writes into rows, also what was put into the row before: `row.approver_ID = req.data.approverId`. */
function writtenBy(
  { base, given, rows }: ScriptQuery,
  assigned: ReadonlyMap<Binding | undefined, readonly Assignment[]>,
  step: (count?: number) => void,
): readonly Term[] {
  const own = new Set(rows.flatMap((row) => (row.kind === 'reference' ? (row.binding ?? []) : [])))
  if (own.size === 0) return given
  const later = [...own].flatMap((binding) => assigned.get(binding) ?? [])
  step(later.length)
  return [
    ...given,
    ...later.flatMap(({ target: { name, end }, value }) =>
      name !== undefined && end < base.end ? [{ column: name, value }] : [],
    ),
  ]
}

/**
 * Tells whether a function looks at what the client sends for somebody: it leaves by a condition about that, or about a row that was read by it, it writes under such a condition,
 * or another function gets it. That there is one at all says nothing. Or it compares the column with the user.
 */
function createLookReader(
  { guards, calls }: ScriptFacts,
  step: (count?: number) => void,
): (client: string, around: FunctionFact, column: string) => boolean {
  const guardsOf = groupBy(guards, (guard) => guard.function)
  const callsOf = groupBy(calls, (call) => call.function)
  return (client, around, column) => {
    const isSent = (part: Value): boolean => sentElement(part) === client
    const own = guardsOf.get(around) ?? []
    const called = callsOf.get(around) ?? []
    step(own.length + called.length)
    if (own.some(({ test, exits }) => exits && !isPresence(test, isSent) && findPart(test, isSent) !== undefined)) return true
    if (own.some(({ test, exits }) => (exits ? findPart(test, getsWholeData) !== undefined : asksMore(test, isSent)))) return true
    if (own.some((guard) => comparedWithUser(guard)?.column === column || isForRole(guard))) return true
    return called.some((call) => mayCheck(call, isSent))
  }
}

/** `!approverId`, `approverId == null`, `!timesheetId || !approverId`. */
function isPresence(test: Value, isSent: (part: Value) => boolean): boolean {
  return asksPresence(test, isSent, ({ options }) =>
    options.every((one) => isPresence(one, isSent) || findPart(one, isSent) === undefined),
  )
}

/** `if (isManager(approverId)) { … }`; that a row was found by it says nothing of who that is. */
function asksMore(test: Value, isSent: (part: Value) => boolean): boolean {
  if (test.kind === 'choice') return test.options.some((one) => asksMore(one, isSent))
  if (isPresence(test, isSent)) return false
  const parts = test.kind === 'operation' ? test.operands : test.kind === 'call' ? test.args : []
  return parts.some(isSent)
}

/** Callers without a role are turned away: who has it is trusted with the choice. */
function isForRole({ test, exits }: Guard): boolean {
  return exits && (rolesAsked(test) !== undefined || isRightAsked(test))
}

/** `!isAdmin(req.user)`, `!(await mayAssign(req))`: a function is asked about whoever calls. */
function isRightAsked(test: Value): boolean {
  if (test.kind === 'choice') return test.options.some(isRightAsked)
  const [negated] = test.kind === 'operation' && test.operator === '!' ? test.operands : [test]
  const call = negated === undefined ? undefined : resolveValue(awaited(resolveValue(negated)))
  return call?.kind === 'call' && asksOfUser(test) && baseOf(call) === undefined && call.args.some(isCaller)
}

function isCaller(given: Value): boolean {
  return isContext(given) || mentionsUser(given)
}

/** A function that is no part of a query gets what the client sends for somebody, or checks the request. */
function mayCheck(call: CallValue, isSent: (part: Value) => boolean): boolean {
  if (isLogCall(call) || baseOf(call) !== undefined || PLAIN.test(lastNameOf(call.callee) ?? '')) return false
  return (
    call.args.some((given) => fieldsOf(given).some((one) => isSent(one) || isSent(resolveValue(one)))) ||
    (asksForRight(call) && call.args.some((given) => isCaller(given) || isSentData(given)))
  )
}

function fieldsOf(given: Value): readonly Value[] {
  return given.kind === 'object' ? given.fields.map(({ value }) => value) : [given]
}

/** `requireRole(req, 'Reviewer')`, `checkApprover(req.data)`: by its name. */
function asksForRight(call: CallValue): boolean {
  return isCheck(call) || RIGHT.test(lastNameOf(call.callee) ?? '')
}

const RIGHT = /^(?:require|demand|enforce|must|only)(?=[A-Z_])|role|admin/i

function getsWholeData(part: Value): boolean {
  return part.kind === 'call' && part.args.some(isSentData)
}

/** Calls that only make, add or tell something of what they get. */
const PLAIN = /^(?:String|trim|toString|push|add|stringify|emit|send|error|reject|notify|info|warn|uuid)$/

/** Operations that decide about a row that the user was to decide about. */
function* findAsked(facts: ScriptFacts, step: (count?: number) => void): Generator<ChosenDecider> {
  const handled = findHandledFunctions(facts)
  let questionsOf: ((guard: Guard) => readonly Guard[]) | undefined
  let checksOf: ((guard: Guard) => readonly CallValue[]) | undefined
  for (const guard of facts.guards) {
    step()
    const compared = guard.exits && asksOfUser(guard.test) ? comparedWithUser(guard) : undefined
    if (compared === undefined || !DECIDER.test(toWords(compared.column)) || asksTwice(guard.test)) continue
    const around = operationsOf(handled.handlersOf(guard)).filter(({ events }) =>
      events.some((event) => DECIDES.test(toWords(event ?? ''))),
    )
    if (around.length === 0) continue
    const { column } = compared
    questionsOf ??= createNearReader(
      facts.guards.filter(({ exits }) => exits),
      handled,
      step,
    )
    checksOf ??= createNearReader(facts.calls.filter(isRightCheck), handled, step)
    if (questionsOf(guard).some((other) => isOtherQuestion(other, guard, column))) continue
    if (checksOf(guard).some((call) => functionOf(call.callee) !== guard.function)) continue
    for (const entity of compared.entities)
      yield { kind: 'asked', entity, column, client: '', handled: around.map(eventNamesOf), start: guard.start, end: guard.end }
  }
}

type Place = Span & { readonly function: FunctionFact }

/** Finds what stands in the function of a place, or runs for the same handlers; the places of a file are put in order once. */
function createNearReader<Item extends Place>(
  items: readonly Item[],
  { handlersOf }: ReturnType<typeof findHandledFunctions>,
  step: (count?: number) => void,
): (place: Place) => readonly Item[] {
  const byFunction = groupBy(items, (item) => item.function)
  const byHandler = new Map<HandlerFunction, Item[]>()
  for (const item of items) for (const handler of handlersOf(item)) append(byHandler, handler, item)
  step(items.length)
  return (place) => {
    const found = [
      ...(byFunction.get(place.function) ?? []),
      ...handlersOf(place).flatMap((handler) => byHandler.get(handler) ?? []),
    ]
    step(found.length)
    return found
  }
}

/** `row.reviewer !== req.user.id || row.owner === req.user.id`: another question of the same condition turns users away. */
function asksTwice(test: Value): boolean {
  return test.kind === 'choice' && test.isAnd !== true && test.options.filter(asksOfUser).length > 1
}

/** The handler asks for more of the user: for a role, or that the row is not their own, or not of whoever is named there. */
function isOtherQuestion({ test, exits, start }: Guard, guard: Guard, column: string): boolean {
  return (
    start !== guard.start && exits && (asksOfUser(test) || findPart(test, (part) => isOfTwoColumns(part, column)) !== undefined)
  )
}

/** `row.reviewer_ID === row.owner_ID`. */
function isOfTwoColumns(part: Value, column: string): boolean {
  if (part.kind !== 'operation' || !/^[!=]==?$/.test(part.operator) || part.operands.some(mentionsUser)) return false
  const names = part.operands.map((one) => (one.kind === 'member' ? one.name : undefined))
  return names.includes(column) && names.every((name) => name !== undefined)
}

/** A function gets whoever calls, and may ask for a role. */
function isRightCheck(call: CallValue): boolean {
  return asksForRight(call) && call.args.some(isCaller) && baseOf(call) === undefined
}
