import { holdsAny } from '../holds-any.ts'
import type { Conditions, Names } from '../../conditions/walk.ts'
import { isAllowed, isProof, knowsHost, proves, unite, type Constraint, type Proof } from '../../conditions/constraint.ts'
import { isBag, nameOf, addressesOfPart } from '../../conditions/addresses.ts'
import {
  accessOf,
  createGuardReader,
  keyOf,
  resolveValue,
  type Guard,
  type ScriptFacts,
  type Value,
  isConstant,
} from '../../facts/index.ts'
import { cleansOf, type Cleans } from '../tables/harmless.ts'
import { createAssertedReader, createHandedReader } from './asserted.ts'
import { decodingOf, type Decoding } from './decoding.ts'
import type { FunctionParts } from '../../conditions/parts.ts'
import type { CheckingScript } from '../graph/input.ts'
import { createValidatorReader } from './route-validators.ts'
import { createSchemaReader } from './schemas.ts'
import { createPresenceTest, type Mentions } from '../../conditions/mentions.ts'
import { PASSING, PASSING_METHODS } from '../tables/propagators.ts'
import { pathsOfCallee } from '../calls/callees.ts'

/** A condition is asked a dozen questions about a value. */
const CHECK_STEPS = 4

/**
 * Tells what is proved of a value by conditions on the way, and by functions that it was given to before. A name is read again and again below the same conditions, so what they
 * prove of it is worked out once: it is the same for whatever is written alike and means the same place.
 */
export function createProofReader(script: CheckingScript): (value: Value) => readonly Proof[] {
  const { facts, text, realm, step } = script
  const readers = [createAssertedReader(script), createSchemaReader(script), createValidatorReader(script)].filter(
    (read) => read !== undefined,
  )
  const assertedOf = (value: Value): readonly Proof[] => (readers.length === 0 ? NOTHING : readers.flatMap((read) => read(value)))
  const isHanded = realm === 'server' ? createHandedReader(facts, text, step) : () => false
  // servers believe what values are made of as well
  const [isPresence, mentions]: readonly [(test: Value) => boolean, Mentions] =
    realm === 'browser' ? [createPresenceTest(facts), script.parts.mentions] : [() => false, () => () => true]
  const guardsAt = createGuardReader(
    facts.guards.filter(({ test }) => !isPresence(test)),
    step,
  )
  const known = new Map<readonly Guard[], Map<string, readonly Proof[]>>()
  const decoded = holdsAny(text, DECODES) ? decodedIn(facts) : new Map<Value, Decoding>()
  return (value) => {
    const proofs = proofsOfValue(value)
    const decoding = proofs.length === 0 ? undefined : decoded.get(value)
    if (decoding === undefined) return proofs
    return staysDecoded(proofs, decoding)
  }
  function proofsOfValue(value: Value): readonly Proof[] {
    const asserted = assertedOf(value)
    const handed: readonly Proof[] = asserted.length === 0 && isHanded(value) ? [{ kind: 'handed' }] : []
    const guards = guardsAt(value.start)
    const key = guards.length === 0 ? undefined : keyOf(value)
    const isMentioned = mentions(key)
    const speaking = guards.filter(({ test }) => isMentioned(test))
    if (speaking.length === 0) return asserted.length + handed.length === 0 ? NOTHING : [...asserted, ...handed]
    const own = known.get(guards) ?? new Map<string, readonly Proof[]>()
    known.set(guards, own)
    const written = `${text.slice(value.start, value.end)} ${key ?? ''}`
    const before = own.get(written)
    const found = before ?? atPlace(value, speaking)
    if (before === undefined) own.set(written, found)
    if (found.length + asserted.length + handed.length === 0) return NOTHING
    // a function of another file that may throw is known by what it does, and not believed for its name
    return unite([asserted, handed, handed.length === 0 ? found : found.filter(({ kind }) => kind !== 'answered')])
  }
  function atPlace(value: Value, guards: readonly Guard[]): readonly Proof[] {
    step(guards.length * CHECK_STEPS)
    const found = provedBy(guards, value, script.parts)
    if (realm === 'browser') return found.filter((one) => isProof(one) && !isKindAlone(one))
    const isMade = isMoreOpen(found) && value.kind === 'reference' && isMadeOfChecked(guards, value, script.parts)
    return [...found.filter((one) => isProof(one) || one.kind === 'asked'), ...(isMade ? [LISTED] : [])]
  }
}

const NOTHING: readonly Proof[] = []
const LISTED: Proof = { kind: 'listed' }

/** Nothing says of the value as a whole what it may be. */
function isMoreOpen(proofs: readonly Proof[]): boolean {
  return !proofs.some((one) => isAllowed(one) || one.kind === 'answered')
}

/** `isOrder(x)`: of which kind it is, the name of a function promises, and no more. */
function isKindAlone({ kind, text }: Proof): boolean {
  return kind === 'answered' && text === undefined
}

/** What names of functions promise, where nobody asks those: that they know what is allowed, is believed, that a value is of some kind is not. What was looked at by the way says nothing. */
function believedIn(proofs: readonly Proof[]): readonly Proof[] {
  return proofs.flatMap((one): readonly Proof[] => {
    if (one.kind === 'answered') return isKindAlone(one) ? [] : [LISTED]
    return isProof(one) ? [one] : []
  })
}

/** What conditions prove of a value, as it is read where it stands. */
export function provedAt(value: Value, guards: readonly Guard[], parts: FunctionParts): readonly Proof[] {
  // where a function says what it checks: what it is given is no path that is put together there
  const found = provedBy(guards, value, parts, true)
  const isExamined = proves(found, 'asked') && !proves(found, 'open')
  return isExamined ? [...believedIn(found), { kind: 'asked' }] : believedIn(found)
}

/** What one condition proves of a value where it holds, or where it does not. */
export function provedByTest(test: Value, holds: boolean, value: Value, conditions: Conditions): readonly Proof[] {
  return believedIn(toldByTest(test, holds, value, conditions))
}

/** The same where it is not settled yet whether names of functions are believed. */
export function toldByTest(test: Value, holds: boolean, value: Value, conditions: Conditions): readonly Proof[] {
  return createNames(value).proofsOf(conditions.constraintsOf(test, holds))
}

/** The rules for which a condition that chooses a value is enough: `isOwn(address) ? address : '/'`. */
export function cleansOfTest(test: Value, option: Value, holds: boolean, conditions: Conditions): Cleans | undefined {
  return cleansOf(provedByTest(test, holds, option, conditions))
}

function provedBy(guards: readonly Guard[], value: Value, { conditions }: FunctionParts, isWhole = false): readonly Proof[] {
  const names = createNames(value)
  const proved = names.proofsOf(conditions.constraintsAt(guards, value.start, names))
  return isWhole ? proved.map((one) => (one.kind === 'starts' && one.text === undefined ? INSIDE : one)) : proved
}

const INSIDE: Proof = { kind: 'inside' }
const HOST: Proof = { kind: 'host' }

interface ValueNames extends Names {
  /** What constraints say of the value, and those of its host. */
  proofsOf(constraints: readonly Constraint[]): readonly Proof[]
}

/** What a value is known by, and the address that it is or is read from. */
function createNames(value: Value): ValueNames {
  const [key, name] = [keyOf(value), nameOf(value)]
  const addresses = addressesAround(value)
  const isHost = (of: string): boolean =>
    (key !== undefined && !isBag(value) && isHostOf(of, key)) || addresses.some((address) => isHostOf(of, address))
  return {
    has: (of) => of === key || of === name || addresses.includes(of) || isHost(of),
    proofsOf: (constraints) =>
      constraints.flatMap((one): readonly Proof[] => {
        const { kind, of, text } = one
        if (of === key || of === name) {
          if (kind === 'starts' && text === undefined && !mayClimb(value)) return [INSIDE]
          return [text === undefined ? { kind } : { kind, text }]
        }
        const isKnown = addresses.includes(of) ? kind === 'origin' || kind === 'host' : knowsHost(one) && isHost(of)
        return isKnown ? [HOST] : []
      }),
  }
}

/** `url hostname` of `url`. */
function isHostOf(of: string, address: string): boolean {
  return of.length > address.length && of.startsWith(address) && HOSTS.has(of.slice(address.length))
}

const HOSTS: ReadonlySet<string> = new Set([' hostname', ' host', ' origin'])

/** The address that a part is read from: `url` of `url.search` or of `const { search } = url`. */
function addressesAround(value: Value): readonly string[] {
  if (value.kind === 'member') return PARTS.has(value.name) && !isBag(value.object) ? [keyOf(value.object) ?? []].flat() : []
  return addressesOfPart(value, PARTS)
}

const PARTS: ReadonlySet<string | undefined> = new Set(
  'href origin host hostname port protocol pathname path search searchParams query hash'.split(' '),
)

/** Whether a path that begins with a folder may climb out of it again: it was put together or came in as it is. */
function mayClimb(value: Value): boolean {
  const made = resolveValue(value)
  if (made.kind === 'template' || made.kind === 'concat') return true
  const access = accessOf(value)
  return access?.binding?.kind === 'parameter' && access.steps.length > 0
}

/** Nothing is left to follow. */
export function isSettled(proofs: readonly Proof[]): boolean {
  return proves(proofs, 'listed')
}

/** Something of it is left to follow; what a predicate was asked, is not followed further by those who know no calls. */
export function isFollowed(proofs: readonly Proof[]): boolean {
  return !isSettled(proofs) && !proves(proofs, 'answered')
}

const DECODES: readonly string[] = ['decodeURI', 'unescape', 'base64', 'atob', 'hex']

/** What was checked before a text was decoded, says of escapes that there are none, of bytes nothing; a list of allowed texts says it of both. `/^[\w%-]+$/` lets `%2e%2e%2f` through. */
function staysDecoded(proofs: readonly Proof[], decoding: Decoding): readonly Proof[] {
  const isWithoutEscapes = proofs.some(({ kind, text }) => kind === 'lacks' && text === '%')
  return proofs.filter(
    ({ kind }) => kind === 'listed' || kind === 'answered' || (kind === 'form' && decoding === 'escapes' && isWithoutEscapes),
  )
}

/** Values that are decoded: `decodeURIComponent(name)`, `Buffer.from(name, 'base64')`. */
function decodedIn({ calls }: ScriptFacts): ReadonlyMap<Value, Decoding> {
  return new Map(
    calls.flatMap((call): readonly (readonly [Value, Decoding])[] => {
      const [given] = call.args
      const decoding = given && decodingOf(call)
      return given === undefined || decoding === undefined ? [] : [[given, decoding]]
    }),
  )
}

/** Values looked at for one answer: what is made of more is no path or name. */
const MAX_VISITS = 40

/** `const file = join(folder, name)` above `if (!NAMES.includes(name)) return`: all that it is made of is constant, or was checked before it is used. */
function isMadeOfChecked(guards: readonly Guard[], value: Value, parts: FunctionParts): boolean {
  const made = madeOf(value)
  if (made === undefined) return false
  const open: Value[] = [made]
  let isAnyChecked = false
  for (let visits = 0; visits < MAX_VISITS; visits++) {
    const here = open.pop()
    if (here === undefined) return isAnyChecked
    const proofs = provedAt({ ...here, start: value.start, end: value.start }, guards, parts)
    if (proofs.some(isAllowed)) isAnyChecked = true
    else if (here.kind === 'template' || here.kind === 'concat') open.push(...here.parts)
    else if (isDecodedBehind(here, value.start, guards, parts)) return false
    else if (here.kind === 'call' && pathsOfCallee(here.callee).some((path) => PASSING.has(path))) open.push(...here.args)
    else if (here.kind === 'call' && here.callee.kind === 'member' && PASSING_METHODS.has(here.callee.name ?? ''))
      open.push(here.callee.object, ...here.args)
    else if (!isOfCode(here) && !isConstant(here)) {
      const behind = madeOf(here)
      if (behind === undefined) return false
      open.push(behind)
    }
  }
  return false
}

/** What was checked before it was decoded may be anything: `decodeURIComponent(name)` behind a pattern that lets `%` through. */
function isDecodedBehind(here: Value, offset: number, guards: readonly Guard[], parts: FunctionParts): boolean {
  const decoding = here.kind === 'call' ? decodingOf(here) : undefined
  const [given] = here.kind === 'call' ? here.args : []
  if (decoding !== 'escapes' || given === undefined) return decoding === 'bytes'
  const proofs = provedAt({ ...given, start: offset, end: offset }, guards, parts)
  return proves(proofs, 'form') && !proofs.some(({ kind, text }) => kind === 'lacks' && text === '%')
}

/** What a name is given, once. */
function madeOf(value: Value): Value | undefined {
  const definitions = value.kind === 'reference' ? (value.binding?.definitions ?? []) : []
  const [only] = definitions
  const isWhole = definitions.length === 1 && only?.path.length === 0 && (only.kind === 'init' || only.kind === 'assign')
  return isWhole ? only.value : undefined
}

/** `__dirname`, `cds.root`, `path`: what the server itself brings along. */
function isOfCode(value: Value): boolean {
  const root = accessOf(value)?.root
  return root?.startsWith('module:') === true || (root?.startsWith('global:') === true && root !== 'global:$')
}
