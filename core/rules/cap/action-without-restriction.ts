import { quoteWord } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'
import {
  eventsCheckedInCode,
  grantsEvent,
  filtersByPolicies,
  openElements,
  privilegesOf,
  roleChecks,
  servedServices,
  uncheckedInCode,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import type { Match } from '../../types.ts'
import { handlerLinks } from './_handlers/handler-links.ts'
import { listElements, listRoles } from './_matches.ts'
import { callerCheckExtracts, createOperationReader } from './_callers/caller-checks.ts'
import { createRefusedReader, offeredMethods, operationHandlers } from './_model/idle-operations.ts'
import { BATCH_WORDS, batchActions, takesNothing } from './_model/batch-actions.ts'
import { MAIL_WORDS, mailActions } from './_model/mail-actions.ts'
import { createDutyReader, DUTY_WORDS } from './_model/described-duties.ts'
import { openEntityExtracts } from './_model/open-entity-extracts.ts'
import { createRestrictedChangeReader } from './_rows/restricted-changes.ts'
import { createRefillReader, type RefilledTables } from './_rows/refilled-tables.ts'
import { createChangeReader, stateChanges, type Change } from './_rows/state-changes.ts'
import { idleRoles } from './_callers/unasked-roles.ts'

/**
 * An unbound action that any authenticated user may call, in a service whose entities require a role; an action or a function of any kind, where handlers check the
 * role for the rows of the entities; one that sends data to another system, where code elsewhere asks users for a role; and any action beside those for a role, where xs-security.json gives users another one that nothing asks for.
 * One without parameters that changes rows of persons, beside such ones for administrators. One that sends mails of the caller's making. One that empties tables and fills them anew, where the project shows that not all users should write them.
 * Facts: capire, "Authorization", restricting operations; @sap/cds 9.9.3, generic/auth/requires.js; lib/srv/srv-handlers.js (a handler for READ or WRITE of `*`
 * is one for these events alone).
 * (lib/srv/srv-dispatch.js, 501: an action without a handler is refused.)
 * Impact: data that needs a role, changed without it; that the handler changes what the entities restrict is assumed, unless it is seen to
 * change their rows, or rows beside what handlers check, or handlers check a role for each change of any row.
 */
export const actionWithoutRestriction: Rule = defineRule({
  id: 'cap/action-without-restriction',
  impact: 'data',
  reach: 'user',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [862],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#requires',
  on: 'cap-root',
  extracts: [...openEntityExtracts, stateChanges, handlerLinks, ...callerCheckExtracts, operationHandlers, offeredMethods],
  yieldsTo: ['cap/action-bypasses-restriction'],

  *check(root, project) {
    const { reach } = project
    const changesOf = createChangeReader(root, stateChanges)
    let idle: readonly string[] | undefined
    const readers: Readers = {
      changesOf,
      refilled: createRefillReader(root, project, changesOf),
      isChanging: createRestrictedChangeReader(root, changesOf),
      isRefused: createRefusedReader(root, (file) => reach.usageOf(file) !== 'unused'),
      idle: () => (idle ??= idleRoles(root, project)),
      isAsked: createOperationReader(root),
    }
    const exceededDuties = createDutyReader(root, project, changesOf)
    for (const service of servedServices(root)) {
      // a service for roles decides; one without annotations is another fault, reported by a rule of its own
      const told = service.access.kind === 'authenticated' ? [...matchesOfOpen(service, root, reach, readers)] : []
      yield* told
      const duties = told.length === 0 ? [...exceededDuties(service)] : []
      yield* duties
      if (told.length + duties.length === 0) yield* batchActions(service, root, reach, changesOf)
      const places = new Set([...told, ...duties].map(({ at }) => at))
      for (const match of mailActions(service, root, reach, changesOf)) if (!places.has(match.at)) yield match
    }
  },

  text: () => ({
    en: {
      title: 'Missing authorization check on an action',
      message:
        'Any authenticated user can call {actions:and} of the service {service}: no @requires or @restrict limits these calls to a role, although the same service requires a role for {restricted:and}.',
      why: 'CAP checks an unbound action against its own annotations and those of its service, not against those of entities: if its handler changes restricted data, a user without the role can change this data by calling the action.',
      fix: "Annotate {actions:and} in the CDS model with @requires: '{role}', or with the role that is allowed to make the change. If an action is intended for every user, use 'authenticated-user' as its role.",
      variants: {
        handler: {
          message:
            'Any authenticated user can call {actions:and} of the service {service}: its handlers check the role of the caller for reading or changing {restricted:and} only.',
          why: 'A handler for the events of rows does not run for actions and functions: a user without the role reads or changes the same data by calling them.',
        },
        remote: {
          message:
            'Any authenticated user can call {actions:and} of the service {service}, which sends data to {restricted}: neither the model nor the handler checks who calls, although other code of the project checks roles.',
          why: 'The other system trusts the request as coming from the application: any user of the identity provider can start the process there, with data of their choice.',
        },
        refilled: {
          message:
            'Any authenticated user can call {actions:and} of the service {service}: handlers delete all rows of {restricted:and} there and insert others, and neither they nor the model check who calls.',
          why: 'Any user of the identity provider can start the replacement as often as they like, also while others work with the rows: each call replaces what all users read, and puts load on the system that the new rows come from.',
        },
        described: DUTY_WORDS.en,
        batch: BATCH_WORDS.en,
        mail: MAIL_WORDS.en,
        idle: {
          message:
            'Any authenticated user can call {actions:and} of the service {service}, which requires roles for {restricted:and} alone: xs-security.json gives users {roles:and}, but nothing requires it.',
          why: 'Every user of the identity provider can change data with a direct request, without having been given any role of the application.',
          fix: "Annotate {actions:and} in the CDS model with @requires: '<role>', the role that these users are given. If an action is intended for every user, use 'authenticated-user' as its role, and remove the scope that is not needed.",
        },
      },
    },
    fr: {
      title: 'Absence de contrôle d’autorisation sur une action',
      message:
        'Tout utilisateur authentifié peut appeler {actions:et} du service {service} : aucun @requires ni @restrict ne limite ces appels à un rôle, alors que le même service exige un rôle pour {restricted:et}.',
      why: 'CAP ne vérifie une action non liée que selon ses propres annotations et celles de son service, pas selon celles des entités : si son gestionnaire modifie des données restreintes, un utilisateur sans le rôle peut les modifier en appelant l’action.',
      fix: "Annotez {actions:et} dans le modèle CDS avec @requires: '{role}', ou avec le rôle autorisé à effectuer la modification. Si une action est destinée à tous les utilisateurs, indiquez 'authenticated-user' comme rôle.",
      variants: {
        handler: {
          message:
            'Tout utilisateur authentifié peut appeler {actions:et} du service {service} : ses gestionnaires ne vérifient le rôle de l’appelant que pour lire ou modifier {restricted:et}.',
          why: 'Un gestionnaire des événements de lignes ne s’exécute pas pour les actions et fonctions : un utilisateur sans le rôle lit ou modifie les mêmes données en les appelant.',
        },
        remote: {
          message:
            'Tout utilisateur authentifié peut appeler {actions:et} du service {service}, ce qui envoie des données à {restricted} : ni le modèle ni le gestionnaire ne vérifient l’appelant, alors que d’autres parties du projet vérifient des rôles.',
          why: 'L’autre système accepte la requête comme venant de l’application : tout utilisateur du fournisseur d’identité peut y déclencher le processus, avec les données de son choix.',
        },
        refilled: {
          message:
            'Tout utilisateur authentifié peut appeler {actions:et} du service {service} : des gestionnaires y suppriment toutes les lignes de {restricted:et} et en insèrent d’autres, et ni eux ni le modèle ne vérifient l’appelant.',
          why: 'Tout utilisateur du fournisseur d’identité peut lancer ce remplacement à volonté, même pendant que d’autres utilisent ces lignes : chaque appel remplace ce que tous lisent et sollicite le système d’où viennent les nouvelles lignes.',
        },
        described: DUTY_WORDS.fr,
        batch: BATCH_WORDS.fr,
        mail: MAIL_WORDS.fr,
        idle: {
          message:
            'Tout utilisateur authentifié peut appeler {actions:et} du service {service}, qui n’exige de rôle que pour {restricted:et} : xs-security.json attribue {roles:et} aux utilisateurs, mais rien ne l’exige.',
          why: 'Tout utilisateur du fournisseur d’identité peut modifier des données par une requête directe, sans avoir reçu le moindre rôle de l’application.',
          fix: "Annotez {actions:et} dans le modèle CDS avec @requires: '<rôle>', pour le rôle visé. Si une action est destinée à tous les utilisateurs, indiquez 'authenticated-user' comme rôle et supprimez le scope inutile.",
        },
      },
    },
  }),
})

function argsOf({ name: service }: CapService, actions: readonly CapElement[]): Record<'service' | 'actions' | 'role', string> {
  return { service, actions: listElements(actions.map(({ name }) => name)), role: '<role>' }
}

interface Readers {
  readonly changesOf: (service: CapService, operation: CapElement) => readonly Change[]
  readonly refilled: (service: CapService) => RefilledTables | undefined
  readonly isChanging: ReturnType<typeof createRestrictedChangeReader>
  readonly isRefused: (service: CapService, operation: CapElement) => boolean
  /** Roles of which nothing asks. */
  readonly idle: () => readonly string[]
  /** A handler in front of it may ask who calls, also one of another file. */
  readonly isAsked: (service: CapService, operation: CapElement) => boolean
}

/** Actions of a service that asks for a login alone. */
function* matchesOfOpen(
  service: CapService,
  root: CapRoot,
  reach: ReachModel,
  { changesOf, refilled, isChanging, isRefused, idle, isAsked }: Readers,
): Generator<Match> {
  const open = openElements(service).filter(
    (one) => one.kind === 'action' && one.entity === undefined && !isRefused(service, one),
  )
  const restricted = service.elements.filter(({ access, kind }) => kind === 'entity' && access?.kind === 'roles')
  if (restricted.length === 0) {
    const { actions, shown, entities } = besideCheckedRows(root, service, changesOf, isAsked)
    for (const action of actions) {
      const isShown = shown.includes(action)
      const alike = actions.filter((one) => shown.includes(one) === isShown)
      yield {
        at: action.place,
        args: { ...argsOf(service, alike), restricted: listElements(entities) },
        variant: 'handler',
        ...(isShown && { evidence: 'shown' as const }),
        exposure: reach.ofElement(service, action),
        groupKey: `${service.place.file} ${service.name} ${String(isShown)}`,
      }
    }
    const forSome = actions.length > 0 ? [] : operationsForSome(service)
    const bare = forSome.length === 0 ? [] : uncheckedInCode(root, service, openActions(service))
    const roles = bare.length === 0 || filtersByPolicies(root) ? [] : idle()
    for (const action of roles.length === 0 ? [] : bare)
      yield {
        at: action.place,
        args: { ...argsOf(service, bare), restricted: listElements(forSome), roles: listRoles(roles) },
        variant: 'idle',
        exposure: reach.ofElement(service, action),
        groupKey: `${service.place.file} ${service.name}`,
      }
    const sending = actions.length + bare.length > 0 ? [] : sendingActions(root, service, changesOf)
    for (const { action, change } of sending)
      yield {
        at: action.place,
        args: {
          ...argsOf(
            service,
            sending.map((one) => one.action),
          ),
          restricted: quoteWord(change.remote ?? ''),
        },
        variant: 'remote',
        exposure: reach.ofElement(service, action),
        groupKey: `${service.place.file} ${service.name}`,
      }
    if (actions.length + bare.length + sending.length === 0) yield* matchesOfRefills(root, service, refilled(service), reach)
    return
  }
  yield* matchesBesideRoles(service, { open, restricted }, root, reach, (action) => isChanging(service, action, restricted))
}

/** Actions of a service that asks for a role where rows are concerned. */
function* matchesBesideRoles(
  service: CapService,
  { open, restricted }: Readonly<Record<'open' | 'restricted', readonly CapElement[]>>,
  root: CapRoot,
  reach: ReachModel,
  isChanging: (action: CapElement) => boolean,
): Generator<Match> {
  root.step(1 + open.length)
  const shown = new Set(open.filter(isChanging))
  const role = restricted.map(writerOf).find((one) => one !== undefined) ?? restricted[0]?.access?.roles[0] ?? ''
  for (const isShown of [true, false]) {
    const alike = open.filter((action) => shown.has(action) === isShown)
    const args = { ...argsOf(service, alike), role, restricted: listElements(restricted.map(({ name }) => name)) }
    for (const action of alike)
      yield {
        at: action.place,
        args,
        ...(isShown && { evidence: 'shown' as const }),
        exposure: reach.ofElement(service, action),
        groupKey: `${service.place.file} ${service.name} ${String(isShown)}`,
      }
  }
}

function* matchesOfRefills(
  root: CapRoot,
  service: CapService,
  { operations, entities }: RefilledTables = { operations: [], entities: [] },
  reach: ReachModel,
): Generator<Match> {
  const args = { ...argsOf(service, operations), restricted: listElements(entities) }
  for (const operation of operations) {
    root.step()
    const isBounded = takesNothing(operation, service, root)
    yield {
      at: operation.place,
      args,
      variant: 'refilled',
      // the rows are those of the source, whoever asks for them
      ...(isBounded && { impact: 'bounded' as const, evidence: 'shown' as const }),
      exposure: reach.ofElement(service, operation),
      groupKey: `${service.place.file} ${service.name} ${String(isBounded)}`,
    }
  }
}

/** Actions of a service or of its rows that say nothing of roles. */
function openActions(service: CapService): readonly CapElement[] {
  return openElements(service).filter(({ kind, name }) => kind === 'action' && !OF_CALLER.test(name))
}

/** Actions for which the service asks for a role. */
function operationsForSome({ elements }: CapService): readonly string[] {
  return elements.flatMap(({ kind, access, name }) => (kind === 'action' && access?.kind === 'roles' ? name : []))
}

/** A role that may change the entity: one that only reads it is none for an action. */
function writerOf({ annotations }: CapElement): string | undefined {
  const writing = privilegesOf(annotations.get('restrict')?.value).filter((privilege) => grantsEvent(privilege, 'UPDATE'))
  return writing.flatMap(({ to }) => to ?? []).find((role) => role !== 'any' && role !== 'authenticated-user')
}

/**
 * Actions that send data to another system and ask in no way who calls, in a service that asks for no role at all, while code of others asks users for one. What a broker gets,
 * and what only asks, is no such deed.
 */
function sendingActions(
  root: CapRoot,
  service: CapService,
  changesOf: (service: CapService, operation: CapElement) => readonly Change[],
): readonly { readonly action: CapElement; readonly change: Change }[] {
  const isAsking = root.scripts.get(roleChecks).length > 0
  const hasOther = service.elements.some(({ access }) => access?.kind === 'roles')
  if (!isAsking || hasOther || filtersByPolicies(root)) return []
  const isRemote = ({ remote, path = '' }: Change): boolean =>
    remote !== undefined &&
    !LOCAL.test(remote) &&
    !ONLY_ASKS.test(`${remote} ${path}`) &&
    !root.services.some(({ name }) => name === remote || name.endsWith(`.${remote}`))
  const sending = openActions(service).flatMap((action) => {
    const changes = changesOf(service, action)
    const change = changes.find(isRemote)
    return change === undefined || changes.some(({ asks }) => asks !== 'no') ? [] : [{ action, change }]
  })
  const unchecked = uncheckedInCode(
    root,
    service,
    sending.map(({ action }) => action),
  )
  return sending.filter(({ action }) => unchecked.includes(action))
}

/** Facts: capire, "cds.connect", "Messaging", "Audit Logging": services of the application itself. */
const LOCAL = /^(?:db|messaging|audit-?log|outbox|queue)(?![a-z])/i
/** Names of services and paths that take no order. */
const ONLY_ASKS = /token|oauth|search|query|\$batch|chat|completion|embedding|predict|translat|convert|calculat|simulat|validat/i

const CHANGES = /^(?:CREATE|UPDATE|DELETE|UPSERT|INSERT|PATCH|SAVE|WRITE)$/
/** Operations that answer for the caller alone. */
const OF_CALLER = /(?:^|[._])(?:get|read|is|has)?_?(?:my|me|who|current|user|session|role|permission|health|ping|version)/i

/**
 * What no handler checks, in a service whose handlers check a role for rows: actions where that is for changes, functions where it is for reading. Where it is for reading
 * alone, also what changes rows that are there, and asks in no way who calls.
 */
function besideCheckedRows(
  root: CapRoot,
  service: CapService,
  changesOf: (service: CapService, operation: CapElement) => readonly Change[],
  isAsked: Readers['isAsked'],
): CheckedRows {
  const checked = filtersByPolicies(root)
    ? []
    : openElements(service).flatMap((element) => {
        const events = element.kind === 'entity' ? eventsCheckedInCode(root, service, element) : undefined
        return events === undefined ? [] : [{ name: element.name, events }]
      })
  const isFor = (pattern: RegExp): boolean => checked.some(({ events }) => events.some((event) => pattern.test(event)))
  const isChanging = (operation: CapElement): boolean => {
    const changes = changesOf(service, operation)
    return (
      changes.some(({ write }) => write !== undefined && write.event !== 'CREATE') && changes.every(({ asks }) => asks === 'no')
    )
  }
  const operations =
    checked.length === 0 ? [] : openElements(service).filter((one) => one.kind !== 'entity' && !isAsked(service, one))
  const changing = operations.filter(isChanging)
  const others = operations.filter(
    (operation) =>
      !changing.includes(operation) &&
      ((operation.kind === 'action' && isFor(CHANGES)) ||
        (operation.kind === 'function' && isFor(/^READ$/) && !OF_CALLER.test(operation.name))),
  )
  const rows = service.elements.filter(({ kind }) => kind === 'entity')
  const isWhole = rows.every(({ name }) =>
    checked.some((one) => one.name === name && one.events.some((event) => CHANGES.test(event))),
  )
  const asksNobody = (operation: CapElement): boolean => changesOf(service, operation).every(({ asks }) => asks !== 'yes')
  return {
    actions: uncheckedInCode(root, service, [...changing, ...others]),
    shown: isWhole ? [...changing, ...others.filter(asksNobody)] : changing,
    entities: checked.map(({ name }) => name),
  }
}

interface CheckedRows {
  readonly actions: readonly CapElement[]
  /** Those whose handlers are seen to change rows and to ask in no way who calls, and all that ask nothing where a role is checked for each change of any row. */
  readonly shown: readonly CapElement[]
  readonly entities: readonly string[]
}
