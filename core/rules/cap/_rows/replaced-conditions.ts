import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  constantOf,
  fieldOf,
  findPart,
  pathsOf,
  resolveValue,
  type CallValue,
  type ClassFact,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { exportedFunctions } from '../../../facts/callbacks.ts'
import { entityName } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'
import { createExportReader } from '../_handlers/handler-links.ts'
import { isAround } from '../../../facts/span-index.ts'

/** A place where a handler drops the conditions that CAP put into the query of a request. */
export interface ReplacedCondition extends Span {
  /** `query`: another query instead · `where`: another condition · `fresh`: the result of a query of its own is returned. */
  readonly kind: 'query' | 'where' | 'fresh'
  readonly events: readonly string[]
  /** Of the handler; undefined: all, or nobody can tell. */
  readonly entities: readonly string[] | undefined
  /** What a query of its own reads. */
  readonly from?: string
  /** No handler is around, but this exported function, which another file may register as one. */
  readonly exported?: string
}

export const replacedConditions: Extract<ReplacedCondition> = defineExtract({
  name: 'cap-replaced-conditions',
  keywords: ['SELECT', 'query'],
  prefilter: (text) => /\bquery\b|\bSELECT\b/.test(text) && /\.(?:on|before)\s{0,4}\(|\bexports?\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  collect: ({ facts }) => [...findReplaced(facts)],
})

function* findReplaced(facts: ScriptFacts): Generator<ReplacedCondition> {
  // the client of another system asks that for what code of the project wants
  const isOfClient = ({ start }: Span): boolean => facts.classes.some((one) => isRemote(one) && isAround(one, start))
  for (const found of findAllReplaced(facts)) if (!isOfClient(found)) yield found
}

function isRemote({ parent }: ClassFact): boolean {
  return parent !== undefined && accessesOf(parent).some(({ steps }) => steps.at(-1) === 'RemoteService')
}

function* findAllReplaced(facts: ScriptFacts): Generator<ReplacedCondition> {
  const { handlers, handlerOf } = findHandledFunctions(facts)
  const exportOf = createExportReader(facts)
  const known = (handler: (typeof handlers)[number]): Pick<ReplacedCondition, 'events' | 'entities'> => ({
    events: handler.events.flatMap((event) => event ?? []),
    entities: handler.entities,
  })
  for (const { start, end, kind } of replacements(facts)) {
    const handler = handlerOf({ start, end })
    const exported = handler === undefined ? exportOf({ start, end }) : undefined
    if (handler !== undefined && handler.phase !== 'after') yield { start, end, kind, ...known(handler) }
    else if (exported !== undefined) yield { start, end, kind, events: [], entities: undefined, exported }
  }
  for (const { phase, fact, isTargeted, ...handler } of handlers) {
    if (phase !== 'on' || fact === undefined || !isTargeted) continue
    const { events, entities } = handler
    for (const fresh of freshIn(fact)) yield { ...fresh, events: events.flatMap((event) => event ?? []), entities }
  }
  const handled = new Set(handlers.flatMap(({ fact }) => fact ?? []))
  for (const [exported, fact] of exportedFunctions(facts))
    if (!handled.has(fact)) for (const fresh of freshIn(fact)) yield { ...fresh, events: [], entities: undefined, exported }
}

/** Where the query of a request, or its condition, becomes another one or goes. */
function* replacements(facts: ScriptFacts): Generator<Span & Pick<ReplacedCondition, 'kind'>> {
  for (const { target, value, operator, start, end } of facts.assignments) {
    const kind = operator === '=' ? replacedBy(target, value) : undefined
    if (kind !== undefined) yield { start, end, kind }
  }
  for (const target of facts.deletions) if (isCondition(target)) yield { start: target.start, end: target.end, kind: 'where' }
  for (const { callee, args, start, end } of facts.calls) {
    if (callee.kind !== 'member') continue
    const [first, second] = args
    // Object.assign(req.query.SELECT, { where: … }), Reflect.deleteProperty(req.query.SELECT, 'where')
    const isMerging = callee.name === 'assign' && second !== undefined && fieldOf(resolveValue(second), 'where') !== undefined
    const isDeleting = callee.name === 'deleteProperty' && second !== undefined && constantOf(second) === 'where'
    const isEmptying = callee.name === 'splice' && args.length === 1 && first !== undefined && constantOf(first) === 0
    if (isEmptying ? isCondition(callee.object) : (isMerging || isDeleting) && first !== undefined && isQueryOfRequest(first))
      yield { start, end, kind: 'where' }
  }
}

const CONDITION = /(?:^|\.)query\.(?:SELECT|UPDATE|DELETE)\.where$/
const QUERY = /(?:^|\.)query\.(?:SELECT|UPDATE|DELETE)$/

/** `req.query.SELECT.where`. */
export function isCondition(target: Value): boolean {
  return pathBelowRequest(target).some((path) => CONDITION.test(path))
}

function isQueryOfRequest(target: Value): boolean {
  return pathBelowRequest(target).some((path) => QUERY.test(path))
}

/** What is read from a parameter: `query.SELECT.where` of `req`. */
export function pathBelowRequest(target: Value): readonly string[] {
  return pathsOf(target).flatMap(([root = '', ...steps]) => (root.startsWith('parameter:') ? [steps.join('.')] : []))
}

/** `req.query = …`, `req.query.SELECT.where = …`, `req.query.SELECT.where.length = 0`. */
function replacedBy(target: Value & { readonly kind: 'member' }, value: Value): ReplacedCondition['kind'] | undefined {
  const keeps = (name: string): boolean => findPart(value, (part) => readsField(part, name)) !== undefined
  if (target.name === 'length') return isCondition(target.object) ? 'where' : undefined
  if (pathBelowRequest(target).includes('query')) return keeps('query') || keeps('user') ? undefined : 'query'
  return isCondition(target) && !keeps('where') && !keeps('user') ? 'where' : undefined
}

/** `query.SELECT.where`, or the name that `const { where } = query.SELECT` gives it. */
function readsField(part: Value, name: string): boolean {
  if (part.kind === 'member') return part.name === name
  return part.kind === 'reference' && pathsOf(part).some((path) => path.length > 1 && path.at(-1) === name)
}

/** The queries that a function makes and whose rows it gives back. */
function* freshIn({ returns }: FunctionFact): Generator<Pick<ReplacedCondition, 'kind' | 'from' | 'start' | 'end'>> {
  for (const returned of returns) {
    const query = freshQuery(returned)
    const from = query && entityOf(query)
    if (query !== undefined && from !== undefined) yield { start: query.start, end: query.end, kind: 'fresh', from }
  }
}

/** A query that the handler makes and runs by itself, without a word about the user. */
function freshQuery(returned: Value): CallValue | undefined {
  let here = resolveValue(returned)
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    // what is done with the rows afterwards
    if (here.kind === 'call' && here.callee.kind === 'member' && AFTERWARDS.test(here.callee.name ?? ''))
      here = resolveValue(here.callee.object)
    else if (here.kind === 'await') here = resolveValue(here.value)
    else break
  }
  // cds.run(SELECT.from(X)), tx.run(…)
  if (here.kind === 'call' && here.callee.kind === 'member' && here.callee.name === 'run' && here.args[0] !== undefined)
    here = resolveValue(here.args[0])
  if ((here.kind !== 'call' && here.kind !== 'tagged') || !accessesOf(here).some(({ root, steps }) => isSelect(root, steps)))
    return undefined
  const told = conditionsOf(here)
  const holds = (names: RegExp): boolean =>
    told.some((value) => findPart(value, (part) => part.kind === 'member' && names.test(part.name ?? '')) !== undefined)
  // what the client searches for is no condition of the model
  const isOwn = holds(/^(?:user|subject|params|data)$/) || (holds(/^query$/) && !holds(/^search$/))
  return isOwn ? undefined : here
}

/** What a query is told of the rows that it reads: how many of them and in which order, says nothing of whose they are. */
function conditionsOf(query: CallValue): readonly Value[] {
  const found: Value[] = []
  let here: Value = query
  for (let hops = 0; hops < MAX_LINKS; hops++) {
    if (here.kind === 'call' || here.kind === 'tagged') {
      if (!BESIDES.test(lastNameOf(here.callee) ?? '')) found.push(...here.args)
      here = here.callee
    } else if (here.kind === 'member') here = here.object
    else break
  }
  return found
}

const MAX_LINKS = 40
const BESIDES = /^(?:limit|orderBy|columns|groupBy)$/
const MAX_HOPS = 6
const AFTERWARDS = /^(?:map|filter|sort|slice|reverse|then|flatMap|toSorted)$/

function isSelect(root: string, steps: readonly string[]): boolean {
  return (
    root === 'global:SELECT' ||
    ((root === 'global:cds' || root === 'module:@sap/cds') && steps[0] === 'ql' && steps[1] === 'SELECT')
  )
}

/** The entity of `SELECT.from(X)…`. */
function entityOf(query: CallValue): string | undefined {
  let here: Value = query
  for (let hops = 0; hops < 12; hops++) {
    if ((here.kind === 'call' || here.kind === 'tagged') && here.callee.kind === 'member') {
      if (here.callee.name === 'from') return here.args[0] && entityName(here.args[0])
      here = here.callee.object
    } else if (here.kind === 'member') here = here.object
    else return undefined
  }
  return undefined
}
