import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findCommonUrl,
  isExponential,
  isWithin,
  readRouteLanguage,
  takesUrl,
  type RouteLanguage,
} from '../../../core/model/approuter/route-language.ts'
import { StopSignal } from '../../../core/budget.ts'
import { createRouteLanguages } from '../../../core/model/approuter/languages.ts'
import { runs } from '../../soak.ts'

/** Counts nothing. */
const free = (): void => undefined

function languageOf(source: string, matchCase = true): RouteLanguage {
  const language = readRouteLanguage(source, matchCase, 'anywhere', free)
  if (language === undefined) throw new Error(`undecided: ${source}`)
  return language
}

/** Sources as descriptors have them: literals, classes, groups, quantifiers, anchors at both ends. */
const literal = fc.constantFrom('a', 'b', '/', '/a', '\\.', '-', 'x1', '\\/')
const atom = fc.oneof(
  literal,
  fc.constantFrom(
    '.',
    '[^/]',
    '[a-b]',
    '[^?]',
    '\\w',
    '\\D',
    '[\\w-]',
    '[^a/]',
    '\\x61',
    '[.-]',
    '(?:a|bb)',
    '[^]',
    '$',
    '\\u002f',
  ),
)
const piece = fc.tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{1,2}')).map(([text, quantifier]) => {
  return quantifier === '' ? text : `(?:${text})${quantifier}`
})
const sequence = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''))
const source = fc
  .tuple(
    fc.constantFrom('^', '^/', '', '^/(?!a)', '^(?=/[ab])', '^/(?!b|a$)', '(?:^|/)'),
    fc.array(sequence, { minLength: 1, maxLength: 2 }),
    fc.constantFrom('$', ''),
  )
  .map(([start, parts, end]) => `${start}(${parts.join('|')})${end}`)
const url = fc.array(fc.constantFrom('a', 'b', '/', '.', '-', 'x', '1', '?'), { maxLength: 8 }).map((all) => `/${all.join('')}`)

describe('readRouteLanguage', () => {
  it('agrees with the regular expression', () => {
    fc.assert(
      fc.property(source, fc.array(url, { minLength: 1, maxLength: 5 }), fc.boolean(), (pattern, urls, matchCase) => {
        const language = languageOf(pattern, matchCase)
        const expression = new RegExp(pattern, matchCase ? '' : 'i')
        for (const one of urls) expect(takesUrl(language, one), `${pattern} on ${one}`).toBe(expression.test(one))
      }),
      { numRuns: runs(3000) },
    )
  })

  it.each<[string, string, boolean]>([
    ['/public', '/admin?x=/public', true],
    ['^/public', '/admin?x=/public', false],
    ['^/a$', '/a?b', false],
    ['^/API/', '/api/x', false],
    ['^/(?!admin/)(.*)$', '/admin/x', false],
    ['^/(?!admin/)(.*)$', '/adm', true],
    ['^(?=/a)(.*)b$', '/ab', true],
    ['^(?=/a)(.*)b$', '/bb', false],
    ['(^|/)admin$', '/x/admin', true],
  ])('%s on %s: %s', (pattern, address, taken) => {
    expect(takesUrl(languageOf(pattern), address)).toBe(taken)
  })

  it('folds case where the route does', () => {
    expect(takesUrl(languageOf('^/API/', false), '/api/x')).toBe(true)
  })

  it('fits from the start where that is asked for', () => {
    const language = readRouteLanguage('/a|/b', true, 'start', free)
    expect(language && [takesUrl(language, '/a'), takesUrl(language, '/b'), takesUrl(language, '/x/a')]).toEqual([
      true,
      true,
      false,
    ])
  })

  it.each(['(', '[', 'a**', '\\bx', '(?<=x)y', '^/((?!a).)*$', '^/.{0,5000}$', '/'.repeat(500), '(a|b+)\\1'])(
    'leaves alone what it can not decide: %s',
    (pattern) => {
      expect(readRouteLanguage(pattern, true, 'anywhere', free)).toBeUndefined()
    },
  )

  it('ends on hostile sources', () => {
    const dense = `^${'(a|b|ab)*(.*)x'.repeat(12)}`
    const [one, other, early] = [
      readRouteLanguage(dense, true, 'anywhere', free),
      languageOf('^/a.*x.{25}$'),
      languageOf('.*a.{14}$'),
    ]
    if (one !== undefined) expect(findCommonUrl(one, other, [early])).toBeUndefined()
    expect(isExponential(`${'('.repeat(100)}a${')+'.repeat(100)}`, free)).toBe(true)
    expect(readRouteLanguage('('.repeat(100_000), true, 'anywhere', free)).toBeUndefined()
    expect(isExponential('('.repeat(100_000), free)).toBeUndefined()
  })
})

describe('findCommonUrl', () => {
  it('proves what it says', () => {
    fc.assert(
      fc.property(source, source, source, (one, other, earlier) => {
        const found = findCommonUrl(languageOf(one), languageOf(other), [languageOf(earlier)])
        if (typeof found !== 'object') return
        expect(
          [one, other, earlier].map((pattern) => new RegExp(pattern).test(found.url)),
          found.url,
        ).toEqual([true, true, false])
      }),
      { numRuns: runs(2000) },
    )
  })

  it('says none only where there is none', () => {
    fc.assert(
      fc.property(source, source, fc.array(url, { minLength: 5, maxLength: 20 }), (one, other, urls) => {
        if (findCommonUrl(languageOf(one), languageOf(other), []) !== 'none') return
        for (const address of urls) expect(new RegExp(one).test(address) && new RegExp(other).test(address), address).toBe(false)
      }),
      { numRuns: runs(2000) },
    )
  })

  it.each<[string, string, string[], unknown]>([
    ['/pub', '^/admin/(.*)$', [], { url: '/admin/pub' }],
    ['/pub', '^/admin/(.*)$', ['^/admin/pub$'], { url: '/admin//pub' }],
    ['^/pub/', '^/admin/', [], 'none'],
    ['/pub', '^/admin$', [], 'none'],
    ['\\?x', '^/admin', [], { url: '/admin?x' }],
  ])('%s and %s without %j', (one, other, earlier, expected) => {
    expect(
      findCommonUrl(
        languageOf(one),
        languageOf(other),
        earlier.map((text) => languageOf(text)),
      ),
    ).toEqual(expected)
  })
})

describe('isWithin', () => {
  it.each<[string, string, boolean]>([
    ['^/a/(.*)$', '^/(.*)$', true],
    ['^/(.*)$', '^/a/(.*)$', false],
    ['^/a/b', '/b', true],
    ['/b', '^/a/b', false],
  ])('%s in %s: %s', (inner, outer, expected) => {
    expect(isWithin(languageOf(inner), languageOf(outer))).toBe(expected)
  })
})

describe('isExponential', () => {
  it.each<[string, boolean]>([
    ['^/(a+)+$', true],
    ['^/(a|a)*$', true],
    ['^/([a-z]|[a-z0-9])*$', true],
    ['^/(.*x)*$', true],
    ['^/(a*)*$', true],
    ['^/((a+)b?)+$', true],
    ['^/[a-z]+$', false],
    ['^(/[^/]+)*$', false],
    ['^/(a|b)*$', false],
    ['^/(a+){1,3}$', false],
    ['^(?:/app|/app/.*)?/resources/(.*)$', false],
    ['.*a.*b.*', false],
  ])('%s: %s', (pattern, expected) => {
    expect(isExponential(pattern, free)).toBe(expected)
  })
})

describe('createRouteLanguages', () => {
  it('leaves undecided what is beyond its steps', () => {
    let steps = 0
    const languages = createRouteLanguages((count) => void (steps += count), 10_000)
    const one = languages.read('^/a$', true)
    expect(one && languages.isWithin(one, one)).toBe(true)
    expect(() => Array.from({ length: 2000 }, (_, index) => languages.read(`^/path${index}/(.*)$`, true))).toThrow(StopSignal)
    const answers = Array.from({ length: 2000 }, (_, index) => languages.read(`^/path${index}/(.*)$`, true))
    expect(answers.at(-1)).toBeUndefined()
    expect(languages.read('^/a$', true)).toBe(one)
    expect(one && languages.findCommonUrl(one, one, [])).toBeUndefined()
    expect(languages.isExponential('(a+)+')).toBeUndefined()
    expect(steps).toBeGreaterThan(1000)
  })
})
