import { isNonText } from './casts.ts'
import { isConstant } from './is-constant.ts'
import { keyOf } from './keys.ts'
import { accessOf } from './paths.ts'
import type { CallValue, Value } from './types.ts'
import { resolveValue } from './values.ts'

/** Methods that answer whether a value is one of a list or has a form. */
export const CHECKS: ReadonlySet<string> = new Set([
  'includes',
  'has',
  'indexOf',
  'test',
  'hasOwnProperty',
  'hasOwn',
  'some',
  'find',
  'findIndex',
  'isAcceptableParameter',
  'isUUID',
  'isInteger',
  'isSafeInteger',
  'isFinite',
  'isNumeric',
])
/** Names of functions of the project that answer the same: `isValidColumn(name)`. */
export const ANSWERS: RegExp =
  /valid|allowed|permitted|trusted|same_?(?:site|origin)|(?:is|has)_?safe|is_?local|white_?list|allow_?list|numeric|alphanum|uuid|guid/i

/** The value, or the number that it is made into: `isNaN(Number(x))`. */
export function isOf(argument: Value, key: string): boolean {
  if (keyOf(argument) === key) return true
  // of `1 or 1=1` it reads the first digit
  if (!isNonText(argument) || (argument.kind === 'call' && /^parse(?:Int|Float)$/.test(nameOfCallee(argument.callee) ?? '')))
    return false
  const parts = argument.kind === 'call' ? argument.args : argument.kind === 'operation' ? argument.operands : []
  return parts.length === 1 && parts[0] !== undefined && keyOf(parts[0]) === key
}

/** The value, in small letters or without the spaces around it: of `LIST.includes(name.trim().toLowerCase())` and the name that holds the same. */
function isRespelt(argument: Value, key: string, isPattern: boolean): boolean {
  let here = argument.kind === 'reference' ? resolveValue(argument) : argument
  for (let depth = 0; depth < MAX_RESPELT && here.kind === 'call'; depth++) {
    const { callee, args } = here
    const isText = callee.kind === 'reference' && callee.name === 'String' && callee.binding === undefined
    const next = isText
      ? args[0]
      : callee.kind === 'member' && isSpelling(callee.name ?? '', isPattern)
        ? callee.object
        : undefined
    if (next === undefined) return false
    if (keyOf(next) === key) return true
    here = next
  }
  return false
}

const MAX_RESPELT = 4

/** Of what fits a pattern, a line break in front was not seen: it begins another command. */
function isSpelling(method: string, isPattern: boolean): boolean {
  return /^(?:to(?:Locale)?(?:Lower|Upper)Case|toString)$/.test(method) || (!isPattern && /^trim(?:Start|End)?$/.test(method))
}

/** The value, or an object that is made of it: `isLabel({ text })`. */
export function holdsValue(argument: Value, key: string): boolean {
  if (argument.kind === 'object') return argument.fields.some(({ value }) => keyOf(value) === key)
  return keyOf(argument) === key
}

export function nameOfCallee(callee: Value): string | undefined {
  return callee.kind === 'member' || callee.kind === 'reference' ? callee.name : undefined
}

export function asks(test: Value, key: string): boolean {
  if (test.kind === 'call') {
    const { callee, args } = test
    const name = nameOfCallee(callee)
    if (name === undefined) return false
    if (ANSWERS.test(name) && args.some((argument) => holdsValue(argument, key))) return true
    if (callee.kind !== 'member') return false
    if (name === 'match') return keyOf(callee.object) === key
    // Object.prototype.hasOwnProperty.call(MAP, x)
    if (name === 'call' && nameOfCallee(callee.object) === 'hasOwnProperty')
      return args[1] !== undefined && keyOf(args[1]) === key
    return (
      CHECKS.has(name) &&
      !isSentAlong(callee.object, args) &&
      args.some(
        (argument) =>
          isOf(argument, key) ||
          isRespelt(argument, key, name === 'test') ||
          ((name === 'find' || name === 'some') && holdsKey(argument, key)),
      )
    )
  }
  if (test.kind === 'member')
    return test.property !== undefined && keyOf(test.property) === key && (isConstant(test.object) || isOfModel(test.object))
  if (test.kind !== 'operation') return false
  const [first, second] = test.operands
  if (first === undefined || second === undefined) return false
  if (test.operator === 'in') return keyOf(first) === key
  const isEquality = /^[!=]==?$/.test(test.operator)
  if (isEquality && isTypeOf(first, key))
    return second.kind === 'literal' && /^(?:number|boolean|bigint)$/.test(String(second.value))
  return isEquality && ((keyOf(first) === key && isKnown(second)) || (keyOf(second) === key && isKnown(first)))
}

/** `req.data.names.includes(req.data.name)`: the client sends the list as well. */
function isSentAlong(list: Value, args: readonly Value[]): boolean {
  const own = sentBy(list)
  return own !== undefined && args.some((argument) => sentBy(argument) === own)
}

/** The request that a value is read from, and the part of it. */
function sentBy(value: Value): string | undefined {
  const {
    root,
    binding,
    steps: [part],
  } = accessOf(value) ?? { root: '', binding: undefined, steps: [] }
  return binding?.kind === 'parameter' && SENT.has(part ?? '') ? `${root} ${binding.start} ${part}` : undefined
}

const SENT: ReadonlySet<string> = new Set(['data', 'body', 'query'])

/** A constant, or what the runtime knows of the caller: `cds.context.tenant`, `req.tenant`, `req.user.id`. */
function isKnown(value: Value): boolean {
  if (value.kind !== 'member') return isConstant(value)
  const owner = nameOfCallee(value.object)
  if (value.name === 'tenant') return owner === 'context' || owner === 'req' || owner === 'user'
  return (value.name === 'id' && owner === 'user') || isConstant(value)
}

/** `entity.elements[name]`: only what the model has. */
function isOfModel(table: Value): boolean {
  return table.kind === 'member' && /^(?:elements|keys|actions|definitions)$/.test(table.name ?? '')
}

export function isTypeOf(value: Value, key: string): boolean {
  const [operand] = value.kind === 'operation' && value.operator === 'typeof' ? value.operands : []
  return operand !== undefined && keyOf(operand) === key
}

/** `list.some((item) => item === value)`. */
export function holdsKey(argument: Value | undefined, key: string): boolean {
  if (argument?.kind !== 'function') return false
  const compares = (value: Value): boolean => {
    // item === value || `${item} desc` === value
    if (value.kind === 'choice' && value.test === undefined)
      return value.isAnd === true ? value.options.some(compares) : value.options.every(compares)
    return value.kind === 'operation' && value.operands.some((operand) => keyOf(operand) === key)
  }
  return argument.function.returns.some(compares)
}

/** The object whose method is called. */
export function receiverOf({ callee }: CallValue): Value | undefined {
  return callee.kind === 'member' ? callee.object : undefined
}
