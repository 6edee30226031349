import { describe, expect, test } from 'vitest'
import { createBudget } from '../../core/budget.ts'
import { solve, toFileFlow, toHit, type FlowHit } from '../../core/flow/index.ts'
import { factsOf } from '../facts/facts-of.ts'

function matchesIn(text: string, path = 'srv/a.js'): FlowHit[] {
  const flow = toFileFlow({ path, realm: 'server', text, facts: factsOf(text, path), step: () => undefined })
  const files = flow === undefined ? [] : [{ path, flow }]
  const hits = solve(files, createBudget(1_000_000)).arrivals.map((arrival) => toHit(arrival, files))
  return hits.filter(({ fault }) => fault === 'cap/cql-injection')
}

/** The language of the text that a request is part of, where that is known. */
function verdictOf({ origin, detail }: FlowHit): string {
  if (origin === 'unknown') return 'unknown origin'
  return detail === 'sql' ? 'sql' : 'cql'
}

/** What is found when a handler of a CAP service does this with its request. */
function inHandler(body: string, before = "const cds = require('@sap/cds')"): string[] {
  const text = `${before}\nmodule.exports = (srv) => { srv.on('x', async (req) => { ${body} }) }`
  return matchesIn(text).map(verdictOf)
}

describe('what reads text as a query', () => {
  const TEXT = '`a ${req.data.b}`'
  test.each([
    ['sql', `cds.run(${TEXT})`],
    ['sql', `cds.db.run(${TEXT})`],
    ['sql', `const { db } = cds; db.run(${TEXT})`],
    ['sql', `cds.tx(req).run(${TEXT})`],
    ['sql', `const tx = cds.transaction(req); await tx.run(${TEXT})`],
    ['sql', `srv.tx(req).run(${TEXT})`],
    ['sql', `await cds.tx(async (t) => { await t.run(${TEXT}) })`],
    ['sql', `await cds.db.tx(async (one) => { await one.tx(async (two) => two.run(${TEXT})) })`],
    ['sql', `(await cds.connect.to('db')).run(${TEXT})`],
    ['sql', `cds.connect.to('db').then((c) => c.run(${TEXT}))`],
    ['sql', `let c; c = await cds.connect.to('db'); c.run(${TEXT})`],
    ['sql', `const { run } = cds; run(${TEXT})`],
    ['sql', `cds.services['db'].run(${TEXT})`],
    ['cql', `SELECT(${TEXT})`],
    ['cql', `SELECT.from(${TEXT})`],
    ['cql', `SELECT.one.from('A').where(${TEXT})`],
    ['cql', `cds.ql.SELECT.from('A').where(${TEXT})`],
    ['cql', `SELECT.from('A').where('a =', 1, ${TEXT})`],
    ['cql', `SELECT.from('A').where('a').and(${TEXT})`],
    ['cql', `SELECT.from('A').having(${TEXT})`],
    ['cql', `SELECT.from('A').columns('a', ${TEXT})`],
    ['cql', `SELECT.from('A').columns(['a', ${TEXT}])`],
    ['cql', `SELECT.from('A').orderBy(${TEXT})`],
    ['cql', `UPDATE('A').with(${TEXT})`],
    ['cql', `UPDATE('A').set(${TEXT}).where({ a: 1 })`],
    ['cql', `DELETE.from('A').where(${TEXT})`],
    ['cql', `let q = SELECT.from('A'); if (req.data.b) q = q.where(${TEXT}); await q`],
    ['cql', `srv.read('A').where(${TEXT})`],
    ['cql', `cds.update('A').set({ a: 1 }).where(${TEXT})`],
    ['cql', `cds.ql(${TEXT})`],
    ['cql', `CQL(${TEXT})`],
    ['cql', `cds.parse.cql(${TEXT})`],
    ['cql', `cds.parse.xpr(${TEXT})`],
    ['cql', `cds.parse.expr(req.data.filter)`],
  ])('%s: %s', (language, body) => expect(inHandler(body)).toEqual([language]))
})

describe('what does not', () => {
  test.each([
    'SELECT.from`A`.where`a = ${req.data.b}`',
    'cds.ql`SELECT from A where b = ${req.data.b}`',
    "SELECT.from('A').where({ a: `x${req.data.b}` })",
    "SELECT.from('A').where('a =', `x${req.data.b}`)",
    "SELECT.from('A').where('a', 'like', `%${req.data.b}%`)",
    "SELECT.from('A').where(req.data)",
    "SELECT.from('A', req.data.b)",
    "SELECT.from('A').limit(`${req.data.b}`)",
    "SELECT.from('A').search(`${req.data.b}`)",
    'INSERT.into("A").entries({ a: `x${req.data.b}` })',
    'UPDATE("A").with({ a: `x${req.data.b}` })',
    'UPDATE("A").data({ a: `x${req.data.b}` })',
    'cds.run(req.query)',
    'const { query } = req; cds.run(query)',
    'cds.run([SELECT.from("A")])',
    'cds.run("SELECT ?", [`x${req.data.b}`])',
    'cds.run("SELECT " + Number(req.data.b))',
    'cds.run(`SELECT ${"a"}`)',
    'cds.run(`SELECT * FROM ${req.target.name}`)',
    'cds.run(`SELECT ${conn.escape(req.data.b)}`)',
    'cds.log().run(`a ${req.data.b}`)',
    'cds.spawn(() => {}).where(`a ${req.data.b}`)',
    'emitter.run(`a ${req.data.b}`)',
    '[1].with(0, `a ${req.data.b}`)',
    'new Map().set(`a ${req.data.b}`, 1)',
    '$("a").parse(`a ${req.data.b}`)',
    'console.log(`SELECT ${req.data.b}`)',
    'function local(SELECT) { SELECT(`a ${req.data.b}`) }',
    'const remote = await cds.connect.to("r"); remote.run(`GET /A(${req.data.b})`)',
  ])('%s', (body) => expect(inHandler(body)).toEqual([]))

  test('a local cds is not CAP', () => {
    expect(inHandler('cds.run(`a ${req.data.b}`)', "const cds = require('./mock')")).toEqual([])
  })
})

describe('where a value comes from', () => {
  const run = (value: string, parameters = 'req', method = 'on'): string[] =>
    matchesIn(`srv => { cds.x; srv.${method}('x', (${parameters}) => cds.run('SELECT ' + ${value})) }`).map(verdictOf)

  test.each([
    ['req.data.a', 'req'],
    ['req.params[0].ID', 'req'],
    ['req.headers.a', 'req'],
    ["req.headers['x-a']", 'req'],
    ['req.http.req.url', 'req'],
    ['r.data.a', 'r'],
    ['data.a', '{ data }'],
    ['a', '{ data: { a } }'],
    ['b', '{ data: { a: b = 1 } }'],
    ['req.data.a.trim().toUpperCase()', 'req'],
    ['String(req.data.a)', 'req'],
    ['JSON.stringify(req.data)', 'req'],
    ['(req.data.a || "b")', 'req'],
    ['[req.data.a, "b"].join()', 'req'],
    ['encodeURIComponent(req.data.a)', 'req'],
    ["'a'.concat(req.data.a)", 'req'],
    ["'a :b'.replace(':b', req.data.a)", 'req'],
  ])('the request: %s of (%s)', (value, parameters) => expect(run(value, parameters)).toEqual(['sql']))

  test.each([['rows.data.a', 'rows, req']])('not known: %s of (%s)', (value, parameters) =>
    expect(run(value, parameters, 'after')).toEqual(['unknown origin']),
  )

  test.each([
    'other.data.a',
    'req.user.id',
    'req.query.a',
    'req.target.name',
    'process.env.A',
    'cds.env.a',
    'TABLES[req.data.a]',
  ])('nothing that a client chooses: %s', (value) =>
    expect(matchesIn(`const TABLES = { a: 'b' }; srv => { cds.x; srv.on('x', (req) => cds.run('SELECT ' + ${value})) }`)).toEqual(
      [],
    ),
  )

  test('the request comes second after the fact', () => {
    expect(run('r.data.a', 'rows, r', 'after')).toEqual(['sql'])
  })

  test('a handler by its name, a method of the class', () => {
    expect(matchesIn("const h = (r) => cds.run('SELECT ' + r.data.a); srv.on('x', h)").map(verdictOf)).toEqual(['sql'])
    const text = `class S extends cds.ApplicationService { init() { this.on('x', this.x) } async x(req) { const { a } = req.data; return this.run('SELECT ' + a) } }`
    expect(matchesIn(text).map(verdictOf)).toEqual(['sql'])
  })

  test('the path leads from the request to the query', () => {
    const text = `module.exports = (srv) => srv.on('x', (req) => {\n const sql = 'SELECT ' + req.data.a\n return cds.run(sql)\n})`
    const [match] = matchesIn(text)
    expect(match?.steps.map(({ at, step }) => `${step} ${text.slice(at.span?.start, at.span?.end)}`)).toEqual([
      'source req.data.a',
      'sink sql',
    ])
    expect([match?.part, match?.sink]).toEqual(['req.data.a', 'cds.run'])
  })
})

describe('what ends it', () => {
  test.each([
    ['an assignment after the query', "let sql = 'SELECT 1'; await cds.run(sql); sql = 'SELECT ' + req.data.b"],
    ['a number that is checked', "if (isNaN(req.data.b)) return req.reject(400); cds.run('SELECT ' + req.data.b)"],
    ['a number, inside', "if (!isNaN(Number(req.data.b))) cds.run('SELECT ' + req.data.b)"],
    ['an integer', "if (!Number.isInteger(req.data.b)) return; cds.run('SELECT ' + req.data.b)"],
    [
      'a switch whose default leaves',
      "const { b } = req.data; switch (b) { case 'x': case 'y': break; default: return req.reject(400) } cds.run('SELECT ' + b)",
    ],
    ['a case', "switch (req.data.b) { case 'x': return cds.run('SELECT ' + req.data.b) }"],
    [
      'every item, else',
      "const { b } = req.data; if (b.every(isValid)) { cds.x } else return req.reject(400); cds.run('SELECT ' + b.join(','))",
    ],
    [
      'every item',
      "const { b } = req.data; if (!b.every((one) => ['x'].includes(one))) throw new Error(); cds.run('SELECT ' + b.join(','))",
    ],
    [
      'every item by a function',
      "const { b } = req.data; if (!b.every(Number.isInteger)) return; cds.run('SELECT ' + b.join(','))",
    ],
    [
      'a look-up in a map',
      "const COLUMNS = { t: 'title' }; const column = COLUMNS[req.data.b]; if (!column) return; cds.run('SELECT ' + column)",
    ],
    ['a look-up in a Map', "const COLUMNS = new Map([['t', 'title']]); cds.run('SELECT ' + COLUMNS.get(req.data.b))"],
    ['a name of a map', "const COLUMNS = { t: 'title' }; if (!(req.data.b in COLUMNS)) return; cds.run('SELECT ' + req.data.b)"],
    ['a type', "if (typeof req.data.b !== 'number') return; cds.run('SELECT ' + req.data.b)"],
    ['a filter', "cds.run('SELECT ' + req.data.b.filter((one) => ['x'].includes(one)).join(','))"],
    ['a length', "cds.run('SELECT TOP ' + req.data.b.length)"],
    ['placeholders', "cds.run(`SELECT ${req.data.b.map(() => '?').join(',')}`, req.data.b)"],
    ['configuration', "cds.run('SELECT * FROM ' + cds.env.requires.db.credentials.schema)"],
    ['constants of all callers', "const count = (table) => cds.run('SELECT ' + table); count('A'); count('B')"],
    ['what is left of it', "cds.run('SELECT ' + req.data.b.replace(/[^a-z]/g, ''))"],
  ])('%s', (_, body) => expect(inHandler(body)).toEqual([]))

  test('callers of other files count as well', () => {
    const files = Object.entries({
      'srv/a.js': "const { count } = require('./b'); module.exports = (srv) => { srv.on('x', () => count('A')) }",
      'srv/b.js': "const cds = require('@sap/cds'); exports.count = (table) => cds.run('SELECT * FROM ' + table)",
    }).flatMap(([path, text]) => {
      const flow = toFileFlow({ path, realm: 'server', text, facts: factsOf(text, path), step: () => undefined })
      return flow === undefined ? [] : [{ path, flow }]
    })
    const originsIn = (known: typeof files): string[] =>
      solve(known, createBudget(Infinity)).arrivals.flatMap(({ label, sink }) =>
        sink.fault === 'cap/cql-injection' ? label.origin : [],
      )
    expect(originsIn(files)).toEqual([])
    expect(originsIn(files.slice(1))).toEqual(['unknown'])
  })
})

describe('a query that a language model writes', () => {
  test.each([
    [true, 'const { content } = await new OpenAI().chat.completions.create({ messages: [req.data.b] }); cds.run(content)'],
    [false, 'const content = `SELECT ${req.data.b}`; cds.run(content)'],
  ])('is marked (%s): %s', (isModelWritten, body) => {
    const before = "const cds = require('@sap/cds'); const OpenAI = require('openai')"
    const text = `${before}\nmodule.exports = (srv) => { srv.on('x', async (req) => { ${body} }) }`
    expect(matchesIn(text).map(({ marks }) => marks.has('model-written'))).toEqual([isModelWritten])
  })
})
