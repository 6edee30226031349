import { describe, expect, test } from 'vitest'
import { readConfig } from '../../core/project/config.ts'
import type { ScanOptions } from '../../core/types.ts'
import { allFindings, scanFiles } from '../scan-files.ts'

const HANDLER = (head: string, body: string): string =>
  `const cds = require('@sap/cds'); ${head}\nmodule.exports = (srv) => { srv.on('run', (req) => { ${body} }) }`

async function scanned(
  code: Readonly<Record<string, string>>,
  flow: unknown,
  options: Partial<ScanOptions> = {},
): Promise<{ rules: string[]; notices: string[] }> {
  const files = new Map([['package.json', '{"dependencies":{"@sap/cds":"^9"}}'], ...Object.entries(code)])
  if (flow !== undefined) files.set('parapet.config.json', JSON.stringify({ flow }))
  const { en } = await scanFiles(files, { options })
  const rules = allFindings(en).map(({ ruleId, file }) => `${ruleId} ${file}`)
  return {
    rules: rules.filter((rule) => /injection|traversal|route/.test(rule)),
    notices: en.notices.map(({ detail }) => detail),
  }
}

const CASES: readonly [string, Record<string, string>, unknown, string[], string[]][] = [
  [
    'a source',
    { 'srv/a.js': HANDLER("const { readForm } = require('./lib/forms')", "require('fs').readFileSync(readForm().name)") },
    { sources: [{ at: 'module:./srv/lib/forms readForm' }] },
    [],
    ['cap/path-traversal srv/a.js'],
  ],
  [
    'a sink',
    { 'srv/a.js': HANDLER("const shell = require('./lib/shell.js')", 'shell.run(1, req.data.name)') },
    { sinks: [{ at: 'module:./srv/lib/shell run', rule: 'cap/command-injection', args: [1] }] },
    [],
    ['cap/command-injection srv/a.js'],
  ],
  [
    'a sink of a package, all arguments',
    {
      'srv/a.ts':
        "import { run } from 'our-shell'\nimport cds from '@sap/cds'\nexport default cds.service.impl(function () { this.on('x', (req) => run(req.data.name)) })",
    },
    { sinks: [{ at: 'module:our-shell run', rule: 'cap/command-injection' }] },
    [],
    ['cap/command-injection srv/a.ts'],
  ],
  [
    'a sanitizer, whose own code is not looked at',
    {
      'srv/a.js': HANDLER(
        "const { tidy } = require('./lib/clean')",
        'cds.run(`SELECT * FROM A WHERE N = ${tidy(req.data.name)}`)',
      ),
      'srv/lib/clean.js': 'exports.tidy = (text) => text.trim()',
    },
    { sanitizers: [{ at: 'module:./srv/lib/clean.js tidy', cleans: ['cap/cql-injection'] }] },
    ['cap/cql-injection srv/a.js'],
    [],
  ],
  [
    'a sanitizer for another rule',
    {
      'srv/a.js': HANDLER("const { tidy } = require('./lib/clean')", "require('fs').readFileSync(tidy(req.data.name))"),
      'srv/lib/clean.js': 'exports.tidy = (text) => text',
    },
    { sanitizers: [{ at: 'module:./srv/lib/clean tidy', cleans: ['cap/cql-injection'] }] },
    ['cap/path-traversal srv/a.js'],
    ['cap/path-traversal srv/a.js'],
  ],
  [
    'a propagator',
    { 'srv/a.js': HANDLER("const { pad } = require('our-texts')", "require('fs').readFileSync(pad(req.data.name))") },
    { propagators: [{ at: 'module:our-texts pad' }] },
    [],
    ['cap/path-traversal srv/a.js'],
  ],
  [
    'a middleware that authenticates',
    {
      'srv/server.js':
        "const cds = require('@sap/cds'); const { partners } = require('./lib/gate')\ncds.on('bootstrap', (app) => { app.use('/orders', partners); app.post('/orders', (req, res) => cds.run(INSERT.into('A').entries({ a: 1 }))) })",
    },
    { authenticates: [{ at: 'module:./srv/lib/gate partners' }] },
    ['cap/express-route-unauthenticated srv/server.js'],
    [],
  ],
]

describe('functions that parapet.config.json names', () => {
  test.each(CASES)('%s', async (_, code, flow, before, after) => {
    expect((await scanned(code, undefined)).rules).toEqual(before)
    const { rules, notices } = await scanned(code, flow)
    expect(rules).toEqual(after)
    expect(notices.filter((detail) => detail.includes('parapet.config.json names for the data flow: module:'))).toHaveLength(1)
  })

  test.each(CASES)('%s: not where suppressions are off', async (_, code, flow, before) => {
    const { rules, notices } = await scanned(code, flow, { suppressions: false })
    expect(rules).toEqual(before)
    expect(notices.join(' ')).not.toContain('parapet.config.json')
  })

  test.each([
    ['a function without a path', { sources: [{}] }],
    ['a rule missing', { sinks: [{ at: 'global:run' }] }],
    ['nothing to clean', { sanitizers: [{ at: 'global:run', cleans: [] }] }],
    ['a place that is none', { sinks: [{ at: 'global:run', rule: 'cap/ssrf', args: [-1] }] }],
    ['a list missing', { propagators: 'global:run' }],
    ['too many', { sources: Array.from({ length: 501 }, () => ({ at: 'global:a' })) }],
  ])('%s: it has no effect', (_, flow) => {
    const config = readConfig(JSON.stringify({ flow, exclude: ['a'] }), '2026-11-20')
    expect(config.exclude).toEqual(['a'])
    expect(config.notices.map(({ reason }) => reason)).toEqual(['config-wrong-value'])
    expect(config.flow).toBeUndefined()
  })
})
