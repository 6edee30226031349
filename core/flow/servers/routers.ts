import {
  accessesOf,
  constantOf,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { groupBy } from '../../lists.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { keyOf, spreadValue } from '../frameworks/registrations.ts'
import { bindingNode } from '../values/named-values.ts'
import { writeInto } from '../values/writes.ts'
import { ROUTER_MODULES, SERVERS } from '../../server-frameworks.ts'
import { isParser, type AuthenticationReader } from './route-guards.ts'

/** `Router()` of a framework, an app that may be mounted like one, `express()`, `polka()`, or an object of a class, which may hold one. */
export function isRouterMade(value: Value): boolean {
  const made = resolveValue(value)
  return made.kind === 'new' || isRouter(made)
}

const MAX_CHAIN = 50

/** `Router()` of `Router().get('/', list).post('/', add)`. Fact: Express 5, each method of a router gives it back. */
function receiverOfChain(value: Value): Value {
  let here = value
  for (let hops = 0; hops < MAX_CHAIN && 'callee' in here && !isRouter(here) && 'object' in here.callee; hops++)
    here = here.callee.object
  return here
}

function isRouter(value: Value): boolean {
  return (
    value.kind === 'call' &&
    (isServerMade(value) ||
      accessesOf(value).some(
        ({ root, steps }) => ROUTER_MODULES.has(root) && steps.lastIndexOf('Router') >= Math.max(steps.length - 2, 0),
      ))
  )
}

/** `express()`, `new Koa()`, whatever it is imported as. Routers, `express.Router()`, are what they are mounted on. */
export function isServerMade(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => SERVERS.has([root, ...steps].join(' ')))
}

/** Where apps are made that the file only mounts on another one: `app.use('/admin', authenticate, admin)`. Facts: Express 5, "app.use"; Polka 0.5, "use". */
export function mountedApps(calls: readonly CallValue[], registered: readonly CallValue[]): ReadonlySet<number> {
  const madeAt = (value: Value): number => receiverOfChain(resolveValue(value)).start
  const mounted = new Set(
    registered.flatMap(({ callee, args }) => ('object' in callee && callee.name === 'use' ? args.map(madeAt) : [])),
  )
  for (const { callee, args } of calls) {
    const name = lastNameOf(callee)
    if (name === 'listen' && 'object' in callee) mounted.delete(madeAt(callee.object))
    if (name === 'createServer') for (const given of args) mounted.delete(madeAt(given))
  }
  return mounted
}

/** The router that routes of a chain are registered with: `const router = Router().get('/', list)`. */
export function routerOfChain(value: Value): Value | undefined {
  const given = resolveValue(value)
  const made = receiverOfChain(given)
  return made !== given && isRouterMade(made) ? made : undefined
}

/** The router that a function makes and gives back. */
export function routerMadeBy({ returns }: FunctionFact, draft: FlowDraft): number | undefined {
  const { graph, owners, use } = draft
  for (const value of returns) {
    const made = receiverOfChain(value)
    if (isRouter(made)) return use(made)
    if (value.kind === 'reference' && value.binding !== undefined && isRouter(resolveValue(value)))
      return bindingNode(value.binding, draft)
    if (value.kind !== 'member' || value.name === undefined || !/rout/i.test(value.name)) continue
    const owner = owners.ownerBehind(value.object)
    if (owner !== undefined) return graph.ofField(owner, value.name, value)
  }
  return undefined
}

/**
 * A router in front of another one, `app.use('/parts', prepare, parts)`, is worth what the functions are that it runs for every request: `prepare.use(addMapping)`. Where one of them asks
 * who calls, or nobody knows, nothing is said of it. Fact: Express 5, "Router" (a router is a middleware).
 */
export function addRunByRouters(registered: readonly CallValue[], authenticates: AuthenticationReader, draft: FlowDraft): void {
  const running = registered.filter(({ callee, args: [path] }) => {
    const name = 'object' in callee && isRouterMade(callee.object) ? callee.name : undefined
    return name === 'use' || (name !== undefined && path !== undefined && EVERY_PATH.test(String(constantOf(path))))
  })
  for (const [router, calls] of groupBy<CallValue, Binding | string | undefined>(running, ({ callee }) =>
    'object' in callee ? keyOf(callee.object) : undefined,
  )) {
    const [first] = calls
    if (router === undefined || first === undefined || !('object' in first.callee)) continue
    const run = calls.flatMap(({ args }) => args).filter((given) => constantOf(given) === undefined && !isParser(given))
    if (
      run.some((given) => functionOf(spreadValue(given)) === undefined) ||
      (run.length > 1 && run.some((given) => authenticates(given)))
    )
      continue
    for (const given of run) writeInto(first.callee.object, draft.use(given), draft)
  }
}

const EVERY_PATH = /^[/(]?\*/
