import type { Ui5View } from '../../model/ui5/index.ts'
import type { LinkedFile } from '../app/links.ts'
import { setModelStore, sharedModelStore } from '../pages/model-stores.ts'
import type { FlowPort } from '../types.ts'

type ModelView = Pick<Ui5View, 'file' | 'kind' | 'language' | 'controller'>

/**
 * The flow of an app where a view, whose controller sets a model of its own on it before it is shown, does not show what controllers of other views set on theirs under the same name. What is
 * written into the model in any other way, and what scripts read, stays as it is. Fact: documentation of SAPUI5, "Models and Bindings": a control takes the
 * model from the nearest parent that has one of that name.
 */
export function withOwnModels({ views }: { readonly views: readonly ModelView[] }, files: readonly LinkedFile[]): LinkedFile[] {
  const scripts = files.filter(({ flow }) => flow.ports.some(({ set }) => set === 'own-view'))
  if (scripts.length < 2) return [...files]
  const controllers = readControllers(views, files)
  const setters = readSetters(scripts, controllers)
  if (![...setters.values()].some(({ isParted }) => isParted)) return [...files]
  const controllerOf = viewControllers(views)
  const firstOf = new Map(scripts.map(({ path, flow }) => [path, new Set(flow.page?.first.map((name) => `model ${name}`))]))
  return files.map((file): LinkedFile => {
    const shown = controllerOf.get(file.path)
    const own: OwnModels = {
      setters,
      setBy: controllers.reachedBy(file.path).length > 0 ? keysOf(file.path) : [],
      above: controllers.above(shown ?? file.path),
      first: (shown === undefined ? undefined : firstOf.get(shown)) ?? new Set(),
    }
    return { ...file, flow: { ...file.flow, ports: file.flow.ports.flatMap((port) => portsOf(port, own)) } }
  })
}

/** Who sets a model on views of their own. */
interface Setters {
  /** Keys of the files. */
  readonly keys: Set<string>
  /** A controller of the views. */
  readonly first: string
  /** There are others: one alone has nothing to be told from. */
  isParted: boolean
}

/** By the store of a model. */
function readSetters(scripts: readonly LinkedFile[], { reachedBy }: Controllers): ReadonlyMap<string, Setters> {
  const setters = new Map<string, Setters>()
  for (const { path, flow } of scripts) {
    const [first, other] = reachedBy(path)
    if (first === undefined) continue
    for (const { store, set } of flow.ports) {
      if (set !== 'own-view') continue
      const known: Setters = setters.get(store) ?? { keys: new Set(), first, isParted: false }
      for (const key of keysOf(path)) known.keys.add(key)
      if (other !== undefined || known.first !== first) known.isParted = true
      setters.set(store, known)
    }
  }
  return setters
}

/** What the ports of a file become. */
interface OwnModels {
  readonly setters: ReadonlyMap<string, Setters>
  /** The keys under which it sets models on its own views; none where nobody knows its views. */
  readonly setBy: readonly string[]
  /** The keys of a controller and of those that it extends: of that of a view, or of the file itself. */
  readonly above: readonly string[]
  /** Of a view: the stores of models that its controller sets before it is shown. */
  readonly first: ReadonlySet<string>
}

/** A port becomes as many as there are classes above its controller at most, however many views these have. */
function portsOf(port: FlowPort, { setters, setBy, above, first }: OwnModels): FlowPort | FlowPort[] {
  const { store, access, set } = port
  const own = setters.get(store)
  if (own?.isParted !== true) return port
  const at = (one: string): FlowPort => ({ ...port, store: one })
  const shared = at(sharedModelStore(store))
  const isOwn = set === 'own-view' && setBy.length > 0
  if (access === 'write') return [port, ...(isOwn ? setBy.map((key) => at(setModelStore(store, key))) : [shared])]
  const setAbove = above.filter((key) => own.keys.has(key)).map((key) => at(setModelStore(store, key)))
  // what is written later to the model that is set, not to others of its name
  if (set !== undefined) return isOwn ? [shared, ...setAbove] : [shared]
  return first.has(store) && setAbove.length > 0 ? [shared, ...setAbove] : port
}

interface Controllers {
  /** By the file of a controller: one or two of itself and the controllers that extend it, as far as they have views. */
  reachedBy(path: string): readonly string[]
  /** The keys of a controller and of the classes that it extends; none where these are too many to tell. */
  above(path: string): readonly string[]
}

function readControllers(views: readonly ModelView[], files: readonly LinkedFile[]): Controllers {
  const untold = new Set<string>()
  const parents = new Map<string, Set<string>>()
  for (const { path, flow } of files)
    for (const { parent } of flow.exports.classes) {
      if (parent === undefined) continue
      const [name, above] = [baseNameOf(path), baseNameOf(parent.source)]
      parents.set(name, (parents.get(name) ?? new Set()).add(above))
      // by their names, the two cannot be told from each other
      if (name === above) untold.add(name)
    }
  const own = new Set<string>()
  const extending = new Map<string, readonly string[]>()
  for (const { controller } of views) {
    if (controller === undefined) continue
    const name = baseNameOf(controller)
    const above = withParents(name, parents)
    if (above === undefined) continue
    own.add(controller)
    for (const one of above) {
      const known = extending.get(one) ?? []
      // two of them say that there are several
      if (one !== name && known.length < 2 && !known.includes(controller)) extending.set(one, [...known, controller])
    }
  }
  return {
    reachedBy(path) {
      const name = baseNameOf(path)
      return untold.has(name) ? [] : [...(own.has(path) ? [path] : []), ...(extending.get(name) ?? [])]
    },
    above(path) {
      const name = baseNameOf(path)
      return [path, ...[...(withParents(name, parents) ?? [])].filter((one) => one !== name)]
    },
  }
}

/** A class of more is told from no other. */
const MAX_PARENTS = 10

/** A class and those that it extends, by the names of their files: one of that name too many keeps more together than there is. */
function withParents(name: string, parents: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> | undefined {
  const found = new Set([name])
  for (const one of found)
    for (const parent of parents.get(one) ?? []) {
      found.add(parent)
      if (found.size > MAX_PARENTS) return undefined
    }
  return found
}

/** What a file is called by the views of its own controller, and by those of controllers that extend it. */
function keysOf(path: string): readonly string[] {
  return [path, baseNameOf(path)]
}

function baseNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[jt]s$/, '')
}

/** By the file of a view: its controller. A file that holds several has none. */
function viewControllers(views: readonly ModelView[]): ReadonlyMap<string, string> {
  const seen = new Set<string>()
  const found = new Map<string, string>()
  for (const { file, kind, language, controller } of views) {
    if (seen.has(file)) found.delete(file)
    else if (kind === 'view' && language !== 'script' && controller !== undefined) found.set(file, controller)
    seen.add(file)
  }
  return found
}
