import { describedRoles, type HeldRoles } from '../../../model/authorization/index.ts'
import {
  entityWords,
  isAdministrative,
  PSEUDO_ROLES,
  servedServices,
  toWords,
  uncheckedInCode,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import { lastName } from '../../../paths.ts'
import type { Match, RuleText } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import { createOperationReader } from '../_callers/caller-checks.ts'
import { createHeldRoles } from '../_callers/scopes.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'
import { listElements, listRoles, requiringRoles, usersWith } from '../_matches.ts'
import { areUsers } from '../_rows/person-rows.ts'
import type { Change } from '../_rows/state-changes.ts'
import { singular } from './entity-rights.ts'
import { ALL_USERS, callersOf } from './operation-rights.ts'
import { exposureOfRoles } from './restricted-exposures.ts'

/** Decisions, by the words of an action, of one who has the duty, and of one who has anything to do with it. */
interface Duty {
  readonly action: RegExp
  readonly duty: RegExp
  readonly related: RegExp
}

const DECIDES = /approv|reject|deny|denie|declin|decid|decision|review|accept|refus|respon|confirm|\bsign/

const DUTIES: readonly Duty[] = [
  {
    action: /^(?:(?:bulk|mass|batch|final) )?(?:approve|reject|deny|decline)(?: |$)/,
    duty: /\bapprov(?:e|es|er|ers|ing)\b/g,
    related: DECIDES,
  },
  {
    action: /^(?:(?:bulk|mass|batch|final) )?(?:reject|deny|decline)(?: |$)/,
    duty: /\b(?:reject|rejects|rejecting|deny|denies|decline|declines)\b/g,
    related: DECIDES,
  },
  {
    // a lock, or what is handed in, is no decision
    action: /^(?:(?:bulk|mass|batch|final) )?release(?: (?!for |to |locks?\b|reserv|slots?\b|seats?\b|drafts?\b|connection)|$)/,
    duty: /\breleas(?:e|es|er|ers|ing)\b/g,
    related: /releas|approv/,
  },
  {
    action: /^(?:(?:bulk|mass|batch|final) )?authori[sz]e(?: |$)/,
    duty: /\bauthori[sz](?:e|es|ing)\b/g,
    related: /authori|approv|releas/,
  },
  {
    action: /^(?:(?:bulk|mass|batch|final) )?verify(?: |$)/,
    duty: /\bverif(?:y|ies|ier|iers|ying)\b/g,
    related: /verif|check|approv/,
  },
  {
    action: /^(?:(?:bulk|mass|batch|final) )?certify(?: |$)/,
    duty: /\bcertif(?:y|ies|ier|iers|ying)\b/g,
    related: /certif|approv/,
  },
  {
    action: /^(?:(?:bulk|mass|batch|final) )?publish(?: |$)/,
    duty: /\bpublish(?:es|er|ers|ing)?\b/g,
    related: /publi/,
  },
]

/** To ask for a decision, or to be kept from it, is no duty to decide. */
const NO_DUTY =
  /\b(?:not|cannot|without|except|before|until|await|awaiting|pending|submits?|requests?|for|be|is|are|by|but|never|nor)(?: \w{1,20})? $|\bfor(?: \w{1,20}){1,3} to $/
const MAX_BEFORE = 60
/** Roles for all that an app does, and those of programs. */
const UNBOUND =
  /\b(?:full|unrestricted|complete) (?:access|rights|authori|permission|control)|\beverything\b|\b(?:all|any|every) (?:\w{1,20} )?(?:access|rights?|authori|permissions?|functions?|actions?|operations?|features?)|super ?user|technical|callback|background|\bbatch\b|\bjobs?\b|automation|integration|workflow|service (?:account|user)|\bsystem user|machine/

function isDutyOf({ duty }: Duty, text: string): boolean {
  return [...text.matchAll(duty)].some(({ index }) => !NO_DUTY.test(text.slice(Math.max(0, index - MAX_BEFORE), index)))
}

/** An action that decides about rows of an entity, and whoever may call it although the descriptor gives the decision to others. */
interface ExceededDuty {
  readonly action: CapElement
  readonly callers: readonly string[]
  readonly deciders: readonly string[]
  readonly isShown: boolean
}

/**
 * Actions that decide, open to all roles of their service, where the descriptor describes the decision as the task of some of these roles. That the others may change
 * the rows otherwise, by requests that create or correct them, gives them no right to decide.
 * Needs the extracts `stateChanges`, `handlerLinks`, `roleChecks` and `callerCheckExtracts`.
 * Facts: capire, "Authorization" (an unbound action has its own restrictions and those of its service alone); SAP BTP, "Application Security Descriptor Configuration Syntax".
 */
export function createDutyReader(
  root: CapRoot,
  project: Project,
  changesOf: (service: CapService, operation: CapElement) => readonly Change[],
): (service: CapService) => Generator<Match> {
  const roles = new Map(
    [...describedRoles(project.securityOf(root))].map(([role, text]) => [role, `${toWords(role)}; ${text.toLowerCase()}`]),
  )
  const heldBy = createHeldRoles(root, project)
  const isHandled = createOperationReader(root)
  const mayAsk = createOperationReader(root, 'on')
  // of the people who decide, and their roles, each description may speak
  const all = servedServices(root).flatMap(({ elements }) =>
    elements.filter((one) => one.kind === 'entity' && !areUsers(one) && !/(?:approver|decision|role|request)s?$/i.test(one.name)),
  )
  return function* (service) {
    if (roles.size === 0 || service.access.kind === 'none') return
    const groups = new Map<string, ExceededDuty[]>()
    for (const action of service.elements) {
      root.step()
      const duty = action.kind === 'action' ? DUTIES.filter((one) => one.action.test(wordsOfAction(action))) : []
      const [first] = duty
      if (first === undefined) continue
      const changes = changesOf(service, action)
      if (changes.some(({ asks }) => asks === 'yes')) continue
      const entities = service.elements.filter((one) => isChanged(root, one, action, changes))
      if (entities.length === 0) continue
      const found = exceeding({ service, action, entities }, duty, roles, heldBy, all)
      if (found === undefined || isHandled(service, action) || uncheckedInCode(root, service, [action]).length === 0) continue
      // what the handler hands the request to may ask
      if (changes.some(({ asks }) => asks === 'unknown') && mayAsk(service, action)) continue
      const isShown = changes.some(({ asks }) => asks === 'no') && !found.callers.some(isLeading)
      const key = [...found.callers, '', ...found.deciders, isShown].join(' ')
      groups.set(key, [...(groups.get(key) ?? []), { action, ...found, isShown }])
    }
    for (const [key, group] of groups) yield* matchesOf(group, service, project.reach, key)
  }
}

/** Rows of an entity that an action changes: those that it names, or its own (`UPDATE(req.subject)`). */
function isChanged(
  root: CapRoot,
  { kind, name, qualified }: CapElement,
  action: CapElement,
  changes: readonly Change[],
): boolean {
  if (kind !== 'entity') return false
  if (name === action.entity) return changes.some(({ effect }) => effect.startsWith('UPDATE'))
  return changes.some(({ write }) => write?.event === 'UPDATE' && projectedNames(root, qualified).has(write.entity))
}

interface Deciding {
  readonly service: CapService
  readonly action: CapElement
  readonly entities: readonly CapElement[]
}

/** The callers who have nothing to do with the decision, and the roles of the service that make it. */
function exceeding(
  { service, action, entities }: Deciding,
  duties: readonly Duty[],
  roles: ReadonlyMap<string, string>,
  heldBy: HeldRoles,
  others: readonly CapElement[],
): Pick<ExceededDuty, 'callers' | 'deciders'> | undefined {
  const callers = callersOf(service, action)
  if (callers.length === 0) return undefined
  const isAboutOther = (text: string): boolean =>
    !entities.some((one) => names(text, one)) &&
    others.some((one) => !entities.some(({ name }) => name === one.name) && names(text, one))
  const deciders = [...roles].flatMap(([role, text]) =>
    !isAdministrative(role) && duties.some((duty) => isDutyOf(duty, text)) && !isAboutOther(text) ? [role] : [],
  )
  const admitted = callers.includes(ALL_USERS) ? deciders : deciders.filter((role) => callers.includes(role))
  if (admitted.length === 0) return undefined
  const exceeded = callers.filter((role) => {
    if (role === ALL_USERS) return true
    const text = roles.get(role)
    const isRelated = text === undefined || UNBOUND.test(text) || duties.some(({ related }) => related.test(text))
    return !PSEUDO_ROLES.has(role) && !isAdministrative(role) && !isRelated && !admitted.some((one) => heldBy(role).has(one))
  })
  return exceeded.length === 0 ? undefined : { callers: exceeded, deciders: admitted }
}

function wordsOfAction({ name }: CapElement): string {
  return toWords(lastName(name))
}

function names(text: string, { name }: CapElement): boolean {
  const last = singular(entityWords(name).split(' ').at(-1) ?? '')
  return last.length > 2 && text.includes(last)
}

/** By their names these may decide, whatever their description leaves out. */
function isLeading(role: string): boolean {
  return /manager|supervisor|lead|head|owner|controller|auditor|reviewer|director|officer/.test(toWords(role))
}

function* matchesOf(group: readonly ExceededDuty[], service: CapService, reach: ReachModel, key: string): Generator<Match> {
  for (const { action, callers, deciders, isShown } of group)
    yield {
      at: action.place,
      args: {
        actions: listElements(group.map((one) => one.action.name)),
        service: service.name,
        users: usersWith(callers),
        roles: listRoles(deciders),
        required: requiringRoles(deciders),
      },
      variant: 'described',
      evidence: isShown ? 'shown' : 'assumed',
      exposure: exposureOfRoles(service, action, callers, reach, { events: [] }),
      groupKey: `${action.place.file} ${service.name} described ${key}`,
    }
}

/** The words of `cap/action-without-restriction` for it. */
export const DUTY_WORDS: Readonly<Record<'en' | 'fr', RuleText>> = {
  en: {
    title: 'Decision of another role open to all roles of the service',
    message:
      'In {service}, {users:and} can call {actions:and}: neither the model nor the handlers check the role, although xs-security.json describes this decision as the task of {roles:and}.',
    why: 'CAP checks an action without @requires against the roles of its service only: users decide about rows that they create or change themselves, and the review by another role has no effect.',
    fix: 'Annotate {actions:and} in the CDS model with @requires: {required}. If other roles may decide too, add them there, and say so in their description.',
  },
  fr: {
    title: 'Décision d’un autre rôle ouverte à tous les rôles du service',
    message:
      'Dans {service}, {users:et} peuvent appeler {actions:et} : ni le modèle ni les gestionnaires ne contrôlent le rôle, alors que xs-security.json décrit cette décision comme la tâche de {roles:et}.',
    why: 'CAP ne vérifie une action sans @requires que selon les rôles de son service : des utilisateurs décident de lignes qu’ils créent ou modifient eux-mêmes, et la revue par un autre rôle n’a pas d’effet.',
    fix: 'Annotez {actions:et} dans le modèle CDS avec @requires: {required}. Si d’autres rôles peuvent aussi décider, ajoutez-les, et indiquez-le dans leur description.',
  },
}
