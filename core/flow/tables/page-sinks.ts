import { both } from './call-paths.ts'
import { JQUERY, ON_JQUERY } from './jquery.ts'
import type { SinkRow } from './sinks.ts'

/** Connections that a page opens to the host that it names. Facts: HTML and WebSockets standards; API reference of SAPUI5, "sap.ui.core.ws". */
const SOCKETS: readonly string[] = [
  'global:EventSource new',
  'global:WebSocket new',
  'module:sap/ui/core/ws/WebSocket new',
  'module:sap/ui/core/ws/SapPcpWebSocket new',
]

/** Connections of socket.io, which hand the data itself to their listeners. Fact: socket.io-client 4, "Client API". */
export const CONNECTIONS: RegExp = /^(?:global:io|module:socket\.io-client(?: io| default| connect)?)(?: connect)? \(\)$/

/** `{{{name}}}`, `{{&name}}`. */
const RAW_MUSTACHE = /\{\{\{|\{\{&/
/** `<b><%= name %></b>`; without tags the text is none of markup. */
const RAW_LODASH: Pick<RegExp, 'test'> = { test: (text) => /<%[^-]/.test(text) && /<[a-zA-Z/]/.test(text) }
const ALL = [0, 1, 2, 3]
const ON_MAP_WINDOW = /^global:(?:google maps InfoWindow new|L (?:popup|tooltip) \(\)) |[iI]nfo_?[wW]indow setContent$/
const ON_DOCUMENT = /^global:document |(?:^| )(?:document|contentDocument|ownerDocument) \w+$|^\w+:(?:o?[dD]oc(?:ument)?) \w+$/
/** Facts: d3-selection, "selection.html". */
const ON_SELECTION =
  /^(?:global:d3|module:(?:[\w/.-]+\/)?d3(?:-selection)?)(?:\.min)? |(?:^| )selectAll \(\) (?:data|enter|append|join|selectAll) /
const ON_LOCATION = /(?:^|[: ])location(?: (?:href|assign|replace))?$/

/**
 * What a map shows in its windows and labels is markup.
 * Facts: Maps JavaScript API 3 of Google, "Info Windows" (`content`: plain text, HTML or a node); Leaflet 1.9, "bindPopup", "bindTooltip", "DivOverlay" (`setContent` sets
 * the HTML content), "DivIcon" (`html`); Mapbox GL JS 3 and MapLibre GL JS 5, "Popup" (`setHTML`).
 */
const MAP_SINKS: readonly SinkRow[] = [
  { fault: 'ui5/xss-dom-sink', calls: ['global:google maps InfoWindow new'], args: [0], onlyFields: true, fields: ['content'] },
  { fault: 'ui5/xss-dom-sink', named: { how: 'call', names: ['setContent'], on: ON_MAP_WINDOW }, args: [0] },
  { fault: 'ui5/xss-dom-sink', named: { how: 'call', names: ['bindPopup', 'bindTooltip'] }, args: [0], takesFunction: true },
  {
    fault: 'ui5/xss-dom-sink',
    calls: ['global:L divIcon', 'global:L DivIcon new'],
    args: [0],
    onlyFields: true,
    fields: ['html'],
  },
  { fault: 'ui5/xss-dom-sink', named: { how: 'call', names: ['setHTML'], on: /\bPopup\b/ }, args: [0] },
]

/** What writes markup, leads elsewhere or sends requests, and must not get data of others. Facts: DOM and HTML standards; API reference of SAPUI5 1.136; jQuery 3.7. */
export const PAGE_SINKS: readonly SinkRow[] = [
  { fault: 'ui5/xss-dom-sink', named: { how: 'set', names: ['innerHTML', 'outerHTML', 'srcdoc'] }, args: [0] },
  { fault: 'ui5/xss-dom-sink', named: { how: 'call', names: ['insertAdjacentHTML'] }, args: [1] },
  {
    fault: 'ui5/xss-dom-sink',
    named: { how: 'call', names: ['createContextualFragment', 'parseHTML', 'setHTMLUnsafe'] },
    args: [0],
  },
  { fault: 'ui5/xss-dom-sink', named: { how: 'call', names: ['write', 'writeln'], on: ON_DOCUMENT }, args: ALL },
  { fault: 'ui5/xss-dom-sink', named: { how: 'call', names: ['appendChild', 'insertBefore'] }, args: [0] },
  {
    fault: 'ui5/xss-dom-sink',
    named: { how: 'call', names: ['execCommand'] },
    args: [2],
    only: { when: { index: 0, text: /^insertHTML$/i } },
  },
  // texts that these methods get stay texts
  {
    fault: 'ui5/xss-dom-sink',
    named: { how: 'call', names: ['append', 'prepend', 'before', 'after', 'replaceWith', 'replaceChildren', 'replaceChild'] },
    args: ALL,
    needs: 'parsed',
  },
  {
    fault: 'ui5/xss-dom-sink',
    named: { how: 'call', names: ['setAttribute', 'attr', 'prop'] },
    args: [1],
    only: { when: { index: 0, text: /^(?:srcdoc|on[a-z]+|innerHTML|outerHTML)$/i } },
  },
  {
    fault: 'ui5/xss-dom-sink',
    named: {
      how: 'call',
      names: ['html', 'append', 'prepend', 'after', 'before', 'replaceWith', 'wrap', 'wrapAll', 'wrapInner'],
      on: ON_JQUERY,
    },
    args: [0],
    takesFunction: true,
  },
  { fault: 'ui5/xss-dom-sink', named: { how: 'call', names: ['html'], on: ON_SELECTION }, args: [0], takesFunction: true },
  {
    fault: 'ui5/xss-dom-sink',
    named: { how: 'call', names: ['jQuery', '$', 'jquery'], on: JQUERY },
    args: [0],
    only: { beginsWithTag: true },
  },
  ...MAP_SINKS,
  {
    fault: 'ui5/webcomponents-raw-html',
    named: { how: 'attribute', names: ['dangerouslySetInnerHTML'] },
    args: [0],
    onlyFields: true,
    fields: ['__html'],
  },
  { fault: 'ui5/webcomponents-raw-html', named: { how: 'attribute', names: ['srcDoc', 'srcdoc'] }, args: [0] },
  {
    fault: 'ui5/webcomponents-raw-html',
    named: { how: 'set', names: ['innerHTML', 'outerHTML'], on: /^ui5-[\w-]+ / },
    args: [0],
  },
  {
    fault: 'ui5/javascript-url',
    named: { how: 'attribute', names: ['href', 'xlinkHref'], on: /^(?:a|area|Link|ui5-link) / },
    args: [0],
    as: 'address',
  },
  {
    fault: 'ui5/javascript-url',
    named: {
      how: 'attribute',
      names: ['src', 'action', 'formAction', 'data'],
      on: /^(?:i?frame (?:src)|form action|(?:button|input) formAction|embed src|object data)$/,
    },
    args: [0],
    as: 'address',
  },
  {
    fault: 'ui5/webcomponents-raw-html',
    named: { how: 'field', names: ['dangerouslySetInnerHTML'] },
    args: [0],
    onlyFields: true,
    fields: ['__html'],
  },
  {
    fault: 'ui5/webcomponents-raw-html',
    calls: [
      'module:lit/directives/unsafe-html.js unsafeHTML',
      'module:lit/directives/unsafe-html unsafeHTML',
      'module:lit-html/directives/unsafe-html.js unsafeHTML',
      'module:lit-html/directives/unsafe-html unsafeHTML',
      'module:lit/directives/unsafe-svg.js unsafeSVG',
    ],
    args: [0],
  },

  {
    fault: 'ui5/template-engine-raw',
    only: { template: RAW_MUSTACHE },
    givesText: true,
    named: { how: 'call', names: ['()'], on: /(?:^|[:/ ])(?:Handlebars|handlebars|doT|dot) (?:compile|template) \(\)$/ },
    args: [0],
    isDeep: true,
  },
  {
    fault: 'ui5/template-engine-raw',
    only: { template: RAW_MUSTACHE },
    givesText: true,
    named: { how: 'call', names: ['render', 'to_html'], on: /(?:^|[:/ ])[Mm]ustache(?:\.js)? (?:render|to_html)$/ },
    args: [1],
    isDeep: true,
  },
  {
    fault: 'ui5/template-engine-raw',
    only: { template: RAW_LODASH },
    givesText: true,
    named: { how: 'call', names: ['()'], on: /(?:^global:_|lodash|underscore)[ /.]template \(\)$/ },
    args: [0],
    isDeep: true,
  },

  { fault: 'ui5/open-redirect', named: { how: 'set', names: ['location', 'href'], on: ON_LOCATION }, args: [0], as: 'address' },
  {
    fault: 'ui5/open-redirect',
    named: { how: 'call', names: ['assign', 'replace'], on: ON_LOCATION },
    args: [0],
    as: 'address',
  },
  { fault: 'ui5/open-redirect', calls: ['global:open'], args: [0], as: 'window' },
  { fault: 'ui5/open-redirect', calls: ['global:navigation navigate'], args: [0], as: 'address' },
  // the launchpad opens the app that the hash names
  {
    fault: 'ui5/open-redirect',
    named: {
      how: 'call',
      names: ['setHash', 'replaceHash'],
      on: /(?:HashChanger getInstance \(\)|[hH]ash(?:Changer|er)(?: \(\))?) \w+$/,
    },
    args: [0],
    as: 'address',
  },
  {
    fault: 'ui5/open-redirect',
    named: { how: 'call', names: ['toExternal', 'navigate'] },
    args: [0],
    onlyFields: true,
    fields: ['target.shellHash'],
    as: 'address',
  },
  // a new window is opened with `noopener` for what is not of the own origin: OpenUI5 1.120, sap/m/library.js and sap/ui/util/openWindow.js
  {
    fault: 'ui5/open-redirect',
    named: { how: 'call', names: ['redirect'], on: /(?:^| )URLHelper redirect$|URLHelper redirect$/ },
    args: [0],
    as: 'either',
  },
  {
    fault: 'ui5/open-redirect',
    named: { how: 'set', names: ['href'], on: /(?:(?:^|[: ])(?:o?[lL]ink|o?[aA]nchor|a)) href$/ },
    args: [0],
    as: 'address',
    only: { unlessNamed: 'saved' },
  },
  {
    fault: 'ui5/open-redirect',
    named: { how: 'set', names: ['action', 'formAction'], on: /(?:[fF]orm|[bB]utton) (?:action|formAction)$/ },
    args: [0],
    as: 'address',
  },
  {
    fault: 'ui5/open-redirect',
    named: { how: 'call', names: ['setAttribute'] },
    args: [1],
    only: { when: { index: 0, text: /^(?:href|action|formaction)$/i }, unlessNamed: 'saved' },
    as: 'address',
  },
  {
    fault: 'ui5/open-redirect',
    named: { how: 'call', names: ['attr', 'prop'], on: ON_JQUERY },
    args: [1],
    only: { when: { index: 0, text: /^(?:href|action|formaction)$/i }, unlessNamed: 'saved' },
    as: 'address',
  },
  {
    fault: 'ui5/javascript-url',
    named: {
      how: 'call',
      names: ['setAttribute', 'attr', 'prop'],
      on: /(?:[iI]?[fF]rame)\w{0,20}(?: \(\))? (?:setAttribute|attr|prop)$/,
    },
    args: [1],
    only: { when: { index: 0, text: /^src$/i } },
    as: 'address',
  },
  {
    fault: 'ui5/javascript-url',
    named: { how: 'set', names: ['src'], on: /(?:[iI]?[fF]rame)\w{0,20} src$/ },
    args: [0],
    as: 'address',
  },

  // active content of the page itself
  { fault: 'ui5/javascript-url', named: { how: 'set', names: ['data'], on: /^object data$/ }, args: [0], as: 'address' },
  { fault: 'ui5/javascript-url', named: { how: 'set', names: ['src'], on: /^embed src$/ }, args: [0], as: 'address' },
  { fault: 'ui5/open-redirect', named: { how: 'set', names: ['href'], on: /^base href$/ }, args: [0], as: 'address' },

  // $("<div>", { html: text })
  {
    fault: 'ui5/xss-dom-sink',
    named: { how: 'call', names: ['jQuery', '$', 'jquery'], on: JQUERY },
    args: [1],
    onlyFields: true,
    fields: ['html', 'append', 'prepend'],
  },
  {
    fault: 'ui5/open-redirect',
    named: { how: 'call', names: ['jQuery', '$', 'jquery'], on: JQUERY },
    args: [1],
    onlyFields: true,
    fields: ['href', 'action'],
    as: 'address',
  },
  {
    fault: 'ui5/javascript-url',
    named: { how: 'call', names: ['jQuery', '$', 'jquery'], on: JQUERY },
    args: [1],
    only: { when: { index: 0, text: /^\s{0,20}<i?frame/i } },
    onlyFields: true,
    fields: ['src'],
    as: 'address',
  },

  {
    fault: 'ui5/client-request-dynamic-url',
    calls: [
      'global:fetch',
      'global:axios',
      ...'get post put patch delete request'.split(' ').flatMap((name) => [`module:axios ${name}`, `global:axios ${name}`]),
      'module:axios',
      'module:sap/base/util/LoaderExtensions loadResource',
      'global:navigator sendBeacon',
      ...SOCKETS,
      'global:importScripts',
    ],
    args: [0],
    as: 'address',
    fields: ['url', 'baseURL'],
  },
  {
    fault: 'ui5/client-request-dynamic-url',
    named: {
      how: 'call',
      names: ['ajax', 'get', 'post', 'getJSON', 'load', 'sjax', 'syncGet', 'syncGetText', 'syncGetJSON', 'syncPost'],
      on: /^(?:global:(?:jQuery|\$)|module:(?:sap\/ui\/thirdparty\/)?jquery)(?: sap)? \w+$/,
    },
    args: [0],
    as: 'address',
    fields: ['url'],
  },
  {
    fault: 'ui5/client-request-dynamic-url',
    named: {
      how: 'call',
      names: ['open'],
      on: /XMLHttpRequest new open$|(?:^|[: ])(?:o?[xX]hr|xmlHttp|xhttp|oRe?q(?:uest)?) open$/,
    },
    args: [1],
    as: 'address',
  },
  { fault: 'ui5/client-request-dynamic-url', named: { how: 'call', names: ['loadData'] }, args: [0], as: 'address' },
  // a text is the address of the data
  {
    fault: 'ui5/client-request-dynamic-url',
    calls: both('sap/ui/model/json/JSONModel new'),
    args: [0],
    as: 'address',
    needs: 'concatenated',
  },
  { fault: 'ui5/client-request-dynamic-url', named: { how: 'call', names: ['load'], on: ON_JQUERY }, args: [0], as: 'address' },
  {
    fault: 'ui5/client-request-dynamic-url',
    calls: both('sap/ui/model/odata/v2/ODataModel new\nsap/ui/model/odata/v4/ODataModel new\nsap/ui/model/odata/ODataModel new'),
    args: [0],
    as: 'address',
    fields: ['serviceUrl'],
  },
]
