import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  accessesOf,
  constantOf,
  excerptOf,
  findPart,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createDevelopmentReader, isDeveloperFile, isOfUi5App, isToolFile } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'

/** A route of a server without CAP that nothing in its file authenticates, and that does something with other systems. */
export interface OpenRoute extends Span {
  readonly method: string
  readonly path: string
  /** What it calls there, as written. */
  readonly effect: string
  /** A check that the file imports and does not use. */
  readonly unused: string
}

const METHODS = /^(?:get|post|put|patch|delete|all)$/
/** Makers of an app or a router, by module. Facts: Express 4 and 5, Fastify 5, @koa/router 13 (README of each). */
const MAKERS: ReadonlySet<string> = new Set([
  'module:express ()',
  'module:express default ()',
  'module:fastify ()',
  'module:fastify default ()',
  'module:@koa/router new',
  'module:koa-router new',
])
/** Names that speak of authentication: of functions, modules and packages. */
const CHECK =
  /auth|passport|jwt|xssec|security|secured|login|session|token|guard|protect|permission|verify|signature|keycloak|oidc|scope|apikey|api_key/i
/** Paths that everybody may ask for, and those of a login. */
const PUBLIC_PATH =
  /health|ready|live|ping|status|version|metrics|favicon|robots|login|logout|auth|callback|oauth|token|public|docs|swagger|static|^\/?\*?$/i
/** Modules whose use tells nothing about data. */
const HARMLESS =
  /^module:(?:node:)?(?:express|path|url|util|crypto|os|body-parser|cors|helmet|morgan|compression|cookie-parser|dotenv|http-errors|winston|uuid|qs|events|cf-nodejs-logging-support|@sap\/logging|@sap\/xsenv)$/

/** Collected from servers that listen themselves: what CAP serves has a rule on the data flow. */
export const openRoutes: Extract<OpenRoute> = defineExtract({
  name: 'open-routes',
  keywords: ['express', 'fastify', 'koa'],
  prefilter: (text) => /\.listen\(/.test(text) && !/@sap\/cds\b/.test(text),
  isFor: (path) => !isOfUi5App(path) && !isToolFile(path) && !isDeveloperFile(path),
  collect: ({ facts, text, step }) => [...findOpenRoutes(facts, text, step)],
})

function* findOpenRoutes(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<OpenRoute> {
  const routes = facts.calls.filter((call) => isRoute(call))
  if (routes.length === 0 || isProtected(facts)) return
  const isForDevelopers = createDevelopmentReader(facts)
  const unused = unusedCheck(facts)
  for (const call of routes) {
    const [first, ...handlers] = call.args
    const path = first === undefined ? undefined : constantOf(first)
    const handler = functionOf(handlers.at(-1))
    if (typeof path !== 'string' || PUBLIC_PATH.test(path) || handler === undefined || isForDevelopers(call)) continue
    // what stands between path and handler may authenticate
    if (handlers.length !== 1) continue
    step(facts.calls.length + facts.guards.length)
    const effect = effectOf(handler, facts)
    if (effect === undefined) continue
    const method = call.callee.kind === 'member' ? (call.callee.name ?? '') : ''
    yield {
      start: call.start,
      end: first?.end ?? call.end,
      method: method === 'all' ? 'ANY' : method.toUpperCase(),
      path,
      effect: excerptOf(text, effect.callee),
      unused,
    }
  }
}

/** `app.post('/orders', …)` of an app or router of the file. */
function isRoute({ kind, callee, args }: CallValue): boolean {
  return kind === 'call' && callee.kind === 'member' && METHODS.test(callee.name ?? '') && args.length > 1 && isApp(callee.object)
}

function isApp(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => MAKERS.has([root, ...steps].join(' ')))
}

/** Something of the file may authenticate all callers: a middleware, a plugin, another file that gets the app. */
function isProtected({ calls }: ScriptFacts): boolean {
  return calls.some((call) => {
    const { callee, args } = call
    if (callee.kind === 'member' && isApp(callee.object)) {
      const name = callee.name ?? ''
      if (name === 'addHook' || name === 'register') return true
      return name === 'use' && args.some((arg) => !isHarmless(arg))
    }
    return args.some((arg) => arg.kind === 'reference' && isApp(arg)) && lastNameOf(callee)?.endsWith('createServer') !== true
  })
}

/** A middleware of a known package, a path, or a function of the file that refuses nobody. */
function isHarmless(value: Value): boolean {
  if (typeof constantOf(value) === 'string') return true
  const given = resolveValue(value)
  const own = functionOf(given)
  if (own !== undefined) return !CHECK.test(own.name)
  const callee = given.kind === 'call' ? given.callee : given
  return accessesOf(callee).some(({ root }) => HARMLESS.test(root))
}

/** A check that is imported and stands nowhere in the code. */
function unusedCheck({ imports, bindings, calls }: ScriptFacts): string {
  for (const { binding, source } of imports) {
    if (binding === undefined || !(CHECK.test(binding.name) || CHECK.test(source)) || !source.startsWith('.')) continue
    const isUsed =
      calls.some(({ callee, args }) => [callee, ...args].some((part) => names(part, binding))) ||
      bindings.some(({ definitions }) => definitions.some(({ value }) => value !== undefined && names(value, binding)))
    if (!isUsed) return binding.name
  }
  return ''
}

function names(value: Value, binding: Binding): boolean {
  return findPart(value, (part) => part.kind === 'reference' && part.binding === binding) !== undefined
}

/** Calls of one handler that are looked into. */
const MAX_DEPTH = 2

/** What a handler does with other systems; undefined: nothing, or it may check its caller. */
function effectOf(handler: FunctionFact, facts: ScriptFacts, depth = 0): CallValue | undefined {
  const inside = facts.calls.filter(({ start, end }) => handler.start <= start && end <= handler.end)
  if (
    // what gets request and response answers by itself, and may refuse
    inside.some((call) => mayCheck(call) || (functionOf(call.callee) === undefined && isGivenBoth(call, handler))) ||
    facts.guards.some(({ test, start }) => start >= handler.start && start < handler.end && asksCaller(test))
  )
    return undefined
  for (const call of inside) {
    const own = functionOf(call.callee)
    if (own !== undefined) {
      const deeper = depth < MAX_DEPTH ? effectOf(own, facts, depth + 1) : undefined
      if (deeper !== undefined) return deeper
      continue
    }
    if (reaches(call)) return call
  }
  return undefined
}

/** Names and answers of a check: `verify(…)`, `res.status(401)`, `res.sendStatus(403)`. */
function mayCheck({ callee, args }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (/^(?:status|sendStatus|writeHead|code)$/.test(name))
    return args[0] !== undefined && [401, 403].includes(Number(constantOf(args[0])))
  return CHECK.test(name) && !/^(?:get|fetch|retrieve|request)/i.test(name)
}

/** A condition about who calls: `req.headers.authorization`, `req.user`. */
function asksCaller(test: Value): boolean {
  return (
    findPart(
      test,
      (part) =>
        part.kind === 'member' && /^(?:user|authInfo|tokenInfo|authorization|session|headers|signature)$/.test(part.name ?? ''),
    ) !== undefined
  )
}

function isGivenBoth({ args }: CallValue, { parameters }: FunctionFact): boolean {
  const given = parameters.filter((one) => one !== undefined).slice(0, 2)
  return given.length === 2 && given.every((one) => args.some((arg) => arg.kind === 'reference' && arg.binding === one))
}

/** A call of another module or of the network: of a package, of a file of the project, `fetch`. */
function reaches({ callee }: CallValue): boolean {
  return accessesOf(callee).some(({ root, steps }) => {
    if (root === 'global:fetch') return true
    return (
      root.startsWith('module:') &&
      !HARMLESS.test(root) &&
      steps.length > 0 &&
      !/^(?:log|logger|info|error|debug|warn)$/i.test(steps[0] ?? '')
    )
  })
}
