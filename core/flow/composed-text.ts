import {
  fieldOf,
  isCheckedBy,
  isConstant,
  pathOf,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type Judge,
  type MemberValue,
  type ReferenceValue,
  type Value,
} from '../facts/index.ts'
import { functionOf } from '../facts/callbacks.ts'
import type { OwnCalls } from './own-calls.ts'
import type { OwnFields } from './own-fields.ts'

/** What the file's own functions and fields add to a text. */
export interface OwnCode {
  readonly calls: OwnCalls
  readonly fields: OwnFields
}

/** What a text is put together from. */
export interface Composition {
  /** The parts that aren't constant, in the order of the text. */
  readonly parts: readonly Value[]
  /** What stands between them, as far as it is written out; pieces are set apart by NUL. */
  readonly text: string
  /** It is put together here: `+`, a template, `+=`, join. A name that is passed on is not. */
  readonly isComposed: boolean
}

interface Draft {
  parts: Value[]
  texts: string[]
  isComposed: boolean
  looks: number
  readonly seen: Set<Binding>
  readonly known: Judge
  readonly own: OwnCode | undefined
  /** The file's functions that the text is looked for in right now. */
  readonly open: Set<FunctionFact>
  /** What their parameters are given by the call that led there. */
  readonly arguments: Map<Binding, Value>
  /** Conditions that decide between the options that are being looked at. */
  readonly tests: { readonly test: Value; readonly holds: boolean }[]
}

/** Methods whose result is the text that they are called on. */
const KEEPING: ReadonlySet<string> = new Set([
  'trim',
  'trimStart',
  'trimEnd',
  'toString',
  'normalize',
  'toUpperCase',
  'toLowerCase',
])
/** Methods that put their last argument into the text that they are called on. */
const INSERTING: ReadonlySet<string> = new Set(['concat', 'replace', 'replaceAll'])

const MAX_LOOKS = 2000
/** Text kept to tell what language it is. */
const MAX_TEXTS = 50

/** Takes a text apart within its file: through names, `+=`, join, replace, and what functions of the file give back. @param known see `isConstant` */
export function composeText(value: Value, known: Judge, own?: OwnCode): Composition {
  const draft: Draft = {
    parts: [],
    texts: [],
    isComposed: false,
    looks: MAX_LOOKS,
    seen: new Set(),
    known,
    own,
    open: new Set(),
    arguments: new Map(),
    tests: [],
  }
  add(value, draft, 0)
  return { parts: draft.parts, text: draft.texts.join('\0'), isComposed: draft.isComposed && draft.parts.length > 0 }
}

const MAX_DEPTH = 60

function add(value: Value, draft: Draft, depth: number): void {
  if (draft.looks-- <= 0 || depth > MAX_DEPTH) return
  switch (value.kind) {
    case 'literal':
      addText(draft, String(value.value))
      return
    case 'template':
      draft.isComposed = true
      for (const text of value.texts) addText(draft, text)
      for (const part of value.parts) add(part, draft, depth + 1)
      return
    case 'concat':
      // of two numbers it is no text, but then it holds no part either
      draft.isComposed = true
      for (const part of value.parts) add(part, draft, depth + 1)
      return
    case 'choice':
      for (const [index, option] of value.options.entries()) {
        if (value.test !== undefined) draft.tests.push({ test: value.test, holds: index === 0 })
        add(option, draft, depth + 1)
        if (value.test !== undefined) draft.tests.pop()
      }
      return
    case 'reference':
      if (draft.known(value) === true || isHeld(value, draft)) return
      if (addBinding(value, draft, depth)) return
      break
    case 'tagged':
      // String.raw puts its parts in as they are
      if (pathOf(value.callee)?.join(' ') !== 'global:String raw') break
      draft.isComposed = true
      for (const text of value.texts ?? []) addText(draft, text)
      for (const part of value.args) add(part, draft, depth + 1)
      return
    case 'await':
      add(value.value, draft, depth + 1)
      return
    case 'member':
      if (addField(value, draft, depth)) return
      break
    case 'call':
      if (addCall(value, draft, depth)) return
      break
    default:
  }
  if (!isHeld(value, draft) && !isConstant(value, draft.known)) draft.parts.push(value)
}

/** `list.includes(name) ? name : 'title'`. */
function isHeld(value: Value, { tests }: Draft): boolean {
  return tests.some(({ test, holds }) => isCheckedBy(test, value, holds))
}

function addText(draft: Draft, text: string): void {
  if (draft.texts.length < MAX_TEXTS) draft.texts.push(text.slice(0, 200))
}

/** A variable that is given its text here; a parameter, an import or what an object holds is a part by itself. */
function addBinding(value: ReferenceValue, draft: Draft, depth: number): boolean {
  const { binding } = value
  if (binding === undefined || binding.module !== undefined) return false
  if (draft.seen.has(binding)) return true
  const argument = draft.arguments.get(binding)
  if (argument !== undefined) {
    addArgument(binding, argument, draft, depth)
    return true
  }
  const { definitions } = binding
  const isText =
    definitions.length > 0 && definitions.every(({ kind, path }) => (kind === 'init' || kind === 'assign') && path.length === 0)
  if (!isText) return false
  draft.seen.add(binding)
  for (const { operator, value } of definitions) {
    if (operator === '+=') draft.isComposed = true
    if (value !== undefined) add(value, draft, depth + 1)
  }
  return true
}

/** The argument as its caller wrote it: the parameter's own name means something else there, if anything. */
function addArgument(parameter: Binding, argument: Value, draft: Draft, depth: number): void {
  draft.arguments.delete(parameter)
  add(argument, draft, depth + 1)
  draft.arguments.set(parameter, argument)
}

/** `this.sql`, where the class says what it is, and `query.sql` of an object that is written out. */
function addField(value: MemberValue, draft: Draft, depth: number): boolean {
  const given = draft.own?.fields(value) ?? []
  for (const one of given) add(one, draft, depth + 1)
  if (given.length > 0) return true
  const held = value.name === undefined ? undefined : fieldOf(resolveValue(value.object), value.name)?.value
  if (held === undefined) return false
  add(held, draft, depth + 1)
  return true
}

/** What a function of the file gives back for these arguments. */
function addResult(call: CallValue, draft: Draft, depth: number): boolean {
  const own = draft.own?.calls.calledBy(call)
  if (own === undefined || own.returns.length === 0 || draft.open.has(own)) return false
  draft.open.add(own)
  const before = own.parameters.map((parameter) => parameter && draft.arguments.get(parameter))
  for (const [index, parameter] of own.parameters.entries()) {
    const argument = call.args[index]
    if (parameter !== undefined && argument !== undefined && argument.kind !== 'spread') draft.arguments.set(parameter, argument)
  }
  for (const value of own.returns) add(value, draft, depth + 1)
  for (const [index, parameter] of own.parameters.entries()) {
    const argument = before[index]
    if (parameter === undefined) continue
    if (argument === undefined) draft.arguments.delete(parameter)
    else draft.arguments.set(parameter, argument)
  }
  draft.open.delete(own)
  return true
}

function addCall(call: CallValue, draft: Draft, depth: number): boolean {
  if (addResult(call, draft, depth)) return true
  const { callee, args } = call
  if (callee.kind !== 'member' || callee.name === undefined) return false
  if (KEEPING.has(callee.name)) {
    add(callee.object, draft, depth + 1)
    return true
  }
  if (INSERTING.has(callee.name) && holdsText(callee.object)) {
    draft.isComposed = true
    add(callee.object, draft, depth + 1)
    for (const inserted of callee.name === 'concat' ? args : args.slice(1, 2)) add(inserted, draft, depth + 1)
    return true
  }
  if (callee.name === 'join') return addJoined(callee.object, draft, depth)
  if (callee.name === 'format' && args.length > 1) {
    // util.format('… %s', part)
    draft.isComposed = true
    for (const argument of args) add(argument, draft, depth + 1)
    return true
  }
  return false
}

/** Methods that give some of the items of their list, or all of them in another order. */
const SIFTING: ReadonlySet<string> = new Set(['filter', 'slice', 'reverse', 'sort', 'flat'])

/** `['a =', x].join(' ')`, a list that grows by push, and what `map` makes of the items of another one. */
function addJoined(list: Value, draft: Draft, depth: number): boolean {
  let here = list
  for (let hops = 0; hops < MAX_DEPTH; hops++) {
    if (here.kind !== 'call' || here.callee.kind !== 'member' || !SIFTING.has(here.callee.name ?? '')) break
    here = here.callee.object
  }
  const binding = here.kind === 'reference' ? here.binding : undefined
  const [definition] = binding?.definitions ?? []
  if (binding !== undefined && (binding.definitions.length !== 1 || draft.seen.has(binding))) return false
  const array = here.kind === 'reference' && definition?.path.length === 0 ? definition.value : here
  const items = array === undefined ? undefined : itemsOf(array)
  if (items === undefined) {
    // the items are another list's: what that one holds is joined
    if (binding === undefined || array === undefined || array === here) return false
    draft.seen.add(binding)
    const isKnown = addJoined(array, draft, depth)
    draft.seen.delete(binding)
    return isKnown
  }
  if (array?.kind === 'array') draft.isComposed = true
  for (const item of [...items, ...(binding?.additions ?? [])]) add(item, draft, depth + 1)
  return true
}

function itemsOf(list: Value): readonly Value[] | undefined {
  if (list.kind === 'array') return list.items
  if (list.kind !== 'call' || list.callee.kind !== 'member' || list.callee.name !== 'map') return undefined
  const returns = functionOf(list.args[0])?.returns ?? []
  return returns.length > 0 ? returns : undefined
}

/** Whether a receiver is text that stands in the code: `'… :id'.replace(':id', x)`. */
function holdsText(value: Value): boolean {
  let here = value
  for (let depth = 0; here.kind === 'call' && here.callee.kind === 'member' && depth < MAX_DEPTH; depth++)
    here = here.callee.object
  if (here.kind === 'literal') return typeof here.value === 'string'
  if (here.kind === 'template' || here.kind === 'concat') return true
  if (here.kind !== 'reference') return false
  const [definition] = here.binding?.definitions ?? []
  const given = definition?.kind === 'init' || definition?.kind === 'assign' ? definition.value : undefined
  return given?.kind === 'literal' || given?.kind === 'template' || given?.kind === 'concat'
}
