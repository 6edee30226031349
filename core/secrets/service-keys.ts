import type { Budget } from '../budget.ts'
import type { Span } from '../types.ts'
import { countLook } from './layers.ts'

/** Settings of one key stand together. */
const BEFORE = 500
const BEHIND = 500

/** What a service instance of SAP BTP draws for a binding: a GUID and 43 characters, or 27 characters of base64. Fact: SAP BTP documentation, "Service Instance Secrets". */
const SECRET = /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:\\?\$|%24|\\u0024)[\w-]{43}|[A-Za-z0-9+/]{27})=$/i
/** `sb-orders-srv!t1234`, `sb-clone…!b5678|destination-xsappname!b9`: with the number that a landscape gave out. */
const CLIENT = /\bsb-[\w.-]{2,100}(?:\|[\w.-]{1,60})?![bit]\d{2,8}\b/
/** Of a subaccount in a region that exists: `eu10`, `us10-001`. */
const TOKEN_SERVICE = /https:\/\/([\w-]{2,63})\.authentication\.[a-z]{2}\d{2}(?:-\d{3})?\.hana\.ondemand\.com/
/** Subaccounts of documentation and fixtures. */
const NO_SUBACCOUNT =
  /^(?:(?:my|your)[\w-]*|(?:[\w-]*-)?(?:sub-?domain|tenant|provider|subscriber|consumer|subaccount|mock|dummy|fake|sample|example)(?:-?\d+|-\w)?)$/i

/** Files whose values people invent, and no notes of developers: fixtures, and what test runners load. */
const FIXTURE_FOLDER = /(?:^|\/)(?:__tests__|__mocks__|unit|mocks?|samples?|examples?|fixtures?)\//i
const FIXTURE_NAME = /(?:mock|sample|example|template|fixture|dummy|\.tpl)|\.(?:test|spec)\.[a-z]{1,4}$/i

/**
 * Whether a text holds a whole service key around a secret: what the service drew, the client with its number, and the token service of a subaccount. Then nothing of it is
 * left to guess, in notes and scripts of tests as little as anywhere else.
 */
export function isWholeServiceKey(path: string, text: string, { start, end }: Span, budget: Budget): boolean {
  if (
    FIXTURE_FOLDER.test(path) ||
    FIXTURE_NAME.test(path.slice(path.lastIndexOf('/') + 1)) ||
    !SECRET.test(text.slice(start, end))
  )
    return false
  countLook(budget, BEFORE + BEHIND)
  const around = text.slice(Math.max(0, start - BEFORE), end + BEHIND)
  const subaccount = TOKEN_SERVICE.exec(around)?.[1]
  return subaccount !== undefined && !NO_SUBACCOUNT.test(subaccount) && CLIENT.test(around)
}
