import { availableParallelism } from 'node:os'
import { isAbsolute, delimiter } from 'node:path'
import * as z from 'zod'
import { DEFAULT_LIMITS, MAX_UPLOAD, type Locale } from '../../core/index.ts'

/** Every setting of the server, from the environment. Sizes in bytes, times in milliseconds. */
export interface Settings {
  readonly host: string
  readonly port: number
  readonly limits: {
    readonly upload: number
    readonly entries: number
    readonly inflated: number
    readonly file: number
    readonly parse: number
    readonly scanTime: number
    readonly held: number
  }
  readonly suppressions: boolean
  readonly workers: number
  readonly queueLength: number
  /** The Redis of a queue that several processes share; undefined: scans wait in this process. */
  readonly queue: string | undefined
  /** Where archives and reports wait on their way between processes, what they are sealed with, and how an S3 is called. */
  readonly blobs: {
    readonly place: string | undefined
    readonly key: string | undefined
    readonly s3:
      | { readonly accessKeyId: string; readonly secretAccessKey: string; readonly region: string; readonly endpoint: string }
      | undefined
  }
  /** A folder, the address of a Redis, or undefined for memory. */
  readonly storage: string | undefined
  readonly retention: { readonly limit?: number; readonly bytes?: number; readonly age?: number }
  readonly catalogueUrl: string
  /** `online`, `bundled`, or the absolute path of a file. */
  readonly advisories: string
  readonly advisoriesUrl: string
  readonly scanRoots: readonly string[] | undefined
  readonly hosts: readonly string[]
  readonly token: string | undefined
  /** By the name of the space that each opens. */
  readonly tokens: Readonly<Record<string, string>>
  readonly origins: readonly string[]
  readonly trustProxy: boolean
  /** Whether `/api/metrics` answers. */
  readonly metrics: boolean
  /** Whether scans are told to the provider of OpenTelemetry that the process has. */
  readonly traces: boolean
  /** Whether `/admin/queues` answers. */
  readonly dashboard: boolean
  /** Whether the page is served beside the interface. */
  readonly page: boolean
  readonly language: Locale
  readonly log: 'text' | 'json'
  readonly shutdownGrace: number
  readonly fingerprintKey: string | undefined
}

/** A setting that is wrong; its message is the one line that the start ends with. */
export class SettingsFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SettingsFault'
  }
}

/** By its name: the bundled command line has a class of its own. */
export function isSettingsFault(error: unknown): error is SettingsFault {
  return error instanceof Error && error.name === 'SettingsFault'
}

const UNITS: Readonly<Record<string, number>> = { '': 1, B: 1, KIB: 1024, MIB: 1024 ** 2, GIB: 1024 ** 3 }
const TIMES: Readonly<Record<string, number>> = { S: 1000, M: 60_000, H: 3_600_000, D: 86_400_000 }

function measured(pattern: RegExp, units: Readonly<Record<string, number>>, form: string): z.ZodType<number, string> {
  return z.string().transform((text, context) => {
    const [, number, unit = ''] = pattern.exec(text.trim()) ?? []
    const factor = units[unit.toUpperCase()]
    const value = number === undefined || factor === undefined ? 0 : Number(number) * factor
    if (value >= 1 && Number.isSafeInteger(value)) return value
    context.addIssue({ code: 'custom', message: form })
    return z.NEVER
  })
}

const size = measured(/^(\d{1,12})\s?(|B|KiB|MiB|GiB)$/i, UNITS, 'a size above 0: 5MiB, 512KiB, 1GiB or a number of bytes')
const time = measured(/^(\d{1,9})\s?(s|m|h|d)$/i, TIMES, 'a time above 0: 30s, 5m, 2h or 7d')
const count = (least: number, most: number): z.ZodType<number, string> =>
  z.string().transform((text, context) => {
    const value = /^\d{1,9}$/.test(text.trim()) ? Number(text) : -1
    if (value >= least && value <= most) return value
    context.addIssue({ code: 'custom', message: `a whole number from ${least} to ${most}` })
    return z.NEVER
  })

/** https, or http with a warning; no credentials, no query: it is fixed at start and only paths are added. */
const address = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const plain = url !== undefined && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (plain && (url.protocol === 'https:' || url.protocol === 'http:')) return text.replace(/\/{1,9}$/, '')
  context.addIssue({ code: 'custom', message: 'an address such as https://ui5.sap.com, without credentials or a query' })
  return z.NEVER
})

const list = (separator: string): z.ZodType<readonly string[], string> =>
  z.string().transform((text) => text.split(separator).flatMap((part) => part.trim() || []))

const roots = list(delimiter).refine(
  (paths) => paths.length > 0 && paths.every((path) => isAbsolute(path)),
  `absolute folders, separated by "${delimiter}"`,
)

/** As a browser writes them: nothing behind the host and its port. */
const origins = list(',').refine(
  (some) => some.length > 0 && some.every((text) => URL.canParse(text) && /^https?:\/\/[^/?#@]+$/.test(text)),
  'origins such as https://scanner.example.com, separated by ","',
)

const tokens = list(',').transform((pairs, context) => {
  const read = pairs.map((pair) => /^([a-z0-9][a-z0-9-]{0,39})=([\x21-\x2b\x2d-\x7e]{16,500})$/.exec(pair))
  const names = new Set(read.map((match) => match?.[1]))
  const values = new Set(read.map((match) => match?.[2]))
  if (pairs.length > 0 && !names.has(undefined) && names.size === pairs.length && values.size === pairs.length)
    return Object.fromEntries(read.map((match) => [match?.[1] ?? '', match?.[2] ?? '']))
  context.addIssue({
    code: 'custom',
    message: 'name=token, separated by ",": each name (a-z, 0-9, -) and token (16 characters or more) once',
  })
  return z.NEVER
})

const isBucket = (text: string): boolean => /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w/-]{0,200})?$/.test(text)

const isRedis = (text: string): boolean => /^rediss?:\/\/./.test(text) && URL.canParse(text)

const schema = z.object({
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]{1,253}$/, 'a host name or an address')
    .optional(),
  PORT: count(0, 65_535).optional(),
  PARAPET_MAX_UPLOAD: size.optional(),
  PARAPET_MAX_ENTRIES: count(1, 10_000_000).optional(),
  PARAPET_MAX_INFLATED: size.optional(),
  PARAPET_MAX_FILE: size.optional(),
  PARAPET_MAX_PARSE: size.optional(),
  PARAPET_SCAN_TIMEOUT: time.optional(),
  PARAPET_SUPPRESSIONS: z.enum(['on', 'off'], 'on or off').optional(),
  PARAPET_WORKERS: count(0, 256).optional(),
  PARAPET_QUEUE_LENGTH: count(0, 100_000).optional(),
  PARAPET_MAX_HELD: size.optional(),
  PARAPET_QUEUE: z.string().refine(isRedis, 'redis://host:6379 or rediss://user:password@host:6379').optional(),
  PARAPET_BLOBS: z
    .string()
    .refine(
      (text) => isAbsolute(text) || isRedis(text) || isBucket(text),
      'an absolute folder, redis://host:6379, or s3://bucket/prefix',
    )
    .optional(),
  PARAPET_BLOBS_KEY: z.string().min(16, 'at least 16 characters').optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_REGION: z.string().optional(),
  AWS_ENDPOINT_URL: address.optional(),
  PARAPET_STORAGE: z
    .string()
    .refine((text) => text === 'memory' || isAbsolute(text) || isRedis(text), 'memory, an absolute folder, or redis://host:6379')
    .optional(),
  PARAPET_HISTORY_LIMIT: count(1, 100_000_000).optional(),
  PARAPET_HISTORY_BYTES: size.optional(),
  PARAPET_HISTORY_AGE: time.optional(),
  PARAPET_CATALOGUE_URL: address.optional(),
  PARAPET_ADVISORIES: z
    .string()
    .refine((text) => text === 'online' || text === 'bundled' || isAbsolute(text), 'online, bundled, or an absolute file')
    .optional(),
  PARAPET_ADVISORIES_URL: address.optional(),
  PARAPET_SCAN_ROOTS: roots.optional(),
  PARAPET_HOSTS: list(',').optional(),
  PARAPET_TOKEN: z.string().min(16, 'at least 16 characters').optional(),
  PARAPET_TOKENS: tokens.optional(),
  PARAPET_ORIGINS: origins.optional(),
  PARAPET_TRUST_PROXY: z.enum(['on', 'off'], 'on or off').optional(),
  PARAPET_METRICS: z.enum(['on', 'off'], 'on or off').optional(),
  PARAPET_TRACES: z.enum(['on', 'off'], 'on or off').optional(),
  PARAPET_DASHBOARD: z.enum(['on', 'off'], 'on or off').optional(),
  PARAPET_PAGE: z.enum(['on', 'off'], 'on or off').optional(),
  PARAPET_LANG: z.enum(['en', 'fr'], 'en or fr').optional(),
  PARAPET_LOG: z.enum(['text', 'json'], 'text or json').optional(),
  PARAPET_SHUTDOWN_GRACE: time.optional(),
  PARAPET_FINGERPRINT_KEY: z.string().min(16, 'at least 16 characters').optional(),
})

const S3_SETTINGS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION', 'AWS_ENDPOINT_URL'] as const
const KNOWN: ReadonlySet<string> = new Set(Object.keys(schema.shape))

/** Reads the settings. An empty value is one that is not set. Throws a SettingsFault that names the variable and what it takes. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(
      ([name, value]) => value !== undefined && value !== '' && /^(?:HOST|PORT|PARAPET_.*)$/.test(name),
    ),
  )
  // what is for other programs too is read where it is meant for this one
  if (isBucket(given['PARAPET_BLOBS'] ?? ''))
    for (const name of S3_SETTINGS) if (environment[name]) given[name] = environment[name]
  const unknown = Object.keys(given).find((name) => !KNOWN.has(name))
  if (unknown !== undefined) throw new SettingsFault(`${unknown} is not a setting of Parapet`)
  const parsed = schema.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new SettingsFault(`${String(issue?.path[0])} must be ${issue?.message}`)
  }
  const it = parsed.data
  const storage = it.PARAPET_STORAGE === undefined || it.PARAPET_STORAGE === 'memory' ? undefined : it.PARAPET_STORAGE
  const memory = storage === undefined
  const region = it.AWS_REGION ?? 'us-east-1'
  const [accessKeyId, secretAccessKey] = [it.AWS_ACCESS_KEY_ID, it.AWS_SECRET_ACCESS_KEY]
  if (it.PARAPET_QUEUE === undefined && it.PARAPET_WORKERS === 0)
    throw new SettingsFault('PARAPET_WORKERS is 0, so that nobody would scan: that takes PARAPET_QUEUE')
  if (it.PARAPET_QUEUE !== undefined && memory)
    throw new SettingsFault('PARAPET_QUEUE needs a PARAPET_STORAGE that all processes share: memory is none')
  if (it.PARAPET_DASHBOARD === 'on' && (it.PARAPET_QUEUE === undefined || it.PARAPET_TOKEN === undefined))
    throw new SettingsFault('PARAPET_DASHBOARD needs PARAPET_QUEUE, and PARAPET_TOKEN, which is its password')
  return {
    host: it.HOST ?? '127.0.0.1',
    port: it.PORT ?? 3000,
    limits: {
      upload: it.PARAPET_MAX_UPLOAD ?? MAX_UPLOAD,
      entries: it.PARAPET_MAX_ENTRIES ?? DEFAULT_LIMITS.entries,
      inflated: it.PARAPET_MAX_INFLATED ?? DEFAULT_LIMITS.inflated,
      file: it.PARAPET_MAX_FILE ?? DEFAULT_LIMITS.file,
      parse: it.PARAPET_MAX_PARSE ?? DEFAULT_LIMITS.parse,
      scanTime: it.PARAPET_SCAN_TIMEOUT ?? DEFAULT_LIMITS.scanTime,
      held: it.PARAPET_MAX_HELD ?? 256 * 1024 ** 2,
    },
    suppressions: it.PARAPET_SUPPRESSIONS !== 'off',
    workers: it.PARAPET_WORKERS ?? Math.max(1, availableParallelism() - 1),
    queueLength: it.PARAPET_QUEUE_LENGTH ?? 32,
    queue: it.PARAPET_QUEUE,
    blobs: {
      place: it.PARAPET_BLOBS ?? storage,
      key: it.PARAPET_BLOBS_KEY,
      s3:
        accessKeyId === undefined || secretAccessKey === undefined
          ? undefined
          : { accessKeyId, secretAccessKey, region, endpoint: it.AWS_ENDPOINT_URL ?? `https://s3.${region}.amazonaws.com` },
    },
    storage,
    retention: {
      limit: it.PARAPET_HISTORY_LIMIT ?? (memory ? 200 : undefined),
      bytes: it.PARAPET_HISTORY_BYTES ?? (memory ? 256 * 1024 ** 2 : undefined),
      age: it.PARAPET_HISTORY_AGE,
    },
    catalogueUrl: it.PARAPET_CATALOGUE_URL ?? 'https://ui5.sap.com',
    advisories: it.PARAPET_ADVISORIES ?? 'online',
    advisoriesUrl: it.PARAPET_ADVISORIES_URL ?? 'https://api.osv.dev',
    scanRoots: it.PARAPET_SCAN_ROOTS,
    hosts: it.PARAPET_HOSTS ?? [],
    token: it.PARAPET_TOKEN,
    tokens: it.PARAPET_TOKENS ?? {},
    origins: it.PARAPET_ORIGINS ?? [],
    trustProxy: it.PARAPET_TRUST_PROXY === 'on',
    metrics: it.PARAPET_METRICS === 'on',
    traces: it.PARAPET_TRACES === 'on',
    dashboard: it.PARAPET_DASHBOARD === 'on',
    page: it.PARAPET_PAGE !== 'off',
    language: it.PARAPET_LANG ?? 'en',
    log: it.PARAPET_LOG ?? 'text',
    shutdownGrace: it.PARAPET_SHUTDOWN_GRACE ?? 25_000,
    fingerprintKey: it.PARAPET_FINGERPRINT_KEY,
  }
}

/** Whether only this machine can reach the server. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
}

/** What no line of the log may hold. */
export function listSecrets({ token, tokens, fingerprintKey, storage, queue, blobs }: Settings): string[] {
  const redis = [storage ?? [], queue ?? [], blobs.place ?? []].flat().filter(isRedis)
  const passwords = redis.map((url) => decodeURIComponent(new URL(url).password))
  const secrets = [token ?? [], Object.values(tokens), fingerprintKey ?? [], blobs.key ?? [], blobs.s3?.secretAccessKey ?? []]
  return [...secrets.flat(), ...passwords].filter((secret) => secret !== '')
}
