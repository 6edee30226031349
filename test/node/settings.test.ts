import { expect, test } from 'vitest'
import { isLoopback, listSecrets, readSettings } from '../../adapters/node/settings.ts'

const MiB = 1024 ** 2

test('works without any setting', () => {
  const settings = readSettings({ PATH: '/bin', HOME: '/root' })
  expect(settings).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    limits: {
      upload: 100 * MiB,
      entries: 100_000,
      inflated: 512 * MiB,
      file: 5 * MiB,
      parse: 2 * MiB,
      scanTime: 60_000,
      held: 256 * MiB,
    },
    suppressions: true,
    queueLength: 32,
    storage: undefined,
    retention: { limit: 200, bytes: 256 * MiB },
    catalogueUrl: 'https://ui5.sap.com',
    advisories: 'online',
    advisoriesUrl: 'https://api.osv.dev',
    scanRoots: undefined,
    hosts: [],
    language: 'en',
    log: 'text',
    shutdownGrace: 25_000,
  })
  expect(settings.workers).toBeGreaterThanOrEqual(1)
})

test.each([
  ['PARAPET_MAX_UPLOAD', '20MiB', 'limits.upload', 20 * MiB],
  ['PARAPET_MAX_UPLOAD', '1024', 'limits.upload', 1024],
  ['PARAPET_MAX_FILE', '512 KiB', 'limits.file', 512 * 1024],
  ['PARAPET_MAX_INFLATED', '1GiB', 'limits.inflated', 1024 ** 3],
  ['PARAPET_SCAN_TIMEOUT', '2m', 'limits.scanTime', 120_000],
  ['PARAPET_SHUTDOWN_GRACE', '5s', 'shutdownGrace', 5000],
  ['PARAPET_HISTORY_AGE', '7d', 'retention.age', 604_800_000],
  ['PARAPET_SUPPRESSIONS', 'off', 'suppressions', false],
  ['PARAPET_PAGE', 'off', 'page', false],
  ['PARAPET_METRICS', 'on', 'metrics', true],
  ['PARAPET_TRACES', 'on', 'traces', true],
  ['PARAPET_HOSTS', 'a.example, b.example', 'hosts', ['a.example', 'b.example']],
  ['PARAPET_CATALOGUE_URL', 'https://ui5.example/dist/', 'catalogueUrl', 'https://ui5.example/dist'],
  ['PARAPET_SCAN_ROOTS', '/data:/srv', 'scanRoots', ['/data', '/srv']],
  ['PORT', '', 'port', 3000],
  ['PORT', '0', 'port', 0],
])('%s=%s', (name, value, path, expected) => {
  const found = path.split('.').reduce<unknown>((node, key) => Object(node)[key], readSettings({ [name]: value }))
  expect(found).toEqual(expected)
})

test('a durable storage has no limits unless they are set', () => {
  expect(readSettings({ PARAPET_STORAGE: '/var/lib/parapet' })).toMatchObject({
    storage: '/var/lib/parapet',
    retention: { limit: undefined, bytes: undefined },
  })
})

test.each([
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['PORT', '80 '.repeat(3)],
  ['PARAPET_MAX_UPLOAD', '5 MB'],
  ['PARAPET_MAX_UPLOAD', '0'],
  ['PARAPET_MAX_UPLOAD', '99999999GiB'],
  ['PARAPET_SCAN_TIMEOUT', '60'],
  ['PARAPET_WORKERS', '0'],
  ['PARAPET_SUPPRESSIONS', 'no'],
  ['PARAPET_PAGE', 'no'],
  ['PARAPET_METRICS', 'yes'],
  ['PARAPET_TRACES', 'yes'],
  ['PARAPET_DASHBOARD', 'on'],
  ['PARAPET_ADVISORIES', 'offline'],
  ['PARAPET_STORAGE', 'reports'],
  ['PARAPET_CATALOGUE_URL', 'ftp://ui5.example'],
  ['PARAPET_CATALOGUE_URL', 'https://user:word@ui5.example'],
  ['PARAPET_CATALOGUE_URL', 'ui5.sap.com'],
  ['PARAPET_SCAN_ROOTS', 'data'],
  ['PARAPET_TOKEN', 'short'],
  ['PARAPET_STORAGE', 'redis://'],
  ['PARAPET_TOKENS', 'red=short'],
  ['PARAPET_TOKENS', 'red=0123456789abcdef,red=0123456789abcdeg'],
  ['PARAPET_TOKENS', 'red=0123456789abcdef,blue=0123456789abcdef'],
  ['PARAPET_TOKENS', 'Red/x=0123456789abcdef'],
  ['PARAPET_ORIGINS', 'scanner.example'],
  ['PARAPET_ORIGINS', 'https://scanner.example/path'],
  ['PARAPET_ORIGINS', 'https://user@scanner.example'],
  ['PARAPET_TRUST_PROXY', 'yes'],
  ['PARAPET_LANG', 'de'],
  ['PARAPET_MAX_UPLAOD', '5MiB'],
])('%s=%s is refused in one line that names it', (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name} [^\\n]+$`))
})

test.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['127.0.0.1.example', false],
  ['192.168.1.2', false],
])('%s is loopback: %s', (host, expected) => expect(isLoopback(host)).toBe(expected))

test('a shared queue needs a storage that all see; where it is, this process need not scan', () => {
  const [queue, storage] = ['rediss://scanner:pass%20word@redis.example:6380', '/var/lib/parapet']
  expect(readSettings({ PARAPET_QUEUE: queue, PARAPET_STORAGE: storage, PARAPET_WORKERS: '0' })).toMatchObject({
    queue,
    workers: 0,
    blobs: { place: storage, key: undefined, s3: undefined },
  })
  expect(() => readSettings({ PARAPET_QUEUE: queue })).toThrow('PARAPET_QUEUE needs a PARAPET_STORAGE')
  expect(() => readSettings({ PARAPET_WORKERS: '0' })).toThrow('PARAPET_WORKERS is 0')
  for (const wrong of ['http://redis', 'redis://', 'memory'])
    expect(() => readSettings({ PARAPET_QUEUE: wrong, PARAPET_STORAGE: storage })).toThrow('PARAPET_QUEUE must be redis://')
  for (const wrong of ['memory', 'blobs', 's3://', 's3://x', 's3://bucket/../x', 's3://bucket?x'])
    expect(() => readSettings({ PARAPET_BLOBS: wrong })).toThrow('PARAPET_BLOBS must be')
})

test('how an S3 is called is read where blobs lie there, as the tools of AWS read it', () => {
  const access = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'word', AWS_ENDPOINT_URL: 'not an address' }
  expect(readSettings({ ...access, PARAPET_BLOBS: '/blobs' }).blobs).toEqual({ place: '/blobs', key: undefined, s3: undefined })
  expect(() => readSettings({ ...access, PARAPET_BLOBS: 's3://bucket/scans' })).toThrow('AWS_ENDPOINT_URL must be')
  const { AWS_ENDPOINT_URL: _, ...plain } = access
  expect(readSettings({ ...plain, PARAPET_BLOBS: 's3://bucket/scans' }).blobs.s3).toEqual({
    accessKeyId: 'key',
    secretAccessKey: 'word',
    region: 'us-east-1',
    endpoint: 'https://s3.us-east-1.amazonaws.com',
  })
})

test('no secret of the queue reaches a log', () => {
  const settings = readSettings({
    PARAPET_QUEUE: 'rediss://scanner:pass%20word@redis.example:6380',
    PARAPET_STORAGE: 'redis://:other@redis.example',
    PARAPET_BLOBS: 's3://bucket/scans',
    PARAPET_BLOBS_KEY: 'k'.repeat(16),
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'word',
  })
  expect(listSecrets(settings).sort()).toEqual(['k'.repeat(16), 'other', 'pass word', 'word'].sort())
})
