import { functionOfThis } from '../../facts/callbacks.ts'
import { calledBy } from '../../facts/own-answers.ts'
import {
  accessesOf,
  resolveValue,
  findPart,
  chainBack,
  type Access,
  type CallValue,
  type ScriptFacts,
  type Value,
  type Binding,
} from '../../facts/index.ts'
import { isCds, serviceKindOf, type CapFile } from './cap-receivers.ts'
import { nameOf } from '../graph/names.ts'
import { driverSinkOf } from './driver-sinks.ts'
import { isLogCall } from '../../model/script/index.ts'
import { isWithin } from '../../facts/span-index.ts'
import type { Span } from '../../types.ts'

/** A call that reads an argument as the text of a query. */
export interface QuerySink {
  /** `sql`: the database runs it as it stands; `cql`: CAP parses it. */
  readonly language: 'sql' | 'cql'
  /** The arguments that are text. */
  readonly texts: readonly Value[]
  /** As a developer calls it: `cds.run`, `SELECT.where`. */
  readonly name: string
  /** Made for names as well as for queries: of a text without blanks and brackets a name is the likelier reading. */
  readonly takesNames: boolean
  /** Names of columns and nothing else: a value put in by a tag would be no name. */
  readonly isOfColumns?: boolean
  /** Made for text alone: what comes from a request as a whole is a query too. */
  readonly takesWhole: boolean
  /** A whole condition is what the client sends as one: an object or a text, which CAP reads alike. */
  readonly takesCondition?: true
  /** A condition that may be a list: texts in it are parts of it as they stand. */
  readonly takesTokens?: true
  /** Known by its name alone: then the text has to look like SQL. */
  readonly isGuess: boolean
  /** Not even that: then the text has to be a statement of SQL. */
  readonly isUnknown?: boolean
  /** The receiver is called a database: a text that only others know counts, where request data surely is put into it. */
  readonly isNamed?: boolean
  /** What is called may be the query of another library: told only of what surely is put together of request data. */
  readonly isHandedIn?: boolean
  /** A function of another file, whose name tells that it runs a query: told only of what surely is sent. */
  readonly isElsewhere?: boolean
}

/** Fact: @sap/cds 9.9 lib/ql: Whereable (where, and, or, having), SELECT (from, columns, orderBy), UPDATE (with, set). */
const CONDITIONS: ReadonlySet<string> = new Set(['where', 'having', 'and', 'or'])
const NAMING: ReadonlySet<string> = new Set([
  'from',
  'into',
  'entity',
  'one',
  'distinct',
  'columns',
  'groupBy',
  'orderBy',
  'read',
])
/** Their second argument is a key, which is a value, or a list of columns. */
const TARGETING: ReadonlySet<string> = new Set(['from', 'into', 'entity'])
const COLUMNS: ReadonlySet<string> = new Set(['columns', 'groupBy', 'orderBy'])
const CHANGES: ReadonlySet<string> = new Set(['with', 'set'])
/** Shortcuts of services that begin a query. */
const SHORTCUTS: ReadonlySet<string> = new Set(['read', 'update', 'delete'])
const PARSERS: ReadonlySet<string> = new Set(['cql', 'expr', 'xpr', 'column'])
/** Of `cds.ql`: a text becomes a condition, or a part of one as it stands. Facts: @sap/cds 9.9 lib/ql/cds-ql.js, cds.ql-predicates.js. */
const CONDITION_MAKERS: ReadonlySet<string> = new Set(['expr', 'xpr', 'predicate', 'where'])

/** The query text that a call takes, if it is such a call. */
export function querySinkOf(call: CallValue, facts: ScriptFacts, file: CapFile): QuerySink | undefined {
  if (call.kind !== 'call' || call.args.length === 0) return undefined
  const { callee } = call
  const driver = driverSinkOf(call, facts, file)
  if (driver !== undefined) return driver
  if (callee.kind === 'member') {
    const name = callee.name
    if (name === 'run') return toRun(call, callee.object, file)
    if (
      name !== undefined &&
      !(
        CONDITIONS.has(name) ||
        NAMING.has(name) ||
        CHANGES.has(name) ||
        PARSERS.has(name) ||
        CONDITION_MAKERS.has(name) ||
        isBuilderName(name)
      )
    )
      return undefined
  }
  for (const access of accessesOf(callee)) {
    const sink =
      toFacade(call, access) ?? toParsed(call, access) ?? toBuilder(call, toBuilderSteps(access)) ?? toOwnQuery(call, access)
    if (sink !== undefined) return sink
  }
  return toShortcut(call, file) ?? toHandedQuery(call, file) ?? toHeldQuery(call, facts) ?? toGivenQuery(call)
}

/** `unpaid().orderBy(column)`: a query that a function of the file began. */
function toGivenQuery(call: CallValue): QuerySink | undefined {
  const { callee } = call
  if (callee.kind !== 'member' || callee.name === undefined || (!HANDED.has(callee.name) && !CONDITIONS.has(callee.name)))
    return undefined
  let here = callee.object
  for (let depth = 0; depth < MAX_CHAIN; depth++) {
    if (here.kind === 'await') here = here.value
    else if (here.kind === 'reference') {
      const given = resolveValue(here)
      if (given === here) return undefined
      here = given
    } else if (here.kind !== 'call' && here.kind !== 'tagged') return undefined
    else if (here.callee.kind === 'member' && isPartOfQuery(here.callee.name ?? '')) here = here.callee.object
    else {
      const returns = here.kind === 'call' ? (calledBy(here.callee)?.returns ?? []) : []
      const isQuery = returns.some((value) => accessesOf(value).some((access) => toBuilderSteps(access) !== undefined))
      return isQuery ? toQueryPart(call, nameOf(here), callee.name) : undefined
    }
  }
  return undefined
}

function isPartOfQuery(name: string): boolean {
  return HANDED.has(name) || CONDITIONS.has(name) || name === 'limit'
}

/** `this.query.where(text)` of a class that began it, `this.query = SELECT.from(entity)`. */
function toHeldQuery(call: CallValue, { assignments }: ScriptFacts): QuerySink | undefined {
  const { callee } = call
  const held = callee.kind === 'member' && HANDED.has(callee.name ?? '') ? callee.object : undefined
  if (callee.kind !== 'member' || held?.kind !== 'member' || held.object.kind !== 'this') return undefined
  const { owner } = functionOfThis(held.object.function)
  if (owner === undefined) return undefined
  const given = assignments.flatMap(({ target: { object, name }, value }) =>
    name === held.name && object.kind === 'this' && functionOfThis(object.function).owner === owner ? value : [],
  )
  if ('members' in owner)
    for (const { name, value } of owner.members) if (name === held.name && value !== undefined) given.push(value)
  const isQuery = given.some((value) => accessesOf(value).some((access) => toBuilderSteps(access) !== undefined))
  return isQuery && callee.name !== undefined ? toQueryPart(call, nameOf(held), callee.name) : undefined
}

/** `(query, text) => query.where(text)`: a query that somebody else began. */
function toHandedQuery(call: CallValue, { usesCap }: CapFile): QuerySink | undefined {
  const { callee } = call
  if (callee.kind !== 'member' || !HANDED.has(callee.name ?? '')) return undefined
  const [begin] = accessesOf(callee)
  const isQuery =
    begin?.root.startsWith('parameter:') === true &&
    begin.steps.every((step) => step === '()' || CONDITIONS.has(step) || COLUMNS.has(step) || step === 'limit') &&
    (usesCap || QUERY_NAME.test(begin.root.slice('parameter:'.length)))
  const part = isQuery && callee.name !== undefined ? toQueryPart(call, nameOf(callee.object), callee.name) : undefined
  return part && { ...part, isHandedIn: true }
}

const HANDED: ReadonlySet<string> = new Set(['where', 'having', ...COLUMNS])
const QUERY_NAME = /^(?:q|qry|query|select|cqn|stmt|statement|builder|qb)\d?$|Query$/

/** Methods of services whose result the database decides. */
const READS: ReadonlySet<string> = new Set(['run', 'read', 'exec', 'execute', 'executeQuery'])

/** Whether a value is what a query gives: rows of the database, whatever they were asked for with. */
export function isQueryResult(value: Value, file: CapFile): boolean {
  if (value.kind === 'tagged') return accessesOf(value.callee).some((access) => toBuilderSteps(access) !== undefined)
  if (value.kind !== 'call') return false
  const { callee } = value
  if (callee.kind === 'member' && READS.has(callee.name ?? '') && serviceKindOf(callee.object, file) !== undefined) return true
  if (accessesOf(callee).some((access) => toFacade(value, access) ?? toBuilderSteps(access))) return true
  return callee.kind === 'member' && CONDITIONS.has(callee.name ?? '') && beginOf(callee.object) !== undefined
}

function isBuilderName(name: string): boolean {
  return BUILDERS.has(name) || name === 'ql' || name === 'CQL'
}

function toRun(call: CallValue, receiver: Value, file: CapFile): QuerySink | undefined {
  const kind = serviceKindOf(receiver, file)
  const name = `${nameOf(receiver)}.run`
  const sink = { language: 'sql', texts: call.args.slice(0, 1), name, takesNames: false, takesWhole: true } as const
  if (kind !== undefined) return { ...sink, isGuess: kind === 'named' }
  if (!isHandedIn(receiver)) return undefined
  const isDatabase = DATABASE_NAME.test(name.split('.').at(-2) ?? '')
  return file.usesCap || isDatabase
    ? { ...sink, isGuess: true, isUnknown: true, ...(isDatabase && { isNamed: true }) }
    : undefined
}

/** What a repository calls the database that it was given. */
const DATABASE_NAME = /^[_#]?(?:db|hana|database|\w+(?:Db|DB|Database))$/

/** A value that the file was given, and so no module's or class's own `run`: `(database, req) => database.run(…)`, `const db = await getDb()` of another file. */
function isHandedIn(receiver: Value): boolean {
  return accessesOf(receiver).some(
    ({ root, steps }) =>
      root === 'this' || root.startsWith('parameter:') || (root.startsWith('module:.') && steps.at(-1) === '()'),
  )
}

/** `run(text)` of `const { run } = cds`. */
function toFacade(call: CallValue, access: Access): QuerySink | undefined {
  if (!isCds(access) || !/^(?:db )?run$/.test(access.steps.join(' '))) return undefined
  return { language: 'sql', texts: call.args.slice(0, 1), name: 'cds.run', takesNames: false, takesWhole: true, isGuess: false }
}

/** `cds.parse.cql(text)`, `cds.parse(text)`, `cds.ql(text)`, `cds.ql.expr(text)`, `CQL(text)`. */
function toParsed(call: CallValue, access: Access): QuerySink | undefined {
  const sink = { language: 'cql', texts: call.args.slice(0, 1), takesNames: false, takesWhole: true, isGuess: false } as const
  if (access.root === 'global:CQL' && access.steps.length === 0) return { ...sink, name: 'CQL' }
  if (!isCds(access)) return undefined
  const [first, second, third] = access.steps
  if (first === 'ql' && second === undefined) return { ...sink, name: 'cds.ql' }
  if (first === 'ql' && third === undefined && CONDITION_MAKERS.has(second ?? ''))
    return { ...sink, name: `cds.ql.${second}`, texts: second === 'xpr' ? call.args : sink.texts }
  if (first === 'parse' && second !== undefined && PARSERS.has(second) && third === undefined)
    return { ...sink, name: `cds.parse.${second}` }
  return undefined
}

function toBuilder(call: CallValue, steps: readonly string[] | undefined): QuerySink | undefined {
  const [builder] = steps ?? []
  if (steps === undefined || builder === undefined) return undefined
  const method = steps.length === 1 ? undefined : steps.at(-1)
  return method === undefined && TAKING_ROWS.has(builder) ? undefined : toQueryPart(call, builder, method)
}

/** Called as they are they take rows: `UPSERT(rows).into(Books)`. Fact: @sap/cds 9.9.3, lib/ql/INSERT.js, UPSERT.js. */
export const TAKING_ROWS: ReadonlySet<string> = new Set(['INSERT', 'UPSERT'])

/** `req.query` of CAP is a query as well: `req.query.where(text)`. */
function toOwnQuery(call: CallValue, { root, steps }: Access): QuerySink | undefined {
  const [first, method, ...more] = steps
  const isOwn = first === 'query' && /^parameter:_?(?:req|oReq)(?:uest)?$/.test(root) && more.length === 0
  if (!isOwn || method === undefined || (!CONDITIONS.has(method) && method !== 'columns' && method !== 'orderBy'))
    return undefined
  return toQueryPart(call, 'req.query', method)
}

function toQueryPart(call: CallValue, builder: string, method: string | undefined): QuerySink | undefined {
  const sink = {
    language: 'cql',
    name: method === undefined ? builder : `${builder}.${method}`,
    takesNames: false,
    takesWhole: false,
    isGuess: false,
  } as const
  if (method === undefined || NAMING.has(method)) {
    const texts = textsOfNaming(call.args, builder, method)
    return { ...sink, texts, takesNames: true, isOfColumns: method !== undefined && COLUMNS.has(method) }
  }
  if (CHANGES.has(method)) return { ...sink, texts: call.args.slice(0, 1) }
  if (!CONDITIONS.has(method)) return undefined
  // a condition on the caller's own query narrows it
  const [condition] = call.args
  const isSent = builder !== 'req.query' && call.args.length === 1 && condition !== undefined && isSentCondition(condition)
  return {
    ...sink,
    texts: textsOfCondition(call.args),
    ...(isSent && { takesCondition: true }),
    ...(call.args.length === 1 && { takesTokens: true }),
  }
}

/** Names of parameters that hold a condition rather than a key or a row. */
const FILTERS =
  /^(?:\$?filters?|where\w{0,9}|conditions?|criteria|predicate|expression|\w{1,30}(?:Filter|Where|Condition|Criteria))$/i

/** `JSON.parse(text)`, `req.data.filter`: what a client sends there is a condition in the form of CQN, of an object or of a text. */
function isSentCondition(value: Value): boolean {
  const given = resolveValue(value)
  if (accessesOf(given).some(({ root, steps }) => root === 'global:JSON' && steps.join(' ') === 'parse ()')) return true
  return accessesOf(value).some(({ steps: [part, name, ...more] }) => {
    return /^(?:data|body|query)$/.test(part ?? '') && name !== undefined && more.length === 0 && FILTERS.test(name)
  })
}

/** Facts: @sap/cds 9.9 lib/ql/SELECT.js (`from`, `_ambiguous`), UPDATE.js, DELETE.js: behind the target stand a key or columns; INSERT.js: columns are
 *  never parsed. Of `SELECT('a', text)` all are columns, unless the first is an entity. */
function textsOfNaming(args: readonly Value[], builder: string, method: string | undefined): readonly Value[] {
  const isInsert = builder === 'INSERT' || builder === 'UPSERT'
  if (isInsert && method === 'columns') return []
  const [first, second] = args
  const isTarget = method === undefined ? builder !== 'SELECT' : TARGETING.has(method)
  const isOne = method === 'one' || method === 'distinct' || method === 'read' || method === undefined
  const texts = isTarget || (isOne && !isText(first)) ? [first, ...(isInsert ? [] : itemsOf(second))] : args
  return texts.flatMap((argument) => (argument === undefined ? [] : argument.kind === 'array' ? argument.items : [argument]))
}

function itemsOf(value: Value | undefined): readonly Value[] {
  return value?.kind === 'array' ? value.items : []
}

function isText(value: Value | undefined): boolean {
  return value?.kind === 'literal' || value?.kind === 'template' || value?.kind === 'concat'
}

/** Fact: @sap/cds 9.9 lib/ql/cds.ql-predicates.js: of `where('a =', x, 'and b =', y)` every other argument is text, of `where('a', '=', x)` none. */
function textsOfCondition(args: readonly Value[]): readonly Value[] {
  const operator = args[1]
  if (args.length === 3 && operator?.kind === 'literal' && /^(?:[=<>!]{1,2}|like|in)$/i.test(String(operator.value))) return []
  return args.filter((_, index) => index % 2 === 0)
}

/** `srv.read('Books').where(text)`. */
function toShortcut(call: CallValue, file: CapFile): QuerySink | undefined {
  const { callee } = call
  if (
    callee.kind !== 'member' ||
    callee.name === undefined ||
    !(CONDITIONS.has(callee.name) || CHANGES.has(callee.name) || callee.name === 'columns' || callee.name === 'orderBy')
  )
    return undefined
  const begin = beginOf(callee.object)
  if (begin === undefined || serviceKindOf(begin.receiver, file) === undefined) return undefined
  return toQueryPart(call, `${nameOf(begin.receiver)}.${begin.shortcut}`, callee.name)
}

const MAX_CHAIN = 24

function beginOf(value: Value): { receiver: Value; shortcut: string } | undefined {
  for (const here of chainBack(value, firstValueOf)) {
    // srv.read('Books'), srv.read`Books`
    if ((here.kind !== 'call' && here.kind !== 'tagged') || here.callee.kind !== 'member') continue
    const { name, object } = here.callee
    if (name !== undefined && SHORTCUTS.has(name)) return { receiver: object, shortcut: name }
  }
  return undefined
}

/** What is waited for, and what a name is given at first. */
export function firstValueOf(part: Value): Value | undefined {
  if (part.kind === 'await') return part.value
  return part.kind === 'reference' ? part.binding?.definitions[0]?.value : undefined
}

/** What queries of CAP begin with. Fact: capire, "cds.ql". */
export const BUILDERS: ReadonlySet<string> = new Set(['SELECT', 'INSERT', 'UPSERT', 'UPDATE', 'DELETE'])

/** The steps from a query builder on: `['SELECT', 'from', '()', 'where']`; undefined where it is none. */
export function toBuilderSteps(access: Access): readonly string[] | undefined {
  const { root, steps } = access
  if (isCds(access)) {
    const own = steps[0] === 'ql' ? steps.slice(1) : steps
    return own[0] !== undefined && BUILDERS.has(own[0]) ? own : undefined
  }
  const name = root.startsWith('global:') ? root.slice('global:'.length) : undefined
  return name !== undefined && BUILDERS.has(name) ? [name, ...steps] : undefined
}

/** `SELECT` of `cds.ql.SELECT.from(X)`. */
export function builderOf(access: Access): string | undefined {
  return toBuilderSteps(access)?.[0]
}

/** What a query or a part of one begins with. */
export function builderBehind(value: Value): string | undefined {
  return accessesOf(value)
    .map(builderOf)
    .find((name) => name !== undefined)
}

/** What `cds.parse.…` gives is looked at by a condition, and goes nowhere: no query runs with it. Others that are made of the same text are sinks of their own. */
export function isOnlyInspected(call: CallValue, facts: ScriptFacts, step: (count?: number) => void): boolean {
  const { bindings, guards } = facts
  step(bindings.length >> 4)
  const holder = bindings.find(({ definitions }) => definitions.some(({ value }) => value === call))
  if (holder === undefined) return false
  const holds = (value: Value): boolean => findPart(value, (part) => isOf(part, holder)) !== undefined
  step(guards.length + facts.calls.length)
  return (
    guards.some(({ test }) => holds(test)) && !handedValues(facts, holder).some((value) => !isJudgement(value) && holds(value))
  )
}

function isOf(part: Value, holder: Binding): boolean {
  return 'binding' in part && part.binding === holder
}

/** What the function around hands on: to calls, to names and fields, to its caller. */
function handedValues({ calls, bindings, assignments, functions }: ScriptFacts, holder: Binding): readonly Value[] {
  const isInside = (value: Span): boolean => isWithin(value, holder.function)
  return [
    ...calls.flatMap((call) => (isInside(call) && !isLogCall(call) ? call.args : [])),
    ...bindings.flatMap(({ definitions }) => definitions.flatMap(({ value }) => (value && isInside(value) ? value : []))),
    ...assignments.flatMap(({ value }) => (isInside(value) ? value : [])),
    ...functions.flatMap((fact) => (isInside(fact) ? fact.returns : [])),
  ]
}

/** `expr.xpr.length`, `!expr.ref`, `expr.xpr?.length > 1 && isPlain`: true or false, or a number. */
function isJudgement(value: Value): boolean {
  if ('operands' in value) return true
  if ('options' in value) return value.test === undefined && value.options.every(isJudgement)
  return 'object' in value && value.name === 'length'
}
