import { describe, expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'
import { drawSecret } from '../secret-values.ts'
import { createDice, drawShape } from './draw-shape.ts'

const password = drawSecret('password', 'grades')
const weak = ['welc', 'ome1'].join('')
const odd = ['kOLTA', 'RINE'].join('')
const letters = ['ter', 'akon'].join('')
const pair = Buffer.from(`SVC_TOURS:${password}`).toString('base64')
const headers = `const page = { headers() { return { 'Content-Type': 'json', Authorization: 'Basic ${pair}' } },\n${'// tours of the day\n'.repeat(60)}`
const demo = ['demo', '4711'].join('')
const searchKey = drawSecret('token', 'grades').slice(0, 32)

const hex = drawSecret('token', 'grades of a provider')
const CLIENT = 'sb-museum-srv!t1234'
const TOKENS = 'https://museum-dev.authentication.eu10.hana.ondemand.com/oauth/token'
const dice = createDice('grades')
const instance = `${drawShape('[A-Za-z0-9]{27}', dice)}=`
const searchKeyOfAll = drawShape('[a-z][0-9][A-Z][A-Za-z0-9]{29}', dice)
const drawn = drawShape('[a-z][0-9][A-Z][A-Za-z0-9]{33}', dice)
const drawKey = (): string => ['AI', 'za', drawShape('[A-Za-z0-9]{35}', dice)].join('')
const googleClient = `${drawShape('[0-9]{12}', dice)}-${drawShape('[a-z0-9]{32}', dice)}.apps.googleusercontent.com`
const googleSecret = ['GOC', 'SPX-', drawShape('[A-Za-z0-9]{28}', dice)].join('')
const drawRefresh = (): string => ['1/', '/0', drawShape('[A-Za-z0-9]{60}', dice)].join('')
const guid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')

/** Severity of what the area finds in one file. */
async function grade(path: string, text: string): Promise<string> {
  const { en } = await scanFiles(
    new Map([
      [path, text],
      ['z.txt', ''],
    ]),
  )
  return allFindings(en)
    .filter(({ ruleId }) => ruleId.startsWith('secrets/'))
    .map(({ ruleId, severity }) => `${ruleId.slice(8)} ${severity}`)
    .join()
}

const binding = (host: string): string =>
  `{ "VCAP_SERVICES": { "hana": [ { "credentials": { "host": "${host}", "hdi_user": "SHOP_DT", "hdi_password": "${password}" } } ] } }\n`

/** What the policy of a company lets through, of a word that examples have. */
const chosen = ['#pa', 'ss@2031'].join('')
const form = (email: string, value: string): string =>
  `import JSONModel from 'sap/ui/model/json/JSONModel'\nexport const open = (view) => view.setModel(new JSONModel({ email: '${email}', password: '${value}' }), 'login')\n`
const formByName = (email: string, value: string): string =>
  `const start = { email: '${email}', password: '${value}' }\nexport const open = (view) => view.getModel('login').setData(start)\n`

/** An environment of Postman. */
const listOf = (...settings: readonly (readonly [string, string])[]): string =>
  JSON.stringify({ name: 'museum', values: settings.map(([key, value]) => ({ key, value, enabled: true })) }, null, 2)

const requires = (auth: string): string =>
  `{ "requires": {\n  "auth": ${auth},\n  "TOURS": { "kind": "odata", "credentials": { "url": "https://gw.museum-haus.de/tours", "username": "GUIDE_DESK", "password": "${password}" } }\n} }\n`

type Graded = readonly [what: string, path: string, text: string, expected: string]

const keysThatAreSent: readonly Graded[] = [
  [
    'a key beside the address of its server',
    'srv/lib/labels.js',
    `const client = new Labels({ apiKey: '${hex}', baseURL: 'https://labels.museum-haus.de/v2' })\n`,
    'generic-secret CRITICAL',
  ],
  [
    'the same beside an address to which users come back',
    'srv/lib/labels.js',
    `const client = new Labels({ apiKey: '${hex}', redirectUrl: 'https://labels.museum-haus.de/v2' })\n`,
    'generic-secret HIGH',
  ],
  [
    'the same in a network of its own',
    'srv/lib/labels.js',
    `const client = new Labels({ apiKey: '${hex}', baseURL: 'https://labels.corp/v2' })\n`,
    'generic-secret HIGH',
  ],
  [
    'the same in a test',
    'test/labels.js',
    `const client = new Labels({ apiKey: '${hex}', baseURL: 'https://labels.museum-haus.de/v2' })\n`,
    'generic-secret LOW',
  ],
  [
    'a constant that a request to a public host sends',
    'srv/lib/labels.js',
    `const PRINT_API_KEY = '${hex}'\nexports.read = (id) => fetch('https://labels.museum-haus.de/v2/' + id, { headers: { 'x-key': PRINT_API_KEY } })\n`,
    'generic-secret CRITICAL',
  ],
  [
    'the same in a request to the own server',
    'srv/lib/labels.js',
    `const PRINT_API_KEY = '${hex}'\nexports.read = (id) => fetch('/v2/' + id, { headers: { 'x-key': PRINT_API_KEY } })\n`,
    'generic-secret LOW',
  ],
  [
    'a key that a class of a package is given',
    'srv/lib/labels.js',
    `const { Labels } = require('labels-of-museums')\nconst client = new Labels({ apiKey: '${hex}' })\n`,
    'generic-secret CRITICAL',
  ],
  [
    'the same of a package whose key pages get',
    'srv/lib/labels.js',
    `import { Loader as Maps } from '@museums/maps-js-loader'\nconst maps = new Maps({ apiKey: '${hex}' })\n`,
    'generic-secret LOW',
  ],
  [
    'the same of a file of the project',
    'srv/lib/labels.js',
    `const { Labels } = require('./labels')\nconst client = new Labels({ apiKey: '${hex}' })\n`,
    'generic-secret LOW',
  ],
]

const java = (body: string): string => `package halls;\npublic class Halls {\n${body}\n}\n`
const provider = (named: string): string =>
  java(`  @Provides\n  ${named}\n  public String adminPassword() {\n    return "${['tide', '4ebb'].join('')}";\n  }`)

const keptByServers: readonly Graded[] = [
  [
    'a key of several words that a server takes sessions by',
    'src/main/java/halls/Halls.java',
    java(`  SignatureKey key() {\n    return new SignatureKey("8823312 tide-tables ${guid} tide-tables".getBytes(UTF_8));\n  }`),
    'generic-secret CRITICAL',
  ],
  [
    'a key that nothing shows to be taken',
    'src/main/java/halls/Halls.java',
    java(`  Key key() {\n    return new SecretKeySpec("${searchKey}".getBytes(UTF_8), "HmacSHA256");\n  }`),
    'generic-secret HIGH',
  ],
  [
    'a password that a method provides to its server',
    'src/main/java/halls/Halls.java',
    provider('@Named("halls.admin.password")'),
    'generic-password CRITICAL',
  ],
  [
    'the same, provided as something else',
    'src/main/java/halls/Halls.java',
    provider('@Named("halls.title")'),
    'generic-password LOW',
  ],
]

const settingsOfApps: readonly Graded[] = [
  [
    'what a script sets for an app, with its user and address',
    'deploy.sh',
    `cf set-env halls PRINT_USER "halls"\ncf set-env halls PRINT_SECRET "${hex}"\ncf set-env halls PRINT_URL "https://print.museum-haus.de/queue"\n`,
    'cf-set-env CRITICAL',
  ],
  [
    'the same with the address of another system',
    'deploy.sh',
    `cf set-env halls PRINT_USER "halls"\ncf set-env halls PRINT_SECRET "${hex}"\ncf set-env halls TOURS_URL https://tours.museum-haus.de/queue\n`,
    'cf-set-env HIGH',
  ],
  [
    'the same in a network of its own',
    'deploy.sh',
    `cf set-env halls PRINT_USER "halls"\ncf set-env halls PRINT_SECRET "${hex}"\ncf set-env halls PRINT_URL "https://print.corp/queue"\n`,
    'cf-set-env HIGH',
  ],
  [
    'the same in code',
    'srv/lib/labels.js',
    `exports.config = { accessKey: process.env.PRINT_ACCESS_KEY || '${hex}', secretKey: process.env.PRINT_SECRET_KEY }\n`,
    '',
  ],
  [
    'an access key beside the secret of something else',
    'srv/lib/labels.js',
    `exports.config = { accessKey: '${hex}', sessionSecretKey: process.env.SESSION_SECRET_KEY, url: 'https://print.corp/queue' }\n`,
    'generic-secret HIGH',
  ],
  [
    'the token of one file of a storage, in its address',
    'webapp/controller/Account.controller.js',
    `const avatar = 'https://firebasestorage.googleapis.com/v0/b/halls-museum.appspot.com/o/avatar?alt=media&token=${guid}'\n`,
    'key-in-url LOW',
  ],
  [
    'a secret key, beside the name of its pair',
    'deploy.sh',
    `cf set-env halls PRINT_ACCESS_KEY "${hex}"\ncf set-env halls PRINT_SECRET_KEY "${hex.replaceAll('a', 'b')}"\n`,
    'cf-set-env HIGH',
  ],
]

describe('a committed credential is as bad as what a stranger can do with it', () => {
  test.each<Graded>([
    [
      'of a login with which code fills a form',
      'webapp/controller/Login.controller.ts',
      form('m.weber@museum-haus.de', chosen),
      'generic-password HIGH',
    ],
    [
      'the same by a variable',
      'webapp/controller/Login.controller.ts',
      formByName('m.weber@museum-haus.de', chosen),
      'generic-password HIGH',
    ],
    [
      'of a user of examples',
      'webapp/controller/Login.controller.ts',
      form('john.doe@museum-haus.de', chosen),
      'generic-password LOW',
    ],
    [
      'the same in an object of the model',
      'webapp/controller/Login.controller.ts',
      form('m.weber@museum-haus.de', chosen).replace('{ email', '{ isBusy: false, login: { email').replace('})', '} })'),
      'generic-password HIGH',
    ],
    ...[
      'erika.mustermann@museum-haus.de',
      'vorname.nachname@museum-haus.de',
      'testuser@museum-haus.de',
      'm.weber@your-company.de',
    ].map((email): [string, string, string, string] => [
      `of ${email}`,
      'webapp/controller/Login.controller.ts',
      form(email, chosen),
      'generic-password LOW',
    ]),
    [
      'a count behind a word',
      'webapp/controller/Login.controller.ts',
      form('m.weber@museum-haus.de', ['#pa', 'ss@1234'].join('')),
      'generic-password LOW',
    ],
    [
      'of an object that fills no form',
      'webapp/controller/Login.controller.ts',
      `export const row = { email: 'm.weber@museum-haus.de', password: '${chosen}' }\n`,
      'generic-password LOW',
    ],
    [
      'with its user and a public host',
      'default-env.json',
      binding('a1.hana.prod-eu10.hanacloud.ondemand.com'),
      'sap-hdi-password CRITICAL',
    ],
    [
      'the usage of its file does not count',
      'local/default-env.json',
      binding('a1.hana.trial-eu10.hanacloud.ondemand.com'),
      'sap-hdi-password CRITICAL',
    ],
    ['in a network of its own', 'default-env.json', binding('10.4.5.6'), 'sap-hdi-password HIGH'],
    ['on the machine itself', 'default-env.json', binding('localhost'), 'sap-hdi-password LOW'],
    ...keysThatAreSent,
    ...settingsOfApps,
    ...keptByServers,
    [
      'a key whose provider a note behind it names',
      'srv/search.js',
      `const rows = await find({ api_key: '${hex}', // Get your API_KEY from https://search.museum-haus.de/manage\n  q: text })\n`,
      'generic-secret CRITICAL',
    ],
    [
      'a key with a note about something else',
      'srv/search.js',
      `const rows = await find({ api_key: '${hex}', // see https://search.museum-haus.de/docs\n  q: text })\n`,
      'generic-secret LOW',
    ],
    [
      'a key with a note about where another one comes from, on the next line',
      'srv/search.js',
      `const rows = await find({ api_key: '${hex}',\n  // Get your maps key from https://maps.museum-haus.de/keys\n  maps: process.env.MAPS })\n`,
      'generic-secret LOW',
    ],
    [
      'a key with a note that names a ticket about keys',
      'srv/search.js',
      `const rows = await find({ api_key: '${hex}', // rotate this token, see https://tickets.museum-haus.de/browse/AB-1\n  q: text })\n`,
      'generic-secret LOW',
    ],
    ['in a test', 'test/default-env.json', binding('a1.hana.prod-eu10.hanacloud.ondemand.com'), 'sap-hdi-password HIGH'],
    ['without its host', 'srv/a.js', `const login = { user: 'SHOP', password: '${password}' }\n`, 'generic-password HIGH'],
    [
      'a word with a user, a public host and the client of an SAP system',
      '.nwabaprc',
      `{\n  "conn_server": "https://erp.museum-haus.de:8443",\n  "conn_client": "100",\n  "conn_user": "CLERK",\n  "conn_password": "${weak}"\n}\n`,
      'generic-password CRITICAL',
    ],
    [
      'the same without the client',
      'upload.json',
      `{\n  "conn_server": "https://erp.museum-haus.de:8443",\n  "conn_user": "CLERK",\n  "conn_password": "${weak}"\n}\n`,
      'generic-password HIGH',
    ],
    [
      'of a demonstration, in a script that fills a database',
      'db/seed.js',
      `const users = [{ email: 'clerk@depot.example' }]\nconst hash = bcrypt.hashSync('${demo}', 10)\n`,
      'generic-password LOW',
    ],
    [
      'for mails of tests',
      'src/main/resources/application.yml',
      `spring:\n  mail:\n    host: sandbox.smtp.mailtrap.io\n    username: 9f8e7d6c5b4a32\n    password: ${password}\n`,
      'generic-password MEDIUM',
    ],
    [
      'for mails of tests, chosen by a person',
      'src/main/resources/application.yml',
      `spring:\n  mail:\n    host: sandbox.smtp.mailtrap.io\n    username: 9f8e7d6c5b4a32\n    password: winter24\n`,
      'generic-password LOW',
    ],
    [
      'with its host in the outer object',
      'srv/a.js',
      `const transport = createTransport({\n  host: 'smtp.office365.com',\n  port: 587,\n  auth: { user: 'tours@museum-haus.de', pass: '${password}' },\n})\n`,
      'generic-password CRITICAL',
    ],
    [
      'with its host in the address of the call',
      'srv/a.js',
      `const a = await axios.post('https://museum.authentication.eu10.hana.ondemand.com/oauth/token', stringify({ client_id: 'sb-tours!t1', password: '${password}' }))\n`,
      'generic-password CRITICAL',
    ],
    [
      'as what is used where the environment sets none, beside its user',
      'srv/a.js',
      `const username = process.env.TOURS_USER || 'SVC_TOURS'\nconst password = process.env.TOURS_PASSWORD || '${password}'\nconst TOURS = 'https://gw.museum-haus.de/tours'\n`,
      'generic-password CRITICAL',
    ],
    [
      'put together of signs, a word and a number, twice',
      'srv/a.js',
      `const username = process.env.TOURS_USER || 'SVC_TOURS'\nconst password = process.env.TOURS_PASSWORD || '${'@#Quarry@20415'.repeat(2)}'\nconst TOURS = 'https://gw.museum-haus.de/tours'\n`,
      'generic-password CRITICAL',
    ],
    [
      'with the name beside it in the headers of a request, and its host in the outer object',
      'webapp/Component.js',
      `var oTours = new JSONModel({\n  url: 'https://rest.museum-haus.de/tours/',\n  headers: {\n    name: '$2a$12$${drawn}',\n    password: '${password}',\n    'Content-Type': 'application/json'\n  }\n});\n`,
      'generic-password CRITICAL',
    ],
    [
      'beside the name of something else',
      'webapp/Component.js',
      `var oTours = new JSONModel({\n  url: 'https://rest.museum-haus.de/tours/',\n  cabinet: {\n    name: 'Clocks',\n    password: '${password}'\n  }\n});\n`,
      'generic-password HIGH',
    ],
    [
      'as a setting of a list that sets its user and its public host, too',
      'museum.postman_environment.json',
      listOf(['TOURS_URL', 'https://gw.museum-haus.de/tours'], ['GW_USER', 'GUIDE_DESK'], ['GW_PASS', password]),
      'generic-password CRITICAL',
    ],
    [
      'the same with the user of another system',
      'museum.postman_environment.json',
      listOf(['TOURS_URL', 'https://gw.museum-haus.de/tours'], ['MAIL_USER', 'GUIDE_DESK'], ['GW_PASS', password]),
      'generic-password HIGH',
    ],
    [
      'the same with a user that is filled in',
      'museum.postman_environment.json',
      listOf(['TOURS_URL', 'https://gw.museum-haus.de/tours'], ['GW_USER', '{{user}}'], ['GW_PASS', password]),
      'generic-password HIGH',
    ],
    [
      'the same in a network of its own',
      'museum.postman_environment.json',
      listOf(['TOURS_URL', 'https://10.4.5.6/tours'], ['GW_USER', 'GUIDE_DESK'], ['GW_PASS', password]),
      'generic-password HIGH',
    ],
    [
      'behind the end of mocked users',
      '.cdsrc.json',
      requires('{ "kind": "mocked", "users": { "rosa": { "roles": ["Guide"] } } }'),
      'cap-credentials CRITICAL',
    ],
    [
      'of a mocked user',
      '.cdsrc.json',
      `{ "requires": { "auth": { "kind": "mocked", "users": { "paul": {}, "rosa": { "password": "${password}" } } } } }\n`,
      'generic-password LOW',
    ],
    [
      'of a user with basic authentication in each profile',
      '.cdsrc.json',
      `{ "requires": { "auth": { "kind": "basic", "users": { "rosa": { "password": "${password}" } } } } }\n`,
      'generic-password HIGH',
    ],
    [
      'the same in a profile of developers',
      '.cdsrc.json',
      `{ "requires": { "auth": { "[development]": { "kind": "basic", "users": { "rosa": { "password": "${password}" } } } } } }\n`,
      'generic-password LOW',
    ],
    [
      'the same in a profile of another name',
      '.cdsrc.json',
      `{ "requires": { "[dev]": { "auth": { "kind": "basic", "users": { "rosa": { "password": "${password}" } } } } } }\n`,
      'generic-password LOW',
    ],
    [
      'the same where production validates tokens',
      '.cdsrc.json',
      `{ "requires": { "auth": { "kind": "basic", "users": { "rosa": { "password": "${password}" } } }, "[production]": { "auth": "xsuaa", "db": { "kind": "hana" } } } }\n`,
      'generic-password LOW',
    ],
    [
      'the same where production has another database alone',
      '.cdsrc.json',
      `{ "requires": { "auth": { "kind": "basic", "users": { "rosa": { "password": "${password}" } } }, "[production]": { "db": { "kind": "hana" } } } }\n`,
      'generic-password HIGH',
    ],
    [
      'where users are mocked',
      'srv/server.js',
      `if (cds.env.requires.auth?.kind === 'mocked') {\n  const login = { user: 'ROSA', password: '${password}' }\n}\n`,
      'generic-password LOW',
    ],
    [
      'behind a block where users are mocked',
      'srv/server.js',
      `if (cds.env.requires.auth?.kind === 'mocked') {\n  open()\n}\nconst login = { user: 'ROSA', password: '${password}' }\n`,
      'generic-password HIGH',
    ],
    ['a selector, which begins as a password may', 'srv/a.js', `const password = '#enterPassword12'\n`, ''],
    [
      'behind another statement',
      'srv/a.js',
      `const help = 'https://help.museum-haus.de';\nconst login = { user: 'SHOP', password: '${password}' }\n`,
      'generic-password HIGH',
    ],
    [
      'a key that pages search with',
      'site/docusaurus.config.js',
      `module.exports = { themeConfig: { algolia: { appId: 'MUSEUM', apiKey: '${searchKey}', indexName: 'tours' } } }\n`,
      'algolia-key LOW',
    ],
    [
      'the same for administrators',
      'srv/a.js',
      `const algolia = { indexName: 'tours', adminKey: '${searchKey}' }\n`,
      'algolia-key HIGH',
    ],
    [
      'with its host in a variable that the call is handed',
      'webapp/a.js',
      `var sUrl\nif (bTest) {\n  sUrl = 'https://gw.museum-haus.de:8443/sap/opu/odata/sap/ZTOURS_SRV/'\n}\nvar oModel = new ODataModel(sUrl, { user: 'SVC_TOURS', password: '${password}' })\n`,
      'generic-password CRITICAL',
    ],
    [
      'with its host in a variable that its object names',
      'webapp/a.js',
      `const BASE = 'https://gw.museum-haus.de/tours'\n$.ajax({ url: BASE, username: 'SVC_TOURS', password: '${password}' })\n`,
      'generic-password CRITICAL',
    ],
    [
      'beside a variable that a private host was given last',
      'webapp/a.js',
      `var sUrl = 'https://gw.museum-haus.de/tours';\nsUrl = 'http://10.4.5.6/tours';\nvar oModel = new ODataModel(sUrl, { user: 'SVC_TOURS', password: '${password}' })\n`,
      'generic-password HIGH',
    ],
    [
      'beside a variable whose host is commented out',
      'webapp/a.js',
      `// sUrl = 'https://gw.museum-haus.de/tours';\nvar oModel = new ODataModel(sUrl, { user: 'SVC_TOURS', password: '${password}' })\n`,
      'generic-password HIGH',
    ],
    [
      'for the host of the page, with a link in a comment',
      'webapp/a.js',
      `$.ajax({ url: '/tours', /* https://wiki.museum-haus.de */ username: 'SVC_TOURS', password: '${password}' })\n`,
      'generic-password HIGH',
    ],
    [
      'with links in comments alone',
      'srv/a.js',
      `/*\n * https://wiki.museum-haus.de\n */\n// see https://wiki.museum-haus.de/tours\nconst login = {\n  // https://wiki.museum-haus.de/logins\n  user: 'SVC_TOURS',\n  password: '${password}', // https://wiki.museum-haus.de/rules\n}\n`,
      'generic-password HIGH',
    ],
    [
      'in settings, with a link in a comment',
      '.env',
      `# made at https://console.museum-haus.de\nTOURS_USER=SVC_TOURS\nTOURS_PASSWORD=${password}\n`,
      'generic-password HIGH',
    ],
    [
      'in settings, with its host in a line of its own',
      '.env',
      `# made at https://console.museum-haus.de\nTOURS_URL=https://gw.museum-haus.de/tours\nTOURS_USER=SVC_TOURS\nTOURS_PASSWORD=${password}\n`,
      'generic-password CRITICAL',
    ],
    [
      'in YAML, behind a pattern of paths and a schedule',
      'app.yaml',
      `route: /* \nurl: https://gw.museum-haus.de/tours\ncron: */5 * * * *\nuser: SVC_TOURS\npassword: ${password}\n`,
      'generic-password CRITICAL',
    ],
    [
      'in YAML, with a link in a comment behind a pattern of paths',
      'app.yaml',
      `route: /* \n# https://wiki.museum-haus.de/tours\ncron: */5 * * * *\nuser: SVC_TOURS\npassword: ${password}\n`,
      'generic-password HIGH',
    ],
    [
      'in a script of a shell, behind a pattern of files',
      'load.sh',
      `rm -rf build/ /tmp/x /* 2>/dev/null\ncurl -s https://gw.museum-haus.de/x */a -u "SVC_TOURS:${password}"\n`,
      'curl-user CRITICAL',
    ],
    [
      'by its position in a call, behind its user',
      'webapp/a.js',
      `var oModel = new sap.ui.model.odata.ODataModel('https://gw.museum-haus.de/tours', true, 'SVC_TOURS', '${password}')\n`,
      'generic-password CRITICAL',
    ],
    [
      'in a pair, behind its user',
      'webapp/a.js',
      `fetch('https://gw.museum-haus.de/tours', { headers: { Authorization: 'Basic ' + btoa('SVC_TOURS' + ':' + '${password}') } })\n`,
      'generic-password CRITICAL',
    ],
    [
      'of a database in PHP',
      'scripts/rows.php',
      `<?php\n$link = mysql_connect('db.museum-haus.de', 'tours', '${password}');\n`,
      'generic-password HIGH',
    ],
    [
      'of a database in Python',
      'scripts/rows.py',
      `link = pymysql.connect("10.4.5.6", "tours", "${password}", "museum")\n`,
      'generic-password HIGH',
    ],
    [
      'of a database in settings of PHP, with what is used where the environment sets none',
      'api/database.php',
      `<?php\nreturn [\n  'host' => getenv('DB_HOST') ?: 'db.museum-haus.de',\n  'dbname' => getenv('DB_NAME') ?: 'tours_1',\n  'user' => getenv('DB_USER') ?: 'tours',\n  'password' => getenv('DB_PASSWORD') ?: '${password}',\n];\n`,
      'generic-password CRITICAL',
    ],
    [
      'the same as Laravel writes it',
      'config/database.php',
      `<?php\nreturn [\n  'host' => env('DB_HOST', 'db.museum-haus.de'),\n  'username' => env('DB_USERNAME', 'tours'),\n  'password' => env('DB_PASSWORD', '${password}'),\n];\n`,
      'generic-password CRITICAL',
    ],
    [
      'the same on the machine itself',
      'api/database.php',
      `<?php\nreturn [\n  'host' => getenv('DB_HOST') ?: '127.0.0.1',\n  'user' => getenv('DB_USER') ?: 'tours',\n  'password' => getenv('DB_PASSWORD') ?: '${password}',\n];\n`,
      'generic-password LOW',
    ],
    [
      'a key of the weather, which opens what everybody may know',
      'webapp/a.js',
      `const apiKey = '${searchKey}'\nconst url = \`https://api.openweathermap.org/data/2.5/weather?lat=1&appid=\${apiKey}\`\n`,
      'generic-secret LOW',
    ],
    [
      'the same of exchange rates, commented out',
      'webapp/a.js',
      `// const apiKey = '${searchKey}'\n// const url = \`https://api.exchangerate.host/live?access_key=\${apiKey}\`\n`,
      'generic-secret LOW',
    ],
    [
      'a key of another host',
      'webapp/a.js',
      `const apiKey = '${searchKey}'\nconst url = \`https://gw.museum-haus.de/tours?key=\${apiKey}\`\nconst more = 'https://api.openweathermap.org/'\n`,
      'generic-secret CRITICAL',
    ],
    [
      'a key of maps, whose address is some lines below',
      'webapp/a.js',
      `const apiKey = '${searchKey}'\nconst styles = [\n${"  'osm-carto-of-the-museum',\n".repeat(14)}]\nconst url = \`https://maps.geoapify.com/v1/staticmap?style=osm-carto&apiKey=\${apiKey}\`\n`,
      'generic-secret LOW',
    ],
    [
      'a key that pays for addresses turned into places',
      'src/main/java/de/museum/Places.java',
      `class Places {\n  GeoApiContext context = new GeoApiContext().setApiKey("${drawKey()}");\n}\n`,
      'gcp-api-key MEDIUM',
    ],
    [
      'the same key beside nothing that says what for',
      'src/main/java/de/museum/Places.java',
      `class Places {\n  String key = "${drawKey()}";\n}\n`,
      'gcp-api-key HIGH',
    ],
    [
      'the same key in a script that tries it out at its host',
      'test-model.js',
      `const axios = require('axios')\nconst key = process.env.MODEL_KEY || '${drawKey()}'\nconst url = 'https://generativelanguage.googleapis.com/v1/models'\naxios.post(\`\${url}?key=\${key}\`, {})\n`,
      'gcp-api-key HIGH',
    ],
    [
      'the same in a folder of samples',
      'fixtures/ask-model.js',
      `const axios = require('axios')\nconst key = process.env.MODEL_KEY || '${drawKey()}'\nconst url = 'https://generativelanguage.googleapis.com/v1/models'\naxios.post(\`\${url}?key=\${key}\`, {})\n`,
      'gcp-api-key LOW',
    ],
    [
      'the same in the frame of a test',
      'test-model.js',
      `const axios = require('axios')\nconst key = '${drawKey()}'\nconst url = 'https://generativelanguage.googleapis.com/v1/models'\nit('asks', () => axios.post(url, { key }))\n`,
      'gcp-api-key LOW',
    ],
    [
      'a drawn key in the braces of a variable',
      'package.json',
      `{ "cds": { "requires": { "model": { "url": "https://api.museum-haus.de/v1", "apiKey": "\${gen-${drawn}}" } } } }\n`,
      'generic-secret CRITICAL',
    ],
    [
      'a variable with a hyphen',
      'package.json',
      `{ "cds": { "requires": { "model": { "apiKey": "\${model-service-api-key-of-2026}" } } } }\n`,
      '',
    ],
    [
      'a refresh token of Google beside the client that it was given to',
      'srv/mails.js',
      `const clientId = "${googleClient}"\nconst clientSecret = "${googleSecret}"\nconst refresh_token = "${drawRefresh()}"\n`,
      'gcp-refresh-token CRITICAL,gcp-oauth-secret HIGH',
    ],
    [
      'the same without its client',
      'srv/mails.js',
      `const clientId = process.env.ID\nconst refresh_token = "${drawRefresh()}"\n`,
      'gcp-refresh-token HIGH',
    ],
    [
      'a whole service key in a text, by the names that people give its parts',
      'docs/DESTINATION.md',
      `- **Client ID**: \`${CLIENT}\`\n- **Client Secret**: \`${drawSecret('sap-binding', 'grades')}\`\n- **Token Service URL**: \`${TOKENS}\`\n`,
      'sap-binding-secret CRITICAL',
    ],
    [
      'the same as it is written without marks, of an instance',
      'docs/DESTINATION.md',
      `Client ID: ${CLIENT}\nClient Secret: ${instance}\nToken URL: ${TOKENS}\n`,
      'sap-instance-secret CRITICAL',
    ],
    [
      'commented out in requests of developers',
      'srv/login.http',
      `# POST ${TOKENS}\n# client_id=${CLIENT}\n# client_secret: ${instance}\n`,
      'sap-instance-secret HIGH',
    ],
    [
      'in a script for diagnosis',
      'test/scripts/test-destination.sh',
      `CLIENT_ID="${CLIENT}"\nCLIENT_SECRET="${instance}"\nAUTH_URL="${TOKENS}"\n`,
      'sap-instance-secret CRITICAL',
    ],
    [
      'in variables of a file of requests, by names of its own',
      'test/login.http',
      `@uaaHost = ${TOKENS}\n@loginPath = /oauth2/token\n@uaaClient = ${CLIENT}\n@uaaSecret = ${instance}\n@service = http://localhost:4004\n`,
      'sap-instance-secret CRITICAL',
    ],
    [
      'in what a test runner loads, where people invent them',
      'test/token.test.js',
      `const login = { clientid: '${CLIENT}', clientsecret: '${instance}', url: '${TOKENS}' }\n`,
      'sap-instance-secret HIGH',
    ],
    [
      'for a subaccount of documentation',
      'docs/DESTINATION.md',
      `Client ID: ${CLIENT}\nClient Secret: ${instance}\nToken URL: ${TOKENS.replace('museum-dev', 'my-subdomain')}\n`,
      'sap-instance-secret LOW',
    ],
    [
      'drawn, in a script of the documentation that logs on to a tenant with it',
      'docs/probe.py',
      `URL = "https://my300741-api.s4hana.cloud.sap/sap/opu/odata4/"\nUSER = "COM_HARBOUR"\nPWD = "${drawn}"\nsession.auth = (USER, PWD)\n`,
      'generic-password HIGH',
    ],
    [
      'the same in a test, which answers the login itself',
      'test/test_probe.py',
      `import pytest\nURL = "https://my300741-api.s4hana.cloud.sap/sap/opu/odata4/"\nUSER = "COM_HARBOUR"\nPWD = "${drawn}"\nsession.auth = (USER, PWD)\n`,
      'generic-password LOW',
    ],
    [
      'a pair that curl takes by the name of a variable',
      'docs/probe.sh',
      `URL="https://my300741-api.s4hana.cloud.sap/sap/opu/odata4/"\nAUTH="COM_HARBOUR:${drawn}"\ncurl -s -u "$AUTH" "$URL"\ncurl -s -u "\${AUTH}" "$URL/\\$metadata"\n`,
      'curl-user HIGH',
    ],
    [
      'the key of another system, which the own server hands on',
      'test.http',
      `POST http://localhost:4004/odata/v4/orders/collect\nContent-Type: application/json\n\n{ "Realm": "museum-1", "ProcurementApiKey": "${searchKeyOfAll}" }\n`,
      'generic-secret HIGH',
    ],
    [
      'the key of the own server',
      'test.http',
      `POST http://localhost:4004/odata/v4/orders/collect\nContent-Type: application/json\n\n{ "Realm": "museum-1", "apiKey": "${searchKeyOfAll}" }\n`,
      'generic-secret LOW',
    ],
    ['what Apple calls a phone', 'lib/push.xsjs', `var userId = 'tours', DeviceToken = '${hex.slice(0, 32)}${searchKey}'\n`, ''],
    [
      'one that everybody tries first, with its user and a public host',
      'webapp/a.js',
      `var tours = { url: 'https://gw.museum-haus.de/tours', user: 'T_TOURS', password: 'sap123' }\n`,
      'generic-password HIGH',
    ],
    [
      'the same, in a call that logs on to that host with it',
      'webapp/a.js',
      `var sUrl = 'https://gw.museum-haus.de/tours';\nvar oModel = new ODataModel(sUrl, { user: 'T_TOURS', password: 'sap123' })\n`,
      'generic-password CRITICAL',
    ],
    [
      'the same, where a branch gives the address, an IP with a port',
      'webapp/a.js',
      `var sUrl;\nif (bProductive) {\n  sUrl = "http://91.20.4.7:8000/sap/opu/odata/sap/TOURS_SRV/"; // PRD\n  //sUrl = "http://91.20.4.8:8000/sap/opu/odata/sap/TOURS_SRV/"; // QAS\n\n  var oModel = new sap.ui.model.odata.v2.ODataModel(sUrl, {\n    json: true,\n    user: "tours",\n    password: "sap123"\n  });\n}\n`,
      'generic-password CRITICAL',
    ],
    [
      'the same, of a test',
      'webapp/test/mockserver.js',
      `var oModel = new ODataModel('https://gw.museum-haus.de/tours', { user: 'T_TOURS', password: 'sap123' })\n`,
      '',
    ],
    [
      'the same, of a call of which it is commented out',
      'webapp/a.js',
      `var sUrl = 'https://gw.museum-haus.de/tours';\nvar oModel = new ODataModel(sUrl, {\n  // user: 'T_TOURS',\n  // password: 'sap123',\n})\n`,
      'generic-password LOW',
    ],
    [
      'the same, of a call to its own server, beside a link in a comment',
      'webapp/a.js',
      `// see https://blog.museum-haus.de/tours\n$.ajax({ url: '/tours', username: 'T_TOURS', password: 'sap123' })\n`,
      'generic-password LOW',
    ],
    [
      'the same, of a call whose host only runs tell',
      'webapp/a.js',
      `// see https://blog.museum-haus.de/tours\n$.ajax({ url: sHost + '/tours', username: 'T_TOURS', password: 'sap123' })\n`,
      'generic-password LOW',
    ],
    [
      'the same, of a call to a network of its own',
      'webapp/a.js',
      `$.ajax({ url: 'http://10.4.5.6/tours', /* like https://blog.museum-haus.de/tours */ username: 'T_TOURS', password: 'sap123' })\n`,
      'generic-password HIGH',
    ],
    [
      'the same, where a variable of another function has that name',
      'webapp/a.js',
      `function load() {\n  var sUrl = 'https://gw.museum-haus.de/tours';\n  read(sUrl)\n}\nfunction send(sUrl) {\n  var oModel = new ODataModel(sUrl, { user: 'T_TOURS', password: 'sap123' })\n}\n`,
      'generic-password HIGH',
    ],
    [
      'the same, in a comment of several lines',
      'webapp/a.js',
      `/*\nvar oModel = new ODataModel('https://gw.museum-haus.de/tours', { user: 'T_TOURS', password: 'sap123' })\n*/\n`,
      'generic-password LOW',
    ],
    [
      'the same, in a comment behind code',
      'webapp/a.js',
      `var limit = 1; // var oModel = new ODataModel('https://gw.museum-haus.de/tours', { user: 'T_TOURS', password: 'sap123' })\n`,
      'generic-password LOW',
    ],
    [
      'the same, without its user',
      'webapp/a.js',
      `var sUrl = 'https://gw.museum-haus.de/tours';\nvar oModel = new ODataModel(sUrl, { password: 'sap123' })\n`,
      'generic-password LOW',
    ],
    [
      'the same, in a network of its own',
      'webapp/a.js',
      `var login = { url: 'http://10.4.5.6/tours', user: 'T_TOURS', password: 'sap123' }\n`,
      'generic-password LOW',
    ],
    [
      'the same, in a call that logs on with it',
      'webapp/a.js',
      `var oModel = new sap.ui.model.odata.v2.ODataModel({\n  serviceUrl: 'http://10.4.5.6/tours',\n  user: 'T_TOURS',\n  password: 'sap123'\n})\n`,
      'generic-password HIGH',
    ],
    [
      'the same, on the machine itself',
      'webapp/a.js',
      `var oModel = new ODataModel('http://localhost:8080/tours', { user: 'T_TOURS', password: 'sap123' })\n`,
      '',
    ],
    [
      'letters of an odd case, with a user and a public host',
      'manifest.yml',
      `applications:\n  - name: tours\n    env:\n      LINK: '{"host": "http://91.20.4.7:8022/", "user": "guide", "password": "${odd}"}'\n`,
      'cf-manifest-env HIGH',
    ],
    [
      'letters in the header of basic authentication, with a public host',
      'webapp/a.js',
      `report.serverUrl = 'https://reports.museum-haus.de/'\nreport.headers['Authorization'] = 'Basic ' + btoa('guide@museum-haus.de:${letters}')\n`,
      'generic-password CRITICAL',
    ],
    [
      'letters in the header of a request to a public host',
      'webapp/a.js',
      `fetch('https://reports.museum-haus.de/', { headers: { 'Authorization': 'Basic ' + btoa('guide:${letters}') } })\n`,
      'generic-password CRITICAL',
    ],
    [
      'the same in a request to the own server, with a public host beside it',
      'webapp/a.js',
      `const serverUrl = 'https://help.museum-haus.de/'\nfetch('/api/' + path, { headers: { 'Authorization': 'Basic ' + btoa('guide:${letters}') } })\n`,
      'generic-password HIGH',
    ],
    [
      'the same in a request to the machine itself, with a public host beside it',
      'webapp/a.js',
      `const help = 'https://help.museum-haus.de/'\nfetch('http://localhost:3000/api/' + path, { headers: { 'Authorization': 'Basic ' + btoa('guide:${letters}') } })\n`,
      'generic-password HIGH',
    ],
    [
      'the same in headers of whose request nothing is known, with the host of a logo beside it',
      'webapp/a.js',
      `const logo = 'https://cdn.museum-haus.de/logo.png'\nmodel.setHeaders({ 'Authorization': 'Basic ' + btoa('guide:${letters}') })\n`,
      'generic-password HIGH',
    ],
    [
      'the same, without a host',
      'webapp/a.js',
      `report.headers['Authorization'] = 'Basic ' + btoa('guide@museum:${letters}')\n`,
      'generic-password LOW',
    ],
    [
      'a header that a function makes for all requests, in a file with one public host',
      'webapp/a.js',
      `${headers}load() { const url = 'https://desk.museum-haus.de/tours'\nreturn this.send(url) } }\n`,
      'basic-auth-header CRITICAL',
    ],
    [
      'the same, in a file with two public hosts',
      'webapp/a.js',
      `${headers}load() { const url = 'https://desk.museum-haus.de/tours'\nconst other = { url: 'https://halls.museum-haus.de' }\nreturn this.send(url) } }\n`,
      'basic-auth-header HIGH',
    ],
    [
      'the same in a request to the own server, in a file with one public host',
      'webapp/a.js',
      `fetch('/tours', { headers: { Authorization: 'Basic ${pair}' } })\n${'// tours of the day\n'.repeat(60)}const url = 'https://desk.museum-haus.de/tours'\n`,
      'basic-auth-header HIGH',
    ],
    [
      'a UUID in the header of a key, beside a login',
      'webapp/a.js',
      `export const headers = { 'X-DESK-APIKEY': '${guid}', user: 'SVC_TOURS', password: loadPassword() }\n`,
      'generic-secret HIGH',
    ],
    [
      'a UUID in the header of a request that may be repeated, beside a login',
      'webapp/a.js',
      `export const headers = { 'X-Idempotency-Key': '${guid}', user: 'SVC_TOURS', password: loadPassword() }\n`,
      '',
    ],
    [
      'letters of an odd case, without a host',
      'manifest.yml',
      `applications:\n  - name: tours\n    env:\n      LINK: '{"user": "guide", "password": "${odd}"}'\n`,
      'cf-manifest-env LOW',
    ],
    [
      'words that examples are put together of, with a user and a public host',
      'webapp/a.js',
      `var oModel = new ODataModel('https://gw.museum-haus.de/tours', { user: 'T_TOURS', password: 'MyPassword123' })\n`,
      'generic-password LOW',
    ],
    [
      'in the settings of a provider that only the name of the file tells',
      'whitesource.config.json',
      `{ "apiKey": "${guid}", "productName": "Tours" }\n`,
      'mend-key HIGH',
    ],
    ['the same in any other file', 'settings.json', `{ "apiKey": "${guid}", "productName": "Tours" }\n`, 'generic-secret LOW'],
    ['by its name alone', 'srv/a.js', `const password = 'winter24'\n`, 'generic-password LOW'],
    [
      'commented out',
      'src/persistence.xml',
      `<!-- <property name="url" value="jdbc:sap://a1.hanacloud.ondemand.com:443/"/>\n<property name="user" value="SHOP"/>\n<property name="password" value="${password}"/> -->\n`,
      'sap-hana-connect HIGH',
    ],
    [
      'the same, in use',
      'src/persistence.xml',
      `<property name="url" value="jdbc:sap://a1.hanacloud.ondemand.com:443/"/>\n<property name="user" value="SHOP"/>\n<property name="password" value="${password}"/>\n`,
      'sap-hana-connect CRITICAL',
    ],
    [
      'a private field is no comment',
      'srv/a.js',
      `class A {\n  url = 'https://s4.corp.cloud'\n  user = 'TECH1'\n  #password = '${password}'\n}\n`,
      'generic-password CRITICAL',
    ],
  ])('%s', async (_, path, text, expected) => expect(await grade(path, text)).toBe(expected))
})
