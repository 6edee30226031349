import {
  accepts,
  isGuarded,
  isNumeric,
  isOrdinary,
  PSEUDO_ROLES,
  servedServices,
  writersOf,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import { lastName } from '../../../paths.ts'
import { quoteWord } from '../../../quote.ts'
import type { Match, RuleText } from '../../../types.ts'
import { ofUsers, usersWith } from '../_matches.ts'
import { creditedNumbers, type CreditedNumber } from '../_rows/credited-numbers.ts'
import { exposureOf } from './restricted-exposures.ts'
import { handledElements } from './state-handlers.ts'
import { isUserNumber } from './user-numbers.ts'

/**
 * Points and the like that a handler credits for a new row of ordinary users by the price in it, which they choose and nobody confirms. What cashiers enter is not theirs. Needs
 * `creditedNumbers`.
 */
export function* creditedRows(root: CapRoot, reach: ReachModel): Generator<Match> {
  if (root.runtime === 'java') return
  for (const { file, value } of root.scripts.get(creditedNumbers)) {
    // who sets the balance anyway, another finding tells
    if (isUserNumber(root, value)) continue
    const { services } = root.eventOf({ file, ...value })
    for (const service of servedServices(root).filter((one) => services.includes(one)))
      for (const made of handledElements(root, service, value)) {
        if (!isMadeByUsers(service, made, value)) continue
        const { start, end, entity, element, written } = value
        const exposure = ofUsers(exposureOf(service, made, reach, ['CREATE']))
        yield {
          at: { file, span: { start, end } },
          args: {
            price: quoteWord(written),
            entity: lastName(made.name),
            element: `${entity}.${element}`,
            users: usersWith(writersOf(made, service, ['CREATE']), exposure),
          },
          variant: 'credited',
          evidence: 'assumed',
          exposure,
          key: 'credited',
          groupKey: `${file} ${made.name} credited`,
        }
      }
  }
}

/** Ordinary users create such rows, and send the price in them. */
function isMadeByUsers(service: CapService, entity: CapElement, { sent, isOfCaller }: CreditedNumber): boolean {
  if (!accepts(entity, 'CREATE')) return false
  const price = entity.members().find(({ name }) => name === sent)
  if (price === undefined || isGuarded(price) || !isNumeric(price)) return false
  const roles = writersOf(entity, service, ['CREATE'])
  return roles.some((role) => isOrdinary(role) || (isOfCaller && PSEUDO_ROLES.has(role)))
}

/** The words of `cap/price-from-client` for it. */
export const CREDITED_WORDS: Readonly<Record<'en' | 'fr', RuleText>> = {
  en: {
    title: 'Points credited for a price from the request',
    message:
      'For a new row of {entity} the handler credits {element} by {price}, which the client sends: {users:or} choose it, and no record or later step confirms it.',
    why: 'A user can send any price without having bought anything, and spends the points that the server credits for it.',
    fix: 'Let a role such as that of a cashier create {entity}, or credit the points in an action of that role. Or read the price from the order or receipt that the request names, and compare its customer with req.user.',
  },
  fr: {
    title: 'Points crédités pour un prix venant de la requête',
    message:
      'Pour une nouvelle ligne de {entity}, le gestionnaire crédite {element} selon {price}, que le client envoie : {users:ou} le choisissent, et aucun enregistrement ni étape ultérieure ne le confirme.',
    why: 'Un utilisateur peut envoyer n’importe quel prix sans avoir rien acheté, et dépense les points que le serveur lui crédite.',
    fix: 'Réservez la création de {entity} à un rôle comme celui d’un caissier, ou créditez les points dans une action de ce rôle. Ou lisez le prix de la commande ou du reçu que la requête désigne, et comparez son client à req.user.',
  },
}
