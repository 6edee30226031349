import {
  accepts,
  readersOf,
  writersOf,
  type CapElement,
  type CapRoot,
  type CapService,
  type RowEvent,
  type WriteEvent,
} from '../../model/cap/index.ts'
import { isMisspeltPseudoRole } from '../../model/authorization/index.ts'
import type { Extracted } from '../../extracts/scripts.ts'
import { groupBy } from '../../lists.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import type { Exposure } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { exposureOf, exposureOfRoles } from './_model/restricted-exposures.ts'
import { databaseHandlersOfJava } from './_handlers/java-targets.ts'
import { targetedHandlers, type TargetedHandler } from './_handlers/targeted-handlers.ts'
import { ofUsers } from './_matches.ts'
import { lastName } from '../../paths.ts'

/**
 * A handler with a check, registered for a name that no service has, beside an entity or action that is called nearly so; or for an entity of the database, which the
 * service exposes as one of its own.
 * Facts: @sap/cds 5.9.8, 7.9.5, 8.2.1 and 9.9.3, lib/srv/srv-handlers.js: a name as text becomes `<service>.<name>`, an object is the name that it has in the model; both are
 * compared with the name of the entity that a request is for, so a handler for a name that is not there is registered without an error and never called.
 * Impact: what the handler was to refuse or to set is the client's choice. A check of the caller is missing by that; what other checks protect, the project doesn't tell.
 */
export const handlerForUnknownTarget: Rule = defineRule({
  id: 'cap/handler-for-unknown-target',
  impact: 'data',
  evidence: 'assumed',
  grades: { caller: { evidence: 'shown' }, 'database-caller': { evidence: 'shown' } },
  confidence: 'high',
  cwe: [863],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/node.js/core-services#srv-on-before-after',
  docsByVariant: { 'database-java': 'https://cap.cloud.sap/docs/java/event-handlers/' },
  on: 'cap-root',
  extracts: [targetedHandlers],

  *check(root, { reach }) {
    if (root.test) return
    for (const { at, name, service, element } of databaseHandlersOfJava(root)) {
      const meant = lastName(element.name)
      const args = { name, service: service.name, meant, package: lastName(service.name).toLowerCase() }
      yield { at, args, variant: 'database-java', exposure: exposureOf(service, element, reach) }
    }
    const handlers = root.scripts.get(targetedHandlers)
    if (handlers.length === 0) return
    const known = namesOf(root)
    const registered = groupBy(handlers, ({ value }) => lastName(value.name))
    const outside = createOutsideReader(root)
    for (const { file, value } of handlers) {
      root.step()
      if (!isChecking(value)) continue
      const ofDatabase = databaseEntities(value, outside)
      const isUnknown = value.isText && !known.has(lastName(value.name)) && /^[\w.]+$/.test(value.name)
      if (!isUnknown && ofDatabase.length === 0) continue
      const others: OtherHandlers = (name) => {
        const found = registered.get(name) ?? []
        root.step(found.length)
        return found.filter((one) => one.file !== file || one.value.start !== value.start)
      }
      const { services } = root.eventOf({ file, ...value, events: [], entities: undefined })
      const found = services.flatMap((service): Meant[] => {
        const meant = service.exposure === 'served' ? service.elements.filter((one) => isMeant(one, value, ofDatabase, root)) : []
        const element = meant.find((one) => isAnySent(one, value, service, others)) ?? meant[0]
        return element === undefined ? [] : [{ service, element }]
      })
      const [first] = found
      if (first === undefined || found.some(({ element }) => element.name !== first.element.name)) continue
      if (!isAnySent(first.element, value, first.service, others)) continue
      if (isRepeated(value, others(lastName(first.element.name)))) continue
      yield {
        at: { file, span: { start: value.start, end: value.end } },
        args: {
          name: value.name,
          service: first.service.name,
          meant: first.element.name,
        },
        groupKey: `${file} ${value.name}`,
        ...variantOf(value, isUnknown),
        // it is the check that is missing as soon as somebody corrects the role
        ...(isForNobody(first.service) && { evidence: 'assumed' as const }),
        exposure: sendersOf(value, first, reach),
      }
    }
  },

  text: () => ({
    en: {
      title: 'CAP handler registered for an unknown name',
      message:
        'This handler is registered for "{name}", but the service {service} has no such entity or action: it is called {meant}. CAP never calls the handler.',
      why: 'CAP accepts any name without an error. Requests for {meant} run without the validation and the values that this handler should apply, so users can send what it would reject.',
      fix: "Register the handler for '{meant}', or take the entity from this.entities, so that a wrong name is noticed.",
      variants: {
        caller: {
          title: 'Authorization check registered for an unknown name',
          why: 'CAP accepts any name without an error. Requests for {meant} run without the check of the caller in this handler, so users can read or change what it should keep from them.',
        },
        database: {
          title: 'CAP handler registered for a database entity',
          message:
            'This handler is registered for the entity {name} of the database, but requests to the service {service} are for its own entity {meant}. CAP never calls the handler.',
          why: 'CAP compares the full names of entities. Requests for {meant} run without the validation and the values that this handler should apply, so users can send what it would reject.',
          fix: 'Take the entity from the service: this.entities.{meant}.',
        },
        'database-java': {
          title: 'CAP handler registered for a database entity',
          message:
            'This handler is registered for the entity {name} of the database, but requests to the service {service} are for its own entity {meant}. CAP never calls the handler.',
          why: 'CAP compares the full names of entities. Requests for {meant} run without the validation and the values that this handler should apply, so users can send what it would reject.',
          fix: 'Import {meant}_ from the package that is generated for the service, such as cds.gen.{package}, and not from that of the database.',
        },
        'database-caller': {
          title: 'Authorization check registered for a database entity',
          message:
            'This handler is registered for the entity {name} of the database, but requests to the service {service} are for its own entity {meant}. CAP never calls the handler.',
          why: 'CAP compares the full names of entities. Requests for {meant} run without the check of the caller in this handler, so users can read or change what it should keep from them.',
          fix: 'Take the entity from the service: this.entities.{meant}.',
        },
      },
    },
    fr: {
      title: 'Gestionnaire CAP enregistré pour un nom inconnu',
      message:
        'Ce gestionnaire est enregistré pour "{name}", mais le service {service} n’a ni entité ni action de ce nom : elle s’appelle {meant}. CAP n’appelle jamais ce gestionnaire.',
      why: 'CAP accepte n’importe quel nom sans erreur. Les requêtes sur {meant} s’exécutent sans les validations ni les valeurs prévues ici : les utilisateurs peuvent envoyer ce que le gestionnaire rejetterait.',
      fix: "Enregistrez le gestionnaire pour '{meant}', ou prenez l’entité dans this.entities, afin qu’un nom erroné soit remarqué.",
      variants: {
        caller: {
          title: 'Contrôle d’autorisation enregistré pour un nom inconnu',
          why: 'CAP accepte n’importe quel nom sans erreur. Les requêtes sur {meant} s’exécutent sans le contrôle de l’appelant prévu ici : des utilisateurs peuvent lire ou modifier ce qui ne leur est pas destiné.',
        },
        database: {
          title: 'Gestionnaire CAP enregistré pour une entité de la base',
          message:
            'Ce gestionnaire est enregistré pour l’entité {name} de la base de données, mais les requêtes au service {service} portent sur sa propre entité {meant}. CAP n’appelle jamais ce gestionnaire.',
          why: 'CAP compare les noms complets des entités. Les requêtes sur {meant} s’exécutent sans les validations ni les valeurs prévues ici : les utilisateurs peuvent envoyer ce que le gestionnaire rejetterait.',
          fix: 'Prenez l’entité du service : this.entities.{meant}.',
        },
        'database-java': {
          title: 'Gestionnaire CAP enregistré pour une entité de la base',
          message:
            'Ce gestionnaire est enregistré pour l’entité {name} de la base de données, mais les requêtes au service {service} portent sur sa propre entité {meant}. CAP n’appelle jamais ce gestionnaire.',
          why: 'CAP compare les noms complets des entités. Les requêtes sur {meant} s’exécutent sans les validations ni les valeurs prévues ici : les utilisateurs peuvent envoyer ce que le gestionnaire rejetterait.',
          fix: 'Importez {meant}_ du paquet généré pour le service, tel que cds.gen.{package}, et non de celui de la base.',
        },
        'database-caller': {
          title: 'Contrôle d’autorisation enregistré pour une entité de la base',
          message:
            'Ce gestionnaire est enregistré pour l’entité {name} de la base de données, mais les requêtes au service {service} portent sur sa propre entité {meant}. CAP n’appelle jamais ce gestionnaire.',
          why: 'CAP compare les noms complets des entités. Les requêtes sur {meant} s’exécutent sans le contrôle de l’appelant prévu ici : des utilisateurs peuvent lire ou modifier ce qui ne leur est pas destiné.',
          fix: 'Prenez l’entité du service : this.entities.{meant}.',
        },
      },
    },
  }),
})

function variantOf({ effect }: TargetedHandler, isUnknown: boolean): { variant?: string } {
  if (isUnknown) return effect === 'caller' ? { variant: 'caller' } : {}
  return { variant: effect === 'caller' ? 'database-caller' : 'database' }
}

/** The service asks for a role that is a misspelt pseudo role: no user has it. */
function isForNobody({ access }: CapService): boolean {
  return access.kind === 'roles' && access.roles.every(isMisspeltPseudoRole)
}

interface Meant {
  readonly service: CapService
  readonly element: CapElement
}

/** It runs before or instead of rows of an entity, or before an operation: one that stands for an operation leaves that without an effect. */
function isChecking({ effect, isEntity, phase, name }: TargetedHandler): boolean {
  return effect !== 'none' && (isEntity || (phase !== 'on' && !/^[A-Z]+$/.test(name)))
}

/** The last parts of all names that some service knows: what a handler is registered for in another file may be of any of them. */
function namesOf(root: CapRoot): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { elements, autoexposed, definition } of root.services) {
    for (const { name } of elements) found.add(lastName(name))
    for (const { name } of autoexposed()) found.add(lastName(name))
    found.add(definition.name)
  }
  return found
}

/** Handlers that are registered for a name, the one that is looked at left out. */
type OtherHandlers = (name: string) => readonly Extracted<TargetedHandler>[]

/** The entities outside of all services by the last parts of their names, put together where the first handler asks. */
function createOutsideReader(root: CapRoot): (name: string) => readonly string[] {
  let outside: ReadonlyMap<string, readonly string[]> | undefined
  const index = (): ReadonlyMap<string, readonly string[]> => {
    const inService = new Set(root.services.map(({ name }) => name))
    root.step(root.entities.length)
    const isInService = (entity: string): boolean =>
      [...entity.matchAll(/\./g)].some(({ index: end }) => inService.has(entity.slice(0, end)))
    return groupBy(
      root.entities.filter((entity) => !isInService(entity)),
      lastName,
    )
  }
  return (name) => (outside ??= index()).get(name) ?? []
}

/** The entities outside of all services that a handler's object may be; none where it is one of a service. */
function databaseEntities({ object }: TargetedHandler, outside: (name: string) => readonly string[]): readonly string[] {
  if (object === undefined) return []
  const { name, namespace } = object
  const found = outside(lastName(name))
  if (namespace === undefined) return found.filter((one) => lastName(one) === name)
  return found.filter((one) => one === (namespace === '' ? name : `${namespace}.${name}`))
}

/** The entity or action that a name stands for: another form of its name, or the name of what it projects on. */
function isMeant(
  { kind, name, source, qualified }: CapElement,
  handler: TargetedHandler,
  ofDatabase: readonly string[],
  root: CapRoot,
): boolean {
  if (handler.isEntity !== (kind === 'entity')) return false
  if (ofDatabase.length > 0) return root.projected(qualified).some((one) => one !== qualified && ofDatabase.includes(one))
  const written = lastName(handler.name)
  if (kind === 'entity' && source !== undefined && lastName(source.name) === written) return true
  const forms = formsOf(lastName(name))
  return formsOf(written).some((form) => forms.includes(form))
}

/** A name without its ending in the plural and without the form in which its words are joined. */
function formsOf(name: string): readonly string[] {
  const folded = name.toLowerCase().replaceAll('_', '')
  const singular = [folded.replace(/ies$/, 'y'), folded.replace(/es$/, ''), folded.replace(/s$/, '')]
  return [...new Set([folded, ...singular])].filter((form) => form.length > 2)
}

const WRITES: Readonly<Record<string, readonly WriteEvent[]>> = {
  CREATE: ['CREATE'],
  UPDATE: ['UPDATE'],
  PATCH: ['UPDATE'],
  DELETE: ['DELETE'],
  SAVE: ['CREATE', 'UPDATE'],
  WRITE: ['CREATE', 'UPDATE'],
  '*': ['CREATE', 'UPDATE', 'DELETE'],
}

/** Clients can send what is meant one of the events that the handler is for. */
function isAnySent(element: CapElement, handler: TargetedHandler, service: CapService, others: OtherHandlers): boolean {
  const { isEntity, events, phase } = handler
  if (!isEntity) return true
  return events.some(
    (event) =>
      isSent(element, event, service) && (phase !== 'on' || isOfRows(event) || isInterceptor(handler, event, element, others)),
  )
}

/** It checks a request before it calls the handler that does the action: an action whose only handler never runs has no effect. */
function isInterceptor({ isPassing }: TargetedHandler, event: string, element: CapElement, others: OtherHandlers): boolean {
  if (!isPassing) return false
  return [lastName(element.name), '*', event].some((name) =>
    others(name).some(
      ({ value }) => value.phase === 'on' && (value.isEntity ? value.events.includes(event) : value.name === event),
    ),
  )
}

function isOfRows(event: string): boolean {
  return event === 'READ' || WRITES[event] !== undefined
}

/** Clients can send the entity that is meant such an event. */
function isSent(element: CapElement, event: string, { elements }: CapService): boolean {
  const writes = WRITES[event]
  if (writes !== undefined) return writes.some((one) => accepts(element, one))
  return event === 'READ' || elements.some(({ entity, name }) => entity === element.name && lastName(name) === event)
}

/** Who sends what the handler should have checked. */
function sendersOf({ isEntity, events, effect }: TargetedHandler, { service, element }: Meant, reach: ReachModel): Exposure {
  // the check in it counts for nothing: whom the model lets in, where that asks for no role either
  const asksForRole = element.access?.kind === 'roles' || service.access.kind === 'roles'
  if (effect === 'caller' && !asksForRole) return ofUsers(reach.ofService(service))
  if (!isEntity) return exposureOf(service, element, reach)
  const readers = events.includes('READ') ? readersOf(element)?.roles : undefined
  const writes = events.flatMap((event) => WRITES[event] ?? [])
  const sent = events.flatMap((event): readonly RowEvent[] => (event === 'READ' ? [event] : (WRITES[event] ?? [])))
  const roles = [...(readers ?? []), ...(writes.length > 0 ? writersOf(element, service, writes) : [])]
  return roles.length === 0
    ? exposureOf(service, element, reach)
    : exposureOfRoles(service, element, roles, reach, { events: sent })
}

/** The right name has a handler for the same event too: the other one is a leftover. */
function isRepeated({ events, name, effect, object }: TargetedHandler, others: readonly Extracted<TargetedHandler>[]): boolean {
  return others.some(
    ({ value }) =>
      (object === undefined ? value.name !== name : value.object === undefined) &&
      value.effect !== 'none' &&
      (value.effect === effect || value.effect === 'caller') &&
      value.events.some((event) => event === '*' || events.includes(event)),
  )
}
