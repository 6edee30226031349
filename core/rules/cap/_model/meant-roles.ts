import { privilegesOf, wordsOf, type CapElement, type CapRoot, type CapService } from '../../../model/cap/index.ts'
import { listRoles } from '../_matches.ts'
import type { UnaskedRoles } from '../_callers/unasked-roles.ts'
import type { Project } from '../../subjects.ts'
import { disabledOn } from './disabled-annotations.ts'
import { rolesAmong } from './entity-rights.ts'
import { keptElsewhere } from './open-services.ts'

type Unloaded = NonNullable<ReturnType<CapRoot['unloaded']['get']>>[number]

/** What shows that not all users were meant. */
export interface MeantRoles {
  readonly variant: 'unloaded' | 'disabled' | 'elsewhere' | 'roles'
  readonly args: Readonly<Record<string, string>>
}

/** Roles that are commented out, that another service asks for, or that the project defines for nothing (`unasked`: the same for all services). */
export function meantRoles(
  service: CapService,
  open: readonly CapElement[],
  root: CapRoot,
  { files }: Pick<Project, 'files'>,
  unasked: () => UnaskedRoles | undefined,
): MeantRoles | undefined {
  const unloaded = unloadedOn(root, service, open)
  if (unloaded !== undefined)
    return {
      variant: 'unloaded',
      args: { annotation: `@${unloaded.name}`, model: unloaded.place.file },
    }
  const disabled = disabledOn(root, files, service, open)
  if (disabled !== undefined)
    return {
      variant: 'disabled',
      args: { roles: listRoles(disabled.roles), annotation: `@${disabled.name}` },
    }
  const kept = keptElsewhere(service, open, root)
  if (kept !== undefined)
    return {
      variant: 'elsewhere',
      args: { roles: listRoles(kept.roles), restricted: kept.entity },
    }
  const known = unasked()
  return (
    known && {
      variant: 'roles',
      args: { roles: listRoles(known.roles), descriptor: known.descriptor },
    }
  )
}

/** An annotation for the service or one of these that stands in a model that nothing loads. */
function unloadedOn({ unloaded }: CapRoot, service: CapService, open: readonly CapElement[]): Unloaded | undefined {
  if (unloaded.size === 0) return undefined
  const names = [service.name, ...open.map(({ name }) => `${service.name}.${name}`)]
  return names.flatMap((name) => unloaded.get(name) ?? []).find(asksForRole)
}

function asksForRole({ name, value }: Unloaded): boolean {
  const named =
    name === 'requires' ? wordsOf(value) : name === 'restrict' ? privilegesOf(value).flatMap(({ to }) => to ?? []) : []
  return rolesAmong(named).length > 0
}
