import { listNames } from '../../arguments.ts'
import {
  accepts,
  isAdministrative,
  isGuarded,
  isImmutable,
  servedServices,
  writersOf,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { limitChecks, type LimitCheck } from './_callers/limit-checks.ts'
import { headerSkips } from './_handlers/header-skips.ts'
import { bypassedCreates } from './_model/bypassed-creates.ts'
import { ofUsers, worstAtPlaces } from './_matches.ts'
import { exposureOf } from './_model/restricted-exposures.ts'
import { projectedNames } from './_handlers/user-handlers.ts'

/**
 * A limit that a handler checks for one event, where another event writes the same entity and nothing checks it: for drafts, which are changed after that and activated
 * without it, for UPDATE and not for CREATE, or the other way round; or an operation whose handler inserts what the client sends into the entity, past its check for CREATE.
 * Or a check that a handler of such an event leaves out where the client sends a header, or none.
 * Facts: capire, "Fiori Drafts" (NEW, and CREATE of drafts, make a draft; PATCH changes it; it becomes a row by CREATE or UPDATE of the entity itself).
 * Impact: rows beyond a limit of the business; what follows from them is not in the project.
 */
export const limitCheckBypassed: Rule = defineRule({
  id: 'cap/limit-check-bypassed',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [841],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/node.js/fiori#draft-support',
  extracts: [limitChecks],
  keywords: ['INSERT', 'headers'],
  checks: {
    *'cap-root'(root, { reach }) {
      if (root.test) return
      const matches: Match[] = []
      for (const service of servedServices(root))
        for (const entity of service.elements) matches.push(...uncheckedEvents(root, service, entity, reach))
      yield* worstAtPlaces(matches)
    },

    *'server-script'({ path, text, content: { facts }, budget }) {
      for (const { start, end, ...args } of headerSkips(facts, text, (count) => budget.step(count)))
        yield { at: { file: path, span: { start, end } }, variant: 'header', args, reach: 'user' }
      for (const { start, end, ...args } of bypassedCreates(facts, text, (count) => budget.step(count)))
        // that callers need no login is a finding of the service
        yield { at: { file: path, span: { start, end } }, variant: 'action', args: { ...args }, reach: 'user' }
    },
  },

  text: () => ({
    en: {
      title: 'Limit check missing for another write event',
      message: 'The check {limit} runs for {checked:and} of {entity}, and no handler checks a limit for {missing:and}.',
      why: 'CREATE and UPDATE both write what the client sends: a user exceeds the limit with the event that has no check.',
      fix: "Register the check for all events that write the entity: srv.before(['CREATE', 'UPDATE'], {entity}, …).",
      variants: {
        drafts: {
          message:
            'The check {limit} runs only when a draft of {entity} is created; no handler checks a limit for {missing:and}.',
          why: 'A draft is created nearly empty and changed by PATCH; its activation is a CREATE or UPDATE of the entity itself: what a user enters after the creation is saved unchecked.',
          fix: "Register the check for the activation, that is for the entity itself: srv.before(['CREATE', 'UPDATE'], {entity}, …).",
        },
        changed: {
          title: 'Check of new rows missing where rows are changed',
          message: 'The check {limit} runs only when a row of {entity} is created, and no handler rejects update requests.',
          why: 'A user creates a row that passes the check, and then changes it with a plain update request to what the check would reject.',
          fix: "Register the check for UPDATE too: srv.before(['CREATE', 'UPDATE'], {entity}, …), with the stored row for what the request leaves out. Or make the elements that it compares @readonly or immutable.",
        },
        header: {
          title: 'Check of written rows skipped by a request header',
          message: 'The handler of {event} for {entity} returns before {check} where {test} holds, which the client decides.',
          why: 'Every client may send or omit a header: a user skips the check, and CAP then stores what was sent.',
          fix: 'Remove this return, so that {check} runs for each request. For the other way in, write an action with a role of its own, or look at what is stored about the row.',
        },
        action: {
          title: 'Check of new rows bypassed by an operation',
          message:
            'The handler of {operation} inserts what the client sends into {entity} by the database service: {check}, which rejects requests, does not run for it.',
          why: 'Handlers of a service run for its own requests only: a user calls the operation and so creates rows that the check would reject.',
          fix: 'Insert through the service, so that its handlers run: await this.run(INSERT.into({entity}).entries(…)). Or call the function with the checks in the handler of {operation} too.',
        },
      },
    },
    fr: {
      title: 'Contrôle de limite absent pour un autre événement d’écriture',
      message:
        'Le contrôle {limit} s’exécute pour {checked:et} de {entity}, et aucun gestionnaire ne contrôle de limite pour {missing:et}.',
      why: 'CREATE et UPDATE écrivent tous deux ce que le client envoie : un utilisateur dépasse la limite avec l’événement sans contrôle.',
      fix: "Enregistrez le contrôle pour tous les événements qui écrivent l’entité : srv.before(['CREATE', 'UPDATE'], {entity}, …).",
      variants: {
        drafts: {
          message:
            'Le contrôle {limit} ne s’exécute qu’à la création d’un brouillon de {entity} ; aucun gestionnaire ne contrôle de limite pour {missing:et}.',
          why: 'Un brouillon est créé presque vide puis modifié par PATCH ; son activation est un CREATE ou un UPDATE de l’entité elle-même : ce qu’un utilisateur saisit ensuite est enregistré sans contrôle.',
          fix: "Enregistrez le contrôle pour l’activation, c’est-à-dire pour l’entité elle-même : srv.before(['CREATE', 'UPDATE'], {entity}, …).",
        },
        changed: {
          title: 'Contrôle des nouvelles lignes absent à la modification',
          message:
            'Le contrôle {limit} ne s’exécute qu’à la création d’une ligne de {entity}, et aucun gestionnaire ne rejette de requêtes de modification.',
          why: 'Un utilisateur crée une ligne qui passe le contrôle, puis la modifie par une simple requête en ce que le contrôle rejetterait.',
          fix: "Enregistrez aussi le contrôle pour UPDATE : srv.before(['CREATE', 'UPDATE'], {entity}, …), avec la ligne stockée pour ce que la requête omet. Ou rendez les éléments comparés @readonly ou immuables.",
        },
        header: {
          title: 'Contrôle des lignes écrites contourné par un en-tête de requête',
          message: 'Le gestionnaire de {event} pour {entity} se termine avant {check} lorsque {test}, ce dont le client décide.',
          why: 'Tout client peut envoyer ou omettre un en-tête : un utilisateur évite le contrôle, et CAP enregistre ensuite ce qu’il a envoyé.',
          fix: 'Supprimez ce return, pour que {check} s’exécute à chaque requête. Pour l’autre cas, écrivez une action avec un rôle propre, ou consultez ce qui est enregistré de la ligne.',
        },
        action: {
          title: 'Contrôle des nouvelles lignes contourné par une opération',
          message:
            'Le gestionnaire de {operation} insère ce que le client envoie dans {entity} par le service de base de données : {check}, qui rejette des requêtes, n’est pas exécuté.',
          why: 'Les gestionnaires d’un service ne s’exécutent que pour ses propres requêtes : un utilisateur appelle l’opération et crée ainsi des lignes que le contrôle rejetterait.',
          fix: 'Insérez par le service, pour que ses gestionnaires s’exécutent : await this.run(INSERT.into({entity}).entries(…)). Ou appelez la fonction de contrôle aussi dans le gestionnaire de {operation}.',
        },
      },
    },
  }),
})

const WRITES = ['CREATE', 'UPDATE'] as const
type Write = (typeof WRITES)[number]

/** The events by which handlers run before such a write of an entity itself. */
const RUNS: Readonly<Record<Write, ReadonlySet<string>>> = {
  CREATE: new Set(['CREATE', 'INSERT', 'UPSERT', 'SAVE', 'WRITE', '*']),
  UPDATE: new Set(['UPDATE', 'UPSERT', 'SAVE', 'WRITE', '*']),
}
/** Those by which they run for each change of a draft. */
const CHANGES: ReadonlySet<string> = new Set(['UPDATE', 'PATCH', '*'])

function* uncheckedEvents(root: CapRoot, service: CapService, entity: CapElement, reach: ReachModel): Generator<Match> {
  const written = entity.kind === 'entity' ? WRITES.filter((event) => accepts(entity, event)) : []
  if (written.length === 0 || writersOf(entity, service).every(isAdministrative)) return
  const names = projectedNames(root, entity.qualified)
  const handlers = root.scripts.get(limitChecks).filter(({ file, value }) => {
    root.step()
    if (value.entities?.some((name) => names.has(name)) === false) return false
    const { services, isCertain } = root.eventOf({ file, ...value })
    return !isCertain || services.includes(service)
  })
  yield* changedPastCheck(service, entity, handlers, reach)
  const missing = written.filter((event) => !handlers.some(({ value }) => checks(value, event)))
  if (missing.length === 0) return
  for (const { file, value } of handlers) {
    if (value.limit === '' || value.entities === undefined) continue
    yield {
      at: { file, span: { start: value.start, end: value.end } },
      args: {
        limit: value.limit,
        entity: entity.name,
        checked: listNames(written.filter((event) => !missing.includes(event))),
        missing: listNames(missing),
      },
      // that callers need no login is a finding of the service
      exposure: ofUsers(exposureOf(service, entity, reach, missing)),
      ...(value.isForDrafts && { variant: 'drafts' }),
    }
  }
}

/** A new row is compared with another one, such as a balance, whatever that is called, and nothing refuses changes of it. */
function* changedPastCheck(
  service: CapService,
  entity: CapElement,
  handlers: readonly { readonly file: string; readonly value: LimitCheck }[],
  reach: ReachModel,
): Generator<Match> {
  const runsFor = ({ events, isForDrafts }: LimitCheck, event: Write): boolean =>
    !isForDrafts && events.some((name) => RUNS[event].has(name))
  const mayRefuse = handlers.some(
    ({ value }) => (value.isForDrafts || runsFor(value, 'UPDATE')) && (value.refuses || value.isOpen || value.limit !== ''),
  )
  if (mayRefuse || !accepts(entity, 'UPDATE') || writersOf(entity, service, ['UPDATE']).every(isAdministrative)) return
  // what clients can't change, the check has seen
  const changeable = entity.members().flatMap((member) => {
    const isFixed = member.key || isGuarded(member) || isImmutable(member)
    return isFixed ? [] : (member.name.split('.')[0] ?? [])
  })
  for (const { file, value } of handlers) {
    // a limit by its name is told as one
    if (value.compared === '' || value.limit !== '' || value.entities === undefined || !runsFor(value, 'CREATE')) continue
    if (!changeable.some((name) => value.names?.some((one) => one === name || one.startsWith(`${name}_`)))) continue
    yield {
      at: { file, span: { start: value.start, end: value.end } },
      args: { limit: value.compared, entity: entity.name },
      exposure: ofUsers(exposureOf(service, entity, reach, ['UPDATE'])),
      impact: 'bounded',
      evidence: 'shown',
      variant: 'changed',
    }
  }
}

/** A limit is kept where the event writes the entity, or may be. */
function checks({ events, isForDrafts, limit, isOpen }: LimitCheck, event: Write): boolean {
  if (limit === '' && !isOpen) return false
  return isForDrafts ? events.some((name) => CHANGES.has(name)) : events.some((name) => RUNS[event].has(name))
}
