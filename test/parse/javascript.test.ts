import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ParseFailure } from '../../core/parse/failure.ts'
import { parseScript } from '../../core/parse/javascript.ts'
import { findTooDeep } from '../../core/parse/nesting.ts'
import { findCostlyComment } from '../../core/parse/reads.ts'
import { runs } from '../soak.ts'
import { cpuTime } from '../cpu-time.ts'

/** `ok`, or the reason of the failure; anything else that is thrown fails the test. */
function outcomeOf(text: string, path = 'a.js'): string {
  try {
    parseScript(text, path)
    return 'ok'
  } catch (error) {
    if (error instanceof ParseFailure) return error.reason
    throw error
  }
}

const DIALECTS: readonly (readonly [string, string, string])[] = [
  ['a script', 'a.js', 'var a = 010; with (b) {} delete a'],
  ['a module', 'a.js', 'import a from "a"; export default a; await a'],
  ['an export behind other code on its line', 'a.js', 'var a;export{a}'],
  ['a module by its extension', 'a.mjs', 'export default 1'],
  ['CommonJS', 'a.cjs', 'const a = require("a"); return a'],
  ['JSX', 'a.js', 'const a = <A b={c}>text</A>'],
  ['JSX by its extension', 'a.jsx', 'export const a = <></>'],
  ['decorators', 'a.js', '@a @b.c() class D { @e f = 1; @g h() {} }'],
  ['a hash bang', 'a.js', '#!/usr/bin/env node\na()'],
  ['HTML comments', 'a.js', '<!-- a\nb()\n--> c'],
  ['a private field', 'a.js', 'class A { #b = 1; c() { return #b in this } static {} }'],
  ['attributes of imports', 'a.js', 'import a from "a.json" with { type: "json" }'],
  ['their older form', 'a.js', 'import a from "a.json" assert { type: "json" }'],
  ['a name that is declared twice', 'a.js', 'const a = 1; const a = 2'],
  ['an import in a block', 'a.js', 'if (a) { import b from "b" }'],
  ['an await outside', 'a.js', 'function a() { await b }'],
  ['Flow', 'a.js', '// @flow\ntype A = { b: ?string }\nfunction c(d: A): number %checks { return (d: any) }'],
  ['Flow by its import', 'a.js', 'import type { A } from "a"\nfunction b(c: A) {}'],
  [
    'TypeScript',
    'a.ts',
    'enum A { b } namespace C { export const d = <any>e } abstract class F { abstract g(): void; constructor(private h?: I) { super() } }',
  ],
  ['decorated parameters', 'a.ts', 'class A { constructor(@b() c: D) {} }'],
  ['satisfies, accessors, using', 'a.mts', 'const a = b satisfies C; class D { accessor e = 1 } { using f = g() }'],
  ['a script of TypeScript', 'a.cts', 'import a = require("a"); export = a'],
  ['TSX', 'a.tsx', 'const a = <T,>(b: T) => <C<T> d={b as any} />'],
  ['declarations', 'a.d.ts', 'declare module "a" { export function b(c: string): void; const d: number } export {}'],
  ['XSJS', 'a.xsjs', '$.response.setBody("a"); var b = $.request.parameters.get("c")'],
  ['an empty text', 'a.js', ''],
  ['a byte order mark', 'a.js', '\ufeffa()'],
]

describe('dialects', () => {
  test.each(DIALECTS)('%s', (_, path, text) => expect(outcomeOf(text, path)).toBe('ok'))

  test.each([
    ['a bracket that is missing', 'a.js', 'f(a', 'syntax'],
    ['a string that does not end', 'a.js', 'a = "b', 'syntax'],
    ['types in JavaScript', 'a.js', 'function a(b: string) {}', 'syntax'],
    ['something else', 'a.js', '{"a": 1}', 'syntax'],
    ['prose', 'a.ts', 'This is not a program.', 'syntax'],
  ])('not: %s', (_, path, text, reason) => expect(outcomeOf(text, path)).toBe(reason))

  test('a failure tells where the likeliest dialect gave up', () => {
    expect(() => parseScript('import a from "a"\nf(a', 'a.js')).toThrow(expect.objectContaining({ reason: 'syntax', offset: 21 }))
  })

  test('offsets are those of the text, whatever is before', () => {
    const text = '\ufeff// é 😀\r\n  call(x)'
    const [statement] = parseScript(text, 'a.js').program.body
    expect(text.slice(statement?.start ?? 0, statement?.end ?? 0)).toBe('call(x)')
  })
})

describe('the guard against nesting', () => {
  const deep = (count: number, open = '(', close = ')'): string => open.repeat(count) + 'a' + close.repeat(count)

  test('200 levels are real, 201 are not', () => {
    expect(findTooDeep(deep(200))).toBeUndefined()
    expect(findTooDeep(deep(201))).toBe(200)
    expect(outcomeOf(deep(200))).toBe('ok')
    expect(outcomeOf(deep(201))).toBe('too-deep')
  })

  test.each([
    ['strings', `'${'('.repeat(300)}'`],
    ['strings with escapes', `'\\'${'('.repeat(300)}' + "\\"${'['.repeat(300)}"`],
    ['comments', `/* ${'('.repeat(300)} */ // ${'{'.repeat(300)}\na`],
    ['templates', '`' + '('.repeat(300) + '${a}' + '{'.repeat(300) + '`'],
    ['nested templates', '`${`${'.repeat(40) + '"(((("' + '}`}`'.repeat(40)],
    ['regular expressions', `a = /${'\\('.repeat(300)}/; b = /[${'('.repeat(300)}]/`],
    ['regular expressions with quotes', `a.replace(/['"\`]/g, '');`.repeat(300)],
    ['behind a keyword', `return /[${'('.repeat(300)}]/`],
    ['one after another', '(a)[b]{c}'.repeat(300)],
    ['divisions', '(a / b / c)'.repeat(300)],
  ])('no nesting: %s', (_, text) => expect(findTooDeep(text)).toBeUndefined())

  test.each([
    ['behind strings', `'(' + "[" + ${deep(201)}`],
    ['behind a regular expression with a quote', `a = /'/; ${deep(201)}`],
    ['behind a division', `a = (b) / c; d = e / ${deep(201)}`],
    ['behind an apostrophe in JSX', `<p>don't</p>\n${deep(201)}`],
    ['behind closing brackets', `${')'.repeat(300)}${deep(201)}`],
    ['within templates', '`${'.repeat(201)],
    ['mixed', '([{'.repeat(67)],
    ['behind an open comment sign in a string', `'/*'; ${deep(201)}`],
  ])('nesting: %s', (_, text) => expect(findTooDeep(text)).toBeDefined())

  test('a line of ten thousand comments is refused, a file of them is not', () => {
    expect(findCostlyComment('/**/a;'.repeat(40_000))).toBeDefined()
    expect(findCostlyComment('/**/a;\n'.repeat(40_000))).toBeUndefined()
    expect(findCostlyComment('/**/a;'.repeat(2000))).toBeUndefined()
  })
})

describe('hostile texts', () => {
  const many = runs(100_000, 2)
  /** What has to be read, what may be refused: no text may do anything else, or take long. */
  const TEXTS: Readonly<Record<string, string>> = {
    not: '!'.repeat(many) + 'a',
    minus: '- '.repeat(many) + 'a',
    typeof: 'typeof '.repeat(many) + 'a',
    sum: 'x = ' + '"a" + '.repeat(many) + '"b"',
    power: 'x = ' + 'a ** '.repeat(many) + 'b',
    members: 'a' + '.b'.repeat(many),
    calls: 'a' + '.b()'.repeat(many),
    indexes: 'a' + '[0]'.repeat(many),
    tags: 'a' + '``'.repeat(many),
    elseIf: 'if (a) b; else '.repeat(many) + 'c',
    ifs: 'if (a) '.repeat(many) + 'b',
    choices: 'x = ' + 'a ? b : '.repeat(many) + 'c',
    arrows: 'x = ' + 'a => '.repeat(many) + 'b',
    assignments: 'a = '.repeat(many) + 'b',
    news: 'new '.repeat(many) + 'a',
    brackets: '['.repeat(many),
    elements: '<a>'.repeat(many),
    templates: '`${'.repeat(many),
    slashes: '/[\\]+'.repeat(many),
    quotes: "'\n".repeat(many),
    comments: '/**/'.repeat(many),
    openComments: '/*'.repeat(many),
    generics: '<T>('.repeat(90),
    genericCalls: 'f<T>('.repeat(90),
    asyncGenerics: 'async<T>(a='.repeat(90),
    casts: '<T>f('.repeat(90),
    castObjects: '<T>{a:'.repeat(90),
    genericTags: 'f<T>`${'.repeat(90),
    flow: '// @flow\n' + 'f<T>('.repeat(90),
    nul: '\0'.repeat(many),
    surrogates: '\ud800'.repeat(many),
  }
  for (const [name, text] of Object.entries(TEXTS)) {
    test(name, () => {
      for (const path of ['a.js', 'a.ts', 'a.tsx']) {
        const started = cpuTime()
        expect(['ok', 'syntax', 'too-deep']).toContain(outcomeOf(text, path))
        // an order of magnitude above what it takes: exponential is worse
        expect(cpuTime() - started).toBeLessThan(20_000)
      }
    })
  }

  test('what generators write is read: 2,000 terms, 1,000 branches, chains of any length', () => {
    expect(outcomeOf('x = ' + 'a + '.repeat(2000) + 'b')).toBe('ok')
    expect(outcomeOf('if (a) { b } else '.repeat(500) + 'c')).toBe('ok')
    expect(outcomeOf('x = ' + 'a ? b : '.repeat(500) + 'c')).toBe('ok')
    expect(outcomeOf('a' + '.b()'.repeat(20_000))).toBe('ok')
  })

  test('any soup of tokens is read or refused', () => {
    const token = fc.constantFrom(
      ...'( ) [ ] { } < > => = + - ! ? : ; , . ... ` ${ / /* */ // \n \' " # @ a b await async yield function class new return import export from const let var if else for of in switch case try catch type enum as satisfies declare namespace <T>( </a> 1 0x \\u{61} 😀 \ud800'.split(
        ' ',
      ),
      ' ',
    )
    fc.assert(
      fc.property(
        fc.array(token, { maxLength: 60 }),
        fc.constantFrom('a.js', 'a.ts', 'a.tsx', 'a.d.ts', 'a.mjs'),
        (tokens, path) => {
          expect(['ok', 'syntax', 'too-deep']).toContain(outcomeOf(tokens.join(' '), path))
          expect(['ok', 'syntax', 'too-deep']).toContain(outcomeOf(tokens.join(''), path))
        },
      ),
      { numRuns: runs(10_000) },
    )
  })
})
