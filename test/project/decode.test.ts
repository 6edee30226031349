import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { createLineTable } from '../../core/parse/position.ts'
import { decodeText } from '../../core/project/decode.ts'
import { runs } from '../soak.ts'
import { utf16 } from './utf16.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const bytes = (...values: readonly number[]): Uint8Array => new Uint8Array(values)

const TEXT = 'var password = "geheim"\r\nvar caf\u00e9 = "\u20ac \ud83d\ude00"\r\n'.repeat(20)

describe('what a file’s bytes say', () => {
  test.each([
    ['UTF-8', utf8(TEXT)],
    ['UTF-8 with a mark', new Uint8Array([0xef, 0xbb, 0xbf, ...utf8(TEXT)])],
    ['UTF-16LE with a mark', utf16(TEXT, 'le', true)],
    ['UTF-16BE with a mark', utf16(TEXT, 'be', true)],
    ['UTF-16LE without one', utf16(TEXT, 'le', false)],
    ['UTF-16BE without one', utf16(TEXT, 'be', false)],
  ])('%s', (_, raw) => {
    const decoded = decodeText(raw)
    expect(decoded?.text).toBe(TEXT)
    // the automaton looks at bytes that spell exactly this text
    expect(decoded?.bytes).toEqual(utf8(TEXT))
  })

  test.each([
    ['an image', bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0, 0, 0, 0x0d)],
    ['zeros', new Uint8Array(5000)],
    ['a NUL beside other control characters', utf8('/*\0\x01*/ eval(location.hash)')],
    ['many NULs', utf8(`${'ab\0'.repeat(40)}eval(location.hash)`)],
    ['a NUL in what is no UTF-8', new Uint8Array([...utf8('/*\0*/ eval(location.hash) '), 0xff, 0xe9])],
    ['UTF-32LE', bytes(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0)],
    ['UTF-32BE', bytes(0, 0, 0xfe, 0xff, 0, 0, 0, 0x61)],
  ])('%s is binary', (_, raw) => {
    expect(decodeText(raw)).toBe(undefined)
  })

  test('a NUL or two in a script are text', () => {
    const script = '/*\0*/ eval(location.hash)'
    expect(decodeText(utf8(script))).toEqual({ text: script, bytes: utf8(script) })
    // the sample ends within a character
    expect(decodeText(utf8(`\0${'é'.repeat(5000)}`))?.text).toHaveLength(5001)
  })

  test('a NUL behind the first 8 kB is text', () => {
    expect(decodeText(utf8(`${' '.repeat(8192)}\0`))?.text).toHaveLength(8193)
  })

  test('nothing is the empty text', () => {
    expect(decodeText(new Uint8Array(0))).toEqual({ text: '', bytes: new Uint8Array(0) })
    expect(decodeText(bytes(0xef, 0xbb, 0xbf))?.text).toBe('')
    expect(decodeText(bytes(0xff, 0xfe))?.text).toBe('')
  })

  test('bytes that are no UTF-8 become one replacement each and move no line', () => {
    const raw = new Uint8Array([...utf8('a\n'), 0xe9, 0xff, 0x0a, ...utf8('eval(x)\n')])
    const decoded = decodeText(raw)
    expect(decoded?.text).toBe('a\n\ufffd\ufffd\neval(x)\n')
    expect(createLineTable(decoded?.text ?? '')).toEqual(Uint32Array.of(0, 2, 5, 13))
  })

  test('lone surrogates do not get through', () => {
    expect(decodeText(utf16('a\ud800b\udc00c', 'le', true))?.text).toBe('a\ufffdb\ufffdc')
  })

  test('a byte too many at the end of UTF-16 is dropped', () => {
    expect(decodeText(new Uint8Array([...utf16('ab', 'le', true), 0x61]))?.text).toBe('ab')
  })

  test('whatever the bytes: no throw, no lone surrogate, and bytes that spell the text', () => {
    const odd = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ unit: 'binary' }).map((text) => utf16(text, 'le', true)),
      fc.string({ unit: 'binary' }).map(utf8),
    )
    fc.assert(
      fc.property(odd, (raw) => {
        const decoded = decodeText(raw)
        if (decoded === undefined) return
        expect(decoded.text.isWellFormed()).toBe(true)
        expect(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(decoded.bytes)).toBe(decoded.text)
      }),
      { numRuns: runs(10_000) },
    )
  })
})
