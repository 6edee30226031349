import { calleeOf, fieldOf, pathsOf, valuesOf, type CallValue, type Value } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { isAround } from '../../../facts/span-index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { defineExtract, type Extract, type OpenScript } from '../../../extracts/extract.ts'
import type { Scripts } from '../../../extracts/scripts.ts'
import { refuses } from '../../../flow/frameworks/decorated-callers.ts'
import { folderOf, isBelow } from '../../../paths.ts'

interface ApplicationGuard {
  /** Whose controllers it is about. */
  readonly folder: string
  /** The middleware, where its own file has to tell whether it asks who calls. */
  readonly by: string
}

/**
 * Where a script of NestJS has something run in front of all controllers that asks who calls, or may.
 * Facts: NestJS 11, "Guards" (APP_GUARD, useGlobalGuards) and "Middleware" (MiddlewareConsumer, functional middleware by `app.use`), "Rate limiting" (a guard that asks nobody).
 */
const applicationGuards: Extract<ApplicationGuard> = defineExtract({
  name: 'cap-application-guards',
  keywords: ['APP_GUARD', 'useGlobalGuards', 'MiddlewareConsumer', 'NestFactory'],
  *collect(script) {
    const folder = /^((?:.{0,400}?\/)?src)\//.exec(script.path)?.[1] ?? folderOf(script.path)
    for (const by of new Set(guardsOf(script))) yield { folder, by }
  },
})

/** Functions, and classes by their `use`, that refuse somebody or verify a token. */
const askingMiddlewares: Extract<string> = defineExtract({
  name: 'cap-asking-middlewares',
  keywords: ['NestMiddleware', 'NextFunction'],
  *collect({ facts }) {
    const found = new Set<string>()
    for (const call of facts.calls)
      if (refuses(call))
        for (let here = call.function.parent && call.function; here !== undefined; here = here.parent) found.add(here.name)
    for (const name of found) if (name !== '') yield name.replace(/\.use$/, '')
  },
})

export const GUARD_EXTRACTS: readonly Extract[] = [applicationGuards, askingMiddlewares]

/** Whether something asks the callers of all controllers of the application that a file belongs to. */
export function hasApplicationGuard(file: string, scripts: Scripts): boolean {
  return scripts.get(applicationGuards).some(({ value: { folder, by } }) => {
    // beside a script at the root, `apps/api/src` is another application
    const isOfApplication = isBelow(file, folder) && (folder !== '' || !/.\/src\//.test(file))
    return isOfApplication && (by === '' || scripts.get(askingMiddlewares).some(({ value }) => value === by))
  })
}

/** '' for those that ask. */
function* guardsOf({ facts, step }: OpenScript): Generator<string> {
  const refusing = facts.calls.filter(refuses)
  const asks = (given: Value): boolean => {
    const own = functionOf(given)
    step(refusing.length)
    return (
      namesOf(given).some((name) => ASKS.test(name)) || (own !== undefined && refusing.some(({ start }) => isAround(own, start)))
    )
  }
  for (const call of facts.calls) {
    const given = middlewaresOf(call)
    for (const one of given) yield asks(one) ? '' : (lastNameOf(one) ?? '-')
    if (lastNameOf(call.callee) === 'useGlobalGuards' && call.args.some((one) => !isLimiter(one))) yield ''
  }
  // { provide: APP_GUARD, useClass: TokenGuard }
  for (const { value } of valuesOf(facts)) {
    const token = fieldOf(value, 'provide')?.value
    if (token === undefined || !pathsOf(token).some((path) => path.join(' ') === 'module:@nestjs/core APP_GUARD')) continue
    const given = fieldOf(value, 'useClass')?.value ?? fieldOf(value, 'useExisting')?.value
    if (given === undefined || !isLimiter(given)) yield ''
  }
}

/** What `consumer.apply(…)` and `app.use(…)` are given for all paths. */
function middlewaresOf({ callee, args, function: around }: CallValue): readonly Value[] {
  const name = lastNameOf(callee)
  if (name === 'apply') return /(?:^|\.)configure$/.test(around.name) ? args : []
  // app.use('/docs', basicAuth(…)) protects the documentation alone
  return name === 'use' && args[0]?.kind !== 'literal' && args[0]?.kind !== 'array' ? args : []
}

function isLimiter(given: Value): boolean {
  return pathsOf(calleeOf(given)).some(([root]) => root === 'module:@nestjs/throttler')
}

/** As it is called here and where it comes from; the file of a project is no name. */
function namesOf(given: Value): readonly string[] {
  const read = calleeOf(given)
  return [lastNameOf(read) ?? '', ...pathsOf(read).map((path) => path.join(' ').replace(/^module:\.\S{0,400}/, ''))]
}

const ASKS = /passport(?!(?: default)? (?:initialize|session)\b)|auth|jwt|xssec|verif|oidc|(?<!csrf_?)token/i
