import { createBudget, StopSignal } from '../budget.ts'
import {
  listenedArrivals,
  solve,
  toHits,
  toModelFlow,
  toUnknownModels,
  withDecodings,
  withImported,
  withInstances,
  withObjects,
  withOwnObjects,
  withVariants,
  ui5Files,
  type DeclaredModel,
  type FileFlow,
  type FlowHit,
  type LinkedFile,
  type Realm,
} from '../flow/index.ts'
import { groupBy } from '../lists.ts'
import { manifestModelsOf, type ManifestModel, type Ui5App } from '../model/ui5/index.ts'
import type { ProjectModels } from '../rules/subjects.ts'
import { createRowReader, sentEvents, withModel } from './handled-events.ts'
import type { ScanContext } from './scan-context.ts'

/** Steps of one app: some for a small one, and more for each node of a large one; so a hostile app costs itself alone. */
const APP_STEPS = 1_000_000
const STEPS_PER_NODE = 20

/**
 * Follows data from where others choose it to where it must not arrive: app by app, since nothing flows between them. Hits come one by one, as they are
 * asked for: those of a hostile project would fill the memory before any limit on findings counted them.
 */
export function* solveFlows(models: ProjectModels, context: ScanContext): Iterable<FlowHit> {
  if (context.engine.on('flow').length === 0) return
  const apps = serverApps(models)
  const imported = new Set(apps.flatMap((app) => app.imported))
  const reported = new Set<string>()
  for (const { root, files, isHome } of apps)
    for (const hit of solveApp(root, files, context)) {
      const { origin, at, fault } = hit
      if (origin === 'unknown' && !isHome(at.file)) continue
      // a package that several apps import is followed in each of them
      const key = imported.has(at.file) ? `${fault} ${at.file} ${at.span?.start} ${origin === 'unknown'}` : undefined
      if (key !== undefined && reported.has(key)) continue
      if (key !== undefined) reported.add(key)
      yield hit
    }
  for (const [root, files] of browserApps(models))
    yield* solveApp(root, withVariants(withObjects(withInstances(withOwnObjects(files)))), context)
}

function solveApp(root: string, files: readonly LinkedFile[], { findings, control }: ScanContext): Iterable<FlowHit> {
  const nodes = files.reduce((sum, { flow }) => sum + flow.nodes.length / 2, 0)
  const budget = createBudget(APP_STEPS + STEPS_PER_NODE * nodes, control.interruption)
  try {
    const { arrivals, isWhole } = solve(files, budget)
    if (!isWhole) findings.notice({ code: 'time-limit', reason: 'flow', args: { app: root }, partial: true })
    return toHits([...withDecodings(arrivals, files), ...listenedArrivals(arrivals, files)], files)
  } catch (error) {
    if (!(error instanceof StopSignal) || error.reason === 'cancelled') throw error
    if (error.reason === 'time') findings.outOfTime()
    else findings.notice({ code: 'time-limit', reason: 'flow', args: { app: root }, partial: true })
    return []
  }
}

/** The files of one app, by its root. */
type AppFiles = readonly [root: string, files: readonly LinkedFile[]]

interface ServerApp {
  readonly root: string
  readonly files: readonly LinkedFile[]
  /** Whether what nobody in this app calls is called by nobody. */
  readonly isHome: (path: string) => boolean
  /** Files of other packages. */
  readonly imported: readonly string[]
}

/** What services import from other packages of the project is a part of each of their apps; of a package without services, of these alone. */
function serverApps({ files, capRoots }: ProjectModels): ServerApp[] {
  const rootOf = new Map(capRoots.flatMap((root) => root.files.map(({ path }) => [path, root] as const)))
  const rowsOf = createRowReader()
  const all = linkedFiles(files.values(), 'server')
  const byPath = new Map(all.map((file) => [file.path, file]))
  const groups = groupBy(all, ({ path }) => rootOf.get(path)?.root ?? '')
  const serving = new Map(capRoots.flatMap((root) => (root.services.length > 0 ? [[root.root, root] as const] : [])))
  const importedBy = new Map(
    [...groups].flatMap(([root, own]) => (serving.has(root) ? [[root, withImported(own, byPath)] as const] : [])),
  )
  const imported = new Set<string>()
  for (const [root, app] of importedBy) {
    const own = groups.get(root)?.length ?? 0
    for (const { path } of app.slice(own)) imported.add(path)
  }
  return [...groups].map(([root, own]) => {
    const home = serving.get(root)
    const begin = home === undefined ? own.filter(({ path }) => !imported.has(path)) : own
    const app = importedBy.get(root) ?? withImported(begin, byPath)
    const sent = sentEvents(app)
    return {
      root,
      imported: app.slice(begin.length).map(({ path }) => path),
      files: app.map((file) => {
        const model = rootOf.get(file.path)
        return withModel(file, model?.services.length === 0 ? (home ?? model) : (model ?? home), { rowsOf, sent })
      }),
      isHome: (path) => (rootOf.get(path)?.root ?? '') === root || !serving.has(rootOf.get(path)?.root ?? ''),
    }
  })
}

function browserApps({ files, ui5Apps }: ProjectModels): AppFiles[] {
  const appOf = new Map(ui5Apps.flatMap((app) => app.scriptFiles.map((path) => [path, app] as const)))
  const linked = groupBy(linkedFiles(files.values(), 'browser'), ({ path }) => appOf.get(path))
  const inApps = ui5Apps.map((app): AppFiles => {
    const own = (linked.get(app) ?? []).map((file) => ({ ...file, ...moduleOf(file.path, app) }))
    return [app.root, withModels(ui5Files(app, own), manifestModelsOf(app).map(toDeclared), app.manifest?.file)]
  })
  return [...inApps, ['', withModels(linked.get(undefined) ?? [], [], undefined)]]
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

function linkedFiles(files: Iterable<{ readonly path: string; readonly flow?: FileFlow }>, realm: Realm): LinkedFile[] {
  return [...files].flatMap(({ path, flow }) => (flow?.realm === realm ? [{ path, flow }] : []))
}

/** UI5 loads modules by the id of the app and their path below its manifest. */
function moduleOf(path: string, { id, manifest, root }: Ui5App): Pick<LinkedFile, 'module'> {
  const folder = manifest === undefined ? root : manifest.file.slice(0, Math.max(0, manifest.file.lastIndexOf('/')))
  if (id === undefined || !(folder === '' || path.startsWith(`${folder}/`))) return {}
  const own = path.slice(folder === '' ? 0 : folder.length + 1).replace(/\.[jt]sx?$/, '')
  return { module: `${id.replaceAll('.', '/')}/${own}` }
}
