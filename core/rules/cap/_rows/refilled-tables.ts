import { openElements, uncheckedInCode, type CapElement, type CapRoot, type CapService } from '../../../model/cap/index.ts'
import type { Project } from '../../subjects.ts'
import { openEntities } from '../_model/open-entities.ts'
import type { Change } from './state-changes.ts'

/** Operations whose handlers delete all rows of tables and insert others. */
export interface RefilledTables {
  readonly operations: readonly CapElement[]
  readonly entities: readonly string[]
}

type ChangesOf = (service: CapService, operation: CapElement) => readonly Change[]

/**
 * Tells what operations of a service for all users empty tables and fill them anew, where nobody asks who calls, and the project shows that not all users should write what
 * the service holds. Needs the extracts of `openEntities`, `stateChanges` and `handlerLinks`.
 */
export function createRefillReader(
  root: CapRoot,
  project: Project,
  changesOf: ChangesOf,
): (service: CapService) => RefilledTables | undefined {
  let open: ReadonlySet<CapService> | undefined
  return (service) => {
    const found = new Map<CapElement, readonly string[]>()
    for (const element of openElements(service)) {
      root.step()
      if (element.kind === 'entity' || element.entity !== undefined) continue
      const entities = refilledBy(changesOf(service, element))
      if (entities.length > 0) found.set(element, entities)
    }
    if (found.size === 0) return undefined
    // what the entities tell is asked for where it counts
    open ??= new Set([...openEntities(root, project)].map((one) => one.service))
    if (!open.has(service)) return undefined
    const operations = uncheckedInCode(root, service, [...found.keys()])
    const entities = [...new Set(operations.flatMap((operation) => found.get(operation) ?? []))]
    return operations.length === 0 ? undefined : { operations, entities }
  }
}

/** The entities of which a handler that looks at no user deletes each row and inserts others. */
function refilledBy(changes: readonly Change[]): readonly string[] {
  if (changes.some(({ asks }) => asks !== 'no')) return []
  const filled = new Set(
    changes.flatMap(({ write }) => (write?.event === 'CREATE' || write?.event === 'UPDATE' ? write.entity : [])),
  )
  const emptied = changes.flatMap(({ write }) => (write?.event === 'DELETE' && write.isWhole ? write.entity : []))
  return [...new Set(emptied)].filter((entity) => filled.has(entity))
}
