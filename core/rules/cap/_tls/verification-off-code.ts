import {
  accessesOf,
  constantOf,
  stringConstantOf,
  fieldOf,
  keysOf,
  resolveValue,
  valuesOf,
  type FunctionFact,
  type ObjectValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import type { Span } from '../../../types.ts'

/** A place where code switches a check of TLS off. */
export interface TlsFault extends Span {
  readonly setting: string
  readonly variant?: 'process' | 'identity' | 'plain' | 'unless' | 'switch' | 'stage' | 'address'
  /** Of `unless`: what has to be set for the check to take place. Of the others: what decides. */
  readonly condition?: Span
}

const PROCESS = 'NODE_TLS_REJECT_UNAUTHORIZED'

/** Options that switch the check of certificates off, and the value that does it. Facts: Node.js, "tls" (`!== false`), "Command-line API"; README of
 *  request; @sap/hana-client, connection properties; tedious; @sap-cloud-sdk/connectivity. */
const OFF: ReadonlyMap<string, readonly (string | number | boolean)[]> = new Map<string, readonly (string | number | boolean)[]>([
  ['rejectUnauthorized', [false]],
  ['strictSSL', [false]],
  ['sslValidateCertificate', [false, 'false', 'FALSE', 0, '0']],
  ['isTrustingAllCertificates', [true]],
  ['trustServerCertificate', [true]],
  [PROCESS, [0, '0']],
])

const LOCAL = /(?:^|\/\/|@)(?:localhost|127\.0\.0\.1|\[?::1\]?|host\.docker\.internal)(?:[:/]|$)/i
const ADDRESS_KEYS = [
  'host',
  'hostname',
  'servername',
  'url',
  'uri',
  'baseURL',
  'serverNode',
  'server',
  'brokers',
  'nodes',
  'target',
]

/** The faults of one script. */
export function* findTlsFaults(facts: ScriptFacts, step: (count: number) => void): Generator<TlsFault> {
  const others = otherOptions(facts)
  // superagent
  for (const { callee } of facts.calls)
    if (callee.kind === 'member' && callee.name === 'disableTLSCerts')
      yield { setting: callee.name, start: callee.start, end: callee.end }
  yield* faultsOfProxies(facts)
  for (const { value, parent } of valuesOf(facts)) {
    // options of one's own machine: `{ host: 'localhost', ssl: { … } }`
    if (value.kind === 'object' && !others.has(value) && !(parent?.kind === 'object' && isLocal(parent)))
      yield* faultsOfObject(value, facts, step)
  }
  for (const { target, value, start, end, operator } of facts.assignments) {
    const fault =
      (operator === '=' || operator === '??=' || operator === '||=') && target.name !== undefined
        ? faultOf(target.name, value, facts, step)
        : undefined
    if (fault !== undefined) yield { ...fault, start, end }
  }
}

/** Facts: http-proxy 1.18, "Options" (`secure`: whether the certificate of the target is verified); http-proxy-middleware 3, which hands them on. */
const PROXY =
  /^module:(?:http-proxy(?: createProxyServer| createServer| createProxy)? \(\)|http-proxy-middleware (?:default |createProxyMiddleware |legacyCreateProxyMiddleware )?\(\))$/

function* faultsOfProxies({ calls }: ScriptFacts): Generator<TlsFault> {
  for (const call of calls) {
    if (!accessesOf(call).some(({ root, steps }) => PROXY.test([root, ...steps].join(' ')))) continue
    for (const given of call.args) {
      const options = resolveValue(given)
      const secure = fieldOf(options, 'secure')
      if (options.kind !== 'object' || secure === undefined || constantOf(secure.value) !== false || isLocal(options)) continue
      const target = fieldOf(options, 'target')?.value
      const address = stringConstantOf(target)
      // nothing is verified without TLS
      if (address !== undefined && address.startsWith('http:')) continue
      yield { setting: 'secure', start: secure.start, end: secure.value.end }
    }
  }
}

/**
 * Options of a server: there `rejectUnauthorized` is about certificates of its callers; and the configuration of axios, which hands none of these to Node.js, whatever
 * its `httpsAgent` does. Fact: axios 1.9, lib/adapters/http.js.
 */
function otherOptions({ calls }: ScriptFacts): ReadonlySet<Value> {
  const found = new Set<Value>()
  for (const { callee, args } of calls) {
    const name = lastNameOf(callee)
    const isServer = name === 'createServer' || name === 'createSecureServer' || name === 'TLSSocket'
    if (!isServer && !accessesOf(callee).some(({ root }) => root === 'module:axios')) continue
    for (const argument of args) {
      found.add(argument)
      for (const { value } of argument.kind === 'reference' ? (argument.binding?.definitions ?? []) : [])
        if (value) found.add(value)
    }
  }
  return found
}

function* faultsOfObject(object: ObjectValue, facts: ScriptFacts, step: (count: number) => void): Generator<TlsFault> {
  for (const field of object.fields) {
    const { key, value, start } = field
    if (key === undefined) continue
    const fault =
      faultOf(key, value, facts, step) ??
      (isPlainHana(object, key, value) ? { setting: key, variant: 'plain' as const } : undefined)
    if (fault === undefined || (key !== PROCESS && !isMeant(object))) continue
    yield { ...fault, start, end: value.end }
  }
}

function faultOf(
  name: string,
  written: Value,
  facts: ScriptFacts,
  step: (count: number) => void,
): Omit<TlsFault, 'start' | 'end'> | undefined {
  // a constant of the file: `const isStrict = process.env.STRICT_TLS === 'true'`
  const value = resolveValue(written)
  const off = OFF.get(name)
  if (off !== undefined) {
    const constant = constantOf(value)
    const asked = off.includes(false) ? onlyIfSet(value) : undefined
    if (asked !== undefined) return { setting: name, variant: 'unless', condition: asked }
    const switched = off.includes(false) ? offByVariable(value) : undefined
    if (switched !== undefined) return { setting: name, ...switched }
    if (off.includes(false) && isOffByAddress(value)) return { setting: name, variant: 'address', condition: value }
    if (constant === undefined || constant === null || !off.includes(constant)) return undefined
    return name === PROCESS ? { setting: name, variant: 'process' } : { setting: name }
  }
  if (name !== 'checkServerIdentity') return undefined
  step(facts.calls.length + facts.guards.length)
  const check = functionOf(value)
  return check !== undefined && acceptsAll(check, facts) ? { setting: name, variant: 'identity' } : undefined
}

/** A variable of the environment compared with a constant. */
interface AskedVariable {
  readonly name: string
  readonly wanted: unknown
  readonly isEqual: boolean
}

function askedVariable(test: Value): AskedVariable | undefined {
  if (test.kind !== 'operation') return undefined
  const [variable, wanted] = test.operands
  if (variable?.kind !== 'member' || variable.object.kind !== 'member' || variable.object.name !== 'env') return undefined
  if (variable.name === undefined || wanted === undefined || !/^[!=]={1,2}$/.test(test.operator)) return undefined
  return { name: variable.name, wanted: constantOf(wanted), isEqual: test.operator.startsWith('=') }
}

/**
 * `process.env.SKIP_TLS !== 'true'`, `process.env.SELF_SIGNED === 'true' ? false : true`: off where the variable says so.
 * `process.env.NODE_ENV !== 'production'`: off in production of all stages.
 */
function offByVariable(value: Value): Pick<TlsFault, 'variant' | 'condition'> | undefined {
  const [whenTrue, whenFalse] =
    value.kind === 'choice' && value.test !== undefined ? value.options.map(constantOf) : [true, false]
  const test = value.kind === 'choice' ? value.test : value
  if (test === undefined || typeof whenTrue !== 'boolean' || whenFalse !== !whenTrue) return undefined
  const set = value.kind === 'choice' && !whenTrue ? test : negated(test)
  if (set !== undefined && isVariable(set)) return { variant: 'switch', condition: set }
  const asked = askedVariable(test)
  if (asked === undefined) return undefined
  // whether it is validated where the variable has this value
  const isValidated = asked.isEqual === whenTrue
  if (/^NODE_ENV$|STAGE$/.test(asked.name))
    return !isValidated && /^prod(?:uction)?$/i.test(String(asked.wanted)) ? { variant: 'stage', condition: test } : undefined
  if (isValidated || !/^(?:true|1|yes|on)$/i.test(String(asked.wanted))) return undefined
  return { variant: 'switch', condition: test }
}

/**
 * The test that has to hold for the check to take place: `process.env.STRICT_TLS === 'true'`, `Boolean(process.env.STRICT_TLS)`, `process.env.STRICT_TLS || false`. It is off wherever
 * nobody sets the variable. What the stage decides is on where it matters.
 */
function onlyIfSet(value: Value): Value | undefined {
  if (isOnByVariable(value)) return value
  const twice = negated(value)
  if (twice !== undefined) return onlyVariable(negated(twice))
  if (value.kind === 'call')
    return value.callee.kind === 'reference' && value.callee.name === 'Boolean' ? onlyVariable(value.args[0]) : undefined
  if (value.kind !== 'choice' || value.isAnd === true) return undefined
  const [first, second] = value.options
  if (second === undefined || constantOf(second) !== false) return undefined
  if (value.test === undefined) return onlyVariable(first)
  return first !== undefined && constantOf(first) === true ? onlyVariable(value.test) : undefined
}

function onlyVariable(value: Value | undefined): Value | undefined {
  return value !== undefined && isVariable(value) ? value : undefined
}

function negated(value: Value): Value | undefined {
  return value.kind === 'operation' && value.operator === '!' ? value.operands[0] : undefined
}

/** `process.env.STRICT_TLS`: no variable of the stage. */
function isVariable(value: Value): boolean {
  if (value.kind !== 'member' || value.object.kind !== 'member' || value.object.name !== 'env') return false
  return !/ENV$|STAGE|PROD|MODE$|^CI$/i.test(value.name ?? 'ENV')
}

/** `process.env.STRICT_TLS === 'true'`. */
function isOnByVariable(value: Value): boolean {
  if (value.kind !== 'operation' || !/^={2,3}$/.test(value.operator)) return false
  const [variable, wanted] = value.operands
  if (variable === undefined || wanted === undefined || !isVariable(variable)) return false
  return /^(?:true|1|yes|on)$/i.test(String(constantOf(wanted)))
}

/** `process.env.PG_TLS`, `process.env.PG_TLS === 'true'`: holds only where somebody sets the variable, which is none of the stage. */
export function isSetVariable(test: Value): boolean {
  return isVariable(test) || isOnByVariable(test)
}

/** `!url.includes('.intra.')`, `/\.intra$/.test(host) ? false : true`: off for hosts of a network, which need not be one's own machine. */
function isOffByAddress(value: Value): boolean {
  if (value.kind === 'operation') return value.operator === '!' && value.operands.some(isAboutAddress)
  if (value.kind !== 'choice' || value.test === undefined) return false
  const [given] = value.options
  return given !== undefined && constantOf(given) === false && isAboutAddress(value.test)
}

function isAboutAddress(test: Value): boolean {
  if (test.kind !== 'call' || test.callee.kind !== 'member') return false
  const { name = '', object } = test.callee
  const [given] = test.args
  if (given === undefined) return false
  const pattern = resolveValue(object)
  if (pattern.kind === 'regex') return name === 'test' && isAddress(given) && !FOR_DEVELOPERS.test(pattern.pattern)
  const part = stringConstantOf(given)
  return PARTS.test(name) && isAddress(object) && part !== undefined && !FOR_DEVELOPERS.test(part)
}

const PARTS = /^(?:includes|startsWith|endsWith|match)$/
const ADDRESS = /(?:url|uri|host|hostname|domain|endpoint|server|address)$/i
/** Hosts of one's own machine and of tests. */
const FOR_DEVELOPERS = /local|127\\?\.0|::1|docker|mock|test|stub|dev|sandbox|^\^?https?\??:?[\\/]{0,4}$/i

/** `process.env.GATEWAY_URL`, `new URL(target).hostname`. */
function isAddress(value: Value): boolean {
  return ADDRESS.test(lastNameOf(value) ?? '')
}

/** A check that gives no error, whatever the certificate: it asks nothing. */
function acceptsAll({ start, end, returns }: FunctionFact, { calls, guards }: ScriptFacts): boolean {
  const isInside = (span: Span): boolean => span.start >= start && span.end <= end
  if (calls.some(isInside) || guards.some(isInside)) return false
  return returns.every(
    (value) =>
      value.kind === 'literal' ||
      (value.kind === 'reference' && value.name === 'undefined') ||
      (value.kind === 'operation' && value.operator === 'void'),
  )
}

/** A HANA connection without TLS: `encrypt: false` beside what such a connection is made of. */
function isPlainHana(object: ObjectValue, key: string, value: Value): boolean {
  if (key !== 'encrypt') return false
  const constant = constantOf(value)
  if (constant !== false && constant !== 'false' && constant !== 'FALSE') return false
  const keys = keysOf(object)
  return keys.has('serverNode') || (keys.has('host') && (keys.has('schema') || keys.has('currentSchema') || keys.has('uid')))
}

/** Not options for one's own machine, a server that asks its callers for certificates, or a destination of the approuter. */
function isMeant(object: ObjectValue): boolean {
  const keys = keysOf(object)
  if (keys.has('requestCert') || keys.has('forwardAuthToken') || (keys.has('name') && keys.has('url') && keys.has('strictSSL')))
    return false
  return !isLocal(object)
}

function isLocal(object: ObjectValue): boolean {
  return ADDRESS_KEYS.some((key) => {
    const address = fieldOf(object, key)?.value
    const given = address === undefined ? undefined : resolveValue(address)
    const [first = given] = given?.kind === 'array' ? given.items : []
    const text = first === undefined ? undefined : constantOf(first)
    return typeof text === 'string' && LOCAL.test(text)
  })
}
