import { toBase64 } from '../material/draw.ts'
import type { Place, PlacePen, Places } from './place.ts'

const js =
  (write: (pen: PlacePen) => string, path = 'srv/remote.js'): Place =>
  (pen) => [path, `${write(pen)}\n`]
const text = (pen: PlacePen, value: string, ...safe: readonly string[]): string => pen.either(`'${pen.put(value)}'`, ...safe)
const password = (pen: PlacePen): string => text(pen, pen.password(), 'process.env.ERP_PASSWORD', 'pw', "''")
const key = (pen: PlacePen): string => text(pen, pen.random(), 'process.env.API_KEY', 'apiKey', "'<key>'")
/** Of a pair: what stands behind `user:` in a text. */
const paired = (pen: PlacePen, quote = "'"): string =>
  pen.either(
    `${quote}${pen.user()}:${pen.put(pen.generated())}${quote}`,
    '`${user}:${pw}`',
    `${quote}user:password${quote}`,
    "user + ':' + pw",
  )

/** Credentials that programs put into addresses, parameters and headers while they run. */
export const RUNTIME_PLACES: Places = {
  'password of an address': js(
    (pen) => `const url = new URL('https://${pen.host()}/odata')\nurl.username = 'svc'\nurl.password = ${password(pen)}`,
  ),
  'password of an address by its key': js((pen) => `url['password'] = ${password(pen)}`),
  'Object.assign on an address': js((pen) => `Object.assign(url, { username: 'svc', password: ${password(pen)} })`),
  'searchParams.set': js((pen) => `const url = new URL('https://${pen.host()}/v1')\nurl.searchParams.set('apikey', ${key(pen)})`),
  'searchParams.append': js((pen) => `url.searchParams.append('api_key', ${key(pen)})`),
  'URLSearchParams of an object': js(
    (pen) =>
      `const query = new URLSearchParams({ apikey: ${key(pen)}, $top: '10' })\nfetch(\`https://${pen.host()}/v1?\${query}\`)`,
  ),
  'URLSearchParams of a list': js((pen) => `const body = new URLSearchParams([['client_secret', ${key(pen)}]])`),
  'URLSearchParams of a text': js(
    (pen) =>
      `const body = new URLSearchParams('grant_type=client_credentials&client_secret=${pen.either(pen.put(pen.random()), '${secret}', '')}')`,
  ),
  'body of a token request': js(
    (pen) =>
      `axios.post(url, 'grant_type=password&username=svc&password=${pen.either(pen.put(pen.generated()), '<password>', '')}')`,
  ),
  'qs.stringify': js((pen) => `const body = qs.stringify({ client_id: 'orders', client_secret: ${key(pen)} })`),
  'search of an address': js((pen) => `url.search = '?apikey=${pen.either(pen.put(pen.random()), '<key>', '')}'`),
  'query in a template': js(
    (pen) => `const url = \`\${host}/v1/orders?apikey=${pen.either(pen.put(pen.random()), '${apiKey}', '${env.KEY}')}&$top=5\``,
  ),
  'query that is joined': js(
    (pen) => `const url = host + '/v1/orders?subscription-key=' + ${text(pen, pen.random(), 'key', 'env.KEY')}`,
  ),
  'query that ends in a key': js(
    (pen) => `const url = \`\${host}/v1?\` + 'apikey=' + ${text(pen, pen.random(), 'key', 'env.KEY')}`,
  ),
  'address that is joined': js(
    (pen) => `const url = 'https://svc:' + ${text(pen, pen.generated(), 'pw', 'process.env.PW')} + '@' + host`,
  ),
  'address in a template': js(
    (pen) => `const url = \`https://svc:${pen.either(pen.put(pen.random()), '${pw}', '${process.env.PW}')}@\${host}/odata\``,
  ),
  btoa: js((pen) => `const headers = { Authorization: 'Basic ' + btoa(${paired(pen)}) }`, 'webapp/model/remote.js'),
  'window.btoa': js((pen) => `xhr.setRequestHeader('Authorization', 'Basic ' + window.btoa(${paired(pen, '"')}))`, 'webapp/r.js'),
  'btoa of joined texts': js(
    (pen) => `const auth = 'Basic ' + btoa('svc:' + ${text(pen, pen.generated(), 'pw', 'env.PW')})`,
    'webapp/model/r.js',
  ),
  'btoa of three texts': js(
    (pen) => `const auth = btoa('svc' + ':' + ${text(pen, pen.generated(), 'pw', 'env.PW')})`,
    'webapp/model/r2.js',
  ),
  'btoa of a joined list': js(
    (pen) => `const auth = 'Basic ' + btoa(['svc', ${text(pen, pen.generated(), 'pw', 'env.PW')}].join(':'))`,
    'webapp/model/scales.js',
  ),
  'btoa of a list that a field holds': js(
    (pen) =>
      `const scales = { url: '/scales', login: ['svc', ${text(pen, pen.generated(), 'pw', 'env.PW')}] }\nexport const header = () => 'Basic ' + btoa(scales.login.join(':'))`,
    'webapp/model/scales.js',
  ),
  'btoa of a template': js(
    (pen) => `const auth = btoa(\`\${user}:${pen.either(pen.put(pen.generated()), '${pw}', '${env.PW}')}\`)`,
    'webapp/model/r3.js',
  ),
  'Buffer.from': js((pen) => `const auth = 'Basic ' + Buffer.from(${paired(pen)}).toString('base64')`),
  'Buffer.from in a template': js(
    (pen) => `const headers = { Authorization: \`Basic \${Buffer.from(${paired(pen)}).toString('base64')}\` }`,
  ),
  'Buffer.from of joined texts': js(
    (pen) => `const auth = Buffer.from('svc' + ':' + ${text(pen, pen.generated(), 'pw', 'env.PW')}).toString('base64')`,
  ),
  'new Buffer': js((pen) => `const auth = new Buffer(${paired(pen)}).toString('base64')`),
  'Base64.encode': js((pen) => `const auth = 'Basic ' + Base64.encode(${paired(pen)})`, 'webapp/util/auth.js'),
  'CryptoJS in base64': js(
    (pen) => `const auth = CryptoJS.enc.Base64.stringify(CryptoJS.enc.Utf8.parse(${paired(pen)}))`,
    'webapp/util/a2.js',
  ),
  'Basic of a ready text': js(
    (pen) => `headers.Authorization = 'Basic ' + ${text(pen, toBase64(`svc:${pen.password()}`), 'basic', 'encoded')}`,
  ),
  'Bearer of a ready text': js(
    (pen) => `headers['Authorization'] = 'Bearer ' + ${text(pen, pen.random(), 'token', 'env.TOKEN')}`,
  ),
  'Bearer in a template': js(
    (pen) => `headers.set('Authorization', \`Bearer ${pen.either(pen.put(pen.random()), '${token}')}\`)`,
  ),
  'headers.append': js((pen) => `headers.append('X-API-Key', ${key(pen)})`),
  'headers by their key': js((pen) => `headers['x-api-key'] = ${key(pen)}`),
  setRequestHeader: js((pen) => `xhr.setRequestHeader("apikey", ${key(pen)})`, 'webapp/c.js'),
  'set of superagent': js((pen) => `request.get(url).set('X-Auth-Token', ${key(pen)})`),
  'headers of Headers': js((pen) => `const headers = new Headers({ 'api-key': ${key(pen)} })`),
  'interceptor of axios': js(
    (pen) => `axios.interceptors.request.use((config) => { config.headers.apikey = ${key(pen)}; return config })`,
  ),
  'auth of axios': js((pen) => `axios.get(url, { auth: { username: 'svc', password: ${password(pen)} } })`),
  'withCredentials of a model': js(
    (pen) => `new ODataModel(url, { user: 'svc', password: ${password(pen)}, json: true })`,
    'webapp/Component.js',
  ),
  'environment set in code': js((pen) => `process.env.ERP_PASSWORD = ${password(pen)}`),
  'environment by its key': js((pen) => `process.env['CLIENT_SECRET'] = ${key(pen)}`),
  'cds.env in code': js((pen) => `cds.env.requires.API.credentials.password = ${password(pen)}`),
  'cds.connect.to': js(
    (pen) => `await cds.connect.to('API', { kind: 'odata', credentials: { url, username: 'svc', password: ${password(pen)} } })`,
  ),
  'UriComponentsBuilder of Spring': (pen) => [
    'src/main/java/U.java',
    `class U { String u = UriComponentsBuilder.fromUriString(host).queryParam("apikey", ${pen.either(`"${pen.put(pen.random())}"`, 'apiKey', 'env("KEY")')}).toUriString(); }\n`,
  ],
  'header of HttpRequest': (pen) => [
    'src/main/java/H.java',
    `class H { HttpRequest r = HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + ${pen.either(`"${pen.put(pen.random())}"`, 'token', 'env("T")')}).build(); }\n`,
  ],
  'Base64 of Java': (pen) => [
    'src/main/java/B.java',
    `class B { String a = "Basic " + Base64.getEncoder().encodeToString(("svc:" + ${pen.either(`"${pen.put(pen.generated())}"`, 'pw', 'env("PW")')}).getBytes()); }\n`,
  ],
  'params of requests': (pen) => [
    'tools/p.py',
    `r = requests.get(url, params={"apikey": ${pen.either(`"${pen.put(pen.random())}"`, 'key', 'os.environ["KEY"]')}, "top": 5})\n`,
  ],
  'header of a session': (pen) => [
    'tools/s.py',
    `session.headers["Authorization"] = "Bearer " + ${pen.either(`"${pen.put(pen.random())}"`, 'token', 'os.environ["T"]')}\n`,
  ],
  'auth of a session': (pen) => [
    'tools/a.py',
    `session.auth = ("svc", ${pen.either(`"${pen.put(pen.password())}"`, 'pw', 'os.environ["PW"]')})\n`,
  ],
  'header of ABAP': (pen) => [
    'src/zcl_h.clas.abap',
    `    lo_client->request->set_header_field( name = 'APIKey' value = ${pen.either(`'${pen.put(pen.random())}'`, 'lv_key', 'get_key( )')} ).\n`,
  ],
  'authenticate of ABAP': (pen) => [
    'src/zcl_a.clas.abap',
    `    lo_client->authenticate( username = 'SVC' password = ${pen.either(`'${pen.put(pen.password())}'`, 'lv_pw', 'me->pw')} ).\n`,
  ],
  'Basic of Groovy': (pen) => [
    'src/script/b.groovy',
    `def auth = "Basic " + "svc:${pen.either(pen.put(pen.generated()), '${pw}', '$pw')}".bytes.encodeBase64().toString()\n`,
  ],
}
