import { lastName, resolvePath } from '../../paths.ts'
import { type LinkedFile, GLOBAL_SOURCE } from '../app/links.ts'
import { KEPT, OWN_CLASS, OWN_RENDERER, type FlowControl, type FlowPort, type FlowObject } from '../types.ts'
import type { Ui5Control } from '../../model/ui5/index.ts'
import type { GraphBuilder } from '../graph/builder.ts'

/** A control that the app defines, by its full name. */
export interface AppControl {
  readonly name: string
  /** Controls of the app that it derives from, the nearest first. */
  readonly ancestors: readonly string[]
  /** The control of a library that it derives from in the end: it has its properties. */
  readonly base: string | undefined
  /** Properties of it and of those that hold no markup. */
  readonly plain: ReadonlySet<string>
  /** Properties that are addresses. */
  readonly addresses: ReadonlySet<string>
  /** Properties that a setter of it or of those keeps in another form than it is given. */
  readonly kept: ReadonlySet<string>
}

/** The controls that scripts of an app define, by their full names and by the modules that give them. */
export function appControlsOf(files: readonly LinkedFile[]): ReadonlyMap<string, AppControl> {
  const defined = new Map<string, { readonly file: LinkedFile; readonly control: FlowControl }>()
  // a library without a manifest: its modules are known by their paths alone
  const byModule = new Map<string, string>()
  for (const file of files)
    for (const control of file.flow.page?.controls ?? []) {
      const name = fullName(control.name, file)
      defined.set(name, { file, control })
      const module = moduleOf(file).replaceAll('/', '.')
      // of several classes the one that is called like the module
      if (lastName(byModule.get(module) ?? '') !== lastName(module)) byModule.set(module, name)
    }
  const ancestorsOf = (name: string): { readonly found: readonly string[]; readonly base: string | undefined } => {
    const found: string[] = []
    let base: string | undefined
    for (let here = defined.get(name); here !== undefined;) {
      const written = parentOf(here.control.parent, here.file)
      const parent = written === undefined || defined.has(written) ? written : byModule.get(written)
      if (parent === undefined) base = written
      if (parent === undefined || parent === name || found.includes(parent)) break
      found.push(parent)
      here = defined.get(parent)
    }
    return { found, base }
  }
  const controls = new Map(
    [...defined.keys()].map((name) => {
      const { found: ancestors, base } = ancestorsOf(name)
      const own = [name, ...ancestors].flatMap((one) => defined.get(one)?.control ?? [])
      const plain = new Set(own.flatMap((control) => control.plain))
      const addresses = new Set(own.flatMap((control) => control.addresses))
      const kept = new Set(own.flatMap((control) => control.kept))
      return [name, { name, ancestors, base, plain, addresses, kept }]
    }),
  )
  // views load the class by its module, whatever name it was given there (UI5, XMLTemplateProcessor: findControlClass)
  for (const [module, name] of byModule) {
    const control = controls.get(name)
    if (control !== undefined && !controls.has(module)) controls.set(module, control)
  }
  return controls
}

/** The app's own controls that derive from one of a library. */
export function derivedFrom(type: string, controls: ReadonlyMap<string, AppControl>): ReadonlySet<string> {
  return new Set([...controls.values()].flatMap(({ name, base }) => (base === type ? name : [])))
}

/** A class without a name of its own has that of its module. */
function fullName(name: string, file: LinkedFile): string {
  return name === OWN_CLASS ? moduleOf(file).replaceAll('/', '.') : name
}

/** Where no manifest names the modules they are known by their paths. */
function moduleOf({ module, path }: LinkedFile): string {
  return module ?? path.replace(ENDING, '')
}

const ENDING = /\.[jt]sx?$/

/** `global:my.app.Base`, `module:my/app/Base`, `module:./Base`. */
function parentOf(written: string | undefined, file: LinkedFile): string | undefined {
  if (written === undefined) return undefined
  if (written.startsWith('global:')) return written.slice('global:'.length)
  return written.startsWith('module:')
    ? moduleName(written.slice('module:'.length), moduleOf(file)).replaceAll('/', '.')
    : undefined
}

function moduleName(source: string, from: string): string {
  return source.startsWith('.') ? (resolvePath(from, source) ?? source).replace(ENDING, '') : source
}

/** The ports of scripts by the full names of controls; what a control declares is declared for those that derive from it. */
export function withControlNames(files: readonly LinkedFile[], controls: ReadonlyMap<string, AppControl>): LinkedFile[] {
  if (controls.size === 0) return [...files]
  // UI5 looks for a renderer under the name of the control and `Renderer`
  const renderers = new Map<string, Set<string>>()
  const addRenderer = (module: string, control: string): void =>
    void renderers.set(module, (renderers.get(module) ?? new Set()).add(control))
  for (const file of files)
    for (const { name, renderer } of file.flow.page?.controls ?? []) {
      const own = fullName(name, file)
      addRenderer(`${moduleOf(file)}Renderer`, own)
      addRenderer(`${own.replaceAll('.', '/')}Renderer`, own)
      if (renderer !== undefined) addRenderer(moduleName(renderer, moduleOf(file)), own)
    }
  const derived = new Map<string, string[]>()
  for (const { name, ancestors } of new Set(controls.values()))
    for (const ancestor of ancestors) derived.set(ancestor, [...(derived.get(ancestor) ?? []), name])
  return files.map((file) => {
    if (!file.flow.ports.some(({ store }) => store.startsWith(PROPERTY))) return file
    const ports = file.flow.ports.flatMap((port): FlowPort[] => {
      if (port.store.startsWith(KEPT)) {
        const name = fullName(port.store.slice(KEPT.length), file)
        const all = [name, ...(derived.get(name) ?? []), ...(controls.get(name)?.ancestors ?? [])]
        return all.map((one) => ({ ...port, store: `${PROPERTY}${one}` }))
      }
      if (!port.store.startsWith(PROPERTY)) return [port]
      const written = port.store.slice(PROPERTY.length)
      const own = written === OWN_RENDERER ? [...(renderers.get(moduleOf(file)) ?? [])] : [fullName(written, file)]
      // the same renderer may be that of several controls
      const { node, access, path } = port
      // the renderer of a control renders those that derive from it, by the methods that they have instead
      const isSelf = path.length === 0
      const names =
        access === 'write'
          ? own.flatMap((name) => [name, ...(derived.get(name) ?? []), ...(isSelf ? (controls.get(name)?.ancestors ?? []) : [])])
          : own
      return names.map((one) => ({ node, access, store: `${PROPERTY}${one}`, path }))
    })
    return { ...file, flow: { ...file.flow, ports } }
  })
}

const PROPERTY = 'property '

/** The control that a file is the markup of: `Part.control.xml`. */
export function compositeOf(file: string, controls: ReadonlyMap<string, AppControl>): string | undefined {
  const [, base] = /(?:^|\/)([^/]{1,200})\.control\.xml$/.exec(file) ?? []
  const [, control] = base === undefined ? [] : ([...controls].find(([name]) => lastName(name) === base) ?? [])
  return control?.name
}

/** Controls of the app's own that a view makes: scripts that ask for one by its id call the methods of its class. */
export function controlObjects(
  controls: readonly Ui5Control[],
  own: ReadonlyMap<string, AppControl>,
  { graph, ports }: { readonly graph: GraphBuilder; readonly ports: FlowPort[] },
): FlowObject[] {
  const found: FlowObject[] = []
  for (const { type, id, at } of own.size === 0 ? [] : controls) {
    if (id === undefined || !own.has(type)) continue
    const node = graph.add(at)
    ports.push({ node, access: 'write', store: `control #${id}`, path: [] })
    // a class by its full name, and one that its module gives
    found.push({ node, methods: [], parent: { source: GLOBAL_SOURCE, name: `global ${type}` } })
    found.push({ node, methods: [], parent: { source: type.replaceAll('.', '/'), name: '' } })
  }
  return found
}
