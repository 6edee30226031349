import { nameOfCallee, receiverOf } from './asked-values.ts'
import { isOnTheWay, type Guarded } from './guards.ts'
import { negatedBy, unwrap } from './conditions.ts'
import { constantOf } from './constants.ts'
import { keyOf, keyOfName } from './keys.ts'
import { accessOf } from './paths.ts'
import { patternOf } from './regular-expressions.ts'
import type { CallValue, Value } from './types.ts'
import { resolveValue } from './values.ts'

/**
 * What a comparison with a beginning leaves open. `whole`: nothing. `slash`: `//host`, which a browser takes for another host. `double`: everything but that.
 * Fact: WHATWG URL, "relative slash state" (a second slash or backslash begins a host).
 */
type Prefix = 'whole' | 'slash' | 'double'

/** Whether an address or a path was held against the beginning that it must have: `if (!path.startsWith(folder)) return`, also by `indexOf` and `path.relative`. */
export function isPrefixChecked({ guards }: Guarded, value: Value, offset: number): boolean {
  const key = keyOf(value)
  if (key === undefined) return false
  return isEnough(
    guards
      .filter((guard) => isOnTheWay(guard, offset))
      .flatMap(({ test }) => partsOf(test).flatMap((part) => comparedPrefix(part, key) ?? [])),
  )
}

const NORMALIZING = /^(?:resolve|normalize|join|realpath(?:Sync)?)$/

/** Whether a path that is held against a folder may climb out of it again: it was put together or came in as it is, and nothing took its dots away. */
export function mayClimb({ guards }: Guarded, value: Value, offset: number): boolean {
  const made = resolveValue(value)
  const isNormalized = guards.some(
    (guard) => isOnTheWay(guard, offset) && partsOf(guard.test).some((part) => isNormalizing(part) || answersNormalizing(part)),
  )
  if (isNormalized) return false
  if (made.kind === 'template' || made.kind === 'concat') return true
  return made.kind === 'member' && accessOf(made)?.binding?.kind === 'parameter'
}

/** `path.resolve(folder, name).startsWith(folder)` */
function isNormalizing(part: Value): boolean {
  const object = part.kind === 'call' ? receiverOf(part) : undefined
  return object?.kind === 'call' && NORMALIZING.test(nameOfCallee(object.callee) ?? '')
}

/** The same in a function of the file: `isInside(name)`. */
function answersNormalizing(part: Value): boolean {
  const called = part.kind === 'call' && part.callee.kind === 'reference' ? resolveValue(part.callee) : undefined
  return called?.kind === 'function' && called.function.returns.some((answer) => partsOf(answer).some(isNormalizing))
}

/** Whether a condition holds a path or an address against its beginning: `path.relative(folder, file).startsWith('..') ? undefined : file`. */
export function isPrefixCheckedBy(test: Value, value: Value): boolean {
  const key = keyOf(value)
  return key !== undefined && isEnough(partsOf(test).flatMap((part) => comparedPrefix(part, key) ?? []))
}

function isEnough(found: readonly Prefix[]): boolean {
  return found.includes('whole') || (found.includes('slash') && found.includes('double'))
}

function partsOf(test: Value): readonly Value[] {
  const inner = negatedBy(test)
  if (inner !== undefined) return partsOf(inner)
  if (test.kind === 'choice') return test.options.flatMap(partsOf)
  return [unwrap(test).test]
}

/** Checks within checks, each in a function of the file: a function may check by calling itself. */
const MAX_NESTED = 4

function comparedPrefix(given: Value, key: string, depth = 0): Prefix | undefined {
  const test = given.kind === 'reference' ? unwrap(resolveValue(given)).test : given
  if (test.kind === 'operation') return comparedCharacter(test.operands, key)
  if (test.kind !== 'call') return undefined
  if (test.callee.kind === 'reference' && depth < MAX_NESTED && comparesInside(test, key, depth + 1)) return 'whole'
  const pattern = patternOf(test)
  if (pattern !== undefined && [...test.args, receiverOf(test)].some((one) => one !== undefined && keyOf(one) === key))
    return prefixOfPattern(pattern)
  const object = receiverOf(test)
  const name = nameOfCallee(test.callee)
  if (object === undefined || (name !== 'startsWith' && name !== 'indexOf')) return undefined
  // `path.relative(folder, target).startsWith('..')`
  const related = resolveValue(object)
  if (related.kind === 'call' && nameOfCallee(related.callee) === 'relative')
    return related.args.some((argument) => keyOf(argument) === key) ? 'whole' : undefined
  // `path.normalize(target).startsWith(folder)`, `path.resolve(folder, name).indexOf(folder) === 0`
  const isNormal = related.kind === 'call' && NORMALIZING.test(nameOfCallee(related.callee) ?? '')
  if (keyOf(object) !== key && !(isNormal && related.args.some((argument) => keyOf(argument) === key))) return undefined
  const prefix = test.args[0] && constantOf(test.args[0])
  // what is sought anywhere, `name.indexOf("'") >= 0`, is no beginning
  if (name === 'indexOf' && typeof prefix === 'string' && !/[/\\:]/.test(prefix)) return undefined
  return typeof prefix === 'string' ? prefixOfText(prefix) : 'whole'
}

function prefixOfText(text: string): Prefix | undefined {
  if (text === '/') return 'slash'
  if (/^(?:\/\/|\/\\|\\)$/.test(text)) return 'double'
  // any address begins with the scheme, and that of https://host.example.evil with https://host.example
  return /^(?:https?(?::\/{0,2})?|https?:\/\/[^/]{1,300})$/i.test(text) ? undefined : 'whole'
}

/** `/^\/(?!\/)/`, `/^\/[a-z]/`, `/^https:\/\/host\.example\//`. */
function prefixOfPattern(pattern: string): Prefix | undefined {
  if (/^\^\\?\/(?:\(\?!|\[|\\?[\w-])/.test(pattern)) return 'whole'
  const [, host] = /^\^https\??:\\?\/\\?\/([^/]{1,300}?)(?:\\?\/|\$$)/.exec(pattern) ?? []
  if (host !== undefined && !/(?:^|[^\\])\.|\[\^|\\S/.test(host)) return 'whole'
  return /^\^\\?\/$/.test(pattern) ? 'slash' : undefined
}

/** `to[0] === '/' && to[1] !== '/'`. */
function comparedCharacter(operands: readonly Value[], key: string): Prefix | undefined {
  const character = operands.map((operand) => constantOf(operand)).find((text) => text === '/' || text === '\\')
  if (character === undefined) return undefined
  for (const operand of operands) {
    const [object, at] =
      operand.kind === 'member'
        ? [operand.object, operand.name]
        : operand.kind === 'call' && nameOfCallee(operand.callee) === 'charAt'
          ? [receiverOf(operand), String((operand.args[0] && constantOf(operand.args[0])) ?? '')]
          : []
    if (object === undefined || keyOf(object) !== key) continue
    if (at === '0') return 'slash'
    if (at === '1') return 'double'
  }
  return undefined
}

/** `isInside(folder, file)` of the file. */
function comparesInside({ callee, args }: CallValue, key: string, depth: number): boolean {
  const called = resolveValue(callee)
  if (called.kind !== 'function') return false
  const { parameters, returns } = called.function
  return args.some((argument, index) => {
    const parameter = keyOf(argument) === key ? parameters[index] : undefined
    if (parameter === undefined) return false
    const own = keyOfName(parameter)
    return (
      own !== undefined &&
      returns.some((value) => isEnough(partsOf(value).flatMap((part) => comparedPrefix(part, own, depth) ?? [])))
    )
  })
}
