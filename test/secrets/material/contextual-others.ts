import { toBase64 } from './draw.ts'
import type { Writers } from './sample.ts'

/** Further forms, written after the engine knew those of the other files. */
export const OTHER_CONTEXTUAL: Writers = {
  'ternary with both literals': (pen) => [
    'srv/t.js',
    `const secret = prod ? '${pen.put(pen.random())}' : undefined\nmodule.exports = secret\n`,
  ],
  'return of a function': (pen) => [
    'srv/r.js',
    `function getPassword() {\n  return '${pen.put(pen.password())}'\n}\nmodule.exports = getPassword\n`,
  ],
  getter: (pen) => ['srv/g.ts', `export class A {\n  get clientSecret() { return '${pen.put(pen.random())}' }\n}\n`],
  'arrow that gives it': (pen) => [
    'srv/ar.js',
    `const password = () => '${pen.put(pen.password())}'\nmodule.exports = password\n`,
  ],
  'array destructuring': (pen) => [
    'srv/ad.js',
    `const [user, password] = ['svc', '${pen.put(pen.password())}']\nmodule.exports = { user, password }\n`,
  ],
  'parenthesised and awaited': (pen) => [
    'srv/pa.ts',
    `const config = { password: ('${pen.put(pen.password())}' as string) }\nexport default config\n`,
  ],
  'non-null and satisfies': (pen) => [
    'srv/sa.ts',
    `export default { clientSecret: '${pen.put(pen.random())}' satisfies string }\n`,
  ],
  'object in a call of fetch': (pen) => [
    'srv/fe.js',
    `await fetch(url, { body: JSON.stringify({ username: 'a', password: '${pen.put(pen.password())}' }) })\n`,
  ],
  'FormData.append': (pen) => ['srv/fd.js', `form.append('client_secret', '${pen.put(pen.random())}')\n`],
  'URLSearchParams pairs': (pen) => [
    'srv/us.js',
    `const p = new URLSearchParams([['grant_type', 'password'], ['password', '${pen.put(pen.password())}']])\n`,
  ],
  'QUnit page object': (pen) => [
    'webapp/login.js',
    `iEnterText({ id: 'passwordField', text: 'x' }); var oUser = { name: 'a', sPassword: '${pen.put(pen.password())}' };\n`,
  ],
  'XMLHttpRequest.open, literal': (pen) => [
    'webapp/x.js',
    `xhr.open('GET', '/sap/opu/odata/x', true, '${pen.user()}', '${pen.put(pen.password())}');\n`,
  ],
  'Kotlin val': (pen) => [
    'src/main/kotlin/A.kt',
    `object A {\n  const val DB_PASSWORD: String = "${pen.put(pen.password())}"\n}\n`,
  ],
  'Java annotation': (pen) => [
    'src/main/java/S.java',
    `@DataSourceDefinition(name = "x", user = "app", password = "${pen.put(pen.password())}")\nclass S {}\n`,
  ],
  'Java array list': (pen) => [
    'src/main/java/T.java',
    `class T { Properties p = new Properties(); { p.setProperty("hana.password", "${pen.put(pen.password())}"); } }\n`,
  ],
  'Java text block': (pen) => [
    'src/main/java/U.java',
    `class U {\n  String c = """\n    {"client_id": "a", "client_secret": "${pen.put(pen.random())}"}\n    """;\n}\n`,
  ],
  'Java headers': (pen) => [
    'src/main/java/H.java',
    `class H { void a() { headers.add("APIKey", "${pen.put(pen.shape('{w32}'))}"); } }\n`,
  ],
  'ABAP structure': (pen) => [
    'src/z1.prog.abap',
    `  ls_login = VALUE #( user = '${pen.user()}' passwd = '${pen.put(pen.password())}' ).\n`,
  ],
  'ABAP RFC call': (pen) => [
    'src/z2.prog.abap',
    `  CALL FUNCTION 'RFC_X' EXPORTING user = '${pen.user()}' password = '${pen.put(pen.password())}'.\n`,
  ],
  'ABAP parameter default': (pen) => [
    'src/z3.prog.abap',
    `PARAMETERS p_passwd TYPE string DEFAULT '${pen.put(pen.password())}'.\n`,
  ],
  'ABAP DATA with value': (pen) => ['src/z4.prog.abap', `DATA gv_pwd TYPE c LENGTH 40 VALUE '${pen.put(pen.password())}'.\n`],
  'Python class attribute': (pen) => [
    't/a.py',
    `class Settings(BaseSettings):\n    db_password: str = "${pen.put(pen.password())}"\n`,
  ],
  'Python f-string address': (pen) => [
    't/b.py',
    `engine = create_engine("hana://${pen.user()}:${pen.put(pen.shape('{A1}{w14}{d2}'))}@${pen.host()}:443")\n`,
  ],
  'Python triple quotes': (pen) => ['t/c.py', `secret = """${pen.put(pen.random())}"""\n`],
  'Python argparse default': (pen) => ['t/d.py', `parser.add_argument("--password", default="${pen.put(pen.password())}")\n`],
  'heredoc of a shell': (pen) => ['s/h.sh', `cat > .env <<EOF\nERP_USER=a\nERP_PASSWORD=${pen.put(pen.password())}\nEOF\n`],
  'printf into a file': (pen) => ['s/p.sh', `echo "ERP_PASSWORD=${pen.put(pen.generated())}" >> .env\n`],
  'kubectl create secret': (pen) => [
    's/k.sh',
    `kubectl create secret generic erp --from-literal=user=a --from-literal=password='${pen.put(pen.password())}'\n`,
  ],
  'helm set': (pen) => ['s/he.sh', `helm upgrade erp ./chart --set db.user=app --set db.password=${pen.put(pen.generated())}\n`],
  'docker run -e': (pen) => [
    's/d.sh',
    `docker run -d -e POSTGRES_USER=a -e POSTGRES_PASSWORD=${pen.put(pen.generated())} postgres\n`,
  ],
  'mysql -p': (pen) => ['s/my.sh', `mysql -h ${pen.host()} -u app -p${pen.put(pen.generated())} shop\n`],
  'cf create-service -c': (pen) => ['s/cs.sh', `cf create-service x y z -c '{"adminPassword":"${pen.put(pen.password())}"}'\n`],
  'btp login': (pen) => [
    's/b.sh',
    `btp login --url https://cli.btp.cloud.sap --user ${pen.user()} --password "${pen.put(pen.password())}" --subdomain x\n`,
  ],
  'wget options': (pen) => [
    's/w.sh',
    `wget --user=${pen.user()} --password='${pen.put(pen.generated())}' https://${pen.host()}/x\n`,
  ],
  'here-string with sudo': (pen) => ['s/su.sh', `sshpass -p '${pen.put(pen.generated())}' ssh ${pen.user()}@${pen.host()}\n`],
  'GitLab script': (pen) => [
    '.gitlab-ci.yml',
    `deploy:\n  script:\n    - cf login -u ci -p '${pen.put(pen.generated())}' -o org\n`,
  ],
  'Azure task inputs': (pen) => [
    'azure-pipelines.yml',
    `steps:\n  - task: X@1\n    inputs:\n      username: svc\n      password: '${pen.put(pen.password())}'\n`,
  ],
  'Helm values': (pen) => [
    'chart/values.yaml',
    `postgresql:\n  auth:\n    username: app\n    postgresPassword: ${pen.put(pen.generated())}\n`,
  ],
  'Kubernetes stringData': (pen) => [
    'k8s/s.yaml',
    `apiVersion: v1\nkind: Secret\nstringData:\n  clientsecret: ${pen.put(pen.random())}\n`,
  ],
  'Kubernetes data': (pen) => [
    'k8s/d.yaml',
    `apiVersion: v1\nkind: Secret\ndata:\n  password: ${pen.put(toBase64(pen.generated()))}\n`,
  ],
  'mta properties': (pen) => [
    'mta.yaml',
    `_schema-version: "3.1"\nID: a\nversion: 1.0.0\nmodules:\n  - name: srv\n    type: nodejs\n    properties:\n      ERP_PASSWORD: ${pen.put(pen.password())}\n`,
  ],
  'xs-app plugin': (pen) => [
    'approuter/default-env.json',
    JSON.stringify({ SESSION_SECRET: pen.put(pen.random()), destinations: [] }),
  ],
  'destinations variable': (pen) => [
    '.env',
    `destinations=[{"name":"erp","url":"https://${pen.host()}","username":"${pen.user()}","password":"${pen.put(pen.password())}"}]\n`,
  ],
  'cds requires in yaml': (pen) => [
    '.cdsrc.yaml',
    `requires:\n  erp:\n    kind: odata-v2\n    credentials:\n      username: ${pen.user()}\n      password: ${pen.put(pen.password())}\n`,
  ],
  'TOML table inline': (pen) => ['c/a.toml', `db = { user = "app", password = "${pen.put(pen.password())}" }\n`],
  'JSON5 config': (pen) => ['c/a.json5', `{ user: 'svc', password: '${pen.put(pen.password())}' }\n`],
  'JSON list of key and value': (pen) => [
    'c/kv.json',
    JSON.stringify([
      { key: 'erp_password', value: pen.put(pen.password()) },
      { key: 'x', value: 'y' },
    ]),
  ],
  'JSON name by another word': (pen) => [
    'c/nv.json',
    JSON.stringify({ variables: [{ Name: 'ERP_PASSWORD', Value: pen.put(pen.password()) }] }),
  ],
  'XML parameters by children': (pen) => [
    'c/p.xml',
    `<params><param><name>password</name><value>${pen.put(pen.password())}</value></param></params>\n`,
  ],
  'XML context': (pen) => [
    'c/context.xml',
    `<Context><Resource name="jdbc/x" username="app" password='${pen.put(pen.password())}' /></Context>\n`,
  ],
  'HTML hidden field': (pen) => [
    'webapp/login.html',
    `<html><body><form><input type="hidden" name="password" value="${pen.put(pen.password())}"></form></body></html>\n`,
  ],
  'INI with quotes': (pen) => ['c/q.ini', `[db]\npassword="${pen.put(pen.password())}"\n`],
  'netrc on one line': (pen) => ['.netrc', `machine ${pen.host()} login ${pen.user()} password ${pen.put(pen.generated())}\n`],
  'connection string of SQL Server': (pen) => [
    'c/conn.json',
    JSON.stringify({ conn: `Server=${pen.host()};Database=x;User Id=${pen.user()};Password=${pen.put(pen.generated())};` }),
  ],
  'Makefile variable': (pen) => ['Makefile', `ERP_PASSWORD := ${pen.put(pen.generated())}\ndeploy:\n\tcf push\n`],
  'Gradle ext': (pen) => ['build.gradle', `ext {\n  nexusPassword = '${pen.put(pen.password())}'\n}\n`],
  'Maven property': (pen) => [
    'pom.xml',
    `<project><properties><db.password>${pen.put(pen.password())}</db.password></properties></project>\n`,
  ],
  'comment of a README': (pen) => ['README.md', `The QAS system takes \`password: ${pen.put(pen.generated())}\` for tests.\n`],
  'wiki login line': (pen) => ['docs/l.md', `Login: ${pen.user()} / Password: \`${pen.put(pen.generated())}\`\n`],
}

/** The same forms with nothing in them to be told. */
export const OTHER_TWINS: Writers = {
  'return of a label': () => [
    'srv/r.js',
    "function getPasswordLabel() { return 'Password of the user' }\nfunction getToken() { return 'access_token' }\nfunction getSecret() { return process.env.SECRET }\nmodule.exports = [getPasswordLabel, getToken, getSecret]\n",
  ],
  'arrow that asks': () => [
    'srv/ar.js',
    "const password = () => process.env.ERP_PASSWORD\nconst token = async () => (await cds.connect.to('auth-service-v2')).token\nmodule.exports = [password, token]\n",
  ],
  'open of a window': () => [
    'webapp/w.js',
    "window.open('https://corp.cloud/x', '_blank', 'noopener');\ndb.open('orders-store-v2', 3, 'readwrite', 'versioned2', onReady);\n",
  ],
  'parenthesised call': () => [
    'srv/pa.js',
    "const config = { password: (await readSecret('erp-password-2024')).value, token: (req.headers['x-token-1'] ?? '') }\nmodule.exports = config\n",
  ],
  'ABAP parameter': () => [
    'src/z.prog.abap',
    'PARAMETERS p_passwd TYPE string LOWER CASE OBLIGATORY.\nDATA gv_pwd TYPE string.\n',
  ],
  'Python docstring and prompt': () => [
    't/a.py',
    'password = """"""\ntoken = """\nThe token of the user, 32 characters\n"""\nparser.add_argument("--password", default=os.environ.get("ERP_PASSWORD"))\nparser.add_argument("--token", help="token of the technical user")\n',
  ],
  'mysql asks': () => [
    's/m.sh',
    'mysql -u root -p shop < dump.sql\nmysql -u app -p"$DB_PASSWORD" shop\nmysql --protocol=tcp -P3306 shop\n',
  ],
  'README of a command': () => [
    'README.md',
    'Set `password: <your-password>` and `token: ${TOKEN}`, see `secret: clientSecretOfBinding`.\n\nLogin: admin / Password: see KeePass\n',
  ],
  'Markdown table of fields': () => [
    'docs/t.md',
    '| field | password | token |\n|---|---|---|\n| type | String(128) | UUID |\n| rule | MinLength12AndDigits | see-Section-4.2.1 |\n',
  ],
  'XML of descriptions': () => [
    'c/p.xml',
    '<params><param><name>password</name><value>${db.password}</value></param><param><name>token</name><description>Token of the user 2</description></param></params>\n',
  ],
  'JSON of variables': () => [
    'c/nv.json',
    JSON.stringify({
      variables: [
        { Name: 'ERP_PASSWORD', Value: '${ERP_PASSWORD}' },
        { Name: 'TOKEN', ValueFrom: 'arn:aws:secretsmanager:eu:1:secret:erp-Xy12ab' },
      ],
    }),
  ],
  'pairs that are no credentials': () => [
    'srv/m.js',
    "const fields = [['password', 'Password1Field'], ['token', 'tokenField']]\nconst m = new Map([['secret', 'clientSecretInput'], ['apiKey', getKey()]])\nmodule.exports = [fields, m]\n",
  ],
  'script with references': () => [
    'package.json',
    JSON.stringify({
      name: 'a',
      scripts: {
        start: 'cross-env ERP_PASSWORD=$PASSWORD TOKEN=%TOKEN% node .',
        test: 'cross-env SECRET_PATH=./secrets/test.json jest',
      },
    }),
  ],
  'kubectl from a file': () => [
    's/k.sh',
    'kubectl create secret generic erp --from-literal=password="$PASSWORD" --from-file=key=./private.key\nhelm upgrade erp ./chart --set db.password=$DB_PASSWORD --set db.existingSecret=erp-database-secret-1\n',
  ],
}
