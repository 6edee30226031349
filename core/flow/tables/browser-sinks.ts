import type { SinkRow } from './sinks.ts'

const ALL = [0, 1, 2, 3]
const JQUERY = /^(?:global:(?:jQuery|\$)|module:(?:sap\/ui\/thirdparty\/)?jquery)$/
/** What jQuery has found or made: by its calls, by the method of controls, by the name that such things are given. */
const ON_JQUERY =
  /^(?:global:(?:jQuery|\$)|module:(?:sap\/ui\/thirdparty\/)?jquery) \(\)|(?:^| )\$ \(\)|(?:^|[: ])_?\$\w{1,60} (?:\S+ \(\) )*\w+$|(?:^| )(?:jQuery|\$[A-Za-z]\w{0,60}) /
const ON_DOCUMENT = /^global:document |(?:^| )(?:document|contentDocument|ownerDocument) \w+$|^\w+:(?:o?[dD]oc(?:ument)?) \w+$/
const ON_LOCATION = /(?:^|[: ])location(?: (?:href|assign|replace))?$/

const log = (names: string): string[] =>
  [
    'module:sap/base/Log',
    'global:jQuery sap log',
    'global:$ sap log',
    'global:sap base Log',
    'module:jquery.sap.global log',
  ].flatMap((at) => [at, `${at} getLogger ()`].flatMap((logger) => names.split(' ').map((name) => `${logger} ${name}`)))
const both = (paths: string): string[] =>
  paths.split('\n').flatMap((line) => {
    const path = line.trim()
    // a class by its module, and by its name
    return path === '' ? [] : [`module:${path}`, `global:${path.replaceAll('/', ' ')}`]
  })

/** What runs in a browser and must not get data of others. Facts: DOM and HTML standards; API reference of SAPUI5 1.136; jQuery 3.7. */
export const BROWSER_SINKS: readonly SinkRow[] = [
  { fault: 'ui5/xss-dom-sink', named: { how: 'set', names: ['innerHTML', 'outerHTML', 'srcdoc'] }, args: [0] },
  { fault: 'ui5/xss-dom-sink', named: { how: 'call', names: ['insertAdjacentHTML'] }, args: [1] },
  {
    fault: 'ui5/xss-dom-sink',
    named: { how: 'call', names: ['createContextualFragment', 'parseHTML', 'setHTMLUnsafe'] },
    args: [0],
  },
  { fault: 'ui5/xss-dom-sink', named: { how: 'call', names: ['write', 'writeln'], on: ON_DOCUMENT }, args: ALL },
  { fault: 'ui5/xss-dom-sink', named: { how: 'call', names: ['appendChild', 'insertBefore', 'replaceChildren'] }, args: [0] },
  {
    fault: 'ui5/xss-dom-sink',
    named: { how: 'call', names: ['setAttribute', 'attr', 'prop'] },
    args: [1],
    when: { index: 0, text: /^(?:srcdoc|on[a-z]+|innerHTML|outerHTML)$/i },
  },
  {
    fault: 'ui5/xss-dom-sink',
    named: {
      how: 'call',
      names: ['html', 'append', 'prepend', 'after', 'before', 'replaceWith', 'wrap', 'wrapAll', 'wrapInner'],
      on: ON_JQUERY,
    },
    args: [0],
  },
  {
    fault: 'ui5/xss-dom-sink',
    named: { how: 'call', names: ['jQuery', '$', 'jquery'], on: JQUERY },
    args: [0],
    beginsWithTag: true,
  },

  {
    fault: 'ui5/webcomponents-raw-html',
    named: { how: 'attribute', names: ['dangerouslySetInnerHTML'] },
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
    named: { how: 'call', names: ['()'], on: /(?:^|[: ])(?:Handlebars|handlebars|doT|dot) (?:compile|template) \(\)$/ },
    args: [0],
    isDeep: true,
  },
  {
    fault: 'ui5/template-engine-raw',
    named: { how: 'call', names: ['render', 'to_html'], on: /(?:^|[:/ ])[Mm]ustache(?:\.js)? (?:render|to_html)$/ },
    args: [1],
    isDeep: true,
  },
  {
    fault: 'ui5/template-engine-raw',
    named: { how: 'call', names: ['()'], on: /(?:^global:_|lodash|underscore) template \(\)$/ },
    args: [0],
    isDeep: true,
  },

  { fault: 'ui5/open-redirect', named: { how: 'set', names: ['location', 'href'], on: ON_LOCATION }, args: [0], isAddress: true },
  {
    fault: 'ui5/open-redirect',
    named: { how: 'call', names: ['assign', 'replace'], on: ON_LOCATION },
    args: [0],
    isAddress: true,
  },
  { fault: 'ui5/open-redirect', calls: ['global:open'], args: [0], isAddress: true },
  {
    fault: 'ui5/open-redirect',
    named: { how: 'call', names: ['redirect'], on: /(?:^| )URLHelper redirect$|URLHelper redirect$/ },
    args: [0],
    isAddress: true,
  },
  {
    fault: 'ui5/open-redirect',
    named: { how: 'set', names: ['href'], on: /(?:createElement \(\)|(?:^|[: ])(?:o?[lL]ink|o?[aA]nchor|a|el?)) href$/ },
    args: [0],
    isAddress: true,
  },
  {
    fault: 'ui5/open-redirect',
    named: { how: 'set', names: ['src'], on: /(?:[iI]?[fF]rame)\w{0,20} src$/ },
    args: [0],
    isAddress: true,
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
      'global:EventSource new',
      'global:WebSocket new',
      'global:importScripts',
    ],
    args: [0],
    isAddress: true,
    fields: ['url', 'baseURL'],
  },
  {
    fault: 'ui5/client-request-dynamic-url',
    named: {
      how: 'call',
      names: ['ajax', 'get', 'post', 'getJSON', 'getScript', 'load', 'sjax', 'syncGet', 'syncGetText', 'syncGetJSON', 'syncPost'],
      on: /^(?:global:(?:jQuery|\$)|module:(?:sap\/ui\/thirdparty\/)?jquery)(?: sap)? \w+$/,
    },
    args: [0],
    isAddress: true,
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
    isAddress: true,
  },
  { fault: 'ui5/client-request-dynamic-url', named: { how: 'call', names: ['loadData'] }, args: [0], isAddress: true },
  {
    fault: 'ui5/client-request-dynamic-url',
    calls: both('sap/ui/model/odata/v2/ODataModel new\nsap/ui/model/odata/v4/ODataModel new\nsap/ui/model/odata/ODataModel new'),
    args: [0],
    isAddress: true,
    fields: ['serviceUrl'],
  },

  {
    fault: 'ui5/dynamic-module-name',
    calls: [
      'global:sap ui require',
      'global:sap ui requireSync',
      'global:jQuery sap require',
      'global:$ sap require',
      'global:sap ui xmlfragment',
      'global:sap ui jsfragment',
      'global:sap ui fragment',
      'global:sap ui htmlfragment',
    ],
    args: [0, 1],
    isAddress: true,
    isDeep: true,
  },
  {
    fault: 'ui5/dynamic-module-name',
    calls: [
      ...both(
        'sap/ui/core/Fragment load\nsap/ui/core/mvc/XMLView create\nsap/ui/core/mvc/View create\nsap/ui/core/Component create\nsap/ui/core/Component load\nsap/ui/core/ComponentContainer new\nsap/base/i18n/ResourceBundle create\nsap/ui/model/resource/ResourceModel new',
      ),
      'global:sap ui component',
      'global:sap ui view',
      'global:sap ui xmlview',
      'global:sap ui controller',
      'global:jQuery sap resources',
      'module:sap/ui/core/Fragment',
    ],
    args: [0],
    onlyFields: true,
    fields: ['name', 'url', 'manifest', 'viewName', 'fragmentName', 'component', 'bundleUrl', 'bundleName', 'controllerName'],
    isAddress: true,
  },
  {
    fault: 'ui5/dynamic-module-name',
    named: { how: 'call', names: ['loadFragment', 'runAsOwner'] },
    args: [0],
    onlyFields: true,
    fields: ['name'],
    isAddress: true,
  },
  {
    fault: 'ui5/dynamic-module-name',
    named: { how: 'call', names: ['includeScript', 'includeStyleSheet', 'includeStylesheet'] },
    args: [0],
    fields: ['url'],
    isAddress: true,
  },
  {
    fault: 'ui5/dynamic-module-name',
    named: { how: 'call', names: ['registerResourcePath', 'registerModulePath'] },
    args: [1],
    isAddress: true,
    fields: ['url'],
  },
  { fault: 'ui5/dynamic-module-name', calls: ['global:sap ui loader config'], args: [0], isDeep: true, isAddress: true },
  { fault: 'ui5/dynamic-module-name', named: { how: 'call', names: ['import'] }, args: [0], isAddress: true },
  {
    fault: 'ui5/dynamic-module-name',
    named: { how: 'set', names: ['src'], on: /[sS]cript\w{0,20} src$/ },
    args: [0],
    isAddress: true,
  },

  {
    fault: 'ui5/odata-filter-injection',
    named: {
      how: 'call',
      names: ['read', 'update', 'remove', 'create', 'callFunction', 'bindList', 'bindContext', 'bindProperty'],
      on: /(?:getModel \(\)|ODataModel new|[mM]odel) \w+$/,
    },
    args: [0],
    needs: 'concatenated',
  },
  {
    fault: 'ui5/odata-filter-injection',
    named: { how: 'call', names: ['bindElement', 'bindObject'] },
    args: [0],
    fields: ['path'],
    needs: 'concatenated',
  },
  {
    fault: 'ui5/odata-filter-injection',
    named: { how: 'set', names: ['$filter', '$search', '$orderby', '$expand'] },
    args: [0],
    needs: 'concatenated',
  },
  {
    fault: 'ui5/odata-filter-injection',
    named: { how: 'call', names: ['read', 'bindList', 'bindContext', 'changeParameters', 'callFunction'] },
    args: [0, 1, 4],
    onlyFields: true,
    fields: ['$filter', '$search', '$orderby'],
    needs: 'concatenated',
  },

  {
    fault: 'ui5/formula-injection',
    calls: both('sap/ui/core/util/File save'),
    args: [0],
    when: { index: 2, text: /^(?:csv|tsv|xls|json)$/i },
  },
  {
    fault: 'ui5/formula-injection',
    calls: ['global:Blob new', 'global:File new'],
    args: [0],
    isDeep: true,
    when: { index: 1, text: /csv|ms-excel|tab-separated/i },
  },
  { fault: 'ui5/path-injection', calls: both('sap/ui/core/util/File save'), args: [1] },
  {
    fault: 'ui5/path-injection',
    named: {
      how: 'call',
      names: ['put', 'get', 'remove', 'setItem', 'getItem', 'removeItem'],
      on: /^(?:module:sap\/ui\/util\/Storage|global:(?:jQuery|\$) sap storage|global:(?:localStorage|sessionStorage)) /,
    },
    args: [0],
  },

  { fault: 'ui5/log-injection', calls: log('fatal error warning info debug trace'), args: ALL },
  {
    fault: 'ui5/log-injection',
    calls: 'log info warn error debug trace'.split(' ').map((name) => `global:console ${name}`),
    args: ALL,
  },
  {
    fault: 'ui5/log-injection',
    named: {
      how: 'call',
      names: ['assert'],
      on: /^(?:module:sap\/base\/assert|global:(?:jQuery|\$) sap assert|global:console assert)$/,
    },
    args: [1],
  },

  {
    fault: 'ui5/log-injection-to-backend',
    calls: ['global:fetch', 'global:navigator sendBeacon'],
    args: [0, 1],
    isDeep: true,
    needs: 'logged',
  },
  {
    fault: 'ui5/log-injection-to-backend',
    named: { how: 'call', names: ['ajax', 'post', 'get', 'sjax', 'send', 'open', 'create', 'callFunction'] },
    args: [0, 1],
    isDeep: true,
    needs: 'logged',
  },

  {
    fault: 'ui5/eval',
    calls: [
      'global:eval',
      'global:execScript',
      'global:Function',
      'global:Function new',
      'global:jQuery globalEval',
      'global:$ globalEval',
      'global:jQuery sap globalEval',
      'global:$ sap globalEval',
      'module:sap/ui/thirdparty/jquery globalEval',
      'module:jquery.sap.global globalEval',
      'global:setTimeout',
      'global:setInterval',
    ],
    args: [0],
    isWholeCall: true,
  },
  { fault: 'ui5/eval', calls: ['global:Function', 'global:Function new'], args: [1, 2, 3], isWholeCall: true },
  {
    fault: 'ui5/eval',
    calls: ['global:eval call', 'global:Function call', 'global:Function apply', 'global:eval apply'],
    args: [1],
    isWholeCall: true,
    isDeep: true,
  },
]
