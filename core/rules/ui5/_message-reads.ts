import {
  accessesOf,
  constantOf,
  findOrigin,
  resolveValue,
  valuesOf,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { functionOf } from '../../facts/callbacks.ts'

/** How well a listener looks at the sender: `strong` also where it hands the sender on to something that may. */
export type SenderCheck = 'none' | 'weak' | 'strong'

/** What listeners of one file do with an event. */
export interface EventReads {
  /** The data is used for something, not just written to a log. */
  readonly usesData: boolean
  readonly check: SenderCheck
  /** The first value that is made of the data and runs or shows as code. */
  readonly sink: Value | undefined
}

interface Read {
  readonly value: Value
  /** `data`, `origin`, `source`; '' for the event as a whole. */
  readonly part: string
}

/** Reads of events by the function that gets them, found in one pass over the file. */
export interface EventReader {
  readsOf(handler: FunctionFact, parameter: number): EventReads
}

const MAX_NESTED = 2

export function createEventReader(facts: ScriptFacts, step: (count?: number) => void): EventReader {
  const parents = new Map<Value, Value | undefined>()
  // what a variable gets is used where the variable is
  const stored = new Set(facts.bindings.flatMap(({ definitions }) => definitions.map(({ value }) => value)))
  const reads = new Map<FunctionFact, { readonly parameter: number; readonly read: Read }[]>()
  for (const { value, parent } of valuesOf(facts)) {
    step()
    parents.set(value, parent)
    if (value.kind !== 'member' && value.kind !== 'reference') continue
    for (const { root, steps, binding } of accessesOf(value)) {
      const definition = binding?.definitions[0]
      if (binding === undefined || definition?.kind !== 'parameter' || !root.startsWith('parameter:')) continue
      const own = steps[0] === 'originalEvent' || steps[0] === 'nativeEvent' ? steps.slice(1) : steps
      if (own.length > 1 && own[0] !== 'data') continue
      const read = { value, part: own[0] ?? '' }
      const list = reads.get(binding.function)
      const entry = { parameter: definition.parameter ?? 0, read }
      if (list === undefined) reads.set(binding.function, [entry])
      else list.push(entry)
    }
  }

  const parentOf = (value: Value): Value | undefined => parents.get(value)
  const readsOf = (handler: FunctionFact, parameter: number, nested: number): EventReads => {
    let [usesData, check, sink]: [boolean, SenderCheck, Value | undefined] = [false, 'none', undefined]
    const own = (reads.get(handler) ?? []).flatMap((entry) => (entry.parameter === parameter ? entry.read : []))
    for (const { value, part } of own) {
      step()
      if (part === 'data') usesData ||= !stored.has(value) && !isLogged(value, parentOf)
      else if (part === 'origin') check = stronger(check, checkOfOrigin(value, parentOf))
      else if (part === 'source') check = stronger(check, isCompared(value, parentOf(value)) ? 'strong' : 'none')
      else if (part === '') {
        const passed = readsOfCallee(value, parentOf(value), nested)
        usesData ||= passed.usesData
        check = stronger(check, passed.check)
        sink ??= passed.sink
      }
    }
    sink ??= findSink(facts, handler, new Set(own.flatMap(({ value, part }) => (part === 'data' ? value : []))), step)
    return { usesData, check, sink }
  }

  /** The event is passed on: to a function of the file, to one whose name says that it checks, or to an unknown one. */
  const readsOfCallee = (value: Value, call: Value | undefined, nested: number): EventReads => {
    const nothing: EventReads = { usesData: false, check: 'none', sink: undefined }
    if (call?.kind !== 'call' || isLog(call.callee) || nested >= MAX_NESTED) return nothing
    const name = lastNameOf(call.callee) ?? ''
    const known = functionOf(call.callee) ?? facts.functions.find((one) => one.name.endsWith(`.${name}`))
    const index = call.args.indexOf(value)
    if (known !== undefined && index >= 0) return readsOf(known, index, nested + 1)
    return /origin|trust|valid|verif|check|allow|source|sender/i.test(name) ? { ...nothing, check: 'strong' } : nothing
  }
  return { readsOf: (handler, parameter) => readsOf(handler, parameter, 0) }
}

function stronger(one: SenderCheck, other: SenderCheck): SenderCheck {
  if (one === 'strong' || other === 'strong') return 'strong'
  return one === 'weak' ? one : other
}

function isLog(callee: Value): boolean {
  return accessesOf(callee).some(
    ({ root, steps }) =>
      root === 'global:console' ||
      root === 'module:sap/base/Log' ||
      steps.at(-2) === 'log' ||
      /^LOG(?:GER)?$/i.test(lastOf(root)),
  )
}

function lastOf(root: string): string {
  return root.slice(root.indexOf(':') + 1)
}

const MAX_CLIMB = 12

/** Whether a value ends up in a call of a logger. */
function isLogged(value: Value, parentOf: (value: Value) => Value | undefined): boolean {
  let here = parentOf(value)
  for (let climb = 0; here !== undefined && climb < MAX_CLIMB; climb++) {
    if (here.kind === 'call' && isLog(here.callee)) return true
    here = parentOf(here)
  }
  return false
}

function isEquality(value: Value | undefined): boolean {
  return value?.kind === 'operation' && /^[!=]==?$/.test(value.operator)
}

/** Compared with something that is not just nothing. */
function isCompared(value: Value, parent: Value | undefined): boolean {
  if (parent?.kind !== 'operation' || !isEquality(parent)) return false
  const other = parent.operands.find((operand) => operand !== value)
  if (other === undefined || (other.kind === 'reference' && other.name === 'undefined')) return false
  return other.kind !== 'literal' || (typeof other.value === 'string' && other.value !== '' && other.value !== '*')
}

/** Methods that give the same text in another form. */
const KEEPING: ReadonlySet<string> = new Set(['toLowerCase', 'toUpperCase', 'trim', 'toString', 'replace', 'split', 'slice'])

function checkOfOrigin(value: Value, parentOf: (value: Value) => Value | undefined): SenderCheck {
  let here = value
  for (let climb = 0; climb < MAX_CLIMB; climb++) {
    const parent = parentOf(here)
    if (parent === undefined) return 'none'
    if (isEquality(parent)) return isCompared(here, parent) ? 'strong' : 'none'
    if (parent.kind === 'member' && parent.object === here) {
      const call = parentOf(parent)
      if (call?.kind !== 'call' || call.callee !== parent) return 'none'
      if (!KEEPING.has(parent.name ?? '')) return checkOfMethod(parent.name ?? '', call.args[0])
      here = call
      continue
    }
    if (parent.kind === 'member' || parent.kind === 'new') return 'strong'
    if (parent.kind === 'call') return checkOfArgument(parent, here)
    if (parent.kind === 'operation') return parent.operator === 'in' ? 'strong' : 'none'
    here = parent
  }
  return 'none'
}

/** `origin.endsWith('.corp.com')`. */
function checkOfMethod(name: string, argument: Value | undefined): SenderCheck {
  const text = argument === undefined ? undefined : constantOf(argument)
  switch (name) {
    case 'endsWith':
      return typeof text !== 'string' || text.startsWith('.') || text.includes('://') ? 'strong' : 'weak'
    case 'match':
    case 'search':
      return checkOfPattern(argument)
    case 'startsWith':
    case 'indexOf':
    case 'includes':
    case 'lastIndexOf':
      return 'weak'
    default:
      return 'none'
  }
}

/** `ALLOWED.includes(origin)`, `/^…$/.test(origin)`, `this.isTrusted(origin)`. */
function checkOfArgument({ callee }: Extract<Value, { kind: 'call' | 'new' | 'tagged' }>, argument: Value): SenderCheck {
  const name = lastNameOf(callee)
  if (isLog(callee) || name === 'postMessage') return 'none'
  if (callee.kind !== 'member') return 'strong'
  if (name === 'test' || name === 'exec') return checkOfPattern(callee.object)
  // the text of one allowed origin: any part of it fits
  if ((name === 'includes' || name === 'indexOf') && argument !== callee.object)
    return resolveValue(callee.object).kind === 'literal' ? 'weak' : 'strong'
  return 'strong'
}

function checkOfPattern(given: Value | undefined): SenderCheck {
  const pattern = given && resolveValue(given)
  if (pattern?.kind !== 'regex') return 'strong'
  // an anchor at both ends, and a start that names the scheme or the own host
  return /\$\)?$/.test(pattern.pattern) && /^\(?\^|\\\./.test(pattern.pattern) ? 'strong' : 'weak'
}

const MARKUP: ReadonlySet<string> = new Set(['innerHTML', 'outerHTML', 'srcdoc', 'location', 'href'])
const RUNNERS: ReadonlySet<string> = new Set([
  'eval',
  'Function',
  'execScript',
  'globalEval',
  'write',
  'writeln',
  'html',
  'insertAdjacentHTML',
  'setContent',
])

/** Where the data runs as code or becomes markup, in the listener itself. */
function findSink(
  facts: ScriptFacts,
  { start, end }: FunctionFact,
  data: ReadonlySet<Value>,
  step: (count?: number) => void,
): Value | undefined {
  if (data.size === 0) return undefined
  step(facts.assignments.length + facts.calls.length)
  const isMade = (value: Value): boolean =>
    findOrigin(value, (part) => {
      step()
      return data.has(part) ? 'source' : undefined
    }) !== undefined
  for (const { target, value } of facts.assignments)
    if (target.start >= start && target.end <= end && MARKUP.has(target.name ?? '') && isMade(value)) return target
  for (const call of facts.calls) {
    if (call.start < start || call.end > end || !runs(call)) continue
    if (call.args.some(isMade)) return call.callee
  }
  return undefined
}

/** What writes markup, or leads this window elsewhere, `javascript:` addresses included. */
function runs({ kind, callee, args }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (RUNNERS.has(name)) return true
  const places = accessesOf(callee).map(({ root, steps }) => [root, ...steps].join(' '))
  if (kind !== 'new')
    return (name === 'replace' || name === 'assign') && places.some((place) => place.startsWith('global:location '))
  return places.some((place) => CONTROLS.has(place)) && !args.some(sanitizes)
}

/** Controls that show what they are made with as markup. */
const CONTROLS: ReadonlySet<string> = new Set(['module:sap/ui/core/HTML', 'global:sap ui core HTML'])

function sanitizes(settings: Value): boolean {
  const own = settings.kind === 'object' ? settings.fields.find(({ key }) => key === 'sanitizeContent') : undefined
  return own !== undefined && constantOf(own.value) === true
}
