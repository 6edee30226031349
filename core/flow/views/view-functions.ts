import type { Ui5View, Ui5Control } from '../../model/ui5/index.ts'
import { frameworkFunction, type BindingScope, type NamedFunction } from './bindings.ts'
import { FILE, GLOBAL_SOURCE, type LinkedFile } from '../app/links.ts'
import { lastName } from '../../paths.ts'

/** What the names in a view may stand for. */
interface AppNames {
  readonly scripts: readonly LinkedFile[]
  readonly findModule: (module: string) => string | undefined
}

/** `Formatter.text.bind($controller)` of a view that requires `my/Formatter` as Formatter: `my.Formatter.text` of that module. */
export function resolveName(written: string, view: Ui5View): { readonly name: string; readonly module: string | undefined } {
  const name = written.trim().replace(/\.bind\([^)]{0,100}\)$/, '')
  const dot = name.indexOf('.')
  const module = view.requires.get(dot === -1 ? name : name.slice(0, dot))
  if (module === undefined) return { name, module }
  return { name: module.replaceAll('/', '.') + (dot === -1 ? '' : name.slice(dot)), module }
}

/** Fact: API of sap.ui.model.SimpleType. */
const FORMAT = 'formatValue'

/** What a type of the app makes of a value, by its name in a view: of a module that the view requires, of one that is named, or of the controller. */
export function formatNamed(
  written: string,
  view: Ui5View,
  { scripts, findModule }: AppNames,
): ReturnType<Required<BindingScope>['formatOf']> {
  const { name, module } = resolveName(written, view)
  const has = (file: string | undefined, exported: string): boolean =>
    scripts.some(({ path, flow }) => path === file && flow.exports.functions.some(([own]) => own === exported))
  const required = module?.replaceAll('/', '.')
  const rest = required === undefined ? '' : name.slice(required.length + 1)
  const source = module ?? name.replaceAll('.', '/')
  const method = `${rest}#${FORMAT}`
  if (has(findModule(source), method)) return { targets: [], module: { source, name: method } }
  const global = `global ${name}#${FORMAT}`
  if (scripts.some(({ flow }) => flow.exports.functions.some(([own]) => own === global)))
    return { targets: [], module: { source: GLOBAL_SOURCE, name: global } }
  const isOwn = name.startsWith('.') && scripts.some((one) => one.path === view.controller && hasFormat(one))
  return isOwn ? { targets: [], module: { source: `${FILE}${view.controller}`, name: FORMAT } } : undefined
}

function hasFormat({ flow }: LinkedFile): boolean {
  return flow.functions.some(({ name }) => lastName(name) === FORMAT)
}

/** A formatter by its name in a view: of a module that the view requires, a method of the controller, or else every function of the app that is called so. */
export function functionNamed(written: string, view: Ui5View, { scripts, findModule }: AppNames): NamedFunction {
  const { name, module } = resolveName(written, view)
  const known = frameworkFunction(name)
  if (known !== undefined) return known
  const last = lastName(name)
  const within = (file: string | undefined): readonly string[] =>
    scripts.flatMap(({ path, flow }) =>
      (file === undefined || path === file) && flow.functions.some((own) => lastName(own.name) === last) ? path : [],
    )
  const own = /^\.\w{1,100}$/.test(name) && view.controller !== undefined ? within(view.controller) : []
  const found = module === undefined ? undefined : findModule(module)
  const elsewhere = module !== undefined && found === undefined ? [] : within(found)
  const files = own.length > 0 ? own : elsewhere
  if (files.length === 0) return { kind: 'unknown' }
  return { kind: 'own', calls: files.map((file) => ({ targets: [], module: { source: `${FILE}${file}`, name: last } })) }
}

/** `.onChange`, `.onChange($event)`. */
const HANDLER = /^\s{0,20}\.?([A-Za-z_$][\w$]{0,100})(?:\([^)]{0,500}\))?\s{0,20}$/

/** The methods that a view names for the events of a control, among what else its constants may say. */
export function handlersOf({ properties }: Ui5Control): readonly string[] {
  return [...properties.values()].flatMap(({ value, binding }) => {
    const [, handler] = binding.kind === 'constant' ? (HANDLER.exec(value) ?? []) : []
    return handler ?? []
  })
}
