import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeywordIndex, holdsAt, holdsInCode, matchesAt, wordsOf } from '../../core/keywords/index.ts'
import { runs } from '../soak.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

test('finds keywords inside, beside and across each other', () => {
  const hits = createKeywordIndex(['he', 'she', 'hers', 'his', 'é!']).find(encode('usHErs his é! ushe'))
  expect(hits.offsets('she')).toEqual([1, 16])
  expect(hits.offsets('he')).toEqual([2, 17])
  expect(hits.offsets('hers')).toEqual([2])
  expect(hits.offsets('é!')).toEqual([11])
  expect(hits.has('his')).toBe(true)
  expect(hits.has('unknown')).toBe(false)
})

test('a keyword with a capital fits only itself', () => {
  const hits = createKeywordIndex(['SELECT', 'select', 'setContent']).find(encode('select SELECT Select setcontent setContent'))
  expect(hits.offsets('SELECT')).toEqual([7])
  expect(hits.offsets('select')).toEqual([0, 7, 14])
  expect(hits.offsets('setContent')).toEqual([32])
})

test('agrees with a plain search on any bytes', () => {
  const keyword = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'é'), minLength: 1, maxLength: 4 })
  const part = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'é', 'x'), maxLength: 60 })
  // long ones are read in several parts
  const text = fc.oneof(
    part,
    fc.tuple(part, fc.integer({ min: 1, max: 200 })).map(([unit, times]) => unit.repeat(times)),
  )
  fc.assert(
    fc.property(fc.uniqueArray(keyword, { minLength: 1, maxLength: 6 }), text, (keywords, content) => {
      const bytes = encode(content)
      const hits = createKeywordIndex(keywords).find(bytes)
      for (const wanted of keywords) {
        const pattern = encode(wanted)
        const fits = (byte: number | undefined, at: number): boolean =>
          byte === pattern[at] || (!wanted.includes('A') && byte === 0x41 && pattern[at] === 0x61)
        const expected = Array.from(bytes.keys()).filter((start) => pattern.every((_, at) => fits(bytes[start + at], at)))
        expect(hits.offsets(wanted)).toEqual(expected)
      }
    }),
    { numRuns: runs(5000) },
  )
})

test('a keyword stands anywhere in a long file, each place told once', () => {
  const index = createKeywordIndex(['needle in it', 'le'])
  for (let length = 2000; length < 2400; length += 7) {
    for (let at = 0; at + 12 <= length; at += 5) {
      const hits = index.find(encode(`${'x'.repeat(at)}needle in it${'x'.repeat(length - at - 12)}`))
      expect([hits.offsets('needle in it'), hits.offsets('le')]).toEqual([[at], [at + 4]])
    }
  }
})

test('no hit is left out, however many there are', () => {
  expect(createKeywordIndex(['aa']).find(new Uint8Array(100_000).fill(0x61)).offsets('aa').length).toBe(99_999)
})

test('places are those of the text, whatever the bytes before them', () => {
  const words = ['token', 'a.b', 'Key', 'unknown']
  for (const text of ['aXb a.b TOKEN key Key token', 'é aXb a.b TOKEN 🙂 key Key token']) {
    const hits = createKeywordIndex(words).find(encode(text))
    const expected = [text.indexOf('TOKEN'), text.lastIndexOf('token'), text.indexOf('a.b'), text.indexOf('Key')]
    expect([...hits.places(text, words)]).toEqual(expected)
  }
})

test('an expression tried where its words stand finds what it finds in the whole text', () => {
  const part = fc.constantFrom('from', 'From', 'x', '(', '"', ' ', 'é', 'from("a")')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const text = parts.join('')
      const source = String.raw`\bfrom\s{0,2}\(?"[^"]{0,9}`
      const expected = [...text.matchAll(new RegExp(source, 'g'))]
      for (const words of [createKeywordIndex(['from']).find(encode(text)), wordsOf(text)]) {
        const places = words.places(text, ['from'])
        const found = [...matchesAt(text, places, new RegExp(source, 'y'))]
        expect(found.map(({ 0: match, index }) => [match, index])).toEqual(expected.map(({ 0: match, index }) => [match, index]))
        expect(holdsAt(text, places, new RegExp(source, 'y'))).toBe(expected.length > 0)
        expect(words.has('from')).toBe(/from/i.test(text))
      }
    }),
    { numRuns: runs(1000) },
  )
})

test('leaves out lines of comments where only code counts', () => {
  const holds = (text: string): boolean => holdsInCode(text, wordsOf(text).places(text, ['price']), /price\s?:/y)
  for (const text of ['a = { price: 1 }', '/** a */ b = { price : 1 }', 'a = b\n  * price: 2', `${' '.repeat(400)}price:`])
    expect(holds(text)).toBe(true)
  for (const text of ['// price: 1', '  // the price: 1', '/*\n * of a price: 1\n */', '/**\n *price: it\n * and price: 2 */'])
    expect(holds(text)).toBe(false)
  expect(holds('/*\n * price: 1\n */\na = { price: 1 }')).toBe(true)
})
