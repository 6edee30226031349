import { describe, expect, test } from 'vitest'
import { collectFacts } from '../../core/facts/index.ts'
import type { FileContent } from '../../core/files.ts'
import { parseScript } from '../../core/parse/javascript.ts'
import { parseJson } from '../../core/parse/json.ts'
import { parseProperties } from '../../core/parse/properties.ts'
import { parseYaml } from '../../core/parse/yaml.ts'
import { readNameBefore } from '../../core/secrets/name-before.ts'
import { createCounter, openCredentials } from './open-credentials.ts'

describe('the name before a value', () => {
  test.each([
    ['"clientsecret": "', 'clientsecret'],
    ['\\"clientsecret\\":\\"', 'clientsecret'],
    ['\\\\\\"clientsecret\\\\\\" : \\\\\\"', 'clientsecret'],
    ["const apiKey = '", 'apiKey'],
    ['this.a.password="', 'this.a.password'],
    ['export DB_PASSWORD=', 'DB_PASSWORD'],
    ['key: |\n    ', 'key'],
    ['key: >-\n  ', 'key'],
    ['  - url: ', 'url'],
    ['setPassword("', 'setPassword'],
    ['<password>', 'password'],
    ['<a:password>', 'a:password'],
    ['password := "', 'password'],
    ['"pw" => "', 'pw'],
    ['{"a":1,"b":"', 'b'],
    ['?client_secret=', 'client_secret'],
  ])('%j', (before, name) => expect(readNameBefore(`${before}VALUE`, before.length)).toBe(name))

  test.each(['', 'git clone ', '["a", "', "'x', '", '// ', ': ', '= ', '1234: ', `${'x'.repeat(200)}: `])(
    'none in %j',
    (before) => expect(readNameBefore(`${before}VALUE`, before.length)).toBeUndefined(),
  )
})

function pairsOf(text: string, content: FileContent = { as: 'text' }): string[] {
  const file = openCredentials(text, { content, keywords: ['secret', 'password'] })
  return file.pairs(['secret', 'password']).map(({ name, value, span, isQuoted }) => {
    const written = text.slice(span.start, span.end)
    return `${name}${isQuoted ? '' : ' bare'} ${written === value ? '' : `(${value}) `}${written}`
  })
}

describe('of a tree', () => {
  test('JSON, with JSON in a string', () => {
    const text = '{"a": {"password": "x1", "n": 5}, "b": ["no", {"c": "{\\"secret\\":\\"y\\\\u003d2\\",\\"url\\":\\"z\\"}"}]}'
    expect(pairsOf(text, { as: 'data', roots: [parseJson(text)] })).toEqual([
      'password x1',
      'n bare 5',
      'c ({"secret":"y\\u003d2","url":"z"}) {\\"secret\\":\\"y\\\\u003d2\\",\\"url\\":\\"z\\"}',
      'secret (y=2) y\\\\u003d2',
      'url z',
    ])
  })

  test('one line of .env', () => {
    const text = '# é\r\nVCAP={"xsuaa":[{"clientid":"a","secret":"b"}]}\r\nexport X=1'
    const file = openCredentials(text, { path: '.env', content: { as: 'data', roots: [parseProperties(text)] } })
    const inner = file.pairs([]).find(({ name }) => name === 'secret')
    expect(inner && text.slice(inner.span.start, inner.span.end)).toBe('b')
    expect(inner?.siblings().map(({ name }) => name)).toEqual(['clientid'])
    expect(file.pairs([]).map(({ name }) => name)).toEqual(['VCAP', 'clientid', 'secret', 'X'])
  })

  test('YAML', () => {
    const text = 'a:\n  password: x1\n  user: "u"\nb: [1]\n'
    expect(pairsOf(text, { as: 'data', roots: parseYaml(text) })).toEqual(['password x1', 'user u'])
  })

  test('a text that only begins like JSON', () => {
    const text = '{"a": "{ not json", "b": "[[[[", "c": "{}"}'
    expect(pairsOf(text, { as: 'data', roots: [parseJson(text)] }).length).toBe(3)
  })
})

test('of the literals of a script', () => {
  const text = 'connect({ uid: "u", password: "x1" })\nconst secret = "y"'
  const facts = collectFacts(parseScript(text, 'a.js'), text, createCounter())
  const file = openCredentials(text, { content: { as: 'script', facts } })
  const found = file.pairs([])
  expect(found.map(({ name, value, span }) => [name, value, text.slice(span.start, span.end)])).toEqual([
    ['uid', 'u', 'u'],
    ['password', 'x1', 'x1'],
    ['secret', 'y', 'y'],
  ])
  expect(found.map((pair) => pair.siblings().map(({ name }) => name))).toEqual([['password'], ['uid'], []])
})

describe('of text', () => {
  test.each([
    ['password: x1', ['password bare x1']],
    ['password = x1', ['password bare x1']],
    ['export PASSWORD=x1', ['PASSWORD bare x1']],
    ['"password": "x 1", "b": \'y\'', ['password x 1', 'b y']],
    ['{\\"password\\":\\"x1\\",\\"b\\":\\"y\\"}', ['password x1', 'b y']],
    ['String password = "x\\"1";', ['password x\\"1']],
    ["password TYPE string VALUE = 'x1'.", ['VALUE x1']],
    ['P=\'{"password":"x1"}\'', ['P {"password":"x1"}', 'password x1']],
    ['password := "x1"', ['password x1']],
    ["'password' => 'x1'", ['password x1']],
    ['<a><password>x 1</password></a>', ['password x 1']],
    ['<a password="x1" b=\'y\'>', ['password x1', 'b y']],
    ['<password></password> <password>x', []],
    ['if (password == x1) a != b', []],
    ['see https://password', []],
    ['password: {', []],
    ['password:', []],
    ['password: "never ends', []],
  ])('%s', (text, expected) => expect(pairsOf(text)).toEqual(expected))

  test('only around the keywords, each region once', () => {
    const far = 'other: 1\n'.repeat(1000)
    const found = pairsOf(`${far}password: x1\npassword: x2\n${far}`)
    expect(found.filter((pair) => pair.startsWith('password'))).toEqual(['password bare x1', 'password bare x2'])
    expect(found.length).toBeLessThan(600)
  })

  test('siblings stand in the lines around', () => {
    const text = `far: 0${'\n'.repeat(20)}clientid: a\nsecret: b\n\nurl: c${'\n'.repeat(20)}far: 1`
    const pair = openCredentials(text, { keywords: ['secret'] })
      .pairs(['secret'])
      .find(({ name }) => name === 'secret')
    expect(pair?.siblings().map(({ name }) => name)).toEqual(['clientid', 'url'])
  })
})
