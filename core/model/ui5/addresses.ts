import { lastNameOf } from '../../facts/literals.ts'
import type { ScriptFacts } from '../../facts/types.ts'
/** An address of another host: `https://…`, `http://…` or `//…`. */
export interface RemoteAddress {
  readonly scheme: 'http' | 'https' | 'page'
  /** Lower case, without the port. */
  readonly host: string
  readonly path: string
}

/** Undefined: a path of the own server, another protocol, or a host that a template fills in. */
export function readRemote(address: string): RemoteAddress | undefined {
  const text = address.trim()
  const scheme = /^(https?:)?\/\//iu.exec(text)
  if (scheme === null || text.length > 4000) return undefined
  const whole = scheme[1] === undefined ? `https:${text}` : text
  if (!URL.canParse(whole)) return undefined
  const { hostname, pathname, search, protocol } = new URL(whole)
  if (hostname === '' || /[{}$<>%]|^__|__$/u.test(hostname)) return undefined
  return {
    scheme: scheme[1] === undefined ? 'page' : protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    path: pathname + search,
  }
}

/** Whether a script holds the beginning of a remote address as text: comments, of which most files have some with one, do not count. */
export function holdsRemote(text: string): boolean {
  return /["'`](?:https?:)?\/\/[\w$[]/iu.test(text)
}

const UI5_NETWORK =
  /^(?:ui5\.sap\.com|(?:sdk\.)?openui5\.org|(?:sap|open)ui5[a-z0-9-]{0,60}\.(?:[a-z0-9-]{1,40}\.){0,3}ondemand\.com)$/u

/** Hosts from which SAP and the OpenUI5 project serve UI5 (SAPUI5, "Variant for Bootstrapping from Content Delivery Network"). */
export function isUi5Network(host: string): boolean {
  return UI5_NETWORK.test(host)
}

const PACKAGE_NETWORK =
  /(?:^|\.)(?:unpkg\.com|jsdelivr\.net|cdnjs\.cloudflare\.com|githubusercontent\.com|github\.io|gitlab\.io|rawgit\.com|githack\.com|statically\.io|skypack\.dev|esm\.sh|jspm\.io|bootcdn\.net|staticfile\.org)$/u

/** Networks that serve whatever anybody publishes. */
export function isPackageNetwork(host: string): boolean {
  return PACKAGE_NETWORK.test(host)
}

/** Whether a script validates addresses, in whatever way. */
export function validatesAddresses({ calls, imports }: ScriptFacts): boolean {
  return (
    calls.some(({ callee }) => /^(?:setV|v)alidateUrl$|^isValidUrl$|^isSafeUrl$/iu.test(lastNameOf(callee) ?? '')) ||
    imports.some(({ source }) => /^sap\/base\/security\/URL(?:ListValidator|Whitelist)$/u.test(source))
  )
}
