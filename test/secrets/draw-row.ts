import { crc32 } from 'node:zlib'
import type { TokenRow } from '../../core/secrets/index.ts'
import { createDice, drawShape, type Amount } from './draw-shape.ts'

const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Draws a credential of a row that its checks let pass; no file of this project holds one. */
export function drawRow(row: TokenRow, seed: string, amount: Amount = 'any'): string {
  const dice = createDice(`${row.name} ${seed}`)
  const drawn = drawShape(row.shape ?? '', dice, amount)
  if (row.check === 'crc32') return withChecksum(drawn)
  if (row.check === 'jwt') return drawJwt(drawn)
  if (row.check === 'json') return drawn.replace(/(?<=eyJ).{8}/, (part) => toBase64('{"k":"nd').slice(3, 3 + part.length))
  return drawn
}

function withChecksum(token: string): string {
  const start = token.indexOf('_') + 1
  const body = token.slice(start, -6)
  let rest = crc32(body)
  let tail = ''
  for (let digit = 0; digit < 6; digit++) {
    tail = (BASE_62[rest % 62] ?? '') + tail
    rest = Math.floor(rest / 62)
  }
  return token.slice(0, start) + body + tail
}

function drawJwt(drawn: string): string {
  const header = Buffer.from('{"alg":"RS256","typ":"JWT"}').toString('base64url')
  const payload = Buffer.from(`{"sub":"${drawn.slice(3, 9)}","exp":4102444800}`).toString('base64url')
  return `${header}.${payload}.${drawn.slice(drawn.lastIndexOf('.') + 1)}xK7d`
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** How such a credential stands in a file: its own name, and what must be near it. */
export function placeOf(row: TokenRow, value: string): string {
  const before = BEFORE[row.keywords?.[0] ?? ''] ?? ''
  const near = row.near === undefined ? '' : (NEAR[row.name] ?? '')
  return `${near}${row.lead !== undefined && row.lead < 0 ? before : ''}${value}`
}

const BEFORE: Readonly<Record<string, string>> = {
  'accountkey=': 'AccountName=shop;AccountKey=',
  'sharedaccesskey=': 'SharedAccessKeyName=Root;SharedAccessKey=',
  ';secret=': 'Id=a1b2;Secret=',
  '&sig=': 'se=2030-01-01&sp=r&sig=',
  '_gitlab_session=': '_gitlab_session=',
  '&appid=': 'https://api.corp.cloud/data?q=Bern&appid=',
  ',password=': 'shop.redis.cache.windows.net:6380,password=',
}

const NEAR: Readonly<Record<string, string>> = {
  'azure-cosmos-key': 'AccountEndpoint=https://shop.documents.azure.com:443/;',
  'azure-appconfig-secret': 'Endpoint=https://shop.azconfig.io;',
  'azure-sas': 'https://shop.blob.core.windows.net/c?',
  'azure-redis-key': 'ssl=True;',
  'openweather-key': 'const openWeather = ',
}
