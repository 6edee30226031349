import type { KeywordHits } from '../keywords/index.ts'
import type { FileKind } from '../files.ts'
import { HANDLER_PACKAGES } from '../model/cap/index.ts'
import { holdsMarkup, MARKUP_KEYWORDS, mayHoldMarkup } from '../model/ui5/index.ts'
import { ROUTING_PACKAGES } from '../server-frameworks.ts'
import { ANSWER_KEYWORDS, BROWSER_SINK_KEYWORDS } from './solve/danger.ts'
import { CALLBACK_OBJECTS, CALLBACK_PACKAGES } from './models/callback-sources.ts'
import type { Realm } from './types.ts'

const EXPRESS = 'express'
/** No expression, and nothing that is expressed. */
const NAMES_EXPRESS = /express(?!i(?:on|ve|ng)|ed\b|es\b|ly\b)/i

/** Words of scripts that run on a server: their data flow is looked at. */
const SERVER_FLOW_KEYWORDS: readonly string[] = [
  '@sap/cds',
  '@sap/approuter',
  'cds.',
  'module.exports',
  'exports.',
  ...ROUTING_PACKAGES,
  'child_process',
  "'fs'",
  '"fs"',
  'fs/promises',
  'node:fs',
  'node:vm',
  'node:http',
  'axios',
  'node-fetch',
  'undici',
  '@sap-cloud-sdk',
  '@nestjs/',
  'routing-controllers',
  'tsoa',
  ...HANDLER_PACKAGES,
  '$.request',
  '$.response',
  ...CALLBACK_PACKAGES,
]

/** Words of scripts that run in a browser: these, and what they read from the page, from models and from other users. */
const BROWSER_FLOW_KEYWORDS: readonly string[] = [
  ...BROWSER_SINK_KEYWORDS,
  'location.',
  'location =',
  'location=',
  'location)',
  'location,',
  'location;',
  'URLSearchParams',
  'UriParameters',
  'getHash',
  'document.referrer',
  'document.URL',
  'document.cookie',
  'window.name',
  'navigation.currentEntry',
  'navigation.activation',
  'performance.getEntriesByType',
  'BarcodeDetector',
  'navigator.contacts',
  'startupParameters',
  'getComponentData',
  'onmessage',
  '("message"',
  "('message'",
  'localStorage',
  'sessionStorage',
  'util/Storage',
  'sap.storage',
  'getModel(',
  'setModel(',
  'JSONModel',
  'ODataModel',
  'fetch(',
  '.ajax(',
  'DataTable(',
  'XMLHttpRequest',
  'getJSON',
  'useState',
  'writeControlData',
  'Handlebars',
  'Mustache',
  '_.template',
  'window.open',
  'addLogListener',
  'EventBus',
  'File.save',
  '.attr("href"',
  ".attr('href'",
  '.attr("src"',
  ".attr('src'",
  '.style(',
  'm.write(',
  'writeAttribute(',
  'getBindingContext(',
  'registerModulePath',
  'registerResourcePath',
  'resourceBundle(',
  'ResourceBundle.create',
  'Properties.create',
  'LitElement',
  'useRef',
  'core.util.File',
  'core/util/File',
  'new Blob',
  'loadFragment',
  'Component.create',
  'bindElement',
  '$filter',
  'jQuery.sap.declare',
  '$.fn',
  'jQuery.fn',
  ...CALLBACK_OBJECTS,
]

/** Words of what an app is made of: modules that hand values on, controls, controllers. */
const MODULE_KEYWORDS: readonly string[] = ['import', 'export ']
const APP_KEYWORDS: readonly string[] = ['sap.ui.', ...MODULE_KEYWORDS, 'jQuery.sap', 'document', 'window']

/** `whole`: every script that may take part in a flow; `sinks`: of browser scripts those alone that hold a dangerous call; `none`: no rule asks for flows. */
export type FlowExtent = 'whole' | 'sinks' | 'none'

/** In large projects. */
const LARGE_KEYWORDS: readonly string[] = [...BROWSER_SINK_KEYWORDS, ...ANSWER_KEYWORDS]
const WHOLE_KEYWORDS: readonly string[] = [...BROWSER_FLOW_KEYWORDS, ...APP_KEYWORDS]

const SERVER_FOLDERS = /(?:^|\/)(?:srv|server|backend|api|lib|handlers?)\//
const BROWSER_FOLDERS = /(?:^|\/)(?:webapp|WebContent)\//

/** Where a script may run with data of others in it, as far as its path and its words tell. None: its data flow is not collected. Tests run nowhere. */
export function flowRealmsOf(
  path: string,
  { language, test }: FileKind,
  hits: KeywordHits,
  text: string,
  extent: FlowExtent,
  isOfServer: boolean,
): readonly Realm[] {
  if (extent === 'none' || test || (language !== 'script' && language !== 'html')) return []
  const isPage = language === 'html' || BROWSER_FOLDERS.test(path)
  const inServer =
    !isPage &&
    ((isOfServer && MODULE_KEYWORDS.some((keyword) => hits.has(keyword))) ||
      SERVER_FOLDERS.test(path) ||
      SERVER_FLOW_KEYWORDS.some((keyword) => hits.has(keyword) && (keyword !== EXPRESS || NAMES_EXPRESS.test(text))))
  const whole = language === 'html' ? BROWSER_FLOW_KEYWORDS : WHOLE_KEYWORDS
  const words = extent === 'whole' ? whole : LARGE_KEYWORDS
  const isMarkup = extent === 'whole' ? mayHoldMarkup : holdsMarkup
  const inBrowser =
    words.some((keyword) => hits.has(keyword)) || (MARKUP_KEYWORDS.some((keyword) => hits.has(keyword)) && isMarkup(text, hits))
  return [...(inServer ? (['server'] as const) : []), ...(inBrowser ? (['browser'] as const) : [])]
}

/** What the phase *read* looks for before it parses. */
export const FLOW_KEYWORDS: readonly string[] = [...SERVER_FLOW_KEYWORDS, ...WHOLE_KEYWORDS, ...MARKUP_KEYWORDS]
