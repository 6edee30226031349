import type { Budget } from '../budget.ts'
import { classifyHost, type HostClass } from '../hosts.ts'
import { countLook } from './layers.ts'
import { statementBefore } from './surroundings.ts'

/**
 * Calls whose options are a login: the model of a UI5 app, a request of jQuery and of axios. An object in them is the options, or their `auth`.
 * Facts: API of sap.ui.model.odata.v2.ODataModel (`serviceUrl`, `user`, `password`); jQuery API, ajax (`username`, `password`); documentation of axios (`auth`).
 */
const LOGON_CALL =
  /(?:\bnew\s{1,4}(?:[\w$]{1,40}\.){0,6}ODataModel|(?<![\w$])(?:\$|jQuery)\.ajax|(?<![\w$.])axios(?:\.[a-z]{2,8})?)\s{0,4}\(\s{0,40}(?:(?:["'`][^"'`\n]{0,300}["'`]|[\w$.]{1,80})\s{0,4},\s{0,40})?(?:\{[^{}]{0,300}\bauth\s{0,4}:\s{0,20})?$/

/** Whether a password at an offset is an option of a call that logs on with it. */
export function isOfLogonCall(text: string, start: number): boolean {
  return LOGON_CALL.test(statementBefore(text, start))
}

/** The address that such a call is given: its host, `relative` for none, `unknown` for what only runs tell. */
export type LogonAddress = HostClass | 'relative' | 'unknown'

/** Of a call: from its name to the end of its options. */
const CALL_REACH = 1200
/** What a variable is given, in front of the call. */
const VARIABLE_REACH = 4000

/** `new ODataModel("https://…"`, `$.ajax(sUrl`: the address is the first argument, the options are the second one. */
const FIRST_ARGUMENT = /^[^(]{1,300}\(\s{0,40}(?:(["'`])([^"'`\n]{0,300})|([A-Za-z_$][\w$]{0,60}))/
/** The address among the options, a text or what a name holds. A sum tells its host by what it begins with. */
const OPTION =
  /[{,]\s{0,40}["']?(?:url|serviceUrl|baseURL)["']?\s{0,4}:\s{0,20}(?:(["'`])([^"'`\n]{0,300})|([A-Za-z_$][\w$]{0,60}))/
const SCHEME = /^(?:https?:)?\/\/([\w-]{1,63}(?:\.[\w-]{1,63}){0,8})/i
const ASSIGNED = /^\s{0,4}=\s{0,20}["'`]([^"'`\n]{1,300})/

/** Where a call that logs on with a password at an offset sends it: by its own address, comments left out. */
export function addressOfLogon(text: string, start: number, budget: Budget): LogonAddress {
  const before = statementBefore(text, start)
  const match = LOGON_CALL.exec(before)
  if (match === null) return 'unknown'
  const from = text.lastIndexOf(match[0], start)
  countLook(budget, CALL_REACH * 2)
  const call = withoutComments(text.slice(from, from + CALL_REACH))
  return addressIn(call, text, from, budget)
}

/** The address that a call names, which begins at an offset of the text. */
export function addressIn(call: string, text: string, from: number, budget: Budget): LogonAddress {
  const [, , first, firstName] = FIRST_ARGUMENT.exec(call) ?? []
  const [, , option, optionName] = OPTION.exec(call) ?? []
  const address = first ?? option
  if (address !== undefined) return classOf(address)
  const name = firstName ?? optionName
  return name === undefined ? 'unknown' : classOfVariable(text, from, name, budget)
}

function classOf(address: string): LogonAddress {
  const host = SCHEME.exec(address)?.[1]
  if (host !== undefined) return classifyHost(host)
  return address.includes('${') ? 'unknown' : 'relative'
}

/** What a variable was last given in the function that calls, or in one around it that has no name. */
function classOfVariable(text: string, from: number, name: string, budget: Budget): LogonAddress {
  countLook(budget, VARIABLE_REACH * 2)
  const reach = withoutComments(functionBefore(text.slice(Math.max(0, from - VARIABLE_REACH), from)))
  for (let at = reach.lastIndexOf(name); at >= 0; at = at === 0 ? -1 : reach.lastIndexOf(name, at - 1)) {
    if (/[\w$.]/.test(reach[at - 1] ?? '')) continue
    const address = ASSIGNED.exec(reach.slice(at + name.length, at + name.length + 340))?.[1]
    if (address !== undefined) return classOf(address)
    if (/^\s{0,4}=(?!=)/.test(reach.slice(at + name.length, at + name.length + 8))) return 'unknown'
  }
  return 'unknown'
}

/** `onInit: function () {`, `function load() {`, `load() {`; a callback has no name and sees what is around it. */
const NAMED_FUNCTION =
  /(?:[:=]\s{0,4}(?:async\s{1,4})?function\b[^(){}]{0,80}\([^(){}]{0,300}\)|\bfunction\s{1,4}[\w$]{1,80}\s{0,4}\([^(){}]{0,300}\)|(?<![\w$.])(?!(?:if|for|while|switch|catch|with|function)\b)[\w$]{1,80}\s{0,4}\([^(){}]{0,300}\))\s{0,10}$/

/** The end of a text from where the last function that is still open begins. */
function functionBefore(text: string): string {
  let depth = 0
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text[at]
    if (character === '}') depth++
    else if (character === '{' && depth-- === 0) {
      depth = 0
      if (NAMED_FUNCTION.test(text.slice(Math.max(0, at - 400), at))) return text.slice(at)
    }
  }
  return text
}

/** Texts stay, so that `//` of an address is no comment. */
const COMMENTS = /(["'`])(?:\\.|(?!\1)[^\\\n]){0,400}\1|\/\*[^]{0,2000}?\*\/|\/\/[^\n]{0,2000}/g

export function withoutComments(code: string): string {
  return code.replace(COMMENTS, (part, quote: string | undefined) => (quote === undefined ? ' ' : part))
}

/** `"Basic " + btoa("user:`, `` `Basic ${Buffer.from('user:`` : what follows is the password of the header. */
const BASIC_HEADER =
  /\bBasic\s(?:["'`]\s{0,9}\+\s{0,9}|\$\{\s{0,9})(?:(?:window|global)\s?\.\s?)?(?:btoa|(?:new\s)?Buffer(?:\.from)?)\(\s{0,9}["'`][^"'`\s:]{1,100}:$/
const HEADER_REACH = 200

/** Whether a password at an offset is encoded for the header of basic authentication: no form or list has it, the request logs on with it. Fact: RFC 7617, 2. */
export function isOfBasicHeader(text: string, start: number): boolean {
  return BASIC_HEADER.test(text.slice(Math.max(0, start - HEADER_REACH), start))
}
