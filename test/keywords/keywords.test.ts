import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeywordIndex, hitsInCode, holdsAt, matchesAt, wordsOf } from '../../core/keywords/index.ts'
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

test('says whether a keyword stands at an offset that is wanted', () => {
  const hits = createKeywordIndex(['rent', 'Rent']).find(new TextEncoder().encode('rent RENT Rent'))
  const after = (least: number) => (offset: number) => offset >= least
  expect(hits.standsWhere('rent', after(10))).toBe(true)
  expect(hits.standsWhere('Rent', (offset) => offset < 10)).toBe(false)
  expect(hits.standsWhere('Rent', after(10))).toBe(true)
  expect(hits.standsWhere('rent', after(11))).toBe(false)
  expect(hits.standsWhere('cost', after(0))).toBe(false)
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

const COMMENTED = '/** price */ a = { price: 1 } // rent\n  // price, cost\n/*\n * cost\n */\r\n\t/* é */ rent() /* total'

test('leaves out what stands in comments that begin a line', () => {
  const words = ['price', 'cost', 'rent', 'total']
  const index = createKeywordIndex(words)
  for (const text of [COMMENTED, COMMENTED.replace('é', 'e'), `${COMMENTED}*/ //`, `é\n${COMMENTED}`]) {
    const bytes = encode(text)
    const code = hitsInCode(index.find(bytes), bytes, text)
    expect(words.map(code.has)).toEqual([true, false, true, true])
    expect([...code.found()].sort()).toEqual(['price', 'rent', 'total'])
    expect(code.places(text, words).map((place) => text.slice(place, place + 8))).toEqual([
      'price: 1',
      'rent\n  /',
      'rent() /',
      text.slice(text.indexOf('total')).slice(0, 8),
    ])
    expect(code.offsets('rent')).toHaveLength(2)
    expect(code.offsets('cost')).toEqual([])
  }
})

test('knows no comment where none begins a line, or none ends', () => {
  const index = createKeywordIndex(['price'])
  for (const text of ['a = b / price // price', '/* price', 'x = 1 /* price */', `${'/* '.repeat(500)}price`]) {
    const bytes = encode(text)
    expect(hitsInCode(index.find(bytes), bytes, text).offsets('price')).toEqual(index.find(bytes).offsets('price'))
  }
})

test('hides no code behind what only looks like a comment, or behind its end', () => {
  const index = createKeywordIndex(['price'])
  const all = [
    'a = `\n/*`; price = 1; b = `*/`',
    'a = `\n//${price}`',
    "a = '\\\n/*'; price = 1; b = '*/'",
    "a = '\\\r\n/*'; price /* */",
    '// a\rprice',
    '// a\u2028price',
    '// é\u2029price',
    'a = 1 /* b\n // c */ price',
    'a = <p>\n // {price}\n</p>',
    'a = <p>\n // {price} </p>',
    'a = <p title="\n // a"><b {...price} /></p>',
  ]
  for (const text of all) {
    const bytes = encode(text)
    const code = hitsInCode(index.find(bytes), bytes, text)
    expect(code.has('price'), text).toBe(true)
    expect(code.places(text, ['price']), text).toEqual([text.indexOf('price')])
  }
  const told = '/* `price` </p> */\n/* price */ a = `price`'
  const bytes = encode(told)
  expect(hitsInCode(index.find(bytes), bytes, told).places(told, ['price'])).toEqual([told.lastIndexOf('price')])
})
