import {
  constantOf,
  createSpanIndex,
  findPart,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf, methodAround } from '../../../facts/callbacks.ts'
import { awaited } from '../../../facts/conditions.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isNothing } from '../../../facts/values.ts'
import { lastName } from '../../../paths.ts'
import type { Span } from '../../../types.ts'
import { AUTHENTICATED_ROLES } from '../../../model/cap/index.ts'
import { isContext, isContextName } from '../../../model/script/index.ts'

/** Something of it comes from the user of the request: `req.user.id`, a row that was read for the user, `user_name` of a token of XSUAA. */
export function mentionsUser(value: Value): boolean {
  return findPart(value, (part) => isUser(part) || isUserOf(part)) !== undefined
}

function isUser(part: Value): boolean {
  if ('binding' in part) return part.binding?.definitions.some(isUserTaken) === true
  if (part.kind !== 'member') return false
  const { name = '', object } = part
  return name === 'user_name' || (USER.test(name) && isOfRequest(object))
}

const USER = /^(?:user|tenant|authInfo|tokenInfo)$/

/** `const { data, user } = req` */
function isUserTaken({ path: [name = ''], value }: Binding['definitions'][number]): boolean {
  return USER.test(name) && value !== undefined && isOfRequest(value)
}

const GIVES_USER =
  /^(?!create|update|delete|insert|save|add|remove)[a-z]{0,20}_?(?:user|principal|caller|identity)_?(?:id|name|key|e?mail)?$/i

const CURRENT_USER =
  /^(?:get|fetch|load|read|find|resolve)?_?(?:the_?)?(?:current|logged_?(?:in|on)|signed_?in)_?(?:user|caller|employee|person|profile)(?:_?(?:id|name|info|profile|e?mail|data|details))?$/i

/** `requireUserId(req)`: a function of the project tells who asks, by its name or by what it gives back. */
function isUserOf(part: Value): boolean {
  if (part.kind !== 'call') return false
  // this.getCurrentUser(): CAP knows the request by itself, `cds.context`
  if (tellsCurrentUser(part)) return true
  if (!part.args.some(isContext)) return false
  if (GIVES_USER.test(lastNameOf(part.callee) ?? '')) return true
  // an object holds other things too
  const given = functionOf(part.callee)?.returns ?? []
  return given.some((value) => value.kind !== 'object' && findPart(value, isUser) !== undefined)
}

/** A method of the service or a function of another file that is told nothing but who asks: `loadCurrentUser(req.data.user)` gives whom the client names. */
function tellsCurrentUser({ callee, args }: CallValue): boolean {
  if (!CURRENT_USER.test(lastNameOf(callee) ?? '') || functionOf(callee) !== undefined) return false
  const isOwn = callee.kind === 'reference' || (callee.kind === 'member' && isService(callee.object))
  return isOwn && args.every((one) => isContext(one) || isUser(one) || (one.kind === 'member' && isUser(one.object)))
}

function isService(owner: Value): boolean {
  return owner.kind === 'this' || (owner.kind === 'reference' && /^(?:srv|service|self|that)$/.test(owner.name))
}

/** The request itself, or `cds.context`; a row may have a `user` too. */
function isOfRequest(owner: Value): boolean {
  const name = lastNameOf(owner) ?? ''
  return isContextName(name) || owner.kind === 'this'
}

/** Tells whether the user is asked in front of a call. What asks is found once, for the first call of a file: both may be many. */
export function createAskedReader(
  facts: ScriptFacts,
  asks: (test: Value) => boolean = asksOfUser,
): (query: CallValue) => boolean {
  let isAsked: ((query: CallValue) => boolean) | undefined
  return (query) => (isAsked ??= readQuestions(facts, asks))(query)
}

function readQuestions({ guards, calls }: ScriptFacts, asks: (test: Value) => boolean): (query: CallValue) => boolean {
  const asking = guards.filter(({ test }) => asks(test))
  const guardsAround = createSpanIndex(asking, ({ inside }) => inside)
  const firstExits = firstEnds(asking.filter(({ exits }) => exits))
  // a function of the project that checks the request, before the query or around it
  const refusing = new Set(asking.flatMap(({ exits, function: around }) => (exits ? [around] : [])))
  const checks = calls.filter(
    (call) => call.function.kind !== 'file' && (isCheck(call) || findsForUser(call) || refuses(call, refusing)),
  )
  const checksAround = createSpanIndex(checks, (check) => check)
  const firstChecks = firstEnds(checks)
  return ({ start, end, function: own }) => {
    if (guardsAround(start).some(({ inside }) => end <= inside.end) || (firstChecks.get(own) ?? Infinity) <= start) return true
    if (checksAround(start).some((check) => check.function === own && end <= check.end)) return true
    for (let here: FunctionFact | undefined = own; here !== undefined; here = here.parent)
      if ((firstExits.get(here) ?? Infinity) <= start) return true
    return false
  }
}

/** A function of the file, or a method beside the caller, that refuses by what it asks of the user: `await own(req, id)`. */
function refuses({ callee, function: from }: CallValue, refusing: ReadonlySet<FunctionFact>): boolean {
  if (refusing.size === 0) return false
  const called = functionOf(callee)
  if (called !== undefined) return refusing.has(called)
  if (!('object' in callee) || callee.object.kind !== 'this') return false
  const { owner } = methodAround(from) ?? {}
  return owner !== undefined && [...refusing].some((one) => one.owner === owner && lastName(one.name) === callee.name)
}

/** `loadSession(id, req.user.id)`: a function of the project gets the key and the user, and finds or refuses. */
function findsForUser({ callee, args }: CallValue): boolean {
  if (args.length < 2 || !FINDS.test(lastNameOf(callee) ?? '')) return false
  return args.some((one) => !isContext(one) && mentionsUser(one)) && args.some((one) => !mentionsUser(one))
}

const FINDS =
  /^(?:get|load|find|fetch|open|require|resolve|read)(?=[A-Z_])(?!\w{0,40}(?:Or|_or_)_?(?:[Cc]reate|[Nn]ew|[Ii]nsert|[Ss]tart))/

function firstEnds(items: readonly (Span & { readonly function: FunctionFact })[]): ReadonlyMap<FunctionFact, number> {
  const first = new Map<FunctionFact, number>()
  for (const { function: around, end } of items) first.set(around, Math.min(end, first.get(around) ?? end))
  return first
}

/** It asks for more than whether there is a user, `if (!req.user.id) return req.reject(401)`. */
export function asksOfUser(test: Value): boolean {
  if (test.kind === 'choice') return test.options.some(asksOfUser)
  const [asked, other] = test.kind === 'operation' ? test.operands : [test]
  const isPresence = test.kind !== 'operation' || test.operator === '!' || (/^[!=]==?$/.test(test.operator) && isNothing(other))
  return mentionsUser(test) && !(isPresence && asked !== undefined && isAttribute(asked))
}

/**
 * It asks whether somebody logged in, and for nothing else: `!req.user`, `!req.user.is('authenticated-user')`, `req.user.id === 'anonymous'`.
 * Fact: @sap/cds 9.9.3, lib/req/user.js: the pseudo roles, and the id of a user without a login.
 */
export function asksForLogin(test: Value): boolean {
  if (test.kind === 'choice') return test.options.every(asksForLogin)
  if (!mentionsUser(test)) return false
  if (!asksOfUser(test)) return true
  const roles = rolesAsked(test) ?? []
  if (roles.length > 0) return roles.every((role) => role === 'any' || role === 'anonymous' || AUTHENTICATED_ROLES.has(role))
  if (test.kind !== 'operation' || !/^[!=]==?$/.test(test.operator)) return false
  return test.operands.some((side) => constantOf(side) === 'anonymous')
}

/** The same as `asksOfUser`, of more than the role: whose row it is, all users of a role have not in common. */
export function asksBeyondRole(test: Value): boolean {
  return asksOfUser(test) && rolesAsked(test) === undefined
}

/** `!req.user.is('Foreman')`, `user.role !== 'Foreman' && user.role !== 'Admin'`, `!['Foreman', 'Admin'].includes(user.role)`: the roles of a condition that asks for nothing else. */
export function rolesAsked(test: Value): readonly string[] | undefined {
  if (test.kind === 'choice') return allRoles(test.options.map(rolesAsked))
  if (test.kind === 'call') {
    if (test.callee.kind !== 'member') return undefined
    const { name, object } = test.callee
    if (name === 'is' && mentionsUser(object)) return namesOf(test.args)
    return name === 'includes' ? rolesCompared([object, ...test.args]) : undefined
  }
  if (test.kind !== 'operation') return undefined
  const [first] = test.operands
  if (test.operator === '!') return first && rolesAsked(first)
  return /^[!=]==?$/.test(test.operator) ? rolesCompared(test.operands) : undefined
}

function allRoles(parts: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? [])
}

/** One is the role of the user, the other a constant or a list of some. */
function rolesCompared(sides: readonly Value[]): readonly string[] | undefined {
  const isRole = (side: Value): boolean => {
    const named = resolveValue(side)
    return named.kind === 'member' && /^(?:user_?)?roles?$/i.test(named.name ?? '') && mentionsUser(named)
  }
  const others = sides.filter((side) => !isRole(side)).map((side) => resolveValue(side))
  if (others.length !== sides.length - 1) return undefined
  return namesOf(others.flatMap((side) => (side.kind === 'array' ? side.items : [side])))
}

function namesOf(values: readonly Value[]): readonly string[] | undefined {
  const names = values.map((one) => constantOf(one))
  return names.every((name) => typeof name === 'string') ? names : undefined
}

/** `req.user.id`, `await resolveUser(req)`, what a name stands for; not `req.user.is('Admin')`, `req.user.isAdmin`. */
function isAttribute(value: Value): boolean {
  if (isCaller(value)) return true
  const isTelling = (part: Value): boolean =>
    part.kind === 'call' || part.kind === 'operation' || (part.kind === 'member' && RIGHT.test(part.name ?? ''))
  return findPart(value, isTelling) === undefined
}

/** A function of the project gives whoever calls, of any role: that there is one, all requests have in common. */
function isCaller(value: Value): boolean {
  const given = resolveValue(awaited(resolveValue(value)))
  return given.kind === 'call' && CALLER.test(lastNameOf(given.callee) ?? '') && isUserOf(given)
}

const CALLER =
  /^(?:(?:get|load|find|resolve|fetch|read|look_?up)_?)?(?:the|my|db|current|effective|calling|logged_?in|signed_?in|request|session)?_?(?:user|caller|principal)(?:_?(?:id|name|key|e?_?mail))?$/i

const RIGHT = /^(?:is|has|can|may)(?=[A-Z_])|admin|role|scope|permission|owner/i

const CHECK = /owner|authori[sz]|permission|allowed|access|privileg|belongs|ensure|verify|assert|check|guard|protect|validate/i

/** By its name, it checks something and throws or tells. */
export function isCheck({ callee }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  return CHECK.test(name) && name !== 'hasOwnProperty'
}

/** Whether a script has to do with a login, a token or a session: where nobody ever logs in there is no user to compare with. */
export function knowsCallers(text: string): boolean {
  return KNOWS_CALLERS.test(text)
}

const KNOWS_CALLERS =
  /passport|jwt|jsonwebtoken|\bjose\b|xssec|token|session|cookie|auth|\.user\b|[{,]\s{0,20}user\s{0,20}[,}]|log_?ged_?in|credential|@sap\/cds|\bcds\b/i
