import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_NESTING } from '../../../core/limits.ts'
import { parseCds } from '../../../core/parse/cds/index.ts'
import { ParseFailure } from '../../../core/parse/failure.ts'
import { runs } from '../../soak.ts'
import { failureOf, spansIn } from './reading.ts'
import { SOURCES } from './sources.ts'
import { cpuTime } from '../../cpu-time.ts'

describe('hostile text', () => {
  const deep = 100_000
  it.each([
    ['parentheses', `@a: ${'('.repeat(deep)}`],
    ['lists', `@a: ${'['.repeat(deep)}`],
    ['records', `@a: ${'{a:'.repeat(deep)}`],
    ['structs', `entity E {${'a:{'.repeat(deep)}`],
    ['contexts', 'context a {'.repeat(deep)],
    ['types', `type T : ${'many '.repeat(deep)} String;`],
    ['arrays', `type T : ${'array of '.repeat(deep)} String;`],
    ['compositions', `entity E {${'c:Composition of many {'.repeat(deep)}`],
    ['subqueries', `entity E as ${'select from ('.repeat(deep)}`],
    ['queries in parentheses', `entity E as ${'('.repeat(deep)} select from X`],
    ['joins', `entity E as select from ${'('.repeat(deep)}`],
    ['cases', `entity E { a = ${'case when '.repeat(deep)}`],
    ['functions', `entity E { a = ${'f('.repeat(deep)}`],
    ['filters', `entity E as select from X { ${'a['.repeat(deep)}`],
    ['casts', `entity E { a = ${'cast('.repeat(deep)}`],
    ['ternaries', `entity E { a = ${'b ? '.repeat(deep)}`],
    ['nested projections', `entity E as select from X {${'a {'.repeat(deep)}`],
    ['annotate blocks', `annotate E with {${'a {'.repeat(deep)}`],
    ['extend blocks', `extend E with {${'extend a with {'.repeat(deep)}`],
    ['ellipses', `@a: [${'... up to '.repeat(deep)}`],
  ])('nested too deep: %s', (_, source) => {
    expect(failureOf(source)).toBe('too-deep')
  })

  it('as deep as is allowed', () => {
    const depth = MAX_NESTING - 10
    expect(failureOf(`@a: ${'['.repeat(depth)}1${']'.repeat(depth)} entity E { }`)).toBeUndefined()
  })

  it.each([
    ['annotations', `${'@a '.repeat(170_000)} entity E { }`],
    ['long names', `${'a'.repeat(500_000)} `],
    ['long qualified names', `entity ${'a.'.repeat(250_000)}b { }`],
    ['elements', `entity E { ${'a : Integer; '.repeat(40_000)} }`],
    ['columns', `entity E as select from X { ${'a, '.repeat(150_000)} b }`],
    ['operators', `entity E { a = ${'b + '.repeat(120_000)} c }`],
    ['prefixes', `entity E { a = ${'not '.repeat(120_000)} c }`],
    ['unclosed strings', "entity E { } '".repeat(35_000)],
    ['unclosed text blocks', '`'.repeat(500_001)],
    ['unclosed comments', '/* '.repeat(170_000)],
    ['quoted names', '!['.repeat(250_000)],
    ['closing braces', `entity E { } ${'}'.repeat(90)} entity F { }`],
    ['backslashes', `@a: \`${'\\u{'.repeat(160_000)}\` entity E { }`],
    ['indents', `@a: \`\`\`\n${' \n'.repeat(250_000)}\`\`\` entity E { }`],
    ['subqueries', `entity E as select from X where ${'a in (select from Y) or '.repeat(20_000)} b = 1;`],
    ['records of one name', `@a: { ${'b: 1, '.repeat(80_000)} } entity E { }`],
    ['usings', 'using { a as b } from "x"; '.repeat(90).concat("using a.b from 'x'; ".repeat(25_000))],
  ])('is read in linear time: %s', (_, source) => {
    const started = cpuTime()
    failureOf(source)
    // half a megabyte takes some 0.2 s; a square would take minutes
    expect(cpuTime() - started).toBeLessThan(20_000)
  })

  const TOKENS = [
    'entity',
    'service',
    'context',
    'type',
    'aspect',
    'event',
    'action',
    'function',
    'annotation',
    'annotate',
    'extend',
    'using',
    'namespace',
    'define',
    'view',
    'abstract',
    'as',
    'select',
    'from',
    'projection',
    'on',
    'where',
    'with',
    'mixin',
    'into',
    'union',
    'join',
    'left',
    'group',
    'by',
    'order',
    'having',
    'limit',
    'excluding',
    'distinct',
    'exists',
    'key',
    'virtual',
    'localized',
    'many',
    'array',
    'of',
    'Association',
    'Composition',
    'to',
    'one',
    'enum',
    'default',
    'not',
    'null',
    'actions',
    'returns',
    'parameters',
    'columns',
    'definitions',
    'elements',
    'case',
    'when',
    'then',
    'else',
    'end',
    'cast',
    'over',
    'in',
    'like',
    'between',
    'is',
    'and',
    'or',
    'redirected',
    'technical',
    'configuration',
    'constraint',
    'up',
    'true',
    'a',
    'b',
    'S',
    '$user',
    '![q]',
    '"d"',
    "'s'",
    "'",
    '`t`',
    '`',
    '```',
    '1',
    '2.5',
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    ';',
    ',',
    ':',
    '.',
    '@',
    '#',
    '=',
    '?',
    '*',
    '+',
    '-',
    '||',
    '<',
    '...',
    '..',
    '=>',
    '!',
    '/*',
    '*/',
    '//',
    '\n',
    '\\',
    '\u2028',
    'é',
  ]
  it('of tokens in any order is a document or a ParseFailure, with spans inside the text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...TOKENS), { maxLength: 80 }), fc.constantFrom('', ' '), (tokens, glue) => {
        const text = tokens.join(glue)
        try {
          for (const { start, end } of spansIn(parseCds(text))) if (start < 0 || end < start || end > text.length) return false
        } catch (error) {
          if (!(error instanceof ParseFailure)) throw error
        }
        return true
      }),
      { numRuns: runs(20_000) },
    )
  })

  it('of sources with a piece missing or doubled is a document or a ParseFailure', () => {
    const texts = Object.values(SOURCES)
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(), fc.nat(60), fc.boolean(), (text, seed, length, doubled) => {
        const at = seed % (text.length + 1)
        const piece = text.slice(at, at + length)
        failureOf(text.slice(0, at) + (doubled ? piece + piece : '') + text.slice(at + length))
      }),
      { numRuns: runs(10_000) },
    )
  })
})
