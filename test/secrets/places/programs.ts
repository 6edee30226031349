import { text, type PlacePen, type Places } from './place.ts'

/** A password in double quotes, or an expression without one. */
const single = (pen: PlacePen, ...safe: readonly string[]): string => pen.either(`'${pen.put(pen.password())}'`, ...safe)
const quotedKey = (pen: PlacePen, ...safe: readonly string[]): string => pen.either(`"${pen.put(pen.random())}"`, ...safe)

/** Credentials in programs, as their languages and the libraries of this field take them. */
export const PROGRAM_PLACES: Places = {
  'method parameters of ABAP': (pen) => [
    'src/zcl_call.clas.abap',
    `METHOD call.\n  lo_client->authenticate( username = 'SVC_ERP' password = ${single(pen, 'iv_pw', 'me->pw')} ).\nENDMETHOD.\n`,
  ],
  'exporting of ABAP over lines': (pen) => [
    'src/zdest.prog.abap',
    `CALL FUNCTION 'RFC_MODIFY_HTTP_DESTINATION'\n  EXPORTING\n    destination = 'ERP'\n    user        = 'SVC'\n    password    = ${single(pen, 'lv_pw', 'gs_conf-pw')}.\n`,
  ],
  'constants block of ABAP': (pen) => [
    'src/zconst.intf.abap',
    `CONSTANTS:\n  BEGIN OF gc_auth,\n    user          TYPE string VALUE 'SVC',\n    client_secret TYPE string VALUE ${pen.either(`'${pen.put(pen.random())}'`, "''", 'IS INITIAL')},\n  END OF gc_auth.\n`,
  ],
  'header field of ABAP': (pen) => [
    'src/zhttp.prog.abap',
    `lo_request->set_header_field( i_name = 'APIKey' i_value = ${pen.either(`'${pen.put(pen.random())}'`, 'lv_key', 'get_key( )')} ).\n`,
  ],
  'builder of Java': (pen) => [
    'src/main/java/D.java',
    `var d = DefaultHttpDestination.builder("https://erp.corp.cloud").user("SVC").password(${text(pen, 'pw', 'env("PW")')}).build();\n`,
  ],
  'properties of JCo': (pen) => [
    'src/main/java/Jco.java',
    `Properties p = new Properties();\np.setProperty(DestinationDataProvider.JCO_USER, "SVC");\np.setProperty(DestinationDataProvider.JCO_PASSWD, ${text(pen, 'pw', 'System.getenv("PW")')});\n`,
  ],
  'field of Java with a modifier': (pen) => [
    'src/main/java/K.java',
    `class K {\n  private static final String CLIENT_SECRET = ${quotedKey(pen, 'null', 'Config.get("s")')};\n}\n`,
  ],
  'default of @Value': (pen) => [
    'src/main/java/V.java',
    `class V {\n  @Value("\${erp.password:${pen.hide('', '#{null}')}}")\n  private String pw;\n}\n`,
  ],
  'basic authentication of RestTemplate': (pen) => [
    'src/main/java/R.java',
    `RestTemplate t = new RestTemplateBuilder().basicAuthentication("svc", ${text(pen, 'pw', 'config.pw()')}).build();\n`,
  ],
  'in-memory user of Spring': (pen) => [
    'src/main/java/S.java',
    `UserDetails u = User.withUsername("ops").password(${text(pen, 'encoder.encode(pw)', 'hash')}).roles("ADMIN").build();\n`,
  ],
  'datasource of Hikari': (pen) => [
    'src/main/java/H.java',
    `HikariConfig c = new HikariConfig();\nc.setUsername("ORDERS");\nc.setPassword(${text(pen, 'pw', 'secrets.get("db")')});\n`,
  ],
  'map of Java': (pen) => [
    'src/main/java/M.java',
    `Map<String, String> m = Map.of("user", "svc", "password", ${text(pen, 'pw', 'read()')});\n`,
  ],
  'put of Java': (pen) => [
    'src/main/java/P.java',
    `params.put("client_secret", ${quotedKey(pen, 'secret', 'key.getSecret()')});\n`,
  ],
  'form of OkHttp': (pen) => [
    'src/main/java/F.java',
    `new FormBody.Builder().add("grant_type", "password").add("password", ${text(pen, 'pw', 'user.pw')}).build();\n`,
  ],
  'named arguments of Kotlin': (pen) => [
    'src/main/kotlin/D.kt',
    `val client = ErpClient(user = "svc", password = ${text(pen, 'System.getenv("PW")', 'pw')})\n`,
  ],
  'constant of Kotlin': (pen) => [
    'src/main/kotlin/C.kt',
    `object C {\n  const val API_KEY: String = ${quotedKey(pen, 'BuildConfig.KEY', '""')}\n}\n`,
  ],
  'pairs of Kotlin': (pen) => [
    'src/main/kotlin/P.kt',
    `val conf = mapOf("user" to "svc", "password" to ${text(pen, 'pw', 'env["PW"]')})\n`,
  ],
  'elvis of Kotlin': (pen) => [
    'src/main/kotlin/E.kt',
    `val dbPassword = System.getenv("DB_PASSWORD") ?: ${text(pen, 'error("no password")', '""')}\n`,
  ],
  'map of Groovy': (pen) => ['src/Deploy.groovy', `def cred = [user: 'svc', password: ${single(pen, 'env.PW', "''")}]\n`],
  'setters of CPI scripts': (pen) => [
    'src/main/resources/script/s.groovy',
    `def Message processData(Message message) {\n  message.setHeader("apikey", ${quotedKey(pen, 'key', 'secureStore.get("k")')})\n  return message\n}\n`,
  ],
  'keyword arguments of Python': (pen) => [
    'tools/c.py',
    `conn = dbapi.connect(address='h', port=443, user='ORDERS', password=${single(pen, 'pw', "os.environ['PW']")})\n`,
  ],
  'tuple of requests': (pen) => [
    'tools/r.py',
    `r = requests.get(url, auth=HTTPBasicAuth('svc', ${single(pen, 'pw', 'getpass()')}))\n`,
  ],
  'default of os.environ': (pen) => [
    'tools/e.py',
    `CLIENT_SECRET = os.environ.get('CLIENT_SECRET', ${pen.either(`'${pen.put(pen.random())}'`, "''", 'None')})\n`,
  ],
  'settings of Python': (pen) => [
    'tools/settings.py',
    `DATABASES = {'default': {'ENGINE': 'django_hana', 'USER': 'ORDERS', 'PASSWORD': ${single(pen, "env('PW')", "''")}}}\n`,
  ],
  'item of a dict of Python': (pen) => [
    'tools/d.py',
    `headers = {}\nheaders["x-api-key"] = ${quotedKey(pen, 'key', 'os.getenv("KEY")')}\n`,
  ],
  'data class of Python': (pen) => [
    'tools/k.py',
    `@dataclass\nclass Conf:\n    user: str = "svc"\n    password: str = ${text(pen, '""', 'field(repr=False)')}\n`,
  ],
  'set of an environment in Python': (pen) => [
    'tools/o.py',
    `os.environ["AICORE_CLIENT_SECRET"] = ${quotedKey(pen, 'key["clientsecret"]', 'getpass.getpass()')}\n`,
  ],
  'object initializer of C#': (pen) => [
    'src/D.cs',
    `var c = new ErpClient { User = "svc", Password = ${text(pen, 'pw', 'configuration["Pw"]')} };\n`,
  ],
  'indexer of C#': (pen) => ['src/I.cs', `rfcConfig[RfcConfigParameters.Password] = ${text(pen, 'pw', 'vault.Get("pw")')};\n`],
  'add of RfcConfigParameters': (pen) => [
    'src/R.cs',
    `parms.Add(RfcConfigParameters.Password, ${text(pen, 'pw', 'conf.Pw')});\n`,
  ],
  'constant of C#': (pen) => ['src/K.cs', `private const string ClientSecret = ${quotedKey(pen, 'Empty', '""')};\n`],
  'default header of C#': (pen) => [
    'src/H.cs',
    `client.DefaultRequestHeaders.Add("APIKey", ${quotedKey(pen, 'key', 'Key()')});\n`,
  ],
  'verbatim string of C#': (pen) => [
    'src/V.cs',
    `string password = @${pen.either(`"${pen.put(pen.password())}"`, '""', '"<password>"')};\n`,
  ],
  'fields of a struct of Go': (pen) => [
    'cmd/d.go',
    `conf := erp.Config{\n\tUser:     "svc",\n\tPassword: ${text(pen, 'os.Getenv("PW")', '""')},\n}\n`,
  ],
  'constants of Go': (pen) => [
    'cmd/k.go',
    `const (\n\tuser         = "svc"\n\tclientSecret = ${quotedKey(pen, '""', 'defaultSecret')}\n)\n`,
  ],
  'SetBasicAuth of Go': (pen) => ['cmd/b.go', `req.SetBasicAuth("svc", ${text(pen, 'pw', 'os.Getenv("PW")')})\n`],
  'Header.Set of Go': (pen) => ['cmd/h.go', `req.Header.Set("X-API-Key", ${quotedKey(pen, 'key', 'conf.Key')})\n`],
  'Setenv of Go': (pen) => ['cmd/s.go', `os.Setenv("DB_PASSWORD", ${text(pen, 'pw', '""')})\n`],
  'parameter of PowerShell': (pen) => [
    'tools/p.ps1',
    `param(\n  [string]$User = "svc",\n  [string]$Password = ${text(pen, '$env:PW', '""')}\n)\n`,
  ],
  'environment of PowerShell': (pen) => ['tools/e.ps1', `$env:CF_PASSWORD = ${text(pen, '$pw', '(Get-Secret cf)')}\n`],
  'hashtable of PowerShell': (pen) => [
    'tools/h.ps1',
    `$body = @{ grant_type = 'client_credentials'; client_secret = ${single(pen, '$secret', '$env:S')} }\n`,
  ],
  'argument of Invoke-Sqlcmd': (pen) => [
    'tools/q.ps1',
    `Invoke-Sqlcmd -ServerInstance db -Username sa -Password ${text(pen, '$pw', '$env:PW')} -Query "select 1"\n`,
  ],
  'set of a batch file': (pen) => [
    'tools/d.bat',
    `@echo off\r\nset CF_USER=ops\r\nset CF_PASSWORD=${pen.hide('%1', '%PW%')}\r\ncf api x\r\n`,
  ],
  'quoted set of a batch file': (pen) => ['tools/e.cmd', `@echo off\r\nset "DB_PASSWORD=${pen.hide('%~1', '')}"\r\n`],
  setx: (pen) => ['tools/x.bat', `setx ERP_PASSWORD "${pen.hide('%1', '%PW%')}"\r\n`],
  'shell array': (pen) => ['tools/a.sh', `declare -A cred=([user]=svc [password]="${pen.hide('$PW', '${PW}')}")\n`],
  'shell default': (pen) => [
    'tools/f.sh',
    `PASSWORD="\${PASSWORD:-${pen.hide('$DEFAULT', '')}}"\nDB_PASS=\${DB_PASS:=${pen.either(pen.put(pen.generated()), '$X', '')}}\n`,
  ],
  'export before a command': (pen) => ['tools/g.sh', `SAP_PASSWORD='${pen.hide('$1', '${PW}')}' npm run deploy\n`],
  'read of a prompt answered': (pen) => [
    'tools/y.sh',
    `printf '%s\\n' "${pen.either(pen.put(pen.generated()), '$PW', '${PW}')}" | docker login r.corp.cloud -u ci --password-stdin\n`,
  ],
  'interface default of TypeScript': (pen) => [
    'srv/t.ts',
    `class Client {\n  constructor(private readonly user = 'svc', private readonly password: string = ${single(pen, "''", 'env.PW')}) {}\n}\n`,
  ],
  'readonly member of TypeScript': (pen) => [
    'srv/m.ts',
    `export class C {\n  private readonly apiKey = ${quotedKey(pen, 'env.KEY ?? ""', 'readKey()')}\n}\n`,
  ],
  'as const of TypeScript': (pen) => [
    'srv/c.ts',
    `export const auth = { user: 'svc', pass: ${single(pen, 'process.env.PW', "''")} } as const\n`,
  ],
  'transport of nodemailer': (pen) => [
    'srv/mail.js',
    `const t = nodemailer.createTransport({ host: 'smtp.corp.cloud', port: 587, auth: { user: 'no-reply@corp.cloud', pass: ${single(pen, 'process.env.SMTP_PASS', 'conf.pass')} } })\n`,
  ],
  'credentials of cds.connect': (pen) => [
    'srv/x.js',
    `const s = await cds.connect.to({ kind: 'odata', credentials: { url: 'https://erp.corp.cloud', username: 'SVC', password: ${single(pen, 'pw', 'process.env.PW')} } })\n`,
  ],
  'destination of executeHttpRequest': (pen) => [
    'srv/y.js',
    `await executeHttpRequest({ url: 'https://erp.corp.cloud', username: 'SVC', password: ${single(pen, 'pw', 'conf.pw')}, authentication: 'BasicAuthentication' }, { method: 'get' })\n`,
  ],
  'client of hdb': (pen) => [
    'srv/h.js',
    `const client = hdb.createClient({ host: 'h', port: 443, user: 'ORDERS', password: ${single(pen, 'pw', 'env.pw')} })\n`,
  ],
  'ODataModel with user': (pen) => [
    'webapp/m.js',
    `new ODataModel({ serviceUrl: "/odata/", user: "SVC", password: ${text(pen, 'sPw', 'undefined')} })\n`,
  ],
  'headers of fetch': (pen) => [
    'srv/f.js',
    `fetch(url, { headers: { 'Content-Type': 'application/json', 'X-Api-Key': ${single(pen, 'key', 'process.env.KEY')} } })\n`,
  ],
  'body of a token request': (pen) => [
    'srv/b.js',
    `const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'sb-x!t1', client_secret: ${pen.either(`'${pen.put(pen.random())}'`, 'secret', 'uaa.clientsecret')} })\n`,
  ],
  'template of a token request': (pen) => [
    'srv/q.js',
    `const body = \`grant_type=password&username=svc&password=${pen.hide('${pw}', '${encodeURIComponent(pw)}')}\`\n`,
  ],
  'append to a form': (pen) => [
    'srv/p.js',
    `form.append('client_secret', ${pen.either(`'${pen.put(pen.random())}'`, 'secret', 'env.S')})\n`,
  ],
  'session secret': (pen) => [
    'srv/s.js',
    `app.use(session({ secret: ${pen.either(`'${pen.put(pen.random())}'`, 'process.env.S', 'conf.secret')}, resave: false }))\n`,
  ],
  'secret of passport': (pen) => [
    'srv/j.js',
    `passport.use(new Strategy({ secretOrKey: ${pen.either(`'${pen.put(pen.random())}'`, 'key', 'process.env.K')}, jwtFromRequest: x }, cb))\n`,
  ],
  'procedure of SQLScript': (pen) => [
    'db/p.hdbprocedure',
    `PROCEDURE P() AS BEGIN\n  DECLARE lv_password NVARCHAR(40) := ${single(pen, "''", ':iv_pw')};\nEND\n`,
  ],
  'user of SQL': (pen) => [
    'db/u.sql',
    `CREATE USER ORDERS_APP PASSWORD ${text(pen, '"<password>"', ':pw')} NO FORCE_FIRST_PASSWORD_CHANGE;\n`,
  ],
  'role of PostgreSQL': (pen) => [
    'db/r.sql',
    `CREATE ROLE orders WITH LOGIN ENCRYPTED PASSWORD ${single(pen, ":'pw'", "'<password>'")};\n`,
  ],
  'login of SQL Server': (pen) => [
    'db/l.sql',
    `CREATE LOGIN orders WITH PASSWORD = N${pen.either(`'${pen.put(pen.password())}'`, "'$(PW)'", "'<password>'")};\n`,
  ],
  'user of MySQL': (pen) => [
    'db/m.sql',
    `CREATE USER 'orders'@'%' IDENTIFIED WITH caching_sha2_password BY ${single(pen, "'<password>'", "'{{ pw }}'")};\n`,
  ],
  'credential of remote source': (pen) => [
    'db/s.sql',
    `CREATE REMOTE SOURCE ERP ADAPTER "hanaodbc" CONFIGURATION 'ServerNode=h:443' WITH CREDENTIAL TYPE 'PASSWORD' USING 'user=SVC;password=${pen.hide('<password>', '${PW}')}';\n`,
  ],
  'change of a password in HANA': (pen) => [
    'db/c.sql',
    `ALTER USER DBADMIN PASSWORD ${pen.either(`"${pen.put(pen.password())}"`, '"<new>"', '"&1"')};\n`,
  ],
  hdbgrants: (pen) => [
    'db/cfg/x.hdbgrants',
    `{ "erp": { "object_owner": { "roles": ["R"] }, "credentials": { "user": "G", "password": "${pen.hide('', '<password>')}" } } }\n`,
  ],
}
