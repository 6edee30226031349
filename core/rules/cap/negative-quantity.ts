import { CRUD_EVENT, rowEventsOf, servedServices, toWords, type CapService, type PayloadType } from '../../model/cap/index.ts'
import { quoteWord } from '../../quote.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { ofUsers, worstAtPlaces } from './_matches.ts'
import { handledElements } from './_model/state-handlers.ts'
import { isUserNumber } from './_model/user-numbers.ts'
import { exposureOf } from './_model/restricted-exposures.ts'
import { unboundedAmounts, type UnboundedAmount } from './_rows/unbounded-amounts.ts'

/**
 * A number of the client that is taken from a stock or balance, kept below it and not above 0, or neither of both.
 * Facts: CWE-839; capire, "Input Validation": the types of numbers of CDS have a sign (but `UInt8`), `@assert.range` refuses values outside of a range.
 * Impact: stocks and balances of the caller's choice; what follows from them is not in the project. Little where clients write the number itself.
 */
export const negativeQuantity: Rule = defineRule({
  id: 'cap/negative-quantity',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [839],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/services/constraints',
  on: 'cap-root',
  extracts: [unboundedAmounts],

  *check(root, { reach }) {
    if (root.test) return
    const known = root.scripts.get(unboundedAmounts)
    const matches: Match[] = []
    const servicesOf = ({ file, value }: (typeof known)[number]): readonly CapService[] | undefined => {
      const { services, isCertain } = root.eventOf({ file, ...value })
      return isCertain ? services : undefined
    }
    for (const { file, value } of known) {
      const { start, end, amount } = value
      if (amount === undefined) continue
      root.step(known.length)
      const { services, data, isCertain } = root.eventOf({ file, ...value })
      if (isBoundedType(data, amount.path) || (amount.limit === undefined && GOES_UP.test(toWords(amount.element)))) continue
      const bounds = known.filter((one) => isBoundBefore(one.value, value)).map(servicesOf)
      // a handler that no service is known of may be the one that the bound is for
      const isBound = (service: CapService): boolean => bounds.some((one) => !isCertain || one?.includes(service) !== false)
      for (const service of servedServices(root).filter((one) => services.includes(one) && !isBound(one)))
        for (const element of handledElements(root, service, value))
          matches.push({
            at: { file, span: { start, end } },
            args: {
              amount: amount.path.join('.'),
              ...(amount.limit !== undefined && { limit: quoteWord(amount.limit) }),
              element: `${amount.entity}.${amount.element}`,
            },
            ...(amount.limit === undefined && { variant: 'unlimited' }),
            ...((isUserNumber(root, amount) || (amount.limit === undefined && !MONEY.test(toWords(amount.element)))) && LITTLE),
            // that callers need no login is a finding of the service
            exposure: ofUsers(exposureOf(service, element, reach, value.events.flatMap(rowEventsOf))),
          })
    }
    yield* worstAtPlaces(matches)
  },

  text: () => ({
    en: {
      title: 'Negative quantity accepted',
      message:
        'The handler changes {element} by {amount}, which the client sends, and only checks the upper limit ({limit}): a negative number passes.',
      why: 'A user sends a negative number: what should be taken away is added, so a stock or balance rises at will.',
      fix: 'Reject {amount} below 1 before the change: if (!(… > 0)) return req.reject(400). Or annotate it in the model: @assert.range: [(0),_].',
      variants: {
        unlimited: {
          message:
            'The handler takes {amount}, which the client sends, from {element} and compares it with nothing: a negative number is added.',
          fix: 'Reject {amount} below 1 and above what {element} holds before the change, and name the limit in the where of the UPDATE. Or annotate its range in the model: @assert.range: [(0),_].',
        },
      },
    },
    fr: {
      title: 'Quantité négative acceptée',
      message:
        'Le gestionnaire modifie {element} de {amount}, que le client envoie, et ne contrôle que la limite supérieure ({limit}) : un nombre négatif passe.',
      why: 'Un utilisateur envoie un nombre négatif : ce qui devait être retiré est ajouté, et un stock ou un solde augmente à volonté.',
      fix: 'Rejetez {amount} inférieur à 1 avant la modification : if (!(… > 0)) return req.reject(400). Ou annotez-le dans le modèle : @assert.range: [(0),_].',
      variants: {
        unlimited: {
          message:
            'Le gestionnaire retranche de {element} la valeur {amount}, que le client envoie, et ne la compare à rien : un nombre négatif s’ajoute.',
          fix: 'Avant la modification, rejetez {amount} inférieur à 1 ou supérieur à ce que contient {element}, et placez la limite dans le where de l’UPDATE. Ou annotez sa plage dans le modèle : @assert.range: [(0),_].',
        },
      },
    },
  }),
})

/** Clients write the number anyway, or take of a stock what they like. */
const LITTLE = { impact: 'bounded', evidence: 'shown' } as const
/** What is worth something to whoever has it. */
const MONEY = /\b(?:balances?|credits?|points|money|funds|wallet|deposits?|bonus|miles|savings|budgets?|allowance)\b/
/** Less of it is no more for anybody. */
const GOES_UP =
  /\b(?:reserved|allocated|sold|paid|spent|total|sum|value|debt|turnover|revenue|sales|salary|limit|amounts?|hours)\b/

/** The model keeps the number in a range, or gives it a type without sign. */
function isBoundedType(data: PayloadType | undefined, path: readonly string[]): boolean {
  let here = data
  for (const name of path) here = here?.fields?.get(name)
  return here?.isBounded === true
}

/** A handler that runs before looks at the number, or may do so. */
function isBoundBefore({ amount, bounds, isOpen, events, entities }: UnboundedAmount, changed: UnboundedAmount): boolean {
  if (amount !== undefined || !(isOpen || bounds.includes(changed.amount?.path.at(-1) ?? ''))) return false
  const isSame = events.length === 0 || events.some((name) => name === '*' || changed.events.some((one) => runsBefore(name, one)))
  return isSame && (entities === undefined || changed.entities?.some((name) => entities.includes(name)) !== false)
}

function runsBefore(name: string, event: string): boolean {
  return name === event || (/^(?:SAVE|WRITE|UPSERT|INSERT|NEW|PATCH)$/.test(name) && CRUD_EVENT.test(event))
}
