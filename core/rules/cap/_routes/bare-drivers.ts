import {
  accessesOf,
  constantOf,
  fieldOf,
  findPart,
  resolveValue,
  type CallValue,
  type ObjectValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { classifyHost } from '../../../secrets/index.ts'
import { readUrl } from '../../../model/deployment/index.ts'
import type { GradeFacts, Span } from '../../../types.ts'

/** A connection of a driver that nothing encrypts. */
export interface BareConnection extends Span, GradeFacts {
  readonly kind: 'driver' | 'ftp'
  readonly client: string
  readonly host: string
}

interface Row {
  readonly client: string
  /** By the path of the call that is given the address. */
  readonly call: RegExp
  readonly scheme: RegExp
  /** The password itself travels. */
  readonly sendsPassword?: true
  readonly kind?: 'ftp'
}

/**
 * Clients that encrypt nothing unless they are told to. Facts: documentation of mongodb 6 (`tls`: false, but for `mongodb+srv`) and mongoose 8; README of mysql2 3 and mysql 2 (`ssl`), pg 8 (`ssl`),
 * redis 5 (`rediss://`, `socket.tls`), ioredis 5 (`tls`), basic-ftp 6 (`secure`: false) and ftp 0.3 (`secure`: false). SCRAM of MongoDB and PostgreSQL sends no password; AUTH of Redis and PASS of FTP do.
 */
const ROWS: readonly Row[] = [
  {
    client: 'mongodb',
    call: /^module:mongodb (?:MongoClient new|MongoClient connect)$/,
    scheme: /^mongodb$/,
  },
  { client: 'mongoose', call: /^module:mongoose (?:default )?(?:connect|createConnection)$/, scheme: /^mongodb$/ },
  { client: 'mysql', call: /^module:mysql2?(?:\/promise)? (?:default )?(?:createConnection|createPool)$/, scheme: /^mysql$/ },
  { client: 'pg', call: /^module:pg (?:default )?(?:Client|Pool) new$/, scheme: /^postgres(?:ql)?$/ },
  { client: 'redis', call: /^module:redis (?:default )?createClient$/, scheme: /^redis$/, sendsPassword: true },
  { client: 'ioredis', call: /^module:ioredis (?:default )?(?:Redis )?new$/, scheme: /^redis$/, sendsPassword: true },
  {
    client: 'basic-ftp',
    call: /^module:basic-ftp (?:default )?Client new access$/,
    scheme: /^ftp$/,
    sendsPassword: true,
    kind: 'ftp',
  },
  { client: 'ftp', call: /^module:ftp (?:default )?new connect$/, scheme: /^ftp$/, sendsPassword: true, kind: 'ftp' },
]

const ADDRESS = ['host', 'hostname', 'connectionString', 'uri', 'url']
const TLS = /^(?:tls|ssl|secure|tls[A-Z]\w{0,40}|ssl[A-Z_]\w{0,40})$/
/** What an address says itself: `?tls=true`, `?sslmode=require`. */
const TLS_IN_ADDRESS = /[?&](?:tls|ssl|sslmode|ssl-mode|use_?ssl)=/i
/** Databases of providers, which refuse connections without TLS, or only are reached within a network of the customer. */
const HOSTED =
  /\.(?:mongodb\.net|amazonaws\.com|azure\.com|windows\.net|azmk8s\.io|googleapis\.com|supabase\.(?:co|com)|neon\.tech|upstash\.io|ondemand\.com|redislabs\.com|redis-cloud\.com|aivencloud\.com|planetscale\.com|psdb\.cloud|digitalocean\.com|render\.com|railway\.app|cloud\.sap)$/i
const IP = /^(?:\d{1,3}\.){3}\d{1,3}$/

/** Connections to hosts of the internet; of FTP, which has the password in it, also to others. */
export function* bareConnections(facts: ScriptFacts, step: (count?: number) => void): Generator<BareConnection> {
  for (const call of facts.calls) {
    const row = rowOf(call)
    if (row === undefined) continue
    step(ROWS.length)
    const [given] = call.args
    if (given === undefined) continue
    const found = addressOf(resolveValue(given))
    if (found === undefined || speaksOfTls(call, found.value)) continue
    if (row.kind === 'ftp' && !sendsLogin(resolveValue(given))) continue
    const host = hostOf(found.value, row)
    const grade = host === undefined ? undefined : gradeOf(host, row)
    if (host === undefined || grade === undefined) continue
    const { start, end } = found.value
    const { client, kind = 'driver' } = row
    yield { start, end, kind, client, host, ...grade, ...(found.isDefault && { evidence: 'assumed' as const }) }
  }
}

function rowOf({ kind, callee }: CallValue): Row | undefined {
  for (const { root, steps } of accessesOf(callee)) {
    const path = [root, ...steps, ...(kind === 'new' ? ['new'] : [])].join(' ')
    const row = path.startsWith('module:') ? ROWS.find(({ call }) => call.test(path)) : undefined
    if (row !== undefined) return row
  }
  return undefined
}

interface Address {
  readonly value: Value
  /** A variable of the environment may say another one. */
  readonly isDefault: boolean
}

/** The address that a call is given, as a text or in its options. */
function addressOf(given: Value): Address | undefined {
  if (given.kind !== 'object') return chosenOf(given)
  const socket = fieldOf(given, 'socket')?.value
  const options = [given, ...(socket === undefined ? [] : [resolveValue(socket)])]
  for (const key of ADDRESS)
    for (const one of options) {
      const value = fieldOf(one, key)?.value
      if (value !== undefined) return chosenOf(value)
    }
  return undefined
}

/** `process.env.DATABASE_URL || 'mongodb://…'` */
function chosenOf(written: Value): Address {
  const value = resolveValue(written)
  const preset = value.kind === 'choice' ? value.options.map(resolveValue).find((option) => textOf(option) !== '') : undefined
  return preset === undefined ? { value: isText(value) ? value : written, isDefault: false } : { value: preset, isDefault: true }
}

/** A password of a user: what an anonymous login gets is for all. */
function sendsLogin(options: Value): boolean {
  const user = fieldOf(options, 'user')?.value
  return fieldOf(options, 'password') !== undefined && (user === undefined || constantOf(user) !== 'anonymous')
}

/** What is said of TLS; options that are not all written out may say it. */
function speaksOfTls({ args }: CallValue, address: Value): boolean {
  if (TLS_IN_ADDRESS.test(textOf(address))) return true
  return args.some((argument) => {
    const options = resolveValue(argument)
    if (options.kind !== 'object') return options !== resolveValue(address) && options.kind !== 'function' && !isText(options)
    return findPart(options, (part) => part.kind === 'object' && part.fields.some(isOpenField)) !== undefined
  })
}

function isOpenField({ key, value }: ObjectValue['fields'][number]): boolean {
  return key === undefined || (TLS.test(key) && constantOf(value) !== false)
}

function isText(value: Value): boolean {
  return typeof constantOf(value) === 'string' || value.kind === 'template' || value.kind === 'concat'
}

/** A text, with a letter for what is put into it: `mongodb://${user}:${password}@host/db`. */
function textOf(written: Value): string {
  const value = resolveValue(written)
  if (value.kind === 'template') return value.texts.join('x')
  const text = constantOf(value)
  return typeof text === 'string' ? text : ''
}

function hostOf(address: Value, { scheme, kind }: Row): string | undefined {
  const text = textOf(address)
  const url = readUrl(text)
  if (url !== undefined) return scheme.test(url.scheme) ? url.host : undefined
  if (/^[\w.-]{3,200}$/.test(text)) return text.toLowerCase()
  // a setting
  return kind === 'ftp' && text === '' ? '' : undefined
}

function gradeOf(host: string, { sendsPassword, kind }: Row): GradeFacts | undefined {
  const impact = sendsPassword === true ? ('takeover' as const) : ('data' as const)
  if (host === '') return { impact, evidence: 'assumed' }
  const place = classifyHost(host)
  if (place === 'local' || place === 'documentation' || HOSTED.test(host)) return undefined
  if (place === 'private') return kind === 'ftp' ? { impact, reach: 'privileged' } : undefined
  // a name may lead into a network of one's own, and the environment of pg may ask for TLS
  return { impact, ...(!IP.test(host) && kind !== 'ftp' && { evidence: 'assumed' as const }) }
}
