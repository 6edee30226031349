import { directParts, findPart, resolveValue } from './values.ts'
import { accessesOf, accessOf } from './paths.ts'
import { nameOfCallee } from './asked-values.ts'
import { isHeldBy, isOnTheWay, negatedBy, OF_KINDS, unwrap, type Guarded } from './checks.ts'
import { keyOf, keyOfName } from './keys.ts'
import type { Binding, FunctionFact, ScriptFacts, Value } from './types.ts'

/** Whether a predicate of the project was asked on the way, whose body another file may have: `if (!isFolder(name)) return`. */
export function isAnswered({ guards }: Guarded, value: Value, offset: number): boolean {
  const key = keyOf(value)
  if (key === undefined) return false
  return guards.some((guard) => isOnTheWay(guard, offset) && isAnsweredBy(guard.test, key, offset < guard.inside.end))
}

function isAnsweredBy(given: Value, key: string, holding: boolean): boolean {
  const inner = negatedBy(given)
  if (inner !== undefined) return isAnsweredBy(inner, key, !holding)
  const parts = given.kind === 'choice' ? given.options : [given]
  return parts.some((part) => {
    const { test, holds } = unwrap(part)
    if (test.kind !== 'call' || holds !== holding) return false
    const name = nameOfCallee(test.callee)
    if (name === undefined || !/^_?is[A-Z_]/.test(name) || OF_KINDS.test(name)) return false
    const at = test.args.findIndex((argument) => keyOf(argument) === key)
    if (at < 0) return false
    const own = resolveValue(test.callee)
    if (own.kind !== 'function') return isImported(test.callee)
    const parameter = own.function.parameters[at]
    const inside = parameter && keyOfName(parameter)
    if (inside === undefined || parameter === undefined) return false
    return own.function.returns.some((answer) => isHeldBy(answer, inside, true) || checksPart(answer, parameter))
  })
}

/** `typeof number === 'string' && FORMAT.test(number)` of what was read from the parameter. */
function checksPart(answer: Value, parameter: Binding): boolean {
  const isPart = (value: Value): boolean => {
    if (value.kind !== 'reference' && value.kind !== 'member') return false
    const key = keyOf(value)
    return key !== undefined && accessesOf(value).some(({ binding }) => binding === parameter) && isHeldBy(answer, key, true)
  }
  return findPart(answer, isPart) !== undefined
}

/** A function of another file, or one that a library made: `const isOrder = ajv.compile(schema)`. */
function isImported(callee: Value): boolean {
  return accessOf(callee)?.root.startsWith('module:') === true
}

/** Whether something was asked about a value on the way, if only its type or its length: `if (typeof name !== 'string' || name.length > 80) return`. */
export function isExamined({ guards }: Guarded, value: Value, offset: number): boolean {
  const key = keyOf(value)
  if (key === undefined) return false
  const asksAbout = (test: Value, depth: number): boolean => {
    if (depth > MAX_DEPTH) return false
    if (test.kind !== 'operation') return directParts(test).some((part) => asksAbout(part, depth + 1))
    if (test.operator === '!') return test.operands.some((part) => asksAbout(part, depth + 1))
    return test.operands.some((part) => keyOf(part) === key || directParts(part).some((inner) => keyOf(inner) === key))
  }
  return guards.some((guard) => isOnTheWay(guard, offset) && asksAbout(guard.test, 0))
}

const MAX_DEPTH = 6

/** The names of fields of a parameter, or of one of its fields, that a function checks and refuses: `if (!FORMAT.test(req.data.name)) req.reject(400)`. */
export function checkedFields(facts: ScriptFacts, within: FunctionFact, parameter: number, path?: string): readonly string[] {
  const binding = within.parameters[parameter]
  if (binding === undefined) return []
  const start = [`parameter:${binding.name}`, binding.start, ...(path === undefined ? [] : [path]), ''].join(' ')
  const found = new Set<string>()
  for (const guard of facts.guards) {
    if (guard.function !== within) continue
    const refuses =
      guard.exits ||
      facts.calls.some(
        ({ callee, start: at }) =>
          guard.inside.start <= at &&
          at < guard.inside.end &&
          callee.kind === 'member' &&
          /^(?:reject|error)$/.test(callee.name ?? ''),
      )
    if (!refuses) continue
    const open: Value[] = [guard.test]
    for (let visits = 0; visits < MAX_PARTS; visits++) {
      const here = open.pop()
      if (here === undefined) break
      const key = here.kind === 'member' || here.kind === 'reference' ? keyOf(here) : undefined
      if (key?.startsWith(start) === true) {
        const isRefused = isHeldBy(guard.test, key, false) || isAnsweredBy(guard.test, key, false)
        if (isRefused) found.add(key.slice(start.length))
      } else open.push(...directParts(here))
    }
  }
  return [...found]
}

const MAX_PARTS = 100
