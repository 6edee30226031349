import { QUOTES_ESCAPED, TAGS_ESCAPED } from '../models/escaped.ts'
import { ADDRESS_PART } from '../places.ts'
import type { Origin } from '../types.ts'

/** What is read from an object of the page. `cleaned`: the rules for which it is harmless. */
export interface WebRead {
  readonly origin: Origin
  readonly cleaned?: readonly string[]
}

/** Marks a text that begins with something fixed: what follows cannot lead to another host. */
export const PREFIXED = '@prefixed'

/** Marks a text that begins with a word: as a whole it is relative, behind `https://` it is a host. */
export const WORDED = '@worded'

/** Marks a text with a part that is named as a key of a record is. */
export const KEYED = '@keyed'

/** `id`, `orderId`, `ORDER_ID`, `key`, `uuid`, `itemNo`, `sStatusCode`. */
export const KEY_NAMES: RegExp =
  /^(?:id|key|uuid|guid|index|number|no|code)$|(?:I[dD]|_id|K(?:ey|EY)|_key|U(?:uid|UID)|G(?:uid|UID)|Index|N(?:o|r|umber)|Code|Version|Page)$/

/** Marks what stands in the code of an event attribute: entities are decoded before it runs. */
export const IN_HANDLER = '@in-handler'

/** Marks what is encoded for between tags and stands in the value of an attribute, which its quotes end. */
export const OPEN_QUOTES = '@open-quotes'

/** Marks what the page knows of its own user alone. */
export const OWN = '@own'

/** Marks the text of an exception with all that it has, its stack too: `JSON.stringify(error, Object.getOwnPropertyNames(error))`. */
export const OWN_NAMES = '@own-names'

/** Addresses, and functions of services, that answer with the user who asks. Facts: SAP, "User API Service" (`/user-api/currentUser`), "SAP Build Work Zone" (`/services/userapi/currentUser`). */
export const OWN_USER: RegExp =
  /(?:^|\/)(?:user-api\/(?:currentUser|attributes)|api\/(?:v\d{1,2}\/)?(?:user|me)|(?:get)?current-?user(?:-?info)?(?:\(\))?|user-?info(?:\(\))?|whoami(?:\(\))?)\/?$/i

/** Marks an address that was encoded for markup, which leaves its scheme as it is. */
export const ENCODED_ADDRESS = '@encoded-address'

/** Marks nodes of a page that were made of a text. */
export const PARSED = '@parsed'

/** Marks the text of such nodes, which is none of markup where it is put into a page. */
export const PARSED_TEXT = '@text'

/** Marks a text that stands between tags. */
export const TAGGED = '@tagged'

const URL: WebRead = { origin: 'url' }
const INPUT: WebRead = { origin: 'input' }
/** The own address as a whole leads nowhere else. */
const OWN_ADDRESS: WebRead = { origin: 'url', cleaned: [PREFIXED] }

/** Objects of every page by their global names. */
export const PAGE_OBJECTS: ReadonlyMap<string, Origin> = new Map<string, Origin>([
  ['location', 'location'],
  ['navigation', 'navigation'],
  ['document', 'document'],
  ['window', 'window'],
  ['self', 'window'],
  ['globalThis', 'window'],
  ['top', 'window'],
  ['parent', 'window'],
  ['localStorage', 'web-storage'],
  ['sessionStorage', 'web-storage'],
])

const WINDOWS = ['window', 'self', 'globalThis', 'top', 'parent', 'opener']

/**
 * What fields of objects of the page hold. Host and path of the own address are no choice of an attacker: the server answers for them.
 * Facts: HTML standard, "Location", "Window", "Document", "Navigation"; API reference of SAPUI5, parameters of routes and of events of controls.
 */
export const WEB_READS: Readonly<Partial<Record<Origin, Readonly<Record<string, WebRead>>>>> = {
  location: { href: OWN_ADDRESS, hash: URL, search: URL, searchParams: URL, [ADDRESS_PART]: URL },
  document: {
    location: { origin: 'location' },
    URL: OWN_ADDRESS,
    documentURI: OWN_ADDRESS,
    baseURI: OWN_ADDRESS,
    referrer: { origin: 'referrer' },
    // what another site can't write, and another user neither
    cookie: { origin: 'storage', cleaned: [OWN] },
    defaultView: { origin: 'window' },
  },
  navigation: { currentEntry: { origin: 'history-entry' }, activation: { origin: 'activation' } },
  // `from` is null where the page before was of another origin. Fact: HTML standard, "NavigationActivation"
  activation: { entry: { origin: 'history-entry' }, from: { origin: 'history-entry' } },
  'history-entry': { url: OWN_ADDRESS },
  'navigation-timing': { name: OWN_ADDRESS },
  window: {
    ...Object.fromEntries(WINDOWS.map((name) => [name, { origin: 'window' as const }])),
    location: { origin: 'location' },
    navigation: { origin: 'navigation' },
    document: { origin: 'document' },
    localStorage: { origin: 'web-storage' },
    sessionStorage: { origin: 'web-storage' },
  },
  'web-storage': { '*': { origin: 'storage' } },
  parameters: {
    startupParameters: URL,
    arguments: URL,
    hash: URL,
    newHash: URL,
    oldHash: URL,
    fullHash: URL,
    value: INPUT,
    newValue: INPUT,
    query: INPUT,
    suggestValue: INPUT,
    liveValue: INPUT,
    searchText: INPUT,
    // of actions of integration cards, whose manifests fill them with data
    parameters: { origin: 'backend' },
    // of bindings and sockets, of uploads, of file choosers
    data: { origin: 'backend' },
    response: { origin: 'backend' },
    responseRaw: { origin: 'backend' },
    responseText: { origin: 'backend' },
    files: { origin: 'imported' },
  },
}

/** The own address as a whole, of which a part may lead elsewhere: those of the fields above that are `OWN_ADDRESS`, and what they are made of. */
export const OWN_ADDRESSES: RegExp =
  /^global:(?:(?:document )?location(?: href)?(?: toString \(\))?|document (?:URL|documentURI|baseURI)|navigation (?:currentEntry|activation (?:entry|from)) url|performance getEntriesByType \(\) 0 name)$/

/** Parameters of events that are contexts of rows, by the aggregation of the control that is bound. Facts: API of sap.ui.table.Table, sap.m.SelectDialog, sap.m.TableSelectDialog. */
export const CONTEXT_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['rowContext', 'rows'],
  ['rowBindingContext', 'rows'],
  ['selectedContexts', 'items'],
])

/** Parameters of events that are numbers or booleans. Facts: API reference of SAPUI5, events of sap.m and sap.ui.table controls. */
export const PLAIN_PARAMETERS: ReadonlySet<string> = new Set(
  'state selected pressed selectAll selectedIndex selectedIndices rowIndex columnIndex index expand expanded visible open level fileSize status'.split(
    ' ',
  ),
)

export interface SourceCalls {
  /** Last words of access paths; one that is a path by itself with its root: `global:fetch`. */
  readonly names: readonly string[]
  /** What stands before the name; left out: anything. */
  readonly of?: RegExp
  /** The first argument, where that decides: `performance.getEntriesByType('navigation')`. */
  readonly first?: string
  readonly origin: Origin
  /** It gives a list of such objects. */
  readonly isList?: true
}

const JQUERY = /^(?:global:(?:jQuery|\$)|module:sap\/ui\/thirdparty\/jquery|module:jquery)$/

/** Calls that give data of others. Facts: API reference of SAPUI5; MDN, "Clipboard API", "BarcodeDetector: detect()"; Contact Picker API, "ContactsManager" (who is in the address book has often written the entry); Navigation Timing Level 2, "PerformanceNavigationTiming" (`name` is the address of the document); React Router 6. */
export const SOURCE_CALLS: readonly SourceCalls[] = [
  {
    names: ['getUriParameters', 'getHash', 'getAppHash', 'getPreviousHash', 'parseShellHash', 'getRouteInfoByHash'],
    origin: 'url',
  },
  {
    of: /^(?:module:sap\/base\/util\/UriParameters|global:sap ui (?:base|core) UriParameters)$/,
    names: ['fromQuery', 'fromURL', 'new'],
    origin: 'url',
  },
  { of: /^module:react-router(?:-dom)?$/, names: ['useParams', 'useSearchParams'], origin: 'url' },
  { of: /^module:react-router(?:-dom)?$/, names: ['useLocation'], origin: 'location' },
  { of: /^module:react-router(?:-dom)?$/, names: ['useLoaderData', 'useRouteLoaderData', 'useActionData'], origin: 'backend' },
  { names: ['global:fetch', 'module:axios', 'global:axios', 'getMessageModel'], origin: 'backend' },
  { of: JQUERY, names: ['ajax', 'get', 'post', 'getJSON'], origin: 'backend' },
  {
    of: /^(?:global:(?:jQuery|\$)|module:jquery\.sap\.global) sap$/,
    names: ['sjax', 'syncGet', 'syncGetText', 'syncGetJSON', 'syncPost'],
    origin: 'backend',
  },
  { of: /^(?:module|global):axios$/, names: ['get', 'post', 'put', 'patch', 'delete', 'request'], origin: 'backend' },
  { of: /^module:sap\/base\/util\/LoaderExtensions$/, names: ['loadResource'], origin: 'backend' },
  { of: /^(?:module:sap\/ui\/util\/Storage|global:(?:jQuery|\$) sap storage)/, names: ['get'], origin: 'storage' },
  { of: /(?:^| |^global:)(?:localStorage|sessionStorage)$/, names: ['getItem'], origin: 'storage' },
  { of: /^global:navigator clipboard$/, names: ['read', 'readText'], origin: 'imported' },
  { of: /^global:navigator contacts$/, names: ['select'], origin: 'imported' },
  { names: ['global:showOpenFilePicker'], origin: 'imported' },
  { of: /^global:BarcodeDetector new$/, names: ['detect'], origin: 'imported' },
  { of: /^global:performance$/, names: ['getEntriesByType'], first: 'navigation', origin: 'navigation-timing', isList: true },
  { names: ['global:prompt'], origin: 'input' },
]

const SOURCES_BY_NAME: ReadonlyMap<string, readonly SourceCalls[]> = new Map(
  SOURCE_CALLS.flatMap(({ names }) => names).map((name) => [name, SOURCE_CALLS.filter(({ names }) => names.includes(name))]),
)

/** Where the data comes from that a call gives, by the access path of what is called and its first argument. */
export function sourceOfCall(path: string, given: () => unknown): SourceCalls | undefined {
  const at = path.lastIndexOf(' ')
  const rows = SOURCES_BY_NAME.get(path.slice(at + 1))
  if (rows === undefined) return undefined
  const before = path.slice(0, Math.max(at, 0))
  return rows.find(({ of, first }) => (of === undefined || of.test(before)) && (first === undefined || first === given()))
}

/** Calls that get what a backend sends by their callbacks: methods of models of OData, of jQuery and of the shell. */
export const CALLBACK_CALLS: ReadonlySet<string> = new Set(
  'read callFunction create update remove submitChanges ajax ajaxSetup get post getJSON request loadResource'.split(' '),
)
/** Fields of their settings that are such callbacks. */
export const CALLBACK_FIELDS: ReadonlySet<string> = new Set(['success', 'error', 'complete'])

/** Members that hold what a server answered, whatever the request is called. */
export const RESPONSE_MEMBERS: ReadonlySet<string> = new Set(['responseText', 'responseJSON', 'responseXML'])

/** Headers that a server fills by itself: no user writes a text of them. Facts: RFC 9110; SAP Gateway, "CSRF Protection". */
export const HEADERS_OF_SERVERS: RegExp = /^(?:x-[cx]srf-token|etag|date|age|last-modified|retry-after|content-length)$/i

/** Members that hold an address whose query and fragment somebody else may have chosen. Facts: HTML standard, "HashChangeEvent"; UI5, "Component.getComponentData". */
export const ADDRESS_MEMBERS: ReadonlySet<string> = new Set(['newURL', 'oldURL', 'startupParameters'])

/** Members that hold what the user brings in. Facts: HTML standard, "Drag and drop"; Clipboard API. */
export const IMPORTED_MEMBERS: ReadonlySet<string> = new Set(['clipboardData', 'dataTransfer'])

/** Methods of controls that give what somebody typed. */
export const INPUT_METHODS: ReadonlySet<string> = new Set(['getValue', 'getLastValue', 'getTypedInValue', 'getCurrentValue'])

/** Models by the module that makes them. */
export const MODELS: readonly (readonly [RegExp, 'json' | 'odata' | 'fixed'])[] = [
  [/(?:^module:|^global:)sap[/ ]ui[/ ]model[/ ](?:json[/ ]JSONModel|xml[/ ]XMLModel) new$/, 'json'],
  [/(?:^module:|^global:)sap[/ ]ui[/ ]model[/ ]odata[/ ](?:v2[/ ]|v4[/ ])?ODataModel new$/, 'odata'],
]

/** Methods that read a model, a context or a control by a path, and those that write one. */
export const PATH_READS: ReadonlySet<string> = new Set([
  'getProperty',
  'getObject',
  'requestObject',
  'requestProperty',
  'getOriginalProperty',
])
export const WHOLE_READS: ReadonlySet<string> = new Set(['getData', 'getJSON', 'getObject', 'requestObject'])
/** Methods of models that bind a path, and those of bindings that give their contexts. Facts: API reference of SAPUI5, sap.ui.model.odata.v4.ODataModel and its bindings. */
export const PATH_BINDINGS: ReadonlySet<string> = new Set(['bindContext', 'bindList', 'createBindingContext'])
export const BOUND_CONTEXTS: ReadonlySet<string> = new Set([
  'getBoundContext',
  'requestContexts',
  'getContexts',
  'getCurrentContexts',
  'getAllCurrentContexts',
])
/** Models that hold texts of the app and facts of the device. */
export const FIXED_MODELS: RegExp = /i18n|^device$|resource|^@/i

/** What reads a text as markup. */
export const HTML_FAULTS: readonly string[] = [
  'ui5/xss-dom-sink',
  'ui5/xss-html-control',
  'ui5/renderer-unsafe-output',
  'ui5/formatter-html',
  'ui5/template-engine-raw',
  'ui5/webcomponents-raw-html',
  'ui5/xmlview-dynamic-definition',
]

const ADDRESS_FAULTS = [
  'ui5/open-redirect',
  'ui5/client-request-dynamic-url',
  'ui5/javascript-url',
  'ui5/pdfviewer-trusted-source',
]

/** What a message of any window must not reach. */
export const MESSAGE_FAULTS: ReadonlySet<string> = new Set([
  ...HTML_FAULTS,
  'ui5/eval',
  'ui5/open-redirect',
  'ui5/javascript-url',
  'ui5/dynamic-module-name',
])

/** What a comparison with the own origin is enough for. */
export const ORIGIN_CHECK_CLEANS: readonly string[] = [...ADDRESS_FAULTS, 'ui5/dynamic-module-name']

/** What a look at the scheme of an address is enough for: it leads elsewhere still. */
export const SCHEME_CHECK_CLEANS: readonly string[] = ['ui5/javascript-url']

/** What a text that is encoded as a part of an address is harmless for, until it is decoded. */
const ENCODED_AS_PART: readonly string[] = [
  ...HTML_FAULTS,
  ...ADDRESS_FAULTS,
  'ui5/odata-filter-injection',
  'ui5/dynamic-module-name',
  'ui5/log-injection',
  'ui5/binding-injection',
]

/**
 * What functions make harmless, by the last name of the function or of its module. What is encoded for markup is as dangerous as before in a path; in a
 * log, too, but for the encoders of UI5, which leave letters, digits and few others as they are. Facts: OpenUI5 1.136, sap/base/security; DOMPurify; ECMAScript.
 */
const WEB_CLEANING: readonly (readonly [names: string, cleaned: readonly string[]])[] = [
  [
    'encodeXml encodeHtml escapeXML escapeHTML escapeXml escapeHtml sanitizeHTML sanitizeHtml _sanitizeHTML sanitize sanitizeWithPolicy purify escapeExpression escape',
    HTML_FAULTS,
  ],
  ['encodeXML encodeHTML encodeCSS', [...HTML_FAULTS, 'ui5/log-injection', 'ui5/binding-injection']],
  ['encodeJS', [...HTML_FAULTS, 'ui5/eval', 'ui5/log-injection']],
  ['encodeURL encodeURLParameters encodeURIComponent', ENCODED_AS_PART],
  ['encodeURI', [...HTML_FAULTS, 'ui5/log-injection', 'ui5/binding-injection']],
  // letters, digits, `+`, `/` and `=`
  ['btoa', [...HTML_FAULTS, 'ui5/odata-filter-injection', 'ui5/log-injection', 'ui5/binding-injection']],
  ['formatValue formatLiteral createKey', ['ui5/odata-filter-injection']],
  // braces are escaped in it
  ['escapeSettingsValue', ['ui5/binding-injection']],
  // line breaks are escaped in it
  ['stringify', ['ui5/eval', 'ui5/log-injection']],
]

/** The same by name. */
export const WEB_CLEANERS: ReadonlyMap<string, readonly string[]> = new Map(
  WEB_CLEANING.flatMap(([names, cleaned]) => names.split(' ').map((name) => [name, cleaned] as const)),
)

/** Functions that decode: what an encoder or a sanitizer saw was another text. Facts: ECMAScript, "URI Handling Functions"; HTML standard, atob; lodash 4, unescape; he. */
export const DECODING: readonly (readonly [path: RegExp, uncleaned: readonly string[]])[] = [
  [/^global:(?:decodeURIComponent|unescape|atob)$/, ENCODED_AS_PART],
  [/^global:decodeURI$/, HTML_FAULTS],
  [/^(?:module|global):(?:lodash|underscore|_|he|html-entities)[ /.](?:default )?(?:unescape|decode)$/, HTML_FAULTS],
]

/** One tag by its name: others run scripts as well. */
const NAMED_TAG = /<(?:\\s\*)?\\?\/?\(?(?:\?:)?(?:!--|[a-z]{2})/i

/** Replacing what has a meaning in a language, by the pattern: `text.replace(/</g, '&lt;')`. */
export const REPLACED_CLEANING: readonly (readonly [wanted: RegExp, cleaned: readonly string[], unless?: RegExp])[] = [
  // an allowlist: all but letters and digits goes
  [
    /^\[\^/,
    [
      ...HTML_FAULTS,
      ...ADDRESS_FAULTS,
      'ui5/odata-filter-injection',
      'ui5/dynamic-module-name',
      'ui5/path-injection',
      'ui5/log-injection',
      'ui5/formula-injection',
      'ui5/eval',
    ],
  ],
  [/</, [...HTML_FAULTS, TAGS_ESCAPED], NAMED_TAG],
  [/["']/, [QUOTES_ESCAPED]],
  [/'/, ['ui5/odata-filter-injection']],
  [/\\[nr]/, ['ui5/log-injection', 'ui5/log-injection-to-backend']],
  [/\^?\[?[^\]]{0,20}=[^\]]{0,20}[@+-]/, ['ui5/formula-injection']],
]

/** What a format gives is harmless for what an allowlist of characters is. */
export const FORMATTED: readonly string[] = REPLACED_CLEANING[0]?.[1] ?? []

/** The same of an address, which may be code still. */
export const OF_ADDRESSES: readonly string[] = [
  ...FORMATTED.filter((fault) => fault !== 'ui5/javascript-url'),
  'ui5/metadata-property-any',
  'ui5/log-injection-to-backend',
]

/** Methods of formats: what they give of a text is a number or a date, or nothing. Facts: API of sap.ui.core.format; ECMA-402. */
export const FORMATS: RegExp =
  /^(?:module:sap\/ui\/core\/format\/|global:sap ui core format |global:Intl )\w+(?: get\w+Instance \(\)| new)? (?:format|formatRange)$/

/** Calls that give what they are given, beside those of every script. */
export const WEB_PASSING: readonly RegExp[] = [
  /^global:(?:URLSearchParams new|sap ui require toUrl)$/,
  /^global:(?:jQuery|\$) (?:param|parseJSON|trim|extend|makeArray|when)$/,
  /^global:(?:jQuery|\$) sap (?:formatMessage|parseJS|startsWith|charToUpperCase|camelCase|hyphen)$/,
  /^module:sap\/base\/(?:strings\/\w{1,40}|util\/(?:deepClone|deepExtend|merge|extend|ObjectPath))(?: \w{1,40})?$/,
  /(?:^| )(?:formatMessage|getText|cloneDeep)$/,
  /^module:sap\/ui\/thirdparty\/jquery (?:param|trim|extend)$/,
  // Markdown may hold HTML, which these leave as it is
  /^(?:module|global):(?:marked|snarkdown|micromark)(?: (?:parse|parseInline|marked|micromark|default)){0,2}$/,
  /^(?:module:markdown-it|global:markdownit)(?: default)? (?:new|\(\)) (?:render|renderInline)$/,
  /^(?:module|global):showdown Converter new makeHtml$/,
]

/** The scanner of barcodes: whoever prints a label chooses the text. Facts: API reference of SAPUI5, "sap.ndc.BarcodeScanner"; phonegap-plugin-barcodescanner. */
export const SCANNERS: RegExp = /(?:^module:sap\/ndc\/|sap ndc )BarcodeScanner scan$|barcodeScanner scan$/

/** Storages of the browser. Facts: HTML standard, "Web storage"; API reference of SAPUI5, "sap.ui.util.Storage". */
export const STORAGES: RegExp =
  /^(?:global:(?:localStorage|sessionStorage)|module:sap\/ui\/util\/Storage|global:(?:jQuery|\$) sap storage)(?: |$)/

/** Calls that log in a page. Facts: API reference of SAPUI5, "sap/base/Log". */
export const PAGE_LOGS: RegExp =
  /^(?:module:sap\/base\/Log|global:(?:jQuery|\$) sap log|module:jquery\.sap\.global log|global:sap base Log)(?: getLogger \(\))? (?:fatal|error|warning|info|debug|trace)$/
/** What begins the path of a log. */
export const LOG_ROOTS: ReadonlySet<string> = new Set(['global:console', 'module:sap/base/Log'])

/** What the paths of calls that pass something on in a page have in common: most have nothing of it. */
export const MAY_PASS: RegExp =
  /^global:(?:URLSearchParams|jQuery|\$) |^module:sap\/(?:base|ui\/thirdparty)\/|^(?:module|global):(?:marked|snarkdown|micromark|markdown-?it|showdown)(?: |$)|(?:formatMessage|getText|cloneDeep|toUrl)$/
