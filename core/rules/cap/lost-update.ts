import { rowEventsOf, servedServices, toWords } from '../../model/cap/index.ts'
import { quoteWord } from '../../quote.ts'
import type { Exposure, Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { ofUsers, worstAtPlaces } from './_matches.ts'
import { handledElements } from './_model/state-handlers.ts'
import { exposureOf } from './_model/restricted-exposures.ts'
import { racedNumbers, type RacedNumber } from './_rows/raced-numbers.ts'

/**
 * A stock or balance that a handler reads, compares and writes back, or takes from, with neither a lock nor a condition: requests at the same time all pass the comparison, and the last one counts.
 * Facts: CWE-367; capire, "Pessimistic Locking": SELECT.forUpdate locks rows until the transaction ends; "cds.ql", UPDATE: `{ '-=': n }` is worked out by the database.
 * Impact: little, since it takes a race: more is given out than there is, or more days of leave taken. Of money it is data, and that the race can be won is assumed. Wrong guesses of a PIN or
 * password that count as one are more guesses than the limit allows.
 */
export const lostUpdate: Rule = defineRule({
  id: 'cap/lost-update',
  impact: 'bounded',
  confidence: 'medium',
  cwe: [362, 367],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/services/served-ootb#pessimistic-locking',
  grades: { money: { impact: 'data', evidence: 'assumed' } },
  on: 'cap-root',
  extracts: [racedNumbers],

  *check(root, { reach }) {
    if (root.test || root.runtime === 'java') return
    const matches: Match[] = []
    for (const { file, value } of root.scripts.get(racedNumbers)) {
      const { start, end, entity, element, limit, isTaken, counts } = value
      const { services } = root.eventOf({ file, ...value })
      const isQuota = QUOTA.test(toWords(`${entity}_${element}`)) && !PAID.test(toWords(element))
      const isMoney = !isQuota && MONEY.test(toWords(element))
      if (counts === undefined && limit === '' && !isMoney && !isQuota && !STOCK.test(toWords(element))) continue
      for (const service of servedServices(root).filter((one) => services.includes(one)))
        for (const handled of handledElements(root, service, value))
          matches.push({
            at: { file, span: { start, end } },
            args: { element: `${entity}.${element}`, ...(limit !== '' && { limit: quoteWord(limit) }) },
            ...variantOf(value, isMoney),
            ...(isTaken && isMoney && { impact: 'data' as const, evidence: 'assumed' as const }),
            exposure: exposureTo(value, exposureOf(service, handled, reach, value.events.flatMap(rowEventsOf))),
          })
    }
    yield* worstAtPlaces(matches)
  },

  text: () => ({
    en: {
      title: 'Race condition: stock read, checked and written back',
      message:
        'The handler checks {limit} and then writes {element} as a number that it has calculated itself, without a lock and without a condition in the where.',
      why: 'Requests at the same time read the same number and all pass the check: more is given out than there is, and only the last change remains.',
      fix: "Read the row with SELECT … .forUpdate(), which locks it until the transaction ends. Or let the database do both: set { '-=': … }, name the limit in the where, and reject when no row was changed.",
      variants: {
        taken: {
          title: 'Race condition: limit checked before a relative update',
          message:
            'The handler checks {limit} and then takes from {element}, without a lock and without the limit in the where of the UPDATE.',
          why: 'Requests at the same time read the same number and all pass the check: the database takes each amount, below zero if need be.',
          fix: 'Read the row with SELECT … .forUpdate(), which locks it until the transaction ends. Or name the limit in the where of the UPDATE, and reject when no row was changed.',
        },
        unchecked: {
          title: 'Race condition: number read and written back',
          message:
            'The handler writes {element} as a number that it has calculated from the one it read, without a lock and without a condition in the where.',
          why: 'Of requests at the same time that read the same number only the last change remains: the stock or balance is wrong from then on.',
          fix: "Let the database calculate it: set { '+=': … } or { '-=': … }. Or read the row with SELECT … .forUpdate(), which locks it until the transaction ends.",
        },
        guesses: {
          title: 'Race condition: failed attempts counted without a lock',
          message:
            'The handler writes {element} as a number that it has calculated from the one it read, without a lock and without a condition in the where.',
          why: 'Guesses that an attacker sends at the same time read the same number and count as one: the limit of attempts is passed by sending many at once.',
          fix: "Before you compare, let the database count: await UPDATE … .set({ '+=': 1 }) with the limit in the where, reject the request when no row was changed, and set the number back after a right guess. Or lock the row with SELECT … .forUpdate().",
        },
        money: {
          title: 'Race condition: balance read, checked and written back',
          why: 'A user sends several requests at the same time: all read the same balance and pass the check, so that it is spent several times.',
        },
      },
    },
    fr: {
      title: 'Concurrence : stock lu, contrôlé puis réécrit',
      message:
        'Le gestionnaire contrôle {limit} puis écrit {element} avec un nombre qu’il a calculé lui-même, sans verrou ni condition dans le where.',
      why: 'Des requêtes simultanées lisent le même nombre et passent toutes le contrôle : il est distribué plus que ce qui existe, et seule la dernière modification subsiste.',
      fix: "Lisez la ligne avec SELECT … .forUpdate(), qui la verrouille jusqu’à la fin de la transaction. Ou laissez la base de données faire les deux : set { '-=': … }, la limite dans le where, et un rejet si aucune ligne n’a changé.",
      variants: {
        taken: {
          title: 'Concurrence : limite contrôlée avant une mise à jour relative',
          message:
            'Le gestionnaire contrôle {limit} puis retranche de {element}, sans verrou et sans la limite dans le where de l’UPDATE.',
          why: 'Des requêtes simultanées lisent le même nombre et passent toutes le contrôle : la base de données retranche chaque quantité, au besoin en dessous de zéro.',
          fix: 'Lisez la ligne avec SELECT … .forUpdate(), qui la verrouille jusqu’à la fin de la transaction. Ou placez la limite dans le where de l’UPDATE, et rejetez si aucune ligne n’a changé.',
        },
        unchecked: {
          title: 'Concurrence : nombre lu puis réécrit',
          message:
            'Le gestionnaire écrit {element} avec un nombre calculé à partir de celui qu’il a lu, sans verrou ni condition dans le where.',
          why: 'Parmi des requêtes simultanées qui lisent le même nombre, seule la dernière modification subsiste : le stock ou le solde est faux dès lors.',
          fix: "Laissez la base de données le calculer : set { '+=': … } ou { '-=': … }. Ou lisez la ligne avec SELECT … .forUpdate(), qui la verrouille jusqu’à la fin de la transaction.",
        },
        guesses: {
          title: 'Concurrence : échecs comptés sans verrou',
          message:
            'Le gestionnaire écrit {element} avec un nombre calculé à partir de celui qu’il a lu, sans verrou ni condition dans le where.',
          why: 'Les essais qu’un attaquant envoie en même temps lisent le même nombre et comptent pour un seul : il passe la limite en envoyant beaucoup de requêtes à la fois.',
          fix: "Avant la comparaison, laissez la base de données compter : await UPDATE … .set({ '+=': 1 }) avec la limite dans le where, rejetez la requête si aucune ligne n’a changé, et remettez le nombre à zéro après un essai juste. Ou verrouillez la ligne avec SELECT … .forUpdate().",
        },
        money: {
          title: 'Concurrence : solde lu, contrôlé puis réécrit',
          why: 'Un utilisateur envoie plusieurs requêtes en même temps : toutes lisent le même solde et passent le contrôle, et il est dépensé plusieurs fois.',
        },
      },
    },
  }),
})

function variantOf({ isTaken, limit, counts }: RacedNumber, isMoney: boolean): Pick<Match, 'variant'> {
  if (counts === true) return { variant: 'guesses' }
  if (isTaken) return { variant: 'taken' }
  if (limit === '') return { variant: 'unchecked' }
  return isMoney ? { variant: 'money' } : {}
}

/** That callers need no login is a finding of the service; who guesses has none, and is meant to have none. */
function exposureTo({ counts }: RacedNumber, exposure: Exposure): Exposure {
  return counts === true ? exposure : ofUsers(exposure)
}

/** What others rely on later, also where nothing is decided by it here. */
const STOCK = /\b(?:stock|inventory|on hand|in store|available|remaining|capacity|seats)\b/
/** Days that somebody may be absent: who takes more of them shows so, and has to work for it. */
const QUOTA = /\b(?:leaves?|absences?|vacations?|holidays?|time off|pto|days off)\b/
/** What is paid for a journey. */
const PAID = /\b(?:money|funds|wallet|deposits?|savings|budgets?)\b/
/** Who spends it twice gains it: money, and what stands for it. */
const MONEY = /\b(?:balances?|credits?|points|money|funds|wallet|deposits?|bonus|miles|savings|budgets?)\b/
