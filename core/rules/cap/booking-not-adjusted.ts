import {
  accepts,
  isAdministrative,
  isGuarded,
  isImmutable,
  isNumeric,
  servedServices,
  writersOf,
  toWords,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import { lastName } from '../../paths.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { ofUsers, worstAtPlaces } from './_matches.ts'
import { projectedNames } from './_handlers/user-handlers.ts'
import { isUserNumber } from './_model/user-numbers.ts'
import { exposureOf } from './_model/restricted-exposures.ts'
import { handledElements, isChangeHandled, isForEntity } from './_model/state-handlers.ts'
import { actingHandlers, createdBookings, isLimitedAmount, type CreatedBooking } from './_rows/created-bookings.ts'
import { stateHandlers } from './_rows/decided-states.ts'

/**
 * A stock or balance that the handler of a new row changes by an amount in that row, where clients may update the amount and no handler runs for that.
 * Facts: capire, "Providing Services": CREATE and UPDATE are events of their own; "Input Validation" (`@Core.Immutable`: what a change sends is ignored).
 * Impact: the row says more than what was taken; what follows from it is not in the project. Little where clients write the number itself, or where it only tells a sum.
 */
export const bookingNotAdjusted: Rule = defineRule({
  id: 'cap/booking-not-adjusted',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [841],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/services/constraints',
  on: 'cap-root',
  extracts: [createdBookings, actingHandlers, stateHandlers],

  *check(root, { reach }) {
    if (root.test || root.runtime === 'java') return
    const matches: Match[] = []
    for (const { file, value } of root.scripts.get(createdBookings)) {
      const { services } = root.eventOf({ file, ...value })
      const { start, end, entity, element, path } = value
      for (const service of servedServices(root).filter((one) => services.includes(one)))
        for (const booked of handledElements(root, service, value)) {
          if (!mayChange(root, booked, value) || writersOf(booked, service, ['UPDATE']).every(isAdministrative)) continue
          if (isChangeHandled(root, service, booked, path[0] ?? '') || mayBeAdjusted(root, service, booked)) continue
          matches.push({
            at: { file, span: { start, end } },
            args: { amount: path.join('.'), entity: lastName(booked.name), element: `${entity}.${element}` },
            ...((isUserNumber(root, value) || isStatistic(value)) && { impact: 'bounded' as const, evidence: 'shown' as const }),
            // that callers need no login is a finding of the service
            exposure: ofUsers(exposureOf(service, booked, reach, ['UPDATE'])),
          })
        }
    }
    yield* worstAtPlaces(matches)
  },

  text: () => ({
    en: {
      title: 'Booked amount can be changed without adjustment',
      message:
        'The handler changes {element} by {amount} only when {entity} is created; clients can update {amount}, and no handler checks or books that.',
      why: 'A user creates a row with a small amount and raises it by an update: the stock or balance stays as it was booked.',
      fix: 'Annotate {amount} with @Core.Immutable, so that updates ignore it. Or handle UPDATE of {entity}: read the stored row, book the difference, and reject the request beyond the limit.',
    },
    fr: {
      title: 'Quantité réservée modifiable sans ajustement',
      message:
        'Le gestionnaire ne modifie {element} de {amount} qu’à la création de {entity} ; un client peut modifier {amount}, et aucun gestionnaire ne le contrôle ni ne l’impute.',
      why: 'Un utilisateur crée une ligne avec une petite quantité, puis l’augmente par une mise à jour : le stock ou le solde reste inchangé.',
      fix: 'Annotez {amount} avec @Core.Immutable, pour que les mises à jour l’ignorent. Ou traitez UPDATE de {entity} : lisez la ligne enregistrée, imputez la différence et rejetez la requête au-delà de la limite.',
    },
  }),
})

/** Clients may update the amount, in the row itself or in one that is composed of it. */
function mayChange(root: CapRoot, booked: CapElement, { path }: CreatedBooking): boolean {
  if (!accepts(booked, 'UPDATE')) return false
  const [first, second] = path
  const member = booked.members().find(({ name }) => name === first)
  if (member === undefined || isGuarded(member) || isImmutable(member) || member.key) return false
  if (second === undefined) return isNumeric(member)
  if (member.type !== 'Composition' || member.target === undefined) return false
  const inner = root.membersOf(member.target).get(second)
  return inner !== undefined && isNumeric(inner) && !isGuarded(inner) && !isImmutable(inner)
}

/** A handler of changes may book them, whatever it calls the amount: it counts anew, or calls another file. */
function mayBeAdjusted(root: CapRoot, service: CapService, { qualified }: CapElement): boolean {
  const names = projectedNames(root, qualified)
  const acting = root.scripts.get(actingHandlers)
  root.step(acting.length)
  return acting.some(({ file, value }) => {
    if (!isForEntity(value, names)) return false
    const { services, isCertain } = root.eventOf({ file, ...value, events: [] })
    return !isCertain || services.includes(service)
  })
}

/** What only tells how much there was: nobody gets less or more by it. */
function isStatistic({ element, isTaken }: CreatedBooking): boolean {
  const words = toWords(element)
  return isTaken === undefined && COUNTED.test(words) && !isLimitedAmount(element)
}

const COUNTED = /\b(?:total|sum|revenue|turnover|sales|sold|spent|hours|miles|pieces)\b/i
