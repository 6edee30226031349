import { PHRASE_KEYWORDS } from './phrases.ts'
import { TOKEN_ROWS } from './table/index.ts'

/** What the name of a value promises. */
export type NameKind = 'password' | 'secret'

/** Before `key`. */
const KEY_OWNERS: ReadonlySet<string> = new Set(
  'api access secret private auth client encryption encrypt signing sign master account storage shared app application subscription function functions license service admin session cookie jwt hmac aes crypto stripe consumer user webhook integration ssh deploy root server backend'.split(
    ' ',
  ),
)

/** Before `key` too: the providers that the token table knows. */
const PROVIDERS: ReadonlySet<string> = new Set(
  TOKEN_ROWS.flatMap(({ words = [] }) => words).filter((word) => /^[a-z]{4,}$/.test(word)),
)

/** The last word of a name such as `weatherKey`, with what gives it a text. Only where the word begins with a capital: `key` alone names anything. */
export const CAMEL_KEYS: readonly string[] = ['key = "', "key = '", 'key: "', "key: '", 'key": "', 'key":"']

/** What names of credentials have in them: where one of these stands, a name is read. */
export const NAME_KEYWORDS: readonly string[] = [
  'pass',
  'pwd',
  'kennwort',
  'mot_de_passe',
  'senha',
  'contrasen',
  'wachtwoord',
  'heslo',
  'haslo',
  'sifre',
  'parola',
  'salasana',
  'losenord',
  'jelszo',
  'lozinka',
  'secret',
  'token',
  'credential',
  'apikey',
  'api_key',
  'api-key',
  'accesskey',
  'access_key',
  'access-key',
  '_key',
  'authkey',
  'auth-key',
  'privatekey',
  'private-key',
  'clientkey',
  'encryptionkey',
  'signingkey',
  'masterkey',
  'accountkey',
  'storagekey',
  'sharedkey',
  'appkey',
  'subscriptionkey',
  'subscription-key',
  'functionkey',
  'functions-key',
  'licensekey',
  '_auth',
  'authident',
  'bot_',
  '_pat',
  'pw: ',
  'pw=',
  'jsessionid=',
  'mysapsso2=',
  'sonar.login',
  'azurepat',
  'devopspat',
  'githubpat',
  'gitlabpat',
  ...CAMEL_KEYS,
  ...PHRASE_KEYWORDS,
  ...[...KEY_OWNERS, ...PROVIDERS].map((owner) => `${owner}key`),
]

const PASSWORDS: ReadonlySet<string> = new Set(
  'password passwd pwd pw dbpw userpw passphrase passwort kennwort senha contrasena contrasenia wachtwoord heslo haslo sifre parola salasana losenord jelszo lozinka pass passcode psw passw userpass userpwd dbpass dbpassword dbpwd motdepasse passe keypass storepass mypassword adminpassword userpassword tokenservicepassword tokenservicepass hdipassword requirepass masterauth'.split(
    ' ',
  ),
)
const SECRETS: ReadonlySet<string> = new Set(
  'secret token credential credentials apikey accesskey secretkey authkey privatekey clientsecret clientkey apitoken apisecret appsecret authtoken accesstoken authident pat jsessionid mysapsso'.split(
    ' ',
  ),
)
/** As the last word: the value is about the credential. */
const ABOUT: ReadonlySet<string> = new Set(
  (
    'name names id ids url uri urls path paths file filename files length len min max type types ref refs header headers label labels alias field fields ' +
    'input text parse parsed pattern split title hint message msg error errors placeholder description desc prompt policy rule rules regex regexp pattern validator validation expiry ' +
    'expires expiration expire ttl timeout lifetime age count index prefix suffix format endpoint service services provider manager store storage ' +
    'handler class component view dialog button icon column attribute property properties parameter param params change reset forgot visible enabled ' +
    'disabled required valid invalid strength scope scopes list version method algorithm alg issuer audience salt mode kind state status location dir ' +
    'folder env var variable selector arn position start end separator delimiter limit size usage options option config configuration settings info ' +
    'mapping template source target role group owner host domain key_id hash digest checksum management rotation request response exchange grant ' +
    'encoder resolver generator factory parser reader writer helper utils util test tests page screen form control element node support feature flag ' +
    'verifier validity duration seconds minutes hours days in at on date time created updated modified revoked required_ needed'
  ).split(' '),
)
/** Those of them that are no word between a name and its value: `password in QAS: value`. */
const ABOUT_IN_TEXT: ReadonlySet<string> = new Set(
  [...ABOUT].filter((word) => !/^(?:in|on|at|text|type|version|test|user)$/.test(word)),
)
/** As the first word. */
const ASKING: ReadonlySet<string> = new Set(
  'is has had existing should show hide use uses no enable enabled disable allow allows require requires required min max can next page continuation pagination cancel cancellation num count on get fetch find read create generate validate verify check reset change forgot forgotten bypass compass'.split(
    ' ',
  ),
)
/** A constant that a check demands, and no flag: `REQUIRED_PASSWORD`. Texts and codes of errors are called so too: what compares it has to tell. */
export const DEMANDED: RegExp = /^(?:REQUIRED|ALLOWED)_(?:\w{1,30}_)?(?:PASSWORD|PASSWD|PWD|PASSPHRASE)$/
/** Wherever they stand; keys of Web Push are public ones but for those that say private. */
const NEVER =
  /csrf|xsrf|public|publishable|site_?key|mixpanel|^(?!.{0,64}private).{0,64}vapid|primary|foreign|partition|keyboard|keycode|keyword|tokeniz|tokenis|i18n|integrity|nonce|etag|author(?!iz)|accessib|passenger|passive|passport$|passthrough|bypass|compass|unique|cache|sort_key|translation|semantic|entity|label|localized|placeholder|pass_?through|(?:gate|boarding|bus|season|parking|ski|rail|travel)[_-]?pass(?!w)|^mtoken|tokens$|secrets$|passed|passes|passing|credentials?(?:id|name|store|mode)s?$/i

const CAMEL = /([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g

/** The words of a name, in lower case. */
export function wordsOfName(name: string): readonly string[] {
  return name
    .replaceAll(CAMEL, '$1$3 $2$4')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '')
}

/** Hungarian prefixes of UI5 and ABAP: `sPassword`, `lv_password`. */
const HUNGARIAN = /^(?:s|str|sz|m|g|p|lv|gv|iv|ev|mv|lc|gc|c|co|cv)$/

/** What a name says of its value. Undefined: nothing, or that it is about a credential and none itself. */
export function classifyName(name: string): NameKind | undefined {
  return kindOf(name) ?? (isOfVendor(name) ? 'secret' : undefined)
}

/** Whether only its last word says that a name is one of a key: `weatherKey`, `openweather_key`. Keys of other sorts are called so too: the value has to tell. */
export function isVendorKey(name: string): boolean {
  return isOfVendor(name) && kindOf(name) === undefined
}

/** Whether nothing but the last word of a constant says that it is one of a key: `ORDER_KEY`, whose value may be the key of a row. */
export function isBareKey(name: string): boolean {
  return BARE_KEY.test(name) && kindOf(name.replace(BARE_KEY, '_VALUE')) === undefined && kindOf(name.toLowerCase()) === undefined
}

const BARE_KEY = /_KEY\d{0,2}$/

/** At least three letters before it: `sKey` is a key of whatever. */
const VENDOR_KEY = /[A-Za-z][A-Za-z0-9]{2}(?:_key|Key)$/
/** Keys of collections, and those that pages show. */
const NO_VENDOR =
  /(?:test|this|next|last|first|site|publishable|anon|object|item|row|node|group|parent|child|selected|current|hot|event|route|tab|menu|field|column|message|text|title|hash|version|commit|license|idempotency|correlation|order|product|customer|record)_?key$/i

function isOfVendor(name: string): boolean {
  return name.length <= 40 && VENDOR_KEY.test(name) && !NEVER.test(name) && !NO_VENDOR.test(name)
}

function kindOf(name: string): NameKind | undefined {
  if (name.length > 64 || NEVER.test(name)) return undefined
  const all = wordsOfName(name)
  const words = HUNGARIAN.test(all[0] ?? '') ? all.slice(1) : all
  const last = words.at(-1)?.replace(/\d{1,3}$/, '') ?? ''
  const first = words[0] ?? ''
  if (last === '' && words.length < 2) return undefined
  if (ABOUT.has(last) || (ASKING.has(first) && !DEMANDED.test(name))) return undefined
  const plain = words.map((word) => word.replace(/\d{1,3}$/, ''))
  if (plain.some((word) => PASSWORDS.has(word))) return 'password'
  if (plain.some((word) => SECRETS.has(word))) return 'secret'
  for (let at = 1; at < plain.length; at++) {
    const owner = plain[at - 1] ?? ''
    if (plain[at] === 'key' && (KEY_OWNERS.has(owner) || PROVIDERS.has(owner))) return 'secret'
  }
  const joined = plain.join('')
  if (/(?:password|passwd|passwort|kennwort|keypass|storepass)$/.test(joined)) return 'password'
  if (
    /(?:secret|token|apikey|accesskey|privatekey|secretkey|authkey|masterkey|accountkey|signingkey|encryptionkey)$/.test(joined)
  )
    return 'secret'
  if (last === 'key' && words.length >= 2 && BARE_KEY.test(name)) return 'secret'
  return last === 'auth' && /^_auth$/.test(name) ? 'secret' : undefined
}

/** Names of one file, most of which it has many times. */
const MOST_NAMES = 2000

/** The same, remembered for one file. */
export function createClassifier(): (name: string) => NameKind | undefined {
  const known = new Map<string, NameKind | undefined>()
  return (name) => {
    if (known.has(name)) return known.get(name)
    if (known.size >= MOST_NAMES) known.clear()
    const kind = classifyName(name)
    known.set(name, kind)
    return kind
  }
}

/** Whether words behind a name say that a text is about the credential: `token policy`, `password length for users`. */
export function isAboutCredential(words: string): boolean {
  const [first = ''] = wordsOfName(words)
  return ABOUT_IN_TEXT.has(first)
}

/** `token.` at the end of a sentence, `password-` before a break. */
export function withoutPunctuation(name: string): string {
  let end = name.length
  while (name[end - 1] === '.' || name[end - 1] === '-') end--
  return name.slice(0, end)
}
