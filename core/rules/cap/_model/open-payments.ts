import {
  entityWords,
  isCredential,
  isNumeric,
  toWords,
  writersOf,
  type CapMember,
  type CapRoot,
  type ExposedMember,
} from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'
import { isHandled, isOfBuyers, OF_COMPANY, ORDERED } from './open-prices.ts'

/** Whether something is paid, by the name of an element in words; in a row of payments also its status. */
const PAID = /^(?:payment|settlement) (?:status|state)(?: code)?$/
const STATUS = /^(?:status|state)(?: code)?$/
/** In words. */
const PAYMENTS = /(?:^| )(?:payments?|payment transactions?|checkouts?)$/
const AMOUNT = /(?:^| )(?:amount|total|sum|price)$|^(?:amount|total|price) /
/** Who logs in, by the name of the entity in words. */
const USERS = /(?:^| )(?:users?|members?|accounts?|shoppers?|buyers?)$/

/**
 * A listed value that says whether an order is paid, beside its amount, in rows of those who log in to order, and that all of them may write. Where a customer is a row that
 * users of the company keep, these enter what was paid. Handlers are asked by `isHandled`, which needs the extract `entityHandlers`.
 */
export function isOpenPayment(root: CapRoot, exposed: ExposedMember): boolean {
  const { member, entity, service, source } = exposed
  const words = toWords(member.name)
  const names = [entityWords(source.name), entityWords(entity.name)]
  const isOfPayments = names.some((name) => PAYMENTS.test(name))
  if (!member.isEnum || !(PAID.test(words) || (isOfPayments && STATUS.test(words)))) return false
  if (!(isOfPayments || names.some((name) => ORDERED.test(name))) || names.some((name) => OF_COMPANY.test(name))) return false
  const members = entity.members()
  root.step(members.length)
  if (!members.some((one) => isNumeric(one) && AMOUNT.test(toWords(one.name)))) return false
  return isOfUser(root, members) && writersOf(entity, service).some(isOfBuyers) && !isHandled(root, exposed)
}

/** The row, or the order that it refers to, is that of somebody who logs in. */
function isOfUser(root: CapRoot, members: readonly CapMember[]): boolean {
  const refersToUser = ({ target, toMany }: CapMember): boolean => {
    if (target === undefined || toMany) return false
    if (USERS.test(entityWords(lastName(target)))) return true
    const others = root.membersOf(target)
    root.step(others.size)
    return [...others.values()].some(isCredential)
  }
  if (members.some(refersToUser)) return true
  return members.some(
    ({ target, toMany }) =>
      target !== undefined &&
      !toMany &&
      ORDERED.test(entityWords(lastName(target))) &&
      [...root.membersOf(target).values()].some(refersToUser),
  )
}
