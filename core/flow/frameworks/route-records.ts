import {
  accessesOf,
  constantOf,
  stringConstantOf,
  resolveValue,
  type Assignment,
  type CallValue,
  type ClassFact,
  type FunctionFact,
  type Value,
} from '../../facts/index.ts'
import { functionOf, withoutBind } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createInnerIndex } from '../../facts/span-index.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { calledIn } from '../calls/called.ts'
import { CHECKS_RIGHTS } from '../tables/routes.ts'
import type { Span } from '../../types.ts'
import type { FlowGate, FlowRoute, RouteTarget, WrappedExport } from '../types.ts'
import { keyOf, placeOf, routeBelow, spreadValue, describedRoute, hooksIn, routerBehind } from './registrations.ts'
import { middlewareName } from './decorated-classes.ts'

/** What a file registers, with what runs before each route: what other files of the app are compared with. */
export function recordedRoutes(
  registered: readonly CallValue[],
  asking: ReadonlySet<CallValue>,
  draft: FlowDraft,
): readonly FlowRoute[] {
  const uses = registered.filter(({ callee }) => lastNameOf(callee) === 'use')
  return registered.flatMap((call) => {
    draft.step(uses.length)
    const route = recordOf(call, uses, draft)
    return route === undefined ? [] : asking.has(call) ? { ...route, asks: true as const } : route
  })
}

const OTHERS: ReadonlySet<string> = new Set(['param', 'addHook', 'register'])

function recordOf(call: CallValue, uses: readonly CallValue[], draft: FlowDraft): FlowRoute | undefined {
  const { callee, args, start } = call
  if (!('object' in callee) || OTHERS.has(callee.name ?? '')) return undefined
  const described = callee.name === 'route' ? describedRoute(args[0]) : undefined
  if (callee.name === 'route' && described === undefined) return undefined
  const verb = described?.method ?? callee.name ?? 'all'
  const [first] = args
  const place = described?.path ?? routeBelow(callee.object) ?? first
  const path = stringConstantOf(place)
  const own = described === undefined ? args.filter((argument) => argument !== place) : hooksIn(first ?? described.handler)
  const answering = described?.handler ?? own.at(-1)
  if (answering === undefined) return undefined
  const before = uses.filter((use) => use.end <= start && use !== call && coversAll(use, callee.object, path))
  const fronts = [...before.flatMap((use) => use.args), ...(described === undefined ? own.slice(0, -1) : own)].flatMap(listed)
  const checks = fronts.filter((front) => CHECKS_RIGHTS.test(middlewareName(front)))
  const [check] = checks.map(middlewareName)
  const roles = checks.length === 1 ? checks.flatMap(rolesGiven) : []
  const beside = roles.length > 0 ? fronts.filter((front) => !checks.includes(front) && mayAskOwner(front)) : []
  const mounts = verb === 'use' ? moduleOf(routerBehind(answering)) : undefined
  if (verb === 'use' && mounts === undefined) return undefined
  return {
    verb,
    ...(path !== undefined && { path }),
    start: placeOf(call).start,
    end: placeOf(call).end,
    answers: mounts === undefined ? targetsOf(answering, draft) : [],
    fronts: fronts.flatMap((front) => targetsOf(front, draft)),
    ...(check !== undefined && { check }),
    ...(roles.length > 0 && { roles, beside: beside.map((front) => targetsOf(front, draft)) }),
    ...(mounts !== undefined && { mounts }),
  }
}

/** The roles that a check is made with: `authorize('Buyer', 'Admin')`, `requireRole(['buyer', 'admin'])`. */
function rolesGiven(front: Value): readonly string[] {
  const made = resolveValue(front)
  if (!('callee' in made) || NAMES_NO_ROLES.test(middlewareName(front))) return []
  const given = made.args
    .map((given) => resolveValue(given))
    .flatMap((given) => ('items' in given ? given.items : [given]))
    .map(constantOf)
    .filter((role) => typeof role === 'string')
  // `authorize('customers', 'update')` names what is done
  return given.some((one) => DONE.test(one)) ? [] : given
}

/** What runs before a handler and is of no package, no login, and no check of what is sent. */
function mayAskOwner(front: Value): boolean {
  const name = middlewareName(front)
  return (OWNS.test(name) || !LOGIN_OR_FORM.test(name)) && !accessesOf(front).some(({ root }) => /^module:[^.]/.test(root))
}

const OWNS = /own|assign|belong|same|self|mine/i
const LOGIN_OR_FORM = /auth|jwt|token|log|sign(?:ed)?_?in|session|passport|protect|valid|schema|sanit|pars|upload|limit|cach/i

/** Checks that roles pass which are not named, or that are made with names of rights. */
const NAMES_NO_ROLES =
  /[dD]eny|[fF]orbid|[bB]lock|[eE]xcept|[eE]xclud|[wW]ithout|[rR]eject|[uU]nless|(?:^no|[nN]ot)[A-Z_]|[pP]ermission|[pP]rivileg|[sS]cope|[pP]olic|\b(?:acl|can)/
const DONE = /^(?:read|write|view|list|get|create|add|update|edit|change|delete|remove|manage|post|put|patch)$/i

/** `router.use(requireScope('Read'))` runs for every route below it, `app.use('/admin', requireAdmin)` for some. */
function coversAll({ callee, args }: CallValue, receiver: Value, path: string | undefined): boolean {
  const key = keyOf(receiver)
  if (!('object' in callee) || key === undefined || keyOf(callee.object) !== key) return false
  const prefix = stringConstantOf(args[0])
  if (prefix === undefined) return true
  return path !== undefined && (path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`))
}

function listed(front: Value): readonly Value[] {
  const value = spreadValue(front)
  if (constantOf(value) !== undefined) return []
  const made = resolveValue(value)
  return 'items' in made ? made.items.flatMap(listed) : [value]
}

/** The module of a router: `require('./orders')`, an import. */
function moduleOf(router: Value): string | undefined {
  return accessesOf(router)
    .map(({ root }) => root.replace(/^module:/, ''))
    .find((root) => root.startsWith('.'))
}

/** `exports.list = asyncHandler(async (req, res) => …)`, `module.exports = { list: asyncHandler(…) }`, and fields of a class, `this.list = asyncHandler(this.list.bind(this))`: another file may register it for a route. */
export function* wrappedExports(draft: FlowDraft): Generator<WrappedExport> {
  const fieldsOf = createClassFields(draft)
  for (const { name, value } of draft.facts.exports) {
    if (value === undefined) continue
    const made = resolveValue(value)
    const given = 'fields' in made ? made.fields.map(({ key = '', value: field }) => [key, resolveValue(field)] as const) : []
    for (const [own, one] of [[name, made] as const, ...given, ...fieldsOfClass(name, made, fieldsOf)]) {
      if (own === '' || !('callee' in one)) continue
      const targets = one.args.flatMap((argument) => targetOf(withoutBind(argument), draft) ?? [])
      if (targets.every((target) => target.targets.length === 0)) continue
      yield { name: own, inner: targets, by: targetOf(one.callee, draft) }
    }
  }
}

/** What the fields of an exported class are given, or of the object of one that is exported, by the name that other files have for it. */
function fieldsOfClass(exported: string, made: Value, fieldsOf: ClassFieldReader): readonly (readonly [string, Value])[] {
  const isObject = 'callee' in made
  if (!isObject && !('class' in made)) return []
  const fields = fieldsOf(isObject ? lastNameOf(made.callee) : made.class.name)
  const prefix = `${exported === 'default' ? '' : exported}${isObject ? (exported === 'default' ? '' : '.') : '#'}`
  return fields.map(([field, value]) => [`${prefix}${field}`, resolveValue(value)])
}

/** The fields of a class of the file with what they are given, by its name. */
type ClassFieldReader = (name: string | undefined) => readonly (readonly [string, Value])[]

function createClassFields({ facts, step }: FlowDraft): ClassFieldReader {
  let assignmentsIn: ((around: Span) => readonly Assignment[]) | undefined
  const classes = new Map(facts.classes.toReversed().map((one) => [one.name, one]))
  const known = new Map<ClassFact, ReturnType<ClassFieldReader>>()
  return (name = '') => {
    const own = name === '' ? undefined : classes.get(name)
    if (own === undefined) return []
    const before = known.get(own)
    if (before !== undefined) return before
    const assigned = (assignmentsIn ??= createInnerIndex(facts.assignments))(own)
    step(own.members.length + assigned.length)
    const given = [
      ...own.members.map(({ name: field, value }) => [field, value] as const),
      ...assigned.map(({ target, value }) => [keyOf(target), value] as const),
    ]
    const fields = given.flatMap(([key, value]) => {
      const field = typeof key === 'string' ? key.replace(/^this\./, '') : ''
      return field === '' || value === undefined ? [] : [[field, value] as const]
    })
    known.set(own, fields)
    return fields
  }
}

/** The function itself, what a wrapper is given, `asyncHandler(report)`, and what of another file it is, where a wrapper may have been given it. */
export function toGate(handler: Value, draft: FlowDraft): FlowGate {
  const value = spreadValue(handler)
  const made = resolveValue(value)
  const given = 'callee' in made ? made.args : 'items' in made ? made.items : []
  const module = given.length > 0 ? undefined : targetOf(value, draft)?.module
  return { node: draft.use(value), given: given.map((argument) => draft.use(argument)), ...(module !== undefined && { module }) }
}

/** The functions that a handler may be, and what a wrapper around it or a maker of it is: `asyncHandler(report)`, `requireScope('Read')`. */
function targetsOf(handler: Value, draft: FlowDraft): readonly RouteTarget[] {
  const made = resolveValue(handler)
  if ('callee' in made) {
    const { callee, args } = made
    const bound = 'object' in callee && callee.name === 'bind' ? [callee.object] : [callee, ...args]
    return bound.flatMap((one) => targetOf(one, draft) ?? [])
  }
  return [targetOf(handler, draft) ?? []].flat()
}

function targetOf(value: Value, draft: FlowDraft): RouteTarget | undefined {
  const own: readonly FunctionFact[] = [functionOf(value) ?? calledIn(value, draft)].flat()
  const targets = own.flatMap((fact) => draft.calling.functions.get(fact) ?? [])
  if (targets.length > 0) return { targets }
  for (const { root, steps } of accessesOf(value)) {
    const source = root.replace(/^module:/, '')
    if (!source.startsWith('.')) continue
    const name = steps.join('.').replace(/\.?new(?:\.|$)/, '#') || 'default'
    return { targets, module: { source, name } }
  }
  return undefined
}
