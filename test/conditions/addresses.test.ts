import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBudget } from '../../core/budget.ts'
import { solve, toFileFlow, toHit } from '../../core/flow/index.ts'
import { factsOf } from '../facts/facts-of.ts'

/** Whether an address of the page's own query is followed unchecked behind this. */
function isReported(before: string, used = 'to', own = ''): boolean {
  const path = 'webapp/controller/Main.controller.js'
  const text = `${own}
function leave() {
  const query = new URLSearchParams(location.search)
  const to = query.get('to')
  const other = query.get('other')
  ${before}
  window.location.href = ${used}
}
leave()`
  const flow = toFileFlow({ path, realm: 'browser', text, facts: factsOf(text, path), step: () => undefined })
  const files = flow === undefined ? [] : [{ path, flow }]
  return solve(files, createBudget(1_000_000)).arrivals.some((arrival) => toHit(arrival, files).fault === 'ui5/open-redirect')
}

/** Conditions that hold for addresses of the own host alone. */
const PROOFS: readonly ((address: string) => string)[] = [
  (address) => `new URL(${address}, location.href).origin === location.origin`,
  (address) => `['a.example', 'b.example'].includes(new URL(${address}).host)`,
  (address) => `new URL(${address}).hostname.endsWith('.corp.example')`,
  (address) => `${address}.startsWith('https://a.example/')`,
  (address) => `${address}.startsWith(location.origin + '/')`,
  (address) => `${address}.startsWith('/') && !${address}.startsWith('//')`,
  (address) => `${address}[0] === '/' && ${address}.indexOf('//') !== 0`,
  (address) => String.raw`/^\/(?!\/)/.test(${address})`,
  (address) => `[{ origin: 'https://a.example' }].some(({ origin }) => new URL(${address}).origin === origin)`,
]

/** Where such a condition may stand. */
const WAYS: Readonly<Record<string, (proof: (address: string) => string) => boolean>> = {
  'a condition around it': (proof) => isReported(`if (!(${proof('to')})) { return }`),
  'an early return': (proof) => isReported(`if (!(${proof('to')})) return`),
  'what throws': (proof) => isReported(`if (!(${proof('to')})) throw new Error('no')`),
  'a name for it': (proof) => isReported(`const isOwn = ${proof('to')}\n  if (!isOwn) return`),
  'two negations': (proof) => isReported(`if (!!!(${proof('to')})) return`),
  'a choice': (proof) => isReported('', `(${proof('to')}) ? to : '/'`),
  'a predicate': (proof) => isReported('if (!isOwn(to)) return', 'to', `const isOwn = (address) => ${proof('address')}`),
  'a predicate with early returns': (proof) =>
    isReported(
      'if (!isOwn(to)) return',
      'to',
      `function isOwn(address) { if (!address) return false; if (!(${proof('address')})) return false; return true }`,
    ),
  'a function that throws': (proof) =>
    isReported('assertOwn(to)', 'to', `function assertOwn(address) { if (!(${proof('address')})) throw new Error('no') }`),
}

describe('an address of the own host', () => {
  const proofs = fc.constantFrom(...PROOFS)

  test('is a fault where nothing was asked', () => {
    expect(isReported('')).toBe(true)
  })

  test.each(Object.keys(WAYS))('is none behind %s', (way) => {
    for (const proof of PROOFS) expect(WAYS[way]?.(proof), proof('to')).toBe(false)
  })

  test('is a fault where another reason lets it through, another value was asked, or the other side is taken', () => {
    fc.assert(
      fc.property(proofs, (proof) => {
        expect(isReported(`if (!(${proof('to')}) && other) return`)).toBe(true)
        expect(isReported(`if (!(${proof('other')})) return`)).toBe(true)
        expect(isReported(`if (${proof('to')}) return`)).toBe(true)
      }),
      { numRuns: 20 },
    )
  })

  test('is none for a second condition that proves it as well', () => {
    fc.assert(
      fc.property(proofs, proofs, (one, other) => {
        expect(isReported(`if (!(${one('to')})) return\n  if (!(${other('to')})) return`)).toBe(false)
      }),
      { numRuns: 20 },
    )
  })

  test('may be known from two halves in two conditions', () => {
    expect(isReported(`if (!to.startsWith('/')) return\n  if (to.startsWith('//')) return`)).toBe(false)
    expect(isReported(`if (!to.startsWith('/')) return`)).toBe(true)
  })
})
