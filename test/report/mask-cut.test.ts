import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutText } from '../../core/cut-text.ts'
import { excerptOf } from '../../core/facts/excerpt.ts'
import { createSecretMasker } from '../../core/report/mask.ts'
import { cutSnippet } from '../../core/report/snippet.ts'
import { createLineTable } from '../../core/parse/position.ts'
import { drawSecret } from '../secret-values.ts'

const VALUES = Array.from({ length: 200 }, (_, index) => drawSecret(index % 2 === 0 ? 'password' : 'sap-binding', `cut ${index}`))

function maskerOf(values: Iterable<string>): ReturnType<typeof createSecretMasker> {
  const masker = createSecretMasker()
  for (const value of values) masker.add('a', undefined, value)
  return masker
}

/** Parts of four characters of a value that stand in a text. */
function leftOf(value: string, text: string): string[] {
  return Array.from({ length: value.length - 3 }, (_, at) => value.slice(at, at + 4)).filter((part) => text.includes(part))
}

describe('a value in a text that was cut', () => {
  const masker = maskerOf(VALUES)
  const drawn = fc.constantFrom(...VALUES)

  test('at its end, wherever that is', () => {
    fc.assert(
      fc.property(drawn, fc.nat({ max: 40 }), fc.integer({ min: 4, max: 90 }), (value, before, most) => {
        const text = cutText(`${'-'.repeat(before)}${value} ${'-'.repeat(100)}`, most)
        expect(leftOf(value, masker.mask(text))).toEqual([])
      }),
    )
  })

  test('at its start', () => {
    fc.assert(
      fc.property(drawn, fc.nat({ max: 76 }), (value, from) => {
        expect(leftOf(value, masker.mask(`…${value.slice(from % value.length)} --`))).toEqual([])
      }),
    )
  })

  test('by a rule that leaves no mark, where the text is long enough to have been cut', () => {
    const [value = ''] = VALUES
    expect(masker.mask(`${'-'.repeat(60)}${value.slice(0, 7)}`)).toBe(`${'-'.repeat(60)}***`)
    expect(masker.mask(`${value.slice(-7)}${'-'.repeat(60)}`)).toBe(`***${'-'.repeat(60)}`)
  })

  test('in an excerpt of code, with a mark also where white space was folded', () => {
    const code = `f(${' '.repeat(250)}x)`
    expect(excerptOf(code, { start: 0, end: code.length })).toBe('f( …')
    const [value = ''] = VALUES
    const call = `location.hash + "${'a'.repeat(30)}${value}"`
    expect(leftOf(value, masker.mask(excerptOf(call, { start: 0, end: call.length })))).toEqual([])
  })

  test('in a line of a snippet, where the value is known from another file', () => {
    for (const [index, value] of VALUES.entries()) {
      const line = `${'-'.repeat(index)}${value}${'='.repeat(300)}${value}${'-'.repeat(300)}`
      const at = index + value.length + 100 + (index % 70)
      const snippet = cutSnippet(line, createLineTable(line), { start: at, end: at + 1 }, () => [], masker.placesIn)
      expect(leftOf(value, snippet)).toEqual([])
    }
  })

  test('nothing else is masked', () => {
    const [value = ''] = VALUES
    expect(masker.mask(`${value.slice(0, 8)} and so on`)).toBe(`${value.slice(0, 8)} and so on`)
    expect(masker.mask(`not at the cut ${value.slice(0, 8)} and…`)).toBe(`not at the cut ${value.slice(0, 8)} and…`)
    expect(masker.mask(`too short ${value.slice(0, 3)}…`)).toBe(`too short ${value.slice(0, 3)}…`)
  })
})
