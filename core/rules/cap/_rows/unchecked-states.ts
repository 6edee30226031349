import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  constantOf,
  stringConstantOf,
  resolveValue,
  valuesOf,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, isWithin } from '../../../facts/span-index.ts'
import { keysGiven } from '../../../facts/values.ts'
import { groupBy } from '../../../lists.ts'
import {
  CRUD_EVENT,
  handlerFunction,
  toWords,
  type HandlerFunction,
  HANDLER_PACKAGES,
  usesHandlerPackage,
} from '../../../model/cap/index.ts'
import { isLogCall, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { eventNamesOf, findHandledFunctions, type EventNames } from '../_handlers/handled-functions.ts'
import { createRefusalReader } from '../_handlers/refusals.ts'
import { isInScript, takesRequest } from '../_handlers/handed-requests.ts'
import { isState, reachedFrom, setIn } from './decided-states.ts'
import { entityOfRow, readFrom } from './read-rows.ts'
import { refusedWords } from './own-refusals.ts'
import { isRow, OF_REQUEST } from './refused-elements.ts'
import { conditionsOf, statesGiven } from './update-conditions.ts'

/** A handler of operations: the state that it sets, and what it asks of the rows before that. */
export interface StateStep extends Span, EventNames {
  readonly phase: HandlerFunction['phase']
  readonly sets: readonly SetState[]
  /** Elements of rows that it has read, and for which it refuses requests. */
  readonly refused: readonly RefusedElement[]
  /** All that it says of rows by these names, but for what it writes, logs and answers. */
  readonly mentioned: readonly MentionedState[]
  /** What it asks is not all in the script. */
  readonly isOpen: boolean
}

/** A state that a handler sets by a constant. */
export interface SetState extends Span {
  /** The last part of the name of the entity. */
  readonly entity: string
  readonly element: string
  readonly isFinal: boolean
  /** The constants that it may be set to. */
  readonly words: readonly string[]
  /** All elements that it sets with that. */
  readonly beside: readonly string[]
}

export interface MentionedState {
  readonly name: string
  /** The last part of the name of the only entity that it is said of: that of an UPDATE whose result nobody asks for. */
  readonly of: string | undefined
  /** It is compared with this state alone, and refused for it. */
  readonly word?: string
}

export interface RefusedElement {
  /** The last part of the name of the entity that the row was read from; undefined: that of the request. */
  readonly entity: string | undefined
  readonly element: string
  /** It is refused for this state alone. */
  readonly word?: string
}

/** Handlers that take a row from one state to the next, or that run before these. */
export const stateSteps: Extract<StateStep> = defineExtract({
  name: 'cap-state-steps',
  keywords: ['.on(', '.before(', ...HANDLER_PACKAGES],
  prefilter: (text) => usesHandlerPackage(text) || /\b(?:srv|cds|service|Service|req)\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    const { handlers } = findHandledFunctions(facts)
    const own = handlers.filter(
      ({ phase, events }) =>
        phase !== 'after' && events.some((name) => name === undefined || name === '*' || !CRUD_EVENT.test(name)),
    )
    if (own.length === 0) return
    const looked = lookAt(facts, text, step)
    for (const handler of own) yield stepOf(handler, facts, looked, step)
  },
})

interface Looked {
  readonly text: string
  readonly callsIn: (around: Span) => readonly CallValue[]
  readonly mentionsIn: (around: Span) => readonly Mention[]
  /** What is refused for one state alone. */
  readonly words: ReadonlyMap<Mention, string>
  /** Elements of rows for which a function refuses requests. */
  readonly refusedIn: (fact: FunctionFact) => readonly RefusedElement[]
  /** States of what a function gets for a parameter, for which it refuses requests: `assertOpen(row)`. */
  readonly refusedOf: (fact: FunctionFact) => readonly RefusedPart[]
  /** A function refuses something. */
  readonly refuses: (fact: FunctionFact) => boolean
}

interface RefusedPart {
  readonly parameter: number
  readonly element: string
}

interface Mention extends Span {
  readonly name: string
  /** What may be an element of a row. */
  readonly value?: Value
}

function lookAt(facts: ScriptFacts, text: string, step: (count?: number) => void): Looked {
  const mentionsIn = createInnerIndex([...mentionsOf(facts, step)])
  const refuses = createRefusalReader(facts, text)
  const refusing = facts.guards.filter((guard) => refuses(guard))
  const guardsOf = groupBy(refusing, (guard) => guard.function)
  const words = refusedWords(refusing, mentionsIn)
  const refused = new Map<FunctionFact, readonly RefusedElement[]>()
  const parts = new Map<FunctionFact, readonly RefusedPart[]>()
  return {
    text,
    callsIn: createInnerIndex(facts.calls),
    mentionsIn,
    words,
    refuses: (fact) => guardsOf.has(fact),
    refusedOf(fact) {
      const known = parts.get(fact) ?? (guardsOf.get(fact) ?? []).flatMap(({ test }) => partsIn(mentionsIn(test), fact))
      parts.set(fact, known)
      return known
    },
    refusedIn(fact) {
      const known =
        refused.get(fact) ?? (guardsOf.get(fact) ?? []).flatMap(({ test }) => elementsIn(mentionsIn(test), words, step))
      refused.set(fact, known)
      return known
    },
  }
}

/** `status` of `order.status` where `order` is a row of an entity; that of a response, or of what another function returns, is no element. */
function elementsIn(
  mentions: readonly Mention[],
  words: Looked['words'],
  step: (count?: number) => void,
): readonly RefusedElement[] {
  return mentions.flatMap((one) => {
    const { name, value } = one
    const word = words.get(one)
    const entity = value === undefined ? undefined : readFrom(value, step)
    if (entity === undefined) return []
    return [{ entity: OF_REQUEST.test(entity) ? undefined : entity, element: name, ...(word !== undefined && { word }) }]
  })
}

/** `status` of `row.status` where the row is a parameter, and of `({ status })`. */
function partsIn(mentions: readonly Mention[], { parameters }: FunctionFact): readonly RefusedPart[] {
  return mentions.flatMap(({ name, value }) => {
    const row = value !== undefined && 'object' in value ? value.object : value
    if (row === undefined || !('binding' in row) || row.binding === undefined || !isState(name)) return []
    const { definitions } = row.binding
    const taken = row === value ? definitions.find(({ path }) => path.length === 1)?.parameter : undefined
    const parameter = taken ?? parameters.indexOf(row.binding)
    return parameter < 0 ? [] : [{ parameter, element: name }]
  })
}

/** `status` of `order.status`, `const { status } = order` and where that name is used, `.where({ status: 'OPEN' })` and of a text that names it. */
function* mentionsOf(facts: ScriptFacts, step: (count?: number) => void): Generator<Mention> {
  for (const { value } of valuesOf(facts)) {
    step()
    const { start, end } = value
    if (value.kind === 'member' && value.name !== undefined) yield { start, end, name: value.name, value }
    if (value.kind === 'reference')
      for (const { path } of value.binding?.definitions.slice(0, MOST_GIVEN) ?? [])
        for (const name of path.slice(-1)) yield { start, end, name, value }
    if (value.kind === 'object')
      for (const { key, start: at } of value.fields) if (key !== undefined) yield { start: at, end, name: key }
    const text = stringConstantOf(value)
    if (text !== undefined && text.length < LONGEST && /\w/.test(text))
      for (const name of text.split(/\W/)) if (name !== '') yield { start, end, name }
  }
  for (const { definitions } of facts.bindings)
    for (const { start, end, path } of definitions) for (const name of path.slice(0, -1)) yield { start, end, name }
  for (const { texts, start, end } of facts.calls)
    for (const text of texts ?? []) {
      step()
      for (const name of text.slice(0, LONGEST).split(/\W/)) if (name !== '') yield { start, end, name }
    }
}

const LONGEST = 300
/** A name may be given values in thousands of places. */
const MOST_GIVEN = 8

function stepOf(handler: HandlerFunction, facts: ScriptFacts, looked: Looked, step: (count?: number) => void): StateStep {
  const functions = reachedFrom(handler, facts, looked.callsIn)
  const calls = functions.flatMap(looked.callsIn)
  step(functions.length + calls.length)
  const sets = handler.phase === 'before' ? [] : calls.flatMap((call) => setsOf(call, handler))
  const written = calls.filter(isWriting).flatMap(({ args }) => args)
  // what follows the last change is the answer
  const starts = new Set(sets.map(({ start }) => start))
  const end = calls.reduce((last, call) => (starts.has(call.start) ? Math.max(last, call.end) : last), 0)
  const isBefore = (one: Span): boolean => sets.length === 0 || one.start < end || !isWithin(one, handler.fact ?? one)
  const mentions = functions.flatMap(looked.mentionsIn).filter(isBefore)
  step(mentions.length + written.length)
  const writtenIn = createInnerIndex(mentions)
  const left = new Set(written.flatMap(writtenIn))
  const conditions = [...conditionsOf(calls, looked.text)]
  const asides = new Map(
    conditions.flatMap(({ entity, args, isAside }) =>
      isAside ? args.flatMap(writtenIn).map((one): [Mention, string] => [one, entity]) : [],
    ),
  )
  const { start, end: callEnd } = handler.call
  return {
    ...eventNamesOf(handler),
    start,
    end: callEnd,
    phase: handler.phase,
    sets,
    refused: [
      ...functions.flatMap(looked.refusedIn),
      ...calls.flatMap((call) => refusedBy(call, facts, looked, step)),
      ...(functions.some(looked.refuses) ? conditions.flatMap(statesGiven) : []),
    ],
    mentioned: mentionedStates(
      mentions.filter((one) => !left.has(one)),
      asides,
      looked.words,
      new Set(calls.filter(readsColumns).flatMap(writtenIn)),
    ),
    isOpen: handler.fact === undefined || calls.some((call) => mayAsk(call, facts)),
  }
}

/** What is written and logged tells nothing of what was asked. */
function isWriting(call: CallValue): boolean {
  return isLogCall(call) || WRITES.test(lastNameOf(call.callee) ?? '')
}

const WRITES = /^(?:set|with|data|entries|rows|values|emit|info|notify|warn)$/

function setsOf(call: CallValue, { entities }: HandlerFunction): StateStep['sets'] {
  const { entity, elements } = setIn(call)
  const names = entity === undefined ? (entities ?? []) : [entity]
  const { start, end, args } = call
  const beside = keysGiven(args)
  return names.flatMap((name) =>
    elements.flatMap((element) =>
      isState(element) ? { start, end, entity: name, element, ...wordsOf(call, element), beside } : [],
    ),
  )
}

/** `status: 'REJECTED'`, `Status.Approved`, and what `isFine ? 'APPROVED' : 'REJECTED'` may be. */
function wordsOf({ args, texts }: CallValue, element: string): Pick<SetState, 'words' | 'isFinal'> {
  if (texts !== undefined) {
    const words = toWords(texts.join(' ')).match(FINAL) ?? []
    return { words, isFinal: words.length > 0 }
  }
  const given = args.flatMap((row) =>
    row.kind === 'object' ? row.fields.flatMap(({ key, value }) => (key === element ? [value] : [])) : [],
  )
  const options = given.flatMap((value) => {
    const made = resolveValue(value)
    return made.kind === 'choice' ? made.options : [value]
  })
  const words = options.flatMap((option) => {
    const word = constantOf(option) ?? lastNameOf(option)
    return typeof word === 'string' ? toWords(word).toLowerCase() : []
  })
  return { words, isFinal: words.length > 0 && words.length === options.length && words.every((word) => FINAL.test(word)) }
}

/** Words for what somebody decides, or what ends a row. */
const FINAL =
  /\b(?:approved?|rejected?|declined?|denied|cancell?ed|completed?|closed|confirmed|released|paid|refunded|delivered|shipped|received|finished|settled|withdrawn|accepted|posted|aprobad[oa]|rechazad[oa]|aprovad[oa]|rejeitad[oa]|cancelad[oa]|genehmigt|abgelehnt|storniert|bezahlt)\b/i

/** A function of the script gets a row that was read, and refuses requests by its state. */
function refusedBy(call: CallValue, facts: ScriptFacts, { refusedOf }: Looked, step: (count?: number) => void): RefusedElement[] {
  const fact = handlerFunction(call.callee, facts)
  if (fact === undefined) return []
  return refusedOf(fact).flatMap(({ parameter, element }) => {
    const row = call.args[parameter]
    const entity = row === undefined ? undefined : entityOfRow(row, step)
    return entity === undefined ? [] : [{ entity: OF_REQUEST.test(entity) ? undefined : entity, element }]
  })
}

/** States by their names, each once; what is said of one entity alone counts for that. Columns that are read for a comparison say no more than that. */
function mentionedStates(
  mentions: readonly Mention[],
  asides: ReadonlyMap<Mention, string>,
  words: Looked['words'],
  columns: ReadonlySet<Mention>,
): readonly MentionedState[] {
  const compared = new Set(mentions.flatMap((one) => (words.has(one) ? one.name : [])))
  const found = new Map<string, MentionedState>()
  for (const one of mentions) {
    const { name } = one
    if (!isState(name) || (columns.has(one) && compared.has(name))) continue
    const of = asides.get(one)
    const word = words.get(one)
    found.set(`${of} ${name} ${word}`, { name, of, ...(word !== undefined && { word }) })
  }
  return [...found.values()]
}

/** `SELECT.one.from(Claims).columns('status')` */
function readsColumns({ callee }: CallValue): boolean {
  return lastNameOf(callee) === 'columns'
}

/** Another file gets the request or the row, or is asked by a name that promises a look at it. */
function mayAsk(call: CallValue, facts: ScriptFacts): boolean {
  const { callee, args } = call
  if (isInScript(call, facts)) return false
  if (takesRequest(call)) return true
  const name = lastNameOf(callee) ?? ''
  if (PLAIN.test(name) || isLogCall(call)) return false
  return ASKS.test(toWords(name).toLowerCase()) || args.some(isWholeRow)
}

function isWholeRow(value: Value): boolean {
  return value.kind === 'reference' && isRow(value)
}

const ASKS = /\b(?:check|checks|validate|valid|assert|ensure|verify|guard|can|may|must|require|allowed|transition|state|status)\b/
/** Calls that ask nothing. */
const PLAIN =
  /^(?:where|and|from|into|entries|set|with|data|columns|run|read|update|insert|emit|send|push|get|Number|String|parseInt|parseFloat|isArray|keys|values|stringify|info|notify|warn|error|reject|SELECT|UPDATE|INSERT|DELETE)$/
