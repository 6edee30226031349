import { describe, expect, test } from 'vitest'
import type { Candidate } from '../../core/secrets/index.ts'
import { openCredentials } from './open-credentials.ts'
import { createDice, drawShape } from './draw-shape.ts'

const SEEDS = Array.from({ length: 40 }, (_, seed) => String(seed))
const LETTERS = '[A-Za-z0-9]'

/** Values as generators of passwords and secrets draw them. */
const PASSWORD = `[A-Z][0-9][a-z]${LETTERS}{15}[0-9]{2}`
const SIGNS = `[A-Z][0-9][a-z]${LETTERS}{9}[!~*%][0-9]`
const HEX = '[a-f][0-9][0-9a-f]{30}'
const SECRET = `[a-z][0-9][A-Z]${LETTERS}{29}`

interface Place {
  readonly path: string
  /** Of the rule that tells of it. */
  readonly row: string
  readonly write: (value: string) => string
  readonly shape?: string
}

const drawn = (shape: string, seed: string): string => drawShape(shape, createDice(seed))

function find(path: string, text: string): readonly Candidate[] {
  const parsed = openCredentials(text, { path })
  return [...parsed.found().byRow.values()].flat()
}

/** What is told of a value at a place: the row of the candidate at its exact span. */
function rowAt(place: Place, value: string): string {
  const text = place.write(value)
  const found = find(place.path, text)
  const at = text.indexOf(value)
  return found.find(({ span }) => span.start === at && span.end === at + value.length)?.row ?? found.map(({ row }) => row).join()
}

const binding = (fields: string): string => `{ "VCAP_SERVICES": { "x": [ { "credentials": { ${fields} } } ] } }\n`
const escaped = (json: string): string => json.trim().replaceAll('"', '\\"')

/** Where credentials of SAP stand. */
const SAP: readonly Place[] = [
  {
    path: 'default-env.json',
    row: 'sap-instance-secret',
    shape: '[A-Za-z0-9+/]{27}=',
    write: (v) => binding(`"clientid": "sb-shop!t1", "clientsecret": "${v}"`),
  },
  {
    path: 'default-env.json',
    row: 'sap-uaa-clientsecret',
    write: (v) => binding(`"clientid": "sb-shop!t1", "clientsecret": "${v}"`),
  },
  {
    path: '.env',
    row: 'sap-uaa-clientsecret',
    write: (v) => `VCAP_SERVICES={"xsuaa":[{"credentials":{"clientid":"sb-x!t1","clientsecret":"${v}"}}]}\n`,
  },
  {
    path: 'a/settings.json',
    row: 'sap-uaa-clientsecret',
    write: (v) => `{ "env": "${escaped(binding(`"clientid": "sb-x!t1", "clientsecret": "${v}"`))}" }\n`,
  },
  {
    path: 'service-key.json',
    row: 'sap-ias-secret',
    write: (v) => `{ "app_tid": "x", "clientid": "0000", "clientsecret": "${v}" }\n`,
  },
  {
    path: 'default-env.json',
    row: 'sap-hdi-password',
    shape: '[A-Z][a-z][A-Za-z0-9._-]{126}',
    write: (v) => binding(`"hdi_user": "A_DT", "hdi_password": "${v}"`),
  },
  {
    path: 'default-env.json',
    row: 'sap-hana-rt-password',
    shape: '[A-Z][a-z][A-Za-z0-9._-]{126}',
    write: (v) => binding(`"user": "ABC_RT", "password": "${v}"`),
  },
  {
    path: 'srv/db.js',
    row: 'sap-hana-connect',
    write: (v) => `const c = hana.createConnection()\nc.connect({ serverNode: 'h:443', uid: 'DBADMIN', pwd: '${v}' })\n`,
  },
  {
    path: 'srv/db.js',
    row: 'generic-password',
    write: (v) => `const db = mysql.createConnection({ host: 'db.harbour.example', user: 'dock', password: '${v}' })\n`,
  },
  { path: 'deploy.sh', row: 'sap-hana-connect', write: (v) => `hdbsql -n host:443 -u DBADMIN -p ${v} "select 1"\n` },
  {
    path: 'mta.yaml',
    row: 'sap-mta-property',
    write: (v) => `_schema-version: "3.1"\nID: a\nmodules:\n  - name: srv\n    properties:\n      API_PASSWORD: ${v}\n`,
  },
  {
    path: 'mta.yaml',
    row: 'sap-destination-password',
    write: (v) =>
      `_schema-version: "3.1"\nID: a\nresources:\n  - name: d\n    parameters:\n      config:\n        init_data:\n          instance:\n            destinations:\n              - Name: ERP\n                Authentication: BasicAuthentication\n                User: TECH\n                Password: ${v}\n`,
  },
  {
    path: 'prod.mtaext',
    row: 'sap-mtaext',
    write: (v) => `ID: a.ext\nextends: a\nmodules:\n  - name: srv\n    properties:\n      TOKEN_SECRET: ${v}\n`,
  },
  {
    path: 'manifest.yml',
    row: 'cf-manifest-env',
    write: (v) => `applications:\n  - name: a\n    env:\n      DB_PASSWORD: "${v}"\n`,
  },
  {
    path: 'deploy.sh',
    row: 'cf-login',
    write: (v) => `cf login -a https://api.cf.eu10.hana.ondemand.com -u me@corp.com -p '${v}' -o org\n`,
  },
  { path: 'Jenkinsfile', row: 'cf-login', write: (v) => `sh "cf auth tech@corp.com ${v}"\n` },
  { path: 'deploy.sh', row: 'cf-set-env', write: (v) => `cf set-env shop-srv API_PASSWORD ${v}\n` },
  { path: 'ci.sh', row: 'btp-cli-login', write: (v) => `btp login --url https://x --user me \\\n  --password ${v}\n` },
  { path: 'ci.sh', row: 'neo-deploy', write: (v) => `./neo.sh deploy --host hana.ondemand.com --user i --password ${v}\n` },
  {
    path: 'ui5.yaml',
    row: 'ui5-yaml-credentials',
    write: (v) =>
      `specVersion: "3.0"\nserver:\n  customMiddleware:\n    - name: p\n      configuration:\n        username: TECH\n        password: ${v}\n`,
  },
  { path: '.env', row: 'ui5-deploy-env', write: (v) => `UI5_TASK_NWABAP_DEPLOYER__PASSWORD=${v}\n` },
  {
    path: '.cdsrc-private.json',
    row: 'cap-credentials',
    write: (v) => `{ "requires": { "erp": { "credentials": { "url": "https://e", "username": "t", "password": "${v}" } } } }\n`,
  },
  {
    path: 'srv/rfc.js',
    row: 'sap-rfc-passwd',
    write: (v) => `const c = new Client({ user: 'T', passwd: '${v}', ashost: '10.0.0.1', sysnr: '00' })\n`,
  },
  { path: 'src/zcl.abap', row: 'abap-constant', write: (v) => `CONSTANTS gc_password TYPE string VALUE '${v}'.\n` },
  { path: 'src/zcl.abap', row: 'abap-constant', write: (v) => `lv_password = '${v}'.\n` },
  {
    path: 'srv/api.js',
    row: 'sap-apihub-key',
    shape: `${LETTERS}{32}`,
    write: (v) => `const url = 'https://sandbox.api.sap.com/x'\nconst headers = { APIKey: '${v}' }\n`,
  },
  {
    path: 'mta.yaml',
    row: 'sap-apihub-key',
    shape: `${LETTERS}{32}`,
    write: (v) => `_schema-version: "3.1"\nID: a\nmodules:\n  - name: srv\n    properties:\n      ApiKeyForSandbox: ${v}\n`,
  },
  {
    path: 'trial.mtaext',
    row: 'sap-apihub-key',
    shape: `${LETTERS}{32}`,
    write: (v) => `ID: a.ext\nextends: a\nmodules:\n  - name: srv\n    properties:\n      API_HUB_KEY: ${v}\n`,
  },
  {
    path: '.cdsrc.json',
    row: 'sap-apihub-key',
    shape: `${LETTERS}{32}`,
    write: (v) =>
      `{ "requires": { "partners": { "credentials": { "url": "https://sandbox.api.sap.com/x", "headers": { "APIKey": "${v}" } } } } }\n`,
  },
  {
    path: 'erp.destination.properties',
    row: 'sap-destination-password',
    write: (v) => `Type=HTTP\nAuthentication=BasicAuthentication\nUser=T\nPassword=${v}\n`,
  },
  {
    path: 'destinations.json',
    row: 'sap-destination-clientsecret',
    write: (v) => `[{ "Name": "x", "tokenServiceURL": "https://x", "clientSecret": "${v}" }]\n`,
  },
]

/** Where other credentials stand. */
const OTHERS: readonly Place[] = [
  { path: '.npmrc', row: 'npmrc-credential', write: (v) => `//npm.corp.cloud/:_authToken=${v}\n` },
  { path: '.npmrc', row: 'npmrc-credential', write: (v) => `//npm.corp.cloud/:_password=${v}\n` },
  {
    path: 'settings.xml',
    row: 'maven-password',
    write: (v) => `<settings><servers><server><username>t</username>\n<password>${v}</password></server></servers></settings>\n`,
  },
  { path: 'nuget.config', row: 'nuget-password', write: (v) => `<add key="ClearTextPassword" value="${v}" />\n` },
  {
    path: 'k8s/secret.yaml',
    row: 'k8s-secret',
    write: (v) => `apiVersion: v1\nkind: Secret\nstringData:\n  db-password: ${v}\n`,
  },
  {
    path: 'kubeconfig.yaml',
    row: 'kubeconfig',
    write: (v) => `kind: Config\nclusters: []\nusers:\n- name: a\n  user:\n    token: ${v}\n`,
  },
  { path: 'run.sh', row: 'curl-user', write: (v) => `curl -s -u "tech:${v}" https://corp.cloud\n` },
  { path: 'README.md', row: 'curl-user', write: (v) => `\`\`\`sh\ncurl --user tech:${v} https://corp.cloud\n\`\`\`\n` },
  { path: 'run.sh', row: 'command-password', write: (v) => `docker login -u tech -p ${v} registry.corp.cloud\n` },
  { path: 'run.sh', row: 'command-password', write: (v) => `tool deploy --password ${v}\n` },
  {
    path: 'App.config',
    row: 'connection-string',
    write: (v) => `<add name="db" connectionString="Server=db;User Id=t;Password=${v};Encrypt=true" />\n`,
  },
  { path: 'srv/a.js', row: 'key-in-url', shape: SECRET, write: (v) => `fetch('https://api.corp.cloud/x?api_key=${v}&a=1')\n` },
  { path: 'webapp/a.js', row: 'key-in-url', shape: HEX, write: (v) => `fetch('https://rates.corp.cloud/v6/${v}/' + currency)\n` },
  {
    path: 'webapp/a.html',
    row: 'key-in-url',
    shape: HEX,
    write: (v) => `<script>fetch("https://rates.corp.cloud/check/${v}/" + no)</script>\n`,
  },
  { path: 'srv/a.js', row: 'key-in-url', shape: HEX, write: (v) => 'fetch(`https://rates.corp.cloud/check/' + v + '/${no}`)\n' },
  { path: 'api.http', row: 'bearer-header', shape: SECRET, write: (v) => `GET https://corp.cloud\nAuthorization: Bearer ${v}\n` },
  {
    path: 'webapp/a.html',
    row: 'bearer-header',
    shape: HEX,
    write: (v) => `<script>$.ajax({ url: u, headers: { 'Authorization': 'Token ${v}' } })</script>\n`,
  },
]

const GENERIC: readonly Place[] = [
  { path: 'webapp/a.js', row: 'generic-password', write: (v) => `save(GibberishAES.enc(field.value, "${v}"))\n` },
  { path: 'srv/a.js', row: 'generic-password', write: (v) => `const password = '${v}'\n` },
  { path: 'srv/a.js', row: 'generic-password', write: (v) => `module.exports = { user: 'shop', password: "${v}" }\n` },
  { path: 'srv/a.js', row: 'generic-password', write: (v) => `const p = process.env.DB_PASSWORD || '${v}'\n` },
  { path: 'srv/a.ts', row: 'generic-password', write: (v) => `private readonly dbPassword: string = '${v}'\n` },
  { path: 'webapp/a.js', row: 'generic-password', write: (v) => `this.sPassword = "${v}";\n` },
  { path: 'srv/a.js', row: 'generic-password', write: (v) => `// const password = '${v}'\n` },
  { path: 'srv/a.js', row: 'generic-password', write: (v) => `if (req.body.password === '${v}') return\n` },
  { path: 'Main.java', row: 'generic-password', write: (v) => `  private static final String PASSWORD = "${v}";\n` },
  { path: 'Main.java', row: 'generic-password', write: (v) => `  dataSource.setPassword("${v}");\n` },
  { path: 'a.py', row: 'generic-password', write: (v) => `db_password = "${v}"\n` },
  { path: '.env', row: 'generic-password', write: (v) => `DB_PASSWORD=${v}\n` },
  { path: '.env', row: 'generic-password', write: (v) => `export DB_PASS="${v}"\n` },
  { path: 'config.yaml', row: 'generic-password', write: (v) => `db:\n  user: shop\n  password: ${v}\n` },
  { path: 'config.yaml', row: 'generic-password', write: (v) => `db:\n  password: >-\n    ${v}\n  host: x\n` },
  { path: 'chart/values.yaml', row: 'generic-password', write: (v) => `postgresql:\n  auth: { username: a, password: ${v} }\n` },
  { path: 'deploy.yaml', row: 'generic-password', write: (v) => `env:\n  - name: DB_PASSWORD\n    value: "${v}"\n` },
  {
    path: 'docker-compose.yml',
    row: 'generic-password',
    write: (v) => `services:\n  db:\n    environment:\n      - POSTGRES_PASSWORD=${v}\n`,
  },
  { path: 'Dockerfile', row: 'generic-password', write: (v) => `FROM x\nENV DB_PASSWORD ${v}\n` },
  { path: 'main.tf', row: 'generic-password', write: (v) => `resource "db" "a" {\n  master_password = "${v}"\n}\n` },
  { path: 'application.properties', row: 'generic-password', write: (v) => `spring.datasource.password=${v}\n` },
  { path: 'config.xml', row: 'generic-password', write: (v) => `<a><password>${v}</password></a>\n` },
  { path: 'beans.xml', row: 'generic-password', write: (v) => `<property name="password" value="${v}"/>\n` },
  {
    path: 'postman.json',
    row: 'generic-password',
    write: (v) => `{ "values": [ { "key": "password", "value": "${v}", "enabled": true } ] }\n`,
  },
  { path: 'api.http', row: 'generic-password', write: (v) => `@password = ${v}\nGET https://x\n` },
  {
    path: '.github/workflows/a.yml',
    row: 'generic-password',
    write: (v) => `jobs:\n  a:\n    env:\n      DEPLOY_PASSWORD: ${v}\n`,
  },
  { path: 'Jenkinsfile', row: 'generic-password', write: (v) => `environment { NEXUS_PASSWORD = '${v}' }\n` },
  { path: 'README.md', row: 'generic-password', write: (v) => `# x\n\`\`\`\nDB_PASSWORD=${v}\n\`\`\`\n` },
  { path: 'srv/a.js', row: 'generic-secret', shape: SECRET, write: (v) => `const apiKey = '${v}'\n` },
  { path: 'srv/a.js', row: 'generic-secret', shape: SECRET, write: (v) => `const ACCESS_TOKEN = "${v}"\n` },
  { path: '.env', row: 'generic-secret', shape: SECRET, write: (v) => `SESSION_SECRET=${v}\n` },
  { path: 'config.json', row: 'generic-secret', shape: SECRET, write: (v) => `{ "jwtSecret": "${v}" }\n` },
  { path: 'config.yaml', row: 'generic-secret', shape: SECRET, write: (v) => `api:\n  token: ${v}\n` },
  { path: 'main.tf', row: 'generic-secret', shape: SECRET, write: (v) => `  api_token = "${v}"\n` },
]

function missedOf(places: readonly Place[], shapes: readonly string[]): string[] {
  return places.flatMap((place) =>
    SEEDS.flatMap((seed) => {
      const value = drawn(place.shape ?? shapes[Number(seed) % shapes.length] ?? '', `${place.path} ${place.row} ${seed}`)
      const row = rowAt(place, value)
      return row === place.row ? [] : [`${place.path} ${place.row}: ${row}`]
    }),
  )
}

describe('what is planted is found, by the rule that knows it best', () => {
  test.each([
    ['of SAP', SAP, 0.01],
    ['of other formats', OTHERS, 0.03],
    ['by its name alone', GENERIC, 0.05],
  ] as const)('%s', (_, places, share) => {
    const missed = missedOf(places, [PASSWORD, SIGNS])
    expect(missed.length / (places.length * SEEDS.length), [...new Set(missed)].join('\n')).toBeLessThanOrEqual(share)
  })
})

test.each([
  ['a number is no user of SAP HANA', '.env', 'DB_UID=1000\nDB_PASSWORD=Kx8!vQ2mPz7Lk\n', 'generic-password'],
  [
    'a name and a password in quoted JSON',
    'proxy.json',
    `{ "target": "http://gw.corp.cloud:8000/", "auth": "${['SVC', 'Orders365.'].join(':')}" }`,
    'generic-password',
  ],
  ['the body of a request is no URL', 'run.sh', 'curl -d "client_secret=P9mcigTFRfdR010MWA77j0Pu" x\n', 'generic-secret'],
])('%s', (_, path, text, row) => {
  expect(find(path, text).map((found) => found.row)).toEqual([row])
})

const REFERENCES = [
  '${PASSWORD}',
  '$PASSWORD',
  '{{password}}',
  '((password))',
  '~{db/password}',
  '<password>',
  '<your-password>',
  '********',
  'changeme',
  '$(PASSWORD)',
  '%PASSWORD%',
  'env:PASSWORD',
  'your-password-here',
  '__PASSWORD__',
  '#{password}#',
  'xxxxxxxxxxxx',
  '',
  '@password@',
  'secrets.PASSWORD',
]

describe('a safe twin is silent', () => {
  test('references and placeholders in every place', () => {
    const alarms = [...SAP, ...OTHERS, ...GENERIC].flatMap((place) =>
      // without a value the next word of a command takes its place
      REFERENCES.filter((value) => value !== '' || !/ (?:-p|--password)  /.test(place.write(''))).flatMap((value) =>
        find(place.path, place.write(value)).map(({ row }) => `${place.path}: ${row} ${value}`),
      ),
    )
    expect(alarms).toEqual([])
  })

  test.each([
    ['srv/a.js', `const passwordField = 'input-4f8Kq29xLw'\nconst tokenUrl = 'https://x.corp.cloud/oauth/token'\n`],
    ['srv/a.js', `const passwordHash = '5f4dcc3b5aa765d61d8327deb882cf99'\nconst csrfToken = 'Fetch9283jdksl'\n`],
    ['srv/a.js', `this.byId('password').setValueState('Error')\nconst token = getToken('abc12345678')\n`],
    ['srv/a.js', `const password = req.body.password\nconst secret = await vault.read('kv/db')\n`],
    ['webapp/a.js', `const sToken = oBundle.getText("password", "Enter your password please")\n`],
    ['webapp/i18n/i18n.properties', `passwordLabel=Passwort2024\npassword=Kennwort\nsecretText=Gehe1mnis99Zeichen\n`],
    ['webapp/view/Main.view.xml', `<Input type="Password" password="Xk29dkLq0wPz" value="{/password}"/>\n`],
    ['metadata.xml', `<EntityType><Property Name="Password" Type="Edm.String" value="Aw9dkq20sK1x"/></EntityType>\n`],
    ['package-lock.json', `{ "integrity": "sha512-9dk20sK1xAw9dkq20sK1xAw9dkq20sK1x==", "token": "Aw9dkq20sK1xLLq2" }\n`],
    [
      'openapi.json',
      `{ "password": { "type": "string" }, "tokenUrl": "https://a.corp.cloud/x9Kq", "secretRef": "abc9Kq2Lxw8" }\n`,
    ],
    ['config.yaml', `tokenEndpoint: /oauth/x9KqLw2\npassword_policy: Aw9dkq20sK1x\npublic_key: Aw9dkq20sK1xAw9dkq20sK1x\n`],
    ['Jenkinsfile', `withCredentials([usernamePassword(credentialsId: 'Nexus9Kq2Lxw8', passwordVariable: 'PW')]) {}\n`],
    ['srv/a.js', `import { Token } from 'sap/m/Token'\nnew Token({ key: "x9KqLw2kd81Pq", text: "A" })\n`],
    ['.github/workflows/a.yml', 'env:\n  TOKEN: ${{ secrets.TOKEN }}\n'],
    ['deploy.sh', 'cf login -u "$USER" -p "$CF_PASSWORD"\nbtp login --password $BTP_PW\ncurl -u "$U:$P" x\n'],
    [
      'package.json',
      `{ "cds": { "requires": { "auth": { "kind": "mocked", "users": { "anna": { "password": "anna" }, "bob": { "password": "Pass1234" } } } } } }\n`,
    ],
    ['test/a.js', `const user = { name: 'admin', password: 'admin' }\n`],
    ['webapp/lang/messages.json', `{ "password": "Neues2024 Wort!", "pwdHint": "klein9 GROSS" }\n`],
    ['webapp/language_en.json', `{ "password": "Choose8 Signs!" }\n`],
    ['db/data/Staff.csv', `ID;name;password\n1;Ada;$2b$10$${'Qx7'.repeat(17)}ab\n`],
    ['set.sh', `sed -i -e "s/DB_PASSWORD=.*/DB_PASSWORD=$FOUND/g" .env\n`],
    [
      'sw.js',
      `const c = { stripeKey: 'pk_test_${'aQ7z'.repeat(6)}', pushKey: 'B${'Lx3-'.repeat(21)}ab', mixpanelToken: '${'b7e1'.repeat(8)}' }\n`,
    ],
    ['webapp/texts.js', `const texts = { pwdLowercase: ' lower case (a-z)', pwdNumerals: ' numbers (0-9)' }\n`],
    ['webapp/texts.js', `const texts = { LOGIN_PASSWORD: 'M\u1eadt kh\u1ea9u (v\u00e0 s\u1ed1 PIN 2024)' }\n`],
    ['srv/a.js', `// call({ user: id, params: {name:n,password:first1,repeatPwd:second2,code:c} })\n`],
    ['mta.yaml', `modules:\n  - name: srv\n    properties:\n      RECAPTCHA_SITE_KEY: 6Lk9${'QzX4pLw7'.repeat(4)}Rt2b\n`],
    ['mta.yaml', `modules:\n  - name: srv\n    properties:\n      RECAPTCHA_SECRET_KEY: 6LeIxAcTAAAAA${'GzX4pLw7q'.repeat(3)}\n`],
  ])('%s: %s', (path, text) => {
    expect(find(path, text).map(({ row }) => row)).toEqual([])
  })
})
