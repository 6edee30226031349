import {
  resolveModule,
  toModelFlow,
  toUnknownModels,
  ui5Files,
  withImported,
  withOpenSinks,
  withOwnModels,
  type DeclaredModel,
  type LinkedFile,
} from '../flow/index.ts'
import { groupBy } from '../lists.ts'
import { fileNameOf, folderOf, isBelow } from '../paths.ts'
import { manifestModelsOf, moduleNameOf, type ManifestModel, type Ui5App } from '../model/ui5/index.ts'
import type { ProjectModels } from '../rules/subjects.ts'
import { linkedFiles, type FlowApp } from './flow-apps.ts'

/** The apps of UI5, each with what it loads from other libraries and components of the project, and the scripts that lie in none. */
export function browserApps({ files, ui5Apps }: ProjectModels): FlowApp[] {
  const appOf = new Map(ui5Apps.flatMap((app) => app.scriptFiles.map((path) => [path, app] as const)))
  const linked = groupBy(linkedFiles(files.values(), 'browser'), ({ path }) => appOf.get(path))
  const ownOf = new Map(ui5Apps.map((app) => [app, withModuleNames(linked.get(app) ?? [], app)] as const))
  const findShared = createSharedFinder(ownOf)
  const inApps = [...ownOf].map(([app, own]): FlowApp => {
    const imported = withImported(own, findShared(app), namedByViews(app)).slice(own.length)
    const paths = new Set(imported.map(({ path }) => path))
    return {
      root: app.root,
      files: withOwnModels(
        app,
        withModels(ui5Files(app, own, imported), manifestModelsOf(app).map(toDeclared), app.manifest?.file),
      ),
      isHome: (path) => !paths.has(path),
      imported: [...paths],
    }
  })
  const rest = withModels(linked.get(undefined) ?? [], [], undefined)
  return [...inApps, { root: '', files: rest, isHome: () => true, imported: [] }]
}

/** SAP's own libraries are known by their documentation. */
const OF_SAP = /^sap\//

/** Finds modules of other apps and libraries by their names, and what those name by its path. A name that several have is none. */
function createSharedFinder(
  ownOf: ReadonlyMap<Ui5App, readonly LinkedFile[]>,
): (app: Ui5App) => (from: string, source: string) => LinkedFile | undefined {
  const shared = new Map<string, { readonly app: Ui5App; readonly path: string } | undefined>()
  for (const [app, own] of ownOf)
    for (const { module, path } of own)
      if (module !== undefined && !OF_SAP.test(module)) shared.set(module, shared.has(module) ? undefined : { app, path })
  const openOf = new Map<Ui5App, ReadonlyMap<string, LinkedFile>>()
  const open = (app: Ui5App): ReadonlyMap<string, LinkedFile> => {
    const known = openOf.get(app)
    if (known !== undefined) return known
    const found = new Map(withOpenSinks(app, ownOf.get(app) ?? []).map((file) => [file.path, file]))
    openOf.set(app, found)
    return found
  }
  const homeOf = new Map([...ownOf].flatMap(([app, own]) => own.map(({ path }) => [path, app] as const)))
  return (app) => (from, source) => {
    const known = shared.get(source)
    if (known !== undefined) return known.app === app ? undefined : open(known.app).get(known.path)
    const home = homeOf.get(from)
    return home === undefined || home === app ? undefined : resolveModule(from, source, open(home))
  }
}

/** Modules of the controls in the views of an app, and of what these require. */
function* namedByViews({ views }: Ui5App): Generator<string> {
  for (const { requires, controls, test } of views) {
    if (test) continue
    yield* requires.values()
    for (const { type } of controls) yield type.replaceAll('.', '/')
  }
}

function withModels(files: readonly LinkedFile[], models: readonly DeclaredModel[], manifest: string | undefined): LinkedFile[] {
  const unknown = toUnknownModels(files, models, manifest !== undefined)
  return [
    ...files,
    ...(manifest === undefined ? [] : [toModelFlow(manifest, models)]),
    ...(unknown === undefined ? [] : [unknown]),
  ]
}

const FROM_BACKEND = /OData/i
const FROM_FILE = /\.(?:json|xml|properties)$/i
const ABSOLUTE = /^(?:\/|[a-z]+:)/i

/** Facts: documentation of SAPUI5, "Descriptor for Applications": the type of a data source is OData where nothing else is said. */
function toDeclared({ name, type, uri, at }: ManifestModel): DeclaredModel {
  const isData =
    type === undefined ||
    FROM_BACKEND.test(type) ||
    (uri !== undefined && !/resource/i.test(type) && (ABSOLUTE.test(uri) || !FROM_FILE.test(uri)))
  return { name, filledBy: isData && (uri !== undefined || type !== undefined) ? 'backend' : 'own', start: at.start, end: at.end }
}

/** Scripts with the names that others load them by: below the id of the manifest, or what the component of an older app calls itself. */
function withModuleNames(files: readonly LinkedFile[], app: Ui5App): readonly LinkedFile[] {
  const component = app.id === undefined && !app.isLibrary ? componentOf(files) : undefined
  return files.map((file) => {
    const module = component === undefined ? moduleNameOf(file.path, app) : moduleBeside(file.path, component)
    return module === undefined ? file : { ...file, module }
  })
}

interface OwnComponent {
  readonly folder: string
  readonly namespace: string
}

/** `UIComponent.extend("my.app.Component", …)` in the only Component.js. Fact: SAPUI5 documentation, "Components": its module is named like the class. */
function componentOf(files: readonly LinkedFile[]): OwnComponent | undefined {
  const [only, ...more] = files.filter(({ path }) => /^Component(?:-dbg)?\.js$/.test(fileNameOf(path)))
  const name = only?.flow.exports.classes.flatMap((one) => COMPONENT.exec(one.name)?.[1] ?? [])[0]
  if (only === undefined || name === undefined || more.length > 0) return undefined
  return { folder: folderOf(only.path), namespace: name.replaceAll('.', '/') }
}

const COMPONENT = /^global ([\w.]{1,200})\.Component$/

function moduleBeside(path: string, { folder, namespace }: OwnComponent): string | undefined {
  if (!isBelow(path, folder)) return undefined
  return `${namespace}/${path.slice(folder === '' ? 0 : folder.length + 1).replace(/\.[jt]sx?$/, '')}`
}
