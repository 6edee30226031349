import { accepts, privilegesOf, sourceNameOf, type CapElement, type CapRoot, type CapService } from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'
import type { Project } from '../../subjects.ts'
import { ownRowEntities } from '../_callers/own-row-entities.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'
import { entityHandlers, handlersFor, unaskedOf } from '../_handlers/write-handlers.ts'
import { isPlain } from '../_rows/owned-entities.ts'
import { ownedQueries } from '../_rows/owned-queries.ts'
import { areUsers } from '../_rows/person-rows.ts'
import { rowFilters } from '../_rows/row-filters.ts'
import { sensitivityOf } from '../_secrets/sensitive-data.ts'
import { isReadOnlyBySource, writeRights } from './entity-rights.ts'
import type { OpenEntity, Reason } from './open-entities.ts'
import { exposureOfRoles } from './restricted-exposures.ts'
import { isNarrower, type RightsFacts } from './rights-facts.ts'

/** What code says of rows: which entities hold those of the callers themselves, and by which columns handlers ask for rows of the caller. */
export interface OwnRows {
  readonly persons: ReadonlySet<string>
  /** By the last part of the entity's name. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>
}

export function findOwnRows(root: CapRoot): OwnRows {
  const columns = new Map<string, Set<string>>()
  const note = (entity: string, column: string): void => {
    columns.set(entity, (columns.get(entity) ?? new Set()).add(column))
  }
  for (const { value } of root.scripts.get(ownedQueries))
    if (value.kind === 'own' && value.isRead) note(value.entity, value.column)
  for (const { value } of root.scripts.get(entityHandlers))
    for (const name of value.entities ?? []) if (value.owner !== undefined) note(name, value.owner)
  for (const { value } of root.scripts.get(rowFilters))
    for (const name of value.entities ?? []) if (value.column !== undefined && !value.isUnsure) note(name, value.column)
  return { persons: new Set(root.scripts.get(ownRowEntities).map(({ value }) => value)), columns }
}

/**
 * Entities that name a role which all users have, without a condition, although handlers ask for the rows of the caller by an association to the entity in which the project
 * finds the row of its caller; and that entity itself, where it holds what is nobody else's business and other services leave its rows to other roles.
 * Needs `openEntityExtracts`.
 */
export function* rowsOfAll(
  service: CapService,
  root: CapRoot,
  { reach }: Pick<Project, 'reach'>,
  facts: RightsFacts,
  { persons, columns }: OwnRows,
): Generator<OpenEntity> {
  if (root.runtime === 'java' || persons.size === 0) return
  for (const element of service.elements) {
    root.step()
    if (element.kind !== 'entity' || !isPlain(element)) continue
    const { by, roles } = writeRights(element)
    if (by !== 'roles') continue
    if (privilegesOf(element.annotations.get('restrict')?.value).some(({ where }) => where !== undefined)) continue
    const found = reasonOf(element)
    if (found === undefined) continue
    const handlers = handlersFor(root, service, element)
    const events = unaskedOf(
      (['UPDATE', 'DELETE'] as const).filter((event) => accepts(element, event)),
      handlers,
    )
    if (events.length === 0 || isReadOnlyBySource(element, root, handlers)) continue
    const exposure = exposureOfRoles(service, element, roles, reach, { events })
    if (exposure.reach === 'user') yield { service, element, exposure, reason: { ...found, users: roles } }
  }

  function reasonOf(element: CapElement): Reason | undefined {
    const { roles } = writeRights(element)
    const source = sourceNameOf(element)
    if (areUsers(element) || persons.has(lastName(source))) {
      // a role of those who keep the persons up is none of all users
      const users = { ...service, access: { ...service.access, kind: 'roles' as const, roles } }
      const others = (facts.elsewhere.get(source) ?? []).filter(
        (one) => one.service !== service && isNarrower(one.roles, users, facts),
      )
      if (others.length === 0 || sensitivityOf(element, root) !== 'close') return undefined
      return { variant: 'same', restricted: others.map(({ name }) => name), roles: others.flatMap((one) => one.roles) }
    }
    const asked = new Set([...projectedNames(root, element.qualified)].flatMap((name) => [...(columns.get(name) ?? [])]))
    root.step(asked.size)
    const owner = [...asked].find((column) => leadsToPerson(element, column))
    return owner === undefined ? undefined : { variant: 'owner', restricted: [], roles: [], element: owner }
  }

  /** `employee_ID`, of an association to one of the persons. */
  function leadsToPerson({ qualified }: CapElement, column: string): boolean {
    const member = root.membersOf(qualified).get(column.replace(/[_.]\w{1,40}$/, ''))
    if (member?.target === undefined || member.type !== 'Association' || member.toMany) return false
    return root.projected(member.target).some((name) => persons.has(lastName(name)))
  }
}
