import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBudget, StopSignal } from '../../core/budget.ts'
import {
  accessesOf,
  collectFacts,
  constantOf,
  findOrigin,
  functionAt,
  toFunctionTable,
  isConstant,
  type ScriptFacts,
} from '../../core/facts/index.ts'
import { ParseFailure } from '../../core/parse/failure.ts'
import { parseScript } from '../../core/parse/javascript.ts'
import { runs } from '../soak.ts'
import { createAllowedReader } from '../../core/conditions/parts.ts'
import { factsOf } from './facts-of.ts'
import { cpuTime } from '../cpu-time.ts'

/** Facts, or undefined where the text is refused; anything else that is thrown fails the test. */
function tryFacts(text: string, path: string): ScriptFacts | undefined {
  try {
    return factsOf(text, path)
  } catch (error) {
    if (error instanceof ParseFailure) return undefined
    throw error
  }
}

/** Asks everything that can be asked about a file. */
function askAll(facts: ScriptFacts, length: number): void {
  const isAllowed = createAllowedReader(facts, () => undefined)
  for (const call of facts.calls) {
    accessesOf(call.callee)
    for (const value of call.args) {
      constantOf(value)
      isConstant(value)
      findOrigin(value, () => undefined)
      isAllowed(value, call.start)
    }
  }
  for (const { definitions } of facts.bindings) for (const { value } of definitions) if (value) isConstant(value)
  const functions = toFunctionTable(facts)
  for (let offset = 0; offset <= length; offset += Math.ceil(length / 20) || 1) functionAt(functions, offset)
}

describe('any text', () => {
  test('facts are made, or the text is refused; all questions end', () => {
    const token = fc.constantFrom(
      ...'( ) [ ] { } => = += + - ! ? : ; , . ... ` ${ } \n "a" a b c.d await async yield function class new return import export from const let var if else for of in extends static get sap.ui.define( require( .push( .where( 1 this super <A> </A> type enum as'.split(
        ' ',
      ),
      'a = a + b;',
      'const a = b || c;',
      'function a(b, { c = a }) { return b }',
      'class a extends b { c() {} d = e }',
    )
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), fc.constantFrom('a.js', 'a.ts', 'a.tsx'), (tokens, path) => {
        const text = tokens.join(' ')
        const facts = tryFacts(text, path)
        if (facts !== undefined) askAll(facts, text.length)
      }),
      { numRuns: runs(10_000) },
    )
  })

  test('spans lie within the text and functions within their parents', () => {
    const text = 'class A { b = () => [1].map((c) => c) ; [(() => d)()]() { function e() {} } } f(function () { g(`h${i}`) })'
    const { functions, calls, literals } = factsOf(text)
    for (const { start, end } of [...calls, ...literals, ...functions]) {
      expect(start).toBeLessThanOrEqual(end)
      expect(end).toBeLessThanOrEqual(text.length)
    }
    for (const [index, { start }] of functions.entries()) expect(start).toBeGreaterThanOrEqual(functions[index - 1]?.start ?? 0)
    for (const { start, end, parent } of functions.slice(1)) {
      expect(start).toBeGreaterThanOrEqual(parent?.start ?? 0)
      expect(end).toBeLessThanOrEqual(parent?.end ?? text.length)
    }
  })
})

describe('long and deep texts', () => {
  const many = 100_000
  const TEXTS: Readonly<Record<string, string>> = {
    members: 'f(a' + '.b'.repeat(many) + ')',
    calls: 'f(a' + '.b()'.repeat(many) + ')',
    sum: 'f(' + 'a + '.repeat(2000) + 'b)',
    mixed: 'f(' + 'a + b - '.repeat(1000) + 'c)',
    or: 'f(' + 'a || '.repeat(2000) + 'b)',
    elseIf: 'if (a) { b() } else '.repeat(500) + 'c()',
    choices: 'f(' + 'a ? b : '.repeat(500) + 'c)',
    items: 'f([' + '"abc",'.repeat(many) + '])',
    names:
      'const v0 = a;' + Array.from({ length: 20_000 }, (_, index) => `const v${index + 1} = v${index};`).join('') + 'f(v20000)',
    doubling:
      'const v0 = a;' +
      Array.from({ length: 2000 }, (_, index) => `const v${index + 1} = v${index} + v${index};`).join('') +
      'f(v2000)',
    grown: 'let a = "";' + 'a += b;'.repeat(20_000) + 'f(a)',
    builder: 'let q = a;' + 'q = q.where(b);'.repeat(5000) + 'f(q)',
    pushed: 'const l = [];' + 'l.push(a);'.repeat(20_000) + 'f(l.join())',
    choose: 'const a = b || c; const d = a || a; const e = d || d; const g = e || e; const h = g || g; f(h.i)',
    assigned: 'var a;' + 'a = '.repeat(500) + '["b", "c"]',
    define: `sap.ui.define([${'"a",'.repeat(20_000)}], function (${Array.from({ length: 20_000 }, (_, index) => `p${index}`).join()}) {})`,
    functions: 'function a() {'.repeat(190) + 'f(a)' + '}'.repeat(190),
  }
  for (const [name, text] of Object.entries(TEXTS)) {
    test(name, () => {
      const started = cpuTime()
      const facts = tryFacts(text, 'a.js')
      expect(facts).toBeDefined()
      // the one call with everything in it
      for (const call of facts?.calls.filter(({ callee }) => callee.kind === 'reference') ?? []) {
        for (const value of call.args) {
          accessesOf(value)
          constantOf(value)
          isConstant(value)
          findOrigin(value, () => undefined)
        }
      }
      expect(cpuTime() - started).toBeLessThan(20_000)
    })
  }
})

describe('what facts hold', () => {
  const text = `
    import a, { b } from 'a'; export const c = (d, { e = 1, ...f }) => { if (d) return \`\${e}\`; for (const g of f) h.i[g] = await j(...g) }
    class K extends a.L { m = 'n'; #o() { super.p(q\`r\${s}\`) } get t() { return this.u ?? -1 } static { v() } }
    const w = <X y="z" {...a}>{b?.()}</X>; label: try { switch (c) { case /x/g: throw new Y(1n) } } catch ({ message }) {} finally { delete a.b, void 0 }`

  test('no node of the syntax tree', () => {
    const seen = new Set<object>()
    const open: unknown[] = [factsOf(text, 'a.tsx')]
    for (let value = open.pop(); open.length > 0 || value !== undefined; value = open.pop()) {
      if (typeof value !== 'object' || value === null || seen.has(value)) continue
      seen.add(value)
      expect('loc' in value, JSON.stringify(Object.keys(value))).toBe(false)
      expect('type' in value, JSON.stringify(Object.keys(value))).toBe(false)
      open.push(...(value instanceof Set || value instanceof Map ? value.values() : Object.values(value)))
    }
    expect(seen.size).toBeGreaterThan(100)
  })

  test('the same text gives the same facts', () => {
    expect(factsOf(text, 'a.tsx')).toEqual(factsOf(text, 'a.tsx'))
  })

  test('the budget counts nodes and ends the walk', () => {
    const long = 'a(b);'.repeat(10_000)
    const tree = parseScript(long, 'a.js')
    const enough = createBudget(1_000_000)
    collectFacts(tree, long, enough)
    expect(enough.spent).toBeGreaterThan(20_000)
    expect(enough.spent).toBeLessThan(100_000)
    expect(() => collectFacts(tree, long, createBudget(10_000))).toThrow(StopSignal)
  })
})

test.each(['({ m() {} } = x)', '[{ get a() {} }] = x', 'f({ m() {}, n } = y)', '({ async *g() {} } = x)'])(
  'what the parser recovers from has facts too: %s',
  (text) => {
    expect(() => collectFacts(parseScript(text, 'a.js'), text)).not.toThrow()
  },
)
