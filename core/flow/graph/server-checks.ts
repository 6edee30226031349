import {
  directParts,
  isCheckedBy,
  isChecked,
  keyOf,
  resolveValue,
  type Binding,
  type FunctionFact,
  type Guard,
  type Value,
} from '../../facts/index.ts'
import { REQUEST_NAME } from '../tables/requests.ts'
import type { FlowCheck } from '../check-types.ts'
import { effectAt, REFUSING } from './asserted.ts'
import type { CheckingScript } from './input.ts'
import { cleansOf } from './guard-effects.ts'
import { isAnswer } from './own-checks.ts'

const MAX_PARAMETERS = 4
const MAX_RETURNS = 8
const MAX_PARTS = 60
const MAX_VALUES = 12

/** A parameter of a function or a field of it, as the end of the function would read it. */
interface Checkable {
  readonly parameter: number
  readonly path: readonly string[]
  readonly value: Value
}

/** Tells what the functions of a server's script check for others, of values and of fields of objects: `assertOrder(req.data)` that throws, `isOrder(order)`. */
export function createServerChecks({ text, step, parts }: CheckingScript): (fact: FunctionFact) => readonly FlowCheck[] {
  const known = new Map<FunctionFact, readonly FlowCheck[]>()
  const read = (fact: FunctionFact): readonly FlowCheck[] => {
    const { parameters, returns } = fact
    if (fact.kind === 'file' || parameters.length === 0 || parameters.length > MAX_PARAMETERS) return []
    const own = parts.guardsIn(fact)
    step(1 + own.length)
    const refusing = own.filter(({ exits, inside }) => exits && REFUSING.test(text.slice(inside.start, inside.end)))
    const isAnswering = returns.length > 0 && returns.length <= MAX_RETURNS && returns.every((answer) => isAnswer(answer))
    if (refusing.length === 0 && !isAnswering) return []
    const values = (tests: readonly Value[]): readonly Checkable[] => checkables(fact, parts.patternsIn(fact), tests, step)
    const thrown = values(refusing.map(({ test }) => test)).flatMap(({ parameter, path, value }): FlowCheck[] => {
      const effect = effectAt(value, refusing, 'server')
      if (effect === undefined) return []
      return [
        { parameter, form: 'throws', ...(path.length > 0 && { path }), ...(effect !== 'clean' && { cleans: cleansOf(effect) }) },
      ]
    })
    if (!isAnswering) return thrown
    const tests = [...returns, ...own.map(({ test }) => test)]
    return [...thrown, ...values(tests).flatMap((one) => answeredBy(one, returns, own))]
  }
  return (fact) => {
    const found = known.get(fact) ?? read(fact)
    known.set(fact, found)
    return found
  }
}

/** What holds of a value where the function gives true, or else where it gives false. */
function answeredBy(
  { parameter, path, value }: Checkable,
  returns: readonly Value[],
  guards: readonly Guard[],
): readonly FlowCheck[] {
  for (const holds of [true, false]) {
    const judged = returns.map((answer) => {
      if (answer.kind === 'literal' && Boolean(answer.value) !== holds) return 'any'
      return isChecked({ guards }, value, answer.start) || isCheckedBy(answer, value, holds) ? 'clean' : undefined
    })
    if (judged.every((how) => how !== undefined) && judged.includes('clean'))
      return [{ parameter, form: holds ? 'true' : 'false', ...(path.length > 0 && { path }) }]
  }
  return []
}

/** The parameters of a function, and the fields of them that it asks about. */
export function checkables(
  fact: FunctionFact,
  patterns: readonly Binding[],
  tests: readonly Value[],
  step: (count?: number) => void,
): readonly Checkable[] {
  const at = { start: fact.end - 1, end: fact.end }
  const found = new Map<string, Checkable>()
  const roots = new Map<string, number>()
  for (const [parameter, binding] of fact.parameters.entries()) {
    if (binding === undefined) continue
    const value: Value = { kind: 'reference', ...at, name: binding.name, binding }
    const key = keyOf(value)
    if (key === undefined) continue
    roots.set(key, parameter)
    // who asks about a request, asks about a part of it
    if (!REQUEST_NAME.test(binding.name)) found.set(key, { parameter, path: [], value })
  }
  for (const binding of patterns) {
    const [definition] = binding.definitions
    const value: Value = { kind: 'reference', ...at, name: binding.name, binding }
    const key = keyOf(value)
    if (key !== undefined && definition?.parameter !== undefined)
      found.set(key, { parameter: definition.parameter, path: definition.path, value })
  }
  const open = [...tests]
  for (let visits = 0; visits < MAX_PARTS && found.size < MAX_VALUES; visits++) {
    const here = open.pop()
    if (here === undefined) break
    step()
    const key = here.kind === 'member' || here.kind === 'reference' ? keyOf(here) : undefined
    const root = key && [...roots.keys()].find((one) => key.startsWith(`${one} `))
    const parameter = root === undefined ? undefined : roots.get(root)
    if (key !== undefined && root !== undefined && parameter !== undefined) {
      const path = key.slice(root.length + 1).split(' ')
      if (!path.includes('[]') && !found.has(key)) found.set(key, { parameter, path, value: { ...here, ...at } })
    } else if (here.kind === 'reference') {
      const given = resolveValue(here)
      if (given !== here) open.push(given)
    } else open.push(...directParts(here))
  }
  return [...found.values()]
}
