import { functionOf } from '../../facts/callbacks.ts'
import { alternativesOf } from '../../conditions/addresses.ts'
import { isNothing } from '../../facts/values.ts'
import { nameOf } from '../graph/names.ts'
import { BUILDERS, builderOf } from '../frameworks/query-sinks.ts'
import {
  accessesOf,
  stringConstantOf,
  fieldOf,
  pathOf,
  resolveValue,
  chainBack,
  methodsBack,
  type Access,
  type CallValue,
  type Value,
} from '../../facts/index.ts'
import { createServiceReader, entityName, type HandlerFunction } from '../../model/cap/index.ts'
import { leadingTextOf } from '../../model/script/index.ts'
import { ANSWERING } from '../tables/followed-packages.ts'
import { ANY_FIELD, COPY } from '../types.ts'
import { writtenPath } from '../calls/callees.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { addFound } from '../sinks/sink-parts.ts'
import { isWithin } from '../../facts/span-index.ts'
import { lastName } from '../../paths.ts'

const ASKING: ReadonlySet<string> = new Set(['run', 'send', 'get', 'post', 'put', 'patch', 'delete', 'read', 'dispatch'])

/** Adds what queries put into entities and get out of them, and what other systems answer. Rows are known by the last part of the entity's name. */
export function addRows(handlers: readonly HandlerFunction[], draft: FlowDraft): void {
  const { facts, ends, use } = draft
  const serviceOf = createServiceReader(facts)
  const subjectsOf = createSubjectReader(handlers)
  for (const call of facts.calls) {
    const { callee, args } = call
    const ways = accessesOf(callee)
    const builder = ways.map(builderOf).find((name) => name !== undefined)
    if (builder === undefined) {
      addAnswer(call, ways, serviceOf, draft)
      addRun(call, draft)
    }
    const subjects = builder === undefined ? [] : subjectsOf(call)
    const entity = builder === undefined ? readEntity(call, serviceOf) : (subjects[0] ?? entityOf(call))
    if (entity === undefined) continue
    const store = `rows ${entity}`
    if (builder === 'SELECT' || builder === undefined) {
      if (countsOnly(call)) continue
      for (const name of subjects.length > 0 ? subjects : [entity]) addRead(call, name, draft)
    } else if (callee.kind === 'member' && /^(?:entries|set|with|data)$/.test(callee.name ?? ''))
      for (const argument of args)
        if (isRow(argument))
          for (const [suffix, path] of FORMS)
            ends.ports.push({ node: use(argument), access: 'write', store: `${store}${suffix}`, path })
  }
}

/** Rows that are read, which clients may have written. */
function addRead(call: CallValue, entity: string, draft: FlowDraft): void {
  const { ends, use } = draft
  const node = use(call)
  const store = `rows ${entity}`
  ends.ports.push({ node, access: 'read', store: isOne(call) ? store : `${store}[]`, path: [] })
  for (const origin of ['stored', 'personal'] as const) ends.sources.push({ node, origin, weak: false, entity })
  draft.show(node, call)
}

/** `Books` of `srv.read(Books, ID)` and of `srv.read(Books).where(…)`. Fact: capire, "CRUD-style API" (srv.read). */
function readEntity(call: CallValue, serviceOf: ReturnType<typeof createServiceReader>): string | undefined {
  for (const { call: link, name, object } of methodsBack(call)) {
    if (CLAUSES.has(name)) continue
    const [first] = link.args
    if (name !== 'read' || first === undefined) return undefined
    const { kind } = serviceOf(withoutTransaction(object))
    return kind === 'unknown' || kind === 'foreign' ? undefined : entityName(first)
  }
  return undefined
}

const CLAUSES: ReadonlySet<string> = new Set(['columns', 'where', 'and', 'orderBy', 'limit'])

/** `db.run(SELECT.from(Books))` answers what the query alone does. A text is no query of this kind: what it holds is no row. */
function addRun(call: CallValue, { graph, use }: FlowDraft): void {
  const { callee, args } = call
  if (callee.kind !== 'member' || callee.name !== 'run' || args[0] === undefined) return
  const given = resolveValue(args[0])
  const queries = given.kind === 'array' ? given.items : [given]
  if (queries.some((query) => accessesOf(query).some((access) => builderOf(access) === 'SELECT')))
    graph.connect(use(args[0]), use(call), COPY)
}

const ROWS: ReadonlySet<Value['kind']> = new Set(['object', 'array', 'reference', 'call'])
const TEXTS: ReadonlySet<Value['kind']> = new Set(['template', 'concat', 'literal'])

/** A text is an expression, `with('stock = stock - 1')`, whose fields nobody can tell. */
function isRow(value: Value): boolean {
  return ROWS.has(value.kind) && !TEXTS.has(resolveValue(value).kind)
}

const NUMBERS = /^\s*(?:count|countdistinct|sum|avg)\s*\(/i

/** `SELECT.one.from(Notes).columns('count(*) as n')`: numbers, whatever the rows hold. */
function countsOnly(call: CallValue): boolean {
  for (const here of chainBack(call)) {
    if (here.kind !== 'call' && here.kind !== 'tagged') continue
    const isColumns = here.callee.kind === 'member' && /^(?:columns|one|distinct)$/.test(here.callee.name ?? '')
    if (isColumns && here.kind === 'tagged')
      return NUMBERS.test(here.texts?.[0] ?? '') && here.texts?.some((text) => text.includes(',')) !== true
    if (isColumns && here.args.length > 0 && here.args.every(isNumber)) return true
  }
  return false
}

function isNumber(column: Value): boolean {
  const name = stringConstantOf(fieldOf(column, 'func')?.value ?? column)
  return name !== undefined && NUMBERS.test(column.kind === 'object' ? `${name}(` : name)
}

/** `SELECT.one.from(req.subject)` in a handler of one entity: its possible names. Fact: capire, "req.subject" (the instance that a bound action is for). */
function createSubjectReader(handlers: readonly HandlerFunction[]): (call: CallValue) => readonly string[] {
  return (call) => {
    if (!readsSubject(call)) return []
    const own = handlers.find(({ fact }) => fact !== undefined && isWithin(call, fact))
    if (own?.entities?.length === 1) return [lastName(own.entities[0] ?? '')]
    return own === undefined || own.isTargeted ? [] : boundEntities(own)
  }
}

/** `Books` of `Book.actions.order`, a class of generated types, whose name is that of the entity in the singular. Fact: capire, "cds-typer" (bound actions, singular and plural). */
function boundEntities({ call: { args } }: HandlerFunction): readonly string[] {
  const [root, ...steps] = (args[0] && pathOf(args[0])) ?? []
  const singular = steps.at(-3)
  if (root?.startsWith('module:#cds-models/') !== true || steps.at(-2) !== 'actions' || singular === undefined) return []
  const plural = /[^aeiou]y$/.test(singular)
    ? `${singular.slice(0, -1)}ies`
    : `${singular}${/(?:[sxz]|[cs]h)$/.test(singular) ? 'es' : 's'}`
  return [plural, singular]
}

function readsSubject(call: CallValue): boolean {
  return [...chainBack(call)].some((here) => {
    const first = here.kind === 'call' ? here.args[0] : undefined
    return first?.kind === 'member' && (first.name === 'subject' || first.name === 'target')
  })
}

/** A row by itself, and as an item of a list. */
const FORMS: readonly (readonly [suffix: string, path: readonly string[]])[] = [
  ['', []],
  ['[]', [ANY_FIELD]],
]

/** `SELECT.one.from(Books)`, `SELECT.from(Books, ID)`. */
function isOne(call: CallValue): boolean {
  return [...chainBack(call)].some((here) => {
    if (here.kind === 'member') return here.name === 'one'
    if ((here.kind !== 'call' && here.kind !== 'tagged') || here.callee.kind !== 'member') return false
    const kind = here.callee.name === 'from' || here.callee.name === 'read' ? here.args[1]?.kind : undefined
    return kind !== undefined && kind !== 'function' && kind !== 'array'
  })
}

/** `Books` of `SELECT.one.from('my.Books').where(…)`, `INSERT.into(Books)`, `UPDATE(Books, ID).with(…)`. */
export function entityOf(call: CallValue): string | undefined {
  for (const here of chainBack(call, onlyValueOf)) {
    if (here.kind !== 'call' && here.kind !== 'tagged') continue
    const name = here.callee.kind === 'member' || here.callee.kind === 'reference' ? here.callee.name : undefined
    const [first] = here.args
    const isNamed = name !== undefined && (/^(?:from|into|entity|one)$/.test(name) || BUILDERS.has(name))
    const found = isNamed && first !== undefined ? (entityName(first) ?? entityFound(first)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** `Books` of `const Books = find()` with `const find = () => cds.entities['Books'] || cds.entities.my?.Books`. */
function entityFound(value: Value): string | undefined {
  const made = resolveValue(value)
  const returned = 'callee' in made ? (functionOf(made.callee)?.returns ?? []) : [made]
  const options = returned.flatMap((one) => optionsOf(one))
  const names = new Set(options.flatMap((one) => (isNothing(one) ? [] : [entityName(one)])))
  const [only] = names
  return names.size === 1 ? only : undefined
}

function optionsOf(value: Value, depth = 0): readonly Value[] {
  const made = resolveValue(value)
  const options = depth < MAX_CHOICES ? alternativesOf(made) : []
  return options.length === 0 ? [made] : options.flatMap((one) => optionsOf(one, depth + 1))
}

const MAX_CHOICES = 4

/** What a name is given, once for all. */
function onlyValueOf(name: Value): Value | undefined {
  const definitions = name.kind === 'reference' ? (name.binding?.definitions ?? []) : []
  return definitions.length === 1 ? definitions[0]?.value : undefined
}

/** `remote` of `remote.tx(req)`. */
function withoutTransaction(value: Value): Value {
  const isTransaction =
    value.kind === 'call' && value.callee.kind === 'member' && /^(?:tx|transaction)$/.test(value.callee.name ?? '')
  return isTransaction && value.callee.kind === 'member' ? value.callee.object : value
}

/** What a remote service or an address of the net answers is chosen by somebody else. */
function addAnswer(
  call: CallValue,
  ways: readonly Access[],
  serviceOf: ReturnType<typeof createServiceReader>,
  draft: FlowDraft,
): void {
  const { callee } = call
  if (call.kind !== 'call') return
  const isAsked =
    callee.kind === 'member' && ASKING.has(callee.name ?? '') && callee.object.kind !== 'literal'
      ? serviceOf(withoutTransaction(callee.object))
      : undefined
  const service =
    isAsked?.kind === 'connected' && !/^(?:db|messaging|audit-log)$/.test(isAsked.name ?? 'db') ? isAsked.name : undefined
  const isNet = ways.some((access) => ANSWERING.has(writtenPath(access)))
  if (service === undefined && !isNet) return
  if (service !== undefined) addRemotePath(call, draft)
  const node = draft.use(call)
  draft.ends.sources.push({ node, origin: 'stored', weak: true, ...(service !== undefined && { asked: service }) })
  draft.show(node, call)
}

/** `remote.get(`/Items/${ID}`)`: an address below that of the service. Fact: capire, "REST-style API" (srv.get, srv.post, …). */
function addRemotePath({ callee, args: [path] }: CallValue, draft: FlowDraft): void {
  if (path === undefined || callee.kind !== 'member' || !/^(?:get|post|put|patch|delete)$/.test(callee.name ?? '')) return
  if (!/^\/(?![/\\])/.test(leadingTextOf(path).text)) return
  addFound(FOUND_SINKS.servicePath, path, draft, { name: nameOf(callee) })
}
