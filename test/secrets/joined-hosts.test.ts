import { describe, expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'
import { drawSecret } from '../secret-values.ts'

const password = drawSecret('password', 'joined hosts')
const SETTINGS = `DB_USER=museum_app\nDB_PASS=${password}\n`
const IN_ADDRESS =
  'mongoose.connect(`mongodb+srv://${process.env.DB_USER}:${process.env.DB_PASS}@halls.k3x9.mongodb.net/?w=majority`)\n'
const client = (...lines: readonly string[]): string =>
  `sap.ui.define([], () => ({\n  createLocal() {\n    const data = {\n      DBUser: 'MUSEUM',\n      DBPassword: '${password}',\n      status: 'new',\n    }\n    return data\n  },\n  createQuery() {\n    const more = {\n${lines.map((line) => `      ${line}\n`).join('')}    }\n    return more\n  },\n}))\n`

const MTA =
  '_schema-version: "3.1"\nID: tides\nversion: 1.0.0\nmodules:\n  - name: tides-srv\n    type: nodejs\n    path: .\n    provides:\n      - name: srv-api\n        properties:\n          url: ${default-url}\n'
const ASKS = `const API_USERNAME = 'TIDES'
const API_PASSWORD = '${password}'
module.exports = (req, res, next) => {
  const header = req.headers.authorization
  if (!header?.startsWith('Basic ')) return res.sendStatus(401)
  const [user, password] = Buffer.from(header.slice(6), 'base64').toString().split(':')
  if (user === API_USERNAME && password === API_PASSWORD) return next()
  res.sendStatus(401)
}
require('express')().use(module.exports).listen(8080)
`

/** Rules of the area with their severities. */
async function grade(files: Readonly<Record<string, string>>): Promise<string> {
  const { en } = await scanFiles(new Map([...Object.entries(files), ['z.txt', '']]))
  return allFindings(en)
    .filter(({ ruleId }) => ruleId.startsWith('secrets/'))
    .map(({ ruleId, severity }) => `${ruleId.slice(8)} ${severity}`)
    .join()
}

describe('the host of a credential stands where the project uses it', () => {
  test.each([
    ['the address of a database that code fills in', { '.env': SETTINGS, 'src/index.js': IN_ADDRESS }, 'CRITICAL'],
    [
      'the same, put together',
      {
        '.env': SETTINGS,
        'src/db.js':
          "const url = 'mongodb+srv://' + process.env.DB_USER + ':' + encodeURIComponent(process.env.DB_PASS) + '@halls.k3x9.mongodb.net/museum'\n",
      },
      'CRITICAL',
    ],
    [
      'options of a connection',
      {
        '.env': SETTINGS,
        'src/db.js':
          "connect({ serverNode: 'a1.hana.prod-eu10.hanacloud.ondemand.com:443', uid: process.env.DB_USER, pwd: process.env.DB_PASS })\n",
      },
      'CRITICAL',
    ],
    [
      'options of which the login is a part',
      {
        '.env': SETTINGS,
        'src/mail.js':
          "createTransport({ host: 'smtp.museum-haus.de', auth: { user: process.env.DB_USER, pass: process.env.DB_PASS } })\n",
      },
      'CRITICAL',
    ],
    [
      'an address in the next statement',
      {
        '.env': SETTINGS,
        'src/db.js':
          "const c = open({ user: process.env.DB_USER, password: process.env.DB_PASS })\nconst r = get({ url: 'https://api.museum-haus.de/x' })\n",
      },
      'HIGH',
    ],
    [
      'a host of a variable',
      {
        '.env': SETTINGS,
        'src/db.js':
          "const c = open({ host: process.env.DB_HOST, user: process.env.DB_USER, password: process.env.DB_PASS, address: 'halls.museum-haus.de' })\n",
      },
      'HIGH',
    ],
    [
      'a script of another package',
      { 'a/package.json': '{}', 'a/.env': SETTINGS, 'b/package.json': '{}', 'b/srv/x.js': IN_ADDRESS },
      'HIGH',
    ],
    ['a script of the same package', { 'a/package.json': '{}', 'a/config/.env': SETTINGS, 'a/srv/x.js': IN_ADDRESS }, 'CRITICAL'],
    ['the own machine', { '.env': SETTINGS, 'src/index.js': IN_ADDRESS.replace('halls.k3x9.mongodb.net', 'localhost') }, 'HIGH'],
    ['another variable', { '.env': SETTINGS, 'src/index.js': IN_ADDRESS.replace('DB_PASS', 'OTHER_PASS') }, 'HIGH'],
    ['in a comment', { '.env': SETTINGS, 'src/index.js': `// ${IN_ADDRESS}` }, 'HIGH'],
    ['in a test', { '.env': SETTINGS, 'test/index.test.js': IN_ADDRESS }, 'HIGH'],
    ['the setting is commented out', { '.env': SETTINGS.replace('DB_PASS', '# DB_PASS'), 'src/index.js': IN_ADDRESS }, 'HIGH'],
  ])('%s', async (_, files, level) => {
    expect(await grade(files)).toBe(`generic-password ${level}`)
  })

  test.each([
    ['the server of the script itself, which has an address', MTA, 'CRITICAL'],
    ['a server without an address', '', 'HIGH'],
  ])('a constant that a server compares with Basic authentication: %s', async (_, mta, level) => {
    const files = { 'package.json': '{ "dependencies": { "express": "^4" } }', 'srv/server.js': ASKS }
    expect(await grade(mta === '' ? files : { ...files, 'mta.yaml': mta })).toBe(`generic-password ${level}`)
  })

  test('a constant that is compared with something else', async () => {
    const files = { 'package.json': '{}', 'mta.yaml': MTA, 'srv/server.js': ASKS.replace('password === API', 'header === API') }
    expect(await grade(files)).toBe('generic-password HIGH')
  })

  test('constants of a file: a driver that takes the own machine', async () => {
    const text = `const pool = mysql.createPool({ user: 'museum', password: '${password}' })\nconst api = { url: 'https://portal.museum-haus.de/v1' }\n`
    expect(await grade({ 'srv/db.js': text })).toBe('generic-password HIGH')
  })

  test('notes: settings that stand together', async () => {
    const page = `  const data = { UserName: 'manager', Password: '${password}' }\n`
    const notes = `live:\n url: "https://portal.museum-haus.de:4300",\n\n  const data = {\n  UserName: "manager",\n  Password: "${password}"\n\n${'old\n'.repeat(300)} url: "https://old.museum-haus.de"\n`
    expect(await grade({ 'webapp/controller/Home.controller.js': page })).toBe('generic-password HIGH')
    expect(await grade({ 'webapp/controller/Home.controller.js': page, 'db/change.txt': notes })).toBe(
      'generic-password CRITICAL',
    )
  })

  test.each([
    ['the only address of the same file', client("url: 'https://portal.museum-haus.de/engine',"), 'CRITICAL'],
    [
      'one of several',
      client("url: 'https://portal.museum-haus.de/engine',", "other: 'https://maps.city-plan.de/tiles',"),
      'HIGH',
    ],
    ['a comment', client("// url: 'https://portal.museum-haus.de/engine',"), 'HIGH'],
    ['no setting', client("text: 'see https://portal.museum-haus.de/engine',"), 'HIGH'],
    ['documentation', client("url: 'https://help.museum-haus.de/docs',"), 'HIGH'],
    ['a link', client("help: { url: 'https://www.museum-haus.de/x' },"), 'HIGH'],
    ['a registry', client("baseUrl: 'https://www.npmjs.com',"), 'HIGH'],
    ['a driver', `const db = require('@sap/hana-client')\n${client("url: 'https://portal.museum-haus.de/engine',")}`, 'HIGH'],
    ['a private one', client("url: 'https://portal.corp/engine',"), 'HIGH'],
  ])('constants of a file: %s', async (_, text, level) => {
    expect(await grade({ 'webapp/model/models.js': text })).toBe(`generic-password ${level}`)
  })
})

describe('passwords of a table of initial data', () => {
  const table = (host: string): string =>
    `ID,mail,Password,ConfirmPassword\n1,ana@${host},${password},${password}\n2,ben@${host},${password}x,${password}x\n`
  const path = 'db/data/museum-Guides.csv'
  test.each([
    [
      'of nobody, which no code takes',
      { [path]: table('example.com'), 'srv/a.js': 'module.exports = (srv) => srv.on("x", () => 1)\n' },
      'LOW',
    ],
    [
      'of nobody, with whom people log in',
      { [path]: table('example.com'), 'srv/a.js': 'const ok = row.Password === entered\n' },
      'HIGH',
    ],
    ['of somebody beside nobody', { [path]: table('example.com') + `3,root@museum-haus.de,${password}y,${password}y\n` }, 'HIGH'],
    [
      'of nobody, whom code signs in',
      { [path]: table('example.com'), 'srv/a.js': 'module.exports = (srv) => srv.on("signIn", (req) => verify(req.data))\n' },
      'HIGH',
    ],
    [
      'of nobody, with a login of another name',
      { [path]: table('example.com'), 'srv/a.js': 'const ok = user.pass === req.data.pass\n' },
      'HIGH',
    ],
    [
      'of nobody, beside a server in Java',
      { [path]: table('example.com'), 'srv/src/main/java/Halls.java': 'class Halls { boolean open() { return true; } }\n' },
      'HIGH',
    ],
    [
      'of nobody, beside a server in ABAP',
      { [path]: table('example.com'), 'src/zcl_halls.clas.abap': 'CLASS zcl_halls DEFINITION.\nENDCLASS.\n' },
      'HIGH',
    ],
    ['of people', { [path]: table('museum-haus.de') }, 'HIGH'],
  ])('%s', async (_, files, level) => {
    expect(await grade(files)).toBe(`generic-password ${level}`)
  })
})
