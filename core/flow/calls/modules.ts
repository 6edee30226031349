import { accessOf, resolveValue, type FunctionFact, type ScriptFacts, type Value } from '../../facts/index.ts'
import { exportedFunctions, exportedIn, joinName } from '../../facts/callbacks.ts'
import { wiringOfCall } from '../../facts/module-calls.ts'
import { append } from '../../lists.ts'
import { GLOBAL_SOURCE, PAGE } from '../app/links.ts'
import type { FlowClass, FlowExports, FlowHook, FlowPassedOn } from '../types.ts'
import { isComposition } from '../values/compositions.ts'
import { pluginName, pluginsIn } from './jquery-plugins.ts'
import { createSharedReader, isClass, variantsOf } from './lineage.ts'
import { namespaceOf } from '../pages/definitions.ts'
import { extendedObject } from './owners.ts'
import { COMPOSING_IN_PAGES } from '../tables/propagators.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** A value that others can reach, and by which name. */
export interface ExportedValue {
  /** '' for the module itself. */
  readonly name: string
  readonly value: Value
}

const MAX_DEPTH = 3

export function exportedValues(facts: ScriptFacts): ExportedValue[] {
  const found: ExportedValue[] = []
  for (const { name, value } of facts.exports)
    if (value !== undefined) found.push({ name: name === 'default' ? '' : name, value })
  for (const call of facts.calls) {
    const wiring = isDefine(call.callee) ? wiringOfCall(call) : undefined
    if (wiring !== undefined) {
      const factory = resolveValue(wiring.factory)
      const returns = factory.kind === 'function' ? factory.function.returns : [factory]
      for (const value of returns) found.push({ name: '', value })
    }
    // a class by its full name
    const [name] = call.args
    if (extendedObject(call) !== undefined && name?.kind === 'literal' && typeof name.value === 'string')
      found.push({ name: `global ${name.value}`, value: call })
  }
  for (const { target, value } of facts.assignments) {
    const path = namespaceOf(target)
    if (path === undefined) continue
    // my.app.Helper = (function () { … return { run: run } })()
    for (const one of madeAtOnce(value)) found.push({ name: `global ${path}`, value: one })
  }
  if (facts.imports.length === 0 && facts.exports.length === 0) found.push(...sharedByPage(facts))
  for (const { name, value } of pluginsIn(facts)) found.push({ name: pluginName(name), value })
  return found
}

/** `(function () { … return { run } })()`: what the function gives back; else the value itself. */
function madeAtOnce(value: Value): readonly Value[] {
  const around = value.kind === 'call' ? resolveValue(value.callee) : undefined
  return around?.kind === 'function' ? around.function.returns : [value]
}

/** What a classic script declares: all scripts of its page know it by its name. */
function* sharedByPage({ functions: [file], bindings }: ScriptFacts): Generator<ExportedValue> {
  for (const { name, function: around, definitions } of bindings) {
    const [only, other] = definitions
    if (around !== file || only?.value === undefined || other !== undefined || only.path.length > 0) continue
    for (const value of madeAtOnce(only.value)) yield { name: `${PAGE}${name}`, value }
  }
}

function isDefine(callee: Value): boolean {
  return (callee.kind === 'member' || callee.kind === 'reference') && callee.name === 'define'
}

/** What a file passes on from other modules, also what it imported before. */
export function passedOnBy({ exports }: ScriptFacts): FlowPassedOn[] {
  const found: FlowPassedOn[] = []
  for (const { name, value, source, from = '*' } of exports) {
    const own = name === 'default' ? '' : name
    if (source !== undefined && !isFramework(source)) found.push({ name: own, source, imported: from === 'default' ? '' : from })
    const module = value?.kind === 'reference' ? value.binding?.module : undefined
    if (module !== undefined && !isFramework(module.source))
      found.push({ name: own, source: module.source, imported: module.name ?? '' })
  }
  return found
}

/** What a script of a browser gives to others: its module by `sap.ui.define` or `export`, and namespaces. */
export function browserModuleOf(values: readonly ExportedValue[], draft: FlowDraft): FlowExports {
  const functions: (readonly [string, number])[] = []
  const classes: FlowClass[] = []
  // a class by its full name is the same one
  const names = new Map<object, string[]>()
  const isShared = createSharedReader(draft.facts)
  const calling = new Set(draft.calling.ownCalls.map(({ owner }) => owner))
  for (const { name, value } of values) {
    for (const [path, fact] of functionsIn(value, draft, 0)) {
      const target = draft.calling.functions.get(fact)
      if (target !== undefined) functions.push([joinName(name, path), target])
    }
    if (name.startsWith(PAGE)) continue
    const here = resolveValue(value)
    const add = (one: Value, own: string): void => {
      const owner = draft.owners.classBehind(one)
      if (owner === undefined) return
      const parent = draft.classes.parentOf(owner) ?? parentOf(one)
      const fields = draft.graph.fieldsOf(owner)
      const mixed = draft.classes.mixedInto(owner).flatMap((mixin) => moduleBehind(mixin) ?? [])
      append(names, owner, own)
      if (parent !== undefined || fields.length > 0 || mixed.length > 0 || calling.has(owner))
        classes.push({
          name: own,
          fields,
          ...(parent !== undefined && { parent }),
          ...(mixed.length > 0 && { mixed }),
          ...(isShared(owner) && { isShared: true }),
        })
    }
    add(here, name)
    for (const { key, value: field } of here.kind === 'object' ? here.fields : [])
      if (key !== undefined && isClass(resolveValue(field))) add(resolveValue(field), joinName(name, key))
    for (const made of classesMadeBy(here)) add(made, joinName(name, MADE))
  }
  const hooks = draft.calling.ownCalls.flatMap(({ call, owner, method }): FlowHook[] => {
    const classes = names.get(owner)
    return classes === undefined ? [] : [{ call, classes, method }]
  })
  const passedOn = passedOnBy(draft.facts)
  const variants = variantsOf(names, draft)
  return {
    functions,
    classes,
    ...(passedOn.length > 0 && { passedOn }),
    ...(hooks.length > 0 && { hooks }),
    ...(variants.length > 0 && { variants }),
  }
}

function* functionsIn(given: Value, draft: FlowDraft, depth: number): Generator<readonly [string, FunctionFact]> {
  const value = resolveValue(given)
  const { owners } = draft
  const extended = extendedObject(value)
  if (extended !== undefined) {
    yield* methodsOf(extended, '#', draft)
    return
  }
  switch (value.kind) {
    case 'function':
      yield ['', value.function]
      // a constructor: what it has of its own and on its prototype
      yield* methodsOf(value.function, '#', draft)
      yield* methodsOf(value.function, '', draft)
      for (const made of depth < MAX_DEPTH ? classesMadeBy(value) : [])
        for (const [path, fact] of functionsIn(made, draft, depth + 1)) yield [`${MADE}${path}`, fact]
      return
    case 'object':
      for (const { key, value: field } of value.fields) {
        const inner = resolveValue(field)
        if (key === undefined) continue
        if (inner.kind === 'function') yield [key, inner.function]
        else if ((inner.kind === 'object' || isClass(inner)) && depth < MAX_DEPTH)
          for (const [path, fact] of functionsIn(inner, draft, depth + 1)) yield [joinName(key, path), fact]
      }
      yield* methodsOf(value, '', draft)
      return
    case 'class':
      for (const { name, isStatic, value: member } of value.class.members)
        if (name !== undefined && member?.kind === 'function') yield [isStatic ? name : `#${name}`, member.function]
      yield* methodsOf(value.class, '', draft)
      if (draft.classes.lineage.parentOf(value.class) !== undefined) yield* methodsOf(value.class, '#', draft)
      return
    case 'new': {
      // one object for all who ask for the module
      const owner = owners.classBehind(value)
      if (owner !== undefined) yield* methodsOf(owner, '', draft)
      return
    }
    case 'call':
      // Object.freeze({ … }); what `pipe(trim, bold)` gives is none of the functions that it is given
      if (value.args[0] !== undefined && depth < MAX_DEPTH && !isComposition(value, COMPOSING_IN_PAGES))
        yield* functionsIn(value.args[0], draft, depth + 1)
      return
    case 'reference':
      if (value.binding !== undefined) yield* methodsOf(value.binding, '', draft)
      return
    default:
  }
}

function* methodsOf(
  owner: object,
  before: string,
  { classes: { lineage } }: FlowDraft,
): Generator<readonly [string, FunctionFact]> {
  for (const [name, facts] of lineage.allOf(owner)) for (const fact of facts) yield [`${before}${name}`, fact]
}

/** What stands for the class that a function gives: `export default (Base) => class extends Base { … }`. */
const MADE = '()'

/** The classes that a function gives. */
function classesMadeBy(value: Value): readonly Value[] {
  if (value.kind !== 'function') return []
  return value.function.returns
    .map((given) => resolveValue(given))
    .filter((given) => given.kind === 'class' || extendedObject(given) !== undefined)
}

/** `Base` of `Base.extend(…)` and of `class … extends Base`. */
export function parentOf(value: Value): FlowClass['parent'] {
  const base =
    value.kind === 'class'
      ? value.class.parent
      : value.kind === 'call' && value.callee.kind === 'member'
        ? value.callee.object
        : undefined
  // class Page extends WithMessages(Base)
  const mixed = base?.kind === 'call' ? (base.args.find((argument) => moduleBehind(argument) !== undefined) ?? base) : base
  return mixed && moduleBehind(mixed)
}

/** The module, or the namespace, that a value is read from. */
export function moduleBehind(value: Value): { readonly source: string; readonly name: string } | undefined {
  const access = accessOf(value)
  if (access === undefined) return undefined
  if (access.root.startsWith('module:')) {
    const source = access.root.slice('module:'.length)
    return isFramework(source) ? undefined : { source, name: access.steps.join('.') }
  }
  const path = namespaceOf(value)
  return path === undefined ? undefined : { source: GLOBAL_SOURCE, name: `global ${path}` }
}

/** Whether what a path begins with is a module of a server's own project: `./lib/names`, `#lib/names`. */
export function isOfProject(root: string): boolean {
  return root.startsWith('module:.') || root.startsWith('module:#')
}

/** Modules of UI5 and of packages are not read. */
export function isFramework(source: string): boolean {
  return /^(?:sap\/(?:ui|m|f|base|uxap|tnt|suite|fe|ushell|viz|chart|gantt|collaboration)\/|sap\/(?:m|f)$|jquery|react|@ui5\/|lit)/.test(
    source,
  )
}

/** The functions that other files may call, by their places in the graph. */
export function exportsOf(facts: ScriptFacts, functions: ReadonlyMap<FunctionFact, number>): (readonly [string, number])[] {
  return exportedFunctions(facts).flatMap(([name, fact]) => {
    const target = functions.get(fact)
    return target === undefined ? [] : [[name, target] as const]
  })
}

/** The same of a script of a browser, whose module `sap.ui.define` may make. */
export function browserFunctions(facts: ScriptFacts): (readonly [string, FunctionFact])[] {
  return exportedValues(facts).flatMap(({ name, value }) =>
    [...exportedIn(resolveValue(value))].map(([path, fact]) => [joinName(name, path), fact] as const),
  )
}
