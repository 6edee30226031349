import { describe, expect, test } from 'vitest'
import { createReachModel, type ReachModel } from '../../../core/model/reach/index.ts'
import { indexSecurity } from '../../../core/model/authorization/index.ts'
import { readDeployment } from '../../../core/model/deployment/index.ts'
import { findNpmProject } from '../../../core/model/npm/index.ts'
import { capRootsOf, PACKAGE, readProject, scriptsOf } from '../project.ts'

interface Read {
  readonly reach: ReachModel
  /** Of the place where a text stands first in a file. */
  readonly at: (file: string, text: string) => string
}

function read(texts: Readonly<Record<string, string>>): Read {
  const all: Record<string, string> = { 'package.json': PACKAGE, ...texts }
  const files = readProject(all)
  const npm = findNpmProject(files, () => undefined)
  const deployment = readDeployment(files)
  const { mtas, applications } = deployment
  const capRoots = capRootsOf(files)
  const securityOf = indexSecurity(deployment, capRoots)
  const reach = createReachModel({ files, scripts: scriptsOf(files), capRoots, npm, mtas, applications, securityOf })
  return {
    reach,
    at(file, text) {
      const start = all[file]?.indexOf(text) ?? -1
      if (start < 0) throw new Error(`no ${text} in ${file}`)
      return reach.at({ file, span: { start, end: start + text.length } }).reach
    },
  }
}

const MODEL = `service Shop @(requires: 'authenticated-user') {
  entity Orders { key ID: UUID; }
  @restrict: [{ grant: 'READ', to: 'any' }, { grant: 'WRITE', to: 'Clerk' }]
  entity Items { key ID: UUID; }
  @(requires: 'admin') action close();
  action pay();
}`

const HANDLERS = `const cds = require('@sap/cds')
module.exports = class Shop extends cds.ApplicationService {
  init() {
    this.on('close', async () => closing())
    this.on('pay', async () => paying())
    this.on('CREATE', 'Items', async () => creating())
    this.on('READ', 'Items', async () => reading())
    this.on('*', 'Orders', async () => ordering())
    return super.init()
  }
}
function helper() { return helping() }`

describe('a handler is reached by whoever the model lets send its event', () => {
  const { at } = read({ 'srv/shop.cds': MODEL, 'srv/shop.js': HANDLERS })
  test.each([
    ['closing', 'privileged'],
    ['paying', 'user'],
    ['creating', 'privileged'],
    ['reading', 'user'],
    ['ordering', 'user'],
    ['helping', 'user'],
  ])('%s', (name, expected) => {
    expect(at('srv/shop.js', `${name}()`)).toBe(expected)
  })
})

describe('a module that gets the service from whoever loads it', () => {
  const orders = 'srv/handlers/orders.js'
  const models = {
    'srv/clerks.cds': `service Clerks @(requires: 'authenticated-user') { action pay(); entity Slips { key ID: UUID; } }`,
    'srv/admins.cds': `service Admins @(requires: 'admin') { action pay(); action purge(); entity Logs { key ID: UUID; } }`,
  }
  const handlers = `module.exports = (srv) => { srv.on('pay', async () => paying()); srv.on('purge', async () => purging()) }`
  const implementing = (name: string): string => `const cds = require('@sap/cds')
require('./handlers/lines'); require('./handlers/prices')
module.exports = class ${name} extends cds.ApplicationService { init() { require('./handlers/orders')(this); return super.init() } }`

  test('handles what one service alone has for that one', () => {
    expect(read({ ...models, [orders]: handlers }).at(orders, 'purging()')).toBe('privileged')
    expect(read({ ...models, [orders]: handlers }).at(orders, 'paying()')).toBe('user')
  })

  test('handles for the service that loads it', () => {
    const own = { ...models, 'srv/admins.js': implementing('Admins'), [orders]: handlers }
    expect(read(own).at(orders, 'paying()')).toBe('privileged')
    expect(read({ ...own, 'srv/clerks.js': implementing('Clerks') }).at(orders, 'paying()')).toBe('user')
    expect(read({ ...own, 'srv/other.js': implementing('Other') }).at(orders, 'paying()')).toBe('user')
  })
})

test('a subscription comes from the platform', () => {
  const code = `module.exports = (service) => { service.on('UPDATE', 'tenant', async () => subscribing()) }`
  const { at } = read({ 'srv/shop.cds': MODEL, 'srv/provisioning.js': code })
  expect(at('srv/provisioning.js', 'subscribing()')).toBe('privileged')
})

test('a check of the role in code counts as one of the model', () => {
  const model = `service Shop @(requires: 'authenticated-user') { action pay(); action close(); }`
  const code = `module.exports = (srv) => {
    srv.before('close', (req) => { if (!req.user.is('admin')) req.reject(403) })
    srv.on('close', () => closing())
    srv.on('pay', () => paying())
  }`
  const { at } = read({ 'srv/shop.cds': model, 'srv/shop.js': code })
  expect([at('srv/shop.js', 'closing()'), at('srv/shop.js', 'paying()')]).toEqual(['privileged', 'user'])
})

test('a check of the role counts for the events that CAP calls its handler for', () => {
  const reachOf = (events: readonly string[], annotation = ''): string => {
    const model = `service Shop @(requires: 'authenticated-user') { ${annotation} entity Orders { key ID: UUID; } }`
    const code = `module.exports = (srv) => {
      srv.before([${events.map((event) => `'${event}'`).join()}], 'Orders', (req) => { if (!req.user.is('admin')) req.reject(403) })
      srv.on('CREATE', 'Orders', () => creating())
    }`
    return read({ 'srv/shop.cds': model, 'srv/shop.js': code }).at('srv/shop.js', 'creating()')
  }
  for (const event of ['CREATE', 'INSERT', 'SAVE', 'WRITE', '*']) expect(reachOf([event]), event).toBe('privileged')
  for (const event of ['UPDATE', 'PATCH', 'UPSERT', 'NEW', 'EDIT', 'CANCEL', 'READ']) expect(reachOf([event]), event).toBe('user')
  expect([reachOf(['NEW'], '@odata.draft.enabled'), reachOf(['EDIT'], '@odata.draft.enabled')]).toEqual(['privileged', 'user'])
})

test('a role that every service asks for is that of every user', () => {
  const model = (roles: string): string => `service Shop @(requires: ${roles}) { action pay(); }`
  const code = `module.exports = (srv) => { srv.on('pay', () => paying()) }`
  const reachOf = (roles: string): string =>
    read({ 'srv/shop.cds': model(roles), 'srv/shop.js': code }).at('srv/shop.js', 'paying()')
  expect(reachOf(`'Viewer'`)).toBe('user')
  expect(reachOf(`'Admin'`)).toBe('privileged')
})

describe('authentication for development where the project is deployed', () => {
  const MTA = `_schema-version: '3.3'\nID: shop\nmodules: [{ name: srv, type: nodejs, path: gen/srv }]\n`
  const model = `service Shop @(requires: 'authenticated-user') { action pay(); @(requires: 'admin') action close(); }`
  const code = `module.exports = (srv) => { srv.on('pay', () => paying()); srv.on('close', () => closing()) }`
  const reachOf = (kind: string, mta: Readonly<Record<string, string>> = { 'mta.yaml': MTA }): readonly string[] => {
    const config = JSON.stringify({ dependencies: { '@sap/cds': '^9' }, cds: { requires: { auth: kind } } })
    const { at } = read({ 'package.json': config, 'srv/shop.cds': model, 'srv/shop.js': code, ...mta })
    return [at('srv/shop.js', 'paying()'), at('srv/shop.js', 'closing()')]
  }
  test.each([
    ['mocked', ['anyone', 'privileged']],
    ['dummy', ['anyone', 'anyone']],
    ['basic', ['user', 'privileged']],
    ['xsuaa', ['user', 'privileged']],
  ])('%s', (kind, expected) => {
    expect(reachOf(kind)).toEqual(expected)
  })

  test('on the machine of its author, and where a landscape for tests says so, it opens nothing', () => {
    expect(reachOf('mocked', {})).toEqual(['user', 'privileged'])
    const extension = `_schema-version: '3.3'\nID: dev\nextends: shop\nmodules: [{ name: srv, properties: { CDS_REQUIRES_AUTH_KIND: mocked } }]\n`
    expect(reachOf('xsuaa', { 'mta.yaml': MTA, 'dev.mtaext': extension })).toEqual(['user', 'privileged'])
  })
})

test('a service that no protocol serves is reached by nobody', () => {
  const model = `@protocol: 'none' service Inner { action run(); }`
  const { at } = read({ 'srv/inner.cds': model, 'srv/inner.js': `module.exports = (srv) => { srv.on('run', () => running()) }` })
  expect(at('srv/inner.js', 'running()')).toBe('nobody')
})

test('callbacks of the platform are sent by the platform', () => {
  const code = `const cds = require('@sap/cds')
cds.on('served', async () => {
  const provisioning = await cds.connect.to('cds.xt.SaasProvisioningService')
  provisioning.prepend(() => {
    provisioning.on('UPDATE', 'tenant', async (req, next) => subscribing(req))
  })
})`
  const { at } = read({ 'srv/shop.cds': MODEL, 'srv/server.js': code })
  expect(at('srv/server.js', 'subscribing(')).toBe('privileged')
})

describe('demonstration data', () => {
  const isDemo = (texts: Readonly<Record<string, string>>): boolean =>
    read({ 'srv/shop.js': `module.exports = (srv) => { srv.on('pay', () => paying()) }`, ...texts }).reach.at({
      file: 'srv/shop.js',
      span: { start: 55, end: 56 },
    }).isDemo === true
  const MODEL_OF_DB = `namespace my.shop; entity Orders { key ID: UUID; }`
  const SERVICE = `using { my.shop } from '../db/schema'; service Shop { @readonly entity Orders as projection on shop.Orders; }`

  test('each entity is filled from a CSV file', () => {
    expect(isDemo({ 'db/schema.cds': MODEL_OF_DB, 'srv/shop.cds': SERVICE })).toBe(false)
    expect(isDemo({ 'db/schema.cds': MODEL_OF_DB, 'srv/shop.cds': SERVICE, 'db/data/my.shop-Orders.csv': 'ID\n1\n' })).toBe(true)
  })

  const packageWith = (name: string): string => JSON.stringify({ dependencies: { '@sap/cds': '^9', [name]: '^2' } })

  test('what users write counts where a database keeps it', () => {
    const writable = {
      'db/schema.cds': MODEL_OF_DB,
      'db/data/my.shop-Orders.csv': 'ID\n1\n',
      'srv/shop.cds': SERVICE.replace('@readonly', ''),
    }
    expect(isDemo({ ...writable, 'package.json': packageWith('express') })).toBe(true)
    expect(isDemo({ ...writable, 'package.json': packageWith('@cap-js/postgres') })).toBe(false)
    const kind = JSON.stringify({ dependencies: { '@sap/cds': '^9' }, cds: { requires: { db: 'hana' } } })
    expect(isDemo({ ...writable, 'package.json': kind })).toBe(false)
  })

  test('not where users write, or an operation does what no file tells', () => {
    const filled = { 'db/schema.cds': MODEL_OF_DB, 'db/data/my.shop-Orders.csv': 'ID\n1\n' }
    const written = { ...filled, 'srv/shop.cds': SERVICE.replace('@readonly', '') }
    const database = JSON.stringify({ dependencies: { '@sap/cds': '^9', '@cap-js/hana': '^2' } })
    expect(isDemo({ ...written, 'package.json': database })).toBe(false)
    // the database of developers, in memory, is filled anew at each start
    expect(isDemo(written)).toBe(true)
    const paying = { ...filled, 'srv/shop.cds': SERVICE.replace('; }', '; action pay(); }') }
    expect(isDemo({ ...paying, Dockerfile: 'FROM node:22\n' })).toBe(false)
    expect(isDemo({ ...paying, 'srv/paid.js': 'module.exports = (order) => fetch(order.url)' })).toBe(false)
  })

  test('what is kept in a file where nothing deploys it, and neither users nor other systems are known', () => {
    const kept = (dependencies: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}): boolean =>
      isDemo({
        'db/schema.cds': MODEL_OF_DB,
        'db/data/my.shop-Orders.csv': 'ID\n1\n',
        'srv/shop.cds': SERVICE.replace('@readonly', '').replace('; }', '; action pay(); }'),
        'package.json': JSON.stringify({
          dependencies: { '@sap/cds': '^9', '@cap-js/sqlite': '^2', ...dependencies },
          cds: { requires: { db: { kind: 'sqlite', credentials: { url: 'shop.db' } } } },
        }),
        ...more,
      })
    expect(kept({})).toBe(true)
    expect(kept({ bcrypt: '^6' })).toBe(false)
    expect(kept({ '@cap-js/hana': '^2' })).toBe(false)
    expect(kept({}, { 'xs-security.json': '{ "xsappname": "shop" }' })).toBe(false)
    expect(kept({}, { 'srv/shop.cds': SERVICE.replace('@readonly', "@requires: 'Clerk'") })).toBe(false)
    expect(kept({}, { 'srv/own.js': 'module.exports = (srv) => srv.before("*", (req) => log(req.user.id))' })).toBe(false)
    const pushed = 'on: { push: {} }\njobs: { cf: { runs-on: ubuntu-latest, steps: [{ run: cf push shop }] } }\n'
    expect(kept({}, { '.github/workflows/cf.yml': pushed })).toBe(false)
  })

  test('the books that every project of CAP starts with, not those of a library', () => {
    const shop = (more: string): Readonly<Record<string, string>> => ({
      'srv/shop.cds': `namespace n; entity Books { key ID: Integer; title: String; stock: Integer; ${more} } service Shop { entity Books as projection on n.Books; }`,
      'package.json': packageWith('@cap-js/hana'),
    })
    expect(isDemo(shop(''))).toBe(true)
    expect(isDemo(shop('lentTo: String;'))).toBe(false)
  })

  test('not where credentials for something else stand behind it', () => {
    const config = JSON.stringify({
      dependencies: { '@sap/cds': '^9' },
      cds: { requires: { S4: { kind: 'odata', credentials: { destination: 's4' } } } },
    })
    const texts = {
      'package.json': config,
      'db/schema.cds': MODEL_OF_DB,
      'srv/shop.cds': SERVICE,
      'db/data/my.shop-Orders.csv': 'ID\n1\n',
    }
    expect(isDemo(texts)).toBe(false)
  })
})

describe('the usage of a file', () => {
  const usage = (file: string, texts: Readonly<Record<string, string>>): string =>
    read({ [file]: '', ...texts }).reach.usageOf(file)

  test.each([
    ['srv/shop.js', 'deployed'],
    ['test/shop.js', 'unused'],
    ['docs/setup.md', 'unused'],
    ['requests/orders.http', 'unused'],
    ['examples/shop/server.js', 'unused'],
    ['db/src/main/java/dev/shop/samples/Db.java', 'deployed'],
    ['db/src/test/java/shop/Db.java', 'unused'],
  ])('%s by its path', (file, expected) => {
    expect(usage(file, {})).toBe(expected)
  })

  test('a folder of samples with a deployment of its own is deployed', () => {
    expect(usage('examples/shop/server.js', { 'examples/shop/Dockerfile': 'FROM node:22\n' })).toBe('deployed')
  })

  test('a plugin is a library', () => {
    expect(usage('lib/plugin.js', { 'cds-plugin.js': `require('./lib/plugin')` })).toBe('library')
  })

  test('a module that nothing loads is unused', () => {
    const server = `const cds = require('@sap/cds'); require('./used'); require('./one'); require('./two')`
    const texts = {
      'srv/shop.cds': MODEL,
      'srv/one.js': 'exports.a = 1',
      'srv/two.js': 'exports.a = 1',
      'srv/server.js': server,
      'srv/used.js': 'exports.a = 1',
      'srv/mqtt.js': 'exports.b = 1',
    }
    expect(usage('srv/used.js', texts)).toBe('deployed')
    expect(usage('srv/mqtt.js', texts)).toBe('unused')
  })

  test('a module that nothing but its test loads is unused', () => {
    const texts = {
      'srv/shop.cds': MODEL,
      'srv/one.js': 'exports.a = 1',
      'srv/two.js': 'exports.a = 1',
      'srv/server.js': `const cds = require('@sap/cds'); require('./used'); require('./one'); require('./two')`,
      'srv/used.js': 'exports.a = 1',
      'srv/mqtt.js': 'exports.b = 1',
      'test/mqtt.test.js': `require('../srv/mqtt')`,
    }
    expect(usage('srv/mqtt.js', texts)).toBe('unused')
  })

  test('a module that others load by an alias is no unused one', () => {
    const texts = {
      'srv/shop.cds': MODEL,
      'srv/one.js': 'exports.a = 1',
      'srv/two.js': 'exports.a = 1',
      'srv/server.js': `const cds = require('@sap/cds'); require('./used'); require('./one'); require('./two')`,
      'srv/used.js': `import { b } from '@/mail/mqtt'`,
      'srv/mail/mqtt.js': 'exports.b = 1',
    }
    expect(usage('srv/mail/mqtt.js', texts)).toBe('deployed')
  })

  test('a module that only such a module loads is unused too', () => {
    const texts = {
      'srv/shop.cds': MODEL,
      ...Object.fromEntries(['one', 'two', 'three', 'four', 'five'].map((name) => [`srv/${name}.js`, 'exports.a = 1'])),
      'srv/server.js': `const cds = require('@sap/cds'); for (const one of [require('./one'), require('./two'), require('./three')]) one.a`,
      'srv/more.js': `require('./four'); require('./five')`,
      'srv/routes/goods.js': `const { list } = require('../controllers/goods')`,
      'srv/controllers/goods.js': 'exports.list = 1',
      'srv/jobs.js': `require('./more')`,
    }
    expect([usage('srv/routes/goods.js', texts), usage('srv/controllers/goods.js', texts)]).toEqual(['unused', 'unused'])
    expect(usage('srv/four.js', texts)).toBe('deployed')
  })

  test('a script in a folder that browsers are served from is no unused one', () => {
    const texts = {
      'srv/shop.cds': MODEL,
      'srv/one.js': 'exports.a = 1',
      'srv/two.js': 'exports.a = 1',
      'srv/server.js': `const cds = require('@sap/cds'); require('./one'); require('./two'); require('./three')`,
      'srv/three.js': 'exports.b = 1',
      'srv/public/Component.js': 'window.onmessage = () => 1',
    }
    expect(usage('srv/public/Component.js', texts)).toBe('deployed')
  })

  test('names that are made below one folder leave its modules open alone', () => {
    const texts = {
      'srv/shop.cds': MODEL,
      'srv/one.js': 'exports.a = 1',
      'srv/two.js': 'exports.a = 1',
      'srv/server.js': `const cds = require('@sap/cds'); require('./used'); require('./one'); require('./two')`,
      'srv/used.js': `const path = require('path'); module.exports = (name) => require(path.join(__dirname, 'parts', \`\${name}.js\`))`,
      'srv/mqtt.js': 'exports.b = 1',
      'srv/parts/mail.js': 'exports.b = 1',
    }
    expect(usage('srv/mqtt.js', texts)).toBe('unused')
    expect(usage('srv/parts/mail.js', texts)).toBe('deployed')
  })

  test('where modules are loaded by names that are made, none is known to be unused', () => {
    const server = `const cds = require('@sap/cds'); require('./used'); for (const name of names) require(name)`
    const texts = {
      'srv/shop.cds': MODEL,
      'srv/server.js': server,
      'srv/used.js': 'exports.a = 1',
      'srv/mqtt.js': 'exports.b = 1',
    }
    expect(usage('srv/mqtt.js', texts)).toBe('deployed')
  })
})

test('a command-line tool runs on the machine of whoever calls it', () => {
  const own = JSON.stringify({ name: 'tool', bin: { tool: 'bin/tool.js' }, dependencies: { express: '^5' } })
  expect(read({ 'package.json': own, 'routes/query.js': 'query()' }).at('routes/query.js', 'query()')).toBe('local')
})

describe('what an MTA builds a module from is deployed, whatever its folder is called', () => {
  const mta = (path: string): string =>
    `_schema-version: '3.3'\nID: shop\nmodules:\n  - { name: ui, type: html5, path: ${path} }\n`
  const usageOf = (path: string, file: string): string => read({ 'mta.yaml': mta(path), [file]: '' }).reach.usageOf(file)
  test.each([
    ['samples/orders', 'samples/orders/webapp/Component.js', 'deployed'],
    ['samples/orders', 'samples/orders/webapp/test/flpSandbox.js', 'unused'],
    ['samples/orders', 'samples/items/webapp/Component.js', 'unused'],
    ['.', 'samples/items/webapp/Component.js', 'unused'],
  ])('%s: %s', (path, file, expected) => {
    expect(usageOf(path, file)).toBe(expected)
  })
})

describe('what a module brings that is deployed and never started', () => {
  const mta = (parameters: string): string =>
    `_schema-version: '3.3'\nID: shop\nmodules:\n  - { name: shop, type: nodejs, path: srv }\n  - { name: router, type: nodejs, path: app/router, parameters: ${parameters} }\n`
  const extension = `_schema-version: '3.3'\nID: shop-live\nextends: shop\nmodules:\n  - { name: router, parameters: { no-start: false } }\n`
  const NONE = { no: '' }
  test.each<[string, string, Readonly<Record<string, string>>, string]>([
    ['it is not started', '{ no-start: true }', NONE, 'unused'],
    ['it has no instance', '{ instances: 0 }', NONE, 'unused'],
    ['it has one', '{ instances: 1 }', NONE, 'deployed'],
    ['a task runs it', '{ no-start: true, tasks: [{ name: load, command: npm start }] }', NONE, 'deployed'],
    ['an extension starts it', '{ no-start: true }', { 'live.mtaext': extension }, 'deployed'],
    ['a parameter says whether', '{ no-start: "${stopped}" }', NONE, 'deployed'],
  ])('%s', (_, parameters, others, expected) => {
    const text = mta(parameters)
    const { reach } = read({ 'mta.yaml': text, 'app/router/xs-app.json': '{}', 'srv/server.js': '', ...others })
    const placeOf = (part: string): { file: string; span: { start: number; end: number } } => {
      const start = text.indexOf(part)
      return { file: 'mta.yaml', span: { start, end: start + part.length } }
    }
    expect(reach.usageOf('app/router/xs-app.json')).toBe(expected)
    expect(reach.usageAt(placeOf('app/router'))).toBe(expected)
    expect(reach.usageAt(placeOf('path: srv'))).toBe('deployed')
    expect(reach.usageOf('srv/server.js')).toBe('deployed')
    expect(reach.usageOf('mta.yaml')).toBe('deployed')
  })

  test('what lies beside the other parts is theirs too', () => {
    const text = `ID: shop\nmodules:\n  - { name: shop, type: nodejs, path: ., parameters: { no-start: true } }\n`
    expect(read({ 'mta.yaml': text, 'xs-security.json': '{}' }).reach.usageOf('xs-security.json')).toBe('deployed')
  })
})

describe('who gets at a server', () => {
  test.each<[file: string, path: string, isPublished: boolean]>([
    ['shop/server.js', 'shop/gen/srv', true],
    ['shop/server.js', 'shop/srv', false],
    ['shop/server.ts', 'shop/gen/srv', false],
    ['shop/tools/server.js', 'shop/gen/srv', false],
  ])('%s belongs to the module %s', (file, path, isPublished) => {
    const texts = { 'mta.yaml': `ID: shop\nmodules: [{ name: srv, type: nodejs, path: ${path} }]\n`, 'shop/package.json': '{}' }
    expect(read({ ...texts, [file]: '' }).reach.ofServer(file).isPublished).toBe(isPublished)
  })

  const manifest = (route: string): string => `applications: [{ name: orders, path: orders, routes: [{ route: ${route} }] }]`
  const server = { 'orders/index.js': '', 'orders/package.json': '{}' }
  const of = (texts: Readonly<Record<string, string>>): readonly unknown[] => {
    const { exposure, isPublished, isRouted } = read({ ...server, ...texts }).reach.ofServer('orders/index.js')
    return [exposure.reach, isPublished, isRouted]
  }
  const started = JSON.stringify({ dependencies: { express: '^4' }, scripts: { start: 'node index.js' } })
  const composed = (ports: string): string =>
    `services:\n  orders: { build: ./orders${ports} }\n  web: { image: nginx, ports: ['80:80'] }\n`
  test.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['nothing starts it', {}, false],
    ['its package starts it', { 'orders/package.json': started }, true],
    ['its default starts it', { 'orders/package.json': `{ "dependencies": { "express": "^4" } }`, 'orders/server.js': '' }, true],
    ['nodemon starts it', { 'orders/package.json': started.replace('node', 'nodemon') }, false],
    ['its framework is for development', { 'orders/package.json': started.replace('dependencies', 'devDependencies') }, false],
    [
      'others are deployed',
      { 'orders/package.json': started, 'manifest.yml': 'applications: [{ name: page, path: page }]' },
      false,
    ],
    [
      'it is in a cluster',
      { 'orders/package.json': started, 'k8s.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: { name: page }\n' },
      false,
    ],
    ['it listens on its machine', { 'orders/package.json': started, 'orders/index.js': `app.listen(80, 'localhost')` }, false],
    [
      'it listens where a name says',
      { 'orders/package.json': started, 'orders/index.js': `const own = '127.0.0.1'; app.listen(port(80), own)` },
      false,
    ],
    [
      'it listens where options say',
      {
        'orders/package.json': started,
        'orders/index.js': `app.listen({ port: port(80), host: process.env.HOST || 'localhost' })`,
      },
      false,
    ],
    [
      'a test listens on its machine',
      { 'orders/package.json': started, 'orders/test/a.test.js': `app.listen(0, 'localhost')` },
      true,
    ],
    [
      'a container with a port of its machine',
      { 'orders/package.json': started, 'compose.yaml': composed(`, ports: ['127.0.0.1:3000:3000']`) },
      false,
    ],
    [
      'a file of the folder builds it',
      {
        'orders/package.json': started,
        'compose.yaml': 'services:\n  orders: { build: { context: ., dockerfile: orders/Dockerfile } }\n',
      },
      false,
    ],
    ['a container without a port', { 'orders/package.json': started, 'compose.yaml': composed('') }, false],
    ['a container with a port', { 'orders/package.json': started, 'compose.yaml': composed(`, ports: ['3000:3000']`) }, true],
  ])('started: %s', (_, texts, isStarted) => {
    expect(read({ ...server, ...texts }).reach.ofServer('orders/index.js').isStarted === true).toBe(isStarted)
  })

  const service = `apiVersion: v1\nkind: Service\nmetadata: { name: orders }\nspec: { ports: [{ port: 80 }] }\n`
  const rule = (name: string): string =>
    `apiVersion: v2\nkind: APIRule\nmetadata: { name: shop }\nspec: { service: { name: ${name} } }\n`
  test.each<[string, Readonly<Record<string, string>>, readonly unknown[]]>([
    ['nothing tells', {}, ['anyone', false, false]],
    ['a route', { 'manifest.yml': manifest('orders.example.com') }, ['anyone', true, true]],
    ['an internal route', { 'manifest.yml': manifest('orders.apps.internal') }, ['privileged', false, true]],
    ['a rule names its service', { 'k8s/a.yaml': service, 'k8s/b.yaml': rule('orders') }, ['anyone', true, true]],
    ['a rule names another one', { 'k8s/a.yaml': service, 'k8s/b.yaml': rule('web') }, ['privileged', false, true]],
    ['a cluster that does not know it', { 'k8s/b.yaml': rule('web') }, ['anyone', false, false]],
  ])('%s', (_, texts, expected) => {
    expect(of(texts)).toEqual(expected)
  })
})

describe('an app that an MTA leaves out is not deployed', () => {
  const app = JSON.stringify({ 'sap.app': { id: 'any', type: 'application' } })
  const apps = { 'app/shop/webapp/manifest.json': app, 'app/editor/webapp/manifest.json': app }
  const mta = (more: string): string => `ID: shop\nmodules:\n  - { name: shop, type: html5, path: app/shop }\n${more}`
  const usageOf = (texts: Readonly<Record<string, string>>): string =>
    read({ ...apps, ...texts }).reach.usageOf('app/editor/webapp/controller/Main.controller.js')

  test('one of two, while the other is deployed', () => {
    expect(usageOf({ 'mta.yaml': mta('') })).toBe('unused')
    expect(read({ ...apps, 'mta.yaml': mta('') }).reach.usageOf('app/shop/webapp/Component.js')).toBe('deployed')
  })
  test.each([
    ['the name of another app holds its own', { 'mta.yaml': mta('  - { name: all, type: html5, path: app/editoradmin }\n') }],
    [
      'its own settings only pack it',
      {
        'mta.yaml': mta(''),
        'app/editor/ui5-deploy.yaml': "specVersion: '3.0'\nbuilder: { customTasks: [{ name: ui5-task-zipper }] }\n",
      },
    ],
  ])('%s', (_, texts) => {
    expect(usageOf(texts)).toBe('unused')
  })
  test.each([
    ['no app is named at all', { 'mta.yaml': 'ID: shop\nmodules:\n  - { name: srv, type: nodejs, path: srv }\n' }],
    ['a module of another name is built from its folder', { 'mta.yaml': mta('  - { name: all, type: nodejs, path: app }\n') }],
    [
      'a command of the build names it',
      { 'mta.yaml': mta('build-parameters: { before-all: [{ builder: custom, commands: [npm run build -w app/editor] }] }\n') },
    ],
    ['it has a deployment of its own', { 'mta.yaml': mta(''), 'app/editor/ui5-deploy.yaml': "specVersion: '3.0'\n" }],
  ])('it is where %s', (_, texts) => {
    expect(usageOf(texts)).toBe('deployed')
  })
})

describe('a role that comes with every other one is what all users have', () => {
  const reachOf = (service: string, templates: Readonly<Record<string, readonly string[]>>, more = ''): string =>
    read({
      'srv/depot.cds': `${service}
service Office @(requires: 'Clerk') { entity Papers { key ID: UUID; } }
${more}`,
      'srv/depot.js': 'module.exports = (srv) => { srv.on("weigh", async () => weighing()) }',
      'xs-security.json': JSON.stringify({
        xsappname: 'depot',
        scopes: [{ name: '$XSAPPNAME.mtcallback', 'grant-as-authority-to-apps': ['$XSAPPNAME(application,x,y)'] }],
        'role-templates': Object.entries(templates).map(([name, scopes]) => ({
          name,
          'scope-references': scopes.map((scope) => (scope.includes('.') ? scope : `$XSAPPNAME.${scope}`)),
        })),
      }),
    }).at('srv/depot.js', 'weighing()')
  const depot = (role: string): string => `service Depot @(requires: '${role}') { action weigh(); }`
  const open = "service Counter @(requires: 'authenticated-user') { entity Tickets { key ID: UUID; } }"

  test.each([
    ['in each of three', { Porter: ['Porter'], Clerk: ['Porter', 'Clerk'], Boss: ['Porter', 'Clerk', 'Boss'] }, 'user'],
    [
      'beside templates of the platform',
      { Porter: ['Porter'], Clerk: ['Porter', 'Clerk'], Callback: ['mtcallback'], Token: ['uaa.user'] },
      'user',
    ],
    ['not in each', { Porter: ['Porter'], Clerk: ['Clerk'], Boss: ['Porter', 'Clerk'] }, 'privileged'],
    ['given with another one alone', { Clerk: ['Porter', 'Clerk'], Boss: ['Porter', 'Boss'] }, 'privileged'],
    ['the only one', { Porter: ['Porter'] }, 'privileged'],
    ['twice the same', { Porter: ['Porter'], Carrier: ['Porter'] }, 'privileged'],
  ])('%s', (_, templates, expected) => {
    expect(reachOf(depot('Porter'), templates)).toBe(expected)
  })

  test('not where users without a role have a service, unless it is called like them', () => {
    const templates = { Base: ['Porter', 'DepotUser'], Boss: ['Porter', 'DepotUser', 'Boss'] }
    expect(reachOf(depot('Porter'), templates, open)).toBe('privileged')
    expect(reachOf(depot('DepotUser'), templates, open)).toBe('user')
  })

  test('not one for administrators', () => {
    expect(reachOf(depot('DepotAdmin'), { Admin: ['DepotAdmin'], Boss: ['DepotAdmin', 'Boss'] })).toBe('privileged')
  })
})
