import { expect, test } from 'vitest'
import { createLineTable, positionAt } from '../../core/parse/position.ts'
import { createSecretMasker, maskSlice } from '../../core/report/mask.ts'
import { cutSnippet, showControls } from '../../core/report/snippet.ts'

test('three lines above, three below, where they exist', () => {
  const text = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`).join('\n')
  const lines = createLineTable(text)
  const at = (line: number): string =>
    cutSnippet(text, lines, { start: lines[line - 1] ?? 0, end: (lines[line - 1] ?? 0) + 4 }, () => [])
  expect(at(5).split('\n')).toEqual(['line 2', 'line 3', 'line 4', 'line 5', 'line 6', 'line 7', 'line 8'])
  expect(at(1).split('\n')).toEqual(['line 1', 'line 2', 'line 3', 'line 4'])
  expect(at(10).split('\n')).toEqual(['line 7', 'line 8', 'line 9', 'line 10'])
})

test('a long line is cut around the match', () => {
  const text = `${'a'.repeat(100_000)}MATCH${'b'.repeat(100_000)}`
  const snippet = cutSnippet(text, createLineTable(text), { start: 100_000, end: 100_005 }, () => [])
  expect(snippet).toContain('MATCH')
  expect(snippet.length).toBeLessThanOrEqual(202)
})

test.each([
  ['\n', 2],
  ['\r\n', 2],
  ['\r', 2],
])('lines end with %j', (end, line) => {
  const text = `one${end}two`
  expect(positionAt(createLineTable(text), text.indexOf('two'))).toEqual({ line, column: 1 })
})

test('a line separator of Unicode and a form feed end no line, as in editors', () => {
  expect(createLineTable('a\u2028b\fc').length).toBe(1)
})

test('credentials are blotted out on every line that they touch', () => {
  const text = 'key = "BEGIN\nSECRET\nEND" // rest\nnext'
  const lines = createLineTable(text)
  const span = { start: 7, end: text.indexOf('END') + 3 }
  expect(cutSnippet(text, lines, { start: 0, end: 3 }, () => [span])).toBe('key = "***\n***\n***" // rest\nnext')
  expect(
    maskSlice(text, 0, text.length, [
      { start: 7, end: 10 },
      { start: 8, end: 12 },
    ]),
  ).toBe(`key = "***${'***'}${text.slice(12)}`.replace('******', '******'))
})

test('what looks random in the code of a finding is masked, and a finding within it is shown', () => {
  const digits = Array.from({ length: 32 }, (_, at) => ((at * 7 + 3) % 16).toString(16)).join('')
  const text = `run('SELECT ' || x || '${digits}')`
  const lines = createLineTable(text)
  expect(cutSnippet(text, lines, { start: 0, end: text.length }, () => [])).toBe("run('SELECT ' || x || '***')")
  const start = text.indexOf(digits)
  expect(cutSnippet(text, lines, { start, end: start + digits.length }, () => [])).toBe(text)
})

test('a known value is masked whole, of which a part looks random', () => {
  const digits = Array.from({ length: 32 }, (_, at) => ((at * 7 + 3) % 16).toString(16)).join('')
  const value = `production$abcd$${digits}`
  const text = `fetch('http://ci:${value}@a.example')`
  const placesIn = (line: string): { start: number; end: number }[] => {
    const start = line.indexOf(value)
    return start === -1 ? [] : [{ start, end: start + value.length }]
  }
  const snippet = cutSnippet(text, createLineTable(text), { start: 0, end: 5 }, () => [], placesIn)
  expect(snippet).toBe("fetch('http://ci:***@a.example')")
})

test('a value inside a composed text is masked, the longest first', () => {
  const masker = createSecretMasker()
  expect(masker.add('a', { start: 0, end: 4 }, 'hunt')).toBe(0)
  expect(masker.add('b', { start: 0, end: 6 }, 'hunter')).toBe(1)
  expect(masker.add('c', { start: 0, end: 4 }, 'hunt')).toBe(0)
  expect(masker.mask('user:hunter@host hunt')).toBe('user:***@host ***')
})

test('characters that reorder or hide text are shown', () => {
  expect(showControls('a\u202Eb\u0007c\u200B\ttab')).toBe('a<U+202E>b<U+0007>c<U+200B>\ttab')
})
