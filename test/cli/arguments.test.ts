import { describe, expect, test } from 'vitest'
import { guessLocale, readArguments, thresholdOf } from '../../adapters/terminal/arguments.ts'
import { UsageFault } from '../../adapters/terminal/usage.ts'

describe('arguments', () => {
  test('a file belongs to the format before it', () => {
    const { outputs } = readArguments([
      'scan',
      '.',
      '-f',
      'sarif',
      '-o',
      'a.sarif',
      '--format=html',
      '--output=b.html',
      '-f',
      'text',
    ])
    expect(outputs).toEqual([{ format: 'sarif', file: 'a.sarif' }, { format: 'html', file: 'b.html' }, { format: 'text' }])
  })

  test('or to the next one', () => {
    expect(readArguments(['scan', '.', '-o', 'a.sarif', '-f', 'sarif', '-f', 'text']).outputs).toEqual([
      { format: 'sarif', file: 'a.sarif' },
      { format: 'text' },
    ])
    expect(readArguments(['scan', '.', '-f', 'html', '-o', 'a', '-o', 'b', '--json']).outputs).toEqual([
      { format: 'html', file: 'a' },
      { format: 'json', file: 'b' },
    ])
  })

  test('a dash is standard output', () => {
    expect(readArguments(['scan', '.', '-f', 'json', '-o', '-']).outputs).toEqual([{ format: 'json' }])
    expect(readArguments(['scan', '.', '-o', '-', '-f', 'sarif', '-o', 'a.html', '-f', 'html']).outputs).toEqual([
      { format: 'sarif' },
      { format: 'html', file: 'a.html' },
    ])
    expect(() => readArguments(['scan', '.', '-f', 'json', '-o', '-', '-f', 'text'])).toThrow(/standard output/)
    expect(() => readArguments(['scan-all', '.', '-o', '-'])).toThrow(/takes one --output/)
  })

  test('without a format the terminal is written to', () => {
    expect(readArguments(['scan', '.']).outputs).toEqual([{ format: 'text' }])
    expect(readArguments(['scan', '.', '--json']).outputs).toEqual([{ format: 'json' }])
  })

  test('threads: a whole number', () => {
    expect(readArguments(['scan', '.']).jobs).toBeUndefined()
    expect(readArguments(['scan', '.', '--jobs', '3']).jobs).toBe(3)
    expect(readArguments(['scan', '.', '-j1']).jobs).toBe(1)
    for (const wrong of ['0', '-1', '65', '1.5', 'all', ''])
      expect(() => readArguments(['scan', '.', `--jobs=${wrong}`])).toThrow(UsageFault)
  })

  test('severities in any case, rules that exist', () => {
    const args = [
      'scan',
      '.',
      '--fail-on',
      'High',
      '--min-severity',
      'LOW',
      '--area',
      'cap',
      '--area',
      'ui5',
      '--rule',
      'cap/CQL-injection',
    ]
    expect(readArguments(args)).toMatchObject({
      failOn: 'HIGH',
      minSeverity: 'LOW',
      areas: ['cap', 'ui5'],
      rules: ['cap/cql-injection'],
    })
  })

  test('formats, areas and languages in any case', () => {
    expect(readArguments(['scan', '.', '-f', 'JSON', '--area', 'CAP', '--lang', 'FR'])).toMatchObject({
      outputs: [{ format: 'json' }],
      areas: ['cap'],
      locale: 'fr',
    })
    expect(readArguments(['scan-all', '.', '-o', 'out', '--format=Sarif']).outputs).toEqual([{ format: 'sarif', file: 'out' }])
    expect(guessLocale(['--lang=Fr'], {})).toBe('fr')
  })

  test('the command line goes before the threshold of a configuration', () => {
    const threshold = (...options: string[]): string | undefined => thresholdOf(readArguments(['scan', '.', ...options]), 'high')
    expect(threshold()).toBe('HIGH')
    expect(threshold('--fail-on', 'low')).toBe('LOW')
    expect(threshold('--fail-on', 'never')).toBeUndefined()
    const onServer = ['--server', 'https://parapet.example', '--fail-on-new', 'low']
    expect(threshold(...onServer)).toBeUndefined()
    expect(threshold(...onServer, '--fail-on', 'critical')).toBe('CRITICAL')
  })

  test('a minimum up to the threshold is no contradiction', () => {
    for (const [least, failOn] of [
      ['high', 'high'],
      ['low', 'high'],
      ['critical', 'never'],
    ])
      expect(readArguments(['scan', '.', `--min-severity=${least}`, `--fail-on=${failOn}`]).minSeverity).toBe(
        least?.toUpperCase(),
      )
  })

  test.each([
    [['-o', 'a'], /Each --output belongs/],
    [['-o', 'a', '-o', 'b', '-f', 'sarif'], /Each --output belongs/],
    [['--source-url', 'javascript:x'], /--source-url takes/],
    [['--source-url', 'http://git.example.com/{path}'], /--source-url takes an https address with \{path\}/],
    [['--source-url', 'https://git.example.com/shop'], /--source-url takes/],
    [['-f', 'sarif', '-o', 'a', '-o', 'b'], /Each --output belongs/],
    [['-f', 'sarif', '-f', 'text'], /standard output/],
    [['-f', 'pdf'], /--format takes text, json, sarif/],
    [['--area', 'ui6'], /--area takes ui5/],
    [['--rule', 'cap/cql'], /did you mean cap\/cql-injection/],
    [['--rule', 'nothing'], /parapet rules lists them/],
    [
      ['--min-severity', 'critical', '--fail-on', 'high'],
      /^--min-severity critical leaves out findings that --fail-on \(high\) counts/,
    ],
    [
      ['--min-severity', 'high', '--fail-on-new', 'low', '--server', 'https://parapet.example'],
      /leaves out findings that --fail-on-new \(low\) counts/,
    ],
    [['--min-severity', 'never'], /--min-severity takes critical, high, medium, low, info$/],
    [['--fail-on', 'x'], /--fail-on takes critical, high, medium, low, info, never$/],
  ])('%j is refused', (args, message) => {
    expect(() => readArguments(['scan', '.', ...args])).toThrow(UsageFault)
    expect(() => readArguments(['scan', '.', ...args])).toThrow(message)
  })
})
