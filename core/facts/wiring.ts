import { jquerySapModule, moduleOfCall, wiringOfCall } from './module-calls.ts'
import type { Assignment, Binding, CallValue, Value } from './types.ts'
import type { BindingBuilder, Walk } from './walk.ts'

/** What only resolved names tell: the modules that calls load, the parameters that they fill, what is put into lists and objects,
 *  the exports of CommonJS. */
export function wire(walk: Walk): void {
  // facts show bindings as read-only; here they are still being made
  const drafts = new Map<Binding, BindingBuilder>()
  for (const binding of walk.bindings) drafts.set(binding, binding)
  let names: ReadonlyMap<Value, Binding> | undefined
  const nameOf = (call: CallValue): Binding | undefined => (names ??= bindingsOfValues(walk)).get(call)
  for (const call of walk.calls) {
    addLoaded(walk, call, nameOf)
    addWired(walk, call, drafts)
    addAdditions(call, drafts)
    addArguments(call, drafts)
    addAssignedExports(walk, call)
  }
  for (const assignment of walk.assignments) {
    const object = rootOf(assignment.target)
    if (object?.kind === 'reference' && object.binding) drafts.get(object.binding)?.additions.push(assignment.value)
    addExport(walk, assignment)
  }
}

/** The binding of `const a = require('b')`, by the call. */
function bindingsOfValues(walk: Walk): Map<Value, Binding> {
  const bindings = new Map<Value, Binding>()
  for (const binding of walk.bindings) {
    for (const { value, path } of binding.definitions) {
      const call = value?.kind === 'await' ? value.value : value
      if (call?.kind === 'call' && path.length === 0) bindings.set(call, binding)
    }
  }
  return bindings
}

function addLoaded(walk: Walk, call: CallValue, nameOf: (call: CallValue) => Binding | undefined): void {
  const module = moduleOfCall(call)
  const { start, end } = call
  if (module !== undefined) walk.imports.push({ start, end, ...module, binding: nameOf(call) })
  const dotted = jquerySapModule(call)
  if (dotted !== undefined) walk.imports.push({ start, end, source: dotted, kind: 'jquery-sap', binding: undefined })
}

function addWired(walk: Walk, call: CallValue, drafts: ReadonlyMap<Binding, BindingBuilder>): void {
  const wiring = wiringOfCall(call)
  if (wiring === undefined) return
  const names = behind(wiring.names)
  const factory = behind(wiring.factory)
  if (names.kind !== 'array') return
  const parameters = factory.kind === 'function' ? factory.function.parameters : []
  for (const [index, item] of names.items.entries()) {
    const name = behind(item)
    if (name.kind !== 'literal' || typeof name.value !== 'string') continue
    const parameter = parameters[index]
    const binding = parameter && drafts.get(parameter)
    if (binding) binding.module = { source: name.value, name: undefined }
    walk.imports.push({ start: name.start, end: name.end, source: name.value, kind: 'define', binding })
  }
}

/** The value itself, or the one that a name stands for: names and factory of a module are often declared above. */
function behind(value: Value): Value {
  if (value.kind !== 'reference' || value.binding?.definitions.length !== 1) return value
  const [definition] = value.binding.definitions
  return definition?.value !== undefined && definition.path.length === 0 ? definition.value : value
}

const ADDING = new Set(['push', 'unshift', 'splice', 'add', 'set', 'append', 'concat'])

function addAdditions(call: CallValue, drafts: ReadonlyMap<Binding, BindingBuilder>): void {
  const { callee } = call
  if (callee.kind !== 'member' || callee.name === undefined || !ADDING.has(callee.name)) return
  const { object } = callee
  // a parameter's methods may be anything; a list that the file made itself is known
  // what is found under a key is not the key
  const added = callee.name === 'set' && call.args.length > 1 ? call.args.slice(1) : call.args
  if (object.kind === 'reference' && object.binding !== undefined) drafts.get(object.binding)?.additions.push(...added)
  // (texts[kind] || texts.other).push(x)
  for (const way of object.kind === 'choice' ? object.options : [object]) {
    const root = way.kind === 'member' ? rootOf(way) : undefined
    const draft = root?.kind === 'reference' && root.binding !== undefined ? drafts.get(root.binding) : undefined
    if (draft !== undefined) (draft.nested ??= []).push(...added)
  }
}

/** `(function ($) { … })(jQuery)`: a function that is called where it stands gets just these arguments. */
function addArguments({ callee, args }: CallValue, drafts: ReadonlyMap<Binding, BindingBuilder>): void {
  if (callee.kind !== 'function') return
  for (const [index, parameter] of callee.function.parameters.entries()) {
    const draft = parameter && drafts.get(parameter)
    const value = args[index]
    const [definition] = draft?.definitions ?? []
    if (draft === undefined || definition === undefined || value === undefined || value.kind === 'spread') continue
    draft.definitions[0] = { ...definition, value }
  }
}

const MAX_DEPTH = 16

/** `a` of `a.b.c`. */
function rootOf(target: Value): Value | undefined {
  let here = target
  for (let depth = 0; here.kind === 'member'; depth++) {
    if (depth > MAX_DEPTH) return undefined
    here = here.object
  }
  return here
}

/** `Object.assign(module.exports, { orders, items: require('./items') })`. */
function addAssignedExports({ exports }: Walk, { callee, args: [target, ...given] }: CallValue): void {
  if (globalPath(callee)?.join('.') !== 'Object.assign' || exportPath(target)?.length !== 0) return
  for (const value of given.map(behind)) {
    const source = 'args' in value ? moduleOfCall(value)?.source : undefined
    if (source !== undefined) exports.push({ start: value.start, end: value.end, name: '*', value: undefined, source })
    for (const { key, value: field } of 'fields' in value ? value.fields : [])
      if (key !== undefined) exports.push({ start: field.start, end: field.end, name: key, value: field, source: undefined })
  }
}

/** `module.exports = …`, `module.exports.a = …`, `exports.a = …`. */
function addExport(walk: Walk, { target, value, start, end }: Assignment): void {
  const rest = exportPath(target)
  if (rest === undefined || rest.length > 1) return
  walk.exports.push({ start, end, name: rest[0] ?? 'default', value, source: undefined })
}

/** What follows `module.exports` or `exports`. */
function exportPath(value: Value | undefined): readonly string[] | undefined {
  const path = value && globalPath(value)
  if (path === undefined) return undefined
  return path[0] === 'exports' ? path.slice(1) : path[0] === 'module' && path[1] === 'exports' ? path.slice(2) : undefined
}

/** The names of `module.exports.a`, where the first one is global. */
function globalPath(value: Value): readonly string[] | undefined {
  const names: string[] = []
  let here = value
  while (here.kind === 'member' && names.length < 3) {
    names.push(here.name ?? '[]')
    here = here.object
  }
  if (here.kind !== 'reference' || here.binding !== undefined) return undefined
  return [...names, here.name].toReversed()
}
