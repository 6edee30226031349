import { describe, expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'

const PACKAGE = '{"dependencies":{"@sap/cds":"^9"}}'

async function found(texts: Readonly<Record<string, string>>): Promise<string[]> {
  const { en } = await scanFiles(new Map([['package.json', PACKAGE], ...Object.entries(texts)]))
  return allFindings(en)
    .filter(({ ruleId }) => ruleId === 'cap/path-traversal')
    .map(({ file, severity, confidence }) => `${file} ${severity} ${confidence}`)
}

const RUN = 'require("fs").readFileSync(r.data.name)'
const CDS = "const cds = require('@sap/cds');"
const SURE = ['srv/a.js HIGH high']

describe('the request of a handler, in every form of registration', () => {
  test.each([
    ['a function of the module', `module.exports = (srv) => { srv.on('run', (r) => ${RUN}) }`],
    [
      'a class',
      `${CDS} module.exports = class A extends cds.ApplicationService { init() { this.on('run', (r) => ${RUN}); return super.init() } }`,
    ],
    ['impl', `${CDS} module.exports = cds.service.impl(function () { this.on('run', (r) => ${RUN}) })`],
    ['impl with a parameter', `${CDS} module.exports = cds.service.impl(async (it) => { it.before('run', (r) => ${RUN}) })`],
    ['serve', `${CDS} cds.serve('A').from('./a').with((it) => { it.on('run', (r) => ${RUN}) })`],
    ['serve with this', `${CDS} cds.serve('A').with(function () { this.on('run', (r) => ${RUN}) })`],
    ['an entity by name', `module.exports = (srv) => { srv.on('READ', 'Books', (r) => ${RUN}) }`],
    [
      'an entity of the service',
      `module.exports = function () { const { Books } = this.entities; this.before(['CREATE', 'UPDATE'], Books, (r) => ${RUN}) }`,
    ],
    [
      'entities of cds',
      `${CDS} module.exports = (srv) => { const { Books } = cds.entities('my'); srv.on('*', [Books, 'Authors'], (r) => ${RUN}) }`,
    ],
    [
      'a generated name',
      `${CDS} const { run } = require('#cds-models/A'); module.exports = class A extends cds.ApplicationService { init() { this.on(run, (r) => ${RUN}) } }`,
    ],
    ['a function by its name', `module.exports = (srv) => { srv.on('run', onRun) }; function onRun(r) { ${RUN} }`],
    ['a function around one', `module.exports = (srv) => { srv.on('run', guarded(async (r) => ${RUN})) }`],
    [
      'a bound method',
      `${CDS} module.exports = class A extends cds.ApplicationService { init() { this.on('run', this.onRun.bind(this)) } onRun(r) { ${RUN} } }`,
    ],
    [
      'a field',
      `${CDS} module.exports = class A extends cds.ApplicationService { init() { this.on('run', this.onRun) } onRun = async (r) => ${RUN} }`,
    ],
    [
      'a function of an object',
      `const handlers = { onRun(r) { ${RUN} } }; module.exports = (srv) => { srv.on('run', handlers.onRun) }`,
    ],
    [
      'an object of a class',
      `class H { onRun(r) { ${RUN} } }; const h = new H(); module.exports = (srv) => { srv.on('run', h.onRun.bind(h)) }`,
    ],
    [
      'a filled parameter',
      `module.exports = (srv) => { srv.on('run', onRun.bind(null, srv)) }; function onRun(srv, r) { ${RUN} }`,
    ],
    ['behind the result', `module.exports = (srv) => { srv.after('READ', 'Books', (books, r) => ${RUN}) }`],
    ['behind an error', `module.exports = (srv) => { srv.on('error', (error, r) => ${RUN}) }`],
    ['before everything', `module.exports = (srv) => { srv.before('*', (r) => ${RUN}) }`],
    ['prepend', `module.exports = (srv) => { srv.prepend(() => srv.on('run', (r) => ${RUN})) }`],
  ])('%s', async (_, text) => {
    expect(await found({ 'srv/a.js': text })).toEqual(SURE)
  })

  test.each([
    ['a function', "const { onRun } = require('./b')", 'onRun', `exports.onRun = (r) => ${RUN}`],
    ['of the module', "const b = require('./b')", 'b.onRun', `module.exports = { onRun(r) { ${RUN} } }`],
    ['the module', '', "require('./b')", `module.exports = async function (r) { ${RUN} }`],
    [
      'of an object of a class',
      "const B = require('./b'); const b = new B()",
      'b.onRun.bind(b)',
      `module.exports = class B { onRun(r) { ${RUN} } }`,
    ],
    ['around one', "const { onRun } = require('./b')", '(it, next) => onRun(it, next)', `exports.onRun = (r, next) => ${RUN}`],
  ])('of another file: %s', async (_, head, handler, other) => {
    const texts = { 'srv/a.js': `${head}; module.exports = (srv) => { srv.on('run', ${handler}) }`, 'srv/b.js': other }
    expect(await found(texts)).toEqual(['srv/b.js HIGH high'])
  })

  test('a controller of another file behind a route', async () => {
    const texts = {
      'srv/server.js': `const cds = require('@sap/cds'); const { show } = require('./controller')
cds.on('bootstrap', (app) => { app.get('/files', cds.middlewares.before, show) })`,
      'srv/controller.js': `exports.show = (incoming, outgoing) => outgoing.sendFile(incoming.query.file)`,
    }
    expect(await found(texts)).toEqual(['srv/controller.js HIGH high'])
  })

  test.each([
    ['a stream', `const s = require('fs').createReadStream('x'); s.on('chunk', (r) => ${RUN})`],
    ['a process', `process.on('task', (r) => ${RUN})`],
    [
      'an object of Node.js',
      `const { EventEmitter } = require('events'); const bus = new EventEmitter(); bus.on('task', (r) => ${RUN})`,
    ],
    ['the server', `${CDS} cds.on('served', (r) => ${RUN})`],
  ])('no handler: %s', async (_, text) => {
    expect(await found({ 'srv/a.js': text })).toEqual([])
  })
})

describe('what the CDS model says of a payload', () => {
  const model = (text: string): Record<string, string> => ({ 'srv/a.cds': text })
  const reading = (part: string, event = "'run'"): string =>
    `module.exports = (srv) => { srv.on(${event}, (req) => require('fs').readFileSync('x' + ${part})) }`

  test.each(['Integer', 'Date', 'Boolean', 'Decimal(9,2)', 'Timestamp', 'Code'])(
    'a parameter of the type %s holds no text',
    async (type) => {
      const cds = `type Code : Int32; service A { action run(name : ${type}); }`
      expect(await found({ ...model(cds), 'srv/a.js': reading('req.data.name') })).toEqual([])
    },
  )

  test.each([
    'String',
    'String(30)',
    'LargeString',
    'Text',
    'many String',
    'Foreign',
    'LargeBinary',
    'UUID',
    'String enum { a; b }',
  ])('a parameter of the type %s may hold text', async (type) => {
    const cds = `type Text : String; service A { action run(name : ${type}); }`
    expect(await found({ ...model(cds), 'srv/a.js': reading('req.data.name') })).toEqual(SURE)
  })

  const ORDERS = `type Item : { count : Integer; note : String }
service A { entity Orders { key ID : UUID; title : String; total : Decimal; customer : Association to Customers; items : Composition of many Items }
entity Items { key ID : UUID; amount : Integer; text : String } entity Customers { key ID : Integer }
action run(name : String, items : many Item, one : { day : Date; word : String }); } service B { action other(name : Integer) }`

  test.each([
    ['an item', 'req.data.items[0].count', "'run'", false],
    ['a text of an item', 'req.data.items[0].note', "'run'", true],
    ['a field', 'req.data.one.day', "'run'", false],
    ['a text in a field', 'req.data.one.word', "'run'", true],
    ['an element', 'req.data.total', "'CREATE', 'Orders'", false],
    ['a text element', 'req.data.title', "'CREATE', 'Orders'", true],
    ['an element of several', 'req.data.ID', "['CREATE', 'UPDATE'], ['Orders', 'Items']", false],
    ['what one of them has alone', 'req.data.title', "'CREATE', ['Orders', 'Items']", true],
    ['a foreign key', 'req.data.customer_ID', "'CREATE', 'Orders'", false],
    ['a composed row', 'req.data.items[0].amount', "'CREATE', 'Orders'", false],
    ['a text of a composed row', 'req.data.items[0].text', "'CREATE', 'Orders'", true],
    ['a key', 'req.params[0].ID', "'READ', 'Orders'", false],
    ['an unknown entity', 'req.data.total', "'CREATE', '*'", true],
    ['another header', "req.headers['total']", "'CREATE', 'Orders'", true],
  ])('%s', async (_, part, event, isFound) => {
    expect(await found({ ...model(ORDERS), 'srv/a.js': reading(part, event) })).toEqual(isFound ? SURE : [])
  })

  test('an event that the model does not declare: no client sends it, and what a script sends is its own', async () => {
    const texts = { ...model(ORDERS), 'srv/a.js': reading('req.data.name', "'else'") }
    expect(await found(texts)).toEqual(['srv/a.js INFO high'])
    expect(await found({ ...texts, 'srv/c.js': "module.exports = (srv, data) => srv.send('else', data)" })).toEqual([])
  })

  test('by a name, by a pattern, and in a function of another file', async () => {
    const cds = model('service A { action run(name : String, count : Integer); }')
    const text = `const { work } = require('./b'); module.exports = (srv) => { srv.on('run', (req) => {
const { count } = req.data; const { data } = req; require('fs').readFileSync('x' + count); work(data) }) }`
    const other = "exports.work = (data) => { require('fs').readFileSync('x' + data.count) }"
    expect(await found({ ...cds, 'srv/a.js': text, 'srv/b.js': other })).toEqual([])
    expect(await found({ ...cds, 'srv/a.js': text, 'srv/b.js': other.replace('data.count', 'data.name') })).toEqual([
      'srv/b.js HIGH high',
    ])
  })

  test('a service of the same event in another file decides nothing', async () => {
    const texts = {
      'srv/a.cds': 'service A { action run(name : String); }',
      'srv/b.cds': 'service B { action run(name : Integer); }',
      'srv/a.js': reading('req.data.name'),
      'srv/b.js': reading('req.data.name'),
    }
    expect(await found(texts)).toEqual(SURE)
  })

  test('a service that no protocol serves gets nothing from clients', async () => {
    const cds = (note: string): string => `${note} service A { action run(name : String); }`
    expect(await found({ 'srv/a.cds': cds("@protocol: 'none'"), 'srv/a.js': reading('req.data.name') })).toEqual([])
    expect(await found({ 'srv/a.cds': cds("@protocol: 'rest'"), 'srv/a.js': reading('req.data.name') })).toEqual(SURE)
  })
})

describe('a script of a thousand handlers', () => {
  const lines = Array.from(
    { length: 1200 },
    (_, at) =>
      `  srv.${at % 2 === 0 ? 'before' : 'on'}('run${at >> 1}', async (r) => {
        if (!/^[a-z]+$/.test(r.data.code)) return r.reject(400)
        ${at === 1199 ? RUN : `await check(r.data.code, ${at})`} })`,
  )

  test('ends within its budget, and the last one is looked at', async () => {
    const { en } = await scanFiles(
      new Map([
        ['package.json', PACKAGE],
        ['srv/a.js', `module.exports = (srv) => {\n${lines.join('\n')}\n}\n`],
      ]),
    )
    expect(en.notices.map(({ code }) => code)).not.toContain('time-limit')
    expect(allFindings(en).map(({ ruleId }) => ruleId)).toContain('cap/path-traversal')
  })
})
