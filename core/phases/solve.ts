import { createBudget, StopSignal } from '../budget.ts'
import {
  listenedArrivals,
  solve,
  toHits,
  toModelFlow,
  toUnknownModels,
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
import { createRowReader, withModel } from './handled-events.ts'
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
  for (const [root, files] of [...serverApps(models), ...browserApps(models)]) yield* solveApp(root, files, context)
}

function solveApp(root: string, files: readonly LinkedFile[], { findings, control }: ScanContext): Iterable<FlowHit> {
  const nodes = files.reduce((sum, { flow }) => sum + flow.nodes.length / 2, 0)
  const budget = createBudget(APP_STEPS + STEPS_PER_NODE * nodes, control.interruption)
  try {
    const { arrivals, isWhole } = solve(files, budget)
    if (!isWhole) findings.notice({ code: 'time-limit', reason: 'flow', args: { app: root }, partial: true })
    return toHits([...arrivals, ...listenedArrivals(arrivals, files)], files)
  } catch (error) {
    if (!(error instanceof StopSignal) || error.reason === 'cancelled') throw error
    if (error.reason === 'time') findings.outOfTime()
    else findings.notice({ code: 'time-limit', reason: 'flow', args: { app: root }, partial: true })
    return []
  }
}

/** The files of one app, by its root. */
type AppFiles = readonly [root: string, files: readonly LinkedFile[]]

function serverApps({ files, capRoots }: ProjectModels): AppFiles[] {
  const rootOf = new Map(capRoots.flatMap((root) => root.files.map(({ path }) => [path, root] as const)))
  const rowsOf = createRowReader()
  const linked = linkedFiles(files.values(), 'server').map((file) => withModel(file, rootOf.get(file.path), rowsOf))
  return [...groupBy(linked, ({ path }) => rootOf.get(path)?.root ?? '')]
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
