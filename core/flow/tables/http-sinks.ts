import { paths } from './call-paths.ts'
import type { SinkRow } from './sinks.ts'

const VERBS = 'get post put patch delete head'
/** Fact: axios 1, `axios.create(config)` gives the same methods. */
const AXIOS = ['module:axios', 'module:axios create ()', 'module:axios Axios new']
/** Facts: got 14 (`got.extend`, `got.stream`, `got.paginate`), ky 1 (`ky.create`, `ky.extend`). */
const GOT = ['module:got', 'module:got got', 'module:got extend ()', 'module:ky', 'module:ky create ()', 'module:ky extend ()']
/** Fact: request 2 (`request.defaults`), and what wraps it. */
const REQUEST = [
  'module:request',
  'module:request defaults ()',
  'module:request-promise',
  'module:request-promise-native',
  'module:postman-request',
]
const RENDERED: Pick<SinkRow, 'fault' | 'detail'> = { fault: 'cap/reflected-xss', detail: 'rendered' }
const HTTP = ['module:http', 'module:https', 'module:http2', 'module:follow-redirects http', 'module:follow-redirects https']
const CONNECTIVITY = ['module:@sap-cloud-sdk/connectivity', 'module:@sap-cloud-sdk/core']
const CLOUD_SDK = ['module:@sap-cloud-sdk/http-client', 'module:@sap-cloud-sdk/core']
/**
 * Requests whose exceptions hold them: as JSON they are their configuration with all headers, those of a destination as well. Facts: axios 1 (AxiosError.toJSON); @sap-cloud-sdk/http-client 4
 * (executes by axios); sap-cf-axios 0.3 (adds the headers of the destination); request-promise-core 1.1, lib/errors.js (`options` of a StatusCodeError).
 */
export const TELLS_REQUEST: ReadonlySet<string> = new Set([
  'module:axios',
  'module:sap-cf-axios',
  'module:request-promise',
  'module:request-promise-native',
  ...CLOUD_SDK,
])
/** What the packages make that sends such requests, `SapCfAxios('ERP')`, and the requests themselves. */
export const TELLING_CLIENTS: readonly string[] = ['module:sap-cf-axios ()']
const TELLING = [...AXIOS, ...TELLING_CLIENTS]
export const TELLING_REQUESTS: ReadonlySet<string> = new Set([
  ...TELLING,
  ...paths(TELLING, `${VERBS} options request postForm putForm patchForm`),
  ...paths(CLOUD_SDK, 'executeHttpRequest executeHttpRequestWithOrigin'),
])
/** The rule for addresses of requests. */
export const REQUEST_FAULT = 'cap/ssrf'
const ADDRESSED = { fault: REQUEST_FAULT, as: 'address' } as const
/** The name of a destination decides about host and credentials, among those that the subaccount has. */
const NAMED = { fault: 'cap/ssrf', args: [0], onlyFields: true, fields: ['destinationName'], detail: 'destination' } as const

/** Requests to an address. Facts: Fetch standard; Node.js 24, "http", "net"; undici 7 (`request`, `stream`, `pipeline`, `connect`: the address comes first); documentation of the packages named. */
export const HTTP_SINKS: readonly SinkRow[] = [
  {
    ...ADDRESSED,
    calls: [
      'global:fetch',
      'global:WebSocket new',
      'global:EventSource new',
      'module:node-fetch',
      'module:cross-fetch',
      'module:cross-fetch fetch',
      'module:isomorphic-fetch',
      'module:make-fetch-happen',
      'module:ofetch',
      'module:ofetch ofetch',
      'module:ofetch $fetch',
      ...paths(['module:undici'], 'fetch request stream pipeline connect upgrade'),
      ...paths(['module:undici'], 'Client Pool Agent').map((path) => `${path} new`),
      ...GOT,
      ...paths(GOT, `${VERBS} stream paginate`),
      ...REQUEST,
      ...paths(REQUEST, `${VERBS} del options`),
      'module:needle',
      ...paths(['module:needle', 'module:superagent'], VERBS),
      'module:superagent',
      'module:bent',
      'module:phin',
      'module:wreck get',
      ...paths(['module:@hapi/wreck', 'module:wretch'], VERBS),
      'module:wretch',
      ...paths(HTTP, 'get request'),
      'module:http2 connect',
      'module:ws new',
      'module:ws WebSocket new',
      'module:eventsource new',
      'module:soap createClient',
      'module:soap createClientAsync',
    ],
    args: [0],
    fields: ['url', 'uri', 'host', 'hostname', 'baseUrl', 'prefixUrl'],
  },
  // url.pathname = path
  {
    fault: 'cap/ssrf',
    calls: ['global:fetch', 'module:node-fetch', ...paths(['module:undici'], 'fetch request')],
    args: [0],
    onlyFields: true,
    fields: ['pathname'],
    detail: 'fixed-host',
  },
  // needle('get', url), superagent('GET', url), wreck.request('get', url)
  {
    ...ADDRESSED,
    calls: ['module:needle', 'module:needle request', 'module:superagent', 'module:@hapi/wreck request'],
    args: [1],
  },
  // http.request({ host: HOST, path })
  { fault: 'cap/ssrf', calls: paths(HTTP, 'get request'), args: [0, 1], onlyFields: true, fields: ['path'], detail: 'later' },
  {
    ...ADDRESSED,
    calls: [...AXIOS, ...paths(AXIOS, `${VERBS} options request postForm putForm patchForm`)],
    args: [0],
    fields: ['url', 'baseURL'],
  },
  { ...ADDRESSED, calls: ['module:axios create'], args: [0], onlyFields: true, fields: ['baseURL'] },
  // behind a body stands the configuration: axios.post(url, body, { baseURL })
  { ...ADDRESSED, calls: paths(AXIOS, 'get delete head options'), args: [1], onlyFields: true, fields: ['baseURL'] },
  { ...ADDRESSED, calls: paths(AXIOS, 'post put patch'), args: [2], onlyFields: true, fields: ['baseURL'] },
  {
    ...ADDRESSED,
    calls: paths(CLOUD_SDK, 'executeHttpRequest executeHttpRequestWithOrigin buildHttpRequest'),
    args: [0],
    fields: ['url'],
  },
  { ...NAMED, calls: paths(CLOUD_SDK, 'executeHttpRequest executeHttpRequestWithOrigin buildHttpRequest') },
  {
    ...ADDRESSED,
    calls: paths(CLOUD_SDK, 'executeHttpRequest executeHttpRequestWithOrigin'),
    args: [1],
    fields: ['url', 'baseURL'],
  },
  {
    ...ADDRESSED,
    calls: paths(CONNECTIVITY, 'getDestination getDestinationFromDestinationService useOrFetchDestination'),
    args: [0],
    onlyFields: true,
    fields: ['url'],
  },
  { ...NAMED, calls: paths(CONNECTIVITY, 'getDestination getDestinationFromDestinationService useOrFetchDestination') },
  {
    fault: 'cap/ssrf',
    calls: ['module:sap-cf-destconn readDestination', 'module:sap-cf-axios'],
    args: [0],
    detail: 'destination',
  },
  // the mail server, and whose account it is. Fact: SAP Cloud SDK 4, "Mail Client"
  { ...NAMED, calls: ['module:@sap-cloud-sdk/mail-client sendMail'] },
  // generated clients: SomeApi.requestBuilder().getAll().execute({ destinationName })
  { ...NAMED, named: { how: 'method', names: ['execute', 'executeRaw'] } },
  // XS classic: `client.request(request, url)`, `client.request($.net.http.GET, url)`. Fact: SAP HANA XS JavaScript API, $.net.http.Client, Request, readDestination
  { ...ADDRESSED, calls: ['global:$ net http Client new request'], args: [1] },
  // the path below the address of a destination
  {
    fault: 'cap/ssrf',
    as: 'path',
    calls: ['global:$ net http Request new', 'global:$ web WebRequest new'],
    args: [1],
  },
  { fault: 'cap/ssrf', calls: ['global:$ net http readDestination'], args: [0, 1], detail: 'destination' },
  // the address that a browser gave for its messages. Fact: web-push 3 (README): a POST to `subscription.endpoint`
  { ...ADDRESSED, calls: ['module:web-push sendNotification'], args: [0], fields: ['endpoint'] },
  // browsers that the server drives. Facts: Puppeteer 24, Playwright 1
  {
    ...ADDRESSED,
    calls: [
      'module:puppeteer launch () newPage () goto',
      'module:puppeteer-core launch () newPage () goto',
      'module:playwright chromium launch () newPage () goto',
    ],
    args: [0],
  },
  { ...ADDRESSED, calls: paths(['module:net', 'module:tls'], 'connect createConnection'), args: [1], fields: ['host'] },
  {
    ...ADDRESSED,
    calls: paths(['module:net', 'module:tls'], 'connect createConnection'),
    args: [0],
    onlyFields: true,
    fields: ['host'],
  },
]

/**
 * Connections to hosts of mail, files, directories and databases: what they answer is no text of HTTP. Facts: README of node-imap 0.8, imapflow 1, nodemailer 7, ssh2 1, ssh2-sftp-client 12, basic-ftp 5, ftp 0.3, ldapjs 3, ldapts 8, pg 8 and mysql2 3.
 */
export const CONNECTION_SINKS: readonly SinkRow[] = [
  {
    ...ADDRESSED,
    calls: [
      'module:imap new',
      'module:imapflow ImapFlow new',
      'module:nodemailer createTransport',
      'module:ssh2 Client new connect',
      'module:ssh2-sftp-client new connect',
      'module:basic-ftp Client new access',
      'module:ftp new connect',
      'module:ldapjs createClient',
      'module:ldapts Client new',
      'module:pg Client new',
      'module:pg Pool new',
      ...paths(['module:mysql2', 'module:mysql2/promise', 'module:mysql'], 'createConnection createPool'),
    ],
    args: [0],
    onlyFields: true,
    fields: ['host', 'url'],
  },
]

/**
 * Markup that a browser of the server makes a document of: its scripts run, and its frames and pictures are fetched, beside what only the server reaches. Facts: README of html-pdf 3 (`create`),
 * html-pdf-node 1 (`generatePdf`: `content` or `url`), html-pdf-chrome 0.8, pdf-creator-node 2, node-html-to-image 5, wkhtmltopdf 0.4 (markup, or an address); Puppeteer 24 and
 * Playwright 1, "page.setContent".
 */
export const DOCUMENT_SINKS: readonly SinkRow[] = [
  {
    ...RENDERED,
    calls: [
      ...paths(['module:html-pdf', 'module:html-pdf-lts', 'module:phantom-html2pdf', 'module:html-pdf-chrome'], 'create'),
      'module:wkhtmltopdf',
    ],
    args: [0],
  },
  {
    ...RENDERED,
    calls: [
      ...paths(['module:html-pdf-node'], 'generatePdf generatePdfs'),
      ...paths(['module:pdf-creator-node'], 'create'),
      'module:node-html-to-image',
    ],
    args: [0],
    onlyFields: true,
    fields: ['content', 'html'],
  },
  // whoever launched the browser
  { ...RENDERED, named: { how: 'call', names: ['setContent'], on: /newPage \(\) setContent$/ }, args: [0] },
]

/** Requests to the system that a destination names. */
export const TO_DESTINATIONS: ReadonlySet<string> = new Set(paths(CLOUD_SDK, 'executeHttpRequest executeHttpRequestWithOrigin'))
/** Fields of settings that say which host is asked. */
export const HOST_FIELDS: readonly string[] = ['url', 'uri', 'baseURL', 'baseUrl', 'prefixUrl']
/** Domains on which clouds give applications their addresses. */
export const OWN_CLOUDS: RegExp = /\.(?:azurewebsites\.net|run\.app|herokuapp\.com|appspot\.com|vercel\.app|onrender\.com)$/
