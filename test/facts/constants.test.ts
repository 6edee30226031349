import { describe, expect, test } from 'vitest'
import { constantOf, findOrigin, isConstant, pathOf } from '../../core/facts/index.ts'
import { shownIn } from './facts-of.ts'

describe('constantOf', () => {
  test.each([
    ['show("a")', 'a'],
    ['show(1)', 1],
    ['show(-1)', -1],
    ['show(!0)', true],
    ['show(null)', null],
    ['show("a" + 1 + 2)', 'a12'],
    ['show(1 + 2 + "a")', '3a'],
    ['show(`a${1}b${"c"}`)', 'a1bc'],
    ['const a = "x"; const b = a + "y"; show(`${b}z`)', 'xyz'],
    ['var a = "x"; show(a)', 'x'],
    ['let a; a = "x"; show(a)', 'x'],
    ['const o = { a: { b: "x" } }; show(o.a)', undefined],
    ['const o = { a: "x", a: "y" }; show(o.a)', 'y'],
    ['const { a } = { a: "x" }; show(a)', 'x'],
    ['const [, b] = ["x", "y"]; show(b)', 'y'],
    ['const p = { a: "x" }; const q = p; show(q.a)', 'x'],
    ['show({ a: "x" }.a)', 'x'],
    ['const o = { a: "x" }; o.a = y; show(o.a)', undefined],
    ['const o = { a: "x", ...y }; show(o.a)', undefined],
    ['let a = "x"; a += "y"; show(a)', undefined],
    ['let a = "x"; a = "y"; show(a)', undefined],
    ['function f(a) { show(a) }', undefined],
    ['show(a)', undefined],
    ['const a = a + "x"; show(a)', undefined],
    ['const { a } = a; show(a)', undefined],
    ['const { b: a } = c; const [c] = a; show(a.d)', undefined],
    ['show("a" + b)', undefined],
  ])('%s', (text, expected) => expect(constantOf(shownIn(text))).toBe(expected))

  test('an enum of TypeScript', () => {
    expect(constantOf(shownIn('enum A { b = "x", c = "y" } show(A.c)', 'a.ts'))).toBe('y')
  })

  test('sums that double end', () => {
    const text = `const v0 = "ab"; ${Array.from({ length: 60 }, (_, index) => `const v${index + 1} = v${index} + v${index};`).join('')} show(v60)`
    expect(constantOf(shownIn(text))).toBeUndefined()
  })
})

describe('isConstant', () => {
  const CONSTANT = [
    'show("a" + 1)',
    'const M = { a: "x", b: "y" }; show(M[key])',
    'const L = ["x", "y"]; show(L[i] + L[j])',
    'const M = new Map([["a", "x"]]); show(M.get(key))',
    'const L = ["x", "y"]; show(L.find((item) => item === key))',
    'let a = "x"; if (b) a = "y"; a += "z"; show(a)',
    'show(Number(a))',
    'show(parseInt(a, 10) + "px")',
    'show(`${+a} ${a.length} ${a > b} ${typeof a}`)',
    'show(Math.max(a, b))',
    'show(a ? "x" : "y")',
    'show(new Date(a).toISOString())',
    'show(Date.now())',
    'show(list.map(() => "?").join(","))',
    'show(Array(n).fill("?").join(","))',
    'show(new Array(list.length).fill("?").join())',
    'show(Array.from({ length: n }, () => "?").join())',
    'show("?".repeat(n))',
    'const L = ["a", "b"]; show(L.map((name) => `"${name}"`).join(","))',
    'const where = ["1=1"]; if (a) where.push("b = ?"); show(where.join(" and "))',
    'const table = () => "books"; show(table())',
    'for (const name of ["a", "b"]) show(name)',
    'const M = { a: 1 }; for (const name in M) show(name)',
    'show(Object.keys({ a: 1 }).join())',
    '((a) => show(a))("x")',
    'let a; show(a)',
    'let i = 0; i++; show(i)',
    'show("A".toLowerCase())',
  ]
  test.each(CONSTANT)('constant: %s', (text) => expect(isConstant(shownIn(text))).toBe(true))

  const VARIES = [
    'show(a)',
    'show("x" + a)',
    'show(`x${a}`)',
    'function f(a) { show(a) }',
    'function f(a = "x") { show(a) }',
    'import { a } from "b"; show(a)',
    'let a = "x"; a = b; show(a)',
    'let a = "x"; a += b; show(a)',
    'const M = { a: "x" }; M.b = c; show(M.a)',
    'const L = ["x"]; L.push(a); show(L.join())',
    'const L = ["x"]; L.unshift(a); show(L[0])',
    'show(String(a))',
    'show(a.toString())',
    'show(list.map((item) => `"${item}"`).join(","))',
    'const id = (x) => x; show(id(a))',
    'show(a ? "x" : b)',
    'show(await a)',
    'show({ ...a }.b)',
    'for (const name of list) show(name)',
    'for (const name in map) show(name)',
    'try {} catch (e) { show(e.message) }',
    'show(this.a)',
    'const { a = "x" } = b; show(a)',
    'show(f`x`)',
    'function f(Number) { show(Number(a)) }',
  ]
  test.each(VARIES)('varies: %s', (text) => expect(isConstant(shownIn(text))).toBe(false))

  test('a caller settles what it knows', () => {
    const value = shownIn('show("a" + process.env.B)')
    expect(isConstant(value)).toBe(false)
    expect(isConstant(value, (part) => (pathOf(part)?.[0] === 'global:process' ? true : undefined))).toBe(true)
  })
})

describe('findOrigin', () => {
  const isSecret = (text: string): boolean =>
    findOrigin(shownIn(text), (value) => {
      if (value.kind === 'call' && value.callee.kind === 'reference' && value.callee.name === 'clean') return 'clean'
      return value.kind === 'reference' && value.name === 'secret' ? 'source' : undefined
    }) !== undefined

  test.each([
    'show(secret)',
    'show("a" + secret)',
    'show(`a${secret.b}`)',
    'const a = secret.b; show(a)',
    'const { a } = secret; show(a)',
    'let a = ""; a += secret; show(a)',
    'const l = []; l.push(secret); show(l)',
    'show(String(secret).trim())',
    'show(f(1, secret))',
    'show(new A(secret).b)',
    'show([...secret])',
    'show({ a: secret }.a)',
    'show(a ? b : secret)',
    'show(a || secret)',
    'for (const a of secret) show(a)',
    'const { a = secret } = b; show(a)',
    'const a = await secret; show(a)',
    'show(b`${secret}`)',
    'const o = {}; o.a = secret; show(o)',
    'let a = b, b = a + secret; show(a)',
  ])('reached: %s', (text) => expect(isSecret(text)).toBe(true))

  test.each([
    'show(a)',
    'show(Number(secret))',
    'show(secret.length)',
    'show(secret > 1)',
    'show(clean(secret))',
    'show(secret ? "a" : "b")',
    'const f = () => secret; show(f)',
    'let a = a; show(a)',
  ])('not reached: %s', (text) => expect(isSecret(text)).toBe(false))
})
