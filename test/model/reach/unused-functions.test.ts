import { describe, expect, test } from 'vitest'
import { createReachModel } from '../../../core/model/reach/index.ts'
import { findNpmProject } from '../../../core/model/npm/index.ts'
import { capRootsOf, PACKAGE, readProject, scriptsOf } from '../project.ts'

const SERVICE = { 'srv/shop.cds': 'service Shop { entity Orders { key ID: UUID; } action pay(); }' }
const PAY = `const cds = require('@sap/cds')
module.exports = cds.service.impl(function () { this.on('pay', async (req) => CODE) })`
const ORDERS = `exports.load = async (req) => axios.get('one')
exports.save = async (req) => axios.get('two')`

/** Whether a place in the code is of a function that nothing calls: that of the first `two`. */
function isUnused(texts: Readonly<Record<string, string>>): boolean {
  const all: Record<string, string> = { 'package.json': PACKAGE, ...SERVICE, ...texts }
  const files = readProject(all)
  const npm = findNpmProject(files, () => undefined)
  const reach = createReachModel({ files, scripts: scriptsOf(files), capRoots: capRootsOf(files), npm })
  const [file, text] = Object.entries(all).find(([, text]) => text.includes("'two'")) ?? ['', '']
  const start = text.indexOf("'two'")
  expect(reach.usageAt({ file, span: { start: text.indexOf("'one'"), end: text.length } })).toBe('deployed')
  return reach.usageAt({ file, span: { start, end: start + 5 } }) === 'unused'
}

const reading = (code: string, head = '', orders = ORDERS): Record<string, string> => ({
  'srv/shop.js': `${head}\n${PAY.replace('CODE', code)}`,
  'srv/orders.js': orders,
})
const HEAD = `const orders = require('./orders')`

describe('functions that others may read, and nobody does', () => {
  test.each([
    ['exports.x', ORDERS],
    ['module.exports.x', ORDERS.replaceAll('exports.', 'module.exports.')],
    [
      'an object',
      `const load = async (req) => axios.get('one')\nasync function save(req) { axios.get('two') }\nmodule.exports = { load, save }`,
    ],
    ['methods of the object', `module.exports = { async load(req) { axios.get('one') }, async save(req) { axios.get('two') } }`],
    [
      'a named object',
      `const orders = { load: (req) => axios.get('one'), save: (req) => axios.get('two') }\nmodule.exports = orders`,
    ],
    ['of an unused one', `${ORDERS.replace(`axios.get('two')`, 'send()')}\nfunction send() { axios.get('two') }`],
    ['itself alone', ORDERS.replace(`axios.get('two')`, `exports.save(axios.get('two'))`)],
    ['a call that is commented out', `${ORDERS}\n// exports.save()\n/*\n exports.save() */`],
  ])('%s', (_, orders) => {
    expect(isUnused(reading('orders.load(req)', HEAD, orders))).toBe(true)
  })

  test.each([
    ['modules of ES', `import { load } from './orders'`, 'load(req)'],
    ['the whole module', `import * as orders from './orders'`, 'orders.load(req)'],
    ['taken out', `const { load } = require('./orders.js')`, 'load(req)'],
    ['on the spot', `const load = require('./orders').load`, 'load(req)'],
    [
      'another by a path',
      `${HEAD}; require(path.join(__dirname, 'more')); require(root + '/lib/more.js').run('x')`,
      'orders.load(req)',
    ],
    ['the name in a text', HEAD, `orders.load('orders', '/v1/orders/')`],
    ['by a function that nothing calls', `${HEAD}\nfunction never() { return orders.save() }`, 'orders.load(req)'],
  ])('read by %s', (_, head, code) => {
    expect(isUnused(reading(code, head))).toBe(true)
  })

  test('an unused module reads nothing', () => {
    const others = Object.fromEntries(['a', 'b', 'c'].map((name) => [`srv/${name}.js`, `exports.run = () => 1`]))
    const head = `${HEAD}; require('./a').run(); require('./b').run(); require('./c').run()`
    const router = `const orders = require('./orders')\nmodule.exports = (app) => app.post('/save', orders.save)`
    expect(isUnused({ ...reading('orders.load(req)', head), ...others, 'srv/router.js': router })).toBe(true)
  })
})

const CONNECT = `function connect() { axios.get('two') }\nmodule.exports = connect`
const CLASS = `class Store {\n  async _save() { axios.get('two') }\n  load() { axios.get('one') }\n}\nexports.Store = Store`

describe('what is loaded alone', () => {
  const loaded = (code: string, orders: string): Record<string, string> => {
    const head = `const connect = require('./orders')\naxios.get('one')\n// const connection = connect()`
    return reading(code, head, orders)
  }
  test.each([
    ['a module into a name of which nothing speaks', 'null', CONNECT],
    ['a method of a class by its underscore', 'new connect.Store().load()', CLASS.replace(`'one'`, '1')],
  ])('%s', (_, code, orders) => {
    expect(isUnused(loaded(code, orders))).toBe(true)
  })

  test.each([
    ['into a name', 'connect()', CONNECT],
    ['by a text', `run('connect')`, CONNECT],
    ['a method', 'new connect.Store()._save()', CLASS.replace(`'one'`, '1')],
    [
      'a method of what another extends',
      'new connect.Store()',
      CLASS.replace(`'one'`, '1').replace('Store {', 'Store extends Writable {'),
    ],
    [
      'a method that a choice takes',
      'new connect.Store()',
      CLASS.replace(`axios.get('one')`, `return req.all ? this._save : (one) => 1`),
    ],
    ['a method by a beginning', `new connect.Store()['_sa' + req.data.name]()`, CLASS.replace(`'one'`, '1')],
    ['a method of a table', 'new connect.Store()[handlers[req.event]](req)', CLASS.replace(`'one'`, '1')],
    ['a method that is joined', `new connect.Store()[['_', req.data.name].join('')](req)`, CLASS.replace(`'one'`, '1')],
    ['a method by concat', `run(new connect.Store()['_'.concat(req.data.name)])`, CLASS.replace(`'one'`, '1')],
    ['all methods', 'Object.getOwnPropertyNames(connect.Store.prototype)', CLASS.replace(`'one'`, '1')],
    ['all methods by keys', 'Object.keys(connect.Store.prototype)', CLASS.replace(`'one'`, '1')],
    ['a method of itself', 'new connect.Store()', CLASS.replace(`'one'`, 'this[name](req)')],
  ])('and called: %s', (_, code, orders) => {
    expect(isUnused(loaded(code, orders))).toBe(false)
  })

  test('and named by settings', () => {
    const project = loaded('new connect.Store().load()', CLASS.replace(`'one'`, '1'))
    expect(isUnused({ ...project, 'srv/routes.json': '{"save":"_save"}' })).toBe(false)
    expect(isUnused({ ...project, 'srv/routes.json': '{"save":"save"}' })).toBe(true)
  })

  test('and handed on by another module', () => {
    const project = reading('load(req)', `const { load } = require('./all')\naxios.get('one')`, CONNECT)
    const all = `export const load = require('./orders')`
    expect(isUnused({ ...project, 'srv/all.js': all })).toBe(false)
  })

  test('elements of lists, logs and tables of its own ask for no method', () => {
    const code = `new connect.Store().load(rows[i](req), console[level](req), steps[req.event](req))`
    const project = loaded(code, CLASS.replace(`'one'`, '1'))
    const shop = `const steps = { load: run }\n${project['srv/shop.js']}`
    expect(isUnused({ ...project, 'srv/shop.js': shop })).toBe(true)
  })
})

describe('what may be called', () => {
  test.each([
    ['both', HEAD, 'orders.load(req) || orders.save(req)'],
    ['passed on', HEAD, 'orders.load(run(orders))'],
    ['a name made at run time', HEAD, 'orders.load(orders[req.data.name])'],
    ['spread', HEAD, 'orders.load({ ...orders })'],
    ['the rest', `const { load, ...rest } = require('./orders')`, 'load(rest)'],
    ['called on the spot', `const load = require('./orders').load; run(require('./orders'))`, 'load(req)'],
    ['loaded later', HEAD, `orders.load(import('./orders'))`],
    ['loaded by a path', `${HEAD}; require(path.join(__dirname, 'orders'))`, 'orders.load(req)'],
    [
      'loaded by a path that ends in a name',
      `${HEAD}; require(path.join(__dirname, 'handlers', name)); log('done')`,
      'orders.load(req)',
    ],
    ['loaded by a piece of a name', `${HEAD}; require('./handlers/order-' + name)`, 'orders.load(req)'],
    ['loaded by a name', `${HEAD}; require(name)`, 'orders.load(req)'],
    ['loaded by an alias', `${HEAD}; import more from '@/lib/orders'`, 'orders.load(req)'],
    ['passed on by another', `${HEAD}; export * from './orders'`, 'orders.load(req)'],
    ['the name of nothing', `const { loadAll } = require('./orders')`, 'loadAll(req)'],
    ['behind a comment', `import {\n  load, // rows\n  save\n} from './orders'`, 'load(save)'],
    ['nothing', '', 'null'],
  ])('others read %s', (_, head, code) => {
    expect(isUnused(reading(code, head))).toBe(false)
  })

  test.each([
    [
      'this',
      ORDERS.replace(`axios.get('one')`, `this.save(axios.get('one'))`)
        .replaceAll('async (req) =>', 'async function (req)  ')
        .replaceAll(/(axios.get\('two'\)|this.save.*)$/gm, '{ $1 }'),
    ],
    ['its exports', ORDERS.replace(`axios.get('one')`, `exports.save(axios.get('one'))`)],
    [
      'a table',
      `const save = () => axios.get('two')\nconst ALL = { save }\nexports.load = (name) => ALL[name](axios.get('one'))`,
    ],
    ['what is put together', `${ORDERS}\nObject.keys(exports)`],
    ['another name', `const self = module.exports = { load() { self.save(axios.get('one')) }, save() { axios.get('two') } }`],
    ['a class', `class Store { save() { axios.get('two') } }\nexports.load = () => new Store(axios.get('one')).save()`],
    [
      'a prototype',
      `function Store() {}\nStore.prototype.save = function () { axios.get('two') }\nexports.load = () => new Store(axios.get('one')).save()`,
    ],
    ['a function with a name of its own', `exports.load = () => run(axios.get('one'), function save() { axios.get('two') })`],
    [
      'a field',
      `const api = {}\napi.rows = { save() { axios.get('two') } }\nexports.load = () => run(axios.get('one'), api.rows)`,
    ],
    ['a name with other letters', `const prüfe = () => axios.get('two')\nexports.load = () => run(axios.get('one'), prüfe)`],
    [
      'an object in itself',
      `const o = { api: { save() { axios.get('two') } }, load() { this.api.save(axios.get('one')) } }\nmodule.exports = o`,
    ],
    [
      'a part of itself',
      `const o = { api: { save() { axios.get('two') } }, load() { const api = this.api; api.save(axios.get('one')) } }\nmodule.exports = o`,
    ],
    [
      'itself by another name',
      `const o = {}\no.load = function () { const self = this; self.save(axios.get('one')) }\no.save = function () { axios.get('two') }\nmodule.exports = o`,
    ],
    ['a text', `function save() { axios.get('two') }\nexports.load = () => run(axios.get('one'), 'save')`],
  ])('in the module %s', (_, orders) => {
    expect(isUnused(reading('orders.load(req)', HEAD, orders))).toBe(false)
  })

  test.each([
    [
      'a file that a descriptor names',
      { 'mta.yaml': 'modules:\n  - name: jobs\n    parameters: { command: node srv/orders.js }' },
    ],
    ['a library', { 'cds-plugin.js': '' }],
    ['another script', { 'srv/more.js': `require('./orders').save()` }],
  ])('%s', (_, texts) => {
    const files: Record<string, string> = { ...reading('orders.load(req)', HEAD), ...texts }
    const all: Record<string, string> = { 'package.json': PACKAGE, ...SERVICE, ...files }
    const project = readProject(all)
    const npm = findNpmProject(project, () => undefined)
    const reach = createReachModel({ files: project, scripts: scriptsOf(project), capRoots: capRootsOf(project), npm })
    const start = ORDERS.indexOf("'two'")
    expect(reach.usageAt({ file: 'srv/orders.js', span: { start, end: start } })).not.toBe('unused')
  })
})

describe('members of an object of the module', () => {
  const api = (rest: string): Record<string, string> => ({
    'srv/shop.js': `${PAY.replace('CODE', `api.rows.load(req)`)}
const api = {}
api.rows = {
  async load() { return axios.get('one') },
  async save() { return axios.get('two') },
}
${rest}`,
  })
  test('nothing calls one', () => {
    expect(isUnused(api(''))).toBe(true)
    expect(isUnused(api('function never() { return api.rows.save() }'))).toBe(true)
  })
  test.each([
    'api.rows.save()',
    'run(api.rows)',
    'run(api)',
    'const { save } = api.rows',
    'exports.api = api',
    'api.rows[name]()',
  ])('used: %s', (code) => {
    expect(isUnused(api(code))).toBe(false)
  })
})
