import { drawJwt, toBase64 } from '../material/draw.ts'
import { js, jsKey, json, text, type PlacePen, type Places } from './place.ts'

const textKey = (pen: PlacePen, ...safe: readonly string[]): string => pen.either(`"${pen.put(pen.random())}"`, ...safe)

/** Credentials in the code of clients: how scripts, handlers, controllers and reports sign in somewhere. */
export const CLIENT_PLACES: Places = {
  'connect of a CAP handler': (pen) => [
    'srv/c.js',
    `const s4 = await cds.connect.to('S4', { kind: 'odata-v2', credentials: { url, username: 'SVC', password: ${js(pen, 'pw', 'process.env.PW')} } })\n`,
  ],
  'destination of the SDK': (pen) => [
    'srv/d.ts',
    `await executeHttpRequest({ url: 'https://erp', username: 'svc', password: ${js(pen, 'pw', 'env.PW')} }, { method: 'get' })\n`,
  ],
  'token by axios': (pen) => [
    'srv/e.js',
    `axios.post(url, 'grant_type=client_credentials', { auth: { username: 'sb-o!t1', password: ${jsKey(pen, 'uaa.clientsecret', 'secret')} } })\n`,
  ],
  'query of axios': (pen) => [
    'srv/f.js',
    `const r = await axios.get(url, { params: { q: 'x', 'api-key': ${jsKey(pen, 'key', 'process.env.KEY')} } })\n`,
  ],
  'template of an address': (pen) => [
    'srv/g.js',
    `fetch(\`\${base}/v1/orders?access_token=${pen.either(pen.put(pen.random()), '${token}', '${encodeURIComponent(t)}')}\`)\n`,
  ],
  'ajax of jQuery': (pen) => [
    'webapp/controller/A.controller.js',
    `$.ajax({ url: '/x', beforeSend: (xhr) => xhr.setRequestHeader('Authorization', ${pen.either(`'Basic ${pen.put(toBase64(`svc:${pen.password()}`))}'`, "'Basic ' + btoa(u + ':' + p)")}) })\n`,
  ],
  'btoa of a pair': (pen) => [
    'webapp/controller/B.controller.js',
    `const h = { Authorization: 'Basic ' + btoa(${pen.either(`'SVC:${pen.put(pen.generated())}'`, "u + ':' + p")}) }\n`,
  ],
  'btoa of two literals': (pen) => [
    'webapp/controller/C.controller.js',
    `const h = 'Basic ' + btoa('SVC' + ':' + ${js(pen, 'pw', 'this._pw')})\n`,
  ],
  'member of a controller': (pen) => [
    'webapp/controller/D.controller.js',
    `sap.ui.define([], () => Controller.extend('o.D', { _sApiKey: ${jsKey(pen, "''", 'null')}, onInit() {} }))\n`,
  ],
  'model of JSON': (pen) => [
    'webapp/controller/E.controller.js',
    `this.setModel(new JSONModel({ user: 'svc', password: ${js(pen, "''", 'undefined')} }), 'login')\n`,
  ],
  'setProperty of a model': (pen) => [
    'webapp/controller/F.controller.js',
    `oModel.setProperty('/password', ${js(pen, 'sValue', "''")})\n`,
  ],
  'header of an ODataModel': (pen) => [
    'webapp/Component.js',
    `new ODataModel('/odata/', { headers: { 'APIKey': ${jsKey(pen, 'sKey', 'config.key')} } })\n`,
  ],
  'session storage': (pen) => ['webapp/util/s.js', `sessionStorage.setItem('authToken', ${jsKey(pen, 'token', 'r.token')})\n`],
  'arguments of a login': (pen) => ['e2e/roles.js', `await loginAs('svc', ${js(pen, 'pw', 'env.PW')})\n`],
  'page of a browser test': (pen) => ['e2e/login.ts', `await page.fill('#password', ${js(pen, 'pw', 'process.env.PW!')})\n`],
  'type of a browser test': (pen) => [
    'e2e/login.js',
    `cy.get('input[name=password]').type(${js(pen, "Cypress.env('pw')", 'pw')})\n`,
  ],
  'value of wdi5': (pen) => ['e2e/wdi5.js', `await $('#j_password').setValue(${js(pen, 'process.env.PW', 'pw')})\n`],
  'connection of hdb': (pen) => [
    'srv/h.js',
    `const client = hdb.createClient({ host: 'h', port: 443, user: 'SYSTEM', password: ${js(pen, 'pw', 'process.env.PW')} })\n`,
  ],
  'text of a connection': (pen) => [
    'srv/i.js',
    `conn.connect('serverNode=h:443;uid=SYSTEM;pwd=${pen.hide("' + pw + '", '{pw}')}')\n`,
  ],
  'options that are spread': (pen) => [
    'srv/j.ts',
    `const options = { ...defaults, auth: ['svc', ${js(pen, 'pw', 'env.PW')}] as const }\n`,
  ],
  'class with a field': (pen) => [
    'srv/k.ts',
    `export class Client {\n  private readonly apiToken: string = ${jsKey(pen, "''", 'env.TOKEN')}\n}\n`,
  ],
  'enum of keys': (pen) => [
    'srv/l.ts',
    `export enum Keys {\n  ClientSecret = ${jsKey(pen, "'client_secret'", "'clientsecret'")},\n}\n`,
  ],
  'default of a destructuring': (pen) => [
    'srv/m.js',
    `const { user = 'svc', password = ${js(pen, "''", 'undefined')} } = process.env\n`,
  ],
  'assignment when unset': (pen) => ['srv/n.js', `process.env.DB_PASSWORD ??= ${js(pen, 'pw', "''")}\n`],
  'comparison of a key': (pen) => [
    'srv/o.js',
    `if (req.headers['x-api-key'] !== ${jsKey(pen, 'process.env.KEY', 'key')}) return res.sendStatus(401)\n`,
  ],
  'comparison of a password': (pen) => [
    'srv/p.js',
    `if (user === 'admin' && password === ${js(pen, 'expected', "''")}) next()\n`,
  ],
  'sign of jsonwebtoken': (pen) => [
    'srv/q.js',
    `const t = jwt.sign({ sub: 'x' }, ${jsKey(pen, 'key', 'process.env.KEY')}, { expiresIn: '1h' })\n`,
  ],
  'secret of a session': (pen) => ['srv/r.js', `app.use(session({ secret: [${jsKey(pen, 'env.S', 's1')}], resave: false }))\n`],
  'cipher of crypto': (pen) => [
    'srv/s.js',
    `const c = crypto.createCipheriv('aes-256-cbc', ${pen.either(`'${pen.put(pen.shape('{w32}'))}'`, 'key')}, iv)\n`,
  ],
  'hmac of crypto': (pen) => [
    'srv/t.js',
    `crypto.createHmac('sha256', ${jsKey(pen, 'secret', 'env.S')}).update(body).digest('hex')\n`,
  ],
  'first password of a user': (pen) => [
    'srv/seed.js',
    `const hash = await bcrypt.hash(${js(pen, 'given', 'req.body.pw')}, 10)\n`,
  ],
  'first password of a user, at once': (pen) => [
    'srv/users.js',
    `await User.create({ email, secret: bcryptjs.hashSync(${js(pen, 'given', 'req.body.pw')}, 10) })\n`,
  ],
  'transport of nodemailer': (pen) => [
    'srv/u.js',
    `nodemailer.createTransport({ host: 'h', auth: { user: 'mailer', pass: ${js(pen, 'pass', 'env.PASS')} } })\n`,
  ],
  'address of nodemailer': (pen) => [
    'srv/v.js',
    `nodemailer.createTransport('smtps://mailer:${pen.either(pen.put(pen.random()), '${pw}', "' + pw + '")}@smtp.corp.cloud')\n`,
  ],
  'token in a constant': (pen) => [
    'srv/w.ts',
    `export const TEST_JWT = ${pen.either(`'${pen.put(drawJwt(pen))}'`, 'await token()', "''")}\n`,
  ],
  'record of TypeScript': (pen) => ['srv/x.ts', `const passwords: Record<string, string> = { SVC: ${js(pen, 'pw', "''")} }\n`],
  'map of JavaScript': (pen) => [
    'srv/y.js',
    `const conf = new Map([['user', 'svc'], ['password', ${js(pen, 'pw', 'env.PW')}]])\n`,
  ],
  'spawn of a command': (pen) => [
    'tools/z.js',
    `spawnSync('cf', ['auth', 'ops@corp.cloud', ${js(pen, 'pw', 'process.env.PW')}])\n`,
  ],
  'exec of a command': (pen) => [
    'tools/y.js',
    `execSync(\`cf login -a \${api} -u ops -p ${pen.either(pen.put(pen.generated()), '${pw}', '$CF_PW')} -o o\`)\n`,
  ],
  'ABAP: parameters': (pen) => [
    'src/z1.prog.abap',
    `PARAMETERS: p_user TYPE string DEFAULT 'SVC',\n            p_pass TYPE string LOWER CASE DEFAULT ${pen.either(`'${pen.put(pen.password())}'`, 'space', "''")}.\n`,
  ],
  'ABAP: inline data': (pen) => [
    'src/z2.prog.abap',
    `DATA(lv_client_secret) = ${pen.either(`'${pen.put(pen.random())}'`, 'get_secret( )', "''")}.\n`,
  ],
  'ABAP: template text': (pen) => [
    'src/z3.prog.abap',
    `lv_body = |grant_type=client_credentials&client_secret=${pen.key('{ lv_secret }', '{ iv_s }')}|.\n`,
  ],
  'ABAP: fields of a structure': (pen) => [
    'src/z4.prog.abap',
    `ls_conn = VALUE #( host = 'h' user = 'SVC' passwd = ${pen.either(`'${pen.put(pen.password())}'`, 'iv_pw', 'space')} ).\n`,
  ],
  'ABAP: authenticate of a client': (pen) => [
    'src/z5.prog.abap',
    `lo_http->authenticate( EXPORTING username = 'SVC' password = ${pen.either(`\`${pen.put(pen.password())}\``, 'lv_pw', '``')} ).\n`,
  ],
  'ABAP: row of a table': (pen) => [
    'src/z6.prog.abap',
    `APPEND VALUE #( name = 'password' value = ${pen.either(`'${pen.put(pen.password())}'`, 'lv_pw', "''")} ) TO lt_form.\n`,
  ],
  'Java: chained setters': (pen) => [
    'src/main/java/A.java',
    `class A { Object o = new Conf().setUser("svc").setClientSecret(${textKey(pen, 'secret', 'env("S")')}); }\n`,
  ],
  'Java: system variable with default': (pen) => [
    'src/main/java/B.java',
    `class B { String token = System.getProperty("api.token", ${textKey(pen, '""', 'null')}); }\n`,
  ],
  'Java: text block': (pen) => [
    'src/main/java/C.java',
    `class C { String body = """\n    {"user": "svc", "password": "${pen.hide('%s', '${pw}')}"}\n    """; }\n`,
  ],
  'Java: concatenated body': (pen) => [
    'src/main/java/D.java',
    `class D { String body = "client_id=sb-o!t1&client_secret=${pen.key('" + secret + "', '')}&grant_type=x"; }\n`,
  ],
  'Java: driver manager': (pen) => [
    'src/main/java/E.java',
    `class E { Connection c = DriverManager.getConnection("jdbc:sap://h:443", "SYSTEM", ${text(pen, 'pw', 'System.getenv("PW")')}); }\n`,
  ],
  'Java: array of characters': (pen) => [
    'src/main/java/F.java',
    `class F { private static final char[] KEYSTORE_PASSWORD = ${text(pen, 'pw', 'System.getenv("PW")')}.toCharArray(); }\n`,
  ],
  'Java: annotation': (pen) => [
    'src/main/java/G.java',
    `@DataSourceDefinition(name = "x", user = "app", password = ${text(pen, 'PW', '""')})\nclass G {}\n`,
  ],
  'Java: mock bean of a test': (pen) => [
    'src/main/java/H.java',
    `class H { @Test void t() { mvc.perform(get("/x").header("Authorization", ${pen.either(`"Bearer ${pen.put(pen.random())}"`, '"Bearer " + token')})); } }\n`,
  ],
  'Python: f-string': (pen) => [
    'tools/a.py',
    `url = f"https://svc:${pen.either(pen.put(pen.random()), '{pw}', '{os.environ["PW"]}')}@{host}/odata"\n`,
  ],
  'Python: session of requests': (pen) => [
    'tools/b.py',
    `s = requests.Session()\ns.auth = ("svc", ${text(pen, 'pw', 'os.environ["PW"]')})\n`,
  ],
  'Python: update of headers': (pen) => [
    'tools/c.py',
    `s.headers.update({"X-API-Key": ${textKey(pen, 'key', 'os.environ["KEY"]')}})\n`,
  ],
  'Python: argparse': (pen) => [
    'tools/d.py',
    `parser.add_argument("--password", "-p", default=${text(pen, 'None', 'os.getenv("PW")')}, help="password")\n`,
  ],
  'Python: click': (pen) => [
    'tools/e.py',
    `@click.option("--api-key", default=${textKey(pen, 'None', '""')}, show_default=False)\ndef main(): ...\n`,
  ],
  'Python: engine': (pen) => [
    'tools/f.py',
    `engine = create_engine("hana+hdbcli://SYSTEM:${pen.either(pen.put(pen.random()), '{pw}', '%s')}@h:443")\n`,
  ],
  'Python: boto3': (pen) => [
    'tools/g.py',
    `s3 = boto3.client("s3", aws_access_key_id=key, aws_secret_access_key=${pen.either(`"${pen.put(pen.shape('{b40}'))}"`, 'secret', 'None')})\n`,
  ],
  'Python: assertion of a test': (pen) => [
    'tools/h.py',
    `if request.headers.get("X-Token") != ${textKey(pen, 'TOKEN', 'None')}:\n    abort(401)\n`,
  ],
  'Python: configuration text': (pen) => [
    'tools/i.py',
    `CONFIG = """\n[erp]\nuser = svc\npassword = ${pen.hide('%(pw)s', '${pw}')}\n"""\n`,
  ],
  'shell: variable and use': (pen) => [
    'a.sh',
    `PASS=${pen.either(pen.put(pen.generated()), '$1', '$(pass show erp)')}\ncurl -u "svc:$PASS" https://erp.corp.cloud\n`,
  ],
  'shell: default of a variable': (pen) => ['b.sh', `: "\${ERP_PASSWORD:=${pen.either(pen.put(pen.generated()), '', '$PW')}}"\n`],
  'shell: read only': (pen) => ['c.sh', `readonly CLIENT_SECRET="${pen.key('$1', '')}"\nlocal -r TOKEN="$2"\n`],
  'shell: data of curl': (pen) => [
    'd.sh',
    `curl -X POST "$URL/oauth/token" -d "grant_type=client_credentials" -d "client_secret=${pen.key('$SECRET', '${SECRET}')}"\n`,
  ],
  'shell: JSON data of curl': (pen) => [
    'e.sh',
    `curl -H 'Content-Type: application/json' --data '{"user":"svc","password":"${pen.hide("'$PW'", '<pw>')}"}' https://erp.corp.cloud\n`,
  ],
  'shell: header of curl': (pen) => ['f.sh', `curl -s -H "APIKey:${pen.key('$KEY', '${KEY}')}" https://sandbox.api.sap.com/x\n`],
  'shell: cf push variable': (pen) => [
    'g.sh',
    `cf push --var db_password=${pen.either(pen.put(pen.generated()), '$PW', '"$PW"')} -f manifest.yml\n`,
  ],
  'shell: cf set-env': (pen) => ['h.sh', `cf se orders ERP_PASSWORD "${pen.hide('$PW', '${PW}')}"\n`],
  'shell: btp create': (pen) => [
    'i.sh',
    `btp login --url https://cli.btp.cloud.sap --subdomain corp --user ops --password=${pen.either(pen.put(pen.generated()), '$PW', '"$PW"')}\n`,
  ],
  'shell: sshpass': (pen) => ['j.sh', `sshpass -p'${pen.hide('$PW', '${PW}')}' scp a svc@h:/tmp\n`],
  'batch: set': (pen) => ['k.bat', `@echo off\nset "CF_PASSWORD=${pen.hide('%1', '')}"\ncf push\n`],
  'PowerShell: hash table': (pen) => [
    'l.ps1',
    `$body = @{ grant_type = "client_credentials"; client_secret = ${textKey(pen, '$secret', '$env:S')} }\n`,
  ],
  'scripts of package.json': (pen) => [
    'package.json',
    json({
      name: 'o',
      scripts: { deploy: `cf login -u ops -p ${pen.either(pen.put(pen.generated()), '$CF_PW', '%CF_PW%')} && cf deploy a.mtar` },
    }),
  ],
  'environment in scripts of package.json': (pen) => [
    'package.json',
    json({
      name: 'o',
      scripts: { start: `cross-env ERP_PASSWORD=${pen.either(pen.put(pen.generated()), '$PW', '%PW%')} cds watch` },
    }),
  ],
}
