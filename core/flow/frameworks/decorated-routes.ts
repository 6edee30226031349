import { accessesOf, calleeOf, stringConstantOf, type ClassMember, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { createOffsetIndex } from '../../facts/span-index.ts'
import type { Span } from '../../types.ts'
import { CHANGING_VERBS } from '../../server-frameworks.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { addFound } from '../sinks/sink-parts.ts'
import { DECORATED_CONTROLLER, DECORATED_GUARD, DECORATED_ROUTE, isPublicRoute } from '../tables/routes.ts'
import { placesOfAsking } from './decorated-callers.ts'

/**
 * `@Controller('orders') class … { @Post(':id') change() {} }`: its methods answer routes, and what they return is the answer. Whether something asks the callers of the whole application,
 * the rule knows. Facts: NestJS 11, "Controllers" and "Guards".
 */
export function addDecoratedRoutes(draft: FlowDraft): void {
  let asks: ((span: Span) => boolean) | undefined
  for (const owner of draft.facts.classes) {
    const controller = owner.decorators?.find((one) => nameOf(one, DECORATED_CONTROLLER) !== undefined)
    if (controller === undefined) continue
    draft.step(owner.decorators?.length)
    asks ??= createOffsetIndex(placesOfAsking(draft.facts))
    const isGuarded = owner.decorators?.some(mayGuard) ?? false
    for (const member of owner.members) addRoute({ controller, isGuarded, asks }, member, draft)
  }
}

interface Controller {
  readonly controller: Value
  readonly isGuarded: boolean
  readonly asks: (span: Span) => boolean
}

function addRoute({ controller, isGuarded, asks }: Controller, member: ClassMember, draft: FlowDraft): void {
  const fact = functionOf(member.value)
  const decorator = member.decorators?.find((one) => nameOf(one, DECORATED_ROUTE) !== undefined)
  const verb = decorator && nameOf(decorator, DECORATED_ROUTE)?.toLowerCase()
  if (fact === undefined || member.value === undefined || decorator === undefined || verb === undefined) return
  for (const value of fact.returns) addFound(FOUND_SINKS.answeredError, value, draft, { name: 'return' })
  const around = [...(member.decorators ?? []), ...[...(fact.decorated ?? new Map()).values()].flat()]
  draft.step(around.length)
  if (isGuarded || around.some(mayGuard) || asks(fact)) return
  const path = `/${[controller, decorator].flatMap(pathOf).join('/')}`
  if (isPublicRoute(verb, path)) return
  const node = draft.graph.add(decorator)
  draft.ends.sources.push({ node, origin: 'open-server', weak: false })
  const name = verb === 'all' ? 'ANY' : verb.toUpperCase()
  draft.ends.sinks.push({
    ...FOUND_SINKS.route,
    name: `${name} ${path}`,
    api: { name, subject: path, effects: ['decorated'] },
    node,
    start: decorator.start,
    end: decorator.end,
    only: { gates: [{ node: draft.use(member.value), given: [] }] },
    ...(!CHANGING_VERBS.has(verb) && { detail: 'harmless' as const }),
  })
}

/** `@UseGuards(JwtGuard)`, and decorators of the project's own, which may be several in one. */
function mayGuard(decorator: Value): boolean {
  return accessesOf(calleeOf(decorator)).some(({ root, steps: [name = ''] }) => {
    if (isOfProject(root)) return true
    if (ASKS_NOBODY.test(root) || !DECORATED_GUARD.test(name)) return false
    return !GIVEN_GUARDS.test(name) || !('args' in decorator) || decorator.args.some((given) => isGuard(name, given))
  })
}

/** What a package brings to limit, convert or describe is no guard; an interceptor of a package asks nobody. */
function isGuard(name: string, given: Value): boolean {
  const accesses = accessesOf(calleeOf(given))
  return (
    accesses.length === 0 || accesses.some(({ root }) => isOfProject(root) || (name === 'UseGuards' && !ASKS_NOBODY.test(root)))
  )
}

const GIVEN_GUARDS = /^(?:UseGuards|UseInterceptors)$/
const ASKS_NOBODY = /^module:@nestjs\/(?:swagger|throttler)$/

function isOfProject(root: string): boolean {
  return !root.startsWith('module:') || /^module:(?:\.|[~@]\/|src\/)/.test(root)
}

function nameOf(decorator: Value, names: RegExp): string | undefined {
  for (const { root, steps } of accessesOf(calleeOf(decorator))) {
    const found = names.exec([root, ...steps].join(' '))
    if (found !== null) return found[1] ?? ''
  }
  return undefined
}

/** The parts of `'orders'`, `'/:id/items'`. */
function pathOf(decorator: Value): readonly string[] {
  const [first] = 'args' in decorator ? decorator.args : []
  const written = stringConstantOf(first)
  return written !== undefined ? written.split('/').filter((part) => part !== '') : []
}
