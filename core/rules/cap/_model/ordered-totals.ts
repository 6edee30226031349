import { entityWords, isNumeric, servedServices, type CapRoot } from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import { lastName } from '../../../paths.ts'
import { quoteWord } from '../../../quote.ts'
import type { Match } from '../../../types.ts'
import { ofUsers } from '../_matches.ts'
import { actionTotals } from '../_rows/action-totals.ts'
import { PRICE, QUANTITY } from '../_rows/client-prices.ts'
import { ORDERED } from './open-prices.ts'
import { exposureOf } from './restricted-exposures.ts'
import { actionsOf } from './state-handlers.ts'

/** Orders that actions store at the price that the client sends, although an entity of the project says what things cost. Needs the extract `actionTotals`. */
export function* orderedTotals(root: CapRoot, reach: ReachModel): Generator<Match> {
  const found = root.scripts.get(actionTotals)
  const kept = found.length === 0 ? undefined : catalogueIn(root)
  if (kept === undefined) return
  for (const { file, value } of found) {
    root.step()
    const { start, end, order, text } = value
    const { services } = root.eventOf({ file, ...value })
    for (const service of servedServices(root).filter((one) => services.includes(one)))
      for (const action of actionsOf(service, value))
        yield {
          at: { file, span: { start, end } },
          args: { price: quoteWord(text), order, ...kept },
          variant: 'ordered',
          groupKey: `ordered ${file} ${value.events.join(' ')}`,
          // that callers need no login is a finding of the service
          exposure: ofUsers(exposureOf(service, action, reach)),
        }
  }
}

/** The entity that says what things cost: it has a price, and nothing that says how many were ordered. */
function catalogueIn(root: CapRoot): { readonly entity: string; readonly element: string } | undefined {
  for (const entity of root.entities) {
    const members = root.membersOf(entity)
    root.step(members.size + 1)
    if (ORDERED.test(entityWords(entity)) || [...members.keys()].some((name) => QUANTITY.test(name))) continue
    const price = [...members.values()].find((member) => PRICE.test(member.name) && isNumeric(member))
    if (price !== undefined) return { entity: lastName(entity), element: price.name }
  }
  return undefined
}

/** What the rule says of them. */
export const ORDERED_WORDS = {
  en: {
    message:
      'The action stores {price}, which the client sends, in {order}; it does not read {element} of {entity}, which says what things cost.',
    fix: 'Read {element} of {entity} by the keys in the request, store that one and the total that follows from it, and remove the price from the parameters of the action. Reject quantities below 1.',
  },
  fr: {
    message:
      'L’action enregistre {price}, que le client envoie, dans {order}, sans lire {element} de {entity}, qui indique les prix.',
    fix: 'Lisez {element} de {entity} d’après les clés de la requête, enregistrez ce prix et le total qui en découle, et retirez le prix des paramètres de l’action. Rejetez les quantités inférieures à 1.',
  },
}
