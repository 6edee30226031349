import { createBudget, StopSignal, withinSteps } from '../budget.ts'
import {
  byRelativePath,
  listenedArrivals,
  solve,
  toHits,
  toRouteHits,
  withDecodings,
  withImported,
  withInstances,
  withObjects,
  withOwnObjects,
  withVariants,
  type FlowHit,
  type LinkedFile,
} from '../flow/index.ts'
import { groupBy } from '../lists.ts'
import { untilCancelled } from '../meter.ts'
import { plainElements } from '../model/cap/index.ts'
import { numericFields, numericNames } from '../model/script/index.ts'
import type { ProjectModels } from '../rules/subjects.ts'
import { browserApps } from './browser-apps.ts'
import { linkedFiles, type FlowApp } from './flow-apps.ts'
import { createBodyMarker, createRowReader, sentEvents, withModel, withTools } from './handled-events.ts'
import type { ScanContext } from './scan-context.ts'

/**
 * Steps of one app: some for a small one, and more for each node of a large one; so a hostile app costs itself alone. `@sap/cds` 9.9 takes 34 for each of its
 * 118,000 nodes until it was followed whole, `@sap/approuter` 21 takes 8, a UI5 app of 3.4 MB of controllers that share their models 44.
 */
const APP_STEPS = 1_000_000
const STEPS_PER_NODE = 60
/** Of one app again: for each sink the path to it is written down. Ten thousand paths of a hundred places take half of it. */
const TELLING_STEPS = 8_000_000

/**
 * Follows data from where others choose it to where it must not arrive: app by app, since nothing flows between them. Hits come one by one, as they are
 * asked for: those of a hostile project would fill the memory before any limit on findings counted them.
 */
export function* solveFlows(models: ProjectModels, context: ScanContext): Iterable<FlowHit> {
  if (context.engine.on('flow').length === 0) return
  const extents = new Map<string, FlowExtentOfApp>()
  let isDone = false
  try {
    const withBodies = createBodyMarker(models)
    yield* solveApps(serverApps(models), { prepare: (files) => withBodies(withTools(files, models.npm)) }, extents, context)
    const prepare: Preparation['prepare'] = (files) => withVariants(withObjects(withInstances(withOwnObjects(files))))
    let plain: ReadonlySet<string> | undefined
    const readPlain = () =>
      plainElements(models.capRoots, numericNames(models.scripts.get(numericFields).map(({ value }) => value)))
    const isPlain = (name: string): boolean => (plain ??= readPlain()).has(name)
    yield* solveApps(browserApps(models), { prepare, isPlain }, extents, context)
    isDone = true
  } finally {
    // whoever asked for hits has stopped before the last one, maybe since no step was left
    if (!isDone) context.meter.use(untilCancelled(context.control))
    const left = isDone ? [] : [...serverApps(models), ...browserApps(models)].filter(hasScripts)
    for (const name of left.map(({ root }) => nameOf(root, context))) if (!extents.has(name)) extents.set(name, 'none')
    tellExtents(extents, context)
  }
}

function hasScripts({ files }: FlowApp): boolean {
  return files.length > 0
}

/** How far the data of an app was followed: `none`, the time of the scan was over before. */
type FlowExtentOfApp = 'whole' | 'part' | 'none'
interface Preparation {
  readonly prepare: (files: readonly LinkedFile[]) => readonly LinkedFile[]
  readonly isPlain?: (name: string) => boolean
}

/** Where not all apps were followed to the end, which ones were. Why they were not, notices of their own say. */
function tellExtents(extents: ReadonlyMap<string, FlowExtentOfApp>, { findings }: ScanContext): void {
  const named = (wanted: FlowExtentOfApp): string =>
    listed([...extents].flatMap(([app, extent]) => (extent === wanted ? [app] : [])))
  if ([...extents.values()].every((extent) => extent === 'whole')) return
  const args = { whole: named('whole'), part: named('part'), none: named('none') }
  findings.notice({ code: 'time-limit', reason: 'flow-apps', args, partial: true })
}

/** Names in a notice; the others are counted. */
const MOST_NAMED = 20

function listed(names: readonly string[]): string {
  const left = names.length - MOST_NAMED
  return names.length === 0 ? '-' : [...names.slice(0, MOST_NAMED), ...(left > 0 ? [`+${left}`] : [])].join(', ')
}

/** An app by its folder; one that is the whole project by the project's name. */
function nameOf(root: string, { options, findings }: ScanContext): string {
  return root === '' ? findings.secrets.maskPath(options.projectName) : root
}

function* solveApps(
  apps: readonly FlowApp[],
  { prepare, isPlain }: Preparation,
  extents: Map<string, FlowExtentOfApp>,
  context: ScanContext,
): Iterable<FlowHit> {
  const imported = new Set(apps.flatMap((app) => app.imported))
  const reported = new Set<string>()
  for (const { root, files, isHome } of apps.filter(hasScripts)) {
    const app = nameOf(root, context)
    const other = extents.get(app)
    const tell = (extent: FlowExtentOfApp): void => void extents.set(app, lesser(other, extent))
    if (context.findings.isStopped()) {
      tell('none')
      continue
    }
    // until it is done
    tell('part')
    for (const hit of solveApp(app, prepare(files), { tell, isPlain }, context)) {
      const { origin, at, fault } = hit
      if (origin === 'unknown' && !isHome(at.file)) continue
      // a package that several apps import is followed in each of them
      const key = imported.has(at.file) ? `${fault} ${at.file} ${at.span?.start} ${origin === 'unknown'}` : undefined
      if (key !== undefined && reported.has(key)) continue
      if (key !== undefined) reported.add(key)
      yield hit
    }
  }
}

/** An app has a side on the server and one in the browser. */
function lesser(known: FlowExtentOfApp | undefined, told: FlowExtentOfApp): FlowExtentOfApp {
  if (known === undefined || known === told) return told
  return 'part'
}

function* solveApp(
  app: string,
  files: readonly LinkedFile[],
  { tell, isPlain }: { readonly tell: (extent: FlowExtentOfApp) => void; readonly isPlain: Preparation['isPlain'] },
  { findings, control }: ScanContext,
): Iterable<FlowHit> {
  const nodes = files.reduce((sum, { flow }) => sum + flow.nodes.length / 2, 0)
  const budget = createBudget(APP_STEPS + STEPS_PER_NODE * nodes, control.interruption)
  // what was found is told though no step is left to find more
  const judging = createBudget(TELLING_STEPS, control.interruption)
  const telling = createBudget(TELLING_STEPS, control.interruption)
  let isCut = false
  try {
    const { arrivals, isWhole } = solve(files, budget, { judging, telling, ...(isPlain !== undefined && { isPlain }) })
    isCut = !isWhole
    let told = arrivals
    const isTold = withinSteps(() => (told = [...withDecodings(arrivals, files), ...listenedArrivals(arrivals, files)]))
    isCut ||= !isTold
    yield* toHits(told, files, telling.step)
    yield* toRouteHits(files, telling.step)
  } catch (error) {
    if (!(error instanceof StopSignal) || error.reason === 'cancelled') throw error
    if (error.reason === 'time') {
      findings.outOfTime()
      return tell('part')
    }
    isCut = true
  }
  tell(isCut ? 'part' : 'whole')
  if (isCut) findings.notice({ code: 'time-limit', reason: 'flow', args: { app }, partial: true })
}

/** What services import from other packages of the project is a part of each of their apps; of a package without services, of these alone. */
function serverApps({ files, capRoots }: ProjectModels): FlowApp[] {
  const rootOf = new Map(capRoots.flatMap((root) => root.files.map(({ path }) => [path, root] as const)))
  const rowsOf = createRowReader()
  const all = linkedFiles(files.values(), 'server')
  const find = byRelativePath(new Map(all.map((file) => [file.path, file])))
  const groups = groupBy(all, ({ path }) => rootOf.get(path)?.root ?? '')
  const serving = new Map(capRoots.flatMap((root) => (root.services.length > 0 ? [[root.root, root] as const] : [])))
  const importedBy = new Map(
    [...groups].flatMap(([root, own]) => (serving.has(root) ? [[root, withImported(own, find)] as const] : [])),
  )
  const imported = new Set<string>()
  for (const [root, app] of importedBy) {
    const own = groups.get(root)?.length ?? 0
    for (const { path } of app.slice(own)) imported.add(path)
  }
  return [...groups].map(([root, own]) => {
    const home = serving.get(root)
    const begin = home === undefined ? own.filter(({ path }) => !imported.has(path)) : own
    const app = importedBy.get(root) ?? withImported(begin, find)
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
