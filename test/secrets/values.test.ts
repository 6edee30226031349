import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { hasChecksum } from '../../core/secrets/checksum.ts'
import { isSampleFile, isTranslation, lowerGrade } from '../../core/secrets/grade.ts'
import { alphabetOf, entropyFloor, entropyOf, isRandomLooking, isWordLike } from '../../core/secrets/randomness.ts'
import { charsetOf, classifyHost, isPlaceholder, isReference, isWeak } from '../../core/secrets/values.ts'
import type { Evidence, Impact } from '../../core/types.ts'
import { classifyPath } from '../../core/project/kinds.ts'
import { drawSecret } from '../secret-values.ts'

const drawn = (count: number): string[] => Array.from({ length: count }, (_, index) => drawSecret('password', `value ${index}`))

describe('references', () => {
  test.each([
    '${PASSWORD}',
    'a${x}b',
    '$PASSWORD',
    '$(Password)',
    '{{password}}',
    '{{ .Values.password }}',
    '{password}',
    '%PASSWORD%',
    '((password))',
    '~{db/password}',
    '<%= password %>',
    '#{password}#',
    '@password@',
    '__PASSWORD__',
    'env:DB_PASSWORD',
    'process.env.PASSWORD',
    'secrets.PASSWORD',
    'vault:secret/db#pw',
    'op://vault/db/password',
    'arn:aws:secretsmanager:eu-central-1:1:secret:x',
    'ENC[AES256,data:x]',
    '{{$dotenv PASSWORD}}',
    '%s',
    '%(password)s',
    ':password',
    'os.environ["X"]',
    '[password]',
  ])('%s', (value) => expect(isReference(value)).toBe(true))

  test.each(['Pa$$word', 'a%20b', 'p{x', '5%off', 'x@y', '_under_', 'price$', 'Tr0ub4dor&3'])('not %s', (value) =>
    expect(isReference(value)).toBe(false),
  )
})

describe('placeholders', () => {
  test.each([
    '<password>',
    '<< removed on export >>',
    '[REDACTED]',
    '********',
    '....',
    'xxxxxxxx',
    'XXXX-XXXX',
    '00000000',
    'aaaaaaaa',
    'abcdefgh',
    '123456',
    '987654321',
    '1234567890',
    'your-password',
    'YOUR_API_KEY',
    'yourPassword',
    'changeme',
    'change-me',
    'replace-this',
    'example',
    'my-sample-key',
    'dummyToken',
    'TODO',
    'password',
    'Pass_Word',
    'secret',
    'client_secret',
    'null',
    'undefined',
    'string',
    'foo',
    'myPassword',
  ])('%s', (value) => expect(isPlaceholder(value)).toBe(true))

  test.each([
    'Tr0ub4dor&3',
    'Shop@123456',
    'Ida1234567890!!!',
    'Kexamplar7',
    'Sommer2024!',
    'Welcome1',
    'qYourk9Zx2',
    'hunter2hunter',
    'a1b2c3d4e5',
    'Xx9-yY8-zZ7',
  ])('not %s', (value) => expect(isPlaceholder(value)).toBe(false))

  test('the name that it is given', () => {
    expect(isPlaceholder('dbSharedKey', 'DBSHAREDKEY')).toBe(true)
    expect(isPlaceholder('dbSharedKey', 'other')).toBe(false)
  })

  test('no drawn value is one', () => {
    expect(drawn(500).filter((value) => isPlaceholder(value) || isReference(value) || isWeak(value))).toEqual([])
  })
})

describe('randomness', () => {
  test('of drawn values at most one in fifty is not seen', () => {
    expect(drawn(500).filter((value) => !isRandomLooking(value)).length).toBeLessThan(10)
  })

  test.each([
    'customerServiceKey',
    'sap/ui/core/mvc/Controller',
    'my-secret-value-2',
    'Sommer2024!',
    'manage_products',
    'aaaaaaaaaaaa1',
    'ab12',
    'internal.service.account',
  ])('%s is not drawn', (value) => expect(isRandomLooking(value)).toBe(false))

  test('words', () => {
    expect(isWordLike('customerServiceKey2')).toBe(true)
    expect(isWordLike('sap.ui.core')).toBe(true)
    expect(isWordLike('xK9wQz7Lp')).toBe(false)
    expect(isWordLike('')).toBe(false)
  })

  test('entropy and its floor', () => {
    expect(entropyOf('aaaa')).toBe(0)
    expect(entropyOf('abcd')).toBe(2)
    expect(entropyFloor(8, 64)).toBe(0)
    expect(entropyFloor(20, 64)).toBeCloseTo(3.63, 1)
    expect(entropyFloor(40, 16)).toBeLessThan(entropyFloor(40, 64))
    expect(entropyFloor(5000, 64)).toBe(entropyFloor(64, 64))
  })

  test.each([
    ['0123', 10],
    ['00ff', 16],
    ['00FF', 16],
    ['zz11', 36],
    ['zZ11', 64],
  ])('the alphabet of %s has %i', (value, size) => expect(alphabetOf(value)).toBe(size))
})

test('the checksum of GitHub and npm', () => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const head = drawSecret('token', 'checksum').slice(0, 30)
  let rest = crc32(head)
  let tail = ''
  while (tail.length < 6) {
    tail = (digits[rest % 62] ?? '') + tail
    rest = Math.floor(rest / 62)
  }
  expect(hasChecksum(head + tail)).toBe(true)
  expect(hasChecksum(`${head}${tail.slice(0, 5)}${tail.endsWith('0') ? '1' : '0'}`)).toBe(false)
  expect(hasChecksum('')).toBe(false)
})

test.each([
  ['abc', 'letters', 'lettres'],
  ['abC1', 'letters and digits', 'lettres et chiffres'],
  ['a b!', 'letters and symbols', 'lettres et symboles'],
  ['', '', ''],
])('the classes of %j', (value, charset, caracteres) => expect(charsetOf(value)).toEqual({ charset, caracteres }))

describe('hosts', () => {
  test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '0.0.0.0', '[::1]', 'api.localhost', 'host.docker.internal'])(
    '%s is the machine itself',
    (host) => expect(classifyHost(host)).toBe('local'),
  )
  test.each([
    'example.com',
    'db.example.org',
    'db.example',
    'x.test',
    'x.invalid',
    'host',
    'hostname',
    'yourserver',
    'domain.com',
    '<host>',
    '192.0.2.7',
    '198.51.100.1',
    '203.0.113.250',
    '[2001:db8::1]',
  ])('%s is of documentation', (host) => expect(classifyHost(host)).toBe('documentation'))
  test.each([
    'corp.cloud',
    'localhost.corp.cloud',
    'notexample.com',
    'example.corp.cloud',
    '11.0.0.1',
    '172.15.0.1',
    '192.0.1.1',
    '192.0.0.9',
    '192.0.0.10',
    '198.18.corp-sys.com',
    '10.corp.cloud',
    '192.168.corp.cloud',
    '203.0.114.1',
    'fd.corp.cloud',
  ])('%s is reached from outside', (host) => expect(classifyHost(host)).toBe('public'))
  test.each([
    'db',
    'proxy',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.2',
    '192.0.0.5',
    '192.0.0.90',
    '10.0.0.x',
    '198.18.0.1',
    '240.0.0.1',
    'db.svc.cluster.local',
    's4.corp.internal',
    '',
    '${HOST}',
  ])('%s is of a network of its own, or not known', (host) => expect(classifyHost(host)).toBe('private'))
})

describe('samples', () => {
  const isSample = (path: string): boolean => {
    const found = classifyPath(path)
    return found.class !== 'out' && isSampleFile(path, found.kind)
  }
  test.each([
    'test/a.js',
    'srv/__tests__/a.js',
    'srv/a.test.js',
    'mocks/a.json',
    '.env.example',
    '.env.sample',
    'default-env.sample.json',
    'README.md',
    'docs/setup.txt',
    'webapp/test/a.js',
    'webapp/localService/data.js',
    'srv/mock-server.js',
  ])('%s', (path) => expect(isSample(path)).toBe(true))
  test.each([
    'srv/a.js',
    'default-env.json',
    '.env',
    'contest/latest.js',
    'chart/templates/secret.yaml',
    'srv/attestation.js',
    'db/data.csv',
  ])('not %s', (path) => expect(isSample(path)).toBe(false))

  test('texts for people', () => {
    expect(isTranslation('webapp/i18n/i18n_de.properties')).toBe(true)
    expect(isTranslation('src/messagebundle.properties')).toBe(true)
    expect(isTranslation('src/assets/locales/de/common.json')).toBe(true)
    expect(isTranslation('www/language-en_US.js')).toBe(true)
    expect(isTranslation('srv/application.properties')).toBe(false)
    expect(isTranslation('srv/language.js')).toBe(false)
    expect(isTranslation('srv/messages.json')).toBe(false)
  })

  test('one step lower', () => {
    const step = (impact: Impact, evidence: Evidence): string => lowerGrade({ impact, evidence, confidence: 'high' }).evidence
    expect(step('takeover', 'shown')).toBe('assumed')
    expect(step('takeover', 'assumed')).toBe('guessed')
    expect(step('defence', 'assumed')).toBe('assumed')
    expect(lowerGrade({ impact: 'takeover', evidence: 'shown', confidence: 'high' }).confidence).toBe('medium')
    expect(lowerGrade({ impact: 'takeover', evidence: 'shown', confidence: 'low' }).confidence).toBe('low')
  })
})
