import { describe, expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'

async function found(texts: Readonly<Record<string, string>>): Promise<string[]> {
  const { en } = await scanFiles(new Map([['package.json', '{"dependencies":{"@sap/cds":"^9"}}'], ...Object.entries(texts)]))
  return allFindings(en)
    .filter(({ ruleId }) => ruleId === 'cap/path-traversal')
    .map(({ file, severity }) => `${file} ${severity}`)
}

const MODEL = `service Front { action take(name : String, count : Integer); }
@protocol: 'none' service Back { action keep(name : String); event kept : { name : String }; }`
const BACK = "module.exports = (srv) => { srv.on('keep', (req) => require('fs').readFileSync(req.data.name)) }"
const front = (body: string): string => `const cds = require('@sap/cds')
module.exports = class Front extends cds.ApplicationService { async init() { const back = await cds.connect.to('Back'); this.back = await cds.connect.to('Back')
this.on('take', async (req) => { ${body} }); return super.init() } }`

describe('what one service sends another one', () => {
  test.each([
    ['send', "await back.send('keep', { name: req.data.name })"],
    ['send of an object', "await back.send({ event: 'keep', data: { name: req.data.name } })"],
    ['a call of the action', 'await back.keep({ name: req.data.name })'],
    ['a call of the action with values', 'await back.keep(req.data.name)'],
    ['the whole payload', "await back.send('keep', req.data)"],
    ['in a transaction', "await back.tx(req).send('keep', req.data)"],
    ['queued', "await cds.queued(back).send('keep', req.data)"],
    ['by a field', "await this.back.send('keep', req.data)"],
    ['connected in the handler', "const it = await cds.connect.to('Back'); await it.send('keep', req.data)"],
    ['one of the services', "await cds.services.Back.emit('keep', req.data)"],
  ])('%s', async (_, body) => {
    expect(await found({ 'srv/all.cds': MODEL, 'srv/front.js': front(body), 'srv/lib/back.js': BACK })).toEqual([
      'srv/lib/back.js HIGH',
    ])
  })

  test.each([
    ['a constant', "await back.send('keep', { name: 'a' })"],
    ['another field', "await back.send('keep', { other: req.data.name })"],
    ['another event', "await back.send('else', req.data)"],
    ['a number by its type', "await back.send('keep', { name: req.data.count })"],
    ['nothing', 'req.data.name'],
  ])('not: %s', async (_, body) => {
    const texts = {
      'srv/front.cds': MODEL.split('\n')[0] ?? '',
      'srv/back.cds': MODEL.split('\n')[1] ?? '',
      'srv/front.js': front(body),
      'srv/back.js': BACK,
    }
    expect(await found(texts)).toEqual([])
  })

  test('what is emitted by a service arrives where it is heard, and what a handler gives goes back', async () => {
    const texts = {
      'srv/front.cds': 'service Front { action take(name : String); event taken : { name : String }; }',
      'srv/front.js': `const cds = require('@sap/cds')
module.exports = class Front extends cds.ApplicationService { init() {
this.on('take', (req) => { this.emit('taken', { name: req.data.name }); return req.data.name }) } }`,
      'srv/ears.js': `const cds = require('@sap/cds')
module.exports = async () => { const front = await cds.connect.to('Front')
front.on('taken', (it) => require('fs').readFileSync(it.data.name)) }`,
      'srv/asks.js': `const cds = require('@sap/cds')
module.exports = async () => { const front = await cds.connect.to('Front')
const name = await front.send('take', { name: 'a' }); require('fs').readFileSync(name) }`,
    }
    expect(await found(texts)).toEqual(['srv/asks.js HIGH', 'srv/ears.js HIGH'])
    expect(await found({ ...texts, 'srv/front.js': '' })).toEqual([])
  })
})

describe('messages of a broker', () => {
  const hearing = (head: string, receiver: string): string => `const cds = require('@sap/cds')
module.exports = async (srv) => { ${head}; ${receiver}.on('shop/order/changed', (msg) => require('fs').readFileSync(msg.data.file)) }`

  test.each([
    ['connected', "const messaging = await cds.connect.to('messaging')", 'messaging'],
    ['of another system', "const S4 = await cds.connect.to('API_BUSINESS_PARTNER')", 'S4'],
    ['in a field', "this.bus = await cds.connect.to('messaging')", 'this.bus'],
    ['of several', "const [db, bus] = await Promise.all([cds.connect.to('db'), cds.connect.to('messaging')])", 'bus'],
  ])('%s', async (_, head, receiver) => {
    expect(await found({ 'srv/a.js': hearing(head, receiver) })).toEqual(['srv/a.js MEDIUM'])
  })

  test('a later part of a chain of promises', async () => {
    const text = `const cds = require('@sap/cds')
cds.connect.to('messaging').then((bus) => { bus.on('changed', (msg) => require('fs').readFileSync(msg.data.file)) })`
    expect(await found({ 'srv/a.js': text })).toEqual(['srv/a.js MEDIUM'])
  })

  test('what the project asks of another system is no message', async () => {
    const text = `const cds = require('@sap/cds')
module.exports = async () => { const S4 = await cds.connect.to('S4'); S4.before('READ', (req) => require('fs').readFileSync(req.data.file)) }`
    expect(await found({ 'srv/a.cds': 'service A {}', 'srv/a.js': text })).toEqual([])
  })
})
