import {
  accessesOf,
  constantOf,
  stringConstantOf,
  fieldOf,
  findPart,
  functionAround,
  resolveValue,
  isOnTheWay,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { createAllowedReader } from '../../../flow/index.ts'
import { hostsOfRedirect } from '../../../model/deployment/index.ts'
import { createDevelopmentReader } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** Code that allows every origin to read responses; `credentials`: with the cookies of the user. */
export interface OpenOrigin extends Span {
  readonly credentials: boolean
  /** What the origin has to contain, at whatever place. */
  readonly contains?: string
  /** What the origin has to end with, which hosts of others do as well. */
  readonly endsWith?: string
  /** Where something else than the origin allows it: `if (process.env.HOSTED) return callback(null, true)`. */
  readonly sometimes?: true
}

/** Middlewares that answer every origin unless their options name some. Facts: cors 2.8.5, @koa/cors 5.0.0, @fastify/cors 11.0.0 (README). */
const MIDDLEWARES: ReadonlySet<string> = new Set(['module:cors', 'module:@koa/cors', 'module:@fastify/cors'])
const ROUTES: ReadonlySet<string | undefined> = new Set([
  'get',
  'post',
  'put',
  'patch',
  'delete',
  'head',
  'options',
  'all',
  'route',
])

/** Places of one script, for all of its routes; what one route allows may be intended. */
export function* findOpenOrigins(facts: ScriptFacts, step: (count?: number) => void): Generator<OpenOrigin> {
  const isChecked = createAllowedReader(facts, step)
  for (const call of facts.calls) {
    step()
    const { callee, args, start, end } = call
    const name = lastNameOf(callee)
    if (name === 'enableCors' || isMiddleware(callee)) {
      step(facts.calls.length)
      const open = openBy(args[0], facts)
      // who mirrors the origin for the sessions of users does it by mistake, for one route as well
      if (open !== undefined && (open.credentials || name === 'enableCors' || !isForOneRoute(call, facts)))
        yield { start, end, ...open }
    } else if (name === 'register' && args[0] !== undefined && isMiddleware(args[0])) {
      const open = openBy(args[1], facts)
      if (open !== undefined) yield { start, end, ...open }
    } else {
      const value = headerIn(call, 'access-control-allow-origin')
      if (value === undefined) continue
      step(facts.calls.length)
      const around = functionAround(facts, start)
      const sendsBack = isOriginOfRequest(value) && !isChecked(originIn(value), start) && !isAskedFor(facts, start)
      if (!sendsBack && !(constantOf(value) === '*' && around !== undefined && isForAll(around, facts))) continue
      const contains = sendsBack ? askedTexts(facts, start, 'includes')[0] : undefined
      const ends = sendsBack && contains === undefined ? askedTexts(facts, start, 'endsWith') : []
      const endsWith = ends.find(isOfOthers)
      // nobody else has a host below one's own domain
      if (ends.length > 0 && endsWith === undefined) continue
      const credentials = sendsBack && around !== undefined && allowsCredentials(around, facts)
      yield { start, end, credentials, ...(contains !== undefined && { contains }), ...(endsWith !== undefined && { endsWith }) }
    }
  }
}

function isMiddleware(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => MIDDLEWARES.has(root) && steps.every((step) => step === 'default'))
}

/** Everything, or all that CAP serves by OData. */
const WHOLE = /^(?:\/|\*|\/odata(?:\/v[24])?\/?)$/

/** `app.get('/x', cors(), …)`, `app.use('/public', cors())`. */
function isForOneRoute(call: CallValue, { calls }: ScriptFacts): boolean {
  const around = calls.find(({ args }) => args.includes(call))
  if (around === undefined) return false
  const [path] = around.args
  const name = lastNameOf(around.callee)
  return ROUTES.has(name) || (name === 'use' && path !== undefined && path !== call && !WHOLE.test(String(constantOf(path))))
}

/** What options of such a middleware allow; undefined: some origins, or unknown ones. */
function openBy(given: Value | undefined, facts: ScriptFacts): Omit<OpenOrigin, keyof Span> | undefined {
  const options = given && resolveValue(given)
  if (options === undefined) return { credentials: false }
  // cors((req, callback) => callback(null, { origin: … }))
  if (options.kind === 'function') {
    const [answer, ...others] = answersOf(options.function, facts)
    return answer?.kind === 'object' && others.length === 0 ? openBy(answer, facts) : undefined
  }
  if (options.kind !== 'object') return undefined
  const origin = fieldOf(options, 'origin')?.value
  const isOpen =
    origin === undefined ? options.fields.every(({ key }) => key !== undefined) : isAnyOrigin(resolveValue(origin), facts)
  if (isOpen === false) return undefined
  const credentials = fieldOf(options, 'credentials')?.value
  // a browser refuses a cookie where the answer is for "*"
  const isSentBack = origin !== undefined && constantOf(origin) !== '*'
  return {
    credentials: isSentBack && credentials !== undefined && constantOf(credentials) === true,
    ...(isOpen === 'sometimes' && { sometimes: true as const }),
  }
}

function isAnyOrigin(origin: Value, facts: ScriptFacts): boolean | 'sometimes' {
  if (origin.kind === 'regex') return /^\^?(?:\(?\.[*+]\)?)?\$?$/.test(origin.pattern)
  if (origin.kind === 'function') return allowsAll(origin.function, facts)
  if (isOriginOfRequest(origin)) return true
  const constant = constantOf(origin)
  return constant === true || constant === '*'
}

/** `(origin, callback) => callback(null, true)`, `callback(null, origin)`: whatever the origin is. */
function allowsAll(given: FunctionFact, facts: ScriptFacts): boolean | 'sometimes' {
  const [asked] = given.parameters
  const isAllowed = (value: Value): boolean => {
    if (value.kind === 'choice') return value.options.every(isAllowed)
    if (value.kind === 'reference' && value.binding !== undefined && value.binding === asked) return true
    const constant = constantOf(value)
    return constant === true || constant === '*'
  }
  const answers = answersOf(given, facts)
  if (answers.length > 0) return answers.every((answer) => answer !== undefined && isAllowed(answer))
  return allowsUnlisted(given, facts, isAllowed)
}

/** `if (allowed.includes(origin)) return callback(null, true)`, and behind it, for the others, `callback(null, true)` again. */
function allowsUnlisted(given: FunctionFact, facts: ScriptFacts, isAllowed: (value: Value) => boolean): boolean | 'sometimes' {
  const [asked, callback] = given.parameters
  const guards = facts.guards.filter((guard) => guard.function === given)
  if (asked === undefined || callback === undefined || guards.length === 0) return false
  const answers = facts.calls.filter((call) => call.function === given && isCalled(call, callback))
  const allowing = answers.filter(({ args: [, answer] }) => answer !== undefined && isAllowed(resolveValue(answer)))
  const isForDevelopers = createDevelopmentReader(facts)
  const asking = guards.filter(({ test }) => findPart(test, (part) => 'binding' in part && part.binding === asked) !== undefined)
  const others = guards.filter((guard) => !asking.includes(guard))
  // those that are not listed have left
  const refusing = asking.filter(({ exits, inside }) => exits && !allowing.some((call) => isWithin(call, inside)))
  const unlisted = allowing.filter(
    (call) =>
      !isForDevelopers(call) &&
      !asking.some(({ inside }) => isWithin(call, inside)) &&
      !refusing.some(({ inside }) => inside.end <= call.start),
  )
  if (unlisted.length === 0) return false
  return unlisted.every((call) => others.some(({ inside }) => isWithin(call, inside))) ? 'sometimes' : true
}

function isCalled({ callee }: CallValue, callback: Binding): boolean {
  return 'binding' in callee && callee.binding === callback
}

/** What a function hands to its callback without a condition. */
function answersOf(given: FunctionFact, { calls, guards }: ScriptFacts): readonly (Value | undefined)[] {
  const callback = given.parameters[1]
  if (callback === undefined || guards.some((guard) => guard.function === given)) return []
  return calls.flatMap((call) => (isCalled(call, callback) ? [call.args[1] && resolveValue(call.args[1])] : []))
}

const SETTERS: ReadonlySet<string | undefined> = new Set(['set', 'header', 'setHeader', 'append', 'writeHead'])

/** What a call sets a header to: `res.set(name, value)`, `res.set({ [name]: value })`, `res.writeHead(200, { [name]: value })`. */
function headerIn({ callee, args }: CallValue, header: string): Value | undefined {
  if (callee.kind !== 'member' || !SETTERS.has(callee.name)) return undefined
  const [first, second] = args
  const name = stringConstantOf(first)
  if (name !== undefined) return name.toLowerCase() === header ? second : undefined
  const fields = [first, second].flatMap((value) => (value?.kind === 'object' ? value.fields : []))
  return fields.find(({ key }) => key?.toLowerCase() === header)?.value
}

/** The part of `req.headers.origin || '*'` that is asked for in conditions. */
function originIn(value: Value): Value {
  return value.kind === 'choice' ? (value.options.find(isOriginOfRequest) ?? value) : value
}

function isOriginOfRequest(value: Value): boolean {
  if (value.kind === 'choice') return value.options.some(isOriginOfRequest)
  const resolved = resolveValue(value)
  if (resolved.kind === 'call') {
    const [name] = resolved.args
    return /^(?:get|header)$/.test(lastNameOf(resolved.callee) ?? '') && /^origin$/i.test(String(name && constantOf(name)))
  }
  return accessesOf(resolved).some(({ steps }) => steps.at(-2) === 'headers' && /^origin$/i.test(steps.at(-1) ?? ''))
}

const ASKS = /origin|allow|white|permit|trust/i

/** Behind or inside a condition that a function of the project decides: `if (!isOriginAllowed(req)) return`. */
function isAskedFor({ guards }: ScriptFacts, offset: number): boolean {
  const asks = (part: Value): boolean => part.kind === 'call' && ASKS.test(lastNameOf(part.callee) ?? '')
  return guards.some((guard) => isOnTheWay(guard, offset) && findPart(guard.test, asks) !== undefined)
}

/** Texts that an origin has to contain, `if (origin.includes('example'))` (`example.attacker.org` contains it as well), or to end with. */
function askedTexts({ guards }: ScriptFacts, offset: number, method: 'includes' | 'endsWith'): readonly string[] {
  const texts: string[] = []
  for (const { inside, test } of guards) {
    if (offset < inside.start || inside.end <= offset) continue
    findPart(test, (part) => {
      if (part.kind !== 'call' || part.callee.kind !== 'member' || part.callee.name !== method) return false
      const wanted = isOriginOfRequest(part.callee.object) && part.args[0] ? constantOf(part.args[0]) : undefined
      if (typeof wanted === 'string') texts.push(wanted)
      return false
    })
  }
  return texts
}

/** `.hana.ondemand.com`, on which every customer has hosts; `shop.example`, with which `evil-shop.example` ends. */
function isOfOthers(end: string): boolean {
  const width = hostsOfRedirect(`https://*${end}`)?.width
  return !end.startsWith('.') || width === 'any' || width === 'shared'
}

/** A function that is registered for every route: `app.use((req, res, next) => …)`. */
function isForAll(given: FunctionFact, { calls }: ScriptFacts): boolean {
  return calls.some(({ callee, args: [first] }) => {
    const handler = first && lastNameOf(callee) === 'use' ? resolveValue(first) : undefined
    return handler?.kind === 'function' && handler.function === given
  })
}

function allowsCredentials(around: FunctionFact, { calls }: ScriptFacts): boolean {
  return calls.some((call) => {
    const value = call.function === around ? headerIn(call, 'access-control-allow-credentials') : undefined
    return value !== undefined && /^true$/i.test(String(constantOf(value)))
  })
}
