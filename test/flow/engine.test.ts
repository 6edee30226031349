import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBudget } from '../../core/budget.ts'
import { solve, toFileFlow, toHit, type FlowHit, type LinkedFile } from '../../core/flow/index.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { factsOf } from '../facts/facts-of.ts'
import { runs } from '../soak.ts'

function filesOf(texts: Readonly<Record<string, string>>): LinkedFile[] {
  return Object.entries(texts).flatMap(([path, text]) => {
    const flow = toFileFlow({ path, realm: 'server', text, facts: factsOf(text, path), step: () => undefined })
    return flow === undefined ? [] : [{ path, flow }]
  })
}

function hitsIn(texts: Readonly<Record<string, string>>, steps = 1_000_000): FlowHit[] {
  const files = filesOf(texts)
  return solve(files, createBudget(steps)).arrivals.map((arrival) => toHit(arrival, files))
}

/** What is found when the handler of a service does this with its request `req`. */
function inHandler(body: string, before = ''): string[] {
  const text = `const fs = require('fs'); const cp = require('child_process'); ${before}
module.exports = (srv) => { srv.on('run', async (req) => { ${body} }) }`
  return hitsIn({ 'srv/a.js': text }).map(({ fault, part }) => `${fault} ${part}`)
}

test('the path tells where a text is put together, unless that is where it begins or ends', () => {
  const stepsOf = (body: string): readonly string[] =>
    hitsIn({ 'srv/a.js': `module.exports = (srv) => { srv.on('run', async (req) => { ${body} }) }` })[0]?.steps.map(
      ({ step }) => step,
    ) ?? []
  expect(stepsOf("const a = req.data.a\n const q = `SELECT 1 WHERE A = '${a}'`\n await cds.run(q)")).toEqual([
    'source',
    'join',
    'sink',
  ])
  expect(stepsOf('const q = "SELECT 1 WHERE A = " + req.data.a\n await cds.run(q)')).toEqual(['source', 'sink'])
  expect(stepsOf('const a = req.data.a\n await cds.run("SELECT 1 WHERE A = " + a)')).toEqual(['source', 'sink'])
})

const FOUND = ['cap/path-traversal req.data.a']

describe('what reaches a sink', () => {
  test.each([
    ['directly', 'fs.readFileSync(req.data.a)'],
    ['by a name', 'const x = req.data.a; fs.readFileSync(x)'],
    ['by a pattern', 'const { data: { a } } = req; fs.readFileSync(a)'],
    ['by an alias of the request', 'const r = req; const d = r.data; fs.readFileSync(d.a)'],
    ['by a template', 'fs.readFileSync(`x/${req.data.a}`)'],
    ['by an assignment', 'let x = ""; x += req.data.a; fs.readFileSync(x)'],
    ['by one way of several', 'fs.readFileSync(req.user ? "x" : req.data.a)'],
    ['by a default', 'const { x = req.data.a } = {}; fs.readFileSync(x)'],
    ['by a field', 'const o = { f: req.data.a }; fs.readFileSync(o.f)'],
    ['by a field set later', 'const o = {}; o.f = req.data.a; fs.readFileSync(o.f)'],
    ['by a field of a field', 'const o = { p: { f: req.data.a } }; const { p } = o; fs.readFileSync(p.f)'],
    ['by an item', 'const l = []; l.push(req.data.a); for (const x of l) fs.readFileSync(x)'],
    ['by a callback of a list', '[req.data.a].forEach((x) => fs.readFileSync(x))'],
    ['by what a callback gives', 'fs.readFileSync([req.data.a].map((x) => x.trim()).join("/"))'],
    ['by a promise', 'Promise.resolve(req.data.a).then((x) => fs.readFileSync(x))'],
    ['by a closure', 'const run = () => fs.readFileSync(req.data.a); run()'],
    ['by JSON', 'const { x } = JSON.parse(req.data.a); fs.readFileSync(x)'],
    ['by a function', 'const f = (x) => x; fs.readFileSync(f(req.data.a))'],
    ['by a function that is called', 'function f(x) { fs.readFileSync(x) } f(req.data.a)'],
    ['by a function of an object', 'const o = { f(x) { fs.readFileSync(x) } }; o.f(req.data.a)'],
    ['by the request itself', 'function f(r) { return r.data } fs.readFileSync(f(req).a)'],
    [
      'by functions of functions',
      'const f = (x) => g(x); const g = (x) => h(x); const h = (x) => x; fs.readFileSync(f(req.data.a))',
    ],
    ['by a function that is handed over', 'const each = (f, x) => f(x); each((x) => fs.readFileSync(x), req.data.a)'],
    [
      'by a list of functions',
      'const all = (...fs) => (x) => fs.reduce((y, f) => f(y), x); all((x) => x, (x) => fs.readFileSync(x))(req.data.a)',
    ],
    ['by a composition', 'pipe(({ a }) => a, (x) => fs.readFileSync(x))(req.data)', 'const { pipe } = require("ramda");'],
    [
      'by a composition from the right',
      'flowRight((x) => fs.readFileSync(x), ({ a }) => a)(req.data)',
      'const { flowRight } = require("lodash");',
    ],
    ['by a spread argument', 'const args = [req.data.a]; fs.readFileSync(...args)'],
    ['by what is put into a text', 'fs.readFileSync("x{0}".replace("{0}", () => req.data.a))'],
    ['by a flat list', 'fs.readFileSync([["x", req.data.a]].flat().join("/"))'],
    ['by all matches', 'for (const m of req.data.a.matchAll(/x(.)/g)) fs.readFileSync(m[1])'],
    ['by the body of a promise', 'const x = await new Promise((resolve) => resolve(req.data.a)); fs.readFileSync(x)'],
    [
      'by a callback that resolves',
      'const load = (x, done) => done(x); const y = await new Promise((ok) => load(req.data.a, ok)); fs.readFileSync(y)',
    ],
    ['by the query of an address', 'fs.readFileSync(new URLSearchParams(req.data.a).get("x"))'],
    ['by a name of a field', 'for (const name in req.data) fs.readFileSync(name)'],
    [
      'by a stream',
      'for await (const row of req.data.a.pipe(parse())) fs.readFileSync(row.name)',
      'const { parse } = require("csv-parse");',
    ],
    ['by an event of a stream', 'req.data.a.on("data", (piece) => fs.readFileSync(piece))'],
    [
      'by a parser that is fed',
      'const p = parse(); p.on("readable", () => { let r; while ((r = p.read())) fs.readFileSync(r.name) }); req.data.a.pipe(p)',
      'const { parse } = require("csv-parse");',
    ],
    [
      'by a function for each item',
      'async.map(req.data.list, (x, done) => fs.readFile(x, done))',
      'const async = require("async");',
    ],
    [
      'by a pipeline',
      'await pipeline(req.data.a, parse(), async (rows) => { for await (const r of rows) fs.readFileSync(r.name) })',
      'const { parse } = require("csv-parse"); const { pipeline } = require("stream/promises");',
    ],
    ['by recursion', 'const f = (x, n) => (n > 0 ? f(x, n - 1) : x); fs.readFileSync(f(req.data.a, 3))'],
  ])('%s', (_, body, before = '') => {
    const [found = ''] = inHandler(body, before)
    expect(found).toMatch(/^cap\/path-traversal req\.data|^cap\/path-traversal \w+\.data/)
  })

  test.each([
    ['a constant', 'fs.readFileSync("x")'],
    ['a number', 'fs.readFileSync(Number(req.data.a))'],
    ['a length', 'fs.readFileSync(`x${req.data.a.length}`)'],
    ['a comparison', 'fs.readFileSync(req.data.a === "x")'],
    ['another field', 'const o = { f: req.data.a, g: "x" }; fs.readFileSync(o.g)'],
    ['another call of the function', 'const f = (x) => x; f(req.data.a); fs.readFileSync(f("x"))'],
    ['another parameter', 'const f = (x, y) => y; fs.readFileSync(f(req.data.a, "x"))'],
    ['what CAP knows', 'fs.readFileSync(req.target.name + req.event)'],
    ['the user', 'fs.readFileSync(req.user.id)'],
    ['a list of names', 'if (!["x"].includes(req.data.a)) return; fs.readFileSync(req.data.a)'],
    ['inside a check', 'if (/^[a-z]+$/.test(req.data.a)) fs.readFileSync(req.data.a)'],
    ['a choice by a check', 'fs.readFileSync(["x"].includes(req.data.a) ? req.data.a : "x")'],
    ['a check of a name', 'const { a } = req.data; if (!ALLOWED.has(a)) throw new Error(); fs.readFileSync(a)'],
    ['the name of the file', 'const { basename } = require("path"); fs.readFileSync(basename(req.data.a))'],
  ])('not: %s', (_, body) => {
    expect(inHandler(body)).toEqual([])
  })

  test('what cleans for one fault does not for another', () => {
    expect(inHandler('const x = encodeURIComponent(req.data.a); fs.readFileSync(x); cp.exec(x)')).toEqual([
      'cap/command-injection req.data.a',
    ])
  })

  test('over files, in every form of a module', () => {
    const forms: readonly [string, string][] = [
      ["const { run } = require('./b')", 'exports.run = (x) => require("fs").readFileSync(x)'],
      ["const { run } = require('./b.js')", 'module.exports = { run: (x) => require("fs").readFileSync(x) }'],
      ["const run = require('./b')", 'module.exports = function (x) { require("fs").readFileSync(x) }'],
      [
        "const b = require('./b'); const run = (x) => b.run(x)",
        'module.exports.run = async (x) => require("fs").readFileSync(x)',
      ],
      ["import { run } from './b'", 'import fs from "fs"; export function run(x) { fs.readFileSync(x) }'],
      ["import run from './b.js'", 'import { readFileSync } from "node:fs"; export default (x) => readFileSync(x)'],
      [
        "import * as b from './b'; const run = (x) => b.run(x)",
        'import fs from "fs"; export const run = (x) => fs.readFileSync(x)',
      ],
      [
        "import { B } from './b'; const run = (x) => new B().run(x)",
        'import fs from "fs"; export class B { run(x) { fs.readFileSync(x) } }',
      ],
    ]
    for (const [head, other] of forms) {
      const texts = {
        'srv/a.ts': `${head}\nexport default (srv) => { srv.on('x', (req) => run(req.data.a)) }`,
        'srv/b.ts': other,
      }
      expect(
        hitsIn(texts).map(({ at, fault }) => `${at.file} ${fault}`),
        head,
      ).toEqual(['srv/b.ts cap/path-traversal'])
    }
  })

  test('the path says where it begins, which functions it takes, and where it ends', () => {
    const [hit] = hitsIn({
      'srv/a.js': `const { load } = require('./b')\nmodule.exports = (srv) => { srv.on('x', (req) => load(tidy(req.data.a))) }\nfunction tidy(x) { return x.trim() }`,
      'srv/b.js': `exports.load = (name) => require('fs').readFileSync(name)`,
    })
    expect(hit?.steps.map(({ at, step, args }) => `${at.file} ${step} ${Object.values(args ?? {}).join('')}`)).toEqual([
      'srv/a.js source req.data.a',
      'srv/a.js call tidy',
      'srv/a.js return tidy',
      'srv/b.js call load',
      'srv/b.js sink require(…).readFileSync',
    ])
  })
})

describe('laws', () => {
  const NAMES = ['alpha', 'beta', 'gamma', 'delta']
  const program = fc.record({
    names: fc.shuffledSubarray(NAMES, { minLength: 3, maxLength: 3 }),
    wraps: fc.nat({ max: 3 }),
    dead: fc.boolean(),
    split: fc.boolean(),
  })

  test('renaming, wrapping, dead code and splitting change nothing but places', () => {
    fc.assert(
      fc.property(program, ({ names: [a = '', b = '', f = ''], wraps, dead, split }) => {
        let value = b
        for (let depth = 0; depth < wraps; depth++) value = `((${a}) => ${a})(${value})`
        const helper = `const ${f} = (${a}) => require('fs').readFileSync(${a} + '.txt')`
        const head = split ? `const { ${f} } = require('./other')` : helper
        const unused = dead ? `function unused(${b}) { return ${b} + 1 }` : ''
        const main = `${head}\n${unused}\nmodule.exports = (srv) => { srv.on('x', (req) => { const { value: ${b} } = req.data; return ${f}(${value}) }) }`
        const hits = hitsIn(
          split ? { 'srv/a.js': main, 'srv/other.js': `${helper}; module.exports = { ${f} }` } : { 'srv/a.js': main },
        )
        expect(hits.map(({ fault, weak, entry }) => [fault, weak, entry])).toEqual([['cap/path-traversal', false, 'cap-request']])
      }),
      { numRuns: runs(500) },
    )
  })

  test('the order in which files come does not matter', () => {
    const texts = {
      'srv/a.js': `const b = require('./b')\nmodule.exports = (srv) => { srv.on('x', (req) => b.run(req.data.a)) }`,
      'srv/b.js': `const c = require('./c')\nexports.run = (x) => { c.run(x); require('fs').readFileSync(x) }`,
      'srv/c.js': `exports.run = (x) => require('child_process').exec('x ' + x)`,
    }
    const plain = (hits: readonly FlowHit[]): unknown => hits.map(({ steps, ...hit }) => [hit, steps]).sort()
    const expected = plain(hitsIn(texts))
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.entries(texts), { minLength: 3 }), (entries) => {
        expect(plain(hitsIn(Object.fromEntries(entries)))).toEqual(expected)
      }),
    )
  })
})

describe('an app that costs too much', () => {
  /** Without a sink, and without a read of each field, nothing would be followed. */
  const run = `eval(${Array.from({ length: 20 }, (_, step) => `x.k${step}`).join(' + ')})`
  /** Functions that all call each other with what they get. */
  const hostile = (count: number): string =>
    Array.from({ length: count }, (_, index) => {
      const others = Array.from({ length: 20 }, (_, step) => `f${(index * 7 + step * 13) % count}({ k${step}: x, [y]: y }, x)`)
      return `function f${index}(x, y) { ${others.join('\n')}\n${index === 0 ? run : ''}\nreturn { a: x, b: y } }`
    }).join('\n')

  test('ends by its own budget with a notice, and the findings of others stay', async () => {
    const flow = `module.exports = (srv) => { srv.on('x', (req) => { f0(req.data, req.headers) }) }`
    const service = `module.exports = (srv) => { srv.on('x', (req) => require('fs').readFileSync(req.data.a)) }`
    const PACKAGE = '{"dependencies":{"@sap/cds":"^9"}}'
    const { en } = await scanFiles(
      new Map([
        ['a/package.json', PACKAGE],
        ['a/srv/hostile.js', `${hostile(400)}\n${flow}`],
        ['b/package.json', PACKAGE],
        ['b/srv/service.js', service],
      ]),
    )
    expect(
      allFindings(en)
        .filter(({ ruleId }) => ruleId === 'cap/path-traversal')
        .map(({ file }) => file),
    ).toEqual(['b/srv/service.js'])
    expect(en.notices.map(({ code }) => code)).toContain('time-limit')
    expect(en.complete).toBe(false)
  })

  test('deep chains of calls are followed to their end', () => {
    const chain = Array.from({ length: 3000 }, (_, index) => `const f${index} = (x) => f${index + 1}(x)`).join('\n')
    const text = `${chain}\nconst f3000 = (x) => require('fs').readFileSync(x)\nmodule.exports = (srv) => { srv.on('x', (req) => f0(req.data.a)) }`
    const [hit, ...others] = hitsIn({ 'srv/a.js': text })
    expect(hit?.fault).toBe('cap/path-traversal')
    expect(hit?.steps.length).toBeLessThanOrEqual(12)
    expect(others).toEqual([])
  })
})

describe('what decides nothing is not followed', () => {
  const COUNT = 200
  const lines = (line: (index: number) => string, length = COUNT): string =>
    Array.from({ length }, (_, index) => line(index)).join('\n')
  const isFollowed = (text: string, steps: number): boolean => {
    const { arrivals, isWhole } = solve(filesOf({ 'srv/a.js': text }), createBudget(steps))
    return isWhole && arrivals.some(({ sink }) => sink.fault === 'cap/path-traversal')
  }

  const object = `{ ${lines((index) => `k${index}: req.data.a${index},`)} }`
  const passed = lines((index) => `const v${index + 1} = pass(v${index})`)

  test('values that lead to no sink', () => {
    const text = `const fs = require('fs')
function pass(x) { return x }
module.exports = (srv) => { srv.on('run', (req) => { fs.readFileSync(req.data.a)
  const v0 = ${object}
  ${passed}
  ${lines((index) => `count(v${COUNT}.k${index})`)}
}) }`
    expect(isFollowed(text, 20_000)).toBe(true)
  })

  test('what functions put into an object of all, once for each caller', () => {
    const text = `const fs = require('fs')
const kept = {}
function keep(x) { kept.value = x }
module.exports = (srv) => { srv.on('run', (req) => {
  ${lines((index) => `keep({ a${index}: req.data.a })`)}
  ${lines((index) => `const v${index} = kept.value; fs.readFileSync(v${index}.a1)`)}
}) }`
    expect(isFollowed(text, 40_000)).toBe(true)
  })

  test('each set of fields that may be written over', () => {
    const text = `const fs = require('fs')
module.exports = (srv) => { srv.on('run', (req) => {
  const v0 = req.data
  ${lines((index) => `const v${index + 1} = is(${index}) ? v${index} : { ...v${index}, k${index}: '' }`, 40)}
  ${lines((index) => `fs.readFileSync(v40.k${index})`, 40)}
  fs.readFileSync(v40.other)
}) }`
    expect(isFollowed(text, 1_000_000)).toBe(true)
  })

  test('fields that nothing reads by their names', () => {
    const text = `const fs = require('fs')
function pass(x) { return x }
module.exports = (srv) => { srv.on('run', (req) => {
  const v0 = ${object}
  ${passed}
  for (const key in v${COUNT}) fs.readFileSync(v${COUNT}[key])
}) }`
    expect(isFollowed(text, 20_000)).toBe(true)
  })
})

test('the found ones are told as such', () => {
  expect(inHandler('fs.readFileSync(req.data.a)')).toEqual(FOUND)
})
