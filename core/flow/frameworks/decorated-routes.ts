import { accessesOf, constantOf, type ClassFact, type ClassMember, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { CHANGING_VERBS } from '../../server-frameworks.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { addFound } from '../sinks/sink-parts.ts'
import { ASKS_IN_CONTROLLER, DECORATED_CONTROLLER, DECORATED_GUARD, DECORATED_ROUTE, isPublicRoute } from '../tables/routes.ts'

/**
 * `@Controller('orders') class … { @Post(':id') change() {} }`: its methods answer routes, and what they return is the answer. Whether something asks the callers of the whole application,
 * the rule knows. Facts: NestJS 11, "Controllers" and "Guards".
 */
export function addDecoratedRoutes(draft: FlowDraft): void {
  for (const owner of draft.facts.classes) {
    const controller = owner.decorators?.find((one) => nameOf(one, DECORATED_CONTROLLER) !== undefined)
    if (controller === undefined) continue
    for (const member of owner.members) addRoute(controller, owner, member, draft)
  }
}

function addRoute(controller: Value, owner: ClassFact, member: ClassMember, draft: FlowDraft): void {
  const fact = functionOf(member.value)
  const decorator = member.decorators?.find((one) => nameOf(one, DECORATED_ROUTE) !== undefined)
  const verb = decorator && nameOf(decorator, DECORATED_ROUTE)?.toLowerCase()
  if (fact === undefined || member.value === undefined || decorator === undefined || verb === undefined) return
  for (const value of fact.returns) addFound(FOUND_SINKS.answeredError, value, draft, { name: 'return' })
  const around = [
    ...(owner.decorators ?? []),
    ...(member.decorators ?? []),
    ...[...(fact.decorated ?? new Map()).values()].flat(),
  ]
  if (around.some(mayGuard) || ASKS_IN_CONTROLLER.test(draft.text.slice(fact.start, fact.end))) return
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
  const called = 'callee' in decorator ? decorator.callee : decorator
  return accessesOf(called).some(
    ({ root, steps }) =>
      !root.startsWith('module:') || /^module:[.~@]\/|^module:\./.test(root) || DECORATED_GUARD.test(steps[0] ?? ''),
  )
}

function nameOf(decorator: Value, names: RegExp): string | undefined {
  const called = 'callee' in decorator ? decorator.callee : decorator
  for (const { root, steps } of accessesOf(called)) {
    const found = names.exec([root, ...steps].join(' '))
    if (found !== null) return found[1] ?? ''
  }
  return undefined
}

/** The parts of `'orders'`, `'/:id/items'`. */
function pathOf(decorator: Value): readonly string[] {
  const [first] = 'args' in decorator ? decorator.args : []
  const written = first && constantOf(first)
  return typeof written === 'string' ? written.split('/').filter((part) => part !== '') : []
}
