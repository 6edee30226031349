import { STREAM_PIECE, type Origin } from '../types.ts'
import { VERBS } from './routes.ts'

/**
 * What is read from objects of a framework: the origin that the value then has, `undefined` where it is nothing that a client chooses.
 * Facts: CAP documentation, "Events" (req.data, params, headers, subject, http; req.query is CQN that CAP made); Express 5, "Request"; Polka 0.5, `req.search`; hyper-express 7, "Request".
 */
export const READS: Readonly<Partial<Record<Origin, Readonly<Record<string, Origin>>>>> = {
  'cap-request': {
    data: 'request',
    query: 'cap-query',
    params: 'request',
    headers: 'request',
    subject: 'request',
    http: 'http-request',
    _: 'http-request',
    req: 'http-request',
    res: 'response',
  },
  // of what CAP made of the request, the values: names of entities and elements are those of the model
  'cap-query': {
    val: 'request',
    entries: 'request',
    data: 'request',
    '*': 'cap-query',
  },
  'http-request': {
    body: 'request',
    query: 'request',
    search: 'request',
    params: 'request',
    headers: 'request',
    cookies: 'request',
    files: 'upload',
    file: 'upload',
    url: 'request',
    originalUrl: 'request',
    path: 'request',
    hostname: 'request',
    parameters: 'request',
    entities: 'request',
    queryPath: 'request',
    path_parameters: 'request',
    query_parameters: 'request',
    path_query: 'request',
    req: 'http-request',
    res: 'response',
    request: 'http-request',
    [STREAM_PIECE]: 'request',
  },
  message: { data: 'request', headers: 'request' },
  // what else an exception has, such as its code, tells nobody about the inside
  error: {
    message: 'error',
    stack: 'error',
    sql: 'error',
    query: 'error',
    cause: 'error',
    details: 'error',
    response: 'error',
    data: 'error',
  },
  // its text and its answer are those of any other
  'request-error': { message: 'error', stack: 'error', cause: 'error', response: 'error' },
  // what was sent lies in the whole of it
  'signed-error': {},
  'destination-error': {},
  // the app of Express before anything authenticates: what is read from it is no app
  'open-app': {},
  'open-server': {},
  // what of a request and its user holds credentials: all headers, cookies, the token
  exchange: {
    headers: 'credentials',
    rawHeaders: 'credentials',
    cookies: 'credentials',
    authInfo: 'credentials',
    tokenInfo: 'credentials',
    user: 'caller',
    http: 'exchange',
    _: 'exchange',
    req: 'exchange',
    request: 'exchange',
    context: 'exchange',
  },
  caller: { authInfo: 'credentials', tokenInfo: 'credentials', token: 'credential' },
  'window-event': { data: 'window-message', originalEvent: 'window-event' },
}

/** The address of a request as it was sent, in which no line breaks stand. Fact: Node.js 24, "http" (llhttp refuses a request line with control characters); nothing of it is decoded (Express 5, `req.path`). */
export const RAW_ADDRESS = '@address'
export const ADDRESSES: ReadonlySet<string> = new Set(['url', 'originalUrl', 'path'])

/**
 * What of an uploaded file its sender chooses; where it is kept the server has chosen, and its field too: multer refuses others than those of `single`, `array` and `fields`.
 * Facts: multer 2 (README, "File information", "any"), express-fileupload 1, formidable 3.
 */
export const SENT_OF_UPLOAD: ReadonlySet<string> = new Set(
  'originalname originalFilename name mimetype encoding buffer data'.split(' '),
)
export const KEPT_OF_UPLOAD: ReadonlySet<string> = new Set(
  'path filepath destination filename newFilename tempFilePath fieldname size md5'.split(' '),
)

/** Methods of a request that give a part of it: `req.get('x-user')`. */
export const READ_METHODS: ReadonlyMap<string, string> = new Map([
  ['get', 'headers'],
  ['header', 'headers'],
  ['param', 'params'],
])

/** Methods of a request of the Fetch standard that read its body. Facts: Fetch standard, "Body mixin"; Hono 4, `c.req.json()`; hyper-express 7, `request.urlencoded()`, `request.buffer()`. */
export const BODY_METHODS: ReadonlySet<string> = new Set('json text formData arrayBuffer blob bytes urlencoded buffer'.split(' '))

/** Names of parameters that are responses wherever nothing says more; for those of requests see core/model/script/request-names.ts. */
export const RESPONSE_NAME: RegExp = /^_?[Rr]es(?:p|ponse)?$/

/** Methods that register a route. */
export const ROUTES: ReadonlySet<string> = new Set([...VERBS, 'use'])
