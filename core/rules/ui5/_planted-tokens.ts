import { constantOf, fieldOf, findOrigin, type Binding, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'

/** Calls that give back a part of what they are given. */
const PASSES =
  /^(?:get|substring|substr|slice|split|replace|match|exec|pop|shift|at|trim|toString|String|decodeURIComponent|atob|parse|fromEntries|fromQuery|fromURL|stringify|URLSearchParams|UriParameters|URL)$/

/** Whether a value stands in the address of the page, `location.hash.substring(5)`, as whoever made the link wants it. What another server gives for a part of it is its own. */
export function isFromAddress(value: Value): boolean {
  return (
    findOrigin(value, (part) => {
      if (part.kind === 'member' && ADDRESS.has(part.name ?? '') && lastNameOf(part.object) === 'location') return 'source'
      if ('callee' in part && ROUTE.test(lastNameOf(part.callee) ?? '')) return 'source'
      return 'callee' in part && !PASSES.test(lastNameOf(part.callee) ?? '') ? 'clean' : undefined
    }) !== undefined
  )
}

/** Fact: Expo Router 5, "URL parameters" (hooks that give the parameters of the address, of a deep link as well). */
const ROUTE = /^use(?:Local|Global)SearchParams$/

/** Where the first argument of `auth.setSession({ access_token, refresh_token })` has the token. Fact: supabase-js 2, `auth.setSession`. */
export function sessionTokenOf({ callee, args: [given] }: CallValue): Value | undefined {
  return given !== undefined && lastNameOf(callee) === 'setSession' ? fieldOf(given, 'access_token')?.value : undefined
}

const ADDRESS: ReadonlySet<string> = new Set(['search', 'hash', 'href'])

/** The page looks for the mark of a login that it began itself. Facts: RFC 6749, 10.12 (`state`); OpenID Connect Core 1.0, 3.2.2.11 (`nonce`). */
export function checksState({ calls, bindings }: ScriptFacts): boolean {
  return (
    bindings.some(isMark) || calls.some(({ args: [first] }) => first !== undefined && STATE.test(String(constantOf(first) ?? '')))
  )
}

const STATE = /^(?:\w{0,20}_?)?(?:state|nonce|verifier)$/i
/** What a page calls the state of its view, or of what it loads. */
const OF_VIEW = /^(?:[gs]et|is|use|view|loading|page|app|ui|button|form|busy|edit|error|value|initial|default)_?[A-Z_]/

/** What a login alone has, and what looks at its mark: `isValidState`, `verifyState`. */
const OF_LOGIN = /(?:nonce|verifier|(?:verify|validate?|check|match(?:es)?|compare|expected|consume|oauth|oidc|csrf)_?state)$/i

/** A name for the mark; what another module has, and what the page itself fills, is the state of something else. */
function isMark({ name, module, definitions }: Binding): boolean {
  if (OF_LOGIN.test(name)) return true
  if (!STATE.test(name) || OF_VIEW.test(name) || module !== undefined) return false
  return definitions.length === 0 || definitions.some(({ value }) => value?.kind !== 'object')
}
