import { describe, expect, test } from 'vitest'
import { literalOf, TOKEN_ROWS, type Candidate, type TokenRow } from '../../core/secrets/index.ts'
import { tokenRules } from '../../core/rules/secrets/token-rules.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { runs } from '../soak.ts'
import { drawRow, placeOf } from './draw-row.ts'
import { openCredentials } from './open-credentials.ts'

const SHAPED = TOKEN_ROWS.filter(({ shape, words }) => shape !== undefined && words === undefined)
const SEEDS = Array.from({ length: runs(20) }, (_, seed) => String(seed))

/** What is found in a file of no special kind. */
function find(text: string, path = 'srv/file.txt'): Candidate[] {
  return [...openCredentials(text, { path }).found().byRow.values()].flat()
}

function written(row: TokenRow, value: string): string {
  return `x: "${placeOf(row, value)}"\n`
}

describe('the table', () => {
  test('names are unique, and each row is a rule', () => {
    expect(new Set(TOKEN_ROWS.map(({ name }) => name)).size).toBe(TOKEN_ROWS.length)
    expect(tokenRules.map(({ id }) => id)).toEqual(TOKEN_ROWS.map(({ name }) => `secrets/${name}`))
    expect(TOKEN_ROWS.length).toBeGreaterThanOrEqual(200)
  })

  test.each(TOKEN_ROWS.map((row) => [row.name, row]))('%s: its words', (_, row) => {
    for (const text of [row.what.en, row.what.fr]) expect(text).not.toMatch(/^[aA]n? |\.$|^(?:un|une|le|la) /)
    expect(`Hard-coded ${row.what.en}`.length).toBeLessThanOrEqual(70)
    expect(`Secret en dur : ${row.what.fr}`.length).toBeLessThanOrEqual(87)
    expect(row.docs).toMatch(/^https:\/\/[\w.-]+\//)
  })

  test.each(SHAPED.map((row) => [row.name, row]))('%s: no part of its shape repeats without a bound', (_, row) => {
    expect(row.shape?.replaceAll(/\[[^\]]*\]|\\./g, 'x')).not.toMatch(/[*+]|\{\d+,\}|\)\{\d\d/)
    for (const keyword of row.keywords ?? [literalOf(row.shape ?? '')]) expect(keyword.length).toBeGreaterThanOrEqual(2)
  })
})

describe.each(SHAPED.map((row) => [row.name, row]))('%s', (_, row) => {
  const value = drawRow(row, 'twin')

  test('drawn ones are found, each at its place', () => {
    const missed = SEEDS.filter((seed) => {
      const drawn = drawRow(row, seed, seed === '0' ? 'least' : 'any')
      const text = written(row, drawn)
      const found = find(text)
      return !found.some(({ row: name, span }) => name === row.name && text.slice(span.start, span.end) === drawn)
    })
    expect(missed).toEqual([])
  })

  test('one that is too short is none', () => {
    // the parts of a JSON Web Token have no length of their own
    const short = drawRow(row, 'short', 'least').slice(0, row.check === 'jwt' ? 40 : -1)
    expect(find(written(row, short)).map(({ row: name }) => name)).not.toContain(row.name)
  })

  test('a placeholder is none', () => {
    const literal = literalOf(row.shape ?? '')
    const blank = literal + value.slice(literal.length).replaceAll(/[A-Za-z0-9]/g, 'x')
    const named = `${literal}${'YOUR-TOKEN-HERE-EXAMPLE-'.repeat(20)}`.slice(0, value.length)
    expect(find(written(row, blank) + written(row, named)).map(({ row: name }) => name)).not.toContain(row.name)
  })

  test('a reference is none', () => {
    const literal = literalOf(row.shape ?? '')
    for (const reference of ['${TOKEN}', '{{token}}', '$(token)', 'process.env.TOKEN', '((token))', '<token>'])
      expect(find(written(row, literal + reference))).toEqual([])
  })

  test('in a test it is less', () => {
    const [found] = find(written(row, value))
    const [lesser] = find(written(row, value), 'test/file.txt')
    expect(lesser?.row).toBe(found?.row)
    expect(lesser?.confidence).not.toBe('high')
    expect([found?.evidence, lesser?.evidence]).toEqual([
      expect.any(String),
      found?.evidence === 'shown' || found?.impact !== 'takeover' ? 'assumed' : 'guessed',
    ])
  })
})

test('a token whose checksum is wrong is LOW', () => {
  for (const row of TOKEN_ROWS.filter(({ check }) => check === 'crc32')) {
    const value = drawRow(row, 'checksum')
    const mangled = value.slice(0, -1) + (value.endsWith('a') ? 'b' : 'a')
    expect(find(written(row, value)).map(({ impact, evidence }) => [impact, evidence])).toEqual([['takeover', 'shown']])
    expect(find(written(row, mangled)).map(({ evidence, confidence, variant }) => [evidence, confidence, variant])).toEqual([
      ['guessed', 'low', 'checksum'],
    ])
  }
})

test('a bearer token longer than a JSON Web Token mostly is tells its end and its length too', async () => {
  const row = TOKEN_ROWS.find(({ check }) => check === 'jwt')
  const [head = '', , signature = ''] = row === undefined ? [] : drawRow(row, 'bearer').split('.')
  const scopes = Array.from({ length: 200 }, (_, index) => `orchard-${(index * 7919).toString(36)}.Read`)
  const payload = Buffer.from(JSON.stringify({ exp: 1_600_000_000, scopes })).toString('base64url')
  const token = `${head}.${payload}.${signature}`
  const { en } = await scanFiles(new Map([['srv/file.js', `// const t = 'Bearer ${token}'\n`]]))
  const found = allFindings(en).map(
    ({ ruleId, severity, message }) => `${ruleId} ${severity} ${/\d+ characters/.exec(message)?.[0] ?? ''}`,
  )
  expect(found).toEqual([`secrets/bearer-header LOW ${token.length} characters`])
})

test('a token that has expired is LOW, and its text says so', async () => {
  const row = TOKEN_ROWS.find(({ check }) => check === 'jwt')
  const [head = '', , signature = ''] = row === undefined ? [] : drawRow(row, 'expired').split('.')
  const texts: string[] = []
  for (const exp of [4_102_444_800, 1_600_000_000]) {
    const payload = Buffer.from(JSON.stringify({ sub: 'shop-sync', exp })).toString('base64url')
    const { en } = await scanFiles(new Map([['srv/file.txt', `x: "${head}.${payload}.${signature}"\n`]]))
    for (const { severity, why } of allFindings(en)) texts.push(`${severity} ${why}`)
  }
  expect(texts).toEqual([expect.stringMatching(/^HIGH .*until it expires/), expect.stringMatching(/^LOW The token has expired/)])
})

test('a token that only shows what one looks like is none', async () => {
  const row = TOKEN_ROWS.find(({ check }) => check === 'jwt')
  const [head = '', , signature = ''] = row === undefined ? [] : drawRow(row, 'sample').split('.')
  const write = (iss: string, signed: string): string =>
    `${head}.${Buffer.from(JSON.stringify({ sub: 'shop-sync', iss })).toString('base64url')}.${signed}`
  const readable = Buffer.from('{signature over header and payload}').toString('base64url')
  const tokens = {
    signed: write('https://login.orchard.cloud', signature),
    'signed by a reserved host': write('https://login.example.com', signature),
    readable: write('https://login.orchard.cloud', readable),
  }
  const found: string[] = []
  for (const [name, token] of Object.entries(tokens))
    for (const text of [`x: "${token}"\n`, `accessToken: "${token}"\n`, `curl -H "Authorization: Bearer ${token}"\n`]) {
      const { en } = await scanFiles(new Map([['srv/file.txt', text]]))
      for (const { ruleId } of allFindings(en)) found.push(`${name} ${ruleId}`)
    }
  expect(new Set(found)).toEqual(new Set(['signed secrets/jwt', 'signed by a reserved host secrets/jwt']))
  expect(found).toHaveLength(6)
})
