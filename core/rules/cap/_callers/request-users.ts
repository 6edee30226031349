import {
  accessesOf,
  fieldOf,
  resolveValue,
  isConditional,
  type Access,
  type Assignment,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { exportedFunctions, findCallbacks, functionOf } from '../../../facts/callbacks.ts'
import { isCds } from '../../../flow/frameworks/cap-receivers.ts'
import { isRequestData } from '../../../flow/request-data.ts'
import type { Span } from '../../../types.ts'
import { findDecodings, findVerifications } from './decoded-tokens.ts'
import { isPrivileged } from '../../../model/cap/index.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isContextRoot } from '../../../model/script/index.ts'

/** A place where the user of a request is set without anything having been checked. */
export interface RequestUser extends Span {
  readonly reason: 'sent' | 'decoded' | 'privileged'
  /** Decoded tokens that the user is made of. */
  readonly decodings: readonly CallValue[]
  /** It is made before anything handles the request: whoever sends one gets here. */
  readonly isMiddleware: boolean
}

const MAX_TARGETS = 50

/** Users that code makes of what the request says of itself. In files that don't know CAP only a middleware sets them. */
export function findRequestUsers(facts: ScriptFacts): RequestUser[] {
  const callbacks = findCallbacks(facts)
  const targets = facts.assignments.flatMap((assignment) => {
    const user = userOf(assignment)
    return user === undefined ? [] : [{ assignment, user }]
  })
  const given = returnedUsers(facts)
  // each is compared with all conditions; a file sets the user once or twice
  if (targets.length + given.length === 0 || targets.length > MAX_TARGETS) return []
  const isCap = knowsCap(facts)
  const decodings = new Set<Value>(findDecodings(facts))
  const found: RequestUser[] = []
  const verifications = findVerifications(facts)
  const isSentBy = (value: Value): boolean => sentParts(value, callbacks, isCap, facts).length > 0
  for (const made of given)
    if (!isVerified(made, verifications, facts) && sentParts(made.user, callbacks, false, facts).length > 0)
      found.push({
        start: made.start,
        end: made.end,
        reason: 'sent',
        decodings: [],
        isMiddleware: isMiddleware(made.function),
      })
  for (const { assignment, user } of targets) {
    const { start, end } = assignment
    const isEarly = isMiddleware(assignment.function)
    for (const made of isCap ? unverifiedWays(user, assignment, verifications, facts) : [])
      if (isSentBy(made)) found.push({ start: made.start, end: made.end, reason: 'sent', decodings: [], isMiddleware: isEarly })
    if (isVerified(assignment, verifications, facts) || (!isCap && !isEarly)) continue
    if (isPrivileged(user) && isEarly && !isConditional(facts.guards, assignment.start)) {
      found.push({ start, end, reason: 'privileged', decodings: [], isMiddleware: true })
      continue
    }
    const used = collectParts(user, facts, (value) => decodings.has(value))
    const calls = used.flatMap((value) => (value.kind === 'call' || value.kind === 'new' ? value : []))
    const isSent = isSentBy(user)
    if (calls.length > 0 && isCap) found.push({ start, end, reason: 'decoded', decodings: calls, isMiddleware: isEarly })
    else if (calls.length === 0 && isSent) found.push({ start, end, reason: 'sent', decodings: [], isMiddleware: isEarly })
  }
  return found
}

function sentParts(value: Value, callbacks: ReturnType<typeof findCallbacks>, isCap: boolean, facts: ScriptFacts): Value[] {
  return collectParts(value, facts, (part) =>
    accessesOf(part).some((access) => isRequestData(access, callbacks) && isOfSender(access, isCap)),
  )
}

/** A user, and where it is made. */
interface MadeUser extends Span {
  readonly user: Value
  readonly function: FunctionFact
}

/** Users that functions give whoever asks for one with a request: `module.exports = (req) => new cds.User({ id: req.headers.user })`. */
function returnedUsers(facts: ScriptFacts): MadeUser[] {
  return [...exportedFunctions(facts)].flatMap(([, fact]) =>
    fact.returns.flatMap((returned) => {
      const user = resolveValue(returned)
      const isUser =
        user.kind === 'new' && accessesOf(user.callee).some((access) => isCds(access) && access.steps.join(' ') === 'User')
      return isUser ? [{ user, start: user.start, end: user.end, function: fact }] : []
    }),
  )
}

/** `req.http.req.user` was set by a middleware; `req.headers` and the like are the sender's. Elsewhere a body may hold a user who registers. */
function isOfSender({ steps }: Access, isCap: boolean): boolean {
  const sent = steps.findIndex((step) => (isCap ? SENT : NAMING).test(step))
  return sent >= 0 && !steps.slice(0, sent).includes('user')
}

const SENT = /^(?:headers?|query|body|data|params?|cookies|get|url|subject)$/
const NAMING = /^(?:headers?|query|cookies|get)$/

function knowsCap({ imports, globals }: ScriptFacts): boolean {
  return globals.has('cds') || imports.some(({ source }) => source === '@sap/cds' || source.startsWith('@sap/cds/'))
}

/** What becomes the user: of `req.user = …`, `cds.context.user = …`, `cds.context = { user: … }`. */
function userOf({ target, value, operator }: Assignment): Value | undefined {
  if (operator !== '=' && operator !== '??=' && operator !== '||=') return undefined
  if (target.name === 'context') return accessesOf(target).some(isCds) ? fieldOf(resolveValue(value), 'user')?.value : undefined
  if (target.name !== 'user') return undefined
  const isUser = accessesOf(target).some(({ root, steps, binding }) => {
    if (isCds({ root })) return steps.join(' ') === 'context user'
    return binding?.definitions[0]?.kind === 'parameter' && isContextRoot(root) && steps.length === 1
  })
  return isUser ? value : undefined
}

/** Calls that give what they get in another form; any other one may look something up or check it. */
const TRANSPARENT =
  /^(?:User|split|slice|substring|substr|replace|replaceAll|trim|toString|toLowerCase|toUpperCase|from|atob|parse|decodeURIComponent|String|map|filter|reduce|join|at|pop|shift|get|header|assign|decode|jwtDecode|jwt_decode|decodeJwt|Buffer|fromEntries|concat|keys|values|flat|Set|Array)$/
const MAX_VISITS = 500

/** The parts of a value that are wanted, through calls that change nothing but the form. */
function collectParts(value: Value, facts: ScriptFacts, isWanted: (value: Value) => boolean): Value[] {
  const found: Value[] = []
  const seen = new Set<Value | Binding>()
  const open = [value]
  const called = new Map<FunctionFact, readonly Value[]>()
  for (let visits = 0; visits < MAX_VISITS; visits++) {
    const here = open.pop()
    if (here === undefined) break
    if (seen.has(here)) continue
    seen.add(here)
    if (isWanted(here)) found.push(here)
    else open.push(...transparentParts(here, seen), ...givenBy(here, facts))
    // `headers` of `toUser(req.headers)`
    const own = here.kind === 'call' ? functionOf(here.callee) : undefined
    if (own !== undefined && here.kind === 'call') called.set(own, here.args)
    const parameter = here.kind === 'reference' && here.binding?.kind === 'parameter' ? here.binding : undefined
    const given = parameter && called.get(parameter.function)?.[parameter.function.parameters.indexOf(parameter)]
    if (given !== undefined) open.push(given)
  }
  return found
}

/** What a function of the file gives that asks for nothing: `principal(req)`. */
function givenBy(value: Value, { guards }: ScriptFacts): readonly Value[] {
  const called = value.kind === 'call' ? functionOf(value.callee) : undefined
  if (called === undefined || guards.some((guard) => guard.function === called && asksForMore(guard.test))) return []
  return called.returns
}

function transparentParts(value: Value, seen: Set<Value | Binding>): readonly Value[] {
  switch (value.kind) {
    case 'object':
      return value.fields.map((field) => field.value)
    case 'array':
      return value.items
    case 'choice':
      return value.options
    case 'concat':
    case 'template':
      return value.parts
    case 'member':
      // a look-up by a key of the request gives something of the server's own
      return [value.object]
    case 'await':
    case 'spread':
      return [value.value]
    case 'call':
    case 'new':
      if (!TRANSPARENT.test(lastNameOf(value.callee) ?? '') && value.callee.kind !== 'call') return []
      return value.callee.kind === 'member' ? [value.callee.object, ...value.args] : value.args
    case 'reference': {
      const { binding } = value
      if (binding === undefined || seen.has(binding)) return []
      seen.add(binding)
      return binding.definitions
        .flatMap((definition) => [definition.value, definition.fallback])
        .filter((part) => part !== undefined)
    }
    default:
      return []
  }
}

function isMiddleware({ parameters, name }: FunctionFact): boolean {
  return parameters.length >= 3 || (parameters.length === 2 && /auth/i.test(name))
}

/**
 * `proxied(req) ?? (await tokened(req))`: of a user that is made in one of several ways, what the functions give that verify nothing, though another one does.
 */
function unverifiedWays(
  user: Value,
  { function: around }: Assignment,
  verifications: readonly CallValue[],
  { guards }: ScriptFacts,
): readonly Value[] {
  const ways = waysOf(user).flatMap((way) => (way.kind === 'call' ? (functionOf(way.callee) ?? []) : []))
  const verifies = (fact: FunctionFact): boolean => verifications.some((span) => isWithin(span, fact))
  // who is verified before all of them is known
  if (ways.length < 2 || !ways.some(verifies) || verifications.some((call) => call.function === around)) return []
  return ways
    .filter((way) => !verifies(way) && !guards.some((guard) => guard.function === way && asksForMore(guard.test)))
    .flatMap(({ returns }) => returns)
}

/** The alternatives that a user may come from. */
function waysOf(value: Value, hops = 0): readonly Value[] {
  const here = resolveValue(value)
  if (hops > 3) return [here]
  if (here.kind === 'await') return waysOf(here.value, hops + 1)
  if (here.kind === 'choice') return here.options.flatMap((option) => waysOf(option, hops + 1))
  // new cds.User(proxied(req) ?? verified(req))
  const [argument, other] = here.kind === 'new' ? here.args : []
  return argument !== undefined && other === undefined && argument.kind !== 'object' ? waysOf(argument, hops + 1) : [here]
}

/** Something is checked before: a call that verifies, or a condition that compares with what only the right caller knows. */
function isVerified(
  assignment: Span & { readonly function: FunctionFact },
  verifications: readonly CallValue[],
  facts: ScriptFacts,
): boolean {
  // if (header) cds.context.user = …; else await createSecurityContext(…); the same in a function that is called in the other branch
  const isLater = ({ function: within, start }: CallValue): boolean => {
    const calls = facts.calls.filter((one) => one.function === assignment.function && functionOf(one.callee) === within)
    const starts = within === assignment.function ? [start] : calls.map((one) => one.start)
    return starts.length > 0 && starts.every((at) => at > assignment.end)
  }
  const isBranch = isConditional(facts.guards, assignment.start)
  if (verifications.some((call) => !isBranch || !isLater(call))) return true
  const around = assignment.function
  return facts.guards.some((guard) => {
    if (guard.start < around.start || guard.end > around.end || guard.start > assignment.start) return false
    const isOnTheWay = guard.exits || isWithin(assignment, guard.inside)
    return isOnTheWay && asksForMore(guard.test)
  })
}

/** `KEYS.includes(key)` asks for more, `header.startsWith('Basic')` does not. */
const ASKING = /^(?:startsWith|includes|test|match|endsWith|indexOf|has)$/

/** More than whether something was sent at all. */
function asksForMore(test: Value): boolean {
  const parts = test.kind === 'choice' ? test.options : [test]
  return parts.some((part) => {
    const inner = part.kind === 'operation' && part.operator === '!' ? part.operands[0] : part
    if (inner?.kind === 'call' && ASKING.test(lastNameOf(inner.callee) ?? ''))
      return (
        inner.callee.kind === 'member' &&
        inner.callee.object.kind !== 'regex' &&
        inner.args.some(({ kind }) => kind !== 'literal')
      )
    if (inner?.kind === 'call') return !/^(?:get|header|isArray)$/.test(lastNameOf(inner.callee) ?? '')
    if (inner?.kind === 'choice') return asksForMore(inner)
    return inner?.kind === 'operation' && /^[!=]==?$/.test(inner.operator) && inner.operands.every(isTelling)
  })
}

/** One side of a comparison that tells callers apart: not a scheme, a path, a method, a length or nothing at all. */
function isTelling(value: Value): boolean {
  const text = value.kind === 'literal' ? value.value : undefined
  if (value.kind === 'literal')
    return (
      typeof text === 'string' &&
      text !== '' &&
      !/^(?:basic|bearer|options|get|post|head|\/.{0,200}|undefined|string|object)\s?$/i.test(text)
    )
  if (value.kind === 'operation') return false
  return !/^(?:path|url|originalUrl|method|baseUrl|length|scheme|type|undefined)$/.test(lastNameOf(value) ?? '')
}
