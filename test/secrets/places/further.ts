import { toBase64 } from '../material/draw.ts'
import { json, type PlacePen, type Places } from './place.ts'

const js = (pen: PlacePen, value: string, ...safe: readonly string[]): string => pen.either(`'${pen.put(value)}'`, ...safe)
const text = (pen: PlacePen, value: string, ...safe: readonly string[]): string => pen.either(`"${pen.put(value)}"`, ...safe)

/** Places written after the readers knew those of the other families. */
export const FURTHER_PLACES: Places = {
  'hook of an MTA': (pen) => [
    'mta.yaml',
    `ID: o\nmodules:\n  - name: srv\n    hooks:\n      - name: migrate\n        tasks:\n          - command: hdbsql -u DBADMIN -p ${pen.either(pen.put(pen.generated()), '${pw}', '$PW')} -i 90\n`,
  ],
  'service key parameters': (pen) => [
    'setup.sh',
    `cf create-service-key erp key1 -c '{"admin_password":"${pen.hide('<pw>', '')}"}'\n`,
  ],
  'binding in launch.json': (pen) => [
    '.vscode/launch.json',
    json({ configurations: [{ name: 'srv', env: { 'cds.requires.db.credentials.password': pen.hide('${env:PW}', '') } }] }),
  ],
  'destination export in JSON': (pen) => [
    'config/destination.json',
    json([
      {
        Name: 'ERP',
        Type: 'HTTP',
        Authentication: 'OAuth2SAMLBearerAssertion',
        clientKey: 'orders',
        tokenServiceUser: 'orders',
        tokenServicePassword: pen.hide('', '<pw>'),
      },
    ]),
  ],
  'binding of a Kyma service': (pen) => [
    'k8s/uaa.yaml',
    `kind: Secret\napiVersion: v1\nstringData:\n  clientid: sb-orders!t12\n  clientsecret: ${pen.key('"{{ .Values.uaa }}"', '""')}\n`,
  ],
  'ABAP concatenation': (pen) => [
    'src/z.prog.abap',
    `CONCATENATE 'Basic' '${pen.either(pen.put(toBase64(`svc:${pen.password()}`)), 'xxxx')}' INTO lv_auth SEPARATED BY space.\n`,
  ],
  'ABAP assignment to a component': (pen) => [
    'src/z2.clas.abap',
    `    ls_dest-client_secret = ${pen.either(`'${pen.put(pen.random())}'`, 'lv_secret', 'is_conf-secret')}.\n`,
  ],
  'ABAP method of a factory': (pen) => [
    'src/z3.clas.abap',
    `    DATA(lo) = zcl_client=>create( iv_user = 'SVC' iv_password = ${pen.either(`'${pen.put(pen.password())}'`, 'lv_pw')} iv_host = 'h' ).\n`,
  ],
  'procedure of HANA': (pen) => [
    'db/src/p.hdbprocedure',
    `BEGIN\n  DECLARE lv_password NVARCHAR(40) = ${pen.either(`'${pen.put(pen.password())}'`, ':iv_password', "''")};\nEND\n`,
  ],
  'GRANT … IDENTIFIED BY': (pen) => [
    'db/u.sql',
    `GRANT ALL ON shop.* TO 'app'@'%' IDENTIFIED BY '${pen.hide('${PW}', '<password>')}';\n`,
  ],
  'GRANT … IDENTIFIED BY over lines': (pen) => [
    'db/u.sql',
    `GRANT SELECT,\n  INSERT ON \`shop-live\`.*\n  TO 'shop-app'@'%'\n  IDENTIFIED BY '${pen.hide('${PW}', '<password>')}';\n`,
  ],
  'IDENTIFIED BY': (pen) => ['db/u.sql', `CREATE USER app IDENTIFIED BY '${pen.hide('${PW}', '<password>')}';\n`],
  'ROLE with a password': (pen) => ['db/r.sql', `CREATE ROLE orders LOGIN PASSWORD '${pen.hide(':pw', '${PW}')}';\n`],
  'UPDATE of a setting': (pen) => ['db/s.sql', `UPDATE settings SET api_token = '${pen.key('?', '')}' WHERE id = 1;\n`],
  mongosh: (pen) => [
    'm.sh',
    `mongosh --host db -u root -p ${pen.either(pen.put(pen.generated()), '$MONGO_PW', '"${PW}"')} --eval 'db.stats()'\n`,
  ],
  mongodump: (pen) => [
    'm2.sh',
    `mongodump --uri="mongodb://root:${pen.either(pen.put(pen.random()), '$PW', '${PW}')}@db.corp.cloud:27017/o"\n`,
  ],
  'row of settings in SQL': (pen) => [
    'db/init.sql',
    `INSERT INTO "SHOP_SETTINGS" VALUES(3,'client_id','PAY','4711-shop',1);\nINSERT INTO "SHOP_SETTINGS" VALUES(4,'client_secret','PAY','${pen.key('see vault', '', 'SECRET_OF_PAY')}',1);\n`,
  ],
  'row of settings by columns': (pen) => [
    'db/init2.sql',
    `insert into settings (id, code, value) values\n  (1, 'url', 'https://pay.corp.cloud'),\n  (2, 'api_key', '${pen.key('changeme', '<key>')}');\n`,
  ],
  'row of settings in CSV': (pen) => [
    'db/data/shop-Settings.csv',
    `ID;code;descr;valueLow\n1;url;Address;https://pay.corp.cloud\n2;client_secret;Secret;${pen.key('initial', '')}\n`,
  ],
  'row of settings in a request': (pen) => [
    'docs/settings.http',
    `POST https://shop.corp.cloud/Settings\nContent-Type: application/json\n\n{\n  "id": 4,\n  "code": "client_secret",\n  "table": "PAY",\n  "valueLow": "${pen.key('{{secret}}', '<secret>')}"\n}\n`,
  ],
  bcp: (pen) => ['b.sh', `bcp orders out a.csv -S db -U sa -P ${pen.either(pen.put(pen.generated()), '$PW', '%PW%')}\n`],
  'net use': (pen) => [
    'n.bat',
    `net use Z: \\\\files\\share ${pen.either(pen.put(pen.generated()), '%PW%', '*')} /user:CORP\\svc\n`,
  ],
  expect: (pen) => ['l.exp', `expect "Password:"\nsend "${pen.either(pen.put(pen.generated()), '$password', '$env(PW)')}\\r"\n`],
  'openssl -passin env': (pen) => [
    'o.sh',
    `openssl rsa -in a.key -passin pass:${pen.either(pen.put(pen.generated()), '$PW', '${PW}')} -out b.key\n`,
  ],
  jarsigner: (pen) => ['j.sh', `jarsigner -keystore a.jks -storepass '${pen.hide('$PW', '${PW}')}' a.jar orders\n`],
  rclone: (pen) => [
    'rc.sh',
    `rclone config create s3 s3 secret_access_key=${pen.either(pen.put(pen.shape('{b40}')), '$KEY', '${KEY}')}\n`,
  ],
  'oc login': (pen) => [
    'oc.sh',
    `oc login https://api.corp.cloud -u dev -p ${pen.either(pen.put(pen.generated()), '$PW', '"$PW"')}\n`,
  ],
  'argocd login': (pen) => [
    'ac.sh',
    `argocd login argo.corp.cloud --username admin --password ${pen.either(pen.put(pen.generated()), '"$PW"', '$PW')}\n`,
  ],
  'cypress run': (pen) => [
    'cy.sh',
    `npx cypress run --env username=a,password=${pen.either(pen.put(pen.generated()), '$PW', '${PW}')}\n`,
  ],
  'k6 run': (pen) => ['k6.sh', `k6 run -e API_TOKEN=${pen.key('$TOKEN', '"$TOKEN"')} load.js\n`],
  crontab: (pen) => [
    'deploy/crontab',
    `0 3 * * * DB_PASSWORD=${pen.either(pen.put(pen.generated()), '$PW', '${PW}')} /opt/backup.sh\n`,
  ],
  'ansible-playbook -e': (pen) => ['ap.sh', `ansible-playbook site.yml -e "ansible_become_pass=${pen.hide('$PW', '${PW}')}"\n`],
  'htpasswd -b': (pen) => ['ht.sh', `htpasswd -bc .htpasswd admin ${pen.either(pen.put(pen.generated()), '"$PW"', '$PW')}\n`],
  PSCredential: (pen) => [
    'p.ps1',
    `$pw = ConvertTo-SecureString -String ${pen.either(`"${pen.put(pen.password())}"`, '$env:PW')} -AsPlainText -Force\n`,
  ],
  'parameter of PowerShell': (pen) => [
    'q.ps1',
    `param(\n  [string]$User = "svc",\n  [string]$Password = ${pen.either(`"${pen.put(pen.password())}"`, '$env:PW', '""')}\n)\n`,
  ],
  CircleCI: (pen) => [
    '.circleci/config.yml',
    `jobs:\n  build:\n    docker:\n      - image: r.corp.cloud/a\n        auth:\n          username: ci\n          password: ${pen.hide('$DOCKER_PW', '${PW}')}\n`,
  ],
  Drone: (pen) => [
    '.drone.yml',
    `steps:\n  - name: publish\n    settings:\n      username: ci\n      password: ${pen.hide('{ from_secret: pw }', '${PW}')}\n`,
  ],
  'Cloud Build': (pen) => ['cloudbuild.yaml', `substitutions:\n  _REGION: eu\n  _API_TOKEN: ${pen.key('${_T}', "''")}\n`],
  AppVeyor: (pen) => ['appveyor.yml', `environment:\n  nuget_password: ${pen.hide('$(PW)', "''")}\n`],
  'Jenkins string parameter': (pen) => [
    'Jenkinsfile',
    `build job: 'deploy', parameters: [string(name: 'API_TOKEN', value: ${pen.either(`'${pen.put(pen.random())}'`, 'env.API_TOKEN', 'token')})]\n`,
  ],
  'Jenkins git address': (pen) => [
    'Jenkinsfile',
    `git url: 'https://ci:${pen.either(pen.put(pen.random()), '${TOKEN}', '$TOKEN')}@git.corp.cloud/o.git'\n`,
  ],
  Packer: (pen) => [
    'image.json',
    json({ builders: [{ type: 'vsphere', ssh_username: 'root', ssh_password: pen.hide('{{user `pw`}}', '') }] }),
  ],
  'provisioner of Terraform': (pen) => [
    'infra/p.tf',
    `provisioner "remote-exec" {\n  connection {\n    type     = "ssh"\n    password = ${text(pen, pen.password(), 'var.pw', 'local.pw')}\n  }\n}\n`,
  ],
  Pulumi: (pen) => ['Pulumi.prod.yaml', `config:\n  orders:region: eu\n  orders:dbPassword: ${pen.hide('${pw}', '')}\n`],
  'chpasswd of cloud-init': (pen) => [
    'user-data.yaml',
    `#cloud-config\nssh_pwauth: true\nchpasswd:\n  list: |\n    dev:${pen.either(pen.put(pen.generated()), 'RANDOM', '${pw}')}\n`,
  ],
  'docker-bake': (pen) => [
    'docker-bake.hcl',
    `target "app" {\n  args = {\n    NPM_TOKEN = ${text(pen, pen.random(), 'NPM_TOKEN', '""')}\n  }\n}\n`,
  ],
  'user of kubeconfig': (pen) => [
    'kubeconfig.yaml',
    `apiVersion: v1\nkind: Config\nusers:\n- name: dev\n  user:\n    username: dev\n    password: ${pen.hide('<pw>', '""')}\n`,
  ],
  supervisord: (pen) => [
    'supervisord.conf',
    `[program:a]\ncommand=node srv\nenvironment=PORT="4004",DB_PASSWORD="${pen.hide('%(ENV_PW)s', '')}"\n`,
  ],
  'SetEnv of Apache': (pen) => ['httpd.conf', `SetEnv ERP_PASSWORD "${pen.hide('${PW}', '')}"\n`],
  haproxy: (pen) => [
    'haproxy.cfg',
    `userlist ops\n  user admin insecure-password ${pen.either(pen.put(pen.generated()), '"$PW"', '${PW}')}\n`,
  ],
  'redis sentinel': (pen) => [
    'sentinel.conf',
    `sentinel monitor m 10.0.0.1 6379 2\nsentinel auth-pass m ${pen.either(pen.put(pen.generated()), '${PW}', '<password>')}\n`,
  ],
  'Rails database': (pen) => [
    'config/database.yml',
    `production:\n  adapter: postgresql\n  username: app\n  password: ${pen.hide('<%= ENV["PW"] %>', '<%=pw%>')}\n`,
  ],
  'auth.json of Composer': (pen) => [
    'auth.json',
    json({ 'http-basic': { 'repo.corp.cloud': { username: 'ci', password: pen.hide('', '<pw>') } } }),
  ],
  'data sources of IntelliJ': (pen) => [
    '.idea/dataSources.xml',
    `<data-source name="o"><jdbc-url>jdbc:postgresql://db/o?user=app&amp;password=${pen.hide('$PW$', '${PW}')}</jdbc-url></data-source>\n`,
  ],
  'Thunder client': (pen) => [
    'thunder-tests/c.json',
    json({ requests: [{ auth: { type: 'basic', basic: { username: 'svc', password: pen.hide('{{pw}}', '') } } }] }),
  ],
  'Robot Framework': (pen) => [
    'suite.robot',
    `*** Variables ***\n\${USER}        svc\n\${PASSWORD}    ${pen.either(pen.put(pen.generated()), '%{PW}', '${EMPTY}')}\n`,
  ],
  Gherkin: (pen) => ['login.feature', `When I log in as "svc" with password "${pen.hide('<password>', '')}"\n`],
  'HTML table': (pen) => [
    'docs/systems.html',
    `<table><tr><td>Password</td><td>${pen.either(pen.put(pen.generated()), 'see vault', '***')}</td></tr></table>\n`,
  ],
  'slash in Markdown': (pen) => [
    'README.md',
    `Test login (user/password): ${pen.user()} / ${pen.either(pen.put(pen.generated()), 'see the vault', '<password>')}\n`,
  ],
  'comment of HTML': (pen) => [
    'webapp/index.html',
    `<html><!-- admin password: ${pen.either(pen.put(pen.generated()), 'see vault', '<pw>')} --></html>\n`,
  ],
  'comment of Python': (pen) => [
    'tools/c.py',
    `# password: ${pen.either(pen.put(pen.generated()), 'see vault', 'from env')}\nimport os\n`,
  ],
  'two literals': (pen) => [
    'srv/two.js',
    `const password = ${pen.either(`'${pen.put(pen.generated())}' + '!'`, 'a + b', "process.env.A + '!'")}\n`,
  ],
  'String.raw': (pen) => [
    'srv/raw.js',
    `const clientSecret = ${pen.either(`String.raw\`${pen.put(pen.random())}\``, 'String.raw`${s}`', 's')}\n`,
  ],
  'default of a class validator': (pen) => [
    'src/d.ts',
    `class Dto {\n  @ApiProperty()\n  apiToken?: string | undefined = ${js(pen, pen.random(), 'undefined', 'env.T')}\n}\n`,
  ],
  'nested ternary': (pen) => [
    'srv/n.js',
    `const secret = stage === 'dev' ? ${js(pen, pen.random(), 'a', 'env.A')} : stage === 'prod' ? env.B : undefined\n`,
  ],
  'lookup by a key': (pen) => [
    'srv/lk.js',
    `const password = { dev: ${js(pen, pen.generated(), 'env.A', 'a')}, prod: process.env.PW }[stage]\n`,
  ],
  'WebDAV client': (pen) => [
    'srv/wd.js',
    `createClient('https://${pen.host()}/dav', { username: 'svc', password: ${js(pen, pen.password(), 'pw', 'env.PW')} })\n`,
  ],
  'SFTP of ssh2': (pen) => [
    'srv/sftp.js',
    `await sftp.connect({ host: 'h', username: 'svc', privateKey: key, passphrase: ${js(pen, pen.password(), 'pw', 'undefined')} })\n`,
  ],
  'webhook signature': (pen) => [
    'srv/wh.js',
    `const ok = verify(req.rawBody, req.get('x-signature'), { webhookSecret: ${js(pen, pen.random(), 'env.S', 's')} })\n`,
  ],
  'pfx of https': (pen) => [
    'srv/tls.js',
    `https.createServer({ pfx: fs.readFileSync('a.pfx'), passphrase: ${js(pen, pen.password(), 'pw', 'env.PW')} }, app)\n`,
  ],
  Quarkus: (pen) => ['src/main/resources/application.properties', `%prod.quarkus.datasource.password=${pen.hide('${PW}', '')}\n`],
  'Java record': (pen) => [
    'src/main/java/R.java',
    `class R { Login l = new Login("svc", /* password */ ${text(pen, pen.password(), 'pw', 'env("PW")')}); }\n`,
  ],
  'Java ternary': (pen) => [
    'src/main/java/T.java',
    `class T { String password = System.getenv("PW") != null ? System.getenv("PW") : ${text(pen, pen.password(), '""', 'null')}; }\n`,
  ],
  'Kotlin default': (pen) => [
    'src/main/kotlin/K.kt',
    `class K(private val user: String = "svc", private val password: String = ${text(pen, pen.password(), '""', 'env("PW")')})\n`,
  ],
  'Go constants': (pen) => [
    'cmd/k.go',
    `package main\n\nconst (\n\tuser     = "svc"\n\tpassword = ${text(pen, pen.password(), '""', 'defaultPw')}\n)\n`,
  ],
  'C# property': (pen) => [
    'src/O.cs',
    `class O { public string ClientSecret { get; set; } = ${text(pen, pen.random(), '""', 'string.Empty')}; }\n`,
  ],
  'Python dataclass': (pen) => [
    'tools/d.py',
    `@dataclass\nclass C:\n    user: str = "svc"\n    password: Optional[str] = ${text(pen, pen.password(), 'None', 'field(repr=False)')}\n`,
  ],
  'Python tuple': (pen) => ['tools/t.py', `USER, PASSWORD = "svc", ${text(pen, pen.password(), 'os.environ["PW"]', 'pw')}\n`],
  'Python dict call': (pen) => [
    'tools/dc.py',
    `config = dict(user="svc", password=${text(pen, pen.password(), 'pw', 'os.environ["PW"]')})\n`,
  ],
}
