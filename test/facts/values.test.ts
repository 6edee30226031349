import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findPart, resolveValue, valuesOf, type Value, collectFacts } from '../../core/facts/index.ts'
import { parseScript } from '../../core/parse/javascript.ts'
import { runs } from '../soak.ts'
import { createAllowedReader } from '../../core/conditions/parts.ts'
import { factsOf, shownIn } from './facts-of.ts'
import { cpuTime } from '../cpu-time.ts'

/** The texts of all values of a kind, as they are given. */
function textsOf(text: string, kind: Value['kind'], path?: string): string[] {
  return [...valuesOf(factsOf(text, path))]
    .filter(({ value }) => value.kind === kind)
    .map(({ value }) => text.slice(value.start, value.end))
}

describe('all values', () => {
  test.each([
    'f({ a: 1 })',
    'a = { a: 1 }',
    'b.c = { a: 1 }',
    'const c = { a: 1 }',
    'const { d } = { a: 1 }',
    'let e; e = { a: 1 }',
    'const g = () => ({ a: 1 })',
    'function h() { return { a: 1 } }',
    'function i(j = { a: 1 }) {}',
    'class K { l = { a: 1 } }',
    'class K { static l() { return { a: 1 } } }',
    'export default { a: 1 }',
    'module.exports = { a: 1 }',
    'm([n ? { a: 1 } : o])',
    'm(p && { a: 1 })',
    'if ({ a: 1 }) q()',
    'r`${{ a: 1 }}`',
    'new S({ a: 1 })',
    'm(await t({ a: 1 }))',
    '[{ a: 1 }].map(u)',
    'for (const v of w({ a: 1 })) x()',
  ])('%s', (text) => expect(textsOf(text, 'object')).toEqual(['{ a: 1 }']))

  test('of an element', () => expect(textsOf('const a = <B c={{ a: 1 }} />', 'object', 'a.tsx')).toEqual(['{ a: 1 }']))

  test('each once, with what it is a part of', () => {
    const text = 'const a = b({ c: d.e }); const { f, g } = a; a.h = a'
    const all = [...valuesOf(factsOf(text))]
    expect(new Set(all.map(({ value }) => value)).size).toBe(all.length)
    const member = all.find(({ value }) => value.kind === 'member' && value.name === 'e')
    expect(member?.parent?.kind).toBe('object')
  })

  test('any text has a finite number of them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '(', ')', '{', '}', '=>', ',', '.b', '`', '[', ']', 'if ', ';', '=', '&&', '? c :'), {
          maxLength: 40,
        }),
        (parts) => {
          let facts
          try {
            facts = collectFacts(parseScript(parts.join(''), 'a.js'), parts.join(''))
          } catch {
            return
          }
          const all = [...valuesOf(facts)]
          expect(new Set(all.map(({ value }) => value)).size).toBe(all.length)
        },
      ),
      { numRuns: runs(10_000) },
    )
  })

  test('long chains are walked once', () => {
    const text = `f(a${'.b()'.repeat(50_000)})`
    const started = cpuTime()
    expect([...valuesOf(factsOf(text))].length).toBeGreaterThan(100_000)
    expect(cpuTime() - started).toBeLessThan(20_000)
  })
})

describe('parts of a value', () => {
  const random = (value: Value): boolean =>
    value.kind === 'call' && value.callee.kind === 'member' && value.callee.name === 'random'
  test.each([
    'show(Math.random())',
    'show("a" + Math.floor(Math.random() * 10))',
    'show(chars[Math.floor(Math.random() * 36)])',
    'const a = Math.random(); show(`${a}`)',
    'let a = ""; a += Math.random(); show(a)',
    'show(Array.from({ length: 6 }, () => Math.random()))',
    'const a = []; a.push(Math.random()); show(a.join(""))',
  ])('%s', (text) => expect(findPart(shownIn(text), random)).toBeDefined())
  test.each(['show(a)', 'function f(a) { show(a) } f(Math.random())', 'show(() => { Math.random() })'])('not in %s', (text) =>
    expect(findPart(shownIn(text), random)).toBeUndefined(),
  )
})

test.each([
  ['const a = 1; show(a)', 'literal'],
  ['const a = { b: 1 }, c = a; show(c)', 'object'],
  ['let a = 1; a = 2; show(a)', 'reference'],
  ['const { a } = b; show(a)', 'reference'],
  ['function f(a) { show(a) }', 'reference'],
  ['const a = b, b = a; show(a)', 'reference'],
])('what a name stands for: %s', (text, kind) => expect(resolveValue(shownIn(text)).kind).toBe(kind))

describe('guards of statements without if', () => {
  const isCheckedIn = (text: string): boolean => {
    const facts = factsOf(text)
    const call = facts.calls.find(({ callee }) => callee.kind === 'reference' && callee.name === 'show')
    const value = call?.args[0]
    return call !== undefined && value !== undefined && createAllowedReader(facts, () => undefined)(value, call.start)
  }
  test.each([
    ['switch (r.data.a) { case "x": show(r.data.a) }', true],
    ['switch (r.data.a) { case "w": case "x": { show(r.data.a); break } default: }', true],
    ['switch (r.data.a) { case "x": break; default: show(r.data.a) }', false],
    ['switch (r.data.b) { case "x": show(r.data.a) }', false],
    ['switch (r.data.a) { case r.data.c: show(r.data.a) }', false],
    ['LIST.includes(r.data.a) && show(r.data.a)', true],
    ['const LIST = ["a"]; b && LIST.includes(r.data.a) && show(r.data.a)', true],
    ['LIST.includes(r.data.b) && show(r.data.a)', false],
    ['LIST.includes(r.data.a) || show(r.data.a)', false],
    ['const a = r.data.a.trim(); if (!LIST.includes(a)) return; show(a)', true],
    ['let a = r.data.a.trim(); if (!LIST.includes(a)) return; a = r.data.b.trim(); show(a)', false],
    ['const known = LIST.includes(r.data.a); if (!known) return; show(r.data.a)', true],
    ['const known = !LIST.includes(r.data.a); if (known) return; show(r.data.a)', true],
    ['const known = !LIST.includes(r.data.a); if (!known) return; show(r.data.a)', false],
    ['if (!r.data.a.every((b) => LIST.includes(b))) return; show(r.data.a)', true],
    ['if (r.data.a.some((b) => !LIST.includes(b))) return; show(r.data.a)', true],
    ['if (r.data.a.some((b) => LIST.includes(b))) return; show(r.data.a)', false],
    ['for (const b of r.data.a) if (!LIST.includes(b)) return; show(r.data.a)', true],
    ['for (const b of r.data.c) if (!LIST.includes(b)) return; show(r.data.a)', false],
    ['if (typeof r.data.a !== "number") return; show(r.data.a)', true],
    ['if (typeof r.data.a !== "string") return; show(r.data.a)', false],
    ['if (!isValidName(r.data.a)) return; show(r.data.a)', true],
    ['if (!columns.isAllowed(r.data.a)) return; show(r.data.a)', true],
    ['if (!isEmpty(r.data.a)) return; show(r.data.a)', false],
  ])('%s', (text, expected) => expect(isCheckedIn(`function f(r) { ${text} }`)).toBe(expected))
})
