import {
  accessesOf,
  isOfPackage,
  findOrigin,
  findPart,
  pathOf,
  pathsOf,
  resolveValue,
  valuesOf,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { alternativesOf } from '../../conditions/addresses.ts'
import { groupBy } from '../../lists.ts'
import { isLogCall, isRequestName } from '../../model/script/index.ts'
import { createInnerIndex, isAround } from '../../facts/span-index.ts'
import type { Span } from '../../types.ts'
import { isAt, type FlowSettings } from '../sources/project-rows.ts'
import { RESPONSE_NAME } from '../tables/requests.ts'
import {
  AUTHENTICATES,
  ANSWERING,
  CALLER_FIELDS,
  CALLER_HEADERS,
  LINK_FIELDS,
  ONE_TIME_FIELDS,
  ISSUES_TOKENS,
  OBTAINS_CREDENTIALS,
  PARSERS,
  PROMISES_LOGIN,
  READS_TOKENS,
  COMPARES_PASSWORDS,
  UPLOADS,
} from '../tables/routes.ts'
import { MAKING_TOKENS } from '../tables/secrets.ts'
import { createEffectReader, type EffectCall, type EffectReader } from '../frameworks/route-effects.ts'
import { createDestinationReader, createPassingReader } from '../frameworks/destination-parts.ts'
import { createRightsReader, tellsOf } from '../frameworks/route-rights.ts'
import { createKeptResponseReader } from '../frameworks/kept-responses.ts'
import { createVerdictReader } from '../frameworks/verdict-answers.ts'
import { answersItself } from '../frameworks/registrations.ts'
import type { RouteFunction } from '../types.ts'
import { callerChecks, isRequest, refusesCaller } from './caller-checks.ts'
import { createKeptBodyReader } from './kept-bodies.ts'
import { createKeptUserReader } from './kept-users.ts'
import { createOptionalReader } from './optional-users.ts'
import { codesSent, sentToAccounts } from './sent-codes.ts'

/** What the functions of a file do that may answer requests, or that those may ask for data. */
export function routeFunctions(
  facts: ScriptFacts,
  text: string,
  isHandler: (fact: FunctionFact) => boolean,
  step: (count?: number) => void,
): ReadonlyMap<FunctionFact, RouteFunction> {
  const effects = createEffectReader(facts)
  const found = new Map<FunctionFact, RouteFunction>()
  // another file's route may call it
  const destinations = createDestinationReader(facts, text)
  for (const fact of new Set([...effects.using, ...destinations.reading]))
    if (fact.kind !== 'file') found.set(fact, { ...ANSWERING_NOTHING, ...usesIn(fact, effects), ...destinations.of(fact) })
  const own = facts.functions.filter(
    (fact) =>
      fact.kind !== 'file' &&
      (isHandler(fact) || fact.parameters.some((binding) => binding !== undefined && RESPONSE_NAME.test(binding.name))),
  )
  if (own.length === 0) return found
  const { asking, looking, codes } = placesOfCare(facts)
  const callsIn = createInnerIndex(facts.calls)
  const rightsOf = createRightsReader(facts, text, effects, callsIn)
  const passesBy = createBranchReader(facts)
  const leavesOut = createOptionalReader(facts, new Set(facts.calls.filter(refusesCaller).map(({ start }) => start)), step)
  const passesOn = createPassingReader(facts)
  const verdictOf = createVerdictReader(facts, effects)
  const keepsResponse = createKeptResponseReader(facts, effects, step)
  const answersKept = createKeptBodyReader(facts, step)
  const onlyNotes = createKeptUserReader(facts)
  for (const fact of own) {
    const inside = effects.within(fact)
    const tells = tellsOf(fact, { calls: callsIn(fact) }, text)
    const verdict = verdictOf(fact)
    const asked = asking.filter((start) => isAround(fact, start))
    found.set(fact, {
      ...(tells !== undefined && { tells }),
      ...(passesOn(fact) && { passesOn: true as const }),
      ...destinations.of(fact),
      asks: asked.some((start) => !passesBy(start, asked, inside) && !leavesOut(start, inside)) && !onlyNotes(asked, inside),
      ...(asked.length > 0 && asked.every((start) => codes.has(start)) && { asksCode: true as const }),
      // `throw new HttpError(401)`: Express hands it to what answers errors
      refuses:
        fact.thrown !== undefined || inside.some(({ name, hasArgs }) => REFUSING.test(name) || (name === 'next' && hasArgs)),
      ...usesIn(fact, effects),
      // what is written to it later is its answer
      ...((keepsResponse(fact) || answersKept(fact)) && { usesData: 'stored' as const }),
      isFixed:
        (inside.every(({ isOfResponse }) => isOfResponse) && !looking.some((start) => isAround(fact, start))) ||
        showsPage(inside),
      ...(inside.every(({ isOfResponse, isIdle }) => isOfResponse || isIdle) && { isIdle: true as const }),
      leadsOn: !inside.some((call) => call.usesData !== false || DELEGATING.test(call.name)) && redirectsOnly(inside),
      ...(verdict !== undefined && { verdict }),
      rights: rightsOf(fact),
    })
    // `requireScope('Read')`: what it makes is a function of request and response
    const maker = fact.parent
    if (maker === undefined || maker.kind === 'file' || !maker.returns.some((made) => functionOf(made) === fact)) continue
    found.set(maker, { ...ANSWERING_NOTHING, ...found.get(maker), rights: rightsOf(maker) })
  }
  return found
}

function usesIn(fact: FunctionFact, effects: EffectReader): Pick<RouteFunction, 'usesData' | 'readsCatalogue'> {
  const usesData = effects.usesOf(fact)
  return { usesData, ...(usesData === 'stored' && effects.readsCatalogue(fact) && { readsCatalogue: true }) }
}

/** It answers with a file of the program, or lets others answer. */
function showsPage(calls: readonly EffectCall[]): boolean {
  return (
    calls.some(({ showsFile }) => showsFile) &&
    calls.every(({ name, hasArgs, isOfResponse, isIdle }) => isOfResponse || isIdle || (name === 'next' && !hasArgs))
  )
}

/** Of a function that answers nothing by itself. */
export const ANSWERING_NOTHING: RouteFunction = { asks: false, refuses: false, usesData: false, isFixed: false, leadsOn: false }

/** Where a file asks who calls, and where it looks at the request at all; `codes`: where it asks for what was sent to the owner of an account alone, or for a password. */
function placesOfCare(facts: ScriptFacts): {
  readonly asking: readonly number[]
  readonly looking: readonly number[]
  readonly codes: ReadonlySet<number>
} {
  const asking: number[] = []
  const codes = new Set<number>()
  const looking: number[] = []
  const idle: Span[] = facts.calls.filter(isLogCall)
  const sending = sentHeaders(facts)
  for (const { value } of valuesOf(facts)) {
    if (!sending.has(value) && asksForCaller(value)) asking.push(value.start)
    if ('callee' in value && (CHECKS_CODE.test(lastNameOf(value.callee) ?? '') || logsIn(value))) codes.add(value.start)
    if (isChosenByCaller(value)) idle.push(value)
    if (value.kind === 'await' || (value.kind === 'reference' && isRequest(value.binding))) looking.push(value.start)
  }
  // const { 'x-signature': received } = req.headers
  const sent = sentToAccounts(facts)
  for (const { definitions } of facts.bindings)
    for (const { path, start, value } of definitions) {
      const [name = ''] = path
      const isCode = ONE_TIME_FIELDS.test(name) && value !== undefined && sent.has(value.start)
      if (CALLER_FIELDS.test(name) && (isOfBody(value) || isOfSettings(value))) continue
      if (path.some((one) => CALLER_FIELDS.test(one) || CALLER_HEADERS.test(one)) || isLinkField(value, name) || isCode)
        asking.push(start)
    }
  for (const start of codesSent(facts, sent)) {
    asking.push(start)
    codes.add(start)
  }
  const checking = asking.filter((at) => !idle.some((span) => isAround(span, at)))
  return { asking: [...checking, ...callerChecks(facts)], looking, codes }
}

/** Names of headers that are written, not read: `headers.Authorization = …`, `headers['Authorization'] = …`, `headers.append('Authorization', …)`, `request.set('Authorization', …)`. */
function sentHeaders({ assignments, calls }: ScriptFacts): ReadonlySet<Value> {
  const written = assignments.flatMap(({ target }) => {
    if (target.property !== undefined) return [target.property, target]
    return CALLER_HEADERS.test(target.name ?? '') ? [target] : []
  })
  const given = calls.flatMap(({ callee, args: [name, value] }) =>
    name !== undefined && value !== undefined && SETS_HEADER.test(lastNameOf(callee) ?? '') ? [name] : [],
  )
  return new Set([...written, ...given])
}

/** Facts: Fetch standard, Headers; Node.js 20, http.ClientRequest; superagent 10 (README); @sap-cloud-sdk/odata-common 4, addCustomHeaders. */
const SETS_HEADER = /^(?:set|append|setHeader|setRequestHeader|header|add)$/

/** What people who have no login yet are asked for, or get: their password is compared, `bcrypt.compare(…)`, or a function of the file signs a token for them. */
function logsIn({ callee }: CallValue): boolean {
  const isSigned = (value: Value): boolean =>
    'callee' in value && MAKING_TOKENS.has((pathOf(value.callee) ?? []).filter((step) => step !== 'default').join(' '))
  return COMPARES_PASSWORDS.test(pathOf(callee)?.join(' ') ?? '') || functionOf(callee)?.returns.some(isSigned) === true
}

/** `checkResetToken(req)`: of a link that was sent by mail. */
const CHECKS_CODE = /(?:reset|forgot|recover|activation|confirmation|invitation|one_?time|otp)\w{0,30}(?:token|code|otp)/i

/** Whether the client chooses by what it sends that another branch runs than the one that looks at the caller, and that branch does something. */
function createBranchReader({
  guards,
}: ScriptFacts): (start: number, asked: readonly number[], calls: readonly EffectCall[]) => boolean {
  // `else` is a guard of the same test
  const chosen = [...groupBy(guards, ({ test: { start, end } }) => `${start} ${end}`).values()].flatMap(([own, other]) => {
    if (own === undefined || findPart(own.test, isSentPart) === undefined) return []
    const { start, inside, exits, function: around } = own
    const asking = { start, end: inside.start }
    const beside = other?.inside ?? (exits ? { start: inside.end, end: around.end } : undefined)
    if (beside === undefined) return []
    return [{ asking, inside, beside }, ...(other === undefined ? [] : [{ asking, inside: beside, beside: inside }])]
  })
  return (at, asked, calls) =>
    chosen.some(
      ({ asking, inside, beside }) =>
        isAround(inside, at) &&
        // there the condition itself stands for what it asks
        at !== inside.start &&
        !asked.some((one) => isAround(beside, one) || isAround(asking, one)) &&
        calls.some(
          (call) => isAround(beside, call.start) && (call.usesData !== false || (call.isElsewhere && !NOTES.test(call.name))),
        ),
    )
}

/** Functions of other files that hardly reach data. */
const NOTES = /err|fault|fail|log|audit|trace|valid|respon|format|send|translat|message/i

/** A part of the request that is no credential: `req.query.email`. */
function isSentPart(part: Value): boolean {
  return (
    'object' in part &&
    accessesOf(part).some(({ binding, steps: [name = ''] }) => isRequest(binding) && /^(?:query|body|params)$/.test(name))
  )
}

/** `req.user?.tenant || req.query.tenant`: whoever has no login says it himself. */
function isChosenByCaller(value: Value): boolean {
  return alternativesOf(value).some((option) =>
    accessesOf(option).some(
      ({ binding, steps: [part = '', name = ''] }) =>
        isRequest(binding) && SENT_PARTS.test(part) && !AUTHENTICATES.test(name) && !CALLER_HEADERS.test(name),
    ),
  )
}

const SENT_PARTS = /^(?:headers|query|body|params)$/

/** It leads elsewhere, and no more; where that is chosen by the request, it is a fault of its own. */
function redirectsOnly(calls: readonly { readonly name: string }[]): boolean {
  const answers = calls.filter(({ name }) => ANSWERING.test(name))
  return answers.length > 0 && answers.every(({ name }) => name === 'redirect')
}

/** What lets others do something: the next handler, another process, whoever listens. */
const DELEGATING = /^(?:next|handle|emit|send(?:Request)?Async|spawn|publish)$/

const REFUSING =
  /^(?:sendStatus|status|writeHead|end|send|json|redirect|reject|error|throw|code|jwtVerify|unauthorized|forbidden)$/

function asksForCaller(value: Value): boolean {
  if (isSentCaller(value) || isOfSettings('object' in value ? value.object : undefined)) return false
  if (value.kind === 'member')
    return CALLER_FIELDS.test(value.name ?? '') || CALLER_HEADERS.test(value.name ?? '') || isLinkField(value.object, value.name)
  if (value.kind === 'literal') return typeof value.value === 'string' && CALLER_HEADERS.test(value.value)
  if (value.kind !== 'call') return false
  const name = lastNameOf(value.callee) ?? ''
  // signToken(user): whoever gets a token need not have shown one
  if (obtainsCredentials(value) || ISSUES_TOKENS.test(name)) return false
  // await logOn(credentials.id, credentials.secret): the application's own, whatever the function is called
  if (value.args.length > 0 && value.args.every(isOwnCredential)) return false
  const path = pathOf(value.callee)?.join(' ') ?? ''
  if (COMPARES_PASSWORDS.test(path)) return true
  if (READS_TOKENS.test(path)) return false
  return (
    AUTHENTICATES.test(name) || (BOT_ADAPTERS.test(name) && value.args.length >= 3 && value.args.slice(0, 2).every(isOfExchange))
  )
}

/** `req.body.user`, `data.user` of `const data = req.body`: whoever the client says. `req.body.authorization` is for the system that gets it. */
function isSentCaller(value: Value): boolean {
  return 'object' in value && CALLER_FIELDS.test(value.name ?? '') && isOfBody(value.object)
}

/** `credentials` of `credentials.user`: the application's own, at the system that it calls. */
function isOfSettings(value: Value | undefined): boolean {
  return value !== undefined && SETTINGS.test(lastNameOf(value) ?? '')
}

const SETTINGS = /credentials?$|config(?:uration)?$|destination$|settings?$|^(?:dest|env|options|uaa|smtp)$/i

function isOfBody(value: Value | undefined): boolean {
  return (
    value !== undefined &&
    accessesOf(value).some(
      ({ binding, steps }) => isRequest(binding) && steps.length === 1 && /^(?:query|body)$/.test(steps[0] ?? ''),
    )
  )
}

/** It gets the application a credential of its own. */
function obtainsCredentials({ callee, args }: CallValue): boolean {
  return (
    OBTAINS_CREDENTIALS.test(lastNameOf(callee) ?? '') && !args.some((given) => findPart(given, isRequestItself) !== undefined)
  )
}

function isOwnCredential(given: Value): boolean {
  return findOrigin(given, (part) => ('callee' in part && obtainsCredentials(part) ? 'source' : undefined)) !== undefined
}

/** Names the request, or what was taken out of it. */
function isRequestItself(part: Value): boolean {
  return 'binding' in part && (isRequest(part.binding) || isRequestName(part.name))
}

/** Bot Framework: its adapters verify the token of the caller before they hand an activity on. Fact: botbuilder 4, `CloudAdapter.process`, `BotFrameworkAdapter.processActivity`. */
const BOT_ADAPTERS = /^process(?:Activity)?$/

function isOfExchange(value: Value): boolean {
  const name = lastNameOf(value) ?? ''
  return isRequestName(name) || RESPONSE_NAME.test(name)
}

/** `req.params.token`: whoever has the link may call it. */
function isLinkField(object: Value | undefined, name = ''): boolean {
  return object?.kind === 'member' && (object.name === 'params' || object.name === 'query') && LINK_FIELDS.test(name)
}

/** `isHook`: a function of request and response lets the request on unless it answers. */
export type AuthenticationReader = (argument: Value, isHook?: boolean) => boolean

/** Whether a middleware authenticates by all that its own file tells: its name, its body, what the project says. */
export function createAuthenticationReader(
  functions: ReadonlyMap<FunctionFact, RouteFunction>,
  settings: FlowSettings | undefined,
  file: string,
): AuthenticationReader {
  const isOwn = (paths: readonly string[]): boolean => settings?.authenticates.some(({ at }) => isAt(at, paths, file)) === true
  const authenticates = (argument: Value, isHook = false, depth = 0): boolean => {
    const asksAndRefuses = (fact: FunctionFact | undefined): boolean => {
      const known = fact && functions.get(fact)
      return known !== undefined && known.asks && known.refuses && fact !== undefined && (isHook || !answersItself(fact))
    }
    const value = argument.kind === 'spread' ? argument.value : argument
    if (depth > MAX_DEPTH || value.kind === 'literal' || isParser(value)) return false
    const listed = resolveValue(value)
    if (listed.kind === 'array') return listed.items.some((item) => authenticates(item, isHook, depth + 1))
    if (asksAndRefuses(functionOf(value))) return true
    if (value.kind === 'function') return false
    // `requireRole('Admin')` of the file: what it makes is the middleware
    if (value.kind === 'call' && functionOf(value.callee)?.returns.some((made) => asksAndRefuses(functionOf(made)))) return true
    const read = value.kind === 'call' ? value.callee : value
    if (isOwn(pathsOf(read).map((path) => path.join(' ')))) return true
    // it only prepares: passport.initialize()
    if (lastNameOf(read) === 'initialize') return false
    const names = [nameOf(pathOf(read)), lastNameOf(read) ?? '', value.kind === 'reference' ? value.name : '']
    // `verifyRouter`: the routes that verify something are none that ask who calls
    if (names.some((name) => IS_ROUTER.test(name))) return false
    return names.some(
      (name) => AUTHENTICATES.test(name.replace(/^module:/, '')) || (isOfPackage(read) && PROMISES_LOGIN.test(name)),
    )
  }
  return (argument, isHook) => authenticates(argument, isHook)
}

/** `./lib/guards loadTenant`: one of several functions of a file of the project is called by its own name, and its body tells the rest. */
function nameOf(path: readonly string[] = []): string {
  const [root = '', ...steps] = path
  return root.startsWith('module:.') && steps.some((step) => step !== 'default') ? steps.join(' ') : path.join(' ')
}

/** `verifySession` answers by itself; what is called `getToken` or `signToken` hands one out, and asks nobody by that. */
export function promisesLogin(answer: Value | undefined): boolean {
  const name = (answer && lastNameOf(answer)) ?? ''
  return AUTHENTICATES.test(name) && !OBTAINS_CREDENTIALS.test(name) && !ISSUES_TOKENS.test(name)
}

const MAX_DEPTH = 3
/** A router by its name, `verifyRouter`, `auth_routes`, or by the folder or name of its module: `require('./routes/authentication')`, `./auth.routes`. */
const IS_ROUTER =
  /[a-z_](?:Router|Routes)$|_(?:router|routes)$|^module:\.\S{0,200}(?:\/(?:routes?|routers?)\/[\w-]{1,60}|[\w-][.-](?:routes?|routers?))(?:\.[cm]?[jt]s)?$/

/** It takes the file that a caller sends: `upload.single('file')`. Fact: multer 2 (README). */
export function takesUpload(argument: Value): boolean {
  return accessesOf(argument).some(({ root, steps }) => UPLOADS.test([root, ...steps].join(' ')))
}

/** What makes the middleware that takes it: `multer({ dest })`. */
export function uploaderOf(argument: Value): readonly Span[] {
  const made = resolveValue(argument)
  if (!takesUpload(made) || !('callee' in made) || !('object' in made.callee)) return []
  const { start, end } = resolveValue(made.callee.object)
  return [{ start, end }]
}

/** It reads a body or writes headers, and asks nobody. */
export function isParser(argument: Value): boolean {
  return accessesOf(argument).some(({ root, steps }) => PARSERS.test([root, ...steps].join(' ')))
}
