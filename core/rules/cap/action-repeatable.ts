import {
  isFlowStatus,
  servedServices,
  type CapElement,
  type CapMember,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import { lastName } from '../../paths.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { projectedNames } from './_handlers/user-handlers.ts'
import { ofUsers, worstAtPlaces } from './_matches.ts'
import { actionsOf } from './_model/state-handlers.ts'
import { exposureOf } from './_model/restricted-exposures.ts'
import { repeatableEffects, type RepeatableEffect } from './_rows/repeatable-effects.ts'

/**
 * An action that adds to a number of another row, such as a stock, sets the state of its own row, and has not looked at that state before.
 * Facts: OWASP Web Security Testing Guide, "Test Number of Times a Function Can Be Used Limits"; capire, "Providing Services": CAP calls the handler as often as clients call the action.
 * Impact: stocks and balances of the caller's choice; that nothing outside of the project stops a second call is assumed.
 */
export const actionRepeatable: Rule = defineRule({
  id: 'cap/action-repeatable',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [841],
  since: '0.3.0',
  docs: 'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/10-Business_Logic_Testing/05-Test_Number_of_Times_a_Function_Can_Be_Used_Limits',
  on: 'cap-root',
  extracts: [repeatableEffects],

  *check(root, { reach }) {
    if (root.test) return
    const known = root.scripts.get(repeatableEffects)
    const gates = known.flatMap(({ value }) => (value.effect === undefined ? value.events : []))
    const matches: Match[] = []
    for (const { file, value } of known) {
      const { start, end, effect, events } = value
      root.step(1 + gates.length)
      if (effect === undefined || events.some((name) => gates.includes(name)) || gates.includes('*')) continue
      const { services } = root.eventOf({ file, ...value })
      for (const service of servedServices(root).filter((one) => services.includes(one)))
        for (const action of actionsOf(service, value)) {
          if (!isRepeatable(root, service, action, value)) continue
          matches.push({
            at: { file, span: { start, end } },
            args: { action: action.name, element: `${effect.entity}.${effect.element}`, state: effect.state },
            // that callers need no login is a finding of the service
            exposure: ofUsers(exposureOf(service, action, reach)),
          })
        }
    }
    yield* worstAtPlaces(matches)
  },

  text: {
    en: {
      title: 'One-time effect of an action can be repeated',
      message: 'Each call of {action} changes {element} and sets {state}, but the handler never checks {state} before.',
      why: 'A user can call the action again for the same row, and so raise or lower a stock or balance at will.',
      fix: 'Before {element} is changed, read the row with SELECT … .forUpdate() and reject the call unless {state} allows it. Or name the expected state in the where of the UPDATE and reject when no row was changed.',
    },
    fr: {
      title: 'Effet unique d’une action pouvant être répété',
      message:
        'Chaque appel de {action} modifie {element} et définit {state}, mais le gestionnaire ne vérifie jamais {state} auparavant.',
      why: 'Un utilisateur peut rappeler l’action pour la même ligne, et ainsi augmenter ou diminuer à volonté un stock ou un solde.',
      fix: 'Avant de modifier {element}, lisez la ligne avec SELECT … .forUpdate() et rejetez l’appel si {state} ne le permet pas. Ou nommez l’état attendu dans le where de l’UPDATE et rejetez si aucune ligne n’a changé.',
    },
  },
})

/** The state is that of the row which the action is for, the number is not, and the model does not look at the state either. */
function isRepeatable(root: CapRoot, service: CapService, action: CapElement, { effect }: RepeatableEffect): boolean {
  if (effect === undefined || action.annotations.has('from') || isAskedIn(action, effect.state)) return false
  const own = ownEntity(root, service, action, effect)
  if (own === undefined) return false
  const names = projectedNames(root, own.qualified)
  const isOwnState = effect.stateOf === undefined ? action.entity !== undefined : names.has(effect.stateOf)
  if (!isOwnState || names.has(effect.entity) || isAskedIn(own, effect.state)) return false
  if (isReadByView(root, names, effect.reads)) return false
  const member = own.members().find((one) => isNamed(one, effect.state))
  return member !== undefined && !isFlowStatus(own, member)
}

/** The handler reads the row through a view of the same rows, which may hold those in some states alone. */
function isReadByView(root: CapRoot, names: ReadonlySet<string>, reads: readonly string[]): boolean {
  const others = new Set(reads.filter((name) => !names.has(name)))
  if (others.size === 0) return false
  root.step(root.entities.length)
  return root.entities.some((name) => others.has(lastName(name)) && root.projected(name).some((one) => names.has(lastName(one))))
}

/** The entity that the action is bound to, or the one of the service whose row a parameter names. */
function ownEntity(
  root: CapRoot,
  { elements }: CapService,
  { entity }: CapElement,
  { stateOf, isKeyed }: NonNullable<RepeatableEffect['effect']>,
): CapElement | undefined {
  root.step(elements.length)
  const entities = elements.filter(({ kind }) => kind === 'entity')
  if (entity !== undefined) return entities.find(({ name }) => name === entity)
  return isKeyed && stateOf !== undefined ? entities.find((one) => projectedNames(root, one.qualified).has(stateOf)) : undefined
}

/** `status` or, of an association, its key `status_code`. */
function isNamed({ name, type }: CapMember, state: string): boolean {
  return name === state || (type === 'Association' && state.startsWith(`${name}_`))
}

/** A condition of a privilege names the state. */
function isAskedIn({ annotations }: CapElement, state: string): boolean {
  const restrict = annotations.get('restrict')
  return restrict !== undefined && JSON.stringify(restrict.value).includes(state)
}
