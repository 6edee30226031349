import { toBase64 } from '../material/draw.ts'
import type { Place, PlacePen, Places } from './place.ts'

const literal = (pen: PlacePen, value: string, ...safe: readonly string[]): string => pen.either(`"${pen.put(value)}"`, ...safe)
const java =
  (write: (pen: PlacePen) => string): Place =>
  (pen) => ['src/main/java/com/acme/A.java', `package com.acme;\n\nclass A {\n  void a() {\n    ${write(pen)}\n  }\n}\n`]
const kotlin =
  (write: (pen: PlacePen) => string): Place =>
  (pen) => ['src/main/kotlin/A.kt', `class A {\n  fun a() {\n    ${write(pen)}\n  }\n}\n`]
const go =
  (write: (pen: PlacePen) => string): Place =>
  (pen) => ['cmd/main.go', `package main\n\nfunc main() {\n\t${write(pen)}\n}\n`]
const csharp =
  (write: (pen: PlacePen) => string): Place =>
  (pen) => ['src/Client.cs', `namespace Acme;\n\nclass Client {\n  void Run() {\n    ${write(pen)}\n  }\n}\n`]
const python =
  (write: (pen: PlacePen) => string): Place =>
  (pen) => ['tools/a.py', `import os\n\n${write(pen)}\n`]

const inJava = (pen: PlacePen): string =>
  literal(pen, pen.password(), 'password', 'System.getenv("ERP_PASSWORD")', 'config.getPassword()')
const inPython = (pen: PlacePen): string =>
  literal(pen, pen.password(), 'os.environ["ERP_PASSWORD"]', 'cfg.password', 'getpass()')
const inGo = (pen: PlacePen): string => literal(pen, pen.password(), 'os.Getenv("ERP_PASSWORD")', 'cfg.Password')

/** Java, Kotlin, Go, C# and Python. */
export const LANGUAGE_PLACES: Places = {
  'PasswordAuthentication of Java': java((pen) => `return new PasswordAuthentication("svc", ${inJava(pen)}.toCharArray());`),
  'setBasicAuth of Spring': java((pen) => `headers.setBasicAuth("${pen.user()}", ${inJava(pen)});`),
  'setBearerAuth of Spring': java((pen) => `headers.setBearerAuth(${literal(pen, pen.random(), 'token', 'getToken()')});`),
  'header by its constant': java(
    (pen) => `headers.set(HttpHeaders.AUTHORIZATION, ${pen.either(`"Bearer ${pen.put(pen.random())}"`, '"Bearer " + token')});`,
  ),
  'key of HMAC': java(
    (pen) => `SecretKey k = Keys.hmacShaKeyFor(${literal(pen, pen.random(), 'secret', 'System.getenv("K")')}.getBytes());`,
  ),
  'key of java-jwt': java(
    (pen) => `Algorithm a = Algorithm.HMAC256(${literal(pen, pen.random(), 'secret', 'System.getenv("K")')});`,
  ),
  'key of Nimbus': java(
    (pen) => `JWSSigner s = new MACSigner(${literal(pen, pen.random(), 'secret', 'System.getenv("K")')}.getBytes());`,
  ),
  SecretKeySpec: java(
    (pen) => `SecretKeySpec spec = new SecretKeySpec(${literal(pen, pen.shape('{w32}'), 'key', 'env("K")')}.getBytes(), "AES");`,
  ),
  'load of a key store': java((pen) => `keyStore.load(stream, ${inJava(pen)}.toCharArray());`),
  'user in memory': java(
    (pen) =>
      `auth.inMemoryAuthentication().withUser("operator").password("{noop}${pen.either(pen.put(pen.password()), '" + pw + "')}").roles("OP");`,
  ),
  'system property': java((pen) => `System.setProperty("javax.net.ssl.keyStorePassword", ${inJava(pen)});`),
  'credentials of JNDI': java((pen) => `env.put(Context.SECURITY_CREDENTIALS, ${inJava(pen)});`),
  'orElse of Java': java(
    (pen) => `String password = Optional.ofNullable(System.getenv("PW")).orElse(${literal(pen, pen.password(), 'null', '""')});`,
  ),
  'getOrDefault of Java': java(
    (pen) => `String pw = System.getenv().getOrDefault("ERP_PASSWORD", ${literal(pen, pen.password(), '""', 'null')});`,
  ),
  'auth of RestAssured': java((pen) => `given().auth().preemptive().basic("${pen.user()}", ${inJava(pen)}).get("/x");`),
  'properties of a test': (pen) => [
    'src/main/java/B.java',
    `@TestPropertySource(properties = "erp.password=${pen.hide('${pw}', '')}")\nclass B {}\n`,
  ],
  'property of a destination': java(
    (pen) => `DefaultDestination.builder().property("Type", "HTTP").property("Password", ${inJava(pen)}).build();`,
  ),
  'Elvis of Kotlin': kotlin(
    (pen) => `val password = System.getenv("PW") ?: ${literal(pen, pen.password(), '""', 'error("missing")')}`,
  ),
  'pair of Kotlin': kotlin(
    (pen) => `val m = mapOf("user" to "svc", "password" to ${literal(pen, pen.password(), 'pw', 'System.getenv("PW")')})`,
  ),
  'named argument of Kotlin': kotlin(
    (pen) => `val c = Client(user = "svc", password = ${literal(pen, pen.password(), 'pw', 'config.pw')})`,
  ),
  'short declaration of Go': go((pen) => `password := ${inGo(pen)}\n\tconnect(password)`),
  'field of a Go struct': go((pen) => `c := Config{User: "svc", Password: ${inGo(pen)}}\n\tc.Run()`),
  'SetBasicAuth of Go': go((pen) => `req.SetBasicAuth("svc", ${inGo(pen)})`),
  'header of Go': go(
    (pen) => `req.Header.Set("Authorization", ${pen.either(`"Bearer ${pen.put(pen.random())}"`, '"Bearer "+token')})`,
  ),
  'Setenv of Go': go((pen) => `os.Setenv("ERP_PASSWORD", ${literal(pen, pen.password(), 'pw', 'cfg.Password')})`),
  'data source of Go': go(
    (pen) =>
      `db, _ := sql.Open("postgres", ${pen.either(`"host=pg user=app password=${pen.put(pen.password())} sslmode=require"`, 'dsn', '"host=pg user=app password="+pw')})`,
  ),
  'fallback of Go': go((pen) => `secret := getEnv("CLIENT_SECRET", ${literal(pen, pen.random(), '""', 'fallback')})`),
  'constant of C#': (pen) => [
    'src/Config.cs',
    `static class Config {\n  private const string Password = "${pen.hide('', '#{pw}#')}";\n}\n`,
  ],
  'NetworkCredential of C#': csharp(
    (pen) => `var c = new NetworkCredential("svc", ${literal(pen, pen.password(), 'password', 'config["Pw"]')});`,
  ),
  'SqlConnection of C#': csharp(
    (pen) =>
      `using var c = new SqlConnection(${pen.either(`"Server=db;Database=o;User Id=app;Password=${pen.put(pen.password())};"`, 'connectionString', '$"Server=db;Password={pw};"')});`,
  ),
  'header of C#': csharp(
    (pen) => `client.DefaultRequestHeaders.Add("X-Api-Key", ${literal(pen, pen.random(), 'apiKey', 'options.Key')});`,
  ),
  'bearer of C#': csharp(
    (pen) =>
      `client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", ${literal(pen, pen.random(), 'token', 'await GetToken()')});`,
  ),
  'fallback of C#': csharp(
    (pen) => `var secret = config["Auth:ClientSecret"] ?? ${literal(pen, pen.random(), '""', 'throw new Exception()')};`,
  ),
  'or of Python': python((pen) => `password = os.environ.get("PW") or ${literal(pen, pen.password(), '""', 'None')}`),
  'HTTPBasicAuth of Python': python((pen) => `r = requests.get(url, auth=HTTPBasicAuth("${pen.user()}", ${inPython(pen)}))`),
  'header of Python': python(
    (pen) =>
      `headers = {"Authorization": ${pen.either(`"Bearer ${pen.put(pen.random())}"`, 'f"Bearer {token}"', '"Bearer " + token')}}`,
  ),
  'keywords of psycopg2': python(
    (pen) => `conn = psycopg2.connect("dbname=o user=app password=${pen.hide('{}', '%s')} host=pg")`,
  ),
  'SECRET_KEY of Flask': python(
    (pen) => `app.config["SECRET_KEY"] = ${literal(pen, pen.random(), 'os.environ["K"]', 'secrets.token_hex(32)')}`,
  ),
  'secret_key of Flask': python((pen) => `app.secret_key = b"${pen.either(pen.put(pen.random()), '')}"`),
  'key of Fernet': python((pen) => `f = Fernet(${pen.either(`b"${pen.put(pen.shape('{u43}='))}"`, 'key', 'os.environ["K"]')})`),
  'encode of a JWT': python(
    (pen) => `t = jwt.encode(claims, ${literal(pen, pen.random(), 'key', 'cfg.key')}, algorithm="HS256")`,
  ),
  'login of SMTP': python((pen) => `smtp.login("svc@corp.cloud", ${inPython(pen)})`),
  'connection of hana_ml': python((pen) => `cc = ConnectionContext("${pen.host()}", 443, "${pen.user()}", ${inPython(pen)})`),
  'Field of pydantic': python(
    (pen) =>
      `class S(BaseSettings):\n    api_key: str = Field(${pen.either(`"${pen.put(pen.random())}"`, '...', 'env="API_KEY"')})`,
  ),
  'pyrfc of Python': python(
    (pen) => `conn = Connection(ashost="10.0.0.1", sysnr="00", client="100", user="${pen.user()}", passwd=${inPython(pen)})`,
  ),
  'default of a Python parameter': python(
    (pen) => `def connect(host, user="svc", password=${literal(pen, pen.password(), 'None', '""')}):\n    pass`,
  ),
  'data of a Python form': python(
    (pen) => `requests.post(url, data={"grant_type": "password", "username": "svc", "password": ${inPython(pen)}})`,
  ),
  'basic text of Python': python(
    (pen) =>
      `auth = base64.b64encode(${pen.either(`b"svc:${pen.put(pen.generated())}"`, 'f"{u}:{p}".encode()', 'raw')}).decode()`,
  ),
  'basic header of C#': csharp(
    (pen) =>
      `request.Headers.Add("Authorization", ${pen.either(`"Basic ${pen.put(toBase64(`svc:${pen.password()}`))}"`, '"Basic " + encoded')});`,
  ),
}
