import {
  conditionOf,
  elementPaths,
  grantsEvent,
  isFlowStatus,
  privilegesOf,
  servedServices,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import { append, groupBy } from '../../lists.ts'
import { lastName } from '../../paths.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { ofUsers, worstAtPlaces } from './_matches.ts'
import { isOffered } from './_model/offered-actions.ts'
import { actionsOf, isNamed } from './_model/state-handlers.ts'
import { exposureOf } from './_model/restricted-exposures.ts'
import { stateSteps, type RefusedElement, type SetState, type StateStep } from './_rows/unchecked-states.ts'
import { projectedNames } from './_handlers/user-handlers.ts'

/**
 * An action that ends or decides a row in whatever state it is, beside one of the same entity that refuses rows by that state.
 * Facts: OWASP Web Security Testing Guide, "Testing for the Circumvention of Work Flows"; capire, "Providing Services": CAP calls the handler of an action whatever the row holds.
 * Impact: rows leave the order of steps that the sibling keeps; what hangs on that outside of the project is assumed.
 */
export const stateNotChecked: Rule = defineRule({
  id: 'cap/state-not-checked',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  // who decides may often change their mind
  grades: { again: { impact: 'bounded', evidence: 'shown' }, ownAgain: { impact: 'bounded', evidence: 'shown' } },
  cwe: [841],
  since: '0.3.0',
  docs: 'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/10-Business_Logic_Testing/06-Testing_for_the_Circumvention_of_Work_Flows',
  on: 'cap-root',
  extracts: [stateSteps],

  *check(root, { reach }) {
    if (root.test || root.runtime === 'java') return
    const matches: Match[] = []
    for (const service of servedServices(root)) {
      const steps = stepsOf(root, service)
      for (const one of steps.all)
        for (const set of finalSets(one)) {
          const entity = entityOf(root, service, one.action, set.entity)
          if (entity === undefined || mayBeChecked(steps, one.action, set) || isConsequence(steps, one, set)) continue
          // what @from allows, the runtime asks for
          if (hasFlow(entity, one.action) || isGrantedByState(entity, one.action, set.element)) continue
          if (entity.members().some((member) => member.name === set.element && isFlowStatus(entity, member))) continue
          root.step(1 + settingOf(steps, set).length)
          const told = reasonOf(steps, one.action, set, entity, projectedNames(root, entity.qualified))
          if (told === undefined) continue
          matches.push({
            at: { file: one.file, span: { start: set.start, end: set.end } },
            args: {
              action: one.action.name,
              element: `${lastName(entity.name)}.${set.element}`,
              sibling: told.sibling ?? '',
              state: set.words[0] ?? '',
            },
            ...(told.variant !== undefined && { variant: told.variant }),
            // one advice for all actions of a state
            groupKey: `${one.file} ${service.name} ${entity.name} ${set.element} ${told.variant}`,
            // that callers need no login is a finding of the service
            exposure: ofUsers(exposureOf(service, one.action, reach)),
          })
        }
    }
    yield* worstAtPlaces(matches)
  },

  text: () => ({
    en: {
      title: 'Action changes a state without checking the current one',
      message:
        'The handler of {action} sets {element} whatever it holds, while {sibling} refuses rows by the value that {element} has.',
      why: 'A user can call the action for rows that are already decided or closed, and so undo a decision or skip a step of the process.',
      fix: 'Read the row before the UPDATE and reject the call (409) unless {element} allows it, as {sibling} does. Or name the expected state in the where of the UPDATE, and reject when no row was changed.',
      variants: {
        offered: {
          message:
            'The handler of {action} sets {element} whatever it holds: @Core.OperationAvailable offers the action by that value, which only user interfaces respect.',
          fix: 'Read the row before the UPDATE and reject the call (409) unless {element} allows it. Or name the expected state in the where of the UPDATE, and reject when no row was changed.',
        },
        ended: {
          message: 'The handler of {action} sets {element} whatever it holds, also for rows that a call of {sibling} has ended.',
          fix: 'Read the row before the UPDATE and reject the call (409) unless {element} holds the state before this step. Or name that state in the where of the UPDATE, and reject when no row was changed.',
        },
        own: {
          message:
            'The handler of {action} refuses only rows that are {state} already, and sets {element} of all others, also of rows that a call of {sibling} has ended or gone on with.',
          fix: 'Reject the call (409) unless {element} holds the state before this step: compare with the state that is allowed, not with the one that the action sets.',
        },
        ownAgain: {
          title: 'Decision can be made again',
          message:
            'The handler of {action} refuses only rows that are {state} already, and sets {element} of all others, also of rows that a call of {sibling} has decided the other way.',
          why: 'A user who may call the action can turn a decision around, although what followed from it remains: messages, entries and bookings.',
          fix: 'Reject the call (409) unless {element} holds the state before this step: compare with the state that is allowed, not with the one that the action sets.',
        },
        again: {
          title: 'Decision can be made again',
          message:
            'The handler of {action} sets {element} whatever it holds, also for rows that a call of {sibling} has decided the other way.',
          why: 'A user who may call the action can turn a decision around, although what followed from it remains: messages, entries and bookings.',
          fix: 'Read the row before the UPDATE and reject the call (409) if {element} says that it is decided. Or name the expected state in the where of the UPDATE, and reject when no row was changed.',
        },
      },
    },
    fr: {
      title: 'Action qui modifie un état sans contrôler l’état actuel',
      message:
        'Le gestionnaire de {action} définit {element} quelle que soit sa valeur, alors que {sibling} refuse des lignes selon la valeur de {element}.',
      why: 'Un utilisateur peut appeler l’action pour des lignes déjà décidées ou closes, et ainsi annuler une décision ou sauter une étape du processus.',
      fix: 'Lisez la ligne avant l’UPDATE et rejetez l’appel (409) si {element} ne le permet pas, comme le fait {sibling}. Ou nommez l’état attendu dans le where de l’UPDATE, et rejetez si aucune ligne n’a changé.',
      variants: {
        offered: {
          message:
            'Le gestionnaire de {action} définit {element} quelle que soit sa valeur : @Core.OperationAvailable propose l’action selon cette valeur, mais seules les interfaces en tiennent compte.',
          fix: 'Lisez la ligne avant l’UPDATE et rejetez l’appel (409) si {element} ne le permet pas. Ou nommez l’état attendu dans le where de l’UPDATE, et rejetez si aucune ligne n’a changé.',
        },
        ended: {
          message:
            'Le gestionnaire de {action} définit {element} quelle que soit sa valeur, même pour des lignes auxquelles un appel de {sibling} a mis fin.',
          fix: 'Lisez la ligne avant l’UPDATE et rejetez l’appel (409) si {element} n’a pas l’état qui précède cette étape. Ou nommez cet état dans le where de l’UPDATE, et rejetez si aucune ligne n’a changé.',
        },
        own: {
          message:
            'Le gestionnaire de {action} ne refuse que les lignes déjà à l’état {state} et définit {element} de toutes les autres, même closes ou poursuivies par un appel de {sibling}.',
          fix: 'Rejetez l’appel (409) si {element} n’a pas l’état qui précède cette étape : comparez avec l’état permis, non avec celui que l’action définit.',
        },
        ownAgain: {
          title: 'Décision pouvant être prise à nouveau',
          message:
            'Le gestionnaire de {action} ne refuse que les lignes déjà à l’état {state} et définit {element} des autres, même tranchées dans l’autre sens par un appel de {sibling}.',
          why: 'Un utilisateur autorisé à appeler l’action peut renverser une décision, alors que ce qui en a découlé demeure : messages, écritures et imputations.',
          fix: 'Rejetez l’appel (409) si {element} n’a pas l’état qui précède cette étape : comparez avec l’état permis, non avec celui que l’action définit.',
        },
        again: {
          title: 'Décision pouvant être prise à nouveau',
          message:
            'Le gestionnaire de {action} définit {element} quelle que soit sa valeur, même pour des lignes qu’un appel de {sibling} a tranchées dans l’autre sens.',
          why: 'Un utilisateur autorisé à appeler l’action peut renverser une décision, alors que ce qui en a découlé demeure : messages, écritures et imputations.',
          fix: 'Lisez la ligne avant l’UPDATE et rejetez l’appel (409) si {element} indique une décision. Ou nommez l’état attendu dans le where de l’UPDATE, et rejetez si aucune ligne n’a changé.',
        },
      },
    },
  }),
})

interface ActionStep {
  readonly action: CapElement
  readonly file: string
  readonly step: StateStep
}

/** The handlers of the actions of a service, also those in front of them. */
interface ServiceSteps {
  readonly all: readonly ActionStep[]
  readonly byAction: ReadonlyMap<CapElement, readonly ActionStep[]>
  /** By the entity and the state that they set. */
  readonly bySet: ReadonlyMap<string, readonly ActionStep[]>
}

function stepsOf(root: CapRoot, service: CapService): ServiceSteps {
  const actions = service.elements.filter(({ kind }) => kind === 'action')
  const all: readonly ActionStep[] = root.scripts.get(stateSteps).flatMap(({ file, value }) => {
    root.step(1 + actions.length)
    if (!root.eventOf({ file, ...value }).services.includes(service)) return []
    const own = value.events.length === 0 || value.events.includes('*') ? actions : actionsOf(service, value)
    return own.map((action) => ({ action, file, step: value }))
  })
  const bySet = new Map<string, ActionStep[]>()
  for (const one of all) for (const key of new Set(one.step.sets.map(keyOfSet))) append(bySet, key, one)
  return { all, byAction: groupBy(all, ({ action }) => action), bySet }
}

function keyOfSet({ entity, element }: Pick<SetState, 'entity' | 'element'>): string {
  return `${entity} ${element}`
}

/** The handlers that set the same state. */
function settingOf({ bySet }: ServiceSteps, set: SetState): readonly ActionStep[] {
  return bySet.get(keyOfSet(set)) ?? []
}

function entityOf(root: CapRoot, { elements }: CapService, { entity }: CapElement, name: string): CapElement | undefined {
  const own = elements.filter((one) => one.kind === 'entity')
  root.step(own.length)
  return (
    own.find((one) => one.name === entity && projectedNames(root, one.qualified).has(name)) ??
    own.find((one) => lastName(one.name) === name) ??
    own.find((one) => projectedNames(root, one.qualified).has(name))
  )
}

/** A handler of the action says something of the state or of what is set with it, or nobody can tell what it asks. That it refuses what it has done already is no such thing. */
function mayBeChecked({ byAction }: ServiceSteps, action: CapElement, set: SetState): boolean {
  const { entity, element, beside } = set
  return (byAction.get(action) ?? []).some(
    ({ step }) =>
      step.isOpen ||
      step.mentioned.some(
        (one) => one.name === element && (one.of === undefined || one.of === entity) && !isOwnState(one, set),
      ) ||
      step.refused.some((one) => beside.includes(one.element) && !(one.element === element && isOwnState(one, set))),
  )
}

/** What follows for another row from a decision that the handler makes for rows in some states alone. */
function isConsequence({ byAction }: ServiceSteps, { action, step }: ActionStep, set: SetState): boolean {
  const refused = (byAction.get(action) ?? []).flatMap((one) => one.step.refused)
  return step.sets.some((other) => other.entity !== set.entity && refused.some(({ element }) => element === other.element))
}

/** Fact: capire, "Status-Transition Flows": what `@from` says counts where the entity has an element with `@flow.status`. */
function hasFlow(entity: CapElement, { annotations }: CapElement): boolean {
  return (
    annotations.has('from') &&
    (entity.annotations.has('flow.status') || entity.members().some((one) => one.annotations.has('flow.status')))
  )
}

/**
 * The model itself lets users call the action for rows in some states alone.
 * Facts: capire, "Authorization", "Restrict": the `where` of a privilege counts for bound actions; @sap/cds 8.9.10 and 9.9.3, generic/auth/restrict.js (`restrictBoundActionFunctions`).
 */
function isGrantedByState(entity: CapElement, action: CapElement, element: string): boolean {
  if (action.entity !== entity.name) return false
  const name = lastName(action.name)
  const granting = privilegesOf(entity.annotations.get('restrict')?.value).filter((one) => grantsEvent(one, name))
  return [...granting, ...privilegesOf(action.annotations.get('restrict')?.value)].some(({ where }) => {
    const condition = where && conditionOf(where)
    if (where === undefined || typeof condition === 'string') return false
    const paths = condition && elementPaths(condition).map(({ path }) => path.replaceAll('.', '_'))
    return paths?.some((path) => isNamed(path, element) || isNamed(element, path)) ?? true
  })
}

/** The states that a handler sets at last, each once. */
function finalSets({ step }: ActionStep): readonly SetState[] {
  const found = new Map<string, SetState>()
  for (const set of step.sets) if (set.isFinal && !found.has(keyOfSet(set))) found.set(keyOfSet(set), set)
  return [...found.values()]
}

type Reason = { readonly variant?: 'offered' | 'again' | 'ended' | 'own' | 'ownAgain'; readonly sibling?: string } | undefined

/** What says that the state matters: another action that asks for it, the pages that offer the action, or one that ends rows or decides the other way. */
function reasonOf(
  steps: ServiceSteps,
  action: CapElement,
  set: SetState,
  entity: CapElement,
  names: ReadonlySet<string>,
): Reason {
  const known = otherMarks(steps, action, set)
  const around = settingOf(steps, set).filter(({ step }) => !step.sets.some((one) => isMarked(one, set, known)))
  const setting = around.filter((one) => one.action !== action)
  const isOwn = steps.byAction
    .get(action)
    ?.some(({ step }) => step.mentioned.some((one) => one.name === set.element && isOwnState(one, set)))
  const goesOn = set.words.length > 0 && set.words.every((word) => isGrant(word) || DONE.test(word))
  if (isOwn === true) {
    const after = goesOn ? settingTo(setting, set, (word) => ENDED.test(word) || isLater(word, set)) : undefined
    if (after !== undefined) return { variant: 'own', sibling: after.name }
    const other = opponentOf(setting, set)
    return other === undefined ? undefined : { variant: 'ownAgain', sibling: other.name }
  }
  const asking = siblingOf(steps, action, set, names)
  if (asking !== undefined) return { sibling: asking.name }
  if (action.entity === entity.name && isOffered(action, entity, set)) return { variant: 'offered' }
  const ending = goesOn ? settingTo(setting, set, (word) => ENDED.test(word)) : undefined
  if (ending !== undefined) return { variant: 'ended', sibling: ending.name }
  const other = opponentOf(around, set)
  return other === undefined ? undefined : { variant: 'again', sibling: other.name }
}

/** What the action refuses rows by, but for the state itself: `if (order.cancelledAt) return req.reject(409)`. */
function otherMarks({ byAction }: ServiceSteps, action: CapElement, { element }: SetState): ReadonlySet<string> {
  const refused = (byAction.get(action) ?? []).flatMap(({ step }) => step.refused)
  return new Set(refused.flatMap((one) => (one.element === element ? [] : one.element)))
}

/** It sets such a mark with the state, by which its rows are told. */
function isMarked(one: SetState, { entity, element }: SetState, marks: ReadonlySet<string>): boolean {
  return one.entity === entity && one.element === element && one.beside.some((name) => marks.has(name))
}

/** It is refused for what the action itself sets, and for nothing else. */
function isOwnState({ word }: { readonly word?: string }, { words }: SetState): boolean {
  return word !== undefined && words.includes(word)
}

/** An action that decides the other way, or this one itself. */
function opponentOf(steps: readonly ActionStep[], set: SetState): CapElement | undefined {
  const isOpposed = set.words.some(isGrant) ? isRefusal : set.words.some(isRefusal) ? isGrant : undefined
  return isOpposed && settingTo(steps, set, isOpposed)
}

/** The first action that sets the same element to such a state, which is none that this one sets. */
function settingTo(
  steps: readonly ActionStep[],
  { entity, element, words }: SetState,
  isWanted: (word: string) => boolean,
): CapElement | undefined {
  return steps.find(({ step }) =>
    step.sets.some(
      (set) =>
        set.entity === entity &&
        set.element === element &&
        set.isFinal &&
        set.words.some((word) => isWanted(word) && (!words.includes(word) || words.length > 1)),
    ),
  )?.action
}

/** All that the action sets comes before this state, for certain: what is confirmed may be paid already. */
function isLater(word: string, { words }: SetState): boolean {
  return words.every((own) => LATER.some(([one, others]) => one.test(own) && others.test(word)))
}

function isGrant(word: string): boolean {
  return GRANTED.test(word) && !NOT.test(word)
}

function isRefusal(word: string): boolean {
  return REFUSED.test(word) || (GRANTED.test(word) && NOT.test(word))
}

const GRANTED = /\b(?:approved?|accepted|confirmed|released|aprobad[oa]|aprovad[oa]|genehmigt)\b/i
const REFUSED = /\b(?:rejected?|declined?|denied|withdrawn|rechazad[oa]|rejeitad[oa]|abgelehnt)\b/i
/** What ends a row for good. */
const ENDED = /\b(?:cancell?ed|closed|withdrawn|cancelad[oa]|storniert)\b/i
/** States after decisions and other steps. */
const DONE = /\b(?:paid|shipped|delivered|completed|finished|posted|bezahlt)\b/i
const LATER: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(?:approved?|released|aprobad[oa]|aprovad[oa]|genehmigt)\b/i, DONE],
  [/\b(?:confirmed|accepted)\b/i, /\b(?:shipped|delivered|completed|finished)\b/i],
  [/\bshipped\b/i, /\b(?:delivered|completed|finished)\b/i],
]
const NOT = /\b(?:not|no|nicht|n[aã]o)\b/i

/** Another action sets the same element, and refuses rows of the entity by it. */
function siblingOf(steps: ServiceSteps, action: CapElement, set: SetState, names: ReadonlySet<string>): CapElement | undefined {
  const isOf = ({ entity: read, element: asked }: RefusedElement, { entity: bound }: CapElement): boolean =>
    asked === set.element && (read === undefined ? bound !== undefined && names.has(lastName(bound)) : names.has(read))
  return settingOf(steps, set).find(
    ({ action: other }) =>
      other !== action && steps.byAction.get(other)?.some(({ step }) => step.refused.some((refused) => isOf(refused, other))),
  )?.action
}
