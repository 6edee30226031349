import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  constantOf,
  stringConstantOf,
  type Binding,
  type CallValue,
  type MemberValue,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { toBuilderSteps } from '../../../flow/frameworks/query-sinks.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { findHandledFunctions } from '../_handlers/handled-functions.ts'
import { createRefusalReader } from '../_handlers/refusals.ts'

/** A condition that refuses and can't hold where a row that was read lacks an element. Its span is that of the element of the row: `order.state`. */
export interface RowCheck extends Span {
  /** As the query names it: `my.shop.Orders`, `Orders`. */
  readonly entity: string
  readonly element: string
  /** As written: `order.state`. */
  readonly written: string
  /** A handler of the file leads there. */
  readonly isHandled: boolean
}

export const rowChecks: Extract<RowCheck> = defineExtract({
  name: 'cap-row-checks',
  keywords: ['SELECT'],
  prefilter: (text) => /\bSELECT\s{0,4}\.\s{0,4}one\b/.test(text) && /\b(?:reject|error|throw)\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, text, step }) {
    const refuses = createRefusalReader(facts, text)
    let handled: ReturnType<typeof findHandledFunctions> | undefined
    for (const guard of facts.guards) {
      step()
      const needed = neededIn(guard.test)
      if (needed.length === 0 || !refuses(guard)) continue
      for (const member of needed) {
        const entity = member.object.kind === 'reference' ? rowOf(member.object.binding) : undefined
        const isGiven = facts.assignments.some(
          ({ target }) => target.name === member.name && isSame(target.object, member.object),
        )
        if (entity === undefined || member.name === undefined || isGiven) continue
        const { start, end, name } = member
        handled ??= findHandledFunctions(facts)
        const isHandled = handled.handlerOf(member) !== undefined
        yield { start, end, entity, element: name, written: text.slice(start, end), isHandled }
      }
    }
  },
})

const MAX_DEPTH = 8

/** Elements without which a condition does not hold: all that are compared by themselves or in each alternative, one of those that have to hold together. */
function neededIn(test: Value, depth = 0): readonly MemberValue[] {
  if (depth > MAX_DEPTH) return []
  if (test.kind === 'member') return [test]
  if (test.kind === 'choice' && test.test === undefined) {
    const parts = test.options.map((option) => neededIn(option, depth + 1))
    if (test.isAnd === true) return parts.flat()
    return parts.some((needed) => needed.length === 0) ? [] : parts.flat()
  }
  if (test.kind === 'operation' && test.operands.length === 2) {
    const [one, other] = test.operands
    const isOrder = /^[<>]=?$/.test(test.operator)
    if (one === undefined || other === undefined || !(isOrder || /^===?$/.test(test.operator))) return []
    const sides = [
      [one, other],
      [other, one],
    ] as const
    return sides.flatMap(([member, value]) => {
      const constant = constantOf(value)
      return member.kind === 'member' && constant !== undefined && constant !== null && constant !== false ? [member] : []
    })
  }
  if (test.kind === 'call' && test.callee.kind === 'member' && test.callee.name === 'includes')
    return test.args.flatMap((argument) => (argument.kind === 'member' ? [argument] : []))
  return []
}

function isSame(one: Value, other: Value): boolean {
  return one.kind === 'reference' && other.kind === 'reference' && one.binding !== undefined && one.binding === other.binding
}

/** The entity of `const order = await SELECT.one.from(Orders).where(…)`, whose row has all its elements and no others. */
function rowOf(binding: Binding | undefined): string | undefined {
  const [definition, another] = binding?.definitions ?? []
  if (binding === undefined || another !== undefined || binding.additions.length > 0) return undefined
  if (definition?.value?.kind !== 'await' || definition.path.length > 0) return undefined
  const waited = definition.value.value
  const isRun = waited.kind === 'call' && lastNameOf(waited.callee) === 'run' && waited.args.length === 1
  const query = isRun ? waited.args[0] : waited
  const steps = query && accessesOf(query).map(toBuilderSteps)[0]
  if (steps?.[0] !== 'SELECT' || steps[1] !== 'one' || steps.some((name) => SHAPES.test(name))) return undefined
  const base = query && baseOf(query)
  const [entity, another2] = base?.args ?? []
  if (entity === undefined || another2 !== undefined) return undefined
  return stringConstantOf(entity) ?? lastNameOf(entity)
}

/** Steps of a query that change what its rows hold. */
const SHAPES = /^(?:columns|alias|join|from\w+|groupBy)$/

/** The innermost call of a chain, which names the entity. */
function baseOf(query: Value): CallValue | undefined {
  let here = query
  for (let depth = 0; depth < MAX_DEPTH && here.kind === 'call' && here.callee.kind === 'member'; depth++) {
    const inner = here.callee.object
    if (inner.kind !== 'call') return here.callee.name === 'from' ? here : undefined
    here = inner
  }
  return undefined
}
