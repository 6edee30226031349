import type { Ui5View } from '../model/ui5/index.ts'
import { frameworkFunction, type NamedFunction } from './bindings.ts'
import { lastName } from './dotted-names.ts'
import { FILE, type LinkedFile } from './links.ts'

/** `Formatter.text.bind($controller)` of a view that requires `my/Formatter` as Formatter: `my.Formatter.text` of that module. */
export function resolveName(written: string, view: Ui5View): { readonly name: string; readonly module: string | undefined } {
  const name = written.trim().replace(/\.bind\([^)]{0,100}\)$/, '')
  const dot = name.indexOf('.')
  const module = view.requires.get(dot === -1 ? name : name.slice(0, dot))
  if (module === undefined) return { name, module }
  return { name: module.replaceAll('/', '.') + (dot === -1 ? '' : name.slice(dot)), module }
}

/** A formatter by its name in a view: of a module that the view requires, a method of the controller, or else every function of the app that is called so. */
export function functionNamed(
  written: string,
  view: Ui5View,
  {
    scripts,
    findModule,
  }: { readonly scripts: readonly LinkedFile[]; readonly findModule: (module: string) => string | undefined },
): NamedFunction {
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
