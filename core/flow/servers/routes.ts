import {
  accessesOf,
  pathsOf,
  constantOf,
  stringConstantOf,
  fieldOf,
  resolveValue,
  type Binding,
  type CallValue,
  type Definition,
  type FunctionFact,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { moduleOfCall } from '../../facts/module-calls.ts'
import { isCds } from '../frameworks/cap-receivers.ts'
import { CHANGING_VERBS } from '../../server-frameworks.ts'
import { HASHES_PASSWORDS, isPublicRoute, VERBS } from '../tables/routes.ts'
import { isWithin } from '../../facts/span-index.ts'
import { CLEAN, COPY, type FlowGate, type FlowSink, type RouteFunction } from '../types.ts'
import {
  itemsOf,
  keyOf,
  placeOf,
  registrationsIn,
  routeBelow,
  spreadValue,
  answersItself,
  describedRoute,
  hookOf,
  hooksIn,
  routerBehind,
} from '../frameworks/registrations.ts'
import { recordedRoutes, toGate, wrappedExports } from '../frameworks/route-records.ts'
import { addHandedFunction } from '../calls/callables.ts'
import type { FlowDraft } from '../graph/draft.ts'
import {
  ANSWERING_NOTHING,
  createAuthenticationReader,
  type AuthenticationReader,
  isParser,
  promisesLogin,
  takesUpload,
  uploaderOf,
  routeFunctions,
} from './route-guards.ts'
import { addAppWide } from './app-wide.ts'
import { createFrontFinder, isBelow, type FrontFinder } from './used-fronts.ts'
import { addRunByRouters, isServerMade, mountedApps, routerOfChain } from './routers.ts'
import { writeInto } from '../values/writes.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'

interface Protection {
  readonly offset: number
  /** What lies below it; undefined: everything. */
  readonly path: string | undefined
  /** Or the paths that have this parameter. */
  readonly parameter?: string
}

/** Where an app is protected from: everything that is done with it behind the place. */
type Protections = ReadonlyMap<Binding | string, readonly Protection[]>

/** What stands in front of the routes of a file's apps. */
interface Fronts {
  readonly protections: Protections
  /** Registrations that ask who calls, by one of their arguments. */
  readonly asking: ReadonlySet<CallValue>
  /** Apps of which a route that changes something asks who calls. */
  readonly guarded: ReadonlySet<Binding | string>
  /** What runs in front of a registration with this path below the app. */
  readonly before: FrontFinder
}

/** Adds the app that CAP hands over in `bootstrap`, before its own middlewares, and the routes that are registered with it, wherever the app is handed to. */
export function addRoutes(draft: FlowDraft): ReadonlyMap<FunctionFact, RouteFunction> {
  const { facts } = draft
  const { callbacks, isShadowed } = draft.server
  const registered = registrationsIn(facts, callbacks, draft.step).filter(({ callee }) => !isShadowed(callee.end - 1))
  const handlers = new Set(registered.flatMap(({ args }) => args.flatMap((argument) => functionOf(argument) ?? [])))
  const isHandler = (fact: FunctionFact): boolean => handlers.has(fact) && fact.parameters.length > 0
  const functions = new Map(routeFunctions(facts, draft.text, isHandler, draft.step))
  addApps(registered, draft)
  draft.server.wrapped.push(...wrappedExports(draft))
  if (registered.length === 0) return functions
  const authenticates = createAuthenticationReader(functions, draft.follows.settings, draft.path)
  addRunByRouters(registered, authenticates, draft)
  const protections = findProtections(registered, authenticates)
  for (const fact of protectingFunctions(protections))
    functions.set(fact, { ...ANSWERING_NOTHING, ...functions.get(fact), asks: true })
  const apps = new Set(registered.flatMap(({ callee }) => ('object' in callee ? (bindingOf(callee.object) ?? []) : [])))
  for (const [key, places] of protections)
    for (const { offset, path } of places)
      if (path === undefined && typeof key !== 'string')
        draft.server.protectedFrom.set(key, Math.min(offset, draft.server.protectedFrom.get(key) ?? offset))
  const inFront = new Set(registered.filter((call) => frontArguments(call).some((argument) => authenticates(argument))))
  const asking = new Set(registered.filter((call) => inFront.has(call) || (!isPublic(call) && promisesLogin(answerOf(call)))))
  const fronts: Fronts = {
    protections,
    asking,
    guarded: guardedApps(inFront),
    before: createFrontFinder(registered, apps, draft),
  }
  for (const call of registered) addRegistration(call, authenticates, fronts, draft)
  draft.server.routes.push(...recordedRoutes(registered, asking, draft))
  return functions
}

/** `controller.list` of `router.get('/orders', controller.list)`: it answers, and its body tells whether it asks, wherever it is. Fact: Express 5, "Routing". */
function answerOf({ callee, args }: CallValue): Value | undefined {
  const last = args.length > 1 && 'name' in callee && VERBS.has(callee.name ?? '') ? args.at(-1) : undefined
  return last !== undefined && ('name' in last || 'binding' in last) ? last : undefined
}

/** `router.post('/login', handleLogin)`: by its name it gives a login, and asks for none. */
function isPublic({ callee, args: [path] }: CallValue): boolean {
  const written = stringConstantOf(path)
  return 'name' in callee && written !== undefined && isPublicRoute(callee.name ?? '', written)
}

function frontArguments(call: CallValue): readonly Value[] {
  return answerOf(call) === undefined ? call.args : call.args.slice(0, -1)
}

function guardedApps(asking: Fronts['asking']): Fronts['guarded'] {
  return new Set(
    [...asking].flatMap(({ callee }) =>
      'object' in callee && 'name' in callee && CHANGING_VERBS.has(callee.name ?? '') ? (keyOf(callee.object) ?? []) : [],
    ),
  )
}

/** Functions that get an app and protect it: `(app) => app.use(passport.authenticate('JWT'))`. */
function protectingFunctions(protections: Protections): readonly FunctionFact[] {
  return [...protections].flatMap(([key, places]) =>
    typeof key !== 'string' && key.kind === 'parameter' && places.some(({ path }) => path === undefined) ? key.function : [],
  )
}

function bindingOf(value: Value): Binding | undefined {
  const key = keyOf(value)
  return typeof key === 'string' ? undefined : key
}

/** `cds.on('bootstrap', (app) => …)`, `cds.app`, and the app of a server that is written by hand: `cds.serve('all').in(app)`. */
function addApps(registered: readonly CallValue[], draft: FlowDraft): void {
  const { facts, graph, ends, use, parameters } = draft
  let mounted: ReadonlySet<number> | undefined
  const open = (node: number): void => void ends.sources.push({ node, origin: 'open-app', weak: false })
  for (const call of facts.calls) {
    const { callee, args } = call
    if (isServerMade(call)) {
      if (mounted === undefined) draft.step(facts.calls.length)
      mounted ??= mountedApps(facts.calls, registered)
      if (!mounted.has(call.start)) ends.sources.push({ node: use(call), origin: 'open-server', weak: false })
    }
    if (callee.kind !== 'member') continue
    const [first, handler] = args
    if (callee.name === 'server' && first !== undefined && isCdsItself(callee.object)) openServed(first, draft)
    if (callee.name === 'in' && first?.kind === 'reference' && first.binding !== undefined && isServing(callee.object))
      open(draft.use(first.binding.definitions[0]?.value ?? first))
    if ((callee.name !== 'on' && callee.name !== 'once') || first === undefined || handler === undefined) continue
    if (constantOf(first) !== 'bootstrap') continue
    const fact = functionOf(handler)
    const parameter = fact && parameters.nodeOf(fact, 0)
    if (parameter !== undefined) open(parameter)
    else if (fact === undefined) {
      const app = graph.add(handler)
      open(app)
      addHandedFunction(handler, [app], graph.add(handler), draft)
    }
  }
}

/** `cds.server({ app })`, `options.app = express()` before `cds.server(options)`. Fact: capire, "cds.server". */
function openServed(options: Value, { facts, ends: { sources }, use }: FlowDraft): void {
  const given = resolveValue(options)
  const own = fieldOf(given, 'app')?.value
  const binding = options.kind === 'reference' ? options.binding : undefined
  const assigned = facts.assignments.flatMap(({ target, value }) =>
    target.name === 'app' && binding !== undefined && target.object.kind === 'reference' && target.object.binding === binding
      ? value
      : [],
  )
  for (const app of [...(own === undefined ? [] : [own]), ...assigned])
    sources.push({ node: use(resolveValue(app)), origin: 'open-app', weak: false })
}

function isCdsItself(value: Value): boolean {
  return accessesOf(value).some((access) => isCds(access) && access.steps.length === 0)
}

function isServing(value: Value): boolean {
  return accessesOf(value).some((access) => isCds(access) && access.steps[0] === 'serve')
}

/** `const { app } = cds` */
export function isAppTakenFromCds({ path, value }: Definition): boolean {
  return path.length === 1 && path[0] === 'app' && value !== undefined && isCdsItself(value)
}

/** The app as `cds` itself has it. Fact: capire, "cds.app". */
export function isAppOfCds({ name, object }: Value & { readonly kind: 'member' }): boolean {
  return name === 'app' && isCdsItself(object)
}

function findProtections(registered: readonly CallValue[], authenticates: AuthenticationReader): Protections {
  const found = new Map<Binding | string, Protection[]>()
  for (const call of registered) {
    const { callee, args, end } = call
    if (callee.kind !== 'member') continue
    const key = keyOf(callee.object)
    const hook = hookOf(call)
    if (hook !== undefined && key !== undefined && authenticates(hook, true))
      found.set(key, [...(found.get(key) ?? []), { offset: 0, path: undefined }])
    if ((callee.name !== 'use' && callee.name !== 'param') || !args.some((argument) => authenticates(argument))) continue
    const [first] = args
    const path = stringConstantOf(first)
    // what stands before a router, asks all that comes to its path. Fact: Express 5, "app.use"
    if (key === undefined || (path === undefined && isMount(args, authenticates) && !asksEveryRequest(args))) continue
    const places = found.get(key) ?? []
    found.set(key, places)
    const written = path !== undefined && (path !== '/' || callee.name === 'param') ? path : undefined
    places.push(callee.name === 'param' ? { offset: 0, path: '', parameter: `:${written}` } : { offset: end, path: written })
  }
  return found
}

/** `app.use(passport.authenticate('JWT'), database)`: without a path every request is asked, whatever stands behind in the same call. Fact: Express 5, "app.use". */
function asksEveryRequest(args: readonly Value[]): boolean {
  const [first] = args
  return first?.kind === 'call' && lastNameOf(first.callee) === 'authenticate'
}

/** `app.use('/admin', authenticate, router)`: the router alone is protected. */
function isMount(args: readonly Value[], authenticates: AuthenticationReader): boolean {
  const last = args.at(-1)
  return last !== undefined && isRouterLike(last) && !authenticates(last) && !isParser(last)
}

function isRouterLike(argument: Value): boolean {
  const { kind } = argument
  return (
    (kind === 'reference' || kind === 'member' || kind === 'call' || kind === 'await' || kind === 'array') &&
    constantOf(argument) === undefined
  )
}

function addRegistration(call: CallValue, authenticates: AuthenticationReader, fronts: Fronts, draft: FlowDraft): void {
  const { graph, use } = draft
  const { callee, args } = call
  if (callee.kind !== 'member' || callee.name === 'param' || callee.name === 'addHook') return
  if (callee.name === 'register') return addPlugin(call, authenticates, draft)
  const { protections, asking, guarded } = fronts
  const receiver = use(callee.object)
  const described = callee.name === 'route' ? describedRoute(args[0]) : undefined
  const isSafe = asking.has(call) || args.some((argument) => hooksIn(argument).some((hook) => authenticates(hook, true)))
  // each method gives the app again
  if (callee.name === 'use' && isSafe) graph.connect(receiver, use(call), CLEAN, FOUND_SINKS.route.fault)
  else if (callee.name === 'use' || callee.name === 'route' || routeBelow(callee.object) !== undefined)
    graph.connect(receiver, use(call), COPY)
  if ((callee.name === 'route' && described === undefined) || isSafe) return
  if (callee.name === 'use' && !isAnswering(call)) {
    const below = stringConstantOf(args[0])
    if (below !== undefined && isBehind(call, callee.object, below, protections)) return
    if (below === undefined && !isBehind(call, callee.object, undefined, protections)) addAppWide(call, receiver, draft)
    return addMounts(call, receiver, fronts.before(call, below), draft)
  }
  const path = described === undefined ? (routeBelow(callee.object) ?? args[0]) : described.path
  const given = described !== undefined ? [described.handler] : path !== undefined && args[0] === path ? args.slice(1) : args
  const handlers = given.filter((argument) => !isParser(argument) && hooksIn(argument).length === 0)
  const written = stringConstantOf(path)
  const verb = described?.method ?? (callee.name === undefined || callee.name === 'use' ? 'all' : callee.name)
  if (handlers.length === 0) return
  const key = keyOf(callee.object)
  const isSignUp = verb === 'post' && key !== undefined && guarded.has(key) && handlers.some((one) => makesAccount(one, draft))
  const isEntrance = isSignUp || (written !== undefined && isPublicRoute(verb, written))
  const found = isEntrance ? FOUND_SINKS.entrance : FOUND_SINKS.route
  if (isBehind(call, callee.object, written, protections)) return
  draft.ends.sinks.push({
    ...found,
    ...routeName(verb, written ?? '<path>', [
      ...(verb === 'get' && key !== undefined && guarded.has(key) ? (['excepted'] as const) : []),
      ...(args.some(takesUpload) && handlers.some((handler) => readsUpload(handler, draft)) ? (['upload'] as const) : []),
    ]),
    node: receiver,
    start: placeOf(call).start,
    end: placeOf(call).end,
    only: {
      gates: [...handlers.map((handler) => toGate(handler, draft)), ...fronts.before(call, written)],
      ...(args.some(takesUpload) && { uploads: args.flatMap(uploaderOf) }),
    },
    ...(found.detail === undefined && !CHANGING_VERBS.has(verb) && { detail: 'harmless' }),
  })
}

/** It keeps the hash of a password that the client chooses: people sign up by it, where other routes of the router ask who calls. */
function makesAccount(handler: Value, { facts: { calls }, step }: FlowDraft): boolean {
  const fact = functionOf(handler)
  if (fact === undefined) return false
  step(calls.length)
  return calls.some(
    (call) =>
      isWithin(call, fact) &&
      pathsOf(call.callee).some((path) => HASHES_PASSWORDS.test(path.join(' '))) &&
      call.args.slice(0, 1).some((given) => accessesOf(given).some(({ steps }) => steps[0] === 'body' && steps.length === 2)),
  )
}

/** It uses the file that a parser before it has taken: `req.file`. Fact: multer 2 (README, "File information"). */
function readsUpload(handler: Value, { text }: FlowDraft): boolean {
  const fact = functionOf(handler)
  return fact !== undefined && /\b(?:req|oReq)(?:uest)?\s{0,4}\.\s{0,4}files?\b/.test(text.slice(fact.start, fact.end))
}

/** `excepted`: others of the router ask who calls before they change something, so this one is open on purpose. */
function routeName(verb: string, subject: string, effects: readonly ('excepted' | 'upload')[]): Pick<FlowSink, 'name' | 'api'> {
  const name = verb === 'all' ? 'ANY' : verb.toUpperCase()
  return { name: `${name} ${subject}`, api: { name, subject, ...(effects.length > 0 && { effects }) } }
}

/** `app.register(routes)`: the function gets the app. Fact: Fastify 5, "Plugins". */
function addPlugin({ args: [plugin], callee }: CallValue, authenticates: AuthenticationReader, draft: FlowDraft): void {
  if (plugin === undefined || !('object' in callee) || authenticates(plugin)) return
  addHandedFunction(plugin, [draft.use(callee.object)], draft.graph.add(plugin), draft)
}

/** `app.use('/hook', (req, res) => …)`: nothing comes behind it. */
function isAnswering({ args }: CallValue): boolean {
  const last = functionOf(args.at(-1))
  return stringConstantOf(args[0]) !== undefined && last !== undefined && answersItself(last)
}

function isBehind({ start }: CallValue, receiver: Value, path: string | undefined, protections: Protections): boolean {
  const key = keyOf(receiver)
  const places = key === undefined ? [] : (protections.get(key) ?? [])
  return places.some(
    ({ offset, path: prefix, parameter }) =>
      (parameter !== undefined && path?.split('/').some((part) => part.replace(/[?(].*/, '') === parameter) === true) ||
      ((prefix === undefined || (path !== undefined && isBelow(path, prefix))) && (offset <= start || typeof key === 'string')),
  )
}

/** `app.use('/api', ...routers)`. */
function spreadItems(argument: Value): readonly Value[] {
  const value = spreadValue(argument)
  return value === argument ? [argument] : (itemsOf(value) ?? [value])
}

/** `require('./orders')`, under whatever name. */
function isImported(value: Value): boolean {
  const made = resolveValue(value)
  return made.kind === 'call' && moduleOfCall(made) !== undefined
}

/** `app.use('/orders', router)`: the routes of the router are routes of the app, whatever file they are in. */
function addMounts(call: CallValue, receiver: number, before: readonly FlowGate[], draft: FlowDraft): void {
  const { args } = call
  const path = stringConstantOf(args[0])
  if (path !== undefined && isPublicRoute('use', path)) return
  const given = args
    .flatMap(spreadItems)
    .filter((argument) => isRouterLike(argument) && functionOf(argument) === undefined && !isParser(argument))
  const mounted = given.pop()
  const list = mounted && resolveValue(mounted)
  const used = before.filter((front) => front.used !== undefined)
  for (const one of list !== undefined && 'items' in list ? list.items : mounted === undefined ? [] : [mounted])
    addMount(call, routerBehind(one), [...given.map((front) => toGate(front, draft)), ...used], receiver, draft)
}

function addMount(call: CallValue, router: Value, fronts: readonly FlowGate[], receiver: number, draft: FlowDraft): void {
  const path = stringConstantOf(call.args[0])
  const mount = draft.graph.add(placeOf(call))
  draft.graph.connect(receiver, mount, COPY)
  writeInto(router, mount, draft)
  const chained = routerOfChain(router)
  if (chained !== undefined) draft.graph.connect(mount, draft.use(chained), COPY)
  // of a router that is made for this mount its routes say more
  const isMade = resolveValue(router).kind === 'call' && !isImported(router)
  if (!isMade || fronts.length > 0) draft.server.mounts.push([mount, fronts])
  draft.show(mount, path ?? '/')
  if (router.kind === 'member') draft.server.callables.mounted.push(draft.use(router))
}
