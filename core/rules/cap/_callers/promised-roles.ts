import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { stringConstantOf } from '../../../facts/index.ts'
import { isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** A function in front of routes whose name promises a role and that asks for a valid token alone (`at`), or routes behind such a name. */
export interface PromisedRole {
  readonly name: string
  readonly at?: Span
  readonly routes: readonly string[]
  /** A handler of one of them changes rows of the database by itself. */
  readonly isChanging?: true
}

/** `requireAdmin`, `adminOnly`, `isFleetManager`, `checkSupervisorAccess`. */
const PROMISES =
  /^(?!\w{0,40}(?:Login|Session|Cookie|Setup))\w{0,30}?(?:[aA]dmin|(?:is|require|check|ensure|verify|only)\w{0,20}(?:Manager|Supervisor|Approver))/
/** The token of any user of the subaccount. Facts: @sap/xssec 4, README (`createSecurityContext`); passport 0.7 (`authenticate`). */
const ASKS_TOKEN = /createSecurityContext\s?\(|\bauthenticate\s?\(\s?["']jwt["']/i
/** What a look at rights speaks of, beside the header `Authorization`. */
const ASKS_ROLE =
  /roles?|scope|admin|manager|supervisor|approver|permission|privilege|group|attribute|authori[sz](?!ation|ed)|allow(?:ed|list)|forbid|\b403\b|\bsome\s?\(/i
const MAX_BODY = 4000
/** A handler that asks for the role itself. Facts: @sap/xssec 4 (`checkLocalScope`, `checkScope`); CAP (`user.is`). */
const ASKS_ITSELF =
  /\b(?:check|has)(?:Local)?Scope\s?\(|\b(?:has|check|require|is)\w{0,20}Role\w{0,20}\s?\(|\buser\.(?:is|has)\s?\(/
/** Facts: capire, "cds.ql". */
const LOOKS_AT_CALLER =
  /\b(?:req|oReq)(?:uest)?\.(?:user|authInfo|tokenInfo|securityContext)\b|\(\s?(?:\w{1,30},\s?)?req(?:uest)?\s?\)/
const CHANGES_ROWS = /\b(?:UPDATE|DELETE|UPSERT)\b(?:\s?\(|\.(?:from|entity)\b)|\bINSERT\.into\b/

export const promisedRoles: Extract<PromisedRole> = defineExtract({
  name: 'cap-promised-roles',
  keywords: ['Admin', 'admin', 'Manager', 'Supervisor', 'Approver'],
  prefilter: (text) => /createSecurityContext|authenticate\s?\(\s?["']jwt|\.(?:get|post|put|patch|delete|use)\s?\(/i.test(text),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  *collect({ facts: { functions, calls }, text, step }) {
    step(functions.length + calls.length)
    for (const { name, start, end, parameters } of functions) {
      const body = parameters.length === 3 && end - start <= MAX_BODY && PROMISES.test(name) ? text.slice(start, end) : ''
      if (!ASKS_TOKEN.test(body) || ASKS_ROLE.test(body.replaceAll(name, ''))) continue
      const close = body.indexOf(')')
      yield { name, at: { start, end: start + close + 1 }, routes: [] }
    }
    const routes = new Map<string, { readonly paths: Set<string>; isChanging: boolean }>()
    for (const {
      args: [path, ...others],
    } of calls)
      for (const one of others) {
        const route = stringConstantOf(path)
        const name = 'name' in one && typeof one.name === 'string' && PROMISES.test(one.name) ? one.name : undefined
        if (name === undefined || route === undefined || !route.startsWith('/')) continue
        const handler = functionOf(others.at(-1))
        const body = handler === undefined ? '' : text.slice(handler.start, handler.end)
        if (ASKS_ITSELF.test(body)) continue
        const own = routes.get(name) ?? { paths: new Set(), isChanging: false }
        own.paths.add(route)
        own.isChanging ||= CHANGES_ROWS.test(body) && !LOOKS_AT_CALLER.test(body)
        routes.set(name, own)
      }
    for (const [name, { paths, isChanging }] of routes)
      yield { name, routes: [...paths], ...(isChanging && { isChanging: true as const }) }
  },
})
