import { isReadable, servedServices, type CapElement, type CapRoot, type CapService } from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import { lastName } from '../../../paths.ts'
import { mayBeLimitedInCode } from '../_handlers/user-handlers.ts'
import { isReadByAll } from '../_model/open-readings.ts'
import { isPlain } from './owned-entities.ts'

/** What all users read by plain requests, of entities by the last part of their names. */
export interface OpenRows {
  /** All rows with all that they hold. */
  holds(entity: string): boolean
  /** The keys by which a column selects rows: those of the entity, or of what the column refers to. */
  tellsKeys(entity: string, column: string): boolean
}

/** Entities that neither the model nor a handler limits. Needs the extract `userHandlers`. */
export function createOpenRows(root: CapRoot, reach: ReachModel): OpenRows {
  let known: { readonly whole: ReadonlySet<string>; readonly keyed: ReadonlySet<string> } | undefined
  const find = (): NonNullable<typeof known> => {
    const [whole, keyed] = [new Set<string>(), new Set<string>()]
    for (const service of servedServices(root))
      for (const element of service.elements) {
        root.step()
        if (!isOpen(service, element, root, reach)) continue
        for (const name of element.rowsOf ?? []) {
          keyed.add(name)
          if (isPlain(element)) whole.add(name)
        }
        for (const { target, toMany } of element.members())
          if (target !== undefined && !toMany) for (const name of root.projected(target)) keyed.add(name)
      }
    return { whole, keyed }
  }
  const namesOf = (entity: string): readonly string[] => root.entities.filter((name) => lastName(name) === entity)
  return {
    holds(entity) {
      const { whole } = (known ??= find())
      return namesOf(entity).some((name) => whole.has(name))
    },
    tellsKeys(entity, column) {
      const { keyed } = (known ??= find())
      return namesOf(entity).some((name) => {
        const owner = keyOwner(name, column, root)
        return owner !== undefined && root.projected(owner).some((one) => keyed.has(one))
      })
    },
  }
}

function isOpen(service: CapService, element: CapElement, root: CapRoot, reach: ReachModel): boolean {
  return (
    element.kind === 'entity' &&
    isReadable(element) &&
    isReadByAll(element) &&
    /^(?:anyone|user)$/.test(reach.ofElement(service, element, ['READ']).reach) &&
    !mayBeLimitedInCode(root, service, element)
  )
}

/** The entity whose key a column holds: `employee_ID` of `employee: Association to Employees`. */
function keyOwner(entity: string, column: string, root: CapRoot): string | undefined {
  for (const { name, key, target, toMany } of root.membersOf(entity).values()) {
    root.step()
    if (name === column && key) return entity
    if (target !== undefined && !toMany && /^[._]/.test(column.slice(name.length)) && column.startsWith(name)) return target
  }
  return undefined
}
