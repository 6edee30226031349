import type { Ui5App, Ui5View } from '../../model/ui5/index.ts'
import type { LinkedFile } from '../app/links.ts'
import { sharedModelStore, shownModelStore } from '../pages/model-stores.ts'
import type { FlowPort } from '../types.ts'
import { append } from '../../lists.ts'
import { lastName } from '../../paths.ts'

/** Controls that hold other views: what is set on a view with one of them reaches those, too. */
const HOLDS_VIEWS = /(?:View|App|(?:Nav|Split|Page|Component)Container|Shell|ToolPage|FlexibleColumnLayout)$/

/**
 * The flow of an app where a view, whose controller sets a model of its own on it, does not show what controllers of other views set on theirs under the same name. What is
 * written into the model in any other way, and what scripts read, stays as it is. Fact: documentation of SAPUI5, "Models and Bindings": a control takes the
 * model from the nearest parent that has one of that name.
 */
export function withOwnModels({ views }: Ui5App, files: readonly LinkedFile[]): LinkedFile[] {
  const scripts = files.filter(({ flow }) => flow.ports.some(({ set }) => set === 'own-view'))
  if (scripts.length < 2) return [...files]
  const controllersOf = viewsReached(views, files)
  const setting = new Map<string, Set<string>>()
  for (const { path, flow } of scripts)
    for (const { store, set } of flow.ports) {
      if (set !== 'own-view') continue
      const known = setting.get(store) ?? new Set()
      for (const controller of controllersOf(path)) known.add(controller)
      setting.set(store, known)
    }
  // one that sets it alone has nothing to be told from
  const parted = new Map([...setting].filter(([, setters]) => setters.size > 1))
  if (parted.size === 0) return [...files]
  const controllerOf = viewControllers(views)
  return files.map((file): LinkedFile => {
    const reached = controllersOf(file.path)
    const shown = controllerOf.get(file.path)
    const ports = file.flow.ports.flatMap((port) => portsOf(port, parted.get(port.store), { reached, shown }))
    return { ...file, flow: { ...file.flow, ports } }
  })
}

interface FileViews {
  /** The controllers on whose views the file sets models when it sets them on its own. */
  readonly reached: readonly string[]
  /** Of a view: its controller. */
  readonly shown: string | undefined
}

function portsOf(port: FlowPort, setters: ReadonlySet<string> | undefined, { reached, shown }: FileViews): FlowPort | FlowPort[] {
  if (setters === undefined) return port
  const { store, access, set } = port
  const stores =
    set === 'own-view' && reached.length > 0
      ? reached.map((controller) => shownModelStore(store, controller))
      : [sharedModelStore(store)]
  const there = stores.map((one): FlowPort => ({ ...port, store: one }))
  if (access === 'write') return [port, ...there]
  // what is written later to the model that is set, not to others of its name
  if (set !== undefined) return there
  return shown !== undefined && setters.has(shown) ? { ...port, store: shownModelStore(store, shown) } : port
}

/** By the file of a controller: itself and the controllers that extend it, as far as they have views. None of them where such a view holds others, which get its models, too. */
function viewsReached(views: readonly Ui5View[], files: readonly LinkedFile[]): (path: string) => readonly string[] {
  const parents = new Map<string, string[]>()
  for (const { path, flow } of files)
    for (const { parent } of flow.exports.classes)
      if (parent !== undefined) append(parents, baseNameOf(path), baseNameOf(parent.source))
  const reached = new Map<string, Set<string>>()
  const holding = new Set<string>()
  for (const { controller, controls } of views) {
    if (controller === undefined) continue
    const holds = controls.some(({ type, parent }) => parent !== undefined && HOLDS_VIEWS.test(lastName(type)))
    for (const name of withParents(baseNameOf(controller), parents)) {
      if (holds) holding.add(name)
      const known = reached.get(name) ?? new Set()
      reached.set(name, known.add(controller))
    }
  }
  return (path) => {
    const name = baseNameOf(path)
    if (holding.has(name)) return []
    return [...(reached.get(name) ?? [])].filter((controller) => controller === path || baseNameOf(controller) !== name)
  }
}

const MAX_PARENTS = 10

/** A class and those that it extends, by the names of their files: one of that name too many keeps more together than there is. */
function withParents(name: string, parents: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const found = new Set([name])
  for (const one of found) {
    if (found.size > MAX_PARENTS) break
    for (const parent of parents.get(one) ?? []) found.add(parent)
  }
  return [...found]
}

function baseNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[jt]s$/, '')
}

/** By the file of a view: its controller. A file that holds several has none. */
function viewControllers(views: readonly Ui5View[]): ReadonlyMap<string, string> {
  const seen = new Set<string>()
  const found = new Map<string, string>()
  for (const { file, kind, language, controller } of views) {
    if (seen.has(file)) found.delete(file)
    else if (kind === 'view' && language !== 'script' && controller !== undefined) found.set(file, controller)
    seen.add(file)
  }
  return found
}
