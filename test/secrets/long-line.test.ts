import { afterAll, describe, expect, test } from 'vitest'
import { drawn, runs } from '../soak.ts'
import { RULES } from '../../core/rules/index.ts'
import { loadWriter } from '../../core/writers.ts'
import { scanFiles } from '../scan-files.ts'
import { drawSecret } from '../secret-values.ts'
import { createCounter, openCredentials, SECRET_KEYWORDS } from './open-credentials.ts'
import { cpuTime } from '../cpu-time.ts'

const KiB = 1024
/** 50 ms at most: those of a line, and what is counted before its places are read. A step is some 100 ns. */
const MOST_STEPS = 380_000
const PATHS = ['srv/a.txt', 'srv/a.js', 'deploy/a.sh', 'config/a.yaml', 'docs/a.md', 'config/a.json', 'a.http', '.env'] as const
/** What opens and what ends a place, so that each reader goes as far as it can. */
const OPENINGS = ['', '"', "'", '<', '--', '?', '&', ';', '.', '$', ' ', '{', ':', '${', '//', '`', '[', '|'] as const
const ENDINGS = [
  '',
  ' ',
  '=',
  ':',
  ': ',
  '="',
  '": "',
  "='a' ",
  "', '",
  "('",
  '("a", "b") ',
  ' -p ',
  '>',
  '</a>',
  '=a;',
  '= {',
  '={a:',
  '=a&',
  ' => "',
  ' TYPE string VALUE ',
  ' || "',
  '\\"',
  '=${',
  '[{(',
] as const

/** In a soak lines are twice as long. */
const LENGTH = runs(2, 2)

interface Reading {
  readonly steps: number
  readonly isCut: boolean
  readonly milliseconds: number
}

function read(unit: string, path: string, size: number): Reading {
  const budget = createCounter()
  const file = openCredentials(unit.repeat(Math.ceil(size / unit.length)), { path, budget })
  const start = cpuTime()
  const { isCut } = file.found()
  return { steps: budget.spent, isCut, milliseconds: cpuTime() - start }
}

/** One keyword of ten, in a soak all: with one opening and ending again and again, in a soak with others, and with all endings by turns. */
const PER_KEYWORD = runs(10)
const UNITS_OF = SECRET_KEYWORDS.map((keyword, index): readonly (readonly [unit: string, path: string])[] => {
  const pick = (list: readonly string[], at: number): string => list[at % list.length] ?? ''
  const single = Array.from({ length: PER_KEYWORD }, (_, turn) => {
    const at = index + turn * 7
    return [`${pick(OPENINGS, at * 5)}${keyword}${pick(ENDINGS, at * 7)}`, pick(PATHS, at * 3)] as const
  })
  const all = ENDINGS.map((ending, at) => `${pick(OPENINGS, index + at)}${keyword}${ending}`).join('')
  return [...single, [all, pick(PATHS, index)] as const]
})
const UNITS = drawn(UNITS_OF).flat()

const binding = drawSecret('sap-binding', 'line')
/** The readers at their worst, nested and by turns. */
const READERS: readonly (readonly [unit: string, path: string])[] = [
  ['credentials:', 'srv/a.txt'],
  ['host=a password=b ', 'srv/a.js'],
  ['"host=a password=', 'srv/a.js'],
  ['echo a| --password-stdin ', 'deploy/a.sh'],
  ['--password-stdin', 'deploy/a.sh'],
  ['?pwd=', 'srv/a.txt'],
  ['&password=a;', 'srv/a.js'],
  ['password="a\\"', 'srv/a.js'],
  ['"password":{"secret":{', 'config/a.json'],
  ['password: {token: [', 'config/a.yaml'],
  ['{password: a, ', 'config/a.yaml'],
  ['- name: db_password, value: ', 'config/a.yaml'],
  ['variable "db_password" { default = ', 'infra/a.tf'],
  ['name="password" <', 'a.xml'],
  ['<name>password</name><value>', 'a.xml'],
  ['curl -u a:b -u ', 'deploy/a.sh'],
  ['mysql -p', 'deploy/a.sh'],
  ["'cf','login',", 'srv/a.js'],
  ['Authorization: Basic ', 'a.http'],
  ['Bearer abc', 'srv/a.js'],
  ['getConnection("a", "b", ', 'srv/A.java'],
  ['btoa("a:', 'srv/a.js'],
  ['create user a identified by ', 'db/a.sql'],
  ["bind('cn=", 'srv/a.js'],
  ['cookieSession({ keys: [', 'srv/a.js'],
  ['https://a:b@', 'srv/a.txt'],
  ['jdbc:sap://h?user=a&password=', 'srv/a.txt'],
  ['postgres://u:', 'srv/a.txt'],
  ['kind: Secret ', 'k8s/a.yaml'],
  ['machine a login b password ', '.netrc'],
  [':*:', '.pgpass'],
  ['<input type="password" value=', 'webapp/a.html'],
  ["fill('#password', ", 'test/a.js'],
  ['\\u0070assword=', 'srv/a.js'],
  [binding.slice(0, 37), 'srv/a.txt'],
  [`${binding.slice(0, 36)}%24`, 'srv/a.txt'],
  [binding, 'srv/a.txt'],
  [`"${binding.slice(0, -1)}`, 'srv/a.js'],
  [`${drawSecret('pkcs8-key', 'line').split('\n')[0] ?? ''}\\n`, 'srv/a.js'],
  ['eyJhIjoi', 'srv/a.js'],
  ['eyJhbGciOiJ9.eyJ', 'srv/a.js'],
  ['YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo ewog', 'srv/a.js'],
  ['| password | ', 'docs/a.md'],
  ['password is `', 'docs/a.md'],
  ['// password: ', 'srv/a.js'],
  ['é password = "a', 'srv/a.js'],
]

const told: string[] = []
afterAll(() => {
  process.stdout.write(`${LENGTH} MB on one line, in ms\n${told.join('\n')}\n`)
})

/** Twice the input costs at most twice the steps, and neither more than the bound. */
function expectLinear(unit: string, path: string, size: number): void {
  const small = read(unit, path, size)
  const large = read(unit, path, 2 * size)
  expect(large.steps).toBeLessThanOrEqual(small.steps * 2.2 + 100)
  expect(large.steps).toBeLessThan(MOST_STEPS)
}

describe('on one line every keyword costs steps in proportion, and no more than 50 ms', () => {
  test.each(UNITS)('%j in %s', (unit, path) => {
    expectLinear(unit, path, 16 * LENGTH * KiB)
  })

  test('by turns', () => {
    for (let first = 0; first < SECRET_KEYWORDS.length; first += 60) {
      const unit = SECRET_KEYWORDS.slice(first, first + 60)
        .map((keyword, at) => `${keyword}${ENDINGS[at % ENDINGS.length] ?? ''}`)
        .join(' ')
      expectLinear(unit, 'srv/a.js', 32 * LENGTH * KiB)
    }
  })
})

describe('a megabyte and more on one line', () => {
  test.each(READERS)('%j in %s', (unit, path) => {
    expectLinear(unit, path, 256 * LENGTH * KiB)
    const { steps, milliseconds } = read(unit, path, 1024 * LENGTH * KiB)
    told.push(`${milliseconds.toFixed(0).padStart(6)} ${JSON.stringify(unit.slice(0, 40))}`)
    expect(steps).toBeLessThan(MOST_STEPS)
  })
})

describe('what a line has beyond its steps', () => {
  test('is told in a notice, and what came first is found', () => {
    const secret = drawSecret('password', 'line')
    const text = `const password = "${secret}"; ${'password="a" '.repeat(60_000)}\n`
    const file = openCredentials(text, { path: 'srv/a.js' })
    expect(file.found().isCut).toBe(true)
    expect([...file.found().byRow.values()].flat().map(({ value }) => value)).toContain(secret)
  })

  test('is no matter of the lines after it', () => {
    const secret = drawSecret('password', 'line')
    const text = `${'password="a" '.repeat(60_000)}\nconst password = "${secret}"\n`
    const file = openCredentials(text, { path: 'srv/a.js' })
    expect([...file.found().byRow.values()].flat().map(({ value }) => value)).toEqual([secret])
  })

  test('is nothing in half a megabyte of reports of our own', async () => {
    const { en } = await scanFiles(new Map([['srv/a.js', "module.exports = (req) => eval(req.query.code + 'é')\n"]]))
    const write = await loadWriter('sarif')
    const sarif = JSON.stringify(JSON.parse([...write(en, { locale: 'fr', rules: RULES, version: '0.0.0' })].join('')))
    const reports = `${sarif} `.repeat(Math.ceil((512 * KiB) / sarif.length))
    const file = openCredentials(reports, { path: 'reports/parapet.sarif' })
    expect(file.found().isCut).toBe(false)
  })

  test('is nothing in a bundle that has names as bundles have them', () => {
    const code = `function a(b,c){return b.token?c.password:b.getKey("secret")}`.padEnd(700, 'x(y,z);')
    const file = openCredentials(code.repeat(Math.ceil((2048 * KiB) / code.length)), { path: 'webapp/resources/a.js' })
    expect(file.found().isCut).toBe(false)
  })
})
