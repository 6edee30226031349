import { expect, test } from 'vitest'
import { describeMatrix } from './matrix.ts'
import { createFixture } from './sample.ts'

const PUBLIC = 'https://scanner.example'
const INNER = '10.0.0.7:3000'

interface Case {
  readonly options: {
    readonly origins?: readonly string[]
    readonly trustProxy?: boolean
    readonly loopback?: boolean
    readonly hosts?: readonly string[]
  }
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
}

const origin = PUBLIC
const host = INNER
const CASES: Readonly<Record<string, Case>> = {
  'the proxy rewrites Host and nothing is set': { options: {}, headers: { host, origin }, status: 403 },
  'the origin is set': { options: { origins: [PUBLIC] }, headers: { host, origin }, status: 200 },
  'another than the one that is set': {
    options: { origins: [PUBLIC] },
    headers: { host, origin: 'https://scanner.example.evil' },
    status: 403,
  },
  'the same by http': { options: { origins: [PUBLIC] }, headers: { host, origin: 'http://scanner.example' }, status: 403 },
  'no origin at all is a program': { options: { origins: [PUBLIC] }, headers: { host }, status: 200 },
  'bound to loopback, by the public name': {
    options: { origins: [PUBLIC], loopback: true },
    headers: { host: 'scanner.example', origin },
    status: 200,
  },
  'bound to loopback, by another name': {
    options: { origins: [PUBLIC], loopback: true },
    headers: { host: 'evil.example' },
    status: 421,
  },
  'X-Forwarded-Host is not believed': {
    options: {},
    headers: { host, origin, 'x-forwarded-host': 'scanner.example', 'x-forwarded-proto': 'https' },
    status: 403,
  },
  'Forwarded is not believed': {
    options: {},
    headers: { host, origin, forwarded: 'host=scanner.example;proto=https' },
    status: 403,
  },
  'not believed for names either': {
    options: { loopback: true },
    headers: { host: 'evil.example', 'x-forwarded-host': 'localhost' },
    status: 421,
  },
  'X-Forwarded-Host of a trusted proxy': {
    options: { trustProxy: true },
    headers: { host, origin, 'x-forwarded-host': 'scanner.example', 'x-forwarded-proto': 'https' },
    status: 200,
  },
  'Forwarded of a trusted proxy': {
    options: { trustProxy: true },
    headers: { host, origin, forwarded: 'for=1.2.3.4;host="scanner.example";proto=https' },
    status: 200,
  },
  'what the client says stands before the word of the proxy': {
    options: { trustProxy: true },
    headers: {
      host,
      origin: 'https://evil.example',
      forwarded: 'host=evil.example;proto=https, host=scanner.example;proto=https',
    },
    status: 403,
  },
  'the same with X-Forwarded-Host': {
    options: { trustProxy: true },
    headers: { host, origin: 'https://evil.example', 'x-forwarded-host': 'evil.example, scanner.example' },
    status: 403,
  },
  'https outside, a page by http': {
    options: { trustProxy: true },
    headers: { host, origin: 'http://scanner.example', 'x-forwarded-host': 'scanner.example', 'x-forwarded-proto': 'https' },
    status: 403,
  },
  'a trusted proxy that says nothing': {
    options: { trustProxy: true },
    headers: { host, origin: `http://${INNER}` },
    status: 200,
  },
  'names hold for what a trusted proxy says': {
    options: { trustProxy: true, hosts: ['scanner.example'] },
    headers: { host, 'x-forwarded-host': 'other.example' },
    status: 421,
  },
  'a header that is none': {
    options: { trustProxy: true, hosts: ['10.0.0.7'] },
    headers: { host, forwarded: ';;=,,"' },
    status: 200,
  },
  'another site, whatever the proxy says': {
    options: { origins: [PUBLIC], trustProxy: true },
    headers: { host, origin, 'sec-fetch-site': 'cross-site' },
    status: 403,
  },
}

describeMatrix('behind a proxy', (send) => {
  test.each(Object.entries(CASES))('%s', async (_, { options, headers, status }) => {
    const { app } = createFixture(options)
    expect((await send(app, '/api/scan/history', { headers: { ...headers } })).status).toBe(status)
  })
})
