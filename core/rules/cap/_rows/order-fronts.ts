import { functionOf } from '../../../facts/callbacks.ts'
import { constantOf, type CallValue, type FunctionFact, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'

/** A route, by the last name of its handler. */
export interface OrderFront {
  readonly handler: string
  readonly fact: FunctionFact | undefined
  /** Something in front of it lets only those pass who work for the shop, or other systems, or may set or check the prices. */
  readonly isLooked: boolean
}

const ROUTES = /^(?:post|put|patch|all)$/
/** Who enters prices that were agreed on, and systems that send orders which are paid. */
const FOR_STAFF =
  /admin|staff|cashier|waiter|waitress|manager|employee|vendor|merchant|clerk|seller|roles?(?![a-z])|permi[st]|privileg|superuser|authori[sz]e\w{0,20}\(|webhook|signature|hmac|api_?key/i
const FOR_CUSTOMERS = /customer|buyer|shopper|guest|["']users?["']/i
const LOOKS_AT_PRICES =
  /price|cost|(?:check|verify|validate|calc|calculate|compute|recalculate|fill|load|enrich)_?(?:cart|order|items?|totals?|amounts?|basket|lines?|products?)/i
const MAX_SHOWN = 400

/** Routes that change something, and what their script says is in front of them. Fact: Express 5, "Using middleware". */
export function orderFronts({ calls }: ScriptFacts, text: string): readonly OrderFront[] {
  const shown = (given: Value): string => text.slice(given.start, Math.min(given.end, given.start + MAX_SHOWN))
  const isForStaff = (given: Value): boolean => FOR_STAFF.test(shown(given)) && !FOR_CUSTOMERS.test(shown(given))
  const isFileLooked = calls.some((call) => isOf(call, /^use$/) && givenTo(call).some(isForStaff))
  return calls.flatMap((call) => {
    const handler = isOf(call, ROUTES) ? call.args.at(-1) : undefined
    if (handler === undefined || call.args.length < 2) return []
    const front = givenTo(call).slice(0, -1)
    return {
      handler: lastNameOf(handler) ?? '',
      fact: functionOf(handler),
      isLooked: isFileLooked || front.some((one) => isForStaff(one) || LOOKS_AT_PRICES.test(shown(one))),
    }
  })
}

function isOf({ callee }: CallValue, methods: RegExp): boolean {
  return callee.kind === 'member' && methods.test(callee.name ?? '')
}

/** All but the path. */
function givenTo({ args }: CallValue): readonly Value[] {
  return args.filter((given) => constantOf(given) === undefined)
}
