import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countMatchSteps } from '../../../core/model/approuter/match-cost.ts'
import { rewriteUrl } from '../../../core/model/approuter/rewrite.ts'
import { runs } from '../../soak.ts'
import { cpuTime } from '../../cpu-time.ts'

const LONG = `/${'a'.repeat(60)}`

describe('the steps of an engine that goes back', () => {
  test.each([
    ['^/srv/(.*)$', '/srv/Books?$top=1'],
    ['^/odata/v4/(?!admin)(catalog|orders)/(.*)$', '/odata/v4/catalog/Books'],
    ['^(?:/[\\w-]+){1,5}/([^/]+)\\.(?:js|css)$', '/resources/sap/ui/core/library.js'],
    ['(.*)', LONG],
  ])('%s on %s: few', (source, url) => {
    expect(countMatchSteps(source, true, url)).toBeLessThan(20_000)
  })

  test.each([
    '(?:(?:a{0,14}){0,13}X|(?:(?:a{0,14}){0,13}Y))',
    '^/(?:a{0,19}){19}$',
    '(a+)+$',
    '^/(a|a)*$',
    '^/(.*)*X',
    '^/a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaaaaaaaaaaX',
    '(?=(a+)+X)',
    '\\w*\\w*\\w*\\w*\\w*\\w*X',
    '(a)\\1',
  ])('%s: too many to be run', (source) => {
    expect(countMatchSteps(source, true, LONG)).toBeGreaterThan(20_000)
  })

  test('a URL with other characters than URLs have, or a long one, is not decided', () => {
    expect(countMatchSteps('^/(.*)$', true, '/ä')).toBe(Infinity)
    expect(countMatchSteps('^/(.*)$', true, `/${'a'.repeat(1000)}`)).toBe(Infinity)
  })

  test('whatever is let through is run in no time', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '\\w', '(a|b)', '(a|a)', '(?:ab|a)', '(a+)', '(?=a)', '(?:a{0,9})')
    const quantifier = fc.constantFrom('', '', '*', '+', '?', '{0,9}', '{2,5}', '*?')
    const piece = fc.tuple(atom, quantifier).map(([one, times]) => (one.startsWith('(?=') ? one : one + times))
    const flat = fc.array(piece, { minLength: 1, maxLength: 6 }).map((list) => list.join(''))
    const nested = fc.tuple(flat, quantifier, flat).map(([inner, times, rest]) => `(?:${inner})${times}${rest}`)
    const sources = fc.tuple(fc.constantFrom('', '^', '^/'), fc.oneof(flat, nested), fc.constantFrom('', '$', 'X'))
    fc.assert(
      fc.property(sources, fc.integer({ min: 1, max: 60 }), ([head, source, tail], length) => {
        const route = { source: head + source + tail, rewrite: '/$1', matchCase: true }
        const begun = cpuTime()
        const rewritten = rewriteUrl(toRoute(route), `/${'ab'.repeat(length)}`)
        expect(cpuTime() - begun).toBeLessThan(10_000)
        expect(rewritten === undefined || rewritten.startsWith('/')).toBe(true)
      }),
      { numRuns: runs(3000), seed: 1 },
    )
  })
})

describe('a rewritten URL', () => {
  test.each([
    [{ source: '^/srv/(.*)$', rewrite: '/odata/$1' }, '/srv/Books', '/odata/Books'],
    [{ source: '^/srv/(.*)$', rewrite: '$1' }, '/srv/Books', '/Books'],
    [{ source: '^/SRV/(.*)$', rewrite: '$1', matchCase: false }, '/srv/Books', '/Books'],
    [{ source: '^/srv/(?!admin)(.*)$', rewrite: '/$1' }, '/srv/Books', '/Books'],
    [{ source: '^/srv/(.*)$' }, '/srv/Books', '/srv/Books'],
    [{ source: '(a+)+$', rewrite: '/$1' }, LONG, undefined],
  ])('%j: %s becomes %s', (route, url, wanted) => {
    expect(rewriteUrl(toRoute(route), url)).toBe(wanted)
  })
})

type Rewriting = Parameters<typeof rewriteUrl>[0]

function toRoute(changes: Pick<Rewriting, 'source'> & Partial<Rewriting>): Rewriting {
  return { rewrite: undefined, matchCase: true, ...changes }
}
