import {
  accessesOf,
  constantOf,
  fieldOf,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { promisifiedBy } from '../../../facts/direct-calls.ts'
import { createFieldValues, createOwners } from '../../../flow/index.ts'
import type { Span } from '../../../types.ts'

/** Encryption, derivation or keys that are too weak. */
export interface WeakCipher extends Span {
  readonly variant: 'derived' | CipherFault | 'vector' | 'rounds' | 'key' | 'signature'
  readonly what: string
}

/** What a cipher lacks: secrecy; secrecy of repeated blocks; room for much data under one key; a place in today’s libraries. */
type CipherFault = 'cipher' | 'ecb' | 'blocks' | 'obsolete'

/** Facts: Node.js 24, "Crypto" (createCipher was removed in 22); OWASP, "Cryptographic Storage" and "Password Storage". */
const WEAK_CIPHER = /^(?:des|des-(?!ede3-(?:cbc|cfb|ofb))|rc2|rc4|arc4|bf|blowfish|cast|idea|seed)|-ecb$|^des3$|^des-ede/i
/** Facts: NIST SP 800-131A (DES, three-key Triple DES, RC4); RFC 7465 (RC4); the attack Sweet32 (blocks of 64 bits). */
function faultOf(cipher: string): CipherFault {
  if (/^(?:des(?!3|-ede)|a?rc4)/i.test(cipher)) return 'cipher'
  if (/-ecb$/i.test(cipher)) return 'ecb'
  return /^(?:des|tripledes|bf|blowfish|cast|idea|rc2)/i.test(cipher) ? 'blocks' : 'obsolete'
}

const MIN_ROUNDS = 100_000
const MIN_BITS = 2048

/** The weak ciphers of one script; a pair that encrypts and decrypts is one fault, reported where it encrypts. */
export function* findWeakCiphers(facts: ScriptFacts, step: (count: number) => void): Generator<WeakCipher> {
  const fields = createFieldReader(facts)
  const found = facts.calls.flatMap((call) => toWeak(call, facts, fields, step) ?? [])
  const encrypting = found.some(({ isDecrypting }) => !isDecrypting)
  for (const { isDecrypting, ...weak } of found) if (!isDecrypting || !encrypting) yield weak
}

function toWeak(
  call: CallValue,
  facts: ScriptFacts,
  fields: FieldReader,
  step: (count: number) => void,
): (WeakCipher & { isDecrypting: boolean }) | undefined {
  const weak = ofNode(call, facts, fields, step) ?? ofCryptoJs(call) ?? ofKeys(call)
  const isDecrypting = /decipher|decrypt/i.test(lastNameOf(call.callee) ?? '')
  return weak && { start: call.start, end: call.end, isDecrypting, ...weak }
}

type Weak = Omit<WeakCipher, 'start' | 'end'> & Partial<Span>

function ofNode(
  { callee, args }: CallValue,
  facts: ScriptFacts,
  fields: FieldReader,
  step: (count: number) => void,
): Weak | undefined {
  const accesses = accessesOf(promisifiedBy(callee) ?? callee)
  const access = accesses.find(({ root }) => /^module:(?:node:)?crypto$/.test(root))
  const [first, second, third] = args
  const text = first === undefined ? undefined : constantOf(fields(first))
  switch (access?.steps.join(' ')) {
    case 'createCipher':
    case 'createDecipher':
      return { variant: 'derived', what: access.steps.join('.') }
    case 'createCipheriv':
    case 'createDecipheriv':
      if (typeof text === 'string' && WEAK_CIPHER.test(text)) return { variant: faultOf(text), what: text }
      if (access.steps[0] === 'createDecipheriv' || third === undefined || !isFixed(fields(third), facts, step)) return undefined
      return { variant: 'vector', what: typeof text === 'string' ? text : '', start: third.start, end: third.end }
    case 'pbkdf2':
    case 'pbkdf2Sync':
      return third && ofRounds(fields(third), third)
    case 'createSign':
    case 'sign':
      return typeof text === 'string' && /^(?:rsa-|dsa-|ecdsa-with-)?(?:md5|sha-?1)$/i.test(text)
        ? { variant: 'signature', what: text }
        : undefined
    case 'generateKeyPair':
    case 'generateKeyPairSync':
      return text === 'rsa' || text === 'rsa-pss' || text === 'dsa'
        ? ofBits(second && fieldOf(resolveValue(second), 'modulusLength')?.value)
        : undefined
    default:
      return undefined
  }
}

function ofRounds(rounds: Value, { start, end }: Span): Weak | undefined {
  const count = constantOf(rounds) ?? defaultOf(rounds)
  if (typeof count !== 'number' || count >= MIN_ROUNDS) return undefined
  return { variant: 'rounds', what: String(count), start, end }
}

/** What a parameter is, where a caller says nothing: `(password, rounds = 1000) => …`. */
function defaultOf(value: Value): unknown {
  const [only] = value.kind === 'reference' && value.binding?.kind === 'parameter' ? value.binding.definitions : []
  return only?.fallback && constantOf(only.fallback)
}

function ofBits(bits: Value | undefined): Weak | undefined {
  const count = bits === undefined ? undefined : constantOf(bits)
  if (bits === undefined || typeof count !== 'number' || count >= MIN_BITS || count < 128) return undefined
  return { variant: 'key', what: String(count), start: bits.start, end: bits.end }
}

/** An initialization vector that is hard-coded, or all zeros and never filled. */
function isFixed(given: Value, { calls }: ScriptFacts, step: (count: number) => void): boolean {
  step(calls.length)
  const value = resolveValue(given)
  if (value.kind === 'literal') return typeof value.value === 'string' && value.value !== ''
  if (value.kind === 'concat' || value.kind === 'template') return constantOf(value) !== undefined
  if (value.kind !== 'call' && value.kind !== 'new') return false
  const [first] = value.args
  const name = accessesOf(value.callee).map(({ root, steps }) => [root, ...steps].join(' '))[0]
  if (first === undefined) return false
  if (name === 'global:Buffer from' || (name === 'global:Buffer' && value.kind === 'new')) {
    const source = resolveValue(first)
    if (typeof constantOf(source) === 'string') return true
    return source.kind === 'array' && source.items.every((item) => constantOf(item) !== undefined)
  }
  if (name !== 'global:Buffer alloc' && name !== 'global:Uint8Array') return false
  if (typeof constantOf(first) !== 'number' && resolveValue(first).kind !== 'array') return false
  const { binding } = given.kind === 'reference' ? given : { binding: undefined }
  // filled afterwards: randomFillSync(iv), getRandomValues(iv), source.copy(iv)
  return (
    binding === undefined ||
    !calls.some(
      ({ callee, args }) =>
        lastNameOf(callee)?.startsWith('create') !== true &&
        args.some((one) => one.kind === 'reference' && one.binding === binding),
    )
  )
}

const CRYPTO_JS = /^(?:module:crypto-js(?:\/\w{1,40})?|global:CryptoJS)$/

function ofCryptoJs({ callee, args }: CallValue): Weak | undefined {
  const access = accessesOf(callee).find(({ root }) => CRYPTO_JS.test(root))
  if (access === undefined) return undefined
  const path = [...access.root.split('/').slice(1), ...access.steps].map((step) => step.toLowerCase()).join('.')
  const [, , third] = args
  const options = third && resolveValue(third)
  if (/^(?:des|tripledes|rc4|rc4drop|rabbit|rabbitlegacy|blowfish)\.(?:en|de)crypt$/.test(path)) {
    const what = access.steps.at(-2) ?? access.root.slice(access.root.indexOf('/') + 1)
    return { variant: faultOf(what), what }
  }
  if (/^aes\.(?:en|de)crypt$/.test(path)) {
    const mode = fieldOf(options, 'mode')?.value
    return mode !== undefined && lastNameOf(mode) === 'ECB' ? { variant: 'ecb', what: 'AES-ECB' } : undefined
  }
  const iterations = path === 'pbkdf2' ? fieldOf(options, 'iterations')?.value : undefined
  return iterations && ofRounds(iterations, iterations)
}

/** Keys of node-forge and node-rsa. */
function ofKeys({ kind, callee, args: [first] }: CallValue): Weak | undefined {
  if (first === undefined) return undefined
  for (const { root, steps } of accessesOf(callee)) {
    if (root === 'module:node-forge' && steps.at(-1) === 'generateKeyPair')
      return ofBits(fieldOf(resolveValue(first), 'bits')?.value ?? first)
    if (root === 'module:node-rsa' && kind === 'new') return ofBits(fieldOf(resolveValue(first), 'b')?.value)
  }
  return undefined
}

/** What a field of the file's classes always is, else the value itself. */
export type FieldReader = (value: Value) => Value

export function createFieldReader(facts: ScriptFacts): FieldReader {
  const owners = createOwners(facts, false)
  const valuesOf = createFieldValues(facts, owners)
  return (value) => {
    if (value.kind !== 'member' || value.name === undefined) return value
    const owner = owners.ownerBehind(value.object) ?? owners.classBehind(value.object)
    const [only, ...more] = owner === undefined ? [] : valuesOf(owner, value.name)
    return only === undefined || more.length > 0 ? value : only
  }
}
