import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { exportedFunctions, functionOf } from '../../facts/callbacks.ts'
import {
  accessesOf,
  constantOf,
  stringConstantOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isOfUi5App } from '../script/index.ts'
import { createCallerCheckReader, mayCheckCaller } from './caller-checks.ts'
import { judgedItems, linkOf, type CheckedBy, type OfferedCheck } from './offered-checks.ts'
import type { CapRoot, CapService } from './types.ts'
import { isAround } from '../../facts/span-index.ts'

/** What the app of CAP runs before its services, below a path. */
interface MountedMiddleware {
  readonly kind: 'mounted'
  readonly path: string
  readonly by: CheckedBy
}

/**
 * Middlewares that a script puts in front of CAP's services: `cds.on('bootstrap', (app) => app.use('/api', requireToken))`.
 * Facts: capire, "cds.server" (`bootstrap` comes before the services are served); Express 5, "app.use".
 */
export const loginGuards: Extract<MountedMiddleware | OfferedCheck> = defineExtract({
  name: 'cap-login-guards',
  keywords: ['bootstrap', 'authorization', 'verify', 'token', 'session'],
  prefilter: (text) => text.includes('bootstrap') || (/exports?\b/.test(text) && mayCheckCaller(text)),
  isFor: (path) => !isOfUi5App(path),
  collect(script) {
    const { facts, step } = script
    const checks = createCallerCheckReader(script)
    const isGuard = (fact: FunctionFact): boolean => {
      const next = fact.parameters[2]
      return next !== undefined && checks(fact, ({ callee, args }) => args.length === 0 && isReference(callee, next))
    }
    const isGuardOrMaker = (fact: FunctionFact): boolean =>
      isGuard(fact) || fact.returns.some((value) => isKnown(functionOf(value), isGuard))
    const bootstrapping = facts.calls.flatMap((call) => bootstrapOf(call) ?? [])
    const mounted = bootstrapping.flatMap((fact) => {
      step(facts.calls.length)
      const [app] = fact.parameters
      return facts.calls.flatMap(({ callee, args, start }): readonly MountedMiddleware[] => {
        if (app === undefined || lastNameOf(callee) !== 'use' || !('object' in callee) || !isReference(callee.object, app))
          return []
        // where it depends on a setting, some landscape has none
        if (facts.guards.some(({ inside }) => fact.start < inside.start && isAround(inside, start))) return []
        const written = stringConstantOf(args[0])
        const path = written ?? '/'
        return args.slice(written !== undefined ? 1 : 0).map((given) => ({
          kind: 'mounted',
          path,
          by: checkIn(given, isGuard, isGuardOrMaker),
        }))
      })
    })
    const offered = exportedFunctions(facts).flatMap(([name, fact]): readonly OfferedCheck[] =>
      isGuardOrMaker(fact) ? [{ kind: 'offered', name }] : [],
    )
    return [...mounted, ...offered]
  },
})

function isKnown(fact: FunctionFact | undefined, is: (fact: FunctionFact) => boolean): boolean {
  return fact !== undefined && is(fact)
}

function isReference(value: Value, binding: FunctionFact['parameters'][number]): boolean {
  return value.kind === 'reference' && value.binding !== undefined && value.binding === binding
}

/** The function in `cds.on('bootstrap', …)`. */
function bootstrapOf({ callee, args: [event, handler] }: CallValue): FunctionFact | undefined {
  const isOn = /^(?:on|once)$/.test(lastNameOf(callee) ?? '')
  if (!isOn || event === undefined || constantOf(event) !== 'bootstrap') return undefined
  return functionOf(handler)
}

function checkIn(
  given: Value,
  isGuard: (fact: FunctionFact) => boolean,
  isGuardOrMaker: (fact: FunctionFact) => boolean,
): CheckedBy {
  const made = resolveValue(given)
  if (made.kind !== 'call') {
    const own = functionOf(given)
    return own === undefined ? linkOf(given) : isGuard(own) ? 'own' : 'none'
  }
  if (accessesOf(made.callee).some(({ root, steps }) => root === 'module:passport' && steps.at(-1) === 'authenticate'))
    return 'own'
  const own = functionOf(made.callee)
  return own === undefined ? linkOf(made.callee) : isGuardOrMaker(own) ? 'own' : 'none'
}

/** Tells services that no request reaches without a token that a middleware of the project has verified. */
export type LoginGuardReader = (service: CapService) => boolean

/** Needs the extract `loginGuards`. */
export function createLoginGuardReader(root: CapRoot): LoginGuardReader {
  let paths: readonly string[] | undefined
  return ({ endpoints }) => {
    paths ??= judgedItems<MountedMiddleware>(root, loginGuards).flatMap(({ value, isChecked }) => (isChecked ? value.path : []))
    const guarded = paths
    return endpoints.length > 0 && endpoints.every(({ path }) => guarded.some((one) => isBelowMount(path, one)))
  }
}

/** Express mounts at whole segments. */
function isBelowMount(path: string, mount: string): boolean {
  const [own, above] = [path, mount].map((one) => `/${one.split('/').filter(Boolean).join('/')}/`.replace('//', '/'))
  return own !== undefined && above !== undefined && own.startsWith(above)
}
