import type { Construct } from './construct.ts'

type Nest = Construct['nest']
export type Row = readonly [name: string, unit: (index: number, count: number) => string, nest?: Nest]

/** Where a script runs, with what others choose there and what they must not reach. */
export interface Realm {
  readonly language: string
  readonly path: string
  readonly head: string
  readonly foot: string
  readonly beside: Construct['beside']
  readonly source: string
  readonly sink: (value: string) => string
}

const MANIFEST = JSON.stringify({
  'sap.app': { id: 'shop', type: 'application' },
  'sap.ui5': { dependencies: { minUI5Version: '1.120.0' }, rootView: { viewName: 'shop.view.Main', type: 'XML' } },
})
const PACKAGE = JSON.stringify({ name: 'shop', dependencies: { '@sap/cds': '9.0.0', express: '4.21.0' } })

export const PAGE_FILES: Construct['beside'] = [['webapp/manifest.json', MANIFEST]]
export const SERVER_FILES: Construct['beside'] = [
  ['package.json', PACKAGE],
  ['srv/shop.cds', 'service Shop { entity Books { key ID : Integer; name : String; } action a(x : String); }\n'],
]

const PAGE: Realm = {
  language: 'JavaScript of a page',
  path: 'webapp/pumped.js',
  head: 'sap.ui.define(["sap/m/Button"], function (Button) {\nvar v0 = location.hash, x = location.hash\n',
  foot: '\neval(location.hash) })\n',
  beside: PAGE_FILES,
  source: 'location.hash',
  sink: (value) => `document.body.innerHTML = ${value}`,
}
const SERVER: Realm = {
  language: 'JavaScript of a service',
  path: 'srv/shop.js',
  head: "const cds = require('@sap/cds')\nmodule.exports = cds.service.impl(function () { this.on('a', async (req) => {\nlet v0 = req.data.x, x = req.data.x\n",
  foot: '\nawait cds.run(`SELECT ${req.data.x}`) }) })\n',
  beside: SERVER_FILES,
  source: 'req.data.x',
  sink: (value) => `await cds.run('SELECT ' + ${value})`,
}
const TYPESCRIPT: Realm = {
  language: 'TypeScript',
  path: 'srv/shop.ts',
  head: "import cds from '@sap/cds'\nexport class Shop extends cds.ApplicationService { init() { this.on('a', async (req) => {\nlet v0 = req.data.x, x = req.data.x\n",
  foot: '\nawait cds.run(`SELECT ${req.data.x}`) }); return super.init() } }\n',
  beside: SERVER_FILES,
  source: 'req.data.x',
  sink: (value) => `await cds.run('SELECT ' + ${value})`,
}
const JSX: Realm = {
  language: 'JSX',
  path: 'webapp/pumped.jsx',
  head: 'import React from "react"\nexport default function Page() { var v0 = location.hash, x = location.hash\n',
  foot: '\nreturn <div dangerouslySetInnerHTML={{ __html: location.hash }} /> }\n',
  beside: PAGE_FILES,
  source: 'location.hash',
  sink: (value) => `document.body.innerHTML = ${value}`,
}

/** Statements of JavaScript, written for one realm. */
export function statements({ source, sink }: Realm): readonly Row[] {
  return [
    ['a chain of assignments', (i) => `var v${i + 1} = v${i}\n`],
    ['a chain of assignments with a sink each', (i) => `var v${i + 1} = v${i}; ${sink(`v${i + 1}`)}\n`],
    ['one variable assigned again and again', (i) => `x = x + 'a${i}'\n`],
    ['one variable assigned and used', (i) => `x = x + 'a${i}'; ${sink('x')}\n`],
    ['sinks', () => `${sink(source)}\n`],
    ['sinks of one variable', () => `${sink('x')}\n`],
    ['a chain of functions', (i) => `async function f${i}(a) { return f${i + 1}(a) }\n`],
    ['a chain of functions with a sink each', (i) => `async function f${i}(a) { ${sink('a')}; return f${i + 1}(a) }\n`],
    [
      'a chain of functions that is entered',
      (i) => `async function f${i}(a) { ${sink('a')}; return f${i + 1}(a) }; f${i}(${source})\n`,
    ],
    ['functions with a sink each, called once', (i) => `async function f${i}(a) { ${sink('a')} }; f${i}(x)\n`],
    ['functions that all call one', (i, n) => `async function f${i}(a) { return f${n - 1}(a) }; f${i}(x)\n`],
    [
      'functions that call each other',
      (i, n) => `async function f${i}(a) { f${(i * 7 + 1) % n}(a); f${(i * 13 + 5) % n}(a); ${sink('a')} }; f${i}(x)\n`,
    ],
    ['calls of one function', (i) => `one(x, ${i}, 'a${i}')\n`],
    [
      'arrow functions',
      (i) => `const g${i} = async (a) => { ${sink('a')} }; g${i}(x)\n`,
      [(i) => `const n${i} = async (b${i}) => {\n`, '}\n'],
    ],
    [
      'functions in functions',
      (i) => `x = v${i}\n`,
      [(i) => `async function w${i}(b${i}) { var u${i} = b${i}; w${i}(x)\n`, '}\n'],
    ],
    ['functions called where they stand', () => `${sink('x')}\n`, [(i) => `;(async function (c${i}) { x = c${i}\n`, '})(x)\n']],
    ['callbacks', (i) => `[x].forEach(async (e${i}) => { ${sink(`e${i}`)} })\n`, [(i) => `[x].map(async (m${i}) => {\n`, '})\n']],
    ['branches on one variable', (i) => `if (x === 'a${i}') { ${sink('x')} }\n`, [(i) => `if (x !== 'a${i}') {\n`, '}\n']],
    ['refusals of one variable', (i) => `if (x === 'a${i}') return\n`],
    ['refusals by methods', (i) => `if (!x.startsWith('/a${i}') || x.includes('..${i}')) return\n`],
    [
      'branches with else',
      (i) => `if (x < ${i}) { x = 'a' } else { ${sink('x')} }\n`,
      [(i) => `if (x < ${i}) { x = 'b' } else {\n`, '}\n'],
    ],
    ['one branch after the other', (i) => `${i === 0 ? '' : 'else '}if (x === 'a${i}') { ${sink('x')} }\n`],
    ['switches', (i) => `switch (x) { case 'a${i}': ${sink('x')}; break; default: x = ${i} }\n`],
    ['ternaries', (i) => `x = x === ${i} ? x : v${i}\n`, [(i) => `x = x ? (() => { let q${i} = x\n`, '})() : x\n']],
    ['conditions joined by &&', (i) => `if (x && v${i} && x.a${i} !== ${i} && !x.b) { ${sink('x')} }\n`],
    [
      'tests of an origin',
      (i) =>
        `window.addEventListener('message', async (e) => { if (e.origin !== 'https://a${i}.example') return; ${sink('e.data')} })\n`,
    ],
    [
      'loops',
      (i) => `for (let k${i} = 0; k${i} < 9; k${i}++) { x += v${i}[k${i}] }\n`,
      [(i) => `for (const l${i} of x) {\n`, '}\n'],
    ],
    ['loops over keys', (i) => `for (const p${i} in x) { v0[p${i}] = x[p${i}]; ${sink(`p${i}`)} }\n`],
    ['loops that wait', (i) => `while (x !== ${i}) { x = x.next }\n`, [() => 'do {\n', '} while (x)\n']],
    [
      'try and catch',
      (i) => `try { JSON.parse(x) } catch (e${i}) { ${sink(`e${i}.message`)} }\n`,
      [() => 'try {\n', '} finally { x = 1 }\n'],
    ],
    ['blocks', (i) => `let y${i} = x\n`, [() => '{\n', '}\n']],
    ['labels', (i) => `l${i}: for (;;) { if (x) break l${i}; continue }\n`, [(i) => `m${i}: for (;;) {\n`, '}\n']],
    ['string concatenations', (i) => `x = 'a${i}' + x + 'b' + v0 + 'c'\n`],
    ['templates', (i) => `x = \`a${i} \${x} b \${v0}\`\n`],
    ['object literals', (i) => `const o${i} = { a: x, b: [x, v0], ['c${i}']: x, d() { return x }, ...v0 }; ${sink(`o${i}.a`)}\n`],
    ['one object with a field each', (i) => `v0.f${i} = x; ${sink(`v0.f${i}`)}\n`],
    ['fields that hold each other', (i) => `v0.f${i + 1} = v0.f${i}\n`],
    ['fields of this', (i) => `this.f${i + 1} = this.f${i}; ${sink(`this.f${i}`)}\n`],
    ['computed fields', (i) => `v0[x] = v0['f${i}']; ${sink(`v0[x]`)}\n`],
    ['arrays', (i) => `const a${i} = [x, ...v0]; a${i}.push(x); ${sink(`a${i}.join('')`)}\n`],
    ['one array pushed to', () => `v0.push(x); ${sink('v0.join()')}\n`],
    ['destructuring', (i) => `const { a: d${i}, ...r${i} } = x; ${sink(`d${i}`)}\n`],
    ['destructuring of lists', (i) => `const [s${i}, , ...t${i}] = x; ${sink(`t${i}[0]`)}\n`],
    ['parameters by default', (i) => `async function d${i}(a = x, { b = a } = {}) { ${sink('b')} }; d${i}()\n`],
    ['classes', (i) => `class C${i} { constructor(a) { this.a = a } async run() { ${sink('this.a')} } }; new C${i}(x).run()\n`],
    [
      'classes that extend each other',
      (i) =>
        `class D${i + 1} extends ${i === 0 ? 'Object' : `D${i}`} { async m${i}(a) { ${sink('a')}; super.m${i}(a) } }; new D${i + 1}().m${i}(x)\n`,
    ],
    ['prototypes', (i) => `function P${i}() {}; P${i}.prototype.go = async function (a) { ${sink('a')} }; new P${i}().go(x)\n`],
    ['getters and setters', (i) => `const h${i} = { get a() { return x }, set a(b) { v0 = b } }; ${sink(`h${i}.a`)}\n`],
    ['promises', (i) => `Promise.resolve(x).then(async (r${i}) => { ${sink(`r${i}`)} })\n`],
    ['generators', (i) => `function* z${i}() { yield x; yield* z${i}() }; for (const y${i} of z${i}()) { ${sink(`y${i}`)} }\n`],
    ['regular expressions', (i) => `if (!/^[a-z${i}]{1,20}$/.test(x)) x = x.replace(/[<>${i}]/g, '')\n`],
    ['replacements', (i) => `x = x.replace('a${i}', 'b').trim().slice(${i})\n`],
    ['encodings', (i) => `x = encodeURIComponent(x + ${i}); ${sink('decodeURIComponent(x)')}\n`],
    ['JSON', (i) => `x = JSON.parse(JSON.stringify({ a${i}: x })).a${i}; ${sink('x')}\n`],
    ['Object.assign', (i) => `Object.assign(v0, { g${i}: x }, x); ${sink(`v0.g${i}`)}\n`],
    ['maps', (i) => `const k${i} = new Map(); k${i}.set('a', x); ${sink(`k${i}.get('a')`)}\n`],
    ['timers', (i) => `setTimeout(() => { ${sink('x').replace('await ', '')} }, ${i})\n`],
    ['comments', (i) => `// a${i} TODO eval(x) password\n/* b */\n`],
    ['strings', (i) => `'a${i} <b> \\u0041 https://host${i}.example/a'\n`],
    ['calls on calls', (i) => `x.a(${i}).b().c(x).d\n`],
    ['optional members', (i) => `x?.a${i}?.[x]?.(x) ?? v0\n`],
    ['names that nobody knows', (i) => `unknown${i}(x, other${i})\n`],
    ['credentials', (i) => `const password${i} = 'Zx9-${i}q!Lm' + 'kT4'\n`],
    ['random numbers', (i) => `const token${i} = Math.random() + ${i}\n`],
    ['addresses', (i) => `fetch('http://host${i}.example/' + x)\n`],
    ['suppressions', (i) => `// parapet-ignore-next-line ui5/eval -- a${i}\neval(x)\n`],
  ]
}

const PAGE_ROWS: readonly Row[] = [
  ['controls', (i) => `new sap.ui.core.HTML("h${i}", { content: x }).setContent(v0)\n`],
  ['jQuery', (i) => `$('#a${i}').html(x).append('<b>' + x).find('b${i}').on('click', function () { eval(x) })\n`],
  ['elements', (i) => `var e${i} = document.createElement('div'); e${i}.innerHTML = x; document.body.appendChild(e${i})\n`],
  [
    'models',
    (i) =>
      `var M${i} = new sap.ui.model.json.JSONModel({ a: x }); M${i}.setProperty('/b${i}', x); eval(M${i}.getProperty('/b${i}'))\n`,
  ],
  ['links', (i) => `window.open(x + ${i}); location.href = x\n`],
  ['modules', (i) => `sap.ui.require(['a/b${i}', x], function (B) { B.go(x) })\n`],
  [
    'events',
    (i) =>
      `sap.ui.getCore().getEventBus().publish('c${i}', 'e', { a: x }); sap.ui.getCore().getEventBus().subscribe('c${i}', 'e', function (c, e, d) { eval(d.a) })\n`,
  ],
  ['storage', (i) => `localStorage.setItem('k${i}', x); eval(localStorage.getItem('k${i}'))\n`],
]
const SERVER_ROWS: readonly Row[] = [
  ['logs beside small functions', (i) => `const o${i} = { i: ${i} }; logger.info(o${i}, v0); const w${i} = () => ${i}\n`],
  ['queries', (i) => `await SELECT.from('Books').where(\`a${i} = \${x}\`)\n`],
  ['query builders', (i) => `const q${i} = SELECT.from('Books'); q${i}.where('a = ' + x); await q${i}\n`],
  ['handlers', (i) => `this.on('READ', 'Books${i}', async (req) => cds.run('SELECT ' + req.data.x))\n`],
  ['handlers before', (i) => `this.before('*', async (req) => { if (!req.user.is('a${i}')) req.reject(403) })\n`],
  ['files', (i) => `require('fs').readFileSync('/data/${i}/' + x)\n`],
  ['commands', (i) => `require('child_process').exec('ls ${i} ' + x)\n`],
  ['requests', (i) => `await fetch('https://a${i}.example/' + x)\n`],
  ['modules of its own', (i) => `require('./lib${i}').go(x)\n`],
  [
    'tokens decoded by hand',
    (i) => `const c${i} = JSON.parse(Buffer.from(x.split('.')[1], 'base64')); if (c${i}.role !== 'a') return\n`,
  ],
  [
    'helpers of handlers',
    (i) => `async function h${i}(id) { return SELECT.one.from('Books').where({ ID: id }) }; h${i}(req.data.x)\n`,
  ],
  [
    'questions about the user',
    (i) =>
      `if (req.user.id !== v0.a${i}) return req.reject(403); await UPDATE('Books').set({ name: x }).where({ ID: req.data.x })\n`,
  ],
  ['exports', (i) => `exports.e${i} = async (a) => cds.run(a)\n`],
  ['schemas', (i) => `require('zod').object({ a${i}: require('zod').string() }).parse(x)\n`],
]
const TYPE_ROWS: readonly Row[] = [
  ['interfaces', (i) => `interface I${i} extends ${i === 0 ? 'Object' : `I${i - 1}`} { a${i}?: string; b(x: number): I${i} }\n`],
  ['unions', (i) => `type U${i} = 'a${i}' | number | ${i === 0 ? 'string' : `U${i - 1}`}[]\n`],
  ['mapped types', (i) => `type M${i}<T> = { readonly [K in keyof T]?: T[K] extends string ? M${i}<T[K]> : never }\n`],
  ['enums', (i) => `enum E${i} { A = ${i}, B = 'b' }\n`],
  ['casts', (i) => `const c${i} = (x as unknown as string)!; await cds.run(c${i} satisfies string)\n`],
  [
    'generics',
    (i) => `async function g${i}<T extends string>(a: T): Promise<T> { await cds.run(a); return a }; g${i}<string>(x)\n`,
  ],
  ['annotated variables', (i) => `let t${i}: { a: string; b: Array<Map<string, number>> } = x\n`],
  ['namespaces', (i) => `{ const n${i}: typeof x = x }\n`, [(i) => `{ const s${i} = <T,>(a: T): T => a\n`, '}\n']],
]
const JSX_ROWS: readonly Row[] = [
  ['elements', (i) => `const e${i} = <p id="a${i}" onClick={() => eval(x)} dangerouslySetInnerHTML={{ __html: x }}>{x} b</p>\n`],
  [
    'elements in elements',
    (i) => `const n${i} = (<div>${'<b>{x}'.repeat(10)}${'</b>'.repeat(10)}</div>)\n`,
    [(i) => `const w${i} = <i>{(() => {\n`, 'return x })()}</i>\n'],
  ],
  ['components', (i) => `function K${i}({ a }) { return <a href={a}>{a}</a> }; const k${i} = <K${i} a={x} {...v0} />\n`],
  ['hooks', (i) => `const [s${i}, set${i}] = React.useState(x); React.useEffect(() => { eval(s${i}) }, [s${i}])\n`],
]

const CONTROLLER: Omit<Realm, 'source' | 'sink'> = {
  language: 'controller',
  path: 'webapp/controller/Main.controller.js',
  head: 'sap.ui.define(["sap/ui/core/mvc/Controller"], function (Controller) { return Controller.extend("shop.controller.Main", {\n',
  foot: 'onLast: function () { eval(location.hash) } }) })\n',
  beside: [
    ...PAGE_FILES,
    [
      'webapp/view/Main.view.xml',
      '<mvc:View xmlns:mvc="sap.ui.core.mvc" xmlns="sap.m" controllerName="shop.controller.Main"><Button press=".m0"/></mvc:View>',
    ],
  ],
}
const METHODS: readonly Row[] = [
  ['methods', (i) => `m${i}: function (e) { this.m${i + 1}(e.getParameter('a')) },\n`],
  [
    'methods with a sink each',
    (i) => `m${i}: function (a) { document.body.innerHTML = a; this.m${i + 1}(a || location.hash) },\n`,
  ],
  ['methods that keep values', (i) => `m${i}: function () { this.f${i} = this.f${i + 1} || location.hash; eval(this.f${i}) },\n`],
  ['formatters', (i) => `format${i}: function (v) { return '<b>' + v + '</b>' },\n`],
  [
    'methods called by computed names',
    (i) => `m${i}: function (a) { return this[a](document.body.innerHTML = location.hash) },\n`,
  ],
  [
    'models',
    (i) =>
      `m${i}: function () { this.getView().getModel('a${i}').setProperty('/b', location.hash); this.byId('c${i}').setContent(this.getView().getModel('a${i}').getProperty('/b')) },\n`,
  ],
  ['fields that hold each other', (i) => `m${i}: function () { this.f${i + 1} = this.f${i}; this.g${i} = this.f${i + 1} },\n`],
]

export function inRealm(
  rows: readonly Row[],
  { language, path, head, foot, beside }: Omit<Realm, 'source' | 'sink'>,
): Construct[] {
  return rows.map(([name, unit, nest]) => ({
    name: `${language}: ${name}`,
    path,
    head,
    unit,
    foot,
    beside,
    ...(nest !== undefined && { nest }),
  }))
}

/** JavaScript of pages and services, TypeScript, JSX, controllers. */
export const SCRIPTS: readonly Construct[] = [
  ...inRealm([...statements(PAGE), ...PAGE_ROWS], PAGE),
  ...inRealm([...statements(SERVER), ...SERVER_ROWS], SERVER),
  ...inRealm([...statements(TYPESCRIPT), ...TYPE_ROWS], TYPESCRIPT),
  ...inRealm([...statements(JSX), ...JSX_ROWS], JSX),
  ...inRealm(METHODS, CONTROLLER),
]
