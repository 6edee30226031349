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
import { lastName } from '../../paths.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { ofUsers, worstAtPlaces } from './_matches.ts'
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
      for (const one of steps) {
        const set = one.step.sets.find(({ isFinal }) => isFinal)
        const entity = set && entityOf(root, service, one.action, set.entity)
        if (set === undefined || entity === undefined || mayBeChecked(steps, one.action, set)) continue
        if (isGrantedByState(entity, one.action, set.element)) continue
        if (entity.members().some((member) => member.name === set.element && isFlowStatus(entity, member))) continue
        root.step(steps.length)
        const sibling = siblingOf(steps, one.action, set, projectedNames(root, entity.qualified))
        if (sibling === undefined) continue
        matches.push({
          at: { file: one.file, span: { start: set.start, end: set.end } },
          args: { action: one.action.name, element: `${lastName(entity.name)}.${set.element}`, sibling: sibling.name },
          // one advice for all actions of a state
          groupKey: `${one.file} ${service.name} ${entity.name} ${set.element}`,
          // that callers need no login is a finding of the service
          exposure: ofUsers(exposureOf(service, one.action, reach)),
        })
      }
    }
    yield* worstAtPlaces(matches)
  },

  text: {
    en: {
      title: 'Action changes a state without checking the current one',
      message:
        'The handler of {action} sets {element} whatever it holds, while {sibling} refuses rows by the value that {element} has.',
      why: 'A user can call the action for rows that are already decided or closed, and so undo a decision or skip a step of the process.',
      fix: 'Read the row before the UPDATE and reject the call (409) unless {element} allows it, as {sibling} does. Or name the expected state in the where of the UPDATE, and reject when no row was changed.',
    },
    fr: {
      title: 'Action qui modifie un état sans contrôler l’état actuel',
      message:
        'Le gestionnaire de {action} définit {element} quelle que soit sa valeur, alors que {sibling} refuse des lignes selon la valeur de {element}.',
      why: 'Un utilisateur peut appeler l’action pour des lignes déjà décidées ou closes, et ainsi annuler une décision ou sauter une étape du processus.',
      fix: 'Lisez la ligne avant l’UPDATE et rejetez l’appel (409) si {element} ne le permet pas, comme le fait {sibling}. Ou nommez l’état attendu dans le where de l’UPDATE, et rejetez si aucune ligne n’a changé.',
    },
  },
})

interface ActionStep {
  readonly action: CapElement
  readonly file: string
  readonly step: StateStep
}

/** The handlers of the actions of a service, also those in front of them. */
function stepsOf(root: CapRoot, service: CapService): readonly ActionStep[] {
  const actions = service.elements.filter(({ kind }) => kind === 'action')
  return root.scripts.get(stateSteps).flatMap(({ file, value }) => {
    root.step(1 + actions.length)
    if (!root.eventOf({ file, ...value }).services.includes(service)) return []
    const own = value.events.length === 0 || value.events.includes('*') ? actions : actionsOf(service, value)
    return own.map((action) => ({ action, file, step: value }))
  })
}

function entityOf(root: CapRoot, { elements }: CapService, { entity }: CapElement, name: string): CapElement | undefined {
  const own = elements.filter((one) => one.kind === 'entity')
  root.step(own.length)
  return (
    own.find((one) => one.name === entity && projectedNames(root, one.qualified).has(name)) ??
    own.find((one) => lastName(one.name) === name)
  )
}

/** A handler of the action says something of the state or of what is set with it, or nobody can tell what it asks. */
function mayBeChecked(steps: readonly ActionStep[], action: CapElement, { element, beside }: SetState): boolean {
  return steps.some(
    ({ action: own, step }) =>
      own === action &&
      (step.isOpen || step.mentioned.includes(element) || step.refused.some((one) => beside.includes(one.element))),
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

/** Another action sets the same element, and refuses rows of the entity by it. */
function siblingOf(
  steps: readonly ActionStep[],
  action: CapElement,
  { entity, element }: SetState,
  names: ReadonlySet<string>,
): CapElement | undefined {
  const isOf = ({ entity: read, element: asked }: RefusedElement, { entity: bound }: CapElement): boolean =>
    asked === element && (read === undefined ? bound !== undefined && names.has(lastName(bound)) : names.has(read))
  return steps.find(
    ({ action: other, step }) =>
      other !== action &&
      step.sets.some((set) => set.entity === entity && set.element === element) &&
      steps.some((one) => one.action === other && one.step.refused.some((refused) => isOf(refused, other))),
  )?.action
}
