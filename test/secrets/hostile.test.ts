import { describe, expect, test } from 'vitest'
import { createBudget, StopSignal } from '../../core/budget.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { drawSecret } from '../secret-values.ts'
import { drawn, runs } from '../soak.ts'
import { createCounter, openCredentials, SECRET_KEYWORDS, SECRET_RULES } from './open-credentials.ts'

const KiB = 1024
/** As the engine gives them: some for a small file, and some for each byte. */
const STEPS_PER_BYTE = 10

/** Runs all rules of the area on a text, and the reader of pairs; gives the steps and the matches. */
function run(text: string, path = 'srv/file.txt'): { steps: number; matches: number } {
  const budget = createCounter()
  const file = openCredentials(text, { path, budget })
  let matches = 0
  for (const rule of SECRET_RULES) {
    try {
      for (const _ of rule.checks.credentials?.(file, { date: '2026-11-20' }) ?? []) matches++
    } catch (error) {
      if (!(error instanceof StopSignal)) throw error
    }
  }
  file.pairs(['clientsecret'])
  return { steps: budget.spent, matches }
}

const binding = drawSecret('sap-binding', 'hostile')
const header = drawSecret('pkcs8-key', 'hostile').split('\n')[0] ?? ''

/** What is repeated: single signs, each keyword, beginnings of what the readers look for. */
const SIGNS: readonly string[] = [
  'a',
  '=',
  '"',
  '-',
  '\\',
  '%',
  '&',
  ' ',
  '\n',
  ':',
  '@',
  '$',
  '/',
  '{',
  'é',
  '😀',
  '\\u',
  '&#',
  'https://a:b@',
  'https://a:',
  'postgres://u:',
  '://@',
  'http://u:p@[',
  `postgres://u:${'p'.repeat(390)}`,
  header,
  `${header}\\n`,
  `${header}" + "`,
  `${header}${'A'.repeat(120)}`,
  '" + "',
  '"\n//',
  '\n# ',
  '&#10;',
  binding.slice(0, 37),
  `${binding.slice(0, -1)}`,
  `${binding.slice(0, 36)}%24`,
  `\\${binding.slice(0, 37)}`,
  '0$\\',
  'f%24',
  'eyJhIjoi',
  'YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo',
  `${'QUJD'.repeat(19)}\n`,
  'clientsecret=',
  'clientsecret: "',
  '"clientsecret":{',
  'clientsecret==',
  '<clientsecret>',
  '>',
  'a=b:',
  'kind: secret\n',
]

/** Texts of some tens of the keywords, in a soak long ones of all: what is quadratic is so at any size. */
const KEYWORD_SIZE = runs(64, 4) * KiB
const UNITS: readonly (readonly [string, number])[] = [
  ...SIGNS.map((unit) => [unit, 64 * KiB] as const),
  ...drawn(SECRET_KEYWORDS).map((unit) => [unit, KEYWORD_SIZE] as const),
]

describe('steps are in proportion to the text', () => {
  test.each(UNITS)('%j', (unit, size) => {
    const repeat = (length: number): string => unit.repeat(Math.ceil(length / unit.length))
    const small = run(repeat(size))
    const large = run(repeat(size * 2))
    expect(large.steps).toBeLessThanOrEqual(small.steps * 2.3 + 2000)
    expect(large.steps).toBeLessThan(size * 2 * STEPS_PER_BYTE)
  })

  test.each(SIGNS.map((unit) => [unit]))('behind what opens a secret: %j', (unit) => {
    for (const opening of [header, 'https://user:', binding.slice(0, 37), 'clientsecret: "eyJ']) {
      const { steps } = run(opening + unit.repeat(Math.ceil((64 * KiB) / unit.length)))
      expect(steps).toBeLessThan(64 * KiB * STEPS_PER_BYTE)
    }
  })
})

describe('2 MB on one line', () => {
  test.each([
    ['letters', 'a'],
    ['addresses', 'https://cdn.corp.cloud/x '],
    ['headers', header],
    ['ends of a GUID', '0$'],
    ['base64', 'eyJhIjoi'],
    ['beginnings of tokens', 'eyJ='],
    ['names', 'password: '],
  ])('%s', (_, unit) => {
    const size = 2048 * KiB
    expect(run(unit.repeat(Math.ceil(size / unit.length))).steps).toBeLessThan(size * 6)
  })
})

test('5 MB full of passwords end with a notice, and what was found first is told', async () => {
  const line = (index: number): string => `https://tech:${index.toString(36)}x9Zk${index * 7919}@corp.cloud\n`
  const text = Array.from({ length: 110_000 }, (_, index) => line(index)).join('')
  const { en } = await scanFiles(new Map([['srv/a.txt', text]]))
  expect(allFindings(en).length).toBe(100)
  expect(en.notices.map(({ code }) => code).sort()).toEqual(['findings-capped', 'time-limit'])
  expect(en.complete).toBe(false)
})

test('one password in a hundred places is one finding', async () => {
  const line = `https://tech:${drawSecret('password', 'hostile')}@corp.cloud\n`
  const { en } = await scanFiles(new Map([['srv/a.txt', line.repeat(90)]]))
  expect(allFindings(en).map(({ occurrences }) => occurrences?.length)).toEqual([89])
})

test('a rule that is out of steps stops', () => {
  const file = openCredentials('https://a:b@'.repeat(10_000), { budget: createBudget(100) })
  expect(() => file.urls()).toThrow(StopSignal)
})
