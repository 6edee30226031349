import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  constantOf,
  findOrigin,
  findPart,
  isOnTheWay,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import type { HandlerFunction } from '../../../model/cap/index.ts'
import { findModelTools, isContextName, isOfUi5App, MAY_HOLD_TOOLS, toolArgument } from '../../../model/script/index.ts'
import type { Place, Span } from '../../../types.ts'
import { createAccountTest } from '../_callers/account-checks.ts'
import { asksBeyondRole, asksOfUser, createAskedReader, mentionsUser, rolesAsked } from '../_callers/asked-users.ts'
import { lastName } from '../../../paths.ts'
import { sentElement } from './client-data.ts'
import { createFollowReader } from './followed-rows.ts'
import { isLookup } from './person-rows.ts'
import { notesRead } from './read-flags.ts'
import { baseOf, entityOf, type QueryKind } from '../_handlers/query-chains.ts'
import { scriptQueries, type ScriptQuery, type Term } from '../_handlers/script-queries.ts'
import { createRouteReader, routeData } from './route-owners.ts'
import { createToolOwnerReader } from './tool-owners.ts'
import { sqlAdditions, sqlQueries } from '../_sql/sql-queries.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'

/**
 * A query of a handler: `own`, one that asks for the rows of the user; `update`, `delete`, one that changes the row that the client names, without a look at the user in its
 * condition or in front of it; `read`, one that gives such a row back; `insert`, one that adds a row which refers to such a row.
 */
export interface OwnedQuery extends Span {
  readonly kind: QueryKind
  /** Of one for rows of the user: it reads them. */
  readonly isRead: boolean
  /** The last part of its name. */
  readonly entity: string
  /** Compared with the user, or with what the client sends. */
  readonly column: string
  readonly through?: Through
  /** What the client sends: `req.data.id`. */
  readonly client: string
  /** By a row that was read for what the client sends, or by a part of what it sends. */
  readonly isDerived: boolean
  /** Of one that reads: another function makes the answer of what it gives. */
  readonly isPassed?: true
  /** Of one that reads: nothing gives back what it finds, but the operation goes on with it. */
  readonly isFollowed?: true
  /** Of one that changes: whether somebody has seen a message, and nothing else. */
  readonly isFlag?: true
  /** The client is a language model that runs a tool: the text of a prompt decides. */
  readonly isOfTool?: true
  /** A statement of SQL. */
  readonly isSql?: true
  /** The query of a helper, where the place is the call of that. */
  readonly inHelper?: Place
  /** The entities that these rows, or rows that conditions in front of it look at, were read from, by the last parts of their names. */
  readonly via: readonly string[]
  /** Where the function around it starts. */
  readonly around: number
  /** The event of an action that is bound to the row: CAP asks for the condition of a restriction where that grants the action under one. */
  readonly action?: string
  /** The handler around it, as far as the file tells. */
  readonly event?: { readonly names: readonly string[]; readonly service: string | undefined; readonly isConnected: boolean }
  /** All that is asked of the user in front of it is one of these roles. */
  readonly byRoles?: readonly string[]
  /** The handler changes or reads rows that it names, so that CAP has asked for the restrictions of these. */
  readonly handled: readonly string[]
}

/** Rows are the user's because those are that they refer to. */
export interface Through {
  /** What they refer to, and the column of that which is compared with the user. */
  readonly of: string
  readonly owner: string
  /** The way there from the row, `file.createdBy`; without an association the column that holds the key. */
  readonly path: string
}

/** Queries of CAP handlers whose condition is about the user or about what the client sends. */
export const ownedQueries: Extract<OwnedQuery> = defineExtract({
  name: 'cap-owned-queries',
  keywords: ['UPDATE', 'DELETE', 'SELECT', 'INSERT', '.update(', '.delete(', '.query(', '.execute('],
  prefilter: (text) =>
    (/\b(?:req|oReq)(?:uest)?\b/.test(text) || MAY_HOLD_TOOLS.test(text)) &&
    /\b(?:where|WHERE)\b|\bbyKey\b|\b(?:UPDATE|DELETE|INSERT)\b|\.(?:update|delete)\(/.test(text),
  isFor: (path) => !isOfUi5App(path),
  collect: ({ facts, text, step }) => [
    ...findQueries(facts, text, step),
    ...sqlQueries(facts, step),
    ...sqlAdditions(facts, step),
  ],
})

function* findQueries(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<OwnedQuery> {
  let handled: ReturnType<typeof findHandledFunctions> | undefined
  let routes: ReturnType<typeof createRouteReader> | undefined
  let follows: ReturnType<typeof createFollowReader> | undefined
  let asksOwner: ReturnType<typeof createToolOwnerReader> | undefined
  const isAccount = createAccountTest(facts, text, step)
  // that the caller has an account says nothing of whose row it is
  const isUserAsked = createAskedReader(facts, (test) => asksOfUser(test) && !isAccount(test))
  const isAskedBeyondRole = createAskedReader(facts, asksBeyondRole)
  const queries = scriptQueries(facts, step)
  const tools = MAY_HOLD_TOOLS.test(text) ? findModelTools(facts) : new Set<FunctionFact>()
  for (const query of queries) {
    const { base, kind, entity, terms, given, last } = query
    const { start } = base
    const own = kind === 'insert' ? undefined : terms.find(({ value }) => isOfUser(value, facts, step))
    // what is read by keys of rows of the user, favourites for example, belongs to nobody by that
    const isOfOther = own !== undefined && readIn(own.value).length > 0
    step(isOfOther ? queries.length : 0)
    const through = isOfOther && REFERS.test(own.column) ? ownerBehind(own, queries) : undefined
    if (own !== undefined && !CRITERION.test(own.column) && !isKeyOfOther(own, isOfOther) && !isLookup(own, entity))
      yield {
        kind: 'own',
        isRead: kind === 'read',
        entity,
        column: own.column,
        ...(through !== undefined && { through }),
        client: '',
        isDerived: false,
        via: [],
        around: base.function.start,
        handled: [],
        start,
        end: last.end,
      }
    if (own !== undefined) continue
    step(terms.length)
    const keys = kind === 'insert' ? terms.filter(({ column }) => REFERS.test(column)) : terms
    const isChange = kind === 'update' || kind === 'delete'
    const sent = isChange ? keys.find(({ value }) => routeData(value) !== undefined) : undefined
    step(sent === undefined ? 0 : facts.guards.length)
    if (sent !== undefined && !(routes ??= createRouteReader(facts, queries)).isUnlike(base, entity)) continue
    const term =
      keys.find(({ value }) => sentElement(value) !== undefined) ??
      sent ??
      keys.find(({ value }) => derivedFrom(value) !== undefined) ??
      (kind === 'update' || kind === 'delete' ? keys.find(({ value }) => boundKey(value) !== undefined) : undefined) ??
      keys.find(({ value }) => toolArgument(value, tools) !== undefined)
    if (term === undefined) continue
    const byRoles = isUserAsked(base) && isChange && !isAskedBeyondRole(base) ? rolesBefore(base, facts, step) : []
    if (byRoles.length === 0 && isUserAsked(base)) continue
    handled ??= findHandledFunctions(facts)
    // what a helper reads, the handler that calls it may still compare
    const isOfTool = tools.has(base.function)
    // `skipper: user.id`, of the user that the tools were made for
    if (isOfTool && terms.some(({ value }) => !isChosenByModel(value, tools))) continue
    if (isOfTool && (asksOwner ??= createToolOwnerReader(facts, tools, step))(base.function)) continue
    const isAnswered = kind !== 'read' || isOfTool || handled.handlers.some(({ fact }) => fact === base.function)
    if (!isAnswered || (kind === 'read' && !KEY.test(term.column) && !(isOfTool && ADDRESS.test(term.column)))) continue
    const isGiven = kind !== 'read' || givesBack(last, facts, step)
    const isPassed = !isGiven && givesBack(last, facts, step, PASSED)
    const isFollowed = !isGiven && !isPassed
    if (isFollowed && (isOfTool || !(follows ??= createFollowReader(facts, text, queries, step))(query))) continue
    const direct = sentElement(term.value) ?? (term === sent ? routeData(term.value) : undefined)
    const derived = direct === undefined ? derivedFrom(term.value) : undefined
    const key = direct === undefined && derived === undefined ? boundKey(term.value) : undefined
    const argument = direct ?? derived?.client ?? key ?? toolArgument(term.value, tools)
    const handler = handled.handlerOf(base)
    const { events = [], entities = [], phase } = handler ?? {}
    const [action] = events
    // what follows from a change that CAP has made, with what rows hold
    if (phase === 'after' && kind === 'update' && given.length > 0 && given.every(({ value }) => isStored(value))) continue
    // the key of the row that CAP has been asked for is the client's choice where the event is an action
    if (key !== undefined && (phase !== 'on' || action === undefined || events.length > 1 || CRUD.test(action))) continue
    if (isFollowed && (phase !== 'on' || events.length === 0 || events.some((name) => name === undefined || CRUD.test(name))))
      continue
    const isAsked = events.every((name) => name !== undefined && INSTANCES.test(name))
    step(facts.guards.length)
    yield {
      kind,
      isRead: false,
      entity,
      column: term.column,
      client: argument ?? '',
      isDerived: derived !== undefined,
      ...(isOfTool && { isOfTool }),
      ...(key !== undefined && action !== undefined && { action }),
      ...(byRoles.length > 0 && { byRoles }),
      ...(isPassed && { isPassed: true as const }),
      ...(isFollowed && { isFollowed: true as const }),
      ...(kind === 'update' && notesRead(query) && { isFlag: true as const }),
      ...eventOf(handler),
      via: [
        ...(derived?.via ?? []),
        ...facts.guards.flatMap((guard) => (isOnTheWay(guard, base.start) ? readIn(guard.test) : [])),
      ],
      around: base.function.start,
      handled: isAsked ? [...entities] : [],
      start,
      end: base.end,
    }
  }
}

function isChosenByModel(value: Value, tools: ReadonlySet<FunctionFact>): boolean {
  return constantOf(value) !== undefined || toolArgument(value, tools) !== undefined
}

function rolesBefore({ start }: CallValue, { guards }: ScriptFacts, step: (count?: number) => void): readonly string[] {
  step(guards.length)
  return guards.flatMap((guard) => (isOnTheWay(guard, start) ? (rolesAsked(guard.test) ?? []) : []))
}

/** The handler around a query, as far as the file tells. */
export function eventOf(handler: HandlerFunction | undefined): Pick<OwnedQuery, 'event'> {
  if (handler === undefined) return {}
  const { events, service } = handler
  return {
    event: { names: events.flatMap((name) => name ?? []), service: service.name, isConnected: service.kind === 'connected' },
  }
}

/** What names one person. */
const ADDRESS = /e_?mail|phone|login/i

/** What one row is asked for by; a status or a year asks for many. */
export const KEY: RegExp = /(?:^|_)(?:id|uuid|guid|key|number|no|code)$|[a-z](?:Id|ID|UUID|Uuid|Key|Number|No|Code)$/i

const OWN_KEY = /^(?:id|uuid|guid|key)$/i

/** The key of a row that was read or made in front of it, and that names the user in another element. */
function isKeyOfOther({ column, value }: Term, isOfOther: boolean): boolean {
  if (!OWN_KEY.test(column)) return false
  return isOfOther || findPart(value, (part) => part.kind === 'call' && lastNameOf(part.callee) === 'entries') !== undefined
}

/** What the client sends is not of the user, although the handler puts the user beside it: `req.data.createdBy = req.user.id`. */
function isOfUser(value: Value, { assignments }: ScriptFacts, step: (count: number) => void): boolean {
  if (!mentionsUser(value)) return false
  const isPlain = /^(?:member|reference)$/.test(resolveValue(value).kind) && accessesOf(value).length === 1
  const sent = isPlain ? sentElement(value) : undefined
  if (sent === undefined) return true
  step(assignments.length)
  const name = lastName(sent)
  return assignments.some(({ target, value: given }) => {
    if (target.name === 'data') return givesUser(given, name)
    // under a name that is computed it may be this one
    return (target.name ?? name) === name && mentionsUser(given)
  })
}

/** The whole data are replaced: `req.data = { ...req.data, owner: req.user.id }`. */
function givesUser(data: Value, name: string): boolean {
  const made = resolveValue(data)
  if (made.kind !== 'object') return mentionsUser(data)
  return made.fields.some(({ key, computed, value }) => (computed === undefined ? key === name : true) && mentionsUser(value))
}

/** What many have in common, by which rules and prices are looked up: `GRADE: employee.grade`. */
const CRITERION = /(?:^|_|[a-z](?=[A-Z]))(?:grade|level|category|rank|tier|status|gender)(?:_?(?:id|code|key))?$/i

/** Events for rows that are there: CAP compares them with the condition of a restriction. */
export const INSTANCES: RegExp = /^(?:READ|UPDATE|DELETE|PATCH|EDIT|SAVE|CANCEL|each)$/

/** Events that are no operation of their own. */
export const CRUD: RegExp = /^(?:READ|CREATE|UPDATE|DELETE|UPSERT|PATCH|NEW|EDIT|SAVE|CANCEL|DISCARD|draft\w{0,20}|each|\*)$/i

/** Elements that hold the key of another row: `claim_ID`, `claimId`. */
const REFERS = /\w_(?:id|uuid|guid|key|number|no|code)$|[a-z](?:Id|ID|UUID|Uuid)$/i

/** What it reads is what the function gives back, and nothing there looks at the user. */
export function givesBack(
  query: CallValue,
  { guards, calls }: ScriptFacts,
  step: (count?: number) => void,
  through: RegExp = SAME,
): boolean {
  const around = query.function
  step(guards.length + around.returns.length)
  if (guards.some((guard) => guard.function === around && asksOfUser(guard.test))) return false
  const judge = (part: Value): 'source' | 'clean' | undefined => {
    step()
    if (part.start === query.start && part.end === query.end) return 'source'
    return part.kind === 'call' && !through.test(lastNameOf(part.callee) ?? '') ? 'clean' : undefined
  }
  // rows.forEach((row) => list.push(row.text))
  const listOf = (part: Value): readonly Value[] | undefined => {
    const within =
      part.kind === 'reference' ? part.binding?.definitions.find(({ parameter }) => parameter === 0)?.function : undefined
    if (within === undefined || within === around) return undefined
    step(calls.length)
    const loop = calls.find(({ callee, args: [first] }) => lastNameOf(callee) === 'forEach' && functionOf(first) === within)
    return loop?.callee.kind === 'member' ? [loop.callee.object] : undefined
  }
  return around.returns.some((value) => !mentionsUser(value) && findOrigin(value, judge, listOf) !== undefined)
}

/** `req.params[0].ID`, `const [{ ID }] = req.params`: the key of the row that an action is bound to. */
function boundKey(value: Value): string | undefined {
  for (const { binding, steps } of accessesOf(value))
    if (binding?.kind === 'parameter' && isContextName(binding.name) && steps[0] === 'params' && steps.length > 1)
      return `${binding.name}.params`
  return undefined
}

/** Calls whose result is what they get, in another form. */
const SAME = /^(?:parse|stringify|String|Number|parseInt|toString|trim|toUpperCase|toLowerCase|run|find|filter|at|shift|pop)$/

/** Calls that make a text or an object of what they get: a model, a template, a mapper. Those that check, count or write answer with something else. */
export const PASSED: RegExp =
  /^(?:parse|stringify|String|toString|trim|run|find|filter|map|at|shift|pop|join|slice|concat|(?:ask|chat|complete|completion|generate|summari[sz]e|answer|invoke|prompt|render|build|format|map|to|create|convert|serialize)\w{0,30}|\w{0,30}(?:llm|gpt|model|completion)(?:WithConfig)?|get\w{0,30}(?:response|answer|reply)(?:WithConfig)?)$/i

/** What the client sends, where a key is made of that, or of a row that was read by it and by nothing of the user. */
function derivedFrom(value: Value): { readonly client: string; readonly via: readonly string[] } | undefined {
  let client: string | undefined
  const via: string[] = []
  findOrigin(value, (part) => {
    // also by a name that was taken out of the data, or of a list there
    if (part.kind === 'member' || part.kind === 'reference') client ??= sentElement(part)
    if (client !== undefined) return 'source'
    if (part.kind !== 'call' && part.kind !== 'tagged') return undefined
    const base = baseOf(part)
    if (base?.kind === 'read') {
      via.push(...[entityOf(base.call.args[0])].filter((name) => name !== undefined))
      return mentionsUser(part) ? 'clean' : undefined
    }
    return SAME.test(lastNameOf(part.callee) ?? '') ? undefined : 'clean'
  })
  return client === undefined ? undefined : { client, via }
}

/** Nothing that the client sends, unless as a key of what is read. */
function isStored(value: Value): boolean {
  return sentElement(value) === undefined && (derivedFrom(value)?.via.length ?? 1) > 0
}

/** Of the key of a row that was read for the user: what that is a row of, and the column that was compared with the user. */
function ownerBehind({ column, value }: Term, queries: readonly ScriptQuery[]): Through | undefined {
  let found: Through | undefined
  const association = /^(\w{1,60})_(?:ID|id)$/.exec(column)?.[1]
  findPart(value, (part) => {
    const base = part.kind === 'call' || part.kind === 'tagged' ? baseOf(part) : undefined
    const query = base && queries.find((one) => one.base.start === base.call.start && one.base.end === base.call.end)
    const owner = query?.terms.find((term) => mentionsUser(term.value) && readIn(term.value).length === 0)
    if (query?.kind === 'read' && owner !== undefined) {
      const path = association === undefined ? column : `${association}.${owner.column}`
      found ??= { of: query.entity, owner: owner.column, path }
    }
    return found !== undefined
  })
  return found
}

/** The entities of whose rows something stands in a condition. */
export function readIn(test: Value): string[] {
  const found: string[] = []
  findPart(test, (part) => {
    const base = part.kind === 'call' || part.kind === 'tagged' ? baseOf(part) : undefined
    if (base?.kind === 'read') found.push(...[entityOf(base.call.args[0])].filter((name) => name !== undefined))
    return false
  })
  return [...new Set(found)]
}
