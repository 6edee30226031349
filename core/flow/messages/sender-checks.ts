import {
  accessesOf,
  constantOf,
  stringConstantOf,
  resolveValue,
  type Binding,
  type CallValue,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isEquality } from '../../conditions/asked.ts'
import { LOG_ROOTS } from '../tables/web.ts'

/** How well a listener looks at the sender: `strong` also where it hands the sender on to something that may; `asked`: to a function of another module. */
export type SenderCheck = 'none' | 'weak' | 'asked' | 'strong'

const BY_STRENGTH: readonly SenderCheck[] = ['none', 'weak', 'asked', 'strong']

export function stronger(one: SenderCheck, other: SenderCheck): SenderCheck {
  return BY_STRENGTH.indexOf(one) > BY_STRENGTH.indexOf(other) ? one : other
}

/** Whether it is enough, as far as the file tells. */
export function mayCheck(check: SenderCheck): boolean {
  return check === 'strong' || check === 'asked'
}

export function isLog(callee: Value): boolean {
  return accessesOf(callee).some(
    ({ root, steps }) => LOG_ROOTS.has(root) || steps.at(-2) === 'log' || /^LOG(?:GER)?$/i.test(lastOf(root)),
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

function comparesEquality(value: Value | undefined): boolean {
  return value?.kind === 'operation' && isEquality(value.operator)
}

/** Compared with something that is not just nothing. */
export function isCompared(value: Value, parent: Value | undefined): boolean {
  if (parent?.kind !== 'operation' || !isEquality(parent.operator)) return false
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
  /** The list whose items a parameter of a callback gets: `LIST.some((one) => …)`. */
  readonly listOf: (parameter: Binding) => Value | undefined
  /** Gets calls of functions of other modules that are handed the origin. */
  readonly ask: (call: CallValue, argument: Value) => void
}

const MAX_HOPS = 3

/** Methods that give the same text in another form. */
const KEEPING: ReadonlySet<string> = new Set(['toLowerCase', 'toUpperCase', 'trim', 'toString', 'replace', 'split', 'slice'])

/** Parts of an address that tell its host. */
const HOSTS: ReadonlySet<string> = new Set(['hostname', 'host', 'origin'])

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
    if (comparesEquality(parent)) return isCompared(here, parent) ? 'strong' : 'none'
    if (parent.kind === 'member' && parent.object === here) {
      if (HOSTS.has(parent.name ?? '')) {
        here = parent
        continue
      }
      const call = parentOf(parent)
      if (call?.kind !== 'call' || call.callee !== parent) return 'none'
      if (!KEEPING.has(parent.name ?? '')) return checkOfMethod(parent.name ?? '', call.args[0], expressions)
      here = call
      continue
    }
    // new URL(event.origin).hostname
    if (parent.kind === 'new' && lastNameOf(parent.callee) === 'URL') {
      here = parent
      continue
    }
    if (parent.kind === 'member' || parent.kind === 'new') return 'strong'
    if (parent.kind === 'call') return checkOfArgument(parent, here, expressions)
    if (parent.kind === 'operation') return parent.operator === 'in' ? 'strong' : 'none'
    here = parent
  }
  return 'none'
}

/** `origin.endsWith('.corp.com')`, `DOMAINS.some((domain) => origin.endsWith(domain))`. */
function checkOfMethod(name: string, argument: Value | undefined, expressions: Expressions): SenderCheck {
  switch (name) {
    case 'endsWith':
      return textsOf(argument, expressions).every((text) => text.startsWith('.') || text.includes('://')) ? 'strong' : 'weak'
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

/** A text, or those of the list that its name goes through; none: nobody can tell. */
function textsOf(value: Value | undefined, { listOf }: Expressions): readonly string[] {
  const constant = value === undefined ? undefined : constantOf(value)
  if (typeof constant === 'string') return [constant]
  const binding = value?.kind === 'reference' ? value.binding : undefined
  const [item] = binding?.definitions ?? []
  const list =
    item?.kind === 'each' ? item.value : item?.kind === 'parameter' && binding !== undefined ? listOf(binding) : undefined
  const made = list && resolveValue(list)
  const given = made?.kind === 'new' ? made.args[0] : made
  const items = given && resolveValue(given)
  return items?.kind !== 'array'
    ? []
    : items.items.flatMap((one) => {
        const text = stringConstantOf(one)
        return text !== undefined ? [text] : []
      })
}

/** `ALLOWED.includes(origin)`, `/^…$/.test(origin)`, `this.isTrusted(origin)`. */
function checkOfArgument(call: CallValue, argument: Value, { ask }: Expressions): SenderCheck {
  const { callee } = call
  const name = lastNameOf(callee)
  if (isLog(callee) || name === 'postMessage') return 'none'
  if (isOfModule(callee)) {
    ask(call, argument)
    return 'asked'
  }
  if (callee.kind !== 'member') return 'strong'
  if (name === 'test' || name === 'exec') return checkOfPattern(callee.object)
  // the text of one allowed origin: any part of it fits
  if ((name === 'includes' || name === 'indexOf') && argument !== callee.object)
    return resolveValue(callee.object).kind === 'literal' ? 'weak' : 'strong'
  return 'strong'
}

/** `Origins.isTrusted`, of another file of the app. */
export function isOfModule(callee: Value): boolean {
  const [only, other] = accessesOf(callee)
  return other === undefined && only?.root.startsWith('module:') === true && only.steps.every((step) => /^\w+$/.test(step))
}

function checkOfPattern(given: Value | undefined): SenderCheck {
  const pattern = given && resolveValue(given)
  if (pattern?.kind !== 'regex') return 'strong'
  // an anchor at both ends, and a start that names the scheme or the own host
  return /\$\)?$/.test(pattern.pattern) && /^\(?\^|\\\./.test(pattern.pattern) ? 'strong' : 'weak'
}
