import {
  accepts,
  entityWords,
  exposedMembers,
  isGuarded,
  isNumeric,
  toWords,
  writersOf,
  type CapMember,
  type CapRoot,
  type ExposedMember,
} from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'
import { entityHandlers, handlersFor } from '../_handlers/write-handlers.ts'
import { PRICE, QUANTITY } from '../_rows/client-prices.ts'
import { priceNames } from '../_rows/price-names.ts'

/** An element for a price that clients send, beside the entity that says what things cost. */
export interface OpenPrice {
  readonly exposed: ExposedMember
  /** `Products` and its `PRICE`. */
  readonly entity: string
  readonly element: string
}

/**
 * Prices of ordered items that clients may write, with a quantity beside them and an association to what has a price of the same name, and that no script of the service
 * names. What somebody enters for the company, such as in an invoice or an offer, has a price of its own. Needs the extracts `priceNames` and `entityHandlers`.
 */
export function openPrices(root: CapRoot): readonly OpenPrice[] {
  if (root.runtime === 'java') return []
  const isNamed = createNameReader(root)
  const found: OpenPrice[] = []
  for (const exposed of exposedMembers(root)) {
    const { member, entity, service, source, isWritten } = exposed
    if (!isWritten || member.key || !PRICE.test(member.name) || isGuarded(member) || member.annotations.has('assert')) continue
    const members = entity.members()
    root.step(members.length)
    if (!members.some((one) => QUANTITY.test(one.name) && isNumeric(one))) continue
    const names = [entityWords(source.name), entityWords(entity.name)]
    if (!names.some((name) => ORDERED.test(name)) || names.some((name) => OF_COMPANY.test(name))) continue
    const catalogue = catalogueBehind(root, members, member.name)
    if (catalogue === undefined || !isOfCustomer(root, members, source.name)) continue
    const writers = writersOf(entity, service)
    if (!writers.some(isOfBuyers) || isNamed(exposed) || isHandled(root, exposed)) continue
    found.push({ exposed, ...catalogue })
  }
  return found
}

/** By the name in words of an entity: what somebody orders, and lines of it, in the languages that models are written in. */
export const ORDERED: RegExp =
  /(?:^| )(?:orders?|carts?|baskets?|bookings?|reservations?|checkouts?|pedidos?|encomendas?|reservas?|commandes?|bestellung(?:en)?)(?: (?:headers?|items?|itens|lines?|positions?|details?|entry|entries|products?|produtos?|productos?|produits?|positionen))?$/
export const OF_COMPANY: RegExp = /(?:^| )(?:purchase|purchasing|procurement|supplier|vendor|work|production|sourcing)(?: |$)/
const CUSTOMER = /(?:^| )(?:users?|customers?|members?|accounts?|buyers?|shoppers?|clients?|guests?|consumers?)$/

/** Whoever works for the shop, such as a waiter, enters prices that were agreed on. */
export function isOfBuyers(role: string): boolean {
  return /^(?:any|authenticated-user|identified-user)$/.test(role) || CUSTOMER.test(toWords(role))
}

/** A handler keeps what clients send out, or puts whole rows over it, whatever these are called. */
export function isHandled(root: CapRoot, { service, entity }: ExposedMember): boolean {
  const isNew = accepts(entity, 'CREATE')
  const closing = handlersFor(root, service, entity).filter(({ closes }) => closes)
  // one that keeps changes out leaves new rows open
  if (closing.some(({ events }) => !isNew || events.some((event) => NEW.test(event)))) return true
  const known = root.scripts.get(entityHandlers)
  root.step(known.length)
  return known.some(({ file, value }) => {
    if (!value.fills) return false
    const { services, isCertain } = root.eventOf({ file, ...value })
    return !isCertain || services.includes(service)
  })
}

const NEW = /^(?:CREATE|INSERT|UPSERT|NEW|WRITE|\*)$/

/** The entity behind an association that has a price of the same name and no quantity: an order is no catalogue. */
function catalogueBehind(
  root: CapRoot,
  members: readonly CapMember[],
  price: string,
): { readonly entity: string; readonly element: string } | undefined {
  for (const { type, target, toMany } of members) {
    if (type !== 'Association' || toMany || target === undefined) continue
    const others = [...root.membersOf(target).values()]
    root.step(others.length)
    const same = others.find(({ name }) => name.toLowerCase() === price.toLowerCase())
    if (same === undefined || others.some(({ name }) => QUANTITY.test(name))) continue
    return { entity: lastName(target), element: same.name }
  }
  return undefined
}

/** The item, or the order around it, is somebody's who buys. */
function isOfCustomer(root: CapRoot, members: readonly CapMember[], source: string): boolean {
  const isCustomer = ({ name, target }: CapMember): boolean =>
    target !== undefined && (CUSTOMER.test(toWords(name)) || CUSTOMER.test(entityWords(lastName(target))))
  if (members.some(isCustomer)) return true
  const around = members.flatMap(({ target, toMany }) => (target === undefined || toMany ? [] : [target]))
  const composing = root.entities.filter((one) => [...root.membersOf(one).values()].some(({ target }) => target === source))
  root.step(root.entities.length)
  return [...around, ...composing].some((one) => [...root.membersOf(one).values()].some(isCustomer))
}

/** Whether a script that may run for a service names the price. */
function createNameReader(root: CapRoot): (exposed: ExposedMember) => boolean {
  const scripts = root.scripts.get(priceNames).map(({ file, value }) => ({
    names: new Set(value.names),
    events: value.services.map((one) => root.eventOf({ file, events: [], entities: undefined, ...one })),
  }))
  return ({ service, member }) => {
    root.step(scripts.length)
    return scripts.some(
      ({ names, events }) =>
        names.has(member.name.toLowerCase()) &&
        (events.length === 0 || events.some(({ isCertain, services }) => !isCertain || services.includes(service))),
    )
  }
}
