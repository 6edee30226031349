import { isConstant } from './is-constant.ts'
import { accessOf } from './paths.ts'
import type { Guard, ScriptFacts, Value } from './types.ts'

/** Methods that answer whether a value is one of a list or has a form. */
const CHECKS = new Set([
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
  'isNumeric',
])

/** Whether a value was checked on the way to an offset: it stands inside `if (list.includes(value))`, or behind `if (!list.includes(value)) return`.
 *  Known by the shape of the condition alone. */
export function isChecked(facts: ScriptFacts, value: Value, offset: number): boolean {
  const key = keyOf(value)
  return key !== undefined && facts.guards.some((guard) => isOnTheWay(guard, offset) && checks(guard, key, offset))
}

function isOnTheWay(guard: Guard, offset: number): boolean {
  if (guard.inside.start <= offset && offset < guard.inside.end) return true
  return guard.leaves && offset >= guard.inside.end && offset < guard.function.end
}

function checks(guard: Guard, key: string, offset: number): boolean {
  const isInside = offset < guard.inside.end
  // `a && !b`, `!a || !b`: any part will do, since code that asks at all asks the right way round
  const parts = guard.test.kind === 'choice' ? guard.test.options : [guard.test]
  return parts.some((part) => {
    const { test, holds } = unwrap(part)
    return holds === isInside && isCheckOf(test, key)
  })
}

/** A condition without its negations: `!x`, `x === -1`, `x < 0`, `x === false`. */
function unwrap(part: Value): { test: Value; holds: boolean } {
  if (part.kind !== 'operation') return { test: part, holds: true }
  const [first, second] = part.operands
  if (part.operator === '!' && first !== undefined) return { test: first, holds: false }
  if (first?.kind !== 'call' || second === undefined)
    return { test: part, holds: part.operator !== '!==' && part.operator !== '!=' }
  const isMissing = part.operator === '<' || part.operator === '===' || part.operator === '=='
  const isTrue = second.kind === 'literal' && second.value === true
  return { test: first, holds: isTrue ? isMissing : !isMissing }
}

function isCheckOf(test: Value, key: string): boolean {
  if (test.kind === 'call') {
    const { callee, args } = test
    if (callee.kind !== 'member' || callee.name === undefined) return false
    if (callee.name === 'match') return keyOf(callee.object) === key
    return (
      CHECKS.has(callee.name) &&
      args.some(
        (argument) => keyOf(argument) === key || ((callee.name === 'find' || callee.name === 'some') && holdsKey(argument, key)),
      )
    )
  }
  if (test.kind === 'member') return test.property !== undefined && keyOf(test.property) === key && isConstant(test.object)
  if (test.kind !== 'operation') return false
  const [first, second] = test.operands
  if (first === undefined || second === undefined) return false
  if (test.operator === 'in') return keyOf(first) === key
  const isEquality = /^[!=]==?$/.test(test.operator)
  return isEquality && ((keyOf(first) === key && isConstant(second)) || (keyOf(second) === key && isConstant(first)))
}

/** `list.some((item) => item === value)`. */
function holdsKey(argument: Value, key: string): boolean {
  if (argument.kind !== 'function') return false
  return argument.function.returns.some(
    (value) => value.kind === 'operation' && value.operands.some((operand) => keyOf(operand) === key),
  )
}

/** The same for two values that are read from the same place. */
function keyOf(value: Value): string | undefined {
  const access = accessOf(value)
  if (access === undefined || access.steps.includes('()')) return undefined
  return [access.root, access.binding?.start ?? '', ...access.steps].join(' ')
}
