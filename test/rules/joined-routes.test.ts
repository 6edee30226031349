import { expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'

const SERVER = `const express = require('express')
const orders = require('./routes/orders')
const parts = require('./routes/parts')
const app = express()
app.use('/api', orders)
app.use('/api', parts)
app.listen(process.env.PORT)
`
const ROUTER = (routes: string): string =>
  `const router = require('express').Router()\nconst db = require('../db')\n${routes}\nmodule.exports = router\n`
const LIST = (path: string): string => `router.get('${path}', async (req, res) => res.json(await db.query('SELECT * FROM t')))`
const ADD = (path: string): string =>
  `router.post('${path}', async (req, res) => { await db.query('INSERT INTO t VALUES (?)', [req.body.id]); res.end() })`

const FILES = {
  'srv/package.json': '{"dependencies":{"express":"^5","pg":"^8"},"scripts":{"start":"node server.js"}}',
  'srv/db.js': 'const { Pool } = require("pg")\nmodule.exports = new Pool()\n',
  'srv/server.js': SERVER,
  'srv/routes/orders.js': ROUTER(`${LIST('/orders')}\n${ADD('/orders')}`),
  'srv/routes/parts.js': ROUTER(LIST('/parts')),
}

async function routesIn(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { en } = await scanFiles(new Map(Object.entries(files)))
  return allFindings(en).flatMap(({ ruleId, file, line, message, occurrences = [] }) =>
    ruleId === 'cap/express-route-unauthenticated'
      ? [`${file}:${line} ${/\b(?:GET|POST) \S{1,80}/.exec(message)?.[0]} and ${occurrences.length}`]
      : [],
  )
}

test('routers of one file, of which none asks who calls, are one finding by the path that clients call', async () => {
  expect(await routesIn(FILES)).toEqual(['srv/server.js:5 POST /api/orders and 1'])
})

test('where others of the file ask who calls, each is a finding of its own', async () => {
  const server = SERVER.replace(
    "app.use('/api', orders)",
    "app.use('/api', orders)\napp.use('/admin', authenticate, admin)",
  ).replace('const app', "const admin = require('./routes/admin')\nconst authenticate = require('./authenticate')\nconst app")
  const found = await routesIn({
    ...FILES,
    'srv/server.js': server,
    'srv/authenticate.js':
      "const jwt = require('jsonwebtoken')\nmodule.exports = (req, res, next) => { try { req.user = jwt.verify(req.headers.authorization, process.env.KEY); next() } catch { res.sendStatus(401) } }\n",
    'srv/routes/admin.js': ROUTER(ADD('/parts')),
  })
  expect(found).toEqual(['srv/server.js:7 POST /api/orders and 0', 'srv/server.js:9 GET /api/parts and 0'])
})
