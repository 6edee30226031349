import { describe, expect, test } from 'vitest'
import { bindingOf, factsOf, shownIn } from './facts-of.ts'

/** What `show(x)` shows: the kind of its binding, or `global`. */
const RESOLUTION: readonly (readonly [string, string, string])[] = [
  ['nothing declares it', 'show(x)', 'global'],
  ['var is hoisted out of blocks', 'show(x); if (a) { for (;;) { var x = 1 } }', 'var'],
  ['var is not hoisted out of functions', 'show(x); function f() { var x = 1 }', 'global'],
  ['let stays in its block', 'show(x); { let x = 1 }', 'global'],
  ['let is seen from before in its block', '{ show(x); let x = 1 }', 'let'],
  ['a function is hoisted', 'show(x); function x() {}', 'function'],
  ['a class', 'show(x); class x {}', 'class'],
  ['a parameter', 'function f(x) { show(x) }', 'parameter'],
  ['a parameter of an arrow', '(x) => show(x)', 'parameter'],
  ['a parameter with a default', 'function f(x = 1) { show(x) }', 'parameter'],
  ['a parameter in a pattern', 'function f({ a: [, x] }) { show(x) }', 'parameter'],
  ['the rest of the parameters', 'function f(...x) { show(x) }', 'parameter'],
  ['a parameter is not seen outside', 'function f(x) {} show(x)', 'global'],
  ['a parameter shadows', 'const x = 1; function f(x) { show(x) }', 'parameter'],
  ['a block shadows', 'var x = 1; { const x = 2; show(x) }', 'const'],
  ['a closure', 'const x = 1; () => () => show(x)', 'const'],
  ['the name of a function expression, inside', 'f(function x() { show(x) })', 'function'],
  ['the name of a function expression, outside', 'f(function x() {}); show(x)', 'global'],
  ['its parameter of the same name', 'f(function x(x) { show(x) })', 'parameter'],
  ['the name of a class expression, inside', 'f(class x { a() { show(x) } })', 'class'],
  ['the name of a class expression, outside', 'f(class x {}); show(x)', 'global'],
  ['a caught error', 'try {} catch (x) { show(x) }', 'catch'],
  ['a caught error, outside', 'try {} catch (x) {} show(x)', 'global'],
  ['a loop', 'for (const x of y) show(x)', 'const'],
  ['a loop, outside', 'for (const x of y) {} show(x)', 'global'],
  ['a loop with var, outside', 'for (var x in y) {} show(x)', 'var'],
  ['a switch', 'switch (a) { case 1: let x; default: show(x) }', 'let'],
  ['an import', 'import x from "a"; show(x)', 'import'],
  ['an import under another name', 'import { y as x } from "a"; show(x)', 'import'],
  ['all of a module', 'import * as x from "a"; show(x)', 'import'],
  ['a static block', 'class A { static { var x = 1 } static { show(x) } }', 'global'],
  ['a key is no use of a name', 'var x; show({ x: 1 }.x)', 'member'],
]

/** The same for TypeScript. */
const TYPED: readonly (readonly [string, string, string])[] = [
  ['an enum', 'enum x { a } show(x)', 'enum'],
  ['what is only declared stays global', 'declare const x: any; show(x)', 'global'],
  ['a declared function stays global', 'declare function x(): void; show(x)', 'global'],
  ['a declared namespace stays global', 'declare namespace x { const a: number } show(x)', 'global'],
  ['a type is no value', 'type x = string; show(x)', 'global'],
  ['an import of a type', 'import type x from "a"; show(x)', 'global'],
  ['an import of one type', 'import { type x } from "a"; show(x)', 'global'],
  ['import and require', 'import x = require("a"); show(x)', 'import'],
  ['an alias', 'import x = sap.ui.core; show(x)', 'import'],
  ['a parameter property', 'class A { constructor(private x: string) { show(x) } }', 'parameter'],
  ['this as a parameter', 'function f(this: A, x: B) { show(x) }', 'parameter'],
  ['a name in a type is no use', 'let y: typeof x; show(x as any)', 'global'],
]

describe('names are resolved lexically', () => {
  for (const [title, text, kind] of [
    ...RESOLUTION,
    ...TYPED.map(([title, text, kind]) => [title, text, kind, 'a.ts'] as const),
  ]) {
    const path = TYPED.some(([, typed]) => typed === text) ? 'a.ts' : 'a.js'
    test(title, () => {
      const value = shownIn(text, path)
      const found = value.kind === 'reference' ? (value.binding?.kind ?? 'global') : value.kind
      expect(found).toBe(kind)
    })
  }
})

describe('definitions', () => {
  const definitionsOf = (text: string): string[] =>
    bindingOf(factsOf(text), 'x').definitions.map(({ kind, operator, path, value }) =>
      [kind, operator, path.join('.'), value?.kind ?? '-'].join(' '),
    )

  test.each([
    ['let x', []],
    ['let x = 1', ['init =  literal']],
    ['let x = 1; x = a; x += b', ['init =  literal', 'assign =  reference', 'assign +=  reference']],
    ['x = 1; var x = a', ['assign =  literal', 'init =  reference']],
    ['const { a: { b: x } } = c', ['init = a.b reference']],
    ['const { a: [x] } = c', ['init = a.0 reference']],
    ['const { a, ...x } = c', ['init =  reference']],
    ['const { [k]: x } = c', ['init = [] reference']],
    ['const { x = 1 } = c', ['init = x reference']],
    ['let x; ({ a: x } = c)', ['assign = a reference']],
    ['let x; [x, y] = c', ['assign = 0 reference']],
    ['for (const { x } of c) {}', ['each = x reference']],
    ['for (let x in c) {}', ['key =  reference']],
    ['let x; for (x of c) {}', ['each =  reference']],
    ['function f(a, { x }) {}', ['parameter = x -']],
    ['let x = 0; x++', ['init =  literal', 'assign ++  -']],
    ['try {} catch ({ x }) {}', ['catch = x -']],
  ])('%s', (text, expected) => expect(definitionsOf(text)).toEqual(expected))

  test('a closure is captured, a plain use is not', () => {
    const facts = factsOf('let a = 1, b = 2; function f() { return a } b; let c; () => { c = 3 }')
    expect(['a', 'b', 'c'].map((name) => bindingOf(facts, name).isCaptured)).toEqual([true, false, true])
  })

  test('what is put into a list or object later', () => {
    const facts = factsOf('const list = []; list.push(a, b); const map = {}; map.key = c; map[d].deep = e; other.push(f)')
    const named = (name: string) =>
      bindingOf(facts, name).additions.map((value) => (value.kind === 'reference' ? value.name : value.kind))
    expect(named('list')).toEqual(['a', 'b'])
    expect(named('map')).toEqual(['c', 'e'])
  })

  test('globals are what nothing declares or assigns', () => {
    expect([...factsOf('const a = b; c = 1; function d(e) { e(f) }').globals].sort()).toEqual(['b', 'f'])
  })

  test('a name that nobody declares is one of the script where it is assigned', () => {
    const facts = factsOf('function a() { socket = new WebSocket(b); c() } function c() { socket.send(d) }')
    expect(bindingOf(facts, 'socket')).toMatchObject({ kind: 'var', isCaptured: true, function: { kind: 'file' } })
  })

  test.each(['location', 'name', 'onmessage', 'exports', 'module'])('%s stays that of the platform', (name) => {
    expect([...factsOf(`function a() { ${name} = b }`).globals].sort()).toEqual(['b', name].sort())
  })
})
