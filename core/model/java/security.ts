import { bodyBehind, closingOf, isWritten, type JavaToken } from '../../parse/java-tokens.ts'
import type { Span } from '../../types.ts'
import { isOnClass, methodBehind } from './endpoints.ts'

/** Who passes: anyone, whoever logs in, who has a role, nobody, or what nothing here tells. */
export type SecurityAccess = 'open' | 'login' | 'roles' | 'closed' | 'unknown'

/** `requestMatchers(HttpMethod.POST, "/orders/**").hasRole("Clerk")`; its span is the matcher with its arguments. */
export interface SecurityRule extends Span {
  /** Where the call that says who passes ends. */
  readonly whole: Span
  readonly method: string | undefined
  /** Of the form of Ant; undefined: they are no texts. */
  readonly patterns: readonly string[] | undefined
  /** `anyRequest()`. */
  readonly isRest: boolean
  readonly access: SecurityAccess
}

/** A bean of Spring Security that decides about requests, or `configure(HttpSecurity)` of an adapter. */
export interface SecurityChain {
  /** What it is for: empty is every request; undefined: nothing here tells. */
  readonly paths: readonly string[] | undefined
  readonly rules: readonly SecurityRule[]
  /** What it holds under a condition alone: `if (isOpen) { … }`. */
  readonly branches: readonly Span[]
  /** `authorizeRequests`: what no rule matches is open; with `authorizeHttpRequests` it is denied. */
  readonly lenient: Span | undefined
  /** A filter of the project's own may check callers. */
  readonly hasFilter: boolean
  readonly profiles: readonly string[]
}

export interface SpringSecurity {
  readonly chains: readonly SecurityChain[]
  /** Matchers of `web.ignoring()`: their requests pass no chain. */
  readonly ignored: readonly (SecurityRule & { readonly profiles: readonly string[] })[]
  /** `@EnableWebSecurity(debug = true)`: the setting. */
  readonly debug: (Span & { readonly profiles: readonly string[] }) | undefined
}

/** Tokens of a chain that are looked at. */
const MAX_TOKENS = 2000

/**
 * What a file says of Spring Security.
 * Facts: Spring Security 5.8 and 6.4, "Authorize HttpServletRequests" (the first rule that matches decides), `HttpSecurity.securityMatcher`, `WebSecurity.ignoring`,
 * `AbstractRequestMatcherRegistry`, `EnableWebSecurity.debug`.
 */
export function findSecurity(tokens: readonly JavaToken[]): SpringSecurity {
  const profilesAt = createProfileReader(tokens)
  const chains: SecurityChain[] = []
  const ignored: (SecurityRule & { profiles: readonly string[] })[] = []
  let debug: SpringSecurity['debug']
  // methods don't hold methods: code whose brackets never close is read once, not once for each of its beginnings
  let read = 0
  for (const [index, { text, kind }] of tokens.entries()) {
    if (kind !== 'word' || index < read) continue
    if (isWritten(tokens, index, 'EnableWebSecurity', '(', 'debug', '=', 'true')) {
      const [first, last] = [tokens[index + 2], tokens[index + 4]]
      if (first !== undefined && last !== undefined)
        debug = {
          start: first.start,
          end: last.end,
          profiles: profilesAt(tokens.findIndex((_, at) => at > index && isWritten(tokens, at, '{'))),
        }
    } else if (isWritten(tokens, index - 1, '.', 'ignoring', '(', ')', '.')) {
      const rule = ruleAt(tokens, index + 4)
      if (rule !== undefined) ignored.push({ ...rule, access: 'open', profiles: profilesAt(index) })
    } else {
      const isBean = /^(?:Default)?SecurityFilterChain$/.test(text) && isWritten(tokens, index + 2, '(')
      const isAdapter = text === 'configure' && /^HttpSecurity$/.test(tokens[index + 2]?.text ?? '')
      const open = isBean || isAdapter ? bodyBehind(tokens, closingOf(tokens, index + (isBean ? 2 : 1))) : undefined
      if (open === undefined) continue
      const body = tokens.slice(open, Math.min(closingOf(tokens, open), open + MAX_TOKENS))
      chains.push({ ...readChain(body), profiles: profilesAt(index) })
      read = open + body.length
    }
  }
  return { chains, ignored, debug }
}

function readChain(body: readonly JavaToken[]): Omit<SecurityChain, 'profiles'> {
  const rules: SecurityRule[] = []
  for (let at = 0; at < body.length; at++) {
    if (isOfChain(body, at)) at = closingOf(body, at + 1)
    else {
      const rule = ruleAt(body, at)
      if (rule !== undefined && rule.whole.end > rule.end) rules.push(rule)
    }
  }
  const word = (pattern: RegExp): JavaToken | undefined => body.find(({ kind, text }) => kind === 'word' && pattern.test(text))
  const lenient = word(/^authorizeRequests$/)
  return {
    paths: pathsOf(body),
    rules,
    branches: branchesOf(body),
    lenient: lenient && { start: lenient.start, end: lenient.end },
    hasFilter: word(/^addFilter/) !== undefined,
  }
}

/** Blocks and statements behind `if (…)` and `else`. */
function branchesOf(body: readonly JavaToken[]): readonly Span[] {
  return body.flatMap(({ kind, text, start }, at) => {
    if (kind !== 'word' || (text !== 'if' && text !== 'else')) return []
    const open = text === 'else' ? at + 1 : closingOf(body, at + 1) + 1
    const last = isWritten(body, open, '{')
      ? closingOf(body, open)
      : body.findIndex((_, index) => index >= open && isWritten(body, index, ';'))
    return [{ start, end: (body[last] ?? body.at(-1))?.end ?? start }]
  })
}

/** `http.securityMatcher("/api/**")`, `http.antMatcher("/api/**")`; `AntPathRequestMatcher.antMatcher(…)` is a path of a rule. */
function isOfChain(body: readonly JavaToken[], at: number): boolean {
  if (!isWritten(body, at - 1, '.') || !isWritten(body, at + 1, '(')) return false
  const { text = '' } = body[at] ?? {}
  return /^securityMatchers?$/.test(text) || (/^(?:ant|mvc)Matcher$/.test(text) && !/^[A-Z]/.test(body[at - 2]?.text ?? ''))
}

function pathsOf(body: readonly JavaToken[]): readonly string[] | undefined {
  const at = body.findIndex((_, index) => isOfChain(body, index))
  if (at === -1) return body.some((_, index) => isWritten(body, index, 'requestMatchers', '(', ')')) ? undefined : []
  const given = body.slice(at + 1, closingOf(body, at + 1))
  const paths = given.flatMap(({ kind, text }) => (kind === 'string' ? [text] : []))
  return paths.length === 0 ? undefined : paths
}

const MATCHERS = /^(?:request|ant|mvc|path|regex)Matchers$/
const VERBS = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE)$/
/** Words of arguments that name paths, beside methods. */
const PLAIN =
  /^(?:new|mvc|pattern|HttpMethod|(?:Ant)?Path(?:Pattern)?RequestMatcher|withDefaults|matcher|antMatcher|pathPattern|[.,()]|null)$/

/** A matcher with its arguments, and the call behind it. */
function ruleAt(tokens: readonly JavaToken[], at: number): SecurityRule | undefined {
  const { text = '', start = 0 } = tokens[at] ?? {}
  const isRest = text === 'anyRequest'
  if ((!isRest && !MATCHERS.test(text)) || !isWritten(tokens, at - 1, '.') || !isWritten(tokens, at + 1, '(')) return undefined
  const close = closingOf(tokens, at + 1)
  const given = tokens.slice(at + 2, close)
  const strings = given.filter(({ kind }) => kind === 'string').map((token) => token.text)
  const method = given.find((token) => token.kind === 'word' && VERBS.test(token.text))?.text
  const isKnown =
    text !== 'regexMatchers' && given.every(({ kind, text: word }) => kind === 'string' || VERBS.test(word) || PLAIN.test(word))
  const isAll = isRest || (strings.length === 0 && method !== undefined)
  const end = tokens[close]?.end ?? start
  const name = isWritten(tokens, close + 1, '.') && isWritten(tokens, close + 3, '(') ? (tokens[close + 2]?.text ?? '') : ''
  const last = name === '' ? close : closingOf(tokens, close + 3)
  return {
    start,
    end,
    whole: { start, end: tokens[last]?.end ?? end },
    method,
    patterns: isAll ? ['/**'] : isKnown && strings.length > 0 ? strings : undefined,
    isRest,
    access: accessOf(name, tokens.slice(close + 4, last)),
  }
}

function accessOf(name: string, given: readonly JavaToken[]): SecurityAccess {
  const known = ACCESS.get(name)
  if (known !== undefined) return known
  if (/^has[A-Z]/.test(name)) return 'roles'
  return name === 'access' && given.some(({ text }) => /Role|Authorit|Scope/.test(text)) ? 'roles' : 'unknown'
}

const ACCESS: ReadonlyMap<string, SecurityAccess> = new Map([
  ['permitAll', 'open'],
  ['anonymous', 'open'],
  ['authenticated', 'login'],
  ['fullyAuthenticated', 'login'],
  ['rememberMe', 'login'],
  ['denyAll', 'closed'],
])

/** The profiles for which a place of the code is made. */
export function createProfileReader(tokens: readonly JavaToken[]): (index: number) => readonly string[] {
  const profiles = profileRanges(tokens)
  return (index) => profiles.flatMap(({ from, to, names }) => (from <= index && index <= to ? names : []))
}

interface ProfileRange {
  readonly from: number
  readonly to: number
  readonly names: readonly string[]
}

/** What `@Profile` stands in front of: a class, or a method with its body. */
function profileRanges(tokens: readonly JavaToken[]): readonly ProfileRange[] {
  return tokens.flatMap(({ text }, at) => {
    if (text !== 'Profile' || !isWritten(tokens, at - 1, '@') || !isWritten(tokens, at + 1, '(')) return []
    const close = closingOf(tokens, at + 1)
    const names = tokens.slice(at + 2, close).flatMap((token) => (token.kind === 'string' ? [token.text.trim()] : []))
    const open = isOnClass(tokens, at)
      ? tokens.findIndex((_, index) => index > close && isWritten(tokens, index, '{'))
      : methodBehind(tokens, close)?.open
    return open === undefined || open === -1 ? [] : [{ from: at, to: closingOf(tokens, open), names }]
  })
}

const DEVELOPMENT = /^(?:dev|test|local|mock|h2|sqlite|ci$|it$|integration)/i

/** Active on a developer's machine alone. */
export function isDevelopment(profiles: readonly string[]): boolean {
  return profiles.length > 0 && profiles.every((name) => DEVELOPMENT.test(name))
}

/** Active where nobody names a profile, and not in production: `default`, `!cloud`. */
export function isFallback(profiles: readonly string[]): boolean {
  return profiles.some((name) => name === 'default' || (name.startsWith('!') && !DEVELOPMENT.test(name.slice(1))))
}

/** The rule that decides about a path, the first that matches; undefined: none does, or one before it is not known. */
export function decidingRule({ rules }: SecurityChain, path: string, verb = 'ANY'): SecurityRule | undefined {
  for (const rule of rules) {
    if (rule.patterns === undefined) return undefined
    if (rule.method !== undefined && verb !== 'ANY' && rule.method !== verb) continue
    if (rule.patterns.some((pattern) => overlaps(pattern, path))) return rule
  }
  return undefined
}

/** Segments of a path that are looked at. */
const MAX_SEGMENTS = 30

/** Whether some path fits both: `*` and `{id}` are one segment, `**` any number. */
export function overlaps(one: string, other: string): boolean {
  const [left, right] = [segmentsOf(one), segmentsOf(other)]
  const isMany = (segment: string | undefined): boolean => segment !== undefined && /^(?:\*\*|\{\*.*\})$/.test(segment)
  // row by row, which rests of both sides fit
  let below: readonly boolean[] = []
  for (let at = left.length; at >= 0; at--) {
    const row: boolean[] = []
    for (let to = right.length; to >= 0; to--) {
      const [mine, its] = [left[at], right[to]]
      const isBoth = mine !== undefined && its !== undefined
      row[to] =
        (mine === undefined && its === undefined) ||
        (isMany(mine) && (below[to] === true || (its !== undefined && row[to + 1] === true))) ||
        (isMany(its) && (row[to + 1] === true || (mine !== undefined && below[to] === true))) ||
        (isBoth && fits(mine, its) && below[to + 1] === true)
    }
    below = row
  }
  return below[0] === true
}

function fits(one: string, other: string): boolean {
  return one === other || /[*?{]/.test(one) || /[*?{]/.test(other)
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/', MAX_SEGMENTS).filter((segment) => segment !== '')
}
