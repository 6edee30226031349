import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'
import { drawSecret } from '../secret-values.ts'

const secret = drawSecret('password', 'signed tokens')
const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

function tokenOf(key: string, ends: string): string {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: 'keeper', iat: 1_760_000_000, exp: Date.parse(ends) / 1000 })}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

/** The severity of the token. */
async function grade(token: string, settings: string): Promise<string> {
  const files = { '.env': settings, 'requests/halls.http': `GET http://localhost:4004/halls\nAuthorization: Bearer ${token}\n` }
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
})
