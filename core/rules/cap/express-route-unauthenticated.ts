import {
  accessOf,
  accessesOf,
  constantOf,
  pathOf,
  pathsOf,
  resolveValue,
  valuesOf,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isAt, resolveModule } from '../../flow/index.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const CHANGING: ReadonlySet<string> = new Set(['post', 'put', 'patch', 'delete'])
const VERBS: ReadonlySet<string> = new Set([...CHANGING, 'get', 'all'])
/** Names of middlewares that authenticate. Facts: capire, "cds.middlewares"; @sap/xssec; passport; express-jwt. */
const AUTHENTICATES =
  /auth|passport|jwt|xssec|token|login|loggedin|session|signature|hmac|api_?key|secret|protect|guard|secure|verif|ensure|require(?:user|role|scope)|checkscope|middlewares|basic/i
/** Paths that have to be public, or that say nothing of anybody. */
const PUBLIC =
  /^\/(?:-\/)?(?:health|healthz|healthcheck|ping|live|liveness|livez|ready|readiness|readyz|status|favicon\.ico|robots\.txt|\.well-known)\b/i
/** What reads or changes data of the application. */
const DATA =
  /^(?:SELECT|INSERT|UPSERT|UPDATE|DELETE)\b|^cds (?:run|tx|db|connect|services|ql)|^(?:srv|db|tx|service) |^fs |readFile|writeFile|executeHttpRequest|^axios|fetch$|^child_process /

const BOOTSTRAP = /\.on\(\s{0,20}["'`]bootstrap["'`]/

/** Routers of other files that `bootstrap` mounts, and that nothing in front authenticates. */
const openMounts: Extract<Span & { readonly path: string; readonly source: string; readonly name: string }> = defineExtract({
  name: 'cap-open-mounts',
  keywords: ['bootstrap'],
  prefilter: (text) => BOOTSTRAP.test(text),
  *collect({ kind, facts, step }) {
    if (kind.test) return
    for (const call of facts.calls) {
      const { callee, args, start } = call
      if (callee.kind !== 'member' || callee.name !== 'use' || !isBootstrapApp(callee.object, facts)) continue
      step(facts.calls.length)
      const path = args[0] && constantOf(args[0])
      const others = args.slice(1).filter((argument) => !isParser(argument))
      const [router] = others
      if (typeof path !== 'string' || PUBLIC.test(path) || router === undefined || others.length > 1) continue
      const access = accessOf(router)
      if (access === undefined || !/^module:\.{1,2}\//.test(access.root) || isProtected(call, facts, () => false)) continue
      const name = access.steps.join('.') || 'default'
      yield { start, end: callee.end, path, source: access.root.slice('module:'.length), name }
    }
  },
})

/** Routers that a file exports and whose routes ask nobody who calls. */
const openRouters: Extract<{ readonly name: string; readonly isUsed: boolean }> = defineExtract({
  name: 'cap-open-routers',
  keywords: ['Router('],
  *collect({ kind, facts, step }) {
    if (kind.test) return
    for (const { name, value } of facts.exports) {
      if (value === undefined) continue
      const given = resolveValue(value)
      const named =
        given.kind === 'object' ? given.fields.map((field) => ({ name: field.key, value: field.value })) : [{ name, value }]
      for (const one of named) {
        const binding = one.value.kind === 'reference' ? one.value.binding : undefined
        if (one.name === undefined || binding === undefined || !isRouter(one.value)) continue
        step(facts.calls.length)
        const own = facts.calls.filter(
          ({ callee }) => callee.kind === 'member' && callee.object.kind === 'reference' && callee.object.binding === binding,
        )
        const routes = own.filter(({ callee }) => VERBS.has(lastNameOf(callee) ?? ''))
        const handlers = routes.flatMap(({ args }) => args.flatMap((argument) => functionOf(argument) ?? []))
        const isOpen = own.every(({ args }) => !args.some((argument) => isAuthentication(argument, () => false)))
        const knowsAll = routes.every(({ args }) => args.slice(1).every((arg) => functionOf(arg) !== undefined || isParser(arg)))
        if (handlers.length === 0 || !isOpen || !knowsAll || handlers.some((handler) => checksCaller(handler, facts))) continue
        const isUsed =
          routes.some(({ callee }) => CHANGING.has(lastNameOf(callee) ?? '')) ||
          handlers.some((handler) => usesData(handler, facts))
        yield { name: one.name, isUsed }
      }
    }
  },
})

/**
 * A route of Express that is registered in `bootstrap`, before CAP's own middlewares, and that nothing authenticates.
 * Facts: capire, "cds.server" and "Middlewares": what is added to the app in `bootstrap` runs before them, without cds.context and req.user.
 * Severity: an unauthenticated caller changes or reads data, HIGH; a route that does neither is LOW.
 */
export const expressRouteUnauthenticated: Rule = defineRule({
  id: 'cap/express-route-unauthenticated',
  severity: 'HIGH',
  confidence: 'medium',
  cwe: [306],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-server#bootstrap',
  keywords: ['bootstrap'],
  prefilter: (text) => BOOTSTRAP.test(text),
  extracts: [openMounts, openRouters],
  checks: {
    *'cap-root'(root) {
      if (root.test) return
      const routers = root.scripts.get(openRouters)
      const byPath = new Map(routers.map(({ file }) => [file, file]))
      for (const { file, value } of root.scripts.get(openMounts)) {
        const { start, end, path, source, name } = value
        const target = resolveModule(file, source, byPath)
        const router = routers.find((one) => one.file === target && one.value.name === name)
        if (router === undefined) continue
        const isUsed = router.value.isUsed
        yield {
          at: { file, span: { start, end } },
          args: { method: 'ANY', path, call: 'use' },
          ...(!isUsed && { severity: 'LOW' as const, variant: 'harmless' }),
        }
      }
    },

    *'server-script'({ path, content: { facts }, budget, settings }) {
      const isOwn = (names: readonly string[]): boolean =>
        settings?.authenticates.some(({ at }) => isAt(at, names, path)) === true
      const routes = facts.calls.filter((call) => isRouteOf(call, facts))
      const open = routes.filter((call) => {
        budget.step(facts.calls.length)
        return !isProtected(call, facts, isOwn)
      })
      for (const call of open) yield* judge(call, path, facts)
    },
  },

  text: {
    en: {
      title: 'Express route without authentication in a CAP server',
      message:
        '{method} {path} is registered in "bootstrap", before the authentication of CAP, and no middleware authenticates it.',
      why: 'Anyone who can reach the server calls it without a login, and the code behind it reads or changes data with the rights of the application.',
      fix: 'Put CAP’s middlewares in front: app.{call}("{path}", ...cds.middlewares.before, handler), and check req.user there; or make it an action of a service.',
      variants: {
        harmless: {
          why: 'Anyone who can reach the server calls it without a login. It shows no data today; a later change may.',
        },
      },
    },
    fr: {
      title: 'Route Express sans authentification dans un serveur CAP',
      message:
        '{method} {path} est enregistrée dans "bootstrap", avant l’authentification de CAP, et aucun middleware ne l’authentifie.',
      why: 'Tout client qui atteint le serveur l’appelle sans connexion, et le code derrière lit ou modifie des données avec les droits de l’application.',
      fix: 'Placez devant les middlewares de CAP : app.{call}("{path}", ...cds.middlewares.before, handler), et contrôlez-y req.user ; ou faites-en une action d’un service.',
      variants: {
        harmless: {
          why: 'Tout client qui atteint le serveur l’appelle sans connexion. Elle ne montre aucune donnée aujourd’hui ; une modification ultérieure le pourrait.',
        },
      },
    },
  },
})

function* judge(call: CallValue, file: string, facts: ScriptFacts): Generator<Match> {
  const [first] = call.args
  const written = first && constantOf(first)
  const verb = lastNameOf(call.callee) ?? ''
  if (typeof written !== 'string' || PUBLIC.test(written)) return
  const given = call.args.slice(1).filter((argument) => !isParser(argument))
  const handlers = given.flatMap((argument) => functionOf(argument) ?? [])
  // a handler of another file may check for itself
  if (handlers.length < given.length || handlers.some((handler) => checksCaller(handler, facts))) return
  if (handlers.every((handler) => onlyRedirects(handler, facts))) return
  const isUsed = CHANGING.has(verb) || handlers.some((handler) => usesData(handler, facts))
  yield {
    at: { file, span: { start: call.start, end: call.callee.end } },
    args: { method: verb === 'all' ? 'ANY' : verb.toUpperCase(), path: written, call: verb },
    ...(!isUsed && { severity: 'LOW' as const, variant: 'harmless' }),
  }
}

/** It only sends the browser on to a fixed place. */
function onlyRedirects({ start, end }: FunctionFact, facts: ScriptFacts): boolean {
  const calls = facts.calls.filter((call) => start <= call.start && call.end <= end)
  return (
    calls.length > 0 &&
    calls.every(({ callee, args }) => lastNameOf(callee) === 'redirect' && args.every((arg) => constantOf(arg) !== undefined))
  )
}

/** Middlewares that read a body or write headers, and ask nobody: `express.json()`, `helmet()`. Facts: documentation of Express 5 and of the packages. */
const PARSERS =
  /^module:(?:express (?:json|urlencoded|text|raw) \(\)|(?:body-parser|helmet|cors|compression|morgan|cookie-parser|multer)(?: |$))/

function isParser(argument: Value): boolean {
  return accessesOf(argument).some(({ root, steps }) => PARSERS.test([root, ...steps].join(' ')))
}

/** `app.post('/import', …)` where `app` is what `bootstrap` hands over, or a router that is mounted there. */
function isRouteOf({ kind, callee, args }: CallValue, facts: ScriptFacts): boolean {
  if (kind !== 'call' || callee.kind !== 'member' || !VERBS.has(callee.name ?? '') || args.length < 2) return false
  const [first] = args
  const written = first && constantOf(first)
  return (
    typeof written === 'string' &&
    written.startsWith('/') &&
    (isBootstrapApp(callee.object, facts) || isMounted(callee.object, facts))
  )
}

function isBootstrapApp(value: Value, facts: ScriptFacts): boolean {
  const binding = value.kind === 'reference' ? value.binding : undefined
  const [definition] = binding?.definitions ?? []
  if (binding === undefined || definition?.kind !== 'parameter' || definition.parameter !== 0 || definition.path.length > 0)
    return false
  return facts.calls.some(({ callee, args }) => {
    const [event, handler] = args
    if (callee.kind !== 'member' || callee.name !== 'on' || event === undefined || constantOf(event) !== 'bootstrap') return false
    return functionOf(handler) === binding.function
  })
}

/** `const router = express.Router()`, used by `app.use('/x', router)`. */
function isMounted(value: Value, facts: ScriptFacts): boolean {
  const binding = value.kind === 'reference' ? value.binding : undefined
  return binding !== undefined && isRouter(value) && mountsOf(binding, facts).length > 0
}

function isRouter(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => root === 'module:express' && steps.includes('Router'))
}

function mountsOf(binding: unknown, facts: ScriptFacts): readonly CallValue[] {
  return facts.calls.filter(
    ({ callee, args }) =>
      callee.kind === 'member' &&
      callee.name === 'use' &&
      isBootstrapApp(callee.object, facts) &&
      args.some((argument) => argument.kind === 'reference' && argument.binding === binding),
  )
}

/** A middleware that authenticates stands in the call, where the router is mounted, or was used before. */
function isProtected(call: CallValue, facts: ScriptFacts, isOwn: (paths: readonly string[]) => boolean): boolean {
  const authenticates = (argument: Value): boolean => isAuthentication(argument, isOwn)
  if (call.args.slice(1).some(authenticates)) return true
  const receiver = call.callee.kind === 'member' ? call.callee.object : undefined
  const binding = receiver?.kind === 'reference' ? receiver.binding : undefined
  const mounts = mountsOf(binding, facts)
  if (mounts.some(({ args }) => args.some(authenticates))) return true
  const path = call.args[0] && constantOf(call.args[0])
  return facts.calls.some(({ callee, args, start }) => {
    if (callee.kind !== 'member' || callee.name !== 'use' || start > call.start || !args.some(authenticates)) return false
    const prefix = args[0] && constantOf(args[0])
    return typeof prefix !== 'string' || mounts.length > 0 || isBelow(String(path), prefix)
  })
}

/** Express mounts at whole segments: `/search` is none of `/search-terms`. */
function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)
}

function isAuthentication(argument: Value, isOwn: (paths: readonly string[]) => boolean): boolean {
  const value = argument.kind === 'spread' ? argument.value : argument
  if (value.kind === 'array') return value.items.some((item) => isAuthentication(item, isOwn))
  if (value.kind === 'function') return false
  const read = value.kind === 'call' ? value.callee : value
  if (isOwn(pathsOf(read).map((path) => path.join(' ')))) return true
  const names = [pathOf(read)?.join(' ') ?? '', lastNameOf(read) ?? '', value.kind === 'reference' ? value.name : '']
  return value.kind !== 'literal' && names.some((name) => AUTHENTICATES.test(name.replace(/^module:/, '')))
}

/** The handler asks by itself who calls: for the user, a header of authorization, or by a function of such a name. */
function checksCaller({ start, end }: FunctionFact, facts: ScriptFacts): boolean {
  const isWithin = (place: { start: number; end: number }): boolean => place.start >= start && place.end <= end
  for (const { value } of valuesOf(facts)) {
    if (!isWithin(value)) continue
    if (value.kind === 'member' && /^(?:user|authInfo|authorization|tokenInfo|session)$/i.test(value.name ?? '')) return true
    if (value.kind === 'literal' && /^(?:authorization|x-api-key|x-hub-signature.{0,10})$/i.test(String(value.value))) return true
    if (value.kind === 'call' && AUTHENTICATES.test(lastNameOf(value.callee) ?? '')) return true
  }
  return false
}

function usesData({ start, end }: FunctionFact, facts: ScriptFacts): boolean {
  return facts.calls.some(({ callee, start: from, end: to }) => {
    if (from < start || to > end) return false
    return accessesOf(callee).some(({ root, steps }) =>
      DATA.test([root.replace(/^(?:global|module|parameter|const|let):(?:@sap\/)?/, ''), ...steps].join(' ')),
    )
  })
}
