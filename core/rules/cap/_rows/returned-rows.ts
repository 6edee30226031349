import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { createCodeReader, type Binding, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import {
  AUTHENTICATED_ROLES,
  findHandlers,
  type CapElement,
  type CapRoot,
  type CapService,
  type HandlerFunction,
} from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import { isContext, isOfUi5App } from '../../../model/script/index.ts'
import { lastName } from '../../../paths.ts'
import type { Match, Span } from '../../../types.ts'
import { createOperationReader } from '../_callers/caller-checks.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'
import type { OwnedEntity } from './owned-entities.ts'
import { scriptQueries } from '../_handlers/script-queries.ts'
import { CRUD, givesBack, KEY } from './owned-queries.ts'

/** A query of an operation that answers with many rows, whoever calls it. */
export interface ReturnedRows extends Span {
  /** The last part of its name. */
  readonly entity: string
  readonly events: readonly string[]
  readonly service: string | undefined
  readonly isConnected: boolean
}

/** `srv.on('calendar', (req) => SELECT.from(Absences).where({ day: req.data.day }))`: nothing in the handler speaks of the user. */
export const returnedRows: Extract<ReturnedRows> = defineExtract({
  name: 'cap-returned-rows',
  keywords: ['SELECT'],
  prefilter: (text) => /\.on\s{0,4}\(/.test(text) && /\breturn\b|=>\s{0,4}(?:await\s{0,4})?SELECT/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    let read: ReturnType<typeof createHandlerReader> | undefined
    for (const { base, kind, entity, terms, last } of scriptQueries(facts, step)) {
      const { start } = base
      const { end } = last
      step(1 + Math.ceil((end - start) / STEP))
      if (end - start > MAX_QUERY) continue
      const chain = text.slice(start, end)
      // one row by its key is a fault of its own, and sums tell of nobody
      if (kind !== 'read' || /^SELECT\s{0,4}\.\s{0,4}one\b/.test(chain) || terms.some(({ column }) => KEY.test(column))) continue
      if (AGGREGATES.test(chain) || !namesPersons(chain)) continue
      read ??= createHandlerReader(facts, text, step)
      const handler = read(base.function)
      if (handler === undefined || !givesBack(last, facts, step)) continue
      const { service } = handler
      const events = handler.events.flatMap((name) => name ?? [])
      yield { entity, events, service: service.name, isConnected: service.kind === 'connected', start, end }
    }
  },
})

/** Texts of queries, per step. */
const STEP = 1000
const MAX_QUERY = 10_000

/** Finds the operation that a function handles, and in which nothing speaks of the user. */
function createHandlerReader(
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): (fact: FunctionFact) => HandlerFunction | undefined {
  const operations = new Map<FunctionFact, HandlerFunction>()
  for (const handler of findHandlers(facts)) {
    const { fact, phase } = handler
    if (fact === undefined || phase !== 'on' || operations.has(fact)) continue
    operations.set(fact, handler)
  }
  const callsIn = createInnerIndex(facts.calls)
  const mentions = createCodeReader(text, (code) => CALLER.test(code))
  const known = new Map<FunctionFact, HandlerFunction | undefined>()
  const find = (fact: FunctionFact): HandlerFunction | undefined => {
    const handler = operations.get(fact)
    const named = handler?.events.flatMap((name) => name ?? []) ?? []
    if (named.length === 0 || named.some((name) => CRUD.test(name) || PUBLIC.test(name)) || mentions(fact)) return undefined
    const [request] = fact.parameters
    const calls = callsIn(fact)
    step(calls.length)
    return calls.some(({ args }) => args.some((value) => isHanded(value, request))) ? undefined : handler
  }
  return (fact) => {
    if (!known.has(fact)) known.set(fact, find(fact))
    return known.get(fact)
  }
}

/** `checkAccess(request)`, `ensure({ req })`: a function gets the request as a whole, and may look at who calls. */
function isHanded(value: Value, request: Binding | undefined): boolean {
  if (value.kind === 'object') return value.fields.some((field) => isHandedItself(field.value, request))
  return isHandedItself(value, request)
}

function isHandedItself(value: Value, request: Binding | undefined): boolean {
  return isContext(value) || (value.kind === 'reference' && request !== undefined && value.binding === request)
}

const AGGREGATES = /\b(?:count|sum|avg|average|min|max)\b/i
/** The handler looks at who calls. */
const CALLER = /user|\b40[13]\b|\.is\s{0,4}\(|owner|permission/i
const PUBLIC = /(?:^|[a-z_])public(?![a-z])|Public(?![a-z])/
/** A condition on a person limits the rows, whoever that is. */
const PERSONS = /name|mail|owner|employee|customer|created_?by|person|member|patient|student/i

/** Its columns tell whose rows they are, and its condition asks for no person. */
function namesPersons(chain: string): boolean {
  const [head = '', ...conditions] = chain.split(/\.\s{0,4}where\s{0,4}\(/)
  if (conditions.some((condition) => PERSONS.test(condition))) return false
  const columns = head.split(/\.\s{0,4}columns\s{0,4}\(/)[1]
  return columns === undefined || /\*/.test(columns) || PERSONS.test(columns)
}

/** Rows that the model limits to those of the user, and that an operation for the same users gives them all. Needs `returnedRows` and `callerCheckExtracts`. */
export function* operationsWithRows(owned: readonly OwnedEntity[], root: CapRoot, reach: ReachModel): Generator<Match> {
  const found = root.scripts.get(returnedRows)
  if (found.length === 0) return
  const isAsked = createOperationReader(root)
  const limited = limitedByService(owned, root)
  const operations = new Map<CapService, ReadonlyMap<string, CapElement>>()
  const operationsOf = (service: CapService): ReadonlyMap<string, CapElement> => {
    const known = operations.get(service)
    if (known !== undefined) return known
    root.step(service.elements.length)
    const unbound = service.elements.filter(({ kind, entity }) => kind !== 'entity' && entity === undefined)
    const named = new Map(unbound.map((one) => [lastName(one.name), one]))
    operations.set(service, named)
    return named
  }
  for (const { file, value } of found) {
    const { services } = root.eventOf({ file, ...value, entities: undefined })
    for (const service of services) {
      root.step()
      const one = service.exposure === 'served' ? limited.get(service)?.get(value.entity) : undefined
      if (one === undefined) continue
      const byName = operationsOf(service)
      const operation = value.events.flatMap((name) => byName.get(name) ?? [])[0]
      if (operation === undefined || isAsked(service, operation)) continue
      if (!isForOwners(operation, service, one)) continue
      yield {
        at: { file, span: { start: value.start, end: value.end } },
        args: {
          entity: `${service.name}.${lastName(operation.name)}`,
          root: `${service.name}.${one.element.name}`,
          owner: one.owner,
          service: service.name,
        },
        evidence: 'assumed',
        exposure: reach.ofElement(service, operation),
        variant: 'operation',
      }
    }
  }
}

/** Entities whose rows the model limits to those of the user, by their services and the names that queries may call them by: handlers of all projections of the same rows. */
function limitedByService(
  owned: readonly OwnedEntity[],
  root: CapRoot,
): ReadonlyMap<CapService, ReadonlyMap<string, OwnedEntity>> {
  const found = new Map<CapService, Map<string, OwnedEntity>>()
  for (const one of owned) {
    const { service, element, reads, byQuery, filter, roles } = one
    if (!reads || byQuery || filter !== undefined || roles.length === 0) continue
    const names = found.get(service) ?? new Map<string, OwnedEntity>()
    found.set(service, names)
    for (const name of projectedNames(root, element.qualified)) {
      root.step()
      if (!names.has(name)) names.set(name, one)
    }
  }
  return found
}

/** Users who get their own rows alone may call it. */
function isForOwners({ access }: CapElement, { access: ofService }: CapService, { roles }: OwnedEntity): boolean {
  const { kind, roles: admitted } = access ?? ofService
  if (kind === 'authenticated' || admitted.some((role) => AUTHENTICATED_ROLES.has(role))) return true
  return kind === 'roles' && admitted.some((role) => roles.includes(role))
}
