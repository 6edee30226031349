import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { at, membersOf, numberOf, pointerAt, stringOf } from '../../core/parse/data.ts'
import type { DataNode } from '../../core/parse/data.ts'
import { parseYaml } from '../../core/parse/yaml.ts'
import { runs } from '../soak.ts'
import { failureOf, nodesOf, throwsOnlyFailures, toValue } from './reading.ts'
import { cpuTime } from '../cpu-time.ts'

function first(text: string): DataNode {
  const [root] = parseYaml(text)
  if (root === undefined) throw new Error('no document')
  return root
}

function written(text: string, node: DataNode | undefined): string {
  return text.slice(node?.start, node?.end)
}

describe('parseYaml', () => {
  test('spans are exact, without quotes, block scalars without their header', () => {
    const text = "a: !t &x \"q\\t\"\nb: |  # c\n  one\n  two\nc: 'it''s'\nd: plain text # c\ne: [1, {f: g}]\n"
    const root = first(text)
    expect([stringOf(at(root, 'a')), written(text, at(root, 'a'))]).toEqual(['q\t', 'q\\t'])
    expect([stringOf(at(root, 'b')), written(text, at(root, 'b'))]).toEqual(['one\ntwo\n', '  one\n  two\n'])
    expect([stringOf(at(root, 'c')), written(text, at(root, 'c'))]).toEqual(["it's", "it''s"])
    expect([stringOf(at(root, 'd')), written(text, at(root, 'd'))]).toEqual(['plain text', 'plain text'])
    expect(written(text, at(root, 'e', 1, 'f'))).toBe('g')
    expect(membersOf(root).map((member) => text.slice(member.keySpan.start, member.keySpan.end))).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
    ])
  })

  test('the core schema of 1.2: yes is a word, keys are text', () => {
    expect(toValue(first('[yes, no, on, true, ~, 0x1F, 1e3, 2024-01-01, 0o17]'))).toEqual([
      'yes',
      'no',
      'on',
      true,
      null,
      31,
      1000,
      '2024-01-01',
      15,
    ])
    expect(membersOf(first('8080: a\ntrue: b\n"c": d\n[x]: e')).map((member) => member.key)).toEqual(['8080', 'true', 'c', '[x]'])
  })

  test('the end of a text in quotes stands at any column where it closes brackets', () => {
    const text = "app:\n  env:\n    targets: '[\n      1\n    ]'\n  path: web\n"
    const root = first(text)
    expect(stringOf(at(root, 'app', 'env', 'targets'))).toBe('[ 1     ]')
    expect(written(text, at(root, 'app', 'path'))).toBe('web')
    expect(failureOf(() => parseYaml("a: '[\nb: 1\n"))).toBeDefined()
  })

  test('several documents, those that hold nothing left out', () => {
    expect(parseYaml('---\na: 1\n---\n# nothing\n---\nb: 2\n...\n').map(toValue)).toEqual([{ a: 1 }, { b: 2 }])
    expect(parseYaml('')).toEqual([])
    expect(parseYaml('# a comment\n')).toEqual([])
    expect(parseYaml('\uFEFFa: 1').map(toValue)).toEqual([{ a: 1 }])
  })

  test('carriage returns, duplicate keys, unknown tags, keys of prototypes', () => {
    const text = 'a: 1\r\nb: two\r\nb: three\r\n__proto__: {x: 1}\r\nr: !Ref Thing\r\n'
    const root = first(text)
    expect(stringOf(at(root, 'b'))).toBe('three')
    expect(written(text, at(root, 'b'))).toBe('three')
    expect(numberOf(at(root, '__proto__', 'x'))).toBe(1)
    expect(stringOf(at(root, 'r'))).toBe('Thing')
  })

  test('an alias is the node that it names; merge keys are members that the own ones outrank', () => {
    const text = 'base: &b {x: 1, y: 1}\nmore: &m {y: 2, z: 2}\nuse: *b\nall:\n  x: 9\n  <<: [*b, *m]\nunknown: *nowhere\n'
    const root = first(text)
    expect(at(root, 'use')).toBe(at(root, 'base'))
    expect(toValue(at(root, 'all') ?? root)).toEqual({ x: 9, y: 1, z: 2 })
    expect(at(root, 'unknown')?.kind).toBe('null')
    expect(toValue(first('&a [*a]'))).toEqual([null])
  })

  test('an alias bomb stays small for whoever walks the tree', () => {
    const lines = Array.from(
      { length: 30 },
      (_, index) =>
        `k${index}: &k${index} [${
          index === 0
            ? 'x'
            : Array(9)
                .fill(`*k${index - 1}`)
                .join(', ')
        }]`,
    )
    expect(nodesOf(first(lines.join('\n'))).length).toBeLessThan(20_000)
    const chain = Array.from({ length: 3000 }, (_, index) => `k${index}: &k${index} [${index === 0 ? 'x' : `*k${index - 1}`}]`)
    expect(nodesOf(first(chain.join('\n'))).length).toBeLessThan(20_000)
    const merges = `a: &a {${Array.from({ length: 500 }, (_, index) => `k${index}: 1`).join(', ')}}\n${'b: {<<: *a}\n'.repeat(500)}`
    expect(nodesOf(first(merges)).length).toBeLessThan(20_000)
  })

  test.each([
    ['tabs as indentation', 'a:\n\tb: c'],
    ['an open list', 'a: [1, 2'],
    ['an open quote', 'a: "b'],
    ['a wrong indentation', 'a: 1\n   b: 2\n c: 3'],
    ['two anchors', 'a: &x &y 1'],
  ])('refuses %s', (_, text) => {
    expect(failureOf(() => parseYaml(text))).toBe('syntax')
  })

  test.each([
    ['lists in a line', '['.repeat(100_000)],
    ['maps in a line', '{a: '.repeat(50_000)],
    ['sequences', '- '.repeat(100_000)],
    ['explicit keys', '? '.repeat(50_000)],
    ['blocks', Array.from({ length: 700 }, (_, index) => `${' '.repeat(index)}a:`).join('\n')],
  ])('refuses what is too deep before the stack is: %s', (_, text) => {
    const start = cpuTime()
    expect(failureOf(() => parseYaml(text))).toBe('too-deep')
    expect(cpuTime() - start).toBeLessThan(20_000)
  })

  test('reads 150 levels, and 20,000 keys in linear time', () => {
    expect(nodesOf(first(Array.from({ length: 150 }, (_, index) => `${' '.repeat(index)}a:`).join('\n')))).toHaveLength(151)
    const start = cpuTime()
    expect(membersOf(first(Array.from({ length: 20_000 }, (_, index) => `key${index}: value`).join('\n')))).toHaveLength(20_000)
    expect(cpuTime() - start).toBeLessThan(20_000)
  })

  test('any value written by a YAML writer comes back', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value))
        const roots = parseYaml(stringify(plain))
        expect(roots.length === 0 ? null : toValue(roots[0] ?? first(''))).toEqual(plain)
      }),
      { numRuns: runs(3000) },
    )
  })

  test('any text throws nothing but a ParseFailure', () => {
    throwsOnlyFailures(parseYaml, [
      'a',
      ': ',
      '- ',
      '? ',
      '[',
      ']',
      '{',
      '}',
      '{{',
      '}}',
      ',',
      '&a ',
      '*a',
      '<<',
      '!t ',
      '|\n',
      '>-\n',
      '"',
      "'",
      '\n',
      '\n  ',
      '---\n',
      '...\n',
      '# c',
      '%YAML 1.1\n',
      '\t',
      '\r\n',
      '\\',
      '\u0000',
      '\uD800',
    ])
  })
})

describe('templates', () => {
  test('of Helm are text where they stand, and blank where they have a line', () => {
    const text = [
      '{{- if .Values.on }}',
      'image: {{ .Values.repo }}:{{ .Values.tag | default "1.0" }}',
      'quoted: "{{ .Values.q }}"',
      '{{ .Values.key }}: value',
      'list:',
      '{{- range .Values.items }}',
      '  - {{ . | quote }}',
      '{{- end }}{{/* a comment',
      '  in two lines: */}}',
      'labels: {{- include "x" . | nindent 4 }}',
      '{{ end }}',
      '',
    ].join('\n')
    const root = first(text)
    expect(toValue(root)).toEqual({
      image: '{{ .Values.repo }}:{{ .Values.tag | default "1.0" }}',
      quoted: '{{ .Values.q }}',
      '{{ .Values.key }}': 'value',
      list: ['{{ . | quote }}'],
      labels: '{{- include "x" . | nindent 4 }}',
    })
    expect(written(text, at(root, 'image'))).toBe('{{ .Values.repo }}:{{ .Values.tag | default "1.0" }}')
    expect(written(text, at(root, 'list', 0))).toBe('{{ . | quote }}')
  })

  test('of Helm that indent a block, with more of the block behind them', () => {
    const text = 'labels: {{- include "x" . | nindent 2 }}\n  app: {{ .Chart.Name }}\nname: x\n'
    expect(toValue(first(text))).toEqual({ labels: { app: '{{ .Chart.Name }}' }, name: 'x' })
  })

  test('of pipelines too', () => {
    const text = 'steps:\n  - run: |\n      echo "${{ github.event.issue.title }}"\n    env: {A: "${{ secrets.A }}"}\n'
    const root = first(text)
    expect(stringOf(at(root, 'steps', 0, 'run'))).toBe('echo "${{ github.event.issue.title }}"\n')
    expect(stringOf(at(root, 'steps', 0, 'env', 'A'))).toBe('${{ secrets.A }}')
  })

  test('two nested maps are still two nested maps, an action that never ends is no action', () => {
    expect(toValue(first('{a: {{b: c}: d}}'))).toEqual({ a: { '{b: c}': 'd' } })
    expect(stringOf(at(first('a: "{{ b"'), 'a'))).toBe('{{ b')
  })
})

test('pointerAt names the items of YAML lists', () => {
  const text = 'modules:\n  - name: srv\n    path: gen/srv\n  - path: app\n'
  expect(pointerAt(first(text), text.indexOf('gen/srv'))).toBe('/modules/srv/path')
  expect(pointerAt(first(text), text.indexOf('app'))).toBe('/modules/1/path')
})
