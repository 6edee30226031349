import { resolveValue, type CallValue, type ReferenceValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { fileNameOf, lastName } from '../../paths.ts'

/** A method of the app that does something with one of its parameters. */
export interface AppMethod {
  readonly method: string
  /** Of the parameter. */
  readonly index: number
  /** It does that with this field of the parameter. */
  readonly field?: string
  /** It sends by a method that it writes down itself: what else it is given does not change that. */
  readonly fixesMethod?: true
}

/** What a call hands to a method of the app. */
export interface HandedTo extends AppMethod {
  /** Names of the modules that may have the method, without their folders; undefined: the script itself. */
  readonly modules: readonly string[] | undefined
  /** The call says that it only reads, to a method that lets it. */
  readonly saysGet?: true
}

/** Which modules may have the method that a call names: `this.read(…)` those of the script and of its parents. Undefined: nothing tells. */
export function createOwnerReader(facts: ScriptFacts): (call: CallValue) => Omit<HandedTo, 'index'> | undefined {
  const own = new Set(facts.functions.map(({ name }) => lastName(name)))
  let parents: readonly string[] | undefined
  return ({ callee }) => {
    if (callee.kind === 'reference') return ofFunction(callee)
    if (callee.kind !== 'member' || callee.name === undefined) return undefined
    const receiver = resolveValue(callee.object)
    const isHere = (receiver.kind === 'this' || receiver.kind === 'object') && own.has(callee.name)
    if (isHere) return { method: callee.name, modules: undefined }
    const modules = receiver.kind === 'this' ? (parents ??= parentModules(facts)) : modulesOf(receiver)
    return modules.length === 0 ? undefined : { method: callee.name, modules }
  }
}

/** A function by its name: `callService({ … })`, of the file, or one that a module exports. */
function ofFunction({ binding }: ReferenceValue): Omit<HandedTo, 'index'> | undefined {
  if (binding === undefined) return undefined
  const { module, name } = binding
  if (module !== undefined)
    return module.name === undefined ? undefined : { method: module.name, modules: [moduleNameOf(module.source)] }
  const isFunction = binding.kind === 'function' || binding.definitions.some(({ value }) => value?.kind === 'function')
  return isFunction ? { method: name, modules: undefined } : undefined
}

/** Finds what the method that a call names does, by file and module. */
export function createMethodLookup<Method extends AppMethod>(
  methods: readonly { readonly file: string; readonly value: Method }[],
): (file: string, called: HandedTo) => Method | undefined {
  const byName = new Map<string, Method>()
  for (const { file, value } of methods)
    for (const owner of [file, moduleNameOf(file)])
      byName.set(`${owner} ${value.method} ${value.index} ${value.field ?? ''}`, value)
  return (file, { method, index, field = '', modules, saysGet }) => {
    for (const owner of modules ?? [file]) {
      const found = byName.get(`${owner} ${method} ${index} ${field}`)
      if (found !== undefined && (saysGet !== true || found.fixesMethod === true)) return found
    }
    return undefined
  }
}

/** Modules whose classes those of the script extend: `BaseController.extend(…)`, `class Login extends BaseController`. */
export function parentModules({ calls, classes }: ScriptFacts): readonly string[] {
  const extended = calls.flatMap(({ callee }) => (callee.kind === 'member' && callee.name === 'extend' ? callee.object : []))
  return [...extended, ...classes.flatMap(({ parent }) => parent ?? [])].flatMap(modulesOf)
}

function modulesOf(value: Value): readonly string[] {
  const source = value.kind === 'reference' ? value.binding?.module?.source : undefined
  return source === undefined ? [] : [moduleNameOf(source)]
}

/** As other modules name it: without folders and extension. */
export function moduleNameOf(file: string): string {
  return fileNameOf(file).replace(/\.[cm]?[jt]s$/, '')
}
