/** An access path that ends with a call: what registers routes is what a function returns, never a field. */
type Made = `${string}()` | `${string}new`

/** A web framework of Node.js, as descriptors and code name it. */
interface ServerFramework {
  readonly package: string
  /** Access paths below its module whose result registers routes with functions of a request and a response, as Express does: of its servers and of its routers. Empty: the routes are read in another way, or not at all. */
  readonly makes: readonly Made[]
  /** What registers a route that changes something, beside `post`, `put`, `patch` and `delete`. */
  readonly changes?: readonly string[]
  /** What registers a route of all methods, beside `all`. */
  readonly takesAll?: readonly string[]
  /** `res.send` writes a text as JSON, or as plain text, where nothing says another content type. */
  readonly sendsNoMarkup?: true
}

/** Facts: Express 5, Polka 0.5, Fastify 5, Koa 3, @tinyhttp/app 3, NestJS 11, @hapi/hapi 21 (README of each), restify 11 (lib/response.js, lib/formatters), restana 5 (README, libs/response-extensions.js), find-my-way 9 (README), hyper-express 7 (documentation, "Server", "Router", "Request", "Response"), ultimate-express 2 (README), nanoexpress 6 (nanoexpress.d.ts, src/response-proto). */
const FRAMEWORKS: readonly ServerFramework[] = [
  { package: 'express', makes: ['()'] },
  { package: 'polka', makes: ['()'] },
  { package: 'fastify', makes: ['()', 'fastify ()', 'Fastify ()'] },
  { package: 'koa', makes: ['new'] },
  { package: '@tinyhttp/app', makes: ['App new'] },
  { package: 'restify', makes: ['createServer ()'], changes: ['del'], sendsNoMarkup: true },
  { package: 'restana', makes: ['()', '() newRouter ()'], sendsNoMarkup: true },
  { package: 'find-my-way', makes: ['()'] },
  { package: 'hyper-express', makes: ['Server new', 'Router new'], takesAll: ['any'] },
  { package: 'ultimate-express', makes: ['()'] },
  { package: 'nanoexpress', makes: ['()'], takesAll: ['any'], changes: ['del'] },
  { package: '@nestjs/core', makes: [] },
  { package: '@hapi/hapi', makes: [] },
]

/** Packages of npm whose applications are servers. */
export const SERVER_PACKAGES: readonly string[] = FRAMEWORKS.map((framework) => framework.package)

/** Whether what a script imports is one of them, or a file of it: `express`, `express/lib/router`. */
export function isServerFramework(source: string): boolean {
  return SERVER_PACKAGES.some((name) => source === name || source.startsWith(`${name}/`))
}

/** Those of which the data flow reads the routes: words that a script with routes holds. */
export const ROUTING_PACKAGES: readonly string[] = FRAMEWORKS.flatMap((framework) =>
  framework.makes.length > 0 ? [framework.package] : [],
)

/** Modules whose `Router()` is one. Facts: Express 5, "express.Router"; the same of what is copied from it. */
export const ROUTER_MODULES: ReadonlySet<string> = new Set(ROUTING_PACKAGES.map((name) => `module:${name}`))

/** Access paths of what makes a server that registers routes: `module:koa new`. */
export const SERVERS: ReadonlySet<string> = new Set(
  FRAMEWORKS.flatMap((framework) => framework.makes.map((path) => `module:${framework.package} ${path}`)),
)

/** Methods that register a route that changes something. */
export const CHANGING_VERBS: ReadonlySet<string> = new Set([
  'post',
  'put',
  'patch',
  'delete',
  ...FRAMEWORKS.flatMap(({ changes = [] }) => changes),
])

/** Methods that register a route of all methods. */
export const ALL_VERBS: readonly string[] = ['all', ...FRAMEWORKS.flatMap(({ takesAll = [] }) => takesAll)]

/** Packages whose responses send no text as markup by themselves. */
export const PLAIN_SENDERS: ReadonlySet<string> = new Set(
  FRAMEWORKS.flatMap((framework) => (framework.sendsNoMarkup === true ? [framework.package] : [])),
)

/** Packages that limit the requests of clients or count their attempts. Facts: README of each. */
export const REQUEST_LIMITERS: RegExp =
  /^(?:express-rate-limit|express-slow-down|rate-limiter-flexible|express-brute(?:-\w{1,20})?|@fastify\/rate-limit|koa-ratelimit|koa2-ratelimit|@nestjs\/throttler|toobusy-js|@upstash\/ratelimit)$/

/** Packages that limit how often something is done: calls of another system, or attempts that a server counts. Facts: README of each. */
export const ACTION_LIMITERS: RegExp = /^(?:bottleneck|limiter)$/
