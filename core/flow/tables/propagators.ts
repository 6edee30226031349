/** Calls that give what they are given, in another form. Keys are access paths, with blanks between the steps. */
export const PASSING: ReadonlySet<string> = new Set([
  'global:String',
  'global:decodeURIComponent',
  'global:decodeURI',
  'global:unescape',
  'global:atob',
  'global:btoa',
  'global:JSON parse',
  'global:JSON stringify',
  'global:Object assign',
  'global:Object values',
  'global:Object entries',
  'global:Object keys',
  'global:Object fromEntries',
  'global:Array from',
  'global:Buffer from',
  'global:Promise resolve',
  'global:Promise all',
  'global:structuredClone',
  'global:Map new',
  'global:Set new',
  'global:WeakMap new',
  'global:Object freeze',
  'global:Object create',
  'global:URL new',
  'global:Error new',
  'global:cds User new',
  'module:@sap/cds User new',
  'global:cds utils path join',
  'global:cds utils path resolve',
  'module:path join',
  'module:path resolve',
  'module:path normalize',
  'module:path dirname',
  'module:path posix join',
  'module:util format',
  'module:querystring parse',
  'module:@sap/cds utils decodeURI',
  'global:cds utils decodeURI',
  'module:@sap/cds utils decodeURIComponent',
  'global:cds utils decodeURIComponent',
  'module:@sap/cds utils local',
  'global:cds utils local',
  'module:@sap/cds utils isdir',
  'global:cds utils isdir',
  'module:@sap/cds utils isfile',
  'global:cds utils isfile',
])

/** Methods that give their receiver, or a part of it, and the texts that they are given. */
export const PASSING_METHODS: ReadonlySet<string> = new Set(
  (
    'trim trimStart trimEnd toString toLowerCase toUpperCase slice substring substr split join concat replace replaceAll padStart padEnd repeat normalize at charAt ' +
    'getAll pop shift flat reverse sort values entries keys get match exec text json buffer asString asArrayBuffer asWebRequest ' +
    // of a response, to go on with
    'status type contentType set header'
  ).split(' '),
)

/** Methods that call a function with what they hold: the function's first parameter is an item, or what a promise gives. */
export const CALLING_METHODS: ReadonlySet<string> = new Set(
  'map forEach filter find some every flatMap then catch finally'.split(' '),
)

/** What calls make harmless: access path or name of the function, to the rules that it is enough for. */
export const CLEANING: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'global:encodeURIComponent',
    ['cap/path-traversal', 'cap/ssrf', 'cap/open-redirect', 'cap/reflected-xss', 'cap/log-injection'],
  ],
  ['global:encodeURI', ['cap/reflected-xss', 'cap/log-injection']],
  ['module:path basename', ['cap/path-traversal', 'cap/zip-slip']],
  ['module:querystring escape', ['cap/path-traversal', 'cap/ssrf', 'cap/open-redirect', 'cap/reflected-xss']],
  ['global:JSON stringify', ['cap/log-injection']],
])

/** What is left of a text without all but letters, digits and a few marks is enough for. */
export const STRIPPING_CLEANS: readonly string[] = [
  'cap/cql-injection',
  'cap/command-injection',
  'cap/code-injection',
  'cap/path-traversal',
]

/** What a comparison of a path or an address with its beginning is enough for. */
export const PREFIX_CHECK_CLEANS: readonly string[] = ['cap/path-traversal', 'cap/zip-slip', 'cap/open-redirect', 'cap/ssrf']

/** What a look at the type, the length or the range of a value is enough for. */
export const EXAMINED_CLEANS: readonly string[] = ['cap/messaging-handler-trusts-payload']

/** What a comparison of an address's host is enough for. */
export const HOST_CHECK_CLEANS: readonly string[] = ['cap/open-redirect', 'cap/ssrf']

/** The same by the last name of any function: libraries and projects call their own so. */
export const CLEANING_NAMES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:escape|encode|sanitize)(?:Html|HTML|Xml|XML)$|^sanitizeHtml$|^(?:purify|sanitize)$/, ['cap/reflected-xss']],
  [/^(?:escape|quote)(?:$|Id|Name|Literal|Sql|SQL|String|Value|Ident)/, ['cap/cql-injection', 'cap/command-injection']],
  [/^(?:escapeRegExp|escapeRegex|escapeStringRegexp)$/, ['cap/code-injection']],
  [/^(?:shellEscape|shellescape|quote|escapeShellArg)$/, ['cap/command-injection']],
  [/mask|redact|anonymi[sz]e|pseudonymi[sz]e|obfuscate|encrypt|hash/i, ['cap/sensitive-log']],
  [/^sanitize(?:File|Path|Filename|FileName)\w{0,20}$/, ['cap/path-traversal', 'cap/zip-slip']],
]
