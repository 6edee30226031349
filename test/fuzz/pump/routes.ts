import type { Construct } from './construct.ts'
import { inRealm, SERVER_FILES, statements, type Realm, type Row } from './scripts.ts'

const EXPRESS: Omit<Realm, 'source' | 'sink'> = {
  language: 'Express',
  path: 'srv/server.js',
  head: "const app = require('express')()\nconst fs = require('fs')\n",
  foot: "app.get('/last', (req, res) => res.send(req.query.a))\n",
  beside: SERVER_FILES,
}
const ROUTES: readonly Row[] = [
  ['routes', (i) => `app.get('/a${i}', (req, res) => res.send('<b>' + req.query.a))\n`],
  ['middleware', (i) => `app.use((req, res, next) => { req.a${i} = req.query.a; next() })\n`],
  ['middleware with a sink each', () => 'app.use((req, res, next) => fs.readFile(req.query.a, next))\n'],
  [
    'routers',
    (i) =>
      `const r${i} = require('express').Router(); r${i}.get('/b', (req, res) => res.redirect(req.query.to)); app.use('/c${i}', r${i})\n`,
  ],
  [
    'routes that decode tokens',
    (i) =>
      `app.get('/a${i}', (req, res) => { const t = JSON.parse(atob(req.headers.authorization.split('.')[1])); console.log(t); if (t.role !== 'a') return res.sendStatus(403); db.query('SELECT ' + t.b).then((r) => res.json(r)) })\n`,
  ],
  [
    'routes with a check each',
    (i) =>
      `app.post('/a${i}', auth${i}, (req, res) => { if (!req.user) return res.status(401).end(); fs.readFile(req.body.f, () => 0) })\n`,
  ],
]

const IN_ROUTE: Realm = {
  language: 'route of Express',
  path: 'srv/server.js',
  head: "const app = require('express')()\nconst db = require('mysql2').createPool({})\nconst Order = require('mongoose').model('Order')\napp.post('/orders/:id', async (req, res) => {\nlet v0 = req.body.x, x = req.body.x\n",
  foot: '\nres.json(await db.query(`SELECT ${req.params.id}`)) })\napp.listen(4000)\n',
  beside: [
    ['package.json', JSON.stringify({ name: 'shop', dependencies: { express: '4.21.0', mongoose: '8.0.0', mysql2: '3.9.0' } })],
  ],
  source: 'req.body.x',
  sink: (value) => `await db.query('SELECT ' + ${value})`,
}
const ROUTE_ROWS: readonly Row[] = [
  ['statements of one name', (i) => `x = 'UPDATE t SET a = ${i} WHERE id = ?'; await db.query(x, [req.params.id])\n`],
  ['statements', (i) => `await db.query('UPDATE t SET a = ? WHERE id = ${i}', [req.body.a${i}])\n`],
  [
    'rows read and changed',
    (i) => `const o${i} = await Order.findById(req.params.id); o${i}.set(req.body); await o${i}.save()\n`,
  ],
  ['rows changed by a key', (i) => `await Order.updateOne({ _id: req.params.id, a${i}: x }, { $set: req.body })\n`],
  [
    'rows of the user',
    (i) => `if (v0.owner${i} !== req.user.id) return res.sendStatus(403); await Order.deleteOne({ _id: x })\n`,
  ],
  ['answers', (i) => `res.json({ a: req.query.a${i}, b: process.env.A${i}, c: x })\n`],
  ['answers with errors', (i) => `try { x = JSON.parse(x) } catch (e${i}) { res.status(500).send(e${i}.stack) }\n`],
  ['headers', (i) => `res.set('a${i}', req.headers.b${i}); res.cookie('c${i}', x)\n`],
  ['requests to others', (i) => `v0 = await fetch('https://a${i}.example/', { headers: { Authorization: 'Basic ' + v0 } })\n`],
  ['tokens', (i) => `v0 = require('jsonwebtoken').sign({ id: x, a: ${i} }, process.env.KEY${i})\n`],
  ['passwords', (i) => `if (!(await require('bcrypt').compare(x, v0.hash${i}))) return res.sendStatus(401)\n`],
  ['uploads', (i) => `req.files.a${i}.mv('/data/' + req.files.a${i}.name)\n`],
  ['files', (i) => `res.sendFile(require('path').join(__dirname, 'a${i}', x))\n`],
  ['helpers', (i) => `async function h${i}(id) { return db.query('SELECT a FROM t WHERE id = ?', [id]) }; v0 = await h${i}(x)\n`],
]

/** Servers of Express: their routes, and what a route does. */
export const ROUTES_OF_SERVERS: readonly Construct[] = [
  ...inRealm(ROUTES, EXPRESS),
  ...inRealm([...statements(IN_ROUTE), ...ROUTE_ROWS], IN_ROUTE),
]
