import { expect, test } from 'vitest'
import { createBudget } from '../../core/budget.ts'
import { effectsOf, solve, toFileFlow, toHit } from '../../core/flow/index.ts'
import { factsOf } from '../facts/facts-of.ts'

/** What is done with a file whose path a request brings. */
function effectsIn(imported: string, called: string): readonly string[] {
  const path = 'srv/server.js'
  const text = `${imported}
const app = require('express')()
app.get('/files', (req, res) => { ${called} })`
  const flow = toFileFlow({ path, realm: 'server', text, facts: factsOf(text, path), step: () => undefined })
  const files = flow === undefined ? [] : [{ path, flow }]
  const hits = solve(files, createBudget(1_000_000)).arrivals.map((arrival) => toHit(arrival, files))
  return hits.flatMap(({ fault, api }) => (fault === 'cap/path-traversal' ? [...api.effects].slice(0, 1) : []))
}

test.each([
  ['remove', `const fs = require('fs')`, 'fs.unlinkSync(req.query.file)'],
  ['remove', `const { unlinkSync: readAway } = require('fs')`, 'readAway(req.query.file)'],
  ['remove', `import { rm as list } from 'node:fs/promises'`, 'list(req.query.file)'],
  ['read', `const { readFileSync: remove } = require('fs')`, 'remove(req.query.file)'],
  ['write', `const { createWriteStream: open } = require('fs')`, 'open(req.query.file)'],
  ['move', `const { utils: { copy } } = require('@sap/cds')`, `copy('a').to(req.query.file)`],
  ['write', `const { utils: { write: copy } } = require('@sap/cds')`, `copy('a').to(req.query.file)`],
  ['folder', `const { mkdirp: writeAll } = require('fs-extra')`, 'writeAll(req.query.file)'],
])('%s: %s', (effect, imported, called) => {
  expect(effectsIn(imported, called)).toEqual([effect])
})

test('a fault without rows has no effects', () => {
  expect(effectsOf('cap/log-injection', 'console.log')).toEqual([])
  expect(effectsOf('ui5/log-injection', 'console.log')).toEqual(['console'])
})
