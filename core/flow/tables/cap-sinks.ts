import type { SinkRow } from './sinks.ts'

const CDS = ['global:cds', 'module:@sap/cds']
const of = (names: string): string[] => CDS.flatMap((cds) => names.split(' ').map((name) => `${cds} ${name}`))
const LOGGERS = CDS.flatMap((cds) => 'trace debug log info warn error'.split(' ').map((level) => `${cds} log () ${level}`))
/** Not pino and bunyan, which write one line of JSON for each entry. Facts: documentation of winston 3, pino 9, bunyan 1, log4js 6, loglevel 1, @sap/logging 8, cf-nodejs-logging-support 7. */
const FOREIGN_LOGGERS = [
  'module:winston',
  'module:winston createLogger ()',
  'module:log4js getLogger ()',
  'module:loglevel',
  'module:loglevel getLogger ()',
  'module:consola',
  'module:consola consola',
  'module:signale',
  'module:cf-nodejs-logging-support',
].flatMap((logger) =>
  'trace debug verbose http log info warn warning error fatal'.split(' ').map((level) => `${logger} ${level}`),
)
const CONTEXTS = {
  calls: of('tx transaction spawn'),
  named: { how: 'method', names: ['tx', 'transaction'] },
  args: [0],
  onlyFields: true,
} as const
const TENANTS = { ...CONTEXTS, fields: ['tenant'] } as const
const USERS = { ...CONTEXTS, fields: ['user'], nested: true, isDeep: true } as const
const ADDRESSES = [
  'global:fetch',
  'module:node-fetch',
  'module:undici fetch',
  'module:undici request',
  'module:got',
  'module:axios',
  'module:request',
  'module:needle',
  'module:superagent',
  ...['axios', 'got', 'request', 'needle', 'superagent', 'https', 'http'].flatMap((name) =>
    ['get', 'post', 'put', 'patch', 'delete', 'head', 'request'].map((method) => `module:${name} ${method}`),
  ),
  'module:@sap-cloud-sdk/http-client executeHttpRequest',
]

/** Under which an answer holds what went wrong. */
const ERROR_FIELDS = 'message error stack details msg text reason cause err description Msg Message Error'.split(' ')

/** What CAP itself must not get. Facts: capire, "cds.context", "srv.tx", "cds.connect", "req.reject", "cds.log" (Node.js); @sap/cds 9.9.3, lib/srv/srv-tx.js. */
export const CAP_SINKS: readonly SinkRow[] = [
  { fault: 'cap/tenant-from-request', ...TENANTS },
  {
    fault: 'cap/tenant-from-request',
    calls: of('connect.to connect').map(spaced),
    args: [1],
    onlyFields: true,
    fields: ['tenant'],
  },
  { fault: 'cap/messaging-handler-trusts-payload', ...TENANTS },
  { fault: 'cap/context-user-override', ...USERS },
  { fault: 'cap/messaging-handler-trusts-payload', ...USERS },
  // what stands in an object is quoted by util.inspect and by JSON: line breaks in it are escaped
  { fault: 'cap/log-injection', calls: LOGGERS, args: [0, 1, 2, 3] },
  { fault: 'cap/log-injection', calls: FOREIGN_LOGGERS, args: [0, 1, 2], needs: 'concatenated', detail: 'foreign' },
  {
    fault: 'cap/sensitive-log',
    calls: [...LOGGERS, ...'log info warn error debug trace'.split(' ').map((level) => `global:console ${level}`)],
    args: [0, 1, 2, 3, 4],
    of: 'personal',
    isDeep: true,
  },
  {
    fault: 'cap/ssrf',
    as: 'address',
    calls: of('connect.to').map(spaced),
    args: [0, 1],
    onlyFields: true,
    fields: ['url', 'destination', 'credentials'],
    nested: true,
  },
  // a service of cds.requires by its name, with its credentials
  { fault: 'cap/ssrf', calls: of('connect.to').map(spaced), args: [0], detail: 'service' },
  // a request to a remote service: `send('GET', path)`
  {
    fault: 'cap/ssrf',
    as: 'path',
    named: { how: 'method', names: ['send'] },
    args: [1],
    only: { when: { index: 0, text: /^(?:GET|POST|PUT|PATCH|DELETE|HEAD)$/ } },
  },
  {
    fault: 'cap/ssrf',
    as: 'path',
    named: { how: 'method', names: ['send'] },
    args: [0],
    onlyFields: true,
    fields: ['path'],
    only: { when: { index: 0, text: /\b(?:GET|POST|PUT|PATCH|DELETE|HEAD)\b/, open: 'method' } },
  },
  // a request as a text: `send({ query: 'GET /Books' })`. Fact: capire, "Remote Services"
  {
    fault: 'cap/ssrf',
    named: { how: 'method', names: ['send'] },
    args: [0],
    onlyFields: true,
    fields: ['query'],
    needs: 'concatenated',
    detail: 'later',
  },
  {
    fault: 'cap/open-redirect',
    as: 'address',
    method: { origin: 'response', names: ['writeHead', 'set', 'header'] },
    args: [0, 1, 2],
    onlyFields: true,
    fields: ['Location', 'location'],
  },
  // below a folder of the project a path, otherwise any package
  { fault: 'cap/path-traversal', calls: ['global:require'], args: [0], only: { leading: /^[^]/ } },
  { fault: 'cap/code-injection', calls: ['global:require'], args: [0], only: { leading: /^$/ } },
  {
    fault: 'cap/code-injection',
    calls: ['global:RegExp', 'global:RegExp new'],
    args: [0],
  },
  { fault: 'cap/secret-in-request-url', of: 'secret', calls: ADDRESSES, args: [0, 1], fields: ['url', 'uri', 'path', 'baseURL'] },
  // parameters of a request are a part of its address. Facts: documentation of axios (params), got (searchParams), request (qs)
  {
    fault: 'cap/secret-in-request-url',
    of: 'secret',
    calls: ADDRESSES,
    args: [0, 1, 2],
    onlyFields: true,
    fields: ['params', 'searchParams', 'qs'],
  },
  {
    fault: 'cap/error-details-to-client',
    of: 'error',
    method: { origin: 'response', names: ['send', 'json', 'end', 'write', 'render'] },
    args: [0, 1],
    fields: ERROR_FIELDS,
    nested: true,
    // { error: { details: [{ message }] } } of a function that makes the answer
    isDeep: true,
  },
  {
    fault: 'cap/error-details-to-client',
    of: 'error',
    method: { origin: 'response', names: ['setBody'] },
    args: [0],
    fields: ERROR_FIELDS,
    nested: true,
  },
  {
    fault: 'cap/error-details-to-client',
    of: 'error',
    method: { origin: 'cap-request', names: ['reject', 'error'] },
    args: [1],
    only: { when: { index: 0, text: /^4\d\d$/ } },
  },
  {
    fault: 'cap/error-details-to-client',
    of: 'error',
    method: { origin: 'cap-request', names: ['reject', 'error'] },
    args: [0],
    onlyFields: true,
    fields: ['message'],
    only: { when: { index: 0, text: /\b4\d\d\b/ } },
  },
  // the version of CAP decides whether the text of a server's own fault leaves it
  {
    fault: 'cap/error-details-to-client',
    of: 'error',
    detail: 'server-fault',
    method: { origin: 'cap-request', names: ['reject', 'error'] },
    args: [1],
    only: { when: { index: 0, text: /^5\d\d$/ } },
  },
  {
    fault: 'cap/error-details-to-client',
    of: 'error',
    detail: 'server-fault',
    method: { origin: 'cap-request', names: ['reject', 'error'] },
    args: [0],
    onlyFields: true,
    fields: ['message'],
    only: { when: { index: 0, text: /\b5\d\d\b/ } },
  },
]

function spaced(path: string): string {
  return path.replace('.', ' ')
}

/** The facade of CAP, as a global of its server and as a module; and the user who may do everything. Facts: capire, "cds", "cds.User" (Node.js). */
export const CDS_ROOTS: ReadonlySet<string> = new Set(['global:cds', 'module:@sap/cds'])
export const PRIVILEGED_USER: RegExp = /^(?:global:cds|module:@sap\/cds) User [Pp]rivileged(?: new)?$/
