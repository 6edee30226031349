import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseProperties } from '../../core/parse/properties.ts'
import { runs } from '../soak.ts'
import { throwsOnlyFailures } from './reading.ts'
import { cpuTime } from '../cpu-time.ts'

function read(text: string): [key: string, value: unknown, written: string, writtenKey: string][] {
  return parseProperties(text).members.map(({ key, keySpan, value }) => {
    return [
      key,
      value.kind === 'string' ? value.value : undefined,
      text.slice(value.start, value.end),
      text.slice(keySpan.start, keySpan.end),
    ]
  })
}

describe('parseProperties', () => {
  test.each([
    ['an equals sign', 'a=b', ['a', 'b', 'b', 'a']],
    ['a colon', 'spring.url : x', ['spring.url', 'x', 'x', 'spring.url']],
    ['a blank', 'a b c ', ['a', 'b c', 'b c', 'a']],
    ['an address', 'URL=https://h:1/p?a=b#c', ['URL', 'https://h:1/p?a=b#c', 'https://h:1/p?a=b#c', 'URL']],
    ['an export', '  export A="x y"  # comment', ['A', 'x y', 'x y', 'A']],
    ['a key called export', 'export=1', ['export', '1', '1', 'export']],
    ['single quotes', "A='x\\n'", ['A', 'x\\n', 'x\\n', 'A']],
    ['double quotes', 'A="x\\n\\"y"', ['A', 'x\n"y', 'x\\n\\"y', 'A']],
    ['quotes within', 'A="x" and "y"', ['A', '"x" and "y"', '"x" and "y"', 'A']],
    ['JSON', 'VCAP_SERVICES={"a": [1]}', ['VCAP_SERVICES', '{"a": [1]}', '{"a": [1]}', 'VCAP_SERVICES']],
    ['escapes', 'k\\ \\u0041=\\tv', ['k A', '\tv', '\\tv', 'k\\ \\u0041']],
    ['a line that goes on', 'a = one \\\r\n   two', ['a', 'one two', 'one \\\r\n   two', 'a']],
    ['no value', 'a', ['a', '', '', 'a']],
    ['an empty value', 'a=', ['a', '', '', 'a']],
    ['a byte order mark', '\uFEFFa=b', ['a', 'b', 'b', 'a']],
  ])('%s', (_, text, member) => {
    expect(read(text)).toEqual([member])
  })

  test('comments and blank lines are no members, whatever ends the lines', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      expect(read(['# a=b', '! c=d', '', '  ', 'e=f', '  #g', 'h=i'].join(end)).map(([key, value]) => [key, value])).toEqual([
        ['e', 'f'],
        ['h', 'i'],
      ])
    }
  })

  test('keys of prototypes and keys that stand twice are members', () => {
    expect(read('__proto__=1\n__proto__=2').map(([key]) => key)).toEqual(['__proto__', '__proto__'])
  })

  test('what is written plainly comes back', () => {
    const word = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.]{0,12}$/u).filter((key) => key !== 'export')
    const value = fc.stringMatching(/^[A-Za-z0-9+/][A-Za-z0-9+/=:#! .-]{0,20}[A-Za-z0-9]$/u)
    fc.assert(
      fc.property(fc.array(fc.tuple(word, value)), (pairs) => {
        expect(read(pairs.map(([key, value]) => `${key}=${value}`).join('\n')).map(([key, value]) => [key, value])).toEqual(pairs)
      }),
      { numRuns: runs(3000) },
    )
  })

  test('any text is read, in linear time', () => {
    throwsOnlyFailures(parseProperties, ['a', '=', ':', ' ', '\\', '\\u', '\n', '\r', '"', "'", '#', '!', 'export ', '\uFEFF'])
    for (const pump of ['\\', '\\\n', '"', 'export ', ' ', 'a=', '\n', '#', 'a="']) {
      const start = cpuTime()
      parseProperties(pump.repeat(100_000))
      expect(cpuTime() - start, JSON.stringify(pump)).toBeLessThan(20_000)
    }
  })
})
