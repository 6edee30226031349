import {
  accessesOf,
  constantOf,
  findPart,
  isOnTheWay,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { mentionsUser } from '../_callers/asked-users.ts'
import type { ScriptQuery } from '../_handlers/script-queries.ts'
import { isContextName } from '../../../model/script/index.ts'

/** What a client sends to a route of Express: `req.params.id` or `req.body.id` of `(req, res) => …`. */
export function routeData(value: Value): string | undefined {
  for (const { binding, steps } of accessesOf(value)) {
    const [part = '', name = '', more] = steps
    if (binding?.kind !== 'parameter' || !isContextName(binding.name) || more !== undefined) continue
    const { parameters } = binding.function
    const answers = parameters[parameters.indexOf(binding) + 1]?.name ?? ''
    if (/^(?:params|body|query)$/.test(part) && /^\w+$/.test(name) && /^_?res(?:ponse)?$/.test(answers))
      return `${binding.name}.${part}.${name}`
  }
  return undefined
}

const REGISTERS = /^(?:get|post|put|patch|delete|all)$/

/**
 * Routes of Express behind the same middlewares are for the same callers: where one of them asks for rows of the caller, `where({ ID: id, owner_ID: user.ID })`, the next
 * one has to.
 */
export function createRouteReader(
  { calls, guards }: ScriptFacts,
  queries: readonly ScriptQuery[],
): {
  /** It is in a route, and another one behind the same middlewares limits the rows of the entity. */
  isUnlike(query: CallValue, entity: string): boolean
} {
  const middlewares = new Map<FunctionFact, string>()
  for (const { callee, args } of calls) {
    const [path, ...others] = args
    const handler = functionOf(others.pop())
    if (handler === undefined || path === undefined || !REGISTERS.test(lastNameOf(callee) ?? '')) continue
    const names = others.map((one) => lastNameOf(one) ?? '')
    if (typeof constantOf(path) === 'string' && names.length > 0 && !names.includes('')) middlewares.set(handler, names.join(' '))
  }
  const limited = new Set(
    queries.flatMap(({ base, entity, terms }) => {
      const names = middlewares.get(base.function)
      return names !== undefined && terms.some(({ value }) => mentionsUser(value)) ? [`${entity} ${names}`] : []
    }),
  )
  return {
    isUnlike: (query, entity) => {
      const names = middlewares.get(query.function)
      return (
        names !== undefined &&
        limited.has(`${entity} ${names}`) &&
        !guards.some((guard) => isOnTheWay(guard, query.start) && comparesTwo(guard.test))
      )
    },
  }
}

/** `trip.driver_ID !== req.driver.ID`: a middleware may keep the caller under any name. */
function comparesTwo(test: Value): boolean {
  return (
    findPart(
      test,
      (part) =>
        part.kind === 'operation' &&
        /^[!=]==?$/.test(part.operator) &&
        part.operands.length === 2 &&
        part.operands.every((one) => one.kind !== 'literal' && constantOf(one) === undefined),
    ) !== undefined
  )
}
