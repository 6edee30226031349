import {
  accessesOf,
  constantOf,
  functionAround,
  resolveValue,
  type Access,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { groupBy } from '../../lists.ts'
import { secretNounOf, splitWords } from './secret-names.ts'
import { isWithin } from '../../facts/span-index.ts'
import { lastName } from '../../paths.ts'

/** A secret that is hashed by a function whose collisions are known, or that is tried billions of times a second. */
export interface WeakHash {
  readonly call: CallValue
  /** `MD5`, `SHA-1`. */
  readonly algorithm: string
  /** The name that tells that it is a secret. */
  readonly name: string
  /** A sound function, and too fast for what people choose. */
  readonly isFast: boolean
}

const WEAK: ReadonlyMap<string, string> = new Map([
  ['md2', 'MD2'],
  ['md4', 'MD4'],
  ['md5', 'MD5'],
  ['sha1', 'SHA-1'],
  ['sha', 'SHA-1'],
])

/** Good for long random tokens, and too fast for what people choose. Fact: OWASP Password Storage Cheat Sheet. */
const FAST: ReadonlyMap<string, string> = new Map(
  ['224', '256', '384', '512'].flatMap((bits) => [
    [`sha${bits}`, `SHA-${bits}`],
    [`sha3${bits}`, `SHA3-${bits}`],
  ]),
)

/** Passwords and the like in names of functions, and names of what a hash is for where nothing is protected by it. */
const PROTECTED: ReadonlySet<string> = new Set(
  'password passwords passwd pwd passphrase credential credentials passcode'.split(' '),
)
const HARMLESS: ReadonlySet<string> = new Set(
  'etag checksum cache cached fingerprint integrity dedupe gravatar avatar color colour short filename bucket shard'.split(' '),
)

/** Hashes of secrets by weak functions in one script. */
export function* findWeakHashes(facts: ScriptFacts, step: (count?: number) => void): Generator<WeakHash> {
  let [updates, stored]: [ReturnType<typeof indexUpdates>?, ReturnType<typeof indexStored>?] = []
  let hashing: ReadonlySet<FunctionFact> | undefined
  const handedTo = createArgumentReader(facts, step)
  for (const call of facts.calls) {
    step()
    const hash = hashOf(call)
    if (hash === undefined) continue
    // sha1(password) of a function of the file that hashes by itself: there it is reported
    const own = functionOf(call.callee)
    hashing ??= new Set(facts.calls.flatMap((one) => (hashOf(one) === undefined ? [] : one.function)))
    if (own !== undefined && hashing.has(own)) continue
    updates ??= indexUpdates(facts)
    stored ??= indexStored(facts)
    const inFunction = stored.get(call.function) ?? []
    step(inFunction.length)
    const around = functionAround(facts, call.start)
    const functionName = around?.name.slice(around.name.lastIndexOf('.') + 1) ?? ''
    const names = [...namesAround(inFunction, call), functionName]
    if (names.some((name) => splitWords(name).some((word) => HARMLESS.has(word)))) continue
    const written = hash.texts ?? updates.get(call) ?? []
    const hashed = [...written, ...handedTo(written)]
    const name = hashed.map((text) => secretIn(text, 0)).find((found) => found !== undefined) ?? saltedIn(hashed)
    const told = name ?? names.find((one) => isProtecting(splitWords(one)) && hashed.length > 0)
    const isFast = FAST_NAMES.has(hash.algorithm)
    if (told === undefined || (isFast && !isChosenByPeople(splitWords(told)))) continue
    yield { call, algorithm: hash.algorithm, name: told, isFast }
  }
}

const FAST_NAMES: ReadonlySet<string> = new Set(FAST.values())

function isChosenByPeople(words: readonly string[]): boolean {
  return words.some((word) => (PROTECTED.has(word) && !word.startsWith('credential')) || word === 'pin')
}

/** `hashPassword`, `pinHash`, `checkPin`. */
function isProtecting(words: readonly string[]): boolean {
  return words.some((word) => PROTECTED.has(word)) || (words.includes('pin') && words.some((word) => OF_PINS.test(word)))
}

const OF_PINS = /^(?:hash|hashed|hashes|digest|check|verify|set|store|stored|same)$/

/** What the callers in the file give for a parameter that is hashed: `const sha = (text) => createHash('sha1').update(text)`. */
function createArgumentReader({ calls }: ScriptFacts, step: (count?: number) => void): (texts: readonly Value[]) => Value[] {
  let byName: ReadonlyMap<string, readonly CallValue[]> | undefined
  return (texts) =>
    texts.flatMap((text) => {
      const [part] = text.kind === 'concat' || text.kind === 'template' ? text.parts : [text]
      const binding = part?.kind === 'reference' ? part.binding : undefined
      const index = binding?.kind === 'parameter' ? binding.function.parameters.indexOf(binding) : -1
      if (binding === undefined || index < 0) return []
      if (byName === undefined) step(calls.length)
      byName ??= groupBy(calls, ({ callee }) => lastNameOf(callee) ?? '')
      const { name } = binding.function
      const callers = name === '' ? [] : (byName.get(lastName(name)) ?? [])
      step(callers.length)
      return callers.slice(0, MAX_CALLERS).flatMap(({ args }) => args[index] ?? [])
    })
}

const MAX_CALLERS = 50

/** What a call hashes, and by what; without texts it is a hash that others fill. */
function hashOf({
  kind,
  callee,
  args,
}: CallValue): { readonly algorithm: string; readonly texts?: readonly Value[] } | undefined {
  const first = args[0]
  if (kind !== 'call' || first === undefined) return undefined
  const ways = accessesOf(callee)
  const name = importedName(ways) ?? lastNameOf(callee)
  if (name === undefined) return undefined
  if (name === 'createHash' || name === 'hash' || name === 'digest') {
    const algorithm = weakIn(first)
    if (algorithm === undefined) return undefined
    if (name === 'createHash') return { algorithm }
    const second = args[1]
    return second === undefined ? undefined : { algorithm, texts: [second] }
  }
  const direct = WEAK.get(
    functionName(callee, name, ways)
      .toLowerCase()
      .replace(/^hex_?|_/g, ''),
  )
  return direct === undefined ? undefined : { algorithm: direct, texts: [first] }
}

/** The weak algorithm that a value names, or that it is where nobody says more: `{ algorithm = 'sha1' }`, `options.algorithm ?? 'md5'`. */
function weakIn(value: Value): string | undefined {
  const [only] = value.kind === 'reference' && value.binding?.definitions.length === 1 ? value.binding.definitions : []
  const here = resolveValue(value)
  const given = [value, only?.fallback, ...(here.kind === 'choice' ? here.options : [])].flatMap((one) =>
    one === undefined ? [] : (constantOf(one) ?? []),
  )
  for (const text of given) {
    const key = typeof text === 'string' ? text.toLowerCase().replaceAll(/[-_]/g, '') : ''
    const weak = WEAK.get(key) ?? FAST.get(key)
    if (weak !== undefined) return weak
  }
  return undefined
}

/** `createHash` of Node.js, whatever the file calls it. */
function importedName(ways: readonly Access[]): string | undefined {
  return ways.find(({ root }) => root === 'module:crypto' || root === 'module:node:crypto')?.steps.at(-1)
}

/** `md5` of `md5(x)`, `CryptoJS.MD5(x)`, `SparkMD5.hash(x)`, `Md5.hashStr(x)`, and of a module that is called otherwise. */
function functionName(callee: Value, name: string, ways: readonly Access[]): string {
  if (callee.kind === 'member' && /^hash(?:Str|AsciiStr)?$/.test(name))
    return (lastNameOf(callee.object) ?? '').replace(/^Spark/, '')
  for (const { root, steps } of ways) {
    const module = /^module:(?:(?:blueimp-|js-|crypto-js\/)?(md5|sha1))$/.exec(root)?.[1]
    if (module !== undefined && steps.length === 0) return module
  }
  return name
}

const MAX_CHAIN = 12

/** What `.update(x)` gives to each hash, also behind other updates. */
function indexUpdates({ calls }: ScriptFacts): ReadonlyMap<Value, readonly Value[]> {
  const updates = new Map<Value, Value[]>()
  for (const { callee, args } of calls) {
    const [text] = args
    if (callee.kind !== 'member' || callee.name !== 'update' || text === undefined) continue
    let here: Value = resolveValue(callee.object)
    for (let depth = 0; depth < MAX_CHAIN; depth++) {
      if (here.kind !== 'call') break
      const known = updates.get(here)
      if (known === undefined) updates.set(here, [text])
      else known.push(text)
      if (here.callee.kind !== 'member') break
      here = resolveValue(here.callee.object)
    }
  }
  return updates
}

const MAX_DEPTH = 6

/** The name of a secret in what is hashed: through sums, templates and calls that keep the text. */
function secretIn(value: Value, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return undefined
  switch (value.kind) {
    case 'template':
    case 'concat':
      return value.parts.map((part) => secretIn(part, depth + 1)).find((name) => name !== undefined)
    case 'choice':
      return value.options.map((part) => secretIn(part, depth + 1)).find((name) => name !== undefined)
    case 'array':
      return value.items.map((part) => secretIn(part, depth + 1)).find((name) => name !== undefined)
    case 'call':
    case 'new': {
      const [first] = value.args
      const inner = value.callee.kind === 'member' ? secretIn(value.callee.object, depth + 1) : undefined
      return inner ?? (first && secretIn(first, depth + 1)) ?? nameOf(value.callee)
    }
    case 'reference': {
      const resolved = resolveValue(value)
      return nameOf(value) ?? (resolved === value ? undefined : secretIn(resolved, depth + 1))
    }
    case 'member':
      return nameOf(value)
    default:
      return undefined
  }
}

/** What is hashed together with a salt is meant to be guessed by nobody, whatever it is called. */
function saltedIn(hashed: readonly Value[]): string | undefined {
  const names = hashed
    .flatMap((value) => (value.kind === 'template' || value.kind === 'concat' ? value.parts : [value]))
    .flatMap((part) => lastNameOf(part) ?? [])
  const isSalt = (name: string): boolean => splitWords(name).some((word) => word === 'salt' || word === 'pepper')
  return names.some(isSalt) ? names.find((name) => !isSalt(name)) : undefined
}

function nameOf(value: Value): string | undefined {
  const name = lastNameOf(value)
  if (name === undefined) return undefined
  const noun = secretNounOf(name)
  const isPin = splitWords(name).at(-1) === 'pin'
  return isPin || (noun !== undefined && noun !== 'salt') || /^(?:\w{0,20}_)?(?:pass|pw)$|[a-z](?:Pass|Pw)$/.test(name)
    ? name
    : undefined
}

interface Stored {
  readonly name: string
  readonly value: Value
}

/** What each function stores under names. */
function indexStored({ bindings, assignments }: ScriptFacts): ReadonlyMap<FunctionFact, readonly Stored[]> {
  const values = [
    ...bindings.flatMap(({ name, definitions }) =>
      definitions.flatMap(({ value, function: own }) => (value === undefined ? [] : [{ own, name, value }])),
    ),
    ...assignments.flatMap(({ target, value, function: own }) =>
      target.name === undefined ? [] : [{ own, name: target.name, value }],
    ),
  ]
  return groupBy(values, ({ own }) => own)
}

/** Names that the hash is stored under, in its own function. */
function namesAround(stored: readonly Stored[], call: CallValue): string[] {
  return stored.flatMap(({ name, value }) => (isWithin(call, value) ? [name] : []))
}
