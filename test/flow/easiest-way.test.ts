import { expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'

const STORE = `const fs = require('fs')
const path = require('path')
module.exports = class Store {
  async keep(order) {
    this.name = order.file
    return fs.promises.writeFile(path.join('/data', this.name), order.text)
  }
}
`
const MODEL = `@requires: 'authenticated-user'
service Orders { action place(file : String, text : String); }
`
const PACKAGE = '{"dependencies":{"@sap/cds":"^9"},"cds":{"requires":{"messaging":{"kind":"enterprise-messaging"}}}}'

const impl = (...handlers: string[]): string => `const cds = require('@sap/cds')
const Store = require('./lib/store')
module.exports = cds.service.impl(async function () {
  const messaging = await cds.connect.to('messaging')
  ${handlers.join('\n  ')}
})
`
const PLACED = "this.on('place', async (req) => { await new Store().keep(req.data) })"
const TAKEN = "messaging.on('orders/created', async (msg) => { await new Store().keep(msg.data) })"
const EMITTED = "this.on('place', (req) => this.emit('orders/created', req.data))"

const levels = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const { en } = await scanFiles(new Map(Object.entries({ 'package.json': PACKAGE, 'srv/lib/store.js': STORE, ...files })))
  return allFindings(en).flatMap(({ ruleId, severity }) => (ruleId === 'cap/path-traversal' ? [severity] : []))
}

test('a message alone is sent by other systems', async () => {
  expect(await levels({ 'srv/orders.cds': MODEL, 'srv/orders.js': impl(TAKEN) })).toEqual(['MEDIUM'])
})

test.each([
  ['an action first', [PLACED, TAKEN]],
  ['a message first', [TAKEN, PLACED]],
  ['a message that an action emits', [EMITTED, TAKEN]],
  ['the same behind it', [TAKEN, EMITTED]],
])('who may call the easiest way counts: %s', async (_, handlers) => {
  expect(await levels({ 'srv/orders.cds': MODEL, 'srv/orders.js': impl(...handlers) })).toEqual(['HIGH'])
})

test.each([
  ['a', 'z'],
  ['z', 'a'],
])('and no names of files: the administrators’ service in %s.cds', async (admin, users) => {
  const files = {
    [`srv/${admin}.cds`]: "@requires: 'Admin'\nservice Administration { action keep(file : String, text : String); }\n",
    [`srv/${admin}.js`]: impl("this.on('keep', async (req) => { await new Store().keep(req.data) })"),
    [`srv/${users}.cds`]: MODEL,
    [`srv/${users}.js`]: impl(PLACED),
  }
  expect(await levels(files)).toEqual(['HIGH'])
})
