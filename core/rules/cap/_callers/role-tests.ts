import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, resolveValue, valuesOf, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isOfUi5App, runsInBrowser } from '../../../model/script/index.ts'
import { lastName } from '../../../paths.ts'

/** Words of scripts that speak of roles. */
export const ROLE_KEYWORDS: readonly string[] = ['role', 'scope', 'permission', 'authori', 'privilege', 'isAdmin', '.attr']

// of authorizations the header of that name says nothing: `headers: { Authorization: … }`, `req.headers.authorization`
export const TALK: RegExp =
  /\broles?\b|Roles?\b|\bscopes?\b|Scopes?\b|[pP]ermission|(?<!headers\??\.)(?:\ba|A)uthori[sz](?!ation(?:['"`]|\s{0,3}:))|[pP]rivileges?\b|\b(?:is|has|require|check|ensure|assert)_?Admin|\.attr\b/

/** What a script of a server that speaks of roles does with them. */
interface RoleTests {
  /** It asks whether somebody has one, in any way, and does not only note or list them. What runs in a browser protects nothing. */
  readonly isTest: boolean
  /** What it looks for in lists and compares, in lower case: a role may have any name there. */
  readonly words: readonly string[]
}

/** One item for each script that speaks of roles or refuses callers, if its facts were read. */
export const roleTests: Extract<RoleTests> = defineExtract({
  name: 'cap-role-tests',
  keywords: [...ROLE_KEYWORDS, '403', 'forbidden'],
  prefilter: (text) => TALK.test(text) || REFUSES.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ path, facts, text, step }) {
    if (runsInBrowser(path, facts)) {
      yield { isTest: false, words: [] }
      return
    }
    step(facts.calls.length)
    const compared = comparisons(facts)
    const isTest =
      REFUSES.test(text) ||
      facts.calls.some((call) => isAsking(call, text)) ||
      compared.map(({ start, end }) => text.slice(start, end)).some((part) => RIGHTS.test(part) && !FORMS.test(part))
    const asked = [...facts.calls.filter(isLookUp).flatMap(({ args }) => args), ...compared.flatMap(({ operands }) => operands)]
    const words = asked
      .flatMap((value) => constantOf(resolveValue(value)) ?? [])
      .map((word) => lastName(String(word)).toLowerCase())
    yield { isTest, words: [...new Set(words)] }
  },
})

/** The answer to who lacks one, and branches by its name. */
const REFUSES = /[(=:]\s?403\b|forbidden|\bswitch\s?\([^)]{0,60}(?:role|scope)/i
/** The same words without those of headers and tokens, `forwardedAuthorization.startsWith('Bearer ')`. */
const RIGHTS =
  /\broles?\b|Roles?\b|\bscopes?\b|Scopes?\b|[pP]ermission|[aA]uthorit(?:y|ies)|[pP]rivileges?\b|Admin(?![a-z])|\.attr\b/
/** What a value is, not which. */
const FORMS = /\btypeof\b|\bundefined\b|\bnull\b|\.length\b/
const LOOKS_UP =
  /^(?:includes|has|some|every|indexOf|find|findIndex|filter|match|test|startsWith|endsWith|is|contains|intersection)$/
/** `hasRole(…)`, `requireAdmin`, `authorize('admin')`, `@Roles('admin')`. */
const ASKS =
  /^(?:has|is|can|may|check|require|ensure|assert|verify|validate|allow|permit|restrict|guard|only|needs?|must)\w{0,30}(?:role|scope|admin|permission|privilege|right|access(?!_?token))|^(?:authori[sz]e\w{0,20}|restrict(?:To)?|permit|roles?|scopes?|permissions?|\w{1,20}(?:Only|Guard))$/i

function isLookUp({ callee }: CallValue): boolean {
  return LOOKS_UP.test(lastNameOf(callee) ?? '')
}

function isAsking(call: CallValue, text: string): boolean {
  return (
    ASKS.test(lastNameOf(call.callee) ?? '') ||
    (isLookUp(call) && RIGHTS.test(text.slice(call.start, Math.min(call.end, call.start + LONGEST))))
  )
}

const LONGEST = 400

function comparisons(facts: ScriptFacts): readonly (Value & { readonly kind: 'operation' })[] {
  return [...valuesOf(facts)].flatMap(({ value }) =>
    value.kind === 'operation' && value.operands.length === 2 && /^(?:[!=]==?|in)$/.test(value.operator) ? [value] : [],
  )
}
