import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCsv } from '../../core/parse/csv.ts'
import { runs } from '../soak.ts'

const texts = (source: string): string[][] => {
  const { header, rows } = parseCsv(source)
  return [header, ...rows].map((row) => row.map(({ text }) => text))
}

describe('parseCsv', () => {
  it.each([
    ['', [[]]],
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a;b;c\r\n1;x,y;3',
      [
        ['a', 'b', 'c'],
        ['1', 'x,y', '3'],
      ],
    ],
    [
      'a\tb\n1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '\uFEFFa, b\n"x, ""y""\n z",2',
      [
        ['a', 'b'],
        ['x, "y"\n z', '2'],
      ],
    ],
    [
      'a,b\n,\n',
      [
        ['a', 'b'],
        ['', ''],
      ],
    ],
    ['a,"b', [['a', 'b']]],
  ])('%j', (source, expected) => {
    expect(texts(source)).toEqual(expected)
  })

  it('gives the place of each cell, and the head alone of a long table', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ') }), (source) => {
        const { header, rows } = parseCsv(source)
        for (const { text, start, end } of [header, ...rows].flat())
          expect([source.slice(start, end), source.slice(start, end).replaceAll('""', '"')]).toContain(text)
      }),
      { numRuns: runs(10_000) },
    )
    expect(parseCsv('a,b\n'.repeat(10_000)).rows.length).toBe(100)
    expect(parseCsv(','.repeat(1_000_000)).header.length).toBeLessThanOrEqual(10_000)
  })
})
