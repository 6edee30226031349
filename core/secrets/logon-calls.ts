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

/** `"Basic " + btoa("user:`, `` `Basic ${Buffer.from('user:`` : what follows is the password of the header. */
const BASIC_HEADER =
  /\bBasic\s(?:["'`]\s{0,9}\+\s{0,9}|\$\{\s{0,9})(?:(?:window|global)\s?\.\s?)?(?:btoa|(?:new\s)?Buffer(?:\.from)?)\(\s{0,9}["'`][^"'`\s:]{1,100}:$/
const HEADER_REACH = 200

/** Whether a password at an offset is encoded for the header of basic authentication: no form or list has it, the request logs on with it. Fact: RFC 7617, 2. */
export function isOfBasicHeader(text: string, start: number): boolean {
  return BASIC_HEADER.test(text.slice(Math.max(0, start - HEADER_REACH), start))
}
