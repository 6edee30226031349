import { both } from './call-paths.ts'
import { ODATA_SINKS } from './odata-sinks.ts'
import { PAGE_SINKS } from './page-sinks.ts'
import type { SinkRow } from './sinks.ts'

const ALL = [0, 1, 2, 3]

const log = (names: string): string[] =>
  [
    'module:sap/base/Log',
    'global:jQuery sap log',
    'global:$ sap log',
    'global:sap base Log',
    'module:jquery.sap.global log',
  ].flatMap((at) => [at, `${at} getLogger ()`].flatMap((logger) => names.split(' ').map((name) => `${logger} ${name}`)))

const LOGS = [
  ...log('fatal error warning info debug trace'),
  ...'log info warn error debug trace'.split(' ').map((name) => `global:console ${name}`),
]

/** What loads modules, asks for data, saves, logs or runs text. Facts: API reference of SAPUI5 1.136; ECMAScript, eval. */
export const APP_SINKS: readonly SinkRow[] = [
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
    as: 'address',
    isDeep: true,
  },
  {
    fault: 'ui5/dynamic-module-name',
    calls: [
      ...both(
        'sap/ui/core/Fragment load\nsap/ui/core/mvc/XMLView create\nsap/ui/core/mvc/View create\nsap/ui/core/Component create\nsap/ui/core/Component load\nsap/ui/core/ComponentContainer new\nsap/base/i18n/ResourceBundle create\nsap/base/util/Properties create\nsap/ui/model/resource/ResourceModel new',
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
    as: 'address',
  },
  {
    fault: 'ui5/dynamic-module-name',
    named: { how: 'call', names: ['loadFragment', 'runAsOwner'] },
    args: [0],
    onlyFields: true,
    fields: ['name'],
    as: 'address',
  },
  // sap.ui.integration.widgets.Card: the manifest names the code of its extension
  { fault: 'ui5/dynamic-module-name', named: { how: 'call', names: ['setManifest'] }, args: [0], as: 'address' },
  {
    fault: 'ui5/dynamic-module-name',
    calls: both('sap/ui/integration/widgets/Card new'),
    args: [0, 1],
    onlyFields: true,
    fields: ['manifest'],
    as: 'address',
  },
  {
    fault: 'ui5/dynamic-module-name',
    named: { how: 'call', names: ['loadLibrary'] },
    args: [0, 1],
    fields: ['url', 'name'],
    as: 'address',
  },
  {
    fault: 'ui5/dynamic-module-name',
    calls: both('sap/ui/core/Lib load'),
    args: [0],
    onlyFields: true,
    fields: ['name', 'url'],
    as: 'address',
  },
  {
    fault: 'ui5/dynamic-module-name',
    named: { how: 'call', names: ['includeScript', 'includeStyleSheet', 'includeStylesheet'] },
    args: [0],
    fields: ['url'],
    as: 'address',
  },
  {
    fault: 'ui5/dynamic-module-name',
    named: { how: 'call', names: ['registerResourcePath', 'registerModulePath'] },
    args: [1],
    as: 'address',
    fields: ['url'],
  },
  { fault: 'ui5/dynamic-module-name', calls: ['global:sap ui loader config'], args: [0], isDeep: true, as: 'address' },
  { fault: 'ui5/dynamic-module-name', named: { how: 'call', names: ['import', 'getScript'] }, args: [0], as: 'address' },
  { fault: 'ui5/dynamic-module-name', calls: ['global:Worker new', 'global:SharedWorker new'], args: [0], as: 'address' },
  {
    fault: 'ui5/dynamic-module-name',
    named: { how: 'set', names: ['src'], on: /[sS]cript\w{0,20} src$/ },
    args: [0],
    as: 'address',
  },

  ...ODATA_SINKS,

  {
    fault: 'ui5/formula-injection',
    calls: both('sap/ui/core/util/File save'),
    args: [0],
    isDeep: true,
    only: { when: { index: 2, text: /^(?:csv|tsv|xls)$/i } },
  },
  {
    fault: 'ui5/formula-injection',
    calls: both('sap/ui/core/util/File save'),
    args: [0],
    isDeep: true,
    only: { when: { index: 2, text: /^json$/i } },
    detail: 'kept',
  },
  // what is kept may be exported later
  {
    fault: 'ui5/formula-injection',
    named: { how: 'call', names: ['put'], on: /^(?:module:sap\/ui\/util\/Storage|global:(?:jQuery|\$) sap storage)(?: |$)/ },
    args: [1],
    isDeep: true,
    only: { unlessNamed: 'stored' },
    detail: 'kept',
  },
  {
    fault: 'ui5/formula-injection',
    calls: ['global:Blob new', 'global:File new'],
    args: [0],
    isDeep: true,
    only: { when: { index: 1, text: /csv|ms-excel|tab-separated/i } },
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

  { fault: 'ui5/log-injection', calls: LOGS, args: ALL, only: { unlessNamed: 'logged' } },
  // a helper logs what another file hands to it
  {
    fault: 'ui5/sensitive-log',
    calls: LOGS,
    args: ALL,
    only: { unlessNamed: 'logged' },
    of: 'credential',
    isDeep: true,
    isForwarded: true,
  },
  {
    fault: 'ui5/token-in-web-storage',
    named: {
      how: 'call',
      names: ['put', 'setItem'],
      on: /^(?:module:sap\/ui\/util\/Storage|global:(?:jQuery|\$) sap storage|global:(?:window )?(?:localStorage|sessionStorage))(?: |$)/,
    },
    args: [1],
    only: { unlessNamed: 'stored' },
    of: 'credential',
    isDeep: true,
    isWholeCall: true,
  },
  // js-cookie 3 and jquery-cookie: the name, then the value
  {
    fault: 'ui5/token-in-web-storage',
    named: {
      how: 'call',
      names: ['set', 'cookie'],
      on: /^(?:(?:module:js-cookie(?: default)?|global:(?:window )?Cookies) set|global:(?:jQuery|\$) cookie)$/,
    },
    args: [1],
    only: { unlessNamed: 'stored' },
    of: 'credential',
    isDeep: true,
    isWholeCall: true,
  },
  {
    fault: 'ui5/token-in-web-storage',
    named: { how: 'set', names: ['cookie'], on: /^global:(?:window )?document cookie$/ },
    args: [0],
    only: { unlessNamed: 'stored' },
    of: 'credential',
    isDeep: true,
    isWholeCall: true,
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
    fields: ['body', 'data'],
    calls: ['global:fetch', 'global:navigator sendBeacon'],
    args: [0, 1],
    isDeep: true,
    isWholeCall: true,
    needs: 'logged',
  },
  {
    fault: 'ui5/log-injection-to-backend',
    fields: ['body', 'data', 'url', 'urlParameters'],
    named: { how: 'call', names: ['ajax', 'post', 'get', 'sjax', 'send', 'open', 'create', 'callFunction'] },
    args: [0, 1],
    isDeep: true,
    only: { isForeign: true },
    isWholeCall: true,
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
  {
    fault: 'ui5/eval',
    named: { how: 'set', names: ['text', 'textContent', 'innerText'], on: /[sS]cript\w{0,20} (?:text|textContent|innerText)$/ },
    args: [0],
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

/** What runs in a browser and must not get data of others. */
export const BROWSER_SINKS: readonly SinkRow[] = [...PAGE_SINKS, ...APP_SINKS]
