import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { at, booleanOf, membersOf, numberOf, pointerAt, stringOf } from '../../core/parse/data.ts'
import type { DataNode } from '../../core/parse/data.ts'
import { checkJson, parseJson } from '../../core/parse/json.ts'
import { runs } from '../soak.ts'
import { failureOf, nodesOf, throwsOnlyFailures, toValue } from './reading.ts'

describe('parseJson', () => {
  test('reads values with exact spans, strings without quotes', () => {
    const text = '{ "name": "x\\ty", "list": [1, -2.5e3, true, false, null, {}] }'
    const root = parseJson(text)
    const name = at(root, 'name')
    expect(stringOf(name)).toBe('x\ty')
    expect(text.slice(name?.start, name?.end)).toBe('x\\ty')
    expect(numberOf(at(root, 'list', 1))).toBe(-2500)
    expect(booleanOf(at(root, 'list', 3))).toBe(false)
    expect(at(root, 'list', 4)?.kind).toBe('null')
    const key = membersOf(root)[1]?.keySpan
    expect(text.slice(key?.start, key?.end)).toBe('list')
    const list = at(root, 'list')
    expect(text.slice(list?.start, list?.end)).toBe('[1, -2.5e3, true, false, null, {}]')
  })

  test.each([
    ['a byte order mark', '\uFEFF{"a": 1}'],
    ['comments', '// "{[\n{ /* "]} */ "a": 1 // end\n}'],
    ['trailing commas', '{"a": 1,}'],
    ['blanks around', '\r\n\t {"a":\r1}\r'],
    ['a raw tab in a string', '{"b": "x\ty", "a": 1}'],
    ['a bad escape', '{"b": "C:\\dir", "a": 1}'],
    ['a missing comma', '{"b": 2 "a": 1}'],
  ])('tolerates %s', (_, text) => {
    const a = at(parseJson(text), 'a')
    expect(numberOf(a)).toBe(1)
    expect(text.slice(a?.start, a?.end)).toBe('1')
  })

  test.each([
    ['nothing', ''],
    ['blanks', ' \n '],
    ['a comment alone', '// {}'],
    ['two values', '{"a":1}\n{"a":2}'],
    ['something behind', '{} x'],
    ['an open object', '{"a": {"b": 1}'],
    ['an open string', '{"a": "b\n}'],
    ['an open comment', '{"a": 1} /* '],
    ['single quotes', "{'a': 1}"],
    ['a key alone', '{"a"}'],
    ['a value missing', '{"a": , "b": 1}'],
    ['two commas', '[1,,2]'],
    ['a closing bracket too many', '[1]]'],
    ['the wrong bracket', '[1}'],
    ['a word', 'undefined'],
    ['YAML', 'a: 1'],
    ['markup', '<!doctype html>'],
    ['a merge conflict', '{\n<<<<<<< HEAD\n"a": 1\n}'],
  ])('refuses %s', (_, text) => {
    expect(failureOf(() => parseJson(text))).toBe('syntax')
    expect(failureOf(() => checkJson(text))).toBe('syntax')
  })

  test('a key that stands twice is there twice, the last one counts', () => {
    const root = parseJson('{"a": 1, "a": 2}')
    expect(membersOf(root)).toHaveLength(2)
    expect(numberOf(at(root, 'a'))).toBe(2)
  })

  test('keys of prototypes are keys', () => {
    const root = parseJson('{"__proto__": {"polluted": true}, "constructor": 1, "toString": 2}')
    expect(booleanOf(at(root, '__proto__', 'polluted'))).toBe(true)
    expect(numberOf(at(root, 'constructor'))).toBe(1)
    expect(at(root, 'valueOf')).toBeUndefined()
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test('nested 200 deep is read, deeper is refused before the stack is', () => {
    expect(nodesOf(parseJson('['.repeat(200) + ']'.repeat(200)))).toHaveLength(200)
    expect(failureOf(() => parseJson('['.repeat(201) + ']'.repeat(201)))).toBe('too-deep')
    expect(failureOf(() => parseJson('{"a":'.repeat(250_000)))).toBe('too-deep')
    expect(numberOf(at(parseJson(`{"text": "${'[{'.repeat(1000)}", "a": 1} // ${'['.repeat(1000)}`), 'a'))).toBe(1)
  })

  test('any JSON value comes back, and every string stands at its span', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent)
        const root = parseJson(text)
        expect(toValue(root)).toEqual(JSON.parse(text))
        for (const node of nodesOf(root)) {
          const written = text.slice(node.start, node.end)
          if (node.kind === 'string') expect(JSON.parse(`"${written}"`)).toBe(node.value)
          else expect(toValue(node)).toEqual(JSON.parse(written))
        }
      }),
      { numRuns: runs(10_000) },
    )
  })

  test('any text throws nothing but a ParseFailure', () => {
    throwsOnlyFailures(
      (text) => parseJson(text),
      [
        '{',
        '}',
        '[',
        ']',
        '"',
        ',',
        ':',
        '\\',
        '\\u',
        '//',
        '/*',
        '*/',
        '1',
        '-',
        'e',
        'true',
        'null',
        '\n',
        '\uFEFF',
        '\u0000',
        '\uD800',
      ],
    )
  })
})

describe('checkJson', () => {
  test('accepts what parseJson accepts, and refuses without a tree', () => {
    expect(() => checkJson('{"a": 1}')).not.toThrow()
    expect(() => checkJson('\uFEFF{"a": 1,} // x')).not.toThrow()
  })
})

describe('pointerAt', () => {
  const text = `{
    "routes": [
      { "source": "^/a/(.*)$", "scope": "x" },
      { "target": "y" },
      { "name": "a/b~c", "deep": { "k": [ "v" ] } }
    ],
    "welcome": "index.html"
  }`
  const root: DataNode = parseJson(text)
  test.each([
    ['"scope"', 1, '/routes/^~1a~1(.*)$/scope'],
    ['"x"', 1, '/routes/^~1a~1(.*)$/scope'],
    ['"y"', 1, '/routes/1/target'],
    ['"v"', 1, '/routes/a~1b~0c/deep/k/0'],
    ['index', 0, '/welcome'],
    ['{', 0, ''],
    ['{ "target"', 0, '/routes/1'],
  ])('at %s', (needle, shift, pointer) => {
    expect(pointerAt(root, text.indexOf(needle) + shift)).toBe(pointer)
  })

  test('outside of everything, and at an empty string', () => {
    expect(pointerAt(root, 1_000_000)).toBe('')
    expect(pointerAt(parseJson('{"a": ""}'), 7)).toBe('/a')
  })
})
