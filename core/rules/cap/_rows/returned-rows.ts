import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { AUTHENTICATED_ROLES, servedServices, type CapElement, type CapRoot, type CapService } from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import { lastName } from '../../../paths.ts'
import type { Match, Span } from '../../../types.ts'
import { createOperationReader } from '../_callers/caller-checks.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'
import type { OwnedEntity } from './owned-entities.ts'
import { givesBack, KEY, scriptQueries } from './owned-queries.ts'

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
    let handled: ReturnType<typeof findHandledFunctions> | undefined
    for (const { base, kind, entity, terms, last } of scriptQueries(facts, step)) {
      const { start } = base
      const { end } = last
      const chain = text.slice(start, end)
      // one row by its key is a fault of its own, and sums tell of nobody
      if (kind !== 'read' || /^SELECT\s{0,4}\.\s{0,4}one\b/.test(chain) || terms.some(({ column }) => KEY.test(column))) continue
      if (AGGREGATES.test(chain) || !namesPersons(chain)) continue
      handled ??= findHandledFunctions(facts)
      const handler = handled.handlers.find(({ fact, phase }) => fact === base.function && phase === 'on')
      const fact = handler?.fact
      if (handler === undefined || fact === undefined || CALLER.test(text.slice(fact.start, fact.end))) continue
      const events = handler.events.flatMap((name) => name ?? [])
      if (events.length === 0 || events.some((name) => CRUD.test(name) || PUBLIC.test(name))) continue
      if (!givesBack(last, facts, step)) continue
      const { service } = handler
      yield { entity, events, service: service.name, isConnected: service.kind === 'connected', start, end }
    }
  },
})

const AGGREGATES = /\b(?:count|sum|avg|average|min|max)\b/i
/** The handler looks at who calls, or leaves that to a function which gets the request. */
const CALLER = /user|\b40[13]\b|\.is\s{0,4}\(|owner|permission|\(\s{0,4}req\s{0,4}[,)](?!\s{0,4}=>)/i
const CRUD = /^(?:READ|CREATE|UPDATE|DELETE|UPSERT|PATCH|NEW|EDIT|SAVE|CANCEL|DISCARD|draft\w{0,20}|each|\*)$/i
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
  // handlers of all projections of the same rows
  const limited = owned.filter(
    ({ reads, byQuery, filter, roles }) => reads && !byQuery && filter === undefined && roles.length > 0,
  )
  for (const { file, value } of found) {
    const { services } = root.eventOf({ file, ...value, entities: undefined })
    for (const service of servedServices(root).filter((one) => services.includes(one))) {
      root.step(service.elements.length + limited.length)
      const operation = service.elements.find(
        ({ kind, name, entity }) => kind !== 'entity' && entity === undefined && value.events.includes(lastName(name)),
      )
      const one = limited.find(
        ({ service: home, element }) => home === service && projectedNames(root, element.qualified).has(value.entity),
      )
      if (operation === undefined || one === undefined || isAsked(service, operation)) continue
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

/** Users who get their own rows alone may call it. */
function isForOwners({ access }: CapElement, { access: ofService }: CapService, { roles }: OwnedEntity): boolean {
  const { kind, roles: admitted } = access ?? ofService
  if (kind === 'authenticated' || admitted.some((role) => AUTHENTICATED_ROLES.has(role))) return true
  return kind === 'roles' && admitted.some((role) => roles.includes(role))
}
