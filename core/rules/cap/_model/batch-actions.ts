import {
  isAdministrative,
  operationData,
  uncheckedInCode,
  servedServices,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import type { Match, RuleText } from '../../../types.ts'
import { createOperationReader } from '../_callers/caller-checks.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'
import { listElements, listRoles } from '../_matches.ts'
import { areUsers, personOf } from '../_rows/person-rows.ts'
import type { Change } from '../_rows/state-changes.ts'

/**
 * Actions without parameters that all users may call, and whose handlers change rows of persons without a look at the caller, beside such actions for administrators alone:
 * nothing tells the row of one user from those of others. Needs the extracts `stateChanges`, `handlerLinks`, `roleChecks` and `callerCheckExtracts`.
 */
export function* batchActions(
  service: CapService,
  root: CapRoot,
  reach: ReachModel,
  changesOf: (service: CapService, operation: CapElement) => readonly Change[],
): Generator<Match> {
  const batches = service.elements.filter(
    (one) => one.kind === 'action' && one.entity === undefined && takesNothing(one, service, root),
  )
  root.step(service.elements.length)
  const reserved = batches.filter(({ access }) => access?.kind === 'roles' && access.roles.every(isAdministrative))
  if (reserved.length === 0) return
  const isHandled = createOperationReader(root, 'before', ({ passes }) => passes !== true)
  const found = batches.flatMap((action) => {
    const changes = isForAll(action, service) ? changesOf(service, action) : []
    if (changes.some(({ asks }) => asks !== 'no') || isHandled(service, action)) return []
    const change = changes.find(({ write }) => write !== undefined && write.event !== 'CREATE' && isOfPersons(write.entity, root))
    return change?.write === undefined ? [] : [{ action, entity: change.write.entity, change }]
  })
  const open = uncheckedInCode(
    root,
    service,
    found.map(({ action }) => action),
  )
  const roles = [...new Set(reserved.flatMap(({ access }) => access?.roles ?? []))]
  for (const { action, entity, change } of found) {
    if (!open.includes(action)) continue
    yield {
      at: action.place,
      args: {
        service: service.name,
        actions: listElements([action.name]),
        restricted: listElements(reserved.map(({ name }) => name)),
        roles: listRoles(roles),
        role: roles[0] ?? '',
        entity,
        effect: change.effect,
      },
      variant: 'batch',
      exposure: reach.ofElement(service, action),
    }
  }
}

/** An operation that all signed-in users may call. */
export function isForAll({ access }: CapElement, service: CapService): boolean {
  return (access?.kind ?? service.access.kind) === 'authenticated'
}

/** Rows of the table belong to users of the app each, or are these users. */
function isOfPersons(table: string, root: CapRoot): boolean {
  return servedServices(root).some(({ elements }) =>
    elements.some((element) => {
      root.step()
      const isMeant = element.kind === 'entity' && projectedNames(root, element.qualified).has(table)
      return isMeant && (areUsers(element) || personOf(element, root) !== undefined)
    }),
  )
}

/** An operation without parameters: nothing that it does is of the caller's choice. */
export function takesNothing({ name }: CapElement, service: CapService, root: CapRoot): boolean {
  const data = operationData(root, service.name, name)
  return data?.fields?.size === 0 && data.isOpen !== true
}

export const BATCH_WORDS: { readonly en: RuleText; readonly fr: RuleText } = {
  en: {
    title: 'Batch action for administrators callable by any user',
    message:
      'Any authenticated user can call {actions:and} of the service {service}, which changes rows of {entity} for all users ({effect}); {restricted:and}, without parameters as well, requires {roles:and}.',
    why: 'The action takes no parameters and its handler never looks at the caller: one request of any user runs it for the rows of all users, as often as that user likes.',
    fix: "Annotate {actions:and} in the CDS model with @requires: '{role}', or with a role for the job that calls it.",
  },
  fr: {
    title: 'Action de masse pour administrateurs ouverte à tout utilisateur',
    message:
      'Tout utilisateur authentifié peut appeler {actions:et} du service {service}, qui modifie des lignes de {entity} pour tous ({effect}) ; {restricted:et}, également sans paramètre, exige {roles:et}.',
    why: 'L’action ne prend aucun paramètre et son gestionnaire n’examine jamais l’appelant : une seule requête d’un utilisateur quelconque l’exécute pour les lignes de tous, aussi souvent qu’il le veut.',
    fix: "Annotez {actions:et} dans le modèle CDS avec @requires: '{role}', ou avec un rôle réservé à la tâche qui l’appelle.",
  },
}
