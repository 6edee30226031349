import { describe, expect, test } from 'vitest'
import { TOKEN_ROWS } from '../../core/secrets/index.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { drawSecret } from '../secret-values.ts'
import { drawRow } from './draw-row.ts'
import { openCredentials } from './open-credentials.ts'

const password = drawSecret('password', 'urls')

function urlsIn(text: string): string[] {
  return openCredentials(text)
    .urls()
    .map(({ scheme, user, password: found, host }) => [scheme, user, found, host].join(' | '))
}

describe('reading', () => {
  test.each([
    ['https://u:p@h', 'https | u | p | h'],
    ['HTTPS://u:p@h:8080/x', 'https | u | p | h'],
    ['postgresql+psycopg2://u:p@h/db', 'postgresql+psycopg2 | u | p | h'],
    ['jdbc:postgresql://u:p@h/db', 'postgresql | u | p | h'],
    ['redis://:p@h', 'redis |  | p | h'],
    ['mongodb://u:p@h1,h2:27017/x', 'mongodb | u | p | h1'],
    ['http://u:p@[::1]:80/', 'http | u | p | [::1]'],
    ['http://u:p@ss@h/', 'http | u | p@ss | h'],
    ['http://u:p:q@h/', 'http | u | p:q | h'],
    ["'http://u:p@' + host", 'http | u | p | '],
    ['http:\\/\\/u:p@h\\/x', 'http | u | p | h'],
    ['<a href="http://u:p&amp;q@h">', 'http | u | p&amp;q | h'],
    ['https://${env:user}:p@h', 'https | ${env:user} | p | h'],
    ['https://${user}:${password}@${host}', 'https | ${user} | ${password} | ${host}'],
  ])('%s', (text, expected) => expect(urlsIn(text)).toEqual([expected]))

  test.each([
    'https://h/u:p@x',
    'https://h:80/@x',
    'https://h?u:p@x',
    'https://h#u:p@x',
    'https://u@h',
    'https://{{a:b}}@h',
    'https://{a:b@h',
    'https://u:@h',
    'https:// u:p@h',
    'https://u:p @h',
    '/(\\w+):\\/\\/(\\w+):(\\w+)@/',
    'https://<u>:p@h',
    'https://h:"p@h',
    'u:p@h',
    `https://u:${'p'.repeat(500)}@h`,
  ])('none in %s', (text) => expect(urlsIn(text)).toEqual([]))

  test('a host that never ends', () => {
    expect(urlsIn(`http://u:p@${'h'.repeat(5000)}`)[0]?.length).toBeLessThan(300)
    expect(urlsIn(`http://u:p@[${'h'.repeat(5000)}`)).toEqual(['http | u | p | '])
  })
})

async function grade(url: string, path = 'srv/a.js'): Promise<string | undefined> {
  const { en } = await scanFiles(
    new Map([
      [path, `const a = '${url}'\n`],
      ['z.txt', ''],
    ]),
  )
  const finding = allFindings(en).find(({ ruleId }) => ruleId.startsWith('secrets/'))
  return finding && `${finding.ruleId.slice(8)} ${finding.severity} ${finding.confidence}`
}

describe('judging', () => {
  test.each<[string, string, string?]>([
    [`https://tech:${password}@corp.cloud`, 'basic-auth-url CRITICAL high'],
    [`https://corp:${password}@`, 'basic-auth-url HIGH high'],
    [`https://\${user}:${password}@corp.cloud`, 'basic-auth-url CRITICAL high'],
    [`https://user:${password}@corp.cloud`, 'basic-auth-url CRITICAL high'],
    ['https://tech:Sommer2024!@corp.cloud', 'basic-auth-url CRITICAL high'],
    ['https://tech:initial@corp.cloud', 'basic-auth-url HIGH high'],
    ['https://tech:initial@gateway', 'basic-auth-url LOW high'],
    ['https://tech:initial@localhost', 'basic-auth-url LOW high'],
    [`https://tech:${password}@api.example.com`, 'basic-auth-url HIGH medium'],
    [`https://tech:${password}@corp.cloud`, 'basic-auth-url HIGH medium', 'test/a.js'],
    [`https://tech:${password}@localhost`, 'basic-auth-url INFO medium', 'test/a.js'],
    [`postgres://tech:${password}@corp.cloud`, 'db-uri CRITICAL high'],
    [`redis://:${password}@cache`, 'db-uri HIGH high'],
    ['mysql://root:admin@corp.cloud', 'db-uri HIGH high'],
    [`mysql://root:${password}@127.0.0.1`, 'db-uri LOW high'],
    [`https://tech:${password}@corp.cloud`, 'basic-auth-url CRITICAL high', 'thirdparty/a.js'],
    [`https://tech:${password}@corp.cloud`, 'basic-auth-url CRITICAL high', 'package-lock.json'],
  ])('%s is %s', async (url, expected, path) => expect(await grade(url, path)).toBe(expected))

  test.each<[string, string?]>([
    ['https://tech:tech@corp.cloud'],
    ['https://tech:t%65ch@corp.cloud'],
    ['https://tech:abc@corp.cloud'],
    ['https://corp.cloud:8443@other.cloud'],
    ['https://user:geheim@corp.cloud'],
    ['https://tech:Sommer2024!@www.example.com'],
    ['https://tech:initial@corp.cloud', 'test/a.js'],
    ['https://tech:changeme@corp.cloud'],
    ['https://abc:x-oauth-basic@corp.cloud'],
    [`https://tech:${password}@corp.cloud`, 'webapp/i18n/i18n.properties'],
    [`spdy://tech:${password}@corp.cloud`],
  ])('%s is nothing', async (url, path) => expect(await grade(url, path)).toBeUndefined())
})

/** Whoever reads a `%` in a password as the sign of a variable: `%2Fword%`. */
test('signs that an address encodes are no references', async () => {
  const [first, second] = [drawSecret('token', 'encoded'), drawSecret('token', 'encoded too')]
  const { en } = await scanFiles(new Map([['srv/a.txt', `http://ci:${first}%2F${second}%2Bx1@repo.corp.cloud/m2`]]))
  expect(allFindings(en).map(({ ruleId }) => ruleId)).toEqual(['secrets/basic-auth-url'])
})

test('a token in the place of a password is told once, as the token that it is', async () => {
  const rows = TOKEN_ROWS.filter(({ shape }) => shape !== undefined)
  const urls = rows.map((row): [string, string] => [row.name, drawRow(row, 'in a URL')]).filter(([, v]) => /^[\w.~+=-]+$/.test(v))
  const files = new Map(
    urls.map(([name, value]): [string, string] => [`srv/${name}.txt`, `http://ci:${value}@repo.corp.cloud/m2\n`]),
  )
  const { en } = await scanFiles(files)
  const told = allFindings(en)
  expect(urls.length).toBeGreaterThan(100)
  expect(files.size - new Set(told.map(({ file }) => file)).size).toBe(0)
  expect(told.length).toBe(files.size)
  for (const [, value] of urls) expect(JSON.stringify(en)).not.toContain(value)
})
