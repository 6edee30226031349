import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unzipSync, zipSync, type Zippable } from 'fflate'

/** Where packages and corpora are kept between runs; never committed. */
export const CACHE: string = new URL('./.cache/', import.meta.url).pathname

const VERSIONS = ['1.136.0', '1.128.0', '1.120.0'] as const
const LIBRARIES = [
  'sap.f',
  'sap.m',
  'sap.ui.commons',
  'sap.ui.core',
  'sap.ui.fl',
  'sap.ui.integration',
  'sap.ui.layout',
  'sap.ui.mdc',
  'sap.ui.table',
  'sap.ui.unified',
  'sap.ui.ux3',
  'sap.uxap',
] as const

export interface Corpus {
  readonly name: 'S' | 'M' | 'L'
  readonly files: number
  /** Bytes that it aims at; the real figure is told. */
  readonly bytes: number
}

export const CORPORA: readonly Corpus[] = [
  { name: 'S', files: 50, bytes: 240_000 },
  { name: 'M', files: 500, bytes: 4_600_000 },
  { name: 'L', files: 5000, bytes: 81_000_000 },
]

interface Source {
  readonly path: string
  readonly bytes: Uint8Array
  readonly order: string
}

/** Another number makes new corpora where older ones are kept. */
const REVISION = 3

/** Published with its TypeScript sources. Sources of our own would change with what is measured, and hold the words of all rules. */
const TYPESCRIPT = 'rxjs@7.8.2'

/** Where a corpus lies once it is built. */
export function corpusPath(name: Corpus['name']): string {
  return join(CACHE, `${name}-${REVISION}.zip`)
}

/** Builds the ZIPs that are missing and gives their paths. Needs the npm registry the first time. */
export function buildCorpora(): Map<Corpus['name'], string> {
  mkdirSync(CACHE, { recursive: true })
  const paths = new Map(CORPORA.map(({ name }) => [name, corpusPath(name)]))
  if ([...paths.values()].every((path) => existsSync(path))) return paths
  const sources = VERSIONS.flatMap((version) => LIBRARIES.flatMap((library) => readLibrary(library, version)))
  sources.sort((a, b) => (a.order < b.order ? -1 : 1))
  const typed = readTypeScript()
  for (const corpus of CORPORA) {
    const files: Zippable = {}
    for (const { path, bytes } of [...pick(sources, typed, corpus), ...descriptors()]) files[path] = [bytes, { level: 6 }]
    writeFileSync(paths.get(corpus.name) ?? '', zipSync(files))
  }
  return paths
}

/** A corpus as a folder of its own, to be removed by who asked for it. */
export function unpackCorpus(name: Corpus['name']): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parapet-corpus-')))
  const zip = buildCorpora().get(name) ?? ''
  for (const [path, bytes] of Object.entries(unzipSync(readFileSync(zip)))) {
    if (path.endsWith('/')) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  return folder
}

/** The sources of a library, laid out as the code of an application. */
function readLibrary(library: string, version: string): Source[] {
  const root = join(unpack(`@openui5/${library}@${version}`, `${library}-${version}`), 'src', ...library.split('.'))
  return walk(root).flatMap((path): Source[] => {
    // third-party code is nobody's application code; in a project it would be looked through for secrets alone
    if (!/\.(?:js|ts|xml|json|properties|html)$/.test(path) || /thirdparty|\/test|\/qunit/i.test(path)) return []
    // nobody's application has the texts of fifty languages, or the calendars of the world
    if (/(?:_(?!en\b|de\b|fr\b)\w+\.properties|^cldr\/.*)$/.test(path)) return []
    const bytes = withoutBanner(new Uint8Array(readFileSync(join(root, path))))
    const target = `apps/${library}-${version}/webapp/${path}`
    return [{ path: target, bytes, order: createHash('sha1').update(target).digest('hex') }]
  })
}

/** What UI5 is known by: with it a file would be looked through for secrets alone. */
const BANNER =
  /^\s*\/\*!?[^/]{0,20}(?:Open|SAP)UI5\b[^]{0,500}?\*\/\s*|^\s*\/\*!?[^/]{0,20}UI development toolkit for HTML5[^]{0,500}?\*\/\s*/

function withoutBanner(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(bytes)
  const [banner] = BANNER.exec(text) ?? []
  return banner === undefined ? bytes : new TextEncoder().encode(text.slice(banner.length))
}

/** Laid out as the code of an application too. */
function readTypeScript(): Source[] {
  const root = join(unpack(TYPESCRIPT, TYPESCRIPT), 'src')
  return walk(root).flatMap((path): Source[] => {
    if (!path.endsWith('.ts')) return []
    const target = `apps/typed/src/${path}`
    return [
      {
        path: target,
        bytes: new Uint8Array(readFileSync(join(root, path))),
        order: createHash('sha1').update(target).digest('hex'),
      },
    ]
  })
}

/** The folder of a published package, from the registry the first time. */
function unpack(spec: string, name: string): string {
  const folder = join(CACHE, name)
  if (!existsSync(folder)) {
    const pack = execFileSync('npm', ['pack', '--silent', spec, '--pack-destination', CACHE], { encoding: 'utf8' })
    mkdirSync(folder)
    execFileSync('tar', ['xzf', join(CACHE, pack.trim()), '-C', folder])
  }
  return join(folder, 'package')
}

function walk(root: string, below = ''): string[] {
  return readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    return entry.isDirectory() ? walk(root, path) : [path]
  })
}

/** As many files as wanted, in an order that has nothing to do with their content; one after the other gives way to one of the size that is missing.
 *  Up to a fifth of them are TypeScript, 200 at most. */
function pick(sources: readonly Source[], typed: readonly Source[], { files, bytes }: Corpus): readonly Source[] {
  const some = [...typed].sort((a, b) => (a.order < b.order ? -1 : 1)).slice(0, Math.min(200, Math.floor(files / 5)))
  const others = files - some.length
  const picked = [...some, ...sources.slice(0, others)]
  const rest = sources.slice(others).sort((a, b) => a.bytes.length - b.bytes.length)
  let missing = bytes - picked.reduce((sum, source) => sum + source.bytes.length, 0)
  picked.sort((a, b) => (a.bytes.length - b.bytes.length) * Math.sign(missing))
  for (let index = 0; index < picked.length && Math.abs(missing) > bytes / 100; index++) {
    const out = picked[index]
    const into = missing > 0 ? rest.pop() : rest.shift()
    if (out === undefined || into === undefined || (into.bytes.length - out.bytes.length) * missing <= 0) break
    picked[index] = into
    missing -= into.bytes.length - out.bytes.length
  }
  return picked
}

/** What makes it a UI5 and CAP project, so that every style of rule has something to do. */
function descriptors(): { path: string; bytes: Uint8Array }[] {
  const texts: Readonly<Record<string, string>> = {
    'package.json':
      '{ "name": "bench", "dependencies": { "@sap/cds": "^9" }, "cds": { "requires": { "auth": { "kind": "xsuaa" } } } }\n',
    'mta.yaml':
      '_schema-version: "3.1"\nID: bench\nversion: 1.0.0\nmodules:\n  - name: srv\n    type: nodejs\n    path: gen/srv\n',
    'xs-security.json':
      '{ "xsappname": "bench", "oauth2-configuration": { "redirect-uris": ["https://bench.example/login/callback"] } }\n',
    'approuter/xs-app.json': '{ "routes": [{ "source": "^/srv/(.*)$", "destination": "srv", "authenticationType": "xsuaa" }] }\n',
    'db/schema.cds':
      'namespace bench;\nentity Books { key ID : Integer; title : String; author : Association to Authors; }\nentity Authors { key ID : Integer; name : String; }\n',
    'srv/service.cds':
      "using bench from '../db/schema';\nservice Catalog @(requires: 'authenticated-user') { entity Books as projection on bench.Books; }\n",
    'srv/service.js':
      "const cds = require('@sap/cds')\nmodule.exports = (srv) => {\n  srv.on('READ', 'Books', async (req) => {\n    const { ID } = req.data\n    return SELECT.from('Books').where`ID = ${ID}`\n  })\n}\n",
    'apps/shop/webapp/manifest.json':
      '{ "sap.app": { "id": "bench.shop", "type": "application" }, "sap.ui5": { "rootView": "bench.shop.view.Main" } }\n',
    'apps/shop/webapp/index.html':
      '<!DOCTYPE html>\n<html><head><script id="sap-ui-bootstrap" src="https://ui5.sap.com/1.136.0/resources/sap-ui-core.js" data-sap-ui-frame-options="trusted"></script></head><body></body></html>\n',
    'apps/shop/webapp/view/Main.view.xml':
      '<mvc:View xmlns:mvc="sap.ui.core.mvc" xmlns="sap.m"><Text text="{/name}"/></mvc:View>\n',
  }
  return Object.entries(texts).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }))
}
