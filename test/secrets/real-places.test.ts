import { describe, expect, test } from 'vitest'
import { openCredentials } from './open-credentials.ts'
import { createDice, drawShape } from './draw-shape.ts'

const drawn = (shape: string): string => drawShape(shape, createDice('real places'))
const KEY = drawn('[a-z][0-9][A-Z][A-Za-z0-9]{29}')
const PASSWORD = drawn('[A-Z][0-9][a-z][A-Za-z0-9]{9}[!~*%][0-9]')
const BCRYPT = drawn('[$]2a[$]12[$][A-Za-z0-9]{53}')
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const JWT = [
  Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url'),
  Buffer.from('{"sub":"orders-sync","aud":"shop"}').toString('base64url'),
  drawn('[A-Za-z0-9_-]{43}'),
].join('.')

interface Found {
  readonly row: string
  readonly text: string
}

function find(path: string, text: string): readonly Found[] {
  const { byRow } = openCredentials(text, { path }).found()
  return [...byRow.values()].flat().map(({ row, span }) => ({ row, text: text.slice(span.start, span.end) }))
}

/** Path, text with the value, the row, what is marked where it is not the value; and the same without a credential. */
interface Place {
  readonly path: string
  readonly write: (value: string) => string
  readonly row: string
  readonly value?: string
  readonly safe: readonly string[]
}

const PLACES: Readonly<Record<string, Place>> = {
  'a hash that a request carries': {
    path: 'webapp/Component.js',
    write: (value) => `const settings = { headers: { name: 'sync', password: '${value}' }, url: 'https://rest.market.com/' }\n`,
    row: 'generic-password',
    value: BCRYPT,
    safe: ['${S4_PASSWORD}'],
  },
  'a hash beside the type of a body': {
    path: 'webapp/Component.js',
    write: (value) => `const always = { password: '${value}', 'Content-Type': 'application/json' }\n`,
    row: 'generic-password',
    value: BCRYPT,
    safe: [],
  },
  '.env in the shape of JSON': {
    path: '.env',
    write: (value) => `{\n  "S4_USER": "TECH",\n  "S4_PASSWORD": "${value}"\n}\n`,
    row: 'generic-password',
    safe: ['${S4_PASSWORD}', '<password>'],
  },
  '.env in the shape of YAML': {
    path: '.env',
    write: (value) => `s4:\n  user: TECH\n  password: ${value}\n`,
    row: 'generic-password',
    safe: ['${S4_PASSWORD}', 'changeme'],
  },
  'a block in .env': {
    path: '.env',
    write: (value) => `credentials: |\n  user=TECH\n  password=${value}\n`,
    row: 'generic-password',
    safe: ['$S4_PASSWORD'],
  },
  'an app password of Google with blanks': {
    path: 'srv/mail.js',
    write: (value) =>
      `const t = nodemailer.createTransport({ host: 'smtp.gmail.com', auth: { user: 'shop@corp.cloud', pass: '${value}' } })\n`,
    row: 'generic-password',
    value: 'vqzt xkqv bzrw hjtp',
    safe: ['your app password here', 'the pass of mail'],
  },
  'the same in .env': {
    path: '.env',
    write: (value) => `MAIL_HOST=smtp.gmail.com\nMAIL_USER=shop@corp.cloud\nMAIL_PASS="${value}"\n`,
    row: 'generic-password',
    value: 'wqzt xkqv bzrw hjtp',
    safe: ['your app password here'],
  },
  'a JSON Web Token in base64': {
    path: 'k8s/values.yaml',
    write: (value) => `config:\n  blob: ${value}\n`,
    row: 'jwt',
    value: base64(JWT),
    safe: [base64('eyJ is how such a token begins, and no more of it')],
  },
  'the key of a vendor': {
    path: 'srv/weather.js',
    write: (value) => `const weatherKey = '${value}'\nfetch('https://api.weather.corp.cloud/v1?q=x')\n`,
    row: 'generic-secret',
    safe: ['weather-cache-key', 'WEATHER_KEY', 'orders.weather'],
  },
  'the key of a vendor in settings': {
    path: 'config.json',
    write: (value) => `{ "url": "https://api.openweather.corp.cloud", "openweather_key": "${value}" }\n`,
    row: 'generic-secret',
    safe: ['weather_of_today', '4f6c1a52-91d7-4b39-8a6e-1d1f6b6f0e55'],
  },
  'a secret of Jenkins': {
    path: 'jenkins/credentials.xml',
    write: (value) => `<c><id>deploy</id><secret>${value}</secret></c>\n`,
    row: 'jenkins-secret',
    value: `{AQAAABAAAA${drawn('[A-Za-z0-9+/]{54}')}}`,
    safe: ['{token}', '${SECRET}', '{{ secret }}'],
  },
  'curl without a user': {
    path: 'deploy.sh',
    write: (value) => `curl -u :${value} https://api.corp.cloud/orders\n`,
    row: 'curl-user',
    value: KEY,
    safe: ['$TOKEN', '"$TOKEN"', '<token>'],
  },
  'curl with a key as its user': {
    path: 'deploy.sh',
    write: (value) => `curl https://api.corp.cloud/orders -u ${value}:\n`,
    row: 'curl-user',
    value: KEY,
    safe: ['$TOKEN', 'deployer', '<token>'],
  },
  'tabs in a Secret of Kubernetes': {
    path: 'k8s/secret.yaml',
    write: (value) => `apiVersion: v1\nkind:\tSecret\ndata:\n  password:\t${value}\t\n`,
    row: 'k8s-secret',
    value: base64(PASSWORD),
    safe: ['e3tzZWNyZXR9fQ=='],
  },
  '.dockercfg': {
    path: '.dockercfg',
    write: (value) =>
      `{ "https://registry.corp.cloud/v1/": { "username": "ci", "auth": "${value}", "email": "ci@corp.cloud" } }\n`,
    row: 'docker-config',
    value: base64(`ci:${PASSWORD}`),
    safe: [base64('ci:<password>')],
  },
  '.dockercfg with a plain password': {
    path: '.dockercfg',
    write: (value) => `{ "registry.corp.cloud": { "username": "ci", "password": "${value}" } }\n`,
    row: 'generic-password',
    safe: ['$PASSWORD'],
  },
  'the package source of .NET': {
    path: 'nuget.config',
    write: (value) =>
      `<configuration><packageSourceCredentials><corp><add key="Username" value="ci" /><add key="ClearTextPassword" value="${value}" /></corp></packageSourceCredentials></configuration>\n`,
    row: 'nuget-password',
    safe: ['%NUGET_PASSWORD%', '$(NugetPassword)'],
  },
  'a bare token of Telegram': {
    path: 'srv/bot.js',
    write: (value) => `const bot = new Bot('${value}')\n`,
    row: 'telegram-bot-token',
    value: `${drawn('[1-9][0-9]{9}')}:AA${drawn('[A-Za-z0-9_-]{33}')}`,
    safe: ['1234567890:AAxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11'],
  },
  'a token of Apify': {
    path: 'srv/crawl.js',
    write: (value) => `const client = new Client('${value}')\n`,
    row: 'apify-token',
    value: `apify_${'api'}_${drawn('[A-Za-z0-9]{36}')}`,
    safe: ['apify_api_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', 'apify_api_YOUR_TOKEN'],
  },
  'an access token of Google': {
    path: 'scripts/drive.py',
    write: (value) => `headers = make('${value}')\n`,
    row: 'google-access-token',
    value: `ya${'29'}.${drawn('a0[A-Za-z0-9_-]{120}')}`,
    safe: ['ya29.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', 'ya29.<token>'],
  },
  'a token of Sourcegraph in both cases': {
    path: 'srv/search.js',
    write: (value) => `const c = new Client('${value}')\n`,
    row: 'sourcegraph-token',
    value: `sgp_${'a0'}${drawn('[A-F][a-f][0-9A-Fa-f]{36}')}`,
    safe: ['sgp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
  },
}

describe.each(Object.entries(PLACES))(
  '%s',
  (_, { path, write, row, value = row === 'generic-secret' ? KEY : PASSWORD, safe }) => {
    test('is found', () => {
      expect(find(path, write(value)).map(({ row: found }) => found)).toEqual([row])
      for (const { text } of find(path, write(value))) expect(value).toContain(text)
    })
    test.each(safe)('without a credential: %s', (other) => expect(find(path, write(other))).toEqual([]))
  },
)

test('a hash of an account is no password', () => {
  expect(find('srv/accounts.js', `const accounts = [{ user: 'sync', password: '${BCRYPT}' }]\n`)).toEqual([])
  expect(find('srv/accounts.js', `send({ headers: {} }); save({ user: 'sync', password: '${BCRYPT}' })\n`)).toEqual([])
})
