import { accessesOf, constantOf, resolveValue, type Value } from '../facts/index.ts'
import { lastNameOf } from '../facts/literals.ts'

/** How well a listener looks at the sender: `strong` also where it hands the sender on to something that may. */
export type SenderCheck = 'none' | 'weak' | 'strong'

export function stronger(one: SenderCheck, other: SenderCheck): SenderCheck {
  if (one === 'strong' || other === 'strong') return 'strong'
  return one === 'weak' ? one : other
}

export function isLog(callee: Value): boolean {
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
export function isLogged(value: Value, parentOf: (value: Value) => Value | undefined): boolean {
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
export function isCompared(value: Value, parent: Value | undefined): boolean {
  if (parent?.kind !== 'operation' || !isEquality(parent)) return false
  const other = parent.operands.find((operand) => operand !== value)
  if (other === undefined || (other.kind === 'reference' && other.name === 'undefined')) return false
  // the sender says itself what it is compared with
  if (accessesOf(other).some(({ root, steps }) => root.startsWith('parameter:') && steps.slice(0, 2).includes('data')))
    return false
  return other.kind !== 'literal' || (typeof other.value === 'string' && other.value !== '' && other.value !== '*')
}

/** What stands around a value, and where the name is read that it is given. */
export interface Expressions {
  readonly parentOf: (value: Value) => Value | undefined
  readonly namesOf: (value: Value) => readonly Value[]
}

const MAX_HOPS = 3

/** Methods that give the same text in another form. */
const KEEPING: ReadonlySet<string> = new Set(['toLowerCase', 'toUpperCase', 'trim', 'toString', 'replace', 'split', 'slice'])

export function checkOfOrigin(value: Value, expressions: Expressions, hops = 0): SenderCheck {
  const { parentOf, namesOf } = expressions
  let here = value
  for (let climb = 0; climb < MAX_CLIMB; climb++) {
    const parent = parentOf(here)
    // const sender = event.origin.toLowerCase()
    if (parent === undefined)
      return hops >= MAX_HOPS
        ? 'none'
        : namesOf(here).reduce<SenderCheck>((found, name) => stronger(found, checkOfOrigin(name, expressions, hops + 1)), 'none')
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
