import {
  accepts,
  entityWords,
  exposedEntities,
  isAdministrative,
  isGuarded,
  isNumeric,
  rowEventsOf,
  servedServices,
  toWords,
  sourceNameOf,
  writersOf,
  type CapElement,
  type CapMember,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import { lastName } from '../../paths.ts'
import { quoteWord } from '../../quote.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { entityHandlers } from './_handlers/write-handlers.ts'
import { memberName, ofUsers, usersWith, worstAtPlaces } from './_matches.ts'
import { actionsOf, handledElements, isChangeHandled } from './_model/state-handlers.ts'
import { CREDITED_WORDS, creditedRows } from './_model/credited-rows.ts'
import { ORDERED_WORDS, orderedTotals } from './_model/ordered-totals.ts'
import { openPrices, ORDERED, type OpenPrice } from './_model/open-prices.ts'
import { exposureOf, exposureOfRoles } from './_model/restricted-exposures.ts'
import { actionTotals } from './_rows/action-totals.ts'
import { clientPrices, PRICE, QUANTITY } from './_rows/client-prices.ts'
import { creditedNumbers } from './_rows/credited-numbers.ts'
import { preferredPrices, type PreferredPrice } from './_rows/preferred-prices.ts'
import { priceNames } from './_rows/price-names.ts'
import { stateHandlers } from './_rows/decided-states.ts'
import { sentDecisions } from './_rows/sent-decisions.ts'
import { storedOnes, storedPrices } from './_rows/stored-prices.ts'
import { composedOf, singular } from './_model/entity-rights.ts'

/**
 * A handler adds up prices that the client sends, although an entity of the project holds them, prefers them to those that it has read, or decides about a row by a number
 * of the request that the row itself holds.
 * Facts: OWASP Web Security Testing Guide, "Test Business Logic Data Validation"; capire, "Providing Services": clients may send every element that is not @readonly.
 * In a route of Express that stores the total it is assumed that something else says what things cost; that it asks nobody who calls, where it does, another rule says.
 * Impact: users order at a price of their choice; little where those who buy or sell for the company enter it, who agreed on it, as in purchase orders,
 * and where the same callers may change the prices of the catalogue. None where the handler refuses what is not as a row of the project says, or a bill of more than was ordered.
 */
export const priceFromClient: Rule = defineRule({
  id: 'cap/price-from-client',
  impact: 'data',
  confidence: 'medium',
  cwe: [472, 602],
  since: '0.3.0',
  docs: 'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/10-Business_Logic_Testing/01-Test_Business_Logic_Data_Validation',
  grades: {
    route: { evidence: 'assumed' },
    stored: { evidence: 'assumed' },
    element: { evidence: 'assumed' },
    ordered: { evidence: 'assumed' },
  },
  extracts: [
    clientPrices,
    preferredPrices,
    creditedNumbers,
    sentDecisions,
    storedPrices,
    actionTotals,
    priceNames,
    entityHandlers,
    stateHandlers,
  ],
  checks: {
    *'cap-root'(root, { reach }) {
      if (root.test) return
      yield* worstAtPlaces(openPrices(root).map((one) => matchOfElement(one, reach)))
      yield* worstAtPlaces(preferredOnes(root, reach))
      yield* worstAtPlaces(decidedOnes(root, reach))
      yield* worstAtPlaces(creditedRows(root, reach))
      yield* worstAtPlaces(orderedTotals(root, reach))
      const found = root.scripts.get(clientPrices)
      const set = new Set(found.flatMap(({ value: { name, text } }) => (text === undefined ? [name] : [])))
      for (const { file, value } of found) {
        root.step()
        const { start, end, name, text, entities = [], limitedBy } = value
        if (text === undefined || value.isRoute === true || set.has(name)) continue
        // a supplier bills no more than was ordered
        if (limitedBy !== undefined && BOUGHT.test(entityWords(limitedBy))) continue
        const kept = catalogueOf(root, name)
        if (kept === undefined) continue
        const isForRoles = entities.length > 0 && entities.every((entity) => isPricedByRoles(root, entity))
        const isAgreed = isForRoles || isAgreedOn(root, entities) || areOwnPrices(root, entities, kept, reach)
        const { entity, element } = kept
        yield {
          at: { file, span: { start, end } },
          args: { price: quoteWord(text), entity, element },
          // that callers need no login, its service says
          ...(isAgreed && { impact: 'bounded' as const, reach: 'user' as const }),
        }
      }
    },
    *project({ scripts, step }) {
      const told = new Set<string>()
      for (const { file, value } of scripts.get(clientPrices)) {
        step()
        const { start, end, text, isRoute } = value
        if (isRoute !== true || text === undefined) continue
        told.add(file)
        yield { at: { file, span: { start, end } }, args: { price: quoteWord(text) }, variant: 'route' }
      }
      yield* storedOnes(scripts.get(storedPrices), told, step)
    },
  },

  text: () => ({
    en: {
      title: 'Price taken from the request',
      message: 'The handler calculates with {price}, which the client sends; it does not read {element} of {entity}.',
      why: 'A user can send any price and orders at that price: the amount that is stored follows from it.',
      fix: 'Read {element} of {entity} by the keys in the request, calculate with it, and overwrite what the client sent. Mark the element @readonly, and reject quantities below 1.',
      variants: {
        credited: CREDITED_WORDS.en,
        ordered: ORDERED_WORDS.en,
        decided: {
          title: 'Decision based on a value from the request',
          message:
            'The handler sets {state} of {entity} by {price}, which the client sends; it does not read {element} of the row.',
          why: 'A user can send any number with the key of a row: the check passes, and the row is approved or rejected for what it does not hold.',
          fix: 'Compare {element} of the row that the handler has read, and remove this parameter from the operation.',
        },
        preferred: {
          message: 'The handler takes {price}, which the client sends, and {kept} only where the client sends no price.',
          fix: 'Take {kept} whatever the client sends, and mark the element @readonly. Where some users may agree on another price, check their role before.',
        },
        route: {
          message: 'The route calculates with {price}, which the client sends, and stores a total; it reads no price of its own.',
          fix: 'Read the price by the key in the request from the database or from the service that keeps the catalog, and calculate with that one. Reject quantities below 1.',
        },
        stored: {
          message: 'The route stores {price}, which the client sends, in {order}; it reads no price of its own.',
          fix: 'Read the price by the key in the request from the database or from the service that keeps the catalog, and store that one and the total that follows from it. Reject quantities below 1.',
        },
        element: {
          message:
            '{price} is not read-only, although {entity} holds {element}, and no handler of the service sets it: {writers:or} can send any price.',
          why: 'A user can order at any price: what the client sends is stored and charged.',
          fix: 'Add @readonly to this element in {file}. Set it in a handler before CREATE and UPDATE, from {element} of {entity} by the key in the request, and reject quantities below 1.',
        },
      },
    },
    fr: {
      title: 'Prix repris de la requête',
      message: 'Le gestionnaire calcule avec {price}, que le client envoie, sans lire {element} de {entity}.',
      why: 'Un utilisateur peut envoyer n’importe quel prix et commande à ce prix : le montant enregistré en découle.',
      fix: 'Lisez {element} de {entity} d’après les clés de la requête, calculez avec cette valeur et remplacez celle du client. Marquez l’élément @readonly et rejetez les quantités inférieures à 1.',
      variants: {
        credited: CREDITED_WORDS.fr,
        ordered: ORDERED_WORDS.fr,
        decided: {
          title: 'Décision fondée sur une valeur de la requête',
          message:
            'Le gestionnaire définit {state} de {entity} d’après {price}, que le client envoie, sans lire {element} de la ligne.',
          why: 'Un utilisateur peut envoyer n’importe quel nombre avec la clé d’une ligne : le contrôle passe, et la ligne est approuvée ou rejetée pour ce qu’elle ne contient pas.',
          fix: 'Comparez {element} de la ligne lue par le gestionnaire, et retirez ce paramètre de l’opération.',
        },
        preferred: {
          message: 'Le gestionnaire prend {price}, que le client envoie, et {kept} seulement si le client n’envoie aucun prix.',
          fix: 'Prenez {kept} quoi que le client envoie, et marquez l’élément @readonly. Si certains utilisateurs peuvent convenir d’un autre prix, vérifiez d’abord leur rôle.',
        },
        route: {
          message:
            'La route calcule avec {price}, que le client envoie, et enregistre un total ; elle ne lit elle-même aucun prix.',
          fix: 'Lisez le prix d’après la clé de la requête dans la base de données ou auprès du service qui tient le catalogue, et calculez avec lui. Rejetez les quantités inférieures à 1.',
        },
        stored: {
          message: 'La route enregistre {price}, que le client envoie, dans {order} ; elle ne lit elle-même aucun prix.',
          fix: 'Lisez le prix d’après la clé de la requête dans la base de données ou auprès du service qui tient le catalogue, et enregistrez ce prix et le total qui en découle. Rejetez les quantités inférieures à 1.',
        },
        element: {
          message:
            '{price} n’est pas en lecture seule, alors que {entity} contient {element}, et aucun gestionnaire du service ne le définit : {writers:ou} peuvent envoyer n’importe quel prix.',
          why: 'Un utilisateur peut commander à n’importe quel prix : la valeur que le client envoie est enregistrée et facturée.',
          fix: 'Ajoutez @readonly à cet élément dans {file}. Définissez-le dans un gestionnaire avant CREATE et UPDATE, à partir de {element} de {entity} selon la clé de la requête, et rejetez les quantités inférieures à 1.',
        },
      },
    },
  }),
})

/** Handlers that take the price of a row only where the client sends none. That clients may not choose the price, the name of an order says; of other rows it is assumed. */
function* preferredOnes(root: CapRoot, reach: ReachModel): Generator<Match> {
  for (const { file, value } of root.scripts.get(preferredPrices)) {
    root.step(1 + root.entities.length)
    const { start, end, name, text, kept } = value
    if (!root.entities.some((entity) => root.membersOf(entity).has(name))) continue
    const { services } = root.eventOf({ file, ...value })
    for (const service of servedServices(root).filter((one) => services.includes(one)))
      for (const element of handledElements(root, service, value)) {
        const isRow = element.kind === 'entity'
        const events = value.events.flatMap(rowEventsOf).filter((event) => event !== 'READ')
        const writers = isRow ? writersOf(element, service, events.length > 0 ? events : undefined) : []
        if (isRow && (!element.writable || writers.every(isAdministrative) || isPriceGuarded(root, service, element, value)))
          continue
        const names = isRow ? [lastName(element.name)] : []
        yield {
          at: { file, span: { start, end } },
          args: { price: quoteWord(text), kept: quoteWord(kept) },
          variant: 'preferred',
          ...(isAgreedOn(root, names) && { impact: 'bounded' as const }),
          ...(isRow && !ORDERED.test(entityWords(element.name)) && { evidence: 'assumed' as const }),
          // that callers need no login is a finding of the service
          exposure: ofUsers(
            isRow ? exposureOfRoles(service, element, writers, reach, { events }) : exposureOf(service, element, reach),
          ),
        }
      }
  }
}

/** Clients can't send the price of the row, or of parts of it: as the service has these, or as they are composed. */
function isPriceGuarded(root: CapRoot, { elements }: CapService, row: CapElement, { name, isOfPart }: PreferredPrice): boolean {
  const own = root.membersOf(row.qualified).get(name)
  const composed = isOfPart ? composedOf(row, root) : new Set<string>()
  root.step(elements.length + composed.size)
  const exposed = elements.flatMap((one) => (one.kind === 'entity' && composed.has(sourceNameOf(one)) ? one.qualified : []))
  const parts = [...composed, ...exposed].flatMap((part) => root.membersOf(part).get(name) ?? [])
  return parts.length > 0 ? parts.some(isGuarded) : own !== undefined && isGuarded(own)
}

/** Operations that set the state of a row by a number of the request, although the row holds that number. */
function* decidedOnes(root: CapRoot, reach: ReachModel): Generator<Match> {
  for (const { file, value } of root.scripts.get(sentDecisions)) {
    root.step(1 + root.entities.length)
    const { start, end, entity, element, state, text } = value
    const members = root.entities.flatMap((one) => (lastName(one) === entity ? (root.membersOf(one).get(element) ?? []) : []))
    if (!members.some(isNumeric)) continue
    const { services } = root.eventOf({ file, ...value })
    for (const service of servedServices(root).filter((one) => services.includes(one)))
      for (const action of actionsOf(service, value))
        yield {
          at: { file, span: { start, end } },
          args: { price: quoteWord(text), element, entity, state },
          variant: 'decided',
          // that callers need no login is a finding of the service
          exposure: ofUsers(exposureOf(service, action, reach)),
        }
  }
}

/** Whoever writes the entities enters what the company has agreed on. */
function isAgreedOn(root: CapRoot, entities: readonly string[]): boolean {
  return entities.length > 0 && entities.every((entity) => isEnteredByBuyer(root, entity) || isPricedByRoles(root, entity))
}

/** That callers need no login is a finding of the service. */
function matchOfElement({ exposed, entity, element }: OpenPrice, reach: ReachModel): Match {
  const { member, service } = exposed
  const { file, span } = member.place
  const exposure = ofUsers(exposureOf(service, exposed.entity, reach, ['CREATE', 'UPDATE']))
  return {
    at: member.place,
    args: { price: memberName(exposed), entity, element, file, writers: usersWith(writersOf(exposed.entity, service), exposure) },
    groupKey: `${file} ${span?.start}`,
    exposure,
    variant: 'element',
  }
}

/** The entity that says what things cost, by the last part of its name and by the whole. */
interface Catalogue {
  readonly entity: string
  readonly qualified: string
  readonly element: string
}

/**
 * The entity that says what things cost: it has a price and no quantity, and the rows with the price that was sent refer to it. Undefined where none does, or clients can't
 * write the element: what a buyer asks of a supplier has no price but the one that they agree on.
 */
function catalogueOf(root: CapRoot, sent: string): Catalogue | undefined {
  const kept: { readonly entity: string; readonly element: string }[] = []
  const priced: (readonly CapMember[])[] = []
  for (const entity of root.entities) {
    const members = root.membersOf(entity)
    root.step(members.size + 1)
    const names = [...members.keys()]
    const own = members.get(sent)
    if (own !== undefined && isGuarded(own)) return undefined
    const element = names.find((name) => PRICE.test(name))
    const isCounted = names.some((name) => QUANTITY.test(name))
    if (own !== undefined && isCounted) priced.push([...members.values()])
    if (element !== undefined && !isCounted) kept.push({ entity, element })
  }
  const found = kept.find(({ entity }) => priced.length === 0 || priced.some((members) => refers(members, entity, root)))
  return found && { ...found, entity: lastName(found.entity), qualified: found.entity }
}

/** Whoever sends the price may change what the catalogue says as well, in the same service: they set prices anyway. Not so where a handler may keep them from it. */
function areOwnPrices(root: CapRoot, entities: readonly string[], { qualified, element }: Catalogue, reach: ReachModel): boolean {
  const written = [...exposedEntities(root)].filter(({ isWritten, isDirect }) => isWritten && isDirect)
  const sold = written.filter(({ entity }) => entities.includes(lastName(entity.name)))
  root.step(written.length * (1 + sold.length))
  return (
    sold.length > 0 &&
    sold.every(({ service, entity }) => {
      const own = written.find((one) => one.service === service && one.source.name === qualified)
      const member = own?.entity.members().find(({ name }) => name === element)
      if (own === undefined || member === undefined || isGuarded(member) || !accepts(own.entity, 'UPDATE')) return false
      if (isChangeHandled(root, service, own.entity, element)) return false
      return (
        exposureOf(service, own.entity, reach, ['UPDATE']).reach === exposureOf(service, entity, reach, ['CREATE']).reach &&
        writersOf(entity, service).every((role) => writersOf(own.entity, service, ['UPDATE']).includes(role))
      )
    })
  )
}

/**
 * What a company buys: the price in it is the supplier's, and whoever creates it enters what was agreed on. A shop calls the orders of its customers so, too: that there are
 * suppliers, the name says, or an element of it or of the order around it.
 */
function isEnteredByBuyer(root: CapRoot, entity: string): boolean {
  if (!BOUGHT.test(entityWords(entity))) return false
  root.step(root.entities.length)
  const named = root.entities.filter((one) => lastName(one) === entity)
  const around = named.flatMap((one) =>
    [...root.membersOf(one).values()].flatMap(({ target }) =>
      target !== undefined && BOUGHT.test(entityWords(lastName(target))) ? target : [],
    ),
  )
  return (
    SUPPLIER.test(entityWords(entity)) ||
    [...new Set([...named, ...around])].some((one) =>
      [...root.membersOf(one).values()].some(
        ({ name, target }) =>
          SUPPLIER.test(toWords(name)) || (target !== undefined && SUPPLIER.test(entityWords(lastName(target)))),
      ),
    )
  )
}

const SUPPLIER = /(?:^| )(?:suppliers?|vendors?|creditors?)(?: |$)/

const BOUGHT =
  /(?:^| )(?:purchase (?:order|request|requisition|contract)|purchasing|requisition|procurement|request for quotation|rfq|(?:vendor|supplier) (?:order|invoice|quote|quotation|bill)|(?:incoming|inbound|received) invoice|goods receipt)s?(?: |$)/

/** Whether all who write an entity have a role that by its name is there to buy, sell or pay for the company. */
function isPricedByRoles(root: CapRoot, entity: string): boolean {
  const written = [...exposedEntities(root)].filter(
    (one) => one.isWritten && one.isDirect && lastName(one.entity.name) === entity,
  )
  return (
    written.length > 0 &&
    written.every((one) => {
      const roles = writersOf(one.entity, one.service)
      return roles.length > 0 && roles.every((role) => isAdministrative(role) || PRICES.test(toWords(role)))
    })
  )
}

/** In words. A buyer and a seller may be a customer of the shop, a purchaser too. */
const PRICES =
  /(?:^| )(?:procurement|purchasing|purchase (?:officer|manager|clerk|agent)|sales|salesperson|pricing|price|finance|financial|accounting|accountant|billing|controlling)(?: |$)/

/** By an association, or by the name of a key: `ticket_ID` for `Tickets`. */
function refers(members: readonly CapMember[], entity: string, root: CapRoot): boolean {
  const name = singular(entityWords(lastName(entity)))
  return members.some(
    ({ target, name: own }) =>
      (target !== undefined && (target === entity || root.projected(target).includes(entity))) ||
      (target === undefined && KEY_OF.test(toWords(own).slice(name.length)) && toWords(own).startsWith(name)),
  )
}

const KEY_OF = /^ (?:id|code|no|number|key|sku)$/
