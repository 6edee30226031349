import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { negotiateLocale } from '../../handlers/_language.ts'
import { runs } from '../soak.ts'
import { sendToApp } from './matrix.ts'
import { createFixture } from './sample.ts'

describe('Accept-Language', () => {
  test.each([
    ['', 'en'],
    ['fr', 'fr'],
    ['FR', 'fr'],
    ['fr-CA', 'fr'],
    ['fr-CA, en;q=0.9', 'fr'],
    ['en-US,en;q=0.9,fr;q=0.8', 'en'],
    ['en;q=0.8, fr;q=0.9', 'fr'],
    ['fr;q=0.001, de', 'fr'],
    ['de, it', 'en'],
    ['de, fr;q=0.1', 'fr'],
    ['*', 'en'],
    ['*;q=0.5, fr;q=0.4', 'en'],
    ['en;q=0, *', 'fr'],
    ['en;q=0', 'en'],
    ['fr;q=0, *;q=0.1', 'en'],
    ['fr;q=0.3, fr-CA;q=1, en;q=0.5', 'en'],
    ['en-GB;q=0.2, en-US;q=0.8, fr;q=0.7', 'en'],
    ['fr, en', 'fr'],
    ['en, fr', 'en'],
    ['fr;q=1.0', 'fr'],
    ['fr;q=1.5', 'en'],
    ['fr;q=0.1234', 'en'],
    ['fr;q=-1', 'en'],
    ['fr;q=', 'en'],
    ['fr;q=abc, en;q=0.1', 'en'],
    ['frx', 'en'],
    ['french', 'en'],
    [',,;q=1,', 'en'],
    ['  fr  ;  q=0.9  ,  en  ;  q=0.1', 'fr'],
    [`${'de,'.repeat(60)}fr`, 'en'],
  ])('%s gives %s', (header, expected) => {
    expect(negotiateLocale(header, 'en')).toBe(expected)
  })

  test.each([
    ['', 'fr'],
    ['*', 'fr'],
    ['de', 'fr'],
    ['en', 'en'],
    ['en;q=0.1', 'en'],
  ])('%s with French as default gives %s', (header, expected) => {
    expect(negotiateLocale(header, 'fr')).toBe(expected)
  })

  test('whatever is sent, a language comes out', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (header) => ['en', 'fr'].includes(negotiateLocale(header, 'en'))),
      { numRuns: runs(1000) },
    )
  })
})

test.each([
  ['?lang=fr', 'en', 'fr'],
  ['?lang=en', 'fr', 'en'],
  ['?lang=de', 'fr', 'fr'],
  ['?lang=', 'fr', 'fr'],
  ['?lang=FR', 'en', 'en'],
  ['?lang=__proto__', '', 'en'],
])('%s before Accept-Language %s is %s', async (query, header, expected) => {
  const { app } = createFixture()
  const health = await sendToApp(app, `/api/health${query}`, { headers: { 'accept-language': header } })
  expect((await health.json()).lang).toBe(expected)
  const problem = await sendToApp(app, `/api/nothing${query}`, { headers: { 'accept-language': header } })
  expect(problem.headers.get('content-language')).toBe(expected)
})

test('the default is an option', async () => {
  expect((await (await sendToApp(createFixture({ language: 'fr' }).app, '/api/health')).json()).lang).toBe('fr')
})
