import {
  stringConstantOf,
  findPart,
  keyOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { nameOfCallee } from '../../../facts/asked-values.ts'
import { isWithin } from '../../../facts/span-index.ts'

/** Roles that ordinary users do not have: `admin`, `SystemAdmin`, `ROLE_ADMIN`, `root`, `superuser`. */
const PRIVILEGED = /admin|super_?user|sysop|^(?:role_?)?(?:root|owner)$/i
/** Methods that tell whether a value is one of a list. */
const SEEKS = /^(?:includes|indexOf|has)$/

/**
 * Tells whether a function seeks a value in a list that holds a privileged role: `['reader', 'admin'].includes(role)` refuses what nobody has thought of, and lets that one
 * pass. Where the function compares the value with such a role as well, it may refuse it.
 */
export function createPrivilegedListReader(
  facts: ScriptFacts,
  step: (count?: number) => void,
): (value: Value, around: FunctionFact) => boolean {
  let seeking: readonly CallValue[] | undefined
  return (value, around) => {
    const key = keyOf(value)
    if (key === undefined) return false
    seeking ??= facts.calls.filter(isSeeking)
    step(seeking.length + facts.guards.length)
    const isInside = (span: Value): boolean => isWithin(span, around)
    const own = seeking.filter((call) => isInside(call) && call.args.some((given) => keyOf(given) === key))
    if (!own.some(({ callee }) => 'object' in callee && namesOf(callee.object).some(isPrivileged))) return false
    const isCompared = (test: Value): boolean =>
      findPart(test, (part) => 'operands' in part && /^[!=]==?$/.test(part.operator) && isOf(part.operands, key)) !== undefined
    return !facts.guards.some(({ test, inside }) => isWithin(inside, around) && isCompared(test))
  }
}

function isSeeking({ callee }: CallValue): boolean {
  return 'object' in callee && SEEKS.test(nameOfCallee(callee) ?? '')
}

function isPrivileged(name: string): boolean {
  return PRIVILEGED.test(name)
}

function isOf(operands: readonly Value[], key: string): boolean {
  return operands.some((one) => keyOf(one) === key) && operands.some((one) => textsOf(one).some(isPrivileged))
}

/** The texts of a list: `['a', 'b']`, `new Set(['a'])`, `Object.values({ A: 'a' })`, `Object.keys({ a: 1 })`. */
function namesOf(list: Value): readonly string[] {
  const made = resolveValue(list)
  if ('items' in made) return made.items.flatMap(textsOf)
  if (!('args' in made)) return []
  const given = made.args[0] && resolveValue(made.args[0])
  if (given === undefined || !('fields' in given)) return given === undefined ? [] : namesOf(given)
  return given.fields.flatMap(({ key, value }) =>
    nameOfCallee(made.callee) === 'keys' ? (key ?? []) : nameOfCallee(made.callee) === 'values' ? textsOf(value) : [],
  )
}

function textsOf(value: Value): readonly string[] {
  const known = stringConstantOf(value)
  return known !== undefined ? [known] : []
}
