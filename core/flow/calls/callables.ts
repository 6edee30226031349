import { resolveValue, type Binding, type CallValue, type ClassFact, type FunctionFact, type Value } from '../../facts/index.ts'
import { isWholeModule } from '../values/arguments.ts'
import { functionOf, functionOfThis } from '../../facts/callbacks.ts'
import { moduleOfCall } from '../../facts/module-calls.ts'
import { COPY, MODULE_STORE, READ, type FlowCallables, type FlowOpenCall } from '../types.ts'
import { FOLLOWED_PACKAGES, MADE_BY_PACKAGES } from '../tables/followed-packages.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { makesLoggedOn } from '../frameworks/route-effects.ts'
import { LOGGED_ON, MAKES_CLIENTS } from '../tables/routes.ts'
import { isComposition } from '../values/compositions.ts'
import { addXsExports, addXsImport } from './xs-imports.ts'
import { isOfSuper, receiverOf } from './called.ts'
import { createRouterExports } from './exported-routers.ts'
import { filledArguments } from '../values/writes.ts'
import { isAround } from '../../facts/span-index.ts'

/** What can be called, while the graph of a script is made. */
export interface CallablesDraft {
  readonly functions: (readonly [number, number])[]
  readonly classes: ClassFact[]
  readonly classNodes: (readonly [number, number])[]
  readonly selves: (readonly [number, number])[]
  readonly supers: (readonly [number, number])[]
  readonly packages: (readonly [number, string])[]
  readonly calls: FlowOpenCall[]
  readonly partials: FlowCallables['partials'][number][]
  readonly mounted: number[]
  readonly written: (readonly [number, string, number, number])[]
}

export function createCallables(): CallablesDraft {
  return {
    functions: [],
    classes: [],
    classNodes: [],
    selves: [],
    supers: [],
    packages: [],
    calls: [],
    partials: [],
    mounted: [],
    written: [],
  }
}

/** Adds what a value is that can be called, or from which functions are read. */
export function addCallable(value: Value, to: number, draft: FlowDraft): void {
  const { server, calling, graph, use } = draft
  if (value.kind === 'function') {
    const index = calling.functions.get(value.function)
    if (index !== undefined) server.callables.functions.push([to, index])
    const made = draft.classes.prototypes.get(value.function)
    if (made !== undefined) server.callables.classNodes.push([to, classIndex(made, draft)])
  } else if (value.kind === 'member' && value.object.kind === 'super') addAbove(value, to, draft)
  else if (value.kind === 'class') server.callables.classNodes.push([to, classIndex(value.class, draft)])
  else if (value.kind === 'this') {
    const owner = draft.owners.ownerOf(value.function)
    if (owner === undefined) return
    if ('members' in owner && isClass(owner, draft)) {
      server.callables.selves.push([to, classIndex(owner, draft)])
      // `new this()` of a static method
      if (isStatic(functionOfThis(value.function), owner)) server.callables.classNodes.push([to, classIndex(owner, draft)])
      const self = draft.parameters.selfOf(value.function)
      if (self !== undefined) graph.connect(self, to, COPY)
    } else if ('fields' in owner && 'kind' in owner) {
      const object = draft.facts.functions.find((fact) => fact.owner === owner)?.owner
      if (object !== undefined && 'kind' in object) graph.connect(use(object), to, COPY)
    }
  }
}

function isStatic(method: FunctionFact, { members }: ClassFact): boolean {
  return members.some(({ isStatic, value }) => isStatic && value?.kind === 'function' && value.function === method)
}

/** `super.run`: what the class above has, of the same object. */
function addAbove({ name, start, object }: Value & { readonly kind: 'member' }, to: number, draft: FlowDraft): void {
  const within = draft.facts.classes.findLast((fact) => isAround(fact, start))
  const method = draft.facts.functions.findLast((fact) => draft.owners.holderOf(fact) === within && isAround(fact, start))
  if (within === undefined || method === undefined || name === undefined) return
  const { graph, server } = draft
  const above = graph.add(object)
  server.callables.supers.push([above, classIndex(within, draft)])
  const self = draft.parameters.selfOf(method)
  if (self !== undefined) graph.connect(self, above, COPY)
  graph.connect(above, to, READ, name)
}

function isClass(owner: object, { facts }: FlowDraft): owner is ClassFact {
  return facts.classes.some((fact) => fact === owner)
}

export function classIndex(fact: ClassFact, { server: { callables }, use }: FlowDraft): number {
  const known = callables.classes.indexOf(fact)
  if (known >= 0) return known
  for (const { value } of fact.members) if (value !== undefined) use(value)
  if (fact.parent !== undefined) use(fact.parent)
  return callables.classes.push(fact) - 1
}

/** Adds what an import gives: the exports of another file, or a package. */
export function addImport({ module }: Pick<Binding, 'module'>, node: number, draft: FlowDraft): void {
  if (module !== undefined) addModule(module.source, module.name, node, draft)
}

/** Adds what `require('./x')` gives. */
export function addRequired(call: CallValue, result: number, draft: FlowDraft): void {
  addXsImport(call, result, draft)
  const module = moduleOfCall(call)
  if (module !== undefined) addModule(module.source, undefined, result, draft)
}

function addModule(
  source: string,
  name: string | undefined,
  node: number,
  { ends: { ports }, server: { callables } }: FlowDraft,
): void {
  const named = name === undefined || name === 'default' ? [] : [name]
  if (/^(?:\.|#|@\/|~\/)/.test(source)) ports.push({ node, access: 'read', store: `${MODULE_STORE}${source}`, path: named })
  else {
    const path = `module:${source.replace(/^node:/, '')}`
    if (FOLLOWED_PACKAGES.has(path.slice('module:'.length))) callables.packages.push([node, [path, ...named].join(' ')])
  }
}

/** Adds what the script gives to others. */
export function addExports(draft: FlowDraft): void {
  addXsExports(draft)
  const { facts, ends, graph, use } = draft
  const own = MODULE_STORE
  const addExportedRouters = createRouterExports(draft)
  for (const { name, value, source, from = name, start, end } of facts.exports) {
    const path = name === 'default' || name === '*' ? [] : [name]
    if (value !== undefined) {
      ends.ports.push({ node: use(value), access: 'write', store: own, path })
      addExportedRouters(value, path)
    } else if (source !== undefined) {
      const node = graph.add({ start, end })
      ends.ports.push({
        node,
        access: 'read',
        store: `${MODULE_STORE}${source}`,
        path: from === 'default' || from === '*' ? [] : [from],
      })
      ends.ports.push({ node, access: 'write', store: own, path })
    }
  }
}

/** A package, or a global; what `Object.entries(handlers)` gives may be the project's own. */
export function isOfOthers(path: string): boolean {
  return path.startsWith(MODULE)
    ? !/^(?:\.|#|@\/|~\/)/.test(path.slice(MODULE.length))
    : /^global:[^ ]+(?: [^ ()`]+)*$/.test(path)
}

const MODULE = 'module:'

/** Adds what a package makes whose methods are followed. */
function addMade(call: CallValue, paths: readonly string[], result: number, { server: { callables } }: FlowDraft): void {
  for (const path of paths) {
    const kept = `${path.replace(/ new$/, '')} ${call.kind === 'new' ? 'new' : '()'}`
    if (MADE_BY_PACKAGES.has(kept)) callables.packages.push([result, kept])
    if (MAKES_CLIENTS.has(kept) && makesLoggedOn(call)) callables.packages.push([result, LOGGED_ON])
  }
}

/** Adds a call whose function is found when the files are joined. */
export function addOpenCall(
  call: CallValue,
  paths: readonly string[],
  result: number,
  args: readonly number[],
  draft: FlowDraft,
): void {
  const { server, use, owners } = draft
  const { callee } = call
  addMade(call, paths, result, draft)
  const made = resolveValue(callee)
  // debounce(run), once(run): what it gives calls the function of the project; `handlers[name] ?? undefined`: one of several may be its own
  const isOwn =
    made.kind === 'choice' ||
    (made.kind === 'call' && (isComposition(made) || made.args.some((argument) => functionOf(argument) !== undefined)))
  // libraries of XS classic hang on `$`
  if (!isOwn && paths.length > 0 && paths.every((path) => isOfOthers(path) && !path.startsWith('global:$ '))) return
  if (callee.kind === 'super') {
    const owner = owners.ownerOf(call.function)
    const parent = owner !== undefined && 'members' in owner && isClass(owner, draft) ? owner.parent : undefined
    const self = draft.parameters.selfOf(call.function)
    if (parent !== undefined)
      server.callables.calls.push({
        called: use(parent),
        how: 'super',
        args,
        result,
        handed: [],
        ...(self !== undefined && { receiver: self }),
      })
    return
  }
  if (callee.kind === 'member' && callee.name === 'bind' && call.kind === 'call') {
    const rest = draft.graph.add(call)
    server.callables.partials.push({ called: use(callee.object), result, args: args.slice(1), rest, ...objectIn(args) })
    // a class of the project may have a method of that name: container.bind(token, factory)
    if (args.length < 2) return
  }
  if (isOfFunction(callee, draft) && call.kind === 'call') {
    server.callables.calls.push({
      called: use(callee.object),
      how: 'call',
      args: givenBy(callee.name, call, args, draft),
      result,
      handed: [],
      ...objectIn(call.args[0]?.kind === 'this' ? [draft.parameters.selfOf(call.args[0].function) ?? args[0] ?? result] : args),
      ...(isOfPrototype(callee.object) && { isSuper: true }),
    })
    // a class of the project may have a method of that name: settings.apply(changes)
    if (args.length > 1 && !isWholeModule(callee.object)) return
  }
  const parameter = parameterOf(callee, draft)
  const receiver = call.kind === 'new' ? result : receiverOf(callee, draft, call)
  const filled = filledArguments(call.args, draft)
  server.callables.calls.push({
    called: use(callee),
    how: call.kind === 'new' ? 'new' : 'call',
    args,
    result,
    handed: [],
    ...(call.kind === 'new' && isOnce(call.function) && { isOnce: true }),
    ...(receiver !== undefined && { receiver }),
    ...(isOfSuper(callee) && { isSuper: true }),
    ...(filled !== undefined && { filled }),
    ...(parameter !== undefined && { via: parameter }),
  })
}

function objectIn([object]: readonly number[]): Pick<FlowOpenCall, 'object'> {
  return object === undefined ? {} : { object }
}

/** A method that every function has; what a class calls so itself is one of its own, or of those that extend it. */
function isOfFunction(
  callee: Value,
  { owners }: FlowDraft,
): callee is Value & { readonly kind: 'member'; readonly name: 'call' | 'apply' } {
  if (callee.kind !== 'member' || (callee.name !== 'call' && callee.name !== 'apply')) return false
  return callee.object.kind !== 'this' || owners.ownerOf(callee.object.function) === undefined
}

/** `Base.prototype.run`, which no class below replaces. */
function isOfPrototype(value: Value): boolean {
  return value.kind === 'member' && value.object.kind === 'member' && value.object.name === 'prototype'
}

/** What runs when the server starts, and never again. */
function isOnce({ kind, name }: FunctionFact): boolean {
  return kind === 'file' || kind === 'initializer' || name === 'init' || name.endsWith('.init')
}

/** `run.call(self, x)`, `run.apply(self, [x])`. */
function givenBy(how: string, call: CallValue, args: readonly number[], { graph }: FlowDraft): readonly number[] {
  if (how === 'call') return args.slice(1)
  const [, list] = args
  if (list === undefined) return []
  return Array.from({ length: MAX_APPLIED }, (_, index) => {
    return graph.derive(list, call, READ, String(index))
  })
}

const MAX_APPLIED = 6

/** Adds a function that is called with something, although no call of it is written: a handler, a callback. */
export function addHandedFunction(
  value: Value,
  args: readonly number[],
  result: number,
  draft: FlowDraft,
  handed: FlowOpenCall['handed'] = [],
): void {
  const parameter = parameterOf(value, draft)
  draft.server.callables.calls.push({
    called: draft.use(value),
    how: 'call',
    args,
    result,
    handed,
    ...(parameter !== undefined && { via: parameter }),
  })
}

function parameterOf(callee: Value, draft: FlowDraft): number | undefined {
  const binding = callee.kind === 'reference' ? callee.binding : undefined
  const [definition] = binding?.definitions ?? []
  if (binding?.kind !== 'parameter' || definition?.path.length !== 0 || definition.parameter === undefined) return undefined
  return draft.parameters.namedNodeOf(binding.function, definition.parameter)
}
