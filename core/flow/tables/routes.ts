import { ALL_VERBS, CHANGING_VERBS } from '../../server-frameworks.ts'

/** Methods that register a route. */
export const VERBS: ReadonlySet<string> = new Set([...CHANGING_VERBS, ...ALL_VERBS, 'get'])

/** Names of middlewares that authenticate. Facts: capire, "cds.middlewares"; @sap/xssec; passport; express-jwt. */
export const AUTHENTICATES: RegExp =
  /auth|passport(?! initialize)|jwt|xssec|token|login|loggedin|session|signature|hmac|api_?key|secret|protect|guard|secure|verif|ensure|security_?context|(?:require|with|has|check|assert|needs?|only|allow|restrict|is|must).{0,12}(?:user|role|scope|permission|admin)|middlewares|basic|timingSafeEqual/i

/** Names of those that say so in other words: `signedIn`, `adminOnly`, `mustBeKnown`. What their body does says more. */
export const PROMISES_LOGIN: RegExp =
  /(?:signed|logged)_?in$|^(?:admin|staff|employee|manager|owner|member|user|customer|vendor|supplier|partner|operator|editor|moderator|insider|internal)s?_?only$|^only_?(?:for_?)?(?:admin|staff|employee|manager|owner|member|user|customer|operator|editor|moderator)s?$|^(?:is|require|must_?be)_?(?:an?_?)?(?:signed|logged|known|identified|identity|caller|staff|employee|manager|owner|member|customer|operator|editor|moderator)|^(?:deny|reject|refuse|block|forbid|no)_?(?:anonymous|guest|stranger|unknown)/i

/** What gives the application a credential of its own for another system: `getAccessToken()`. Given the request, it may read that of the caller. */
export const OBTAINS_CREDENTIALS: RegExp =
  /^_?(?:get|fetch|obtain|acquire|retrieve|refresh|load)(?:[A-Z]\w{0,30})?(?:Token|Secret|Secrets|Credential|Credentials|ApiKey|AuthHeader|AuthHeaders)(?:(?:For|Of|From|To|By|As|On|With|Via|Using)[A-Z]\w{0,60})?(?:Async|Sync)?$/

/** What makes a token for the caller: `signToken(user)`, `generateAccessToken(id)`, `getSignedJwtToken()`. */
export const ISSUES_TOKENS: RegExp =
  /^_?(?:sign(?!_?in)|generate|gen|create|issue|make|build|mint|encode|getSigned)_?(?:[a-zA-Z]{1,20}_?)??(?:token|jwt)(?:s|pair)?$/i

/** What a handler looks at to know who calls; `this.User` and `db.Session` are models. */
export const CALLER_FIELDS: RegExp =
  /^(?:user|session|[aA]uth[iI]nfo|[aA]uthorization|AUTHORIZATION|[tT]oken[iI]nfo|[sS]ecurity[cC]ontext)$/
/** What an address carries that only those know who were given the link. */
export const LINK_FIELDS: RegExp = /^(?:(?:access_?)?token|secret|signature|sig|hmac|api_?key)$/i
/** A code that was sent to the owner of an account, and what names that account beside it. */
export const ONE_TIME_FIELDS: RegExp =
  /^(?:code|otp|pin|(?:verification|confirmation|activation|reset|login)_?(?:code|token|pin))$/i
export const ACCOUNT_FIELDS: RegExp = /^(?:e?mail(?:_?address)?|phone(?:_?number)?|mobile|user_?name|user_?id|login)$/i
export const CALLER_HEADERS: RegExp = /^(?:authorization|x-.{0,30}(?:key|signature|secret|token|hmac|auth).{0,20})$/i

/** Paths by which people get a login: their last part. */
const LOGIN_PATH =
  /(?:^|\/)(?:log-?in|log-?out|sign-?in|sign-?out|sign-?up|register|registration|forgot|(?:forgot|reset|recover)-?(?:pass|password|pwd)|(?:(?:request|send|start)[-_/]?)?(?:pass|password|pwd)[-_/]?(?:forgot|reset|recover)(?:[-_/]?(?:request|link|mail))?|verify-?e?mail|(?:(?:send|resend|request|generate|verify|validate)[-_/]?)?otp|(?:auth|login|oauth2?|sso)\/callback|oauth2?\/(?:token|authorize))\/?$/i

/** What makes an account; asked for with GET it lists those that there are. */
const ACCOUNT_PATH = /(?:^|\/)(?:sign-?up|register|registration)\/?$/i

/** Paths that say nothing of anybody: their last part, or where they begin. */
const OPEN_PATH =
  /(?:^|\/)(?:healthz?(?:[-_]?[\w-]{1,20})?|ping|live|liveness|livez|ready|readiness|readyz|version|favicon\.ico|robots\.txt|\$metadata|(?:openapi|swagger|api-?docs)(?:\.(?:json|ya?ml))?)\/?$|^\/(?:-\/)?(?:health|status|\.well-known|static|public|docs|api-?docs|swagger|swagger-ui|openapi)\b/i

/** Whether a route has to be public, or says nothing of anybody. `verb` as Express has it, `use` and `all` for any. */
export function isPublicRoute(verb: string, path: string): boolean {
  if (OPEN_PATH.test(path)) return true
  if (!LOGIN_PATH.test(path)) return false
  return ACCOUNT_PATH.test(path) ? !['get', 'put', 'patch', 'delete'].includes(verb) : verb !== 'delete'
}

/** Whether people get a login by what has this path, or by an operation with this name. */
export function isLoginPath(path: string): boolean {
  return LOGIN_PATH.test(path)
}

/** What reads or changes what the application alone may: its database, its object store, and systems that it calls with credentials of its own. */
export const STORED_CALLS: RegExp =
  /^(?:SELECT|INSERT|UPSERT|UPDATE|DELETE)\b|^cds (?:run|tx|db|connect|services|ql)|^(?:srv|db|tx|service) |(?:^|[ /])(?:pool|client|db|database|connection|conn|hana|hdb|sql|store|repository|repo)(?:\.js|\.ts)? (?:\S{1,60} ){0,3}(?:query|exec|execute|run|prepare|all|find\w{0,20}|save|load|insert|update|remove|delete|get|list|invoke)$|(?:^|[ /.])pool (?:acquire|getConnection|connect)$|executeHttpRequest|requestBuilder \(\) (?:\S{1,60} ){0,8}execute$|(?:^|[ /])(?:s3|S3|bucket|blob\w{0,20}|storage|objectStore|minio\w{0,20})(?:Client)? (?:\S{1,60} ){0,3}(?:(?:get|delete|put|list|copy|upload|download)\w{0,20}|send)$/

/** Texts of SQL that read or change data. */
export const STATEMENT: RegExp =
  /^\s{0,40}(?:select\s[\s\S]{1,2000}\sfrom\s|insert\s{1,4}into\s|update\s[\s\S]{1,200}\sset\s|upsert\s|merge\s{1,4}into\s|delete\s{1,4}from\s|call\s{1,4}["\w.:]{1,200}\s{0,4}\()/i

/** Of those the ones that read a text which the application shows to everybody: columns of a text, of one row that no request chooses. */
export const FIXED_TEXT: RegExp =
  /^\s{0,40}select\s{1,10}(?:(?:content|text|body|title|html|markdown|version|language|updated_at),?\s{1,10}){1,8}from\s{1,10}[\w.]{1,60}\s{1,10}where\s{1,10}\w{1,40}\s{0,5}=\s{0,5}(?:\d{1,9}|'[^']{1,40}')\s{0,10}(?:limit\s{1,5}1\s{0,5})?;?\s{0,10}$/i

/** The same by the package that keeps the data, whatever its objects are called here. Facts: README of each package. */
export const DATABASE_CALLS: RegExp =
  /^(?:pg|pg-promise|mysql2?(?:\/promise)?|mssql|oracledb|sqlite3?|better-sqlite3|mongodb|mongoose|sequelize|typeorm|knex|kysely|drizzle-orm(?:\/[\w-]{1,40}){0,2}|objection|redis|ioredis|hdb|hdbext|hana-client|hdb-pool|sap-hdbext-promisfied|@prisma\/client|@azure\/cosmos|@supabase\/supabase-js|@aws-sdk\/client-dynamodb|@aws-sdk\/lib-dynamodb|firebase-admin(?:\/firestore)?|nano|pouchdb|node-rfc) (?:\S{1,60} ){0,8}(?:query|queryRaw\w{0,12}|execute\w{0,10}|exec|run|prepare|all|any|one\w{0,10}|none|find\w{0,20}|save|create|insert\w{0,10}|update\w{0,10}|upsert|delete\w{0,10}|destroy|remove|aggregate|count\w{0,10}|bulk\w{0,10}|fetchAll|items|select|from|get|set|hget|hset|hgetall|del|scan|send|put|invoke|call|loadProcedure)$/

/** Methods of a model of the project's own, `require('./models').Order`: `Order.findByIdAndDelete`, `new Order().save`. Facts: Mongoose 8, Sequelize 6, Objection 3 (README of each). */
export const MODEL_CALLS: RegExp =
  /(?:^|\/)(?:models?|schemas?|entit(?:y|ies)|db|database)(?:\/\S{1,80})? (?:\S{1,60} ){0,3}(?:find(?:\w{0,20})|insertMany|bulk(?:Create|Write)|update(?:One|Many)?|delete(?:One|Many)|destroy|aggregate|count(?:Documents)?|create|save|upsert)$|[ /][A-Z][a-z]\w{0,40}(?:\.js|\.ts)? (?:new )?(?:find(?:One|All|By\w{1,20}|AndCount\w{0,10}|OneAnd\w{1,10}|OrCreate)|insertMany|bulk(?:Create|Write)|update(?:One|Many)|delete(?:One|Many)|destroy|countDocuments|save)$/

/** Requests to other systems, and the headers by which the application tells them who it is. */
export const REQUESTS: RegExp = /^axios|fetch$|^got|^request|^superagent|^needle|^https? get$/
/** Clients that send what they are given to another system. Facts: Fetch standard; README of axios 1, got 14, superagent 10, needle 3, undici 7, @sap-cloud-sdk/http-client 4. */
export const SENDING_CLIENTS: RegExp =
  /^(?:global:fetch|module:(?:node-fetch|cross-fetch|undici|axios|got|superagent|needle|sap-cf-axios|@sap-cloud-sdk\/(?:http-client|core)))(?: |$)/
/** Clients that a function makes which log on by the destination that it names: `sapCfAxios('ERP')`. Fact: sap-cf-axios 0.3 (README). */
export const DESTINATION_CLIENTS: RegExp = /^sap-cf-axios \(\)(?: (?:get|post|put|patch|delete|head|request))?$/
/** What makes clients that send the settings of their making with each request. Facts: README of axios 1, got 14, ky 1. */
export const MAKES_CLIENTS: ReadonlySet<string> = new Set([
  'module:axios create ()',
  'module:got extend ()',
  'module:ky create ()',
])
/** Such a client whose settings log on, whichever file makes it; what is asked of it is a step behind. */
export const LOGGED_ON = 'client that logs on'
export const CREDENTIAL_HEADERS: readonly string[] = 'Authorization authorization x-api-key X-API-Key APIKey apikey apiKey'.split(
  ' ',
)

/** What reads or changes files, and systems that may ask for nothing. */
export const REACHING_CALLS: RegExp =
  /^fs |readFile|writeFile|(?:^| )(?:resp?|response) (?:download|sendFile)$|^axios|fetch$|^child_process /

/** Middlewares that read a body, keep a session or write headers, and ask nobody: `express.json()`, `session()`, `helmet()`. Facts: documentation of Express 5 and of the packages. */
export const PARSERS: RegExp =
  /^module:(?:express (?:json|urlencoded|text|raw|static) \(\)|(?:body-parser|helmet|cors|compression|morgan|cookie-parser|multer|express-rate-limit|express-fileupload|serve-static|serve-favicon|busboy|connect-busboy|express-session|cookie-session|connect-flash|express-flash|method-override|express-useragent|express-winston|response-time|connect-timeout|hpp|xss-clean|express-mongo-sanitize|nocache)(?: |$))/

/** How their packages make those that a file often hands to others: followed to the routes of these. */
export const MAKES_PARSERS: readonly string[] = [
  ...'multer express-rate-limit helmet cors compression morgan express-fileupload express-session cookie-session'
    .split(' ')
    .flatMap((name) => [`module:${name} ()`, `module:${name} default ()`]),
  'module:express-rate-limit rateLimit ()',
]

/** Those of them that take files: `multer({ dest }).single('file')`. */
export const UPLOADS: RegExp = /^module:multer (?:default )?\(\) (?:single|array|fields|any) \(\)$/

/** The same in front of all routes of an app. Fact: express-fileupload 1.5 (README). */
export const UPLOADS_ANYWHERE: RegExp = /^module:express-fileupload (?:default )?\(\)$/

/** What asks for the password of an account: a handler that changes one by its old one. Facts: bcrypt 6, bcryptjs 3 (README, "compare"). */
export const COMPARES_PASSWORDS: RegExp =
  /^module:(?:bcrypt|bcryptjs|bcrypt-nodejs|@node-rs\/bcrypt) (?:default )?compare(?:Sync)?$/

/** What takes the token out of a request, and verifies nothing: anybody can write one. Fact: @sap-cloud-sdk/connectivity 4 (API reference, `retrieveJwt`, `decodeJwt`). */
export const READS_TOKENS: RegExp = /^module:@sap-cloud-sdk\/(?:connectivity|core) (?:retrieveJwt|decodeJwt)$/

/** Classes whose methods answer routes, and the decorators by which they do. Facts: NestJS 11, "Controllers" and "Guards". */
export const DECORATED_CONTROLLER: RegExp = /^module:@nestjs\/common (Controller)$/
export const DECORATED_ROUTE: RegExp = /^module:@nestjs\/common (Get|Post|Put|Patch|Delete|All)$/
export const DECORATED_GUARD: RegExp = /^(?:UseGuards|UseInterceptors|applyDecorators)$|guard|auth|role|permission/i
/** Parameters of a method of a controller that are the request, and its errors for whoever may not call. */
export const DECORATED_REQUEST: RegExp = /^module:@nestjs\/common (Req|Request)$/
export const REFUSING_ERRORS: RegExp = /^(?:Unauthorized|Forbidden)/
/** Calls that verify who calls: `verifyToken(token)`, `jwt.verify(token)`, `this.jwt.verifyAsync(token)`. */
export const VERIFIES_CALLER: RegExp =
  /(?:^| )(?:(?:verify|validate)\w{0,20}(?:Token|Jwt|JWT|Signature|Session)|verifyAsync|timingSafeEqual|createSecurityContext)$|(?:jwt|jsonwebtoken|jose|token)\w{0,20} (?:\S{1,40} ){0,2}verify$/i

/** Methods of a response that answer. Facts: Express 5, Response; Node.js 20, http.ServerResponse. */
export const ANSWERING: RegExp = /^(?:redirect|send|json|jsonp|end|write|render|sendFile|download|pipe)$/

/** What makes the hash of a password. Facts: bcrypt 6, bcryptjs 3, argon2 0.4 (README, "hash"). */
export const HASHES_PASSWORDS: RegExp =
  /^module:(?:bcrypt|bcryptjs|argon2|@node-rs\/(?:bcrypt|argon2)) (?:default )?hash(?:Sync)?$/

/** What holds all data of an application: files of SQLite by their endings. Fact: SQLite, "Recommended filename suffixes" are none, these are in use by @cap-js/sqlite and better-sqlite3. */
export const DATABASE_FILE: RegExp = /\.(?:sqlite3?|sqlite-?db|db3?)$/i

/** Names of middlewares that check more than a login. */
export const CHECKS_RIGHTS: RegExp =
  /scope|role|permission|admin|authori[sz]|privileg|owner|polic(?:y|ies)|\bacl\b|allowed|rights|forbid|restrict|\bcan[A-Z]|access(?!_?token)/i

/** What a function looks at that checks more than a login. */
export const LOOKS_AT_RIGHTS: RegExp =
  /\b(?:checkLocalScope|checkScope|hasLocalScope|hasScope|scopes?|roles?|isAdmin|permissions?|authorities|groups?)\b|\.is\(/

/** What a function looks at to know who calls. */
export const LOOKS_AT_CALLER: RegExp =
  /\b(?:req|request|oReq|oRequest|ctx|context|res\.locals)\s{0,4}\??\.\s{0,4}(?:user\w{0,20}|authInfo|tokenInfo|auth|session|securityContext|currentUser|tenant\w{0,20}|locals)\b|\bcurrentUser|\buserId\b|\bgetUser|\bowner/i

/** Functions of projects that write down what was done, or tell somebody of it. */
export const NOTES: RegExp =
  /^_?(?:(?:write|add|create|insert|save|record|append|log)_?)?(?:audit|log|notify|trace|journal|notification)(?:s|ging)?(?:_?(?:trail|log|logs|entry|event|action|activity|change|user|users))?$/i

/** A name that a part of the path may have: `req.params.userId` is whom the client says. */
export const PARAMETER_OF_USER: RegExp = /\buserId\b/g

/** What a middleware does that knows who calls. Fact: passport 0.7 (`req.isAuthenticated`). */
export const LOGS_IN: RegExp =
  /\b(?:req|request|oReq|oRequest|ctx)\s{0,4}\.\s{0,4}(?:user|currentUser|auth)\s{0,4}=[^=]|\.isAuthenticated\(/

/** Calls that answer, note or convert: what they get changes nothing. */
export const HARMLESS_CALLS: RegExp =
  /^(?:json|send|sendStatus|status|end|log|info|warn|error|debug|trace|Number|String|parseInt|parseFloat|isNaN|Boolean|trim|toString|validate|test|includes|match|replace|split|slice|find|filter|some|indexOf|isValid|isUUID|encodeURIComponent|get|has)$/

/** Those of them that do nothing, whatever they are called on. */
export const IDLE_CALLS: RegExp =
  /^(?:log|info|warn|debug|trace|Number|String|parseInt|parseFloat|isNaN|Boolean|trim|toString|toISOString|stringify|now|encodeURIComponent|startsWith|endsWith|includes|toLowerCase|toUpperCase|split|replace)$/

/** Requests that read what an address gives. Facts: axios 1, node-fetch 3, got 14 (README of each). */
export const READING_REQUESTS: RegExp =
  /^(?:axios(?: default)? get|(?:node:)?https? get|(?:node-fetch(?: default)?|fetch|got(?: default)?(?: get)?))$/
/** Options by which a request carries a credential, or does more than read. */
export const CREDENTIAL_OPTIONS: RegExp =
  /^(?:headers|auth|username|password|method|body|data|cert|key|pfx|params|query|searchParams)$/

/** Objects whose methods keep data. */
export const STORES: RegExp =
  /^(?:pool|client|db|database|conn|connection|hana|hdb|sql|knex|prisma|collection|repository|repo|store|\w{1,40}(?:Repository|Repo|Service|Model|Store|Dao|Collection))$/

/** The rule that compares routes of one file. */
export const UNCHECKED_ROUTE = 'cap/route-without-scope-check'
/** The rule for routes whose callers approve what they have asked for. */
export const SELF_APPROVED = 'cap/self-approval'

/** What sends an answer. Facts: Express 5, response; Node.js, http.ServerResponse; Fastify 5, Reply. */
export const ANSWERS: RegExp =
  /^parameter:_?(?:resp?|response|reply) (?:(?:status|type|set|header|code) \(\) )*(?:send|json|jsonp|end|write)$/i

/** What holds credentials of a process. Facts: Node.js, process.env; capire, "cds.env"; @sap/xsenv 5 (README). */
export const ENVIRONMENTS: RegExp =
  /^(?:global:process|module:process) env(?: VCAP_SERVICES)?$|^(?:global:cds|module:@sap\/cds)(?: default)? env(?: requires)?$|^module:@sap\/xsenv (?:default )?(?:getServices|readServices|readCFServices|serviceCredentials|filterServices) \(\)$/

/** What tells of the inside of a process. Facts: Node.js, "process", "os" and "v8"; prom-client 15 (README). */
export const INTERNALS: RegExp =
  /^(?:global:process|module:process) (?:memoryUsage|cpuUsage|resourceUsage|cwd) \(\)$|^(?:global:process|module:process) (?:versions|argv|execArgv|execPath|config)$|^module:os (?:default )?(?:networkInterfaces|userInfo|cpus) \(\)$|^module:v8 (?:default )?get\w{1,30} \(\)$|^module:prom-client (?:\S{1,40} ){0,3}metrics \(\)$/

/** What a request holds of its caller. */
export const CALLER_STEPS: RegExp =
  /^(?:user\w{0,20}|authInfo|tokenInfo|auth|session|securityContext|currentUser|tenant\w{0,20}|token|decoded\w{0,20}|email)$/i

/**
 * What a request has by itself or by its parsers; whatever else it has a middleware of the project has set. Facts: Express 5, "Request"; Node.js 20, http.IncomingMessage; Koa 3,
 * "Request"; Fastify 5, "Request"; multer 2, express-fileupload 1; Polka 0.5, "Request".
 */
export const OWN_STEPS: ReadonlySet<string> = new Set(
  'app baseUrl body cookies fresh headers rawHeaders host hostname id ip ips log method originalUrl params path path_parameters path_query protocol query query_parameters raw rawBody req request res response route routeOptions search secure server signedCookies socket connection stale subdomains trailers url xhr file files data state event target'.split(
    ' ',
  ),
)

/** Names of what tells one person from others. */
export const OF_PERSON: RegExp = /^(?:_?id|uid|sub|login|e?mail|user_?name|\w{0,30}(?:Id|_id|ID|Email|_email))$/

/** Roles of people who come from outside, each with rows of their own. */
export const OUTSIDERS: RegExp =
  /^(?:clients?|customers?|suppliers?|vendors?|partners?|sellers?|buyers?|members?|guests?|users?|students?|patients?|tenants?|drivers?|couriers?|applicants?|candidates?|subscribers?)$/i

/** Headers by which a proxy that has verified the login tells who calls. */
export const USER_HEADERS: RegExp =
  /^x-(?:[a-z]{1,20}-){0,3}(?:user|tenant|account|customer|employee|e?mail)(?:-?(?:id|name|email))?$/i

/** Names of what one row is asked for by. */
export const KEY_NAMES: RegExp = /^(?:id|uuid|guid|key|number)$|[a-z]_?(?:id|Id|ID|uuid|Uuid|UUID|Number|_no|_key)$/

/** Methods of models that read or change rows. Facts: Sequelize 6, Prisma 6, Mongoose 8, TypeORM 0.3 (README of each). */
export const ROW_METHODS: RegExp = /^(?:find\w{0,20}|update\w{0,20}|delete\w{0,20}|destroy|remove\w{0,20})$/
/** Those of them that make one row. */
export const MAKING_METHODS: RegExp = /^(?:create|insertOne)$/
