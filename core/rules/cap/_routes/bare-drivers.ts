import {
  accessesOf,
  constantOf,
  stringConstantOf,
  fieldOf,
  findPart,
  isNullish,
  resolveValue,
  type Binding,
  type CallValue,
  type ObjectValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { bindingOf } from '../../../facts/asked-values.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { classifyHost } from '../../../secrets/index.ts'
import { namesCompletedLater, type Completing } from '../_tls/later-fields.ts'
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
  /** The host may follow a port, and options follow both. Fact: ioredis 5, API, "new Redis([port], [host], [options])". */
  readonly beginsWithPort?: true
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
  {
    client: 'ioredis',
    call: /^module:ioredis (?:default )?(?:Redis )?new$/,
    scheme: /^redis$/,
    sendsPassword: true,
    beginsWithPort: true,
  },
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
const TLS_IN_ADDRESS = /[?&](?:tls|ssl|sslmode|ssl-mode|use_?ssl)=(?!(?:false|0|no|off|none|disabled?)(?:$|[&#]))/i
/** Databases of providers, which refuse connections without TLS, or only are reached within a network of the customer. */
const HOSTED =
  /\.(?:mongodb\.net|amazonaws\.com|azure\.com|windows\.net|azmk8s\.io|googleapis\.com|supabase\.(?:co|com)|neon\.tech|upstash\.io|ondemand\.com|redislabs\.com|redis-cloud\.com|aivencloud\.com|planetscale\.com|psdb\.cloud|digitalocean\.com|render\.com|railway\.app|cloud\.sap)$/i
/** Machines of these providers: what runs there their tenant sets up. Facts: Amazon EC2, "Instance hostnames"; Azure, "Public IP addresses" (DNS name label). */
const BARE_MACHINE = /\.(?:compute(?:-\d)?\.amazonaws\.com|cloudapp\.azure\.com)$/i
const IP = /^(?:\d{1,3}\.){3}\d{1,3}$/
/** Stands for what is put into a text. */
const PART = '*'

/** Connections to hosts of the internet; of FTP, which has the password in it, also to others. */
export function* bareConnections(facts: ScriptFacts, step: (count?: number) => void): Generator<BareConnection> {
  let open: ReadonlySet<Binding> | undefined
  for (const call of facts.calls) {
    const row = rowOf(call)
    if (row === undefined) continue
    step(ROWS.length)
    open ??= namesCompletedLater(facts, TLS_FIELDS, step)
    const args = addressingOf(call, row)
    const [given, more] = args
    if (given === undefined || saysMore(args, open)) continue
    const address = resolveValue(given)
    const options = args === call.args || more === undefined ? address : resolveValue(more)
    if (row.kind === 'ftp' && !sendsLogin(options)) continue
    for (const { value, isDefault } of addressesOf(address)) {
      const found = TLS_IN_ADDRESS.test(textOf(value)) ? undefined : hostOf(value, options, row)
      if (found === undefined) continue
      const { start, end } = value
      const { client, kind = 'driver' } = row
      yield { start, end, kind, client, ...found, ...(isDefault && { evidence: 'assumed' as const }) }
      break
    }
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

/** What a call is given from its address on: `new Redis(6379, 'queue.example.com', { password })` has the port in front of it. */
function addressingOf({ args }: CallValue, { beginsWithPort }: Row): readonly Value[] {
  const [first, host] = args
  if (beginsWithPort !== true || first === undefined || host === undefined) return args
  const port = resolveValue(first)
  return port.kind !== 'object' && !isText(port) && addressesOf(resolveValue(host)).length > 0 ? args.slice(1) : args
}

/** Options that a field for TLS or a call may complete: `options.tls = true`, `addKeys(options)`. */
const TLS_FIELDS: Completing = {
  isField: (name) => TLS.test(name),
  adds: (call) => !SHOWS.test(lastNameOf(call.callee) ?? '') && rowOf(call) === undefined,
}

/** What only shows an object. */
const SHOWS = /^(?:log|info|debug|warn|error|stringify)$/

interface Address {
  readonly value: Value
  /** A variable of the environment may say another one. */
  readonly isDefault: boolean
}

/** The addresses that a call may be given, as texts or in its options. */
function addressesOf(given: Value): readonly Address[] {
  if (given.kind !== 'object') return chosenOf(given)
  const socket = fieldOf(given, 'socket')?.value
  const options = [given, ...(socket === undefined ? [] : [resolveValue(socket)])]
  for (const key of ADDRESS)
    for (const one of options) {
      const value = fieldOf(one, key)?.value
      if (value !== undefined) return chosenOf(value)
    }
  return []
}

/** `process.env.DATABASE_URL || 'mongodb://…'` */
function chosenOf(written: Value): readonly Address[] {
  const value = resolveValue(written)
  const options = value.kind === 'choice' ? value.options.map(resolveValue).filter((option) => textOf(option) !== '') : []
  if (options.length === 0) return [{ value: isText(value) ? value : written, isDefault: false }]
  return options.map((option) => ({ value: option, isDefault: true }))
}

/** A password of a user: what an anonymous login gets is for all. Fact: basic-ftp 6, `access` (without a user: "anonymous"). */
function sendsLogin(options: Value): boolean {
  const user = fieldOf(options, 'user')?.value
  return fieldOf(options, 'password') !== undefined && user !== undefined && constantOf(user) !== 'anonymous'
}

/** Whether options switch TLS on, or are not all written out and may do so. */
function saysMore(args: readonly Value[], open: ReadonlySet<Binding>): boolean {
  const isOpen = (value: Value): boolean => {
    const binding = bindingOf(value)
    return binding !== undefined && open.has(binding)
  }
  return args.some((argument, index) => {
    const options = resolveValue(argument)
    if (options.kind === 'object')
      return findPart(argument, (part) => (part.kind === 'object' ? part.fields.some(isOpenField) : isOpen(part))) !== undefined
    return options.kind !== 'function' && !isText(options) && (index > 0 || options.kind !== 'choice')
  })
}

function isOpenField({ key, value }: ObjectValue['fields'][number]): boolean {
  return key === undefined || (TLS.test(key) && !isOff(resolveValue(value)))
}

function isOff(value: Value): boolean {
  return constantOf(value) === false || isNullish(value)
}

function isText(value: Value): boolean {
  return typeof constantOf(value) === 'string' || value.kind === 'template' || value.kind === 'concat'
}

/** A text, with a mark for what is put into it: `mongodb://${user}:${password}@host/db`. */
function textOf(written: Value): string {
  const value = resolveValue(written)
  const text = stringConstantOf(value)
  if (text !== undefined) return text
  if (value.kind === 'template') return value.texts.join(PART)
  return value.kind === 'concat' ? value.parts.slice(0, MAX_PARTS).map(partOf).join('') : ''
}

const MAX_PARTS = 40

function partOf(part: Value): string {
  return String(constantOf(part) ?? PART)
}

/** The first host of an address that is told of, with what it weighs. */
function hostOf(address: Value, options: Value, row: Row): ({ readonly host: string } & GradeFacts) | undefined {
  const text = textOf(address)
  const url = readUrl(text)
  if (url !== undefined && !row.scheme.test(url.scheme)) return undefined
  const sendsPassword =
    row.sendsPassword === true && (fieldOf(options, 'password') !== undefined || url?.user?.includes(':') === true)
  const impact = sendsPassword ? ('takeover' as const) : ('data' as const)
  // a setting
  if (text === '') return row.kind === 'ftp' ? { host: '', impact, evidence: 'assumed' } : undefined
  // members of a replica set: `mongodb://a:27017,b:27017/fleet`
  for (const written of (url?.host ?? text).toLowerCase().split(',')) {
    const host = written.replace(/:[\d*]{1,5}$/, '')
    const grade = /^[\w.*-]{3,200}$/.test(host) ? gradeOf(host, row) : undefined
    if (grade !== undefined) return { host, impact, ...grade }
  }
  return undefined
}

function gradeOf(host: string, { kind }: Row): GradeFacts | undefined {
  const place = classifyHost(host)
  if (place === 'local' || place === 'documentation' || (HOSTED.test(host) && !BARE_MACHINE.test(host))) return undefined
  // of a name that is put together, the domain has to be written
  if (host.includes(PART) && !/\.[a-z\d-]{1,63}\.[a-z]{2,20}$/.test(host)) return undefined
  if (place === 'private') return kind === 'ftp' ? { reach: 'privileged' } : undefined
  // a name may lead into a network of one's own, and the environment of pg may ask for TLS
  return !IP.test(host) && kind !== 'ftp' ? { evidence: 'assumed' } : {}
}
