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
