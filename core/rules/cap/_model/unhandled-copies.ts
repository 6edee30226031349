import {
  accepts,
  grantsEvent,
  isAdministrative,
  privilegesOf,
  servedServices,
  writersOf,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import { lastName } from '../../../paths.ts'
import type { Match } from '../../../types.ts'
import { entityHandlers, type EntityHandler } from '../_handlers/write-handlers.ts'
import { mayBeLimitedInCode } from '../_handlers/user-handlers.ts'
import { ofUsers } from '../_matches.ts'
import { exposureOf } from './restricted-exposures.ts'

/** A handler that looks at the user and refuses some writes of an entity of one service. */
interface Check {
  readonly home: CapService
  readonly checked: CapElement
  readonly events: readonly ('CREATE' | 'UPDATE')[]
  readonly looksAt: readonly string[]
}

/**
 * Entities that project on an entity of another service, take writes of the same users, and have no handler, although one of that other service looks at the user and refuses.
 * Needs `entityHandlers` and `userHandlers`.
 * Fact: @sap/cds 9.9.3, lib/srv/srv-handlers.js: a handler runs where the request names its entity in its service, and not for projections on it in other services.
 */
export function* unhandledCopies(root: CapRoot, reach: ReachModel): Generator<Match> {
  const handlers = root.scripts.get(entityHandlers).map(({ file, value }) => ({
    value,
    event: root.eventOf({ file, ...value, events: [] }),
  }))
  const checks = handlers.flatMap(({ value, event }) =>
    event.isCertain ? event.services.flatMap((home) => checksOf(home, value)) : [],
  )
  if (checks.length === 0) return
  const told = new Set<CapElement>()
  for (const service of servedServices(root))
    for (const element of service.elements) {
      if (element.kind !== 'entity') continue
      const below = new Set(root.projected(element.qualified))
      root.step(below.size + checks.length)
      const names = new Set(element.members().map(({ name }) => name))
      const check = checks.find(
        ({ home, checked, events, looksAt }) =>
          home !== service &&
          below.has(checked.qualified) &&
          // a handler for the price has nothing to say of a projection without it
          (looksAt.length === 0 || looksAt.some((name) => names.has(name) || names.has(name.replace(KEY_OF_OTHER, '')))) &&
          events.some(
            (event) =>
              accepts(element, event) &&
              !isConditional(element, event) &&
              shareWriters([element, service], [checked, home], event),
          ),
      )
      if (check === undefined || told.has(element)) continue
      root.step(handlers.length)
      const isHandled = handlers.some(
        ({ value, event }) =>
          value.writes &&
          (!event.isCertain || event.services.includes(service)) &&
          (value.entities?.includes(lastName(element.name)) ?? true),
      )
      if (isHandled || mayBeLimitedInCode(root, service, element)) continue
      told.add(element)
      yield {
        at: element.place,
        args: {
          entity: `${service.name}.${element.name}`,
          root: `${check.home.name}.${check.checked.name}`,
          service: service.name,
          owner: '',
        },
        variant: 'unhandled',
        evidence: 'assumed',
        // that callers need no login is a finding of the service
        exposure: ofUsers(exposureOf(service, element, reach, ['CREATE', 'UPDATE'])),
      }
    }
}

/** `member_ID`, by which clients send an association. */
const KEY_OF_OTHER = /_[A-Za-z]{1,30}$/

function checksOf(home: CapService, { writes, refuses, asks, entities, events, looksAt }: EntityHandler): readonly Check[] {
  if (!writes || !refuses || asks !== 'yes' || entities === undefined) return []
  const asked = (['CREATE', 'UPDATE'] as const).filter((event) => events.some((name) => runsFor(name, event)))
  if (asked.length === 0) return []
  return home.elements.flatMap((checked) =>
    checked.kind === 'entity' && entities.includes(lastName(checked.name)) ? [{ home, checked, events: asked, looksAt }] : [],
  )
}

function runsFor(name: string, event: 'CREATE' | 'UPDATE'): boolean {
  return name === event || name === (event === 'CREATE' ? 'INSERT' : 'PATCH') || /^(?:\*|WRITE|SAVE|UPSERT)$/.test(name)
}

/** That a condition of the model says nothing of new rows, another rule tells. */
function isConditional({ annotations }: CapElement, event: 'CREATE' | 'UPDATE'): boolean {
  return privilegesOf(annotations.get('restrict')?.value).some((one) => one.where !== undefined && grantsEvent(one, event))
}

/** Users whom the handler is there for write the other entity too. */
function shareWriters(
  [element, service]: readonly [CapElement, CapService],
  [checked, home]: readonly [CapElement, CapService],
  event: 'CREATE' | 'UPDATE',
): boolean {
  const others = new Set(writersOf(checked, home, [event]))
  return writersOf(element, service, [event]).some((role) => !isAdministrative(role) && others.has(role))
}
