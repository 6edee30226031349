import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { methodAround } from '../../facts/callbacks.ts'
import {
  constantOf,
  stringConstantOf,
  fieldOf,
  findPart,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createInnerIndex } from '../../facts/span-index.ts'
import { isPasswordName } from '../../model/script/index.ts'
import { lastName } from '../../paths.ts'
import type { Span } from '../../types.ts'
import { callbacksOf, fieldIn, isEmpty, readsPassword } from './_ignored-passwords.ts'
import { speaksOfLogin } from './_unchecked-logins.ts'

/** A request for an account by what was entered, whose answer is who is logged in. */
export interface NamelessLogin {
  readonly at: Span
  /** The field that the account is found by. */
  readonly field: string
}

/** Sets of accounts. */
const ACCOUNTS =
  /^\/?(?:[a-z]{1,20}_)?(?:users?|usuarios?|benutzer|utilisateurs?|accounts?|employees?|customers?|patients?|members?)(?:_?set)?\/?$/i
/** What keeps who the user is: `setProperty("/UserNo", …)`, `setItem("currentUser", …)`. */
const KEPT =
  /^(?:current|logged(?:_?in)?|session|global|login|auth)?_?(?:user|account|employee|customer|patient|member|usuario|benutzer)(?:_?(?:no|nr|id|name|number))?$/i

/**
 * `model.read("/UserSet", { filters: [new Filter("Number", "EQ", byId("number").getValue())], success: (found) => { … setProperty("/UserNo", found.results[0].UserNo); navTo("home") } })`
 * where names speak of a login. Facts: SAPUI5 API, sap.ui.model.odata.v2.ODataModel.
 */
export const namelessLogins: Extract<NamelessLogin> = defineExtract({
  name: 'ui5-nameless-logins',
  keywords: ['navTo'],
  prefilter: (text) =>
    /log_?(?:in|on)|sign_?in|anmeld|iniciar|entrar/i.test(text) && /\.getValue\(/.test(text) && /\.read\(/.test(text),
  *collect({ facts, step }) {
    const callsIn = createInnerIndex(facts.calls)
    for (const call of facts.calls) {
      const asked = askedBy(call)
      const method = asked === undefined ? undefined : methodAround(call.function)
      if (asked === undefined || method === undefined) continue
      const calls = callsIn(method)
      step(calls.length)
      // a password beside the name may be what is checked
      if (calls.some((one) => readsPassword(one) && fieldIn(one) !== fieldIn(asked.entered))) continue
      const inside = callbacksOf(call, calls).flatMap((one) => callsIn(one))
      if (!inside.some(opensPage) || !inside.some(keepsUser) || !isLogin(method, inside)) continue
      const { start, end } = call
      yield { at: { start, end }, field: asked.field }
    }
  },
})

/** The only field of the filters, which compares an account with what was entered. */
function askedBy({ callee, args: [path, options] }: CallValue): { readonly field: string; readonly entered: Value } | undefined {
  if (lastNameOf(callee) !== 'read' || path === undefined || options === undefined) return undefined
  if (!ACCOUNTS.test(String(constantOf(path) ?? ''))) return undefined
  const given = fieldOf(resolveValue(options), 'filters')?.value
  const filters = given && resolveValue(given)
  const [only, ...more] = filters?.kind === 'array' ? filters.items : []
  const filter = only && resolveValue(only)
  // what is asked beside it may be the password
  if (filter === undefined || more.length > 0 || !('args' in filter) || lastNameOf(filter.callee) !== 'Filter') return undefined
  const [name, , value] = filter.args
  const field = stringConstantOf(name)
  const entered = value && findPart(value, (part) => part.kind === 'call' && lastNameOf(part.callee) === 'getValue')
  return field === undefined || entered === undefined || isPasswordName(field) ? undefined : { field, entered }
}

function opensPage({ callee }: CallValue): boolean {
  return lastNameOf(callee) === 'navTo'
}

/** `model.setProperty("/UserNo", found.UserNo)`, `localStorage.setItem("currentUser", …)`. */
function keepsUser({ callee, args: [key, value] }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if ((name !== 'setProperty' && name !== 'setItem') || key === undefined || value === undefined || isEmpty(value)) return false
  const text = stringConstantOf(key)
  return text !== undefined && KEPT.test(text.slice(text.lastIndexOf('/') + 1))
}

/** The method is called so, or what it fills: a search for an account opens its page as well. */
function isLogin({ name }: FunctionFact, calls: readonly CallValue[]): boolean {
  if (speaksOfLogin(lastName(name))) return true
  return calls.some(({ callee, args }) => {
    if (!/^set(?:Model|Property|Item)$/.test(lastNameOf(callee) ?? '')) return false
    return args.some((given) => {
      const text = stringConstantOf(given)
      return text !== undefined && speaksOfLogin(text)
    })
  })
}
