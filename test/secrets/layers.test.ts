import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createKeywordIndex } from '../../core/keywords/index.ts'
import { decodeBase64, decodeLayers } from '../../core/secrets/base64.ts'
import { readEscapes } from '../../core/secrets/escapes.ts'
import { createFileLayer, type Layer } from '../../core/secrets/layers.ts'
import { createOffsetMap } from '../../core/keywords/offsets.ts'
import { runs } from '../soak.ts'
import { createCounter } from './open-credentials.ts'

function toLayer(text: string, keywords: readonly string[] = ['key']): Layer {
  const hits = createKeywordIndex(keywords).find(new TextEncoder().encode(text))
  return createFileLayer({ text, hits, budget: createCounter() })
}

/** What a part of a decoded layer is written as in the text. */
function writtenAs(layer: Layer, text: string, part: string): string {
  const start = layer.text.indexOf(part)
  const span = layer.spanOf(start, start + part.length)
  return text.slice(span.start, span.end)
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('offsets', () => {
  test('agree with a plain search, whatever the text is made of', () => {
    const unit = fc.constantFrom('key', 'KEY', 'kE', 'ä', '€', '😀', '\r\n', 'x', '\u2028', '\u0130')
    const filler = fc.constantFrom('', 'é'.repeat(5000), 'a'.repeat(5000), '😀'.repeat(2500))
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), filler, fc.array(unit, { maxLength: 40 }), (before, middle, after) => {
        const text = before.join('') + middle + after.join('')
        const expected = [...text.matchAll(/key/gi)].map(({ index }) => index)
        expect(toLayer(text).offsets('key')).toEqual(expected)
        expect(toLayer(text, ['KEY']).offsets('KEY')).toEqual([...text.matchAll(/KEY/g)].map(({ index }) => index))
      }),
      { numRuns: runs(2000) },
    )
  })

  test('a keyword that no rule named is not there', () => {
    expect(toLayer('key').offsets('ey')).toEqual([])
  })

  test('a byte offset at the end of the text', () => {
    const text = 'ä😀'
    expect(createOffsetMap(text, new TextEncoder().encode(text).length)([0, 2, 6])).toEqual([0, 1, 3])
    expect(createOffsetMap('abc', 3)([0, 3])).toEqual([0, 3])
  })
})

describe('escapes', () => {
  test.each([
    ['\\u0024', '$'],
    ['\\x24', '$'],
    ['%24', '$'],
    ['&#36;', '$'],
    ['&#x24;', '$'],
    ['&amp;', '&'],
    ['\\/', '/'],
    ['\\=', '='],
    ['\\n', '\n'],
    ['\\\\n', '\n'],
    ['\\\\\\"', '"'],
    ['a\\\n b', 'a b'],
    ['\\uZZZZ', 'uZZZZ'],
    ['\\', '\\'],
    ['%zz \\ ', '%zz  '],
    ['&#x110000;\\a', '&#x110000;a'],
  ])('%j reads as %j', (raw, plain) => {
    expect(readEscapes(toLayer(raw), 0, raw.length)?.text).toBe(plain)
  })

  test('a window without escapes needs no reading', () => {
    expect(readEscapes(toLayer('plain & simple 100%'), 0, 19)).toBeUndefined()
  })

  test('spans are those of the original', () => {
    const text = 'é {\\"a\\": \\"x\\\\u003dy\\"} end'
    const window = readEscapes(toLayer(text), 2, text.length)
    expect(window?.text).toBe('{"a": "x=y"} end')
    expect(window && writtenAs(window, text, 'x=y')).toBe('x\\\\u003dy')
    expect(window && writtenAs(window, text, 'end')).toBe('end')
    expect(window && writtenAs(window, text, '"a"')).toBe('\\"a\\"')
  })

  test('of any text each span lies inside, in order', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('\\', 'u', '0', '0', '2', '4', '%', '&', '#', ';', 'n', '\n', 'ä'), maxLength: 40 }),
        (text) => {
          const window = readEscapes(toLayer(text), 0, text.length)
          if (window === undefined) return
          let last = 0
          for (let at = 0; at < window.text.length; at++) {
            const { start, end } = window.spanOf(at, at + 1)
            expect(start).toBeGreaterThanOrEqual(last)
            expect(end).toBeGreaterThan(start)
            expect(end).toBeLessThanOrEqual(text.length)
            last = end
          }
        },
      ),
      { numRuns: runs(5000) },
    )
  })
})

describe('base64', () => {
  test('bytes of both alphabets, with and without padding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
        const buffer = Buffer.from(bytes)
        expect([...decodeBase64(buffer.toString('base64'))]).toEqual([...bytes])
        expect([...decodeBase64(buffer.toString('base64url'))]).toEqual([...bytes])
      }),
      { numRuns: runs(2000) },
    )
  })

  test('a value inside is written in the characters that carry its bits', () => {
    for (const before of ['', 'x', 'xy', 'xyz']) {
      const text = `é data: ${base64(`${before}{"password": "needle"}`)} end`
      const [layer] = decodeLayers(toLayer(text), createCounter())
      const at = layer?.text.indexOf('needle') ?? -1
      const span = layer?.spanOf(at, at + 6) ?? { start: 0, end: 0 }
      expect(span.end - span.start).toBeLessThanOrEqual(10)
      // with all of its characters blotted out, no bit of it is left
      const blotted = text.slice(0, span.start) + 'A'.repeat(span.end - span.start) + text.slice(span.end)
      const bytes = Buffer.from(blotted.slice(blotted.indexOf(': ') + 2, blotted.indexOf(' end')), 'base64')
      expect([...bytes.subarray(at, at + 6)]).toEqual([0, 0, 0, 0, 0, 0])
    }
  })

  test('base64 in base64, and lines that are wrapped', () => {
    const inner = base64('{"a": "the innermost of all texts"}')
    const wrapped = base64(`{"b": "${inner}", "c": "${'d'.repeat(60)}"}`).replaceAll(/(.{76})/g, '$1\n      ')
    const layers = decodeLayers(toLayer(`key: ${wrapped}`), createCounter())
    expect(layers.map(({ text }) => text.slice(0, 8))).toEqual(['{"b": "e', '{"a": "t'])
    expect(layers[1]?.text).toContain('innermost')
  })

  test('three levels deep nobody looks', () => {
    const layers = decodeLayers(toLayer(base64(base64(base64('some text that can be read')))), createCounter())
    expect(layers.length).toBe(2)
  })

  test('names, paths, hashes and pictures are left alone', () => {
    const picture = Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 89) % 256)).toString('base64')
    const text = `sap/ui/core/mvc/ControllerExtension getOwnerComponentForSomething sha512-${picture} ${'0123456789abcdef'.repeat(4)}`
    expect(decodeLayers(toLayer(text), createCounter())).toEqual([])
  })

  test('no more than its budget is decoded', () => {
    const text = Array.from({ length: 2000 }, (_, index) => base64(`{"number": ${index}, "text": "some readable text"}`)).join(
      ' ',
    )
    const decoded = decodeLayers(toLayer(text), createCounter())
    expect(decoded.reduce((sum, layer) => sum + layer.text.length, 0)).toBeLessThanOrEqual(65_536 * 1.01)
    const one = decodeLayers(toLayer(base64('readable '.repeat(100_000))), createCounter())
    expect(one[0]?.text.length).toBeLessThanOrEqual(65_536)
  })
})
