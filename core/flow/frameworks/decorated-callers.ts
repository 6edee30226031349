import {
  accessesOf,
  calleeOf,
  constantOf,
  pathsOf,
  valuesOf,
  type Binding,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { CALLER_FIELDS, DECORATED_REQUEST, REFUSING_ERRORS, VERIFIES_CALLER } from '../tables/routes.ts'

/** Where methods of controllers ask who calls: by the request that they get, by what they verify, and by whom they refuse. Facts: NestJS 11, "Exception filters". */
export function placesOfAsking(facts: ScriptFacts): readonly number[] {
  const requests = new Set(facts.functions.flatMap(requestsOf))
  const isRequest = (value: Value | undefined): boolean =>
    value !== undefined && accessesOf(value).some(({ binding, steps }) => steps.length === 0 && isOf(binding, requests))
  const found: number[] = []
  for (const { value } of valuesOf(facts)) {
    if ('object' in value && CALLER_FIELDS.test(value.name ?? '') && isRequest(value.object)) found.push(value.start)
    if (refuses(value)) found.push(value.start)
  }
  // @Req() { user }, const { user } = request
  for (const { kind, function: around, definitions } of facts.bindings)
    for (const { path, start, value } of definitions) {
      const isOfRequest = kind === 'parameter' ? requestIndexes(around).length > 0 : isRequest(value)
      if (CALLER_FIELDS.test(path[0] ?? '') && isOfRequest) found.push(start)
    }
  return found
}

/** `new UnauthorizedException()`, `res.status(401)`, `new HttpException('', HttpStatus.FORBIDDEN)`, and what verifies a token. */
export function refuses(value: Value): boolean {
  if (!('callee' in value)) return false
  if (REFUSING_ERRORS.test(lastNameOf(value.callee) ?? '') || value.args.some(isRefusal)) return true
  return pathsOf(value.callee).some((path) => VERIFIES_CALLER.test(path.join(' ')))
}

function isRefusal(given: Value): boolean {
  const status = constantOf(given)
  return status === 401 || status === 403 || /^(?:UNAUTHORIZED|FORBIDDEN)$/.test(lastNameOf(given) ?? '')
}

function isOf(binding: Binding | undefined, requests: ReadonlySet<Binding>): boolean {
  return binding !== undefined && requests.has(binding)
}

function requestsOf(fact: FunctionFact): readonly Binding[] {
  return requestIndexes(fact).flatMap((index) => fact.parameters[index] ?? [])
}

function requestIndexes({ decorated }: FunctionFact): readonly number[] {
  return [...(decorated ?? new Map<number, readonly Value[]>())].flatMap(([index, decorators]) => {
    const names = decorators.flatMap((one) => pathsOf(calleeOf(one)).map((path) => path.join(' ')))
    return names.some((name) => DECORATED_REQUEST.test(name)) ? [index] : []
  })
}
