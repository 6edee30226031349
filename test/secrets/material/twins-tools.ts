import { drawSecret } from '../../secret-values.ts'
import type { Writers } from './sample.ts'

const json = (value: unknown): string => JSON.stringify(value, undefined, 2) + '\n'

/** Safe twins of programs, builds and tools. */
export const TOOL_TWINS: Writers = {
  'password from a function': () => [
    'srv/a.js',
    `const password = await readPassword('orders', 'ERP_2026')\nconst token = getToken(req, 'Bearer1')\nconst apiKey = config.get('api.key.v1')\n`,
  ],
  'password from the request': () => [
    'srv/b.js',
    `const { password, token } = req.data\nconst pwd = req.body['password']\nif (password === '') throw new Error('password missing')\n`,
  ],
  'names of fields': () => [
    'srv/c.js',
    `const FIELDS = { password: 'password', token: 'access_token', secret: 'clientSecret', key: 'apiKey' }\nconst PASSWORD_FIELD = 'j_password'\n`,
  ],
  'compared with a type': () => [
    'webapp/c.js',
    `oInput.setType("Password");\nvar sPasswordId = "idPasswordInput1";\nthis.byId("password2Input").setValue("");\n`,
  ],
  'texts of messages': () => [
    'webapp/d.js',
    `MessageBox.error("Password expired: please contact the admin, code 4711");\nvar passwordError = "Invalid user name or password";\n`,
  ],
  'text by its key': () => [
    'webapp/e.js',
    `var sPassword = this.getText("loginPassword1");\nvar oToken = new Token({ key: "0001234567", text: "Miller" });\n`,
  ],
  'binding paths': () => [
    'webapp/f.js',
    `new Input({ type: "Password", value: "{/credentials/password}" });\noModel.setProperty("/password", "");\noModel.getProperty("/token1");\n`,
  ],
  'reset of state': () => ['webapp/g.js', `this.password = "";\nthis.token = null;\nvar apiKey = undefined, secret = false;\n`],
  'handling of CSRF': () => [
    'webapp/h.js',
    `$.ajax({ headers: { "X-CSRF-Token": "Fetch" } });\nxhr.setRequestHeader("x-csrf-token", sToken);\nconst tokenHeader = 'X-CSRF-Token';\n`,
  ],
  'types of TypeScript': () => [
    'srv/i.ts',
    `interface Login { password: string; token?: 'Bearer' | 'Basic'; apiKey: ApiKey }\ntype Secret = 'xsuaa-secret' | 'x509'\nenum Kind { Password = 'PASSWORD_AUTH', Token = 'TOKEN_AUTH' }\n`,
  ],
  'templates with references': () => [
    'srv/j.js',
    'const header = `Bearer ${token}`\nconst basic = `Basic ${btoa(`${user}:${password}`)}`\nconst url = `https://${user}:${pwd}@${host}/`\n',
  ],
  'schemes alone': () => [
    'srv/k.js',
    `if (header.startsWith('Bearer ')) return header.slice('Bearer '.length)\nconst scheme = 'Basic realm="orders"'\n`,
  ],
  'parsing of addresses': () => [
    'srv/l.js',
    `const m = /^https?:\\/\\/([^:]+):([^@]+)@/.exec(url)\nconst doc = 'postgres://user:password@host:5432/db'\nconst ssh = 'git@github.com:acme/orders.git'\n`,
  ],
  'numbers of an environment': () => [
    '.env',
    `PASSWORD_MIN_LENGTH=12\nTOKEN_TTL=3600\nAUTH_TYPE=xsuaa\nSECRET_NAME=orders-db1\nJWT_AUDIENCE=orders-srv-1\nKEY_FILE=/etc/ssl/private/a1.key\nAPI_KEY=\nDB_PASSWORD=\n`,
  ],
  'references of an environment': () => [
    '.env',
    `DB_PASSWORD=\${VAULT_DB_PASSWORD}\nTOKEN=$(cat /run/secrets/token1)\nAPI_SECRET=op://vault/orders/secret\nPWD_REF=vault:kv/orders#pwd\nCLIENT_SECRET=<from the cockpit>\n`,
  ],
  'workflow by secrets': () => [
    '.github/workflows/a.yml',
    `permissions:\n  id-token: write\njobs:\n  a:\n    env:\n      CF_PASSWORD: \${{ secrets.CF_PASSWORD }}\n    steps:\n      - uses: actions/checkout@8f4b7f84864484a7bf31766abe9204da3cbe65b3\n        with:\n          token: \${{ github.token }}\n          persist-credentials: false\n      - run: cf login -u "$CF_USER" -p "$CF_PASSWORD"\n`,
  ],
  'Jenkinsfile by credentials': () => [
    'Jenkinsfile',
    `pipeline {\n  environment {\n    CF = credentials('cf-deploy-user-1')\n    CF_PASSWORD = credentials('cf-password')\n  }\n  stages { stage('a') { steps {\n    withCredentials([usernamePassword(credentialsId: 'cf-prod-user1', passwordVariable: 'CF_PASSWORD', usernameVariable: 'CF_USER')]) {\n      sh 'cf login -u $CF_USER -p $CF_PASSWORD'\n    }\n  } } }\n}\n`,
  ],
  'GitLab by variables': () => [
    '.gitlab-ci.yml',
    `variables:\n  SECRET_DETECTION_ENABLED: "true1"\n  NPM_TOKEN: $CI_JOB_TOKEN\ndeploy:\n  script:\n    - cf login -u $CF_USER -p $CF_PASSWORD\n    - curl --header "JOB-TOKEN: $CI_JOB_TOKEN" $URL\n`,
  ],
  'Azure by variables': () => [
    'azure-pipelines.yml',
    `variables:\n  - group: orders-secrets-1\nsteps:\n  - script: cf login -u $(CF_USER) -p $(CF_PASSWORD)\n    env:\n      TOKEN: $(System.AccessToken)\n`,
  ],
  'compose by variables': () => [
    'docker-compose.yml',
    `services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: \${DB_PASSWORD:?}\n      POSTGRES_PASSWORD_FILE: /run/secrets/db-password1\n    secrets:\n      - db-password1\nsecrets:\n  db-password1:\n    file: ./db_password1.txt\n`,
  ],
  'Terraform by variables': () => [
    'infra/main.tf',
    `provider "btp" {\n  username = var.btp_user\n  password = var.btp_password\n}\nresource "a" "b" {\n  secret_id   = data.vault.x.id\n  key_vault   = "orders-kv-01"\n  admin_token = random_password.a.result\n}\nvariable "db_password" {\n  type        = string\n  description = "Password of the database user 1"\n  sensitive   = true\n}\n`,
  ],
  'Spring by references': () => [
    'src/main/resources/application.yaml',
    `spring:\n  datasource:\n    password: \${DB_PASSWORD}\n  security:\n    oauth2:\n      client:\n        registration:\n          a:\n            client-secret: \${CLIENT_SECRET:}\n            client-authentication-method: client_secret_basic\n            authorization-grant-type: client_credentials\n`,
  ],
  jasypt: (pen) => [
    'src/main/resources/application.properties',
    `spring.datasource.password=ENC(${pen.shape('{b32}')})\njasypt.encryptor.algorithm=PBEWITHHMACSHA512ANDAES_256\n`,
  ],
  'Maven by references': (pen) => [
    'settings.xml',
    `<settings><servers><server><id>n</id><password>\${env.NEXUS_PASSWORD}</password></server><server><id>m</id><password>{${pen.shape('{b44}')}=}</password></server></servers></settings>\n`,
  ],
  'pom with versions': () => [
    'pom.xml',
    `<project><properties><token.version>1.2.3</token.version><secret.name>orders-1</secret.name><sonar.login>\${env.SONAR_TOKEN}</sonar.login></properties></project>\n`,
  ],
  '.npmrc by reference': () => [
    '.npmrc',
    `//npm.corp.cloud/:_authToken=\${NPM_TOKEN}\nregistry=https://npm.corp.cloud/\n//r.corp.cloud/:_auth=\${NPM_AUTH}\n`,
  ],
  'Java by environment': () => [
    'src/main/java/A.java',
    `class A {\n  @Value("\${erp.password}") String password;\n  String secret = System.getenv("ERP_SECRET_2");\n  static final String PASSWORD_KEY = "password";\n  static final String TOKEN_HEADER = "X-Auth-Token-1";\n  void a(B b) { b.setPassword(password); b.setPassword(props.getProperty("erp.password1")); p.put("password", pw); }\n}\n`,
  ],
  'Python by environment': () => [
    'a.py',
    `password = os.environ["DB_PASSWORD1"]\ntoken = get_token("orders1")\nclient = Client(password=password, api_key=cfg["api_key1"])\nparser.add_argument("--password", help="Password of user 1")\n`,
  ],
  'Postman by variables': () => [
    'a.postman_collection.json',
    json({
      info: { _postman_id: '0f7f4f5c-2f1a-4b57-93ed-6a2b1c9a1d01', name: 'a' },
      item: [
        {
          request: {
            auth: {
              type: 'basic',
              basic: [
                { key: 'password', value: '{{password}}' },
                { key: 'username', value: 'SRV' },
              ],
            },
            header: [
              { key: 'Authorization', value: 'Bearer {{token}}' },
              { key: 'x-csrf-token', value: 'fetch' },
            ],
          },
        },
      ],
    }),
  ],
  '.http by variables': () => [
    'a.http',
    `@token = {{login.response.body.access_token}}\n@password = {{$dotenv PASSWORD}}\nGET http://localhost:4004\nAuthorization: Bearer {{token}}\n\n###\nGET http://localhost:4004\nAuthorization: Basic alice:\n`,
  ],
  'lock file': (pen) => [
    'package-lock.json',
    json({
      name: 'a',
      lockfileVersion: 3,
      packages: {
        '': { name: 'a' },
        'node_modules/token-x': {
          version: '1.0.0',
          resolved: 'https://packages.example/token-x/-/token-x-1.0.0.tgz',
          integrity: `sha512-${pen.shape('{b86}==')}`,
        },
      },
    }),
  ],
  'yarn lock': (pen) => [
    'yarn.lock',
    `"@acme/secret@^1.0.0":\n  version "1.0.0"\n  resolved "https://packages.example/@acme/secret/-/secret-1.0.0.tgz#${pen.shape('{h40}')}"\n  integrity sha512-${pen.shape('{b86}==')}\n`,
  ],
  'integrity of a page': (pen) => [
    'webapp/index.html',
    `<script src="https://cdn.corp.cloud/a.js" integrity="sha384-${pen.shape('{b64}')}" crossorigin="anonymous"></script>\n<script id="sap-ui-bootstrap" data-sap-ui-resource-roots='{"token.app": "./"}'></script>\n`,
  ],
  'certificate over lines': (pen) => [
    'certs/ca.pem',
    `${drawSecret('certificate', pen.shape('{w8}'))}\n${drawSecret('public-key', pen.shape('{w8}'))}\n`,
  ],
  'certificate in a literal': (pen) => [
    'srv/ca.js',
    `module.exports = { ca: '${drawSecret('certificate-escaped', pen.shape('{w8}'))}', publicKey: '${drawSecret('public-key-escaped', pen.shape('{w8}'))}' }\n`,
  ],
  'head of a key': () => [
    'srv/pem.js',
    `const dashes = '-----'\nconst pem = \`\${dashes}BEGIN PRIVATE KEY\${dashes}\\n\${body}\\n\`\nconst isKey = text.includes('BEGIN RSA PRIVATE ' + 'KEY')\n`,
  ],
  'image as data': (pen) => [
    'webapp/css/a.css',
    `.logo { background: url("data:image/png;base64,iVBORw0KGgo${pen.shape('{b300}')}==") }\n`,
  ],
  'image in a model': (pen) => [
    'webapp/model/p.json',
    json({ photo: `data:image/jpeg;base64,/9j/${pen.shape('{b300}')}`, ID: pen.guid(), hash: pen.shape('{h64}') }),
  ],
  'test data': (pen) => [
    'db/data/a-Books.csv',
    `ID;title;token;password_hash\n${pen.guid()};Secret Garden;T0001;$2b$10$${pen.shape('{w53}')}\n`,
  ],
  'mock data': (pen) => [
    'webapp/localService/mockdata/Users.json',
    json([{ UserID: 'MILLER01', Token: 'T4711', Key: pen.guid(), KeyField: '0000012345', Password: '' }]),
  ],
  'ids of everything': (pen) => [
    'config/ids.json',
    json({
      subaccountId: pen.guid(),
      tenantid: pen.guid(),
      clientid: `sb-${pen.guid()}!b12|workflow!b10`,
      xsappname: 'orders!t12',
      commit: pen.shape('{h40}'),
      image: `orders@sha256:${pen.shape('{h64}')}`,
      trace: pen.shape('{h32}'),
    }),
  ],
  'minified script': (pen) => [
    'webapp/lib/a.min.js',
    `!function(){var a={password:"${pen.shape('{a8}')}",key:"k1",token:"t"},b="${pen.shape('{w40}')}";function c(d){return d.token+b}}();${'var x=1;'.repeat(200)}\n`,
  ],
  'words of a page': () => [
    'README.md',
    `# Orders\n\nSet the password with \`cf set-env orders ERP_PASSWORD <password>\`. The token: see cockpit.\n\n| Key | Meaning |\n| --- | --- |\n| \`apiKey\` | the key of the API hub |\n| \`password\` | the password of the technical user 1 |\n\nPassword: ask your administrator.\n`,
  ],
  'commands of a page': () => [
    'docs/a.md',
    '```sh\ncf login -u <user> -p <password>\ncurl -u user:password https://host/odata\nexport API_KEY=<your key>\ndocker login -u $USER -p $PASSWORD\nnpm config set //npm.corp.cloud/:_authToken YOUR_TOKEN\n```\n',
  ],
  'code in a page': () => [
    'docs/a.md',
    '# HANA\n\n```js\nconst client = hdb.createClient({ host: db.host, user: db.user, password: db.password, useTLS: true })\n```\n\n```ts\ninterface Access { url: string, uid: string, password: string }\n```\n',
  ],
  'properties of a log': () => [
    'src/main/resources/log.properties',
    `log.pattern=%d{ISO8601} [%t] %-5p token=%X{token} password=*** %m%n\naudit.password.masked=true1\n`,
  ],
  'regular expressions': () => [
    'srv/m.js',
    `const PASSWORD = /^(?=.*[A-Z])(?=.*\\d).{8,}$/\nconst secretPattern = 'password=([A-Za-z0-9]{8,})'\n`,
  ],
  'names of errors': () => [
    'srv/n.js',
    `const ERRORS = { PASSWORD_EXPIRED: 'ERR_PASSWORD_EXPIRED_01', TOKEN_INVALID: 'auth/invalid-token-2', API_KEY_MISSING: 'API_KEY_MISSING_3' }\n`,
  ],
  'names of cookies and storage': () => [
    'webapp/s.js',
    `sessionStorage.getItem("orders.token.v2");\nlocalStorage.setItem("apiKeyName1", sValue);\nvar TOKEN_STORAGE_KEY = "com.acme.orders.token1";\n`,
  ],
  'events and routes': () => [
    'webapp/r.js',
    `this.getRouter().navTo("passwordReset1", { token: sToken });\noBus.subscribe("auth", "tokenRefreshed2", this.onToken, this);\nvar routes = { password: "/user/password1", secret: "secrets/overview2" };\n`,
  ],
  'words of a query': () => [
    'srv/q.js',
    `const sql = "SELECT PASSWORD_HASH, TOKEN_ID1 FROM USERS WHERE TOKEN = ?"\nawait tx.run(sql, [token])\nhash(password, 'sha256')\n`,
  ],
  'set of keys': () => [
    'config/keys.json',
    json({
      keys: [
        {
          kty: 'RSA',
          kid: 'key-1',
          use: 'sig',
          n: 'sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri23bOdgWp4Dy1WlUzewbgBHod5pcM9H95GQRV3JDXboIRROSBigeC5yjU1hGzHHyXss8UDprecbAYxknTcQkhslANGRUZmdTOQ5qTRsLAt6BTYuyvVRdhS8exSZEy_c4gs_7svlJJQ4H9_NxsiIoLwAEk7-Q3UXERGYw_75IDrGA84-lA_-Ct4eTlXHBIY2EaV7t7LjJaynVJCpkv4LKjTTAumiGUIuQhrNhZLuF_RJLqHpM2kgWFLU7-VTdL1VbC2tejvcI2BlMkEpk1BzBZI0KQB0GaDWFLN-aEAw3vRw',
          e: 'AQAB',
        },
      ],
    }),
  ],
  'settings of VS Code': () => [
    '.vscode/settings.json',
    json({
      'editor.tokenColorCustomizations': {},
      'cSpell.words': ['passwd', 'clientsecret', 'Kennwort1'],
      'http.proxyAuthorization': null,
    }),
  ],
  'words that SQL has too': () => [
    'webapp/lib/cache.js',
    `/** Creates the node identified by "parentKey2026x" and, to create user data, reads 'Orders1234'. */\nfunction alter() {}\n`,
  ],
  'shortcut of a keyboard': () => [
    '.vscode/keybindings.json',
    json([
      { key: 'ctrl+shift+f12', command: 'orders.token' },
      { key: 'ctrl+k ctrl+1', command: 'a.b' },
    ]),
  ],
}
