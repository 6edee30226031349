import { CLEANING_PACKAGES } from './cleaning-packages.ts'
import { RAW_ADDRESS } from './requests.ts'

/** Packages that read a text into values. Facts: their documentation at npm. */
export const PARSING: ReadonlySet<string> = new Set([
  'module:js-yaml load',
  'module:js-yaml loadAll',
  'module:js-yaml safeLoad',
  'module:yaml parse',
  'module:yaml parseDocument',
  'module:json5 parse',
  'module:qs parse',
  // Facts: README of bson 6 and 1 (`new BSON()`), msgpackr 1, @msgpack/msgpack 3
  'module:bson deserialize',
  'module:bson BSON deserialize',
  'module:bson new deserialize',
  'module:msgpackr unpack',
  'module:msgpackr decode',
  'module:@msgpack/msgpack decode',
  'module:querystring decode',
  'module:ini parse',
  'module:toml parse',
  'module:@iarna/toml parse',
  'module:csv-parse/sync parse',
  'module:csv-parse parse',
  'module:csvtojson fromString',
  'module:papaparse parse',
  'module:xlsx read',
  'module:xlsx utils sheet_to_json',
  'module:xlsx utils sheet_to_csv',
  'module:xlsx utils sheet_to_html',
  'module:xml2js parseStringPromise',
  'module:xml-js xml2js',
  'module:fast-xml-parser XMLParser new parse',
  'module:url parse',
  'module:he decode',
  'module:iconv-lite decode',
  'module:nats JSONCodec () decode',
  'module:nats StringCodec () decode',
  'module:zlib gunzipSync',
  'module:zlib inflateSync',
  'module:zlib unzipSync',
  'module:zlib brotliDecompressSync',
])

/** Facts: lodash.com/docs (4.17): functions that give their first argument, a part of it or another form of it. Names without marks (`camelCase`) leave nothing dangerous. */
const LODASH = (
  'toLower toUpper trim trimStart trimEnd upperFirst lowerFirst capitalize pad padStart padEnd repeat truncate unescape toString split concat flatten flattenDeep ' +
  'compact uniq uniqBy sortBy orderBy reverse take takeRight drop dropRight head first last nth slice chunk tail initial values toPairs fromPairs toArray castArray assign assignIn extend ' +
  'defaults merge mergeWith defaultsDeep clone cloneDeep omit omitBy pickBy mapKeys mapValues invert at groupBy keyBy partition filter reject find findLast sample shuffle chain without union'
).split(' ')

const LODASH_PASSING = ['lodash', 'underscore'].flatMap((module) =>
  LODASH.flatMap((name) => [`module:${module} ${name}`, `module:${module}/${name}`, `module:${module}.${name.toLowerCase()}`]),
)

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
  'global:Request new',
  'global:Error new',
  'global:URLSearchParams new',
  'global:Array of',
  'global:Promise allSettled',
  'global:Promise race',
  'global:Promise any',
  'global:Iterator from',
  'global:Blob new',
  'global:TextDecoder new decode',
  'global:Buffer concat',
  'global:Uint8Array new',
  // SAP HANA XS JavaScript API, $.util.codec
  'global:$ util codec decodeBase64',
  'module:buffer Buffer from',
  'module:stream Readable from',
  'module:readline createInterface',
  ...['buffer', 'text', 'json', 'arrayBuffer', 'blob'].map((name) => `module:stream/consumers ${name}`),
  ...PARSING,
  ...LODASH_PASSING,
  // Markdown may hold HTML, which these leave as it is. Facts: marked 15, snarkdown 2, showdown 2 (README, "Usage" and "XSS vulnerability")
  ...['', ' parse', ' parseInline', ' marked', ' marked parse'].map((name) => `module:marked${name}`),
  'module:snarkdown',
  'module:showdown Converter new makeHtml',
  'module:lodash',
  'module:underscore',
  'global:Object groupBy',
  'global:Map groupBy',
  'global:cds User new',
  'module:@sap/cds User new',
  'global:cds utils path join',
  'global:cds utils path resolve',
  'module:path join',
  'module:path resolve',
  'module:path normalize',
  'module:path dirname',
  ...['path posix', 'path win32', 'path/posix'].flatMap((module) =>
    ['join', 'resolve', 'normalize', 'dirname'].map((name) => `module:${module} ${name}`),
  ),
  // it tells where a path leads, before that is checked
  ...['fs realpathSync', 'fs promises realpath', 'fs/promises realpath'].map((name) => `module:${name}`),
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

/** Calls that make a text of the numbers of its characters, each of which may be read of a text again: `String.fromCharCode(parseInt(bytes[i]))`. Fact: ECMAScript, String. */
export const TEXT_OF_NUMBERS: ReadonlySet<string> = new Set(['global:String fromCharCode', 'global:String fromCodePoint'])

/**
 * Calls that get what they convert in a field of their settings, to the field of what they give: `{ value } = await convertToHtml({ arrayBuffer })`.
 * Facts: mammoth 1.8 (README, "API" and "Security": it sanitizes nothing of the document).
 */
export const CONVERTING: ReadonlyMap<string, string> = new Map(
  ['convertToHtml', 'convertToMarkdown', 'extractRawText'].flatMap((name) => [
    [`module:mammoth ${name}`, 'value'],
    [`global:mammoth ${name}`, 'value'],
  ]),
)

/**
 * Calls that sign an address for who holds it, and give it with its signature: the first argument, or a field of that. Facts: aws-cloudfront-sign 3 (README), @aws-sdk/cloudfront-signer 3,
 * aws-sdk 2, "CloudFront.Signer". What S3 and other stores sign is an address of theirs, whatever the object is called.
 */
export const SIGNING: ReadonlyMap<string, string | undefined> = new Map<string, string | undefined>([
  ...['getSignedUrl', 'signUrl', 'signUrlSync'].map((name) => [`module:aws-cloudfront-sign ${name}`, undefined] as const),
  ['module:@aws-sdk/cloudfront-signer getSignedUrl', 'url'],
  ['module:aws-sdk CloudFront Signer new getSignedUrl', 'url'],
  ['module:aws-sdk/clients/cloudfront Signer new getSignedUrl', 'url'],
])

/** Methods that give their receiver, or a part of it, and the texts that they are given. */
export const PASSING_METHODS: ReadonlySet<string> = new Set(
  (
    'trim trimStart trimEnd toString toLowerCase toUpperCase slice substring substr split join concat replace replaceAll padStart padEnd repeat normalize at charAt ' +
    'getAll pop shift splice flat reverse sort values entries keys get match exec text json buffer arrayBuffer blob asString asArrayBuffer asWebRequest ' +
    // of a result set of XS classic: SAP HANA XS JavaScript API, $.db.ResultSet
    'getString getNString getClob getNClob getNText getBlob ' +
    // of what the clipboard holds
    'getType ' +
    // of a message of NATS
    'string ' +
    // of a response, to go on with
    'status type contentType set header ' +
    // of texts and streams
    'matchAll read pipeThrough getReader setEncoding toArray toWellFormed toLocaleLowerCase toLocaleUpperCase value with toSorted toReversed toSpliced'
  ).split(' '),
)

/** Methods that give one item, or the items of items. Fact: ECMAScript, Array, Map. */
export const ITEM_METHODS: ReadonlySet<string> = new Set(['pop', 'shift', 'at', 'get'])
/** Methods that give items at other places than those that they had. */
export const MOVING_METHODS: ReadonlySet<string> = new Set([
  'slice',
  'splice',
  'reverse',
  'sort',
  'toSpliced',
  'toReversed',
  'toSorted',
])

/** Events of streams, parsers and readers that hand on a piece of what they carry. Facts: Node.js 24, "stream", "readline"; documentation of csv-parse, busboy, sax. */
export const STREAM_EVENTS: ReadonlySet<string> = new Set('data row record line field file entry text value object'.split(' '))

/** Facts: Node.js 24, "stream.pipeline". */
export const PIPELINES: ReadonlySet<string> = new Set([
  'module:stream pipeline',
  'module:stream promises pipeline',
  'module:stream/promises pipeline',
])

/** Functions of packages that call a function with each item of a list: `async.map(list, (item, done) => …)`. Facts: documentation of async, lodash, Bluebird, p-map. */
export const ITERATING: RegExp =
  /^module:(?:async|lodash|underscore|bluebird|p-map|p-each-series)(?: |$)(?:default )?(?:map|each|forEach|filter|reject|some|every|find|flatMap|sortBy|groupBy|keyBy|concat)?(?:Series|Limit|Of)?$/

/** Functions that make one of several, and from which side they are run. Facts: documentation of lodash, Ramda, RxJS. */
export const COMPOSING: ReadonlyMap<string, 'left' | 'right'> = new Map([
  ['pipe', 'left'],
  ['flow', 'left'],
  ['pipeAsync', 'left'],
  ['asyncPipe', 'left'],
  ['pipeWith', 'left'],
  ['compose', 'right'],
  ['flowRight', 'right'],
  ['composeAsync', 'right'],
])

/** The same in pages; on servers such a function may call middlewares. */
export const COMPOSING_IN_PAGES: ReadonlySet<string> = new Set(['chain', 'sequence', 'pipeline', 'through', 'series'])

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
  // Fact: ECMAScript 2025, "RegExp.escape"
  ['global:RegExp escape', ['cap/code-injection']],
  ['global:encodeURI', ['cap/reflected-xss', 'cap/log-injection']],
  // the fields that it leaves are written in the code
  ['module:lodash pick', ['cap/prototype-pollution', 'cap/cql-injection']],
  ['module:lodash/pick', ['cap/prototype-pollution', 'cap/cql-injection']],
  ['module:lodash.pick', ['cap/prototype-pollution', 'cap/cql-injection']],
  ['module:path basename', ['cap/path-traversal', 'cap/zip-slip']],
  // the folder of a file that is written next: the file is the fault
  ['module:path dirname', ['cap/path-traversal', 'cap/zip-slip']],
  ['module:querystring escape', ['cap/path-traversal', 'cap/ssrf', 'cap/open-redirect', 'cap/reflected-xss']],
  ...CLEANING_PACKAGES,
  ['global:JSON stringify', ['cap/log-injection']],
  // names of fields
  ['global:Object keys', ['cap/sensitive-log']],
])

/** What was checked or escaped before it was decoded. */
export const DECODED_UNCLEANS: readonly string[] = [
  'cap/reflected-xss',
  'cap/path-traversal',
  'cap/zip-slip',
  'cap/log-injection',
  RAW_ADDRESS,
]

/** What a comparison of a path or an address with its beginning is enough for. */
export const PREFIX_CHECK_CLEANS: readonly string[] = ['cap/path-traversal', 'cap/zip-slip', 'cap/open-redirect', 'cap/ssrf']

/** What the refusal of `..` or of a slash in a name is enough for. */
export const FOLDER_CHECK_CLEANS: readonly string[] = ['cap/path-traversal', 'cap/zip-slip']

/** What a look at the type, the length or the range of a value is enough for. */
export const EXAMINED_CLEANS: readonly string[] = ['cap/messaging-handler-trusts-payload']

/** What the sender of signed data may decide: whom it is about is the key owner's choice. */
export const SIGNED_CLEANS: readonly string[] = [
  'cap/tenant-from-request',
  'cap/context-user-override',
  'cap/privileged-user-in-request',
  ...EXAMINED_CLEANS,
]

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

/** Packages whose functions give objects and lists. */
export const MERGING_PACKAGES: readonly string[] = ['module:lodash', 'module:underscore']

/** Calls that render Markdown by marked, which may be told to leave HTML out. Fact: paths of what the package exports. */
export const RENDERS_MARKED: RegExp = /^module:marked(?: |$)/
