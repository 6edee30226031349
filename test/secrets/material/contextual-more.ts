import { toBase64 } from './draw.ts'
import type { Writers } from './sample.ts'

const json = (value: unknown): string => JSON.stringify(value, undefined, 2) + '\n'

/** Ways to write that the other lists don't have: more commands, more formats, more places of the same field. */
export const MORE_CONTEXTUAL: Writers = {
  'client registration of Spring': (pen) => [
    'src/main/resources/application-dev.yml',
    `spring:\n  security:\n    oauth2:\n      client:\n        registration:\n          ias:\n            client-id: orders\n            client-secret: ${pen.put(pen.random())}\n`,
  ],
  'static field': (pen) => ['srv/a.ts', `export class Config {\n  static PASSWORD = '${pen.put(pen.password())}'\n}\n`],
  'pass beside a user': (pen) => [
    'srv/b.js',
    `const credentials = { user: '${pen.user()}', pass: '${pen.put(pen.password())}' }\nmodule.exports = credentials\n`,
  ],
  'pool of HANA': (pen) => [
    'srv/pool.js',
    `const pool = hana.createPool({ serverNode: 'h.corp.cloud:443', UID: '${pen.user()}', PWD: '${pen.put(pen.password())}' })\n`,
  ],
  'configuration of CAP in code': (pen) => [
    'srv/server.js',
    `cds.env.requires.db.credentials.password = '${pen.put(pen.password())}'\n`,
  ],
  'connection string of ODBC': (pen) => [
    'load.py',
    `conn = pyodbc.connect("DRIVER={HDBODBC};SERVERNODE=h.corp.cloud:443;UID=SRV;PWD=${pen.put(pen.generated())}")\n`,
  ],
  'binding in code': (pen) => [
    'srv/env.js',
    `process.env.VCAP_SERVICES = JSON.stringify({ xsuaa: [{ credentials: { clientid: 'sb-a!t1', clientsecret: '${pen.put(pen.shape('{b27}='))}' } }] })\n`,
  ],
  'binding of a script': (pen) => [
    'start.sh',
    `export VCAP_SERVICES='{"hana":[{"credentials":{"user":"A_RT","password":"${pen.put(pen.shape('{A1}{a1}{p126}'))}"}}]}'\n`,
  ],
  'line appended to .env': (pen) => [
    '.github/workflows/e.yml',
    `jobs:\n  a:\n    steps:\n      - run: echo "ERP_PASSWORD=${pen.put(pen.generated().replaceAll('!', '_'))}" >> .env\n`,
  ],
  'variables of Ansible': (pen) => ['group_vars/all.yml', `---\ndb_user: app\ndb_password: ${pen.put(pen.generated())}\n`],
  'exported variable': (pen) => ['.env', `export API_TOKEN=${pen.put(pen.random())}\nexport A=1\n`],
  'helm --set': (pen) => [
    'deploy.sh',
    `helm upgrade --install orders ./chart --set db.password=${pen.put(pen.generated())} --wait\n`,
  ],
  'kubectl create secret': (pen) => [
    'deploy.sh',
    `kubectl create secret generic db --from-literal=username=app --from-literal=password='${pen.put(pen.password())}'\n`,
  ],
  'cf create-user-provided-service': (pen) => [
    'setup.sh',
    `cf create-user-provided-service erp -p '{"url":"https://x","password":"${pen.put(pen.generated())}"}'\n`,
  ],
  'az login': (pen) => [
    'deploy.sh',
    `az login --service-principal -u ${pen.guid()} -p ${pen.put(pen.random())} --tenant ${pen.guid()}\n`,
  ],
  sshpass: (pen) => ['copy.sh', `sshpass -p '${pen.put(pen.password())}' scp a.zip svc@10.1.1.1:/tmp\n`],
  'property of a virtual machine': (pen) => [
    'run.sh',
    `java -Djavax.net.ssl.keyStore=a.jks -Djavax.net.ssl.keyStorePassword=${pen.put(pen.generated())} -jar a.jar\n`,
  ],
  'property of Maven': (pen) => ['build.sh', `mvn -B deploy -Dnexus.user=svc -Dnexus.password=${pen.put(pen.generated())}\n`],
  'npm config set': (pen) => ['ci.sh', `npm config set //npm.corp.cloud/:_authToken ${pen.put(pen.random())}\n`],
  'git clone': (pen) => ['ci.sh', `git clone https://oauth2:${pen.put(pen.random())}@gitlab.corp.cloud/acme/orders.git\n`],
  'list of users': (pen) => [
    'config/users.json',
    json([
      { username: 'integration', password: pen.put(pen.password()) },
      { username: 'batch', password: pen.put(pen.password()) },
    ]),
  ],
  'nested settings': (pen) => [
    'srv/config.ts',
    `const config: Config = {\n  oauth: { clientId: 'orders', clientSecret: "${pen.put(pen.random())}" },\n}\nexport default config\n`,
  ],
  'repository of Gradle': (pen) => [
    'build.gradle',
    `repositories {\n  maven {\n    url 'https://repo.corp.cloud'\n    credentials {\n      username 'svc'\n      password '${pen.put(pen.password())}'\n    }\n  }\n}\n`,
  ],
  'repository of Gradle in Kotlin': (pen) => [
    'build.gradle.kts',
    `maven {\n  credentials {\n    username = "svc"\n    password = "${pen.put(pen.password())}"\n  }\n}\n`,
  ],
  'plugin of Maven': (pen) => [
    'pom.xml',
    `<project><build><plugins><plugin><configuration><username>svc</username><password>${pen.put(pen.password())}</password></configuration></plugin></plugins></build></project>\n`,
  ],
  'users of Tomcat': (pen) => [
    'conf/tomcat-users.xml',
    `<tomcat-users>\n  <user username="deployer" password="${pen.put(pen.password())}" roles="manager-script"/>\n</tomcat-users>\n`,
  ],
  'bearer in two parts': (pen) => ['webapp/a.js', `var headers = { "Authorization": "Bearer " + "${pen.put(pen.random())}" };\n`],
  'typed constant of ABAP': (pen) => [
    'src/z1.prog.abap',
    `CONSTANTS c_client_secret TYPE c LENGTH 40 VALUE '${pen.put(pen.random())}'.\n`,
  ],
  'header of ABAP': (pen) => [
    'src/z2.prog.abap',
    `lo_client->request->set_header_field( name = 'APIKey' value = '${pen.put(pen.shape('{w32}'))}' ).\n`,
  ],
  '.cdsrc.yaml': (pen) => [
    '.cdsrc.yaml',
    `requires:\n  db:\n    kind: hana\n    credentials:\n      user: DBADMIN\n      password: ${pen.put(pen.generated())}\n`,
  ],
  'docker run': (pen) => [
    'run.sh',
    `docker run -d -e NODE_ENV=production -e DB_PASSWORD=${pen.put(pen.generated())} orders:1.0\n`,
  ],
  'docker build': (pen) => ['build.sh', `docker build --build-arg NPM_TOKEN=${pen.put(pen.random())} -t orders .\n`],
  'generator of kustomize': (pen) => [
    'k8s/kustomization.yaml',
    `secretGenerator:\n  - name: db\n    literals:\n      - username=app\n      - password=${pen.put(pen.generated())}\n`,
  ],
  'data of a ConfigMap': (pen) => [
    'k8s/cm.yaml',
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  DB_PASSWORD: "${pen.put(pen.password())}"\n`,
  ],
  'options of MySQL': (pen) => ['conf/my.cnf', `[client]\nuser=app\npassword="${pen.put(pen.password())}"\n`],
  TOML: (pen) => ['config/app.toml', `[database]\nuser = "app"\npassword = "${pen.put(pen.password())}"\n`],
  'environment of Cypress': (pen) => ['cypress.env.json', json({ username: 'a@acme.com', password: pen.put(pen.password()) })],
  'hidden field': (pen) => [
    'webapp/login.html',
    `<form><input type="hidden" name="apiKey" value="${pen.put(pen.random())}"></form>\n`,
  ],
  'user-provided service of an MTA': (pen) => [
    'mta.yaml',
    `_schema-version: "3.1"\nID: a\nversion: 1.0.0\nresources:\n  - name: erp\n    type: org.cloudfoundry.user-provided-service\n    parameters:\n      config:\n        user: SRV\n        password: ${pen.put(pen.generated())}\n`,
  ],
  'manifest of services': (pen) => [
    'services-manifest.yml',
    `create-services:\n  - name: erp\n    type: credentials\n    credentials:\n      user: SRV\n      password: "${pen.put(pen.password())}"\n`,
  ],
  'script over lines in a Jenkinsfile': (pen) => [
    'Jenkinsfile',
    `node {\n  sh '''\n    npm ci\n    curl -u deploy:${pen.put(pen.generated())} -T a.mtar https://nexus.corp.cloud/repo/\n  '''\n}\n`,
  ],
  'parameters of btp create': (pen) => [
    'setup.sh',
    `btp create services/instance --parameters '{"data":{"systempassword":"${pen.put(pen.generated())}"}}'\n`,
  ],
  'basic header of Java': (pen) => [
    'src/main/java/H.java',
    `class H {\n  String auth = "Basic " + Base64.getEncoder().encodeToString("svc:${pen.put(pen.generated())}".getBytes());\n}\n`,
  ],
  'header of a fetch of UI5': (pen) => [
    'webapp/controller/C.controller.js',
    `sap.ui.define([], function () {\n  const h = new Headers();\n  h.append("Authorization", "Basic ${pen.put(toBase64(`SRV:${pen.password()}`))}");\n  return h;\n});\n`,
  ],
  'secret of a webhook in YAML': (pen) => [
    'config/hooks.yaml',
    `webhooks:\n  - url: https://x.corp.cloud\n    signing_secret: ${pen.put(pen.random())}\n`,
  ],
  'configuration of a log shipper': (pen) => [
    'conf/fluent.conf',
    `<match **>\n  @type elasticsearch\n  user svc\n  password ${pen.put(pen.generated())}\n</match>\n`,
  ],
  ternary: (pen) => [
    'srv/t.js',
    `const password = isProd ? process.env.PW : '${pen.put(pen.password())}'\nmodule.exports = password\n`,
  ],
  'switch of landscapes': (pen) => [
    'srv/l.js',
    `const PASSWORDS = {\n  dev: '${pen.put(pen.generated())}',\n  prod: '${pen.put(pen.generated())}',\n}\nmodule.exports = PASSWORDS\n`,
  ],
}

/** Their safe twins. */
export const MORE_TWINS: Writers = {
  'look-up of Ansible': () => [
    'group_vars/all.yml',
    `db_password: "{{ lookup('env', 'DB_PASSWORD') }}"\napi_token: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  6638643965396539\n`,
  ],
  'template of a pipeline': () => [
    'azure-pipelines.yml',
    `steps:\n  - task: CF@1\n    inputs:\n      password: \${{ parameters.cfPassword }}\n`,
  ],
  'arguments of a script': () => [
    'deploy.sh',
    `USER=$1\nPASSWORD=$2\nread -s -p "Password: " PASSWORD\necho "password: $PASSWORD"\nhelm upgrade a ./chart --set db.password="$PASSWORD"\nkubectl create secret generic db --from-literal=password=$PASSWORD\nmvn deploy -Dnexus.password=\${NEXUS_PASSWORD}\ndocker run -e DB_PASSWORD -e TOKEN=$TOKEN a\n`,
  ],
  'example of an interface': () => [
    'srv/swagger.json',
    json({
      example: { username: 'string', password: 'string', token: 'string' },
      parameters: [{ name: 'password', in: 'query', description: 'The password for login in clear text' }],
    }),
  ],
  'schema of JSON': () => [
    'config/schema.json',
    json({
      properties: {
        password: { type: 'string', minLength: 8, pattern: '^[A-Za-z0-9]{8,}$', title: 'Password2', default: '' },
        apiToken: { $ref: '#/definitions/token1' },
      },
    }),
  ],
  'password of a generator': () => [
    'srv/g.js',
    `const user = { password: faker.internet.password(), token: crypto.randomUUID(), secret: randomBytes(32).toString('hex') }\n`,
  ],
  'hashes of passwords': (pen) => [
    'db/users.json',
    json([{ user: 'a', passwordHash: `$2b$10$${pen.shape('{w53}')}`, password_digest: pen.shape('{h64}') }]),
  ],
  'grant types': () => [
    'srv/o.js',
    `const GRANT = 'urn:ietf:params:oauth:grant-type:saml2-bearer'\nconst params = { grant_type: 'client_credentials', token_format: 'jwt', response_type: 'token', subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' }\n`,
  ],
  'resources of Kubernetes': () => [
    'k8s/i.yaml',
    `apiVersion: networking.k8s.io/v1\nkind: Ingress\nspec:\n  tls:\n    - secretName: tls-secret-2024\n      hosts: [a.corp.cloud]\n---\napiVersion: v1\nkind: ServiceAccount\nimagePullSecrets:\n  - name: registry-pull-secret1\nautomountServiceAccountToken: false\n`,
  ],
  'texts in a module': () => [
    'webapp/texts.ts',
    `export default { 'login.password': 'Passwort eingeben', 'login.token': 'Einmalpasswort (6 Ziffern)', tokenExpired: 'Your session token expired 5 minutes ago' }\n`,
  ],
  'themes and design tokens': () => [
    'webapp/css/tokens.json',
    json({
      token: { 'color-primary': '#0a6ed1', 'font-size-1': '0.875rem' },
      tokens: ['sapButton_Background1', 'sapTextColor2'],
    }),
  ],
  'rights of a job': () => [
    '.github/workflows/t.yml',
    `permissions:\n  contents: read\n  id-token: write\njobs:\n  a:\n    secrets: inherit\n    steps:\n      - uses: actions/cache@v4\n        with:\n          key: npm-\${{ hashFiles('package-lock.json') }}-v2\n          restore-keys: npm-cache-key-1\n`,
  ],
  'scopes of xsuaa': () => [
    'xs-security.json',
    json({
      xsappname: 'a',
      scopes: [{ name: '$XSAPPNAME.TokenExchange1', description: 'x' }],
      'foreign-scope-references': ['uaa.user'],
      'oauth2-configuration': {
        'refresh-token-validity': 86400,
        'grant-types': ['client_credentials', 'refresh_token', 'password'],
      },
    }),
  ],
  'ids of keys': () => [
    'src/main/resources/k.properties',
    `encryption.key-id=orders-key-2024-01\nsigning.key.alias=orders_sign_1\nkeystore.type=PKCS12\nkeystore.path=/etc/keys/orders.p12\ntoken.issuer=https://a.accounts.ondemand.com\n`,
  ],
  'assertions of a test': () => [
    'test/a.test.js',
    `expect(res.body.password).toBe(undefined)\nexpect(login('u', 'wrong-password')).rejects\nassert.equal(token, 'token-1')\n`,
  ],
  'keys of React and lists': () => [
    'webapp/l.js',
    `new Item({ key: "customerKey12345", text: "Key1" });\nitems.map((i) => ({ Key: "ORDER_KEY_001", key: "sortKey2Desc" }));\noSelect.setSelectedKey("statusKey3Open");\n`,
  ],
  'names of secrets in a vault': () => [
    'infra/v.tf',
    `data "azurerm_key_vault_secret" "db" {\n  name         = "orders-db-password-1"\n  key_vault_id = var.kv\n}\nresource "kubernetes_secret" "s" {\n  data = { password = data.azurerm_key_vault_secret.db.value }\n}\n`,
  ],
  'documentation of variables': () => [
    'docs/env.md',
    '| Variable | Default | Meaning |\n|---|---|---|\n| `DB_PASSWORD` | none | password of the database user |\n| `API_TOKEN` | `<token>` | token of the API |\n\n`password=secret&client_id=abc` is sent as a form.\n',
  ],
}
