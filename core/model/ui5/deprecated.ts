import { pathOf } from '../../facts/index.ts'
import type { CallValue, ScriptFacts } from '../../facts/types.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { at, itemsOf, membersOf, stringOf } from '../../parse/data.ts'
import type { Place, Span } from '../../types.ts'
import { settingOf } from './pages.ts'
import type { Ui5App } from './types.ts'

/** Deprecated libraries of SAPUI5 and OpenUI5. Facts: SAPUI5, "Deprecated Themes and Libraries"; API reference, "deprecated". */
export const DEPRECATED_LIBRARIES: ReadonlySet<string> = new Set(
  (
    'sap.ca.scfld.md sap.ca.ui sap.landvisz sap.makit sap.me sap.ui.commons sap.ui.suite sap.ui.ux3 sap.ui.vtm sap.uiext.inbox ' +
    'sap.webanalytics.core sap.zen.commons sap.zen.crosstab sap.zen.dsh'
  ).split(' '),
)

/** Where an app uses a library: the most telling place first. */
export interface LibraryUse {
  readonly library: string
  readonly at: Place
}

/** How a script loads a module of one, or makes a control of one; metadata and comments name them as well. */
const NAMES =
  /(?:["'`]sap\/|\b(?:require\(\s{0,40}["'`]|new\s{1,20})sap\.)(?:ca[./](?:ui|scfld)|landvisz|makit|me[./"']|ui[./](?:commons|suite|ux3|vtm)|uiext[./]inbox|webanalytics|zen[./])/

/** Modules and controls of deprecated libraries that a script loads or makes. */
export const deprecatedUses: Extract<Span & { readonly library: string }> = defineExtract({
  name: 'ui5-deprecated-uses',
  keywords: [
    'sap/ca/',
    'sap/landvisz',
    'sap/makit',
    'sap/me/',
    'sap/ui/commons',
    'sap/ui/suite',
    'sap/ui/ux3',
    'sap/ui/vtm',
    'sap/uiext',
    'sap/webanalytics',
    'sap/zen/',
    'sap.ca.',
    'sap.makit',
    'sap.ui.commons',
    'sap.ui.ux3',
    'sap.uiext',
  ],
  prefilter: (text) => NAMES.test(text),
  inPages: true,
  collect: ({ facts }) => firstUses(facts),
})

/** The deprecated libraries that an app uses, each once: what manifest, ui5.yaml, pages and views name, then what scripts load. Needs the extract
 *  `deprecatedUses`. */
export function* findDeprecatedLibraries(app: Ui5App): Generator<LibraryUse> {
  const told = new Set<string>()
  for (const use of usesIn(app)) {
    // the library itself, among its own files
    if (told.has(use.library) || app.id === use.library || use.at.file.includes(`${use.library.replaceAll('.', '/')}/`)) continue
    told.add(use.library)
    yield use
  }
}

function* usesIn(app: Ui5App): Generator<LibraryUse> {
  const { manifest } = app
  if (manifest !== undefined) {
    for (const { key, keySpan } of membersOf(at(manifest.root, 'sap.ui5', 'dependencies', 'libs')))
      if (DEPRECATED_LIBRARIES.has(key)) yield { library: key, at: { file: manifest.file, span: keySpan } }
  }
  for (const { file, root } of app.tooling) {
    for (const item of itemsOf(at(root, 'framework', 'libraries'))) {
      const name = at(item, 'name')
      const library = stringOf(name)
      if (name !== undefined && library !== undefined && DEPRECATED_LIBRARIES.has(library))
        yield { library, at: { file, span: name } }
    }
  }
  for (const { test, bootstrap } of app.pages) {
    const setting = test ? undefined : settingOf(bootstrap, 'libs')
    for (const written of (setting?.value ?? '').slice(0, 10_000).split(',')) {
      const library = written.trim()
      if (setting !== undefined && DEPRECATED_LIBRARIES.has(library)) yield { library, at: setting.at }
    }
  }
  for (const { file, test, namespaces } of app.views) {
    if (test) continue
    for (const { name, at } of namespaces) {
      const library = libraryOf(name)
      if (library !== undefined) yield { library, at: { file, span: at } }
    }
  }
  for (const { file, value } of app.scripts.get(deprecatedUses)) {
    const { library, start, end } = value
    yield { library, at: { file, span: { start, end } } }
  }
}

/** The first use of each library: it is the one that is shown. */
function* firstUses(facts: ScriptFacts): Generator<Span & { readonly library: string }> {
  const seen = new Set<string>()
  for (const use of usesInScript(facts)) {
    if (seen.has(use.library)) continue
    seen.add(use.library)
    yield use
  }
}

/** Modules that a script loads, then controls that it makes by their global names. */
function* usesInScript({ imports, calls, globals }: ScriptFacts): Generator<Span & { readonly library: string }> {
  for (const { source, start, end } of imports) {
    const library = libraryOf(source.replaceAll('/', '.'))
    if (library !== undefined) yield { library, start, end }
  }
  if (!globals.has('sap')) return
  for (const call of calls) {
    const library = libraryOf(madeBy(call))
    if (library !== undefined) yield { library, start: call.callee.start, end: call.callee.end }
  }
}

/** The global name of what is made: `sap.ui.commons.Button`; '' for anything else. */
function madeBy({ kind, callee }: CallValue): string {
  const [root, ...steps] = kind === 'new' ? (pathOf(callee) ?? []) : []
  return root === 'global:sap' ? ['sap', ...steps].join('.') : ''
}

/** The deprecated library that a namespace or a module lies in. */
function libraryOf(name: string): string | undefined {
  for (const library of DEPRECATED_LIBRARIES) if (isOf(library, name)) return library
  return undefined
}

function isOf(library: string, name: string): boolean {
  return name.startsWith(library) && (name.length === library.length || name[library.length] === '.')
}
