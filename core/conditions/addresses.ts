import { isNothing } from '../facts/values.ts'
import { constantOf, stringConstantOf, keyOf, keyOfName, pathOf, resolveValue, type Value } from '../facts/index.ts'
import { calledBy } from '../facts/own-answers.ts'
import { askedIn, equalIn, methodOf, type Asked } from './asked.ts'

/** The names of an address, and of those that it was made of. */
export function addressesOf(value: Value): readonly string[] {
  const made = resolveValue(value)
  // const anchor = document.createElement('a'); anchor.href = address
  const given = isAnchor(made) && value.kind === 'reference' ? (value.binding?.additions ?? []) : addressesIn(made)
  return [value, ...given].flatMap((address) => nameOf(address) ?? [])
}

/** The addresses of which a value is such a part: `url.host`, also taken out of it: `const { host } = new URL(address)`. */
export function addressesOfPart(value: Value, parts: ReadonlySet<string | undefined>): readonly string[] {
  if (value.kind === 'member') return parts.has(value.name) ? addressesOf(value.object) : []
  const [only, other] = value.kind === 'reference' ? (value.binding?.definitions ?? []) : []
  const isTaken = only?.kind === 'init' && other === undefined && only.path.length === 1 && parts.has(only.path[0])
  return isTaken && only.value !== undefined ? addressesOf(only.value) : []
}

function isAnchor(made: Value): boolean {
  const [tag] = made.kind === 'call' ? made.args : []
  return tag !== undefined && constantOf(tag) === 'a' && pathOf(made)?.includes('createElement') === true
}

/** The texts of which an address is made: `new URL(text)`, `URL.parse(text)`, `toUrl(text)` of the file that gives one of those or nothing. */
function addressesIn(made: Value): readonly Value[] {
  if (made.kind === 'choice') return made.options.flatMap(addressesIn)
  if (made.kind === 'new') return made.args.slice(0, 1)
  if (made.kind !== 'call') return []
  if (made.callee.kind === 'member' && made.callee.name === 'parse' && pathOf(made.callee)?.[0] === 'global:URL')
    return made.args.slice(0, 1)
  const called = calledBy(made.callee)
  if (called === undefined || called.isAsync) return []
  const answers = called.returns.map((answer) => resolveValue(answer)).filter((answer) => !isNothing(answer))
  return made.args.filter((_, index) => {
    const parameter = called.parameters[index]
    const own = parameter && keyOfName(parameter)
    return (
      own !== undefined &&
      answers.length > 0 &&
      answers.every((answer) => answer.kind === 'new' && answer.args[0] !== undefined && nameOf(answer.args[0]) === own)
    )
  })
}

/** What holds fields of any meaning, and is no address: `req.query`, of which `req.query.host` is one field. */
export function isBag(value: Value): boolean {
  return value.kind === 'member' && /^(?:query|params|body|data|headers)$/.test(value.name ?? '')
}

/** Methods that change nothing about where an address leads. */
const SAME = /^(?:toString|trim|toLowerCase)$/

/** `host` of `host.toLowerCase()`. */
export function sameName(value: Value): Value {
  const method = methodOf(value)
  return method !== undefined && SAME.test(method.name) ? resolveValue(method.object) : value
}

/** The values of `a || b`, `a ?? b` and `test ? a : b`; none: it is something else. */
export function alternativesOf(value: Value): readonly Value[] {
  return value.kind === 'choice' && value.isAnd !== true ? value.options : []
}

/** What the same address is known by: the name itself, or that of which it is the `href`; `address || ''` is the address. */
export function nameOf(value: Value): string | undefined {
  const [first, second] = alternativesOf(value)
  if (first !== undefined && second !== undefined && constantOf(second) === '') return nameOf(first)
  if (value.kind === 'member' && (value.name === 'href' || value.name === 'pathname')) return nameOf(value.object)
  const method = methodOf(value)
  if (method !== undefined && SAME.test(method.name)) return nameOf(method.object)
  return keyOf(value)
}

/** A value, and what it begins with. `text` where that is written. */
export interface Beginning {
  readonly of: Value
  readonly text: string | undefined
}

/** What a value is known to begin with: `path.startsWith(text)`, `jQuery.sap.startsWith(path, text)`, `path.indexOf(text) === 0`, `path.substring(0, 2) === text`, `path[0] === text`. */
export function frontIn(asked: Asked): Beginning | undefined {
  const { test, holds, isCompared } = asked
  const method = methodOf(test)
  if (method !== undefined && holds) {
    const { object, name } = method
    const [first, second] = method.args
    if (isCompared === 'front') return /^(?:last)?indexOf$/i.test(name) ? beginning(object, first) : undefined
    if (!/^startsWith(?:IgnoreCase)?$/.test(name)) return undefined
    return second === undefined || typeof constantOf(second) !== 'string' ? beginning(object, first) : beginning(first, second)
  }
  for (const [part, text] of equalIn(asked)) {
    const of = textAt(part, 0, FRONT)
    if (of !== undefined) {
      const found = beginning(of, text)
      return found?.text === undefined ? undefined : found
    }
  }
  return undefined
}

/** The same where what it begins with is written. */
export function beginningIn(asked: Asked): { readonly of: Value; readonly text: string } | undefined {
  const { of, text } = frontIn(asked) ?? {}
  return of === undefined || text === undefined ? undefined : { of, text }
}

/** The beginning that a condition asks for, whichever way round. */
export function beginningAsked(test: Value): string | undefined {
  for (const holds of [true, false]) {
    const asked = askedIn(test, holds)
    const found = asked && beginningIn(asked)
    if (found !== undefined) return found.text
  }
  return undefined
}

/** `path` of `path[0]`, `path.charAt(0)`, `path.slice(0, 2)`: the text of which a part is what stands there, by one of these methods. */
export function textAt(part: Value, index: number, methods: RegExp): Value | undefined {
  if (part.kind === 'member') {
    const isThere = part.property === undefined ? part.name === String(index) : constantOf(part.property) === index
    return isThere ? part.object : undefined
  }
  const method = methodOf(part)
  const [first] = method?.args ?? []
  return method !== undefined && first !== undefined && constantOf(first) === index && methods.test(method.name)
    ? method.object
    : undefined
}

const FRONT = /^(?:substr|substring|slice|charAt|at)$/

function beginning(of: Value | undefined, against: Value | undefined): Beginning | undefined {
  if (of === undefined || against === undefined) return undefined
  const written = stringConstantOf(against)
  return { of, text: written }
}
