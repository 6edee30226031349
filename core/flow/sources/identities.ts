import { VERBS } from '../tables/routes.ts'
import { accessesOf, resolveValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { type Callback, methodOf } from '../../facts/callbacks.ts'
import { FIELD, type FlowSink } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { nameOf } from '../graph/names.ts'
import { isCds } from '../frameworks/cap-receivers.ts'
import { nestedParts, addFoundParts } from '../sinks/sink-parts.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'

/** Adds users and tenants that are assigned or filled: of the context, of a request, and of a user that is handed over. */
export function addIdentities(draft: FlowDraft): void {
  addAssigned(draft)
  addFilled(draft)
}

const PARTS: ReadonlySet<string> = new Set(['id', 'roles', '_roles', 'attr', 'tenant', 'is'])

/** `cds.context.user = …`, `req.user.roles = …`, `cds.context = { tenant }`. */
function addAssigned(draft: FlowDraft): void {
  for (const { target, value, start, end, function: within } of draft.facts.assignments) {
    const names: string[] = []
    // user.roles[role] = true
    const key = target.name === undefined ? target.property : undefined
    let base: Value = key === undefined ? target : target.object
    while (base.kind === 'member' && base.name !== undefined && base.name !== 'context' && names.length < 4) {
      names.unshift(base.name)
      base = base.object
    }
    if (key !== undefined && !/^_?roles$/.test(names.at(-1) ?? '')) continue
    const isWhole = isContext(base) && names.length === 0
    const isIdentity =
      names[0] === 'user' ? names.length === 1 || PARTS.has(names[1] ?? '') : names[0] === 'tenant' && names.length === 1
    const isOfCaller = names[0] !== 'user' && names.length > 0 && names.length < 3 && GIVEN.has(names[0] ?? '')
    // `req.user.attr[name]`
    const name = nameOf('object' in target && target.name === undefined ? target.object : target)
    if (isOfCaller) addToCaller(key ?? value, base, { start, end, name }, draft)
    if (!isWhole && !isIdentity) continue
    const nodes = isWhole ? partsOfContext(value, draft) : nodesOf(nestedParts(key ?? value), draft)
    for (const node of nodes) {
      const detail = isInRoute(within, draft.server.callbacks) && ({ detail: 'routed' } as const)
      const sink = { node, name, start, end, ...detail } as const
      const kinds = [FOUND_SINKS.identity, FOUND_SINKS.messageIdentity]
      if (isContext(base)) for (const kind of kinds) draft.ends.sinks.push({ ...sink, ...kind })
      else
        for (const origin of ['cap-request', 'http-request', 'message'] as const)
          for (const kind of kinds)
            draft.ends.sinks.push({ ...sink, ...kind, only: { receiver: { node: draft.use(base), origin } } })
    }
  }
}

/** What a context gets of users and tenants: `cds.context = { tenant }`, `Object.assign(cds.context, { user })`. */
function partsOfContext(value: Value, draft: FlowDraft): readonly number[] {
  const own = resolveValue(value)
  const fields = own.kind === 'object' ? own.fields.filter(({ key }) => key === 'user' || key === 'tenant') : []
  return [...fields.flatMap(({ value: field }) => nodesOf(nestedParts(field), draft)), ...fieldsBehind(value, draft)]
}

function nodesOf(parts: readonly Value[], { use }: FlowDraft): readonly number[] {
  return parts.flatMap((part) => (part.kind === 'literal' || part.kind === 'function' ? [] : use(part)))
}

/** What decides about the rights of a user that is handed over: `user.roles = …` of `actAs(req.user, role)`. */
const GIVEN: ReadonlySet<string> = new Set(['id', 'roles', '_roles', 'attr', 'tenant'])

function addToCaller(
  value: Value,
  user: Value,
  { name, ...at }: Pick<FlowSink, 'start' | 'end' | 'name'>,
  draft: FlowDraft,
): void {
  addFoundParts(FOUND_SINKS.identity, value.kind === 'spread' ? value.value : value, draft, () => ({
    name,
    at,
    only: { receiver: { node: draft.use(user), origin: 'caller' } },
  }))
}

/** `Object.assign(req.user, given)`, `req.user.roles.push(role)`. */
function addFilled(draft: FlowDraft): void {
  for (const { callee, args, start, end } of draft.facts.calls) {
    if (callee.kind !== 'member') continue
    const isAssign = callee.name === 'assign' && accessesOf(callee).some(({ root }) => root === 'global:Object')
    const isAdded = callee.name === 'push' || callee.name === 'add'
    const target = isAssign
      ? args[0]
      : isAdded && callee.object.kind === 'member' && /^_?roles$/.test(callee.object.name ?? '')
        ? callee.object.object
        : undefined
    if (
      target === undefined ||
      target.kind === 'object' ||
      (!isAssign && target.kind !== 'member' && target.kind !== 'reference')
    )
      continue
    if (isAssign && isContext(target)) {
      const name = nameOf(target)
      for (const node of args.slice(1).flatMap((value) => partsOfContext(value, draft)))
        draft.ends.sinks.push({ node, name, start, end, ...FOUND_SINKS.identity })
      continue
    }
    if (target.kind !== 'member' || target.name !== 'user') {
      // Object.assign(user, …), Object.assign(user.roles, …), user.roles.push(…)
      const user = target.kind === 'member' && /^_?roles$/.test(target.name ?? '') ? target.object : target
      if (user.kind === 'reference' && user.binding !== undefined)
        for (const value of isAssign ? args.slice(1) : args) addToCaller(value, user, { start, end, name: nameOf(target) }, draft)
      continue
    }
    for (const value of isAssign ? args.slice(1) : args) {
      if (value.kind === 'literal') continue
      const sink = { ...FOUND_SINKS.identity, node: draft.use(value), name: nameOf(target), start, end } as const
      if (isContext(target.object)) draft.ends.sinks.push(sink)
      else
        for (const origin of ['cap-request', 'http-request'] as const)
          draft.ends.sinks.push({ ...sink, only: { receiver: { node: draft.use(target.object), origin } } })
    }
  }
}

/** In what answers a route, and authenticates nobody: `app.post('/switch', (req, res) => …)`. */
function isInRoute(within: FunctionFact, callbacks: ReadonlyMap<FunctionFact, Callback>): boolean {
  for (let fact: FunctionFact | undefined = within; fact !== undefined; fact = fact.parent) {
    const callback = callbacks.get(fact)
    if (callback !== undefined && callback.index > 0 && VERBS.has(methodOf(callback) ?? '')) return true
  }
  return false
}

/** `cds.context = contextOf(req)`, `cds.context = { ...scope }`: user and tenant of an object that is made elsewhere. */
function fieldsBehind(value: Value, { graph, use }: FlowDraft): readonly number[] {
  const own = resolveValue(value)
  if (own.kind === 'object' && !own.fields.some(({ value: field }) => field.kind === 'spread')) return []
  return ['user', 'tenant'].map((field) => {
    return graph.derive(use(value), value, FIELD, field)
  })
}

function isContext(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => isCds({ root }) && steps.join(' ') === 'context')
}
