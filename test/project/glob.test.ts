import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { createGlobMatcher } from '../../core/project/glob.ts'
import { runs } from '../soak.ts'

const matches = (pattern: string, path: string): boolean => createGlobMatcher(1_000_000).matches(pattern, path)

describe('globs', () => {
  test.each([
    ['a.js', 'a.js'],
    ['./a.js', 'a.js'],
    ['/a.js', 'a.js'],
    ['*.js', 'a.js'],
    ['a?.js', 'ab.js'],
    ['**/*.js', 'a.js'],
    ['**/*.js', 'a/b/c.js'],
    ['**/test/**', 'a/test/b/c.js'],
    ['**/test/**', 'test/a.js'],
    ['test', 'test/a/b.js'],
    ['test/', 'test/a.js'],
    ['*/dist', 'app/dist/a.js'],
    ['a/**/b', 'a/b'],
    ['a/**/b', 'a/x/y/b/c'],
    ['**', 'a/b'],
    ['**/**/a', 'a'],
    ['a*b*c', 'aXbYbZc'],
    ['***', 'a'],
    ['[a].js', '[a].js'],
    ['a.js', 'a.js'],
    ['a(b|c)+$', 'a(b|c)+$'],
    ['\u2603/*', '\u2603/a'],
  ])('%s matches %s', (pattern, path) => {
    expect(matches(pattern, path)).toBe(true)
  })

  test.each([
    ['a.js', 'b/a.js'],
    ['*.js', 'a/b.js'],
    ['a?.js', 'a.js'],
    ['a?b', 'a/b'],
    ['test', 'testing/a.js'],
    ['test', 'a/test'],
    ['a/**/b', 'a/x/c'],
    ['A.js', 'a.js'],
    ['a.js', 'axjs'],
    ['', 'a'],
    ['/', 'a'],
    ['a//b', 'a/b'],
    ['[a].js', 'a.js'],
    ['../*', 'a'],
  ])('%s does not match %s', (pattern, path) => {
    expect(matches(pattern, path)).toBe(false)
  })

  test('agrees with a regular expression made of the same pattern', () => {
    const part = fc.constantFrom('a', 'b', '*', '?', '/', '**', '/**/')
    const path = fc
      .array(fc.constantFrom('a', 'b', 'ab', 'ba', 'aab'), { minLength: 1, maxLength: 5 })
      .map((segments) => segments.join('/'))
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), path, (parts, given) => {
        const pattern = parts.join('')
        const segments = pattern.replace(/^\//, '').replace(/\/$/, '').split('/')
        const source = segments
          .map((segment) =>
            segment === '**' ? '(?:[^/]+/)*' : `${segment.replaceAll(/\*+/g, '[^/]*').replaceAll('?', '[^/]')}/`,
          )
          .join('')
        expect(matches(pattern, given), pattern).toBe(new RegExp(`^${source}(?:[^/]+/)*$`).test(`${given}/`))
      }),
      { numRuns: runs(20_000) },
    )
  })

  test.each([
    ['stars in a segment', `${'*a'.repeat(140)}b`, 'a'.repeat(1000)],
    ['stars of segments', `${'**/a/'.repeat(50)}b`, Array.from({ length: 64 }, () => 'a').join('/')],
    ['both', `${'**/*a*a/'.repeat(30)}b`, Array.from({ length: 64 }, () => 'a'.repeat(15)).join('/')],
    ['stars alone', '*'.repeat(300), 'a'.repeat(1024)],
  ])('hostile: %s cost the product of their lengths at most', (_, pattern, path) => {
    const globs = createGlobMatcher(pattern.length * path.length * 2)
    globs.matches(pattern, path)
    expect(globs.isSpent).toBe(false)
  })

  test('what costs more than there is matches nothing, and says so', () => {
    const globs = createGlobMatcher(100)
    expect(globs.matches('*.js', 'a.js')).toBe(true)
    expect(globs.isSpent).toBe(false)
    expect(globs.matches(`${'*a'.repeat(100)}b`, 'a'.repeat(1000))).toBe(false)
    expect(globs.isSpent).toBe(true)
    expect(globs.matches('*.js', 'a.js')).toBe(false)
  })
})
