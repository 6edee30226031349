import type { Span } from '../types.ts'

/** A word, a number or a sign of Java as it is written; a string by what it holds, with its escapes. */
export interface JavaToken extends Span {
  readonly kind: 'word' | 'string' | 'symbol'
  readonly text: string
  /** Of a bracket that opens: how many tokens behind it the one is that closes it. */
  readonly closesAfter?: number
}

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '{': '}' }

/** One after another, each at its place: comments, strings, words, numbers, and whatever else stands alone. */
const TOKEN =
  /\/\/[^\r\n]*|\/\*[^]*?(?:\*\/|$)|\s+|"""(?<block>[^]*?)(?:"""|$)|"(?<string>(?:[^"\\\r\n]|\\.)*)"?|'(?:[^'\\\r\n]|\\.)*'?|(?<word>[\w$\u0080-\uffff]+)|(?<symbol>->|::|[^])/gy

/** Text of Java to tokens. Any text is some such text: it never fails, and is linear. */
export function toJavaTokens(text: string): JavaToken[] {
  const tokens: JavaToken[] = []
  const open: Readonly<Record<string, number[]>> = { ')': [], '}': [] }
  for (const { 0: whole, index: start, groups = {} } of text.matchAll(TOKEN)) {
    const end = start + whole.length
    const { block, string = block, word, symbol } = groups
    if (string !== undefined) tokens.push({ kind: 'string', text: string, start, end })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, start, end })
    else if (symbol !== undefined) {
      const index = tokens.push({ kind: 'symbol', text: symbol, start, end }) - 1
      open[PAIRS[symbol] ?? '']?.push(index)
      const first = open[symbol]?.pop()
      const opening = first === undefined ? undefined : tokens[first]
      if (first !== undefined && opening !== undefined) tokens[first] = { ...opening, closesAfter: index - first }
    }
  }
  return tokens
}

/** Whether tokens stand one after another from a place on. */
export function isWritten(tokens: readonly JavaToken[], at: number, ...texts: readonly string[]): boolean {
  return texts.every((text, index) => tokens[at + index]?.text === text && tokens[at + index]?.kind !== 'string')
}

/** Where the bracket that opens at a place closes; the end, where it does not. */
export function closingOf(tokens: readonly JavaToken[], open: number): number {
  const length = tokens[open]?.closesAfter
  return length === undefined ? tokens.length : Math.min(open + length, tokens.length)
}

/** Tokens of what a method throws. */
const MAX_THROWN = 60

/** The `{` of a method behind its parameters and its `throws`. */
export function bodyBehind(tokens: readonly JavaToken[], close: number): number | undefined {
  let at = close + 1
  const last = at + MAX_THROWN
  if (isWritten(tokens, at, 'throws')) while (at < last && !isWritten(tokens, at, '{') && !isWritten(tokens, at, ';')) at++
  return isWritten(tokens, at, '{') ? at : undefined
}

/** Words for whose sake Java is looked at. */
const JUDGED_JAVA: RegExp =
  /SecurityFilterChain|SecurityAutoConfiguration|InMemoryUserDetailsManager|inMemoryAuthentication|HostnameVerifier|TrustAllStrategy|TrustSelfSignedStrategy|InsecureTrustManagerFactory|checkServerTrusted|loadTrustMaterial|DefaultTyping|JdbcTemplate|create(?:Native)?Query\(|StringEntity|BodyPublishers|createStatement|prepareStatement|[a-z]Mapping\b|@RestController\b|@Path\b|RestxResource|WebServlet|ServletRegistration|RouterFunction|RepositoryRest|Filter\b|Interceptor|WebSecurity|ServletSecurity|RolesAllowed|PreAuthorize|@Secured|@Aspect|SecurityContext|isUserInRole|Principal\b|UserInfo|\bEventHandler\b|ServiceName\b|CdsRuntimeConfig|getRemoteUser|Session|Cookie|Jwt|AuthToken|RequestHeader|HeaderParam|getHeader|[a-z]Authorization\b|[a-z]Scope\b|\b(?:log|LOG|logger|LOGGER)\.(?:info|warn|error)\([^;\n]{0,200}[,+] ?[a-z]\w{0,60}\)/

/** Java in which a log statement, of however many lines, may hold a password, or the properties of a destination. */
export const LOGS_PASSWORD: RegExp =
  /\.(?:println|printf?|info|debug|warn|error|trace)\([^;]{0,300}(?:get\w{0,10}(?:Password|Passwd|Pwd)\(\)|[(,+]\s{0,60}(?:password|passwd|pwd)\b)|\.getPropertyNames\(\)/

/** Passwords of accounts, and what hashes them. */
const OF_PASSWORDS: RegExp =
  /passw(?:or)?d|crypt|argon2|digest|cipher|SecretKeyFactory|Mac\.getInstance|AttributeConverter|sha_?(?:1|256|512)|md5|hash(?:ing|ed|er|pw)/i

/** Code that talks to another system, makes a database of its own, or works on the host. Facts: Spring Framework 6, "REST Clients"; java.net.http; SAP Cloud SDK; CAP Java, `RemoteService`. */
export const TALKS_TO_OTHERS: RegExp =
  /RestTemplate|WebClient|RestClient|HttpClient|HttpURLConnection|java\.net\.|Destination|RemoteService|ProcessBuilder|getRuntime\(|java\.nio\.file|new File|FileOutputStream|JavaMailSender|DataSource|DriverManager|jdbc:|getenv\(/

/** Whether Java is looked at; the text of other files is not kept. */
export function isJudgedJava(text: string): boolean {
  return JUDGED_JAVA.test(text) || OF_PASSWORDS.test(text) || LOGS_PASSWORD.test(text) || TALKS_TO_OTHERS.test(text)
}
