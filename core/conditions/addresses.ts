import { isNothing } from '../facts/values.ts'
import { constantOf, keyOf, keyOfName, pathOf, resolveValue, type Value } from '../facts/index.ts'
import { calledBy } from '../facts/own-answers.ts'
import { equalIn, methodOf, type Asked } from './asked.ts'

/** The names of an address, and of those that it was made of. */
export function addressesOf(value: Value): readonly string[] {
  const made = resolveValue(value)
  // const anchor = document.createElement('a'); anchor.href = address
  const given = isAnchor(made) && value.kind === 'reference' ? (value.binding?.additions ?? []) : addressesIn(made)
  return [value, ...given].flatMap((address) => nameOf(address) ?? [])
}

/** Whether a value is the address of this name, or one that was made of it. */
export function isMadeOf(value: Value, key: string): boolean {
  return addressesOf(value).includes(key)
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

/** Methods that change nothing about where an address leads. */
const SAME = /^(?:toString|trim|toLowerCase)$/

/** What the same address is known by: the name itself, or that of which it is the `href`; `address || ''` is the address. */
export function nameOf(value: Value): string | undefined {
  const [first, second] = value.kind === 'choice' && value.isAnd !== true ? value.options : []
  if (first !== undefined && second !== undefined && constantOf(second) === '') return nameOf(first)
  if (value.kind === 'member' && (value.name === 'href' || value.name === 'pathname')) return nameOf(value.object)
  const method = methodOf(value)
  if (method !== undefined && SAME.test(method.name)) return nameOf(method.object)
  return keyOf(value)
}

/** What a value is known to begin with: `path.startsWith(text)`, `jQuery.sap.startsWith(path, text)`, `path.indexOf(text) === 0`, `path.substring(0, 2) === text`, `path[0] === text`. */
export function beginningIn(asked: Asked): { readonly of: Value; readonly text: string } | undefined {
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
    const of = frontOf(part)
    if (of !== undefined) return beginning(of, text)
  }
  return undefined
}

/** `path` of `path[0]`, `path.charAt(0)`, `path.slice(0, 2)`. */
function frontOf(part: Value): Value | undefined {
  if (part.kind === 'member') {
    const isFirst = part.property === undefined ? part.name === '0' : constantOf(part.property) === 0
    return isFirst ? part.object : undefined
  }
  const method = methodOf(part)
  const isFront = method?.args[0] !== undefined && constantOf(method.args[0]) === 0
  return isFront && /^(?:substr|substring|slice|charAt|at)$/.test(method.name) ? method.object : undefined
}

function beginning(of: Value | undefined, text: Value | undefined): { readonly of: Value; readonly text: string } | undefined {
  const written = text && constantOf(text)
  return of === undefined || typeof written !== 'string' ? undefined : { of, text: written }
}
