import { drawSecret } from '../../secret-values.ts'
import { toBase64 } from './draw.ts'
import type { Writers } from './sample.ts'

/** Programs: by the names of options, arguments and headers, and by what text is made of. */
export const CODE_CONTEXTUAL: Writers = {
  'auth of axios': (pen) => [
    'srv/a.js',
    `const axios = require('axios')\nmodule.exports = () => axios.get('https://${pen.host()}', { auth: { username: '${pen.user()}', password: '${pen.put(pen.password())}' } })\n`,
  ],
  'basic header in a literal': (pen) => [
    'webapp/model/a.js',
    `sap.ui.define([], function () {\n  return { headers: { "Authorization": "Basic ${pen.put(toBase64(`${pen.user()}:${pen.password()}`))}" } };\n});\n`,
  ],
  'basic header by btoa': (pen) => [
    'webapp/controller/B.controller.js',
    `sap.ui.define([], function () {\n  var h = "Basic " + btoa("${pen.user()}:${pen.put(pen.generated())}");\n  return h;\n});\n`,
  ],
  'basic header by Buffer': (pen) => [
    'srv/b.js',
    `const auth = 'Basic ' + Buffer.from('${pen.user()}:${pen.put(pen.generated())}').toString('base64')\nmodule.exports = auth\n`,
  ],
  'bearer header in a literal': (pen) => [
    'srv/c.ts',
    `export const headers = { Authorization: 'Bearer ${pen.put(pen.random())}' }\n`,
  ],
  'key header in a literal': (pen) => [
    'webapp/model/api.js',
    `fetch(url, { headers: { "APIKey": "${pen.put(pen.shape('{w32}'))}", "Accept": "application/json" } });\n`,
  ],
  'key header with dashes': (pen) => ['srv/d.js', `module.exports = { headers: { 'x-api-key': '${pen.put(pen.random())}' } }\n`],
  setRequestHeader: (pen) => [
    'webapp/c.js',
    `xhr.setRequestHeader("Authorization", "Basic ${pen.put(toBase64(`${pen.user()}:${pen.password()}`))}");\n`,
  ],
  'setRequestHeader of a key': (pen) => ['webapp/k.js', `xhr.setRequestHeader("X-API-Key", "${pen.put(pen.random())}");\n`],
  ODataModel: (pen) => [
    'webapp/Component.js',
    `sap.ui.define(["sap/ui/model/odata/v2/ODataModel"], function (ODataModel) {\n  return new ODataModel("/sap/opu/odata/x", { user: "${pen.user()}", password: "${pen.put(pen.password())}" });\n});\n`,
  ],
  'jQuery.ajax': (pen) => [
    'webapp/ajax.js',
    `$.ajax({ url: "/x", username: "${pen.user()}", password: "${pen.put(pen.password())}" });\n`,
  ],
  'XMLHttpRequest.open': (pen) => [
    'webapp/open.js',
    `const password = '${pen.put(pen.password())}';\nxhr.open("GET", "/x", true, "me", password);\n`,
  ],
  'session secret': (pen) => ['srv/session.js', `app.use(session({ secret: '${pen.put(pen.random())}', resave: false }))\n`],
  'signing of a token': (pen) => [
    'srv/jwt.js',
    `const jwt = require('jsonwebtoken')\nmodule.exports = (user) => jwt.sign({ user }, '${pen.put(pen.random())}', { expiresIn: '1h' })\n`,
  ],
  HMAC: (pen) => [
    'srv/hmac.js',
    `const crypto = require('crypto')\nmodule.exports = (body) => crypto.createHmac('sha256', '${pen.put(pen.random())}').update(body).digest('hex')\n`,
  ],
  'signing with a constant': (pen) => [
    'srv/partner.js',
    `const jwt = require('jsonwebtoken')\nconst KEY = '${pen.put(pen.random())}'\nmodule.exports = (user) => jwt.sign({ user }, KEY, { expiresIn: '1h' })\n`,
  ],
  'signing with a constant where nothing is set': (pen) => [
    'srv/partner.ts',
    `import jwt from 'jsonwebtoken'\nexport const who = (token: string) => jwt.verify(token, process.env.KEY ?? '${pen.put(pen.random())}')\n`,
  ],
  nodemailer: (pen) => [
    'srv/mail.js',
    `nodemailer.createTransport({ host: 'smtp.corp.cloud', auth: { user: 'svc', pass: '${pen.put(pen.password())}' } })\n`,
  ],
  'client secret of a form': (pen) => [
    'srv/form.js',
    `const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'orders', client_secret: '${pen.put(pen.random())}' })\n`,
  ],
  'form in a text': (pen) => [
    'srv/body.js',
    `const body = 'grant_type=password&username=svc&password=${pen.put(pen.random())}'\n`,
  ],
  'environment variable set': (pen) => ['srv/env.js', `process.env.ERP_PASSWORD = '${pen.put(pen.password())}'\n`],
  'environment variable set by index': (pen) => ['srv/env2.js', `process.env['CLIENT_SECRET'] = '${pen.put(pen.random())}'\n`],
  'commented-out constant': (pen) => [
    'srv/old.js',
    `// const password = '${pen.put(pen.password())}'\nconst password = process.env.PASSWORD\n`,
  ],
  'commented-out block': (pen) => [
    'webapp/old.js',
    `/*\n  user: "${pen.user()}",\n  password: "${pen.put(pen.password())}",\n*/\nvar a = 1;\n`,
  ],
  'default of a parameter': (pen) => [
    'srv/def.ts',
    `export function connect(host: string, password = '${pen.put(pen.password())}') {\n  return [host, password]\n}\n`,
  ],
  'default of a destructured': (pen) => [
    'srv/des.js',
    `const { ERP_PASSWORD = '${pen.put(pen.password())}' } = process.env\nmodule.exports = ERP_PASSWORD\n`,
  ],
  'template literal': (pen) => ['srv/tpl.js', `const apiKey = \`${pen.put(pen.random())}\`\nmodule.exports = apiKey\n`],
  'concatenated literal': (pen) => [
    'srv/cat.js',
    `const options = { url: 'https://x', clientSecret: '${pen.put(pen.random())}' + '' }\nmodule.exports = options\n`,
  ],
  'property set by index': (pen) => [
    'srv/idx.js',
    `const o = {}\no['password'] = '${pen.put(pen.password())}'\nmodule.exports = o\n`,
  ],
  'JSON model': (pen) => [
    'webapp/m.js',
    `var oModel = new JSONModel({ "userName": "SRV", "passWord": "${pen.put(pen.password())}" });\n`,
  ],
  setProperty: (pen) => ['webapp/sp.js', `oModel.setProperty("/password", "${pen.put(pen.password())}");\n`],
  'destination of the cloud SDK': (pen) => [
    'srv/sdk.ts',
    `executeHttpRequest({ url: 'https://${pen.host()}', username: '${pen.user()}', password: '${pen.put(pen.password())}' })\n`,
  ],
  'CAP connect': (pen) => [
    'srv/cds.js',
    `const srv = await cds.connect.to({ kind: 'odata', credentials: { url: 'https://${pen.host()}', username: '${pen.user()}', password: '${pen.put(pen.password())}' } })\n`,
  ],
  'Java setter': (pen) => [
    'src/main/java/A.java',
    `class A { void a(DataSource ds) {\n  ds.setUsername("app");\n  ds.setPassword("${pen.put(pen.password())}");\n} }\n`,
  ],
  'Java credentials': (pen) => [
    'src/main/java/B.java',
    `class B {\n  Object o = new UsernamePasswordCredentials("${pen.user()}", "${pen.put(pen.password())}");\n}\n`,
  ],
  'Java map': (pen) => [
    'src/main/java/C.java',
    `class C {\n  void p(Properties p) { p.put("password", "${pen.put(pen.password())}"); }\n}\n`,
  ],
  'Java setProperty': (pen) => [
    'src/main/java/D.java',
    `class D {\n  void p(Properties p) { p.setProperty("client.secret", "${pen.put(pen.random())}"); }\n}\n`,
  ],
  'Java header': (pen) => [
    'src/main/java/E.java',
    `class E {\n  void p(Req r) { r.header("Authorization", "Basic ${pen.put(toBase64(`svc:${pen.password()}`))}"); }\n}\n`,
  ],
  'Java annotation': (pen) => [
    'src/main/java/F.java',
    `class F {\n  @Value("\${erp.password:${pen.put(pen.random())}}")\n  private String password;\n}\n`,
  ],
  'Java builder': (pen) => [
    'src/main/java/G.java',
    `class G {\n  Object d = DefaultHttpDestination.builder("https://x").basicCredentials("${pen.user()}", "${pen.put(pen.password())}").build();\n}\n`,
  ],
  'Python auth': (pen) => ['a.py', `requests.get(url, auth=('${pen.user()}', '${pen.put(pen.password())}'))\n`],
  'Python argument': (pen) => ['b.py', `client = Client(host="x", password="${pen.put(pen.password())}")\n`],
  'Python dictionary': (pen) => ['c.py', `config = {\n    'user': 'svc',\n    'password': '${pen.put(pen.password())}',\n}\n`],
  'Python environment': (pen) => [
    'd.py',
    `os.environ['CLIENT_SECRET'] = '${pen.put(pen.random())}'\nx = os.getenv("DB_PASSWORD", "${pen.put(pen.password())}")\n`,
  ],
  'Groovy map': (pen) => [
    'vars/deploy.groovy',
    `def call() {\n  cloudFoundryDeploy(script: this, user: 'svc', password: '${pen.put(pen.password())}')\n}\n`,
  ],
  'address with credentials': (pen) => [
    'srv/url.js',
    `module.exports = fetch('https://svc:${pen.put(pen.random())}@${pen.host()}/odata')\n`,
  ],
  'percent-encoded address': (pen) => [
    '.env',
    `DATABASE_URL=postgresql://app:${pen.put(`${pen.shape('{A1}{w8}{d2}')}%40${pen.shape('{w6}{d2}')}%23`)}@pg.corp.cloud/orders\n`,
  ],
  'key in an address': (pen) => [
    'webapp/map.js',
    `var url = "https://maps.corp.cloud/js?api_key=${pen.put(pen.random())}&v=3";\n`,
  ],
  'token in an address': (pen) => [
    'srv/hook.js',
    `fetch('https://hooks.corp.cloud/run?access_token=${pen.put(pen.random())}')\n`,
  ],
  'signature in an address': (pen) => [
    'srv/sig.js',
    `const u = 'https://prod-12.westeurope.logic.azure.com/workflows/a/triggers/manual/paths/invoke?api-version=2016-10-01&sp=%2Ftriggers&sv=1.0&sig=${pen.put(pen.shape('{u43}'))}'\n`,
  ],
  'binding in base64': (pen) => [
    'srv/b64.js',
    `const key = JSON.parse(Buffer.from('${pen.put(toBase64(JSON.stringify({ clientid: 'sb-a!t1', clientsecret: pen.shape('{b27}='), url: 'https://x.authentication.eu10.hana.ondemand.com' })))}', 'base64'))\n`,
  ],
  'address in base64': (pen) => [
    'k8s/s.yaml',
    `apiVersion: v1\nkind: Secret\ndata:\n  url: ${pen.put(toBase64(`postgres://app:${pen.random()}@pg.corp.cloud/orders`))}\n`,
  ],
  'unicode escapes': (pen) => ['config/u.json', `{ "\\u0070assword": "${pen.put(pen.random())}" }\n`],
  'private key over lines': (pen) => ['certs/server.key', `${pen.put(drawSecret('pkcs8-key', pen.shape('{w8}')))}\n`],
  'private key in YAML': (pen) => [
    'chart/values.yaml',
    `tls:\n  key: |\n    ${pen.put(drawSecret('pkcs8-key-indented', pen.shape('{w8}')))}\n`,
  ],
  'private key in a template': (pen) => [
    'srv/key.js',
    `module.exports = \`${pen.put(drawSecret('rsa-key', pen.shape('{w8}')))}\`\n`,
  ],
  'service account of Google': (pen) => [
    'config/sa.json',
    JSON.stringify(
      {
        type: 'service_account',
        project_id: 'p',
        private_key_id: pen.shape('{h40}'),
        private_key: pen.put(drawSecret('pkcs8-key', pen.shape('{w8}'))),
        client_email: 'a@p.iam.gserviceaccount.com',
      },
      undefined,
      2,
    ),
  ],
  'block scalar of YAML': (pen) => [
    'config/b.yaml',
    `files:\n  - path: .env\n    content: |\n      USER=a\n      ERP_PASSWORD=${pen.put(pen.generated())}\n`,
  ],
  'block scalar with JSON': (pen) => [
    'k8s/c.yaml',
    `apiVersion: v1\nkind: ConfigMap\ndata:\n  key.json: |-\n    {\n      "clientid": "sb-a!t1",\n      "clientsecret": "${pen.put(pen.shape('{b27}='))}"\n    }\n`,
  ],
  'folded scalar of YAML': (pen) => ['config/f.yaml', `password: >-\n  ${pen.put(pen.generated())}\nuser: a\n`],
  'flow mapping of YAML': (pen) => ['config/flow.yaml', `db: { host: pg, user: app, password: ${pen.put(pen.generated())} }\n`],
  'commented-out line of YAML': (pen) => [
    'mta.yaml',
    `ID: a\nmodules:\n  - name: b\n    properties:\n      # ERP_PASSWORD: ${pen.put(pen.generated())}\n      A: 1\n`,
  ],
  'wdi5 configuration': (pen) => [
    'wdio.conf.js',
    `exports.config = { wdi5: { url: '#' }, capabilities: [{ 'wdi5:authentication': { provider: 'BTP', user: 'a@acme.com', password: '${pen.put(pen.password())}' } }] }\n`,
  ],
  'CDS comment': (pen) => ['srv/a.cds', `// user: svc, password: '${pen.put(pen.password())}'\nservice A {}\n`],
  'settings of VS Code': (pen) => [
    '.vscode/settings.json',
    JSON.stringify(
      { 'editor.tabSize': 2, 'rest-client.environmentVariables': { dev: { host: 'x', clientSecret: pen.put(pen.random()) } } },
      undefined,
      2,
    ),
  ],
  'settings with a comment': (pen) => [
    '.vscode/sftp.json',
    `{\n  // deployment\n  "host": "10.1.1.1",\n  "password": "${pen.put(pen.password())}",\n}\n`,
  ],
}
