import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'
import { drawSecret } from '../secret-values.ts'

const secret = drawSecret('password', 'signed tokens')
const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

function tokenOf(key: string, ends: string, more: object = {}): string {
  const payload = { sub: 'keeper', iat: 1_760_000_000, exp: Date.parse(ends) / 1000, ...more }
  const signed = `${encode({ typ: 'JWT', alg: 'HS256' })}.${encode(payload)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

/** The severity of the token. */
async function grade(token: string, settings: string, path = '.env'): Promise<string> {
  const files = { [path]: settings, 'requests/halls.http': `GET http://localhost:4004/halls\nAuthorization: Bearer ${token}\n` }
  const { en } = await scanFiles(new Map(Object.entries(files)))
  return allFindings(en)
    .filter(({ file }) => file === 'requests/halls.http')
    .map(({ severity }) => severity)
    .join()
}

describe('a token in a file of requests', () => {
  test.each([
    ['is no guess where a committed value has signed it', tokenOf(secret, '2051-01-01'), `TOKEN_KEY=${secret}\n`, 'HIGH'],
    ['may be anything where none has', tokenOf(`${secret}x`, '2051-01-01'), `TOKEN_KEY=${secret}\n`, 'LOW'],
    ['opens nothing once it has ended', tokenOf(secret, '2025-11-01'), `TOKEN_KEY=${secret}\n`, 'LOW'],
  ])('%s', async (_, token, settings, severity) => {
    expect(await grade(token, settings)).toBe(severity)
  })

  test('counts for everybody where pages hold it', async () => {
    expect(await grade(tokenOf(secret, '2051-01-01', { role: 'anon' }), `TOKEN_KEY=${secret}\n`)).toBe('')
  })

  test.each([
    [
      'a binding in a list',
      'default-env.json',
      JSON.stringify({ VCAP_SERVICES: { kept: [{ credentials: { key: secret } }] } }),
      'HIGH',
    ],
    ['a sample of settings', '.env.example', `TOKEN_KEY=${secret}\n`, 'LOW'],
    ['settings of tests', '.env.test', `TOKEN_KEY=${secret}\n`, 'LOW'],
  ])('is signed by %s', async (_, path, settings, severity) => {
    expect(await grade(tokenOf(secret, '2051-01-01'), settings, path)).toBe(severity)
  })

  test('is no proof by a value that stands for another one', async () => {
    expect(await grade(tokenOf('your-256-bit-secret', '2051-01-01'), 'TOKEN_KEY=your-256-bit-secret\n')).toBe('LOW')
  })
})
