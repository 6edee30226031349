import { toBase64 } from './draw.ts'
import type { Writers } from './sample.ts'

/** Credentials as developers of other teams write them: nested, in lists, by call, in texts within texts. */
export const FORM_CONTEXTUAL: Writers = {
  'YAML, three levels deep': (pen) => [
    'config/settings.yaml',
    `backend:\n  erp:\n    connection:\n      host: ${pen.host()}\n      user: ${pen.user()}\n      password: ${pen.put(pen.password())}\n      pool: 5\n`,
  ],
  'YAML in flow style': (pen) => [
    'config/db.yml',
    `databases:\n  - { name: main, user: ${pen.user()}, password: "${pen.put(pen.generated())}" }\n`,
  ],
  'YAML list of name and value': (pen) => [
    'deploy/app.yaml',
    `spec:\n  containers:\n    - name: srv\n      env:\n        - name: ERP_PASSWORD\n          value: ${pen.put(pen.password())}\n        - name: LOG\n          value: debug\n`,
  ],
  'YAML name and value, quoted, the value first': (pen) => [
    'deploy/b.yaml',
    `env:\n  - value: "${pen.put(pen.generated())}"\n    name: "DB_PASSWORD"\n`,
  ],
  'YAML with a comment behind': (pen) => ['config/c.yaml', `smtp:\n  pass: '${pen.put(pen.password())}' # technical user\n`],
  'YAML block with an env file': (pen) => [
    'k8s/cm.yaml',
    `kind: ConfigMap\ndata:\n  app.env: |\n    LOG=info\n    ERP_PASSWORD=${pen.put(pen.password())}\n    PORT=8080\n`,
  ],
  'YAML anchor': (pen) => [
    'config/d.yaml',
    `defaults: &defaults\n  client_secret: &secret ${pen.put(pen.random())}\nprod:\n  <<: *defaults\n`,
  ],
  'compose environment list': (pen) => [
    'docker-compose.yml',
    `services:\n  db:\n    image: postgres:16\n    environment:\n      - POSTGRES_USER=app\n      - POSTGRES_PASSWORD=${pen.put(pen.generated())}\n`,
  ],
  'compose environment list, quoted': (pen) => [
    'compose.yaml',
    `services:\n  db:\n    image: mysql\n    environment:\n      - "MYSQL_ROOT_PASSWORD=${pen.put(pen.password())}"\n`,
  ],
  'compose environment map': (pen) => [
    'compose.prod.yml',
    `services:\n  app:\n    environment:\n      DB_PASSWORD: ${pen.put(pen.password())}\n      TZ: UTC\n`,
  ],
  'compose command': (pen) => [
    'docker-compose.dev.yml',
    `services:\n  cache:\n    image: redis\n    command: redis-server --requirepass ${pen.put(pen.generated())}\n`,
  ],
  'Java constant': (pen) => [
    'src/main/java/com/acme/Config.java',
    `public final class Config {\n  private static final String DB_PASSWORD = "${pen.put(pen.password())}";\n}\n`,
  ],
  'Java builder': (pen) => [
    'src/main/java/com/acme/Client.java',
    `class Client { Object o() { return Builder.create().clientId("orders").clientSecret("${pen.put(pen.random())}").build(); } }\n`,
  ],
  'Java DriverManager': (pen) => [
    'src/main/java/com/acme/Db.java',
    `class Db { Connection c() throws Exception { return DriverManager.getConnection("jdbc:sap://${pen.host()}:443", "${pen.user()}", "${pen.put(pen.password())}"); } }\n`,
  ],
  'Java @Value default': (pen) => [
    'src/main/java/com/acme/Props.java',
    `class Props {\n  @Value("\${erp.password:${pen.put(pen.generated())}}")\n  private String erpPassword;\n}\n`,
  ],
  'Java char array': (pen) => [
    'src/main/java/com/acme/Keys.java',
    `class Keys { char[] keystorePassword = "${pen.put(pen.password())}".toCharArray(); }\n`,
  ],
  'Java map of': (pen) => [
    'src/main/java/com/acme/M.java',
    `class M { Map<String, String> m = Map.of("user", "svc", "password", "${pen.put(pen.password())}"); }\n`,
  ],
  'ABAP constant': (pen) => ['src/zcl_x.clas.abap', `CONSTANTS lc_password TYPE string VALUE '${pen.put(pen.password())}'.\n`],
  'ABAP assignment': (pen) => ['src/zrep.prog.abap', `  lv_password = '${pen.put(pen.password())}'.\n`],
  'ABAP inline declaration': (pen) => ['src/zrep2.prog.abap', `  DATA(lv_client_secret) = \`${pen.put(pen.random())}\`.\n`],
  'ABAP parameter': (pen) => [
    'src/zcl_y.clas.abap',
    `  lo_client->authenticate( username = '${pen.user()}' password = '${pen.put(pen.password())}' ).\n`,
  ],
  'Python assignment': (pen) => ['tools/load.py', `import requests\nDB_PASSWORD = "${pen.put(pen.password())}"\n`],
  'Python keyword argument': (pen) => [
    'tools/db.py',
    `conn = dbapi.connect(address="${pen.host()}", port=443, user="${pen.user()}", password="${pen.put(pen.password())}")\n`,
  ],
  'Python dict': (pen) => [
    'tools/cfg.py',
    `CONFIG = {\n    'client_id': 'orders',\n    'client_secret': '${pen.put(pen.random())}',\n}\n`,
  ],
  'Python environment default': (pen) => [
    'tools/env.py',
    `import os\nPASSWORD = os.getenv("ERP_PASSWORD", "${pen.put(pen.password())}")\n`,
  ],
  'Python environ set': (pen) => ['tools/env2.py', `os.environ["ERP_PASSWORD"] = "${pen.put(pen.password())}"\n`],
  'Python auth tuple': (pen) => ['tools/req.py', `r = requests.get(url, auth=("${pen.user()}", "${pen.put(pen.password())}"))\n`],
  'shell export': (pen) => ['scripts/env.sh', `#!/bin/bash\nexport ERP_PASSWORD='${pen.put(pen.password())}'\n`],
  'shell export, two in a line': (pen) => ['scripts/env2.sh', `export DB_USER=app DB_PASSWORD="${pen.put(pen.generated())}"\n`],
  'shell default': (pen) => ['scripts/def.sh', `PASSWORD="\${PASSWORD:-${pen.put(pen.generated())}}"\n`],
  'shell before a command': (pen) => ['scripts/run.sh', `PGPASSWORD=${pen.put(pen.generated())} psql -h ${pen.host()} -U app\n`],
  'shell readonly and local': (pen) => ['scripts/ro.sh', `f() {\n  local client_secret="${pen.put(pen.random())}"\n}\n`],
  'cf set-env': (pen) => ['scripts/cf.sh', `cf set-env orders-srv ERP_PASSWORD '${pen.put(pen.password())}'\n`],
  'cf create-user-provided-service': (pen) => [
    'scripts/cups.sh',
    `cf cups erp -p '{"url":"https://${pen.host()}","username":"${pen.user()}","password":"${pen.put(pen.password())}"}'\n`,
  ],
  'cf login over lines': (pen) => [
    'scripts/login.sh',
    `cf login \\\n  -a https://api.cf.eu10.hana.ondemand.com \\\n  -u ${pen.user()} \\\n  -p "${pen.put(pen.password())}" \\\n  -o org -s dev\n`,
  ],
  'curl -u': (pen) => ['scripts/get.sh', `curl -s -u "${pen.user()}:${pen.put(pen.generated())}" https://${pen.host()}/odata\n`],
  'curl --user behind the address': (pen) => [
    'scripts/get2.sh',
    `curl https://${pen.host()}/x --user ${pen.user()}:${pen.put(pen.generated())}\n`,
  ],
  'curl form data': (pen) => [
    'scripts/token.sh',
    `curl -X POST https://${pen.host()}/oauth/token -d "grant_type=client_credentials&client_id=orders&client_secret=${pen.put(pen.random())}"\n`,
  ],
  'curl header': (pen) => ['scripts/h.sh', `curl -H 'APIKey: ${pen.put(pen.shape('{w32}'))}' https://${pen.host()}/x\n`],
  'curl bearer header': (pen) => [
    'scripts/h2.sh',
    `curl -H "Authorization: Bearer ${pen.put(pen.random())}" https://${pen.host()}/x\n`,
  ],
  'computed key': (pen) => [
    'srv/computed.js',
    `const config = { ['client' + 'Id']: 'a', ['password']: '${pen.put(pen.password())}' }\nmodule.exports = config\n`,
  ],
  'key by a template': (pen) => [
    'srv/tplkey.js',
    `const c = {}\nc[\`clientSecret\`] = '${pen.put(pen.random())}'\nmodule.exports = c\n`,
  ],
  'quoted key with dashes': (pen) => ['srv/dash.js', `module.exports = { 'db-password': '${pen.put(pen.password())}' }\n`],
  'class field of TypeScript': (pen) => [
    'srv/client.ts',
    `export class Client {\n  private readonly password: string = '${pen.put(pen.password())}'\n}\n`,
  ],
  'static class field': (pen) => [
    'srv/st.ts',
    `class Api {\n  static #apiKey = '${pen.put(pen.random())}'\n}\nexport default Api\n`,
  ],
  'set in a constructor': (pen) => [
    'srv/ctor.js',
    `class A { constructor() { this.clientSecret = '${pen.put(pen.random())}' } }\nmodule.exports = A\n`,
  ],
  'default of an arrow function': (pen) => [
    'srv/arrow.js',
    `const login = (user = 'svc', password = '${pen.put(pen.password())}') => [user, password]\nmodule.exports = login\n`,
  ],
  'default of an option': (pen) => [
    'srv/opt.js',
    `function connect({ host, password = '${pen.put(pen.password())}' } = {}) { return [host, password] }\nmodule.exports = connect\n`,
  ],
  'default by ||': (pen) => [
    'srv/or.js',
    `const password = process.env.ERP_PASSWORD || '${pen.put(pen.password())}'\nmodule.exports = password\n`,
  ],
  'default by ??': (pen) => [
    'srv/nullish.ts',
    `export const config = { clientSecret: process.env['SECRET'] ?? '${pen.put(pen.random())}' }\n`,
  ],
  'choice by condition': (pen) => [
    'srv/cond.js',
    `const dbPassword = isProd ? process.env.PW : '${pen.put(pen.password())}'\nmodule.exports = dbPassword\n`,
  ],
  'object frozen, cast': (pen) => [
    'srv/as.ts',
    `export const AUTH = { user: 'svc', pass: '${pen.put(pen.password())}' } as const\n`,
  ],
  'enum of TypeScript': (pen) => [
    'srv/enum.ts',
    `export enum Credentials {\n  USER = 'svc',\n  PASSWORD = '${pen.put(pen.password())}',\n}\n`,
  ],
  'Map of pairs': (pen) => [
    'srv/map.js',
    `const config = new Map([['user', 'svc'], ['password', '${pen.put(pen.password())}']])\nmodule.exports = config\n`,
  ],
  'argument of set': (pen) => ['srv/set.js', `config.set('erp.password', '${pen.put(pen.password())}')\n`],
  'Object.assign': (pen) => ['srv/assign.js', `Object.assign(options, { user: 'svc', passwd: '${pen.put(pen.password())}' })\n`],
  'Jenkins environment': (pen) => [
    'Jenkinsfile',
    `pipeline {\n  environment {\n    ERP_PASSWORD = '${pen.put(pen.password())}'\n  }\n}\n`,
  ],
  'Jenkins shell step': (pen) => [
    'ci/Jenkinsfile',
    `node {\n  sh "cf login -a https://api.cf.eu10.hana.ondemand.com -u ci -p ${pen.put(pen.generated())}"\n}\n`,
  ],
  'Jenkins def': (pen) => ['ci/deploy.groovy', `def deployPassword = "${pen.put(pen.password())}"\n`],
  'GitHub workflow env': (pen) => [
    '.github/workflows/deploy.yml',
    `on: push\njobs:\n  a:\n    runs-on: x\n    env:\n      CF_PASSWORD: ${pen.put(pen.password())}\n    steps: []\n`,
  ],
  'GitHub workflow with': (pen) => [
    '.github/workflows/d2.yml',
    `on: push\njobs:\n  a:\n    steps:\n      - uses: acme/deploy@v1\n        with:\n          username: svc\n          password: ${pen.put(pen.password())}\n`,
  ],
  'GitLab variables': (pen) => ['.gitlab-ci.yml', `variables:\n  DB_PASSWORD: "${pen.put(pen.password())}"\n`],
  'Azure pipeline variable': (pen) => [
    'azure-pipelines.yml',
    `variables:\n  - name: erpPassword\n    value: ${pen.put(pen.password())}\n`,
  ],
  'Terraform variable default': (pen) => [
    'infra/variables.tf',
    `variable "db_password" {\n  type    = string\n  default = "${pen.put(pen.password())}"\n}\n`,
  ],
  'Terraform argument': (pen) => [
    'infra/main.tf',
    `resource "btp_x" "a" {\n  username = "svc"\n  password = "${pen.put(pen.password())}"\n}\n`,
  ],
  'Terraform tfvars': (pen) => ['infra/prod.tfvars', `region = "eu10"\nclient_secret = "${pen.put(pen.random())}"\n`],
  'Terraform map': (pen) => ['infra/locals.tf', `locals {\n  env = {\n    ERP_PASSWORD = "${pen.put(pen.password())}"\n  }\n}\n`],
  'http file, basic': (pen) => [
    'test-requests/orders.http',
    `GET https://${pen.host()}/odata/v4/orders\nAuthorization: Basic ${pen.user()} ${pen.put(pen.generated())}\n`,
  ],
  'http file, variable': (pen) => [
    'requests/a.http',
    `@host = https://${pen.host()}\n@password = ${pen.put(pen.password())}\n\nGET {{host}}/x\n`,
  ],
  'http file, body': (pen) => [
    'requests/b.rest',
    `POST https://${pen.host()}/token\nContent-Type: application/x-www-form-urlencoded\n\ngrant_type=client_credentials&client_id=a&client_secret=${pen.put(pen.random())}\n`,
  ],
  'http file, JSON body': (pen) => [
    'requests/c.http',
    `POST https://${pen.host()}/login\nContent-Type: application/json\n\n{ "user": "${pen.user()}", "password": "${pen.put(pen.password())}" }\n`,
  ],
  'Markdown code block of a shell': (pen) => [
    'docs/setup.md',
    `# Setup\n\n\`\`\`sh\nexport ERP_PASSWORD=${pen.put(pen.password())}\nnpm start\n\`\`\`\n`,
  ],
  'Markdown code block of JSON': (pen) => [
    'docs/config.md',
    `Put this into default-env.json:\n\n\`\`\`json\n{ "user": "${pen.user()}", "password": "${pen.put(pen.password())}" }\n\`\`\`\n`,
  ],
  'Markdown table of logins': (pen) => [
    'docs/systems.md',
    `| system | user | password |\n|---|---|---|\n| QAS | ${pen.user()} | ${pen.put(pen.generated())} |\n`,
  ],
  'Markdown line': (pen) => [
    'docs/notes.md',
    `Login on QAS:\n\n- User: ${pen.user()}\n- Password: ${pen.put(pen.generated())}\n`,
  ],
  'JSON in a string of JSON': (pen) => [
    'config/env.json',
    JSON.stringify({ SERVICES: JSON.stringify({ erp: { user: 'svc', password: pen.put(pen.password()) } }) }),
  ],
  'JSON in a string of YAML': (pen) => [
    'config/e.yaml',
    `services: '{"erp":{"user":"svc","password":"${pen.put(pen.password())}"}}'\n`,
  ],
  'JSON in a shell variable': (pen) => [
    'scripts/vcap.sh',
    `export CONFIG='{"client_id":"a","client_secret":"${pen.put(pen.random())}"}'\n`,
  ],
  'JSON.parse of a literal': (pen) => [
    'srv/parse.js',
    `const c = JSON.parse('{"user":"svc","password":"${pen.put(pen.password())}"}')\nmodule.exports = c\n`,
  ],
  'Spring placeholder with a default, properties': (pen) => [
    'src/main/resources/application.properties',
    `spring.datasource.username=app\nspring.datasource.password=\${DB_PASSWORD:${pen.put(pen.generated())}}\n`,
  ],
  'Spring placeholder with a default, YAML': (pen) => [
    'src/main/resources/application.yaml',
    `erp:\n  client-secret: \${ERP_SECRET:${pen.put(pen.random())}}\n`,
  ],
  'compose placeholder with a default': (pen) => [
    'compose.db.yml',
    `services:\n  db:\n    image: postgres\n    environment:\n      POSTGRES_PASSWORD: \${PG_PASSWORD:-${pen.put(pen.generated())}}\n`,
  ],
  'properties with spaces and colon': (pen) => [
    'conf/erp.properties',
    `erp.user : ${pen.user()}\nerp.password : ${pen.put(pen.password())}\n`,
  ],
  'ini section': (pen) => ['conf/app.ini', `[erp]\nuser = ${pen.user()}\npasswd = ${pen.put(pen.password())}\n`],
  TOML: (pen) => ['conf/app.toml', `[database]\npassword = "${pen.put(pen.password())}"\n`],
  'XML attribute': (pen) => [
    'conf/ds.xml',
    `<config>\n  <datasource url="jdbc:sap://${pen.host()}" user="${pen.user()}" password="${pen.put(pen.password())}"/>\n</config>\n`,
  ],
  'XML name and value': (pen) => [
    'conf/beans.xml',
    `<beans><bean><property name="password" value="${pen.put(pen.password())}"/></bean></beans>\n`,
  ],
  'XML key attribute and text': (pen) => [
    'conf/entries.xml',
    `<properties><entry key="db.password">${pen.put(pen.password())}</entry></properties>\n`,
  ],
  'XML element in a namespace': (pen) => [
    'conf/soap.xml',
    `<wsse:UsernameToken xmlns:wsse="x"><wsse:Username>a</wsse:Username><wsse:Password>${pen.put(pen.password())}</wsse:Password></wsse:UsernameToken>\n`,
  ],
  'Dockerfile ENV': (pen) => ['Dockerfile', `FROM node:22\nENV LOG=info ERP_PASSWORD=${pen.put(pen.password())}\n`],
  'Dockerfile ARG default': (pen) => ['docker/Dockerfile', `FROM node:22\nARG DB_PASSWORD=${pen.put(pen.generated())}\n`],
  'npm script': (pen) => [
    'package.json',
    JSON.stringify({ name: 'a', scripts: { deploy: `cf login -u ci -p ${pen.put(pen.generated())} && cf push` } }),
  ],
  'npm script with a variable': (pen) => [
    'tool/package.json',
    JSON.stringify({ name: 'b', scripts: { start: `cross-env ERP_PASSWORD=${pen.put(pen.generated())} node .` } }),
  ],
  PowerShell: (pen) => [
    'scripts/a.ps1',
    `$env:ERP_PASSWORD = "${pen.put(pen.password())}"\n$clientSecret = '${pen.put(pen.random())}'\n`,
  ],
  'batch file': (pen) => ['scripts/a.bat', `@echo off\r\nset ERP_PASSWORD=${pen.put(pen.generated())}\r\n`],
  'SQL user': (pen) => [
    'db/init.sql',
    `CREATE USER orders PASSWORD "${pen.put(pen.password())}" NO FORCE_FIRST_PASSWORD_CHANGE;\n`,
  ],
  'SQL identified by': (pen) => ['db/user.sql', `ALTER USER app IDENTIFIED BY '${pen.put(pen.password())}';\n`],
  'address with credentials': (pen) => [
    'srv/url.js',
    `const url = 'https://${pen.user()}:${pen.put(pen.shape('{A1}{w14}{d2}'))}@${pen.host()}/odata'\nmodule.exports = url\n`,
  ],
  'VS Code launch': (pen) => [
    '.vscode/launch.json',
    `{\n  // local\n  "configurations": [{ "type": "node", "env": { "ERP_PASSWORD": "${pen.put(pen.password())}" } }]\n}\n`,
  ],
  'base64 in an auth field': (pen) => [
    'config/reg.json',
    JSON.stringify({ auths: { 'registry.corp.cloud': { auth: pen.put(toBase64(`svc:${pen.generated()}`)) } } }),
  ],
}

/** The same forms with nothing in them to be told. */
export const FORM_TWINS: Writers = {
  'YAML, three levels deep, a reference': () => [
    'config/settings.yaml',
    'backend:\n  erp:\n    password: ${ERP_PASSWORD}\n    passwordFile: /run/secrets/erp\n',
  ],
  'YAML name and valueFrom': () => [
    'deploy/app.yaml',
    'env:\n  - name: ERP_PASSWORD\n    valueFrom:\n      secretKeyRef:\n        name: erp-credentials\n        key: erp-password-productive\n',
  ],
  'YAML alias': () => ['config/d.yaml', 'prod:\n  client_secret: *secret\n  password: !vault erp/prod\n'],
  'compose reference': () => [
    'docker-compose.yml',
    'services:\n  db:\n    environment:\n      - POSTGRES_PASSWORD=${PG_PASSWORD}\n      - POSTGRES_PASSWORD_FILE=/run/secrets/postgres\n',
  ],
  'compose default of nothing': () => [
    'compose.yaml',
    'services:\n  db:\n    environment:\n      PASSWORD: ${PG_PASSWORD:?must be set}\n      OTHER_PASSWORD: ${PG_PASSWORD:-}\n',
  ],
  'Java from the environment': () => [
    'src/main/java/C.java',
    'class C { String password = System.getenv("ERP_PASSWORD"); static final String PASSWORD_KEY = "spring.datasource.password"; }\n',
  ],
  'Java @Value': () => [
    'src/main/java/P.java',
    'class P { @Value("${erp.password}") private String password; @Value("${erp.password:#{null}}") String b; }\n',
  ],
  'Java getConnection with variables': () => [
    'src/main/java/D.java',
    'class D { void a() { DriverManager.getConnection(url, user, password); builder.clientSecret(secret).build(); } }\n',
  ],
  'ABAP from a store': () => [
    'src/z.prog.abap',
    "  lv_password = zcl_store=>read( 'ERP_PASSWORD' ).\n  CONSTANTS lc_field TYPE string VALUE 'PASSWORD'.\n",
  ],
  'Python from the environment': () => [
    'tools/a.py',
    'import os\nPASSWORD = os.environ["ERP_PASSWORD"]\nSECRET = os.getenv("CLIENT_SECRET", "")\nauth = (user, password)\n',
  ],
  'Python prompt': () => ['tools/b.py', 'password = getpass.getpass("Password for the productive system: ")\n'],
  'shell reference': () => [
    'scripts/env.sh',
    'export ERP_PASSWORD="$(cf env orders | jq -r .password)"\nread -s -p "Password of the user: " PASSWORD\nPGPASSWORD="$DB_PASSWORD" psql\n',
  ],
  'cf with variables': () => [
    'scripts/cf.sh',
    'cf set-env orders-srv ERP_PASSWORD "$ERP_PASSWORD"\ncf login -u "$CF_USER" -p "$CF_PASSWORD"\n',
  ],
  'curl with variables': () => [
    'scripts/c.sh',
    'curl -u "$USER:$PASSWORD" -H "Authorization: Bearer $TOKEN" https://corp.cloud\ncurl -d "client_secret=${CLIENT_SECRET}" https://corp.cloud/oauth/token\n',
  ],
  'labels of a form': () => [
    'webapp/c.js',
    "const texts = { password: 'Password', passwordHint: 'At least eight characters', newPassword: 'newPasswordInput' }\n",
  ],
  'names of fields': () => [
    'srv/f.js',
    "const FIELDS = { password: 'hashed_password', token: 'access_token', secret: 'client_secret' }\nmodule.exports = FIELDS\n",
  ],
  'computed key of a variable': () => [
    'srv/g.js',
    "const c = { [passwordKey]: getPassword(), ['password']: process.env.PASSWORD }\nmodule.exports = c\n",
  ],
  'class field without a value': () => [
    'srv/h.ts',
    "export class A {\n  private password: string = ''\n  declare secret: string\n  token?: string\n}\n",
  ],
  'default of nothing': () => [
    'srv/i.js',
    "const password = process.env.PASSWORD || ''\nconst secret = process.env.SECRET ?? undefined\nmodule.exports = [password, secret]\n",
  ],
  'enum of kinds': () => [
    'srv/j.ts',
    "export enum AuthType {\n  PASSWORD = 'password',\n  CLIENT_SECRET = 'client_secret_basic',\n  TOKEN = 'token_exchange',\n}\n",
  ],
  'Jenkins credentials': () => [
    'Jenkinsfile',
    "pipeline {\n  environment {\n    ERP_PASSWORD = credentials('erp-technical-user')\n  }\n}\n",
  ],
  'Jenkins withCredentials': () => [
    'ci/Jenkinsfile',
    "withCredentials([usernamePassword(credentialsId: 'cf-deploy-user', usernameVariable: 'CF_USER', passwordVariable: 'CF_PASSWORD')]) { sh 'cf login -u $CF_USER -p $CF_PASSWORD' }\n",
  ],
  'workflow secrets': () => [
    '.github/workflows/d.yml',
    'on: push\njobs:\n  a:\n    env:\n      CF_PASSWORD: ${{ secrets.CF_PASSWORD }}\n    steps:\n      - with:\n          password: ${{ secrets.GITHUB_TOKEN }}\n',
  ],
  'Terraform without a default': () => [
    'infra/v.tf',
    'variable "db_password" {\n  type        = string\n  description = "Password of the productive database"\n  sensitive   = true\n}\nresource "x" "y" {\n  password = var.db_password\n  secret   = random_password.main.result\n}\n',
  ],
  'http file with variables': () => [
    'r/a.http',
    '@password = {{$dotenv ERP_PASSWORD}}\n\nGET {{host}}/x\nAuthorization: Basic {{user}} {{password}}\n',
  ],
  'Markdown placeholders': () => [
    'docs/a.md',
    '```sh\nexport ERP_PASSWORD=<your password>\ncf login -u <user> -p <password>\n```\n\n| field | password |\n|---|---|\n| type | the password of the user |\n',
  ],
  'Markdown prose': () => [
    'docs/b.md',
    'Password: at least eight characters, see the policy.\n\n- Token: taken from the binding\n- Secret: rotated-every-90-days\n',
  ],
  'JSON schema': () => [
    'config/s.json',
    JSON.stringify({
      properties: { password: { type: 'string', description: 'Password of the technical user', minLength: 8 } },
      required: ['password'],
    }),
  ],
  'Spring placeholder': () => [
    'src/main/resources/application.properties',
    'spring.datasource.password=${DB_PASSWORD}\nspring.datasource.username=${DB_USER:app}\nserver.ssl.key-store-password=${KEYSTORE_PASSWORD:}\n',
  ],
  'XML reference': () => [
    'conf/a.xml',
    '<beans><property name="password" value="${db.password}"/><property name="passwordEncoder" ref="bcryptPasswordEncoder1"/></beans>\n',
  ],
  'XML of a view': () => [
    'webapp/view/Login.view.xml',
    '<mvc:View xmlns:mvc="sap.ui.core.mvc" xmlns="sap.m"><Input id="passwordInput1" type="Password" value="{/password}" placeholder="{i18n>passwordPlaceholder}"/></mvc:View>\n',
  ],
  'Dockerfile without a value': () => ['Dockerfile', 'FROM node:22\nARG DB_PASSWORD\nENV PASSWORD=$DB_PASSWORD\n'],
  'npm script of variables': () => [
    'package.json',
    JSON.stringify({
      name: 'a',
      scripts: { deploy: 'cf login -u $CF_USER -p $CF_PASSWORD', start: 'cross-env PASSWORD_FILE=./password.txt node .' },
    }),
  ],
  'PowerShell from the environment': () => [
    'scripts/a.ps1',
    '$password = $env:ERP_PASSWORD\n$secure = Read-Host "Password of the user" -AsSecureString\n$secret = Get-AzKeyVaultSecret -Name "erp-secret-prod"\n',
  ],
  'batch with a variable': () => [
    'scripts/a.bat',
    '@echo off\r\nset PASSWORD=%ERP_PASSWORD%\r\nset /p PASSWORD=Password of the user: \r\n',
  ],
  'SQL with a parameter': () => [
    'db/a.sql',
    'UPDATE users SET password = :password, token = ? WHERE id = 1;\nSELECT password_hash AS password FROM users;\n',
  ],
  'SQL column': () => ['db/b.sql', "CREATE TABLE users (password VARCHAR(128) DEFAULT 'not-set-by-user', token NVARCHAR(64));\n"],
  'paths of a model': () => [
    'webapp/d.js',
    "oModel.setProperty('/password', sValue); oModel.bindProperty('/tokenExpired/afterLogin01'); config.set('erp.password', getSecret('erp'))\n",
  ],
  'Map of labels': () => [
    'srv/k.js',
    "const labels = new Map([['password', 'PASSWORD_FIELD_LABEL'], ['token', getToken()]])\nmodule.exports = labels\n",
  ],
}
