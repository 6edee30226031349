import {
  accepts,
  isFlowStatus,
  isGuarded,
  servedServices,
  type CapElement,
  type CapMember,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import { lastName } from '../../paths.ts'
import { quoteWord } from '../../quote.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { projectedNames } from './_handlers/user-handlers.ts'
import { ofUsers, worstAtPlaces } from './_matches.ts'
import { actionsOf, handledElements, isChangeHandled } from './_model/state-handlers.ts'
import { exposureOf } from './_model/restricted-exposures.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import { isLimitedAmount } from './_rows/created-bookings.ts'
import { stateHandlers } from './_rows/decided-states.ts'
import { repeatedBookings } from './_rows/repeated-bookings.ts'
import { repeatableEffects, type RepeatableEffect } from './_rows/repeatable-effects.ts'

/**
 * An action that adds to a number of another row, such as a stock, sets the state of its own row, and has not looked at that state before. The same of updates that send the state.
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
  extracts: [repeatableEffects, repeatedBookings, stateHandlers],

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
    yield* worstAtPlaces([...matches, ...repeatedUpdates(root, reach)])
  },

  text: () => ({
    en: {
      title: 'One-time effect of an action can be repeated',
      message: 'Each call of {action} changes {element} and sets {state}, but the handler never checks {state} before.',
      why: 'A user can call the action again for the same row, and so raise or lower a stock or balance at will.',
      fix: 'Before {element} is changed, read the row with SELECT … .forUpdate() and reject the call unless {state} allows it. Or name the expected state in the where of the UPDATE and reject when no row was changed.',
      variants: {
        updated: {
          title: 'One-time effect of an update can be repeated',
          message:
            'Each update of {entity} that leaves {state} at {word} changes {element} again, and no handler checks what {state} was before.',
          why: 'A user can send the same update many times for one row, and so raise or lower a stock or balance at will.',
          fix: 'Read the row in a handler before UPDATE, and change {element} only if {state} was not {word} yet. Or make {state} read-only, and set it in an action that checks it.',
        },
      },
    },
    fr: {
      title: 'Effet unique d’une action pouvant être répété',
      message:
        'Chaque appel de {action} modifie {element} et définit {state}, mais le gestionnaire ne vérifie jamais {state} auparavant.',
      why: 'Un utilisateur peut rappeler l’action pour la même ligne, et ainsi augmenter ou diminuer à volonté un stock ou un solde.',
      fix: 'Avant de modifier {element}, lisez la ligne avec SELECT … .forUpdate() et rejetez l’appel si {state} ne le permet pas. Ou nommez l’état attendu dans le where de l’UPDATE et rejetez si aucune ligne n’a changé.',
      variants: {
        updated: {
          title: 'Effet unique d’une modification pouvant être répété',
          message:
            'Chaque modification de {entity} qui laisse {state} à {word} modifie à nouveau {element}, et aucun gestionnaire ne contrôle ce qu’était {state} auparavant.',
          why: 'Un utilisateur peut envoyer plusieurs fois la même modification pour une ligne, et ainsi augmenter ou diminuer à volonté un stock ou un solde.',
          fix: 'Lisez la ligne dans un gestionnaire avant UPDATE, et ne modifiez {element} que si {state} n’était pas encore {word}. Ou mettez {state} en lecture seule, et définissez-le dans une action qui le contrôle.',
        },
      },
    },
  }),
})

/** A handler of updates books each time that the row has a state then, which clients may send again and again. */
function* repeatedUpdates(root: CapRoot, reach: ReachModel): Generator<Match> {
  if (root.runtime === 'java') return
  for (const { file, value } of root.scripts.get(repeatedBookings)) {
    const { start, end, entity, element, state, word } = value
    if (!isLimitedAmount(element)) continue
    const { services } = root.eventOf({ file, ...value })
    for (const service of servedServices(root).filter((one) => services.includes(one)))
      for (const changed of handledElements(root, service, value)) {
        const member = changed.members().find((one) => isNamed(one, state))
        if (member === undefined || isGuarded(member) || isFlowStatus(changed, member) || !accepts(changed, 'UPDATE')) continue
        if (isAskedIn(changed, state) || isChangeHandled(root, service, changed, member.name)) continue
        yield {
          at: { file, span: { start, end } },
          args: { entity: changed.name, element: `${entity}.${element}`, state, word: quoteWord(word) },
          variant: 'updated',
          // that callers need no login is a finding of the service
          exposure: ofUsers(exposureOf(service, changed, reach, ['UPDATE'])),
        }
      }
  }
}

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
