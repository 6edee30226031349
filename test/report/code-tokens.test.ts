import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCodeTokens } from '../../core/report/code-tokens.ts'

const told = (snippet: string, file: string): string =>
  readCodeTokens(snippet, file)
    .map((line) => line.flatMap(({ kind, text }) => (kind === 'plain' ? [] : `${kind}:${text}`)).join(' '))
    .join(' | ')

describe('pieces of code by their kind', () => {
  test.each([
    ['a.js', "const a = 'x' // why", "keyword:const string:'x' comment:// why"],
    ['a.ts', 'return `a\n${b}` + 12', 'keyword:return string:`a | string:${b}` number:12'],
    ['a.js', "'open\nif (x)", "string:'open | keyword:if"],
    ['a.js', 'a /* b\nc */ d', 'comment:/* b | comment:c */'],
    ['a.js', 'get(https://a.example)', ''],
    ['srv/a.cds', "@requires: 'any' service S {}", "name:@requires string:'any' keyword:service"],
    ['a.json', '{"a": "b", "c": 1}', 'name:"a" string:"b" name:"c" number:1'],
    ['mta.yaml', 'a-b: true # c\nurl: x#y', 'name:a-b keyword:true comment:# c | name:url'],
    ['a.properties', 'key=value', 'name:key'],
    ['Dockerfile', 'FROM node # x', 'comment:# x'],
    ['a.view.xml', '<m:Text text="{a}"/> <!-- x -->', 'keyword:<m:Text name:text string:"{a}" comment:<!-- x -->'],
    ['a.txt', "const a = 'x'", ''],
  ])('%s: %s', (file, snippet, expected) => {
    expect(told(snippet, file)).toBe(expected)
  })

  test('nothing is lost, whatever the text is', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'"\'`\\/*#<!->=:@ab1 \n') }))
    fc.assert(
      fc.property(text, fc.constantFrom('a.js', 'a.xml', 'a.yaml', 'a'), (snippet, file) => {
        const lines = readCodeTokens(snippet, file).map((line) => line.map(({ text: piece }) => piece).join(''))
        expect(lines.join('\n')).toBe(snippet)
      }),
    )
  })
})
