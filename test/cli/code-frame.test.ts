import { expect, test } from 'vitest'
import { printCodeFrame } from '../../adapters/terminal/code-frame.ts'
import { findNearMiss } from '../../core/near-miss.ts'
import { createPainter } from '../../adapters/terminal/paint.ts'
import { wrapLine } from '../../adapters/terminal/wrap.ts'
import { createFinding } from '../report/writers/reports.ts'

const paint = createPainter({}, {})
const snippet = ['seven', 'eight', 'nine', '\teval(input)', 'eleven', 'twelve'].join('\n')
const place = { snippet, line: 10, column: 2, endLine: 10, endColumn: 13 }

test('three lines, with a mark under what was found', () => {
  expect(printCodeFrame(createFinding(1, place), paint, '  ')).toEqual([
    '   9 | nine',
    '  10 |  eval(input)',
    '     |  ^~~~~~~~~~~',
    '  11 | eleven',
  ])
})

test('a match over several lines is marked to the end of its first, one in a line that was cut not at all', () => {
  const over = printCodeFrame(createFinding(1, { ...place, endLine: 12, endColumn: 3 }), paint, '')
  expect(over[2]).toBe('   |  ^~~~~~~~~~~')
  const cut = printCodeFrame(createFinding(1, { ...place, snippet: snippet.replace('\teval', '\u2026eval') }), paint, '')
  expect(cut).toHaveLength(3)
  expect(printCodeFrame(createFinding(1, { ...place, snippet: undefined }), paint, '')).toEqual([])
})

test('what a terminal would obey is shown, and the mark stands below it', () => {
  const hostile = printCodeFrame(createFinding(1, { ...place, snippet: snippet.replace('\teval', '\u001beval') }), paint, '')
  expect(hostile.slice(1, 3)).toEqual(['10 | \\x1beval(input)', '   |     ^~~~~~~~~~~'])
})

test('code has the colours of its language where the terminal has any', () => {
  const coloured = printCodeFrame(
    createFinding(1, { ...place, snippet: snippet.replace('\teval(input)', "\tconst a = 'x' // why") }),
    createPainter({}, { FORCE_COLOR: '1' }),
    '',
  )
  expect(coloured[1]).toContain(" \u001b[35mconst\u001b[0m a = \u001b[32m'x'\u001b[0m \u001b[2m// why\u001b[0m")
})

test('lines are cut between words at the width, and keep their indent', () => {
  const line = `    ${'word '.repeat(20).trim()}`
  const lines = wrapLine(line, 50)
  expect(lines.length).toBe(3)
  expect(lines.every((one) => one.length <= 50 && one.startsWith('    word'))).toBe(true)
  expect(lines.map((one) => one.trim()).join(' ')).toBe(line.trim())
  expect(wrapLine(line, undefined)).toEqual([line])
  expect(wrapLine(line, 30)).toEqual([line])
})

test.each([
  ['scann', 'scan'],
  ['sacn', 'scan'],
  ['expl', 'explain'],
  ['ruls', 'rules'],
  ['deploy', undefined],
  ['x', undefined],
])('%s is near to %s', (typed, meant) => {
  expect(findNearMiss(typed, ['scan', 'serve', 'rules', 'explain', 'compare', 'advisories', 'init', 'help'])).toBe(meant)
})
