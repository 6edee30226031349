import { directParts, resolveValue } from './values.ts'
import { accessOf } from './paths.ts'
import { holdsValue, nameOfCallee } from './asked-values.ts'
import { answersBy, checks, isHeldBy, isOnTheWay, OF_KINDS, type Guarded } from './checks.ts'
import { negatedBy, unwrap } from './conditions.ts'
import { keyOf } from './keys.ts'
import { answersOf, givesPromise } from './own-answers.ts'
import type { FunctionFact, ScriptFacts, Value } from './types.ts'

/** Whether a predicate of the project was asked on the way, whose body another file may have: `if (!isFolder(name)) return`. */
export function isAnswered({ guards }: Guarded, value: Value, offset: number): boolean {
  const key = keyOf(value)
  if (key === undefined) return false
  return guards.some((guard) => isOnTheWay(guard, offset) && isAnsweredBy(guard.test, key, offset < guard.inside.end))
}

/** Whether all that was asked about a value on the way, functions of the project were asked: their bodies say what they check. */
export function isAnsweredByFunctions({ guards }: Guarded, value: Value, offset: number): boolean {
  const key = keyOf(value)
  if (key === undefined) return false
  const asking = guards.filter((guard) => {
    if (!isOnTheWay(guard, offset)) return false
    return checks(guard, key, offset) || isAnsweredBy(guard.test, key, offset < guard.inside.end)
  })
  return asking.length > 0 && asking.every(({ test, inside }) => isAskedOfFunctions(test, key, offset < inside.end))
}

/** Of a condition each part: `checks.isOrder(name)`, a function of the file whose body shows no check at once, or what says nothing about the value at all. */
function isAskedOfFunctions(given: Value, key: string, holding: boolean, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  const inner = negatedBy(given)
  if (inner !== undefined) return isAskedOfFunctions(inner, key, !holding, depth + 1)
  if (given.kind === 'choice') return given.options.every((option) => isAskedOfFunctions(option, key, holding, depth + 1))
  const { test, holds } = unwrap(given)
  const here = test.kind === 'reference' ? resolveValue(test) : test
  if (here !== test) return isAskedOfFunctions(here, key, holds === holding, depth + 1)
  if (test.kind === 'call' && accessOf(test.callee)?.root.startsWith('module:.') === true) return true
  const own = answersOf(test, key)
  if (own !== undefined) return !own.answers.every((answer) => answersBy(answer, own.key, holds === holding, 0))
  return !SIDES.some((side) => isHeldBy(given, key, side) || isAnsweredBy(given, key, side))
}

const SIDES = [true, false]

function isAnsweredBy(given: Value, key: string, holding: boolean): boolean {
  const inner = negatedBy(given)
  if (inner !== undefined) return isAnsweredBy(inner, key, !holding)
  const parts = given.kind === 'choice' ? given.options : [given]
  return parts.some((part) => {
    const asked = unwrap(part)
    // const isOpen = await isOrder(name)
    const given = asked.test.kind === 'reference' ? unwrap(resolveValue(asked.test)) : undefined
    const test = given?.test ?? asked.test
    if (test.kind !== 'call' || (given === undefined || given.holds ? asked.holds : !asked.holds) !== holding) return false
    // a promise is true, whatever it will give
    if (!asked.isAwaited && given?.isAwaited !== true && givesPromise(test)) return false
    const name = nameOfCallee(test.callee)
    if (name === undefined || !/^_?is[A-Z_]/.test(name) || OF_KINDS.test(name)) return false
    if (!test.args.some((argument) => holdsValue(argument, key))) return false
    return resolveValue(test.callee).kind === 'function' || isImported(test.callee)
  })
}

/** A function of another file, or one that a library made. What ajv compiles checks as much as its schema says, which others read. */
function isImported(callee: Value): boolean {
  const root = accessOf(callee)?.root ?? ''
  return root.startsWith('module:') && !/^module:ajv(?:$|\/)/.test(root)
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
