import { pathOf } from '../../facts/index.ts'
import type { CallValue, ScriptFacts } from '../../facts/types.ts'
import type { KeepsFacts } from '../../files.ts'
import { isKeptBy } from '../kept-scripts.ts'
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

/** The deprecated libraries that an app uses, each once: what manifest, ui5.yaml, pages and views name, then what scripts load. */
export function* findDeprecatedLibraries(app: Ui5App): Generator<LibraryUse> {
  const told = new Set<string>()
  for (const use of usesIn(app, told)) {
    // the library itself, among its own files
    if (told.has(use.library) || app.id === use.library || use.at.file.includes(`${use.library.replaceAll('.', '/')}/`)) continue
    told.add(use.library)
    yield use
  }
}

/** Every use; scripts are not asked for libraries that were told: their facts may have to be made again. */
function* usesIn(app: Ui5App, told: ReadonlySet<string>): Generator<LibraryUse> {
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
  for (const script of app.scripts) {
    const { file, test } = script
    const asked = test ? [] : [...USES].filter(([library, uses]) => !told.has(library) && isKeptBy(script, uses))
    if (asked.length === 0) continue
    for (const { library, start, end } of usesInScript(script.facts)) yield { library, at: { file, span: { start, end } } }
  }
}

/** For each library whether a script loads or makes anything of it: `Rule.keeps`. */
const USES: ReadonlyMap<string, KeepsFacts> = new Map(
  Array.from(DEPRECATED_LIBRARIES, (library) => [
    library,
    ({ imports, calls, globals }: ScriptFacts) =>
      imports.some(({ source }) => isOf(library, source.replaceAll('/', '.'))) ||
      (globals.has('sap') && calls.some((call) => isOf(library, madeBy(call)))),
  ]),
)

export const USES_DEPRECATED: readonly KeepsFacts[] = [...USES.values()]

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
