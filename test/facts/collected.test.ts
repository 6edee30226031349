import { describe, expect, test } from 'vitest'
import { functionAround, functionAt, keyOf, toFunctionTable, type ScriptFacts } from '../../core/facts/index.ts'
import { createAllowedReader, createFunctionParts } from '../../core/conditions/parts.ts'
import { factsOf } from './facts-of.ts'

describe('names of functions', () => {
  /** The name around `HERE`. */
  const nameIn = (text: string, path?: string): string => functionAt(toFunctionTable(factsOf(text, path)), text.indexOf('HERE'))

  test.each([
    ['HERE', ''],
    ['function a() { HERE }', 'a'],
    ['const a = () => { HERE }', 'a'],
    ['const a = function b() { HERE }', 'a'],
    ['f(function b() { HERE })', 'b'],
    ['function a() { return () => { HERE } }', 'a'],
    ['class A { b() { HERE } }', 'A.b'],
    ['class A { static #b() { HERE } }', 'A.#b'],
    ['class A { b = () => { HERE } }', 'A.b'],
    ['class A { static { HERE } }', 'A'],
    ['const B = class A { c() { HERE } }', 'B.c'],
    ['module.exports = class A { b() { HERE } }', 'A.b'],
    ['export default class { b() { HERE } }', 'default.b'],
    ['export default function () { HERE }', 'default'],
    ['const a = { b: { c() { HERE } } }', 'a.b.c'],
    ['const a = { "b": function () { HERE } }', 'a.b'],
    ['A.prototype.b = function () { HERE }', 'A.prototype.b'],
    ['this.b = () => HERE', 'this.b'],
    ['exports.a = () => HERE', 'exports.a'],
    ['a = { get b() { return HERE } }', 'a.b'],
    ['return Controller.extend("my.Main", { onInit: function () { HERE } })', 'my.Main.onInit'],
    ['var Main = Controller.extend("my.Main", { onInit() { this.a.map(() => HERE) } })', 'my.Main.onInit'],
    ['sap.ui.define(["a"], function (A) { return A.extend("my.Main", { onInit() { HERE } }) })', 'my.Main.onInit'],
    [
      'class S extends cds.ApplicationService { init() { this.on("READ", Books, async (req) => { HERE }) } }',
      'S.init.on:READ:Books',
    ],
    ['module.exports = (srv) => { srv.before("*", () => HERE) }', 'before:*'],
    ['app.get("/a", (req) => HERE)', 'get:/a'],
    ['function a() {} HERE', ''],
    ['function a() { function b() {} HERE }', 'a'],
    ['({ [(() => HERE)()]() {} })', ''],
  ])('%s', (text, expected) => expect(nameIn(text)).toBe(expected))

  test('order and lines make no difference', () => {
    const one = 'class A { b() { return 1 } c() { HERE } }'
    const other = '\n\n// a comment\nclass A { c() { const x = 1; HERE } b() { return 1 } }'
    expect(nameIn(one)).toBe(nameIn(other))
  })

  test('ends are exclusive', () => {
    const facts = factsOf('function a() {}b()')
    expect(functionAround(facts, 14)?.name).toBe('a')
    expect(functionAround(facts, 15)?.kind).toBe('file')
  })
})

describe('calls', () => {
  const outline = ({ calls }: ScriptFacts): string[] =>
    calls.map(({ kind, args }) => `${kind} ${args.map((value) => value.kind).join(',')}`.trim())

  test('kinds, innermost first', () => {
    expect(outline(factsOf('new A(b("c"))?.d`e${f}`; g?.(...h)'))).toEqual([
      'call literal',
      'new call',
      'tagged reference',
      'call spread',
    ])
  })

  test('a template in parentheses is an argument, a tagged one is not', () => {
    const { calls } = factsOf('a.where(`x${y}`); a.where`x${y}`')
    expect(calls.map(({ kind, texts }) => [kind, texts])).toEqual([
      ['call', undefined],
      ['tagged', ['x', '']],
    ])
  })

  test('chains of operators are flat', () => {
    const { calls } = factsOf('f(a + b + c + d, a || b || c, a - b - c, (a + b) + (c + d))')
    const sizes = calls[0]?.args.map((value) => {
      if (value.kind === 'concat') return value.parts.length
      return value.kind === 'choice' ? value.options.length : value.kind === 'operation' ? value.operands.length : 0
    })
    expect(sizes).toEqual([4, 3, 3, 3])
  })

  test('spans are those of the text', () => {
    const text = 'const s = "ab" + x; f( `c${d}` , y.z())'
    const { calls } = factsOf(text)
    expect(calls.map(({ start, end }) => text.slice(start, end))).toEqual(['y.z()', 'f( `c${d}` , y.z())'])
    expect(calls[1]?.args.map(({ start, end }) => text.slice(start, end))).toEqual(['`c${d}`', 'y.z()'])
  })

  test('assignments to members', () => {
    const text = 'a.b = 1; a[c] += d; [e.f] = g; ({ h: i.j } = k)'
    const found = factsOf(text).assignments.map(({ target, operator, value }) =>
      [text.slice(target.start, target.end), operator, value.kind].join(' '),
    )
    expect(found).toEqual(['a.b = literal', 'a[c] += reference', 'e.f = member', 'i.j = member'])
  })

  test('JSX', () => {
    const text = '<Input ref={r} value="a" {...rest} disabled><ui5.Button>{b()}</ui5.Button><div/></Input>'
    const { elements, calls } = factsOf(text, 'a.tsx')
    expect(
      elements.map(({ name, component, attributes }) => [
        name,
        component?.kind,
        attributes.map(({ name, value }) => `${name ?? '...'}:${value?.kind ?? '-'}`),
      ]),
    ).toEqual([
      ['Input', 'reference', ['ref:reference', 'value:literal', '...:reference', 'disabled:-']],
      ['ui5.Button', 'member', []],
      ['div', undefined, []],
    ])
    expect(calls).toHaveLength(1)
  })
})

describe('named literals', () => {
  test('with the name on their left-hand side', () => {
    const text = `
      const a = 'A'; let b = x || 'B'; c.d = 'D'; e = 'E' + f; const g = { h: 'H', 'i-j': \`I\` , [k]: 'K' }
      class L { m = 'M'; static n = 'N' } function o(p = 'P', { q = 'Q' }) {} r.s('S', 't', u); new V('V')
      if (w.x === 'X') {} const y = ['Y', 'Z']; const aa = bb = 'CC'; const dd = ''; const ee = <F g="G" />`
    const found = factsOf(text, 'a.jsx').literals.map(({ name, value }) => `${name} ${value}`)
    expect(found.sort()).toEqual(
      [
        'a A',
        'b B',
        'd D',
        'e E',
        'h H',
        'i-j I',
        'm M',
        'n N',
        'p P',
        'q Q',
        's S',
        's t',
        'V V',
        'x X',
        'y Y',
        'y Z',
        'bb CC',
        'g G',
      ].sort(),
    )
  })

  test('spans are without quotes; the owner tells what is beside', () => {
    const text = `connect({ user: 'me', password: 'pw' }, 'db')`
    const { literals } = factsOf(text)
    expect(literals.map(({ start, end }) => text.slice(start, end))).toEqual(['me', 'pw', 'db'])
    expect(literals[1]?.owner?.fields.map(({ key }) => key)).toEqual(['user', 'password'])
    expect(literals[2]).toMatchObject({ name: 'connect', owner: undefined })
  })
})

describe('checks', () => {
  /** Whether the argument of `use(x)` was checked before. */
  const isCheckedIn = (text: string): boolean => {
    const facts = factsOf(text)
    const call = facts.calls.find(({ callee }) => callee.kind === 'reference' && callee.name === 'use')
    const value = call?.args[0]
    return value !== undefined && createAllowedReader(facts, () => undefined)(value, value.start)
  }

  test.each([
    'if (LIST.includes(x)) use(x)',
    'if (LIST.includes(x)) { use(x) }',
    'if (!LIST.includes(x)) return; use(x)',
    'if (!SET.has(x)) { log(); throw e } use(x)',
    'if (LIST.indexOf(x) === -1) return; use(x)',
    'if (LIST.indexOf(x) >= 0) use(x)',
    'if (/^a+$/.test(x)) use(x)',
    'if (!x || !/^a+$/.test(x)) return; use(x)',
    'if (x in MAP) use(x)',
    'if (!(x in MAP)) return; use(x)',
    'if (x === "a" || x === "b") use(x)',
    'const y = req.data.x; if (!LIST.includes(req.data.x)) return; use(y)',
    'async () => { if (!LIST.includes(x)) await req.reject(400); use(x) }',
    'if (!LIST.some((item) => item === x)) return; use(x)',
    'if (x !== "a") return; use(x)',
    'if (a) {} else if (LIST.includes(x)) use(x)',
  ])('checked: %s', (text) => expect(isCheckedIn(text)).toBe(true))

  test.each([
    'use(x)',
    'if (LIST.includes(y)) use(x)',
    'if (LIST.includes(x)) return; use(x)',
    'if (LIST.includes(x)) {} use(x)',
    'if (!LIST.includes(x)) use(x)',
    'if (!LIST.includes(x)) log(); use(x)',
    'if (x) use(x)',
    'if (x === y) use(x)',
    'use(x); if (!LIST.includes(x)) return',
    'function f() { if (!LIST.includes(x)) return } use(x)',
    'if (x !== "a") use(x)',
    'const check = (items) => items.every(check); if (!x.every(check)) return; use(x)',
  ])('not checked: %s', (text) => expect(isCheckedIn(text)).toBe(false))

  test('a function that asks itself about the beginning of a path has an answer too', () => {
    const facts = factsOf('const inside = (path) => inside(path); if (!inside(x)) return; use(x)')
    const value = facts.calls.find(({ callee }) => callee.kind === 'reference' && callee.name === 'use')?.args[0]
    const { conditions } = createFunctionParts(facts, '', () => undefined)
    const found = value && conditions.constraintsAt(facts.guards, value.start, new Set([keyOf(value) ?? '']))
    expect(found?.map(({ kind }) => kind)).not.toContain('starts')
  })
})

describe('keys of items at calculated places', () => {
  const keysIn = (text: string): readonly (string | undefined)[] =>
    factsOf(text).calls.flatMap(({ callee, args }) =>
      callee.kind === 'reference' && callee.name === 'use' ? args.map((given) => keyOf(given)) : [],
    )

  test('differ where the places do, and are the same at the same place', () => {
    const [one, two, again, before] = keysIn('use(list[at + 1], list[at + 2], list[at + 1], list[at - 1])')
    expect(new Set([one, two, before]).size).toBe(3)
    expect(again).toBe(one)
  })

  test('are the same behind a name, and for a sum in any order', () => {
    const [one, named, turned] = keysIn('const item = list[at + 1]; use(list[at + 1].path, item.path, list[1 + at].path)')
    expect(named).toBe(one)
    expect(turned).toBe(one)
  })

  test('begin with nothing but the list in common', () => {
    const [any, one] = keysIn('use(list[at], list[at + 1])')
    expect(one?.startsWith(String(any))).toBe(false)
  })

  test('differ by the texts of a template', () => {
    const [one, two] = keysIn('use(body[`name_${at}`], body[`path_${at}`])')
    expect(one).not.toBe(two)
  })

  test('tell places within places apart by one level, so that they have an end', () => {
    const [one, two] = keysIn('use(list[at[0 + a[b]] + 1], list[at[1 + a[b]] + 1])')
    expect(one).toBe(two)
  })
})
