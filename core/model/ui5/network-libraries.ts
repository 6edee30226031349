import type { Scripts } from '../../extracts/scripts.ts'
import type { ProjectFile } from '../../files.ts'
import { at, itemsOf, stringOf } from '../../parse/data.ts'
import { attributeOf, elementsOf } from '../../parse/markup.ts'
import type { Place } from '../../types.ts'
import { isDeveloperFile, isToolFile } from '../script/index.ts'
import { readRemote } from './addresses.ts'
import { scriptLoads } from './loads.ts'

/** A library that a page loads from a network, in the version that the address names. */
export interface NetworkLibrary {
  /** Its name at npm. */
  readonly package: string
  readonly version: string
  readonly host: string
  readonly at: Place
}

/**
 * Networks by their hosts: what an address says of a library, its name first. Facts: cdnjs ("/ajax/libs/:library/:version/:file"), jsDelivr and UNPKG (documentation of
 * the addresses of npm packages), Google Hosted Libraries, BootstrapCDN, code.jquery.com.
 */
const NETWORKS: readonly (readonly [host: RegExp, path: RegExp, names: 'npm' | 'cdnjs'])[] = [
  [/^cdn\.jsdelivr\.net$/, /^\/npm\/((?:@[\w.-]{1,60}\/)?[\w.-]{1,80})@(\d{1,4}\.\d{1,4}\.\d{1,4})(?:\/|$)/, 'npm'],
  [/^unpkg\.com$/, /^\/((?:@[\w.-]{1,60}\/)?[\w.-]{1,80})@(\d{1,4}\.\d{1,4}\.\d{1,4})(?:\/|$)/, 'npm'],
  [/^cdnjs\.cloudflare\.com$|^ajax\.googleapis\.com$/, /^\/ajax\/libs\/([\w.-]{1,80})\/(\d{1,4}\.\d{1,4}\.\d{1,4})\//, 'cdnjs'],
  [/^(?:(?:max|stackpath|netdna)cdn|stackpath)\.bootstrapcdn\.com$/, /^\/(bootstrap)\/(\d{1,4}\.\d{1,4}\.\d{1,4})\//, 'cdnjs'],
  [/^code\.jquery\.com$/, /^\/(jquery)-(\d{1,4}\.\d{1,4}\.\d{1,4})(?:\.slim)?(?:\.min)?\.js$/, 'cdnjs'],
]

/** Libraries by their names there, where these differ from those at npm. Facts: cdnjs API (`/libraries/<name>?fields=autoupdate`); Google Hosted Libraries, 2026-11. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['angular.js', 'angular'],
  ['angularjs', 'angular'],
  ['backbone.js', 'backbone'],
  ['Chart.js', 'chart.js'],
  ['ckeditor', 'ckeditor4'],
  ['handlebars.js', 'handlebars'],
  ['jquery-validate', 'jquery-validation'],
  ['jqueryui', 'jquery-ui'],
  ['lodash.js', 'lodash'],
  ['moment.js', 'moment'],
  ['mustache.js', 'mustache'],
  ['PapaParse', 'papaparse'],
  ['pdf.js', 'pdfjs-dist'],
  ['require.js', 'requirejs'],
  ['swagger-ui', 'swagger-ui-dist'],
  ['three.js', 'three'],
  ['twitter-bootstrap', 'bootstrap'],
  ['underscore.js', 'underscore'],
])

/** Those that have the same name at npm; of others nothing says that they are the package of that name. */
const SAME: ReadonlySet<string> = new Set(
  'axios bootstrap bootstrap-select bootstrap-table crypto-js dompurify exceljs highlight.js jquery jspdf jszip knockout markdown-it marked mermaid moment-timezone nunjucks pdfmake quill select2 showdown sweetalert2 tinymce vue xlsx'.split(
    ' ',
  ),
)

/**
 * Networks that have a file by its whole name alone: of another address they load nothing. UNPKG finds what is written without its extension.
 * Facts: jsDelivr, "Features" (`/npm/package@version/file`, without a file the default one, `/+esm`); cdnjs, "/ajax/libs/:library/:version/:file".
 */
const GIVES_WHOLE_NAMES = /^(?:cdn\.jsdelivr\.net|cdnjs\.cloudflare\.com)$/

/** What the address of a script says: undefined for what is no file, a style sheet, a range, or another host. */
function readNetworkLibrary(address: string): Omit<NetworkLibrary, 'at'> | undefined {
  const remote = readRemote(address)
  if (remote === undefined || /\.(?:css|map)$/i.test(remote.path)) return undefined
  const { host, path } = remote
  for (const [hosts, pattern, names] of NETWORKS) {
    const [start = '', name = '', version = ''] = hosts.test(host) ? (pattern.exec(path) ?? []) : []
    if (GIVES_WHOLE_NAMES.test(host) && isNoFile(path.slice(start.length))) return undefined
    const known = names === 'npm' ? name : (RENAMED.get(name) ?? (SAME.has(name) ? name : ''))
    if (known !== '') return { package: known, version, host }
  }
  return undefined
}

/** `dist/xlsx`, by the last part of what stands behind the version. */
function isNoFile(rest: string): boolean {
  const last = rest.slice(rest.lastIndexOf('/') + 1)
  return last !== '' && !/[.+]/.test(last)
}

/** Libraries that pages, scripts and descriptors of a project load from such networks; tests, tools and what developers alone open are left out. */
export function findNetworkLibraries(files: ReadonlyMap<string, ProjectFile>, scripts: Scripts): readonly NetworkLibrary[] {
  return [...addresses(files, scripts)].flatMap(({ address, at: place }) => {
    const found = readNetworkLibrary(address)
    return found === undefined ? [] : [{ ...found, at: place }]
  })
}

function* addresses(
  files: ReadonlyMap<string, ProjectFile>,
  scripts: Scripts,
): Generator<{ readonly address: string; readonly at: Place }> {
  for (const { path: file, kind, content, scope } of files.values()) {
    if (kind.test || scope !== 'all' || isForDevelopers(file)) continue
    if (content.as === 'markup' && kind.language === 'html') {
      for (const element of elementsOf(content.document)) {
        const source = element.localName === 'script' ? attributeOf(element, 'src') : undefined
        if (source !== undefined) yield { address: source.value.trim(), at: { file, span: source.valueSpan } }
      }
    } else if (content.as === 'data' && kind.role === 'manifest') {
      for (const item of itemsOf(at(content.roots[0], 'sap.ui5', 'resources', 'js'))) {
        const uri = at(item, 'uri')
        const address = stringOf(uri)
        if (uri !== undefined && address !== undefined) yield { address, at: { file, span: uri } }
      }
    }
  }
  for (const { file, value } of scripts.get(scriptLoads))
    if (!value.style && !isForDevelopers(file)) yield { address: value.address, at: { file, span: value.url } }
}

function isForDevelopers(path: string): boolean {
  return isDeveloperFile(path) || isToolFile(path)
}
