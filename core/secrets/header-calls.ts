import type { Budget } from '../budget.ts'
import { countLook } from './layers.ts'
import { addressIn, withoutComments, type LogonAddress } from './logon-calls.ts'

/** From the name of a request to a header in it, and to the end of the request. */
const REACH = 1200
/** In front of a bracket: the name of a call, or what says that a function begins. */
const NAME_REACH = 80

/** `fetch(`, `$.ajax(`, `axios.get(`, `new Request(`, `new ODataModel(`. Facts: Fetch standard; jQuery API, ajax; documentation of axios; SAPUI5 API, sap.ui.model.odata.v2.ODataModel. */
const REQUEST = /(?<![\w$])(?:fetch|ajax|axios|get|getJSON|post|put|patch|delete|request|Request|loadData|ODataModel)\s{0,4}$/
/** A block, which is no object of a call, and an object that a name gets first. */
const ENDS = /(?:\)|=>|=|\b(?:else|try|finally|do))\s{0,10}$/

/**
 * Where the request goes that a header at an offset is an option of: `fetch('/api', { headers: { Authorization: 'Basic ' + btoa(` is `relative`.
 * `unknown`: it stands in no request, or nothing tells.
 */
export function addressOfHeader(text: string, start: number, budget: Budget): LogonAddress {
  countLook(budget, REACH)
  let depth = 0
  const least = Math.max(0, start - REACH)
  for (let at = start - 1; at >= least; at--) {
    const sign = text[at] ?? ''
    if (')]}'.includes(sign)) depth++
    if (!'([{'.includes(sign) || depth-- > 0) continue
    depth = 0
    const before = text.slice(Math.max(0, at - NAME_REACH), at)
    if (sign === '{' && ENDS.test(before)) return 'unknown'
    const name = sign === '(' ? REQUEST.exec(before)?.[0] : undefined
    if (name === undefined) continue
    countLook(budget, REACH)
    const call = withoutComments(text.slice(at - name.length, endOf(text, at)))
    return addressIn(call, text, at - name.length, budget)
  }
  return 'unknown'
}

/** Where the call ends whose arguments begin at an offset. */
function endOf(text: string, from: number): number {
  let depth = 0
  const most = Math.min(text.length, from + REACH)
  for (let at = from; at < most; at++) {
    const sign = text[at] ?? ''
    if ('([{'.includes(sign)) depth++
    else if (')]}'.includes(sign) && --depth === 0) return at + 1
  }
  return most
}

/** `serverUrl = 'https://…'`, `host: 'https://…'`; `open('GET', 'https://…'`, `loadData('https://…'`: no logo and no page of help. */
const ADDRESSES =
  /(?:(?<![A-Za-z])(?:(?:base|server|service|api|back_?end|request|target|remote|root|report|odata|s)_?){0,3}(?:url|uri|server|host|endpoint)["'`]?\]?\s{0,4}[:=]\s{0,4}|(?<![\w$])(?:fetch|ajax|axios|get|getJSON|post|put|patch|delete|request|loadData|ODataModel)\(\s{0,20}|\bopen\(\s{0,20}["'`][A-Za-z]{3,7}["'`],\s{0,20})["'`]https?:\/\/([\w.-]{1,200})/gi

/** Whether a code names an address of a server whose host is so. */
export function namesAddress(code: string, isSo: (host: string) => boolean): boolean {
  return [...code.matchAll(ADDRESSES)].some(([, host = '']) => isSo(host))
}
