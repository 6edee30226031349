import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fingerprint, type Identity } from '../../core/report/fingerprint.ts'
import { runs } from '../soak.ts'

const IDENTITY: Identity = { ruleId: 'ui5/eval', file: 'webapp/a.js', context: 'onInit', text: 'eval(code)', occurrence: 0 }
const KEY = 'a key of the installation'

// baselines and suppressions of users hold these ids: a change of the recipe must not go unnoticed
test('gives the ids that were given before', () => {
  expect(fingerprint(IDENTITY, undefined)).toBe('02c5802ff539641dabaf34ed')
  expect(fingerprint({ ...IDENTITY, key: 'GHSA-1' }, undefined)).toBe('334431af0a60bcb79ae8f0bb')
  expect(fingerprint({ ...IDENTITY, secret: 'hunter2' }, undefined)).toBe('9cc22f155fd59d1a6174a833')
  expect(fingerprint({ ...IDENTITY, secret: 'hunter2' }, KEY)).toBe('1bffb8a3bbff0782c02d71ea')
})

test.each<[string, Partial<Identity>]>([
  ['rule', { ruleId: 'ui5/timer' }],
  ['file', { file: 'webapp/b.js' }],
  ['context', { context: 'onExit' }],
  ['text', { text: 'eval(core)' }],
  ['occurrence', { occurrence: 1 }],
  ['key', { key: 'a' }],
  ['secret', { secret: 'hunter2' }],
])('a different %s is a different id', (_, change) => {
  expect(fingerprint({ ...IDENTITY, ...change }, undefined)).not.toBe(fingerprint(IDENTITY, undefined))
})

test('formatting does not count', () => {
  const written = fingerprint({ ...IDENTITY, text: ' eval(\n\t  a +\r\n  b ) ' }, undefined)
  expect(fingerprint({ ...IDENTITY, text: 'eval( a + b )' }, undefined)).toBe(written)
})

test('the key of the installation counts for credentials alone', () => {
  expect(fingerprint(IDENTITY, KEY)).toBe(fingerprint(IDENTITY, undefined))
  const secret = { ...IDENTITY, secret: 'hunter2' }
  expect(fingerprint(secret, KEY)).not.toBe(fingerprint(secret, undefined))
  expect(fingerprint(secret, KEY)).not.toBe(fingerprint(secret, 'another key'))
})

describe('laws', () => {
  const identities = fc.record<Identity>(
    {
      ruleId: fc.constantFrom('ui5/eval', 'cap/eval'),
      file: fc.string({ maxLength: 4 }),
      context: fc.string({ maxLength: 4 }),
      text: fc.string({ maxLength: 4 }),
      occurrence: fc.nat({ max: 3 }),
      key: fc.string({ maxLength: 4 }),
    },
    { requiredKeys: ['ruleId', 'file', 'context', 'text', 'occurrence'] },
  )
  const canonical = ({ ruleId, file, context, text, occurrence, key }: Identity): string =>
    JSON.stringify([ruleId, file, context, text.trim().split(/\s+/), occurrence, key ?? null])

  test('same id, same identity: parts never run into each other', () => {
    fc.assert(
      fc.property(identities, identities, (a, b) => {
        const [left, right] = [fingerprint(a, undefined), fingerprint(b, undefined)]
        expect(left).toMatch(/^[0-9a-f]{24}$/)
        expect(left === right).toBe(canonical(a) === canonical(b))
      }),
      { numRuns: runs(10_000) },
    )
  })

  test('without a key an id tells next to nothing about the value, with one it tells values apart', () => {
    const values = Array.from({ length: 1000 }, (_, index) => `value ${index}`)
    const ids = (key: string | undefined): Set<string> =>
      new Set(values.map((secret) => fingerprint({ ...IDENTITY, secret }, key)))
    expect(ids(undefined).size).toBeLessThanOrEqual(256)
    expect(ids(undefined).size).toBeGreaterThan(200)
    expect(ids(KEY).size).toBe(values.length)
  })
})
