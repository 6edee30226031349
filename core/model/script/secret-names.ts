const MAX_NAME = 80

/** `sessionToken`, `session_token`, `SESSION-TOKEN` and `parseJWTToken` by their words, in lower case. */
export function splitWords(name: string): string[] {
  return name
    .slice(0, MAX_NAME)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

/** What a value is, when its name ends so. */
const NOUNS: ReadonlySet<string> = new Set(
  (
    'token tokens otp totp password passwords pw passwd passcode passphrase pwd nonce secret secrets csrf xsrf jwt apikey salt credential credentials ' +
    // in other languages
    'passwort kennwort senha contrasena motdepasse wachtwoord heslo haslo sifre'
  ).split(' '),
)
/** Two words that are one thing. */
const PAIRS: ReadonlySet<string> = new Set(
  (
    'api key;access key;secret key;private key;encryption key;signing key;session key;session id;session identifier;sess id;reset code;recovery code;' +
    'verification code;verify code;auth code;authorization code;access code;activation code;confirmation code;login code;security code;pin code;' +
    'otp code;invitation code;registration code;pairing code;unlock code;redeem code;voucher code;sms code;mfa code;magic link;generate pin;random pin;new pin;invite code;oauth state;auth state;login state;sso state;oidc state;code verifier;pass word;user pw;hashed pw'
  ).split(';'),
)
/** How nouns and pairs stand in a text, in lower case: what a rule on names of secrets looks for before it parses. */
export const SECRET_WORDS: readonly string[] = [
  ...NOUNS,
  ...[...PAIRS].flatMap((pair) => ['', '_', '-'].map((between) => pair.replace(' ', between))),
]

/** Words behind the noun that leave it what it is. */
const TRAILING: ReadonlySet<string> = new Set('value string str text raw hex base64 b64 plain new final'.split(' '))
/** The noun is before these: `tokenForUser`. */
const ENDING: ReadonlySet<string> = new Set('for of from by with to in if and or'.split(' '))
/** What makes of a token something else: places in lists, marks of caches, words of languages. */
const HARMLESS: ReadonlySet<string> = new Set(
  (
    'cancel cancellation abort sync page paging next skip continuation delta change design lexer parse parser syntax cache busting buster cursor ' +
    'mock dummy fake test sample example placeholder no without is has use needs show hide'
  ).split(' '),
)

/** The secret that a name speaks of: `token` of `resetToken`, `session id` of `sessionId`; none of `tokenizer`, `passwordless`, `tokenCount`, `cancelToken`. */
export function secretNounOf(name: string): string | undefined {
  const words = splitWords(name).map((word) => word.replace(/(?<=[a-z])\d{1,4}$/, ''))
  const end = words.findIndex((word, index) => index > 0 && ENDING.has(word))
  if (end > 0) words.length = end
  while (words.length > 1 && TRAILING.has(words.at(-1) ?? '')) words.pop()
  const last = words.at(-1)
  if (last === undefined || words.some((word, index) => index < words.length - 1 && HARMLESS.has(word))) return undefined
  const pair = words.slice(-2).join(' ')
  if (PAIRS.has(pair)) return pair
  return NOUNS.has(last) ? last : undefined
}
