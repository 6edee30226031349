import { describe, expect, test } from 'vitest'
import { createBudget } from '../../core/budget.ts'
import { cqlInjection } from '../../core/rules/cap/cql-injection.ts'
import type { OpenFile } from '../../core/files.ts'
import type { Match } from '../../core/types.ts'
import { factsOf } from '../facts/facts-of.ts'

function matchesIn(text: string, path = 'srv/a.js'): Match[] {
  const file: OpenFile<Extract<OpenFile['content'], { as: 'script' }>> = {
    path,
    text,
    kind: { language: 'script', test: false },
    scope: 'all',
    content: { as: 'script', facts: factsOf(text, path) },
    hits: { has: () => true, found: () => [], offsets: () => [] },
    budget: createBudget(1_000_000),
  }
  return [...cqlInjection.check(file, { date: '2026-11-20' })]
}

/** Severities of what is found when a handler of a CAP service does this with its request. */
function inHandler(body: string, before = "const cds = require('@sap/cds')"): string[] {
  const text = `${before}\nmodule.exports = (srv) => { srv.on('x', async (req) => { ${body} }) }`
  return matchesIn(text).map(({ severity }) => severity ?? 'MEDIUM')
}

describe('what reads text as a query', () => {
  const TEXT = '`a ${req.data.b}`'
  test.each([
    ['CRITICAL', `cds.run(${TEXT})`],
    ['CRITICAL', `cds.db.run(${TEXT})`],
    ['CRITICAL', `const { db } = cds; db.run(${TEXT})`],
    ['CRITICAL', `cds.tx(req).run(${TEXT})`],
    ['CRITICAL', `const tx = cds.transaction(req); await tx.run(${TEXT})`],
    ['CRITICAL', `srv.tx(req).run(${TEXT})`],
    ['CRITICAL', `await cds.tx(async (t) => { await t.run(${TEXT}) })`],
    ['CRITICAL', `await cds.db.tx(async (one) => { await one.tx(async (two) => two.run(${TEXT})) })`],
    ['CRITICAL', `(await cds.connect.to('db')).run(${TEXT})`],
    ['CRITICAL', `cds.connect.to('db').then((c) => c.run(${TEXT}))`],
    ['CRITICAL', `let c; c = await cds.connect.to('db'); c.run(${TEXT})`],
    ['CRITICAL', `const { run } = cds; run(${TEXT})`],
    ['CRITICAL', `cds.services['db'].run(${TEXT})`],
    ['HIGH', `SELECT(${TEXT})`],
    ['HIGH', `SELECT.from(${TEXT})`],
    ['HIGH', `SELECT.one.from('A').where(${TEXT})`],
    ['HIGH', `cds.ql.SELECT.from('A').where(${TEXT})`],
    ['HIGH', `SELECT.from('A').where('a =', 1, ${TEXT})`],
    ['HIGH', `SELECT.from('A').where('a').and(${TEXT})`],
    ['HIGH', `SELECT.from('A').having(${TEXT})`],
    ['HIGH', `SELECT.from('A').columns('a', ${TEXT})`],
    ['HIGH', `SELECT.from('A').columns(['a', ${TEXT}])`],
    ['HIGH', `SELECT.from('A').orderBy(${TEXT})`],
    ['HIGH', `UPDATE('A').with(${TEXT})`],
    ['HIGH', `UPDATE('A').set(${TEXT}).where({ a: 1 })`],
    ['HIGH', `DELETE.from('A').where(${TEXT})`],
    ['HIGH', `let q = SELECT.from('A'); if (req.data.b) q = q.where(${TEXT}); await q`],
    ['HIGH', `srv.read('A').where(${TEXT})`],
    ['HIGH', `cds.update('A').set({ a: 1 }).where(${TEXT})`],
    ['HIGH', `cds.ql(${TEXT})`],
    ['HIGH', `CQL(${TEXT})`],
    ['HIGH', `cds.parse.cql(${TEXT})`],
    ['HIGH', `cds.parse.xpr(${TEXT})`],
    ['HIGH', `cds.parse.expr(req.data.filter)`],
  ])('%s: %s', (severity, body) => expect(inHandler(body)).toEqual([severity]))
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
    matchesIn(`srv => { cds.x; srv.${method}('x', (${parameters}) => cds.run('SELECT ' + ${value})) }`).map(
      ({ severity }) => severity ?? 'MEDIUM',
    )

  test.each([
    ['req.data.a', 'req'],
    ['req.params[0].ID', 'req'],
    ['req.headers.a', 'req'],
    ["req.headers['x-a']", 'req'],
    ['req.query.a', 'req'],
    ['req.http.req.url', 'req'],
    ['request.body.a', 'request'],
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
  ])('the request: %s of (%s)', (value, parameters) => expect(run(value, parameters)).toEqual(['CRITICAL']))

  test.each([
    ['other.data.a', 'req'],
    ['req.user.id', 'req'],
    ['a', 'req, a'],
    ['rows.data.a', 'rows, req'],
  ])('not known: %s of (%s)', (value, parameters) => expect(run(value, parameters, 'after')).toEqual(['MEDIUM']))

  test('the request comes second after the fact', () => {
    expect(run('r.data.a', 'rows, r', 'after')).toEqual(['CRITICAL'])
  })

  test('a handler by its name, a method of the class', () => {
    expect(matchesIn("const h = (r) => cds.run('SELECT ' + r.data.a); srv.on('x', h)").map(({ severity }) => severity)).toEqual([
      'CRITICAL',
    ])
    const text = `class S extends cds.ApplicationService { init() { this.on('x', this.x) } async x(req) { const { a } = req.data; return this.run('SELECT ' + a) } }`
    expect(matchesIn(text).map(({ severity }) => severity)).toEqual(['CRITICAL'])
  })

  test('the path leads from the request to the query', () => {
    const text = `module.exports = (srv) => srv.on('x', (req) => {\n const sql = 'SELECT ' + req.data.a\n return cds.run(sql)\n})`
    const [match] = matchesIn(text)
    expect(match?.flow?.map(({ at, step }) => `${step} ${text.slice(at.span?.start, at.span?.end)}`)).toEqual([
      'source req.data.a',
      'sink sql',
    ])
    expect(match?.args).toEqual({ part: 'req.data.a', sink: 'cds.run' })
  })
})
