import {
  accessesOf,
  fieldOf,
  findPart,
  resolveValue,
  valuesOf,
  type Binding,
  type CallValue,
  type FunctionFact,
  type Value,
} from '../../facts/index.ts'
import { createFreshReader, isRequestName } from '../../model/script/index.ts'
import type { FlowSink } from '../types.ts'
import { classIndex } from '../calls/callables.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { CACHES } from '../models/collections.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { isAround, isWithin } from '../../facts/span-index.ts'

const OF_CALLERS = /tenant|user|session|subdomain/i

/** Adds variables, objects and collections of a module that its functions write, and fields of objects that live as long: what a handler of another file hands them stays there for all requests. */
export function addSharedState(draft: FlowDraft): void {
  addVariables(draft)
  addFields(draft)
  addCollections(draft)
}

/** What the handlers behind give: rows for their caller alone. */
export function addReplies({ facts, ends: { sources }, use, show }: FlowDraft): void {
  for (const call of facts.calls) {
    const binding = call.callee.kind === 'reference' ? call.callee.binding : undefined
    if (binding?.kind !== 'parameter' || binding.name !== 'next') continue
    const [request, next] = binding.function.parameters
    if (next !== binding || (request !== undefined && !isRequestName(request.name))) continue
    sources.push({ node: use(call), origin: 'reply', weak: false })
    show(use(call), call)
  }
}

function addVariables(draft: FlowDraft): void {
  const isFresh = createFreshReader(draft.facts, draft.text, draft.step)
  for (const binding of draft.facts.bindings) {
    if ((binding.kind !== 'let' && binding.kind !== 'var') || binding.function.kind !== 'file' || !binding.isCaptured) continue
    for (const { kind, operator, value, path, start, end, function: within } of binding.definitions) {
      if (kind !== 'assign' || operator !== '=' || value === undefined || within.kind === 'file' || path.length > 0) continue
      if (!isLazy(binding, start, draft) && !isFresh(binding)) addKept(value, { name: binding.name, start, end }, draft)
    }
  }
}

/** `state.last = value` of an object of the module, `this.rows = rows` of an object that is made once. */
function addFields(draft: FlowDraft): void {
  for (const { target, value, operator, start, end, function: within } of draft.facts.assignments) {
    const { object, name, property } = target
    if (operator !== '=' || within.kind === 'file' || value.kind === 'literal') continue
    if (object.kind === 'this') {
      const owner =
        within.kind === 'constructor' || within.kind === 'initializer' ? undefined : draft.owners.ownerOf(object.function)
      const body = draft.facts.classes.find((fact) => fact === owner)
      if (body !== undefined && name !== undefined)
        addKept(value, { name: `this.${name}`, start, end, only: { ofClass: classIndex(body, draft) } }, draft)
      continue
    }
    if (isGlobalObject(object)) {
      if (name !== undefined) addKept(value, { name: `${draft.text.slice(object.start, object.end)}.${name}`, start, end }, draft)
      continue
    }
    const kept = moduleCollection(object)
    if (kept === undefined || !(isReadElsewhere(kept, within, draft) || isLeftBehind(kept, { name, start, end, within }, draft)))
      continue
    if (name !== undefined) addKept(value, { name: `${kept.name}.${name}`, start, end }, draft)
    else if (property !== undefined && !isOfCaller(property))
      addKept(value, { name: kept.name, start, end, detail: 'collection' }, draft)
  }
}

function addCollections(draft: FlowDraft): void {
  for (const call of draft.facts.calls) {
    const { callee, args, start, end, function: within } = call
    if (callee.kind !== 'member' || within.kind === 'file') continue
    const kept = KEEPING.test(callee.name ?? '') ? moduleCollection(callee.object) : undefined
    const value = keptValue(call, callee.name)
    if (kept === undefined || value === undefined || (callee.name !== 'set' && isKeyed(call))) continue
    if (callee.name === 'set' ? isOfCaller(args[0] ?? value) : !isReadElsewhere(kept, within, draft)) continue
    addKept(value, { name: kept.name, start, end, detail: 'collection' }, draft)
  }
}

const KEEPING = /^(?:set|push|unshift|add)$/

function isKeyed({ args }: CallValue): boolean {
  return args.length === 2
}

function addKept(value: Value, where: Pick<FlowSink, 'name' | 'start' | 'end' | 'detail' | 'only'>, draft: FlowDraft): void {
  const detail = where.detail ?? (holdsCredential(where.name, value) ? 'credential' : undefined)
  const sink = { ...FOUND_SINKS.sharedState, node: draft.use(value), ...where, ...(detail && { detail }) } as const
  draft.ends.sinks.push(sink, { ...sink, of: 'reply' })
}

/** `global.login = { user, password }`, `global.header = 'Basic ' + btoa(user + ':' + password)`: by the names alone. What is sent along to load something says nothing of that. */
function holdsCredential(name: string, value: Value): boolean {
  return CREDENTIAL.test(name) || isCredential(value, 0)
}

function isCredential(value: Value, depth: number): boolean {
  if ('name' in value && PASSWORD.test(value.name ?? '')) return true
  const here = resolveValue(value)
  if (depth > MAX_PARTS) return false
  if ('fields' in here)
    return here.fields.some(
      ({ key = '', value: part }) => CREDENTIAL.test(key) || (part !== undefined && isCredential(part, depth + 1)),
    )
  return partsOf(here).some((part) => isCredential(part, depth + 1))
}

function partsOf(value: Value): readonly Value[] {
  if ('parts' in value) return value.parts
  if ('options' in value) return value.options
  if (!('callee' in value) || !('name' in value.callee) || !ENCODES.test(value.callee.name ?? '')) return []
  return 'object' in value.callee ? [value.callee.object, ...value.args] : value.args
}

const ENCODES = /^(?:from|toString|stringify|encode|btoa)$/
const PASSWORD = /^(?:\w{0,20}passw(?:or)?d|pwd)$/i
const CREDENTIAL =
  /^(?:\w{0,20}\.)?(?:\w{0,20}passw(?:or)?d|passwd|(?:\w{0,20}_)?pwd|(?:access|bearer|auth|id|refresh|user|sap)?_?token|(?:basic|sap)?_?auth(?:_?header|orization)?|(?:sap|session|auth|login)?_?cookies?)$/i
const MAX_PARTS = 5

/** `global`, `globalThis`: all files of the process have the same one. */
function isGlobalObject(object: Value): boolean {
  return 'binding' in object && object.binding === undefined && /^global(?:This)?$/.test(object.name)
}

/** `if (rates === undefined) rates = await load(region)`: made once. */
function isLazy(binding: Binding, offset: number, { facts }: FlowDraft): boolean {
  return facts.guards.some(
    ({ test, inside }) =>
      isAround(inside, offset) && findPart(test, (part) => part.kind === 'reference' && part.binding === binding) !== undefined,
  )
}

/** `const values = new Map()`, `const state = {}` of the module, and what such an object holds from the start: `state.list` of `{ list: [] }`. */
function moduleCollection(object: Value): Binding | undefined {
  const names: string[] = []
  let root = object
  while (root.kind === 'member' && root.name !== undefined && names.length < MAX_NAMES) {
    names.unshift(root.name)
    root = root.object
  }
  const binding = root.kind === 'reference' ? root.binding : undefined
  if (binding?.function.kind !== 'file' || binding.kind === 'parameter' || binding.kind === 'import') return undefined
  let made: Value | undefined = resolveValue(root)
  for (const name of names) made = made && fieldOf(made, name)?.value
  return made !== undefined && isCollection(made) ? binding : undefined
}

/** What is kept for an object, such as in a WeakMap for a request, is found with that object alone. */
export function isCollection(made: Value): boolean {
  const isCache = accessesOf(made).some(({ root, steps }) => CACHES.test([root, ...steps].join(' ')))
  return isCache || made.kind === 'object' || made.kind === 'array'
}

/** `rate` of `cache.set(key, rate, 600)`: behind the value of a cache stands how long it is kept. `rate` of `rates.push(rate)`. */
export function keptValue({ args }: CallValue, method: string | undefined): Value | undefined {
  return method === 'set' ? args[1] : args.at(-1)
}

const MAX_NAMES = 3

/** Another function of the module looks at it. */
function isReadElsewhere(binding: Binding, within: FunctionFact, { facts }: FlowDraft): boolean {
  const isOf = (value: Value): boolean =>
    findPart(value, (part) => part.kind === 'reference' && part.binding === binding) !== undefined
  return facts.functions.some((fact) => fact !== within && fact.kind !== 'file' && fact.returns.some(isOf))
}

/** The function itself finds there what an earlier request has left: it reads before it writes, or writes in one case and reads in all. */
function isLeftBehind(
  binding: Binding,
  {
    name,
    start,
    end,
    within,
  }: { readonly name: string | undefined; readonly start: number; readonly end: number; readonly within: FunctionFact },
  { facts, step }: FlowDraft,
): boolean {
  step(facts.assignments.length)
  const targets = new Set<Value>(facts.assignments.map(({ target }) => target))
  const around = facts.guards.filter(({ inside }) => isAround(inside, start))
  for (const { value } of valuesOf(facts)) {
    if (
      value.kind !== 'member' ||
      value.name !== name ||
      targets.has(value) ||
      value.start < within.start ||
      value.end > within.end
    )
      continue
    if (value.object.kind !== 'reference' || value.object.binding !== binding) continue
    const isAsked = facts.guards.some(({ test }) => isWithin(value, test))
    if (!isAsked && (value.end <= start || (value.start >= end && around.some(({ inside }) => value.start >= inside.end))))
      return true
  }
  return false
}

function isOfCaller(key: Value): boolean {
  return (
    findPart(key, (part) => (part.kind === 'reference' || part.kind === 'member') && OF_CALLERS.test(part.name ?? '')) !==
    undefined
  )
}
